"""`tensorflow_addons.image.euclidean_dist_transform`."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Image, OneOf, Within, batchable, replaces
from pipeport.errors import WrongType, explain
from pipeport.kernels.sampling._distance import squared_distances
from pipeport.tensorflow_addons.image import _arguments
from pipeport.tensorflow_addons.image._filled import aliases_of

_FLOATS = ("float16", "float32", "float64")


@replaces(
    "tensorflow_addons.image.euclidean_dist_transform",
    domain={
        "images": Image(dtypes=("uint8",)),
        "dtype": OneOf("float32", "float64", typical="float32"),
        "name": OneOf(None, "far"),
    },
    agreement=Within(1e-4, "a root of a whole number, which the reference sums up in float32"),
    aliases=aliases_of("distance_transform", "euclidean_dist_transform"),
)
@batchable
def euclidean_dist_transform(
    batch_axes: int, images: Any, dtype: Any = "float32", name: str | None = None
) -> Any:
    """Return how far each pixel is from the nearest zero of its channel.

    Parameters
    ----------
    images : tf.Tensor, shape (H, W), (H, W, C) or (B, H, W, C), uint8
        Sizes and rank may be unknown while tracing.
    dtype : {'float32', 'float64', 'float16'}, default 'float32'
        The dtype of the result, by name, or as TensorFlow's or NumPy's.
    name : str, optional
        Name scope of the operations.

    Returns
    -------
    tf.Tensor, shape of `images`, `dtype`
        Distances in pixels; the root of the largest number of the dtype where no pixel is zero.

    Raises
    ------
    WrongType
        The images are not uint8, or `dtype` is none of the three.
    OutsideDomain
        The images are empty or have another rank.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Agreement: the distance rounded once; the reference's is a rounding off, and in float16, where it rounds
    the squares, several.
    Graph: one compiled program where sizes are known. Static shape is kept.
    Speed: an axis takes as many steps as the largest distance has pixels, slower than the reference where
    that is large.

    Source: `tensorflow_addons/image/distance_transform.py` 0.23; the values were found by experiment.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.tensorflow_addons.image import euclidean_dist_transform
    >>> euclidean_dist_transform(tf.constant([[0, 1, 1, 1]], tf.uint8)).numpy().tolist()
    [[0.0, 1.0, 2.0, 3.0]]
    """
    given = _arguments.tensor_of(images, "images")
    if given.dtype != tf.uint8:
        raise WrongType(explain("images", f"dtype {given.dtype.name}", "uint8", "Cast it with tf.cast."))
    try:
        wanted = tf.as_dtype(dtype)
    except TypeError as error:
        raise WrongType(explain("dtype", repr(dtype), ", ".join(_FLOATS), "Name one.")) from error
    if wanted.name not in _FLOATS:
        raise WrongType(explain("dtype", wanted.name, ", ".join(_FLOATS), "Cast the result."))
    work = tf.float64 if wanted == tf.float64 else tf.float32
    # The reference gives this where no pixel is zero, and in float16 where the nearest is further.
    most = tf.constant(np.sqrt(np.float64(wanted.max)), work)

    def measured(batch: Any) -> Any:
        planes = tf.transpose(batch, [0, 3, 1, 2])
        squares = squared_distances(tf.not_equal(planes, 0), (1.0, 1.0), work, 2)
        return tf.cast(tf.transpose(tf.minimum(tf.sqrt(squares), most), [0, 2, 3, 1]), wanted)

    with tf.name_scope(name or "euclidean_distance_transform"):
        return _arguments.on_batches(given, measured, leading=batch_axes > 0)
