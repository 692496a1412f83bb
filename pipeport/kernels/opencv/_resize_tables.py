"""Where `cv2.resize` reads along one axis: pixels and weights of each output pixel.

Sizes and scales are Python numbers or scalar tensors; `scale` is the step in the source per output
pixel, float64. Tables have one row per tap: `index` (taps, out) int32, `weight` (taps, out).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels.opencv._resize_axis import ratio
from pipeport.kernels.xla._divide import divided
from pipeport.kernels.xla._stored import stored_as

_EIGHTH = math.pi / 4
# Below this part of a pixel INTER_AREA takes a cell to end on the pixel's edge.
_SLIVER = 1e-3
# Rounding of a float64 coordinate stays far below this, and what it stands for far above.
_SAME = 1e-10


def table(build: Callable[..., Any], *arguments: Any) -> Any:
    """Return `build(*arguments)`: NumPy constants if nothing in it is a tensor."""
    if any(tf.is_tensor(one) for one in arguments):
        return build(*arguments)
    return _constants(build, *arguments)


@functools.lru_cache(maxsize=256)
def _constants(build: Callable[..., Any], *arguments: Any) -> Any:
    # Evaluated once, while tracing, by the same code as at run time.
    with tf.init_scope(), tf.device("/CPU:0"):
        return tuple(part.numpy() for part in build(*arguments))


def _count(out: Any) -> Any:
    return tf.cast(tf.range(out), tf.float64)


def _float(value: Any) -> Any:
    # tf.cast takes a Python float through float32.
    return tf.constant(value, tf.float64) if isinstance(value, float) else tf.cast(value, tf.float64)


def _inside(index: Any, size: Any) -> Any:
    return tf.clip_by_value(tf.cast(index, tf.int32), 0, tf.cast(size, tf.int32) - 1)


def _ones(index: Any) -> Any:
    return tf.ones(tf.shape(index), tf.float32)


def copy(size: Any, out: Any) -> Any:
    """Read pixel i for i: what is left to do when the sizes are equal."""
    index = _inside(tf.range(out), size)[tf.newaxis]
    return index, _ones(index)


def nearest(size: Any, out: Any, scale: Any) -> Any:
    """INTER_NEAREST reads the pixel that holds the left edge of the output pixel."""
    index = _inside(tf.floor(_count(out) * scale), size)[tf.newaxis]
    return index, _ones(index)


@stored_as("cv2_resize_tables-nearest_of_sizes")
def nearest_of_sizes() -> Callable[[Any, Any, Any, Any], Any]:
    """Return a function for the pixels that INTER_NEAREST reads, from sizes that are tensors."""

    def run(rows: Any, columns: Any, down: Any, across: Any) -> Any:
        # Both axes at once: to a graph an operation costs more than an axis.
        sizes, outs = tf.stack([rows, columns])[:, tf.newaxis], tf.stack([down, across])[:, tf.newaxis]
        # As OpenCV: of a quotient. XLA would make 1 / (out / size) one division, were it not for tf.abs.
        scale = divided(1.0, tf.abs(divided(outs, sizes)))
        found = tf.unstack(_inside(tf.floor(_count(tf.maximum(down, across)) * scale), sizes), num=2)
        return tuple(tf.slice(index, [0], [out]) for index, out in zip(found, (down, across), strict=True))

    return run


def nearest_exact_4(size: Any, out: Any) -> Any:
    """INTER_NEAREST_EXACT of OpenCV 4: centres in fixed point of 16 bits, the step rounded."""
    size, out = tf.cast(size, tf.int64), tf.cast(out, tf.int64)
    step = (size * 65536 + out // 2) // out
    index = _inside((tf.range(out) * step + step // 2) // 65536, size)[tf.newaxis]
    return index, _ones(index)


def nearest_exact_5(size: Any, out: Any) -> Any:
    """INTER_NEAREST_EXACT of OpenCV 5: centres in float64, each one step from the one before.

    The steps are added up one by one, as there: at a tie the rounding of the sum decides.
    """
    step = _float(ratio(size, out))
    centres = tf.cumsum(tf.concat([tf.reshape(step * 0.5, [1]), tf.fill([out - 1], step)], 0))
    index = _inside(tf.floor(centres), size)[tf.newaxis]
    return index, _ones(index)


def _centres(out: Any, scale: Any, single: bool) -> tuple[Any, Any]:
    """Return the pixel at or before each centre, and how far past it, rounded as `single` says."""
    centre = (_count(out) + 0.5) * scale - 0.5
    if single:
        centre = tf.cast(centre, tf.float32)
    else:
        # A centre on a pixel takes nothing from the pixel before, NaN included, whatever its rounding.
        pixel = tf.round(centre)
        centre = tf.where(tf.abs(centre - pixel) < _SAME, pixel, centre)
    whole = tf.floor(centre)
    return tf.cast(whole, tf.int32), centre - whole


def linear(size: Any, out: Any, scale: Any, single: bool) -> Any:
    """Two neighbours and the weight of the second; beyond the border both are the edge pixel."""
    first, past = _centres(out, scale, single)
    return tf.stack([_inside(first, size), _inside(first + 1, size)]), past[tf.newaxis]


def linear_clamped(size: Any, out: Any, scale: Any, single: bool) -> Any:
    """As `linear`, with weight 0 beyond the border: in fixed point that is not the same."""
    first, past = _centres(out, scale, single)
    beyond = (first < 0) | (first >= size - 1)
    index = tf.stack([_inside(first, size), _inside(first + 1, size)])
    return index, tf.where(beyond, tf.zeros_like(past), past)[tf.newaxis]


def area_linear(size: Any, out: Any, scale: Any, inverse: Any, clamped: bool) -> Any:
    """INTER_AREA where an axis grows: the second neighbour weighs what the cell covers of it."""
    first = tf.cast(tf.floor(_count(out) * scale), tf.int32)
    past = tf.cast(_count(out) + 1 - (_float(first) + 1) * inverse, tf.float32)
    past = tf.where(past <= 0, tf.zeros_like(past), past - tf.floor(past))
    if clamped:
        past = tf.where(first >= size - 1, tf.zeros_like(past), past)
    return tf.stack([_inside(first, size), _inside(first + 1, size)]), past[tf.newaxis]


def _taps(first: Any, count: int, size: Any) -> Any:
    before = count // 2 - 1
    return _inside(first + tf.range(-before, count - before)[:, tf.newaxis], size)


def cubic(size: Any, out: Any, scale: Any, single: bool) -> Any:
    """Four taps of the cubic convolution with a = -3/4."""
    first, x = _centres(out, scale, single)
    a, y = -0.75, 1 - x
    # Factored as in OpenCV: these float32 weights are rounded to 11 bits, where an ulp can count.
    outer = ((a * (x + 1) - 5 * a) * (x + 1) + 8 * a) * (x + 1) - 4 * a
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    far = ((a + 2) * y - (a + 3)) * y * y + 1
    return _taps(first, 4, size), tf.stack([outer, near, far, 1 - outer - near - far])


def lanczos(size: Any, out: Any, scale: Any) -> Any:
    """Eight taps of the Lanczos window, normalised; float32, with sines in float64."""
    first, past = _centres(out, scale, True)
    shifted = past + 3
    angle = _float(shifted) * -_EIGHTH
    # sin(angle + tap pi / 4) with a sign that alternates, by the addition theorem.
    turns = [5 * tap * _EIGHTH for tap in range(8)]
    cosines, sines = ([_exact(of(turn)) for turn in turns] for of in (math.cos, math.sin))
    wave = tf.sin(angle) * _column(cosines) + tf.cos(angle) * _column(sines)
    distance = shifted - tf.range(8.0)[:, tf.newaxis]
    at = _float(distance) * -_EIGHTH
    value = tf.cast(wave / tf.where(at == 0, tf.ones_like(at), at * at), tf.float32)
    # On the pixel itself the quotient is 0/0; a huge weight leaves 1 after normalisation.
    value = tf.where(tf.abs(distance) < 1e-6, tf.fill(tf.shape(value), 1e30), value)
    total = value[0]
    for tap in range(1, 8):
        total = total + value[tap]
    return _taps(first, 8, size), value * (1 / total)


def _column(values: list[float]) -> Any:
    return tf.constant(values, tf.float64)[:, tf.newaxis]


def _exact(value: float) -> float:
    """Return sin or cos of a multiple of 45 degrees without the rounding of pi."""
    return float(round(value)) if abs(value - round(value)) < 1e-9 else math.copysign(math.sqrt(0.5), value)


def area(size: Any, out: Any, scale: Any) -> Any:
    """INTER_AREA where no axis grows: the part of each pixel that lies in the cell, float32."""
    low = _count(out) * scale
    high = low + scale
    cell = tf.minimum(tf.zeros_like(low) + scale, _float(size) - low)
    last = tf.minimum(tf.floor(high), _float(size) - 1)
    first = tf.minimum(tf.math.ceil(low), last)
    cut = first - low > _SLIVER
    start = first - tf.cast(cut, tf.float64)
    most = math.floor(scale) + 2 if not tf.is_tensor(scale) else tf.cast(tf.floor(scale), tf.int32) + 2
    at = start + _count(most)[:, tf.newaxis]
    whole = tf.where((at >= first) & (at < last), tf.ones_like(at), tf.zeros_like(at))
    rest = high - last
    part = tf.where(rest > _SLIVER, tf.minimum(tf.minimum(rest, 1.0), cell), tf.zeros_like(rest))
    covered = tf.where(at < first, first - low, tf.where(at == last, part, whole))
    return _inside(at, size), tf.cast(covered / cell, tf.float32)


def blocks(size: Any, out: Any, count: Any) -> Any:
    """INTER_AREA by a whole factor: `count` pixels each, and 1 for those inside the image."""
    at = tf.range(out) * count + tf.range(count)[:, tf.newaxis]
    return _inside(at, size), tf.cast(at < size, tf.float32)


def fixed_point(size: Any, out: Any, scale: Any, bits: int) -> Any:
    """INTER_LINEAR_EXACT: two neighbours, and the second's weight as an integer of `bits` bits."""
    first, past = _centres(out, scale, False)
    beyond = (first < 0) | (first >= size - 1)
    weight = tf.cast(tf.round(past * 2.0**bits), tf.int64)
    index = tf.stack([_inside(first, size), _inside(first + 1, size)])
    return index, tf.where(beyond, tf.zeros_like(weight), weight)[tf.newaxis]
