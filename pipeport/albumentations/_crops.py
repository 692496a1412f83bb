"""Crop, CenterCrop, RandomCrop: a part of the image in a size of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._pad import BEFORE, Borders, PadIfNeeded
from pipeport.albumentations._promise import augments
from pipeport.albumentations._reflections import REFLECTING
from pipeport.albumentations._sizes import Size, numbers, part_of
from pipeport.albumentations._spatial import Spatial
from pipeport.albumentations._state import ROWS, State
from pipeport.albumentations._warps import BORDERS
from pipeport.contract import OneOf
from pipeport.cv2._constants import BORDER_CONSTANT
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.layout._windows import cut

_SIDES = OneOf(1, 2, 3, 5, 8, typical=24)
_DOMAIN = {
    "height": _SIDES,
    "width": _SIDES,
    "pad_if_needed": OneOf(False, True),
    "pad_position": OneOf(*BEFORE),
    "border_mode": OneOf(*BORDERS.values()),
    "fill": OneOf(0, 1, (0.5, 0.25, 1.0)),
    "fill_mask": OneOf(0, 1),
}
_NEEDED = {"height": 2, "width": 3}
_PAD = "Pad before the pipeline, with pipeport.cv2.copyMakeBorder for example."
_REFUSED = {
    "pad_if_needed": "images are not padded",
    **dict.fromkeys(("pad_position", "border_mode", "fill", "fill_mask"), "it says how to pad"),
}


def _fits(arguments: Mapping[str, Any]) -> bool:
    height, width = np.shape(arguments["image"])[:2]
    if arguments.get("pad_if_needed", False):
        rows = arguments.get("bboxes") is not None or arguments.get("keypoints") is not None
        return not (rows and arguments.get("border_mode", BORDER_CONSTANT) in REFLECTING)
    return bool(arguments["height"] <= height and arguments["width"] <= width)


class _Window(NamedTuple):
    """Where a crop begins, and the size of the whole: Python integers or scalar int32 tensors.

    Where images are padded, the whole is one with its borders.
    """

    top: Any
    left: Any
    height: Any
    width: Any
    borders: Borders | None = None


def boxes_from(boxes: Any, corner: tuple[Any, Any], size: Size, whole: Size) -> Any:
    """Return boxes as fractions of a part, given its corner, its size and that of the whole."""
    left, top, right, bottom = tf.unstack(boxes, axis=1)
    y, x = (tf.cast(one, boxes.dtype) for one in corner)
    (high, wide), (height, width) = numbers(size, boxes.dtype), numbers(whole, boxes.dtype)
    across = [(edge * width - x) / wide for edge in (left, right)]
    down = [(edge * height - y) / high for edge in (top, bottom)]
    return tf.stack([across[0], down[0], across[1], down[1]], 1)


def points_from(points: Any, corner: tuple[Any, Any]) -> Any:
    """Return points in pixels of a part that begins at a row and a column."""
    x, y, *others = tf.unstack(points, axis=1)
    top, left = (tf.cast(one, points.dtype) for one in corner)
    return tf.stack([x - left, y - top, *others], 1)


class _Crop(Spatial):
    """A crop of given size."""

    _padding: PadIfNeeded | None = None

    def __init__(self, height: Any, width: Any, p: float) -> None:
        super().__init__(p)
        self.height = _arguments.side(height, "height")
        self.width = _arguments.side(width, "width")

    def least(self) -> tuple[int, int]:
        """Return the smallest size that an image may have."""
        return self.height, self.width

    def plane(self, value: Any, geometry: _Window, kind: str, batch_axes: int) -> Any:
        """Cut the window out."""
        value = self.padded(value, geometry, kind, batch_axes)
        return part_of(value, (geometry.top, geometry.left), (self.height, self.width), batch_axes)

    def padded(self, value: Any, geometry: _Window, kind: str, batch_axes: int) -> Any:
        """Return images with their borders, where there are any."""
        if self._padding is None or geometry.borders is None:
            return value
        return self._padding.plane(value, geometry.borders, kind, batch_axes)

    def boxes(self, boxes: Any, geometry: _Window) -> Any:
        """Count fractions from the window."""
        if self._padding is not None and geometry.borders is not None:
            boxes = self._padding.boxes(boxes, geometry.borders)
        corner, whole = (geometry.top, geometry.left), (geometry.height, geometry.width)
        return boxes_from(boxes, corner, (self.height, self.width), whole)

    def points(self, points: Any, geometry: _Window) -> Any:
        """Count pixels from the window."""
        if self._padding is not None and geometry.borders is not None:
            points = self._padding.points(points, geometry.borders)
        return points_from(points, (geometry.top, geometry.left))

    def checked(self, size: Size) -> Size:
        """Return the size of the image, now or when the graph runs found to be large enough."""
        wanted = self.least()
        allowed = f"at least {wanted[0]} x {wanted[1]}"
        message = explain("image", "a smaller image", allowed, "Resize or pad it before.")
        if any(isinstance(side, int) and side < least for side, least in zip(size, wanted, strict=True)):
            raise OutsideDomain(message)
        if all(isinstance(side, int) for side in size):
            return size
        fits = tf.reduce_all([side >= least for side, least in zip(size, wanted, strict=True)])
        with tf.control_dependencies([tf.debugging.Assert(fits, [message, *size])]):
            height, width = (tf.identity(side) for side in size)
        return height, width


@augments(
    "Crop",
    domain={
        "x_min": OneOf(0, 1, 4, typical=4),
        "y_min": OneOf(0, 2, 3, typical=3),
        "x_max": OneOf(1, 3, 7, typical=24),
        "y_max": OneOf(1, 4, 8, typical=24),
    },
    reference_parameters="coordinates",
    settings=({"x_max": 8, "y_max": 8, "p": 0.3},),
    valid=lambda arguments: (
        0 <= arguments.get("x_min", 0) < arguments["x_max"] <= np.shape(arguments["image"])[1]
        and 0 <= arguments.get("y_min", 0) < arguments["y_max"] <= np.shape(arguments["image"])[0]
    ),
    needed={"x_max": 2, "y_max": 3},
    refused=_REFUSED,
)
class Crop(_Crop):
    """Cut out a part of known corners.

    Parameters
    ----------
    x_min, y_min : int, default 0
        Column and row where the part begins.
    x_max, y_max : int, default 1024
        Column and row behind it, at most the size of the image.
    pad_if_needed : bool, default False
        True is refused.
    pad_position, border_mode, fill, fill_mask
        How to pad, which is not served; anything but the defaults ('center', 0, 0, 0) is refused.

    Returns
    -------
    Crop
        {called} {planes}; of any dtype. {rows}; they may then lie outside the crop. Further columns are
        carried along.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a corner is negative, or the part has no pixel; in a call, there is no
        image, a target does not have its shape, or the image is known to be smaller.
    WrongType
        A corner is not an integer; in a call, a target is given by position, or is not an array.
    UnsupportedArgument
        Padding is asked for, or a parameter is a tensor; in a call, {unserved}.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be smaller.

    Notes
    -----
    Agreement: images and masks bit for bit, coordinates within 1e-4.
    Graph: no Python at run time. The size is known while tracing where it is always applied.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.Crop(1, 1, 3, 2)
    >>> image = tf.reshape(tf.range(12), [3, 4])
    >>> transform(image=image, seed=(1, 2))["image"].numpy().tolist()
    [[5, 6]]
    """

    def __init__(
        self,
        x_min: int = 0,
        y_min: int = 0,
        x_max: int = 1024,
        y_max: int = 1024,
        pad_if_needed: bool = False,
        pad_position: str = "center",
        border_mode: int = 0,
        fill: float = 0,
        fill_mask: float = 0,
        p: float = 1.0,
    ) -> None:
        self.x_min, self.x_max = _corners(x_min, x_max, "x")
        self.y_min, self.y_max = _corners(y_min, y_max, "y")
        super().__init__(self.y_max - self.y_min, self.x_max - self.x_min, p)
        given = {"pad_if_needed": (pad_if_needed, False), "pad_position": (pad_position, "center")}
        given |= {"border_mode": (border_mode, 0), "fill": (fill, 0), "fill_mask": (fill_mask, 0)}
        for name, (value, usual) in given.items():
            _arguments.default_alone(value, usual, name, _PAD)

    def least(self) -> tuple[int, int]:
        """Return the smallest size that an image may have."""
        return self.y_max, self.x_max

    def geometry(self, params: Mapping[str, Any], size: Size) -> _Window:
        """Return the window."""
        del params
        return _Window(self.y_min, self.x_min, *self.checked(size))


def _corners(low: Any, high: Any, axis: str) -> tuple[int, int]:
    first, last = _arguments.whole(low, f"{axis}_min"), _arguments.side(high, f"{axis}_max")
    if not 0 <= first < last:
        given, allowed = f"{low} with {axis}_max={high}", f"from 0 to below {axis}_max"
        raise OutsideDomain(explain(f"{axis}_min", given, allowed, "A part has at least one pixel."))
    return first, last


class _PaddedCrop(_Crop):
    """A crop of given size from an image that may be padded."""

    def __init__(
        self,
        height: int,
        width: int,
        pad_if_needed: bool = False,
        pad_position: str = "center",
        border_mode: int = 0,
        fill: float = 0.0,
        fill_mask: float = 0.0,
        p: float = 1.0,
    ) -> None:
        super().__init__(height, width, p)
        self.pad_if_needed = _arguments.flag(pad_if_needed, "pad_if_needed")
        padding = PadIfNeeded(
            self.height,
            self.width,
            position=pad_position,
            border_mode=border_mode,
            fill=fill,
            fill_mask=fill_mask,
        )
        self.pad_position, self.border_mode = padding.position, padding.border_mode
        self.fill, self.fill_mask = padding.fill, padding.fill_mask
        self._padding = padding if self.pad_if_needed else None

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return how much of what is added stands before the image, where that is drawn."""
        if self._padding is None:
            return {}
        found = self._padding.draw_parameters(seed)
        return {f"pad_{name}": value for name, value in found.items()}

    def perform(self, drawn: Mapping[str, Any], state: State, forced: bool) -> State:
        """Change every target."""
        rows = [name for name, kind in state.kinds.items() if kind in ROWS]
        if self.pad_if_needed and self.border_mode in REFLECTING and rows:
            given = f"a border that reflects, with `{rows[0]}`"
            advice = "Put PadIfNeeded with this border before the crop: it copies boxes and points."
            raise UnsupportedArgument(explain("border_mode", given, "another border", advice))
        return super().perform(drawn, state, forced)

    def whole(self, params: Mapping[str, Any], size: Size) -> tuple[Size, Borders | None]:
        """Return the size of the image with its borders, and these; there are none where it is known."""
        if self._padding is None:
            return self.checked(size), None
        if not any(map(tf.is_tensor, size)) and size[0] >= self.height and size[1] >= self.width:
            return size, None
        names = {
            name.removeprefix("pad_"): value for name, value in params.items() if name.startswith("pad_")
        }
        borders = self._padding.geometry(names, size)
        return (size[0] + borders.rows[1], size[1] + borders.columns[1]), borders


@augments(
    "CenterCrop",
    domain=_DOMAIN,
    reference_parameters="crop",
    settings=(
        {"height": 8, "width": 8, "p": 0.3},
        {"height": 40, "width": 60, "pad_if_needed": True, "pad_position": "random"},
    ),
    valid=_fits,
    needed=_NEEDED,
)
class CenterCrop(_PaddedCrop):
    """Cut the middle out.

    Parameters
    ----------
    height, width : int
        Size of the result, at most that of the image unless that is padded.
    pad_if_needed : bool, default False
        Whether a border is added where the image is smaller.
    pad_position : str, default 'center'
        Where the image then lies: 'center', 'top_left', 'top_right', 'bottom_left', 'bottom_right', or
        'random'.
    border_mode : int, default cv2.BORDER_CONSTANT
        BORDER_CONSTANT, BORDER_REPLICATE, BORDER_REFLECT, BORDER_WRAP or BORDER_REFLECT_101.
    fill, fill_mask : float or up to four of them, default 0.0
        What a constant border holds, of images and of masks.

    Returns
    -------
    CenterCrop
        {called} {planes}; of any dtype, with `pad_if_needed` of those of `pipeport.cv2.copyMakeBorder`.
        {rows}; they may then lie outside the crop. Further columns are carried along.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a size is below 1; in a call, there is no image, a target does not have
        its shape, or the image is known to be smaller and not padded.
    WrongType
        A size is not an integer, `pad_if_needed` no bool, or a fill is not one; in a call, a target is given
        by position, or is not an array.
    UnsupportedArgument
        A position or border is not served, or a parameter is a tensor; in a call, boxes or points under a
        border that reflects, there is no seed, a rank or a number of columns is not known while tracing (of
        channels too, where images are padded), or a target is a stack of images or a volume.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be smaller, and is not padded.

    Notes
    -----
    Agreement: images and masks bit for bit, coordinates within 1e-4.
    Graph: no Python at run time. The size is known while tracing where it is always applied.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.CenterCrop(1, 2)
    >>> image = tf.reshape(tf.range(12), [3, 4])
    >>> transform(image=image, seed=(1, 2))["image"].numpy().tolist()
    [[5, 6]]
    """

    def geometry(self, params: Mapping[str, Any], size: Size) -> _Window:
        """Return the window in the middle."""
        (height, width), borders = self.whole(params, size)
        return _Window((height - self.height) // 2, (width - self.width) // 2, height, width, borders)


@augments(
    "RandomCrop",
    domain=_DOMAIN,
    reference_parameters="crop",
    settings=(
        {"height": 30, "width": 45},
        {"height": 32, "width": 40, "p": 0.4},
        {"height": 36, "width": 70, "pad_if_needed": True, "pad_position": "random"},
    ),
    valid=_fits,
    needed=_NEEDED,
)
class RandomCrop(_PaddedCrop):
    """Cut a part out, wherever it lies.

    Parameters
    ----------
    height, width : int
        Size of the result, at most that of the image unless that is padded.
    pad_if_needed : bool, default False
        Whether a border is added where the image is smaller.
    pad_position : str, default 'center'
        Where the image then lies: 'center', 'top_left', 'top_right', 'bottom_left', 'bottom_right', or
        'random'.
    border_mode : int, default cv2.BORDER_CONSTANT
        BORDER_CONSTANT, BORDER_REPLICATE, BORDER_REFLECT, BORDER_WRAP or BORDER_REFLECT_101.
    fill, fill_mask : float or up to four of them, default 0.0
        What a constant border holds, of images and of masks.

    Returns
    -------
    RandomCrop
        {called} {planes}; of any dtype, with `pad_if_needed` of those of `pipeport.cv2.copyMakeBorder`.
        {rows}; they may then lie outside the crop. Further columns are carried along.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a size is below 1; in a call, there is no image, a target does not have
        its shape, or the image is known to be smaller and not padded.
    WrongType
        A size is not an integer, `pad_if_needed` no bool, or a fill is not one; in a call, a target is given
        by position, or is not an array.
    UnsupportedArgument
        A position or border is not served, or a parameter is a tensor; in a call, boxes or points under a
        border that reflects, there is no seed, a rank or a number of columns is not known while tracing (of
        channels too, where images are padded), or a target is a stack of images or a volume.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be smaller, and is not padded.

    Notes
    -----
    Agreement: given the draw, images and masks bit for bit, coordinates within 1e-4; the draw has the
    reference's distribution.
    Graph: no Python at run time. The size is known while tracing where it is always applied. {drawn}
    `ReplayCompose` returns it as fractions of the room that there is, so that it can be replayed on an image
    of another size.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.RandomCrop(2, 3)
    >>> transform(image=tf.zeros([5, 8, 3]), seed=(1, 2))["image"].shape
    TensorShape([2, 3, 3])
    """

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return where the window begins, as fractions of the room for it, and the drawn border."""
        drawn = self.pad_if_needed and self.pad_position == "random"
        own, border = tf.unstack(seeds.split(seed, 2)) if drawn else (seed, seed)
        down, across = tf.unstack(seeds.uniform(own, [2], "float64"))
        return {"h_start": down, "w_start": across, **super().draw_parameters(border)}

    def geometry(self, params: Mapping[str, Any], size: Size) -> _Window:
        """Return the window that was drawn."""
        (height, width), borders = self.whole(params, size)
        top = _begin(height - self.height, params["h_start"])
        return _Window(top, _begin(width - self.width, params["w_start"]), height, width, borders)

    def plane(self, value: Any, geometry: _Window, kind: str, batch_axes: int) -> Any:
        """Cut the window out, wherever it lies."""
        value = self.padded(value, geometry, kind, batch_axes)
        return cut(value, geometry.top, geometry.left, (self.height, self.width), batch_axes)


def _begin(room: Any, fraction: Any) -> Any:
    return tf.cast(tf.cast(room + 1, tf.float64) * fraction, tf.int32)
