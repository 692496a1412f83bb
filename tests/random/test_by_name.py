"""`numpy.random` and `random` by name: types, shapes, errors, objects, and one draw on every engine."""

from __future__ import annotations

import inspect
import random

import numpy as np
import pytest
import tensorflow as tf
from scipy import stats

import pipeport.numpy as pnp
from pipeport import random as standard
from pipeport import seeds
from pipeport.arrays import body
from pipeport.errors import BadIndex, OutsideDomain, UnsupportedArgument, WrongType
from pipeport.numpy import random as natives
from pipeport.random import Random
from tests.catalog.test_signature import disagreements

ALARM = 1e-6
SEED = (3, 5)
NEW = int(np.__version__.partition(".")[0]) >= 2


def in_body(function):
    """Return what a function gives in an arrays body, as it is there."""
    found = []

    @body
    def run():
        with seeds.ambient(SEED):
            found.append(function())

    run()
    return found[0]


# Which draws are Python numbers, and which dtype and shape the others have: asked of NumPy itself.
DRAWS = {
    "rand()": lambda r: r.rand(),
    "rand(2, 3)": lambda r: r.rand(2, 3),
    "rand(0)": lambda r: r.rand(0),
    "randn()": lambda r: r.randn(),
    "randn(4)": lambda r: r.randn(4),
    "random()": lambda r: r.random(),
    "random_sample((2,))": lambda r: r.random_sample((2,)),
    "random(())": lambda r: r.random(()),
    "uniform()": lambda r: r.uniform(),
    "uniform([0])": lambda r: r.uniform([0]),
    "uniform of float32": lambda r: r.uniform(np.float32(0), 1),
    "uniform broadcast": lambda r: r.uniform(np.zeros((2, 1)), [1.0, 2.0, 3.0]),
    "uniform sized": lambda r: r.uniform([0.0, 1.0], 2, size=(3, 2)),
    "normal()": lambda r: r.normal(),
    "normal of ints": lambda r: r.normal([1, 2]),
    "standard_normal(3)": lambda r: r.standard_normal(3),
    "exponential()": lambda r: r.exponential(),
    "gamma(2)": lambda r: r.gamma(2),
    "gamma sized": lambda r: r.gamma([1.0, 0.0], size=(0, 2)),
    "beta(1, 2)": lambda r: r.beta(1, 2),
    "poisson()": lambda r: r.poisson(),
    "poisson(())": lambda r: r.poisson(2, ()),
    "binomial(3, .5)": lambda r: r.binomial(3, 0.5),
    "binomial of fractions": lambda r: r.binomial([1.5, 2], 0.5),
    "randint(5)": lambda r: r.randint(5),
    "randint(2.5)": lambda r: r.randint(2.5),
    "randint uint8": lambda r: r.randint(5, dtype=np.uint8),
    "randint bool": lambda r: r.randint(2, dtype=bool),
    "randint int64": lambda r: r.randint(5, dtype=np.int64),
    "randint uint64": lambda r: r.randint(2**64 - 1, dtype=np.uint64, size=3),
    "randint([5])": lambda r: r.randint([5]),
    "randint(())": lambda r: r.randint(5, size=()),
    "choice(5)": lambda r: r.choice(5),
    "choice(5, 2)": lambda r: r.choice(5, 2),
    "choice([1, 2])": lambda r: r.choice([1, 2]),
    "choice none": lambda r: r.choice(0, 0),
    "choice p": lambda r: r.choice(3, p=[0.1, 0.2, 0.7]),
    "permutation(4)": lambda r: r.permutation(4),
    "permutation(-1)": lambda r: r.permutation(-1),
    "permutation matrix": lambda r: r.permutation(np.zeros((3, 2), np.uint8)),
}
GENERATED = {
    "random()": lambda g: g.random(),
    "random float32": lambda g: g.random(3, np.float32),
    "standard_normal": lambda g: g.standard_normal((2, 2)),
    "uniform()": lambda g: g.uniform(),
    "normal()": lambda g: g.normal(),
    "exponential(2)": lambda g: g.exponential(2),
    "gamma(2)": lambda g: g.gamma(2),
    "beta(1, 1)": lambda g: g.beta(1, 1),
    "integers(5)": lambda g: g.integers(5),
    "integers int": lambda g: g.integers(5, dtype=int),
    "integers closed": lambda g: g.integers(0, 255, 4, np.uint8, endpoint=True),
    "poisson()": lambda g: g.poisson(),
    "binomial": lambda g: g.binomial(3, 0.5),
    "choice(5)": lambda g: g.choice(5),
    "choice rows": lambda g: g.choice([[1, 2], [3, 4]]),
    "choice columns": lambda g: g.choice([[1, 2, 3], [4, 5, 6]], 2, replace=False, axis=1),
    "permutation": lambda g: g.permutation([[1, 2]], axis=1),
    "permuted": lambda g: g.permuted(np.zeros((2, 3)), axis=-1),
    "permuted flat": lambda g: g.permuted(np.zeros((2, 3), np.int16)),
}


def same_form(found, right):
    python = type(right) in (int, float, bool)
    right = np.asarray(right)
    assert (found.dtype, tuple(found.shape), found.weak) == (right.dtype, right.shape, python)


@pytest.mark.parametrize("name", DRAWS)
def test_forms_are_those_of_numpy(name):
    for mine, its in ((natives, np.random), (natives.RandomState(3), np.random.RandomState(3))):
        same_form(in_body(lambda mine=mine: DRAWS[name](mine)), DRAWS[name](its))
    with seeds.ambient(SEED):
        outside = DRAWS[name](natives)
    assert tf.is_tensor(outside)
    assert outside.dtype == np.asarray(DRAWS[name](np.random)).dtype


@pytest.mark.parametrize("name", GENERATED)
def test_forms_are_those_of_a_generator(name):
    right = GENERATED[name](np.random.default_rng(3))
    same_form(in_body(lambda: GENERATED[name](natives.default_rng(3))), right)
    same_form(in_body(lambda: GENERATED[name](natives.default_rng())), right)


@pytest.mark.parametrize(
    "draw",
    [
        lambda r: r.random(),
        lambda r: r.uniform(1, 2),
        lambda r: r.randint(1, 2),
        lambda r: r.randrange(3),
        lambda r: r.getrandbits(5),
        lambda r: r.gauss(0, 1),
        lambda r: r.normalvariate(0, 1),
        lambda r: r.betavariate(1, 2),
        lambda r: r.expovariate(2),
        lambda r: r.triangular(0, 1),
        lambda r: r.choice([1, 2]),
        lambda r: r.choice([0.5]),
        lambda r: r.choice([True, False]),
        lambda r: r.choice(range(4)),
    ],
)
def test_the_standard_library_gives_python_numbers(draw):
    same_form(in_body(lambda: draw(standard)), draw(random))
    same_form(in_body(lambda: draw(Random(4))), draw(random.Random(4)))


def test_numbers_leave_an_image_its_dtype():
    @body
    def weak(image):
        with seeds.ambient(SEED):
            return image * natives.uniform() + standard.random() + standard.randint(1, 3)

    @body
    def strong(image):
        with seeds.ambient(SEED):
            return image * natives.default_rng(1).integers(1, 3) + pnp.float32(1)

    assert weak(tf.zeros([2], tf.float32)).dtype == tf.float32
    assert strong(tf.zeros([2], tf.uint8)).dtype == tf.float64


METHODS = [
    *(("RandomState", name) for name in vars(natives.RandomState) if not name.startswith("_")),
    *(("Generator", name) for name in vars(natives.Generator) if not name.startswith("_")),
]


@pytest.mark.skipif(not NEW, reason="environment: the signatures of NumPy 1 cannot be read")
@pytest.mark.parametrize(("owner", "name"), METHODS)
def test_methods_have_the_signature_of_the_reference(owner, name):
    its = getattr(np.random, owner)(3) if owner == "RandomState" else np.random.default_rng(3)
    mine = natives.RandomState(3) if owner == "RandomState" else natives.default_rng(3)
    assert disagreements(getattr(mine, name), getattr(its, name), set()) == []


@pytest.mark.parametrize("name", [name for name in vars(Random) if not name.startswith("_")])
def test_methods_of_random_have_its_signature(name):
    mine, its = getattr(Random(3), name), getattr(random.Random(3), name)
    stated = {"getrandbits": "(k)", "expovariate": "(lambd)"}.get(name)
    assert disagreements(mine, its, set(), stated) == []


def test_functions_that_are_no_pairs_have_its_signature():
    for mine, its in ((standard.shuffle, random.shuffle), (standard.seed, random.seed)):
        names = [name for name in inspect.signature(mine).parameters if name != "seed"]
        assert names == list(inspect.signature(its).parameters)
    for cls, its in ((Random, random.Random), (natives.RandomState, np.random.RandomState)):
        if NEW or cls is Random:
            assert list(inspect.signature(cls).parameters) == list(inspect.signature(its).parameters)


SAME = {
    "uniform": lambda: natives.uniform([0.0, 1.0], 2, (3, 2)),
    "normal": lambda: natives.normal(1, 2, (5,)),
    "randint": lambda: natives.randint(0, 2**40, (9,)),
    "poisson": lambda: natives.poisson([0.5, 20.0], (4, 2)),
    "choice": lambda: natives.choice(9, 5, False),
    "permutation": lambda: natives.permutation(9),
    "standard": lambda: tf.stack([standard.uniform(1, 2), standard.gauss(), standard.choice([1.5, 2.5])]),
    "sample": lambda: tf.stack(standard.sample(range(50), 9)),
    "own": lambda: (
        natives.default_rng(7).random(4) + natives.RandomState([1, 2]).rand(4) + Random(3).random()
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_engines_draw_alike(name):
    def drawn(seed):
        with seeds.ambient(seed):
            return SAME[name]()

    seed = tf.constant(SEED, tf.int64)
    eager = drawn(seed).numpy()
    for compiled in (False, True):
        found = tf.function(drawn, jit_compile=compiled)(seed).numpy()
        np.testing.assert_allclose(found, eager, rtol=1e-14, atol=1e-14)
    mapped = tf.data.Dataset.from_tensors(seed).map(drawn).get_single_element()
    np.testing.assert_allclose(mapped, eager, rtol=1e-14, atol=1e-14)


def _augment(image):
    if standard.random() < 0.5:
        image = image[::-1]
    low = natives.randint(0, image.shape[0] - 2)
    scale = natives.uniform(0.5, 1.5, size=image.shape)
    return image * scale + natives.normal(0, 0.1) + low


@pytest.mark.parametrize("sizes", [[6, 2], [None, None]])
def test_a_seeded_map_draws_per_element_whatever_runs_in_parallel(sizes):
    images = tf.data.Dataset.range(8).map(lambda i: tf.ones([6, 2]) + tf.cast(i, tf.float32))
    images = images.map(lambda image: tf.ensure_shape(tf.reshape(image, tf.shape(image)), sizes))
    one, four = (
        list(
            images.apply(
                seeds.seeded_map(body(_augment), 5, epochs=1, num_parallel_calls=n)
            ).as_numpy_iterator()
        )
        for n in (1, 4)
    )
    assert all(image.shape == (6, 2) for image in one)
    np.testing.assert_array_equal(one, four)
    assert len({image.tobytes() for image in one}) == 8


def test_uniform_per_element_is_uniform():
    data = tf.data.Dataset.range(3000)
    drawn = data.apply(
        seeds.seeded_map(lambda _: (natives.uniform(2, 5), standard.randint(1, 6)), 1, epochs=1)
    )
    values, dice = zip(*drawn.as_numpy_iterator(), strict=True)
    assert stats.kstest(values, stats.uniform(2, 3).cdf).pvalue > ALARM
    assert stats.chisquare(np.bincount(dice, minlength=7)[1:]).pvalue > ALARM
    assert stats.kstest(values, stats.uniform(2, 3.3).cdf).pvalue < ALARM


class TestObjects:
    """Generators with a seed of their own."""

    def test_made_inside_it_draws_the_same_for_every_element(self):
        data = tf.data.Dataset.range(3).map(lambda _: natives.default_rng(7).random(2))
        rows = list(data.as_numpy_iterator())
        np.testing.assert_array_equal(rows, [natives.default_rng(7).random(2)] * 3)

    def test_its_draws_differ(self):
        own = natives.default_rng(7)
        assert len({float(own.random()) for _ in range(20)}) == 20
        assert natives.default_rng(own) is own
        state = natives.RandomState(3)
        first = state.rand(3).numpy()
        state.seed(3)
        np.testing.assert_array_equal(state.rand(3), first)

    def test_made_outside_it_follows_the_element(self):
        def draws(own):
            data = tf.data.Dataset.range(4)
            mapped = data.apply(seeds.seeded_map(lambda _: own.random(), 1, epochs=1))
            return [float(x) for x in mapped.as_numpy_iterator()]

        seven = draws(natives.default_rng(7))
        assert len(set(seven)) == 4
        assert seven == draws(natives.default_rng(7))
        assert not set(seven) & set(draws(natives.default_rng(8)))
        own = natives.default_rng(7)
        with pytest.raises(UnsupportedArgument, match="no ambient seed"):
            tf.data.Dataset.range(2).map(lambda _: own.random())

    def test_without_a_seed_it_needs_the_ambient_one(self):
        for make in (natives.default_rng, natives.RandomState, Random):
            with pytest.raises(UnsupportedArgument, match="no ambient seed"):
                make().random()

    def test_permuted_lines_hold_what_they_held(self):
        x = np.arange(12).reshape(3, 4)
        lines = natives.default_rng(1).permuted(x, axis=1).numpy()
        np.testing.assert_array_equal(np.sort(lines, 1), x)
        assert (np.argsort(lines[0]) != np.argsort(lines[1])).any()
        columns = natives.default_rng(1).permuted(x, axis=0).numpy()
        np.testing.assert_array_equal(np.sort(columns, 0), x)


class TestShuffle:
    """In place."""

    @pytest.mark.parametrize("module", [natives, standard])
    def test_lists_and_arrays_are_written_to(self, module):
        @body
        def run(x):
            with seeds.ambient(SEED):
                numbers, rows, own = list(range(9)), [x, x + 1], pnp.arange(9)
                module.shuffle(numbers)
                module.shuffle(rows)
                module.shuffle(own)
                assert all(one.weak for one in numbers)
                assert not rows[0].weak
                return pnp.stack(numbers), pnp.stack(rows), own

        numbers, rows, own = (x.numpy() for x in run(tf.zeros([2])))
        assert sorted(numbers.tolist()) == sorted(own.tolist()) == list(range(9))
        assert numbers.tolist() != list(range(9))
        assert own.tolist() != list(range(9))
        assert sorted(rows[:, 0].tolist()) == [0, 1]
        empty = []
        module.shuffle(empty, seed=SEED)
        assert empty == []

    def test_rows_stay_whole(self):
        @body
        def run():
            x = pnp.arange(12).reshape(6, 2).copy()
            natives.shuffle(x, seed=SEED)
            return x

        rows = run().numpy()
        assert sorted(rows.tolist()) == np.arange(12).reshape(6, 2).tolist()
        assert rows.tolist() != np.arange(12).reshape(6, 2).tolist()
        with pytest.raises(OutsideDomain, match="doubles rows"):
            standard.shuffle(pnp.array([[1, 2], [3, 4]]), seed=SEED)

    @pytest.mark.parametrize("module", [natives, standard])
    @pytest.mark.parametrize("value", [tf.zeros([3]), np.zeros(3), (1, 2), "ab", 3])
    def test_others_are_refused_with_the_line_to_write(self, module, value):
        with pytest.raises(WrongType, match=r"x: got .*Write `x = numpy.random.permutation\(x\)`"):
            module.shuffle(value, seed=SEED)


class TestElements:
    """Of sequences."""

    def test_nested_and_arrays(self):
        pair = standard.choice([(1, 2.5), (3, 4.5)], seed=SEED)
        assert tuple(float(x) for x in pair) in {(1, 2.5), (3, 4.5)}
        row = standard.choice(tf.constant([[1, 2], [3, 4]]), seed=SEED)
        assert row.numpy().tolist() in ([1, 2], [3, 4])
        image = in_body(lambda: standard.choice([pnp.zeros(2), pnp.ones(2)]))
        assert (image.shape, image.weak) == ((2,), False)
        assert standard.choices([], k=0, seed=SEED) == []
        assert len({int(x) for x in standard.sample([4, 5, 6], 3, seed=SEED)}) == 3
        assert standard.sample([4], 0, seed=SEED) == []

    @pytest.mark.parametrize(
        "values", [[1, 2.0], ["a", "b"], [abs, min], [None, 1], [tf.zeros(2), tf.zeros(3)], [(1, 2), (1,)]]
    )
    def test_what_no_tensor_holds_is_refused_with_the_mend(self, values):
        with pytest.raises(UnsupportedArgument, match=r"Draw an index, and in the branches of an `if` call"):
            standard.choice(values, seed=SEED)

    def test_weights_may_be_tensors(self):
        @tf.function
        def run(weights):
            return standard.choices([5, 6, 7], weights, k=30, seed=SEED)

        assert {int(x) for x in run(tf.constant([0.0, 2.0, 1.0]))} == {6, 7}
        with pytest.raises(tf.errors.InvalidArgumentError, match="other weights"):
            run(tf.constant([0.0, 0.0, 0.0]))


def test_tensor_parameters_are_checked_in_the_graph():
    graph = {
        "scale": tf.function(lambda x: natives.normal(0, x, seed=SEED)),
        "low": tf.function(lambda x: natives.randint(x, seed=SEED)),
        "b": tf.function(lambda x: standard.randint(0, x, seed=SEED)),
        "lam": tf.function(lambda x: natives.poisson(x, seed=SEED)),
    }
    for name, function in graph.items():
        bad = tf.constant(-1) if name in ("low", "b") else tf.constant(-1.0)
        with pytest.raises(tf.errors.InvalidArgumentError, match=f"{name}: got"):
            function(bad)
        assert function(-bad).shape == ()


def test_unknown_shapes_broadcast():
    @tf.function(input_signature=[tf.TensorSpec([None]), tf.TensorSpec(None)])
    def run(low, high):
        return natives.uniform(low, high, (2, 3), seed=SEED)

    assert run(tf.zeros([3]), tf.ones([2, 1])).shape == (2, 3)
    with pytest.raises(tf.errors.InvalidArgumentError):
        run(tf.zeros([3]), tf.ones([4, 1, 1]))


@pytest.mark.parametrize(
    ("error", "said", "call"),
    [
        (UnsupportedArgument, "numpy.random.seed.*seeded_map", lambda: natives.seed(1)),
        (UnsupportedArgument, "random.seed.*seeded_map", lambda: standard.seed(1)),
        (UnsupportedArgument, "no ambient seed", natives.rand),
        (UnsupportedArgument, "no ambient seed", standard.random),
        (OutsideDomain, "scale: got -1", lambda: natives.normal(0, -1, seed=SEED)),
        (OutsideDomain, "a finite range", lambda: natives.uniform(0, np.inf, seed=SEED)),
        (OutsideDomain, "high from low on", lambda: natives.default_rng(1).uniform(1, 0)),
        (OutsideDomain, "an empty range", lambda: natives.randint(0, seed=SEED)),
        (OutsideDomain, "high: got 300", lambda: natives.randint(0, 300, dtype=np.uint8, seed=SEED)),
        (OutsideDomain, "low: got -1", lambda: natives.randint(-1, 3, dtype=np.uint8, seed=SEED)),
        (OutsideDomain, "finite numbers", lambda: natives.randint(np.nan, seed=SEED)),
        (WrongType, "dtype: got float64", lambda: natives.randint(3, dtype=float, seed=SEED)),
        (OutsideDomain, "size: got", lambda: natives.uniform(0, [1.0, 2.0], (3,), seed=SEED)),
        (OutsideDomain, "size: got", lambda: natives.uniform(0, [[1.0]], (3,), seed=SEED)),
        (OutsideDomain, "size: got", lambda: natives.rand(2, -1, seed=SEED)),
        (WrongType, "args: got", lambda: natives.rand((2, 3), seed=SEED)),
        (WrongType, "low: got None", lambda: natives.uniform(None, seed=SEED)),
        (OutsideDomain, "a: got rank 2", lambda: natives.choice([[1, 2]], seed=SEED)),
        (OutsideDomain, "a: got rank 0 of float64", lambda: natives.choice(2.5, seed=SEED)),
        (OutsideDomain, "nothing to choose from", lambda: natives.choice([], seed=SEED)),
        (BadIndex, "x: got a scalar", lambda: natives.permutation(2.5, seed=SEED)),
        (OutsideDomain, "seed: got -1", lambda: natives.default_rng(-1)),
        (OutsideDomain, "seed: got 4294967296", lambda: natives.RandomState(2**32)),
        (WrongType, "seed: got 1.5", lambda: natives.default_rng(1.5)),
        (UnsupportedArgument, "bit_generator", lambda: natives.Generator(3)),
        (UnsupportedArgument, "out: got", lambda: natives.default_rng(1).random(3, out=np.zeros(3))),
        (WrongType, "a: got 1.5", lambda: standard.randint(1.5, 3, seed=SEED)),
        (OutsideDomain, "b: got an empty range", lambda: standard.randint(3, 2, seed=SEED)),
        (OutsideDomain, "step: got 0", lambda: standard.randrange(1, 5, 0, seed=SEED)),
        (WrongType, "stop: got none", lambda: standard.randrange(5, step=2, seed=SEED)),
        (UnsupportedArgument, "k: got 64", lambda: standard.getrandbits(64, seed=SEED)),
        (BadIndex, "an empty sequence", lambda: standard.choice([], seed=SEED)),
        (WrongType, "a value of type set", lambda: standard.choice({1}, seed=SEED)),
        (UnsupportedArgument, "seq: got 'abc'", lambda: standard.choice("abc", seed=SEED)),
        (OutsideDomain, "k: got 3 of 2", lambda: standard.sample([1, 2], 3, seed=SEED)),
        (WrongType, "population: got ndarray", lambda: standard.sample(np.zeros(3), 1, seed=SEED)),
        (WrongType, "both kinds", lambda: standard.choices([1], [1], cum_weights=[1], seed=SEED)),
        (OutsideDomain, "weights: got shape", lambda: standard.choices([1, 2], [1], seed=SEED)),
        (OutsideDomain, "lambd: got 0.0", lambda: standard.expovariate(0, seed=SEED)),
        (OutsideDomain, "alpha: got", lambda: standard.betavariate(0, 1, seed=SEED)),
        (OutsideDomain, r"mu: got shape \(1,\)", lambda: standard.gauss([0.0], 1, seed=SEED)),
        (UnsupportedArgument, "a: got 'x'", lambda: Random("x")),
    ],
)
def test_what_is_not_served_is_refused(error, said, call):
    with pytest.raises(error, match=said):
        call()
