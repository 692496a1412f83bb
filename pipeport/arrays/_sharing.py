"""Storages: arrays that share memory in NumPy share a storage here.

A storage holds a tensor, and a write gives it another one. An array is a view of a storage through a chain of
steps (`_views`); it keeps what it has read until its storage is written to, and reads anew when it is asked.
"""

from __future__ import annotations

import contextlib
import contextvars
import weakref
from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._at_once import MOST
from pipeport.errors import UnsupportedArgument, explain

# How many arrays of one storage are counted before those that are gone are looked for.
_ROOM = 16
_SPEC = "_tf_extension_type_cached_type_spec"
_COPY = "Take a copy first: `x = x.copy()`."


def graph_here() -> Any:
    """Return the graph being traced, or None."""
    return None if tf.executing_eagerly() else tf.compat.v1.get_default_graph()


class Part:
    """A branch or a round of a loop while it is traced: writes to storages of outside are undone at its end.

    `graph`: its graph. `before`: storages of outside that were written to, with what they held before.
    """

    def __init__(self) -> None:
        self.graph = graph_here()
        self.before: dict[Storage, Any] = {}
        self._arrays: list[tuple[Any, Any]] = []
        self._aliases: list[tuple[Storage, Any]] = []

    def keep(self, array: Any) -> None:
        """Note what an array of outside has read so far, to be put back at the end."""
        self._arrays.append((array, array.__dict__.get("_values")))

    def note(self, storage: Storage, alias: Any) -> None:
        """Note an alias that a storage of outside has only in this part."""
        self._aliases.append((storage, alias))

    def undo(self) -> None:
        """Give everything of outside back what it was."""
        for array, values in reversed(self._arrays):
            forget(array) if values is None else _hold(array, values)
        for storage, tensor in self.before.items():
            storage.tensor = tensor
        for storage, alias in self._aliases:
            storage.aliases = tuple(one for one in storage.aliases if one is not alias)


_parts: contextvars.ContextVar[tuple[Part, ...]] = contextvars.ContextVar("pipeport_parts", default=())


@contextlib.contextmanager
def part() -> Iterator[Part]:
    """Trace a branch or a round of a loop in the `with` block.

    Yields
    ------
    Part
        What is written to in it.
    """
    made = Part()
    token = _parts.set((*_parts.get(), made))
    try:
        yield made
    finally:
        _parts.reset(token)
        made.undo()


class Storage:
    """The elements that arrays share.

    `tensor`: what it holds at first, then what it holds now. `order`: its axes as they lie in NumPy's
    memory, the outermost first: None of C, UNKNOWN where nobody knows. `aliases`: which storages are the same
    in NumPy where the graph decides; see `_aliasing`. `lost`: why its elements are not known any more.
    `outside`: whether it stands for an array of NumPy's, which is never written to. `memory`: its elements
    where they are known while tracing, see `_memory`. `constants`: bytes of those that were made of it.
    """

    __slots__ = (
        "__weakref__", "_arrays", "_graph", "_room", "_tensor",
        "aliases", "constants", "lost", "memory", "order", "outside",
    )  # fmt: skip

    def __init__(self, tensor: Any) -> None:
        graph = graph_here()
        self._graph = None if graph is None else weakref.ref(graph)
        self._arrays: list[weakref.ref[Any]] = []
        self._room = _ROOM
        self._tensor = tensor
        self.memory: np.ndarray[Any, Any] | None = None
        self.constants = 0
        self.order: Any = None
        self.aliases: tuple[Any, ...] = ()
        self.lost: str | None = None
        self.outside = False

    @property
    def tensor(self) -> Any:
        """What it holds now: of known elements a constant of its graph, made when it is asked for."""
        if self._tensor is None:
            with self.graph.as_default(), tf.control_dependencies(None):
                self._tensor = tf.constant(self.memory)
            self.constants += self._tensor.shape.num_elements() * self._tensor.dtype.size
        return self._tensor

    @tensor.setter
    def tensor(self, tensor: Any) -> None:
        self._tensor, self.memory = tensor, None

    def taken(self, chain: Any) -> Any:
        """Return the elements of a view: of a few known ones a constant."""
        known = None if self.memory is None else chain.known(self.memory)
        return tf.constant(known) if known is not None and known.size <= MOST else chain.read(self.tensor)

    def touched(self) -> None:
        """Note that its memory was written to."""
        self._tensor = None
        for one in self.arrays():
            forget(one)

    def join(self, array: Any) -> None:
        """Count an array among those that share it."""
        if len(self._arrays) >= self._room:
            self._arrays = [ref for ref in self._arrays if ref() is not None]
            self._room = max(_ROOM, 2 * len(self._arrays))
        self._arrays.append(weakref.ref(array))

    def leave(self, array: Any) -> None:
        """Count an array no longer."""
        self._arrays = [ref for ref in self._arrays if ref() is not array]

    def arrays(self) -> list[Any]:
        """Return the arrays that share it and are still used."""
        return [one for one in (ref() for ref in self._arrays) if one is not None]

    @property
    def graph(self) -> Any:
        """The graph it was made in, or None."""
        return None if self._graph is None else self._graph()

    def is_of_here(self) -> bool:
        """Say whether it may be written to: made in this graph, or around the parts that are traced."""
        graph, here, parts = self.graph, graph_here(), _parts.get()
        if graph is here:
            return True
        if not parts or parts[-1].graph is not here:
            return False
        return any(graph is one.graph for one in parts) or graph is getattr(
            parts[0].graph, "outer_graph", None
        )

    def outer_part(self) -> Part | None:
        """Return the part that is traced, if the storage is of outside of it."""
        parts = _parts.get()
        return parts[-1] if parts and self.graph is not parts[-1].graph else None

    def enter(self, tensor: Any, array: Any = None, values: Any = None) -> None:
        """Hold another tensor.

        `tensor`: of the same shape and dtype. `array`: one that shares it and whose elements are known
        already. `values`: these elements.
        """
        part = self.outer_part()
        if part is not None:
            part.before.setdefault(self, self.tensor)
        self.tensor = tensor
        for one in self.arrays():
            if part is not None:
                part.keep(one)
            if one is array:
                _hold(one, values)
            elif track_of(one).chain is None:  # type: ignore[union-attr]
                _hold(one, tensor)
            else:
                forget(one)


class Track:
    """The link of an array to its storage; in a slot, because TensorFlow takes `__dict__` for the fields.

    `storage`: shared with its views. `chain`: how it is taken from the storage; None of all of it. `own`:
    whether an array without axes is one, as of `np.array(3.0)`, and no number; None of what an index gives of
    an array of unknown rank: a number or a view. `handed`: whether it was made for a call alone: the
    function's parameter stands for it.
    """

    __slots__ = ("chain", "handed", "own", "storage")

    def __init__(self, storage: Storage, chain: Any = None) -> None:
        self.storage = storage
        self.chain = chain
        self.own: bool | None = False
        self.handed = False


class Tracked:
    """Room for what an array knows of its storage; empty in arrays that TensorFlow made."""

    __slots__ = ("_of_tensorflow", "_track")
    _values: Any

    @property
    def _type_spec(self) -> Any:  # asked for wherever TensorFlow takes the array apart
        if "_values" not in self.__dict__:
            _hold(self, read(self))
        return super()._type_spec  # type: ignore[misc]


def track_of(array: Any) -> Track | None:
    """Return the track of an array, or None of a tensor of TensorFlow's own."""
    try:
        found: Track = Tracked._track.__get__(array)  # type: ignore[attr-defined]
    except AttributeError:
        return None
    return found


def is_of_tensorflow(value: Any) -> bool:
    """Say whether an array is a tensor where it comes from, so that operators promote as TensorFlow does."""
    return isinstance(value, Tracked) and hasattr(value, "_of_tensorflow")


def storage_of(value: Any) -> Storage | None:
    """Return the storage of an array, or None of anything else."""
    track = track_of(value) if isinstance(value, Tracked) else None
    return None if track is None else track.storage


def chain_of(value: Any) -> Any:
    """Return how an array is taken from its storage: None where it is all of it, or no array."""
    track = track_of(value) if isinstance(value, Tracked) else None
    return None if track is None else track.chain


def lend(array: Any) -> Any:
    """Return an array that stands for one of NumPy's, from outside: it and its views are not written to."""
    storage = storage_of(array)
    if storage is not None:
        storage.outside = True
    return array


def hand_over(array: Any) -> None:
    """Note that an array was made for a call alone: the function's parameter will stand for it."""
    track = track_of(array)
    if track is not None:
        track.handed = True


def known_values(array: Any) -> Any:
    """Return the cached values of an array, or None if they are out of date."""
    return array.__dict__.get("_values")


def is_number(array: Any) -> bool:
    """Say whether an array is a number of NumPy's, which is never written to: the name gets another one."""
    if array.weak:
        return True
    if array._values.shape.rank != 0:
        return False
    track = track_of(array)
    return track is None or (track.chain is None and not track.own)


def python_type(array: Any) -> type:
    """Return the class that a value has in Python: of a number, NumPy's array, or TensorFlow's tensor."""
    if array.weak:
        return {"b": bool, "i": int, "f": float, "c": complex}[array.dtype.kind]
    if is_of_tensorflow(array):
        return tf.Tensor  # type: ignore[no-any-return]
    if array._values.shape.rank == 0:
        return array.dtype.type  # type: ignore[no-any-return]
    return np.ndarray


def _hold(array: Any, tensor: Any) -> None:
    fields = array.__dict__
    fields.pop(_SPEC, None)
    if "_values" in fields:
        fields["_values"] = tensor
    else:  # TensorFlow counts on the order of the fields
        weak = fields.pop("weak")
        fields["_values"], fields["weak"] = tensor, weak


def forget(array: Any) -> None:
    """Let an array read its storage anew."""
    array.__dict__.pop("_values", None)
    array.__dict__.pop(_SPEC, None)


def read(array: Any) -> Any:
    """Return the elements of an array whose storage was written to since it last read them.

    `array`: the array. Returns: its elements. Raises UnsupportedArgument: nobody knows them.
    """
    track = track_of(array)
    if track is None:
        refuse_unknown_origin()
    storage = track.storage
    if storage.lost is not None:
        refuse_lost(storage)
    tensor = storage.tensor if track.chain is None else storage.taken(track.chain)
    part = storage.outer_part()
    if part is None and storage.graph is graph_here():
        _hold(array, tensor)
    elif part is not None and part.graph is graph_here():
        part.keep(array)
        _hold(array, tensor)
    return tensor


def refuse_lost(storage: Storage) -> NoReturn:
    """Refuse to read an array whose elements are lost.

    Raises UnsupportedArgument: always.
    """
    given = f"one that may share memory with what was written to, known only at run time ({storage.lost})"
    name = str(storage.lost).partition("`")[2].partition("`")[0]
    name = name if name.isidentifier() else "y"
    advice = f"Take a copy before the write: `{name} = {name}.copy()`."
    raise UnsupportedArgument(explain("array", given, "arrays whose elements are known", advice))


def refuse_unknown_origin() -> NoReturn:
    """Refuse to write to an array that something outside may still use.

    Raises UnsupportedArgument: always.
    """
    given = "an assignment to an array that came through a function boundary, a condition or a loop"
    raise UnsupportedArgument(explain("array", given, "arrays made here", f"Another may use it. {_COPY}"))


def refuse_number_or_view() -> NoReturn:
    """Refuse to write to what is a number, which Python replaces, or a view, which it changes.

    Raises UnsupportedArgument: always.
    """
    given = "an assignment to an element of an array of unknown rank: a number, or a view of it"
    advice = "State the rank: `tf.ensure_shape`, or `squeeze(axis=...)`, which keeps it known."
    raise UnsupportedArgument(explain("array", given, "arrays of known rank", advice))


def refuse_outside() -> NoReturn:
    """Refuse to write to an array of NumPy's that a function did not make.

    Raises UnsupportedArgument: always.
    """
    given = "an assignment to an array from outside of the function, or to an element of a list"
    raise UnsupportedArgument(explain("array", given, "arrays made in it", _COPY))


def refuse_other_graph() -> NoReturn:
    """Refuse to write, inside a function that is traced apart, to an array of outside.

    Raises UnsupportedArgument: always.
    """
    given = "an assignment inside a condition, a loop or a function that is traced apart"
    advice = "Make a new array instead, as in `x = numpy.where(mask, value, x)` or `x = x * 0.5`."
    raise UnsupportedArgument(explain("array", given, "an assignment where the array was made", advice))
