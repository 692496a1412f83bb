"""Lists put in order, searched and combined, where their elements are known only at run time."""

from __future__ import annotations

import itertools
import operator

import numpy as np
import pytest
import tensorflow as tf

from pipeport.errors import PipeportError
from pipeport.porting import port
from tests.porting.modes import every_mode, refused_in_graphs

X = np.array([[3, 1, 2, 5], [1, 7, 1, 0], [3, 0, 9, 4]], np.float32)
LEVELS = [0, 1, 3, 5, 7]


def by_first(x):
    rows = sorted([x[0], x[1], x[2]], key=lambda row: row[0])
    last = sorted([x[0], x[1], x[2]], key=lambda row: row[0], reverse=True)
    return np.stack(rows), np.stack(last)


def pairs_by_score(x):
    pairs = [(x[0, 0], 10), (x[1, 0], 20), (x[2, 1], 30)]
    pairs.sort(key=operator.itemgetter(0), reverse=True)
    best, number = pairs[0]
    return best, number, max(pairs, key=lambda pair: pair[0])[1], min(pairs, key=lambda pair: pair[0])[1]


def spread(row):
    return row.max() - row.min()


def by_a_function(x):
    widest = max([x[0], x[1], x[2]], key=spread)
    return widest, sorted([x[0], x[1], x[2]], key=spread)[0]


def numbers_in_order(x):
    row = [x[0, 0], x[0, 1], x[0, 2]]
    row.sort(reverse=True)
    return np.array(row), sorted(row)[0], list(reversed(row))[0]  # noqa: RUF015


def searched(x):
    level = int(x[1, 1])
    return (
        LEVELS.index(level),
        LEVELS.count(level),
        [4, level, 7].index(7),
        [x[0, 0], x[1, 0]].index(1),
        "b" in "ab",
    )


def asked(x):
    rows = [x[0], x[1], x[2]]
    return any(row[0] > 2 for row in rows), all(row[0] > 2 for row in rows), any(value < 0 for value in x[0])


def over_two_sizes(x):
    total = np.zeros((), np.float64)
    for i, j in itertools.product(range(x.shape[0]), range(x.shape[1])):
        total += x[i, j] * (i + 2 * j)
    for place in np.ndindex(x.shape):
        total += x[place[0], place[1]]
    for i, j, k in itertools.product((1, 2), range(x.shape[1]), [0, 1]):
        total += x[k, j] * i
    return total


def combined(x):
    rows = [x[0], x[1], x[2]]
    apart = [np.abs(one - other).sum() for one, other in itertools.combinations(rows, 2)]
    steps = [other - one for one, other in itertools.pairwise(rows)]
    return (
        np.array(apart),
        np.stack(steps),
        np.stack(list(itertools.chain(rows, [x[0]]))),
        len(list(itertools.product([0, 1], repeat=3))),
    )


def by_keys_in_order(x):
    order = sorted(range(len(x)), key=lambda k: x[k, 1])
    rows = sorted(x, key=lambda row: row[0], reverse=True)
    return np.array(order), np.stack(rows), sorted(x[0], reverse=True)[1], sorted(x[0].tolist())[-1]


def equals_in_their_order(x):
    places = [k // 2 for k in range(len(x[0]))]
    first = sorted(range(len(x[0])), key=lambda k: places[k])
    return np.array(first), np.array(sorted(range(len(x[0])), key=lambda k: x[1, k], reverse=True))


def first_of_the_best(x):
    best = max(range(len(x)), key=lambda k: x[k, 0])
    row = min(x, key=lambda row: row[1])
    return best, row, max(enumerate(x[0]), key=lambda pair: pair[1])[0], min(x[0].tolist(), key=lambda v: -v)


def with_defaults(x):
    large = [v for v in x[0] if v > 2]
    return (
        max(large, default=np.float32(-1)),
        max((v for v in x[0].tolist() if v > 90), default=-1.5),
        min((float(v) for v in x[1] if v > 90), default=0.5),
        min((int(v) for v in x[1]), default=4),
        max([], default=3),
        max((k for k in range(len(x)) if x[k, 0] > 2), key=lambda k: x[k, 1], default=7),
    )


FUNCTIONS = (
    by_keys_in_order, equals_in_their_order, first_of_the_best, with_defaults,
    by_first, pairs_by_score, by_a_function, numbers_in_order, searched, asked, over_two_sizes, combined,
)  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS)
def test_equals_the_original_in_every_mode(function, monkeypatch):
    every_mode(monkeypatch, function, X, draws=1, relative=1e-6)


def missing(x):
    return LEVELS.index(int(x[1, 1]) + 1)


def of_several_kinds(x):
    return sorted(["a", 1], key=lambda name: x[0, 0] if name == "a" else x[0, 1])[0]


def of_arrays(x):
    return [x[0], x[1]].index(x[0, 0])


def by_pairs(x):
    return sorted(x[0], key=lambda v: (v, -v))[0]


def test_the_extreme_of_nothing_stops_the_graph():
    graph = tf.function(port(lambda x: max(range(len(x)), key=lambda k: x[k])), autograph=False)
    run = graph.get_concrete_function(tf.TensorSpec([None], tf.float32))
    assert run(tf.constant([1.0, 3.0, 2.0])) == 1
    with pytest.raises(tf.errors.InvalidArgumentError, match="no element at run time"):
        run(tf.constant([], tf.float32))


class TestSets:
    def test_of_known_values(self, monkeypatch):
        def kept(x):
            keep = set(range(0, 3, 2)) | {1}
            found = [1 if v in {1, 5} else 0 for v in x[0].tolist()]
            return np.stack([x[k] for k in sorted(keep)]), np.array(found), len(frozenset("aab"))

        every_mode(monkeypatch, kept, X, draws=1)

    @pytest.mark.parametrize("kind", [set, frozenset])
    def test_of_others_are_refused_with_what_to_write(self, kind):
        def counted(x):
            return len(kind(x[0].tolist()))

        refused_in_graphs(
            counted, r"set: got .*write `numpy\.unique\(x\)`", tf.TensorSpec([3, 4], tf.float32)
        )
        assert port(lambda x: len(np.unique(x[0])))(X) == counted(X)


def test_what_has_no_form_is_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="not in the list"):
        tf.function(port(missing))(X)
    for function in (of_several_kinds, of_arrays, by_pairs):
        with pytest.raises(PipeportError):
            tf.function(port(function), autograph=False)(X)
