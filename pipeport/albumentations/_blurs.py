"""Blur, MedianBlur: the mean of a box or the median of a square of drawn size."""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._branches import one_of
from pipeport.albumentations._groups import channels_known, in_groups
from pipeport.albumentations._pixels import Pixels, as_bytes, as_fractions, served
from pipeport.albumentations._promise import augments
from pipeport.contract import OneOf, Within
from pipeport.cv2._blur import blur
from pipeport.cv2._median_blur import medianBlur
from pipeport.errors import OutsideDomain, WrongType, explain

_LEAST = 3
# Each size is a branch of the graph, with two programs.
_MOST_SIZES = 8
_LARGEST_SQUARE = 7


class OfDrawnSide(Pixels):
    """A filter of a square whose odd side is drawn between the ends of `blur_limit`."""

    blur_limit: tuple[int, int]

    @abc.abstractmethod
    def blurred(self, image: Any, side: int, params: Mapping[str, Any]) -> Any:
        """Return an image of at most four channels, filtered with a square of that side."""

    @property
    def _sizes(self) -> range:
        return range(self.blur_limit[0], self.blur_limit[1] + 1, 2)

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return the side of the square."""
        index = tf.cast(seeds.randint(seed, 0, len(self._sizes)), tf.int32)
        return {"kernel": self._sizes.start + 2 * index}

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the filtered image, by a branch for each side."""
        image = served(image, name)
        channels_known(image, name)

        def filtered(side: int) -> Callable[[], Any]:
            return lambda: in_groups(image, lambda part: self.blurred(part, side, params))

        index = (params["kernel"] - self._sizes.start) // 2
        return tf.ensure_shape(one_of(index, [filtered(side) for side in self._sizes]), image.shape)


@augments(
    "Blur",
    domain={"blur_limit": OneOf((3, 7), 5, (3, 3), (5, 9))},
    image=Within(1e-6, "float32 sums, where OpenCV's are float64; bytes are equal"),
    settings=({}, {"blur_limit": (5, 11), "p": 0.7}),
)
class Blur(OfDrawnSide):
    """Blur an image with the mean of a box, whose side is drawn.

    Parameters
    ----------
    blur_limit : int or (int, int), default (3, 7)
        Smallest and largest side of the box; one number a means 3 to a. As in the reference, what is below 3
        is 3, even numbers become the next odd one, and a range that is upside down is its largest number.

    Returns
    -------
    Blur
        {called} `image` is (H, W) or (H, W, C), of uint8 or float32; other targets stay as they are.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], or there are more than eight sizes in the range; in a call, there is no
        image, one has another dtype, or is empty.
    WrongType
        `blur_limit` is neither an integer nor a pair of them.
    UnsupportedArgument
        A parameter is a tensor; in a call, {unknown}.

    Notes
    -----
    Agreement: given the draw, bytes bit for bit, floats in [0, 1] within 1e-6; the draw has the reference's
    distribution.
    Graph: no Python at run time; one branch for each size.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.Blur(3, p=1.0)
    >>> transform(image=tf.constant([[0, 90, 0]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[60, 30, 60]]
    """

    def __init__(self, blur_limit: Any = (3, 7), p: float = 0.5) -> None:
        super().__init__(p)
        self.blur_limit = odd_range(blur_limit)
        if (self.blur_limit[1] - self.blur_limit[0]) // 2 >= _MOST_SIZES:
            allowed = f"at most {_MOST_SIZES} odd sizes"
            advice = "Each size is a branch of the graph: choose a narrower range."
            raise OutsideDomain(explain("blur_limit", repr(blur_limit), allowed, advice))

    def blurred(self, image: Any, side: int, params: Mapping[str, Any]) -> Any:
        """Return the mean of a box around each pixel."""
        del params
        return blur(image, (side, side))


@augments(
    "MedianBlur",
    domain={"blur_limit": OneOf((3, 7), 5, (3, 3), (5, 7))},
    image=Within(1e-6, "float32 quotients of bytes; bytes are equal"),
    settings=({}, {"blur_limit": (3, 5), "p": 0.7}),
)
class MedianBlur(OfDrawnSide):
    """Replace pixels by the median of a square, whose side is drawn.

    Parameters
    ----------
    blur_limit : int or (int, int), default (3, 7)
        Smallest and largest side of the square, up to 7; one number a means 3 to a. As in the reference, what
        is below 3 is 3, even numbers become the next odd one, and a range that is upside down is its largest
        number.

    Returns
    -------
    MedianBlur
        {called} `image` is (H, W) or (H, W, C) of 1, 3 or 4 channels, of uint8, or of float32 in [0, 1],
        which becomes bytes first as in the reference; other targets stay as they are.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], or a side is larger than 7; in a call, there is no image, or one has
        another dtype or number of channels, or is empty.
    WrongType
        `blur_limit` is neither an integer nor a pair of them.
    UnsupportedArgument
        A parameter is a tensor; in a call, {unknown}.

    Notes
    -----
    Agreement: given the draw, bit for bit; the draw has the reference's distribution.
    Graph: no Python at run time; one branch for each size.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.MedianBlur(3, p=1.0)
    >>> transform(image=tf.constant([[9, 9, 200, 9]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[9, 9, 9, 9]]
    """

    def __init__(self, blur_limit: Any = (3, 7), p: float = 0.5) -> None:
        super().__init__(p)
        self.blur_limit = odd_range(blur_limit, _LARGEST_SQUARE)

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the image of medians, taken of bytes."""
        found = super().changed(as_bytes(served(image, name)), params, name)
        return as_fractions(found) if image.dtype.is_floating else found

    def blurred(self, image: Any, side: int, params: Mapping[str, Any]) -> Any:
        """Return the median of a square around each pixel."""
        del params
        return medianBlur(image, side)


def odd_range(value: Any, most: int | None = None) -> tuple[int, int]:
    """Return the smallest and the largest side, as the reference corrects them; none is above `most`."""
    pair = isinstance(value, (tuple, list))
    if pair and len(value) != 2:
        raise WrongType(explain("blur_limit", repr(value), "an integer or two", "Give (smallest, largest)."))
    given = value if pair else (_LEAST, value)
    low, high = (max(_arguments.whole(one, "blur_limit"), _LEAST) | 1 for one in given)
    if most is not None and high > most:
        advice = "Larger kernels would be slower than OpenCV."
        raise OutsideDomain(explain("blur_limit", repr(value), f"sides up to {most}", advice))
    return min(low, high), high
