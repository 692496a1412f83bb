"""The discontinuities of the rotation and the OpenCV peer, against scikit-image itself."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter
from skimage.transform import rotate

from pipeport.references import discontinuities, peers

MODES = ("constant", "edge", "symmetric", "reflect", "wrap")


def _matches(stack: list[np.ndarray], wanted: np.ndarray, tolerance: float) -> np.ndarray:
    good = np.zeros(wanted.shape, bool)
    with np.errstate(invalid="ignore"):
        for member in stack:
            close = np.abs(member.astype(float) - wanted) <= tolerance
            good |= close | (member == wanted) | (np.isnan(member.astype(float)) & np.isnan(wanted))
    return good


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("order", [0, 1])
@pytest.mark.parametrize("dtype", ["uint8", "float32", "float64"])
def test_the_reference_is_on_one_side_of_each_discontinuity(dtype: str, order: int, mode: str) -> None:
    rng = np.random.default_rng([order, *map(ord, mode)])
    on_other_side = total = 0
    for angle in (0.0, 30.0, 45.0, 90.0, 180.0, -90.0, 77.7):
        for resize in (False, True):
            shape = tuple(rng.integers(1, 12, 2)) + ((3,) if resize else ())
            image = (rng.random(shape) * 200).astype(dtype)
            if dtype != "uint8":
                image.flat[rng.integers(image.size)] = rng.choice([np.nan, np.inf])
            given = {
                "resize": resize,
                "order": order,
                "mode": mode,
                "cval": 3.0,
                "preserve_range": True,
            }
            with np.errstate(invalid="ignore"):
                wanted = rotate(image, angle, **given)
            wide = image if dtype == "uint8" else image.astype(np.float64)
            stack = discontinuities.rotate(wide, angle, **given)
            tolerance = 1e-2 if dtype == "float32" and order == 1 else 1e-9
            assert _matches(stack, wanted, tolerance).all()
            on_other_side += int((~_matches(stack[:1], wanted, tolerance)).sum())
            total += wanted.size
    assert on_other_side <= 0.25 * total


def test_without_discontinuities_all_members_agree() -> None:
    image = np.random.default_rng(0).random((9, 7))
    stack = discontinuities.rotate(image, 33.0, mode="edge")
    assert all(np.array_equal(member, stack[0]) for member in stack)


def test_the_range_that_clip_keeps_may_hang_on_one_pixel() -> None:
    # At 90 degrees about this centre the border is hit at exactly one pixel's distance.
    image = np.linspace(0, 1, 16).reshape(4, 4)
    results = discontinuities.rotate(image, 90.0, center=(2, 2), cval=5.0, mode="constant")
    assert {float(one.max()) for one in results} == {1.0, 5.0}


@pytest.mark.parametrize("center", [None, (10.5, 30.0)])
@pytest.mark.parametrize("angle", [30.0, -75.0, 200.0])
def test_the_opencv_peer_turns_the_same_way_about_the_same_point(
    angle: float, center: tuple[float, float] | None
) -> None:
    cv2 = pytest.importorskip("cv2")
    image = gaussian_filter(np.random.default_rng(0).random((60, 80)), 3).astype(np.float32)
    # OpenCV 4 rounds coordinates to 1/32 pixel.
    tolerance = 2e-5 if int(cv2.__version__.split(".")[0]) >= 5 else 2e-2
    wanted = rotate(image, angle, center=center, preserve_range=True)
    inner = np.s_[2:-2, 2:-2]
    found = peers.rotate_cv2(image, angle, center=center)
    assert np.quantile(np.abs(found - wanted)[inner], 0.98) <= tolerance
    assert np.abs(peers.rotate_cv2(image, -angle, center=center) - wanted).max() > 0.05


def test_the_opencv_peer_keeps_dtype_and_channels() -> None:
    pytest.importorskip("cv2")
    image = np.zeros((5, 6, 1), np.uint8)
    assert peers.rotate_cv2(image, 10).shape == (5, 6, 1)
    assert peers.rotate_cv2(image, 10).dtype == np.uint8
    with pytest.raises(ValueError, match="rotate_cv2 serves"):
        peers.rotate_cv2(image, 10, mode="wrap")
