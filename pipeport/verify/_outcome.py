"""The outcome of a call: arrays, or an error with its kinds."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

When = Literal["trace", "run"]
StaticShape = tuple[int | None, ...] | None  # None: not even the rank is known


@dataclass(frozen=True)
class Raised:
    """An error: its kinds, the class and first lines, and whether it came while tracing."""

    kinds: frozenset[str]
    text: str
    when: When = "run"


@dataclass(frozen=True)
class Outcome:
    """Either arrays in a structure, or an error.

    `structure`: how they are nested: '*' for a single one, '(*, *)' for two, '{image: *}' for a dict.
    `static`: shape of each output as known while tracing; None without a graph. `boundaries`: Python
    boundaries found in the graph.
    """

    leaves: tuple[np.ndarray[Any, Any], ...] = ()
    structure: str = "*"
    static: tuple[StaticShape, ...] | None = None
    error: Raised | None = None
    boundaries: tuple[str, ...] = ()


def flatten(value: Any) -> tuple[str, list[Any]]:
    """Return the nesting of a result as text, and its leaves; lists and tuples count as one."""
    if isinstance(value, Mapping):
        parts = {str(key): flatten(value[key]) for key in sorted(value, key=str)}
        text = ", ".join(f"{key}: {part[0]}" for key, part in parts.items())
        return "{" + text + "}", [leaf for part in parts.values() for leaf in part[1]]
    if isinstance(value, (list, tuple)):
        items = [flatten(item) for item in value]
        return "(" + ", ".join(i[0] for i in items) + ")", [leaf for i in items for leaf in i[1]]
    return "*", [value]


# By class name, searched along the bases: neither TensorFlow nor OpenCV is imported for it.
_KINDS = {
    "AxisError": ("index", "value"),  # NumPy's is both, so either answers to it
    "IndexError": ("index",),
    "OutOfRangeError": ("index",),
    "FileNotFoundError": ("not-found",),
    "NotFoundError": ("not-found",),
    "TypeError": ("type",),
    "InvalidArgumentError": ("value",),
    "OverflowError": ("value",),
    "ValueError": ("value",),
}
# What decoders raise for contents they do not take, and SciPy's C code for a dtype.
_KINDS_OF_REFERENCES = {
    "RuntimeError": ("value", "type"),
    "OSError": ("value",),
    "EOFError": ("value",),
    "SyntaxError": ("value",),
}


def kinds_of(error: BaseException, *, reference: bool = False) -> frozenset[str]:
    """Return the kinds of an error; an unknown class is a kind of its own.

    `reference`: whether a reference raised it: some refuse values by classes that from a native would be a
    defect. Returns: of 'value', 'type', 'index', 'not-found', or the class's name.
    """
    for base in type(error).__mro__:
        if base.__name__ in _KINDS:
            return frozenset(_KINDS[base.__name__])
        if reference and base.__name__ in _KINDS_OF_REFERENCES:
            return frozenset(_KINDS_OF_REFERENCES[base.__name__])
        if base.__name__ == "error" and base.__module__.startswith("cv2"):
            # Overloads are tried in turn: whether type or value was wrong is not said.
            return frozenset({"value", "type"} if "Overload resolution" in str(error) else {"value"})
    return frozenset({type(error).__name__})


def raised(error: Exception, when: When = "run", *, reference: bool = False) -> Outcome:
    """Return the outcome of a call that raised."""
    lines = [line.strip() for line in str(error).strip().splitlines() if line.strip()]
    # Errors from a graph begin with AutoGraph's account of the code; their last line says what failed.
    shown = lines[-1] if lines and "in user code" in lines[0] else " ".join(lines[:2])
    kinds = kinds_of(error, reference=reference)
    return Outcome(error=Raised(kinds, f"{type(error).__name__}: {shown[:400]}", when))


def run_reference(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Outcome:
    """Call a reference on contiguous copies of its arguments; its warnings are its own affair."""
    return run_watched(function, arguments)[0]


def run_watched(function: Callable[..., Any], arguments: Mapping[str, Any]) -> tuple[Outcome, set[str]]:
    """Call a reference and return its outcome with the names of the arguments it changed in place."""
    own = {name: _copied(value) for name, value in arguments.items()}
    outcome = _outcome_of(function, own)
    return outcome, {name for name, value in arguments.items() if _changed(value, own[name])}


def _changed(before: Any, after: Any) -> bool:
    if isinstance(before, list):
        return len(before) != len(after) or any(map(_changed, before, after))
    if not isinstance(before, np.ndarray):
        return False
    return before.shape != after.shape or bool(before.tobytes() != after.tobytes())


def _outcome_of(function: Callable[..., Any], own: Mapping[str, Any]) -> Outcome:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            structure, leaves = flatten(function(**own))
            return Outcome(tuple(_native_order(np.array(leaf)) for leaf in leaves), structure)
        except Exception as error:  # every refusal of the reference is an answer
            return raised(error, reference=True)


def _copied(value: Any) -> Any:
    if isinstance(value, list):
        return [_copied(part) for part in value]
    return value.copy(order="C") if isinstance(value, np.ndarray) else value


def _native_order(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return an array in the machine's byte order: tensors have no other."""
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))
