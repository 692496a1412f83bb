"""Gaussians along axes of an array, and their derivatives, as `scipy.ndimage.gaussian_filter` has them."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs._checks import finite, finite_scalar
from pipeport.kernels.inputs.arrays import static_value
from pipeport.kernels.sampling._correlation import Line, correlated, correlated_by_tensor
from pipeport.kernels.sampling._smoothing import gaussian_weights

# Axes with a sigma known to be no larger are left as they are.
LEAST = 1e-15


@dataclass(frozen=True)
class Gaussian:
    """A Gaussian along one axis.

    `axis`: the axis, counted from 0. `rule`: what lies beyond the ends, as of `Line`. `sigma`: standard
    deviation; a tensor of float64, one number or one per element of the first axis. `radius`: how many
    elements the weights reach.
    """

    axis: int
    rule: str
    sigma: Any
    radius: Any
    order: int = 0


def blurred(x: Any, axes: Sequence[Gaussian], cval: Any, dtype: Any) -> Any:
    """Return an array filtered along some of its axes, one after the other.

    `axes`: the axes, in this order. `cval`: scalar float64; the value beyond the ends under the rule
    'grid-constant'. `dtype`: of the result, and of what is kept between two axes. Returns: shape of `x`.
    """
    lines: list[Line] = []
    values = x
    for one in axes:
        if tf.is_tensor(one.sigma):
            values, lines = correlated(values, lines, cval, dtype) if lines else values, []
            reach = tf.broadcast_to(one.radius, tf.shape(one.sigma))
            half = _half_of_tensor(one.sigma, one.order, reach)
            odd = one.order % 2 == 1
            values = correlated_by_tensor(values, one.axis, one.rule, half, reach, odd, cval, dtype)
        else:
            lines.append(Line(one.axis, one.rule, _weights(one.sigma, one.order, one.radius)))
    return correlated(values, lines, cval, dtype)


def _polynomial(order: int, variance: Any) -> list[Any]:
    """Return the coefficients of q(x), by which a Gaussian is multiplied in its derivative of some order."""
    inverse = 1.0 / -variance
    factors: list[Any] = [1.0] + [0.0] * order
    for _ in range(order):
        risen = [(power + 1) * factors[power + 1] for power in range(order)] + [0.0]
        sunk = [0.0] + [factors[power] * inverse for power in range(order)]
        factors = [first + second for first, second in zip(risen, sunk, strict=True)]
    return factors


def _weights(sigma: float, order: int, radius: int) -> tuple[float, ...]:
    """Return the weights to correlate with, as SciPy computes them."""
    phi = gaussian_weights(sigma, radius)
    if order:
        x = np.arange(-radius, radius + 1)
        phi = (x[:, None] ** np.arange(order + 1)).dot(_polynomial(order, sigma * sigma)) * phi
    return tuple(phi[::-1].tolist())


def _half_of_tensor(sigma: Any, order: int, radius: Any) -> Any:
    """Return the weights of the middle and of what comes before it: (R + 1,), of sigmas (B,) (B, R + 1)."""
    sigma, radius = sigma[..., tf.newaxis], tf.convert_to_tensor(radius)
    variance = tf.maximum(sigma * sigma, tf.constant(1e-300, tf.float64))
    far = tf.range(tf.reduce_max(radius) + 1)
    x = tf.cast(far, tf.float64)
    phi = tf.exp(tf.constant(-0.5, tf.float64) / variance * x * x)
    phi = tf.where(far <= radius[..., tf.newaxis], phi, tf.zeros([], tf.float64))
    phi = phi / (2 * tf.reduce_sum(phi, -1, keepdims=True) - phi[..., :1])
    if order:
        phi *= sum(
            tf.cast(factor, tf.float64) * x**power
            for power, factor in enumerate(_polynomial(order, variance))
        )
    return phi


def radius_of(sigma: Any, truncate: float) -> Any:
    """Return how many elements the weights reach, for how many standard deviations they shall."""
    if tf.is_tensor(sigma):
        return tf.cast(truncate * sigma + 0.5, tf.int32)
    found = int(truncate * sigma + 0.5)
    if found < 0:
        advice = "Give positive ones."
        raise OutsideDomain(explain("truncate", str(truncate), "a radius of 0 or more", advice))
    return found


def reach_of(truncate: Any) -> float:
    """Return how many standard deviations the weights reach, a number known while tracing."""
    value = static_value(truncate, "truncate")
    if tf.is_tensor(value):
        advice = "It shapes the graph: give a Python number."
        raise UnsupportedArgument(explain("truncate", "a tensor", "a number known while tracing", advice))
    value = value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value
    return float(finite_scalar(value, "truncate"))


def sigma_of(value: Any, batch_axes: int, name: str = "sigma") -> Any:
    """Return a sigma as a Python float, or as a checked tensor: one, or one per element."""
    value = static_value(value, name)
    if batch_axes and isinstance(value, np.ndarray) and value.ndim == 1:
        value = tf.constant(value)
    if isinstance(value, (np.ndarray, np.generic)):
        if np.ndim(value):
            advice = "Give one number per axis that is filtered."
            raise OutsideDomain(explain(name, f"shape {np.shape(value)}", "one number", advice))
        value = value.item()
    if tf.is_tensor(value):
        if value.shape.rank is None or value.shape.rank > batch_axes:
            advice = "Give one number per axis that is filtered."
            raise OutsideDomain(explain(name, f"shape {value.shape}", "one number", advice))
        return finite(tf.cast(value, tf.float64), name, "a finite number")
    if isinstance(value, (bool, str, bytes)) or not isinstance(value, numbers.Real):
        raise WrongType(explain(name, repr(value), "a real number", "Give a standard deviation."))
    if not math.isfinite(value):
        raise OutsideDomain(explain(name, repr(value), "a finite number", "Give a standard deviation."))
    return float(value)


def unstacked(sigma: Any, batch_axes: int, name: str = "sigma") -> Any:
    """Return one sigma per axis of an array or a tensor of them; with a batch (B,) is one per element."""
    value = static_value(sigma, name)
    array = tf.is_tensor(value) or isinstance(value, np.ndarray)
    if array and len(value.shape) == batch_axes + 1 and value.shape[-1] is not None:
        if tf.is_tensor(value) or batch_axes:
            return tf.unstack(tf.convert_to_tensor(value), axis=-1)
        return list(value)
    # A sequence of a batch's array would be one per axis.
    return tf.convert_to_tensor(value) if array and batch_axes else value
