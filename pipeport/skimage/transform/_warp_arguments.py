"""The arguments of `warp`: rank and dtype of the image, matrices, size of the output."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.inputs.arrays import as_tensor
from pipeport.skimage.transform._warp_coords import whole_sizes


def wrong_rank(rank: int | None) -> OutsideDomain:
    """Return the error for an image of that rank."""
    given_rank = "an image of unknown rank" if rank is None else f"an image of rank {rank}"
    advice = "Use tf.ensure_shape for an unknown rank, pipeport.batched(warp) for a batch."
    return OutsideDomain(explain("image", given_rank, "shape (H, W) or (H, W, C)", advice))


def map_of(inverse_map: Any, batched: bool = False) -> Any:
    """Return the matrices (B or 1, 3, 3) of a matrix or a transform, else None."""
    matrix = getattr(inverse_map, "params", inverse_map)
    if callable(matrix):
        return None
    if matrix is None or isinstance(matrix, (str, bytes)):
        allowed = "a matrix (3, 3), a transform, a callable or coordinates"
        raise WrongType(explain("inverse_map", repr(inverse_map), allowed, "See the docstring."))
    try:
        matrix = as_tensor(matrix, "inverse_map")
    except (TypeError, ValueError) as error:
        allowed = "a matrix (3, 3), a transform, a callable or coordinates"
        raise WrongType(explain("inverse_map", type(inverse_map).__name__, allowed, str(error))) from error
    sides = matrix.shape.as_list() if matrix.shape.rank is not None else []
    if matrix.dtype.is_complex or sides[-2:] != [3, 3] or len(sides) not in ((2, 3) if batched else (2,)):
        if hasattr(inverse_map, "params"):
            given_shape = f"a transform with parameters of shape {matrix.shape}"
            raise OutsideDomain(
                explain("inverse_map", given_shape, "a transform of the plane, (3, 3)", "Use two axes.")
            )
        return None
    matrix = tf.cast(matrix, tf.float64)
    return matrix if len(sides) == 3 else matrix[tf.newaxis]


def out_size_of(images: Any, output_shape: Any) -> tuple[Any, Any]:
    """Return height and width of the output: integers, or scalar tensors where not known yet."""
    if output_shape is None:
        static = images.shape[1:3]
        if static.is_fully_defined():
            return static[0], static[1]
        sizes = tf.unstack(tf.shape(images)[1:3])
        return sizes[0], sizes[1]
    sizes = whole_sizes(output_shape, "output_shape")
    channels = images.shape[3]
    if len(sizes) not in (2, 3) or (len(sizes) == 3 and sizes[2] != channels):
        allowed = "height and width, and no other number of channels"
        raise OutsideDomain(explain("output_shape", repr(output_shape), allowed, "Warping keeps channels."))
    if sizes[0] * sizes[1] > 2**31 - 1:
        raise OutsideDomain(
            explain("output_shape", repr(output_shape), f"at most {2**31 - 1} pixels", "Work on pieces.")
        )
    return sizes[0], sizes[1]
