"""`cv2.erode`, `dilate`, `morphologyEx`, `getStructuringElement`: kernels, borders, rounds, refusals."""

from __future__ import annotations

import itertools

import cv2 as reference
import numpy as np
import pytest
import tensorflow as tf

from pipeport import cv2
from pipeport.errors import OutsideDomain, UnsupportedArgument
from pipeport.porting import port

RANDOM = np.random.default_rng(17)
# The last two have no symmetry: with them an opening is not below the image everywhere.
KERNELS = [
    None,
    np.ones((3, 3), np.uint8),
    np.ones((2, 5), np.uint8),
    reference.getStructuringElement(reference.MORPH_ELLIPSE, (7, 5)),
    np.array([[1, 0, 0, 1], [0, 0, 1, 0]], np.uint8),
    np.array([[0, 1], [0, 0]], np.uint8),
]
OPERATIONS = range(7)
BORDERS = [cv2.BORDER_CONSTANT, cv2.BORDER_REPLICATE, cv2.BORDER_REFLECT, cv2.BORDER_REFLECT_101]


def image(dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    if dtype.startswith("float"):
        return (RANDOM.normal(size=shape) * 100).astype(dtype)
    ends = np.iinfo(dtype)
    return RANDOM.integers(ends.min, ends.max + 1, shape).astype(dtype)


def assert_equal(run, x: np.ndarray, *, sizes: bool = True) -> None:
    right = run(reference, x)
    unknown = tf.TensorSpec([None, None, *x.shape[2:]], x.dtype)
    specs = (tf.TensorSpec(x.shape, x.dtype), unknown) if sizes else (unknown,)
    graphs = [tf.function(lambda x: run(cv2, x), input_signature=[spec], autograph=False) for spec in specs]
    for function in (lambda x: run(cv2, x), *graphs):
        found = function(tf.constant(x)).numpy()
        assert found.dtype == right.dtype
        np.testing.assert_array_equal(found, right)


@pytest.mark.parametrize("kernel", range(len(KERNELS)))
@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_operation(operation: int, kernel: int) -> None:
    dtypes = itertools.cycle(["uint8", "uint16", "int16", "float32", "float64"])
    shapes = itertools.cycle([(9, 13), (1, 1), (40, 31, 3), (3, 70, 4), (2, 2, 5)])
    for _ in range(operation):
        next(dtypes)
    anchor = (-1, -1) if operation % 2 else (0, 0)
    for border in BORDERS:
        x = image(next(dtypes), next(shapes))
        rounds = (operation + border) % 4

        def run(package, x, border=border, rounds=rounds):
            given = {"anchor": anchor, "iterations": rounds, "borderType": border}
            return package.morphologyEx(x, operation, KERNELS[kernel], **given)

        assert_equal(run, x, sizes=border == cv2.BORDER_CONSTANT)


@pytest.mark.parametrize("name", ["erode", "dilate"])
def test_images_of_usual_sizes(name: str) -> None:
    x = image("uint8", (250, 333, 3))
    for kernel in (np.ones((5, 5), np.uint8), KERNELS[3]):
        assert_equal(lambda package, x, kernel=kernel: getattr(package, name)(x, kernel, iterations=2), x)


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32"])
def test_large_kernels_that_are_no_rectangles(dtype: str) -> None:
    ellipse = reference.getStructuringElement(reference.MORPH_ELLIPSE, (31, 31))
    cross = reference.getStructuringElement(reference.MORPH_CROSS, (101, 35))
    pieces = (np.random.default_rng(5).random((20, 30)) < 0.6).astype(np.uint8)
    for shape in ((64, 520, 3), (97, 128)):
        x = image(dtype, shape)
        for kernel in (ellipse, cross, np.tri(40, dtype=np.uint8), pieces):
            assert_equal(
                lambda package, x, kernel=kernel: package.erode(x, kernel), x, sizes=dtype == "uint8"
            )
            anchored = {"anchor": (3, 5), "borderType": cv2.BORDER_REFLECT}
            right = reference.morphologyEx(x, cv2.MORPH_CLOSE, kernel, **anchored)
            np.testing.assert_array_equal(cv2.morphologyEx(x, cv2.MORPH_CLOSE, kernel, **anchored), right)


def test_the_anchor_without_a_kernel() -> None:
    x = image("uint8", (7, 9))
    for rounds in (1, 2):
        given = {"anchor": (0, 0), "iterations": rounds, "borderType": cv2.BORDER_REFLECT_101}
        assert_equal(lambda package, x, given=given: package.erode(x, None, **given), x)
        assert_equal(lambda package, x, given=given: package.morphologyEx(x, 2, None, **given), x)
        assert_equal(lambda package, x, given=given: package.morphologyEx(x, 0, None, **given), x)


@pytest.mark.parametrize("shape", [cv2.MORPH_RECT, cv2.MORPH_CROSS, cv2.MORPH_ELLIPSE])
def test_structuring_elements(shape: int) -> None:
    for size in itertools.product((1, 2, 3, 4, 5, 9, 16, 23), repeat=2):
        for anchor in ((-1, -1), (0, -1)):
            found = cv2.getStructuringElement(shape, size, anchor)
            np.testing.assert_array_equal(found, reference.getStructuringElement(shape, size, anchor))


def test_in_a_ported_body() -> None:
    def cleaned(mask):
        kernel = reference.getStructuringElement(reference.MORPH_ELLIPSE, (5, 5))
        opened = reference.morphologyEx(mask, reference.MORPH_OPEN, kernel)
        disc = reference.getStructuringElement(reference.MORPH_ELLIPSE, (31, 31))
        return reference.dilate(reference.dilate(opened, np.ones((3, 3), np.uint8), iterations=2), disc)

    x = (image("uint8", (64, 80)) > 60).astype(np.uint8)
    np.testing.assert_array_equal(port(cleaned)(x), cleaned(x))
    traced = tf.function(port(cleaned), autograph=False)(tf.constant(x))
    np.testing.assert_array_equal(traced, cleaned(x))


X = np.zeros((5, 6), np.uint8)
ONES = np.ones((3, 3), np.uint8)


@pytest.mark.parametrize(
    ("error", "words", "call"),
    [
        (OutsideDomain, "kernel", lambda: cv2.erode(X, ONES.astype(np.float32))),
        (OutsideDomain, "kernel", lambda: cv2.erode(X, ONES * 0)),
        (OutsideDomain, "kernel", lambda: cv2.erode(X, ONES[0])),
        (OutsideDomain, "kernel", lambda: cv2.erode(X, np.tri(256, dtype=np.uint8))),
        (OutsideDomain, "anchor", lambda: cv2.dilate(X, ONES, anchor=(3, 0))),
        (OutsideDomain, "iterations", lambda: cv2.dilate(X, ONES, iterations=-1)),
        (OutsideDomain, "src", lambda: cv2.dilate(X.astype(np.int32), ONES)),
        (UnsupportedArgument, "borderType", lambda: cv2.dilate(X, ONES, borderType=3)),
        (UnsupportedArgument, "borderValue", lambda: cv2.dilate(X, ONES, borderValue=0)),
        (UnsupportedArgument, "op", lambda: cv2.morphologyEx(X, reference.MORPH_HITMISS, ONES)),
        (UnsupportedArgument, "kernel", lambda: tf.function(cv2.erode)(X, tf.constant(ONES))),
        (UnsupportedArgument, "shape", lambda: cv2.getStructuringElement(7, (3, 3))),
        (OutsideDomain, "ksize", lambda: cv2.getStructuringElement(0, (0, 3))),
    ],
)
def test_what_is_refused(error, words, call) -> None:
    with pytest.raises(error, match=words):
        call()
