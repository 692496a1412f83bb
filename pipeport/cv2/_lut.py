"""`cv2.LUT`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Exact, Image, Shaped, batchable, replaces
from pipeport.cv2 import _images
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor

_ENTRIES = 256
_SHAPES = "256 entries, (256,), (1, 256) or (256, 1), with one more axis for the channels of `src`"


def _table_of(lut: Any, channels: int, batch_axes: int) -> Any:
    """Return the table as a tensor (256, C) or (256, 1); in a batch (B, 256, C) where there are several."""
    table = as_tensor(lut, "lut")
    _checks.dtype_among(table, _images.served_dtypes(), "lut")
    if table.dtype.name in _images.WIDE:
        table = tf.cast(table, tf.int32)
    sizes = None if table.shape.rank is None else table.shape.as_list()
    if batch_axes and sizes is not None and len(sizes) in (2, 4) and sizes[1:] != [1]:
        several, sizes = True, sizes[1:]
    else:
        several = False
    if sizes == [None]:  # another size is an error of the graph
        sizes, table = [_ENTRIES], tf.ensure_shape(table, [*table.shape[:-1], _ENTRIES])
    if sizes is None or None in sizes or sizes not in _forms(channels):
        raise OutsideDomain(explain("lut", f"shape {table.shape}", _SHAPES, "State it with tf.ensure_shape."))
    columns = sizes[2] if len(sizes) == 3 else 1
    return tf.reshape(table, [-1, _ENTRIES, columns] if several else [_ENTRIES, columns])


def _forms(channels: int) -> list[list[int]]:
    plain = [[_ENTRIES], [1, _ENTRIES], [_ENTRIES, 1]]
    return [*plain, *([*form, count] for form in plain[1:] for count in {1, channels})]


def _looked_up() -> Callable[[Any, Any], Any]:
    def looked_up(x: Any, table: Any) -> Any:
        """Return the entries of a table at the indices that the bytes of (..., C) are."""
        place = tf.cast(tf.bitcast(x, tf.uint8), tf.int32)
        columns = table.shape[-1]
        if columns > 1:
            place = place * columns + tf.range(columns)
        if table.shape.rank == 3:  # of images (B, H, W, C)
            image = tf.range(tf.shape(x)[0])[:, tf.newaxis, tf.newaxis, tf.newaxis]
            place += image * (_ENTRIES * columns)
        return tf.gather(tf.reshape(table, [-1]), place)

    return looked_up


def _found(x: Any, table: Any) -> Any:
    """Look the bytes of (B, H, W, C) up: compiled, for uncompiled that takes five times as long."""
    buckets = None if table.shape.rank == 3 else xla.in_buckets(_looked_up)
    return xla.run(_looked_up, known=x.shape.is_fully_defined(), in_buckets=buckets)(x, table)


def _fits(arguments: Mapping[str, Any]) -> bool:
    return np.asarray(arguments["lut"]).dtype.name in _images.served_dtypes()


@replaces(
    "cv2.LUT",
    domain={
        "src": Image(dtypes=("uint8", "int8"), channels=(None, 1, 2, 3, 4)),
        "lut": Shaped(
            shape=((_ENTRIES, _ENTRIES),),
            dtypes=("uint8", "int16", "uint16", "int32", "float32", "float64"),
            values=(1.0, 255.0),
            tensor=True,
            element_rank=1,
        ),
    },
    agreement=Exact(),
    refused={"dst": "tensors are not written in place"},
    valid=_fits,
)
@batchable
def LUT(batch_axes: int, src: Any, lut: Any, dst: Any = None) -> Any:
    """Look every byte of an image up in a table, as for a gamma that was computed once.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C), uint8 or int8
        The image; H and W may be unknown while tracing. Negative numbers stand behind 127 in the table.
    lut : array_like, 256 entries
        Of shape (256,), (1, 256) or (256, 1), with one more axis where each channel has a table of its own;
        bool or any number, drawn ones too. int64 is cast to int32, as in OpenCV.

    Returns
    -------
    tf.Tensor, shape of `src`, dtype of `lut`
        (H, W) for (H, W, 1).

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank or dtype; the table has another shape or dtype.
    UnsupportedArgument
        `dst` is given, or rank or channels are unknown while tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty, a table of unknown size to have another one.

    Notes
    -----
    Agreement: bit for bit, NaN included; of a constant table that is -0.0 throughout, TensorFlow makes 0.0.
    Graph: one program; where sizes are unknown, one per bucket of sizes. Static shape is kept.

    Examples
    --------
    >>> import numpy as np
    >>> from pipeport import cv2
    >>> cv2.LUT(np.array([[0, 1, 255]], np.uint8), 255 - np.arange(256, dtype=np.uint8)).numpy().tolist()
    [[255, 254, 0]]
    """
    _images.refuse_dst(dst)
    x = _images.as_images(src, batch_axes)
    _checks.dtype_among(x, ("uint8", "int8"), "src", "Index the table instead: numpy.take(lut, src).")
    found = _found(x, _table_of(lut, x.shape[3], batch_axes))
    return _images.as_result(tf.ensure_shape(found, x.shape), batch_axes)
