"""`dense_image_warp` and `interpolate_bilinear` of `tensorflow_addons.image`."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.contract import OneOf, Shaped, Within, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.addons import _grid
from pipeport.tensorflow_addons.image import _arguments

_FLOATS = ("float16", "float32", "float64")
_AGREEMENT = Within(1e-6, "the same operations in the same order, of which XLA fuses products and sums")


@replaces(
    "tensorflow_addons.image.dense_image_warp",
    domain={
        "image": Shaped(shape=((1, 3), (1, 8), (2, 8), (1, 3)), dtypes=_FLOATS, per_image=True),
        "flow": Shaped(
            shape=("image.0", "image.1", "image.2", 2), dtypes=_FLOATS, values=(-6.0, 6.0), per_image=True
        ),
        "name": OneOf(None, "flow"),
    },
    agreement=_AGREEMENT,
    aliases=(
        "tf.contrib.image.dense_image_warp",
        "tensorflow.contrib.image.dense_image_warp",
        "tfa.image.dense_image_warp",
    ),
)
def dense_image_warp(image: Any, flow: Any, name: str | None = None) -> Any:
    """Warp images by a field of vectors, bilinearly.

    Parameters
    ----------
    image : tf.Tensor, shape (B, H, W, C), float16, float32 or float64
        H and W are at least two; all sizes and the rank may be unknown while tracing.
    flow : tf.Tensor, shape (B, H, W, 2), float16, float32 or float64
        (rows, columns): the result at (y, x) is the image at (y - rows, x - columns). Points outside
        take the edge. For one image, any shape that broadcasts to (1, H, W, 2).
    name : str, optional
        Name scope of the operations.

    Returns
    -------
    tf.Tensor, shape and dtype of `image`
        NaN where the flow is NaN.

    Raises
    ------
    WrongType
        A dtype that is not a float.
    OutsideDomain
        The image is not of rank 4 or smaller than two pixels; the flow does not fit it.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Differences from the reference: none.

    Agreement: equal in eager mode, in float16 and where sizes are unknown; compiled, within 1e-6 on
    values in [-1, 1]. Gradients are not part of the promise.

    Graph: with known sizes, float32 and float64 are compiled with XLA when traced
    (`pipeport.config`). Static shape is kept.

    Source: `tensorflow_addons/image/dense_image_warp.py` 0.23.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.tensorflow_addons.image import dense_image_warp
    >>> image = tf.reshape([1.0, 2.0, 3.0, 4.0], [1, 2, 2, 1])
    >>> dense_image_warp(image, tf.fill([1, 2, 2, 2], -0.5))[0, ..., 0].numpy().tolist()
    [[2.5, 3.0], [3.5, 4.0]]
    """
    with tf.name_scope(name or "dense_image_warp"):
        image, flow = floats_of(image, "image", 4), floats_of(flow, "flow")
        image = _arguments.at_least(2, image, "image")
        warped = _grid.run(_grid.warped, image, _per_pixel(flow, image))
        return tf.ensure_shape(warped, image.shape)


@replaces(
    "tensorflow_addons.image.interpolate_bilinear",
    domain={
        "grid": Shaped(shape=((1, 3), (1, 8), (2, 8), (1, 3)), dtypes=_FLOATS, per_image=True),
        "query_points": Shaped(
            shape=("grid.0", (1, 6), 2), dtypes=_FLOATS, values=(-3.0, 9.0), per_image=True
        ),
        "indexing": OneOf("ij", "xy"),
        "name": OneOf(None, "points"),
    },
    agreement=_AGREEMENT,
    aliases=(
        "tf.contrib.image.interpolate_bilinear",
        "tfa.image.interpolate_bilinear",
        "tensorflow_addons.image.dense_image_warp.interpolate_bilinear",
    ),
)
def interpolate_bilinear(grid: Any, query_points: Any, indexing: str = "ij", name: str | None = None) -> Any:
    """Interpolate images bilinearly at points.

    Parameters
    ----------
    grid : tf.Tensor, shape (B, H, W, C), float16, float32 or float64
        H and W are at least two; all sizes and the rank may be unknown while tracing.
    query_points : tf.Tensor, shape (B, N, 2) or (1, N, 2), float16, float32 or float64
        Points in pixels; those outside take the edge.
    indexing : {'ij', 'xy'}, default 'ij'
        Whether points are (row, column) or (column, row).
    name : str, optional
        Name scope of the operations.

    Returns
    -------
    tf.Tensor, shape (B, N, C), dtype of `grid`
        NaN where a point is NaN.

    Raises
    ------
    WrongType
        A dtype that is not a float.
    UnsupportedArgument
        `indexing` is neither 'ij' nor 'xy'.
    OutsideDomain
        The grid is not of rank 4 or smaller than two pixels; the points are not pairs.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Differences from the reference: none.

    Agreement: equal in eager mode, in float16 and where sizes are unknown; compiled, within 1e-6 on
    values in [-1, 1]. Gradients are not part of the promise.

    Graph: with known sizes, float32 and float64 are compiled with XLA when traced
    (`pipeport.config`). Static shape is kept.

    Source: `tensorflow_addons/image/dense_image_warp.py` 0.23.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.tensorflow_addons.image import interpolate_bilinear
    >>> grid = tf.reshape([1.0, 2.0, 3.0, 4.0], [1, 2, 2, 1])
    >>> interpolate_bilinear(grid, [[[0.5, 0.5], [0.0, 9.0]]]).numpy().ravel().tolist()
    [2.5, 2.0]
    """
    with tf.name_scope(name or "interpolate_bilinear"):
        if tf.is_tensor(indexing) or indexing not in ("ij", "xy"):
            raise UnsupportedArgument(
                explain("indexing", repr(indexing), "'ij', 'xy'", "'ij' means (row, column).")
            )
        grid, points = floats_of(grid, "grid", 4), floats_of(query_points, "query_points", 3)
        batch = grid.shape[0]
        if points.shape[2] not in (2, None) or (batch and points.shape[0] not in (1, batch, None)):
            advice = "One list of pairs for all images, or one per image."
            raise OutsideDomain(
                explain("query_points", f"shape {points.shape}", f"({batch or 'B'}, N, 2)", advice)
            )
        points = tf.ensure_shape(points, [None, None, 2])
        if batch is None:
            points = _arguments.per_image(points, grid, "query_points")
        body = _grid.at_pairs if indexing == "ij" else _grid.at_swapped_pairs
        values = _grid.run(body, _arguments.at_least(2, grid, "grid"), points)
        return tf.ensure_shape(values, [grid.shape[0], points.shape[1], grid.shape[3]])


def floats_of(value: Any, name: str, rank: int | None = None) -> Any:
    """Return a floating tensor, of a rank if one is given."""
    tensor = _arguments.tensor_of(value, name)
    if tensor.dtype.name not in _FLOATS:
        raise WrongType(
            explain(name, f"dtype {tensor.dtype.name}", ", ".join(_FLOATS), "Cast it with tf.cast.")
        )
    return tensor if rank is None else _arguments.of_ranks(tensor, (rank,), f"rank {rank}", name)


def _per_pixel(flow: Any, image: Any) -> Any:
    """Return a flow as (B, H, W, 2): the reference broadcasts it to (1, H, W, 2) and reshapes the result."""
    known, whole = flow.shape, tf.TensorShape([*image.shape[:3], 2])
    if known.is_fully_defined() and known == whole:
        return flow
    allowed, advice = f"{whole} or what broadcasts to it", "Give a vector per pixel, or one for all."
    one = tf.TensorShape([1, *whole[1:]])
    try:
        spread = tf.broadcast_static_shape(known, one)
    except ValueError as error:
        raise OutsideDomain(explain("flow", f"shape {known}", allowed, advice)) from error
    given, needed = spread.num_elements(), whole.num_elements()
    if given is not None and needed is not None and given != needed:
        raise OutsideDomain(explain("flow", f"shape {known}", allowed, advice))
    grid = tf.concat([tf.shape(image)[:3], [2]], axis=0)
    if given is None or needed is None:
        message = explain("flow", "another shape", "one that broadcasts to that of `image`", advice)
        flow = _fitting(flow, grid, message)
    sizes = tf.broadcast_dynamic_shape(tf.shape(flow), tf.concat([[1], grid[1:]], axis=0))
    return tf.ensure_shape(tf.reshape(tf.broadcast_to(flow, sizes), grid), whole)


def _fitting(flow: Any, grid: Any, message: str) -> Any:
    """Check in the graph that a flow broadcasts to one vector per pixel of the batch."""
    padded = tf.concat([tf.ones([4], tf.int32), tf.shape(flow)], axis=0)
    side = tf.equal(padded[-3:], grid[1:]) | tf.equal(padded[-3:], 1)
    fits = tf.reduce_all(side) & tf.equal(tf.reduce_prod(padded[:-3]), grid[0])
    with tf.control_dependencies([tf.debugging.Assert(fits, [message])]):
        return tf.identity(flow)
