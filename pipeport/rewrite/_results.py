"""What a boundary gives, as its `Tout` declares it."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from pipeport.scan._dtypes import named
from pipeport.scan._module import Scope
from pipeport.scan._resolve import Location, Ref

ONE, MANY, UNKNOWN = "one", "many", "unknown"


@dataclass(frozen=True)
class Declared:
    """What `Tout` says.

    Attributes
    ----------
    form : str
        'one' dtype, 'many' in a list or tuple, or 'unknown'.
    dtypes : tuple of str
        The expressions of the dtypes.
    """

    form: str
    dtypes: tuple[str, ...] = ()


def declared(tout: Ref | None) -> Declared:
    """Read `Tout`.

    Parameters
    ----------
    tout : Ref or None
        The expression.

    Returns
    -------
    Declared
        Of form 'unknown' where the text does not tell whether it is one dtype or a list.
    """
    if tout is None:
        return Declared(UNKNOWN)
    node = _followed(tout.node, tout.location)
    if isinstance(node, (ast.List, ast.Tuple)):
        if not node.elts or any(isinstance(one, ast.Starred) for one in node.elts):
            return Declared(UNKNOWN)
        return Declared(MANY, tuple(map(ast.unparse, node.elts)))
    one = named(node) is not None or (isinstance(node, ast.Attribute) and node.attr == "dtype")
    return Declared(ONE, (ast.unparse(node),)) if one else Declared(UNKNOWN)


def _followed(node: ast.expr, location: Location) -> ast.expr:
    """Return what a name was given, where it is given something once."""
    scope: Scope | None = location.scope
    while isinstance(node, ast.Name) and scope is not None:
        found = scope.names.get(node.id)
        if found is not None:
            return found[0].value if len(found) == 1 and found[0].kind == "assign" else node
        scope = scope.parent
    return node
