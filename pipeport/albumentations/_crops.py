"""Crop, CenterCrop, RandomCrop: a part of the image in a size of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._promise import augments
from pipeport.albumentations._sizes import Size, numbers
from pipeport.albumentations._spatial import Spatial
from pipeport.contract import OneOf
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.layout._windows import cut

_SIDES = OneOf(1, 2, 3, 5, 8, typical=24)
_DOMAIN = {"height": _SIDES, "width": _SIDES}
_NEEDED = {"height": 2, "width": 3}
_PAD = "Pad before the pipeline, with pipeport.cv2.copyMakeBorder for example."
_REFUSED = {
    "pad_if_needed": "images are not padded",
    **dict.fromkeys(("pad_position", "border_mode", "fill", "fill_mask"), "it says how to pad"),
}


def _fits(arguments: Mapping[str, Any]) -> bool:
    height, width = np.shape(arguments["image"])[:2]
    return bool(arguments["height"] <= height and arguments["width"] <= width)


class _Window(NamedTuple):
    """Where a crop begins, and the size of the whole: Python integers or scalar int32 tensors."""

    top: Any
    left: Any
    height: Any
    width: Any


def part_of(value: Any, corner: tuple[Any, Any], size: Size, batch_axes: int) -> Any:
    """Return the part of images, with `batch_axes` axes before, that begins at a row and a column."""
    static = [side if isinstance(side, int) else None for side in size]
    begin = tf.stack([*[0] * batch_axes, *corner, *[0] * (value.shape.rank - batch_axes - 2)])
    sizes = tf.shape(value)
    wanted = tf.concat([sizes[:batch_axes], [*size], sizes[batch_axes + 2 :]], 0)
    return tf.ensure_shape(
        tf.slice(value, begin, wanted), [*value.shape[:batch_axes], *static, *value.shape[batch_axes + 2 :]]
    )


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

    def __init__(
        self,
        height: Any,
        width: Any,
        pad_if_needed: Any,
        pad_position: Any,
        border_mode: Any,
        fill: Any,
        fill_mask: Any,
        p: float,
    ) -> None:
        super().__init__(p)
        self.height = _arguments.side(height, "height")
        self.width = _arguments.side(width, "width")
        given = {"pad_if_needed": (pad_if_needed, False), "pad_position": (pad_position, "center")}
        given |= {"border_mode": (border_mode, 0), "fill": (fill, 0), "fill_mask": (fill_mask, 0)}
        for name, (value, usual) in given.items():
            _arguments.default_alone(value, usual, name, _PAD)

    def least(self) -> tuple[int, int]:
        """Return the smallest size that an image may have."""
        return self.height, self.width

    def plane(self, value: Any, geometry: _Window, kind: str, batch_axes: int) -> Any:
        """Cut the window out."""
        del kind
        return part_of(value, (geometry.top, geometry.left), (self.height, self.width), batch_axes)

    def boxes(self, boxes: Any, geometry: _Window) -> Any:
        """Count fractions from the window."""
        corner, whole = (geometry.top, geometry.left), (geometry.height, geometry.width)
        return boxes_from(boxes, corner, (self.height, self.width), whole)

    def points(self, points: Any, geometry: _Window) -> Any:
        """Count pixels from the window."""
        return points_from(points, (geometry.top, geometry.left))

    def _checked(self, size: Size) -> Size:
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

    Native equivalent of `albumentations.Crop`.

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
    p : float, default 1.0
        Probability that it is applied.

    Returns
    -------
    Crop
        Called with targets by name and `seed`, it gives a dict of the same names. `image` and `mask` are
        (H, W) or (H, W, C), `masks` (N, H, W) or (N, H, W, C) or a list, which stays a list; of any dtype.
        Called outside a `Compose`, `bboxes` are (N, 4) fractions x_min, y_min, x_max, y_max, and `keypoints`
        (N, 5): x, y, z, angle in radians, scale; they may then lie outside the crop. Further columns are
        carried along.

    Raises
    ------
    OutsideDomain
        `p` is no number in [0, 1], a corner is negative, or the part has no pixel; in a call, there is no
        image, a target does not have its shape, or the image is known to be smaller.
    WrongType
        A corner is no integer; in a call, a target is given by position, or is no array.
    UnsupportedArgument
        Padding is asked for, or a parameter is a tensor; in a call, there is no seed, a rank or a number of
        columns is not known while tracing, or a target is a stack of images or a volume.
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
        size = self.y_max - self.y_min, self.x_max - self.x_min
        super().__init__(*size, pad_if_needed, pad_position, border_mode, fill, fill_mask, p)

    def least(self) -> tuple[int, int]:
        """Return the smallest size that an image may have."""
        return self.y_max, self.x_max

    def geometry(self, params: Mapping[str, Any], size: Size) -> _Window:
        """Return the window."""
        del params
        return _Window(self.y_min, self.x_min, *self._checked(size))


def _corners(low: Any, high: Any, axis: str) -> tuple[int, int]:
    first, last = _arguments.whole(low, f"{axis}_min"), _arguments.side(high, f"{axis}_max")
    if not 0 <= first < last:
        given, allowed = f"{low} with {axis}_max={high}", f"from 0 to below {axis}_max"
        raise OutsideDomain(explain(f"{axis}_min", given, allowed, "A part has at least one pixel."))
    return first, last


@augments(
    "CenterCrop",
    domain=_DOMAIN,
    reference_parameters="crop",
    settings=({"height": 8, "width": 8, "p": 0.3},),
    valid=_fits,
    needed=_NEEDED,
    refused=_REFUSED,
)
class CenterCrop(_Crop):
    """Cut the middle out.

    Native equivalent of `albumentations.CenterCrop`.

    Parameters
    ----------
    height, width : int
        Size of the result, at most that of the image.
    pad_if_needed : bool, default False
        True is refused.
    pad_position, border_mode, fill, fill_mask
        How to pad, which is not served; anything but the defaults ('center', 0, 0, 0) is refused.
    p : float, default 1.0
        Probability that it is applied.

    Returns
    -------
    CenterCrop
        Called with targets by name and `seed`, it gives a dict of the same names. `image` and `mask` are
        (H, W) or (H, W, C), `masks` (N, H, W) or (N, H, W, C) or a list, which stays a list; of any dtype.
        Called outside a `Compose`, `bboxes` are (N, 4) fractions x_min, y_min, x_max, y_max, and `keypoints`
        (N, 5): x, y, z, angle in radians, scale; they may then lie outside the crop. Further columns are
        carried along.

    Raises
    ------
    OutsideDomain
        `p` is no number in [0, 1], a size is below 1; in a call, there is no image, a target does not have
        its shape, or the image is known to be smaller.
    WrongType
        A size is no integer; in a call, a target is given by position, or is no array.
    UnsupportedArgument
        Padding is asked for, or a parameter is a tensor; in a call, there is no seed, a rank or a number of
        columns is not known while tracing, or a target is a stack of images or a volume.
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
    >>> transform = A.CenterCrop(1, 2)
    >>> image = tf.reshape(tf.range(12), [3, 4])
    >>> transform(image=image, seed=(1, 2))["image"].numpy().tolist()
    [[5, 6]]
    """

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
        super().__init__(height, width, pad_if_needed, pad_position, border_mode, fill, fill_mask, p)

    def geometry(self, params: Mapping[str, Any], size: Size) -> _Window:
        """Return the window in the middle."""
        del params
        height, width = self._checked(size)
        return _Window((height - self.height) // 2, (width - self.width) // 2, height, width)


@augments(
    "RandomCrop",
    domain=_DOMAIN,
    reference_parameters="crop",
    settings=({"height": 30, "width": 45}, {"height": 32, "width": 40, "p": 0.4}),
    valid=_fits,
    needed=_NEEDED,
    refused=_REFUSED,
)
class RandomCrop(_Crop):
    """Cut a part out, wherever it lies.

    Native equivalent of `albumentations.RandomCrop`.

    Parameters
    ----------
    height, width : int
        Size of the result, at most that of the image.
    pad_if_needed : bool, default False
        True is refused.
    pad_position, border_mode, fill, fill_mask
        How to pad, which is not served; anything but the defaults ('center', 0, 0, 0) is refused.
    p : float, default 1.0
        Probability that it is applied.

    Returns
    -------
    RandomCrop
        Called with targets by name and `seed`, it gives a dict of the same names. `image` and `mask` are
        (H, W) or (H, W, C), `masks` (N, H, W) or (N, H, W, C) or a list, which stays a list; of any dtype.
        Called outside a `Compose`, `bboxes` are (N, 4) fractions x_min, y_min, x_max, y_max, and `keypoints`
        (N, 5): x, y, z, angle in radians, scale; they may then lie outside the crop. Further columns are
        carried along.

    Raises
    ------
    OutsideDomain
        `p` is no number in [0, 1], a size is below 1; in a call, there is no image, a target does not have
        its shape, or the image is known to be smaller.
    WrongType
        A size is no integer; in a call, a target is given by position, or is no array.
    UnsupportedArgument
        Padding is asked for, or a parameter is a tensor; in a call, there is no seed, a rank or a number of
        columns is not known while tracing, or a target is a stack of images or a volume.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be smaller.

    Notes
    -----
    Agreement: given the draw, images and masks bit for bit, coordinates within 1e-4; the draw has the
    reference's distribution.
    Graph: no Python at run time. The size is known while tracing where it is always applied. The draw is a
    function of `seed`, the same on every engine; without one the ambient seed is taken
    (`pipeport.seeds.seeded_map`). `ReplayCompose` returns it as fractions of the room that there is, so that
    it can be replayed on an image of another size.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.RandomCrop(2, 3)
    >>> transform(image=tf.zeros([5, 8, 3]), seed=(1, 2))["image"].shape
    TensorShape([2, 3, 3])
    """

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
        super().__init__(height, width, pad_if_needed, pad_position, border_mode, fill, fill_mask, p)

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return where the window begins, as fractions of the room for it."""
        down, across = tf.unstack(seeds.uniform(seed, [2], "float64"))
        return {"h_start": down, "w_start": across}

    def geometry(self, params: Mapping[str, Any], size: Size) -> _Window:
        """Return the window that was drawn."""
        height, width = self._checked(size)
        top = _begin(height - self.height, params["h_start"])
        return _Window(top, _begin(width - self.width, params["w_start"]), height, width)

    def plane(self, value: Any, geometry: _Window, kind: str, batch_axes: int) -> Any:
        """Cut the window out, wherever it lies."""
        del kind
        return cut(value, geometry.top, geometry.left, (self.height, self.width), batch_axes)


def _begin(room: Any, fraction: Any) -> Any:
    return tf.cast(tf.cast(room + 1, tf.float64) * fraction, tf.int32)
