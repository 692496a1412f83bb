"""`cv2.rectangle`, `circle`, `line` and `ellipse`: in and around images, and written through in bodies."""

from __future__ import annotations

import cv2 as reference
import numpy as np
import pytest
import tensorflow as tf

from pipeport import cv2
from pipeport.errors import OutsideDomain, UnsupportedArgument
from pipeport.porting import port

pytestmark = pytest.mark.both

SIZE = (40, 50)
X = np.zeros(SIZE, np.uint8)
POINT = tf.TensorSpec([2], tf.int32)


def drawn(native, *thickness):
    """A native in a graph, of two points or a centre and a radius."""
    other = tf.TensorSpec([], tf.int32) if native is cv2.circle else POINT
    return tf.function(
        lambda one, two: native(X, one, two, 1, *thickness), input_signature=[POINT, other], autograph=False
    )


@pytest.mark.parametrize("thickness", [-1, 0, 1, 2, 3, 4, 7])
def test_rectangles(thickness: int) -> None:
    rng, graph = np.random.default_rng(thickness + 1), drawn(cv2.rectangle, thickness)
    for _ in range(60):
        one, two = (tuple(int(k) for k in rng.integers(-20, 70, 2)) for _ in range(2))
        for ends in ((one, two), (one, one), (one, (one[0], two[1]))):
            right = reference.rectangle(X.copy(), *ends, 1, thickness)
            np.testing.assert_array_equal(graph(*ends), right, err_msg=str(ends))


@pytest.mark.parametrize("thickness", [-1, 1, 2, 3, 8])
def test_circles(thickness: int) -> None:
    rng, graph = np.random.default_rng(0), drawn(cv2.circle, thickness)
    for radius in range(0, 60, 3 if thickness > 1 else 1):
        center = tuple(int(k) for k in rng.integers(-20, 70, 2))
        right = reference.circle(X.copy(), center, radius, 1, thickness)
        np.testing.assert_array_equal(graph(center, radius), right, err_msg=f"{center} {radius}")
    with pytest.raises(tf.errors.InvalidArgumentError):
        graph((3, 3), -1)


@pytest.mark.parametrize("thickness", [1, 2, 3, 8, 31])
def test_lines(thickness: int) -> None:
    rng, graph = np.random.default_rng(0), drawn(cv2.line, thickness)
    for at in range(400 if thickness == 1 else 100):
        reach = 90 if at % 2 else 50
        one, two = (tuple(int(k) for k in rng.integers(40 - reach, reach, 2)) for _ in range(2))
        right = reference.line(X.copy(), one, two, 1, thickness)
        np.testing.assert_array_equal(graph(one, two), right, err_msg=f"{one} {two}")
    np.testing.assert_array_equal(
        graph((9, 9), (9, 9)), reference.line(X.copy(), (9, 9), (9, 9), 1, thickness)
    )


@pytest.mark.parametrize("thickness", [-1, 0, 1, 2, 7])
def test_ellipses(thickness: int) -> None:
    degrees = tf.TensorSpec([], tf.float32)
    arc = [] if thickness < 0 else [degrees, degrees]
    graph = tf.function(
        lambda center, axes, angle, *ends: cv2.ellipse(
            X, center, axes, angle, *(ends or (0, 360)), 1, thickness
        ),
        input_signature=[POINT, POINT, degrees, *arc],
        autograph=False,
    )
    rng = np.random.default_rng(0)
    for at in range(60):
        center = tuple(int(k) for k in rng.integers(-20, 70, 2))
        axes = tuple(int(k) for k in rng.integers(0, (3, 12, 20, 70)[at % 4], 2))
        angle, *ends = (float(k) for k in rng.integers(-800, 800, 3) / 2)
        ends = ends if arc and at % 3 else [0.0, 360.0]
        right = reference.ellipse(X.copy(), center, axes, angle, *ends, 1, thickness)
        found = graph(center, axes, angle, *ends[: len(arc)])
        np.testing.assert_array_equal(found, right, err_msg=f"{center} {axes} {angle} {ends}")
    with pytest.raises(tf.errors.InvalidArgumentError):
        graph((3, 3), (5, -1), 0.0, *(0.0,) * len(arc))
    with pytest.raises(tf.errors.InvalidArgumentError):
        graph((3, 3), (5, 1), np.nan, *(0.0,) * len(arc))


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "float64"])
def test_colours(dtype: str) -> None:
    for channels in (None, 1, 2, 3, 4):
        x = np.full((5, 6) if channels is None else (5, 6, channels), 3, dtype)
        for colour in (7, (1.5, 2.5, 300.4, -7.6), (9, 8), (-70000.0,)):
            right = reference.rectangle(x.copy(), (1, 1), (3, 2), colour, -1)
            found = cv2.rectangle(x, (1, 1), (3, 2), colour, -1)
            assert (found.dtype, found.shape) == (right.dtype, right.shape)
            np.testing.assert_array_equal(found, right)


def test_the_argument_is_written_to_in_ported_bodies() -> None:
    def boxes(image, left, top):
        canvas = image.copy()
        half = canvas[:20]
        again = reference.rectangle(half, (left, top), (left + 9, top + 5), (1, 2, 3), -1)
        if left > 8:
            reference.circle(canvas, (20, 25), 6, (250, 0, 9), -1)
        for step in range(3):
            reference.line(canvas, (step, 0), (40, 30 + step), (7, 7, 7))
        reference.ellipse(canvas, (30, 20), (12, left), top, 0, 360, (5, 6, 7), 2)
        return canvas, again

    x = np.random.default_rng(0).integers(0, 256, (*SIZE, 3)).astype(np.uint8)
    graph = tf.function(
        port(boxes),
        input_signature=[tf.TensorSpec(x.shape, tf.uint8), *[tf.TensorSpec([], tf.int32)] * 2],
        autograph=False,
    )
    for left, top in ((3, 4), (12, 17)):
        for found, right in zip(graph(x, left, top), boxes(x, left, top), strict=True):
            np.testing.assert_array_equal(found, right)


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (UnsupportedArgument, lambda: cv2.rectangle(X, (1, 1), (3, 3), 1, 1, cv2.LINE_AA)),
        (UnsupportedArgument, lambda: cv2.rectangle(X, (1, 1), (3, 3), 1, 1, cv2.LINE_8, 2)),
        (UnsupportedArgument, lambda: cv2.rectangle(X, (1.5, 1), (3, 3), 1)),
        (UnsupportedArgument, lambda: cv2.rectangle(X, (1, 1, 3, 3), (0, 0), 1)),
        (UnsupportedArgument, lambda: cv2.rectangle(X, (1, 1), (3, 3), (1, 2, 3, 4, 5))),
        (OutsideDomain, lambda: cv2.rectangle(X, (1, 1), (3, 3), 1, 40000)),
        (OutsideDomain, lambda: cv2.rectangle(X.astype(np.int64), (1, 1), (3, 3), 1)),
        (OutsideDomain, lambda: cv2.rectangle(np.stack([X] * 5, -1), (1, 1), (3, 3), 1)),
        (OutsideDomain, lambda: cv2.circle(X, (1, 1), 3, 1, 40000)),
        (UnsupportedArgument, lambda: cv2.circle(X, (1, 1), 3, 1, 1, cv2.LINE_4)),
        (OutsideDomain, lambda: cv2.circle(X, (1, 1), -3, 1)),
        (OutsideDomain, lambda: cv2.line(X, (1, 1), (3, 3), 1, 40000)),
        (UnsupportedArgument, lambda: cv2.ellipse(X, (9, 9), (5, 3), 0, 0, 90, 1, -1)),
        (OutsideDomain, lambda: cv2.ellipse(X, (9, 9), (5, 3), "30", 0, 360, 1)),
        (UnsupportedArgument, lambda: cv2.ellipse(X, (9, 9), (5, 3), (30, 40), 0, 360, 1)),
        (UnsupportedArgument, lambda: cv2.ellipse(X, (9, 9), (5.5, 3), 0, 0, 360, 1)),
        (OutsideDomain, lambda: cv2.ellipse(X, (9, 9), (5, -3), 0, 0, 360, 1)),
        (OutsideDomain, lambda: cv2.line(X, (1, 1), (3, 3), 1, -1)),
        (OutsideDomain, lambda: cv2.line(X, (1, 1), (3, 3), 1, 0)),
    ],
)
def test_what_is_refused(error, call) -> None:
    with pytest.raises(error):
        call()
