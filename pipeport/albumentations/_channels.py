"""ChannelShuffle, ChannelDropout: channels in another order, or filled with a number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._groups import channels_known
from pipeport.albumentations._pixels import WIDER, Pixels, served
from pipeport.albumentations._promise import augments
from pipeport.contract import OneOf
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels import xla


@augments("ChannelShuffle", dtypes=WIDER, reference_parameters="channel_shuffle", settings=({}, {"p": 0.7}))
class ChannelShuffle(Pixels):
    """Put the channels of an image into a drawn order.

    Parameters
    ----------
    p : float, default 0.5
        Probability that it is applied.

    Returns
    -------
    ChannelShuffle
        {called} `image` is (H, W) or (H, W, C), of uint8, uint16 or float32; other targets stay as they are.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1]; in a call, there is no image, or one has another dtype.
    UnsupportedArgument
        `p` is a tensor; in a call, {unknown}.

    Notes
    -----
    Agreement: given the draw, bit for bit; the draw has the reference's distribution.
    {compiled} `ReplayCompose` returns a seed for the order.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.ChannelShuffle(p=1.0)
    >>> transform(image=tf.constant([[[1, 2, 3]]], tf.uint8), seed=(3, 4))["image"].numpy().tolist()
    [[[3, 2, 1]]]
    """

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return the seed of the order, whose length is that of the image's channels."""
        return {"channels": seed}

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the image with its channels in another order."""
        image = served(image, name, WIDER)
        channels_known(image, name)
        if image.shape.rank == 2 or image.shape[-1] == 1:
            return image
        return xla.run(_reordered)(image, seeds.permutation(params["channels"], image.shape[-1]))


def _reordered() -> Callable[..., Any]:
    def run(image: Any, order: Any) -> Any:
        return tf.ensure_shape(tf.gather(image, order, axis=-1), image.shape)

    return run


def _leaves_some(arguments: Mapping[str, Any]) -> bool:
    shape = arguments["image"].shape
    _, most = arguments.get("channel_drop_range", (1, 1))
    return bool(len(shape) == 3 and most < shape[2])


@augments(
    "ChannelDropout",
    dtypes=WIDER,
    domain={"channel_drop_range": OneOf((1, 1), (2, 2), (1, 2)), "fill": OneOf(0, 255, 0.5, 17.9)},
    reference_parameters="channel_dropout",
    settings=({}, {"channel_drop_range": (1, 2), "p": 0.7}, {"channel_drop_range": (2, 2)}),
    valid=_leaves_some,
)
class ChannelDropout(Pixels):
    """Fill some channels of an image with a number.

    Parameters
    ----------
    channel_drop_range : (int, int), default (1, 1)
        The fewest and the most channels that are filled, from 1.
    fill : float, default 0
        The number; of whole numbers it is a level (0 to 255 of bytes), and its fraction is cut off.

    Returns
    -------
    ChannelDropout
        {called} `image` is (H, W, C) of more channels than are filled, of uint8, uint16 or float32; other
        targets stay as they are.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], the range begins below 1 or is upside down, `fill` is not finite; in a
        call, there is no image, or one has another dtype or no channel that stays, or `fill` is no level.
    WrongType
        `channel_drop_range` is not a pair of integers, or `fill` no number.
    UnsupportedArgument
        A parameter is a tensor; in a call, {unknown}.

    Notes
    -----
    Agreement: given the draw, bit for bit; the draw has the reference's distribution.
    {compiled} `ReplayCompose` returns how many channels are filled, and a seed for which.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.ChannelDropout((2, 2), fill=9, p=1.0)
    >>> transform(image=tf.constant([[[1, 2, 3]]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[[1, 9, 9]]]
    """

    def __init__(self, channel_drop_range: Any = (1, 1), fill: float = 0, p: float = 0.5) -> None:
        super().__init__(p)
        self.channel_drop_range = _arguments.whole_span(channel_drop_range, "channel_drop_range", 1)
        self.fill = _arguments.real(fill, "fill", -np.inf)

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return the number of channels, and the seed of the order of which they are the first."""
        count, channels = tf.unstack(seeds.split(seed, 2))
        low, high = self.channel_drop_range
        return {"count": tf.cast(seeds.randint(count, low, high + 1), tf.int32), "channels": channels}

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the image with some channels filled."""
        image = served(image, name, WIDER)
        channels_known(image, name)
        channels = 1 if image.shape.rank == 2 else image.shape[-1]
        if channels <= self.channel_drop_range[1]:
            allowed = f"more than {self.channel_drop_range[1]}"
            raise OutsideDomain(explain(name, f"{channels} channels", allowed, "One has to stay."))
        if not (image.dtype.is_floating or 0 <= self.fill < image.dtype.max + 1):
            allowed = f"a number from 0 to {image.dtype.max} for {image.dtype.name}"
            raise OutsideDomain(explain("fill", self.fill, allowed, "Give a level of the image."))
        fill = tf.constant(self.fill if image.dtype.is_floating else int(self.fill), image.dtype)
        order = seeds.permutation(params["channels"], channels)
        # Where each channel stands in the order.
        place = tf.cast(tf.argsort(order), tf.int32)
        return xla.run(_filled)(image, place < params["count"], fill)


def _filled() -> Callable[..., Any]:
    return lambda image, where, fill: tf.where(where, fill, image)
