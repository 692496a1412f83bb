"""What AutoGraph converts, and programs that it has written."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from pipeport._lazy import ExecutedBy

_RULES = "tensorflow.python.autograph.core.config"
# The name by which a converted function, and those defined in it, find AutoGraph's operators.
OPERATORS = "ag__"


def leave_unconverted(package: str) -> None:
    """Let AutoGraph convert no function of a package, from when TensorFlow is loaded.

    As those of TensorFlow: functions of a package are graph code, and converting them slows a trace down.
    In a release whose rules are elsewhere it does convert them.

    Parameters
    ----------
    package : str
        Its name.
    """

    def execute(execute_: Callable[[ModuleType], None], module: ModuleType) -> None:
        execute_(module)
        add(module)

    def add(rules: Any) -> None:
        with contextlib.suppress(AttributeError):
            rules.CONVERSION_RULES = (rules.DoNotConvert(package), *rules.CONVERSION_RULES)

    loaded = sys.modules.get(_RULES)
    if loaded is None:
        ExecutedBy(_RULES, execute)
    else:
        add(loaded)


def as_written(name: str) -> str:
    """Return the qualified name of a function as its source has it.

    Parameters
    ----------
    name : str
        Where AutoGraph has converted the function around, that of the conversion.

    Returns
    -------
    str
        Without AutoGraph's own functions.
    """
    return name.replace("outer_factory.<locals>.inner_factory.<locals>.tf__", "")


def as_in_user_code(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a user's function as AutoGraph calls it: converted, unless that is off where we are called.

    Parameters
    ----------
    function : callable
        Which a function of ours calls while a graph is traced, as `Dataset.map` calls what it is given.

    Returns
    -------
    callable
        Takes and gives the same.
    """
    autograph = importlib.import_module("tensorflow").__internal__.autograph
    converted: Callable[..., Any] = autograph.tf_convert(function, autograph.control_status_ctx())
    return converted


def autograph_lines(file: str) -> dict[int, tuple[str, int]]:
    """Return which line of which file each line of a program comes from that AutoGraph has written.

    Parameters
    ----------
    file : str
        Its name, as code objects have it.

    Returns
    -------
    dict of int to (str, int)
        Empty for other files.
    """
    made = importlib.import_module("tensorflow.python.autograph.impl.api")._TRANSPILER._cache._cache
    for factories in list(made.values()):
        for factory in list(factories.values()):
            if factory.module.__file__ == file:
                places = factory.source_map.items()
                return {place.lineno: (one.loc.filename, one.loc.lineno) for place, one in places}
    return {}


def holds_operators(code: Any) -> bool:
    """Say whether code reads AutoGraph's operators from the function around it."""
    return OPERATORS in getattr(code, "co_freevars", ())


def is_unbound(value: Any) -> bool:
    """Say whether a value is AutoGraph's mark of a name without one; not that of a `return` to come."""
    return type(value).__name__ == "Undefined"


def is_undefined(value: Any) -> bool:
    """Say whether a value is AutoGraph's mark of a name, or of a result, that has none yet."""
    return is_unbound(value) or type(value).__name__ == "UndefinedReturnValue"
