"""SciPy's border modes: how `scipy.ndimage` folds a coordinate, and which pixel a tap reads.

A coordinate is folded first, then the taps of the spline around it, so that zero-weight taps
read the same pixels as in the reference: a NaN there counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf

Fold = Callable[[Any, Any], Any]

MODES = ("reflect", "grid-mirror", "constant", "grid-constant", "nearest", "mirror", "grid-wrap", "wrap")

# Another name of the same rule.
_ALIASES = {"grid-mirror": "reflect"}

# The boundary condition of the spline filter, by mode; the rest of the extension follows from it.
_FILTER_BOUNDARIES = {
    "reflect": "reflect",
    "nearest": "reflect",
    "grid-wrap": "grid-wrap",
    "mirror": "mirror",
    "constant": "mirror",
    "grid-constant": "mirror",
    "wrap": "mirror",
}

# What taps beyond the filtered array read.
_TAPS = {**_FILTER_BOUNDARIES, "nearest": "nearest", "grid-constant": "grid-constant"}

# Modes in which coordinates are not folded, only the taps around them.
BY_TAP = ("nearest", "grid-constant")

# Modes without an exact boundary condition are extended by this many pixels and then filtered.
PREPAD = {"nearest": 12, "grid-constant": 12}


def canonical(mode: str) -> str:
    """Return the one name of a mode."""
    return _ALIASES.get(mode, mode)


def filter_boundary(mode: str) -> str:
    """Return the boundary condition of the spline filter: 'mirror', 'reflect' or 'grid-wrap'."""
    return _FILTER_BOUNDARIES[canonical(mode)]


def tap_rule(mode: str) -> str:
    """Return the rule by which taps beyond the array are folded."""
    return _TAPS[canonical(mode)]


def _divided(value: Any, period: Any) -> Any:
    return tf.floor(value / period)


def _mirror(x: Any, size: Any) -> Any:
    period = tf.maximum(2 * size - 2, 1)
    low = x + period * _divided(-x, period)
    low = tf.where(low <= 1 - size, low + period, -low)
    high = x - period * _divided(x, period)
    high = tf.where(high >= size, period - high, high)
    return _chosen(x, size, low, high)


def _reflect(x: Any, size: Any) -> Any:
    period = 2 * size
    low = tf.where(x < -period, x + period * _divided(-x, period), x)
    # Kept above -1, which means "outside" to SciPy.
    low = tf.where(low < -size, low + period, tf.maximum(-low, 1e-15) - 1)
    high = x - period * _divided(x, period)
    high = tf.where(high >= size, period - high - 1, high)
    return _chosen(x, size, low, high)


def _wrap(x: Any, size: Any) -> Any:
    # The first and the last pixel count as one: a period is size - 1.
    period = tf.maximum(size - 1, 1)
    low = x + period * (_divided(-x, period) + 1)
    high = x - period * _divided(x, period)
    return _chosen(x, size, low, high)


def _grid_wrap(x: Any, size: Any) -> Any:
    low = x + size * (_divided(-1 - x, size) + 1)
    low = tf.where(x >= -1, x + size, low)  # truncation of a quotient between -1 and 0
    low = tf.where(low >= size, low - size, low)  # a tiny negative number rounds up to the size
    high = x - size * _divided(x, size)
    return _chosen(x, size, low, high)


def _chosen(x: Any, size: Any, low: Any, high: Any) -> Any:
    folded = tf.where(x < 0, low, tf.where(x > size - 1, high, x))
    return tf.where((size <= 1) & ((x < 0) | (x > size - 1)), tf.zeros_like(folded), folded)


def _constant(x: Any, size: Any) -> Any:
    # What lies outside is overwritten.
    return tf.clip_by_value(x, tf.zeros([], x.dtype), size - 1)


FOLDS: dict[str, Fold] = {
    "mirror": _mirror,
    "reflect": _reflect,
    "wrap": _wrap,
    "grid-wrap": _grid_wrap,
    "constant": _constant,
}


def outside(coordinate: Any, size: Any) -> Any:
    """Say where a coordinate of mode 'constant' lies outside the image; NaN does."""
    return ~((coordinate >= 0) & (coordinate <= size - 1))
