"""Kernels with the mistakes that were found at real sizes: the structured geometries must reject each."""

from __future__ import annotations

import functools

import numpy as np
import pytest
import tensorflow as tf

import pipeport.kernels.opencv._warp_sample as cv2_warp_sample
import pipeport.kernels.pillow._affine as pil_affine
import pipeport.kernels.sampling._bilinear as sampling
import pipeport.kernels.sampling._spline_weights as spline_weights
from pipeport.kernels.sampling import _coordinates
from pipeport.skimage.transform import _rotating, _splines
from tests.warps.geometries import WARPS, cases
from tests.warps.judged import wrong_calls

pytestmark = pytest.mark.newest_only


def two_roundings(coordinate, *, nearest=False):
    """Take the index from a coordinate that was rounded otherwise than that of the weight."""
    otherwise = coordinate * (1 - np.finfo(coordinate.dtype.as_numpy_dtype).eps)
    whole, _ = _coordinates.split(otherwise, nearest=nearest)
    return whole, tf.math.floormod(coordinate - whole, tf.ones([], coordinate.dtype))


# The warp, the number of a case whose form the mutated code serves, and where `split` is looked up.
SPLITS = (
    ("pipeport.cv2.warpAffine", 0, cv2_warp_sample),
    ("pipeport.cv2.warpAffine", 2, cv2_warp_sample),
    ("pipeport.skimage.transform.rotate", 2, sampling),
    ("pipeport.skimage.transform.rotate", 0, spline_weights),
    ("pipeport.scipy.ndimage.rotate", 0, spline_weights),
    ("pipeport.scipy.ndimage.affine_transform", 2, spline_weights),
    ("pipeport.PIL.Image.rotate", 2, pil_affine),
)


@pytest.mark.parametrize(("name", "number", "kernel"), SPLITS)
def test_index_and_weight_from_two_roundings_are_rejected(monkeypatch, name, number, kernel):
    case = cases(WARPS[name])[number]
    judge = functools.partial(wrong_calls, name, engines=("eager",), tensors=case.warp.tensors)
    assert judge(case.geometries(30))[0] == []
    monkeypatch.setattr(kernel, "split", two_roundings)
    assert judge(case.geometries(30))[0]


def test_a_lost_clip_is_rejected(monkeypatch):
    case = next(c for c in cases(WARPS["pipeport.skimage.transform.rotate"]) if c.form["order"] == 3)
    calls = [{**arguments, "cval": 0.5} for arguments in case.geometries(4)]
    name = "pipeport.skimage.transform.rotate"
    assert wrong_calls(name, calls, ("eager",))[0] == []
    monkeypatch.setattr(_splines, "clipped", lambda result, *rest: result)
    assert wrong_calls(name, calls, ("eager",))[0]


def test_a_lost_clip_of_the_fill_is_rejected(monkeypatch):
    name = "pipeport.skimage.transform.rotate"
    image = np.random.default_rng(0).random((64, 64)) / 2 + 0.5
    # Turned by half a degree no pixel lies wholly outside, but corners mix with the fill.
    calls = [{"image": image, "angle": 0.5, "cval": 0.0}]
    assert wrong_calls(name, calls, ("eager",))[0] == []
    monkeypatch.setattr(_rotating._affine, "_clipped", lambda plan, warped, outside, images: warped)
    assert wrong_calls(name, calls, ("eager",))[0]
