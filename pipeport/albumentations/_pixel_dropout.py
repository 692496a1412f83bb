"""PixelDropout: single pixels of an image are filled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._dropout import fill_numbers
from pipeport.albumentations._groups import channels_known
from pipeport.albumentations._pixels import served
from pipeport.albumentations._promise import augments
from pipeport.albumentations._sizes import numbers, size_of
from pipeport.albumentations._spatial import each_target
from pipeport.albumentations._state import Rows, State
from pipeport.albumentations._transform import Transform
from pipeport.contract import OneOf, Real
from pipeport.kernels import xla


def _valid(arguments: Mapping[str, Any]) -> bool:
    """Leave out fills that do not have one number per channel."""
    fill = arguments.get("drop_value", 0)
    return not isinstance(fill, tuple) or np.shape(arguments["image"])[2:] == (len(fill),)


@augments(
    "PixelDropout",
    domain={
        "dropout_prob": Real(0.0, 1.0, typical=0.01),
        "per_channel": OneOf(False, True),
        "drop_value": OneOf(0, 1, 0.5, (0.25, 1.0, 0.5), None),
        "mask_drop_value": OneOf(None, 0, 1),
    },
    reference_parameters="dropped_pixels",
    settings=(
        {"dropout_prob": 0.3},
        {"dropout_prob": 0.6, "per_channel": True, "p": 0.7},
        {"dropout_prob": 1.0, "drop_value": None, "p": 1.0},
    ),
    shape=(1, 2, 3),
    valid=_valid,
)
class PixelDropout(Transform):
    """Fill drawn pixels of an image.

    Parameters
    ----------
    dropout_prob : float, default 0.01
        Probability of each pixel to be filled.
    per_channel : bool, default False
        Whether each channel of a pixel is drawn for by itself.
    drop_value : float or one per channel, or None, default 0
        What a filled pixel of an image holds, in its dtype; None draws a number for each channel.
    mask_drop_value : float or one per channel, optional
        The same of masks, for which pixels are drawn anew; None leaves them.

    Returns
    -------
    PixelDropout
        {called} `image` is (H, W) or (H, W, C), of uint8 or float32; {masks}, of any dtype. In a `Compose`,
        boxes are dropped of which too little is seen by `min_area` or `min_visibility`, unless `per_channel`;
        points stay, and boxes outside one.

    Raises
    ------
    OutsideDomain
        `p` or `dropout_prob` is not a number in [0, 1]; in a call, there is no image, a target does not have
        its shape, an image has another dtype, or a fill does not have one number per channel.
    WrongType
        `per_channel` is not a bool, or a fill is not one; in a call, a target is given by position, or is not
        an array.
    UnsupportedArgument
        A parameter is a tensor; in a call, there is no seed, a rank or a number of channels or columns is not
        known while tracing, or a target is a stack of images or a volume.

    Notes
    -----
    Agreement: given the draw, images and masks bit for bit; the draw has the reference's distribution.
    {compiled} Images of one size are filled at the same pixels, and masks at the same pixels of theirs.
    `ReplayCompose` returns seeds for what depends on the size.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.PixelDropout(0.5, drop_value=7, p=1.0)
    >>> transform(image=tf.zeros([1, 6], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[7, 0, 0, 0, 7, 7]]
    """

    def __init__(
        self,
        dropout_prob: float = 0.01,
        per_channel: bool = False,
        drop_value: Any = 0,
        mask_drop_value: Any = None,
        p: float = 0.5,
    ) -> None:
        super().__init__(p)
        self.dropout_prob = _arguments.real(dropout_prob, "dropout_prob", 0.0, 1.0)
        self.per_channel = _arguments.flag(per_channel, "per_channel")
        self.drop_value = None if drop_value is None else _arguments.numbers(drop_value, "drop_value")
        self.mask_drop_value = (
            None if mask_drop_value is None else _arguments.numbers(mask_drop_value, "mask_drop_value")
        )

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return seeds for the pixels of images and of masks, and for what images are filled with."""
        names = ("pixels", "mask_pixels", "values")
        return dict(zip(names, tf.unstack(seeds.split(seed, len(names))), strict=True))

    def hit(self, seed: Any, value: Any, batch_axes: int = 0) -> Any:
        """Return which pixels of an image or of masks are filled, with an axis of channels like theirs."""
        shape = value.shape[batch_axes:]
        if not shape.is_fully_defined():
            shape = tf.shape(value)[batch_axes:]
        if value.shape.rank - batch_axes == 2 or self.per_channel:
            return seeds.bernoulli(seed, self.dropout_prob, shape)
        return seeds.bernoulli(seed, self.dropout_prob, shape[:2])[..., tf.newaxis]

    def values(self, seed: Any, image: Any) -> Any:
        """Return drawn numbers for the channels of an image: bytes below 255, or fractions."""
        channels = image.shape[2] if image.shape.rank == 3 else 1
        if image.dtype.is_floating:
            found = tf.cast(seeds.uniform(seed, [channels], "float64"), image.dtype)
        else:
            found = tf.cast(seeds.randint(seed, 0, 255, [channels]), image.dtype)
        return found if image.shape.rank == 3 else found[0]

    def perform(self, drawn: Mapping[str, Any], state: State, forced: bool) -> State:
        """Change every target."""
        if self.p <= 0.0:
            return state

        def change(state: State) -> State:
            params, settings = drawn["params"], (state.params or {}).get("bboxes")

            def plane(value: Any, kind: str, batch_axes: int) -> Any:
                seed, fill, name = params["pixels"], self.drop_value, "drop_value"
                if kind == "image":
                    channels_known(served(value, kind), kind)
                else:
                    seed, fill, name = params["mask_pixels"], self.mask_drop_value, "mask_drop_value"
                    if fill is None:
                        return value
                if fill is None:
                    number = self.values(params["values"], value)
                else:
                    number = fill_numbers(value, fill, name, batch_axes)
                return xla.run(_filled)(value, self.hit(seed, value, batch_axes), number)

            after = each_target(state, plane, lambda boxes: boxes, lambda points: points)
            if settings is None or self.per_channel:
                return after
            hit = self.hit(params["pixels"], state.image)
            hit = hit if hit.shape.rank == 2 else hit[..., 0]
            boxes = {name for name, kind in state.kinds.items() if kind == "bboxes"}
            return after.replaced({name: _seen(state.values[name], hit, settings) for name in boxes})

        return change(state) if self.always(forced) else state.where(drawn["applied"], change)


def _filled() -> Callable[..., Any]:
    return lambda value, hit, number: tf.where(hit, number, value)


def _seen(rows: Rows, hit: Any, settings: Any) -> Rows:
    """Drop boxes of which too little is seen."""
    boxes = tf.cast(rows.values, tf.float64)
    height, width = size_of(hit)
    high, wide = numbers((height, width), tf.float64)
    left, top, right, bottom = tf.unstack(boxes * tf.stack([wide, high, wide, high]), axis=1)
    across, down = (tf.cast(tf.range(side), tf.float64)[tf.newaxis] for side in (width, height))
    columns = (across >= left[:, tf.newaxis]) & (across <= right[:, tf.newaxis])
    lines = (down >= top[:, tf.newaxis]) & (down <= bottom[:, tf.newaxis])
    free = tf.cast(tf.logical_not(hit), tf.float32)
    # Whole numbers below 2**24 in each row: exact.
    per_row = tf.matmul(tf.cast(columns, tf.float32), free, transpose_b=True)
    seen = tf.reduce_sum(tf.where(lines, tf.cast(per_row, tf.float64), tf.zeros([], tf.float64)), 1)
    share = seen / ((right - left) * (bottom - top))
    return rows._replace(keep=rows.keep & (seen >= settings.min_area) & (share >= settings.min_visibility))
