"""`dense_image_warp` and `interpolate_bilinear` of `tensorflow_addons.image`."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.contract import OneOf, Shaped, Within, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels import _tfa_grid
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
    proven_against=">=0.23,<0.24",
    aliases=(
        "tf.contrib.image.dense_image_warp",
        "tensorflow.contrib.image.dense_image_warp",
        "tfa.image.dense_image_warp",
    ),
    environment="addons",
)
def dense_image_warp(image: Any, flow: Any, name: str | None = None) -> Any:
    """Warp images by a field of vectors, bilinearly.

    Native equivalent of `tensorflow_addons.image.dense_image_warp`.

    Parameters
    ----------
    image : tf.Tensor, shape (B, H, W, C), float16, float32 or float64
        H and W are at least two; all sizes may be unknown while tracing.
    flow : tf.Tensor, shape (B, H, W, 2), float16, float32 or float64
        (rows, columns): the result at (y, x) is the image at (y - rows, x - columns). Points outside
        take the edge.
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
        The image is not of rank 4, is smaller than two pixels, or has another shape than the flow.
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
        image, flow = floats_of(image, 4, "image"), floats_of(flow, 4, "flow")
        expected = tf.TensorShape([*image.shape[:3], 2])
        if not flow.shape.is_compatible_with(expected):
            raise OutsideDomain(
                explain("flow", f"shape {flow.shape}", str(expected), "One vector per pixel of the image.")
            )
        flow = _same(flow, image, expected)
        warped = _tfa_grid.run(_tfa_grid.warped, _two_pixels(image, "image"), flow)
        return tf.ensure_shape(warped, [*flow.shape[:3], image.shape[3]])


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
    proven_against=">=0.23,<0.24",
    aliases=(
        "tf.contrib.image.interpolate_bilinear",
        "tfa.image.interpolate_bilinear",
        "tensorflow_addons.image.dense_image_warp.interpolate_bilinear",
    ),
    environment="addons",
    bench=False,
)
def interpolate_bilinear(grid: Any, query_points: Any, indexing: str = "ij", name: str | None = None) -> Any:
    """Interpolate images bilinearly at points.

    Native equivalent of `tensorflow_addons.image.interpolate_bilinear`.

    Parameters
    ----------
    grid : tf.Tensor, shape (B, H, W, C), float16, float32 or float64
        H and W are at least two; all sizes may be unknown while tracing.
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
        if indexing not in ("ij", "xy"):
            raise UnsupportedArgument(
                explain("indexing", repr(indexing), "'ij', 'xy'", "'ij' means (row, column).")
            )
        grid, points = floats_of(grid, 4, "grid"), floats_of(query_points, 3, "query_points")
        batch = grid.shape[0]
        if points.shape[2] not in (2, None) or (batch and points.shape[0] not in (1, batch, None)):
            advice = "One list of pairs for all images, or one per image."
            raise OutsideDomain(
                explain("query_points", f"shape {points.shape}", f"({batch or 'B'}, N, 2)", advice)
            )
        points = tf.ensure_shape(points, [None, None, 2])
        if batch is None:
            points = _arguments.per_image(points, grid, "query_points")
        body = _tfa_grid.at_pairs if indexing == "ij" else _tfa_grid.at_swapped_pairs
        values = _tfa_grid.run(body, _two_pixels(grid, "grid"), points)
        return tf.ensure_shape(values, [grid.shape[0], points.shape[1], grid.shape[3]])


def floats_of(value: Any, rank: int, name: str) -> Any:
    """Return a floating tensor of a rank."""
    tensor = _arguments.tensor_of(value, name)
    if tensor.dtype.name not in _FLOATS:
        raise WrongType(
            explain(name, f"dtype {tensor.dtype.name}", ", ".join(_FLOATS), "Cast it with tf.cast.")
        )
    if tensor.shape.rank != rank:
        given = "an unknown rank" if tensor.shape.rank is None else f"rank {tensor.shape.rank}"
        raise OutsideDomain(explain(name, given, f"rank {rank}", "Use tf.ensure_shape or tf.reshape."))
    return tensor


def _same(flow: Any, image: Any, expected: Any) -> Any:
    """Check shapes that are unknown while tracing; a flow of one image would be broadcast."""
    if not (flow.shape.is_fully_defined() and expected.is_fully_defined()):
        message = explain("flow", "another shape", "one vector per pixel of the image", "See `flow`'s shape.")
        shapes = tf.shape(flow)[:3], tf.shape(image)[:3]
        with tf.control_dependencies([tf.debugging.assert_equal(*shapes, message)]):
            flow = tf.identity(flow)
    return tf.ensure_shape(flow, expected)


def _two_pixels(images: Any, name: str) -> Any:
    """Refuse images of less than two rows or columns, now or when the graph runs."""
    size, advice = images.shape[1:3], "Nothing lies between the pixels of a single row."
    if any(side is not None and side < 2 for side in size):
        raise OutsideDomain(explain(name, f"shape {images.shape}", "two rows and columns or more", advice))
    if size.is_fully_defined():
        return images
    message = explain(name, "a single row or column", "two rows and columns or more", advice)
    check = tf.debugging.assert_greater_equal(tf.shape(images)[1:3], 2, message)
    with tf.control_dependencies([check]):
        return tf.identity(images)
