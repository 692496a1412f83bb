"""One axis of a resize, and conditions on it that tracing may know or the graph must find out."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels.xla._materialize import opaque_true

_EPSILON = float(np.finfo(np.float64).eps)


def every(*conditions: Any) -> Any:
    """Return whether all hold: a bool where tracing knows, else a tensor."""
    if any(not tf.is_tensor(one) and not one for one in conditions):
        return False
    unknown = [one for one in conditions if tf.is_tensor(one)]
    return tf.reduce_all(tf.stack(unknown)) if unknown else True


def some(*conditions: Any) -> Any:
    """Return whether one holds: a bool where tracing knows, else a tensor."""
    if any(not tf.is_tensor(one) and one for one in conditions):
        return True
    unknown = [one for one in conditions if tf.is_tensor(one)]
    return tf.reduce_any(tf.stack(unknown)) if unknown else False


def choose(condition: Any, yes: Callable[[], Any], no: Callable[[], Any]) -> Any:
    """Return `yes()` or `no()`; where the condition is a tensor both are traced."""
    if tf.is_tensor(condition):
        return tf.cond(condition, yes, no)
    return yes() if condition else no()


def ratio(one: Any, other: Any, holds: Any = None) -> Any:
    """Return the quotient of two positive int32 numbers, correctly rounded to float64.

    Where a divisor is known, Grappler and XLA multiply by its rounded reciprocal instead of dividing, and
    a pixel's centre at a tie then falls on the other side. Long division avoids that; so does, in a sixth of
    the time, a divisor chosen by what XLA cannot know.

    `one`, `other`: int or scalar int32 tensor. `holds`: True, which XLA must not know; None for long
    division. Returns: float or scalar float64 tensor.
    """
    if not tf.is_tensor(one) and not tf.is_tensor(other):
        return one / other
    if holds is not None:
        unit = tf.ones([], tf.float64)
        quotient = tf.cast(one, tf.float64) / tf.where(holds, tf.cast(other, tf.float64), unit)
        return tf.where(holds, quotient, unit)  # else XLA makes one quotient of this and the next
    rest, divisor = tf.cast(one, tf.int64), tf.cast(other, tf.int64)
    digits = []
    for _ in range(4):  # the whole part, then 26 bits each
        digits.append(rest // divisor)
        rest = (rest % divisor) * 2**26
    # One float addition, which rounds; the lowest bit says whether anything follows. The rest are
    # integers, because Grappler puts sums of floats in another order.
    high = digits[0] * 2**26 + digits[1]
    low = digits[2] * 2**27 + digits[3] * 2 + tf.cast(rest > 0, tf.int64)
    return tf.cast(high, tf.float64) * 2.0**-26 + tf.cast(low, tf.float64) * 2.0**-79


@dataclasses.dataclass(frozen=True)
class Axis:
    """Sizes before and after, and output pixels per input pixel; numbers or scalar tensors.

    `fits` says that the latter is the ratio of the sizes: no factor was given. It is None until `measured`.
    """

    size: Any
    out: Any
    inverse: Any = None
    fits: bool = False

    @property
    def scale(self) -> Any:
        """Input pixels per output pixel, rounded as in OpenCV."""
        return 1.0 / self.inverse

    @property
    def factor(self) -> Any:
        """The whole number nearest to `scale`."""
        if tf.is_tensor(self.inverse):
            return tf.cast(tf.round(self.scale), tf.int32)
        return round(self.scale)

    @property
    def known(self) -> bool:
        """Whether tracing knows all of it."""
        return not any(tf.is_tensor(one) for one in (self.size, self.out, self.inverse))

    @property
    def same(self) -> Any:
        """Whether the size stays."""
        return self.size == self.out

    @property
    def shrinks(self) -> Any:
        """Whether no input pixel is wider than an output pixel."""
        return self.scale >= 1

    @property
    def whole(self) -> Any:
        """Whether the scale is a whole number, in OpenCV's rounding."""
        if tf.is_tensor(self.inverse):
            return tf.abs(self.scale - tf.cast(self.factor, tf.float64)) < _EPSILON
        return abs(self.scale - self.factor) < _EPSILON

    @property
    def halved(self) -> Any:
        """Whether the scale is 2."""
        return every(self.whole, self.factor == 2)


def measured(images: Any, *axes: Axis) -> list[Axis]:
    """Return axes with the ratios of their sizes, which take twenty operations if tracing knows none.

    `images`: images, of which one number is looked at. Returns: the same, as given where a factor was.
    """
    unknown = [axis.inverse is None and tf.is_tensor(axis.size) for axis in axes]
    holds = opaque_true(images) if any(unknown) else None
    # A known size is a known divisor: only long division keeps Grappler from its reciprocal.
    return [
        dataclasses.replace(axis, inverse=ratio(axis.out, axis.size, holds if is_unknown else None))
        if axis.inverse is None
        else axis
        for axis, is_unknown in zip(axes, unknown, strict=True)
    ]
