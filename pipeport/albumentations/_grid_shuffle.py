"""RandomGridShuffle: the tiles of an image in a drawn order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._promise import augments
from pipeport.albumentations._sizes import Size
from pipeport.albumentations._spatial import Spatial
from pipeport.albumentations._state import State
from pipeport.contract import OneOf
from pipeport.errors import UnsupportedArgument, WrongType, explain
from pipeport.kernels import xla


class Tiles(NamedTuple):
    """Tiles of a grid, row by row.

    `top`, `left`, `height`, `width`: shape (rows columns,), int32. `source`: shape (rows columns,), int32;
    which tile comes to the place of each. `target`: shape (rows columns,), int32; to the place of which each
    tile goes.
    """

    top: Any
    left: Any
    height: Any
    width: Any
    source: Any
    target: Any


@augments(
    "RandomGridShuffle",
    domain={"grid": OneOf((3, 3), (1, 1), (2, 5), (4, 1), (9, 9))},
    reference_parameters="shuffled_tiles",
    settings=({"grid": (2, 2)}, {"grid": (3, 1), "p": 0.7}),
    shape=(7, 6),
)
class RandomGridShuffle(Spatial):
    """Divide an image into a grid, and put tiles of one size into a drawn order.

    Parameters
    ----------
    grid : (int, int), default (3, 3)
        Numbers of rows and columns of tiles, from 1. Where they do not divide the image, some are a pixel
        larger; which is drawn.

    Returns
    -------
    RandomGridShuffle
        {called} {planes}; of any dtype. `keypoints` move with their tiles. Called outside a `Compose`,
        `bboxes` stay as they are, as in the reference, and `keypoints` are (N, 5): x, y, z, angle in radians,
        scale.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], or a number of tiles is below 1; in a call, there is no image, or a
        target does not have its shape.
    WrongType
        `grid` is not a pair of integers; in a call, a target is given by position, or is not an array.
    UnsupportedArgument
        A parameter is a tensor; in a call, boxes in a `Compose`, {unserved}.

    Notes
    -----
    Agreement: given the draw, images and masks bit for bit, coordinates within 1e-4; the draw has the
    reference's distribution. Boxes in a `Compose`, which the reference divides into the parts that stay
    connected, are refused.
    {compiled} {drawn} `ReplayCompose` returns seeds for what depends on the size.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.RandomGridShuffle((1, 3), p=1.0)
    >>> transform(image=tf.range(6)[tf.newaxis], seed=(1, 2))["image"].numpy().tolist()
    [[2, 3, 0, 1, 4, 5]]
    """

    def __init__(self, grid: Any = (3, 3), p: float = 0.5) -> None:
        super().__init__(p)
        if tf.is_tensor(grid) or not isinstance(grid, (tuple, list)) or len(grid) != 2:
            given = "a tensor" if tf.is_tensor(grid) else repr(grid)
            raise WrongType(explain("grid", given, "(rows, columns)", "Give two integers."))
        self.grid = _arguments.side(grid[0], "grid"), _arguments.side(grid[1], "grid")

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return seeds for which rows and columns are larger, and a number for each tile to sort by."""
        rows, columns, order = tf.unstack(seeds.split(seed, 3))
        return {
            "rows": rows,
            "columns": columns,
            "order": seeds.permutation(order, self.grid[0] * self.grid[1]),
        }

    def perform(self, drawn: Mapping[str, Any], state: State, forced: bool) -> State:
        """Change every target."""
        for name, kind in state.kinds.items():
            if kind == "bboxes" and state.params is not None:
                advice = "Shuffle before there are boxes, or keep such a transform in an island."
                raise UnsupportedArgument(
                    explain(name, "boxes in a Compose", "images, masks, points", advice)
                )
        return super().perform(drawn, state, forced)

    def geometry(self, params: Mapping[str, Any], size: Size) -> Tiles:
        """Return the tiles."""
        (tops, heights, taller), (lefts, widths, wider) = (
            _intervals(params[name], side, count)
            for name, side, count in zip(("rows", "columns"), size, self.grid, strict=True)
        )
        rows, columns = self.grid
        top, height = tf.repeat(tops, columns), tf.repeat(heights, columns)
        left, width = tf.tile(lefts, [rows]), tf.tile(widths, [rows])
        # Tiles of one size keep the places of this size: sorted by size, in order and as drawn.
        count = rows * columns
        kind = (2 * tf.repeat(taller, columns) + tf.tile(wider, [rows])) * count
        places = tf.argsort(kind + tf.range(count), stable=True)
        drawn = tf.argsort(kind + tf.cast(params["order"], tf.int32), stable=True)
        target = tf.scatter_nd(drawn[:, tf.newaxis], places, [count])
        source = tf.scatter_nd(places[:, tf.newaxis], drawn, [count])
        return Tiles(top, left, height, width, source, target)

    def plane(self, value: Any, geometry: Tiles, kind: str, batch_axes: int) -> Any:
        """Move the tiles."""
        del kind
        images = value if batch_axes else value[tf.newaxis]
        found = xla.run(_moved, self.grid)(images, *geometry)
        return tf.ensure_shape(found if batch_axes else found[0], value.shape)

    def boxes(self, boxes: Any, geometry: Tiles) -> Any:
        """Leave boxes."""
        del geometry
        return boxes

    def points(self, points: Any, geometry: Tiles) -> Any:
        """Move points with the tiles they lie in."""
        x, y = points[:, :1], points[:, 1:2]
        top, left, height, width = (tf.cast(one, points.dtype) for one in geometry[:4])
        inside = (y >= top) & (y < top + height) & (x >= left) & (x < left + width)
        at = tf.argmax(tf.cast(inside, tf.int32), 1)
        to = tf.gather(geometry.target, at)
        within = tf.reduce_any(inside, 1)
        across, down = (
            tf.where(within, tf.gather(one, to) - tf.gather(one, at), tf.zeros([], points.dtype))
            for one in (left, top)
        )
        return tf.concat([x + across[:, tf.newaxis], y + down[:, tf.newaxis], points[:, 2:]], 1)


def _intervals(seed: Any, side: Any, count: int) -> tuple[Any, Any, Any]:
    """Return where the parts of a side begin, their lengths, and which are a pixel larger; int32."""
    larger = tf.cast(tf.cast(seeds.permutation(seed, count), tf.int32) < side % count, tf.int32)
    lengths = side // count + larger
    return tf.cumsum(lengths, exclusive=True), lengths, larger


def _moved(grid: tuple[int, int]) -> Callable[..., Any]:
    def run(images: Any, top: Any, left: Any, height: Any, width: Any, source: Any, target: Any) -> Any:
        del height, width, target
        rows, columns = grid
        high, wide = (tf.shape(images)[axis] for axis in (1, 2))
        # In which row and column of tiles each row and column of pixels lies.
        down = tf.searchsorted(top[::columns], tf.range(high), side="right") - 1
        across = tf.searchsorted(left[:columns], tf.range(wide), side="right") - 1
        rise, shift = (tf.reshape(tf.gather(one, source) - one, [rows, columns]) for one in (top, left))
        tile = down[:, tf.newaxis] * columns + across
        place = tf.gather(tf.reshape(rise * wide + shift, [-1]), tile)
        place += tf.range(high)[:, tf.newaxis] * wide + tf.range(wide)
        flat = tf.reshape(images, tf.concat([tf.shape(images)[:1], [high * wide], tf.shape(images)[3:]], 0))
        return tf.reshape(tf.gather(flat, tf.reshape(place, [-1]), axis=1), tf.shape(images))

    return run
