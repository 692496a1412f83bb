"""`tensorflow_addons.image.sparse_image_warp`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Image, OneOf, Shaped, Within, replaces
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.inputs.arrays import static_value
from pipeport.tensorflow_addons.image import _arguments
from pipeport.tensorflow_addons.image._dense_image_warp import dense_image_warp
from pipeport.tensorflow_addons.image._interpolate_spline import interpolate_spline, well_conditioned

_FLOATS = ("float32", "float64")


def _valid(arguments: Mapping[str, Any]) -> bool:
    image = np.asarray(arguments["image"])
    source = np.asarray(arguments["source_control_point_locations"])
    target = np.asarray(arguments["dest_control_point_locations"])
    if not image.dtype == source.dtype == target.dtype:
        return False
    edge = _boundary(image.shape[0], image.shape[1], int(arguments.get("num_boundary_points", 0)))
    points = np.concatenate([target, np.broadcast_to(edge, (target.shape[0], *edge.shape))], axis=1)
    order = int(arguments.get("interpolation_order", 2))
    # In units of the region they span, and so is the weight, which stands beside distances.
    span = max(8.0, float(points.max()))
    weight = float(arguments.get("regularization_weight", 0.0)) / span**order
    return well_conditioned(points / span, order, weight)


@replaces(
    "tensorflow_addons.image.sparse_image_warp",
    domain={
        "image": Image(dtypes=_FLOATS, channels=(None, 1, 3), sides=(2, 9), non_finite=False, typical=None),
        "source_control_point_locations": Shaped(
            shape=(1, 5, 2),
            dtypes=_FLOATS,
            values=(0.0, 9.0),
            typical=(((40.0, 50.0), (200.0, 60.0), (60.0, 190.0), (210.0, 205.0), (128.0, 128.0)),),
        ),
        "dest_control_point_locations": Shaped(
            shape=(1, 5, 2),
            dtypes=_FLOATS,
            values=(0.0, 9.0),
            typical=(((45.0, 45.0), (195.0, 66.0), (66.0, 185.0), (205.0, 210.0), (120.0, 131.0)),),
        ),
        "interpolation_order": OneOf(1, 2, 3),
        "regularization_weight": OneOf(0.0, 0.5, 2.0),
        "num_boundary_points": OneOf(0, 1, 2, 3),
        "name": OneOf("sparse_image_warp", None, "pins"),
    },
    agreement=Within(
        2e-3, "a flow from a system of linear equations, in pixels, times the slope of the image"
    ),
    aliases=(
        "tf.contrib.image.sparse_image_warp",
        "tensorflow.contrib.image.sparse_image_warp",
        "tfa.image.sparse_image_warp",
    ),
    valid=_valid,
    returns=("warped_image", "flow_field"),
)
def sparse_image_warp(
    image: Any,
    source_control_point_locations: Any,
    dest_control_point_locations: Any,
    interpolation_order: int = 2,
    regularization_weight: float = 0.0,
    num_boundary_points: int = 0,
    name: str | None = "sparse_image_warp",
) -> tuple[Any, Any]:
    """Warp images so that control points move from one place to another.

    Parameters
    ----------
    image : tf.Tensor, shape (H, W), (H, W, C) or (B, H, W, C), float32 or float64
        H and W are at least two; all sizes and the rank may be unknown while tracing.
    source_control_point_locations : tf.Tensor, shape (B, n, 2), dtype of `image`
        (row, column) of the points in `image`; B is one for a single image.
    dest_control_point_locations : tf.Tensor, shape (B, n, 2), dtype of `image`
        Where the points are in the result.
    interpolation_order : int, default 2
        Order of the spline, as `interpolate_spline` takes it.
    regularization_weight : float, default 0.0
        Weight of smoothness against meeting the points.
    num_boundary_points : int, default 0
        If above zero, the four corners and this many less one points on each edge stay where they are.
    name : str, optional
        Name scope of the operations.

    Returns
    -------
    warped_image : tf.Tensor, shape and dtype of `image`
        The warped image.
    flow_field : tf.Tensor, shape (B, H, W, 2), dtype of `image`
        (rows, columns) by which each pixel came.

    Raises
    ------
    WrongType
        The tensors are not of one dtype, float32 or float64; a number is not a Python number.
    OutsideDomain
        The image has another rank or less than two rows or columns; the points are not pairs.
    tf.errors.InvalidArgumentError
        Sizes do not go together, or the points do not determine a spline.

    Notes
    -----
    Differences from the reference: none.

    Agreement: the same operations as the reference's. The spline's equations amplify rounding, so the
    result is vouched for within 2e-3 where their condition (for coordinates in eighths of a pixel)
    is below 100. Gradients are not part of the promise.

    Graph: the warp itself is compiled with XLA when traced with known sizes (`pipeport.config`), the
    spline is not. Static shape is kept.

    Source: `tensorflow_addons/image/sparse_image_warp.py` 0.23.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.tensorflow_addons.image import sparse_image_warp
    >>> image = tf.reshape(tf.range(9.0), [3, 3])
    >>> corners = tf.constant([[[0.0, 0.0], [0.0, 2.0], [2.0, 0.0], [2.0, 2.0]]])
    >>> warped, flow = sparse_image_warp(image, corners, corners)
    >>> warped.shape, flow.shape
    (TensorShape([3, 3]), TensorShape([1, 3, 3, 2]))
    """
    with tf.name_scope(name or "sparse_image_warp"):
        image = _arguments.tensor_of(image, "image")
        if image.dtype.name not in _FLOATS:
            raise WrongType(explain("image", f"dtype {image.dtype.name}", ", ".join(_FLOATS), "Use tf.cast."))
        allowed = "shape (H, W), (H, W, C) or (B, H, W, C)"
        image = _arguments.of_ranks(image, (2, 3, 4), allowed, "image")
        image, back = _arguments.as_batch(image)
        source = _points(source_control_point_locations, "source_control_point_locations", image)
        target = _points(dest_control_point_locations, "dest_control_point_locations", image)
        flow = _flow(image, source, target, interpolation_order, regularization_weight, num_boundary_points)
        warped = dense_image_warp(image, flow)
        return back(warped), flow


def _points(value: Any, name: str, image: Any) -> Any:
    points = _arguments.tensor_of(value, name)
    if points.dtype != image.dtype:
        raise WrongType(
            explain(name, f"dtype {points.dtype.name}", f"that of image, {image.dtype.name}", "Use tf.cast.")
        )
    if not points.shape.is_compatible_with([image.shape[0], None, 2]):
        allowed = f"shape ({image.shape[0] or 'B'}, n, 2)"
        raise OutsideDomain(explain(name, f"shape {points.shape}", allowed, "Give (row, column) of each."))
    return tf.ensure_shape(points, [None, None, 2])


def _boundary(height: int, width: int, count: int) -> np.ndarray[Any, Any]:
    """Return points (n, 2) along the edge that are to stay where they are."""
    if count <= 0:
        return np.zeros((0, 2), np.float32)
    rows = np.linspace(0, height - 1, count + 1, dtype=np.float32)
    columns = np.linspace(0, width - 1, count + 1, dtype=np.float32)
    y, x = np.meshgrid(rows, columns, indexing="ij")
    edge = (x == 0) | (x == width - 1) | (y == 0) | (y == height - 1)
    return np.stack([y[edge], x[edge]], axis=-1)


def _flow(image: Any, source: Any, target: Any, order: int, weight: float, boundary: int) -> Any:
    batch, height, width = tf.unstack(tf.shape(image)[:3])
    grid = tf.stack(tf.meshgrid(tf.range(height), tf.range(width), indexing="ij"), axis=-1)
    pixels = tf.cast(tf.reshape(grid, [1, -1, 2]), image.dtype)
    moves = target - source
    if _whole(boundary) > 0:
        edge = _edge(image, _whole(boundary))
        target = tf.concat([target, tf.tile(edge, [batch, 1, 1])], axis=1)
        moves = tf.concat([moves, tf.zeros([batch, tf.shape(edge)[1], 2], moves.dtype)], axis=1)
    # One list of pixels serves the whole batch: the products broadcast.
    flow = interpolate_spline(target, moves, pixels, order, weight)
    flow = tf.reshape(flow, [batch, height, width, 2])
    return tf.ensure_shape(flow, [*image.shape[:3], 2])


def _whole(value: Any) -> int:
    known = static_value(value, "num_boundary_points")
    if tf.is_tensor(known) or np.ndim(known):
        given = "a tensor" if tf.is_tensor(known) else repr(value)
        raise WrongType(explain("num_boundary_points", given, "a Python integer", "It shapes the graph."))
    if isinstance(known, bool) or (not isinstance(known, (int, np.integer)) and np.ndim(known) == 0):
        try:
            return int(np.asarray(known).astype(np.int64, casting="safe"))
        except (TypeError, ValueError) as error:
            raise WrongType(
                explain("num_boundary_points", repr(value), "a Python integer", "It shapes the graph.")
            ) from error
    return int(np.asarray(known))


def _edge(image: Any, count: int) -> Any:
    """Return the boundary points (1, n, 2), also for sizes unknown while tracing."""
    height, width = image.shape[1:3]
    if height is not None and width is not None:
        return tf.constant(_boundary(height, width, count)[np.newaxis], image.dtype)
    last = tf.cast(tf.shape(image)[1:3] - 1, tf.float32)
    rows, columns = (tf.linspace(0.0, side, count + 1) for side in tf.unstack(last))
    y, x = tf.meshgrid(rows, columns, indexing="ij")
    edge = tf.equal(x, 0.0) | tf.equal(x, last[1]) | tf.equal(y, 0.0) | tf.equal(y, last[0])
    points = tf.stack([tf.boolean_mask(y, edge), tf.boolean_mask(x, edge)], axis=-1)
    return tf.cast(points, image.dtype)[tf.newaxis]
