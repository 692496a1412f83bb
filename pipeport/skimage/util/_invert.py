"""`skimage.util.invert`."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.contract import Boolean, Exact, Image, batchable, replaces
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor

_DTYPES = (
    "bool", "uint8", "uint16", "uint32", "int8", "int16", "int32", "int64", "float16", "float32", "float64",
)  # fmt: skip


@replaces(
    "skimage.util.invert",
    domain={
        "image": Image(dtypes=_DTYPES, channels=(None, 1, 3, 4), sides=(0, 12)),
        "signed_float": Boolean(),
    },
    agreement=Exact(),
)
@batchable
def invert(_batch_axes: int, image: Any, signed_float: Any = False) -> Any:
    """Turn dark into bright: the largest value of the dtype less each pixel.

    Parameters
    ----------
    image : array_like, any shape, bool or any number
        The image; sizes and rank may be unknown while tracing. Integers with a sign become -1 less the
        pixel, floats one less the pixel.
    signed_float : bool, default False
        Whether floats are of [-1, 1] and change their sign instead.

    Returns
    -------
    tf.Tensor, shape and dtype of `image`
        The inverted image.

    Raises
    ------
    WrongType
        `image` is not an array.
    UnsupportedArgument
        `signed_float` is a tensor.

    Notes
    -----
    Agreement: bit for bit.
    Graph: one op, no Python at run time; static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.util import invert
    >>> invert(tf.constant([[0, 10, 255]], tf.uint8)).numpy().tolist()
    [[255, 245, 0]]
    """
    x, signed = as_tensor(image, "image"), _checks.flag(signed_float, "signed_float")
    if x.dtype.is_bool:
        return tf.logical_not(x)
    if x.dtype.is_integer:
        return tf.bitwise.invert(x)
    return tf.negative(x) if signed else tf.ones([], x.dtype) - x
