"""skimage.transform's natives: fills, clipping, smoothing and many axes, as in the reference."""

from __future__ import annotations

import math

import numpy as np
import pytest
import skimage.transform as reference
import tensorflow as tf

from pipeport import batched
from pipeport.errors import OutsideDomain, UnsupportedArgument
from pipeport.skimage import transform

RANDOM = np.random.default_rng(16)
PICTURE = RANDOM.random((7, 8))
MASK = PICTURE > 0.5
MATRIX = np.array([[1.0, 0.2, -1.0], [0.1, 0.9, 0.3], [0.0, 0.0, 1.0]])
WHERE = np.indices((7, 8)) * 1.3 - 1

# What leaves part of the result outside the image, by name.
CALLS = {
    "rotate": lambda module, x, **options: module.rotate(x, 30, **options),
    "warp": lambda module, x, **options: module.warp(x, MATRIX, **options),
    "coordinates": lambda module, x, **options: module.warp(x, WHERE, **options),
    "swirl": lambda module, x, **options: module.swirl(x, mode="constant", rotation=1, **options),
    "warp_polar": lambda module, x, **options: module.warp_polar(x, radius=8.0, **options),
    "rescale": lambda module, x, **options: module.rescale(x, 1.6, mode="constant", **options),
    "resize": lambda module, x, **options: module.resize(x, (9, 5), mode="constant", **options),
}


def same(native, right, far: float = 1e-9) -> None:
    native, right = np.asarray(native), np.asarray(right)
    assert native.shape == right.shape
    assert native.dtype == right.dtype
    np.testing.assert_allclose(native.astype(float), right.astype(float), rtol=far, atol=far)


@pytest.mark.parametrize("clip", [True, False])
@pytest.mark.parametrize("cval", [0.25, 0.99, 1.0, -0.5])
@pytest.mark.parametrize("name", CALLS)
def test_a_fill_between_the_levels_of_an_image(name, cval, clip):
    """An image of True alone shows a quirk: clipped, a fill of 0.25 is True, since bool(0.25) is."""
    whole = (PICTURE * 9 + 3).astype(np.uint8)
    for picture in (MASK, MASK | True, MASK & False, whole, whole.astype(np.int16) - 7):
        options = {"order": 0, "cval": cval, "clip": clip}
        same(CALLS[name](transform, picture, **options), CALLS[name](reference, picture, **options))


def test_such_a_fill_in_compiled_code():
    for picture in (MASK | True, (PICTURE * 9 + 3).astype(np.uint8)):
        for name in ("rotate", "resize"):
            native = tf.function(
                lambda x, name=name: CALLS[name](transform, x, order=0, cval=0.6), jit_compile=True
            )
            same(native(picture), CALLS[name](reference, picture, order=0, cval=0.6))


@pytest.mark.parametrize("order", [0, 1, 3])
@pytest.mark.parametrize("name", CALLS)
def test_nan_is_a_fill_of_floating_results(name, order):
    same(CALLS[name](transform, PICTURE, order=order, cval=math.nan),
         CALLS[name](reference, PICTURE, order=order, cval=math.nan))  # fmt: skip
    if order:
        whole = (PICTURE * 200).astype(np.uint8)
        same(CALLS[name](transform, whole, order=order, cval=np.nan),
             CALLS[name](reference, whole, order=order, cval=np.nan))  # fmt: skip


def test_nan_as_a_tensor():
    fill = tf.constant(math.nan)
    native = tf.function(lambda x, cval: transform.resize(x, (9, 5), mode="constant", cval=cval))
    same(native(PICTURE, fill), reference.resize(PICTURE, (9, 5), mode="constant", cval=math.nan))
    same(native(PICTURE, tf.constant(0.5)), reference.resize(PICTURE, (9, 5), mode="constant", cval=0.5))


@pytest.mark.parametrize("name", CALLS)
def test_fills_without_a_level_are_refused(name):
    with pytest.raises(OutsideDomain, match="cval"):
        CALLS[name](transform, MASK, order=0, cval=math.nan)
    with pytest.raises(OutsideDomain, match="cval"):
        CALLS[name](transform, PICTURE, cval=math.inf)


def test_a_fill_that_is_not_used_may_be_anything():
    for fill in (math.nan, math.inf):
        for picture in (MASK, PICTURE):
            same(transform.resize(picture, (9, 5), cval=fill), reference.resize(picture, (9, 5), cval=fill))
            same(transform.rotate(picture, 9, mode="edge", cval=fill),
                 reference.rotate(picture, 9, mode="edge", cval=fill))  # fmt: skip


@pytest.mark.skipif(np.__version__ < "2", reason="environment: NumPy 1 compares them in float64")
@pytest.mark.parametrize("order", [0, 1])
def test_floats_are_compared_with_the_fill_in_their_own_precision(order):
    """float32 of 0.1 is above 0.1, and counts as the fill all the same."""
    picture = (PICTURE * 0.5 + 0.5).astype(np.float32)
    for name in ("rotate", "resize", "coordinates"):
        options = {"order": order, "cval": 0.1}
        same(CALLS[name](transform, picture, **options), CALLS[name](reference, picture, **options), 1e-6)


# ------------------------------------------------------------------------------- smoothing


@pytest.mark.parametrize("mode", ["reflect", "edge"])
@pytest.mark.parametrize("hole", [True, False], ids=["nan", "finite"])
def test_a_smoothed_image_stays_in_its_range(hole, mode):
    """Sums of normalised weights miss one by a rounding; the reference clips."""
    worst = 0.0
    for sides, sizes in (((9, 10), (1, 13)), ((9, 7), (7, 5)), ((8, 11), (7, 8)), ((9, 5), (6, 13))):
        picture = np.ones(sides)
        if hole:
            picture[-1, -1] = np.nan
        native = transform.resize(picture, sizes, mode=mode, anti_aliasing=True)
        same(native, reference.resize(picture, sizes, mode=mode, anti_aliasing=True), 1e-12)
        worst = max(worst, np.nanmax(native, initial=0.0))
    assert worst == 1.0


def test_without_clipping_it_leaves_its_range():
    """What the test above would notice."""
    picture = np.ones((9, 5))
    assert np.max(transform.resize(picture, (6, 13), anti_aliasing=True, clip=False)) > 1.0


@pytest.mark.parametrize("engine", ["eager", "graph", "xla"])
@pytest.mark.parametrize("dtype", ["uint8", "int32"])
def test_integers_without_interpolation_lose_fractions_axis_by_axis(dtype, engine):
    """Bit for bit: in flat parts the last bit of a sum decides whether 5 stays 5."""
    limits = np.iinfo(dtype)
    noise = RANDOM.integers(limits.min, limits.max, (23, 17)).astype(dtype)
    flat = np.where(noise > 0, 7, 3).astype(dtype)
    for picture in (noise, flat):
        for mode, sigma, clip in (("reflect", None, True), ("constant", 1.3, False)):
            options = {
                "order": 0,
                "anti_aliasing": True,
                "mode": mode,
                "anti_aliasing_sigma": sigma,
                "clip": clip,
            }

            def native(x, options=options):
                return transform.resize(x, (9, 6), **options)

            if engine != "eager":
                native = tf.function(native, jit_compile=engine == "xla")
            same(native(tf.constant(picture)), reference.resize(picture, (9, 6), **options), 0)


def test_integers_of_unknown_size_need_a_sigma():
    spec = tf.TensorSpec([None, None], tf.uint8)
    picture = (PICTURE * 255).astype(np.uint8)
    options = {"order": 0, "anti_aliasing": True}
    with pytest.raises(UnsupportedArgument, match="give anti_aliasing_sigma"):
        tf.function(lambda x: transform.resize(x, (3, 4), **options)).get_concrete_function(spec)
    options["anti_aliasing_sigma"] = 1.0
    native = tf.function(lambda x: transform.resize(x, (3, 4), **options), input_signature=[spec])
    same(native(picture), reference.resize(picture, (3, 4), **options), 0)


# ------------------------------------------------------------------------------- many axes


@pytest.mark.parametrize("mode", ["reflect", "constant"])
@pytest.mark.parametrize("rank", [4, 5, 6])
def test_arrays_of_many_axes(rank, mode):
    picture = RANDOM.random((3, 2, 3, 2, 2, 2)[:rank])
    same(transform.resize(picture, [2] * rank, mode=mode), reference.resize(picture, [2] * rank, mode=mode))
    where = RANDOM.random((rank, 5)) * 2
    same(transform.warp(picture, where, mode=mode), reference.warp(picture, where, mode=mode))
    same(transform.pyramid_reduce(picture), reference.pyramid_reduce(picture))


def test_an_image_without_axes():
    number = np.array(3.0)
    same(transform.resize(number, (2, 3)), reference.resize(number, (2, 3)))
    same(batched(transform.resize)(np.arange(3.0), (2,)), np.arange(3.0).repeat(2).reshape(3, 2))
    with pytest.raises(OutsideDomain, match="no sizes"):
        transform.resize(number, ())
