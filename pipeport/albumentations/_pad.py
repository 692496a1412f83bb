"""PadIfNeeded: a border where an image is too small."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pipeport.cv2
from pipeport import seeds
from pipeport._batched import batched
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._groups import channels_known, in_groups
from pipeport.albumentations._promise import augments
from pipeport.albumentations._reflections import REFLECTING, reflected
from pipeport.albumentations._sizes import Size, numbers, part_of
from pipeport.albumentations._spatial import Spatial
from pipeport.albumentations._state import Rows
from pipeport.albumentations._warps import BORDERS, among, filling
from pipeport.contract import Integer, Maybe, OneOf
from pipeport.cv2._constants import BORDER_CONSTANT
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.layout._windows import cut

# Of what is added to a side, how much stands before it: all, nothing, or the smaller half.
BEFORE = {
    "center": (None, None),
    "top_left": (0, 0),
    "top_right": (0, 1),
    "bottom_left": (1, 0),
    "bottom_right": (1, 1),
    "random": (None, None),
}


class Borders(NamedTuple):
    """Rows and columns added: before the image and in all; and its size. Integers or scalar int32."""

    rows: tuple[Any, Any]
    columns: tuple[Any, Any]
    size: Size


def _served(arguments: Mapping[str, Any]) -> bool:
    rows = arguments.get("bboxes") is not None or arguments.get("keypoints") is not None
    if rows and arguments.get("border_mode", BORDER_CONSTANT) in REFLECTING:
        return False
    return all(
        (arguments.get(f"min_{side}", 1024) is None) != (arguments.get(f"pad_{side}_divisor") is None)
        for side in ("height", "width")
    )


@augments(
    "PadIfNeeded",
    domain={
        "min_height": Maybe(spec=Integer(1, 20, typical=256)),
        "min_width": Maybe(spec=Integer(1, 20, typical=256)),
        "pad_height_divisor": OneOf(None, 1, 4, 7),
        "pad_width_divisor": OneOf(None, 3, 8),
        "position": OneOf(*BEFORE),
        "border_mode": OneOf(*BORDERS.values()),
        "fill": OneOf(0, 1, (0.5, 0.25, 1.0)),
        "fill_mask": OneOf(0, 1),
    },
    reference_parameters="padding",
    settings=(
        {"min_height": 40, "min_width": 77, "position": "random", "p": 0.8},
        {"min_height": 40, "min_width": 50, "p": 0.3},
    ),
    valid=_served,
    needed={"min_height": 4, "min_width": 5},
)
class PadIfNeeded(Spatial):
    """Add a border where a side is shorter than a length, or no multiple of a divisor.

    Parameters
    ----------
    min_height, min_width : int or None, default 1024
        Smallest size of the result.
    pad_height_divisor, pad_width_divisor : int, optional
        What the size of the result is to be a multiple of, instead of the smallest one, which is None then.
    position : str, default 'center'
        Where the image lies in the result: 'center', 'top_left', 'top_right', 'bottom_left', 'bottom_right',
        or 'random'.
    border_mode : int, default cv2.BORDER_CONSTANT
        BORDER_CONSTANT, BORDER_REPLICATE, BORDER_REFLECT, BORDER_WRAP or BORDER_REFLECT_101.
    fill, fill_mask : float or up to four of them, default 0
        What a constant border holds, of images and of masks.

    Returns
    -------
    PadIfNeeded
        {called} {planes}; of the dtypes of `pipeport.cv2.copyMakeBorder`. {rows}. Further columns are carried
        along.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a size or divisor is below 1, of a side both are given or none; in a
        call, there is no image, a target does not have its shape, or a dtype is not served.
    WrongType
        A size or divisor is not an integer, a fill is not one; in a call, a target is given by position, or
        is not an array.
    UnsupportedArgument
        A position or border is not served, or a parameter is a tensor; in a call, there is no seed, a rank, a
        number of channels or of columns is not known while tracing, or a target is a stack of images or a
        volume.

    Notes
    -----
    Under a border that reflects, boxes and points come out as often as they are seen, as in the reference.
    Agreement: given the draw, images and masks bit for bit, coordinates within 1e-4; the draw has the
    reference's distribution.
    Graph: no Python at run time. The size is known while tracing where that of the image is, and it is
    always applied. {drawn}

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.PadIfNeeded(2, 4, fill=7)
    >>> transform(image=tf.ones([1, 2], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[7, 1, 1, 7], [7, 7, 7, 7]]
    """

    def __init__(
        self,
        min_height: int | None = 1024,
        min_width: int | None = 1024,
        pad_height_divisor: int | None = None,
        pad_width_divisor: int | None = None,
        position: str = "center",
        border_mode: int = BORDER_CONSTANT,
        fill: Any = 0,
        fill_mask: Any = 0,
        p: float = 1.0,
    ) -> None:
        super().__init__(p)
        self.min_height, self.pad_height_divisor = _one_of_two(min_height, pad_height_divisor, "height")
        self.min_width, self.pad_width_divisor = _one_of_two(min_width, pad_width_divisor, "width")
        advice = "It says where the image lies in the result."
        self.position = _arguments.one_of(position, tuple(BEFORE), "position", advice)
        self.border_mode = among(border_mode, BORDERS, "border_mode")
        self.fill, self.fill_mask = filling(fill, "fill"), filling(fill_mask, "fill_mask")

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return how much stands before the image, as parts of what is added."""
        if self.position != "random":
            return {}
        down, across = tf.unstack(seeds.uniform(seed, [2], "float64"))
        return {"h_start": down, "w_start": across}

    def geometry(self, params: Mapping[str, Any], size: Size) -> Borders:
        """Return the borders."""
        height = _added(size[0], self.min_height, self.pad_height_divisor)
        width = _added(size[1], self.min_width, self.pad_width_divisor)
        first, second = (
            _before(added, part, params.get(name))
            for added, part, name in zip(
                (height, width), BEFORE[self.position], ("h_start", "w_start"), strict=True
            )
        )
        return Borders((first, height), (second, width), size)

    def plane(self, value: Any, geometry: Borders, kind: str, batch_axes: int) -> Any:
        """Add the borders to an image, or to masks."""
        channels_known(value, kind, batch_axes)
        fill = self.fill if kind == "image" else self.fill_mask
        pad: Any = batched(pipeport.cv2.copyMakeBorder) if batch_axes else pipeport.cv2.copyMakeBorder
        (top, rows), (left, columns) = geometry.rows, geometry.columns

        def padded(*sides: Any) -> Any:
            return in_groups(value, lambda part: pad(part, *sides, self.border_mode, value=fill), batch_axes)

        if self.position == "random":
            # A window of one with all borders whole: no size that XLA does not know.
            size = geometry.size[0] + rows, geometry.size[1] + columns
            whole, corner = padded(rows, rows, columns, columns), (rows - top, columns - left)
            if not any(map(tf.is_tensor, size)):
                return cut(whole, *corner, size, batch_axes)
            return part_of(whole, corner, size, batch_axes)
        return padded(top, rows - top, left, columns - left)

    def changes_count(self, kind: str) -> bool:  # noqa: ARG002 - boxes and points alike
        """Say whether boxes or points may come out several times."""
        return self.border_mode in REFLECTING

    def copied(self, rows: Rows, kind: str, geometry: Borders) -> Rows:
        """Return boxes or points in every image that the borders show."""
        if self.border_mode not in REFLECTING:
            return rows
        (top, high), (left, wide) = geometry.rows, geometry.columns
        found = reflected(rows, kind, (top, high - top, left, wide - left), geometry.size)
        dtype = found.values.dtype
        height, width = numbers(geometry.size, dtype)
        ends = [tf.cast(one, dtype) for one in (-left, -top, wide - left, high - top)]
        if kind == "bboxes":
            x_min, y_min, x_max, y_max = (
                one * side
                for one, side in zip(
                    tf.unstack(found.values, axis=1), (width, height, width, height), strict=True
                )
            )
            seen = (
                (x_max > ends[0]) & (y_max > ends[1]) & (x_min < width + ends[2]) & (y_min < height + ends[3])
            )
        else:
            x, y = found.values[:, 0], found.values[:, 1]
            seen = (x >= ends[0]) & (y >= ends[1]) & (x < width + ends[2]) & (y < height + ends[3])
        return found._replace(keep=found.keep & seen)

    def boxes(self, boxes: Any, geometry: Borders) -> Any:
        """Count fractions from the borders."""
        (height, width), (top, rows), (left, columns) = (
            numbers(pair, boxes.dtype) for pair in (geometry.size, geometry.rows, geometry.columns)
        )
        x_min, y_min, x_max, y_max = tf.unstack(boxes, axis=1)
        across = [(x * width + left) / (width + columns) for x in (x_min, x_max)]
        down = [(y * height + top) / (height + rows) for y in (y_min, y_max)]
        return tf.stack([across[0], down[0], across[1], down[1]], 1)

    def points(self, points: Any, geometry: Borders) -> Any:
        """Count pixels from the borders."""
        x, y, *others = tf.unstack(points, axis=1)
        top, left = (tf.cast(pair[0], points.dtype) for pair in (geometry.rows, geometry.columns))
        return tf.stack([x + left, y + top, *others], 1)


def _one_of_two(least: Any, divisor: Any, side: str) -> tuple[int | None, int | None]:
    names = f"min_{side}", f"pad_{side}_divisor"
    if (least is None) == (divisor is None):
        given = "neither" if least is None else "both"
        raise OutsideDomain(explain(", ".join(names), given, "one of them", "Leave one out, with None."))
    if least is None:
        return None, _arguments.side(divisor, names[1])
    return _arguments.side(least, names[0]), None


def _added(side: Any, least: int | None, divisor: int | None) -> Any:
    """Return by how much a side is too short."""
    if least is None:
        return -side % divisor
    return tf.maximum(least - side, 0) if tf.is_tensor(side) else max(least - side, 0)


def _before(added: Any, part: int | None, drawn: Any) -> Any:
    """Return how much of what is added stands before the image."""
    if part is not None:
        return added * part
    if drawn is None:
        return added // 2
    return tf.cast(tf.cast(added + 1, tf.float64) * drawn, tf.int32)
