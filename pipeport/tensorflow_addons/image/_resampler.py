"""`tensorflow_addons.image.resampler`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import OneOf, Shaped, Within, replaces
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels import _tfa_grid
from pipeport.tensorflow_addons.image import _arguments
from pipeport.tensorflow_addons.image._dense_image_warp import floats_of

_FLOATS = ("float16", "float32", "float64")


def _one_dtype(arguments: Mapping[str, Any]) -> bool:
    # Another dtype is refused by both; drawn, it would be most of the examples.
    return np.asarray(arguments["data"]).dtype == np.asarray(arguments["warp"]).dtype


@replaces(
    "tensorflow_addons.image.resampler",
    domain={
        "data": Shaped(shape=((1, 3), (1, 8), (1, 8), (1, 3)), dtypes=_FLOATS, per_image=True),
        "warp": Shaped(shape=("data.0", (1, 6), 2), dtypes=_FLOATS, values=(-3.0, 9.0), per_image=True),
        "name": OneOf(None, "again"),
    },
    agreement=Within(1e-6, "the same sum of four products, which XLA fuses"),
    proven_against=">=0.23,<0.24",
    aliases=(
        "tf.contrib.resampler.resampler",
        "tensorflow.contrib.resampler.resampler",
        "tfa.image.resampler",
        "tensorflow_addons.image.resampler_ops.resampler",
    ),
    environment="addons",
    valid=_one_dtype,
    bench=False,
)
def resampler(data: Any, warp: Any, name: str | None = None) -> Any:
    """Sample images bilinearly at points, as if zeros lay around them.

    Native equivalent of `tensorflow_addons.image.resampler`.

    Parameters
    ----------
    data : tf.Tensor, shape (B, H, W, C), float16, float32 or float64
        Sizes may be unknown while tracing.
    warp : tf.Tensor, shape (B, ..., 2), dtype of `data`
        Points (x, y): column, then row. The rank must be known.
    name : str, optional
        Name scope of the operations.

    Returns
    -------
    tf.Tensor, shape (B, ..., C), dtype of `data`
        Zero a pixel or more outside the image, and where a point is NaN.

    Raises
    ------
    WrongType
        A dtype that is not a float, or two different ones.
    OutsideDomain
        `data` is not of rank 4; `warp` has rank below two, no pairs, or another batch.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Differences from the reference: none. For a wrong number of coordinates or a wrong rank of `data` the
    reference raises `UnimplementedError`, this `OutsideDomain`.

    Agreement: within 1e-6 on values in [-1, 1]. Gradients are not part of the promise.

    Graph: with known sizes, float32 and float64 are compiled with XLA when traced
    (`pipeport.config`); the reference's kernel cannot be. Static shape is kept.

    Source: `tensorflow_addons/image/resampler_ops.py` 0.23; the formula was found by experiment.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.tensorflow_addons.image import resampler
    >>> data = tf.reshape([1.0, 2.0, 3.0, 4.0], [1, 2, 2, 1])
    >>> resampler(data, [[[0.5, 0.5], [1.5, 1.0]]]).numpy().ravel().tolist()
    [2.5, 2.0]
    """
    with tf.name_scope(name or "resampler"):
        data, warp = floats_of(data, 4, "data"), _arguments.tensor_of(warp, "warp")
        if data.dtype != warp.dtype:
            raise WrongType(
                explain(
                    "warp", f"dtype {warp.dtype.name}", f"that of data, {data.dtype.name}", "Use tf.cast."
                )
            )
        rank, advice = warp.shape.rank, "Points are pairs (x, y), in one row or more per image."
        if rank is None or rank < 2 or warp.shape[-1] not in (2, None):
            raise OutsideDomain(explain("warp", f"shape {warp.shape}", "(B, ..., 2)", advice))
        if not warp.shape[:1].is_compatible_with(data.shape[:1]):
            raise OutsideDomain(explain("warp", f"shape {warp.shape}", f"({data.shape[0]}, ..., 2)", advice))
        known = warp.shape[:-1]
        pairs = tf.ensure_shape(warp, [*known, 2])
        batch, channels = data.shape[0], data.shape[3]
        middle = known[1:].num_elements()
        if rank != 3:
            pairs = tf.reshape(pairs, [tf.shape(warp)[0], -1 if middle is None else middle, 2])
        if batch is None or known[0] is None:
            message = explain("warp", "another batch", "as many rows of points as images", advice)
            check = tf.debugging.assert_equal(tf.shape(pairs)[0], tf.shape(data)[0], message)
            with tf.control_dependencies([check]):
                pairs = tf.identity(pairs)
        pairs = tf.ensure_shape(pairs, [known[0] if batch is None else batch, middle, 2])
        values = _tfa_grid.run(_tfa_grid.resampled, data, pairs)
        if rank != 3:
            values = tf.reshape(values, tf.concat([tf.shape(warp)[:-1], tf.shape(data)[3:]], axis=0))
        return tf.ensure_shape(values, [pairs.shape[0], *known[1:], channels])
