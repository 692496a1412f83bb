"""`cv2.fillPoly`, `fillConvexPoly` and `polylines`: at real sizes, in and around images."""

from __future__ import annotations

import cv2 as reference
import numpy as np
import pytest
import tensorflow as tf

from pipeport import cv2
from pipeport.errors import OutsideDomain, UnsupportedArgument
from pipeport.porting import port

pytestmark = pytest.mark.both

SIZES = ((40, 50), (64, 96), (97, 130), (300, 520))
CORNERS = tf.TensorSpec([None, 2], tf.int32)


def polygon(rng: np.random.Generator, count: int, size: tuple[int, int], reach: float = 0.4) -> np.ndarray:
    """Corners in and around an image; some in one row or column, some twice."""
    height, width = size
    beyond = (int(reach * width), int(reach * height))
    low, high = (-beyond[0], -beyond[1]), (width + beyond[0], height + beyond[1])
    found = rng.integers(low, high, (count, 2)).astype(np.int32)
    for at in range(1, count):
        kind = rng.integers(8)
        if kind < 2:
            found[at, kind] = found[at - 1, kind]
        elif kind == 2:
            found[at] = found[at - 1]
    return found


def graph_of(native, size, *signature):
    """A native in a graph, on zeros of a size; None: of one that is not known while tracing."""
    if None in size:
        specs = [tf.TensorSpec(size, tf.uint8), *signature]
        return tf.function(native, input_signature=specs, autograph=False)
    zeros = np.zeros(size, np.uint8)
    return tf.function(lambda *given: native(zeros, *given[1:]), input_signature=[
        tf.TensorSpec(None, tf.uint8), *signature], autograph=False)  # fmt: skip


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("size", SIZES)
def test_polygons_of_any_number_of_corners(size: tuple[int, int], known: bool) -> None:
    rng = np.random.default_rng(size[0])
    graph = graph_of(lambda x, p: cv2.fillPoly(x, [p], 7), size if known else (None, None), CORNERS)
    for at in range(60):
        corners = polygon(rng, 1 + at % 24, size, reach=(0.0, 0.4, 3.0)[at % 3])
        right = reference.fillPoly(np.zeros(size, np.uint8), [corners], 7)
        np.testing.assert_array_equal(graph(np.zeros(size, np.uint8), corners), right, err_msg=repr(corners))


@pytest.mark.parametrize("size", SIZES)
def test_several_polygons(size: tuple[int, int]) -> None:
    rng = np.random.default_rng(size[1])
    for counts in ((3, 5), (4, 4, 9), (1, 2), (30, 3)):
        several = [polygon(rng, count, size) for count in counts]
        right = reference.fillPoly(np.zeros((*size, 3), np.uint8), several, (1, 2, 3), offset=(5, -3))
        for pts in (several, [one[:, np.newaxis] for one in several]):
            found = cv2.fillPoly(np.zeros((*size, 3), np.uint8), pts, (1, 2, 3), offset=(5, -3))
            np.testing.assert_array_equal(found, right)
    stacked = np.stack([polygon(rng, 6, size) for _ in range(3)])
    for native, theirs, rest in (
        (cv2.fillPoly, reference.fillPoly, (9,)),
        (cv2.polylines, reference.polylines, (True, 9)),
        (cv2.polylines, reference.polylines, (False, 9)),
    ):
        right = theirs(np.zeros(size, np.float32), stacked, *rest)
        for pts in (stacked, stacked[:, :, np.newaxis], list(stacked)):
            np.testing.assert_array_equal(native(np.zeros(size, np.float32), pts, *rest), right)


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("size", SIZES)
def test_convex_polygons_and_what_is_taken_for_them(size: tuple[int, int], known: bool) -> None:
    rng = np.random.default_rng(0)
    signature = tf.TensorSpec([5 if known else None, 2], tf.int32)
    graph = graph_of(lambda x, p: cv2.fillConvexPoly(x, p, 7), size if known else (None, None), signature)
    for at in range(60):
        corners = polygon(rng, 5 if known else 1 + at % 9, size)
        if at % 2:
            corners = reference.convexHull(corners)[:, 0]
            corners = (
                np.concatenate([corners, corners[-1:].repeat(5 - len(corners), 0)]) if known else corners
            )
        right = reference.fillConvexPoly(np.zeros(size, np.uint8), corners, 7)
        np.testing.assert_array_equal(graph(np.zeros(size, np.uint8), corners), right, err_msg=repr(corners))


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("thickness", [0, 1, 2, 5])
def test_lines_from_point_to_point(thickness: int, closed: bool) -> None:
    rng = np.random.default_rng(thickness)
    for size in SIZES[: 3 if thickness < 2 else 1]:
        graph = graph_of(lambda x, p: cv2.polylines(x, [p], closed, 7, thickness), size, CORNERS)
        for count in (1, 2, 3, 9, 20):
            points = polygon(rng, count, size)
            right = reference.polylines(np.zeros(size, np.uint8), [points], closed, 7, thickness)
            np.testing.assert_array_equal(graph(np.zeros(size, np.uint8), points), right)


def test_the_argument_is_written_to_in_ported_bodies() -> None:
    def shapes(image, x, y):
        mask = np.zeros(image.shape[:2], np.uint8)
        corners = np.array([[x, y], [x + 30, y + 4], [12, 33]], np.int32)
        reference.fillPoly(mask, [corners], 1)
        reference.polylines(image, [corners.reshape(-1, 1, 2)], True, (9, 8, 7))
        reference.fillConvexPoly(image[:20], corners, (1, 2, 3))
        return image, mask

    x = np.random.default_rng(0).integers(0, 256, (40, 50, 3)).astype(np.uint8)
    for shape in (x.shape, (None, None, 3)):
        specs = [tf.TensorSpec(shape, tf.uint8), *[tf.TensorSpec([], tf.int32)] * 2]
        graph = tf.function(port(shapes), input_signature=specs, autograph=False)
        for left, top in ((3, 4), (12, 17)):
            for found, right in zip(graph(x, left, top), shapes(x.copy(), left, top), strict=True):
                np.testing.assert_array_equal(found, right)


X = np.zeros((8, 9), np.uint8)
P = np.array([[1, 1], [5, 2], [3, 6]], np.int32)


def test_no_polygon_leaves_the_image() -> None:
    np.testing.assert_array_equal(cv2.fillPoly(X + 3, [], 1), X + 3)


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (OutsideDomain, lambda: cv2.fillPoly(X, [P.astype(np.int64)], 1)),
        (OutsideDomain, lambda: cv2.fillPoly(X, P, 1)),
        (OutsideDomain, lambda: cv2.fillPoly(X, [P.ravel()], 1)),
        (OutsideDomain, lambda: cv2.fillConvexPoly(X, P.astype(np.float32), 1)),
        (UnsupportedArgument, lambda: cv2.fillPoly(X, [P], 1, cv2.LINE_AA)),
        (UnsupportedArgument, lambda: cv2.fillPoly(X, [P], 1, shift=2)),
        (UnsupportedArgument, lambda: cv2.fillConvexPoly(X, P, 1, cv2.LINE_4)),
        (UnsupportedArgument, lambda: cv2.polylines(X, [P], tf.constant(True), 1)),
        (OutsideDomain, lambda: cv2.polylines(X, [P], True, 1, -1)),
        (OutsideDomain, lambda: cv2.polylines(X, [P], True, 1, 40000)),
        (OutsideDomain, lambda: cv2.fillPoly(X.astype(np.int64), [P], 1)),
    ],
)
def test_what_is_refused(error, call) -> None:
    with pytest.raises(error):
        call()
