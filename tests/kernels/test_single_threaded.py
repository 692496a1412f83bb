"""Programs run as one function on one thread, and are the same in all else."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
import tensorflow as tf

import pipeport.cv2
from pipeport import config, seeds
from pipeport.kernels.xla import _single_threaded

pytestmark = [
    pytest.mark.both,
    pytest.mark.skipif(
        not tf.version.VERSION.startswith(_single_threaded._RELEASES),
        reason="programs are divided in this release of TensorFlow",
    ),
]

SHAPE = (128, 160, 3)
MATRIX = np.array([[0.9, 0.2, 3.0], [-0.1, 1.1, -5.0]])


def image(dtype="uint8", shape=SHAPE):
    found = np.random.default_rng(5).integers(0, 256, shape).astype(np.uint8)
    return tf.constant(found if dtype == "uint8" else (found / 255).astype(dtype))


def stretched(x):
    return tf.sqrt(tf.clip_by_value((tf.cast(x, tf.float32) - 127.0) * 1.3, 0.0, 255.0))


def in_a_graph(body, *arguments):
    return tf.function(_single_threaded.single_threaded(body), autograph=False).get_concrete_function(
        *arguments
    )


def modules(concrete):
    """The calls of a computation that a traced function reaches."""
    library = concrete.graph.as_graph_def().library.function
    return [node for one in library for node in one.node_def if node.op == "XlaCallModule"]


# Each kernel of a divided program stands in a module of its own, and says in how many parts it runs. Programs
# are told apart by their heights.
HEIGHTS = {"undivided": 256, "elsewhere": 272, "divided": 288}
OF_OTHERS = """
import tensorflow as tf
tf.config.threading.set_intra_op_parallelism_threads(4)
from pipeport.kernels.xla import _single_threaded
from tests.kernels.test_single_threaded import HEIGHTS, image, in_a_graph, stretched
def run(height):
    x = image(shape=(height, 256, 3))
    in_a_graph(stretched, x)(x)
run(HEIGHTS["undivided"])
def body(x, unused, twice):
    return stretched(x) * 0.5, twice, twice, tf.constant([1, 2]), tf.cast(unused, tf.int32) * 0
given = image(), tf.constant(3.0), tf.constant([4.0])
print([float(tf.reduce_sum(tf.cast(one, tf.float32))) for one in in_a_graph(body, *given)(*given)][1:])
_single_threaded._PLATFORMS = (b"CUDA", b"CPU")
run(HEIGHTS["elsewhere"])
_single_threaded._RELEASES = ("none",)
run(HEIGHTS["divided"])
"""


@pytest.fixture(scope="module")
def other_process(tmp_path_factory):
    """A folder with what XLA compiled in a process of its own, and what that printed."""
    folder = tmp_path_factory.mktemp("dumped")
    flags = f"--xla_dump_to={folder} --xla_dump_hlo_as_text"
    environment = {**os.environ, "XLA_FLAGS": flags, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", OF_OTHERS]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return folder, done.stdout


@pytest.mark.parametrize(("how", "whole"), [("undivided", True), ("divided", False), ("elsewhere", False)])
def test_a_program_is_one_function_on_one_thread(other_process, how, whole):
    texts = [path.read_text() for path in other_process[0].glob("module_*cpu_after_optimizations.txt")]
    [text] = [one for one in texts if "sqrt" in one and f"f32[{HEIGHTS[how]},256,3]" in one]
    entry = text[text.index("ENTRY") :]
    assert ("xla_cpu_small_call" in entry) is whole
    # What is called is not divided, whatever the parts it would be divided into.
    assert ("outer_dimension_partitions" in entry) is not whole


def test_values_and_shapes_are_those_of_the_divided_program(monkeypatch):
    taken = [image(), image("float64"), tf.constant([True, False, True])]

    def body(bytes_, pair):
        numbers, truths = pair
        return {"sum": tf.reduce_sum(numbers, 1), "all": (stretched(bytes_), truths & (numbers[0, 0] > 0.5))}

    def run():
        concrete = in_a_graph(body, taken[0], tuple(taken[1:]))
        return concrete, concrete(*taken)

    concrete, found = run()
    monkeypatch.setattr(_single_threaded, "_RELEASES", ("none",))
    divided, expected = run()
    assert (len(modules(concrete)), len(modules(divided))) == (1, 0)
    tf.nest.assert_same_structure(found, expected)
    for one, other in zip(tf.nest.flatten(found), tf.nest.flatten(expected), strict=True):
        np.testing.assert_array_equal(one, other)
    for one, other in zip(concrete.outputs, divided.outputs, strict=True):
        assert (one.shape, one.dtype) == (other.shape, other.dtype)


def test_a_graph_holds_none_of_the_operations_of_a_program():
    # Each new iterator would optimise them again.
    concrete = tf.function(lambda x: pipeport.cv2.warpAffine(x, MATRIX, SHAPE[1::-1]), autograph=False)
    definition = concrete.get_concrete_function(image()).graph.as_graph_def()
    assert [[node.op for node in one.node_def] for one in definition.library.function] == [["XlaCallModule"]]
    [module] = modules(concrete.get_concrete_function(image()))
    # In the oldest form, and without the files it was traced from.
    assert b"StableHLO_v0." in module.attr["module"].s
    assert b".py" not in module.attr["module"].s


@pytest.mark.parametrize("value", [0.1, 1 / 3, 1e-45, float("nan"), float("inf"), -0.0, 123456789.123456789])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_numbers_of_a_program_keep_all_their_bits(value, dtype):
    kept = np.array([value, -value, 1], dtype)

    def body(x):
        # The first is one number to the compiler, the second an array.
        return tf.where(x > 0, tf.constant(kept[0]), x), tf.where(x > 0, tf.constant(kept), x)

    x = tf.constant([1, 1, 1], dtype)
    one, several = in_a_graph(body, x)(x)
    assert modules(in_a_graph(body, x))
    assert one.numpy().tobytes() == np.repeat(kept[:1], 3).tobytes()
    assert several.numpy().tobytes() == kept.tobytes()


def test_a_program_that_needs_to_know_an_argument_stays_divided():
    def body(x, axis):
        return tf.reverse(tf.sqrt(x), axis)

    given = image("float32"), tf.constant([1])
    concrete = in_a_graph(body, *given)
    assert modules(concrete) == []
    np.testing.assert_array_equal(concrete(*given), body(*given))


def test_a_program_that_another_calls_is_part_of_it():
    inner = _single_threaded.single_threaded(stretched)
    concrete = in_a_graph(lambda x: tf.round(inner(x)) * 0.5, image())
    assert len(modules(concrete)) == 1
    np.testing.assert_array_equal(concrete(image()), tf.round(stretched(image())) * 0.5)


@pytest.mark.parametrize("count", [40_001, 40_002])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_normals_of_image_size_are_one_program(count, dtype):
    concrete = tf.function(lambda seed: seeds.normal(seed, [count], dtype), autograph=False)
    traced = concrete.get_concrete_function(tf.constant([3, 5], tf.int64))
    assert len(modules(traced)) == 1
    with config.use_jit("never"):
        plain = seeds.normal((3, 5), [count], dtype)
    found = traced(tf.constant([3, 5], tf.int64))
    np.testing.assert_allclose(found, plain, rtol=1e-15 if dtype == "float64" else 0)


def test_arguments_that_nobody_needs_do_no_harm(other_process):
    # In a process of its own: XLA would end it.
    assert other_process[1].splitlines()[-1] == "[4.0, 4.0, 3.0, 0.0]"


def test_the_map_around_a_program_has_no_state(tmp_path):
    def shear(x):
        return pipeport.cv2.warpAffine(x, MATRIX, SHAPE[1::-1])

    concrete = tf.function(shear, autograph=False).get_concrete_function(image())
    assert modules(concrete)
    assert not concrete.function_def.signature.is_stateful
    # An iterator over a map with state cannot be saved with this policy.
    options = tf.data.Options()
    options.experimental_external_state_policy = tf.data.experimental.ExternalStatePolicy.FAIL
    dataset = tf.data.Dataset.from_tensors(image()).repeat(4).map(shear).with_options(options)
    iterator = iter(dataset)
    [next(iterator) for _ in range(2)]
    checkpoint = tf.train.Checkpoint(iterator=iterator)
    kept = checkpoint.write(str(tmp_path / "kept"))
    rest = [one.numpy() for one in iterator]
    checkpoint.read(kept)
    np.testing.assert_array_equal([one.numpy() for one in iterator], rest)


@pytest.mark.parametrize(
    ("body", "arguments"),
    [
        pytest.param(lambda x: tf.transpose(x[::-1], [1, 0, 2]), (image(),), id="only moves values"),
        pytest.param(stretched, (tf.TensorSpec([None, 160, 3], tf.uint8),), id="unknown sizes"),
        pytest.param(lambda x: tf.sort(tf.sqrt(x), 0), (image("float32"),), id="sorts"),
        pytest.param(
            lambda x: tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, tf.sort(y * 2.0, 0)), (0, x))[1],
            (image("float32"),),
            id="sorts in a loop",
        ),
        pytest.param(lambda: stretched(image()), (), id="no arguments"),
    ],
)
def test_other_programs_stay_as_they_are(body, arguments):
    assert modules(in_a_graph(body, *arguments)) == []


def test_gradients_are_those_of_the_body():
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            result = _single_threaded.single_threaded(lambda y: tf.sin(y) * y)(x)
        return tape.gradient(result, x)

    x = image("float32")
    concrete = tf.function(slope, autograph=False).get_concrete_function(x)
    assert modules(concrete)
    expected = tf.cos(x) * x + tf.sin(x)
    np.testing.assert_allclose(concrete(x), expected, rtol=1e-6, atol=1e-6)


def test_dtypes_are_named_as_stablehlo_names_them():
    for name in _single_threaded._TYPES:
        value = tf.cast(tf.constant([[0, 1, 1]]), name)
        result = in_a_graph(lambda x: (tf.equal(x, x), x), value)(value)
        np.testing.assert_array_equal(result[1], value)
        assert result[0].numpy().all()


@pytest.mark.parametrize("dtype", [tf.uint8, tf.float32, tf.float64])
@pytest.mark.parametrize(
    "other",
    [
        lambda dtype: tf.constant(np.arange(4096).reshape(64, 64) % 251, dtype),
        lambda dtype: tf.cast(tf.range(4096) % 251, dtype),
        lambda dtype: tf.cast(seeds.bits((1, 2), (64, 64)) % 251, dtype),
        lambda dtype: tf.ones([64, 64], dtype),
    ],
    ids=["constant", "computed", "drawn", "equal"],
)
def test_a_known_array_in_the_users_own_xla_program(dtype, other):
    """XLA ended the process at a small call with an array that it knew."""

    def body(x):
        known = tf.reshape(other(dtype), [64, 64])
        return _single_threaded.single_threaded(lambda one, two: tf.minimum(one, two) // 2)(x, known), known

    x = tf.cast(image(shape=(64, 64)), dtype)
    found, known = tf.function(body, jit_compile=True, autograph=False)(x)
    np.testing.assert_array_equal(found, np.minimum(x, known) // 2)
