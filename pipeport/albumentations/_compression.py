"""ImageCompression: an image as it comes back from a JPEG file."""

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
from pipeport.contract import CannotServe, OneOf
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels.layout._channel_order import turned

_COLOURS = 3


@augments(
    "ImageCompression",
    domain={
        "compression_type": OneOf("jpeg"),
        "quality_range": OneOf((99, 100), (1, 1), (20, 95), (50, 50), (100, 100)),
    },
    reference_parameters="compression",
    settings=({}, {"quality_range": (30, 90), "p": 0.7}),
    cannot_serve=(
        CannotServe(
            "xla",
            "JPEG is encoded and decoded by operations that XLA does not have: leave out jit_compile",
            witness=lambda: {"p": 1.0, "image": np.zeros((3, 4, 3), np.uint8), "seed": (1, 2)},
        ),
    ),
)
class ImageCompression(Pixels):
    """Encode an image as JPEG of drawn quality, and decode it.

    Parameters
    ----------
    compression_type : str, default "jpeg"
        "webp" is refused.
    quality_range : (int, int), default (99, 100)
        Smallest and largest quality, from 1 to 100.

    Returns
    -------
    ImageCompression
        {called} `image` is (H, W) or (H, W, C), of uint8, or of float32 in [0, 1], which becomes bytes first
        as in the reference; other targets stay as they are.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], the range is out of bounds or upside down; in a call, there is no
        image, or one has another dtype.
    WrongType
        `quality_range` is not a pair of integers.
    UnsupportedArgument
        `compression_type` is another, or a parameter is a tensor; in a call, {unknown}.
    tf.errors.InvalidArgumentError
        The image has no pixel, or a side above 65,500.

    Notes
    -----
    Agreement: given the draw, bit for bit; the draw has the reference's distribution. As in the reference the
    first three channels are one JPEG, of blue, green and red, with colours at half the resolution, and each
    further channel is one of its own; of two channels the third is 0.
    Graph: no Python at run time, no XLA; static shapes are kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.ImageCompression(quality_range=(10, 10), p=1.0)
    >>> transform(image=tf.constant([[0, 100, 200]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[0, 104, 197]]
    """

    def __init__(
        self, compression_type: str = "jpeg", quality_range: Any = (99, 100), p: float = 0.5
    ) -> None:
        super().__init__(p)
        advice = "There are two types."
        _arguments.one_of(compression_type, ("jpeg", "webp"), "compression_type", advice)
        if compression_type == "webp":
            advice = "TensorFlow does not encode WebP: use JPEG, or keep such a transform in an island."
            raise UnsupportedArgument(explain("compression_type", "'webp'", "'jpeg'", advice))
        self.compression_type = compression_type
        self.quality_range = _arguments.whole_span(quality_range, "quality_range", 1, 100)

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return the quality."""
        low, high = self.quality_range
        return {"quality": tf.cast(seeds.randint(seed, low, high + 1), tf.int32)}

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the image with what JPEG loses."""
        channels_known(image, name)
        levels = as_bytes(served(image, name))
        planes = levels[..., tf.newaxis] if image.shape.rank == 2 else levels
        channels = planes.shape[-1]
        parts = []
        if channels > 1:
            colours = planes[..., :_COLOURS]
            colours = tf.pad(colours, [[0, 0], [0, 0], [0, 1]]) if channels == 2 else colours
            # The reference gives OpenCV red where it takes blue.
            parts.append(turned(_from_jpeg(turned(colours), params["quality"]))[..., :channels])
        first = _COLOURS if channels > 1 else 0
        parts += [_from_jpeg(planes[..., at : at + 1], params["quality"]) for at in range(first, channels)]
        whole = tf.concat(parts, -1) if len(parts) > 1 else parts[0]
        found = whole[..., 0] if image.shape.rank == 2 else whole
        found = tf.ensure_shape(found, image.shape)
        return as_fractions(found) if image.dtype.is_floating else found


def _from_jpeg(image: Any, quality: Any) -> Any:
    """Return an image (H, W, 1) or (H, W, 3) of bytes, encoded and decoded."""
    encoded = tf.raw_ops.EncodeJpegVariableQuality(images=image, quality=quality)
    decoded = tf.io.decode_jpeg(encoded, channels=image.shape[-1], dct_method="INTEGER_ACCURATE")
    return tf.ensure_shape(decoded, image.shape)
