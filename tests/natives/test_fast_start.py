"""Datasets that start fast give what they give otherwise, print nothing, and stay plain where they must."""

from __future__ import annotations

import collections
import gc
import os
import re
import subprocess
import sys
import weakref

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import config, seeds
from pipeport._tensorflow_private import BARRIER, _starts, context
from pipeport.seeds import seeded_map
from tests.fast_starts import library, starts_alone

pytestmark = pytest.mark.both

Pair = collections.namedtuple("Pair", "left right")


def elements(dataset) -> list[list[np.ndarray]]:
    """Return the elements as flat lists of arrays."""
    rows = (tf.nest.flatten(one, expand_composites=True) for one in dataset)
    return [[np.array(part.numpy()) for part in row if part is not None] for row in rows]


def numbers(count=6):
    return tf.data.Dataset.range(count)


def both_ways(make):
    """Return the dataset that starts fast, and assert that it is what TensorFlow makes otherwise."""
    plain = make()
    with config.use_fast_start(True):
        fast = make()
    assert starts_alone(fast)
    assert not starts_alone(plain)
    assert fast.element_spec == plain.element_spec
    assert int(fast.cardinality()) == int(plain.cardinality())
    if plain.cardinality() != tf.data.INFINITE_CARDINALITY:
        for one, other in zip(elements(fast), elements(plain), strict=True):
            for part, expected in zip(one, other, strict=True):
                assert part.dtype == expected.dtype
                assert part.tolist() == expected.tolist()
    return fast


def loop(x):
    return tf.while_loop(lambda i, total: i < x, lambda i, total: (i + 1, total + i * x), (x * 0, x))[1]


def constant(_):
    return tf.function(lambda y: tf.math.cumsum(tf.range(10) + y))(tf.constant(3))


def on_disc(x):
    with tf.control_dependencies([tf.debugging.assert_less(x, tf.constant(100, tf.int64))]):
        return tf.identity(x)


TABLE = tf.lookup.StaticHashTable(
    tf.lookup.KeyValueTensorInitializer(tf.range(6, dtype=tf.int64), tf.range(6) * 7), -1
)

BODIES = {
    "one int32": lambda x: tf.cast(x, tf.int32),
    "several int32": lambda x: (tf.cast(x, tf.int32), tf.cast(x, tf.float32), tf.cast(x, tf.int32)),
    "the argument twice": lambda x: (x, x),
    "bfloat16, complex, bytes": lambda x: (
        tf.cast(x, tf.bfloat16),
        tf.cast(x, tf.complex64),
        tf.strings.as_string(x),
    ),
    "empty": lambda x: tf.zeros([0, 3]) + tf.cast(x, tf.float32),
    "dict": lambda x: {"a": x, "b": {"c": (x + 1, None)}},
    "namedtuple": lambda x: Pair(x, tf.cast(x, tf.int32)),
    "list, a tensor": lambda x: [x, x + 1],
    "ragged": lambda x: tf.RaggedTensor.from_row_lengths(tf.range(x + 2), [x, 2]),
    "sparse": lambda x: tf.sparse.from_dense(tf.stack([x, tf.constant(0, tf.int64), x])),
    "condition": lambda x: tf.cond(x > 2, lambda: x * 2, lambda: x - 1),
    "loop": loop,
    "map_fn": lambda x: tf.map_fn(lambda y: y * y, tf.range(x + 1)),
    "vectorized_map": lambda x: tf.vectorized_map(lambda y: y * y, tf.range(x + 1)),
    "function": lambda x: tf.function(tf.range)(x, 9),
    "program": lambda x: tf.function(tf.math.square, jit_compile=True)(x) + 1,
    "constant": constant,
    "no use of the argument": lambda _: tf.math.cumsum(tf.range(10)),
    "numpy_function": lambda x: tf.numpy_function(lambda y: y + 1, [x], tf.int64),
    "py_function": lambda x: tf.py_function(lambda y: y + 1, [x], tf.int64),
    "check": on_disc,
    "table": TABLE.lookup,
    "inner dataset": lambda x: numbers(x + 1).map(lambda y: y * x).reduce(x, lambda a, b: a + b),
    "gradient": lambda x: tf.gradients((y := tf.cast(x, tf.float32)) ** 3, [y])[0],
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_map_gives_what_it_gives_otherwise(body):
    both_ways(lambda: numbers().map(body))
    both_ways(lambda: numbers().map(body, num_parallel_calls=2))


STAGES = {
    "several maps": lambda made: made.map(lambda x: x + 1).map(lambda x: (x, x * 2), name="second"),
    "AUTOTUNE, in any order": lambda made: made.map(
        lambda x: x + 1, num_parallel_calls=tf.data.AUTOTUNE, deterministic=True
    ),
    "filter": lambda made: made.filter(lambda x: x % 2 == 0),
    "flat_map": lambda made: made.flat_map(lambda x: numbers(x).map(lambda y: y + x)),
    "interleave": lambda made: made.interleave(lambda x: numbers(x).map(lambda y: y * x), cycle_length=2),
    "interleave, parallel": lambda made: made.interleave(
        lambda x: numbers(x).map(lambda y: y * x), cycle_length=2, num_parallel_calls=2
    ),
    "scan": lambda made: made.scan(tf.constant(0, tf.int64), lambda a, x: (a + x, a * x)),
    "take_while": lambda made: made.take_while(lambda x: x < 4),
    "batch, unbatch, shuffle": lambda made: (
        made.shuffle(3, seed=1)
        .map(lambda x: x + 1)
        .batch(2)
        .map(lambda x: (x, tf.cast(x, tf.int32)))
        .unbatch()
        .prefetch(1)
    ),
    "window, zip, shard": lambda made: (
        tf.data.Dataset.zip((made.map(lambda x: x + 1), made))
        .shard(2, 1)
        .window(2)
        .flat_map(lambda x, y: tf.data.Dataset.zip((x, y)))
    ),
    "cache, repeat": lambda made: made.map(lambda x: x + 1).cache().repeat(2),
    "endless": lambda made: made.repeat().map(lambda x: x + 1),
    "errors ignored": lambda made: made.map(
        lambda x: tf.debugging.check_numerics(1 / tf.cast(x, tf.float32), "inf")
    ).ignore_errors(),
}


@pytest.mark.parametrize("stages", STAGES.values(), ids=STAGES)
def test_stages_give_what_they_give_otherwise(stages):
    both_ways(lambda: stages(numbers()))


def test_options_hold_on_both_sides():
    options = tf.data.Options()
    options.deterministic = False
    options.autotune.enabled = False
    made = both_ways(lambda: numbers().with_options(options).map(lambda x: x + 1).with_options(options))
    assert made.options().deterministic is False
    assert made.options().autotune.enabled is False


def test_draws_of_seeded_map():
    def drawn(x):
        return x, seeds.uniform(seeds.look_up()), seeds.randint(seeds.look_up(), 0, 1000)

    for more in ({"epochs": 2}, {"epoch": 3}, {"epoch": 0, "index": lambda x: x}):
        both_ways(lambda more=more: numbers().apply(seeded_map(drawn, 42, num_parallel_calls=2, **more)))


def test_passes_are_counted():
    with config.use_fast_start(True):
        counted = numbers().apply(seeded_map(lambda x: (x, seeds.uniform(seeds.look_up())), 1))
    assert starts_alone(counted)
    passes = tuple(tuple(float(draw) for _, draw in counted) for _ in range(3))
    named = [
        numbers().apply(seeded_map(lambda x: seeds.uniform(seeds.look_up()), 1, epoch=n)) for n in range(3)
    ]
    assert passes == tuple(tuple(map(float, one)) for one in named)


def test_ported_bodies(tmp_path):
    np.save(tmp_path / "array.npy", np.arange(12.0).reshape(3, 4))

    def read(path, image):
        first = np.load(path).astype(np.float32)
        if image.mean() > 3:
            image = image[:, ::-1]
        return first + image.astype(np.float32) / 255

    images = np.random.default_rng(0).integers(0, 9, (5, 3, 4)).astype(np.uint8)
    paths = [str(tmp_path / "array.npy")] * 5
    both_ways(lambda: tf.data.Dataset.from_tensor_slices((paths, images)).map(pipeport.port(read)))


def test_barriers_against_optimisers_go_with_them():
    def ratios(image):
        return image.astype(np.float32) / 255 / 3

    images = np.random.default_rng(0).integers(0, 255, (3, 4, 4)).astype(np.uint8)
    made = [tf.data.Dataset.from_tensor_slices(images).map(pipeport.port(ratios))]
    with config.use_fast_start(True):
        made.append(tf.data.Dataset.from_tensor_slices(images).map(pipeport.port(ratios)))
    kinds = [{node.op for one in library(dataset) for node in one.node_def} for dataset in made]
    assert [BARRIER in one for one in kinds] == [True, False]
    for dataset in made:
        np.testing.assert_array_equal(np.stack(list(dataset)), ratios(images))


def test_a_boundary_that_becomes_native():
    images = np.random.default_rng(0).integers(0, 255, (6, 8, 8, 3)).astype(np.uint8)

    def scaled(image):
        return image.astype(np.float32) / 255

    with config.use_fast_start(True), pipeport.install(prefer_native=True) as report:
        made = tf.data.Dataset.from_tensor_slices(images)
        made = made.map(lambda image: tf.numpy_function(scaled, [image], tf.float32))
    [verdict] = report.verdicts
    assert verdict.is_native
    assert starts_alone(made)
    np.testing.assert_array_equal(np.stack(list(made)), scaled(images))


def test_floats_are_those_of_eager_mode():
    x = np.random.default_rng(0).normal(size=2000).astype(np.float32)

    def twice(x):
        return x * 0.1 * 3.7

    eager = twice(tf.constant(x))
    for wanted in (True, False):
        with config.use_fast_start(wanted):
            [found] = tf.data.Dataset.from_tensors(x).map(twice)
        assert np.array_equal(found, eager) == wanted


def test_an_island_lives_as_long_as_its_dataset():
    def make():
        return numbers().map(lambda x: tf.numpy_function(lambda y: y * 7, [x], tf.int64))

    with config.use_fast_start(True):
        made = make().batch(2)
    gc.collect()
    assert [one.tolist() for one in made.as_numpy_iterator()] == [[0, 7], [14, 21], [28, 35]]


def test_variables_are_written_and_generators_drawn_from():
    variable = tf.Variable(0, dtype=tf.int64)
    with config.use_fast_start(True):
        made = numbers().map(lambda x: variable.assign_add(x) + 0)
        generator = tf.random.Generator.from_seed(1)
        drawn = numbers().map(lambda _: generator.normal([2]))
    assert starts_alone(made)
    assert starts_alone(drawn)
    assert [int(one) for one in made] == [0, 1, 3, 6, 10, 15]
    assert int(variable) == 15
    values = np.stack(list(drawn))
    expected = tf.random.Generator.from_seed(1)
    np.testing.assert_array_equal(values, np.stack([expected.normal([2]) for _ in range(6)]))


def test_an_iterator_is_saved_and_restored(tmp_path):
    def body(x):
        return tf.function(lambda y: tf.cond(y > 2, lambda: y * 2, lambda: y))(on_disc(x))

    iterator = iter(both_ways(lambda: numbers().map(body, num_parallel_calls=2)))
    next(iterator)
    path = tf.train.Checkpoint(iterator=iterator).save(str(tmp_path / "checkpoint"))
    after = [int(one) for one in iterator]
    tf.train.Checkpoint(iterator=iterator).restore(path)
    assert [int(one) for one in iterator] == after


def test_datasets_on_disc(tmp_path):
    with config.use_fast_start(True):
        made = numbers().map(lambda x: x * 2)
        made.save(str(tmp_path / "saved"))
        cached = numbers().map(lambda x: x * 2).snapshot(str(tmp_path / "snapshot"))
    for _ in range(2):
        assert [int(one) for one in cached] == [0, 2, 4, 6, 8, 10]
    assert [int(one) for one in tf.data.Dataset.load(str(tmp_path / "saved"))] == [0, 2, 4, 6, 8, 10]


def test_a_dataset_in_a_function_and_in_a_saved_model(tmp_path):
    with config.use_fast_start(True):
        made = numbers().map(lambda x: x * 2)

        @tf.function(input_signature=[])
        def total():
            return made.reduce(tf.constant(0, tf.int64), lambda a, b: a + b)

        @tf.function(input_signature=[tf.TensorSpec([], tf.int64)])
        def inside(count):
            own = numbers(count).map(lambda x: x * 2)
            return own.reduce(tf.constant(0, tf.int64), lambda a, b: a + b)

        assert int(total()) == 30
        module = tf.Module()
        module.inside = inside
        tf.saved_model.save(module, str(tmp_path))
    assert int(tf.saved_model.load(str(tmp_path)).inside(6)) == 30


def marked_under(setting):
    with config.use_fast_start(True), setting:
        return starts_alone(numbers().map(lambda x: x + 1))


class _Set:
    """Sets something of TensorFlow for a block."""

    def __init__(self, function, value, before):
        self.function, self.value, self.before = function, value, before

    def __enter__(self):
        self.function(self.value)

    def __exit__(self, *error):
        self.function(self.before)


@pytest.mark.filterwarnings("ignore:Even though")
def test_functions_that_run_eagerly_stay_plain():
    assert marked_under(config.use_fast_start(True))
    assert not marked_under(_Set(tf.config.run_functions_eagerly, True, False))


def test_graphs_stay_plain():
    with config.use_fast_start(True), tf.Graph().as_default(), tf.compat.v1.Session() as session:
        made = tf.compat.v1.data.make_one_shot_iterator(numbers().map(lambda x: x * 3)).get_next()
        assert [session.run(made) for _ in range(3)] == [0, 3, 6]


def test_what_is_replaced_while_optimising_stays_plain():
    with config.use_fast_start(True):
        made = numbers().map(lambda x: tf.parallel_stack([x, x]))
    assert not starts_alone(made)
    assert [one.tolist() for one in made.as_numpy_iterator()][1] == [1, 1]


def test_other_devices_stay_plain(monkeypatch):
    device = collections.namedtuple("Device", "name")
    for names, marked in (
        (["/device:CPU:0", "/device:CPU:1"], True),
        (["/device:CPU:0", "/device:GPU:0"], False),
        (["/device:CPU:0", "/job:worker/replica:0/task:0/device:CPU:0"], False),
    ):
        monkeypatch.setattr(tf.config, "list_logical_devices", lambda names=names: map(device, names))
        assert marked_under(config.use_fast_start(True)) == marked


def test_a_newer_release_stays_plain(monkeypatch):
    monkeypatch.setattr(_starts, "release", lambda: (2, 99))
    assert not marked_under(config.use_fast_start(True))


def test_functions_are_forgotten_with_their_dataset():
    with config.use_fast_start(True):
        made = numbers().map(lambda x: tf.function(tf.math.square)(x) + 1)
    names = [one.signature.name for one in library(made) if "_pipeport_" in one.signature.name]
    assert len(names) == 3
    iterator = iter(made)
    assert all(map(context().has_function, names))
    dataset = weakref.ref(made)
    del made
    assert int(next(iterator)) == 1
    del iterator
    gc.collect()
    assert dataset() is None
    assert not any(map(context().has_function, names))


SCRIPT = """
import sys
import numpy as np
import tensorflow as tf
import pipeport
from pipeport import config
from pipeport._tensorflow_private import _starts
from pipeport.seeds import seeded_map
from tests.fast_starts import library, starts_alone

[processor] = tf.config.list_physical_devices("CPU")
two = [tf.config.LogicalDeviceConfiguration()] * 2
tf.config.set_logical_device_configuration(processor, two)
with tf.device("/CPU:1"):
    elsewhere = tf.Variable(3, dtype=tf.int64)

config.set_fast_start({wanted})
{before}
numbers = tf.data.Dataset.range(4)

def drawn(image):
    top = np.random.randint(0, 3)
    return (image[top : top + 4] * np.random.uniform(0.5, 1.5)).astype(np.float32)

print("begin", file=sys.stderr, flush=True)
images = tf.data.Dataset.from_tensors(np.ones([8, 8, 3], np.uint8)).repeat(4)
for made in (
    images.apply(seeded_map(pipeport.port(drawn), 1, epochs=1, num_parallel_calls=2)),
    numbers.map(lambda x: (tf.cast(x, tf.int32), tf.cast(x, tf.int32))),
    numbers.map(lambda x: tf.function(lambda y: tf.math.cumsum(tf.range(9) + y))(tf.constant(3))),
    numbers.map(lambda _: tf.while_loop(lambda i: i < 5, lambda i: (i + 1,), (tf.range(3)[1],))[0]),
    numbers.map(lambda x: tf.numpy_function(lambda y: y + 1, [x], tf.int64)),
    numbers.map(lambda x: x + elsewhere),  # raises unless it stays plain
    numbers.filter(lambda x: x > 1).batch(2),
):
    for one in made:
        pass
"""


def said(file, wanted: bool, before: str = "") -> set[str]:
    """Return what a process prints on standard error, without times and numbers."""
    file.write_text(SCRIPT.format(wanted=wanted, before=before))
    done = subprocess.run(
        [sys.executable, str(file)],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"TF_CPP_MIN_LOG_LEVEL": "0"},
    )
    lines = done.stderr.partition("begin\n")[2].splitlines()
    # The numbers of threads are set to the right.
    return {re.sub(r" *(?:0x[0-9a-f]+|[0-9]+)", " 0", one) for one in lines}


def test_nothing_is_printed_that_is_not_printed_otherwise(tmp_path):
    plain = said(tmp_path / "script.py", False)
    assert said(tmp_path / "script.py", True) <= plain
    # Constant calls as they stand, which TensorFlow computes in vain.
    noisy = said(tmp_path / "script.py", True, "_starts._WITH_STATE.clear()") - plain
    assert any("is not defined" in one for one in noisy)
