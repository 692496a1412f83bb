"""flip, fliplr, flipud."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.contract import Array, Axes, Exact, Stock, batchable, replaces, sibling, variant
from pipeport.kernels.inputs.arrays import as_tensor, at_least_rank, limit_rank
from pipeport.kernels.inputs.axes import axis_tuple, shifted

# Plain graph ops: tf.reverse moves 10,029 images of 256x256x3 float32 a second in Dataset.map, the
# same op under XLA 6,651, NumPy in numpy_function 1,787.
_MOST = 8


def _reverse(x: Any, axes: tuple[int, ...]) -> Any:
    return tf.reverse(x, axes) if axes else tf.identity(x)


def _element_rank(x: Any, batch_axes: int) -> int | None:
    return None if x.shape.rank is None else x.shape.rank - batch_axes


def _flip_one(m: Any, axis: int, batch_axes: int) -> Any:
    x = at_least_rank(as_tensor(m, "m"), "m", axis + 1 + batch_axes)
    limit_rank(x, "m", _MOST)
    return tf.reverse(x, [axis + batch_axes])


@replaces(
    "numpy.flip",
    view_of="first",
    domain={"m": Array(), "axis": Axes(of="m", none=True, typical=0)},
    agreement=Exact(),
    stock=Stock("tf.reverse", "", "pipeport.references.stock.flip"),
)
@batchable
def flip(batch_axes: int, m: Any, axis: Any = None) -> Any:
    """Reverse the order of elements along axes.

    Parameters
    ----------
    m : array_like, any shape of rank 8 or less, bool or any number
        The array; sizes and rank may be unknown.
    axis : None, int or tuple of int, default None
        Axes to reverse, each once; negative ones count from the end. None reverses all.

    Returns
    -------
    tf.Tensor, shape and dtype of `m`
        The reversed array.

    Raises
    ------
    BadAxis
        `m` has no such axis.
    UnsupportedArgument
        An axis comes twice, is a tensor unknown while tracing, or the rank is above 8.
    WrongType
        An axis is not a whole number.
    tf.errors.InvalidArgumentError
        `m` of a rank unknown at trace time turns out to lack the axis.

    Notes
    -----
    Agreement: bit for bit, NaN included.
    Graph: one op, no Python at run time; static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.numpy import flip
    >>> flip(tf.constant([[1, 2], [3, 4]]), axis=0).numpy().tolist()
    [[3, 4], [1, 2]]
    """
    x = as_tensor(m, "m")
    limit_rank(x, "m", _MOST)
    rank = _element_rank(x, batch_axes)
    if axis is not None:
        axes = axis_tuple(axis, rank)
        x = at_least_rank(
            x, "m", max([batch_axes, *(a + 1 + batch_axes if a >= 0 else batch_axes - a for a in axes)])
        )
        return _reverse(x, shifted(axes, batch_axes))
    if rank is None:
        return tf.ensure_shape(tf.reverse(x, tf.range(batch_axes, tf.rank(x))), x.shape)
    return _reverse(x, tuple(range(batch_axes, rank + batch_axes)))


@replaces(
    "numpy.fliplr",
    view_of="first",
    domain={"m": Array(ranks=(2, 3, 4))},
    agreement=Exact(),
    stock=Stock(
        "tf.image.flip_left_right",
        "same on (H, W, C); refuses rank 2, and takes rank 4 as a batch",
        "pipeport.references.stock.flip_left_right",
    ),
)
@variant(1)
def fliplr(axis: int, batch_axes: int, m: Any) -> Any:
    """Reverse the columns: mirror an image left to right.

    Parameters
    ----------
    m : array_like, shape (H, W, ...), bool or any number
        Rank 2 to 8; sizes and rank may be unknown.

    Returns
    -------
    tf.Tensor, shape and dtype of `m`
        The array with axis 1 reversed.

    Raises
    ------
    OutsideDomain
        Rank below 2.
    UnsupportedArgument
        Rank above 8.
    tf.errors.InvalidArgumentError
        A rank unknown at trace time turns out to be below 2.

    Notes
    -----
    Agreement: bit for bit, NaN included.
    Graph: one op, no Python at run time; static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.numpy import fliplr
    >>> fliplr(tf.constant([[1, 2], [3, 4]])).numpy().tolist()
    [[2, 1], [4, 3]]
    """
    return _flip_one(m, axis, batch_axes)


flipud = sibling(
    fliplr,
    "flipud",
    0,
    {
        "columns": "rows",
        "left to right": "upside down",
        "(H, W, ...)": "(H, ...)",
        "Rank 2 to": "Rank 1 to",
        "axis 1": "axis 0",
        "Rank below 2": "Rank 0",
        "to be below 2": "to be 0",
        "[[2, 1], [4, 3]]": "[[3, 4], [1, 2]]",
    },
    domain={"m": Array(ranks=(1, 2, 3, 4))},
    stock=Stock(
        "tf.image.flip_up_down",
        "same on (H, W, C); refuses ranks 1 and 2, and takes rank 4 as a batch",
        "pipeport.references.stock.flip_up_down",
    ),
)
