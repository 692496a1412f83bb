"""Posterize, Solarize, Equalize: each level becomes another one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._draws import between
from pipeport.albumentations._pixels import Pixels, as_bytes, as_fractions, served, with_channels
from pipeport.albumentations._promise import augments
from pipeport.contract import OneOf
from pipeport.cv2 import _constants as constants
from pipeport.cv2._cvt_color import cvtColor
from pipeport.cv2._equalize_hist import spread
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels import xla

_MOST_BITS = 7
_LEVELS = 256


@augments(
    "Posterize",
    domain={"num_bits": OneOf(4, (1, 7), (3, 3), 7, 1)},
    settings=({}, {"num_bits": (2, 6), "p": 0.7}),
)
class Posterize(Pixels):
    """Keep some bits of every byte.

    Parameters
    ----------
    num_bits : int or (int, int), default 4
        The fewest and the most of the highest bits that are kept, from 1 to 7; one number a means a to a.
        Numbers for each channel are refused.

    Returns
    -------
    Posterize
        {called} `image` is (H, W) or (H, W, C), of uint8, or of float32 in [0, 1], which becomes bytes first
        as in the reference; other targets stay as they are.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a number of bits is out of bounds or the pair upside down; in a call,
        there is no image, or one has another dtype.
    WrongType
        `num_bits` is neither an integer nor a pair of them.
    UnsupportedArgument
        There are numbers for each channel, or a parameter is a tensor; in a call, there is no seed, or a rank
        is not known while tracing.

    Notes
    -----
    Agreement: given the draw, bit for bit; the draw has the reference's distribution.
    {compiled}

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.Posterize(1, p=1.0)
    >>> transform(image=tf.constant([[5, 130, 255]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[0, 128, 128]]
    """

    def __init__(self, num_bits: Any = 4, p: float = 0.5) -> None:
        super().__init__(p)
        several = isinstance(num_bits, (tuple, list))
        if several and len(num_bits) > 2:
            advice = "Split the channels, and posterize each."
            given = f"{len(num_bits)} numbers"
            raise UnsupportedArgument(explain("num_bits", given, "one number or a pair", advice))
        ends = num_bits if several else (num_bits, num_bits)
        _arguments.span(ends, "num_bits", 1, _MOST_BITS)
        low, high = (_arguments.whole(one, "num_bits") for one in ends)
        self.num_bits = low, high

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return the number of bits."""
        low, high = self.num_bits
        return {"num_bits": tf.cast(seeds.randint(seed, low, high + 1), tf.int32)}

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the image without its lower bits."""
        return xla.run(_posterized)(served(image, name), params["num_bits"])


def _posterized() -> Callable[..., Any]:
    def run(image: Any, bits: Any) -> Any:
        kept = tf.cast(256 - tf.bitwise.left_shift(1, 8 - bits), tf.uint8)
        found = tf.bitwise.bitwise_and(as_bytes(image), kept)
        return as_fractions(found) if image.dtype.is_floating else found

    return run


@augments(
    "Solarize",
    domain={"threshold_range": OneOf((0.5, 0.5), (0, 1), (0.2, 0.7), (1, 1))},
    settings=({}, {"threshold_range": (0.1, 0.6), "p": 0.7}),
)
class Solarize(Pixels):
    """Invert the values from a threshold on.

    Parameters
    ----------
    threshold_range : (float, float), default (0.5, 0.5)
        Smallest and largest threshold, as a part of the largest value, from 0 to 1.

    Returns
    -------
    Solarize
        {called} `image` is (H, W) or (H, W, C), of uint8 or float32, whose largest value is 1; other targets
        stay as they are.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], the range is out of bounds or upside down; in a call, there is no
        image, or one has another dtype.
    WrongType
        `threshold_range` is not a pair of numbers.
    UnsupportedArgument
        A parameter is a tensor; in a call, there is no seed, or a rank is not known while tracing.

    Notes
    -----
    Agreement: given the draw, bit for bit; the draw has the reference's distribution.
    {compiled}

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.Solarize(p=1.0)
    >>> transform(image=tf.constant([[5, 130, 255]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[5, 125, 0]]
    """

    def __init__(self, threshold_range: Any = (0.5, 0.5), p: float = 0.5) -> None:
        super().__init__(p)
        self.threshold_range = _arguments.span(threshold_range, "threshold_range", 0.0, 1.0)

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return the threshold."""
        return between(seed, {"threshold": self.threshold_range})

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the image with its highest values inverted."""
        return xla.run(_solarized)(served(image, name), params["threshold"])


def _solarized() -> Callable[..., Any]:
    def run(image: Any, threshold: Any) -> Any:
        if image.dtype.is_floating:
            found = tf.where(image >= tf.cast(threshold, tf.float32), 1.0 - image, image)
            return tf.where(tf.equal(found, 0.0), found, tf.clip_by_value(found, 0.0, 1.0))
        least = tf.cast(tf.math.ceil(threshold * 255.0), tf.uint8)
        return tf.where(image >= least, tf.bitwise.invert(image), image)

    return run


@augments(
    "Equalize",
    domain={"by_channels": OneOf(True, False)},
    reference_parameters="equalize",
    refused={
        "mode": "the histograms of OpenCV are served",
        "mask": "all pixels count",
        "mask_params": "there is no mask",
    },
)
class Equalize(Pixels):
    """Spread the levels of an image, so that each is as frequent as the others.

    Parameters
    ----------
    mode : {'cv'}, default 'cv'
        Another is refused.
    by_channels : bool, default True
        Whether each channel is equalised; else the luma of YCrCb is.
    mask_params : sequence of str, default ()
        Refused, but for none.

    Returns
    -------
    Equalize
        {called} `image` is (H, W), (H, W, 1) or (H, W, 3), red first, of uint8, or of float32 in [0, 1],
        which becomes bytes first as in the reference; other targets stay as they are.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1]; in a call, there is no image, or one has another dtype.
    WrongType
        `by_channels` is not a bool; in a call, an image has neither one channel nor three.
    UnsupportedArgument
        `mode` is another, there is a mask, or a parameter is a tensor; in a call, {unknown}.

    Notes
    -----
    Agreement: bit for bit.
    {compiled}
    Speed: slower than the reference in `tf.numpy_function` for images of 256x256.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.Equalize(p=1.0)
    >>> transform(image=tf.constant([[5, 6, 7]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[0, 128, 255]]
    """

    def __init__(
        self,
        mode: str = "cv",
        by_channels: bool = True,
        mask: Any = None,
        mask_params: Any = (),
        p: float = 0.5,
    ) -> None:
        super().__init__(p)
        self.mode = _arguments.one_of(mode, ("cv",), "mode", "Pillow's ImageOps has no native equivalent.")
        self.by_channels = _arguments.flag(by_channels, "by_channels")
        if mask is not None:
            raise UnsupportedArgument(explain("mask", "a mask", "None", "Equalise all pixels."))
        if not isinstance(mask_params, (tuple, list)) or mask_params:
            raise UnsupportedArgument(explain("mask_params", "names", "none", "There is no mask."))
        self.mask, self.mask_params = None, ()

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the equalised image."""
        del params
        levels = as_bytes(served(image, name))
        coloured = with_channels(image, name, (1, 3)) == 3
        if coloured and not self.by_channels:
            luma = cvtColor(levels, constants.COLOR_RGB2YCrCb)
            parts = [_equalized(luma[..., :1]), luma[..., 1:]]
            found = cvtColor(tf.concat(parts, -1), constants.COLOR_YCrCb2RGB)
        else:
            found = _equalized(levels)
        found = tf.ensure_shape(found, image.shape)
        return as_fractions(found) if image.dtype.is_floating else found


def _equalized(levels: Any) -> Any:
    """Return an image (H, W) or (H, W, C) with each channel equalised."""
    planes = levels[..., tf.newaxis] if levels.shape.rank == 2 else levels
    found = xla.run(_channels_equalized)(planes)
    return found[..., 0] if levels.shape.rank == 2 else found


def _channels_equalized() -> Callable[[Any], Any]:
    def run(x: Any) -> Any:
        channels = x.shape[2]
        # The levels of each channel behind those of the one before.
        place = tf.cast(x, tf.int32) + _LEVELS * tf.range(channels)
        flat = tf.reshape(place, [-1])
        counts = tf.math.unsorted_segment_sum(tf.ones_like(flat), flat, _LEVELS * channels)
        return tf.gather(tf.reshape(spread(tf.reshape(counts, [channels, _LEVELS])), [-1]), place)

    return run
