"""`tensorflow_addons.image.connected_components`."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.contract import Exact, Image, OneOf, batchable, replaces
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.sampling._components import components
from pipeport.tensorflow_addons.image import _arguments
from pipeport.tensorflow_addons.image._filled import aliases_of

_DTYPES = (
    "bool", "uint8", "int8", "uint16", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64",
)  # fmt: skip


@replaces(
    "tensorflow_addons.image.connected_components",
    domain={
        "images": Image(
            dtypes=tuple(one for one in _DTYPES if one != "bfloat16"), channels=(None, 1, 3), sides=(1, 12)
        ),
        "name": OneOf(None, "parts"),
    },
    agreement=Exact(),
    aliases=aliases_of("connected_components", "connected_components"),
)
@batchable
def connected_components(batch_axes: int, images: Any, name: str | None = None) -> Any:
    """Label the components of images: pixels side by side that have one value, which is not zero.

    Parameters
    ----------
    images : tf.Tensor, shape (H, W) or (N, H, W), bool, integers or floats
        The images; NaN equals no other. Sizes may be unknown while tracing.
    name : str, optional
        Name scope of the operations.

    Returns
    -------
    tf.Tensor, shape of `images`, int32
        The numbers from 1 on, through all images, in the order of the components' first pixels; 0 where the
        pixel is.

    Raises
    ------
    WrongType
        Another dtype, or uint32, uint64.
    OutsideDomain
        The images have another rank, or one that is not known while tracing.

    Notes
    -----
    Agreement: exact.
    Graph: a loop of few rounds over the runs of pixels along rows. Static shape is kept.
    Speed: slower than the reference, which reads each pixel a few times; the fewer runs, the less.

    Source: `tensorflow_addons/image/connected_components.py` 0.23; NaN and dtypes were found by experiment.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.tensorflow_addons.image import connected_components
    >>> connected_components(tf.constant([[7, 7, 0], [5, 0, 5]])).numpy().tolist()
    [[1, 1, 0], [2, 0, 3]]
    """
    x = _arguments.tensor_of(images, "images")
    if x.dtype.name not in _DTYPES:
        raise WrongType(explain("images", f"dtype {x.dtype.name}", ", ".join(_DTYPES), "Cast it."))
    rank = None if x.shape.rank is None else x.shape.rank - batch_axes
    if rank not in (2, 3):
        given = "an unknown rank" if rank is None else f"rank {rank}"
        raise OutsideDomain(explain("images", given, "(H, W) or (N, H, W)", "Use tf.ensure_shape."))
    beside = [(0, 1), (0, -1), (1, 0), (-1, 0)]
    with tf.name_scope(name or "connected_components"):
        inside = tf.not_equal(x, tf.zeros([], x.dtype))
        return components(inside, [(*[0] * (rank - 2), *one) for one in beside], batch_axes, x)[0]
