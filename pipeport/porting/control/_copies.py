"""Lists and dictionaries that stand for others: chosen in a container, or put together from two branches.

A change of such a copy is not seen in what it stands for, and none of that in the copy. Where the user can
still reach both, a change of one is refused.
"""

from __future__ import annotations

import contextlib
import sys
import types
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pipeport._notes import notes_on
from pipeport.arrays import _sharing
from pipeport.errors import PortRefused, explain

_COPIES = "copies"
# Objects of these are not looked into for lists that the user has.
_LIBRARIES = ("builtins", "keras", "numpy", "pipeport", "tensorflow")


def note_copy(made: Any, of: Iterable[Any] = ()) -> None:
    """Note that a list or a dictionary stands for others.

    `made`: the copy. `of`: what it stands for; empty of what is always reached.
    """
    _copies()[id(made)] = made, tuple(of)


def refuse_copy(owner: Any, is_outside: Callable[[Any], bool]) -> None:
    """Refuse a change of a copy that what it stands for would not see, and the other way round.

    `owner`: what is changed. `is_outside`: says whether a list or a dictionary is from outside of the
    function. Raises PortRefused: the user still has what it stands for, or a copy of that.
    """
    found = _sources(owner)
    if any(of is not None and not of for _, of in found.values()):
        given = f"a {type(owner).__name__} at a place known only at run time"
        advice = "Put the values into an array, and assign to its elements."
        raise PortRefused(explain("change", given, "changes of elements at known places", advice))
    if len(found) == 1 and not any(one is owner for _, of in _copies().values() for one in of):
        return
    named = any(one is not owner and not found.keys().isdisjoint(_sources(one)) for one in _in_use())
    if named or any(is_outside(one) for one, _ in found.values()):
        given = f"a {type(owner).__name__} that a condition or a run-time loop gave another name"
        advice = "Make a copy there, as in `c = list(a)`."
        raise PortRefused(explain("change", given, "changes of lists and dictionaries with one name", advice))


def _sources(value: Any) -> dict[int, tuple[Any, Any]]:
    """Return a value and all that it stands for, by identity, each with what it is a copy of itself."""
    copies, found, todo = _copies(), dict[int, tuple[Any, Any]](), [value]
    while todo:
        one = todo.pop()
        if id(one) not in found:
            found[id(one)] = copies.get(id(one), (one, None))
            todo += found[id(one)][1] or ()
    return found


def _copies() -> dict[int, tuple[Any, tuple[Any, ...]]]:
    """Return the copies of the function that is being traced; eagerly all is known, and there are none."""
    graph = _sharing.graph_here()
    while hasattr(getattr(graph, "outer_graph", None), "outer_graph"):
        graph = graph.outer_graph
    found: dict[int, tuple[Any, tuple[Any, ...]]] = {}
    return found if graph is None else notes_on(graph).setdefault(_COPIES, found)


def _in_use() -> Iterator[Any]:
    """Yield what the names of the user's functions stand for that are running, and what that holds."""
    todo: list[Any] = []
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith("<pipeport ") or "autograph_generated" in file:
            todo += frame.f_locals.values()
        frame = frame.f_back
    done = set()
    while todo:
        one = todo.pop()
        if id(one) not in done:
            done.add(id(one))
            yield one
            todo += _held(one)


def _held(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, (list, tuple, deque)):
        return list(value)
    if isinstance(value, types.FunctionType):
        found = [*(value.__defaults__ or ())]
        for cell in value.__closure__ or ():
            with contextlib.suppress(ValueError):  # without a value
                found.append(cell.cell_contents)
        return found
    if isinstance(value, types.MethodType):
        return [value.__self__]
    if type(value).__module__.partition(".")[0] in _LIBRARIES or isinstance(value, (type, types.ModuleType)):
        return []
    return list(getattr(value, "__dict__", {}).values())
