"""Storages that may be one in NumPy, known only at run time: a write to one reaches the other.

`alias_if` knows the condition, so that a write is carried over by a `tf.cond`. `may_alias` knows none: after
a write to one of the two, the other cannot be read any more.

Once a function has its result it does nothing more: what the graph writes then is written where there is no
result yet. So the aliases of a result count from the end of the function on.
"""

from __future__ import annotations

import contextlib
import contextvars
import dataclasses
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from pipeport._lazy import tf
from pipeport.arrays import _lines
from pipeport.arrays._sharing import Storage, forget, graph_here
from pipeport.errors import UnsupportedArgument, explain

# The aliases of the result of the function that is running.
_waiting: contextvars.ContextVar[list[MayAlias]] = contextvars.ContextVar("pipeport_waiting")


@dataclasses.dataclass(eq=False, slots=True)
class MayAlias:
    """Two storages that may be one in NumPy.

    `told`: what may share memory, and where the user made it. `waits`: whether one of them is the result of a
    function that is still running.
    """

    one: Storage
    other: Storage
    told: str
    waits: bool = dataclasses.field(default=False, kw_only=True)

    def end(self, storage: Storage) -> Storage:
        """Return the other of the two."""
        return self.other if storage is self.one else self.one


@dataclasses.dataclass(eq=False, slots=True)
class AliasIf(MayAlias):
    """An alias whose condition is known: `one` is a view of `other` where it holds.

    `truth`: gives the condition, a tensor of bool.
    """

    truth: Callable[[], Any]
    chain: Any

    def carried(self, source: Storage) -> Any:
        """Return the value of the other end after a write to one of the two."""
        to = self.end(source)

        def new() -> Any:
            if to is self.one:
                return self.other.tensor if self.chain is None else self.chain.read(self.other.tensor)
            return self.one.tensor if self.chain is None else self.chain.written(to.tensor, self.one.tensor)

        found = tf.cond(self.truth(), lambda: tf.identity(new()), lambda: tf.identity(to.tensor))
        found.set_shape(to.tensor.shape)
        return found


def alias_if(
    view: Storage, base: Storage, truth: Callable[[], Any], chain: Any, told: str, *, waits: bool = False
) -> None:
    """Note that a storage is a view of another where a condition holds.

    `truth`: gives the condition when it is first needed. `chain`: how the view is taken from the other.
    `told`: what may share memory, for messages. `waits`: whether one of them is a function's result.
    """
    if view is not base:
        _bind(AliasIf(view, base, told, truth, chain, waits=waits))


def may_alias(one: Storage, other: Storage, told: str, *, waits: bool = False) -> None:
    """Note that two storages may be the same, under an unknown condition.

    `told`: what may share memory, for messages. `waits`: whether one of them is a function's result.
    """
    if one is not other:
        _bind(MayAlias(one, other, told, waits=waits))


@contextlib.contextmanager
def until_returned() -> Iterator[None]:
    """Let aliases of the result of the function that runs in the `with` block wait until its end."""
    waiting: list[MayAlias] = []
    token = _waiting.set(waiting)
    try:
        yield
    finally:
        _waiting.reset(token)
        for alias in waiting:
            alias.waits = False


def _bind(alias: MayAlias) -> None:
    if alias.waits:
        _waiting.get().append(alias)
    for storage in (alias.one, alias.other):
        storage.aliases = (*storage.aliases, alias)
        part = storage.outer_part()
        if part is not None:
            part.note(storage, alias)


def reached(storage: Storage, *, down: bool = False, now: bool = False) -> list[Storage]:
    """Return a storage and those that a write to it may reach, over any number of aliases.

    A write goes up to what the storage may be a view of, and from there down to other views. It does not go
    up again: a view of one thing or another does not make these the same.

    `down`: whether the write came down to it already. `now`: whether aliases that wait are left out.
    """
    todo, seen = [(storage, down)], {(id(storage), down)}
    for one, lower in todo:
        for alias in one.aliases:
            if (lower and alias.one is one) or (now and alias.waits):
                continue
            near = alias.end(one), lower or alias.other is one
            if (id(near[0]), near[1]) not in seen:
                seen.add((id(near[0]), near[1]))
                todo.append(near)
    return list(dict.fromkeys(one for one, _ in todo))


def matters(storage: Storage) -> bool:
    """Say whether an array is still used that shares a storage, or may."""
    return any(one.arrays() for one in reached(storage))


def write(storage: Storage, tensor: Any, array: Any = None, values: Any = None) -> None:
    """Let a storage hold what the user's assignment leaves, and whatever is the same in NumPy with it.

    `storage`, `tensor`, `array`, `values`: as `Storage.enter` takes them.
    """
    storage.enter(tensor, array, values)
    if storage.aliases:
        _spread(storage)


def _spread(storage: Storage) -> None:
    """Carry a write over along the aliases, each of them once."""
    came: dict[int, Storage | None] = {id(storage): None}
    todo, used = [(storage, False)], set()
    while todo:
        source, lower = todo.pop()
        for alias in source.aliases:
            if id(alias) in used or alias.waits or (lower and alias.one is source):
                continue
            used.add(id(alias))
            to, down = alias.end(source), lower or alias.other is source
            further = [one for one in reached(to, down=down, now=True) if one is not source and one.arrays()]
            if not isinstance(alias, AliasIf):
                for one in further:
                    if one.lost is None:
                        _lose(one, alias)
            elif to.lost is None and further:
                if came.setdefault(id(to), source) is not source:
                    _refuse(alias)
                to.enter(alias.carried(source))
                todo.append((to, down))


def _lose(storage: Storage, alias: MayAlias) -> None:
    if storage.graph is not graph_here():
        _refuse(alias)
    storage.lost = f"{alias.told}; written to in {_lines.here()}"
    for array in storage.arrays():
        forget(array)


def _refuse(alias: MayAlias) -> NoReturn:
    given = f"an assignment to what may share memory with another, known only at run time ({alias.told})"
    advice = "Take a copy of one of them before: `y = y.copy()`."
    raise UnsupportedArgument(explain("array", given, "arrays with elements of their own", advice))
