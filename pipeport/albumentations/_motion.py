"""MotionBlur: the mean of pixels along a drawn line."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._blurs import odd_range
from pipeport.albumentations._convolved import as_image, as_planes
from pipeport.albumentations._draws import between
from pipeport.albumentations._gaussian import BYTES
from pipeport.albumentations._groups import channels_known
from pipeport.albumentations._pixels import Pixels, served
from pipeport.albumentations._promise import augments
from pipeport.contract import OneOf
from pipeport.kernels.opencv._borders import evenly, on_grown
from pipeport.kernels.opencv._correlate import saturated

_MOST_SIDE = 31
_DEGREE = math.pi / 180


@augments(
    "MotionBlur",
    domain={
        "blur_limit": OneOf((3, 7), 5, (3, 3), (5, 11)),
        "allow_shifted": OneOf(True, False),
        "angle_range": OneOf((0, 360), (90, 90), (20.5, 30)),
        "direction_range": OneOf((-1.0, 1.0), (0.0, 0.0), (-1.0, -0.25), (1.0, 1.0)),
    },
    image=BYTES,
    reference_parameters="motion_blur",
    settings=(
        {"blur_limit": (3, 3)},
        {
            "blur_limit": 3,
            "allow_shifted": False,
            "angle_range": (0, 70),
            "direction_range": (-0.5, 1),
            "p": 0.7,
        },
    ),
)
class MotionBlur(Pixels):
    """Blur an image along a line, whose length, angle and place are drawn.

    Parameters
    ----------
    blur_limit : int or (int, int), default (3, 7)
        Smallest and largest side of the square that holds the line, up to 31; one number a means 3 to a. As
        in the reference, what is below 3 is 3, even numbers become the next odd one, and a range that is
        upside down is its largest number.
    allow_shifted : bool, default True
        Whether the line may lie beside the centre.
    angle_range : (float, float), default (0, 360)
        Smallest and largest angle of the line, in degrees.
    direction_range : (float, float), default (-1.0, 1.0)
        How much shorter one end of the line is than the other, from -1 to 1: 0 for both alike, -1 for a line
        that ends in the centre, 1 for one that begins there.

    Returns
    -------
    MotionBlur
        {called} `image` is (H, W) or (H, W, C), of uint8 or float32 in [0, 1]; other targets stay as they
        are.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a range is out of bounds or upside down, or a side above 31; in a call,
        there is no image, one has another dtype, or is empty.
    WrongType
        `blur_limit` is neither an integer nor a pair of them, another range no pair of numbers, or
        `allow_shifted` no bool.
    UnsupportedArgument
        A parameter is a tensor; in a call, {unknown}.

    Notes
    -----
    Agreement: given the draw, floats within 1e-6, bytes within one grey level where the mean lies next to a
    half; the draw has the reference's distribution.
    Graph: no Python at run time; one program, of as many pixels as the longest line has.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.MotionBlur(3, False, (0, 0), (0, 0), p=1.0)
    >>> transform(image=tf.constant([[0, 90, 0]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[60, 30, 60]]
    """

    def __init__(
        self,
        blur_limit: Any = (3, 7),
        allow_shifted: bool = True,
        angle_range: Any = (0, 360),
        direction_range: Any = (-1.0, 1.0),
        p: float = 0.5,
    ) -> None:
        super().__init__(p)
        self.blur_limit = odd_range(blur_limit, _MOST_SIDE)
        self.allow_shifted = _arguments.flag(allow_shifted, "allow_shifted")
        self.angle_range = _arguments.span(angle_range, "angle_range", 0.0, 360.0)
        self.direction_range = _arguments.span(direction_range, "direction_range", -1.0, 1.0)

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return side, angle, direction, and what the line is shifted by."""
        side, numbers = tf.unstack(seeds.split(seed, 2))
        limits = {"angle": self.angle_range, "direction": self.direction_range}
        if self.allow_shifted:
            limits |= dict.fromkeys(("shift_x", "shift_y"), (-1.0, 1.0))
        low, high = self.blur_limit
        index = seeds.randint(side, 0, (high - low) // 2 + 1)
        return {"side": low + 2 * tf.cast(index, tf.int32), **between(numbers, limits)}

    def _line(self, params: Mapping[str, Any]) -> tuple[Any, Any]:
        """Return rows and columns of the line in the largest square, and the weight of each pixel."""
        side, most = params["side"], self.blur_limit[1]
        wide = tf.float64
        half = tf.cast(side // 2, wide)
        direction = params["direction"]
        start = -half * (1.0 - tf.maximum(direction, 0.0))
        end = half * (1.0 - tf.maximum(-direction, 0.0))
        step = (end - start) / tf.cast(side - 1, wide)
        number = tf.range(most)
        along = tf.where(number == side - 1, end, tf.cast(number, wide) * step + start)
        places = []
        for of_angle, name in ((self._sine, "shift_y"), (self._cosine, "shift_x")):
            place = half + of_angle(params["angle"]) * along
            if self.allow_shifted:
                place += params[name] * half / 2.0
            place = tf.clip_by_value(tf.round(place), tf.zeros([], wide), 2.0 * half)
            places.append(tf.cast(place - half, tf.int32) + most // 2)
        place = places[0] * most + places[1]
        # A pixel counts where it comes first.
        again = tf.linalg.band_part(tf.cast(place[:, tf.newaxis] == place, tf.int32), -1, 0)
        first = (number < side) & (tf.reduce_sum(again, 1) == 1)
        # In the order in which OpenCV adds them; what does not count comes last.
        beyond = most * most
        place = tf.sort(tf.where(first, place, beyond))
        weights = tf.where(place < beyond, 1.0 / tf.reduce_sum(tf.cast(first, tf.float32)), 0.0)
        place = tf.minimum(place, beyond - 1)
        return tf.stack([place // most, place % most], 1), weights

    def _sine(self, angle: Any) -> Any:
        """Return the sine of the drawn angle; of a known one Python's, whose last digit decides ties."""
        return self._of_angle(angle, math.sin, tf.sin)

    def _cosine(self, angle: Any) -> Any:
        return self._of_angle(angle, math.cos, tf.cos)

    def _of_angle(self, angle: Any, known: Callable[[float], float], drawn: Callable[[Any], Any]) -> Any:
        low, high = self.angle_range
        return tf.constant(known(math.radians(low)), tf.float64) if low == high else drawn(angle * _DEGREE)

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the mean along the line."""
        image = served(image, name)
        channels_known(image, name)
        places, weights = self._line(params)
        most = self.blur_limit[1]
        planes = as_planes(image)

        def run(program: Callable[..., Any], wide: Any) -> Any:
            sizes = [tf.shape(wide)[axis] if side is None else side for axis, side in enumerate(wide.shape)]
            size = tf.stack([sizes[0], sizes[1] - most + 1, sizes[2] - most + 1, sizes[3]])
            # Rows are copied here: where XLA looks for them itself, it takes a hundred times as long.
            begins = tf.pad(places, [[0, 0], [1, 1]])
            parts = [tf.slice(wide, begin, size) for begin in tf.unstack(begins, most)]
            return program(_mean, most)(*parts, weights)

        found = on_grown(planes, "mirror", evenly(most // 2, most // 2), run)
        return as_image(found, image)


def _mean(count: int) -> Callable[..., Any]:
    def run(*parts: Any) -> Any:
        *images, weights = parts
        total = tf.zeros([], tf.float32)
        for image, weight in zip(images, tf.unstack(weights, count), strict=True):
            total += tf.cast(tf.reshape(image, [-1]), tf.float32) * weight
        return tf.reshape(saturated(total, images[0].dtype), tf.shape(images[0]))

    return run
