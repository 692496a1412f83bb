"""crop_or_pad."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.contract import (
    Exact,
    Image,
    Integer,
    LabelOf,
    Maybe,
    OneOf,
    PerAxis,
    Stock,
    batchable,
    replaces,
)
from pipeport.idioms._plane import fill_of, plane, planes, sides_of, size_of


def _cut(old: Any, new: int) -> tuple[Any, Any, Any]:
    """Return where the kept part starts, how long it is, and how much comes in front of it."""
    if isinstance(old, int):
        return max(old - new, 0) // 2, min(old, new), max(new - old, 0) // 2
    return tf.maximum(old - new, 0) // 2, tf.minimum(old, new), tf.maximum(new - old, 0) // 2


def _centred(x: Any, size: tuple[int, int], fill: Any, name: str, batch_axes: int) -> Any:
    rank = x.shape.rank
    starts, lengths, pads = [0] * rank, [-1] * rank, [[0, 0] for _ in range(rank)]
    for axis, (old, new) in enumerate(zip(sides_of(x, batch_axes), size, strict=True)):
        start, length, before = _cut(old, new)
        starts[batch_axes + axis], lengths[batch_axes + axis] = start, length
        pads[batch_axes + axis] = [before, new - length - before]
    shape = [*x.shape[:batch_axes], *size, *x.shape[batch_axes + 2 :]]
    value = fill_of(fill, x.dtype, name)
    if all(old == new for old, new in zip(x.shape[batch_axes : batch_axes + 2], size, strict=True)):
        return tf.identity(x)
    kept = tf.slice(x, _whole(starts), _whole(lengths))
    if value.shape.rank:  # one per channel: the border is zero, then that
        inside = tf.pad(tf.ones_like(kept[..., :1], tf.bool), _table(pads))
        return tf.ensure_shape(tf.where(inside, tf.pad(kept, _table(pads)), value), shape)
    return tf.ensure_shape(tf.pad(kept, _table(pads), constant_values=value), shape)


def _whole(numbers: list[Any]) -> Any:
    known = all(isinstance(one, int) for one in numbers)
    return numbers if known else tf.stack([tf.cast(one, tf.int64) for one in numbers])


def _table(pads: list[list[Any]]) -> Any:
    known = all(isinstance(one, int) for row in pads for one in row)
    return pads if known else tf.stack([tf.stack([tf.cast(one, tf.int64) for one in row]) for row in pads])


@replaces(
    "pipeport.references.crop_or_pad",
    domain={
        "image": Image(),
        "size": PerAxis(spec=Integer(1, 14), count=2, single=False, typical=(224, 288)),
        "mask": Maybe(spec=LabelOf(image="image", ranks=(2, 3))),
        "fill": OneOf(0, 1),
        "mask_fill": OneOf(0, 1),
    },
    agreement=Exact(),
    stock=Stock(
        "tf.image.resize_with_crop_or_pad",
        "one image, filled with zeros",
        "pipeport.references.stock_arrays.resize_with_crop_or_pad",
    ),
)
@batchable
def crop_or_pad(
    batch_axes: int, image: Any, size: Any, mask: Any = None, fill: Any = 0, mask_fill: Any = 0
) -> Any:
    """Cut or extend an image about its middle, and its mask with it.

    Native equivalent of `pipeport.references.crop_or_pad`. The middle is that of
    `tf.image.resize_with_crop_or_pad`: of an odd rest, the larger part is below and to the right.

    Parameters
    ----------
    image : array_like, shape (H, W) or (H, W, C), bool or any number
        Sizes may be unknown.
    size : (int, int)
        Height and width wanted.
    mask : array_like, shape (H, W) or (H, W, K), or None, default None
        Of the image's height and width.
    fill, mask_fill : number, or one per channel, default 0
        Values of the border.

    Returns
    -------
    tf.Tensor, or (tf.Tensor, tf.Tensor)
        The image, and the mask if there is one, of their dtypes.

    Raises
    ------
    OutsideDomain
        Sizes differ, an axis is empty, `size` is not positive, or a fill does not fit the dtype.
    UnsupportedArgument
        A rank, or `size`, is not known while tracing.
    WrongType
        `size` or a fill are not numbers.
    tf.errors.InvalidArgumentError
        Sizes unknown at trace time turn out empty or different.

    Notes
    -----
    Agreement: bit for bit, NaN included.
    Graph: no Python at run time. The output's static shape is known.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.idioms import crop_or_pad
    >>> crop_or_pad(tf.constant([[1, 2, 3, 4]]), (2, 2)).numpy().tolist()
    [[2, 3], [0, 0]]
    """
    wanted = size_of(size)
    if mask is None:
        return _centred(plane(image, "image", batch_axes), wanted, fill, "fill", batch_axes)
    x, y = planes(image, mask, batch_axes)
    return _centred(x, wanted, fill, "fill", batch_axes), _centred(
        y, wanted, mask_fill, "mask_fill", batch_axes
    )
