"""Mutants that hide behind a bound: what one pixel of the reference does must not excuse all others.

The reference of each pair crosses a discontinuity at one rounding of its input, or of its own arithmetic.
Its float64 run, and its runs on inputs one rounding away, then differ from it by the height of the step.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from pipeport.contract import AsReference, Image, contract_of
from pipeport.errors import NotEquivalent
from pipeport.scipy import ndimage
from pipeport.verify._case import Plan, run_case
from pipeport.verify._examine import examine
from pipeport.verify._example import Example
from pipeport.verify._pair import Pair, pair_of

pytestmark = pytest.mark.newest_only

PLAN = Plan(examples=20, shrink=False)
# A step below the bound of float32, 8 eps: rounding the input moves the reference by no more than that.
STEP = 5e-7
HALVES = {"image": Image(dtypes=("float32",), sides=(3, 12), values=(0.5, 0.5), non_finite=False)}


def stairs(image: Any) -> Any:
    """Reference: nearly the image, with a small step at one half."""
    return 0.9 * image + np.asarray(STEP, image.dtype) * np.floor(2 * image)


def native_stairs(image: Any) -> Any:
    return 0.9 * image + tf.cast(STEP, image.dtype) * tf.floor(2 * image)


def cliff(image: Any) -> Any:
    """Reference: a high step just below which its own float32 arithmetic ends, and float64 does not."""
    one = image.dtype.type(1)
    high = (one + image.dtype.type(1e-9)) > one  # only float64 tells them apart
    result = image.copy()
    result.flat[:1] += image.dtype.type(1) if high else image.dtype.type(0)
    return result


def same(image: Any) -> Any:
    return tf.identity(image)


def cliff_sides(image: Any) -> Any:
    """Return both sides of the step, as `discontinuities` of a contract does."""
    other = image.copy()
    other.flat[:1] += 1
    return [other, image]


def pair(reference: Any, native: Any, discontinuities: str | None = None) -> Pair:
    return Pair(
        name=reference.__name__, reference=reference, native=native,
        reference_name=f"{__name__}.{reference.__name__}", native_name=f"{__name__}.native",
        domain=HALVES, agreement=AsReference(discontinuities=discontinuities),
    )  # fmt: skip


@pytest.mark.parametrize("off", [2e-6, 4e-6])
def test_a_small_discontinuity_of_the_reference_excuses_no_wrong_native(off):
    """Before, it made the bound nine times as wide: 8 times the step was added for every pixel."""
    assert run_case(pair(stairs, native_stairs), "eager", PLAN).failure is None
    record = run_case(pair(stairs, lambda image: native_stairs(image) + off), "eager", PLAN)
    assert record.status == "failed"
    assert "differs" in record.failure.reason


def test_a_pixel_on_another_side_than_the_float64_run_excuses_no_wrong_native():
    """Before, it made the bound twice as wide as the step is high."""
    discontinuities = f"{__name__}.cliff_sides"
    assert run_case(pair(cliff, same, discontinuities), "eager", PLAN).failure is None
    record = run_case(pair(cliff, lambda image: image + 0.25, discontinuities), "eager", PLAN)
    assert record.status == "failed"
    assert "on no side of a discontinuity" in record.failure.reason


def moved_by_half_a_pixel(image: Any, off: float = 0.0) -> None:
    """Judge a shift of the catalog that reads every pixel on a tie."""
    contract = contract_of(ndimage.shift)

    def native(*args: Any, **options: Any) -> Any:
        return ndimage.shift(*args, **options) + tf.cast(off, tf.float32)

    arguments = {"input": image, "shift": 0.5, "order": 0, "mode": "nearest"}
    examine(pair_of(contract, native=native), Example(elements=(arguments,)), "eager")


def test_ties_between_pixels_that_hardly_differ_excuse_no_wrong_native():
    noise = np.random.default_rng(0).uniform(0.5, 0.5 + STEP, (9, 9)).astype(np.float32)
    moved_by_half_a_pixel(noise)
    with pytest.raises(NotEquivalent, match="differs"):
        moved_by_half_a_pixel(noise, 3e-6)


def test_what_a_spline_magnifies_is_still_allowed():
    """References that lose digits in float64 are what the term is there for."""
    pixels = np.random.default_rng(1).uniform(-1, 1, (9, 9))
    arguments = {"input": pixels, "order": 5, "mode": "mirror"}
    call = Example(elements=(arguments,))

    def off(*args: Any, **options: Any) -> Any:
        return ndimage.spline_filter(*args, **options) + 1e-10

    examine(pair_of(contract_of(ndimage.spline_filter)), call, "eager")
    with pytest.raises(NotEquivalent, match="differs"):
        examine(pair_of(contract_of(ndimage.spline_filter), native=off), call, "eager")
