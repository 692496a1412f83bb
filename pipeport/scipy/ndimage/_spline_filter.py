"""`scipy.ndimage.spline_filter1d` and `spline_filter`."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Array, AsReference, Axes, OneOf, batchable, replaces
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs._ranges import assigned
from pipeport.kernels.inputs.axes import axis_tuple
from pipeport.kernels.sampling import _ndimage_borders as borders
from pipeport.kernels.sampling import _spline
from pipeport.scipy.ndimage import _arguments as arguments

_DRAWN = ("uint8", "int16", "int32", "float32", "float64")
_OUTPUTS = OneOf("float64", "float32")


@replaces(
    "scipy.ndimage.spline_filter1d",
    domain={
        "input": Array(dtypes=_DRAWN, ranks=(1, 2, 3), sides=(1, 9), values=(-1.0, 1.0)),
        "order": arguments.ORDERS,
        "axis": Axes(of="input", several=False),
        "output": _OUTPUTS,
        "mode": arguments.MODE_SPEC,
    },
    agreement=AsReference(coordinates_of="input"),
    valid=arguments.is_finite_or_nan,
)
@batchable
def spline_filter1d(
    batch_axes: int,
    input: Any,
    order: int = 3,
    axis: int = -1,
    output: Any = np.float64,
    mode: str = "mirror",
) -> Any:
    """Return the spline coefficients of the lines along one axis.

    Parameters
    ----------
    input : tf.Tensor, 8 axes at most, bool, integers, float32 or float64
        Values. Sizes may be unknown while tracing.
    order : {0, 1, 2, 3, 4, 5}, default 3
        Order of the spline; 0 and 1 leave the values as they are.
    axis : int, default -1
        The axis.
    output : dtype, default float64
        Dtype of the result, read as NumPy reads it; fractions are cut off for integers. An array to
        write into is refused.
    mode : str, default 'mirror'
        Border mode, as SciPy names them; the boundary condition of the filter follows from it.

    Returns
    -------
    tf.Tensor, shape of `input`, dtype `output`
        Coefficients.

    Raises
    ------
    UnsupportedArgument
        `order` above 5, a `mode` not listed, an array or bool as `output`, an unknown rank or more
        than 8 axes.
    OutsideDomain
        `input` is of a dtype SciPy does not take.
    BadAxis
        `input` has no such axis.
    WrongType
        An argument is not a number where one is needed, for instance text.

    Notes
    -----
    Infinities are outside the domain: the recursion makes both NaN and infinities of them.

    Agreement: as accurate as the reference, judged against it in float64.
    `pipeport.config.scipy` decides whether short axes of 'reflect' are filtered as in SciPy 1.17 or 1.18.

    Graph: one tridiagonal solve per pole of the spline. Static shape is kept.

    Source: `scipy/ndimage/_interpolation.py` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.ndimage import spline_filter1d
    >>> spline_filter1d(tf.constant([0.0, 1.0, 0.0])).numpy().round(6).tolist()
    [-1.0, 2.0, -1.0]
    """
    values = arguments.array_of(input, least=0, batch_axes=batch_axes, most=arguments.MOST_READ)
    rank = values.shape.rank - batch_axes
    if arguments.order_of(order, least=0) < 2 and rank == 0:
        return _filtered(values, order, (), output, mode, least=0)  # as SciPy does, whatever the axis
    (place,) = axis_tuple(axis, rank, "axis")
    return _filtered(values, order, (place + batch_axes,), output, mode, least=0)


@replaces(
    "scipy.ndimage.spline_filter",
    domain={
        "input": Array(dtypes=_DRAWN, ranks=(1, 2, 3), sides=(1, 9), values=(-1.0, 1.0)),
        "order": OneOf(2, 3, 4, 5),
        "output": _OUTPUTS,
        "mode": arguments.MODE_SPEC,
    },
    agreement=AsReference(coordinates_of="input"),
    valid=arguments.is_finite_or_nan,
)
@batchable
def spline_filter(
    batch_axes: int, input: Any, order: int = 3, output: Any = np.float64, mode: str = "mirror"
) -> Any:
    """Return the spline coefficients of an array, along all its axes.

    Native equivalent of `scipy.ndimage.spline_filter`. Filter once and sample often with
    ``prefilter=False``.

    Parameters
    ----------
    input : tf.Tensor, 8 axes at most, bool, integers, float32 or float64
        Values. Sizes may be unknown while tracing.
    order : {2, 3, 4, 5}, default 3
        Order of the spline.
    output : dtype, default float64
        Dtype of the result, read as NumPy reads it; fractions are cut off for integers. An array to
        write into is refused.
    mode : str, default 'mirror'
        Border mode, as SciPy names them; the boundary condition of the filter follows from it.

    Returns
    -------
    tf.Tensor, shape of `input`, dtype `output`
        Coefficients.

    Raises
    ------
    UnsupportedArgument
        `order` not from 2 to 5, a `mode` not listed, an array or bool as `output`, an unknown rank
        or more than 8 axes.
    OutsideDomain
        `input` is of a dtype SciPy does not take.
    WrongType
        An argument is not a number where one is needed, for instance text.

    Notes
    -----
    Infinities are outside the domain: the recursion makes both NaN and infinities of them.

    Agreement: as accurate as the reference, judged against it in float64.
    `pipeport.config.scipy` decides whether short axes of 'reflect' are filtered as in SciPy 1.17 or 1.18.

    Graph: one tridiagonal solve per pole and axis. Static shape is kept.

    Source: `scipy/ndimage/_interpolation.py` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.ndimage import spline_filter
    >>> spline_filter(tf.constant([0.0, 1.0, 0.0])).numpy().round(6).tolist()
    [-1.0, 2.0, -1.0]
    """
    values = arguments.array_of(input, least=0, batch_axes=batch_axes, most=arguments.MOST_READ)
    return _filtered(values, order, tuple(range(batch_axes, values.shape.rank)), output, mode, least=2)


def _filtered(values: Any, order: Any, axes: tuple[int, ...], output: Any, mode: Any, least: int) -> Any:
    order = arguments.order_of(order, least)
    _checks.word(
        mode,
        borders.MODES,
        "mode",
        "'reflect' repeats the edge pixel, 'mirror' does not.",
        error=UnsupportedArgument,
    )
    dtype = arguments.output_dtype(output, values.dtype)
    if order < 2 or not axes:
        return assigned(values, dtype)
    if dtype.is_bool:
        advice = "Coefficients are not truth values: give a float dtype."
        raise UnsupportedArgument(explain("output", "bool", "a dtype of numbers", advice))
    for axis in axes:
        # Every axis is stored in the output's dtype before the next one is read; fractions are cut off.
        values = assigned(_spline.coefficients(tf.cast(values, tf.float64), order, mode, [axis]), dtype)
    return values
