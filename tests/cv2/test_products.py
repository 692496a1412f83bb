"""Sums, products and weighted sums as OpenCV rounds them: every pair of bytes, dtypes, overflow, refusals."""

from __future__ import annotations

import cv2 as reference
import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import cv2
from pipeport.errors import OutsideDomain, UnsupportedArgument
from tests.cv2.test_arithmetic import DTYPES, image, same

PAIRS = [np.ascontiguousarray(each) for each in np.indices((256, 256)).astype(np.uint8)]
WEIGHTS = [
    (0.5, 0.5, 0),
    (0.3, 0.7, 0),
    (0.7, 0.3, 10.5),
    (0.1, 0.9, 0.5),
    (1.5, -0.5, -20),
    (1 / 3, 2 / 3, 1 / 3),
]


def nearly(found, right, share: float = 0.02) -> None:
    """Compare bytes that depend on the processor: one level apart where a sum lies next to a half."""
    apart = np.abs(np.asarray(found).astype(int) - right)
    assert apart.max() <= 1
    assert (apart > 0).mean() <= share


@pytest.mark.parametrize("name", ["add", "subtract"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_sums_of_every_dtype(name: str, dtype: str) -> None:
    """Those of int32 overflow."""
    native, right = getattr(cv2, name), getattr(reference, name)
    one, other = image(dtype), image(dtype, seed=1)
    mask = (image("uint8", (13, 9), 2) > 100).astype(np.uint8)
    np.testing.assert_array_equal(native(one, other), right(one, other))
    np.testing.assert_array_equal(native(one, other, mask=mask), right(one, other, mask=mask))
    for numbers in (7, 2.5, -300.4, 70000, (1, 2.5, -3, 4), (9,)):
        np.testing.assert_array_equal(native(one, numbers), right(one, numbers))
        np.testing.assert_array_equal(native(numbers, one, mask=mask), right(numbers, one, mask=mask))


@pytest.mark.parametrize("name", ["add", "subtract"])
def test_sums_in_graphs_and_batches(name: str) -> None:
    native, right = getattr(cv2, name), getattr(reference, name)
    mask = (image("uint8", (13, 9), 2) > 100).astype(np.uint8)
    for dtype in ("uint8", "float32"):
        one, other = image(dtype), image(dtype, seed=1)
        same(native, right(one, other, mask=mask), one, other, mask=mask)
    batch = np.stack([one, other])
    masks = np.stack([mask, 1 - mask])
    expected = [right(x, y, mask=m) for x, y, m in zip(batch, batch[::-1], masks, strict=True)]
    np.testing.assert_array_equal(pipeport.batched(native)(batch, batch[::-1], mask=masks), expected)


@pytest.mark.parametrize("compiled", [None, True])
def test_products_of_all_bytes(compiled) -> None:
    for scale in (1, 1 / 255, 0.1, 0.003):
        graph = tf.function(lambda x, y, s=scale: cv2.multiply(x, y, scale=s), jit_compile=compiled)
        np.testing.assert_array_equal(graph(*PAIRS), reference.multiply(*PAIRS, scale=scale))


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "float32", "float64"])
def test_products_of_every_dtype(dtype: str) -> None:
    one, other = image(dtype), image(dtype, seed=1)
    for scale in (1, 0.1, 1e-5):
        found, right = cv2.multiply(one, other, scale=scale), reference.multiply(one, other, scale=scale)
        np.testing.assert_array_equal(found, right)
    for numbers in (7, 1.1, 0.7, -3, (1.1, 2, 0.3)):
        np.testing.assert_array_equal(cv2.multiply(one, numbers), reference.multiply(one, numbers))
    if dtype == "float32":
        same(cv2.multiply, reference.multiply(one, other, scale=0.1), one, other, scale=0.1)


@pytest.mark.parametrize("compiled", [None, True])
def test_weighted_sums_of_all_bytes(compiled) -> None:
    spec = [tf.TensorSpec([256, 256], tf.uint8)] * 2 + [tf.TensorSpec([], tf.float64)] * 3
    graph = tf.function(
        lambda x, y, a, b, c: cv2.addWeighted(x, a, y, b, c), input_signature=spec, jit_compile=compiled
    )
    for alpha, beta, gamma in WEIGHTS:
        nearly(
            graph(*PAIRS, alpha, beta, gamma), reference.addWeighted(PAIRS[0], alpha, PAIRS[1], beta, gamma)
        )


@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", "int16", "float32", "float64"])
def test_weighted_and_scaled_of_every_dtype(dtype: str) -> None:
    one, other = image(dtype, (13, 9, 5)), image(dtype, (13, 9, 5), 1)
    for alpha, beta, gamma in WEIGHTS:
        found = cv2.addWeighted(one, alpha, other, beta, gamma).numpy()
        right = reference.addWeighted(one, alpha, other, beta, gamma)
        assert found.dtype == right.dtype
        if dtype.startswith("float"):
            np.testing.assert_allclose(found, right, rtol=0, atol=1e-4 if dtype == "float32" else 1e-12)
        else:
            nearly(found, right)
        nearly(
            cv2.convertScaleAbs(one, alpha=alpha, beta=gamma),
            reference.convertScaleAbs(one, alpha=alpha, beta=gamma).astype(int),
        )


def test_weighted_and_scaled_of_unknown_sizes_and_in_batches() -> None:
    one, other = image("uint8", (31, 20, 3)), image("uint8", (31, 20, 3), 1)
    specs = [tf.TensorSpec([None, None, 3], tf.uint8)] * 2
    graph = tf.function(
        lambda x, y: (cv2.addWeighted(x, 0.3, y, 0.7, 1), cv2.convertScaleAbs(x, None, 1.3, -7)),
        input_signature=specs, autograph=False,
    )  # fmt: skip
    mixed, scaled = graph(one, other)
    nearly(mixed, reference.addWeighted(one, 0.3, other, 0.7, 1))
    nearly(scaled, reference.convertScaleAbs(one, alpha=1.3, beta=-7))
    images, factors = np.stack([one, other]), tf.constant([0.5, 1.7])
    found = pipeport.batched(cv2.convertScaleAbs)(images, alpha=factors)
    for n in range(2):
        nearly(found[n], reference.convertScaleAbs(images[n], alpha=float(factors[n])))


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (OutsideDomain, lambda x: cv2.add(x, x[1:])),
        (UnsupportedArgument, lambda x: cv2.add(x, x, dtype=5)),
        (UnsupportedArgument, lambda x: cv2.subtract(x, x, x)),
        (OutsideDomain, lambda x: cv2.multiply(x.astype("int32"), 2)),
        (UnsupportedArgument, lambda x: cv2.multiply(x, 2, scale=0.5)),
        (UnsupportedArgument, lambda x: cv2.multiply(x, x, scale=(1, 2))),
        (OutsideDomain, lambda x: cv2.addWeighted(x, 0.5, 7, 0.5, 0)),
        (UnsupportedArgument, lambda x: cv2.addWeighted(x, (1, 2), x, 0.5, 0)),
        (OutsideDomain, lambda x: cv2.convertScaleAbs(x.astype("int32"))),
        (UnsupportedArgument, lambda x: cv2.convertScaleAbs(x, x)),
    ],
)
def test_what_is_refused(error, call) -> None:
    with pytest.raises(error):
        call(image("uint8"))
