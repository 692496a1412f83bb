"""One pipeline built twice, of natives and of their references; the references do what the natives draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any
from unittest import mock

import albumentations as reference
import numpy as np
import tensorflow as tf

import pipeport.albumentations as native
from pipeport.contract import contract_of
from pipeport.references.augmentation import drive
from pipeport.verify import _augmentation
from pipeport.verify._case import Plan, run_case
from pipeport.verify._pair import pair_of
from pipeport.verify._report import CaseRecord
from pipeport.verify._require import resolve

Build = Callable[[ModuleType], Any]
# Enough to reject nearly every mutant; the whole proof compares more.
FEW_EXAMPLES, FEW_DRAWS = 8, 600

RANDOM = np.random.default_rng(7)
IMAGE = RANDOM.integers(0, 255, (6, 9, 3), dtype=np.uint8)
SQUARE = RANDOM.integers(0, 255, (7, 7, 3), dtype=np.uint8)
# In pixels of an image of 6 rows and 9 columns.
CORNERS = np.array([[0, 0, 9, 6], [1, 2, 4, 3], [7.5, 0.25, 8, 5]], np.float32)
POINTS = np.array([[0, 0], [8, 5], [3.25, 2.5], [6, 1]], np.float32)
# None that becomes half a turn, where the reference jumps.
DEGREES = np.array([[10.0], [170.0], [200.0], [359.0]], np.float32)


def boxes_as(form: str, corners: np.ndarray = CORNERS, shape: tuple[int, ...] = IMAGE.shape) -> np.ndarray:
    """Return boxes in one of the four formats."""
    a, b, c, d = corners.T
    height, width = shape[:2]
    columns = {
        "pascal_voc": (a, b, c, d),
        "coco": (a, b, c - a, d - b),
        "albumentations": (a / width, b / height, c / width, d / height),
        "yolo": ((a + c) / 2 / width, (b + d) / 2 / height, (c - a) / width, (d - b) / height),
    }
    return np.stack(columns[form], 1).astype(np.float32)


def points_as(form: str) -> np.ndarray:
    """Return points in one of the seven formats."""
    x, y = POINTS.T
    columns = {"x": x, "y": y, "a": DEGREES[:, 0], "s": x + 1, "z": np.zeros_like(x)}
    return np.stack([columns[letter] for letter in form], 1)


def plan_of(pipeline: Any, seed: tuple[int, int]) -> Any:
    """Return what a native draws, as arrays."""
    return tf.nest.map_structure(lambda part: part.numpy(), pipeline.plan(seed, False))


def both(build: Build, element: Mapping[str, Any], seed: tuple[int, int]) -> tuple[Any, Any]:
    """Return the results of natives and references for one draw."""
    ours, theirs = build(native), build(reference)
    drive(theirs, plan_of(ours, seed), ours, resolve)
    copies = {name: np.array(v) if isinstance(v, np.ndarray) else v for name, v in element.items()}
    return ours(**element, seed=seed), theirs(**copies)


def assert_same(ours: Mapping[str, Any], theirs: Mapping[str, Any], *, degrees: tuple[int, ...] = ()) -> None:
    """Assert equality: of images bit for bit, of rows within 1e-4, of columns `degrees` on the circle."""
    assert set(ours) == set(theirs)
    for name, value in theirs.items():
        found = ours[name]
        if isinstance(value, (list, tuple)) and name.startswith("masks"):
            assert len(found) == len(value)
            for one, other in zip(found, value, strict=True):
                np.testing.assert_array_equal(one, other)
        elif "boxes" in name or "points" in name:
            rows, expected = (np.asarray(part, np.float64) for part in (found, value))
            assert rows.shape == expected.shape, name
            for column in degrees if "points" in name and len(rows) else ():
                turned = (rows[:, column] - expected[:, column] + 180) % 360 - 180
                np.testing.assert_allclose(turned, 0, atol=1e-3)
                rows[:, column] = expected[:, column] = 0
            np.testing.assert_allclose(rows, expected, atol=1e-4, rtol=0, err_msg=name)
        elif isinstance(value, np.ndarray) and value.dtype.kind in "uif":
            assert found.numpy().dtype == value.dtype, name
            np.testing.assert_array_equal(found, value, err_msg=name)
        else:
            listed = np.asarray(found).tolist()
            assert [v.decode() if isinstance(v, bytes) else v for v in listed] == list(value), name


def proof_of(original: type, mutant: type, examples: int) -> CaseRecord:
    """Prove a mutant in the place of its original: with few examples and draws, then with all."""
    pair = pair_of(contract_of(original), native=mutant)
    with mock.patch.object(_augmentation, "DRAWS", FEW_DRAWS):
        record = run_case(pair, "eager", Plan(examples=FEW_EXAMPLES, shrink=False))
    if record.status == "failed":
        return record
    return run_case(pair, "eager", Plan(examples=examples, shrink=False))
