"""An `if` on a tensor: trace each branch once, then build `tf.cond` of both.

Names keep their arrays where both branches leave them. The storages of outside that a branch wrote to are
outputs of the condition, each once. Ties note what an array that a branch gave a name shares memory with.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport._tensorflow_private import is_unbound
from pipeport.arrays import _aliasing, _lines, _sharing, _strides
from pipeport.arrays._making import fresh
from pipeport.errors import PipeportError, PortRefused, explain
from pipeport.porting._origins import places_of
from pipeport.porting._values import is_array, is_tensor, sentence, tensor_of
from pipeport.porting.control._choice import may_be_one
from pipeport.porting.control._join import (
    IN_BRANCHES,
    Kind,
    Made,
    Perhaps,
    Seen,
    Undefined,
    is_result,
    joined,
    kind_of,
    mapped,
    readable,
    same,
)
from pipeport.porting.control._parts import is_outside, part, storage_to_write
from pipeport.porting.optimise._facts import facts_of
from pipeport.porting.optimise._loops import Parts
from pipeport.porting.optimise._partition import emitted
from pipeport.porting.optimise._ranges import Fact
from pipeport.porting.optimise._traced import traced


class RaisedError(PortRefused):
    """A branch that is being traced ends with `raise`; refused where no condition stands around it.

    `message`: the refusal. `where`: file, line and class of the exception. `values`: what the exception was
    given.
    """

    def __init__(self, message: str, where: str, values: Any) -> None:
        super().__init__(message)
        self.where = where
        self.values = values


def _raises_in_python(error: Exception) -> bool:
    """Say whether Python raises an error there too; else TensorFlow or pipeport refuses to build a graph."""
    modules = [frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(error.__traceback__)]
    of_a_graph = any(one.startswith(("tensorflow.", "keras.")) for one in modules)
    return not isinstance(error, PipeportError) and not of_a_graph


def check_raised(error: RaisedError, truth: Any, run: Callable[[], Any], restore: Callable[[], None]) -> None:
    """Add the check that a branch which raises does not run.

    `error`: what the branch raised when it was traced. `truth`: the condition under which it runs. `run`:
    does what the branch does. `restore`: gives the names what they stood for before the branch.
    """
    here = tf.compat.v1.get_default_graph()
    if all(_is_of(here, one) for one in error.values):
        tf.debugging.Assert(tf.logical_not(truth), [sentence(error.where, error.values)])
        return

    def fail() -> Any:  # what it says is computed in the branch
        restore()
        try:
            with part():
                run()
        except RaisedError as again:
            tf.debugging.Assert(False, [sentence(again.where, again.values)])
        finally:
            restore()
        return tf.constant(0)

    tf.cond(truth, fail, lambda: tf.constant(0))


def _is_of(graph: Any, value: Any) -> bool:
    """Say whether a graph, or one around it, has a value; constants of Python have none."""
    tensor = tensor_of(value)
    owner = getattr(tensor, "graph", None) if is_tensor(tensor) else None
    while graph is not None and owner is not None and graph is not owner:
        graph = getattr(graph, "outer_graph", None)
    return graph is not None


class Branch:
    """One branch, traced as a function of its own.

    `run`: does what the branch does. `get`, `put`: give and take the state: what the names stand for.
    `start`: the state before. `assumed`: what holds in the branch. `values`: the state after it; something
    that stands for each array or tensor made in it. `written`: the storages of outside that it wrote to, and
    what they hold then. `graph`: its graph. `traced`: the function.
    """

    def __init__(
        self,
        run: Callable[[], Any],
        get: Callable[[], Any],
        put: Callable[[Any], None],
        start: Any,
        assumed: dict[Any, Fact],
    ) -> None:
        self.values: Any = ()
        self.written: dict[Any, Any] = {}
        self.graph: Any = None
        self._outputs: list[Any] = []

        def run_apart() -> Any:
            self.graph = tf.compat.v1.get_default_graph()
            facts_of(self.graph).assume(assumed)
            put(start)
            try:
                with part() as now:
                    try:
                        run()
                    except (ArithmeticError, LookupError, ValueError) as error:
                        if not _raises_in_python(error):
                            raise
                        kind, places = type(error).__name__, places_of(error)
                        where = "{}, line {}".format(*places[-1]) if places else _lines.here()
                        told = explain("branch", f"one that raises {kind}: {error}, in {where}", "others", "")
                        raise RaisedError(told, f"{where}: {kind}", (str(error),)) from error
                    self.values = tuple(mapped(self._leaf, "", one) for one in get())
                    for storage in now.before:
                        if _aliasing.matters(storage):
                            self.written[storage] = self._made(fresh(storage.tensor))
            finally:
                put(start)
            return self._outputs

        self.traced = traced(run_apart)

    def _made(self, value: Any) -> Any:
        """Return the placeholder of a value; the value itself if it was not made in the branch."""
        tensor = tensor_of(value)
        if not is_tensor(tensor) or getattr(tensor, "graph", None) is not self.graph:
            return value
        kind = kind_of(value)
        return value if kind is None else Made(self._output(tensor), kind, value)

    def _output(self, tensor: Any) -> int:
        self._outputs.append(tensor)
        return len(self._outputs) - 1

    def _leaf(self, name: str, value: Any) -> Any:  # noqa: ARG002 - as `mapped` calls it
        storage = storage_to_write(value)
        if storage is None or storage.graph is self.graph:
            return self._made(value)
        chain = _sharing.chain_of(value)
        if chain is not None and chain.is_made_in(self.graph):
            return self._made(value)
        if storage.lost is not None:
            return value
        known = _sharing.known_values(value)
        number = self._output(known) if getattr(known, "graph", None) is self.graph else -1
        kind: Any = kind_of(value)
        return Seen(number, kind, value, storage, chain)

    def elements(self, value: Any, outputs: Any) -> Any:
        """Return a value after the branch, in its function.

        `value`: one of `values` or `written`, or a storage's tensor. `outputs`: what the function computed.
        Returns: an array, or the value itself where it stands for none.
        """
        if isinstance(value, Seen) and value.number < 0:
            new = self.written.get(value.storage)
            if new is None:
                return value.origin
            root = tensor_of(self.elements(new, outputs))
            return value.kind.array(root if value.chain is None else value.chain.read(root))
        return value.kind.array(outputs[value.number]) if isinstance(value, Made) else value


def merged(truth: Any, branches: list[Branch], names: tuple[str, ...], read: int) -> tuple[Any, ...]:
    """Return the state after a condition, and give the storages that a branch wrote to what they hold then.

    `truth`: the condition. `branches`: what is done where it holds, and where not. `names`: those that the
    state is of. `read`: how many of them, the first, are read after it. The others have no value then, where
    one value cannot stand for both. Returns: the state.
    """
    kinds: list[Kind] = []
    sources: list[tuple[Any, Any]] = []

    def leaf(name: str, one: Any, other: Any) -> Any:
        if isinstance(one, Seen) and isinstance(other, Seen) and one.origin is other.origin:
            return one.origin
        if same(one, other):
            return one
        if is_unbound(one) and may_be_one(other):
            return other
        if is_unbound(other) and may_be_one(one):
            return one
        kind = joined(readable(name), one, other, IN_BRANCHES)
        if isinstance(one, bool) and isinstance(other, bool):
            return kind.array(truth if one else tf.logical_not(truth))
        kinds.append(kind)
        sources.append((one, other))
        return Made(len(kinds) - 1, kinds[-1])

    def row(at: int, name: str, one: Any, other: Any) -> Any:
        before = len(kinds)
        unbound = is_unbound(one), is_unbound(other)
        if any(unbound) and at >= read:
            return Undefined(name)
        if unbound == (True, False) and not isinstance(other, Perhaps):
            other = Perhaps(name, True, other)
        elif unbound == (False, True) and not isinstance(one, Perhaps):
            one = Perhaps(name, True, one)
        try:
            return mapped(leaf, name, one, other, where=IN_BRANCHES)
        except PortRefused:
            if at < read and not any(unbound):
                raise
            del kinds[before:], sources[before:]
            return Undefined(name)

    sides = zip(names, branches[0].values, branches[1].values, strict=True)
    rows = [row(at, *given) for at, given in enumerate(sides)]
    values = len(kinds)
    storages = list(dict.fromkeys([*branches[0].written, *branches[1].written]))
    for storage in storages:
        kinds.append(Kind(np.dtype(storage.tensor.dtype.as_numpy_dtype), False, storage.tensor.shape))
        sources.append((*(one.written.get(storage, storage.tensor) for one in branches),))

    def outputs(side: int) -> Callable[[], Any]:
        def compute() -> Any:
            setattr(parts, ("first", "second")[side], tf.compat.v1.get_default_graph())
            made = emitted(branches[side].traced, ends=False)
            with part():  # what arrays of outside read here is not kept
                return [
                    tf.identity(kind.fit(branches[side].elements(pair[side], made)))
                    for kind, pair in zip(kinds, sources, strict=True)
                ]

        return compute

    parts = Parts()
    found = tf.cond(truth, outputs(0), outputs(1))
    found = list(found) if isinstance(found, (list, tuple)) else [] if found is None else [found]
    parts.note(found)
    for tensor, kind in zip(found, kinds, strict=True):
        tensor.set_shape(kind.shape)
    for storage, tensor in zip(storages, found[values:], strict=True):
        storage.enter(tensor)
    chosen: list[tuple[str, Any, tuple[Any, Any]]] = []

    def result(name: str, value: Any) -> Any:
        if not isinstance(value, Made):
            return value
        array = kinds[value.number].array(found[value.number])
        chosen.append((name, array, sources[value.number]))
        if not all(map(_lies_plain, sources[value.number])) and (own := storage_to_write(array)) is not None:
            own.order = _strides.UNKNOWN
        return array

    state = tuple(mapped(result, name, row) for name, row in zip(names, rows, strict=True))
    _Ties(truth, branches).note(chosen)
    return state


def _lies_plain(value: Any) -> bool:
    """Say whether the elements of what a branch gives surely lie in the order C, without gaps."""
    if isinstance(value, Seen):
        return value.storage.order is None and (value.chain is None or bool(value.chain.plain))
    made = value.origin if isinstance(value, Made) else None
    return not is_array(made) or _strides.is_plain(made)


class _Ties:
    """Notes which arrays share memory with an array that a condition chose.

    `truth`: the condition. `branches`: both.
    """

    def __init__(self, truth: Any, branches: list[Branch]) -> None:
        self._truths = (lambda: truth), (lambda: tf.logical_not(truth))
        self._branches = branches
        # By the storage made in a branch: the first array that came out with it.
        self._firsts: dict[tuple[int, int], tuple[Any, Any]] = {}

    def note(self, chosen: list[tuple[str, Any, tuple[Any, Any]]]) -> None:
        for name, array, pair in chosen:
            own = storage_to_write(array)
            for side, value in enumerate(pair) if own is not None else ():
                told = f"`{readable(name)}`, chosen by a condition before {_lines.here()}"
                waits = is_result(name)
                if is_outside(value.origin if isinstance(value, Made) else value):
                    _sharing.lend(array)
                elif isinstance(value, Seen):
                    _aliasing.alias_if(own, value.storage, self._truths[side], value.chain, told, waits=waits)
                elif isinstance(value, Made) and storage_to_write(value.origin) is not None:
                    self._made_in(side, own, value.origin, told, waits)

    def _made_in(self, side: int, own: Any, origin: Any, told: str, waits: bool) -> None:
        storage, chain = storage_to_write(origin), _sharing.chain_of(origin)
        for other in _aliasing.reached(storage)[1:]:
            if other.arrays():
                _aliasing.may_alias(own, other, told, waits=waits)
        graph = self._branches[side].graph
        if storage.graph is not graph:  # a view of outside by what was drawn inside
            _aliasing.may_alias(own, storage, told, waits=waits)
            return
        first, first_chain = self._firsts.setdefault((side, id(storage)), (own, chain))
        if first is own:
            return
        if first_chain is not None or (chain is not None and chain.is_made_in(graph)):
            _aliasing.may_alias(own, first, told, waits=waits)
        else:
            _aliasing.alias_if(own, first, self._truths[side], chain, told, waits=waits)
