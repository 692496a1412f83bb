"""`cv2.GaussianBlur` and `cv2.blur`: every border, sizes of kernels and images, weights, what is refused."""

from __future__ import annotations

import functools
import itertools

import cv2 as reference
import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import cv2
from pipeport.errors import OutsideDomain, UnsupportedArgument
from pipeport.kernels.opencv._filter import gaussian_weights, in_floats, in_parts
from pipeport.porting import port

BORDERS = [cv2.BORDER_REFLECT_101, cv2.BORDER_REFLECT, cv2.BORDER_REPLICATE, cv2.BORDER_CONSTANT]
TOLERANCE = {"uint8": 0, "float32": 1e-6}


def image(shape: tuple[int, ...], dtype: str = "uint8", kind: str = "noise") -> np.ndarray:
    """An image of noise, of one value, or smooth with edges, as a photograph is."""
    draw = np.random.default_rng(sum(shape))
    if kind == "noise":
        values = draw.integers(0, 256, shape)
    elif kind == "flat":
        values = np.full(shape, 255)
    else:
        y, x = np.indices(shape[:2])
        smooth = 120 + 60 * np.sin(x / 23.0) + 50 * np.cos(y / 31.0) + 25 * ((x // 17 + y // 29) % 2)
        values = np.stack([smooth] * shape[2], -1) if len(shape) == 3 else smooth
        values = np.clip(values + draw.normal(0, 3, shape), 0, 255)
    return (values / 255).astype(dtype) if dtype == "float32" else values.astype(dtype)


def check(native, plain, images, known: bool = True) -> None:
    """Compare images of one shape in a graph whose sizes are known, or unknown."""
    spec = tf.TensorSpec(images[0].shape if known else [None, None, *images[0].shape[2:]], images[0].dtype)
    graph = tf.function(native, input_signature=[spec], autograph=False)
    for x in images:
        right, found = plain(x), graph(x).numpy()
        assert (found.dtype, found.shape) == (right.dtype, right.shape)
        np.testing.assert_allclose(found, right, rtol=0, atol=TOLERANCE[x.dtype.name])
        if known:
            assert graph.get_concrete_function().output_shapes.as_list() == list(right.shape)


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
@pytest.mark.parametrize("border", BORDERS)
def test_images_smaller_than_the_kernel(border: int, dtype: str) -> None:
    for height, width in itertools.product((1, 2, 3, 6, 9), (1, 2, 5, 9)):
        x = image((height, width), dtype)
        for size in ((3, 3), (7, 5), (15, 9), (1, 31)):
            right = reference.GaussianBlur(x, size, 1.1, borderType=border)
            found = cv2.GaussianBlur(x, size, 1.1, borderType=border)
            np.testing.assert_allclose(found, right, rtol=0, atol=TOLERANCE[dtype])
        for size in ((3, 3), (4, 2), (15, 8), (1, 31), (18, 17)):
            right = reference.blur(x, size, borderType=border)
            found = cv2.blur(x, size, borderType=border)
            np.testing.assert_allclose(found, right, rtol=0, atol=TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
@pytest.mark.parametrize("size", [3, 5, 7, 9, 15, 31])
def test_kernels_of_every_size(size: int, dtype: str) -> None:
    cases = [
        ((64, 70, 3), "photograph", True),
        ((97, 128), "noise", False),
        ((67, 65, 4), "flat", True),
        ((64, 519, 2), "noise", False),
    ]
    # Every program is compiled for every size: bytes and floats take turns with two images and borders each.
    first = 2 * ((size // 2 + (dtype == "uint8")) % 2)
    for border, (shape, kind, known) in list(zip(BORDERS, cases, strict=True))[first : first + 2]:
        images = [image(shape, dtype, kind)]

        def smooth(package, x, border=border):
            return package.GaussianBlur(x, (size, size), 0, None, 0, border)

        def mean(package, x, border=border):
            return package.blur(x, (size, size), borderType=border)

        for call in (smooth, mean):
            check(functools.partial(call, cv2), functools.partial(call, reference), images, known)


@pytest.mark.parametrize("shape", [(90, 73, 3), (65, 128), (33, 67, 1), (3, 16), (2, 15)])
@pytest.mark.parametrize(
    "size",
    [(2, 1), (1, 2), (1, 4), (2, 2), (4, 5), (16, 16), (17, 16), (20, 20), (18, 32), (19, 19), (129, 130)],
)
def test_means_at_ties(size: tuple[int, int], shape: tuple[int, ...]) -> None:
    # Pixels of two neighbouring values: as many means lie between two bytes as can.
    images = [
        (low + np.random.default_rng(low).integers(0, 2, shape)).astype(np.uint8) for low in (0, 127, 254)
    ]
    known = (sum(size) + shape[1]) % 2 == 0  # in turns: each is a program of its own
    check(lambda x: cv2.blur(x, size), lambda x: reference.blur(x, size), images, known)


@pytest.mark.parametrize("border", BORDERS)
@pytest.mark.parametrize("shape", [(3, 64), (64, 3), (9, 7, 3)])
def test_thin_kernels_over_a_full_image(shape: tuple[int, ...], border: int) -> None:
    # OpenCV 5 gives 0 for the mean of two in some columns: their sum, halved and rounded up, leaves the byte.
    x = np.full(shape, 255, np.uint8)
    for size in ((2, 1), (1, 2), (3, 1), (1, 3), (7, 1), (1, 16)):
        right = reference.blur(x, size, borderType=border)
        np.testing.assert_array_equal(cv2.blur(x, size, borderType=border), right)


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
@pytest.mark.parametrize(
    ("size", "across", "down"),
    [
        ((0, 0), 0.4, 0),
        ((0, 0), 1.0, 2.5),
        ((0, 3), 1.7, 0),
        ((5, 0), 0.8, 3),
        ((9, 7), 0, 1.3),
        ((11, 13), 0, 0),
        ((5, 5), 1e-9, 0),
        ((7, 7), 200.0, 0),
        (None, 1, -1),
        (np.array([3, 5]), np.float32(1.5), None),
    ],
)
def test_sizes_and_sigmas(size, across, down, dtype) -> None:
    x = image((48, 50, 3), dtype)
    check(
        lambda x: cv2.GaussianBlur(x, size, across, sigmaY=down),
        lambda x: reference.GaussianBlur(x, size, across, sigmaY=down),
        [x],
    )


def test_weights_are_opencvs() -> None:
    for size in range(1, 256, 2):
        for sigma in (0, -1, 1e-200, 0.05, 0.3, 0.8, 1, 1.5, 2.25, size / 6, size / 3, 1e9):
            right = reference.getGaussianKernel(size, sigma)[:, 0]
            found = gaussian_weights(size, sigma)
            np.testing.assert_allclose(found, right, rtol=1e-12, atol=1e-300)
            assert in_parts(found) == in_parts(right)
            assert sum(in_parts(found)) == 256
            assert min(in_parts(found)) >= 0
            np.testing.assert_allclose(in_floats(found), right, rtol=1.3e-7, atol=2e-38)


@pytest.mark.parametrize("hit", [np.nan, np.inf, -np.inf])
def test_where_numbers_that_are_not_finite_reach(hit) -> None:
    x = image((20, 21), "float32")
    x[7, 9] = hit
    for size, sigma in (((5, 5), 0), ((9, 9), 0.3), ((3, 7), 1.0)):
        right = reference.GaussianBlur(x, size, sigma)
        assert not np.isfinite(right).all()
        np.testing.assert_allclose(cv2.GaussianBlur(x, size, sigma), right, rtol=0, atol=1e-6)
    found = np.isfinite(cv2.blur(x, (5, 3)))
    assert not found[6:9, 7:12].any()
    assert found.sum() == x.size - 15


def test_in_a_ported_body_and_in_batches() -> None:
    def prepared(image):
        smooth = reference.GaussianBlur(image, (5, 5), 0)
        return image.astype(np.float32) - smooth, reference.blur(image, (3, 3))

    x = image((40, 31, 3), kind="photograph")
    for found, right in zip(port(prepared)(x), prepared(x), strict=True):
        assert found.dtype == right.dtype
        np.testing.assert_array_equal(found, right)
    images = np.stack([x, x[::-1], 255 - x])
    for native, plain in (
        (cv2.GaussianBlur, lambda one: reference.GaussianBlur(one, (7, 3), 1.2)),
        (cv2.blur, lambda one: reference.blur(one, (7, 3))),
    ):
        more = (1.2,) if native is cv2.GaussianBlur else ()
        found = pipeport.batched(native)(images, (7, 3), *more)
        np.testing.assert_array_equal(found, [plain(one) for one in images])


def test_gradients_flow_through_floats() -> None:
    x = tf.constant(image((16, 17, 3), "float32"))

    @tf.function
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            total = tf.reduce_sum(cv2.GaussianBlur(x, (5, 5), 0)) + tf.reduce_sum(cv2.blur(x, (3, 3)))
        return tape.gradient(total, x)

    np.testing.assert_allclose(slope(x)[4:-4, 4:-4], 2, rtol=1e-5)


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (OutsideDomain, lambda x: cv2.GaussianBlur(x, (4, 3), 0)),
        (OutsideDomain, lambda x: cv2.GaussianBlur(x, (0, 0), 0)),
        (OutsideDomain, lambda x: cv2.GaussianBlur(x, (257, 3), 0)),
        (OutsideDomain, lambda x: cv2.GaussianBlur(x, (0, 0), 100)),
        (OutsideDomain, lambda x: cv2.GaussianBlur(x, (3, 3), np.nan)),
        (OutsideDomain, lambda x: cv2.GaussianBlur(x, (3, 3), 0, sigmaY=np.inf)),
        (OutsideDomain, lambda x: cv2.GaussianBlur(x.astype("int16"), (3, 3), 0)),
        (OutsideDomain, lambda x: cv2.GaussianBlur(x[:0], (3, 3), 0)),
        (OutsideDomain, lambda x: cv2.GaussianBlur(np.concatenate([x, x], 2), (3, 3), 0)),
        (UnsupportedArgument, lambda x: cv2.GaussianBlur(x, 3, 0)),
        (UnsupportedArgument, lambda x: cv2.GaussianBlur(x, (3, None), 0)),
        (UnsupportedArgument, lambda x: cv2.GaussianBlur(x, (3.0, 3), 0)),
        (UnsupportedArgument, lambda x: cv2.GaussianBlur(x, (3, 3, 3), 0)),
        (UnsupportedArgument, lambda x: cv2.GaussianBlur(x, (3, 3), True)),
        (UnsupportedArgument, lambda x: cv2.GaussianBlur(x, (3, 3), "1")),
        (UnsupportedArgument, lambda x: cv2.GaussianBlur(x, (3, 3), 0, x)),
        (UnsupportedArgument, lambda x: cv2.GaussianBlur(x, (3, 3), 0, hint=1)),
        (UnsupportedArgument, lambda x: cv2.GaussianBlur(x, (3, 3), 0, borderType=cv2.BORDER_WRAP)),
        (UnsupportedArgument, lambda x: cv2.GaussianBlur(x, (3, 3), 0, borderType=4 + cv2.BORDER_ISOLATED)),
        (OutsideDomain, lambda x: cv2.blur(x, (0, 3))),
        (OutsideDomain, lambda x: cv2.blur(x, (3, 256))),
        (OutsideDomain, lambda x: cv2.blur(x.astype("float64"), (3, 3))),
        (UnsupportedArgument, lambda x: cv2.blur(x, None)),
        (UnsupportedArgument, lambda x: cv2.blur(x, (3, 3), x)),
        (UnsupportedArgument, lambda x: cv2.blur(x, (3, 3), anchor=(0, 0))),
        (UnsupportedArgument, lambda x: cv2.blur(x, (3, 3), borderType=cv2.BORDER_TRANSPARENT)),
    ],
)
def test_what_is_refused(error, call) -> None:
    with pytest.raises(error):
        call(image((9, 8, 3)))


def test_a_box_that_the_graph_draws_is_refused() -> None:
    x = image((9, 8, 3))
    with pytest.raises(UnsupportedArgument):
        tf.function(
            lambda n: cv2.blur(x, tf.stack([n, n])),
            input_signature=[tf.TensorSpec([], tf.int32)],
            autograph=False,
        )(3)
    known = cv2.blur(x, tf.constant([3, 3]), None, (-1, -1), None)
    np.testing.assert_array_equal(known, reference.blur(x, (3, 3)))


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float64"])
def test_a_gaussian_that_the_graph_draws(dtype: str) -> None:
    x = (image((40, 33, 3), "float32") * {"uint8": 255, "uint16": 65535, "float64": 1}[dtype]).astype(dtype)

    @tf.function(
        input_signature=[tf.TensorSpec([], tf.int32), tf.TensorSpec([], tf.float64)], autograph=False
    )
    def blurred(side, sigma):
        return cv2.GaussianBlur(x, (side, side), sigma)

    for side, sigma in ((1, 0.0), (3, 0.0), (5, 1.2), (9, -1.0), (15, 2.0), (31, 0.0), (0, 2.5)):
        right = reference.GaussianBlur(x, (side, side), sigma)
        np.testing.assert_allclose(blurred(side, sigma), right, rtol=0, atol=1e-14 * (dtype == "float64"))
    for side, sigma in ((4, 1.0), (33, 1.0), (-1, 0.0), (0, 9.0), (3, np.nan)):
        with pytest.raises(tf.errors.InvalidArgumentError):
            blurred(side, sigma)


def test_an_empty_image_of_unknown_size() -> None:
    spec = tf.TensorSpec([None, None, 3], tf.uint8)
    for call in (lambda x: cv2.GaussianBlur(x, (3, 3), 0), lambda x: cv2.blur(x, (3, 3))):
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.function(call, input_signature=[spec], autograph=False)(image((9, 8, 3))[:0])
