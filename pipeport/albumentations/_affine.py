"""Affine, ShiftScaleRotate, Rotate, SafeRotate: an affine map, drawn from ranges."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._promise import augments
from pipeport.albumentations._reflections import REFLECTING
from pipeport.albumentations._sizes import Size, numbers
from pipeport.albumentations._warps import BORDERS, AffineGeometry, Affinity, Warp, WarpOfParts, settled
from pipeport.contract import OneOf, Within, WithinLevels, told_as
from pipeport.cv2._constants import (
    BORDER_CONSTANT,
    INTER_CUBIC,
    INTER_LINEAR,
    INTER_NEAREST,
)
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.opencv._warp_arguments import vouched_cubic

_Range = tuple[float, float]
_OF_WARPS = {
    "interpolation": OneOf(INTER_LINEAR, INTER_NEAREST, INTER_CUBIC),
    "mask_interpolation": OneOf(INTER_NEAREST),
    "border_mode": OneOf(*BORDERS.values()),
    "rotate_method": OneOf("largest_box"),
    "fill": OneOf(0, 1, (0.5, 0.25, 1.0)),
    "fill_mask": OneOf(0, 1),
}
_FLOATS = Within(
    2e-5,
    "float32 sums in another order on values in [0, 1], of what the reference samples, or would sample if "
    "its own float32 coordinates rounded otherwise",
)
_LEVELS = WithinLevels(1, 0.01, floats=_FLOATS)


def _valid(arguments: Mapping[str, Any]) -> bool:
    border = arguments.get("border_mode", BORDER_CONSTANT)
    # Under these a graph knows no number of points, also where a draw shows each once; tests/albumentations
    # hold them to the reference.
    if arguments.get("keypoints") is not None and border in REFLECTING:
        return False
    cubic = arguments.get("interpolation") == INTER_CUBIC
    return not cubic or vouched_cubic(np.asarray(arguments["image"]), border)


def _lerp(ends: _Range, fraction: Any) -> Any:
    return ends[0] + (ends[1] - ends[0]) * fraction


class _Affine(WarpOfParts):
    """An affine map whose parts are drawn from ranges, each for x and for y."""

    scale: Mapping[str, _Range]
    shear: Mapping[str, _Range]
    rotate: _Range
    translate_percent: Mapping[str, _Range] | None
    translate_px: Mapping[str, tuple[int, int]] | None
    keep_ratio: bool
    balanced_scale: bool

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return angle and shears in degrees, scales, and shifts as parts of the sides or in pixels."""
        parts = tf.unstack(seeds.uniform(seed, [9], "float64"))
        rotate, chosen, scaled, sheared, shifted = parts[0], parts[1:3], parts[3:5], parts[5:7], parts[7:]
        found = {"rotate": _lerp(self.rotate, rotate)}
        for at, axis in enumerate("xy"):
            found[f"scale_{axis}"] = self._scale(self.scale[axis], chosen[at], scaled[at])
            found[f"shear_{axis}"] = -_lerp(self.shear[axis], sheared[at])
            found[f"translate_{axis}"] = self._shift(axis, shifted[at])
        if self.keep_ratio:
            found["scale_y"] = found["scale_x"]
        return {name: tf.convert_to_tensor(value, tf.float64) for name, value in found.items()}

    def _scale(self, ends: _Range, chosen: Any, fraction: Any) -> Any:
        if not self.balanced_scale:
            return _lerp(ends, fraction)
        smaller, larger = ends[0] < 1.0, ends[1] > 1.0
        if smaller and larger:
            # As often smaller as larger, however wide the two ranges are.
            return tf.where(chosen < 0.5, _lerp((ends[0], 1.0), fraction), _lerp((1.0, ends[1]), fraction))
        return _lerp((ends[0], 1.0) if smaller else (1.0, ends[1]) if larger else (1.0, 1.0), fraction)

    def _shift(self, axis: str, fraction: Any) -> Any:
        if self.translate_percent is not None:
            return _lerp(self.translate_percent[axis], fraction)
        low, high = (self.translate_px or {}).get(axis, (0, 0))
        return low + tf.floor(fraction * (high - low + 1))

    def affinity(self, params: Mapping[str, Any], size: Size) -> Affinity:
        """Return what was drawn, shifts in whole pixels."""
        shift = [params["translate_x"], params["translate_y"]]
        if self.translate_percent is not None:
            # Cut off, as int() does it.
            sides = (tf.cast(side, tf.float64) for side in size[::-1])
            shift = [
                tf.cast(tf.cast(part * side, tf.int64), tf.float64)
                for part, side in zip(shift, sides, strict=True)
            ]
        scale, shear = ((params[f"{name}_x"], params[f"{name}_y"]) for name in ("scale", "shear"))
        return Affinity(params["rotate"], scale, shear, (shift[0], shift[1]))


@augments(
    "Affine",
    domain={
        "scale": OneOf((1.0, 1.0), (0.5, 1.5), 1.2, {"x": (0.8, 1.1), "y": 0.9}),
        "translate_percent": OneOf(None, (-0.3, 0.3), {"x": (0.0, 0.25)}),
        "translate_px": OneOf(None, (-3, 4), {"y": 2}),
        "rotate": OneOf((-40.0, 40.0), 0.0, (10.0, 200.0)),
        "shear": OneOf((0.0, 0.0), (-15.0, 20.0), {"x": (-5.0, 5.0), "y": 3.0}),
        "keep_ratio": OneOf(False, True),
        "balanced_scale": OneOf(False, True),
        **_OF_WARPS,
    },
    image=_LEVELS,
    reference_parameters="affine",
    discontinuities="warped",
    boxes=False,
    settings=(
        {"scale": (0.5, 2.0), "rotate": (-20, 45), "translate_percent": (-0.2, 0.1), "p": 0.8},
        {
            "scale": {"x": (0.5, 3.0), "y": (0.8, 1.2)},
            "balanced_scale": True,
            "translate_px": (-2, 3),
            "p": 1,
        },
        {"scale": (0.7, 1.4), "keep_ratio": True, "shear": {"x": (-10, 5), "y": (1, 7)}, "p": 1},
    ),
    valid=lambda arguments: (
        _valid(arguments)
        and (arguments.get("translate_percent") is None or arguments.get("translate_px") is None)
        and not (arguments.get("keep_ratio") and isinstance(arguments.get("scale"), dict))
    ),
    refused={"fit_output": "the result has the size of the image"},
)
class Affine(_Affine):
    """Scale, turn, shear and shift about the middle.

    Parameters
    ----------
    scale : float, (float, float), or dict of them with keys 'x', 'y', default (1.0, 1.0)
        The factor, or smallest and largest; each axis has a draw of its own. An axis left out is not scaled.
    translate_percent : as `scale`, or None
        The shift as a part of the width or height, cut off to whole pixels.
    translate_px : int, (int, int), or dict of them, or None
        The shift in pixels, both ends included.
    rotate : float or (float, float), default 0.0
        The angle in degrees, or smallest and largest.
    shear : as `scale`, default (0.0, 0.0)
        Degrees. As in the reference, an axis left out of a dict is sheared by 1 degree.
    interpolation, mask_interpolation : int, default cv2.INTER_LINEAR and cv2.INTER_NEAREST
        INTER_NEAREST, INTER_LINEAR or INTER_CUBIC.
    fit_output : bool, default False
        True is refused.
    keep_ratio : bool, default False
        Whether both axes are scaled by the draw of x.
    rotate_method : {'largest_box', 'ellipse'}, default 'largest_box'
        Which part of a box stays inside it.
    balanced_scale : bool, default False
        Whether a range around 1 gives factors below and above it alike often.
    border_mode : int, default cv2.BORDER_CONSTANT
        BORDER_CONSTANT, BORDER_REPLICATE, BORDER_REFLECT, BORDER_WRAP or BORDER_REFLECT_101.
    fill, fill_mask : float or up to four of them, default 0
        What lies outside, of images and of masks.

    Returns
    -------
    Affine
        {called} `image` is (H, W) or (H, W, C), uint8 or float32; {masks}, of the dtypes of
        `pipeport.cv2.warpAffine`. `bboxes` are served within a `Compose`, where those that leave the image
        are dropped. Called outside one, `keypoints` are (N, 5): x, y, z, angle in radians, scale. Further
        columns are carried along.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a number is not finite, a range has no key of an axis, scales differ
        while `keep_ratio` is set, both shifts are given; in a call, there is no image, a target does not
        have its shape or dtype.
    WrongType
        A parameter is of another type; in a call, a target is given by position, or is not an array.
    UnsupportedArgument
        `fit_output` is set, an interpolation or border is not served, a parameter is a tensor; in a call,
        boxes outside a `Compose`, there is no seed, a rank or
        a number of channels or of columns is not known while tracing, or a target is a stack of images.

    Notes
    -----
    Under a border that reflects, boxes and points come out as often as they are seen, as in the reference.
    Agreement: given the draw, bytes that are interpolated at most one grey level off, in one of a thousand
    pixels; floats as `pipeport.cv2.warpAffine`; nearest pixels are equal but where the rounding of OpenCV's
    own coordinates decides between two; coordinates within 1e-4. The draw has the reference's distribution.
    An infinite or NaN pixel beside one that is hit may count, as in `pipeport.cv2.warpAffine`.
    Graph: no Python at run time; static shapes are kept. {drawn}
    Speed: float32 is slower than the reference in `tf.numpy_function` for images of 256x256.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.Affine(translate_px={"x": 1, "y": 0}, p=1.0)
    >>> transform(image=tf.constant([[1, 2, 3]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[0, 1, 2]]
    """

    def __init__(
        self,
        scale: Any = (1.0, 1.0),
        translate_percent: Any = None,
        translate_px: Any = None,
        rotate: Any = 0.0,
        shear: Any = (0.0, 0.0),
        interpolation: int = INTER_LINEAR,
        mask_interpolation: int = INTER_NEAREST,
        fit_output: bool = False,
        keep_ratio: bool = False,
        rotate_method: str = "largest_box",
        balanced_scale: bool = False,
        border_mode: int = BORDER_CONSTANT,
        fill: Any = 0,
        fill_mask: Any = 0,
        p: float = 0.5,
    ) -> None:
        super().__init__(interpolation, mask_interpolation, border_mode, rotate_method, fill, fill_mask, p)
        advice = "Pad before, or resize behind it: every element then has one size."
        _arguments.default_alone(fit_output, False, "fit_output", advice)
        self.scale = _by_axis(scale, "scale", 1.0)
        self.shear = _by_axis(shear, "shear", 1.0)
        self.rotate = _exact_or_range(rotate, "rotate")
        if translate_percent is not None and translate_px is not None:
            advice = "Give one of the two."
            raise OutsideDomain(explain("translate_px", "a shift beside translate_percent", "None", advice))
        self.translate_percent = (
            None if translate_percent is None else _by_axis(translate_percent, "translate_percent", 0.0)
        )
        self.translate_px = None
        if translate_percent is None:
            both = _by_axis(0 if translate_px is None else translate_px, "translate_px", 0.0)
            self.translate_px = {
                axis: _arguments.in_order((int(low), int(high)), translate_px, "translate_px")
                for axis, (low, high) in both.items()
            }
        self.keep_ratio = _arguments.flag(keep_ratio, "keep_ratio")
        self.balanced_scale = _arguments.flag(balanced_scale, "balanced_scale")
        if self.keep_ratio and self.scale["x"] != self.scale["y"]:
            advice = "Leave one of the two out."
            raise OutsideDomain(explain("scale", repr(scale), "one range for both axes", advice))


@augments(
    "ShiftScaleRotate",
    domain={
        "shift_limit": OneOf((-0.0625, 0.0625), 0.3, 0.0),
        "scale_limit": OneOf((-0.1, 0.1), 0.5, (0.0, 0.75)),
        "rotate_limit": OneOf((-45.0, 45.0), 30, (5.0, 170.0)),
        "shift_limit_x": OneOf(None, (0.0, 0.25)),
        "shift_limit_y": OneOf(None, 0.2),
        **_OF_WARPS,
    },
    image=_LEVELS,
    reference_parameters="affine",
    discontinuities="warped",
    boxes=False,
    settings=({"p": 0.7}, {"shift_limit_x": 0.3, "scale_limit": (0.2, 0.5), "rotate_limit": 10, "p": 1}),
    valid=_valid,
)
class ShiftScaleRotate(_Affine):
    """Shift, scale and turn about the middle.

    Native equivalent of `albumentations.ShiftScaleRotate`, without its warning that `Affine` does the same.

    Parameters
    ----------
    shift_limit : float or (float, float), default (-0.0625, 0.0625)
        Smallest and largest shift as a part of the sides, from -1 to 1; one number a means -a to a.
    scale_limit : float or (float, float), default (-0.1, 0.1)
        Smallest and largest factor, less 1; one number a means -a to a. Each axis has a draw of its own.
    rotate_limit : float or (float, float), default (-45, 45)
        Smallest and largest angle in degrees; one number a means -a to a.
    interpolation : int, default cv2.INTER_LINEAR
        INTER_NEAREST, INTER_LINEAR or INTER_CUBIC, for images.
    border_mode : int, default cv2.BORDER_CONSTANT
        BORDER_CONSTANT, BORDER_REPLICATE, BORDER_REFLECT, BORDER_WRAP or BORDER_REFLECT_101.
    shift_limit_x, shift_limit_y : as `shift_limit`, or None
        Of one axis alone.
    rotate_method : {'largest_box', 'ellipse'}, default 'largest_box'
        Which part of a box stays inside it.
    mask_interpolation : int, default cv2.INTER_NEAREST
        As `interpolation`, for masks.
    fill, fill_mask : float or up to four of them, default 0
        What lies outside, of images and of masks.

    Returns
    -------
    ShiftScaleRotate
        {called} `image` is (H, W) or (H, W, C), uint8 or float32; {masks}, of the dtypes of
        `pipeport.cv2.warpAffine`. `bboxes` are served within a `Compose`, where those that leave the image
        are dropped. Called outside one, `keypoints` are (N, 5): x, y, z, angle in radians, scale. Further
        columns are carried along.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a limit is not finite or out of range; in a call, there is no image, a
        target does not have its shape or dtype.
    WrongType
        A limit is neither a number nor a pair; in a call, a target is given by position, or is not an array.
    UnsupportedArgument
        An interpolation or border is not served, a parameter is a tensor; in a call, boxes outside a
        `Compose`, there is no seed, a rank or a number of
        channels or of columns is not known while tracing, or a target is a stack of images.

    Notes
    -----
    Under a border that reflects, boxes and points come out as often as they are seen, as in the reference.
    Agreement: given the draw, bytes that are interpolated at most one grey level off, in one of a thousand
    pixels; floats as `pipeport.cv2.warpAffine`; nearest pixels are equal but where the rounding of OpenCV's
    own coordinates decides between two; coordinates within 1e-4. The draw has the reference's distribution.
    An infinite or NaN pixel beside one that is hit may count, as in `pipeport.cv2.warpAffine`.
    Graph: no Python at run time; static shapes are kept. {drawn}

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.ShiftScaleRotate(shift_limit=0.1, rotate_limit=15, p=1.0)
    >>> transform(image=tf.zeros([5, 8, 3]), seed=(1, 2))["image"].shape
    TensorShape([5, 8, 3])
    """

    shear = MappingProxyType({"x": (0.0, 0.0), "y": (0.0, 0.0)})
    translate_px = None
    keep_ratio = balanced_scale = False

    def __init__(
        self,
        shift_limit: Any = (-0.0625, 0.0625),
        scale_limit: Any = (-0.1, 0.1),
        rotate_limit: Any = (-45, 45),
        interpolation: int = INTER_LINEAR,
        border_mode: int = BORDER_CONSTANT,
        shift_limit_x: Any = None,
        shift_limit_y: Any = None,
        rotate_method: str = "largest_box",
        mask_interpolation: int = INTER_NEAREST,
        fill: Any = 0,
        fill_mask: Any = 0,
        p: float = 0.5,
    ) -> None:
        super().__init__(interpolation, mask_interpolation, border_mode, rotate_method, fill, fill_mask, p)
        shifts = {"shift_limit_x": shift_limit_x, "shift_limit_y": shift_limit_y}
        whole = _shift_limit(shift_limit, "shift_limit")
        own = [whole if one is None else _shift_limit(one, name) for name, one in shifts.items()]
        self.translate_percent = {"x": own[0], "y": own[1]}
        low, high = (1.0 + end for end in _rising(scale_limit, "scale_limit"))
        if low < 0.0:
            advice = "A factor is one more than its limit."
            raise OutsideDomain(explain("scale_limit", repr(scale_limit), "-1 or more", advice))
        self.scale = {"x": (low, high), "y": (low, high)}
        self.rotate = _rising(rotate_limit, "rotate_limit")


@augments(
    "Rotate",
    domain={"limit": OneOf((-90.0, 90.0), 45, 20.5, (100.0, 300.0), 0), **_OF_WARPS},
    image=_LEVELS,
    reference_parameters="rotation",
    discontinuities="warped",
    boxes=False,
    settings=({}, {"limit": (-10, 60), "p": 0.8}),
    valid=_valid,
    refused={"crop_border": "the result has the size of the image"},
)
class Rotate(WarpOfParts):
    """Turn counter-clockwise about the middle.

    Parameters
    ----------
    limit : float or (float, float), default (-90, 90)
        Smallest and largest angle in degrees; one number a means -a to a.
    interpolation : int, default cv2.INTER_LINEAR
        INTER_NEAREST, INTER_LINEAR or INTER_CUBIC, for images.
    border_mode : int, default cv2.BORDER_CONSTANT
        BORDER_CONSTANT, BORDER_REPLICATE, BORDER_REFLECT, BORDER_WRAP or BORDER_REFLECT_101.
    rotate_method : {'largest_box', 'ellipse'}, default 'largest_box'
        Which part of a box stays inside it.
    crop_border : bool, default False
        True is refused.
    mask_interpolation : int, default cv2.INTER_NEAREST
        As `interpolation`, for masks.
    fill, fill_mask : float or up to four of them, default 0
        What lies outside, of images and of masks.

    Returns
    -------
    Rotate
        {called} `image` is (H, W) or (H, W, C), uint8 or float32; {masks}, of the dtypes of
        `pipeport.cv2.warpAffine`. `bboxes` are served within a `Compose`, where those that leave the image
        are dropped. Called outside one, `keypoints` are (N, 5): x, y, z, angle in radians, scale. Further
        columns are carried along.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a limit is not finite; in a call, there is no image, a target does not
        have its shape or dtype.
    WrongType
        `limit` is neither a number nor a pair; in a call, a target is given by position, or is not an array.
    UnsupportedArgument
        `crop_border` is set, an interpolation or border is not served, a parameter is a tensor; in a call,
        boxes outside a `Compose`, there is no seed, a rank or
        a number of channels or of columns is not known while tracing, or a target is a stack of images.

    Notes
    -----
    Under a border that reflects, boxes and points come out as often as they are seen, as in the reference.
    Agreement: given the draw, bytes that are interpolated at most one grey level off, in one of a thousand
    pixels; floats as `pipeport.cv2.warpAffine`; nearest pixels are equal but where the rounding of OpenCV's
    own coordinates decides between two; coordinates within 1e-4. The draw has the reference's distribution.
    An infinite or NaN pixel beside one that is hit may count, as in `pipeport.cv2.warpAffine`.
    Graph: no Python at run time; static shapes are kept. {drawn}

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.Rotate(limit=(90, 90), p=1.0)
    >>> image = tf.constant([[1, 2], [3, 4]], tf.uint8)
    >>> transform(image=image, seed=(1, 2))["image"].numpy().tolist()
    [[2, 4], [1, 3]]
    """

    def __init__(
        self,
        limit: Any = (-90, 90),
        interpolation: int = INTER_LINEAR,
        border_mode: int = BORDER_CONSTANT,
        rotate_method: str = "largest_box",
        crop_border: bool = False,
        mask_interpolation: int = INTER_NEAREST,
        fill: Any = 0,
        fill_mask: Any = 0,
        p: float = 0.5,
    ) -> None:
        super().__init__(interpolation, mask_interpolation, border_mode, rotate_method, fill, fill_mask, p)
        advice = "Put a CenterCrop behind it: every element then has one size."
        _arguments.default_alone(crop_border, False, "crop_border", advice)
        self.limit = _rising(limit, "limit")

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return the angle in degrees."""
        return {"angle": _lerp(self.limit, seeds.uniform(seed, [], "float64"))}

    def affinity(self, params: Mapping[str, Any], size: Size) -> Affinity:
        """Return the turn that was drawn."""
        del size
        none, one = tf.zeros([], tf.float64), tf.ones([], tf.float64)
        return Affinity(params["angle"], (one, one), (none, none), (none, none))


@augments(
    "SafeRotate",
    domain={"limit": OneOf((-90.0, 90.0), 45, 20.5, (100.0, 300.0), 0), **_OF_WARPS},
    image=_LEVELS,
    reference_parameters="safe_rotation",
    discontinuities="warped",
    boxes=False,
    settings=({}, {"limit": (-10, 60), "p": 0.8}),
    valid=_valid,
)
class SafeRotate(Warp):
    __doc__ = told_as(
        Rotate,
        "SafeRotate",
        {
            "about the middle.": "about the middle, and shrink so that the whole image is seen.",
            "crop_border : bool, default False True is refused. mask_interpolation": "mask_interpolation",
            "`crop_border` is set, an interpolation": "An interpolation",
            "Under a border": "The turned image is scaled to the size of the given one, height and "
            "width each by its own factor.\n"
            "Under a border",
            "[[2, 4], [1, 3]]": "[[0, 2], [1, 2]]",
        },
    )

    def __init__(
        self,
        limit: Any = (-90, 90),
        interpolation: int = INTER_LINEAR,
        border_mode: int = BORDER_CONSTANT,
        rotate_method: str = "largest_box",
        mask_interpolation: int = INTER_NEAREST,
        fill: Any = 0,
        fill_mask: Any = 0,
        p: float = 0.5,
    ) -> None:
        super().__init__(interpolation, mask_interpolation, border_mode, rotate_method, fill, fill_mask, p)
        self.limit = _rising(limit, "limit")

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return the angle in degrees."""
        return {"angle": _lerp(self.limit, seeds.uniform(seed, [], "float64"))}

    def geometry(self, params: Mapping[str, Any], size: Size) -> AffineGeometry:
        """Return the maps of the turn, onto the size of the image."""
        height, width = numbers(size, tf.float64)
        angle = params["angle"] * (np.pi / 180)
        cosine, sine = tf.cos(angle), tf.sin(angle)
        # Sides of the turned image, cut off as int() does it.
        high = tf.floor(height * tf.abs(cosine) + width * tf.abs(sine))
        wide = tf.floor(height * tf.abs(sine) + width * tf.abs(cosine))
        across, down = width / wide, height / high

        def about(x: Any, y: Any) -> Any:
            right = (1.0 - cosine) * x - sine * y + (wide / 2 - x)
            below = sine * x + (1.0 - cosine) * y + (high / 2 - y)
            rows = [
                [across * cosine, across * sine, across * right],
                [-down * sine, down * cosine, down * below],
            ]
            return tf.stack([tf.stack(row) for row in rows])

        pixels, _ = settled(about(width / 2 - 0.5, height / 2 - 0.5))
        corners, stays = settled(about(width / 2, height / 2))
        return AffineGeometry(pixels, corners, stays, tf.maximum(across, down), size)


def _rising(value: Any, name: str) -> _Range:
    """Return two ends in order; of one number a, -a and a."""
    return _arguments.in_order(_arguments.interval(value, name), value, name)


def _shift_limit(value: Any, name: str) -> _Range:
    low, high = _rising(value, name)
    if low < -1.0 or high > 1.0:
        raise OutsideDomain(explain(name, repr(value), "from -1 to 1", "It is a part of the side."))
    return low, high


def _exact_or_range(value: Any, name: str) -> _Range:
    """Return two ends; one number is both of them."""
    if isinstance(value, (tuple, list)):
        return _arguments.interval(value, name)
    number = _arguments.real(value, name, -np.inf)
    return number, number


def _by_axis(value: Any, name: str, missing: float) -> dict[str, _Range]:
    """Return the ends for x and for y."""
    if not isinstance(value, Mapping):
        ends = _exact_or_range(value, name)
        return {"x": ends, "y": ends}
    if not value or not set(value) <= {"x", "y"}:
        raise OutsideDomain(explain(name, repr(value), "a dict with 'x', 'y' or both", "Name the axes."))
    return {axis: _exact_or_range(value.get(axis, missing), name) for axis in "xy"}
