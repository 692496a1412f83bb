"""What a file calls pipeport, and what must be imported."""

from __future__ import annotations

from pipeport.rewrite._plan import Stays
from pipeport.scan._module import Module


def needed(module: Module, *names: str) -> list[str]:
    """Return the modules that a file does not import yet.

    Parameters
    ----------
    module : Module
        The file.
    *names : str
        Modules, each under its own name.

    Returns
    -------
    list of str
        Those of the names.

    Raises
    ------
    Stays
        A name means something else in the file.
    """
    lacking = []
    for name in dict.fromkeys(names):
        scopes = [module.top, *module.scopes.values()]
        bound = [(scope, one) for scope in scopes for one in scope.names.get(name, [])]
        if any(one.kind != "import" or one.value[1:] != (name, None) for _, one in bound):
            raise Stays(f"The name {name} means something else in this file: give that another name.")
        if not any(scope is module.top and one.chain == () for scope, one in bound):
            lacking.append(name)
    return lacking
