"""Which arrays would share memory in NumPy, so that no write to one of them is lost on another.

Tensors are never written to: an assignment gives the array a new tensor. In NumPy every array of the same
memory would change with it. Here those that live are kept track of, by weak references: a view may be
written to when nothing else of its memory lives, and what the write of a base makes untrue is not served
any more.
"""

from __future__ import annotations

import weakref
from typing import Any, NoReturn

from pipeport._lazy import tf
from pipeport.errors import UnsupportedArgument, explain

# How many arrays of one memory are counted before those that are gone are looked for.
_ROOM = 16
_COPY = "Take a copy first: `x = x.copy()`."


def graph_here() -> Any:
    """Return the graph being traced, or None."""
    return None if tf.executing_eagerly() else tf.compat.v1.get_default_graph()


class Memory:
    """What arrays that would share memory have in common.

    Attributes
    ----------
    graph : object
        The graph it was made in, or None.
    """

    def __init__(self) -> None:
        graph = graph_here()
        self._graph = None if graph is None else weakref.ref(graph)
        self._arrays: list[weakref.ref[Any]] = []
        self._room = _ROOM

    def join(self, array: Any) -> None:
        """Count an array among those of this memory."""
        if len(self._arrays) >= self._room:
            self._arrays = [ref for ref in self._arrays if ref() is not None]
            self._room = max(_ROOM, 2 * len(self._arrays))
        self._arrays.append(weakref.ref(array))

    def others(self, array: Any) -> list[Any]:
        """Return the arrays of this memory that live, but for one."""
        return [one for one in (ref() for ref in self._arrays) if one is not None and one is not array]

    def is_of_here(self) -> bool:
        """Say whether the graph being traced is the one it was made in."""
        return (None if self._graph is None else self._graph()) is graph_here()


def refuse_unknown_origin() -> NoReturn:
    """Refuse to write to an array that something outside may still use.

    Raises
    ------
    UnsupportedArgument
        Always.
    """
    given = "an assignment to an array that came through a function boundary, a condition or a loop"
    raise UnsupportedArgument(explain("array", given, "arrays made here", f"Another may use it. {_COPY}"))


def refuse_other_graph() -> NoReturn:
    """Refuse to write, inside a branch or a loop body, to an array of outside.

    Raises
    ------
    UnsupportedArgument
        Always.
    """
    given = "an assignment inside a condition, a loop or a function that is traced apart"
    advice = "Make a new array instead, as in `x = numpy.where(mask, value, x)` or `x = x * 0.5`."
    raise UnsupportedArgument(explain("array", given, "an assignment where the array was made", advice))


def refuse_view() -> NoReturn:
    """Refuse to write through a view whose base is still used.

    Raises
    ------
    UnsupportedArgument
        Always.
    """
    given = "an assignment to a view (a slice, a reshape, a transpose ...) of an array that is still used"
    advice = "Assign to the array itself, as in `x[a:b] = value`, or take a copy of the view."
    raise UnsupportedArgument(explain("array", given, "arrays with elements of their own", advice))


class Track:
    """What one array knows of its memory; it stands in a slot, as TensorFlow takes `__dict__` for the fields.

    Parameters
    ----------
    memory : Memory
        Shared with its views.
    base : ndarray or None
        The array it is a view of.
    key : object
        What it was taken with.
    """

    __slots__ = ("base", "kept", "key", "memory", "updated", "view")

    def __init__(self, memory: Memory, base: Any = None, key: Any = None) -> None:
        self.memory = memory
        self.view = base is not None
        self.base = None if base is None else weakref.ref(base)
        self.key = key
        self.kept: Any = None  # the values from before a view was updated
        self.updated: Any = None  # of a view that was updated: the base, which has no values meanwhile


class Tracked:
    """Room for what an array knows of its memory; empty in arrays that TensorFlow made."""

    __slots__ = ("_track",)
    _values: Any


def track_of(array: Any) -> Track | None:
    """Return what an array knows of its memory, or None of one that came through a boundary."""
    try:
        found: Track = Tracked._track.__get__(array)  # type: ignore[attr-defined]
    except AttributeError:
        return None
    return found


class Lost:
    """Stands among the fields of an array that is not valid any more.

    Parameters
    ----------
    why : {'base', 'view'}
        See `LOST`.
    """

    def __init__(self, why: str) -> None:
        self.why = why

    def refuse(self) -> NoReturn:
        """Say why the array cannot be used."""
        given = "one that is not valid any more"
        raise UnsupportedArgument(explain("array", given, "arrays as they are", LOST[self.why]))

    @property
    def _type_spec(self) -> Any:  # asked for wherever TensorFlow takes the array apart
        self.refuse()


LOST = {
    "base": "The array it is a view of was written to: take the view after the assignment, or a copy before",
    "part": "It was written to inside a condition or a loop under another name: use that name, or a copy",
    "view": "It was written to through a view of it: assign to the array itself, as in `x[a:b] += value`",
}
