"""Resampling as `cv2.resize` does it: its interpolations, and for each dtype its arithmetic.

Every interpolation is separable: columns first, then rows. Bytes go through OpenCV's fixed point
(11 bits of weight), so that they come out equal; everything else through floats.

Which kernel runs (`kernel_of`): the first row that fits. "Known" are sizes known while tracing a graph;
"eager" is as well what `config.jit` "never" gives for known sizes. A test reads this table.

| dtype | interpolation | to    | known           | unknown         | eager           |
|-------|---------------|-------|-----------------|-----------------|-----------------|
| uint8 | LINEAR        | dsize | by_stock_linear | by_stock_linear | by_stock_linear |
| uint8 | AREA          | dsize | by_stock_area   | by_stock_area   | by_stock_area   |
| any   | NEAREST       | dsize | by_program      | by_sizes        | by_operations   |
| any   | any           | any   | by_program      | by_operations   | by_operations   |

`config.bit_equal` skips the first two rows; `config.jit` "always" does so for known sizes. What a
decoder gave goes through `by_words` then, if it has three or four channels, by INTER_LINEAR to a known size.
Where the user compiles the graph with XLA, `by_stock_linear` computes with whole numbers, and `by_stock_area`
is not served.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels import xla
from pipeport.kernels.layout._channel_order import turned
from pipeport.kernels.opencv import _resize_stock as stock
from pipeport.kernels.opencv import _resize_tables as tables
from pipeport.kernels.opencv import _resize_words as words
from pipeport.kernels.opencv._resize_axis import Axis, choose, every
from pipeport.kernels.opencv._resize_grown import grown
from pipeport.kernels.opencv._resize_tables import table
from pipeport.kernels.opencv._resize_taps import (
    BITS,
    Window,
    along,
    complement,
    gather,
    mean,
    mixed,
    pair,
    saturated,
    scaled,
    summed,
    summed_cells,
    windowed,
)
from pipeport.kernels.xla._materialize import materialize
from pipeport.kernels.xla._one_call import cold_branch, stored

NEAREST, LINEAR, CUBIC, AREA, LANCZOS4, LINEAR_EXACT, NEAREST_EXACT = range(7)
_NEAREST = (NEAREST, NEAREST_EXACT)
_MANY = 4  # taps
_MANY_PIXELS = 2**14  # fewer are gathered sooner than a program is called
# Numbers that a program has room for: few, since each is compiled.
_ROOMS = np.array(sorted(part * 2**power for power in range(12, 30) for part in (2, 3)), np.int32)


def _float_of(dtype: Any) -> Any:
    return tf.float64 if dtype == tf.float64 else tf.float32


def _picked(x: Any, rows: Any, columns: Any) -> Any:
    return gather(gather(x, rows[0][0], 1), columns[0][0], 2)


def _are_many(x: Any, rows: Axis, columns: Axis) -> bool:
    """Say whether columns of images of several channels are gathered sooner by a program."""
    if not (isinstance(rows.out, int) and isinstance(columns.out, int)) or x.shape[0] is None:
        return False
    return rows.out * columns.out >= _MANY_PIXELS and x.dtype == tf.uint8 and x.shape[3] in (3, 4)


def _pixels(x: Any, across: Any, turn: bool) -> Any:
    """Return columns of images of several channels, whose width is not known, by a program for each room.

    224 of 410 columns, 224 rows, three channels, CPU time: 0.09 ms, in the graph 0.13. `turn` turns the
    channels round.
    """
    given = tf.size(x)
    room = tf.raw_ops.UpperBound(sorted_inputs=_ROOMS[np.newaxis], values=tf.reshape(given, [1, 1]))
    rest = tf.zeros(tf.reshape(tf.gather(_ROOMS, room), [1]) - given, x.dtype)
    flat = tf.concat([tf.reshape(x, [-1]), rest], 0)
    return xla.compiled(_numbers, tuple(x.shape[:2]), x.shape[3], turn)(flat, tf.shape(x)[2], across)


def _numbers(sides: tuple[int, int], channels: int, turn: bool) -> Callable[..., Any]:
    """Return the flat indices that pick the same pixels of each row."""

    def run(flat: Any, width: Any, across: Any) -> Any:
        order = tf.range(channels)[::-1] if turn else tf.range(channels)
        numbers = tf.reshape(across[:, tf.newaxis] * channels + order, [-1])
        rows = tf.range(sides[0] * sides[1])[:, tf.newaxis] * (width * channels)
        return tf.reshape(tf.gather(flat, rows + numbers), [*sides, -1, channels])

    return run


def _planes(x: Any, across: Any) -> Any:
    """Return columns of images of one channel: numbers are gathered one by one, rows as a whole.

    224 of 410 columns, 224 rows, bytes, CPU time: 0.40 ms, turned 0.12.
    """
    turn = [0, 2, 1, 3]
    return tf.transpose(gather(tf.transpose(x, turn), across, 1), turn)


def _nearest(x: Any, rows: Axis, columns: Axis, turn: bool) -> Any:
    """Return the pixels INTER_NEAREST reads where only the sizes are given, its ratios not measured."""
    read = stored(tables.nearest_of_sizes)
    down, across = read(
        *(tf.convert_to_tensor(one) for one in (rows.size, columns.size, rows.out, columns.out))
    )
    kept = gather(x, down, 1)
    known = _are_many(x, rows, columns)
    return xla.choose(known, program=_pixels, otherwise=_columns)(kept, across, turn)


def _columns(x: Any, across: Any, turn: bool) -> Any:
    found = _planes(x, across) if x.shape[3] == 1 else gather(x, across, 2)
    return turned(found) if turn else found


@dataclasses.dataclass(frozen=True)
class Resampling:
    """One interpolation of images of one kind.

    `channels`: channels of the image: Intel's code, which OpenCV calls for 1, 3 and 4 of them, rounds
    coordinates to float64, OpenCV's own to float32. `fold`: columns are given as rows of pixels (1), or as
    rows of numbers: `channels` of them a pixel. `holds`: within a compiled body: true, which XLA cannot know.
    """

    interpolation: int
    channels: int
    fold: int
    opencv: int
    holds: Any = None

    def __call__(self, x: Any, rows: Axis, columns: Axis) -> Any:
        """Return images (B, H, W, C), or (B, H, W C, 1) when folded, with H and W resampled."""
        if self.interpolation in _NEAREST and rows.fits and columns.fits:
            return self._resampled(x, rows, columns)  # of equal sizes a copy
        return choose(
            every(rows.same, columns.same),
            lambda: _picked(x, *self._tables(tables.copy, (rows, columns))),
            lambda: self._resampled(x, rows, columns),
        )

    def _resampled(self, x: Any, rows: Axis, columns: Axis) -> Any:
        kind = self.interpolation
        if kind == NEAREST:
            scales = ((rows.scale,), (columns.scale,))
            return _picked(x, *self._tables(tables.nearest, (rows, columns), scales))
        if kind == NEAREST_EXACT:
            build = tables.nearest_exact_5 if self.opencv == 5 else tables.nearest_exact_4
            return _picked(x, *self._tables(build, (rows, columns)))
        if kind == AREA:
            shrinks = every(rows.shrinks, columns.shrinks)
            return choose(
                shrinks, lambda: self._area(x, rows, columns), lambda: self.enlarged(x, rows, columns)
            )
        if kind == LANCZOS4:
            return self._tapped(x, rows, columns, tables.lanczos)
        if kind == CUBIC:
            return self._cubic(x, rows, columns)
        if kind == LINEAR_EXACT and not x.dtype.is_floating:
            mix = self._exact
        elif x.dtype == tf.uint8:
            mix = self._bytes
        else:
            return self._linear(x, rows, columns)
        # OpenCV halves both ways by averaging 2 x 2, but for two channels not in INTER_LINEAR_EXACT.
        averages = kind == LINEAR or self.channels != 2
        halved = every(averages, rows.halved, columns.halved)
        return choose(halved, lambda: self._blocks(x, rows, columns), lambda: mix(x, rows, columns))

    def _tables(self, build: Any, axes: Any, more: Any = ((), ())) -> list[Any]:
        found = [table(build, axis.size, axis.out, *rest) for axis, rest in zip(axes, more, strict=True)]
        return [found[0], self._folded(found[1])]

    def _folded(self, rule: Any) -> Any:
        if self.fold == 1:
            return rule
        index, weight = rule
        spread = index[..., np.newaxis] * self.fold + np.arange(self.fold, dtype=np.int32)
        return spread.reshape(len(index), -1), np.repeat(weight, self.fold, axis=1)

    def _both(self, x: Any, down: Any, across: Any, rows: Axis, columns: Axis, cells: bool = False) -> Any:
        """Sum the taps along both axes.

        Rows first where they get fewer: a row is added as a vector, columns are gathered one by one.
        Compiled, the first of many taps is kept in memory, else computed again for each of the second
        (256 to 224 pixels, CPU time: INTER_CUBIC 1.20 ms, kept 0.77; INTER_AREA, three plain products,
        0.71, kept 0.81).
        """

        def over_rows(value: Any) -> Any:
            return summed_cells(value, 1, down, self.holds) if cells else summed(value, 1, down)

        def over_columns(value: Any) -> Any:
            if self.holds is None or not windowed(across):
                return summed_cells(value, 2, across, self.holds) if cells else summed(value, 2, across)
            window = Window(across, columns.size, self.fold)
            return window.summed_cells(value, self.holds) if cells else window.summed(value)

        first, second = over_columns, over_rows
        if rows.known and rows.out < rows.size:
            first, second = second, first
        if self.holds is None or len(across[1]) < _MANY:
            return second(first(x))
        return second(materialize(self.holds, lambda: first(x)))

    @property
    def _single(self) -> bool:
        return self.channels not in (1, 3, 4)

    def _linear(self, x: Any, rows: Axis, columns: Axis) -> Any:
        more = ((rows.scale, self._single), (columns.scale, self._single))
        down, across = self._tables(tables.linear, (rows, columns), more)
        value = tf.cast(x, _float_of(x.dtype))
        if self._single:
            return self._weighed(value, down, across, rows, columns, x.dtype)

        def along_columns(taken: Any) -> Any:
            if self.holds is None:
                return mixed(taken, 2, across)
            return Window((across[0], complement(across[1][0], 1)), columns.size, self.fold).mixed(taken)

        # Rows first, 256 to 224 pixels, float32: 2,613 images a second in Dataset.map against 2,349.
        if rows.known and rows.out < rows.size:
            return saturated(along_columns(mixed(value, 1, down)), x.dtype)
        return saturated(mixed(along_columns(value), 1, down), x.dtype)

    def _bytes(self, x: Any, rows: Axis, columns: Axis) -> Any:
        down = table(tables.linear, rows.size, rows.out, rows.scale, True)
        across = table(tables.linear_clamped, columns.size, columns.out, columns.scale, True)
        return self._fixed(x, down, self._folded(across), columns)

    def _fixed(self, x: Any, down: Any, across: Any, columns: Axis) -> Any:
        """Weights of 11 bits; of the sums along a row the last 4 bits are dropped, as in OpenCV."""
        shift = tf.bitwise.right_shift
        x, across = tf.cast(x, tf.int32), (across[0], pair(across[1][0]))
        weights = pair(down[1][0])
        if self.holds is None:
            line = shift(summed(x, 2, across), 4)
            lines = [gather(line, down[0][tap], 1) for tap in (0, 1)]
        else:
            # Both lines anew for each row. CPU time for 256 to 224 pixels: 0.61 ms, by `summed` and then
            # rows 0.64, with the lines kept 0.73; cv2 0.34, which reads no index for each number.
            window = Window(across, columns.size, self.fold)
            lines = [shift(window.summed(gather(x, down[0][tap], 1)), 4) for tap in (0, 1)]
        upper, lower = (shift(lines[tap] * along(weights[tap], 1, tf.int32), 16) for tap in (0, 1))
        return tf.cast(shift(upper + lower + 2, 2), tf.uint8)

    def _exact(self, x: Any, rows: Axis, columns: Axis) -> Any:
        bits = 8 if x.dtype == tf.uint8 else 16
        more = ((rows.scale, bits), (columns.scale, bits))
        down, across = self._tables(tables.fixed_point, (rows, columns), more)
        value = tf.cast(x, tf.int32 if bits == 8 else tf.int64)
        down, across = ((index, complement(weight[0], 2**bits)) for index, weight in (down, across))
        value = self._both(value, down, across, rows, columns)
        half = tf.constant(1 << (2 * bits - 1), value.dtype)
        value = tf.bitwise.right_shift(value + half, tf.constant(2 * bits, value.dtype))
        return tf.cast(value, x.dtype)

    def _cubic(self, x: Any, rows: Axis, columns: Axis) -> Any:
        if x.dtype == tf.float64 or self._single:
            return self._tapped(x, rows, columns, tables.cubic, True)
        # Intel's code needs four pixels each way; what is smaller goes through OpenCV's own.
        large = every(rows.size >= 4, columns.size >= 4)
        return choose(
            large,
            lambda: self._tapped(x, rows, columns, tables.cubic, False, fixed=False),
            lambda: self._tapped(x, rows, columns, tables.cubic, True),
        )

    def _tapped(
        self, x: Any, rows: Axis, columns: Axis, build: Any, *single: bool, fixed: bool = True
    ) -> Any:
        more = ((rows.scale, *single), (columns.scale, *single))
        down, across = self._tables(build, (rows, columns), more)
        if x.dtype != tf.uint8 or not fixed:
            value = tf.cast(x, _float_of(x.dtype))
            return saturated(self._both(value, down, across, rows, columns), x.dtype)
        down, across = ((index, scaled(weight)) for index, weight in (down, across))
        value = self._both(tf.cast(x, tf.int32), down, across, rows, columns)
        if build is tables.lanczos:
            value = tf.bitwise.right_shift(value + (1 << (2 * BITS - 1)), 2 * BITS)
            return tf.cast(tf.clip_by_value(value, 0, 255), tf.uint8)
        return saturated(tf.cast(value, tf.float64) * 2.0 ** (-2 * BITS), tf.uint8)

    def _area(self, x: Any, rows: Axis, columns: Axis) -> Any:
        def cells() -> Any:
            more = ((rows.scale,), (columns.scale,))
            down, across = self._tables(tables.area, (rows, columns), more)
            value = tf.cast(x, _float_of(x.dtype))
            return saturated(self._both(value, down, across, rows, columns, cells=True), x.dtype)

        whole = every(rows.whole, columns.whole)
        return choose(whole, lambda: self._blocks(x, rows, columns), cells)

    def _blocks(self, x: Any, rows: Axis, columns: Axis) -> Any:
        """Means of whole blocks; at the far border blocks may be cut, or empty (then 0)."""
        more = ((rows.factor,), (columns.factor,))
        down, across = self._tables(tables.blocks, (rows, columns), more)
        wide = tf.int32 if x.dtype == tf.uint8 else _float_of(x.dtype)
        wide = tf.float64 if x.dtype in (tf.uint16, tf.int16) else wide
        total = self._both(tf.cast(x, wide), down, across, rows, columns, cells=True)
        inside = (
            tf.reduce_sum(down[1], 0)[:, tf.newaxis, tf.newaxis] * tf.reduce_sum(across[1], 0)[:, tf.newaxis]
        )
        # OpenCV's vector form of 2 x 2 rounds halves up, everything else to even.
        up = every(not self._single, rows.factor == 2, columns.factor == 2)
        return mean(total, inside, rows.factor * columns.factor, x.dtype, up)

    def enlarged(self, x: Any, rows: Axis, columns: Axis) -> Any:
        """Resize by INTER_AREA images of which a side grows."""
        across = self._folded(
            table(tables.area_linear, columns.size, columns.out, columns.scale, columns.inverse, True)
        )
        down = table(tables.area_linear, rows.size, rows.out, rows.scale, rows.inverse, False)
        if x.dtype == tf.uint8:
            return self._fixed(x, down, across, columns)
        return self._weighed(tf.cast(x, _float_of(x.dtype)), down, across, rows, columns, x.dtype)

    def _weighed(self, value: Any, down: Any, across: Any, rows: Axis, columns: Axis, dtype: Any) -> Any:
        """Mix two taps as OpenCV's own code does: each with its float32 weight."""
        down, across = ((index, complement(weight[0], 1)) for index, weight in (down, across))
        return saturated(self._both(value, down, across, rows, columns), dtype)


def _body(resampling: Resampling, rows: Axis, columns: Axis) -> Callable[[Any, Any], Any]:
    def body(x: Any, holds: Any) -> Any:
        channels = resampling.channels
        flat = tf.reshape(x, [-1, rows.size, columns.size * channels, 1])
        result = dataclasses.replace(resampling, fold=channels, holds=holds)(flat, rows, columns)
        return tf.reshape(result, [-1, rows.out, columns.out, channels])

    return body


def _near_area(x: Any, rows: Axis, columns: Axis) -> Any:
    """Resample bytes as INTER_AREA, by TensorFlow's kernels where they are within a level of OpenCV's."""
    return choose(
        every(rows.size >= rows.out, columns.size >= columns.out),
        lambda: stock.area(x, rows, columns),
        cold_branch(lambda: grown(x, rows, columns)),
    )


def is_near(x: Any, rows: Axis, columns: Axis, interpolation: int, bit_equal: bool) -> bool:
    """Return whether `resize` has TensorFlow's kernels for such images."""
    kinds = x.dtype == tf.uint8 and interpolation in (LINEAR, AREA)
    return not bit_equal and kinds and rows.fits and columns.fits


def needs_ratios(x: Any, rows: Axis, columns: Axis, interpolation: int, bit_equal: bool) -> bool:
    """Return whether `resize` takes axes that are measured."""
    if interpolation == NEAREST and rows.fits and columns.fits:
        return bool(rows.known and columns.known)
    return not is_near(x, rows, columns, interpolation, bit_equal)


def resize(
    x: Any,
    rows: Axis,
    columns: Axis,
    interpolation: int,
    opencv: int,
    bit_equal: bool = False,
    turn: bool = False,
) -> Any:
    """Resample images.

    `x`: shape (B, H, W, C). `rows`, `columns`: sizes before and after; measured where `needs_ratios` says so.
    `interpolation`: one of the constants of this module. `opencv`: {4, 5}. `bit_equal`: whether bytes must be
    OpenCV's, where a level beside them is faster. `turn`: whether to give the channels in the other order.
    Returns: shape (B, rows.out, columns.out, C), dtype of `x`.
    """
    kernel = kernel_of(x, rows, columns, interpolation, bit_equal)
    return kernel(x, rows, columns, Resampling(interpolation, x.shape[3], 1, opencv), turn)


_Kernel = Callable[[Any, Axis, Axis, Resampling, bool], Any]


def kernel_of(x: Any, rows: Axis, columns: Axis, interpolation: int, bit_equal: bool) -> _Kernel:
    """Return what resamples such images; see the table at the head of this module."""
    near = is_near(x, rows, columns, interpolation, bit_equal)
    otherwise: _Kernel
    if near:
        otherwise = by_stock_linear if interpolation == LINEAR else by_stock_area
    elif interpolation == NEAREST and None in (rows.inverse, columns.inverse):
        otherwise = by_sizes
    else:
        otherwise = by_operations
    # 256 to 224 pixels, photographs, throughput over OpenCV's: INTER_LINEAR compiled 0.53, TensorFlow's
    # kernel 0.99; INTER_AREA 0.74 and 1.53; INTER_NEAREST compiled 2.01, plain ops 0.99.
    known = bool(rows.known and columns.known)
    in_words = not near and interpolation == LINEAR and words.serves(x, rows, columns)
    return xla.choose(
        known,
        program=by_program,
        otherwise=otherwise,
        in_buckets=by_words if in_words else None,
        gains=not near,
    )


def by_program(x: Any, rows: Axis, columns: Axis, resampling: Resampling, turn: bool) -> Any:
    """Resample by a compiled program."""
    found = xla.compiled(_body, resampling, rows, columns)(x, tf.constant(True))
    return _whole(found, x, rows, columns, turn)


def by_operations(x: Any, rows: Axis, columns: Axis, resampling: Resampling, turn: bool) -> Any:
    """Resample by the operations of that program."""
    return _whole(resampling(x, rows, columns), x, rows, columns, turn)


def by_words(x: Any, rows: Axis, columns: Axis, _: Resampling, turn: bool) -> Any:
    """Resample bytes of unknown sizes by a program for few numbers of pixels."""
    return words.linear(x, rows, columns, turn)


def by_stock_linear(x: Any, rows: Axis, columns: Axis, _: Resampling, turn: bool) -> Any:
    """Resample bytes by TensorFlow's ResizeBilinear."""
    return _whole(stock.linear(x, rows, columns, turn), x, rows, columns)


def by_stock_area(x: Any, rows: Axis, columns: Axis, _: Resampling, turn: bool) -> Any:
    """Resample bytes by TensorFlow's ResizeArea, where no side grows."""
    return _whole(_near_area(x, rows, columns), x, rows, columns, turn)


def by_sizes(x: Any, rows: Axis, columns: Axis, _: Resampling, turn: bool) -> Any:
    """Pick the nearest pixels; only the sizes are known when the graph runs, no ratios."""
    return _whole(_nearest(x, rows, columns, turn), x, rows, columns)


def _whole(found: Any, x: Any, rows: Axis, columns: Axis, turn: bool = False) -> Any:
    """Return a result with its static shape, and its channels turned."""
    sizes = (None if tf.is_tensor(axis.out) else axis.out for axis in (rows, columns))
    found = tf.ensure_shape(found, [x.shape[0], *sizes, x.shape[3]])
    return turned(found) if turn else found
