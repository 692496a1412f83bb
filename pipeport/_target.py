"""Import what a user names as `module:name`."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pipeport.errors import OutsideDomain, explain

_ALLOWED = "module:name"


def _text_of(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def split_target(target: str, parameter: str = "TARGET", allowed: str = _ALLOWED) -> tuple[str, str]:
    """Return the module and the name of a target.

    Parameters
    ----------
    target : str
        `module:name`; the name may be dotted.
    parameter, allowed : str
        For the message.

    Returns
    -------
    module, name : str
        The two sides.

    Raises
    ------
    OutsideDomain
        A side is missing.
    """
    module, _, name = target.partition(":")
    if not module or not name:
        advice = "Write, for instance, my_module:augment."
        raise OutsideDomain(explain(parameter, repr(target), allowed, advice))
    return module, name


@contextlib.contextmanager
def working_folder() -> Iterator[None]:
    """Find modules in the working directory first.

    Yields
    ------
    None
        Nothing.
    """
    sys.path.insert(0, str(Path.cwd()))
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):
            sys.path.remove(str(Path.cwd()))


def import_target(
    target: str,
    parameter: str = "TARGET",
    allowed: str = _ALLOWED,
    describe: Callable[[BaseException], str] = _text_of,
) -> Any:
    """Import a target from the working directory or the installed packages.

    Parameters
    ----------
    target : str
        `module:name`; the name may be dotted.
    parameter, allowed : str
        For the message.
    describe : callable
        Returns the text of what the module raises.

    Returns
    -------
    object
        What has the name.

    Raises
    ------
    OutsideDomain
        The module is not found or raises, or nothing has that name.
    """
    module, name = split_target(target, parameter, allowed)
    with working_folder():
        try:
            found: Any = importlib.import_module(module)
        except (Exception, SystemExit) as error:  # whatever the user's module does when it is imported
            if isinstance(error, ModuleNotFoundError) and error.name == module:
                given = f"{target!r}: no module {module!r}"
                advice = "It is looked for in the working directory and among installed packages."
            else:
                given = f"{target!r}, whose module cannot be imported: {describe(error)}"
                advice = "Correct the module first."
            raise OutsideDomain(explain(parameter, given, allowed, advice)) from error
    for part in name.split("."):
        if not hasattr(found, part):
            given = f"{target!r}, and {module} has no {name!r}"
            raise OutsideDomain(explain(parameter, given, allowed, "Look at its names."))
        found = getattr(found, part)
    return found


def import_function(target: str, parameter: str = "TARGET") -> Any:
    """Import a target that can be called.

    Parameters
    ----------
    target : str
        `module:function`.
    parameter : str
        For the message.

    Returns
    -------
    callable
        The function.

    Raises
    ------
    OutsideDomain
        It cannot be imported or called.
    """
    found = import_target(target, parameter, "module:function")
    if not callable(found):
        given = f"{target!r}, a {type(found).__name__}"
        raise OutsideDomain(explain(parameter, given, "module:function", "Name a function."))
    return found
