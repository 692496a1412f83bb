"""RandomToneCurve: levels along a drawn curve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._groups import channels_known
from pipeport.albumentations._pixels import Pixels, as_bytes, as_fractions, served
from pipeport.albumentations._promise import augments
from pipeport.contract import OneOf, Real
from pipeport.cv2._lut import LUT
from pipeport.kernels.xla._rounding import plus_product

_PARTS = np.linspace(0.0, 1.0, 256)
# Of a cubic curve from 0 to 1: the weights of the two points between them, and of the last one.
_LOW, _HIGH = 3 * (1 - _PARTS) ** 2 * _PARTS, 3 * (1 - _PARTS) * _PARTS**2
_LAST = _PARTS**3
_MEANS = (0.25, 0.75)


@augments(
    "RandomToneCurve",
    domain={"scale": Real(0.0, 1.0, typical=0.1), "per_channel": OneOf(False, True)},
    reference_parameters="tone_curve",
    settings=({}, {"scale": 0.3, "per_channel": True, "p": 0.7}),
    shape=(1, 2, 3),
)
class RandomToneCurve(Pixels):
    """Change the levels of an image by a drawn curve between dark and bright.

    Parameters
    ----------
    scale : float, default 0.1
        Standard deviation of the two points of the curve, as a part of the largest value, from 0 to 1.
    per_channel : bool, default False
        Whether each channel has a curve of its own.

    Returns
    -------
    RandomToneCurve
        {called} `image` is (H, W) or (H, W, C), of uint8, or of float32 in [0, 1], which becomes bytes first
        as in the reference; other targets stay as they are.

    Raises
    ------
    OutsideDomain
        `p` or `scale` is not a number in [0, 1]; in a call, there is no image, or one has another dtype.
    WrongType
        `scale` is not a number, or `per_channel` no bool.
    UnsupportedArgument
        A parameter is a tensor; in a call, {unknown}.

    Notes
    -----
    Agreement: given the draw, bit for bit; the draw has the reference's distribution.
    Graph: no Python at run time. The curve is computed for the 256 levels, which are looked up.
    `ReplayCompose` returns a seed for the curves.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.RandomToneCurve(scale=0.0, p=1.0)
    >>> transform(image=tf.constant([[0, 100, 200]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[0, 97, 206]]
    """

    def __init__(self, scale: float = 0.1, per_channel: bool = False, p: float = 0.5) -> None:
        super().__init__(p)
        self.scale = _arguments.real(scale, "scale", 0.0, 1.0)
        self.per_channel = _arguments.flag(per_channel, "per_channel")

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return a seed for the points of the curves."""
        return {"curves": seed}

    def points(self, params: Mapping[str, Any], image: Any) -> Any:
        """Return the heights of the two points, float64 (2, 1), or (2, C) of channels with their own."""
        count = image.shape[2] if self.per_channel and image.shape.rank == 3 else 1
        drawn = seeds.normal(params["curves"], [2, count], "float64")
        heights = tf.constant(_MEANS, tf.float64)[:, tf.newaxis] + self.scale * drawn
        return tf.clip_by_value(heights, tf.zeros([], tf.float64), tf.ones([], tf.float64))

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the image along the curve."""
        channels_known(image, name)
        levels = as_bytes(served(image, name))
        low, high = tf.unstack(self.points(params, image))
        # As NumPy multiplies and adds: each of them rounds.
        first = _LOW[:, np.newaxis] * low
        curve = plus_product(first, _HIGH[:, np.newaxis] * high, high) + _LAST[:, np.newaxis]
        table = tf.cast(tf.round(curve * 255), tf.uint8)
        if table.shape[1] == 1:  # as a plane: a channel of its own would be dropped
            plane = levels if image.shape.rank == 2 else tf.reshape(levels, [tf.shape(levels)[0], -1])
            found = LUT(plane, table[:, 0])
        else:
            found = LUT(levels, table[tf.newaxis])
        found = tf.ensure_shape(tf.reshape(found, tf.shape(levels)), image.shape)
        return as_fractions(found) if image.dtype.is_floating else found
