"""Wide integers, gamma, beta, Poisson, binomial and weighted draws: their laws, on every engine."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import tensorflow as tf
from scipy import stats

from pipeport.errors import OutsideDomain, UnsupportedArgument
from pipeport.numpy import random as native_random
from pipeport.references._draws import _binned
from pipeport.seeds._chosen import places
from pipeport.seeds._counts import binomial, poisson
from pipeport.seeds._gamma import beta, gamma
from pipeport.seeds._stream import Stream, seed_of
from pipeport.seeds._wide import between

# Every draw is fixed by its seed, so that nothing here can fail by chance once it has passed.
ALARM = 1e-6
COUNT = 6_000
SEED = (5, 9)


def reals(*values):
    return [tf.constant(value, tf.float64) for value in values]


def engines(function):
    """Return what a function of no arguments gives eagerly, in a graph, compiled and in a dataset."""
    function = tf.autograph.experimental.do_not_convert(function)
    mapped = tf.data.Dataset.range(1).map(lambda _: function())
    return [
        np.asarray(function()),
        tf.function(function)().numpy(),
        tf.function(function, jit_compile=True)().numpy(),
        next(iter(mapped)).numpy(),
    ]


CONTINUOUS = {
    **{
        f"gamma {k}": (lambda k=k: gamma(SEED, *reals(k), [COUNT]), stats.gamma(k))
        for k in (0.05, 0.5, 1.0, 1.5, 30.0, 1e9)
    },
    **{
        f"beta {a} {b}": (lambda a=a, b=b: beta(SEED, *reals(a, b), [COUNT]), stats.beta(a, b))
        for a, b in ((0.2, 0.3), (1.0, 1.0), (0.5, 4.0), (40.0, 60.0))
    },
}


@pytest.mark.parametrize("name", CONTINUOUS)
def test_continuous_draws(name):
    draw, law = CONTINUOUS[name]
    assert stats.kstest(draw().numpy(), law.cdf).pvalue > ALARM


def test_another_law_would_be_seen():
    values = gamma(SEED, *reals(1.5), [4 * COUNT]).numpy()
    assert stats.kstest(values, stats.gamma(1.6).cdf).pvalue < ALARM
    counts = poisson(SEED, *reals(10.0), [4 * COUNT]).numpy()
    assert _binned("poisson", 10.3)(counts) < ALARM


@pytest.mark.parametrize("mean", [1e-3, 0.7, 3.0, 9.99, 10.0, 12.0, 60.0, 1e4])
def test_poisson_counts(mean):
    assert _binned("poisson", mean)(poisson(SEED, *reals(mean), [COUNT]).numpy()) > ALARM


def test_large_means_are_normal():
    values = poisson(SEED, *reals(1e15), [COUNT]).numpy()
    assert stats.kstest((values - 1e15) / np.sqrt(1e15), "norm").pvalue > ALARM
    trials = tf.constant(2**53, tf.int64)
    values = binomial(SEED, trials, *reals(0.25), [COUNT]).numpy()
    assert stats.kstest((values - 2**51) / np.sqrt(2**51 * 0.75), "norm").pvalue > ALARM


@pytest.mark.parametrize(
    ("n", "p"),
    [
        (1, 0.3),
        (5, 0.9),
        (19, 0.5),
        (20, 0.5),
        (21, 0.5),
        (40, 0.75),
        (1000, 0.004),
        (1000, 0.02),
        (3000, 0.6),
    ],
)
def test_binomial_counts(n, p):
    values = binomial(SEED, tf.constant(n, tf.int64), *reals(p), [COUNT]).numpy()
    assert values.min() >= 0
    assert values.max() <= n
    assert _binned("binom", n, p)(values) > ALARM


def test_certain_counts():
    zero, one = reals(0.0, 1.0)
    for n in (0, 1, 50):
        trials = tf.constant(n, tf.int64)
        assert not binomial(SEED, trials, zero, [9]).numpy().any()
        assert (binomial(SEED, trials, one, [9]).numpy() == n).all()
    assert not poisson(SEED, zero, [9]).numpy().any()
    assert not gamma(SEED, zero, [9]).numpy().any()
    assert np.isnan(gamma(SEED, *reals(np.nan), [9])).all()
    tiny = beta(SEED, *reals(1e-300, 3e-300), [COUNT]).numpy()
    assert stats.binomtest(int(tiny.sum()), COUNT, 0.25).pvalue > ALARM


# The third row has parameters on both sides of every border, known only when the graph runs.
SAME = {
    "gamma": lambda a: gamma(SEED, a, [3, 50]),
    "beta": lambda a: beta(SEED, a, tf.constant(2.0, tf.float64), [3, 50]),
    "poisson": lambda a: poisson(SEED, a, [3, 50]),
    "binomial": lambda a: binomial(SEED, tf.constant(60, tf.int64), a / 100.0, [3, 50]),
}


@pytest.mark.parametrize("name", SAME)
def test_engines_agree_whether_parameters_are_known_or_not(name):
    draw, values = SAME[name], np.array([[0.4], [9.0], [70.0]])
    known = engines(lambda: draw(tf.constant(values)))
    traced = [
        tf.function(draw, autograph=False, jit_compile=compiled)(tf.constant(values)).numpy()
        for compiled in (False, True)
    ]
    others = [*known[1:], *traced]
    if name != "binomial":  # of one distribution it draws from a table
        others.append(np.stack([draw(tf.constant(one)).numpy()[row] for row, one in enumerate(values[:, 0])]))
    for found in others:
        np.testing.assert_allclose(found, known[0], rtol=1e-12)


@pytest.mark.parametrize(
    ("n", "p"), [(0, 0.5), (1, 0.3), (5, 0.0), (5, 1.0), (39, 0.683), (1024, 0.02), (1025, 0.02)]
)
def test_binomial_counts_of_one_distribution(n, p):
    def draw(n, p):
        return binomial(SEED, n, p, [COUNT])

    given = tf.constant(n, tf.int64), tf.constant(p, tf.float64)
    traced = [tf.function(draw, jit_compile=compiled)(*given).numpy() for compiled in (False, True)]
    first, *others = [*engines(lambda: draw(*given)), *traced]
    for found in others:
        assert (found != first).mean() < 1e-3
    law = stats.binom(n, p)
    places = np.arange(law.ppf(1e-3), law.ppf(1 - 1e-3) + 1)
    rest = np.sum((first < places[0]) | (first > places[-1]))
    counts = [*(np.sum(first == k) for k in places), rest]
    chances = [*law.pmf(places), 1 - law.pmf(places).sum()]
    kept = np.array(chances) > 1e-12
    assert not np.array(counts)[~kept].any()
    if kept.sum() > 1:
        sums = np.array(chances)[kept] / np.sum(np.array(chances)[kept]) * COUNT
        assert stats.chisquare(np.array(counts)[kept], sums).pvalue > ALARM


@pytest.mark.parametrize(
    ("low", "high"),
    [(0, 0), (-3, 3), (-(2**63), 2**63 - 1), (1, 2**31), (-(2**63), 2), (5, 2**62 + 4), (0, 2**40)],
)
def test_integers_of_every_width(low, high):
    found = engines(lambda: between(SEED, *(tf.constant(x, tf.int64) for x in (low, high)), [COUNT]))
    for one in found[1:]:
        np.testing.assert_array_equal(one, found[0])
    assert found[0].min() >= low
    assert found[0].max() <= high
    width = high - low + 1
    if width < 100:
        counts = np.bincount(found[0] - low, minlength=width)
        assert width == 1 or stats.chisquare(counts).pvalue > ALARM
    else:
        scaled = (found[0].astype(object) - low) / width
        assert stats.kstest(scaled.astype(float), "uniform").pvalue > ALARM


def test_integers_equal_the_product_of_128_bits():
    from pipeport.seeds._derive import as_seed, whole_range

    drawn = [int(x) % 2**64 for x in whole_range(as_seed(SEED), [500], tf.int64).numpy()]
    for width in (3, 2**31, 2**31 + 7, 2**33 - 1, 2**63 - 1):
        found = between(SEED, tf.constant(0, tf.int64), tf.constant(width - 1, tf.int64), [500]).numpy()
        assert found.tolist() == [one * width >> 64 for one in drawn]


P = np.array([0.5, 0.0, 0.2, 0.3])


@pytest.mark.parametrize("known", [True, False])
def test_choices_follow_their_probabilities(known):
    def draw(p, n):
        return places(SEED, n, tf.constant([COUNT]), True, p)

    given = tf.constant(P), tf.constant(4, tf.int64)
    values = draw(*given).numpy() if known else tf.function(draw)(*given).numpy()
    counts = np.bincount(values, minlength=4)
    assert not counts[1]
    assert stats.chisquare(counts[P > 0], COUNT * P[P > 0]).pvalue > ALARM


def test_choices_without_replacement_follow_what_is_left():
    draw = tf.function(lambda seed, p, n: places(seed, n, tf.constant([2]), False, p))
    given = tf.constant(P), tf.constant(4, tf.int64)
    found = [tuple(draw(tf.constant([k, 7], tf.int64), *given).numpy()) for k in range(800)]
    pairs = [(a, b) for a, b in itertools.permutations((0, 2, 3), 2)]
    expected = [P[a] * P[b] / (1 - P[a]) for a, b in pairs]
    counts = [found.count(pair) for pair in pairs]
    assert sum(counts) == len(found)
    assert stats.chisquare(counts, len(found) * np.array(expected)).pvalue > ALARM


@pytest.mark.parametrize(
    ("n", "size", "replace", "p", "said"),
    [
        (0, 1, True, None, "a: got nothing to choose from"),
        (3, 4, False, None, "size: got more than there are"),
        (3, 3, False, [0.5, 0.5, 0.0], "size: got more than have a probability above 0"),
        (3, 1, True, [0.5, 0.5], "p: got another number of them"),
        (2, 1, True, [0.5, 0.6], "p: got other numbers"),
        (2, 1, True, [-0.5, 1.5], "p: got other numbers"),
        (2, 1, True, [np.nan, 1.0], "p: got other numbers"),
    ],
)
def test_impossible_choices_are_refused_now_or_in_the_graph(n, size, replace, p, said):
    def draw(n, p=None):
        return places(SEED, n, tf.constant([size]), replace, p)

    given = [tf.constant(n, tf.int64)] + ([] if p is None else [tf.constant(p, tf.float64)])
    with pytest.raises(OutsideDomain, match=said):
        draw(*given)
    with pytest.raises(tf.errors.InvalidArgumentError, match=said):
        tf.function(draw)(*given)


class TestStream:
    """Seeds of an object."""

    def test_draws_differ_by_position_and_repeat_by_seed(self):
        first, second = Stream(seed_of(7)), Stream(seed_of(7))
        one = [tuple(first.next().numpy()) for _ in range(5)]
        assert one == [tuple(second.next().numpy()) for _ in range(5)]
        assert len(set(one)) == 5
        assert tuple(Stream(seed_of(8)).next().numpy()) != one[0]

    def test_a_graph_draws_what_is_drawn_eagerly(self):
        def two():
            own = Stream(seed_of(7))
            return tf.stack([own.next(), own.next()])

        for found in engines(two)[1:]:
            np.testing.assert_array_equal(found, two())

    def test_a_draw_in_a_branch_is_one_and_in_a_loop_is_refused(self):
        @tf.function
        def branch(x):
            own = Stream(seed_of(7))
            return tf.cond(x, own.next, lambda: tf.zeros([2], tf.int64))

        np.testing.assert_array_equal(branch(tf.constant(True)), Stream(seed_of(7)).next())

        @tf.function
        def loop():
            own = Stream(seed_of(7))
            return tf.map_fn(lambda _: own.next(), tf.range(3), fn_output_signature=tf.int64)

        with pytest.raises(UnsupportedArgument, match="the same in every round"):
            loop()

    def test_numbers_become_different_pairs(self):
        seeds = [0, 1, 2**63 - 1, 2**63, 2**64, 2**126 + 5, 2**130, [1, 2], [2, 1], [1, 2, 3], [1, 2, 4]]
        assert len({tuple(np.asarray(seed_of(seed)).tolist()) for seed in seeds}) == len(seeds)
        traced = tf.function(seed_of)(tf.constant(7))
        np.testing.assert_array_equal(traced, seed_of(7))

    @pytest.mark.parametrize("seed", [-1, [1, -2], []])
    def test_others_are_refused(self, seed):
        with pytest.raises(OutsideDomain, match="seed: got"):
            seed_of(seed)
        with pytest.raises(OutsideDomain, match=r"to 255\."):
            seed_of(256, "seed", 255)
        with pytest.raises(tf.errors.InvalidArgumentError, match="another number"):
            tf.function(seed_of)(tf.constant(-1))


@pytest.mark.parametrize("bounds", [(-1e308, 1e308), (np.nan, 1.0), (1.0, np.inf)])
def test_a_range_that_is_known_is_refused_while_tracing(bounds):
    draw = tf.autograph.experimental.do_not_convert(lambda: native_random.uniform(*bounds, seed=SEED))
    with pytest.raises(OutsideDomain, match=r"high: got (inf|nan); allowed: a finite range"):
        tf.function(draw, jit_compile=True)()


def test_draws_from_what_is_known_have_no_checks():
    def kinds(draw, *specs):
        draw = tf.autograph.experimental.do_not_convert(draw)
        return [one.type for one in tf.function(draw).get_concrete_function(*specs).graph.get_operations()]

    known = kinds(lambda: native_random.uniform(0.5, 1.5, seed=SEED))
    assert not {"Assert", "BroadcastArgs", "All"} & {*known}
    number = tf.TensorSpec([], tf.int64)
    drawn = kinds(lambda high: native_random.randint(0, high, seed=SEED), number)
    assert "Assert" in drawn
    assert not {"BroadcastArgs", "All"} & {*drawn}
    assert len(drawn) <= 80  # 104 before
    numbers = tf.TensorSpec([None], tf.int64)
    assert {"BroadcastArgs", "All"} <= {
        *kinds(lambda high: native_random.randint(0, high, seed=SEED), numbers)
    }
