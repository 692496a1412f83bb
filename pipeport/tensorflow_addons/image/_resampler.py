"""`tensorflow_addons.image.resampler`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import OneOf, Shaped, Within, replaces
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.addons import _grid
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
    aliases=(
        "tf.contrib.resampler.resampler",
        "tensorflow.contrib.resampler.resampler",
        "tfa.image.resampler",
        "tensorflow_addons.image.resampler_ops.resampler",
    ),
    valid=_one_dtype,
)
def resampler(data: Any, warp: Any, name: str | None = None) -> Any:
    """Sample images bilinearly at points, as if zeros lay around them.

    Parameters
    ----------
    data : tf.Tensor, shape (B, H, W, C), float16, float32 or float64
        Sizes and rank may be unknown while tracing.
    warp : tf.Tensor, shape (B, ..., 2), dtype of `data`
        Points (x, y): column, then row.
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
        data, warp = floats_of(data, "data", 4), _arguments.tensor_of(warp, "warp")
        if data.dtype != warp.dtype:
            raise WrongType(
                explain(
                    "warp", f"dtype {warp.dtype.name}", f"that of data, {data.dtype.name}", "Use tf.cast."
                )
            )
        points, spread = _rows_of_points(warp, data)
        values = _grid.run(_grid.resampled, data, points)
        if warp.shape.rank != 3:
            values = tf.reshape(values, tf.concat([tf.shape(warp)[:-1], tf.shape(data)[3:]], axis=0))
        return tf.ensure_shape(values, spread)


def _rows_of_points(warp: Any, data: Any) -> tuple[Any, Any]:
    """Return points as (B, N, 2), checked to be of data's batch, and what is known of the result's shape."""
    allowed, advice = "shape (B, ..., 2)", "Points are pairs (x, y), in one row or more per image."
    shape, batch = warp.shape, data.shape[0]
    if shape.rank is not None and (shape.rank < 2 or shape[-1] not in (2, None)):
        raise OutsideDomain(explain("warp", f"shape {shape}", allowed, advice))
    if shape.rank is not None and not shape[:1].is_compatible_with(data.shape[:1]):
        raise OutsideDomain(explain("warp", f"shape {shape}", f"({batch}, ..., 2)", advice))
    sizes = tf.shape(warp)
    if shape.rank is None or None in (shape[0], shape[-1], batch):
        message = explain("warp", "another shape", f"{allowed}, B as in `data`", advice)
        # Zeros before, so that there is a first and a last but one size of any rank.
        padded = tf.concat([[0, 0], sizes], axis=0)
        fits = tf.equal(padded[-1], 2) & (tf.size(sizes) >= 2) & tf.equal(padded[2:3], tf.shape(data)[:1])
        with tf.control_dependencies([tf.debugging.Assert(tf.reduce_all(fits), [message])]):
            warp, sizes = tf.identity(warp), tf.identity(sizes)
    known = tf.TensorShape(None) if shape.rank is None else shape[:-1]
    middle = known[1:].num_elements()
    if shape.rank != 3:
        warp = tf.reshape(warp, [sizes[0], tf.reduce_prod(sizes[1:-1]) if middle is None else middle, 2])
    batch = known[0] if batch is None and known.rank else batch
    spread = known if known.rank is None else [batch, *known[1:], data.shape[3]]
    return tf.ensure_shape(warp, [batch, middle, 2]), spread
