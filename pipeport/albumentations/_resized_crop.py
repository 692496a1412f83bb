"""RandomResizedCrop, RandomSizedCrop: a part of drawn size, resized to one size."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._crops import boxes_from, points_from
from pipeport.albumentations._groups import channels_known
from pipeport.albumentations._promise import augments
from pipeport.albumentations._resize import by_area, points_scaled, resized_to
from pipeport.albumentations._sizes import Size, numbers, part_of
from pipeport.albumentations._spatial import Spatial
from pipeport.contract import CannotServe, OneOf, Within, WithinLevels
from pipeport.cv2._constants import INTER_AREA, INTER_LINEAR, INTER_NEAREST
from pipeport.cv2._resize_arguments import interpolation_of
from pipeport.errors import OutsideDomain, WrongType, explain

# Windows that are drawn until one fits.
_TRIES = 10
_LEVELS = WithinLevels(1, 1.0, floats=Within(2e-6, "sums in another order on values in [0, 1]"))


class _Window(NamedTuple):
    """Where a crop begins and its own size, scalar int32; and the size of the whole."""

    top: Any
    left: Any
    height: Any
    width: Any
    size: Size


class _ResizedCrop(Spatial):
    """A crop of drawn size that is resized."""

    def __init__(
        self, size: Any, interpolation: Any, mask_interpolation: Any, area_for_downscale: Any, p: float
    ) -> None:
        super().__init__(p)
        if tf.is_tensor(size) or not isinstance(size, (tuple, list)) or len(size) != 2:
            given = "a tensor" if tf.is_tensor(size) else repr(size)
            raise WrongType(explain("size", given, "(height, width)", "Give two integers."))
        self.size = _arguments.side(size[0], "size"), _arguments.side(size[1], "size")
        self.interpolation = interpolation_of(interpolation)
        self.mask_interpolation = interpolation_of(mask_interpolation)
        self.area_for_downscale = by_area(area_for_downscale)

    def interpolate_masks(self, how: int) -> None:
        """Interpolate masks in that way from now on."""
        self.mask_interpolation = interpolation_of(how)

    def plane(self, value: Any, geometry: _Window, kind: str, batch_axes: int) -> Any:
        """Cut the window out, and resize it."""
        channels_known(value, kind, batch_axes)
        # Where the image is known to have one row or column, so has the window: XLA resizes no other.
        sides = [
            1 if isinstance(whole, int) and whole == 1 else side
            for whole, side in zip(geometry.size, (geometry.height, geometry.width), strict=True)
        ]
        part = part_of(value, (geometry.top, geometry.left), (sides[0], sides[1]), batch_axes)
        if kind != "image":
            always = self.area_for_downscale == "image_mask"
            return resized_to(part, INTER_AREA if always else self.mask_interpolation, self.size, batch_axes)
        if self.area_for_downscale is None or self.interpolation == INTER_AREA:
            return resized_to(part, self.interpolation, self.size, batch_axes)
        shorter = (geometry.height > self.size[0]) | (geometry.width > self.size[1])
        return tf.cond(
            shorter,
            lambda: resized_to(part, INTER_AREA, self.size, batch_axes),
            lambda: resized_to(part, self.interpolation, self.size, batch_axes),
        )

    def boxes(self, boxes: Any, geometry: _Window) -> Any:
        """Count fractions from the window."""
        return boxes_from(
            boxes, (geometry.top, geometry.left), (geometry.height, geometry.width), geometry.size
        )

    def points(self, points: Any, geometry: _Window) -> Any:
        """Count pixels from the window, and scale them."""
        inside = points_from(points, (geometry.top, geometry.left))
        return points_scaled(inside, (geometry.height, geometry.width), self.size)


def _by_area(arguments: Mapping[str, Any]) -> bool:
    named = arguments.get("area_for_downscale") is not None
    return named or bool(arguments.get("interpolation") == INTER_AREA)


def _no_area(needed: Mapping[str, Any]) -> CannotServe:
    image = np.arange(120, dtype=np.uint8).reshape(10, 12)
    return CannotServe(
        "xla",
        "INTER_AREA of a part whose size is drawn takes operations that XLA does not have: leave out "
        "jit_compile, or choose another interpolation",
        witness=lambda: {**needed, "interpolation": INTER_AREA, "image": image, "seed": (1, 2)},
        when=_by_area,
    )


def _some_pixel(arguments: Mapping[str, Any]) -> bool:
    """Say whether the window in the middle has a pixel: of one that has none the reference raises."""
    height, width = np.shape(arguments["image"])[:2]
    low, high = arguments.get("ratio", (0.75, 4 / 3))
    return bool(round(width / low) > 0 and round(height * high) > 0)


@augments(
    "RandomResizedCrop",
    domain={
        "size": OneOf((3, 5), (8, 2), (1, 1), typical=(224, 224)),
        "scale": OneOf((0.08, 1.0), (0.5, 0.75), (1.0, 1.0)),
        "ratio": OneOf((0.75, 4 / 3), (0.5, 0.5), (1.0, 3.0)),
        "interpolation": OneOf(INTER_LINEAR, INTER_NEAREST, INTER_AREA),
        "mask_interpolation": OneOf(INTER_NEAREST),
        "area_for_downscale": OneOf(None, "image"),
    },
    image=_LEVELS,
    reference_parameters="resized_crop",
    settings=(
        {"size": (8, 8)},
        {"size": (8, 9), "scale": (0.3, 0.3), "ratio": (0.25, 4.0), "p": 0.8},
        {"size": (8, 9), "scale": (0.5, 1.0), "ratio": (1.0, 2.5)},
    ),
    valid=_some_pixel,
    needed={"size": (2, 3)},
    cannot_serve=(_no_area({"size": (4, 5)}),),
)
class RandomResizedCrop(_ResizedCrop):
    """Cut a part out, of drawn area and ratio of the sides, and resize it.

    Parameters
    ----------
    size : (int, int)
        Height and width of the result.
    scale : (float, float), default (0.08, 1.0)
        Smallest and largest part of the area, from 0 to 1.
    ratio : (float, float), default (0.75, 4/3)
        Smallest and largest width by height, above 0; its logarithm is drawn.
    interpolation : int, default cv2.INTER_LINEAR
        For images, as `pipeport.cv2.resize` serves it.
    mask_interpolation : int, default cv2.INTER_NEAREST
        For masks; that of a `Compose` comes first.
    area_for_downscale : {None, 'image', 'image_mask'}, default None
        Whether INTER_AREA is taken for images where a side becomes shorter; with 'image_mask' for masks too,
        and for these always, as in the reference.

    Returns
    -------
    RandomResizedCrop
        {called} {planes}; of the dtypes of `pipeport.cv2.resize`. {rows}; they may then lie outside the crop.
        Further columns are carried along.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a size is below 1, a range is out of bounds or not in order; in a call,
        there is no image, a target does not have its shape, or a dtype is not served.
    WrongType
        `size` is not a pair of integers, or a range no pair of numbers; in a call, a target is given by
        position, or is not an array.
    UnsupportedArgument
        An interpolation is not served, or a parameter is a tensor; in a call, there is no seed, a rank, a
        number of channels or of columns is not known while tracing, or a target is a stack of images.

    Notes
    -----
    Up to ten windows are drawn until one fits into the image, else the largest of an admissible ratio is cut
    out of the middle. Where that rounds to no pixel the reference raises, and one pixel is taken here.
    Agreement: given the draw, bytes that are interpolated at most one grey level off, unless
    `pipeport.config.set_bit_equal` asks for every bit; floats as `pipeport.cv2.resize`; masks of
    INTER_NEAREST bit for bit; coordinates within 1e-4. The draw has the reference's distribution.
    Alone it is slower than the reference in `tf.numpy_function`: finding the window takes as long as a fast
    resize. A pipeline with further transforms is not.
    XLA of TensorFlow 2.15 may refuse to compile a part of drawn size.
    Graph: no Python at run time. The size is known while tracing where it is always applied. {drawn}
    Speed: float32 is slower than the reference in `tf.numpy_function` for images of 256x256.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.RandomResizedCrop((2, 3), scale=(0.5, 1.0))
    >>> transform(image=tf.zeros([5, 8, 3]), seed=(1, 2))["image"].shape
    TensorShape([2, 3, 3])
    """

    def __init__(
        self,
        size: Any,
        scale: Any = (0.08, 1.0),
        ratio: Any = (0.75, 1.3333333333333333),
        interpolation: int = INTER_LINEAR,
        mask_interpolation: int = INTER_NEAREST,
        area_for_downscale: str | None = None,
        p: float = 1.0,
    ) -> None:
        super().__init__(size, interpolation, mask_interpolation, area_for_downscale, p)
        self.scale = _ends(scale, "scale", 1.0)
        self.ratio = _ends(ratio, "ratio", math.inf)
        if self.ratio[0] <= 0.0:
            raise OutsideDomain(explain("ratio", repr(ratio), "numbers above 0", "It is width by height."))

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return parts of the area and ratios to try, and where the window begins, as parts of the room."""
        parts = seeds.uniform(seed, [2 * _TRIES + 2], "float64")
        areas, ratios, begin = tf.split(parts, [_TRIES, _TRIES, 2])
        low, high = (math.log(end) for end in self.ratio)
        return {
            "area": self.scale[0] + (self.scale[1] - self.scale[0]) * areas,
            "ratio": tf.exp(low + (high - low) * ratios),
            "h_start": begin[0],
            "w_start": begin[1],
        }

    def geometry(self, params: Mapping[str, Any], size: Size) -> _Window:
        """Return the first window that fits."""
        height, width = numbers(size, tf.float64)
        areas = params["area"] * (height * width)
        across, down = tf.round(tf.sqrt(areas * params["ratio"])), tf.round(tf.sqrt(areas / params["ratio"]))
        fits = (across > 0) & (across <= width) & (down > 0) & (down <= height)
        first, any_fits = tf.argmax(tf.cast(fits, tf.int32)), tf.reduce_any(fits)
        whole = self._middle(height, width)
        high, wide = (
            tf.cast(tf.where(any_fits, drawn[first], side), tf.int32)
            for drawn, side in zip((down, across), whole, strict=True)
        )
        top, left = (
            tf.where(any_fits, tf.cast(tf.cast(room + 1, tf.float64) * params[name], tf.int32), room // 2)
            for room, name in ((size[0] - high, "h_start"), (size[1] - wide, "w_start"))
        )
        return _Window(top, left, high, wide, size)

    def _middle(self, height: Any, width: Any) -> tuple[Any, Any]:
        """Return the sides of the largest window whose ratio is admissible."""
        given, (low, high) = width / height, self.ratio
        one = tf.ones([], tf.float64)
        down = tf.where(given < low, tf.maximum(tf.round(width / low), one), height)
        return down, tf.where(given > high, tf.maximum(tf.round(height * high), one), width)


def _some_column(arguments: Mapping[str, Any]) -> bool:
    """Say whether the smallest window has a column: another is refused here, in the reference if drawn."""
    low, _ = _heights(arguments["min_max_height"])
    return int(low * arguments.get("w2h_ratio", 1.0)) > 0


@augments(
    "RandomSizedCrop",
    domain={
        "min_max_height": OneOf((3, 8), (1, 4), (5, 5), 6, (200, 300), typical=(128, 200)),
        "size": OneOf((3, 5), (8, 2), (1, 1), typical=(224, 224)),
        "w2h_ratio": OneOf(1.0, 0.75, 2.5, 1),
        "interpolation": OneOf(INTER_LINEAR, INTER_NEAREST, INTER_AREA),
        "mask_interpolation": OneOf(INTER_NEAREST),
        "area_for_downscale": OneOf(None, "image"),
    },
    image=_LEVELS,
    reference_parameters="sized_crop",
    settings=(
        {"min_max_height": (5, 20), "size": (8, 8)},
        {"min_max_height": (10, 40), "size": (8, 9), "w2h_ratio": 1.5, "p": 0.8},
    ),
    valid=_some_column,
    needed={"min_max_height": (2, 4), "size": (2, 3)},
    cannot_serve=(_no_area({"min_max_height": (4, 7), "size": (4, 5)}),),
)
class RandomSizedCrop(_ResizedCrop):
    """Cut a part out, of drawn height, and resize it.

    Parameters
    ----------
    min_max_height : (int, int) or int
        Smallest and largest height of the part, from 1; one number a means 1 to a. At most the height of the
        image is taken.
    size : (int, int)
        Height and width of the result.
    w2h_ratio : float, default 1.0
        Width by height of the part, above 0. At most the width of the image is taken.
    interpolation : int, default cv2.INTER_LINEAR
        For images, as `pipeport.cv2.resize` serves it.
    mask_interpolation : int, default cv2.INTER_NEAREST
        For masks; that of a `Compose` comes first.
    area_for_downscale : {None, 'image', 'image_mask'}, default None
        Whether INTER_AREA is taken for images where a side becomes shorter; with 'image_mask' for masks too,
        and for these always, as in the reference.

    Returns
    -------
    RandomSizedCrop
        {called} {planes}; of the dtypes of `pipeport.cv2.resize`. {rows}; they may then lie outside the crop.
        Further columns are carried along.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a size or height is below 1, heights are not in order, `w2h_ratio` is
        not above 0 or leaves the smallest part no column; in a call, there is no image, a target does not
        have its shape, or a dtype is not served.
    WrongType
        `size` is not a pair of integers, `min_max_height` neither a number nor a pair, or `w2h_ratio` no
        number; in a call, a target is given by position, or is not an array.
    UnsupportedArgument
        An interpolation is not served, or a parameter is a tensor; in a call, there is no seed, a rank, a
        number of channels or of columns is not known while tracing, or a target is a stack of images.

    Notes
    -----
    Agreement: given the draw, bytes that are interpolated at most one grey level off, unless
    `pipeport.config.set_bit_equal` asks for every bit; floats as `pipeport.cv2.resize`; masks of
    INTER_NEAREST bit for bit; coordinates within 1e-4. The draw has the reference's distribution.
    XLA of TensorFlow 2.15 may refuse to compile a part of drawn size.
    Graph: no Python at run time. The size is known while tracing where it is always applied. {drawn}
    Speed: float32 is slower than the reference in `tf.numpy_function` for images of 256x256.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.RandomSizedCrop((3, 5), (2, 3))
    >>> transform(image=tf.zeros([5, 8, 3]), seed=(1, 2))["image"].shape
    TensorShape([2, 3, 3])
    """

    def __init__(
        self,
        min_max_height: Any,
        size: Any,
        w2h_ratio: float = 1.0,
        interpolation: int = INTER_LINEAR,
        mask_interpolation: int = INTER_NEAREST,
        area_for_downscale: str | None = None,
        p: float = 1.0,
    ) -> None:
        super().__init__(size, interpolation, mask_interpolation, area_for_downscale, p)
        self.min_max_height = _heights(min_max_height)
        self.w2h_ratio = _arguments.real(w2h_ratio, "w2h_ratio", 0.0)
        if int(self.min_max_height[0] * self.w2h_ratio) < 1:
            given = f"{w2h_ratio!r} with a height of {self.min_max_height[0]}"
            advice = "A part has at least one column: give a larger ratio, or a larger smallest height."
            raise OutsideDomain(explain("w2h_ratio", given, "at least one by the smallest height", advice))

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return the height, and where the window begins, as parts of the room."""
        own, places = tf.unstack(seeds.split(seed, 2))
        low, high = self.min_max_height
        begin = seeds.uniform(places, [2], "float64")
        height = tf.cast(seeds.randint(own, low, high + 1), tf.int32)
        return {"height": height, "h_start": begin[0], "w_start": begin[1]}

    def geometry(self, params: Mapping[str, Any], size: Size) -> _Window:
        """Return the window that was drawn."""
        wide = tf.cast(tf.cast(params["height"], tf.float64) * self.w2h_ratio, tf.int32)
        height, width = tf.minimum(params["height"], size[0]), tf.minimum(wide, size[1])
        top, left = (
            tf.cast(tf.cast(room + 1, tf.float64) * params[name], tf.int32)
            for room, name in ((size[0] - height, "h_start"), (size[1] - width, "w_start"))
        )
        return _Window(top, left, height, width, size)


def _heights(value: Any) -> tuple[int, int]:
    """Return the smallest and the largest height."""
    low, high = _arguments.interval(value, "min_max_height", other=1.0, least=1.0)
    return _arguments.in_order((int(low), int(high)), value, "min_max_height")


def _ends(value: Any, name: str, most: float) -> tuple[float, float]:
    """Return two ends in order, from 0 to `most`."""
    if tf.is_tensor(value) or not isinstance(value, (tuple, list)) or len(value) != 2:
        given = "a tensor" if tf.is_tensor(value) else repr(value)
        raise WrongType(explain(name, given, "(smallest, largest)", "Give two numbers."))
    low, high = (_arguments.real(one, name, 0.0, most) for one in value)
    return _arguments.in_order((low, high), value, name)
