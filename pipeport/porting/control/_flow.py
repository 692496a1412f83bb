"""Control flow on values known only at run time; AutoGraph has taken the statements apart.

An `if` becomes `tf.cond`, each branch traced once; a loop `tf.while_loop`, its body traced until the dtypes
of what it changes stand. Where a condition is known the statement runs as Python's.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport._tensorflow_private import is_unbound
from pipeport.arrays import _aliasing, _lines
from pipeport.errors import PortRefused, explain
from pipeport.porting._values import (
    as_array,
    holds_array,
    is_array,
    is_symbolic,
    is_symbolic_list,
    is_tensor,
    is_text,
    plain_number,
    python_number,
    weak,
)
from pipeport.porting.control import _branches
from pipeport.porting.control._choice import is_choice
from pipeport.porting.control._join import IN_BRANCHES, Perhaps, joined, kind_of, mapped, same
from pipeport.porting.control._loop import loop
from pipeport.porting.control._symbolic_list import appended, grown, rows_of
from pipeport.porting.control._symbolic_range import Once, Rounds, SymbolicRange, places
from pipeport.porting.control._truth import condition
from pipeport.porting.optimise._facts import assumptions
from pipeport.seeds._ambient import keys_of_here, taker_back

_UNROLLED = 8
# Of a loop whose count is known two rounds are traced, to learn how many operations all would be. With more
# than these it becomes a loop of the graph: windows over (32, 60, 6) take 3 s to the first element, with
# 2,000 operations 27 s, all traced 106 s. With 500, loops over the rows of an array run ten times slower.
_SAMPLE = 2
_NODES = 1000


class _Rounds(threading.local):
    """Rounds of loops that ran while tracing, in this thread."""

    count = 0


_rounds = _Rounds()


# Truth.


def _has_truth(value: Any) -> bool:
    """Say whether a value known only at run time is not a number."""
    return is_text(value) or is_choice(value)


def negated(value: Any) -> Any:
    """Return `not value`."""
    value = _known(value)
    return weak(tf.logical_not(condition(value))) if is_symbolic(value) else not value


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
    if is_text(value):
        return value.truth()
    if is_choice(value):
        return python_number(value.truth())
    if is_symbolic_list(value):
        return weak(value.count > 0)
    return python_number(value)


def and_(one: Callable[[], Any], other: Callable[[], Any]) -> Any:
    """Return `one() and other()`."""
    return _both(one, other, chosen_first=False)


def or_(one: Callable[[], Any], other: Callable[[], Any]) -> Any:
    """Return `one() or other()`."""
    return _both(one, other, chosen_first=True)


def _both(one: Callable[[], Any], other: Callable[[], Any], *, chosen_first: bool) -> Any:
    first = one()
    left = _known(first)
    if not is_symbolic(left):
        kept = first if _has_truth(first) else left
        return kept if bool(left) is chosen_first else other()
    second = other()
    right = second if _has_truth(second) else _known(second)
    test, left = condition(left), first if _has_truth(first) else left
    truths = [kind_of(side) for side in (left, right)]
    if all(kind is not None and kind.dtype is not None and kind.dtype.kind == "b" for kind in truths):
        join = tf.logical_or if chosen_first else tf.logical_and
        return weak(join(test, condition(right)))
    sides = (left, right) if chosen_first else (right, left)
    return _chosen(test, sides[0], sides[1], "and" if not chosen_first else "or")


def _chosen(test: Any, one: Any, other: Any, name: str) -> Any:
    """Choose between two values that are both computed."""

    def leaf(named: str, left: Any, right: Any) -> Any:
        if same(left, right):
            return left
        kind = joined(named, left, right, IN_BRANCHES)
        sides = [kind.fit(side) for side in (left, right)]
        return kind.array(tf.cond(test, lambda: tf.identity(sides[0]), lambda: tf.identity(sides[1])))

    return mapped(leaf, name, one, other, where=IN_BRANCHES)


# Statements.


def if_stmt(
    test: Any,
    body: Callable[[], Any],
    orelse: Callable[[], Any],
    get_state: Callable[[], Any],
    set_state: Callable[[Any], None],
    symbol_names: Any,
    nouts: int,
) -> None:
    """Run an `if` statement; the first `nouts` of the names are read after it."""
    test = _known(test)
    if not is_symbolic(test):
        body() if test else orelse()
        return
    start = get_state()
    for one in start:
        if is_symbolic_list(one):
            one.parts  # noqa: B018 - made around the branches
    truth = condition(test)

    def trace(begin: Any, run: Callable[[], Any], *, holds: bool) -> _branches.Branch:
        return _branches.Branch(run, get_state, set_state, begin, assumptions(truth, holds=holds))

    take_back = taker_back()
    branches = []
    for run, other, holds in ((body, orelse, True), (orelse, body, False)):
        try:
            branches.append(trace(start, run, holds=holds))
        except _branches.RaisedError as error:  # then what follows is the other branch
            runs = truth if holds else tf.logical_not(truth)
            _branches.check_raised(error, runs, run, functools.partial(set_state, start))
            take_back()
            other()
            return
    rows = zip(start, branches[0].values, branches[1].values, strict=True)
    forms = [grown(old, [one, other]) for old, one, other in rows]
    if any(form is not None for form in forms):
        take_back()
        both = zip(start, forms, strict=True)
        start = tuple(old if form is None else rows_of(old, form) for old, form in both)
        branches = [trace(start, body, holds=True), trace(start, orelse, holds=False)]
    del start  # what a name stands for no longer need not be kept up
    set_state(_branches.merged(truth, branches, tuple(symbol_names), nouts))


def if_exp(test: Any, body: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
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


def while_stmt(
    test: Callable[[], Any],
    body: Callable[[], Any],
    get_state: Callable[[], Any],
    set_state: Callable[[Any], None],
    symbol_names: Any,
    opts: Any,  # noqa: ARG001 - what AutoGraph gives
) -> None:
    """Run a `while` loop."""
    number = 0
    while True:
        with seeds.keyed(number):
            found = _known(test())
        if is_symbolic(found):
            loop(number, lambda _: test(), lambda _: body(), get_state, set_state, tuple(symbol_names))
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
    """Run a `for` loop."""
    names = tuple(symbol_names)
    if isinstance(values, SymbolicRange):
        _for_symbolic(0, values, extra_test, body, get_state, set_state, names)
        return
    before, known = _cost(), places(values)
    for number, value in enumerate(values):
        _rounds.count += 1
        if number == _SAMPLE and known and (_cost() - before) / _SAMPLE * known[0] > _NODES:
            rest = _rest(known, number)
            if rest is not None and _looped(number, rest, extra_test, body, get_state, set_state, names):
                if isinstance(values, Rounds):
                    values.end()
                return
        if extra_test is not None:
            with seeds.keyed(number):
                go_on = _known(extra_test())
            if is_symbolic(go_on):
                rest = _rest(known, number) if isinstance(values, range) and known else None
                if rest is not None:
                    _for_symbolic(number, rest, extra_test, body, get_state, set_state, names)
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


def _cost() -> float:
    """Return how many operations the graph has, and rounds have run: a hundred take the time of one."""
    if tf.executing_eagerly():
        return 0
    return int(tf.compat.v1.get_default_graph().version) + _rounds.count / 100


def _rest(known: tuple[int, Callable[[Any], Any]], number: int) -> SymbolicRange | None:
    """Return the rounds from a number on, as those of a loop in the graph; None of few."""
    count, at = known
    if count - number <= _UNROLLED:
        return None
    return SymbolicRange(tf.constant(count - number, tf.int64), lambda place: at(place + number))


def _looped(
    first: int,
    steps: SymbolicRange,
    extra_test: Callable[[], Any] | None,
    body: Callable[[Any], Any],
    get_state: Callable[[], Any],
    set_state: Callable[[Any], None],
    names: tuple[str, ...],
) -> bool:
    """Try a loop in the graph in the place of many operations, and say whether all stays known that was."""
    start = get_state()
    known: list[bool] = []

    def compare(_: str, old: Any, new: Any) -> None:
        left, right = kind_of(old), kind_of(new)
        if left is not None and right is not None:
            number = plain_number(old)
            lost = not is_array(number) and is_array(new) and new.weak
            known.append(not lost and (right.shape.is_fully_defined() or not left.shape.is_fully_defined()))

    try:
        _for_symbolic(first, steps, extra_test, body, get_state, set_state, names, grows=False)
        for name, old, new in zip(names, start, get_state(), strict=True):
            mapped(compare, name, old, new, where="a loop")
    except Exception:  # what is wrong in it is wrong in single rounds too, and said there
        known.append(False)
    if not all(known):
        set_state(start)
    return all(known)


def _for_symbolic(
    first: int,
    steps: SymbolicRange,
    extra_test: Callable[[], Any] | None,
    body: Callable[[Any], Any],
    get_state: Callable[[], Any],
    set_state: Callable[[Any], None],
    names: tuple[str, ...],
    *,
    whole: bool = False,
    grows: bool = True,
) -> None:
    def test(number: Any) -> Any:
        more = weak(number - first < steps.count)
        return more if extra_test is None else and_(lambda: more, extra_test)

    loop(
        first,
        test,
        lambda number: body(steps.at(number - first)),
        get_state,
        set_state,
        names,
        steps.count,
        whole=whole,
        grows=grows,
    )


def collected(values: Any, make: Callable[[Any], Any]) -> Any:
    """Return the list of a comprehension.

    `values`: what it iterates over, as `_symbolic_range.rounds` gives it. `make`: gives the elements that
    come of a list of one of these. Returns: a `SymbolicList` where their number is known only at run time.
    """
    if not isinstance(values, SymbolicRange):
        return list(generated(values, make))
    box: list[Any] = [[]]

    def body(value: Any) -> None:
        box[0] = appended(box[0], *make([value]))

    def put(state: Any) -> None:
        box[0] = state[0]

    _for_symbolic(0, values, None, body, lambda: (box[0],), put, ("the list",), whole=True)
    return box[0].ended() if is_symbolic_list(box[0]) else box[0]


def generated(values: Any, make: Callable[[Any], Any]) -> Any:
    """Return an iterator of the elements of a generator expression, see `collected`."""
    if isinstance(values, SymbolicRange):
        found = collected(values, make)
        return Once(found) if is_symbolic_list(found) else Rounds(found)
    here = keys_of_here()  # it may run where other keys hold

    def run() -> Iterator[Any]:
        for number, value in enumerate(values):
            with here(), seeds.keyed(number):
                found = make([value])
            yield from found

    return Rounds(run())


def filtered(values: Any, make: Callable[[Any], Any]) -> Any:
    """Return the list of a comprehension with a condition.

    `values`: what it iterates over, as `_symbolic_range.rounds` gives it. `make`: takes a list of one of
    these; gives pairs of what tests it and what it becomes. Returns: a `SymbolicList` where their number is
    known only at run time.
    """
    box: list[Any] = [[]]

    def put(state: Any) -> None:
        box[0] = state[0]

    def body(value: Any) -> None:
        for test, element in make([value]):

            def append(element: Callable[[], Any] = element) -> None:
                box[0] = appended(box[0], element())

            if_stmt(test(), append, lambda: None, lambda: (box[0],), put, ("the list",), 1)

    for_stmt(values, None, body, lambda: (box[0],), put, ("the list",), {})
    return box[0].ended() if is_symbolic_list(box[0]) else box[0]


def filtered_one_by_one(values: Any, make: Callable[[Any], Any], known: Callable[[Any], Any]) -> Any:
    """Return an iterator of the elements of a generator expression with a condition, see `filtered`.

    `known`: takes a condition; refuses one that is not known, of what has no length.
    """
    is_list = isinstance(values, (list, tuple)) and holds_array(values)
    if is_list or isinstance(values, SymbolicRange) or places(values) is not None:
        found = filtered(values, make)
        return Once(found) if is_symbolic_list(found) else Rounds(found)

    def of_one(value: Any) -> Any:
        return [element() for test, element in make(value) if known(test())]

    return generated(values, of_one)


def loaded(value: Any) -> Any:
    """Return the value of a name, which must have one."""
    if isinstance(value, Perhaps) and not is_unbound(value.value):
        given = f"`{value.symbol_name}` in {_lines.here()}, which has no value"
        advice = "Give it a value before the condition."
        tf.debugging.Assert(condition(value.truth), [explain("name", given, "a value on all ways", advice)])
        return value.value
    if isinstance(value, Perhaps) or is_unbound(value):
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
    "if_stmt": if_stmt, "while_stmt": while_stmt, "for_stmt": for_stmt, "and_": and_,
    "or_": or_, "not_": negated, "ld": loaded, "converted_call": called,
}  # fmt: skip


class Operators:
    """Stands for AutoGraph's operators in a converted function.

    `originals`: AutoGraph's own, for what is not ours.
    """

    def __init__(self, originals: Any) -> None:
        self.__dict__.update(_OURS, FunctionScope=self._scope)
        self._originals = originals

    @contextlib.contextmanager
    def _scope(self, *given: Any) -> Iterator[Any]:
        """Run one function: AutoGraph's scope, which gives its result, and ours."""
        with _aliasing.until_returned(), self._originals.FunctionScope(*given) as scope:
            yield scope

    def __getattr__(self, name: str) -> Any:
        return getattr(self._originals, name)
