"""Objects of installed packages without natives, such as pandas' tables, among values of the graph."""

from __future__ import annotations

import traceback
from typing import Any

from pipeport.errors import PipeportError, PortRefused, explain
from pipeport.porting._origins import origins
from pipeport.porting.frontend import _meaning as meanings

_ALLOWED = "NumPy's arrays, numbers, strings, and lists and dictionaries of these"
_ADVICE = "Make one of these of it outside of the function: `np.asarray(x)`, or a dictionary to look up."


def refuse(what: str, value: Any) -> None:
    """Refuse an object of an installed package.

    `what`: the parameter. `value`: anything; all else passes. Raises PortRefused: it is one.
    """
    if package := meanings.package_of(value):
        given = f"an object of {package}: {type(value).__name__}"
        raise PortRefused(explain(what, given, _ALLOWED, _ADVICE))


def instead(error: Exception) -> Exception:
    """Return a refusal in the place of an error that an installed package raises while a body is traced.

    What the package was given stands in for values known only at run time.

    `error`: the error, with its traceback. Returns: itself where no package is called from the user's lines.
    """
    within: list[Any] = []
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_filename in origins:
            within = []
        elif not str(frame.f_globals.get("__name__")).startswith("pipeport."):
            within.append(frame)
    package = meanings.package_of(within[0]) if within else ""
    if not package:
        return error
    given = f"an object of {package} beside a value known only at run time"
    if not isinstance(error, PipeportError):
        told = f"{type(error).__name__}: {error}".partition("\n")[0]
        given = f"an object of {package} that raised {told}, while the function was traced"
    return PortRefused(explain(package, given, _ALLOWED, _ADVICE)).with_traceback(error.__traceback__)
