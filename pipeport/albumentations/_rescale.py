"""LongestMaxSize, SmallestMaxSize, RandomScale: both sides by one factor."""

from __future__ import annotations

import abc
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._groups import channels_known
from pipeport.albumentations._promise import augments
from pipeport.albumentations._resize import by_area, resized_to
from pipeport.albumentations._sizes import Size, size_of
from pipeport.albumentations._spatial import Spatial
from pipeport.contract import CannotServe, OneOf, Within, WithinLevels, told_as
from pipeport.cv2._constants import INTER_AREA, INTER_LINEAR, INTER_NEAREST
from pipeport.cv2._resize_arguments import interpolation_of
from pipeport.errors import OutsideDomain, WrongType, explain

_AREA = {"image": ("image", "image_mask"), "mask": ("image_mask",)}
_OF_SCALES = {
    "interpolation": OneOf(INTER_LINEAR, INTER_NEAREST, INTER_AREA),
    "mask_interpolation": OneOf(INTER_NEAREST),
    "area_for_downscale": OneOf(None, "image"),
}
# Of two pixels both may be a tie; tests/albumentations holds noise of 300 pixels to 15 %.
_LEVELS = WithinLevels(1, 1.0, floats=Within(2e-6, "sums in another order on values in [0, 1]"))


def _of_area(arguments: Mapping[str, Any]) -> bool:
    asked = arguments.get("interpolation") == INTER_AREA or arguments.get("area_for_downscale") is not None
    return asked and np.asarray(arguments["image"]).dtype == np.uint8


class _Scale(Spatial):
    """A transform by one factor."""

    def __init__(
        self, interpolation: Any, mask_interpolation: Any, area_for_downscale: Any, p: float
    ) -> None:
        super().__init__(p)
        self.interpolation = interpolation_of(interpolation)
        self.mask_interpolation = interpolation_of(mask_interpolation)
        self.area_for_downscale = by_area(area_for_downscale)

    def interpolate_masks(self, how: int) -> None:
        """Interpolate masks in that way from now on."""
        self.mask_interpolation = interpolation_of(how)

    @abc.abstractmethod
    def scaled(self, side: Any, scale: Any) -> Any:
        """Return the length of a side after a factor, a float or a float64 scalar."""

    def plane(self, value: Any, geometry: Any, kind: str, batch_axes: int) -> Any:
        """Resize an image, or masks."""
        channels_known(value, kind, batch_axes)
        how = self.interpolation if kind == "image" else self.mask_interpolation
        height, width = (self.scaled(side, geometry) for side in size_of(value, batch_axes))
        if self.area_for_downscale not in _AREA[kind] or how == INTER_AREA:
            return resized_to(value, how, (height, width), batch_axes)
        smaller = geometry < 1.0
        if not tf.is_tensor(smaller):
            return resized_to(value, INTER_AREA if smaller else how, (height, width), batch_axes)
        return tf.cond(
            smaller,
            lambda: resized_to(value, INTER_AREA, (height, width), batch_axes),
            lambda: resized_to(value, how, (height, width), batch_axes),
        )

    def boxes(self, boxes: Any, geometry: Any) -> Any:
        """Leave fractions."""
        del geometry
        return boxes

    def points(self, points: Any, geometry: Any) -> Any:
        """Scale pixels."""
        x, y, z, angle, scale = tf.unstack(points, axis=1)
        factor = tf.cast(geometry, points.dtype)
        return tf.stack([x * factor, y * factor, z, angle, scale * factor], 1)


class _MaxSize(_Scale):
    """A transform that gives one side a length."""

    # Whether it is the longer side that gets the length.
    longer: ClassVar[bool]

    def __init__(
        self,
        max_size: Any = None,
        max_size_hw: Any = None,
        interpolation: int = INTER_LINEAR,
        mask_interpolation: int = INTER_NEAREST,
        area_for_downscale: str | None = None,
        p: float = 1,
    ) -> None:
        super().__init__(interpolation, mask_interpolation, area_for_downscale, p)
        if (max_size is None) == (max_size_hw is None):
            given = "neither" if max_size is None else "both"
            raise OutsideDomain(explain("max_size, max_size_hw", given, "one of them", "Leave one out."))
        if isinstance(max_size, (list, tuple)):
            if not max_size:
                raise OutsideDomain(explain("max_size", repr(max_size), "at least one size", "Give one."))
            self.max_size: Any = tuple(_arguments.side(one, "max_size") for one in max_size)
        else:
            self.max_size = None if max_size is None else _arguments.side(max_size, "max_size")
        self.max_size_hw = None if max_size_hw is None else _limits(max_size_hw)

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return the size, where there are several."""
        if not isinstance(self.max_size, tuple):
            return {}
        return {"max_size": tf.gather(self.max_size, seeds.randint(seed, 0, len(self.max_size)))}

    def geometry(self, params: Mapping[str, Any], size: Size) -> Any:
        """Return the factor: a float where it is known while tracing."""
        if self.max_size_hw is None:
            return _quotient(params.get("max_size", self.max_size), _extreme(size, self.longer))
        asked = [
            _quotient(limit, side)
            for limit, side in zip(self.max_size_hw, size, strict=True)
            if limit is not None
        ]
        return asked[0] if len(asked) == 1 else _extreme(asked, not self.longer)

    def scaled(self, side: Any, scale: Any) -> Any:
        """Return the nearest length, at least a pixel."""
        if not tf.is_tensor(scale) and not tf.is_tensor(side):
            return max(1, round(side * scale))
        exact = tf.cast(side, tf.float64) * tf.cast(scale, tf.float64)
        return tf.maximum(tf.cast(tf.round(exact), tf.int32), 1)


def _quotient(one: Any, other: Any) -> Any:
    if tf.is_tensor(one) or tf.is_tensor(other):
        return tf.cast(one, tf.float64) / tf.cast(other, tf.float64)
    return one / other


def _extreme(two: Sequence[Any], largest: bool) -> Any:
    """Return the largest of two numbers, or the smallest."""
    if any(map(tf.is_tensor, two)):
        return tf.maximum(*two) if largest else tf.minimum(*two)
    return max(two) if largest else min(two)


def _limits(value: Any) -> tuple[int | None, int | None]:
    if not isinstance(value, (tuple, list)) or len(value) != 2 or any(map(tf.is_tensor, value)):
        given = "a tensor" if tf.is_tensor(value) else repr(value)
        raise WrongType(explain("max_size_hw", given, "(height, width)", "Give None for either side."))
    height, width = (None if one is None else _arguments.side(one, "max_size_hw") for one in value)
    if height is None and width is None:
        advice = "Give one of the two a size."
        raise OutsideDomain(explain("max_size_hw", repr(value), "a size for a side", advice))
    return height, width


def _one_of_both(arguments: Mapping[str, Any]) -> bool:
    return (arguments.get("max_size") is None) != (arguments.get("max_size_hw") is None)


_MAX_SIZES = {
    "max_size": OneOf(None, 5, 1, 9, 14, [4, 11], typical=224),
    "max_size_hw": OneOf(None, (6, 9), (7, None), (None, 10), (13, 12)),
    **_OF_SCALES,
}
_IMAGE = np.arange(120, dtype=np.uint8).reshape(10, 12)
_OF_MAX_SIZE = (
    CannotServe(
        "xla",
        "the size of the result is drawn, and XLA has none that is not known",
        witness=lambda: {"max_size": [4, 5], "image": _IMAGE, "seed": tf.constant([1, 2])},
        when=lambda arguments: isinstance(arguments.get("max_size"), list),
    ),
    CannotServe(
        "xla",
        "INTER_AREA of bytes is TensorFlow's own kernel, which XLA lacks; for a graph that you compile "
        "with XLA yourself call pipeport.config.set_bit_equal(True)",
        witness=lambda: {"max_size": 4, "interpolation": INTER_AREA, "image": _IMAGE, "seed": (1, 2)},
        when=_of_area,
    ),
)


@augments(
    "LongestMaxSize",
    domain=_MAX_SIZES,
    image=_LEVELS,
    reference_parameters="longest_size",
    settings=({"max_size": [5, 9, 20]}, {"max_size": 8, "p": 0.3}),
    valid=_one_of_both,
    needed={"max_size": 3},
    cannot_serve=_OF_MAX_SIZE,
)
class LongestMaxSize(_MaxSize):
    """Scale an image so that its longer side has a length.

    Parameters
    ----------
    max_size : int, list of int, or None
        The length of the longer side; of a list one is drawn.
    max_size_hw : (int or None, int or None), or None
        Instead of it, lengths of height and width: of two the smaller factor is taken.
    interpolation : int, default cv2.INTER_LINEAR
        For images, as `pipeport.cv2.resize` serves it.
    mask_interpolation : int, default cv2.INTER_NEAREST
        For masks; that of a `Compose` comes first.
    area_for_downscale : {None, 'image', 'image_mask'}, default None
        Whether INTER_AREA is taken where the factor is below 1: for images, or for masks too.

    Returns
    -------
    LongestMaxSize
        {called} {planes}; of the dtypes of `pipeport.cv2.resize`. Called outside a `Compose`, `bboxes` are
        (N, 4) fractions x_min, y_min, x_max, y_max, which stay, and `keypoints` (N, 5): x, y, z, angle in
        radians, scale. Further columns are carried along.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a size is below 1, both sizes are given or none; in a call, there is no
        image, a target does not have its shape, or a dtype is not served.
    WrongType
        A size is not an integer, `max_size_hw` is not a pair; in a call, a target is given by position, or is
        not an array.
    UnsupportedArgument
        An interpolation is not served, or a parameter is a tensor; in a call, there is no seed, a rank, a
        number of channels or of columns is not known while tracing, or a target is a stack of images or a
        volume.

    Notes
    -----
    Sides are rounded, a half to even. Agreement: given the draw, bytes that are interpolated at most one
    grey level off, unless `pipeport.config.set_bit_equal` asks for every bit; floats as
    `pipeport.cv2.resize`; masks of INTER_NEAREST bit for bit; coordinates within 1e-4.
    Graph: no Python at run time. The size is known while tracing where that of the image is, no size is
    drawn, and it is always applied.
    Speed: float32 is slower than the reference in `tf.numpy_function` for images of 256x256.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.LongestMaxSize(max_size=4)
    >>> transform(image=tf.zeros([16, 8, 3]), seed=(1, 2))["image"].shape
    TensorShape([4, 2, 3])
    """

    longer = True


@augments(
    "SmallestMaxSize",
    domain=_MAX_SIZES,
    image=_LEVELS,
    reference_parameters="smallest_size",
    settings=({"max_size": [5, 9, 20]}, {"max_size": 8, "p": 0.3}),
    valid=_one_of_both,
    needed={"max_size": 3},
    cannot_serve=_OF_MAX_SIZE,
)
class SmallestMaxSize(_MaxSize):
    __doc__ = told_as(
        LongestMaxSize,
        "SmallestMaxSize",
        {
            "longer": "shorter",
            "smaller": "larger",
            "[4, 2, 3]": "[8, 4, 3]",
        },
    )

    longer = False


@augments(
    "RandomScale",
    domain={
        "scale_limit": OneOf((-0.1, 0.1), 0.5, (0.5, 1.5), (-0.4, -0.4)),
        **_OF_SCALES,
    },
    image=_LEVELS,
    settings=({"scale_limit": (-0.5, 1.0), "p": 0.8}, {"scale_limit": 0.3, "p": 1.0}),
    valid=lambda arguments: min(np.shape(arguments["image"])[:2]) > 1,
    cannot_serve=(
        CannotServe(
            "xla",
            "the size of the result is drawn, and XLA has none that is not known",
            witness=lambda: {"image": _IMAGE, "p": 1.0, "seed": tf.constant([1, 2])},
            when=lambda arguments: arguments.get("p", 0.5) > 0,
            by_values=True,
        ),
    ),
)
class RandomScale(_Scale):
    """Scale an image by a drawn factor.

    Parameters
    ----------
    scale_limit : float or (float, float), default (-0.1, 0.1)
        Smallest and largest factor, less 1; of one number a, -a and a.
    interpolation : int, default cv2.INTER_LINEAR
        For images, as `pipeport.cv2.resize` serves it.
    mask_interpolation : int, default cv2.INTER_NEAREST
        For masks; that of a `Compose` comes first.
    area_for_downscale : {None, 'image', 'image_mask'}, default None
        Whether INTER_AREA is taken where the factor is below 1: for images, or for masks too.

    Returns
    -------
    RandomScale
        {called} {planes}; of the dtypes of `pipeport.cv2.resize`. Called outside a `Compose`, `bboxes` are
        (N, 4) fractions x_min, y_min, x_max, y_max, which stay, and `keypoints` (N, 5): x, y, z, angle in
        radians, scale. Further columns are carried along.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a limit is not finite; in a call, there is no image, a target does not
        have its shape, or a dtype is not served.
    WrongType
        `scale_limit` is not a number or pair of them; in a call, a target is given by position, or is not an
        array.
    UnsupportedArgument
        An interpolation is not served, or a parameter is a tensor; in a call, there is no seed, a rank, a
        number of channels or of columns is not known while tracing, or a target is a stack of images or a
        volume.
    tf.errors.InvalidArgumentError
        A side turns out to have less than a pixel.

    Notes
    -----
    Sides are cut off to whole pixels. Agreement: given the draw, bytes that are interpolated at most one
    grey level off, unless `pipeport.config.set_bit_equal` asks for every bit; floats as
    `pipeport.cv2.resize`; masks of INTER_NEAREST bit for bit; coordinates within 1e-4. The draw has the
    reference's distribution.
    Graph: no Python at run time. The size is drawn, so it is unknown while tracing. {drawn}
    Speed: float32 is slower than the reference in `tf.numpy_function` for images of 256x256.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.RandomScale((0.5, 0.5), p=1.0)
    >>> transform(image=tf.zeros([4, 8, 3]), seed=(1, 2))["image"].shape
    TensorShape([6, 12, 3])
    """

    def __init__(
        self,
        scale_limit: Any = (-0.1, 0.1),
        interpolation: int = INTER_LINEAR,
        mask_interpolation: int = INTER_NEAREST,
        area_for_downscale: str | None = None,
        p: float = 0.5,
    ) -> None:
        super().__init__(interpolation, mask_interpolation, area_for_downscale, p)
        low, high = _arguments.interval(scale_limit, "scale_limit")
        self.scale_limit = min(low, high), max(low, high)

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return the factor."""
        low, high = self.scale_limit
        return {"scale": low + (high - low) * seeds.uniform(seed, [], "float64") + 1.0}

    def geometry(self, params: Mapping[str, Any], size: Size) -> Any:
        """Return the factor."""
        del size
        return params["scale"]

    def scaled(self, side: Any, scale: Any) -> Any:
        """Return the length, cut off."""
        return tf.cast(tf.cast(side, tf.float64) * scale, tf.int32)
