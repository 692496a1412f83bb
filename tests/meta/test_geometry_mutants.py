"""Mutants of geometry and reading: borders, matrices, sizes, lists, channels, files, objects.

As in `test_mutants`, they are judged by the contract of the real pair, and the example that rejects a
mutant is one on which the untouched native is right.
"""

from __future__ import annotations

import functools

import pytest
import tensorflow as tf

from pipeport import cv2
from pipeport.numpy import concatenate
from pipeport.PIL import Image
from pipeport.scipy import ndimage
from pipeport.skimage import transform
from pipeport.verify._case import Plan
from tests.meta.rejections import rejection

pytestmark = pytest.mark.newest_only

PLAN = Plan(examples=100, shrink=False)
MUTANTS = {}


def mutant(native, reason="differs"):
    """Register a mutant of a native; it keeps the native's signature and contract."""

    def register(body):
        name = body.__name__
        MUTANTS[name] = (native, functools.wraps(native)(body), reason)
        return body

    return register


SWAPPED = {"reflect": "mirror", "mirror": "reflect", "grid-wrap": "wrap", "wrap": "grid-wrap"}


@mutant(ndimage.shift)
def another_border(input, shift, *rest, mode="constant", **options):
    return ndimage.shift(input, shift, *rest, mode=SWAPPED.get(mode, mode), **options)


@mutant(ndimage.spline_filter)
def another_border_of_the_prefilter(input, order=3, mode="mirror", **options):
    return ndimage.spline_filter(input, order=order, mode=SWAPPED.get(mode, mode), **options)


@mutant(ndimage.shift)
def prefilter_forgotten(input, shift, *rest, **options):
    return ndimage.shift(input, shift, *rest, **{**options, "prefilter": False})


@mutant(ndimage.zoom)
def grid_mode_ignored(input, zoom, *rest, **options):
    return ndimage.zoom(input, zoom, *rest, **{**options, "grid_mode": False})


@mutant(ndimage.map_coordinates)
def rows_for_columns(input, coordinates, *rest, **options):
    return ndimage.map_coordinates(input, coordinates[::-1], *rest, **options)


@mutant(cv2.warpAffine)
def inverse_flag_ignored(src, M, dsize, dst=None, flags=1, **options):
    return cv2.warpAffine(src, M, dsize, dst, flags & ~cv2.WARP_INVERSE_MAP, **options)


@mutant(cv2.invertAffineTransform)
def inverted_twice(M, iM=None):
    return cv2.invertAffineTransform(cv2.invertAffineTransform(M))


@mutant(cv2.resize, reason="shape")
def width_for_height(src, dsize, *rest, **options):
    return cv2.resize(src, None if dsize is None else dsize[::-1], *rest, **options)


@mutant(cv2.remap)
def maps_swapped(src, map1, map2, *rest, **options):
    return cv2.remap(src, *((map1, map2) if map2 is None else (map2, map1)), *rest, **options)


@mutant(cv2.imread)
def blue_for_red(filename, flags=1, **options):
    image = cv2.imread(filename, flags, **options)
    return image[..., ::-1] if image.shape.rank == 3 else image


@mutant(cv2.imdecode)
def orientation_ignored(buf, flags=1, **options):
    return cv2.imdecode(buf, flags if flags < 0 else flags | cv2.IMREAD_IGNORE_ORIENTATION, **options)


@mutant(concatenate)
def another_order(arrays, *rest, **options):
    return concatenate(arrays[::-1], *rest, **options)


@mutant(Image.rotate)
def clockwise(image, angle, *rest, **options):
    return Image.rotate(image, -angle, *rest, **options)


@mutant(transform.downscale_local_mean)
def padding_counted_in_the_mean(image, factors, cval=0, **options):
    return transform.downscale_local_mean(image, factors, cval + 1, **options)


class MirroredTurn(transform.EuclideanTransform):
    """A class with the sign of an angle wrong."""

    def __init__(self, matrix=None, *, rotation=None, translation=None, dimensionality=None):
        turned = rotation if rotation is None or isinstance(rotation, (tuple, list)) else -rotation
        super().__init__(matrix, rotation=turned, translation=translation, dimensionality=dimensionality)


MUTANTS["angle_mirrored"] = (transform.EuclideanTransform, MirroredTurn, "differs")


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_rejected_for_its_reason_and_the_native_is_not(name):
    native, mutated, reason = MUTANTS[name]
    record = rejection(native, mutated, "eager", PLAN)
    assert record.status == "failed", f"{name} passed {record.examples} examples"
    assert reason in record.failure.reason


def test_tensors_reach_the_mutants():
    """A mutant that only works on Python values would fail for the wrong reason."""
    assert tf.is_tensor(cv2.invertAffineTransform(tf.eye(2, 3)))
