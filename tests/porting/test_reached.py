"""What a trace reaches outside of a body: changes are put back, memos stay, iterators are not read."""

from __future__ import annotations

import collections
import copy
import dataclasses
import functools
import inspect
import itertools
import operator
import types
from typing import ClassVar

import numpy as np
import pytest
import tensorflow as tf

from pipeport.errors import PortRefused
from pipeport.porting import _reached, port
from tests.porting.modes import every_size, refused_in_graphs

X = np.arange(6.0).reshape(2, 3)
SPEC = tf.TensorSpec([2, 3], tf.float64)
DRAWS = tf.TensorSpec([2], tf.int64)


class Counted(dict):
    """A container of the user's own."""


class Settings:
    shared: ClassVar[list] = []

    def __init__(self):
        self.number = 0
        self.seen = []
        self.inner = types.SimpleNamespace(log=[])
        self._table = None

    @property
    def turn(self):
        self.number += 1
        return self.number

    @property
    def table(self):
        if self._table is None:
            self._table = np.arange(3.0)
        return self._table

    @functools.cached_property
    def scale(self):
        return np.full(3, 0.5)

    @property
    def fresh(self):
        return [1.0]

    @property
    def tensor(self):
        if self._table is None:
            self._table = tf.constant([1.0, 2.0, 3.0], tf.float64)
        return self._table

    def seeing(self, x):
        self.seen.append(1)
        return x


class Slotted:
    __slots__ = ("number", "unset")

    def __init__(self):
        self.number = 1

    @property
    def turn(self):
        self.number += 1
        self.unset = 3
        return self.number


@dataclasses.dataclass(frozen=True)
class Frozen:
    names: tuple = dataclasses.field(default_factory=lambda: (("a", []), ("b", [])))
    log: list = dataclasses.field(default_factory=list)


class Bag:
    """All that the bodies below reach; each test has its own."""

    def __init__(self):
        self.log = []
        self.by_name = {"k": {"n": 0}, "m": [1, 2]}
        self.rows = [{"n": 0}, {"n": 1}]
        self.last = collections.deque([1, 2], maxlen=2)
        self.found = {3}
        self.ordered = collections.OrderedDict(a=1, b=2)
        self.groups = collections.defaultdict(list)
        self.counts = collections.Counter("aab")
        self.own = Counted(a=1)
        self.pairs = [("a", [1]), ("b", [2])]
        self.settings = Settings()
        self.slotted = Slotted()
        self.frozen = Frozen()
        self.namespace = types.SimpleNamespace(log=[])
        self.append = self.log.append
        self.partly = functools.partial(keep_in, self.log)
        self.numbers = [3, 1, 2]


def keep_in(log, value):
    log.append(value)


BAG = Bag()
LOG = BAG.log


MODULE = types.ModuleType("kept")
MODULE.log = []


@pytest.fixture(autouse=True)
def begin_anew():
    begin()


def begin():
    BAG.__init__()
    BAG.log = LOG
    BAG.append, BAG.partly = LOG.append, functools.partial(keep_in, LOG)
    for log in (LOG, Settings.shared, MODULE.log):
        log.clear()


def of_a_name(x):
    LOG.append(float(x.sum()))
    return x


def of_an_alias(x):
    entry = BAG.by_name["k"]
    entry["n"] += 1
    return x * entry["n"]


def of_rows(x):
    for row in BAG.rows:
        row["n"] = row["n"] + 2
    return x


def of_a_comprehension(x):
    return x * len([values.append(3) for name, values in BAG.pairs])


def of_items(x):
    for _, value in BAG.by_name.items():
        if isinstance(value, list):
            value.extend([3])
    return x


def of_zipped(x):
    for row, name in zip(BAG.rows, ("a", "b"), strict=True):
        row.update(name=name)
    return x


def of_a_sum(x):
    both = BAG.rows + BAG.rows
    both[1].pop("n")
    return x


def of_a_found_row(x):
    max(BAG.rows, key=lambda row: row["n"]).clear()
    return x


def of_starred(x):
    for row in [*BAG.rows]:
        row.setdefault("q", 1)
    return x


def of_a_deque(x):
    BAG.last.append(7)
    return x


def of_a_set(x):
    found = BAG.found
    found.add(7)
    found |= {8}
    return x


def of_an_order(x):
    BAG.ordered.pop("a")
    return x


def of_a_default(x):
    BAG.groups["k"].append(1)
    return x


def of_counts(x):
    BAG.counts.update("ab")
    return x


def of_a_class_of_its_own(x):
    own = BAG.own
    own["b"] = 2
    return x


def of_an_in_place_sum(x):
    log = LOG
    log += [1]
    return x


def of_an_element(x):
    numbers = BAG.numbers
    numbers[0] = 7
    numbers[1] += 1
    return x


def of_a_sort(x):
    BAG.numbers.sort()
    return x


def of_a_method_with_a_name(x):
    add = LOG.append
    add(3)
    return x


def of_a_bound_method(x):
    BAG.append(3)
    return x


def of_a_partial(x):
    BAG.partly(3)
    return x


def of_a_map(x):
    return x * len(list(map(LOG.append, [1, 2])))


def of_a_helper(x):
    keep_in(BAG.settings.seen, 3)
    return x


def of_a_class(x):
    Settings.shared.append(1)
    return x


def of_an_objects_class(x):
    BAG.settings.shared.append(1)
    return x


def of_an_object_in_it(x):
    BAG.settings.inner.log.append(1)
    return x


def of_a_namespace(x):
    BAG.namespace.log.append(1)
    return x


def of_a_dataclass(x):
    BAG.frozen.names[1][1].append(2)
    return x


def of_a_property(x):
    return x + BAG.settings.turn


def of_slots(x):
    return x + BAG.slotted.turn


def of_getattr(x):
    name = "log"
    getattr(BAG, name).append(3)
    return x


def of_an_inner_function(x):
    def inner(value):
        LOG.append(1)
        return value

    return inner(x)


def of_a_module(x):
    MODULE.log.append(1)
    return x


CHANGES = [
    of_a_name,
    of_an_alias,
    of_rows,
    of_a_comprehension,
    of_items,
    of_zipped,
    of_a_sum,
    of_a_found_row,
    of_starred,
    of_a_deque,
    of_a_set,
    of_an_order,
    of_a_default,
    of_counts,
    of_a_class_of_its_own,
    of_an_in_place_sum,
    of_an_element,
    of_a_sort,
    of_a_method_with_a_name,
    of_a_bound_method,
    of_a_partial,
    of_a_map,
    of_a_helper,
    of_a_class,
    of_an_objects_class,
    of_an_object_in_it,
    of_a_namespace,
    of_a_dataclass,
    of_a_property,
    of_slots,
    of_getattr,
    of_an_inner_function,
    of_a_module,
]


def state():
    """All that a body may change."""
    found = copy.deepcopy({name: one for name, one in vars(BAG).items() if name not in ("append", "partly")})
    inner, slotted = found.pop("settings"), found.pop("slotted")
    attributes = {**vars(inner), "inner": vars(inner.inner)}
    slots = {name: getattr(slotted, name, "none") for name in Slotted.__slots__}
    return repr((found, attributes, slots, Settings.shared, MODULE.log))


@pytest.mark.parametrize("body", CHANGES)
def test_a_change_outside_is_refused_in_graphs_and_put_back(body):
    before, rows = state(), list(BAG.rows)
    if body in (of_a_property, of_slots):  # no line of the body's own changes it
        with pytest.raises(PortRefused, match=f"another afterwards, in {__file__}, line"):
            tf.function(port(body), autograph=False).get_concrete_function(SPEC)
    else:
        refused_in_graphs(body, "change: got one of a", SPEC)
    assert state() == before
    assert all(map(operator.is_, rows, BAG.rows))


@pytest.mark.parametrize("body", CHANGES)
def test_eagerly_a_change_outside_is_pythons(body):
    start, right = state(), body(X)
    changed = state()
    assert changed != start
    begin()
    np.testing.assert_array_equal(port(body)(X), right)
    assert state() == changed


def of_a_longer_array(x):
    if x.ndim > 1:
        LOG.append(1)
    return x * 2


def of_two_changes(x):
    BAG.numbers.reverse() if x.ndim == 2 else None
    return x + BAG.settings.table + BAG.settings.turn


def test_each_trace_is_checked():
    run = tf.function(port(of_a_longer_array), autograph=False)
    run.get_concrete_function(DRAWS)
    for shape in ([2, 3], [None, 3], [2, 3, 1]):
        with pytest.raises(PortRefused, match="a list from outside"):
            run.get_concrete_function(tf.TensorSpec(shape, tf.int64))
    assert LOG == []
    run.get_concrete_function(tf.TensorSpec([None], tf.int64))


def test_a_refusal_puts_back_what_was_a_memo_until_then():
    with pytest.raises(PortRefused, match="object of Settings from outside"):
        tf.function(port(of_two_changes), autograph=False).get_concrete_function(
            tf.TensorSpec([3], tf.float64)
        )
    assert (BAG.settings.number, BAG.settings._table) == (0, None)


def test_an_error_of_the_bodys_own_puts_back():
    def body(x):
        return x * BAG.slotted.turn + x.nothing

    before = state()
    with pytest.raises(AttributeError, match="nothing"):
        tf.function(port(body), autograph=False).get_concrete_function(SPEC)
    assert state() == before


def of_a_memo(x):
    return x + BAG.settings.table, x * BAG.settings.scale


def of_a_computed_list(x):
    rows = BAG.settings.fresh
    rows.append(2.0)
    rows += [x[0, 0]]
    return np.array(rows) * x


def of_lists_of_its_own(x):
    rows = [*BAG.numbers]
    rows.append(4)
    more = sorted(BAG.numbers)
    more.pop()
    copies = [dict(row) for row in BAG.rows]
    copies[0]["n"] = 7
    merged = {**BAG.by_name, "z": 1}
    merged["k"] = 5
    words = list(BAG.last)
    words.extend(rows)
    return x * copies[0]["n"] + merged["k"], np.array(rows), np.array(more), np.array(words)


def of_readings(x):
    total = (
        BAG.by_name["m"][1]
        + BAG.numbers.index(1)
        + BAG.by_name.get("q", 4)
        + BAG.counts["a"]
        + len(BAG.found)
    )
    total += BAG.groups["k2"] == []
    for name, _ in BAG.frozen.names:
        total += name in BAG.own
    numbers = BAG.numbers
    numbers[0] = numbers[0]
    return x * total


def of_an_own_array_in_a_dict(x):
    kept = {"x": x.copy()}

    def grow(rows):
        rows["x"] += 1
        rows["n"] = 2

    grow(kept)
    return kept["x"] * kept["n"]


@pytest.mark.parametrize(
    "body", [of_a_memo, of_a_computed_list, of_lists_of_its_own, of_readings, of_an_own_array_in_a_dict]
)
def test_what_changes_nothing_for_the_next_element_is_served(body):
    begin()
    graph = tf.function(port(body), autograph=False)
    found = graph(X)
    begin()
    tf.nest.map_structure(np.testing.assert_array_equal, found, body(X))
    begin()
    every_size(body, X)


def test_a_memo_is_filled_once_and_stays():
    tf.function(port(of_a_memo), autograph=False).get_concrete_function(SPEC)
    assert isinstance(BAG.settings._table, np.ndarray)
    assert "scale" in vars(BAG.settings)


def test_a_memo_with_a_tensor_of_the_graph_is_refused():
    def body(x):
        return x + BAG.settings.tensor

    with pytest.raises(PortRefused, match="object of Settings from outside"):
        tf.function(port(body), autograph=False).get_concrete_function(SPEC)
    assert BAG.settings._table is None


def test_an_element_that_is_a_dictionary_may_be_changed():
    def body(element):
        element["x"] = element["x"] + 1
        element["n"] = 3
        return element

    data = tf.data.Dataset.from_tensors({"x": X}).map(port(body))
    found = next(iter(data))
    np.testing.assert_array_equal(found["x"], X + 1)
    assert found["n"] == 3


def test_an_argument_that_is_an_object_is_outside():
    run = port(lambda x, bag: bag.seeing(x))
    with pytest.raises(PortRefused, match="a list from outside"):
        tf.data.Dataset.from_tensors(X).map(lambda x: run(x, BAG.settings))
    assert BAG.settings.seen == []


def test_a_default_is_outside():
    def body(x, log=[]):  # noqa: B006 - what is tested
        log.append(1)
        return x

    with pytest.raises(PortRefused, match="a list from outside"):
        tf.data.Dataset.from_tensors(X).map(port(body))
    assert body.__defaults__ == ([],)


def test_a_bound_method_is_of_an_object_outside():
    with pytest.raises(PortRefused, match="a list from outside"):
        tf.data.Dataset.from_tensors(X).map(port(BAG.settings.seeing))
    assert BAG.settings.seen == []


# Iterators.

NUMBERS = iter(range(1000))
COUNT = itertools.count(1)
SQUARES = (number**2 for number in range(1000))


class Turns:
    def __init__(self):
        self.number = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.number += 1
        return self.number


TURNS = Turns()


def by_a_loop(x):
    for number in NUMBERS:
        x = x + number
        break
    return x


def by_zip(x):
    return [x * number for number, _ in zip(COUNT, range(2), strict=False)]


def by_a_list(x):
    return x * list(SQUARES)[2]


def by_unpacking(x):
    first, second = itertools.islice(COUNT, 2)
    return x * first + second


def by_in(x):
    return x * (3 in NUMBERS)


def by_a_comprehension(x):
    return [x * number for number in SQUARES]


def by_a_class(x):
    return x + sum([number for number, _ in zip(TURNS, range(2), strict=False)])


def by_next(x):
    return x + next(COUNT)


def by_an_attribute(x):
    return x + sum(BAG.settings.turns)


@pytest.mark.parametrize(
    "body", [by_a_loop, by_zip, by_a_list, by_unpacking, by_in, by_a_comprehension, by_a_class,
             by_an_attribute],
)  # fmt: skip
def test_an_iterator_from_outside_is_refused_in_graphs_and_not_read(body):
    BAG.settings.turns = iter([5, 6])
    refused_in_graphs(body, "iterator: got a", SPEC)
    kept = repr(COUNT), NUMBERS.__reduce__()[2], SQUARES.gi_frame.f_lasti, TURNS.number
    assert kept == ("count(1)", 0, SQUARES.gi_frame.f_lasti, 0)
    assert list(BAG.settings.turns) == [5, 6]
    assert not inspect.getgeneratorlocals(SQUARES).get("number")


def test_next_is_refused_before_anything_runs():
    with pytest.raises(PortRefused, match="stands still"):
        port(by_next)


def test_an_iterator_may_be_looked_at():
    def body(x):
        return x * isinstance(NUMBERS, list) + callable(COUNT) + sum(number for number in range(3))

    every_size(body, X)


# The guard of the tests above: without a watch the same change goes unnoticed.


def test_without_the_watch_the_change_is_lost(monkeypatch):
    monkeypatch.setattr(_reached, "unchanging", lambda trace: trace())
    data = tf.data.Dataset.range(3, output_type=tf.int64).map(port(of_a_longer_log))
    assert len(list(data)) == 3
    assert LOG == [1]


def of_a_longer_log(x):
    LOG.append(1)
    return x
