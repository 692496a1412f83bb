"""Mutants: natives with one thing wrong, which the whole machinery must reject, each for its reason.

They are judged like natives: by the contract of the real pair, on drawn examples. The example that
rejects a mutant is one on which the untouched native is right, so a rejection is not the harness
failing by itself.
"""

from __future__ import annotations

import functools
import math

import pytest
import tensorflow as tf

from pipeport.contract import contract_of
from pipeport.errors import NotEquivalent
from pipeport.idioms import random_flip_pair
from pipeport.numpy import flip, pad, roll, rot90, transpose
from pipeport.skimage.transform import rotate
from pipeport.verify._case import Plan, run_case
from pipeport.verify._pair import pair_of
from tests.meta.rejections import rejection, untouched

pytestmark = pytest.mark.newest_only

# Enough for the rarest mutant to be met; a trace costs more than an eager call, and shows more.
PLANS = {"eager": Plan(examples=150, shrink=False)}
# These show only where bytes are asked for, of an interpolated image on its own range: few draws.
RARE = dict.fromkeys(
    ("truncation_for_rounding", "wrapped_around_for_saturated"), Plan(examples=1500, shrink=False)
)
TRACED = Plan(examples=30, shrink=False)
# What draws of the wrong distribution are rejected by is computed once, after the examples.
DRAWS = Plan(examples=10, shrink=False)
MUTANTS = {}
SWAPPED = {"reflect": "symmetric", "symmetric": "reflect"}


def mutant(native, engine="eager", reason="differs"):
    """Register a mutant of a native; it keeps the native's signature and contract."""

    def register(body):
        name = body.__name__  # before `wraps` gives it the native's
        MUTANTS[name] = (native, functools.wraps(native)(body), engine, reason)
        return body

    return register


# Geometry


@mutant(flip)
def off_by_one_pixel(m, axis=None):
    return tf.roll(flip(m, axis), 1, 0) if m.shape.rank else m


@mutant(roll)
def off_by_one_shift(a, shift, axis=None):
    return roll(a, tf.add(shift, 1) if axis else shift, axis)


@mutant(rot90)
def swapped_axes(m, k=1, axes=(0, 1)):
    return rot90(m, k, axes[::-1])


@mutant(transpose, reason="shape")
def inverse_permutation(a, axes=None):
    if axes is None:
        return transpose(a)
    return transpose(a, tf.math.invert_permutation([axis % len(axes) for axis in axes]).numpy().tolist())


@mutant(rotate)
def transposed_centre(image, angle, *, center=None, **options):
    if center is not None:
        center = (center[1], center[0])
    return rotate(image, angle, center=center, **options)


@mutant(rotate)
def centre_off_by_half_a_pixel(image, angle, *, center=None, **options):
    if center is None:
        center = (image.shape[1] / 2, image.shape[0] / 2)
    return rotate(image, angle, center=center, **options)


@mutant(rotate)
def degrees_for_radians(image, angle, **options):
    factor = 180 / math.pi
    return rotate(
        image, tf.cast(angle, tf.float64) * factor if tf.is_tensor(angle) else angle * factor, **options
    )


@mutant(rotate)
def clockwise(image, angle, **options):
    return rotate(image, -angle, **options)


@mutant(rotate)
def forgotten_channel(image, angle, **options):
    result = rotate(image, angle, **options)
    if result.shape.rank != 3 or result.shape[2] < 2:
        return result
    return tf.concat([result[..., :-1], tf.zeros_like(result[..., -1:])], -1)


# Borders


@mutant(pad)
def wrong_border_mode(array, pad_width, mode="constant", **options):
    return pad(array, pad_width, SWAPPED.get(mode, mode), **options)


@mutant(rotate)
def wrong_border_mode_of_a_warp(image, angle, *, mode="constant", **options):
    return rotate(image, angle, mode=SWAPPED.get(mode, mode), **options)


@mutant(rotate)
def edge_for_constant(image, angle, *, mode="constant", **options):
    return rotate(image, angle, mode="edge" if mode == "constant" else mode, **options)


@mutant(pad)
def wrong_pad_value(array, pad_width, mode="constant", **options):
    options.pop("constant_values", None)
    return pad(array, pad_width, mode, **options)


@mutant(rotate)
def wrong_cval(image, angle, *, cval=0, **options):
    return rotate(image, angle, cval=0 if cval == 1 else cval, **options)


# Arguments


@mutant(rot90, reason="shape")
def ignored_k(m, k=1, axes=(0, 1)):
    return rot90(m, 1, axes)


@mutant(rotate)
def ignored_clip(image, angle, *, clip=True, **options):
    return rotate(image, angle, clip=True, **options)


@mutant(rotate)
def ignored_preserve_range(image, angle, *, preserve_range=False, **options):
    return rotate(image, angle, preserve_range=True, **options)


@mutant(rotate)
def ignored_order(image, angle, *, order=None, **options):
    linear = order == 1 and options.get("dtype") is None and image.dtype in (tf.float32, tf.float64)
    return rotate(image, angle, order=0 if linear else order, **options)


@mutant(pad)
def ignored_reflect_type(array, pad_width, mode="constant", **options):
    options.pop("reflect_type", None)
    return pad(array, pad_width, mode, **options)


# Dtypes


@mutant(rotate)
def truncation_for_rounding(image, angle, *, dtype=None, **options):
    if dtype not in ("uint8", "uint16"):
        return rotate(image, angle, dtype=dtype, **options)
    return tf.saturate_cast(rotate(image, angle, dtype="float64", **options), dtype)


@mutant(rotate)
def wrapped_around_for_saturated(image, angle, *, dtype=None, **options):
    if dtype != "uint8":
        return rotate(image, angle, dtype=dtype, **options)
    whole = tf.cast(tf.round(rotate(image, angle, dtype="float64", **options)), tf.int64)
    return tf.cast(whole & 255, tf.uint8)


@mutant(rotate, reason="dtype")
def wrong_dtype(image, angle, **options):
    result = rotate(image, angle, **options)
    return tf.cast(result, tf.float32) if result.dtype == tf.float64 else result


@mutant(rotate)
def float32_arithmetic_in_float64(image, angle, **options):
    result = rotate(image, angle, **options)
    return tf.cast(tf.cast(result, tf.float32), tf.float64) if result.dtype == tf.float64 else result


# What is not finite, and what is refused


def without_nan(result):
    if not result.dtype.is_floating:
        return result
    return tf.where(tf.math.is_nan(result), tf.zeros_like(result), result)


@mutant(flip)
def nan_swallowed(m, axis=None):
    return without_nan(flip(m, axis))


@mutant(rotate)
def nan_swallowed_by_a_warp(image, angle, **options):
    return without_nan(rotate(image, angle, **options))


@mutant(flip, reason="sign of zero")
def sign_of_zero_lost(m, axis=None):
    return flip(m, axis) + tf.cast(0, m.dtype) if m.dtype.is_floating else flip(m, axis)


@mutant(pad, reason="kind of error")
def different_kind_of_error(array, pad_width, mode="constant", **options):
    try:
        return pad(array, pad_width, mode, **options)
    except (ValueError, tf.errors.InvalidArgumentError) as error:
        raise TypeError(str(error)) from error


@mutant(pad, reason="native gives an answer")
def accepts_what_is_refused(array, pad_width, mode="constant", **options):
    try:
        return pad(array, pad_width, mode, **options)
    except (ValueError, tf.errors.InvalidArgumentError):
        return pad(array, pad_width, "constant")


@mutant(flip, reason="native raises")
def refuses_what_is_accepted(m, axis=None):
    if m.shape.rank == 3:
        raise ValueError("rank 3")
    return flip(m, axis)


# Graphs


def hidden(result, shape):
    """Return the result with less known about its shape."""
    return tf.compat.v1.placeholder_with_default(result, shape)


@mutant(flip, "graph", "rank is lost")
def lost_rank(m, axis=None):
    return hidden(flip(m, axis), None)


@mutant(flip, "graph", "lost on axis")
def lost_static_shape(m, axis=None):
    return hidden(flip(m, axis), [None] * m.shape.rank)


@mutant(rotate, "dataset", "lost on axis")
def lost_static_shape_in_a_dataset(image, angle, **options):
    result = rotate(image, angle, **options)
    return hidden(result, [None] * result.shape.rank)


@mutant(rot90, "graph", "static shape: says")
def static_shape_that_lies(m, k=1, axes=(0, 1)):
    result = rot90(m, k, axes)
    if m.shape.rank != 2 or not m.shape.is_fully_defined():
        return result
    result = hidden(result, [None, None])
    result.set_shape(m.shape)
    return result


@mutant(flip, "graph", "Python boundary")
def python_boundary(m, axis=None):
    result = tf.numpy_function(lambda x: flip(x, axis).numpy(), [m], m.dtype)
    result.set_shape(m.shape)
    return result


@mutant(flip, "graph")
def wrong_in_graphs_alone(m, axis=None):
    return flip(m, axis) if tf.executing_eagerly() else tf.identity(m)


@mutant(flip, "graph")
def wrong_with_unknown_sizes_alone(m, axis=None):
    return flip(m, axis) if m.shape.is_fully_defined() else tf.identity(m)


# Batches


def mutant_of_the_batch_form(native):
    """Register a mutant whose form for one image is right."""

    def register(body):
        def same(*arguments, **options):
            return native(*arguments, **options)

        wrapped = functools.wraps(native)(same)
        wrapped.__pipeport_batch_form__ = body
        MUTANTS[body.__name__] = (native, wrapped, "batched", "differs")
        return body

    return register


@mutant_of_the_batch_form(rotate)
def batch_with_the_angle_of_its_first_element(image, angle, *rest, **options):
    angle = tf.convert_to_tensor(angle)
    return rotate.__pipeport_batch_form__(image, angle[0] if angle.shape.rank else angle, *rest, **options)


@mutant_of_the_batch_form(rot90)
def batch_with_the_k_of_its_first_element(m, k=1, axes=(0, 1)):
    k = tf.convert_to_tensor(k)
    return rot90.__pipeport_batch_form__(m, k[0] if k.shape.rank else k, axes)


@mutant_of_the_batch_form(flip)
def batch_flipped_along_itself(m, axis=None):
    return tf.reverse(m, [0])


# Random pairs


@mutant(random_flip_pair, reason="no draw")
def label_left_alone(image, label, p=0.5, axis=1, *, seed=None):
    return random_flip_pair(image, label, p, axis, seed=seed)[0], label


@mutant(random_flip_pair, reason="no draw")
def label_along_all_axes(image, label, p=0.5, axis=1, *, seed=None):
    everywhere = random_flip_pair(image, label, p, (0, 1), seed=seed)
    return random_flip_pair(image, label, p, axis, seed=seed)[0], everywhere[1]


@mutant(random_flip_pair, reason="distribution")
def randomness_frozen(image, label, p=0.5, axis=1, *, seed=None):
    return random_flip_pair(image, label, p, axis, seed=(1, 2))


@mutant(random_flip_pair, reason="distribution")
def probability_ignored(image, label, p=0.5, axis=1, *, seed=None):
    return random_flip_pair(image, label, p if p in (0, 1) else 0.5, axis, seed=seed)


ENGINES_OF_MUTANTS = sorted({engine for _, _, engine, _ in MUTANTS.values()})


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_rejected_for_its_reason_and_the_native_is_not(name):
    native, mutated, engine, reason = MUTANTS[name]
    plan = DRAWS if reason == "distribution" else RARE.get(name, PLANS.get(engine, TRACED))
    record = rejection(native, mutated, engine, plan)
    assert record.status == "failed", f"{name} passed {record.examples} examples in {engine}"
    assert reason in record.failure.reason


@pytest.mark.parametrize(
    ("native", "engine"),
    [*((flip, engine) for engine in ENGINES_OF_MUTANTS), (random_flip_pair, "eager")],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_an_untouched_native_passes_under_the_same_settings(native, engine):
    plan = DRAWS if native is random_flip_pair else PLANS.get(engine, TRACED)
    record = run_case(pair_of(contract_of(native), native=untouched(native)), engine, plan)
    assert record.failure is None, record.failure.reason
    assert record.examples == plan.examples


def test_a_rejection_that_the_native_shares_is_none():
    @functools.wraps(flip)
    def wrong(m, axis=None):
        return tf.identity(m)

    with pytest.raises(NotEquivalent, match="differs"):
        rejection(wrong, wrong, "eager", PLANS["eager"])
