"""Products with powers of two that are shifted right again, as draws of whole numbers are scaled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from pipeport._lazy import tf
from pipeport.porting.optimise._ranges import Fact, array

# Numbers of int64 are this large at most, so that no product wraps.
_MOST = 2**62


class Shift(NamedTuple):
    """A number that is shifted right.

    `number`: the number. `by`: how far, known.
    """

    number: Any
    by: Fact


def shortened(node: Any, known: Callable[[Any], Fact | None]) -> Shift | None:
    """Return a shift that gives what one gives that follows a product with a power of two.

    `node`: a shift to the right. `known`: gives what is known of a tensor. Returns: None where no such
    product comes before. What is added to the product may be left out, if it is less than the power.
    """
    total, by = node.inputs[0], known(node.inputs[1])
    if total.dtype != tf.int64 or by is None or not by.exact or not by.low.size:
        return None
    added: Fact | None = None
    if total.op.type == "AddV2":
        total, other = sorted(total.op.inputs, key=lambda one: one.op.type != "Mul")
        added = known(other)
        if added is None or not np.all(added.low >= 0):
            return None
    if total.op.type != "Mul":
        return None
    for kept, other in (total.op.inputs, reversed(total.op.inputs)):
        bits = _power(known(other))
        if bits is None or kept.shape.as_list() != node.outputs[0].shape.as_list():
            continue
        limit = known(kept)
        small = (
            limit is not None and np.all(limit.low > -_MOST >> bits) and np.all(limit.high < _MOST >> bits)
        )
        if small and np.all(by.low >= bits) and (added is None or np.all(added.high < 1 << bits)):
            return Shift(kept, Fact(array(by.low - bits), array(by.high - bits)))
    return None


class Carry(NamedTuple):
    """Halves of a sum that were added apart: what is left of it is the sum, shifted.

    `total`: adds the lower half of a number to another. `at`: which of its operands is that half. `number`:
    the number, of which it is to be the whole. `shift`: takes the upper half of the sum.
    """

    total: Any
    at: int
    number: Any
    shift: Any


def carried(
    node: Any,
    known: Callable[[Any], Fact | None],
    shifts: dict[Any, tuple[Any, Fact]],
    alone: Callable[[Any], bool],
) -> Carry | None:
    """Return how to compute `(p >> s) + ((t + p % 2**s) >> s)` as `(t + p) >> s`.

    `node`: a sum. `known`: gives what is known of a tensor. `shifts`: by reference of a tensor, of what it is
    a shift to the right, and how far. `alone`: says whether nothing takes a tensor but one operation.
    Returns: None where the sum is another one, or may be too large.
    """
    for upper, rest in (node.inputs, reversed(node.inputs)):
        if upper.ref() not in shifts or rest.ref() not in shifts:
            continue
        (number, by), (total, same) = shifts[upper.ref()], shifts[rest.ref()]
        if total.op.type != "AddV2" or not (by.exact and same.exact and by.low.size == 1):
            continue
        alike = total.shape.as_list() == node.outputs[0].shape.as_list() == number.shape.as_list()
        if (
            not (alike and alone(total) and alone(rest))
            or np.any(same.low != by.low)
            or number.dtype != tf.int64
        ):
            continue
        for at in (0, 1):
            limits = [known(number), known(total.op.inputs[1 - at])]
            small = all(
                one is not None and np.all(one.low >= 0) and np.all(one.high < _MOST) for one in limits
            )
            if small and _is_half(total.op.inputs[at], number, int(by.low.item()), known):
                return Carry(total.op, at, number, rest.op)
    return None


def _is_half(tensor: Any, number: Any, bits: int, known: Callable[[Any], Fact | None]) -> bool:
    """Say whether a tensor holds the lowest bits of a number."""
    if tensor.op.type != "BitwiseAnd":
        return False
    for one, mask in (tensor.op.inputs, reversed(tensor.op.inputs)):
        fact = known(mask)
        if one is number and fact is not None and fact.exact and np.all(fact.low == (1 << bits) - 1):
            return True
    return False


def _power(factor: Fact | None) -> int | None:
    """Return of which power of two all elements are, or None."""
    if factor is None or not factor.exact or not factor.low.size:
        return None
    first = int(factor.low.flat[0])
    alike = first > 0 and first & (first - 1) == 0 and np.all(factor.low == first)
    return first.bit_length() - 1 if alike else None
