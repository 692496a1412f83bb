"""img_to_array."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._cast import cast, numpy_dtype
from pipeport.contract import Exact, Image, OneOf, batchable, replaces
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor, known_rank

FIRST, LAST = "channels_first", "channels_last"


@replaces(
    "keras.preprocessing.image.img_to_array",
    domain={
        "img": Image(channels=(None, 1, 3, 4), sides=(0, 12), values=(0.0, 1.0), non_finite=False),
        "data_format": OneOf(None, LAST, FIRST),
        "dtype": OneOf(None, "float32", "float64", "uint8", "int32", "float16"),
    },
    agreement=Exact(),
    aliases=("keras.utils.img_to_array",),
    view_of="first",
)
@batchable
def img_to_array(batch_axes: int, img: Any, data_format: Any = None, dtype: Any = None) -> Any:
    """Return an image as floating numbers with an axis of channels.

    Native equivalent of `keras.preprocessing.image.img_to_array`, which is `keras.utils.img_to_array` too.

    Parameters
    ----------
    img : array_like, shape (H, W) or (H, W, C), or an image of `pipeport.PIL`
        Bool or any number; H and W may be unknown while tracing.
    data_format : {'channels_last', 'channels_first'} or None, default None
        Where the result has its channels. None is 'channels_last', whatever Keras is set to.
    dtype : dtype or None, default None
        Of the result. None is float32, whatever Keras is set to.

    Returns
    -------
    tf.Tensor, shape (H, W, C), or (C, H, W) with 'channels_first'
        The values of the image; C is 1 where it has no channels.

    Raises
    ------
    OutsideDomain
        `img` has another rank, or no numbers.
    UnsupportedArgument
        `data_format` is another, or the rank is not known while tracing.
    WrongType
        `dtype` is none that TensorFlow has.

    Notes
    -----
    Agreement: bit for bit. Values an integer dtype cannot hold are as undefined as in NumPy.
    Graph: a cast, and a transposition or a reshape. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.keras.preprocessing.image import img_to_array
    >>> img_to_array(tf.constant([[1, 2]], tf.uint8)).numpy().tolist()
    [[[1.0], [2.0]]]
    """
    _checks.one_of(data_format, (None, FIRST, LAST), "data_format", "None is 'channels_last'.")
    wanted = np.dtype(np.float32) if dtype is None else numpy_dtype(dtype)
    unwrap = getattr(img, "__pipeport_array__", None)
    x = cast(as_tensor(img if unwrap is None else unwrap(), "img"), wanted)
    rank = known_rank(x, "img") - batch_axes
    if rank not in (2, 3):
        shape = x.shape[batch_axes:]
        raise OutsideDomain(explain("img", f"shape {shape}", "(H, W) or (H, W, C)", "Give one image."))
    if rank == 2:
        return tf.expand_dims(x, batch_axes if data_format == FIRST else -1)
    if data_format == FIRST:
        return tf.transpose(x, [*range(batch_axes), *(batch_axes + axis for axis in (2, 0, 1))])
    return x
