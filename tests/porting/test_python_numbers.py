"""What Python makes numbers of its own of: `round`, `int`, `math.floor`, `tolist` and their like."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
import scipy.ndimage
import tensorflow as tf

from pipeport.porting import port
from tests.porting.modes import every_size, step_of

pytestmark = pytest.mark.newest_only  # NumPy 1 promotes numbers by their values

BYTES = np.array([200, 3, 7, 255], np.uint8)


def rounded(x, k):
    half = k / 2
    rows = 0
    for i in range(round(half)):
        rows = rows + (i + 1)
    return (
        (round(x[0]) * 2, -round(x[0]), round(x[0]) ** 2, round(x[0] / 3), round(k) * x[0], x + round(half)),
        (
            x[: round(half)],
            x[round(half)],
            np.zeros(round(half)),
            np.full((round(half), 2), 3),
            np.arange(round(half)),
        ),
        (np.repeat(x, round(half)), x.reshape(round(half), -1), rows, np.array([round(x[0]), 1]) * 2),
        (round(x.mean()), x * round(half * 1.0), round(half) / 2, f"{round(half)}", str(round(x[0] / 3))),
        (isinstance(round(x[0]), int), isinstance(round(half, 1), float), round(x[0], 1), round(x[0] / 3, 1)),
        np.array([round(v / 2) for v in x]),
    )


def of_float32(x):
    return (
        (round(x[0]), round(x[1]), round(x[2]), round(x[3]), round(x.mean() * 100) / 100, round(x[0], 1)),
        (x * round(x[1]), np.uint8([1, 2]) * round(x.max()), round(x[0]) + np.float16(1), x[: round(x[0])]),
        (round(float(x[0])), round(float(x[0]) * 1.05, 1)),
    )


def neighbours(x, k):
    return (
        (
            int(x[0]) * 2,
            x + int(x[1]),
            math.floor(x[0]) * 2,
            math.ceil(x[0]) * 2,
            math.trunc(-k / 2),
            abs(k) * x,
        ),
        (divmod(x[0], 7), divmod(int(x[0]), 7), divmod(k, 2), divmod(k / 3, 2), divmod(-k, 3), divmod(7, k)),
        (
            pow(int(x[0]), 2),
            pow(k, 2),
            pow(2, k),
            pow(2.0, k),
            float(x[0]) * 2,
            x + float(x[0]),
            bool(x[0]) + 1,
        ),
        (max(int(x[0]), 3) * 2, max(k, 2) * x[1], math.floor(x[0] / 2) * x[1], abs(int(x[0])) * 2),
    )


def listed(x, k):
    rows = x.tolist()
    first, _, _, last = x.tolist()
    return (
        (np.array(rows) * 2, np.array([v for v in rows]) * 2, np.asarray(rows), np.array(rows, np.float32)),  # noqa: C416
        (rows[0] * 2, x + rows[1], first * 2, last, np.stack(rows) * 2),
        (sum(rows), len(rows)),
        (7 in rows, rows.index(7), rows.count(3), np.mean(rows)),
        (np.array((x / 2).astype(np.float32).tolist()), np.array((x > 3).tolist()).sum()),
        np.array(x[x > 3].tolist()) * 2,
    )  # fmt: skip


@pytest.mark.filterwarnings("ignore:overflow encountered")
@pytest.mark.parametrize("body", [rounded, neighbours, listed])
def test_numbers_of_python_promote_as_such(body):
    every_size(body, BYTES, np.int64(5))


def test_rounded_float32():
    every_size(of_float32, np.array([2.5, 3.5, -1.5, 0.4], np.float32))


def crop(x):
    top = int(np.random.uniform(0, 4))
    size = round(x.shape[0] / 2)
    return x[top : top + size, : round(x.shape[1] * 0.75)]


def test_a_crop_of_a_rounded_size_has_that_while_traced():
    graph = step_of(port(crop), [tf.TensorSpec([12, 16, 3], tf.uint8)]).get_concrete_function()
    assert graph.outputs[0].shape == [6, 12, 3]


def of_libraries(x):
    level, mask = cv2.threshold(x, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    labels, count = scipy.ndimage.label(mask)
    left, top, width, height = cv2.boundingRect(mask)
    part = x[top : top + height, left : left + width]
    return (
        x.astype(np.float32) * level,
        labels.astype(np.float32) * count,
        x[:1] + left,
        part,
        isinstance(count, int),
    )


def test_numbers_that_opencv_and_scipy_give():
    every_size(of_libraries, (np.add.outer(np.arange(6), np.arange(9)) % 5 * 40).astype(np.uint8))
