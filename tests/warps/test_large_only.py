"""Branches that only large sizes reach; each is also shown to be noticed when it is left out."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
import tensorflow as tf

import pipeport.cv2 as cv2_natives
import pipeport.kernels.opencv._warp_maps as cv2_maps
import pipeport.kernels.sampling._interpolate as interpolate
import pipeport.kernels.sampling._margins as margins
import pipeport.kernels.xla as xla
from pipeport.verify._engines import forget
from tests.warps.judged import wrong_calls

pytestmark = pytest.mark.newest_only

RANDOM = np.random.default_rng(0)


@pytest.fixture(autouse=True)
def _nothing_compiled_before_or_after():
    """A compiled body would hide that a kernel was exchanged."""
    xla._compiled.cache_clear()
    yield
    xla._compiled.cache_clear()
    forget()


def wide_perspective():
    """OpenCV adds up coordinates of a projective map in blocks of columns, 64 wide from a height of 16 on.

    It shows where a coordinate lies on a tie of its steps of 1/32 pixel: ours must fall to the same side.
    """
    image = RANDOM.integers(-30000, 30000, (40, 1500)).astype(np.int16)
    # 35.2 steps a column and a start of 0.1, 0.3 ... steps: every fifth column is a tie.
    starts = [(0.1 + 0.2 * k) / 32 for k in range(5)]
    matrices = [
        np.array([[slope, 0, start], [0, 1, 0], [0, 0, 1.0]]) for slope in (1.1, 0.7) for start in starts
    ]
    native = tf.function(lambda src, M: cv2_natives.warpPerspective(src, M, (1500, 40), flags=17))
    wrong = []
    for matrix in matrices:
        ours, theirs = native(image, matrix).numpy(), cv2.warpPerspective(image, matrix, (1500, 40), flags=17)
        if (ours != theirs).any():
            wrong.append(f"{matrix.tolist()}: {np.sum(ours != theirs)} pixels")
    return wrong, len(matrices)


def sizes_beyond_512():
    """Up to 512 px a bucket is 64 wide; beyond, it doubles with the size."""
    shapes = ((513, 40), (700, 70), (1100, 33))
    calls = [
        {"image": RANDOM.random(shape, np.float32), "angle": angle, "order": 1, "mode": "reflect"}
        for shape in shapes
        for angle in (30.0, 90.0)
    ]
    return wrong_calls(
        "pipeport.skimage.transform.rotate",
        calls,
        ("graph",),
        tensors={"angle": "float64"},
        unknown={"image": (0, 1)},
    )


def splines_beyond_512():
    calls = [
        {"input": RANDOM.random(shape), "angle": 45.0, "reshape": False, "mode": "mirror"}
        for shape in ((513, 40), (600, 65))
    ]
    return wrong_calls(
        "pipeport.scipy.ndimage.rotate",
        calls,
        ("graph",),
        tensors={"angle": "float64"},
        unknown={"input": (0, 1)},
    )


def long_lines():
    """Borders and filters of lines beyond 4096 pixels are computed in the graph, not stored in it."""
    line = RANDOM.random(5000)
    calls = [
        {"input": line, "shift": np.array([amount]), "mode": mode, "order": order}
        for amount, mode, order in (
            (-2.5, "mirror", 3),
            (4.25, "grid-wrap", 1),
            (3.0, "reflect", 3),
            (0.5, "nearest", 3),
        )
    ]
    return wrong_calls("pipeport.scipy.ndimage.shift", calls, ("graph",))


def many_taps():
    """More than 36 taps are summed in a loop: from order 3 on, of a volume."""
    volume = RANDOM.random((65, 17, 70))
    matrix = np.array([[0.5, 0.5, 0], [-0.5, 1.5, 0], [0, 1 / 3, 1]])
    calls = [{"input": volume, "matrix": matrix, "offset": np.array([1.0, -2.0, 0.5]), "order": 3}]
    return wrong_calls("pipeport.scipy.ndimage.affine_transform", calls, ("graph",))


LARGE = (
    wide_perspective,
    sizes_beyond_512,
    splines_beyond_512,
    long_lines,
    many_taps,
)


@pytest.mark.parametrize("large", LARGE, ids=lambda large: large.__name__)
def test_large_sizes_agree(large):
    wrong, judged = large()
    assert judged
    assert not wrong, "\n".join(wrong)


def _one_block(patch):
    patch.setattr(cv2_maps, "_BLOCK", 2**30)


def _buckets_end_at_512(patch):
    patch.setattr(xla, "bucket", lambda sizes: sizes * 0 + 512)


def _padding_read_as_image(patch):
    padded = xla.padded_to_bucket
    patch.setattr(xla, "padded_to_bucket", lambda x, axes, fill=0: padded(x[:, ::-1], axes, fill))


def _borders_of_another_rule(patch):
    fold = margins.fold_taps
    patch.setattr(margins, "fold_taps", lambda index, size, rule: fold(index, size + 1, rule))


def _a_tap_lost(patch):
    looped = interpolate._looped
    patch.setattr(interpolate, "_looped", lambda plan, *rest: 0.999 * looped(plan, *rest))


LEFT_OUT = (
    (wide_perspective, _one_block),
    (sizes_beyond_512, _buckets_end_at_512),
    (splines_beyond_512, _padding_read_as_image),
    (long_lines, _borders_of_another_rule),
    (many_taps, _a_tap_lost),
)


@pytest.mark.parametrize(("large", "mutate"), LEFT_OUT, ids=lambda one: one.__name__)
def test_a_broken_branch_is_noticed(monkeypatch, large, mutate):
    mutate(monkeypatch)
    wrong, judged = large()
    assert wrong, f"{judged} calls passed"


@pytest.mark.parametrize("size", [(250, 250), (500, 1023), (2000, 3000)])
def test_the_bound_of_float32_warps_grows_with_the_image(size):
    """OpenCV rounds float32 coordinates otherwise in the columns that its vectors leave over."""
    image = RANDOM.random(size, np.float32)
    turn = cv2.getRotationMatrix2D((size[1] / 2, size[0] / 2), 33.3, 1.1)
    native = tf.function(lambda src, M: cv2_natives.warpAffine(src, M, size[::-1]))
    error = np.abs(native(image, turn).numpy() - cv2.warpAffine(image, turn, size[::-1])).max()
    assert error <= 1e-5 + 2 * np.finfo(np.float32).eps * max(size)


def test_a_constant_bound_of_float32_warps_would_not_hold():
    wide = np.broadcast_to(np.arange(3000, dtype=np.float32) % 2, (8, 3000)).copy()
    matrix = np.array([[0.9371, 0.3, 1.7], [0.0, 1.0, 0.0]])
    native = tf.function(lambda src, M: cv2_natives.warpAffine(src, M, (2999, 8), flags=17))
    error = np.abs(native(wide, matrix).numpy() - cv2.warpAffine(wide, matrix, (2999, 8), flags=17)).max()
    assert error > 1e-5
