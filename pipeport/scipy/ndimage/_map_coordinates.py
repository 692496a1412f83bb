"""`scipy.ndimage.map_coordinates`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Array, Difference, Shaped, batchable, replaces
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor, limit_rank
from pipeport.kernels.sampling._interpolate import Plan, sample
from pipeport.kernels.sampling._maps import given
from pipeport.scipy.ndimage import _arguments as arguments


def _not_finite(call: Mapping[str, Any]) -> bool:
    coordinates = np.asarray(call["coordinates"])
    return coordinates.dtype.kind == "f" and not bool(np.isfinite(coordinates).all())


@replaces(
    "scipy.ndimage.map_coordinates",
    domain={
        "input": Array(dtypes=arguments.DRAWN, ranks=(1, 2, 3), sides=(1, 7), values=(-1.0, 1.0)),
        "coordinates": Shaped(
            shape=("input.ndim", (1, 6), (1, 4)),
            dtypes=("float64", "float32", "int32"),
            values=(-12.0, 20.0),
            tensor=True,
            per_image=True,
            typical="pipeport.references.maps_ndimage.elastic",
        ),
        **arguments.SAMPLED,
    },
    agreement=arguments.agreement("map_coordinates"),
    valid=arguments.is_valid,
    differences=(
        Difference(
            "NaN and infinite coordinates read `cval`, or the border pixel an infinity points to; what the "
            "reference reads there depends on the mode and the machine.",
            witness=lambda: {
                "input": np.ones(4, np.float32),
                "coordinates": np.array([[np.nan, 1.0]]),
                "mode": "nearest",
                "order": 1,
            },
            applies=_not_finite,
            only={"coordinates": "f"},
        ),
        *arguments.differences({"coordinates": np.array([[0.5], [1.0]])}),
    ),
)
@batchable
def map_coordinates(
    batch_axes: int,
    input: Any,
    coordinates: Any,
    output: Any = None,
    order: int = 3,
    mode: str = "constant",
    cval: float = 0.0,
    prefilter: bool = True,
) -> Any:
    """Read an array at given coordinates.

    Parameters
    ----------
    input : tf.Tensor, 1 to 8 axes, bool, integers, float32 or float64
        Image, image with channels or volume. Sizes may be unknown while tracing.
    coordinates : array_like or tensor, shape (rank of input, ...), real
        Along the first axis one coordinate per axis of `input`, in pixels; used as float64. Up to 6
        axes follow.
    output : dtype, optional
        Dtype of the result, read as NumPy reads it; the input's when None. Integers are rounded,
        halves away from zero, and saturated; bool, for order 0 alone, is True where the number
        without its fraction is not 0. An array to write into is refused.
    order : {0, 1, 2, 3, 4, 5}, default 3
        Order of the spline.
    mode : str, default 'constant'
        'reflect' (or 'grid-mirror'), 'constant', 'grid-constant', 'nearest', 'mirror',
        'grid-wrap' or 'wrap', as SciPy names them.
    cval : float, default 0.0
        Value outside the input in modes 'constant' and 'grid-constant'.
    prefilter : bool, default True
        Whether `input` is turned into spline coefficients first; False if it holds them already.

    Returns
    -------
    tf.Tensor, dtype of `input` or `output`, shape ``coordinates.shape[1:]``
        The values there.

    Raises
    ------
    UnsupportedArgument
        `order` above 5, a `mode` not listed, order above 0 for a bool result, an array as `output`,
        an unknown rank or too many axes, or a tensor where a Python value is needed.
    OutsideDomain
        `input` is empty or of a dtype SciPy does not take, or `coordinates` have another first
        size than the rank of `input`, or no further axis.
    WrongType
        `coordinates` are complex, or an argument is of no use at all, for instance text.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Integers of 64 bits beyond 2**53 keep their value under order 0; the reference rounds them to float64.

    Infinite pixels under the spline filter (orders 2 to 5), and NaN with an integer output, are outside
    the domain: what they become depends on the order of operations.

    Agreement: as accurate as the reference, judged against it in float64.
    `pipeport.config.scipy` decides whether short axes of 'reflect' are filtered as in SciPy 1.17 or 1.18.

    Graph: the spline filter is one tridiagonal solve per pole and axis; the sampling is compiled with
    XLA when traced with static sizes (`pipeport.config`). Static shape is kept.

    Source: `scipy/ndimage/_interpolation.py` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.ndimage import map_coordinates
    >>> map_coordinates(tf.constant([0.0, 2.0, 4.0]), [[0.5, 1.25]], order=1).numpy().tolist()
    [1.0, 2.5]
    """
    images = arguments.array_of(input, batch_axes=batch_axes, most=arguments.MOST_READ)
    where = _coordinates(coordinates, images.shape.rank - batch_axes, batch_axes)
    settings = arguments.common(images, output, order, mode, cval, prefilter)
    if batch_axes:
        return _sampled(images, where, settings)
    return tf.squeeze(_sampled(images[tf.newaxis], where[tf.newaxis], settings), [0])


def _coordinates(coordinates: Any, rank: int, batch_axes: int = 0) -> Any:
    where = as_tensor(coordinates, "coordinates")
    if where.dtype.is_complex:
        raise WrongType(
            explain("coordinates", f"dtype {where.dtype.name}", "real numbers", "Take the real part.")
        )
    given_rank = where.shape.rank
    if given_rank is None or given_rank < 2 + batch_axes or where.shape[batch_axes] not in (rank, None):
        allowed = f"shape ({rank}, ...) with at least two axes"
        advice = "One row of coordinates per axis of input."
        raise OutsideDomain(explain("coordinates", f"shape {where.shape[batch_axes:]}", allowed, advice))
    limit_rank(where, "coordinates", arguments.MOST_AXES + 1 + batch_axes)
    if where.shape[batch_axes] is None:
        shape = where.shape.as_list()
        shape[batch_axes] = rank
        where = tf.ensure_shape(where, shape)
    return tf.cast(where, tf.float64)


def _sampled(images: Any, where: Any, settings: arguments.Common) -> Any:
    images = _checks.not_empty(images, "input", element=slice(1, None))
    out = tuple(
        tf.shape(where)[axis + 2] if side is None else side for axis, side in enumerate(where.shape[2:])
    )
    plan = Plan(given, settings.order, settings.mode, settings.compute, settings.dtype, settings.prefilter)
    return tf.squeeze(sample(plan, images[..., tf.newaxis], (where,), settings.cval, out), [-1])
