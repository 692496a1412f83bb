"""crop_at."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Exact, Image, Integer, LabelOf, Maybe, PerAxis, Shaped, batchable, replaces
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.idioms._plane import plane, planes, size_of
from pipeport.kernels.inputs.arrays import as_tensor

_ALLOWED = "a window inside the image"
_ADVICE = "Draw rows from 0 to H - height, columns from 0 to W - width."


def _offset(offset: Any, batch_axes: int) -> Any:
    corner = as_tensor(offset, "offset")
    if not corner.dtype.is_integer:
        advice = "Count pixels, or round them."
        raise WrongType(explain("offset", f"dtype {corner.dtype.name}", "whole numbers", advice))
    if corner.shape.rank not in (1, 1 + batch_axes) or corner.shape[-1] not in (2, None):
        allowed = "(row, column)" + (", or one pair per element" if batch_axes else "")
        raise OutsideDomain(explain("offset", f"shape {corner.shape}", allowed, "Give one pair."))
    return tf.cast(corner, tf.int64)


def _inside(x: Any, corner: Any, size: tuple[int, int], batch_axes: int) -> Any:
    """Return the corner, ordered after the check that the window lies inside."""
    sides, known = x.shape[batch_axes : batch_axes + 2], tf.get_static_value(corner)
    if known is not None and sides.is_fully_defined():
        if (known < 0).any() or (known + size > np.array(sides.as_list())).any():
            given = f"{known.tolist()} for {size[0]} x {size[1]} of {sides}"
            raise OutsideDomain(explain("offset", given, _ALLOWED, _ADVICE))
        return corner
    for side, wanted in zip(sides, size, strict=True):
        if side is not None and side < wanted:
            raise OutsideDomain(explain("size", f"{wanted} of {side} pixels", _ALLOWED, _ADVICE))
    room = tf.shape(x, out_type=tf.int64)[batch_axes : batch_axes + 2] - tf.constant(size, tf.int64)
    message = explain("offset", "a window beyond the image at run time", _ALLOWED, _ADVICE)
    fine = tf.reduce_all((corner >= 0) & (corner <= room))
    with tf.control_dependencies([tf.debugging.Assert(fine, [message])]):
        return tf.identity(corner)


def _window(x: Any, corner: Any, size: tuple[int, int], batch_axes: int) -> Any:
    shape = [*x.shape[:batch_axes], *size, *x.shape[batch_axes + 2 :]]
    if corner.shape.rank == 1:
        rest = x.shape.rank - batch_axes - 2
        start = tf.concat([tf.zeros([batch_axes], tf.int64), corner, tf.zeros([rest], tf.int64)], 0)
        own = tf.shape(x, out_type=tf.int64)
        wanted = tf.concat([own[:batch_axes], tf.constant(size, tf.int64), own[batch_axes + 2 :]], 0)
        static = tf.get_static_value(wanted)
        return tf.ensure_shape(tf.slice(x, start, wanted if static is None else static), shape)
    for axis, side in enumerate(size):
        index = corner[:, axis, None] + tf.range(side, dtype=tf.int64)
        x = tf.gather(x, index, axis=1 + axis, batch_dims=1)
    return tf.ensure_shape(x, shape)


@replaces(
    "pipeport.references.crop_at",
    domain={
        "image": Image(sides=(3, 12)),
        "offset": Shaped(shape=(2,), dtypes=("int32", "int64"), values=(-1, 5), typical=np.array([2, 3])),
        "size": PerAxis(spec=Integer(1, 5), count=2, single=False, typical=(16, 24)),
        "mask": Maybe(spec=LabelOf(image="image", ranks=(2, 3))),
    },
    agreement=Exact(),
)
@batchable
def crop_at(batch_axes: int, image: Any, offset: Any, size: Any, mask: Any = None) -> Any:
    """Cut a window out of an image, and of its mask: a random crop, once its corner is drawn.

    Parameters
    ----------
    image : array_like, shape (H, W) or (H, W, C), bool or any number
        Sizes may be unknown.
    offset : array_like of int, shape (2,)
        First row and column; may be data.
    size : (int, int)
        Height and width wanted.
    mask : array_like, shape (H, W) or (H, W, K), or None, default None
        Of the image's height and width.

    Returns
    -------
    tf.Tensor, or (tf.Tensor, tf.Tensor)
        The window, and that of the mask if there is one, of their dtypes.

    Raises
    ------
    OutsideDomain
        The window is not inside, sizes differ, an axis is empty, or `size` is not positive.
    UnsupportedArgument
        A rank, or `size`, is not known while tracing.
    WrongType
        `offset` or `size` are not whole numbers.
    tf.errors.InvalidArgumentError
        What is unknown at trace time turns out not to fit.

    Notes
    -----
    Agreement: bit for bit, NaN included.
    Graph: no Python at run time. The output's static shape is known. In the batched form `offset`
    has shape (2,), or (B, 2): one per element.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.idioms import crop_at
    >>> crop_at(tf.constant([[1, 2, 3], [4, 5, 6]]), (1, 1), (1, 2)).numpy().tolist()
    [[5, 6]]
    """
    x, y = (plane(image, "image", batch_axes), None) if mask is None else planes(image, mask, batch_axes)
    wanted = size_of(size)
    corner = _inside(x, _offset(offset, batch_axes), wanted, batch_axes)
    if y is None:
        return _window(x, corner, wanted, batch_axes)
    return _window(x, corner, wanted, batch_axes), _window(y, corner, wanted, batch_axes)
