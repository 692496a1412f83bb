"""Every program that a body may become runs: all kinds of operations, dtypes and reductions at real sizes."""

from __future__ import annotations

import contextlib
import inspect

import numpy as np
import pytest
import tensorflow as tf

import pipeport.cv2
from pipeport.kernels.xla import _single_threaded
from pipeport.porting import port
from pipeport.porting.optimise import _compilable, _partition
from pipeport.porting.optimise._partition import emitted
from pipeport.porting.optimise._traced import traced
from tests.kernels.test_precompile import in_a_process
from tests.kernels.test_single_threaded import MATRIX, in_a_graph, modules
from tests.porting.programs import program_definitions

SHAPE = (128, 160, 3)
AXES = [0, 1, 2, (0, 1), (0, 1, 2)]
REDUCTIONS = ["mean", "max", "min", "prod", "sum"]
whole_programs = pytest.mark.skipif(
    not tf.version.VERSION.startswith(_single_threaded._RELEASES),
    reason="programs are divided here",
)
MARK = b"xla_cpu_small_call"


def image(dtype="float32", shape=SHAPE):
    found = np.random.default_rng(5).integers(1, 100, shape)
    return (found / 100 if dtype.startswith("float") else found % 2 if dtype == "bool" else found).astype(
        dtype
    )


def marked(concrete):
    """Whether the programs of a traced function are marked as small calls."""
    return [MARK in one.attr["module"].s for one in modules(concrete)]


# Reductions. XLA hands those of 32,768 numbers of float32 or more to a library, unless they are of a product.

# A library of XLA ends a process in which threads share a program that reduces.
SHARED = """
import threading
from tests.porting.test_programs_run import *
for size in range(120, 150):
    x = tf.constant(image(shape=(size, 160, 3)))
    run = tf.function(port(reduced_thrice), autograph=False).get_concrete_function(x)
    threads = [threading.Thread(target=lambda: [run(x) for _ in range(12)]) for _ in range(4)]
    [one.start() for one in threads], [one.join() for one in threads]
print("end")
"""


@whole_programs
def test_threads_share_a_program_that_reduces():
    assert in_a_process(SHARED) == ["end"]


def reduced(kind, axis):
    return lambda x: x - getattr(tf, f"reduce_{kind}")(x, axis, keepdims=True)


@pytest.mark.parametrize("kind", REDUCTIONS)
def test_large_reductions_of_float32_run(kind):
    x = tf.constant(image())
    for axis in AXES:
        found = in_a_graph(reduced(kind, axis), x)(x)
        np.testing.assert_allclose(found, reduced(kind, axis)(x), rtol=1e-5, atol=1e-4)


@whole_programs
@pytest.mark.parametrize("shape", [(512, 2047), (2047, 512), (600, 700, 3), (40_000,), (2**20, 2)])
@pytest.mark.parametrize("kind", ["sum", "max"])
def test_no_reduction_is_handed_over(kind, shape):
    x = tf.constant(image(shape=shape))
    for axis in range(len(shape)):
        found = in_a_graph(lambda x: 1 + getattr(tf, f"reduce_{kind}")(tf.sqrt(x), axis), x)  # noqa: B023
        right = 1 + getattr(np, kind)(np.sqrt(x, dtype=np.float64), axis=axis)
        np.testing.assert_allclose(found(x), right, rtol=1e-5)
        assert marked(found) == [True]


@whole_programs
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_large_reductions_are_small_calls(dtype):
    def every(x):
        return [reduced(kind, axis)(x) for kind in REDUCTIONS for axis in AXES]

    x = tf.constant(image(dtype))
    concrete = in_a_graph(every, x)
    assert marked(concrete) == [True]
    for one, other in zip(concrete(x), every(x), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5 if dtype == "float32" else 1e-12, atol=1e-4)


@whole_programs
@pytest.mark.parametrize("side", [2048, 2050])
@pytest.mark.parametrize("inside", [False, True])
def test_the_mark_hangs_on_the_size(side, inside):
    def plain(x):
        return tf.reduce_sum(x * 2.0, -1) + tf.reduce_max(x, -1)

    def looped(x):
        return tf.while_loop(lambda i, _: i < 3, lambda i, y: (i + 1, y + plain(x)), (0, plain(x)))[1]

    body, x = looped if inside else plain, tf.constant(image(shape=(side, 2047)))
    concrete = in_a_graph(body, x)
    assert marked(concrete) == [side == 2048]
    np.testing.assert_allclose(concrete(x), body(x), rtol=1e-5)


@whole_programs
@pytest.mark.parametrize("shape", [(64, 200, 3), (600, 600, 3)])
def test_special_numbers_are_reduced(shape):
    for special, kinds in ((np.nan, ["mean", "sum"]), (-0.0, ["max", "min"])):
        x = image(shape=shape)
        x[0, :, 0], x[1, :, 1], x[2, :, 2], x[3] = special, np.inf, -np.inf, -0.0
        for kind in kinds:
            for axis in AXES:
                found = in_a_graph(reduced(kind, axis), tf.constant(x))(tf.constant(x))
                with np.errstate(invalid="ignore"):
                    right = x - getattr(np, kind)(x, axis=axis, keepdims=True)
                np.testing.assert_allclose(found, right, rtol=1e-4, atol=1e-2)


@whole_programs
def test_a_warp_stays_a_small_call():
    x = tf.constant(image("uint8"))
    shear = tf.function(lambda x: pipeport.cv2.warpAffine(x, MATRIX, SHAPE[1::-1]), autograph=False)
    assert marked(shear.get_concrete_function(x)) == [True]


def centred(x):
    return x - x.mean(axis=-1, keepdims=True)


def reduced_thrice(x):
    return x - x.mean(-1, keepdims=True) * x.max(0) * x.min(axis=(0, 1))


def below_the_highest(x):
    return x.max(axis=-1, keepdims=True) - x * 2


def saturated(x):
    grey = x.mean(axis=-1, keepdims=True)
    return np.clip(grey + (x - grey) * 1.5, 0, 255)


def mean_of_three(x):
    return np.mean(np.stack([x, x[::-1] * 2, x * 0.1]), axis=0)


def spread(x):
    low, high = x.min(axis=2, keepdims=True), x.max(axis=2, keepdims=True)
    return (x - low) / (high - low + 1)


@pytest.mark.parametrize("body", [centred, below_the_highest, saturated, mean_of_three, spread])
@pytest.mark.parametrize("shape", [SHAPE, (256, 256, 3), (104, 105, 3), (3, 4, 3)])
def test_bodies_that_reduce_channels_run(body, shape):
    x = image(shape=shape) * 255
    found = next(iter(tf.data.Dataset.from_tensors(x).map(port(body))))
    np.testing.assert_allclose(found, body(x), rtol=1e-5, atol=1e-4)


# Operations on elements.


def of_each_kind(x, kinds):
    """Return what operations on elements give, without those that TensorFlow does not have for a dtype."""
    special = {"DstT": tf.float32, "condition": tf.equal(x, x)}
    found = {}
    for kind in kinds:
        if (run := getattr(tf.raw_ops, kind, None)) is None:
            continue
        needed = [one.name for one in inspect.signature(run).parameters.values() if one.default is one.empty]
        with contextlib.suppress(TypeError, tf.errors.OpError):
            found[kind] = run(**{name: special.get(name, x) for name in needed})
    return found


@pytest.mark.parametrize("dtype", sorted(_compilable._DTYPES))
def test_operations_on_elements_run_for_each_dtype(monkeypatch, dtype):
    monkeypatch.setattr(_partition, "_GAIN", -1000)  # although each gives an image
    x = tf.constant(np.minimum(image(dtype), 7).astype(dtype))  # which integers can be shifted by
    expected = of_each_kind(x, _compilable._EXACT | _compilable._NEARLY)

    def body(x):
        return emitted(traced(lambda: [*of_each_kind(x, expected).values()]), ends=True)

    concrete = tf.function(body, autograph=False).get_concrete_function(x)
    [program] = program_definitions(concrete)
    kinds = {node.op for node in program.node_def}
    assert kinds >= ({"Sqrt", "Exp", "Floor"} if dtype.startswith("float") else {"Equal", "SelectV2"})
    for found, (kind, want) in zip(concrete(x), expected.items(), strict=True):
        np.testing.assert_allclose(found, want, rtol=1e-5, err_msg=kind)
