"""A loop in the graph: trace its body until the kinds of its variables are stable.

A first round, traced on trial, teaches which names change and which storages of outside are written to.
Both are the state of the loop, a storage once however many arrays share it.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport._tensorflow_private import is_unbound
from pipeport.arrays import _aliasing, _lines, _sharing, _strides
from pipeport.arrays._making import fresh
from pipeport.errors import PortRefused, explain
from pipeport.porting._values import is_array, is_symbolic_list, tensor_of
from pipeport.porting.control._branches import RaisedError
from pipeport.porting.control._join import (
    Kind,
    Made,
    Perhaps,
    is_result,
    joined,
    kind_of,
    mapped,
    readable,
    same,
)
from pipeport.porting.control._parts import is_outside, part, storage_to_write
from pipeport.porting.control._symbolic_list import Form, grown, rows_of
from pipeport.porting.control._truth import condition
from pipeport.porting.optimise._facts import facts_of
from pipeport.porting.optimise._fold import FoldedGraph
from pipeport.porting.optimise._loops import Parts
from pipeport.porting.optimise._ranges import Fact
from pipeport.porting.optimise._ranges import array as whole

_ROUNDS = 8
# Rounds that no loop comes to.
_ENDLESS = 2**62
# Sizes that tracing does not know may be as large.
_UNKNOWN = 2**30
_WHERE = "before and after a round of a run-time loop"


class _Near:
    """The memory that names of a loop may share, with each other and with outer storages, and its order."""

    def __init__(self) -> None:
        self._unordered: set[int] = set()
        self._outer: dict[int, set[Any]] = {}
        self._pairs: set[tuple[int, int]] = set()

    def learn(self, values: dict[int, Any], own: dict[int, Any], outside: Callable[[Any], bool]) -> bool:
        """Take in what values share after a round.

        `values`: what names stand for, by number. `own`: the storages that stood for names at the beginning
        of the round, by number. `outside`: says whether a storage is of outside of the loop. Returns: whether
        any of it is new.
        """
        size = self._size()
        inner: dict[int, int] = {}
        numbers = {id(storage): at for at, storage in own.items()}
        for at, value in values.items():
            storage = storage_to_write(value)
            if storage is not None and not _strides.is_plain(value):
                self._unordered.add(at)
            for one in [] if storage is None else _living(storage):
                if id(one) in numbers:
                    self._pair(at, numbers[id(one)])
                elif outside(one):
                    self._outer.setdefault(at, set()).add(one)
                else:
                    self._pair(at, inner.setdefault(id(one), at))
        return self._size() != size

    def _size(self) -> int:
        return len(self._pairs) + len(self._unordered) + sum(map(len, self._outer.values()))

    def _pair(self, one: int, other: int) -> None:
        if one != other:
            self._pairs.add((min(one, other), max(one, other)))

    def may_alias(self, held: dict[int, Any], names: dict[int, str]) -> None:
        """Note that arrays of the loop's names may share memory, and which order it may have.

        `held`: the arrays, by number. `names`: their names.
        """
        for at in self._unordered.intersection(held):
            if (own := storage_to_write(held[at])) is not None:
                own.order = _strides.UNKNOWN
        if not self._pairs and not self._outer:
            return
        results = {at for at in held if is_result(names[at])}
        groups = self._groups(held, results)
        line = _lines.here()
        for at, array in held.items():
            own = storage_to_write(array)
            if own is None:
                continue
            told = f"`{readable(names[at])}`, handed on by a loop in {line}"
            for other in groups[at]:
                theirs, waits = storage_to_write(held[other]), not results.isdisjoint((at, other))
                if other > at and theirs is not None:
                    _aliasing.may_alias(own, theirs, told, waits=waits)
                for storage in self._outer.get(other, ()):
                    if _aliasing.matters(storage):
                        _aliasing.may_alias(own, storage, told, waits=waits)

    def _groups(self, held: dict[int, Any], results: set[int]) -> dict[int, set[int]]:
        """Return the numbers of the names that may share with each name over any number of rounds.

        `held`: the arrays, by number. `results`: those of the function's result, which no further round
        follows.
        """
        groups = {at: {at} for at in held}
        outer = list(self._outer.items())
        common = {(one, other) for one, a in outer for other, b in outer if one < other and a & b}
        pairs = [pair for pair in self._pairs | common if groups.keys() >= {*pair}]
        for one, other in pairs:
            if results.isdisjoint((one, other)) and groups[one] is not groups[other]:
                union = groups[one] | groups[other]
                for at in union:
                    groups[at] = union
        groups = {at: set(group) for at, group in groups.items()}
        for at, near in [*pairs, *(pair[::-1] for pair in pairs)]:
            if at in results:
                groups[at] |= groups[near]
                for other in groups[near]:
                    groups[other] = groups[other] | {at}
        return groups


def _living(storage: Any) -> list[Any]:
    return [storage, *(one for one in _aliasing.reached(storage)[1:] if one.arrays())]


class _Start:
    """The state at the start of a round; of arrays only their kind, so that nothing else holds them."""

    def __init__(self, values: dict[int, Any]) -> None:
        self._values = {at: _Known(value) for at, value in values.items()}

    def kind(self, at: int) -> Any:
        """Return a representative of the kind of a value."""
        return self._values[at].kind

    def is_still(self, at: int, value: Any) -> bool:
        """Say whether a name still has its old value."""
        return self._values[at].is_still(value)


class _Known:
    def __init__(self, value: Any) -> None:
        kind = kind_of(value) if is_array(value) and not _is_lost(value) else None
        self.kind = value if kind is None else Made(0, kind)
        held = storage_to_write(value) is not None
        self._ref = weakref.ref(value) if held else None
        self._value = None if held else value

    def is_still(self, value: Any) -> bool:
        return self._ref() is value if self._ref is not None else same(self._value, value)


def _is_lost(array: Any) -> bool:
    storage = _sharing.storage_of(array)
    return storage is not None and storage.lost is not None


class _OtherKindsError(Exception):
    """A round gives what it changes another dtype or shape, or changes more than the rounds before."""


class _ListGrowsError(Exception):
    """A list grows in a round, which did not where less was known only at run time.

    `growing`: as `_Loop.try_round` gives it.
    """

    def __init__(self, growing: dict[int, tuple[Form, int]]) -> None:
        super().__init__()
        self.growing = growing


def _growing(before: tuple[Any, ...], after: tuple[Any, ...]) -> dict[int, tuple[Form, int]]:
    """Return which lists of a state a round made longer, what their elements are, and how many are new."""
    found: dict[int, tuple[Form, int]] = {}
    for at, (old, new) in enumerate(zip(before, after, strict=True)):
        form = grown(old, [old, new])
        if form is not None:
            found[at] = form, -1 if is_symbolic_list(new) else len(new) - len(old)
    return found


class _Leaf(int):
    """The number of a value in the state of a loop, which is not a value itself."""


class _Loop:
    """One loop while it is traced.

    `names`: what the state is of. `get`, `put`: give and take the state. `numbers`: those that a round may
    have.
    """

    def __init__(
        self, names: tuple[str, ...], get: Callable[[], Any], put: Callable[[Any], None], numbers: range
    ) -> None:
        self._names, self._get, self._put = names, get, put
        self._numbers = numbers
        self._near = _Near()
        self._leaves: list[Any] = []
        self._of: dict[int, str] = {}
        # What changes, by number, and the storages of outside that are written to.
        self._kinds: dict[int, Kind] = {}
        self._written: dict[Any, None] = {}
        # What may be an array from outside of the function, by number.
        self._outside: set[int] = set()
        self._shape = tuple(
            mapped(self._collect, name, value) for name, value in zip(names, get(), strict=True)
        )

    def _collect(self, name: str, value: Any) -> int:
        number = _Leaf(len(self._leaves))
        self._leaves.append(value)
        self._of[number] = name
        return number

    def _flat(self, values: Any) -> dict[int, Any]:
        found: dict[int, Any] = {}

        def leaf(name: str, at: Any, value: Any) -> None:  # noqa: ARG001 - as `mapped` calls it
            if isinstance(at, int):  # and no empty container, which has no leaves
                found[at] = value

        for name, row, value in zip(self._names, self._shape, values, strict=True):
            mapped(leaf, name, row, value, where=_WHERE)
        return found

    def _state(self, held: dict[int, Any]) -> tuple[Any, ...]:
        return tuple(mapped(lambda _, at: held.get(at, self._leaves[at]), "", row) for row in self._shape)

    def _learn(self, before: _Start, after: dict[int, Any]) -> bool:
        """Note the kinds of what a round changed, and say whether any is new."""
        known = len(self._outside)
        self._outside |= {at for at, value in after.items() if is_outside(value)}
        changed = len(self._outside) > known
        for at, value in after.items():
            if not before.is_still(at, value):
                new = joined(readable(self._of[at]), before.kind(at), value, _WHERE)
                changed = changed or self._kinds.get(at) != new
                self._kinds[at] = new
        return changed

    def _changed(self, after: dict[int, Any]) -> dict[int, Any]:
        return {at: after[at] for at in self._kinds}

    def try_round(self, body: Callable[[Any], Any]) -> dict[int, tuple[Form, int]]:
        """Trace one round to learn what it changes.

        Returns: lists that grow, by the number of their name: what their elements are, and how many are new.
        """
        growing: dict[int, tuple[Form, int]] = {}
        before = _Start(dict(enumerate(self._leaves)))
        starts = [self._get()]

        def traced(number: Any) -> Any:
            graph = self._begun(number, self._numbers)
            self._put(self._state({}))
            try:
                with part() as now, seeds.keyed(number):
                    body(number)
                    growing.update(_growing(starts[0], self._get()))
                    if growing:
                        return number
                    after = self._flat(self._get())
                    self._written.update(dict.fromkeys(one for one in now.before if _aliasing.matters(one)))
                    self._learn(before, after)
                    self._near.learn(self._changed(after), {}, lambda one: one.graph is not graph)
            finally:
                self._put(starts.pop())
            return number

        tf.function(traced, autograph=False).get_concrete_function(tf.TensorSpec([], tf.int64))
        return growing

    def _let_go(self) -> None:
        """Release old values of the names that change; later writes to them are not visible."""
        self._outside |= {at for at in self._kinds if is_outside(self._leaves[at])}
        for at in self._kinds:
            if storage_to_write(self._leaves[at]) is not None:
                self._near.learn({at: self._leaves[at]}, {}, lambda _: True)
                self._leaves[at] = fresh(tensor_of(self._leaves[at]))

    def _begun(self, number: Any, numbers: range) -> Any:
        """Return the graph of a part that is being traced, of which the numbers of its round are noted."""
        graph = tf.compat.v1.get_default_graph()
        facts_of(graph).assume({number.ref(): Fact(whole(numbers.start), whole(numbers.stop - 1))})
        return graph

    def run(self, test: Callable[[Any], Any], body: Callable[[Any], Any]) -> None:
        """Build the loop; state and storages are left as they are after it.

        Raises
        ------
        PortRefused
            What it changes gets another dtype or shape with every round.
        """
        for _ in range(_ROUNDS):
            self._let_go()
            try:
                self._build(test, body)
                return
            except _OtherKindsError:
                pass
        advice = "Give the names it changes their dtype and shape before the loop."
        raise PortRefused(
            explain("loop", "dtypes or shapes that change with every round", "steady ones", advice)
        )

    def _build(self, test: Callable[[Any], Any], body: Callable[[Any], Any]) -> None:
        order = sorted(self._kinds)
        kinds = [self._kinds[at] for at in order]
        storages = [one for one in self._written if _aliasing.matters(one)]
        rounds = self._numbers.stop - self._numbers.start
        parts = Parts(line=_lines.here(), rounds=rounds if rounds < _UNKNOWN else None)

        def begin(tensors: Any) -> dict[int, Any]:
            for storage, tensor in zip(storages, tensors[len(order) :], strict=True):
                tensor.set_shape(storage.tensor.shape)
                storage.enter(tensor)
            held = {at: self._kinds[at].array(one) for at, one in zip(order, tensors, strict=False)}
            self._near.may_alias(held, self._of)
            for at in self._outside.intersection(held):
                _sharing.lend(held[at])
            return held

        def go_on(number: Any, *tensors: Any) -> Any:
            parts.first = self._begun(number, range(self._numbers.start, self._numbers.stop + 1))
            with part(), seeds.keyed(number):
                self._put(self._state(begin(tensors)))
                return FoldedGraph(parts.first, [condition(test(number))]).outputs[0]

        def round_(number: Any, *tensors: Any) -> Any:
            parts.second = self._begun(number, self._numbers)
            with part() as now, seeds.keyed(number):
                held = begin(tensors)
                before = self._state(held)
                known = _Start(self._flat(before))
                own = {at: one for at in order if (one := storage_to_write(held[at])) is not None}
                self._put(before)
                lists = tuple(list(one) if type(one) is list else None for one in before)
                del before, held
                body(number)
                if growing := _growing(lists, self._get()):
                    raise _ListGrowsError(growing)
                after = self._flat(self._get())
                new = [one for one in now.before if one not in storages and _aliasing.matters(one)]
                self._written.update(dict.fromkeys(new))
                again = self._learn(known, after)
                shares = self._near.learn(
                    self._changed(after), own, lambda one: one.graph is not parts.second
                )
                if again or shares or new:
                    raise _OtherKindsError
                fitted = [kind.fit(after[at]) for at, kind in zip(order, kinds, strict=True)]
                fitted = [
                    # XLA has no check of the shape of a list.
                    one if one.dtype == tf.variant else tf.ensure_shape(one, kind.shape)
                    for one, kind in zip(fitted, kinds, strict=True)
                ]
                return FoldedGraph(
                    parts.second, [number + 1, *fitted, *(one.tensor for one in storages)]
                ).outputs

        initial = [tf.identity(kind.fit(self._leaves[at])) for at, kind in zip(order, kinds, strict=True)]
        initial += [tf.identity(one.tensor) for one in storages]
        shapes = [
            tf.TensorShape([]),
            *(kind.shape for kind in kinds),
            *(one.tensor.shape for one in storages),
        ]
        number = tf.constant(self._numbers.start, tf.int64)
        found = tf.while_loop(go_on, round_, [number, *initial], shape_invariants=shapes)
        parts.note(found)
        self._put(self._state(begin(found[1:])))


def loop(
    first: int,
    test: Callable[[Any], Any],
    body: Callable[[Any], Any],
    get_state: Callable[[], Any],
    set_state: Callable[[Any], None],
    names: tuple[str, ...],
    count: Any = None,
    *,
    whole: bool = False,
    grows: bool = True,
) -> None:
    """Run a loop in the graph.

    `first`: the number of its first round. `test`: says whether there is a round of a number. `body`: does
    what the round of a number does. `get_state`, `set_state`: give and take what the names stand for.
    `names`: the names. `count`: how many rounds there are at most, where that is known before. `whole`:
    whether each of them is run. `grows`: whether lists may grow in it. Raises PortRefused: what it changes
    has no steady kind, or a list grows that may not.
    """
    numbers = range(first, first + _at_most(count))
    start = zip(names, get_state(), strict=True)  # there may be no round
    set_state(tuple(Perhaps(name, False, one) if is_unbound(one) else one for name, one in start))
    made = _Loop(names, get_state, set_state, numbers)
    try:
        growing = made.try_round(body)
    except RaisedError as error:  # it may have no round
        raise PortRefused(str(error)) from None
    while True:
        if growing and not grows:
            raise PortRefused(
                explain("list", "one that grows in a loop", "steady ones", "Leave the loop as it is.")
            )
        if growing:
            state = list(get_state())
            for at, (form, new) in growing.items():
                length = len(state[at]) + count * new if whole and new >= 0 else None
                state[at] = rows_of(state[at], form, length)
            set_state(tuple(state))
            made = _Loop(names, get_state, set_state, numbers)
            made.try_round(body)
        before = get_state()
        try:
            made.run(test, body)
        except _ListGrowsError as error:
            set_state(before)
            growing = error.growing
        else:
            return


def _at_most(count: Any) -> int:
    """Return a number that a count of the graph does not exceed."""
    if count is None:
        return _ENDLESS
    high = tf.get_static_value(count)
    if high is None and not tf.executing_eagerly():
        fact = facts_of(count.graph).of(count)
        high = None if fact is None else fact.high
    return _ENDLESS if high is None else max(1, min(_ENDLESS, int(high)))
