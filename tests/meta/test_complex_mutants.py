"""Mutants of what gives complex numbers: a wrong imaginary part is a wrong result."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from pipeport import numpy as mirror
from pipeport.contract import Agreement, Array, AsReference, Exact, Ulps, Within
from pipeport.verify import Close
from pipeport.verify._case import Plan, run_case
from pipeport.verify._pair import Pair
from tests.meta.rejections import rejection

pytestmark = pytest.mark.newest_only

PLAN = Plan(examples=20, shrink=False)
SIGNAL = {
    "x": Array(dtypes=("float32", "float64"), ranks=(1,), sides=(1, 6), values=(1.0, 4.0), non_finite=False)
}
AGREEMENTS = [Exact(), Ulps(4), Within(1e-3, "test"), AsReference(), Close(1e-3, 1e-3)]


def turned(x: Any) -> Any:
    """Reference: each number with half of it as its imaginary part."""
    return x * np.complex64(1 + 0.5j)


def native_turned(x: Any) -> Any:
    return tf.complex(x, x / 2)


def conjugated(x: Any) -> Any:
    return tf.complex(x, -x / 2)


def real(x: Any) -> Any:
    return tf.complex(x, tf.zeros_like(x))


def late(x: Any) -> Any:
    return tf.complex(x, tf.concat([x[:-1] / 2, x[-1:]], 0))


def pair(native: Callable[..., Any], agreement: Agreement) -> Pair:
    return Pair(
        name="turned", reference=turned, native=native, reference_name=f"{__name__}.turned",
        native_name=f"{__name__}.native", domain=SIGNAL, agreement=agreement,
    )  # fmt: skip


@pytest.mark.parametrize("agreement", AGREEMENTS, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("mutant", [conjugated, real, late])
@pytest.mark.parametrize("engine", ["eager", "graph"])
def test_a_wrong_imaginary_part_is_rejected(
    agreement: Agreement, mutant: Callable[..., Any], engine: str
) -> None:
    record = run_case(pair(mutant, agreement), engine, PLAN)
    assert record.status == "failed"
    assert "differs by" in record.failure.reason
    assert run_case(pair(native_turned, agreement), engine, PLAN).failure is None


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "fft2", "ifft2"])
@pytest.mark.parametrize("wrong", [tf.math.conj, lambda x: x + tf.cast(1e-4j, x.dtype)])
def test_a_transform_with_a_wrong_imaginary_part_is_rejected(name: str, wrong: Callable[..., Any]) -> None:
    native = getattr(mirror.fft, name)

    @functools.wraps(native)
    def mutated(*args: Any, **options: Any) -> Any:
        return wrong(native(*args, **options))

    record = rejection(native, mutated, "eager", PLAN)
    assert record.status == "failed"
    assert "differs by" in record.failure.reason
