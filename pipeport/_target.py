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

    `target`: `module:name`; the name may be dotted.
    """
    module, _, name = target.partition(":")
    if not module or not name:
        advice = "Write, for instance, my_module:augment."
        raise OutsideDomain(explain(parameter, repr(target), allowed, advice))
    return module, name


@contextlib.contextmanager
def working_folder() -> Iterator[None]:
    """Find modules in the working directory first."""
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

    `target`: `module:name`; the name may be dotted. `describe`: returns the text of what the module raises.
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
    """Import a target that can be called."""
    found = import_target(target, parameter, "module:function")
    if not callable(found):
        given = f"{target!r}, a {type(found).__name__}"
        raise OutsideDomain(explain(parameter, given, "module:function", "Name a function."))
    return found
