"""Smoothing along one axis with symmetric weights, as `scipy.ndimage.gaussian_filter1d` does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import UnsupportedArgument, WrongType, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs._ranges import stored
from pipeport.kernels.sampling._correlation import Line, correlated
from pipeport.kernels.sampling._margins import cut, extended, fold_taps


def gaussian_kernel(sigma: float, truncate: float = 4.0) -> Any:
    """Return the normalised weights of `scipy.ndimage.gaussian_filter1d`, or None for no smoothing."""
    if sigma <= 1e-15:
        return None
    radius = int(truncate * sigma + 0.5)
    if radius == 0:
        return None
    return gaussian_weights(sigma, radius)


def gaussian_weights(sigma: float, radius: int) -> Any:
    """Return the weights of a Gaussian up to a radius, as SciPy computes them; their sum is one."""
    x = np.arange(-radius, radius + 1)
    weights = np.exp(-0.5 / (sigma * sigma) * x**2)
    return weights / weights.sum()


def dynamic_gaussian_kernel(sigma: Any, truncate: float = 4.0) -> Any:
    """As `gaussian_kernel`, for a sigma known only when the graph runs; weight one where none."""
    radius = tf.cast(truncate * sigma + 0.5, tf.int32)
    x = tf.cast(tf.range(-radius, radius + 1), tf.float64)
    kernel = tf.exp(-0.5 / tf.maximum(sigma * sigma, 1e-30) * x * x)
    return kernel / tf.reduce_sum(kernel)


# How filters of SciPy continue an array in each border mode: the rules of `_margins`.
FILTER_RULES = {
    "reflect": "reflect",
    "grid-mirror": "reflect",
    "constant": "grid-constant",
    "grid-constant": "grid-constant",
    "nearest": "nearest",
    "mirror": "mirror",
    "wrap": "grid-wrap",
    "grid-wrap": "grid-wrap",
}


def rule_of(mode: Any) -> str:
    """Return the border rule of a mode of SciPy's filters."""
    if not isinstance(mode, str):
        raise WrongType(explain("mode", repr(mode), ", ".join(FILTER_RULES), "Name one border mode."))
    if mode not in FILTER_RULES:
        advice = "'reflect' repeats the edge pixel, 'mirror' does not."
        raise UnsupportedArgument(explain("mode", repr(mode), ", ".join(FILTER_RULES), advice))
    return FILTER_RULES[mode]


def smoothed_in(dtype: Any, values: Any, place: int, kernel: Any, mode: str, cval: Any, known: bool) -> Any:
    """Convolve along one axis as `smoothed` does, in the dtype that holds the image before and after.

    Of integers SciPy cuts the fraction off; their weights have to be known while tracing.
    """
    if not dtype.is_integer:
        return smoothed(values, place, kernel, mode, cval, known)
    line = Line(place, FILTER_RULES[mode], tuple(kernel.tolist()))
    return correlated(values, [line], tf.cast(cval, tf.float64), dtype)


def smoothed(values: Any, place: int, kernel: Any, mode: str, cval: Any, known: bool) -> Any:
    """Convolve along one axis with symmetric weights, the border extended by the mode."""
    rule = FILTER_RULES[mode]
    if isinstance(kernel, np.ndarray):
        radius = len(kernel) // 2
        wide = extended(values, [place], rule, radius, cval)
        weights_of = tuple(float(weight) for weight in kernel[radius:])
        return xla.run(_smooths, place, weights_of, known=known)(wide)
    return _convolved_dynamically(values, place, kernel, rule, cval)


def _smooths(place: int, half: tuple[float, ...]) -> Callable[..., Any]:
    def run(wide: Any) -> Any:
        return _convolved(wide, place, half)

    return run


def _convolved(wide: Any, place: int, half: tuple[float, ...]) -> Any:
    """Add up the terms as SciPy does: the middle one, then pairs from the outside in."""
    radius = len(half) - 1
    size = (wide.shape[place] or tf.shape(wide)[place]) - 2 * radius
    total = tf.constant(half[0], wide.dtype) * cut(wide, place, radius, size)
    for step in range(radius, 0, -1):
        pair = cut(wide, place, radius - step, size) + cut(wide, place, radius + step, size)
        total += tf.constant(half[step], wide.dtype) * pair
    return total


def _convolved_dynamically(values: Any, place: int, kernel: Any, rule: str, cval: Any) -> Any:
    """Convolve with a number of weights known only when the graph runs."""
    count = tf.shape(kernel)[0]
    radius = count // 2
    size = tf.shape(values)[place]
    if rule == "grid-constant":
        side = tf.one_hot(place, values.shape.rank, dtype=tf.int32)[:, tf.newaxis] * radius
        wide = tf.pad(values, tf.tile(side, [1, 2]), constant_values=stored(cval, values.dtype))
    else:
        wide = tf.gather(values, fold_taps(tf.range(-radius, size + radius), size, rule), axis=place)
    weights_of = tf.cast(kernel, values.dtype)

    def step(tap: Any, total: Any) -> tuple[Any, Any]:
        moved = total + weights_of[tap] * cut(wide, place, tap, size)
        return tap + 1, tf.ensure_shape(moved, values.shape)

    _, total = tf.while_loop(
        lambda tap, _: tap < count, step, (tf.constant(0), tf.zeros_like(values)), maximum_iterations=count
    )
    return total
