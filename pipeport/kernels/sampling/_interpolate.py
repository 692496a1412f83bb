"""Sample arrays of any number of axes at computed coordinates, with splines of order 0 to 5.

What is sampled is a *table*: the image, or its spline coefficients, with a margin on every side
that already holds what the border rule puts there. A coordinate then needs one index, and the
taps around it lie at constant offsets from it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs._ranges import assigned, stored
from pipeport.kernels.sampling import _ndimage_borders as borders
from pipeport.kernels.sampling import _spline
from pipeport.kernels.sampling._coordinates import LOADED, Coordinates, in_memory
from pipeport.kernels.sampling._maps import FORMULAS, PaddedSide
from pipeport.kernels.sampling._margins import extended, margin, near
from pipeport.kernels.sampling._spline_weights import first_tap, reach, taps_of, weights
from pipeport.kernels.xla._materialize import opaque_true, or_filled

_MAX_PIXELS = 2**31 - 1  # flat indices are int32

# A map is a module-level function `(parameters, sizes, out) -> Coordinates`: one float64 tensor per
# image axis, each of shape (B or 1, *out) up to axes of size one. `sizes` and `out` are sizes of the
# image and the output, as integers or scalar int32 tensors. It is compiled with the sampling.
Map = Callable[[tuple[Any, ...], Sequence[Any], Sequence[Any]], Coordinates]

_UNROLLED = 36  # taps of one loop body; more are looped over, which keeps compiling short


@dataclass(frozen=True)
class Plan:
    """All that is static about a sampling: what a compiled body is built for.

    `mode`: a border mode of `scipy.ndimage`. `dtype`: dtype of the result; integers as `_ranges.stored` gives
    them. `prefilter`: whether the image is turned into coefficients first (orders 2 and up).
    """

    map: Map
    order: int | str
    mode: str
    compute: Any
    dtype: Any
    prefilter: bool = True

    @property
    def filters(self) -> bool:
        """Whether there is anything to filter."""
        return self.prefilter and self.order in _spline.POLES

    @property
    def prepad(self) -> int:
        """How many pixels are put around the image before it is filtered."""
        return borders.PREPAD.get(borders.canonical(self.mode), 0) if self.filters else 0

    @property
    def pad(self) -> int:
        """How many pixels the table has before the image's first."""
        return self.prepad + margin(self.order, borders.canonical(self.mode))


class _Inputs(NamedTuple):
    """The inputs of a compiled body.

    `table`: shape (B, *extended, C). `cval`: scalar float64. `sure`: True, which XLA does not know.
    """

    table: Any
    parameters: tuple[Any, ...]
    cval: Any
    sure: Any


def sample(plan: Plan, images: Any, parameters: tuple[Any, ...], cval: Any, out: Sequence[Any]) -> Any:
    """Sample a batch of images at the coordinates of a map.

    `plan`: map, order, border mode, dtypes. `images`: shape (B, *sizes, C); real numbers; bool for order 0.
    `cval`: scalar float64; value outside the image in modes 'constant' and 'grid-constant'. `out`: sequence
    of int or scalar int32 tensors; sizes of the output, any number of axes. Returns: shape (B, *out, C),
    dtype of the plan.
    """
    static = images.shape[1:-1]
    sizes = static.as_list() if static.is_fully_defined() else tf.unstack(tf.shape(images)[1:-1])
    known = static.is_fully_defined() and all(isinstance(side, int) for side in out)
    inputs = _Inputs(_table(plan, images, cval), parameters, cval, opaque_true(images))
    _check_index_range(inputs.table)
    buckets = _in_buckets if _fills_buckets(plan, images, out) else None
    form = xla.choose(known, program=_of_known_sizes, in_buckets=buckets, otherwise=_body)
    result = form(plan, inputs, sizes, out)
    sides = [side if isinstance(side, int) else None for side in out]
    return tf.ensure_shape(result, [images.shape[0], *sides, images.shape[-1]])


def _fills_buckets(plan: Plan, images: Any, out: Sequence[Any]) -> bool:
    """Whether few programs serve all sizes.

    Of planes, since a short third axis would be padded to several times its size; and not where the
    number of images or channels may change as well.
    """
    known = images.shape[0] is not None and images.shape[-1] is not None
    return known and plan.map in FORMULAS and images.shape.rank == 4 and len(out) == 2


def _in_buckets(plan: Plan, inputs: _Inputs, sizes: Sequence[Any], out: Sequence[Any]) -> Any:
    """Pad to size buckets, run the body compiled for them, cut the true size out."""
    padded = xla.padded_to_bucket(inputs.table, range(1, 1 + len(sizes)))
    known = tuple(side if isinstance(side, int) else None for side in out)
    true_out = tf.stack([tf.convert_to_tensor(side, tf.int32) for side in out])
    # Only its shape says something: XLA knows that, and no other number, when it compiles.
    room = tf.zeros(tf.where([side is None for side in known], xla.bucket(true_out), true_out), tf.bool)
    body = xla.compiled(_bucket_body, plan, known)
    result = body(inputs._replace(table=padded), tf.stack(sizes), true_out, room)
    return result[
        (slice(None), *(slice(None) if side else slice(true_out[axis]) for axis, side in enumerate(known)))
    ]


def _bucket_body(plan: Plan, known: tuple[int | None, ...]) -> Callable[..., Any]:
    def run(inputs: _Inputs, sizes: Any, true_out: Any, room: Any) -> Any:
        rooms = tf.shape(room)
        out = [side or PaddedSide(true_out[axis], rooms[axis]) for axis, side in enumerate(known)]
        return _body(plan, inputs, tf.unstack(sizes, len(known)), out)

    return run


def _check_index_range(table: Any) -> None:
    shape = table.shape[:-1]
    if shape.is_fully_defined() and shape.num_elements() > _MAX_PIXELS:
        given = f"{shape.num_elements()} pixels"
        raise OutsideDomain(explain("image", given, f"at most {_MAX_PIXELS}", "Work on smaller pieces."))


def _of_known_sizes(plan: Plan, inputs: _Inputs, sizes: Sequence[int], out: Sequence[int]) -> Any:
    return xla.compiled(_compiled_body, plan, tuple(sizes), tuple(out))(inputs)


def _compiled_body(plan: Plan, sizes: tuple[int, ...], out: tuple[int, ...]) -> Callable[..., Any]:
    return lambda inputs: _body(plan, inputs, sizes, out)


# ------------------------------------------------------------------------------------ the table


def _table(plan: Plan, images: Any, cval: Any) -> Any:
    axes = range(1, images.shape.rank - 1)
    mode = borders.canonical(plan.mode)
    table = images
    if plan.filters:
        table = tf.cast(images, tf.float64)
        if plan.prepad:
            fill = tf.cast(assigned(cval, images.dtype), tf.float64)
            table = extended(table, axes, mode, plan.prepad, fill)
        table = _spline.coefficients(table, int(plan.order), mode, axes)
    elif plan.order == 0:
        # Pixels are picked, not mixed; and the fill need not be one of the image's levels.
        table = stored(table, plan.dtype)
    elif mode == "grid-constant" and not table.dtype.is_floating:
        table = tf.cast(table, tf.float64)
    return extended(table, axes, borders.tap_rule(mode), margin(plan.order, mode), cval)


# --------------------------------------------------------------------------------- the sampling


def _folded(plan: Plan, coordinate: Any, size: Any) -> tuple[Any, Any]:
    """Return a coordinate whose taps the table holds, and where the pixel reads `cval` instead."""
    mode = borders.canonical(plan.mode)
    if mode in borders.BY_TAP:
        return near(coordinate, size, plan.order, mode, plan.filters), tf.math.is_nan(coordinate)
    folded = borders.FOLDS[mode](coordinate, size)
    if mode == "constant":
        return folded, borders.outside(coordinate, size)
    return folded, ~(folded > -1)


def _body(plan: Plan, inputs: _Inputs, sizes: Sequence[Any], out: Sequence[Any]) -> Any:
    table, parameters, cval, sure = inputs
    axes = len(sizes)
    shape = tf.unstack(tf.shape(table)) if not table.shape.is_fully_defined() else table.shape.as_list()
    strides = [math.prod(shape[axis + 2 : -1]) if axis + 2 < len(shape) - 1 else 1 for axis in range(axes)]
    channels = shape[-1]
    pixels = tf.reshape(table, [-1, channels])
    where = in_memory(lambda: plan.map(parameters, sizes, out), sure, already=plan.map in LOADED)

    def place() -> Any:
        base: Any = tf.zeros([], tf.int32)
        lost: Any = tf.zeros([], tf.bool)
        fractions = []
        for axis, coordinate in enumerate(where()):
            size = tf.cast(sizes[axis], tf.float64)
            folded, away = _folded(plan, coordinate, size)
            folded = tf.where(tf.math.is_nan(folded), tf.zeros_like(folded), folded)
            pixel, fraction = first_tap(folded, plan.order)
            start = tf.cast(pixel, tf.int32) + (plan.pad - reach(plan.order))
            base = base + start * strides[axis]
            lost = lost | away
            fractions.append(fraction)
        rows = shape[0]
        if not (isinstance(rows, int) and rows == 1):
            block = math.prod(shape[1:-1])
            offset = tf.range(rows) * block
            base = base + tf.reshape(offset, [-1] + [1] * len(out))
        parts = [
            [tf.cast(weight, plan.compute) for weight in weights(fraction, plan.order)]
            for fraction in fractions
        ]
        full = tf.shape(base)
        return base, tf.broadcast_to(lost, full), parts if plan.order != 0 else []

    # What leaves a conditional is materialised: coordinates, indices and weights stay vectorised
    # loops of their own instead of being computed inside the gather, once per channel and tap.
    base, lost, parts = place() if tf.executing_eagerly() else or_filled(sure, place, tf.zeros)
    values = _gathered(plan, pixels, base, parts, strides)
    return tf.where(lost[..., tf.newaxis], stored(cval, plan.dtype), stored(values, plan.dtype))


def _gathered(plan: Plan, pixels: Any, base: Any, parts: Any, strides: Sequence[Any]) -> Any:
    if plan.order == 0:
        return tf.gather(pixels, base)
    taps, axes = taps_of(plan.order), len(strides)

    def combined(axis: int, index: Any) -> Any:
        total: Any = None
        for tap in range(taps):
            weight = parts[axis][tap][..., tf.newaxis]
            where = index + tap * strides[axis] if tap else index
            if axis == axes - 1:
                term = tf.cast(tf.gather(pixels, where), plan.compute)
            else:
                term = combined(axis + 1, where)
            term = weight * term
            total = term if total is None else total + term
        return total

    inner = 1
    while inner < axes and taps ** (inner + 1) <= _UNROLLED:
        inner += 1
    if inner == axes:
        return combined(0, base)
    return _looped(plan, combined, base, parts, strides, axes - inner, tf.shape(pixels)[-1])


def _looped(
    plan: Plan, combined: Any, base: Any, parts: Any, strides: Sequence[Any], outer: int, channels: Any
) -> Any:
    """Sum over the taps of the first axes in a loop, over those of the last ones unrolled."""
    taps = taps_of(plan.order)
    combinations = np.array(list(itertools.product(range(taps), repeat=outer)), np.int32)
    stacked = [tf.stack(parts[axis]) for axis in range(outer)]
    table = tf.constant(combinations)
    nothing = tf.zeros(tf.concat([tf.shape(base), [channels]], 0), plan.compute)

    def step(number: Any, total: Any) -> tuple[Any, Any]:
        row = table[number]
        index, weight = base, tf.ones([], plan.compute)
        for axis in range(outer):
            index = index + row[axis] * strides[axis]
            weight = weight * stacked[axis][row[axis]]
        return number + 1, total + weight[..., tf.newaxis] * combined(outer, index)

    count = len(combinations)
    _, total = tf.while_loop(
        lambda number, _: number < count, step, (tf.constant(0), nothing), maximum_iterations=count
    )
    return total
