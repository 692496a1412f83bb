"""letterbox."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import (
    AsReference,
    Image,
    Integer,
    Maybe,
    OneOf,
    PerAxis,
    Shaped,
    batchable,
    replaces,
)
from pipeport.errors import OutsideDomain, explain
from pipeport.idioms._plane import fill_of, linear, plane, sides_of, size_of, steps
from pipeport.kernels.inputs.arrays import as_tensor
from pipeport.kernels.xla._divide import divided


def _scaled(side: Any, numerator: Any, denominator: Any) -> Any:
    """Return side * numerator / denominator rounded half up, at least 1, in whole numbers."""
    new = (2 * side * numerator + denominator) // (2 * denominator)
    return max(1, new) if isinstance(new, int) else tf.maximum(new, 1)


def _inside(height: Any, width: Any, tall: int, wide: int) -> tuple[Any, Any]:
    """Return the size of the image in the frame: as large as it fits."""
    if isinstance(height, int) and isinstance(width, int):
        if tall * width <= wide * height:
            return tall, _scaled(width, tall, height)
        return _scaled(height, wide, width), wide
    limited = tall * width <= wide * height
    rows = tf.where(limited, tf.constant(tall, tf.int64), _scaled(height, wide, width))
    return rows, tf.where(limited, _scaled(width, tall, height), tf.constant(wide, tf.int64))


def _moved(boxes: Any, scale: Any, offset: Any, batch_axes: int) -> Any:
    boxes = as_tensor(boxes, "boxes")
    shape = boxes.shape
    if shape.rank != 2 + batch_axes or shape[-1] not in (4, None):
        allowed = "(N, 4): x1, y1, x2, y2"
        raise OutsideDomain(explain("boxes", f"shape {shape}", allowed, "One row per box."))
    order = [1, 0, 1, 0]
    by, to = tf.gather(scale, order), tf.cast(tf.gather(offset, order), tf.float64)
    return tf.cast(tf.cast(boxes, tf.float64) * by + to, boxes.dtype)


@replaces(
    "pipeport.references.letterbox",
    domain={
        "image": Image(dtypes=("uint8", "uint16", "int32", "float32", "float64")),
        "size": PerAxis(spec=Integer(1, 14), count=2, single=False, typical=(224, 224)),
        "boxes": Maybe(
            spec=Shaped(shape=((0, 3), 4), values=(0.0, 12.0), per_image=True),
            typical=np.array([[8.0, 16.0, 120.0, 200.0]], np.float32),
        ),
        "fill": OneOf(0, 1, 114),
    },
    agreement=AsReference(coordinates_of="image"),
    returns=("image", "boxes", "scale", "offset"),
)
@batchable
def letterbox(
    batch_axes: int, image: Any, size: Any, boxes: Any = None, fill: Any = 0
) -> tuple[Any, Any, Any, Any]:
    """Resize an image as a whole into a frame, centred, and map its boxes along.

    Native equivalent of `pipeport.references.letterbox`, the preparation of detectors.

    Parameters
    ----------
    image : array_like, shape (H, W) or (H, W, C), integers of 32 bits or less, or floating
        Sizes may be unknown.
    size : (int, int)
        Height and width of the frame.
    boxes : array_like, shape (N, 4), or None, default None
        x1, y1, x2, y2 in pixels of `image`, measured from its upper left corner; N may be unknown.
    fill : number, or one per channel, default 0
        Value of the border; detectors of the YOLO kind use 114.

    Returns
    -------
    image : tf.Tensor, shape (height, width) or (height, width, C)
        Of its dtype, resized linearly between pixel centres; integers are rounded half up.
    boxes : tf.Tensor, shape (N, 4)
        Boxes in pixels of the frame, of their dtype; (0, 4) if there are none.
    scale : tf.Tensor, shape (2,), float64
        New height by old, new width by old. They differ as far as whole pixels demand.
    offset : tf.Tensor, shape (2,), int64
        Rows above and columns to the left of the image: ``(box - offset) / scale`` leads back.

    Raises
    ------
    OutsideDomain
        An axis is empty, `size` is not positive, boxes have another shape, `fill` does not fit the
        dtype, or bool is to be interpolated.
    UnsupportedArgument
        The rank, or `size`, is not known while tracing.
    WrongType
        `size` or `fill` are not numbers.
    tf.errors.InvalidArgumentError
        Sizes unknown at trace time turn out empty.

    Notes
    -----
    Agreement: integer images bit for bit, floating ones and boxes as accurate as the reference.
    Graph: no Python at run time. The frame's static shape is known whatever the image's; compiled
    by XLA where the image's is too (see `pipeport.config`).

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.idioms import letterbox
    >>> image, boxes, scale, offset = letterbox(tf.ones([2, 4]), (4, 4), [[0.0, 0.0, 4.0, 2.0]])
    >>> image.numpy()[:, 0].tolist(), boxes.numpy().tolist()
    ([0.0, 1.0, 1.0, 0.0], [[0.0, 1.0, 4.0, 3.0]])
    """
    x = plane(image, "image", batch_axes)
    tall, wide = size_of(size)
    height, width = sides_of(x, batch_axes)
    new = _inside(height, width, tall, wide)
    start = [(side - own) // 2 for side, own in zip((tall, wide), new, strict=True)]
    rows, columns = (height, new[0], start[0], tall), (width, new[1], start[1], wide)
    framed = linear(x, rows, columns, batch_axes)
    if not (isinstance(new[0], int) and new == (tall, wide)):
        shown = []
        for axis, rule in enumerate((rows, columns)):
            _, after, before = steps(*rule)
            shape = [1] * framed.shape.rank
            shape[batch_axes + axis] = -1
            shown.append(tf.reshape(after & before, shape))
        framed = tf.where(shown[0] & shown[1], framed, fill_of(fill, x.dtype, "fill"))
    else:
        fill_of(fill, x.dtype, "fill")
    sides = zip(new, (height, width), strict=True)
    scale = tf.stack([tf.convert_to_tensor(divided(own, old), tf.float64) for own, old in sides])
    offset = tf.stack([tf.cast(one, tf.int64) for one in start])
    if boxes is None:
        count = [tf.shape(x)[0]] if batch_axes else []
        found = tf.ensure_shape(tf.zeros([*count, 0, 4]), [*x.shape[:batch_axes], 0, 4])
    else:
        found = _moved(boxes, scale, offset, batch_axes)
    if batch_axes:
        scale, offset = (
            tf.ensure_shape(tf.repeat(one[None], tf.shape(x)[0], 0), [x.shape[0], 2])
            for one in (scale, offset)
        )
    return framed, found, scale, offset
