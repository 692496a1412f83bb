"""Control flow on values that only the graph knows; AutoGraph has taken the statements apart.

An `if` becomes `tf.cond`, each branch traced once; a loop `tf.while_loop`, its body traced until the dtypes
of what it changes stand. Where a condition is known the statement runs as Python's.
"""

from __future__ import annotations

import contextlib
import contextvars
import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.arrays import _access, _sharing
from pipeport.arrays._cast import cast
from pipeport.arrays._making import fresh
from pipeport.errors import PortRefused, WrongType, explain
from pipeport.porting._facts import assumptions, facts_of
from pipeport.porting._join import Kind, Made, joined, kind_of, mapped, same
from pipeport.porting._loops import Parts
from pipeport.porting._ranges import Fact
from pipeport.porting._settled import Settled
from pipeport.porting._steps import Steps
from pipeport.porting._stretches import emitted
from pipeport.porting._traced import traced
from pipeport.porting._values import as_array, is_array, is_drawn, is_tensor, python_number, weak
from pipeport.seeds._ambient import in_part

_UNROLLED = 8
_ROUNDS = 8
_IN_BRANCHES, _IN_LOOP = "in two branches of a drawn condition", "before and after a round of a drawn loop"

# What was written to inside the branch or loop that is being traced: array and its values before.
_log: contextvars.ContextVar[list[tuple[Any, Any]] | None] = contextvars.ContextVar(
    "pipeport_writes", default=None
)
_depth: contextvars.ContextVar[int] = contextvars.ContextVar("pipeport_depth", default=0)


def depth() -> int:
    """Return in how many drawn branches and loops the code stands that is being traced."""
    return _depth.get()


# Truth.


def condition(value: Any) -> Any:
    """Return the truth of a value as a scalar tensor of bool."""
    array = as_array(value)
    if array is None:
        raise WrongType(explain("condition", type(value).__name__, "a number", "Compare it with something."))
    tensor = array._values
    if tensor.shape.rank != 0:
        if tensor.shape.num_elements() != 1:
            advice = "Use x.any() or x.all()."
            raise WrongType(explain("condition", f"an array of shape {tensor.shape}", "one truth", advice))
        tensor = tf.reshape(tensor, [])
    return cast(tensor, np.dtype("bool"))


def negated(value: Any) -> Any:
    """Return `not value`."""
    value = _known(value)
    return weak(tf.logical_not(condition(value))) if is_drawn(value) else not value


def either(one: Any, other: Any) -> Any:
    """Return `one or other` of truths."""
    return or_(lambda: one, lambda: other)


def both(one: Any, other: Any) -> Any:
    """Return `one and other` of truths."""
    return and_(lambda: one, lambda: other)


def _known(value: Any) -> Any:
    """Return a number in place of an array whose value is known."""
    if is_tensor(value) and value.dtype != tf.string:
        value = as_array(value)
    return python_number(value)


def and_(one: Callable[[], Any], other: Callable[[], Any]) -> Any:
    """Return `one() and other()`."""
    return _both(one, other, chosen_first=False)


def or_(one: Callable[[], Any], other: Callable[[], Any]) -> Any:
    """Return `one() or other()`."""
    return _both(one, other, chosen_first=True)


def _both(one: Callable[[], Any], other: Callable[[], Any], *, chosen_first: bool) -> Any:
    left = _known(one())
    if not is_drawn(left):
        return left if bool(left) is chosen_first else other()
    right = _known(other())
    truths = [kind_of(side) for side in (left, right)]
    if all(kind is not None and kind.dtype is not None and kind.dtype.kind == "b" for kind in truths):
        join = tf.logical_or if chosen_first else tf.logical_and
        return weak(join(condition(left), condition(right)))
    sides = (left, right) if chosen_first else (right, left)
    return _chosen(condition(left), sides[0], sides[1], "and" if not chosen_first else "or")


def _chosen(test: Any, one: Any, other: Any, name: str) -> Any:
    """Choose between two values that are both computed."""

    def leaf(named: str, left: Any, right: Any) -> Any:
        if same(left, right):
            return left
        kind = joined(named, left, right, _IN_BRANCHES)
        sides = [kind.fit(side) for side in (left, right)]
        return kind.array(tf.cond(test, lambda: tf.identity(sides[0]), lambda: tf.identity(sides[1])))

    return mapped(leaf, name, one, other, where=_IN_BRANCHES)


# Writes inside a part of the graph.


def rewritten(array: Any, tensor: Any) -> Any:
    """Return the array that an array of outside becomes by a write inside a branch or a loop.

    The array itself, and what shares its memory, must not be used there any more, nor afterwards: they
    would not show what was written. The name it went by stands for the new array.
    """
    track = _sharing.track_of(array)
    for one in [array, *([] if track is None else track.memory.others(array))]:
        _lose(one)
    return fresh(tensor)


def _lose(array: Any) -> None:
    if "_values" not in array.__dict__:
        return
    log = _log.get()
    if log is not None:
        log.append((array, array.__dict__["_values"]))
    _access._lose(array, "part")


@contextlib.contextmanager
def _part() -> Iterator[list[tuple[Any, Any]]]:
    """Trace a branch or a body: writes to arrays of outside are noted, and taken back at its end."""
    log: list[tuple[Any, Any]] = []
    tokens = _log.set(log), _depth.set(_depth.get() + 1)
    try:
        with in_part():
            yield log
    finally:
        _log.reset(tokens[0])
        _depth.reset(tokens[1])
        for array, values in reversed(log):
            array.__dict__.pop("_lost", None)
            _access._set(array, values)


# Branches.


class _Branch:
    """One branch, traced as a function of its own.

    Attributes
    ----------
    values : tuple
        The state after it; a number in the place of each tensor made in it.
    lost : list
        Arrays of outside that it wrote to.
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
        self.lost: list[Any] = []

        def run_apart() -> Any:
            graph = tf.compat.v1.get_default_graph()
            facts_of(graph).assume(assumed)
            outputs: list[Any] = []

            def leaf(name: str, value: Any) -> Any:  # noqa: ARG001
                tensor = value.__dict__.get("_values") if is_array(value) else value
                if not is_tensor(tensor) or getattr(tensor, "graph", None) is not graph:
                    return value
                kind = kind_of(value)
                if kind is None:
                    return value
                outputs.append(tensor)
                return Made(len(outputs) - 1, kind)

            put(start)
            try:
                with _part() as log:
                    run()
                    self.values = tuple(mapped(leaf, "", one) for one in get())
                    self.lost = [array for array, _ in log]
            finally:
                put(start)
            return outputs

        self.traced = traced(run_apart)


def if_stmt(
    test: Any,
    body: Callable[[], Any],
    orelse: Callable[[], Any],
    get_state: Callable[[], Any],
    set_state: Callable[[Any], None],
    symbol_names: Any,
    nouts: int,  # noqa: ARG001 - what AutoGraph gives
) -> None:
    """Do what an `if` does."""
    test = _known(test)
    if not is_drawn(test):
        body() if test else orelse()
        return
    start = get_state()
    truth = condition(test)
    branches = [
        _Branch(run, get_state, set_state, start, assumptions(truth, holds=holds))
        for run, holds in ((body, True), (orelse, False))
    ]
    set_state(_merged(truth, branches, tuple(symbol_names)))
    for branch in branches:
        for array in branch.lost:
            _lose(array)


def _merged(truth: Any, branches: list[_Branch], names: tuple[str, ...]) -> tuple[Any, ...]:
    kinds: list[Kind] = []
    sources: list[tuple[Any, Any]] = []

    def leaf(name: str, one: Any, other: Any) -> Any:
        if same(one, other):
            return one
        if _unbound(one) or _unbound(other):
            return one if _unbound(one) else other
        kind = joined(_readable(name), one, other, _IN_BRANCHES)
        if isinstance(one, bool) and isinstance(other, bool):
            return kind.array(truth if one else tf.logical_not(truth))
        kinds.append(kind)
        sources.append((one, other))
        return Made(len(kinds) - 1, kinds[-1])

    rows = [
        mapped(leaf, name, one, other, where=_IN_BRANCHES)
        for name, one, other in zip(names, branches[0].values, branches[1].values, strict=True)
    ]

    def outputs(side: int) -> Callable[[], Any]:
        def compute() -> Any:
            setattr(parts, ("first", "second")[side], tf.compat.v1.get_default_graph())
            made = emitted(branches[side].traced, ends=False)
            return [
                tf.identity(kind.fit(_taken(pair[side], made)))
                for kind, pair in zip(kinds, sources, strict=True)
            ]

        return compute

    parts = Parts()
    found = tf.cond(truth, outputs(0), outputs(1))
    found = list(found) if isinstance(found, (list, tuple)) else [] if found is None else [found]
    parts.note(found)

    def result(name: str, value: Any) -> Any:  # noqa: ARG001
        if not isinstance(value, Made):
            return value
        tensor = found[value.number]
        tensor.set_shape(kinds[value.number].shape)
        return kinds[value.number].array(tensor)

    return tuple(mapped(result, name, row) for name, row in zip(names, rows, strict=True))


def _taken(value: Any, made: Any) -> Any:
    return value.kind.array(made[value.number]) if isinstance(value, Made) else value


def _unbound(value: Any) -> bool:
    return type(value).__name__ == "Undefined"


def _readable(name: str) -> str:
    return {"retval_": "the result of `return`"}.get(name, name)


def if_exp(test: Any, body: Callable[[], Any], orelse: Callable[[], Any], text: str) -> Any:  # noqa: ARG001
    """Return `body() if test else orelse()`."""
    box: list[Any] = [None]

    def put(state: Any) -> None:
        box[0] = state[0]

    def run(side: Callable[[], Any]) -> Callable[[], None]:
        def compute() -> None:
            box[0] = side()

        return compute

    if_stmt(
        test, run(body), run(orelse), lambda: (box[0],), put, ("the value of a conditional expression",), 1
    )
    return box[0]


# Loops.


def while_stmt(
    test: Callable[[], Any],
    body: Callable[[], Any],
    get_state: Callable[[], Any],
    set_state: Callable[[Any], None],
    symbol_names: Any,
    opts: Any,  # noqa: ARG001 - what AutoGraph gives
) -> None:
    """Do what a `while` does."""
    number = 0
    while True:
        with seeds.keyed(number):
            found = _known(test())
        if is_drawn(found):
            _loop(number, lambda _: test(), lambda _: body(), get_state, set_state, tuple(symbol_names))
            return
        if not found:
            return
        with seeds.keyed(number):
            body()
        number += 1


def for_stmt(
    values: Any,
    extra_test: Callable[[], Any] | None,
    body: Callable[[Any], Any],
    get_state: Callable[[], Any],
    set_state: Callable[[Any], None],
    symbol_names: Any,
    opts: Any,  # noqa: ARG001 - what AutoGraph gives
) -> None:
    """Do what a `for` does."""
    names = tuple(symbol_names)
    if isinstance(values, Steps):
        _for_drawn(0, values, extra_test, body, get_state, set_state, names)
        return
    for number, value in enumerate(values):
        if extra_test is not None:
            with seeds.keyed(number):
                go_on = _known(extra_test())
            if is_drawn(go_on):
                if isinstance(values, range) and len(values) - number > _UNROLLED:
                    rest = values[number:]
                    steps = Steps(tf.constant(len(rest), tf.int64), _of_range(rest))
                    _for_drawn(number, steps, extra_test, body, get_state, set_state, names)
                    return
                with seeds.keyed(number):
                    if_stmt(
                        go_on,
                        functools.partial(body, value),
                        lambda: None,
                        get_state,
                        set_state,
                        names,
                        len(names),
                    )
                continue
            if not go_on:
                return
        with seeds.keyed(number):
            body(value)


def _of_range(rest: range) -> Callable[[Any], Any]:
    return lambda number: weak(rest.start + number * rest.step)


def _for_drawn(
    first: int,
    steps: Steps,
    extra_test: Callable[[], Any] | None,
    body: Callable[[Any], Any],
    get_state: Callable[[], Any],
    set_state: Callable[[Any], None],
    names: tuple[str, ...],
) -> None:
    def test(number: Any) -> Any:
        more = weak(number - first < steps.count)
        return more if extra_test is None else and_(lambda: more, extra_test)

    _loop(first, test, lambda number: body(steps.at(number - first)), get_state, set_state, names)


def _loop(
    first: int,
    test: Callable[[Any], Any],
    body: Callable[[Any], Any],
    get_state: Callable[[], Any],
    set_state: Callable[[Any], None],
    names: tuple[str, ...],
) -> None:
    """Run a loop in the graph, from the round `first` on."""
    start = get_state()
    kinds: dict[int, Kind] = {}
    leaves: list[Any] = []

    def collect(name: str, value: Any) -> Any:  # noqa: ARG001
        leaves.append(value)
        return len(leaves) - 1

    shape = tuple(mapped(collect, name, value) for name, value in zip(names, start, strict=True))
    learn = functools.partial(_learned, names, shape, kinds)
    _one_round(shape, leaves, body, get_state, set_state, start, learn)
    order: list[int] = []

    def state(tensors: Any) -> Any:
        held = {at: kinds[at].array(tensor) for at, tensor in zip(order, tensors, strict=True)}
        return tuple(mapped(lambda _, at: held.get(at, leaves[at]), "", row) for row in shape)

    lost: list[Any] = []
    parts = Parts()

    def go_on(number: Any, *tensors: Any) -> Any:
        parts.first = tf.compat.v1.get_default_graph()
        with _part(), seeds.keyed(number):
            set_state(state(tensors))
            return Settled(parts.first, [condition(test(number))]).outputs[0]

    def round_(number: Any, *tensors: Any) -> Any:
        parts.second = tf.compat.v1.get_default_graph()
        with _part() as log, seeds.keyed(number):
            before = state(tensors)
            known = _Before(_flat(before, shape, names))
            set_state(before)
            body(number)
            values, gone = get_state(), [array for array, _ in log]
            if learn(known, values, gone):
                raise _OtherKindsError
            after = _flat(values, shape, names)
            lost.extend(gone)
            lost.extend(_written(before, shape, leaves, order, tensors))
            fitted = [tf.ensure_shape(kinds[at].fit(after[at]), kinds[at].shape) for at in order]
            return Settled(parts.second, [number + 1, *fitted]).outputs

    counter = tf.constant(first, tf.int64)
    for _ in range(_ROUNDS):
        order[:] = sorted(kinds)
        lost.clear()
        initial = [tf.identity(kinds[at].fit(leaves[at])) for at in order]
        shapes = [tf.TensorShape([]), *[kinds[at].shape for at in order]]
        try:
            found = tf.while_loop(go_on, round_, [counter, *initial], shape_invariants=shapes)
            break
        except _OtherKindsError:
            set_state(start)
    else:
        advice = "Give the names it changes their dtype and shape before the loop."
        raise PortRefused(
            explain("loop", "dtypes or shapes that change with every round", "steady ones", advice)
        )
    parts.note(found)
    set_state(state(found[1:]))
    for array in lost:
        _lose(array)


def _flat(values: Any, shape: Any, names: tuple[str, ...]) -> dict[int, Any]:
    found: dict[int, Any] = {}

    def leaf(name: str, at: Any, value: Any) -> Any:  # noqa: ARG001
        found[at] = value

    for name, row, value in zip(names, shape, values, strict=True):
        mapped(leaf, name, row, value, where=_IN_LOOP)
    return found


def _written(before: Any, shape: Any, leaves: list[Any], order: list[int], tensors: Any) -> list[Any]:
    """Return the arrays of outside whose stand-ins in the body were written to."""
    held = _flat(before, shape, ("",) * len(shape))
    given = dict(zip(order, tensors, strict=True))
    return [
        leaves[at]
        for at in order
        if is_array(leaves[at]) and is_array(held[at]) and held[at].__dict__.get("_values") is not given[at]
    ]


class _Before:
    """What a round begins with, and of arrays the kind, which a write takes from them."""

    def __init__(self, values: dict[int, Any]) -> None:
        self.values = values
        self.kinds = {at: _kind_or_value(value) for at, value in values.items()}


def _kind_or_value(value: Any) -> Any:
    kind = kind_of(value) if is_array(value) and "_values" in value.__dict__ else None
    return value if kind is None else Made(0, kind)


class _OtherKindsError(Exception):
    """A round gives what it changes another dtype or shape than it had before."""


def _one_round(
    shape: Any,
    leaves: list[Any],
    body: Callable[[Any], Any],
    get_state: Callable[[], Any],
    set_state: Callable[[Any], None],
    start: Any,
    learn: Callable[[_Before, Any, list[Any]], bool],
) -> None:
    """Trace one round to learn what it changes."""
    before = _Before(dict(enumerate(leaves)))

    def traced(number: Any) -> Any:
        set_state(tuple(mapped(lambda _, at: leaves[at], "", row) for row in shape))
        try:
            with _part() as log, seeds.keyed(number):
                body(number)
                values, gone = get_state(), [array for array, _ in log]
        finally:
            set_state(start)
        learn(before, values, gone)
        return number

    tf.function(traced, autograph=False).get_concrete_function(tf.TensorSpec([], tf.int64))


def _learned(
    names: tuple[str, ...],
    shape: Any,
    kinds: dict[int, Kind],
    before: _Before,
    values: Any,
    gone: list[Any],
) -> bool:
    """Note the kinds of what a round changed, and say whether any is new."""
    after: dict[int, tuple[str, Any]] = {}

    def leaf(name: str, at: Any, value: Any) -> None:
        after[at] = name, value

    for name, row, value in zip(names, shape, values, strict=True):
        mapped(leaf, name, row, value, where=_IN_LOOP)
    changed = False
    for at, (name, value) in after.items():
        if same(before.values[at], value) and not any(value is one for one in gone):
            continue
        new = joined(_readable(name), before.kinds[at], value, _IN_LOOP)
        if kinds.get(at) != new:
            kinds[at] = new
            changed = True
    return changed


def loaded(value: Any) -> Any:
    """Return the value of a name, which must have one."""
    if _unbound(value):
        name = getattr(value, "symbol_name", "a name")
        advice = "Give it a value before the condition or the loop."
        raise PortRefused(
            explain("name", f"`{name}`, which has a value on one way alone", "a value on all", advice)
        )
    return value


def called(function: Callable[..., Any], args: Any, kwargs: Any, scope: Any = None) -> Any:  # noqa: ARG001
    """Call what AutoGraph would convert; calls of the user's stand in `Runtime.call` already."""
    return function(*args, **(kwargs or {}))


_OURS: dict[str, Any] = {
    "if_stmt": if_stmt, "if_exp": if_exp, "while_stmt": while_stmt, "for_stmt": for_stmt, "and_": and_,
    "or_": or_, "not_": negated, "ld": loaded, "converted_call": called,
}  # fmt: skip


class Operators:
    """Stands for AutoGraph's operators in a converted function.

    Parameters
    ----------
    originals : module
        AutoGraph's own, for what is not ours.
    """

    def __init__(self, originals: Any) -> None:
        self.__dict__.update(_OURS)
        self._originals = originals

    def __getattr__(self, name: str) -> Any:
        return getattr(self._originals, name)
