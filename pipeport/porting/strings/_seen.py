"""What an example shows of files at the place of a call; a port learns from no other call."""

from __future__ import annotations

import contextlib
import contextvars
from collections.abc import Callable, Iterator
from typing import Any

from pipeport._lazy import tf
from pipeport.errors import PortRefused, explain
from pipeport.kernels.decode._source import python_path
from pipeport.porting._values import without_text

TOLD = "Give `port` an example, which shows it"
_learns: contextvars.ContextVar[bool] = contextvars.ContextVar("pipeport_learns", default=False)


@contextlib.contextmanager
def learning() -> Iterator[None]:
    """Run the example of a port in the `with` block."""
    token = _learns.set(True)
    try:
        yield
    finally:
        _learns.reset(token)


def learns() -> bool:
    """Say whether what runs shows a port what its graphs may take as known."""
    return _learns.get() or not tf.executing_eagerly()


def path_of(file: Any) -> Any:
    """Return a path as what `tf.io.read_file` takes."""
    known = python_path(file)
    return tf.constant(known) if known is not None else without_text(file)


def note(notes: dict[Any, Any], name: str, seen: Any) -> None:
    """Note what a file holds; None where files differ."""
    if notes.setdefault(name, seen) != seen:
        notes[name] = None


def learnt(
    notes: dict[Any, Any], name: str, file: Any, look: Callable[[Any], Any], refusal: tuple[str, str, str]
) -> Any:
    """Return what a file holds: of this file where its path is known, else of those seen.

    `notes`: those of the place of the call. `name`: of the note. `file`: the path. `look`: takes the path, as
    a tensor with a value, and gives what the file holds. `refusal`: (str, str, str); where nothing is known:
    what is called, what is missing, and the nearest way. Returns: what it holds.
    """
    known = python_path(file)
    if tf.executing_eagerly() or known is not None:
        with tf.init_scope():
            seen = look(path_of(file))
        note(notes, name, seen)
        return seen
    if notes.get(name) is None:
        called, given, advice = refusal
        raise PortRefused(explain(called, given, "what is known while tracing", advice))
    return notes[name]
