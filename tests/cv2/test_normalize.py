"""`cv2.normalize` and `cv2.meanStdDev`: every norm and dtype, masks, and what is refused."""

from __future__ import annotations

import cv2 as reference
import numpy as np
import pytest
import tensorflow as tf

from pipeport import cv2
from pipeport.errors import OutsideDomain, UnsupportedArgument
from pipeport.porting import port

pytestmark = pytest.mark.both

DTYPES = ["uint8", "uint16", "int16", "float32", "float64"]
DEPTHS = [cv2.CV_8U, cv2.CV_16U, cv2.CV_16S, cv2.CV_32F, cv2.CV_64F]
NORMS = [cv2.NORM_MINMAX, cv2.NORM_INF, cv2.NORM_L1, cv2.NORM_L2]


def image(dtype: str, shape: tuple[int, ...] = (37, 45, 3)) -> np.ndarray:
    return (np.random.default_rng(0).random(shape) * 240 + 7).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("norm", NORMS)
def test_every_norm_and_dtype(norm: int, dtype: str) -> None:
    x = image(dtype)
    graph = tf.function(
        lambda x, alpha: [cv2.normalize(x, None, alpha, -3.5, norm, depth) for depth in DEPTHS],
        input_signature=[tf.TensorSpec(x.shape, dtype), tf.TensorSpec([], tf.float64)],
        autograph=False,
    )
    for alpha in (255.0, -90.2):
        for found, depth in zip(graph(x, alpha), DEPTHS, strict=True):
            right = reference.normalize(x, None, alpha, -3.5, norm, depth)
            assert found.dtype == right.dtype
            np.testing.assert_allclose(found, right, rtol=1e-6, atol=1e-5 if right.dtype.kind == "f" else 0)


def test_masks() -> None:
    x, mask = image("uint8", (20, 30)), (np.indices((20, 30)).sum(0) % 3).astype(np.uint8)
    for norm in NORMS:
        right = reference.normalize(x, None, 0, 255, norm, mask=mask)
        np.testing.assert_array_equal(cv2.normalize(x, None, 0, 255, norm, mask=mask), right)
    for places in (mask, mask * 0):
        for found, right in zip(
            cv2.meanStdDev(x, mask=places), reference.meanStdDev(x, mask=places), strict=True
        ):
            np.testing.assert_allclose(found, right, rtol=1e-12)


def test_in_a_ported_body() -> None:
    def stretched(image):
        grey = reference.normalize(image, None, 0, 255, reference.NORM_MINMAX)
        mean, deviation = reference.meanStdDev(grey)
        return (grey - mean[:, 0]) / deviation[:, 0]

    x = image("uint8")
    np.testing.assert_allclose(port(stretched)(x), stretched(x), rtol=1e-12)


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (UnsupportedArgument, lambda x: cv2.normalize(x, x)),
        (UnsupportedArgument, lambda x: cv2.normalize(x, None, norm_type=6)),
        (UnsupportedArgument, lambda x: cv2.normalize(x, None, dtype=cv2.CV_32S)),
        (OutsideDomain, lambda x: cv2.normalize(x.astype(np.int32), None)),
        (OutsideDomain, lambda x: cv2.normalize(x, None, 0, 1, cv2.NORM_MINMAX, mask=x[..., 0])),
        (OutsideDomain, lambda x: cv2.normalize(x, None, mask=x[..., 0].astype(np.int8))),
        (UnsupportedArgument, lambda x: cv2.meanStdDev(x, x)),
        (UnsupportedArgument, lambda x: cv2.meanStdDev(x, None, x)),
        (OutsideDomain, lambda x: cv2.meanStdDev(x.astype(np.int8))),
    ],
)
def test_what_is_refused(error, call) -> None:
    with pytest.raises(error):
        call(image("uint8"))
