"""`cv2.filter2D`, `Sobel`, `Scharr` and `Laplacian`: whole numbers are equal, and what is refused."""

from __future__ import annotations

import cv2 as reference
import numpy as np
import pytest
import tensorflow as tf

from pipeport import cv2
from pipeport.errors import OutsideDomain, UnsupportedArgument
from pipeport.porting import port

X = np.random.default_rng(0).integers(0, 256, (37, 45, 3), np.uint8)
KERNELS = {
    "sharp": np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]]),
    "mean": np.ones((5, 5)) / 25,
    "large mean": np.ones((9, 9), np.float32) / 81,
    "motion": np.eye(9) / 9,
    "zeros": np.zeros((3, 3)),
    "no symmetry": np.arange(8).reshape(2, 4) - 3,
}


def graph(call, x=X, known: bool = True):
    spec = tf.TensorSpec(x.shape if known else [None, None, *x.shape[2:]], x.dtype)
    return tf.function(call, input_signature=[spec], autograph=False)(x).numpy()


@pytest.mark.parametrize("name", KERNELS)
def test_kernels_without_ties(name: str) -> None:
    kernel = KERNELS[name]
    for at, (dtype, error) in enumerate((("uint8", 0), ("int16", 0), ("float32", 1e-5), ("float64", 1e-12))):
        x = X.astype(dtype) / np.array(1 if dtype in ("uint8", "int16") else 255, dtype)
        x = x.astype(dtype)
        for border in (cv2.BORDER_REFLECT_101, cv2.BORDER_CONSTANT):
            right = reference.filter2D(x, -1, kernel, delta=2, borderType=border)
            found = graph(
                lambda x, border=border: cv2.filter2D(x, -1, kernel, delta=2, borderType=border),
                x,
                at % 2 == 0,
            )
            assert found.dtype == right.dtype
            np.testing.assert_allclose(found, right, rtol=0, atol=error)


def test_more_weights_than_a_program_has() -> None:
    kernel = np.ones((21, 21)) / 441
    np.testing.assert_array_equal(
        graph(lambda x: cv2.filter2D(x, -1, kernel)), reference.filter2D(X, -1, kernel)
    )


@pytest.mark.parametrize("shape", [(31, 31), (3, 100), (80, 5)])
def test_more_weights_that_differ_than_a_program_has(shape: tuple[int, int]) -> None:
    random = np.random.default_rng(7)
    image = random.integers(0, 256, (64, 97, 3), np.uint8)
    whole, share = random.integers(-3, 9, shape), random.random(shape)
    # Where weights are whole numbers, OpenCV's Fourier transforms are off by less than a half.
    for known in (True, False) if shape[0] == 31 else (True,):
        right = reference.filter2D(image, cv2.CV_64F, whole.astype(np.float64), anchor=(1, 2))
        found = graph(lambda x: cv2.filter2D(x, cv2.CV_64F, whole, anchor=(1, 2)), image, known)
        np.testing.assert_allclose(found, right, rtol=0, atol=1e-5)
        np.testing.assert_array_equal(found, np.round(found))
        right = reference.filter2D(image, -1, share / share.sum())
        found = graph(lambda x: cv2.filter2D(x, -1, share / share.sum()), image, known)
        np.testing.assert_allclose(found.astype(int), right, rtol=0, atol=1)
    floats = image.astype(np.float32) / 255
    drawn = tf.function(lambda x, kernel: cv2.filter2D(x, -1, kernel), autograph=False)(floats, share)
    np.testing.assert_allclose(drawn, reference.filter2D(floats, -1, share), rtol=0, atol=1e-3)


def test_a_kernel_that_the_graph_draws() -> None:
    spec = [tf.TensorSpec([3, 4], tf.float32)]
    filtered = tf.function(
        lambda kernel: cv2.filter2D(X, cv2.CV_32F, kernel, anchor=(1, 0)),
        input_signature=spec,
        autograph=False,
    )
    for seed in range(3):
        kernel = np.random.default_rng(seed).random((3, 4), np.float32) - 0.3
        right = reference.filter2D(X, cv2.CV_32F, kernel, anchor=(1, 0))
        np.testing.assert_allclose(filtered(kernel), right, rtol=0, atol=1e-3)


@pytest.mark.parametrize("depth", [-1, cv2.CV_16S, cv2.CV_32F, cv2.CV_64F])
def test_derivatives_of_bytes_are_equal(depth: int) -> None:
    for at, (dx, dy, side) in enumerate(((1, 0, 3), (0, 1, 5), (1, 1, 3), (2, 0, 7), (0, 2, 1), (1, 0, -1))):
        right = reference.Sobel(X, depth, dx, dy, ksize=side)
        found = graph(lambda x, s=(dx, dy, None, side): cv2.Sobel(x, depth, *s), known=at % 2 == 0)
        assert found.dtype == right.dtype
        np.testing.assert_array_equal(found, right)
    for side in (1, 3, 5, 7):
        right = reference.Laplacian(X, depth, ksize=side, delta=1)
        np.testing.assert_array_equal(
            graph(lambda x, side=side: cv2.Laplacian(x, depth, None, side, 1, 1)), right
        )
    np.testing.assert_array_equal(
        graph(lambda x: cv2.Scharr(x, depth, 0, 1)), reference.Scharr(X, depth, 0, 1)
    )


@pytest.mark.parametrize("side", [9, 17, 31])
def test_derivatives_of_large_kernels(side: int) -> None:
    image = np.random.default_rng(side).integers(0, 256, (64, 97, 3), np.uint8)
    for at, (dx, dy) in enumerate(((1, 0), (0, 2), (1, 1))):
        known = at % 2 == 0
        right = reference.Sobel(image, cv2.CV_16S, dx, dy, ksize=side, delta=3)
        found = graph(lambda x, s=(dx, dy, None, side): cv2.Sobel(x, cv2.CV_16S, *s, delta=3), image, known)
        assert found.dtype == right.dtype
        np.testing.assert_array_equal(found, right)
        for depth, error in ((cv2.CV_32F, 2e-7), (cv2.CV_64F, 4e-16)):
            for x in (image, image.astype(np.float32) if depth == cv2.CV_32F else image.astype(np.float64)):
                right = reference.Sobel(x, depth, dx, dy, ksize=side, scale=0.3)
                found = graph(lambda x, s=(depth, dx, dy, None, side, 0.3): cv2.Sobel(x, *s), x, known)
                assert found.dtype == right.dtype
                np.testing.assert_allclose(found, right, rtol=0, atol=error * 255 * 4 ** (side - 1))
    for dtype, depth, error in (
        ("uint8", cv2.CV_32F, 4e-7),
        ("uint8", cv2.CV_64F, 4e-7),
        ("float64", -1, 1e-15),
    ):
        x = image.astype(dtype)
        right = reference.Laplacian(x, depth, ksize=side)
        found = graph(lambda x, depth=depth: cv2.Laplacian(x, depth, None, side), x)
        assert found.dtype == right.dtype
        np.testing.assert_allclose(found, right, rtol=0, atol=error * 255 * 4 ** (side - 1))


@pytest.mark.parametrize("size", [(3, 3), (4, 2), (17, 16), (31, 1)])
def test_sums_and_means_of_boxes(size: tuple[int, int]) -> None:
    for dtype in ("uint8", "uint16", "int16"):
        x = X.astype(dtype) * np.array(1 if dtype == "uint8" else 120, dtype)
        for depth in (-1, cv2.CV_64F):
            right = reference.boxFilter(x, depth, size, anchor=(0, 0), normalize=False)
            found = graph(lambda x, d=depth: cv2.boxFilter(x, d, size, None, (0, 0), False), x, depth < 0)
            assert found.dtype == right.dtype
            np.testing.assert_array_equal(found, right)
        mean = graph(lambda x: cv2.boxFilter(x, -1, size), x)
        right = reference.boxFilter(x, -1, size)
        np.testing.assert_allclose(mean, right, rtol=0, atol=int(dtype != "uint8"))


def test_the_largest_sum() -> None:
    x = np.full((3, 4), 65535, np.uint16)
    mean = np.full((255, 255), 1 / 255**2)
    np.testing.assert_allclose(graph(lambda x: cv2.filter2D(x, -1, mean), x), 65535, atol=1)
    with pytest.raises(OutsideDomain, match="overflows"):
        cv2.boxFilter(x, cv2.CV_64F, (255, 255), normalize=False)


def test_in_a_ported_body() -> None:
    def edges(image):
        grey = reference.cvtColor(image, reference.COLOR_BGR2GRAY)
        across = reference.Sobel(grey, reference.CV_64F, 1, 0, ksize=3)
        down = reference.Sobel(grey, reference.CV_64F, 0, 1, ksize=3)
        sharp = reference.filter2D(image, -1, np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]], np.float32))
        return np.sqrt(across**2 + down**2), sharp

    def textures(image):
        grey = image[..., 0].astype(np.float32) / 255
        across, down = np.meshgrid(np.arange(31) - 15.0, np.arange(31) - 15.0)
        waves = np.exp(-(across**2 + down**2) / 50) * np.cos(across / 2)
        return reference.filter2D(grey, reference.CV_32F, waves) + reference.Sobel(
            grey, reference.CV_32F, 1, 0, ksize=9
        )

    np.testing.assert_allclose(port(textures)(X), textures(X), rtol=0, atol=1e-2)
    for found, right in zip(port(edges)(X), edges(X), strict=True):
        assert found.dtype == right.dtype
        np.testing.assert_allclose(found, right, rtol=1e-14)


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (OutsideDomain, lambda: cv2.filter2D(X.astype(np.int32), -1, KERNELS["sharp"])),
        (OutsideDomain, lambda: cv2.filter2D(X, -1, np.ones(3))),
        (OutsideDomain, lambda: cv2.filter2D(X, -1, np.ones((3, 3), bool))),
        (OutsideDomain, lambda: cv2.filter2D(X, -1, np.ones((0, 3)))),
        (OutsideDomain, lambda: cv2.filter2D(X, -1, KERNELS["sharp"], anchor=(3, 0))),
        (UnsupportedArgument, lambda: cv2.filter2D(X, cv2.CV_32S, KERNELS["sharp"])),
        (UnsupportedArgument, lambda: cv2.filter2D(X.astype(np.float32), cv2.CV_64F, KERNELS["sharp"])),
        (UnsupportedArgument, lambda: cv2.filter2D(X, -1, KERNELS["sharp"], X)),
        (UnsupportedArgument, lambda: cv2.filter2D(X, -1, KERNELS["sharp"], delta=np.nan)),
        (OutsideDomain, lambda: cv2.Sobel(X, -1, 0, 0)),
        (OutsideDomain, lambda: cv2.Sobel(X, -1, -1, 1)),
        (OutsideDomain, lambda: cv2.Sobel(X, -1, 3, 0)),
        (OutsideDomain, lambda: cv2.Sobel(X, -1, 1, 0, ksize=33)),
        (UnsupportedArgument, lambda: cv2.Sobel(X, -1, 1, 0, ksize=9)),
        (UnsupportedArgument, lambda: cv2.Sobel(X, cv2.CV_16S, 1, 0, ksize=9, scale=0.5)),
        (UnsupportedArgument, lambda: cv2.Laplacian(X, cv2.CV_16S, ksize=9)),
        (OutsideDomain, lambda: cv2.Sobel(X, -1, 1, 1, ksize=-1)),
        (OutsideDomain, lambda: cv2.Scharr(X, -1, 1, 1)),
        (OutsideDomain, lambda: cv2.Laplacian(X, -1, ksize=4)),
        (UnsupportedArgument, lambda: cv2.Laplacian(X, -1, scale="1")),
    ],
)
def test_what_is_refused(error, call) -> None:
    with pytest.raises(error):
        call()
