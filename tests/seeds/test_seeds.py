"""Seeds: where they come from, and draws that are the same integers everywhere."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf
from scipy import stats

import pipeport
from pipeport import seeds
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from pipeport.seeds._ambient import in_part
from pipeport.seeds._derive import POSITION, child, whole_range

DRAWS = {
    "bits": lambda s: seeds.bits(s, [5]),
    "uniform float32": lambda s: seeds.uniform(s, [3]),
    "uniform float64": lambda s: seeds.uniform(s, [2], "float64"),
    "bernoulli": lambda s: seeds.bernoulli(s, 0.5, [6]),
    "randint": lambda s: seeds.randint(s, -5, 1000, [4]),
    "fold_in": lambda s: seeds.fold_in(s, 3),
    "split": lambda s: seeds.split(s, 2),
}
# Drawn once, and the same in TensorFlow 2.15 and 2.21: a change would break every user's runs.
GOLDEN = {
    "bits": [1603181134, 1759646235, 323131937, 1172453533, -1793091339],
    "uniform float32": [0.3732696771621704, 0.40969955921173096, 0.07523500919342041],
    "uniform float64": [0.4096995655850669, 0.27298311076016046],
    "randint": [370, 406, 70, 269],
    "fold_in": [5231956467351199815, 2004624628233468129],
    "split": [[-1432456871228315619, -8083445339677666246], [232288236892075785, -605254426495974724]],
}


@pytest.mark.parametrize("name", DRAWS)
def test_every_engine_and_dtype_of_the_seed_draws_the_same(name: str) -> None:
    draw = DRAWS[name]
    expected = draw((5, -7)).numpy()
    if name in GOLDEN:
        assert expected.tolist() == GOLDEN[name]
    for dtype in (tf.int32, tf.int64):
        seed = tf.constant([5, -7], dtype)
        np.testing.assert_array_equal(draw(seed), expected)
        np.testing.assert_array_equal(tf.function(draw)(seed), expected)
        np.testing.assert_array_equal(tf.function(draw, jit_compile=True)(seed), expected)


def test_the_bits_are_those_of_philox() -> None:
    """Philox4x32-10 with key and counter zero, as its authors publish it."""
    published = np.array([0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8], np.uint32)
    np.testing.assert_array_equal(seeds.bits((0, 0), [4]).numpy().view(np.uint32), published)


def test_purposes_do_not_meet() -> None:
    """A draw, a folded, a split and an ambient seed of the same seed are all different."""
    with seeds.ambient((1, 2)):
        ambient = seeds.look_up()
    drawn = tf.reshape(tf.bitcast(tf.reshape(seeds.bits((1, 2), [4]), [2, 2]), tf.int64), [2])
    found = [drawn, seeds.fold_in((1, 2), 0), seeds.split((1, 2))[0], ambient]
    assert len({tuple(one.numpy()) for one in found}) == 4


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 64, 1001])
def test_xla_draws_the_same_bits_at_every_size(size: int) -> None:
    compiled = tf.function(lambda: seeds.bits((1, 2), [size]), jit_compile=True)
    np.testing.assert_array_equal(compiled(), seeds.bits((1, 2), [size]))


class TestDistributions:
    """One long draw each, and one draw each of many consecutive seeds."""

    @pytest.mark.parametrize("dtype", ["float32", "float64"])
    def test_uniform(self, dtype: str) -> None:
        drawn = seeds.uniform((1, 2), [20000], dtype).numpy()
        assert drawn.dtype == dtype
        assert drawn.min() >= 0
        assert drawn.max() < 1
        assert stats.kstest(drawn, "uniform").pvalue > 1e-6

    def test_uniform_over_consecutive_seeds(self) -> None:
        pairs = tf.stack([tf.zeros([4000], tf.int64), tf.range(4000, dtype=tf.int64)], 1)
        drawn = tf.function(lambda: tf.map_fn(seeds.uniform, pairs, fn_output_signature=tf.float32))()
        assert stats.kstest(drawn.numpy(), "uniform").pvalue > 1e-6

    def test_folded_seeds_are_unrelated(self) -> None:
        each = tf.function(
            lambda: tf.map_fn(
                lambda i: seeds.uniform(seeds.fold_in((1, 2), i)),
                tf.range(4000),
                fn_output_signature=tf.float32,
            )
        )()
        assert stats.kstest(each.numpy(), "uniform").pvalue > 1e-6
        assert abs(np.corrcoef(each[:-1], each[1:])[0, 1]) < 0.08

    @pytest.mark.parametrize("p", [0.0, 0.01, 0.5, 0.9, 1.0])
    def test_bernoulli(self, p: float) -> None:
        count = int(tf.reduce_sum(tf.cast(seeds.bernoulli((3, 4), p, [20000]), tf.int32)))
        assert stats.binomtest(count, 20000, p).pvalue > 1e-6

    def test_randint(self) -> None:
        drawn = seeds.randint((5, 6), -3, 4, [21000]).numpy()
        assert set(drawn.tolist()) == set(range(-3, 4))
        assert stats.chisquare(np.bincount(drawn + 3)).pvalue > 1e-6

    def test_randint_with_bounds_as_data(self) -> None:
        drawn = tf.function(lambda low, high: seeds.randint((5, 6), low, high, [100]))
        found = drawn(tf.constant(10), tf.constant(12)).numpy()
        assert set(found.tolist()) == {10, 11}
        with pytest.raises(tf.errors.InvalidArgumentError, match="too wide range"):
            drawn(tf.constant(3), tf.constant(3))


class TestLookUp:
    """The argument, else the ambient seed, else an error."""

    def test_the_argument_wins(self) -> None:
        with seeds.ambient((1, 2)):
            assert seeds.look_up((8, 9)).numpy().tolist() == [8, 9]

    def test_without_both_the_error_names_both_ways(self) -> None:
        with pytest.raises(
            UnsupportedArgument, match=r"allowed: `seed=` .* or a call inside `with .*ambient"
        ):
            seeds.look_up()

    def test_ambient_seeds_go_by_position_and_nest(self) -> None:
        with seeds.ambient((1, 2)):
            first = seeds.look_up()
            with seeds.ambient((3, 4)):
                inner = seeds.look_up()
            second = seeds.look_up()
        np.testing.assert_array_equal(first, child((1, 2), 0, POSITION))
        np.testing.assert_array_equal(inner, child((3, 4), 0, POSITION))
        np.testing.assert_array_equal(second, child((1, 2), 1, POSITION))
        with pytest.raises(UnsupportedArgument, match="no ambient seed"):
            seeds.look_up()

    def test_inside_a_mapped_function_it_differs_per_element(self) -> None:
        def draw(index: tf.Tensor) -> tf.Tensor:
            with seeds.ambient(tf.stack([index, index])):
                return seeds.look_up()

        found = [tuple(s) for s in tf.data.Dataset.range(5).map(draw).as_numpy_iterator()]
        assert found == [tuple(child((i, i), 0, POSITION).numpy()) for i in range(5)]

    def test_branches_may_draw(self) -> None:
        @tf.function
        def draw(index: tf.Tensor) -> tf.Tensor:
            with seeds.ambient(tf.stack([index, index])):
                chosen = tf.cond(index > 0, seeds.look_up, lambda: tf.zeros([2], tf.int64))
                return tf.switch_case(index, [seeds.look_up, lambda: chosen])

        np.testing.assert_array_equal(draw(tf.constant(1)), child((1, 1), 0, POSITION))

    @pytest.mark.parametrize("loop", ["for", "map_fn", "while_loop"])
    def test_a_graph_loop_is_refused_and_the_mend_works(self, loop: str) -> None:
        def each(body: object) -> tf.Tensor:
            if loop == "map_fn":
                return tf.map_fn(body, tf.range(3), fn_output_signature=tf.TensorSpec([2], tf.int64))
            rows = tf.TensorArray(tf.int64, 3, element_shape=[2])
            if loop == "for":
                for i in tf.range(3):
                    rows = rows.write(i, body(i))
                return rows.stack()
            done = tf.while_loop(
                lambda i, _: i < 3, lambda i, r: (i + 1, r.write(i, body(i))), (tf.constant(0), rows)
            )
            return done[1].stack()

        @tf.function
        def wrong(seed: tf.Tensor) -> tf.Tensor:
            with seeds.ambient(seed):
                return each(lambda _: seeds.look_up())

        @tf.function
        def mended(seed: tf.Tensor) -> tf.Tensor:
            with seeds.ambient(seed):
                outside = seeds.look_up()
                return each(lambda i: seeds.fold_in(outside, i))

        with pytest.raises(UnsupportedArgument, match=r"inside a graph loop.*seeds\.fold_in\(seed, i\)"):
            wrong(tf.constant([1, 2]))
        assert len({tuple(row) for row in mended(tf.constant([1, 2])).numpy()}) == 3

    def test_a_seed_from_outside_the_traced_function_is_refused(self) -> None:
        with seeds.ambient((1, 2)), pytest.raises(UnsupportedArgument, match="would freeze it"):
            tf.data.Dataset.range(2).map(lambda _: seeds.look_up())

        @tf.function
        def nested(seed: tf.Tensor) -> tf.Tensor:
            inner = tf.function(seeds.look_up)
            with seeds.ambient(seed):
                return inner()

        with pytest.raises(UnsupportedArgument, match="would freeze it"):
            nested(tf.constant([1, 2]))


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (
            lambda: seeds.look_up((1, 2, 3)),
            OutsideDomain,
            r"seed: got shape \(3,\); allowed: two integers, shape \(2,\)\. Give",
        ),
        (lambda: seeds.look_up(tf.zeros([2])), WrongType, "seed: got dtype float32"),
        (lambda: seeds.look_up((1.0, 2.0)), WrongType, "seed: got"),
        (lambda: seeds.look_up([tf.constant(1)]), OutsideDomain, "seed: got 1 entries"),
        (lambda: seeds.look_up(tf.zeros([3, 2], tf.int32)), OutsideDomain, r"shape \(3, 2\)"),
        (lambda: seeds.look_up(tf.zeros([3, 3], tf.int32), batch=True), OutsideDomain, r"or \(B, 2\)"),
        (lambda: seeds.fold_in((1, 2), 0.5), WrongType, "data: got 0.5"),
        (lambda: seeds.fold_in((1, 2), [1, 2]), OutsideDomain, "For several seeds use seeds.split"),
        (
            lambda: seeds.split((1, 2), 0),
            UnsupportedArgument,
            "num: got 0; allowed: a positive Python integer",
        ),
        (lambda: seeds.split((1, 2), tf.constant(2)), UnsupportedArgument, "num: got"),
        (
            lambda: seeds.uniform((1, 2), [], "float16"),
            UnsupportedArgument,
            "dtype: got float16; allowed: 'float32'",
        ),
        (lambda: seeds.bernoulli((1, 2), -0.1), OutsideDomain, "p: got -0.1"),
        (lambda: seeds.bernoulli((1, 2), "p"), WrongType, "p: got 'p'"),
        (
            lambda: seeds.randint((1, 2), 3, 3),
            OutsideDomain,
            r"high: got high - low = 0; allowed: high - low from 1 to 2\*\*31",
        ),
        (lambda: seeds.randint((1, 2), 0, 2**31 + 1), OutsideDomain, "high"),
        (lambda: seeds.randint((1, 2), 0, 1.5), WrongType, "high: got 1.5; allowed: integers"),
    ],
)
def test_bad_input(call: object, kind: type, message: str) -> None:
    with pytest.raises(kind, match=message):
        call()


def test_a_probability_as_data_is_checked_in_the_graph() -> None:
    draw = tf.function(lambda p: seeds.bernoulli((1, 2), p))
    assert not draw(tf.constant(0.0))
    for p in (1.5, -0.5, float("nan")):
        with pytest.raises(tf.errors.InvalidArgumentError, match="a probability in"):
            draw(tf.constant(p))


def test_draws_of_branches_and_rounds_share_what_their_seeds_become():
    def one(seed):
        with seeds.ambient(seed):
            return drawn_in_rounds()

    def drawn_in_rounds():
        def round_(number, total):
            with in_part(), seeds.keyed(number):
                with seeds.keyed("first"):
                    first = seeds.randint(seeds.look_up(), 0, 100)

                def more():
                    with in_part(), seeds.keyed("second"):
                        return first + seeds.randint(seeds.look_up(), 0, 100)

                return number + 1, total + tf.cond(first < 50, more, lambda: first)

        return tf.while_loop(lambda number, _: number < 3, round_, [0, tf.constant(0, tf.int64)])[1]

    def eagerly(seed):
        total = 0
        with seeds.ambient(seed):
            for number in range(3):
                with seeds.keyed(number):
                    with seeds.keyed("first"):
                        first = int(seeds.randint(seeds.look_up(), 0, 100))
                    total += first
                    if first < 50:
                        with seeds.keyed("second"):
                            total += int(seeds.randint(seeds.look_up(), 0, 100))
        return total

    graph = tf.function(one, autograph=False)
    compiled = tf.function(one, autograph=False, jit_compile=True)
    for number in range(6):
        seed = tf.constant([number, 7], tf.int64)
        assert int(graph(seed)) == int(compiled(seed)) == eagerly(seed)
    functions = (
        graph.get_concrete_function(tf.TensorSpec([2], tf.int64)).graph.as_graph_def().library.function
    )
    branches = [one for one in functions if "cond_true" in one.signature.name]
    assert branches
    for branch in branches:  # the seed of the round and its words come from around
        assert [node.op for node in branch.node_def].count("StatelessRandomUniformFullIntV2") == 1
        assert "ConcatV2" not in [node.op for node in branch.node_def]


@pytest.mark.parametrize("count", [1023, 1024, 1500, 4096, 16384, 16385])
def test_long_permutations_are_the_same_everywhere(count):
    seed = np.array([count, -3])
    keys = whole_range(tf.constant(seed), [count], tf.int64).numpy()
    wanted = np.argsort(keys, kind="stable")  # no two have all but their last bits in common

    def drawn(_=None):
        return seeds.permutation(seeds.look_up(), count)

    np.testing.assert_array_equal(seeds.permutation(seed, count), wanted)
    for jit in (False, True):
        function = tf.function(lambda: seeds.permutation(seed, count), jit_compile=jit, autograph=False)
        np.testing.assert_array_equal(function(), wanted)
    rows = tf.vectorized_map(lambda one: seeds.permutation(one, count), tf.stack([seed, seed + 1]))
    np.testing.assert_array_equal(rows[0], wanted)

    operations = []

    def noted(_):
        found = drawn()
        operations.extend(node.type for node in tf.compat.v1.get_default_graph().get_operations())
        return found

    mapped = tf.data.Dataset.range(2).apply(seeds.seeded_map(noted, 7))
    inside = "DynamicPartition" in operations
    assert inside == (1024 <= count <= 16384)
    for number, found in enumerate(mapped):
        with seeds.ambient(seeds.fold_in(seeds.fold_in((7, 0), 0), number)):
            np.testing.assert_array_equal(found, drawn())


def test_what_is_compiled_in_a_dataset_sorts_as_elsewhere():
    def compiled(_):
        seed = seeds.look_up()
        return tf.function(lambda: seeds.permutation(seed, 2048), jit_compile=True, autograph=False)()

    def plain(_):
        return seeds.permutation(seeds.look_up(), 2048)

    given = tf.data.Dataset.range(1)
    one, other = (next(iter(given.apply(seeds.seeded_map(each, 7)))) for each in (compiled, plain))
    np.testing.assert_array_equal(one, other)
    port = ported_in_a_compiled_graph(2048)
    np.testing.assert_array_equal(next(iter(given.apply(seeds.seeded_map(port, 7)))), np.arange(2048))


def ported_in_a_compiled_graph(count):
    def body(number):
        return np.sort(np.random.permutation(count)) + 0 * number

    native = pipeport.port(body)
    return tf.function(native, jit_compile=True, autograph=False)
