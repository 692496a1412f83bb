"""Random bits shifted twice, and random fractions compared: the same by fewer operations."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.porting.optimise._ranges import Fact

ORDERS = {"Less": math.ceil, "GreaterEqual": math.ceil, "LessEqual": math.floor, "Greater": math.floor}
# Floats hold whole numbers below exactly; fractions of so many digits are not subnormal numbers.
_WHOLE = {tf.float32: 2**24, tf.float64: 2**53}
_DIGITS = 64


def compared(node: Any, known: Callable[[Any], Fact | None]) -> tuple[Any, Any] | None:
    """Return a comparison of whole numbers in place of one of fractions, such as `random() < 0.3`.

    `node`: one of `ORDERS`. `known`: gives what is known of a tensor. Returns: what to compare instead; None
    where no number that is known meets a fraction with a whole numerator.
    """
    for at in (0, 1):
        fraction, limit = node.inputs[at], known(node.inputs[1 - at])
        if fraction.op.type != "Mul" or limit is None or not limit.exact or limit.low.ndim:
            continue
        for part, other in (fraction.op.inputs, reversed(fraction.op.inputs)):
            digits = _digits(known(other))
            if digits is None or part.op.type != "Cast" or part.shape.as_list() != fraction.shape.as_list():
                continue
            number = part.op.inputs[0]
            fact, most = known(number), _WHOLE[fraction.dtype]
            scaled = Fraction(float(limit.low)) * 2**digits
            if not number.dtype.is_integer or fact is None or abs(scaled) >= min(most, number.dtype.max):
                continue
            if np.all(fact.low > -most) and np.all(fact.high < most):
                return _sides(node.type, number, scaled, at)
    return None


def _sides(order: str, number: Any, scaled: Fraction, at: int) -> tuple[Any, Any]:
    # On the right side of an order the number meets its limit the other way round.
    rounded = ORDERS[order] if at == 0 else {math.ceil: math.floor, math.floor: math.ceil}[ORDERS[order]]
    return (number, rounded(scaled)) if at == 0 else (rounded(scaled), number)


def _digits(factor: Fact | None) -> int | None:
    """Return n of a factor that is 2**-n, or None."""
    if factor is None or not factor.exact or factor.low.ndim or factor.low.dtype.kind != "f":
        return None
    mantissa, exponent = math.frexp(float(factor.low))
    return 1 - exponent if mantissa == 0.5 and 0 <= 1 - exponent <= _DIGITS else None


def shifted_once(
    node: Any, known: Callable[[Any], Fact | None], alone: Callable[[Any], bool]
) -> tuple[Any, int, int] | None:
    """Return a shift and a mask in place of `(x >> a & mask) >> b`.

    `node`: any operation. `known`: gives what is known of a tensor. `alone`: says whether nothing takes a
    tensor but one operation. Returns: x, a + b and the shifted mask; None of other shifts.
    """
    if node.type != "RightShift":
        return None
    masked, by = node.inputs[0], _number(known(node.inputs[1]))
    if masked.dtype != tf.int64 or masked.op.type != "BitwiseAnd" or by is None or not alone(masked):
        return None
    for shifted, other in (masked.op.inputs, reversed(masked.op.inputs)):
        mask = _number(known(other))
        if mask is None or mask <= 0 or mask & (mask + 1) or shifted.op.type != "RightShift":
            continue
        first = _number(known(shifted.op.inputs[1]))
        source = shifted.op.inputs[0]
        alike = source.shape.as_list() == node.outputs[0].shape.as_list()
        if first is not None and alike and alone(shifted) and first >= 0 and by > 0 and first + by < _DIGITS:
            return source, first + by, mask >> by
    return None


def _number(fact: Fact | None) -> int | None:
    return int(fact.low) if fact is not None and fact.exact and not fact.low.ndim else None
