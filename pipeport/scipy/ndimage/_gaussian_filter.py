"""`scipy.ndimage.gaussian_filter` and `gaussian_filter1d`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeport._lazy import tf
from pipeport.contract import AsReference, Image, OneOf, Real, batchable, replaces
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs.integers import whole_number
from pipeport.kernels.sampling._gaussian import (
    LEAST,
    Gaussian,
    blurred,
    radius_of,
    reach_of,
    sigma_of,
    unstacked,
)
from pipeport.scipy.ndimage import _arguments as arguments
from pipeport.scipy.ndimage import _filter_arguments as filters


def _gaussian(axis: int, sigma: Any, order: Any, mode: Any, reach: float, radius: Any) -> Gaussian:
    far = radius_of(sigma, reach) if radius is None else whole_number(radius, "radius", least=0)
    return Gaussian(axis, filters.rule_of(mode), sigma, far, whole_number(order, "order", least=0))


def _valid(call: Mapping[str, Any]) -> bool:
    # Derivatives of a narrow Gaussian have large weights.
    return filters.is_valid(call, 1.0 if call.get("order", 0) == 0 else 1e4)


_DOMAIN = {
    "input": Image(dtypes=filters.DTYPES, sides=(1, 9)),
    "sigma": Real(0.05, 12.0, typical=1.0, tensor=True),
    "order": OneOf(0, 0, 1, 2, 3, typical=0),
    "output": filters.OUTPUTS,
    "mode": filters.MODES,
    "cval": arguments.CVALS,
    "truncate": OneOf(4.0, 2.5, 1, typical=4.0),
    "radius": OneOf(None, None, 0, 2, typical=None),
}


@replaces(
    "scipy.ndimage.gaussian_filter1d",
    domain={"axis": OneOf(-1, 0, 1), **_DOMAIN},
    agreement=AsReference(
        coordinates_of="input",
        discontinuities="pipeport.references.discontinuities_filters.gaussian_filter1d",
    ),
    valid=_valid,
    differences=filters.differences({"sigma": 1.0}),
)
@batchable
def gaussian_filter1d(
    batch_axes: int,
    input: Any,
    sigma: Any,
    axis: int = -1,
    order: int = 0,
    output: Any = None,
    mode: str = "reflect",
    cval: float = 0.0,
    truncate: float = 4.0,
    *,
    radius: int | None = None,
) -> Any:
    """Smooth an array along one axis with a Gaussian, or with a derivative of one.

    Parameters
    ----------
    input : tf.Tensor, 1 to 5 axes, bool, integers, float32 or float64
        The array. Sizes may be unknown while tracing.
    sigma : float or tf.Tensor
        Standard deviation in elements, above 0.
    axis : int, default -1
        The axis.
    order : int, default 0
        0 smooths; more is the order of the derivative.
    output : dtype, optional
        Dtype of the result; the input's when None. Integers lose their fraction and wrap around.
        An array to write into is refused.
    mode : str, default 'reflect'
        The border mode, see `correlate1d`.
    cval : float, default 0.0
        Value beyond the ends in mode 'constant'.
    truncate : float, default 4.0
        How many standard deviations the weights reach.
    radius : int, optional
        How many elements the weights reach, instead of `truncate`.

    Returns
    -------
    tf.Tensor, dtype of `input` or `output`, shape of `input`
        The smoothed array.

    Raises
    ------
    BadAxis
        The array has no such axis.
    UnsupportedArgument
        A `mode` not listed, a bool result, an array as `output`, an unknown rank, or a tensor where a
        Python value is needed.
    OutsideDomain
        `sigma` is not a finite number above 0; `order`, `radius` or `truncate` is negative.
    WrongType
        An argument is not a number where one is needed, for instance text.
    tf.errors.InvalidArgumentError
        `sigma` turns out to be NaN or infinite.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64. Integers are equal where `sigma`
    is known while tracing; where it is a tensor, a sum that should be a whole number may lie on its other
    side. A NaN with an integer output is outside the domain.
    Graph: one compiled program where sizes and `sigma` are known, else a loop over the weights. Static shape
    is kept.
    Speed: with a tensor as `sigma` slower than SciPy in `tf.numpy_function`, else faster.

    Source: `scipy/ndimage/_filters.py` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.ndimage import gaussian_filter1d
    >>> gaussian_filter1d(tf.constant([0.0, 0.0, 100.0, 0.0, 0.0]), 0.5).numpy().round().tolist()
    [0.0, 11.0, 79.0, 11.0, 0.0]
    """
    array = filters.array_of(input, 1, batch_axes)
    dtype = filters.dtype_of_result(output, array.dtype)
    place = filters.axis_of(axis, array.shape.rank - batch_axes) + batch_axes
    deviation = sigma_of(sigma, batch_axes)
    if not tf.is_tensor(deviation) and not deviation * deviation > 0:
        advice = "gaussian_filter leaves axes with a sigma of 0 as they are."
        raise OutsideDomain(explain("sigma", repr(deviation), "a number above 0", advice))
    fill = arguments.fill_of(cval, dtype)
    along = _gaussian(place, deviation, order, mode, reach_of(truncate), radius)
    return blurred(array, [along], fill, dtype)


@replaces(
    "scipy.ndimage.gaussian_filter",
    domain={**_DOMAIN, "axes": filters.AXES},
    agreement=AsReference(
        coordinates_of="input", discontinuities="pipeport.references.discontinuities_filters.gaussian_filter"
    ),
    valid=_valid,
    differences=filters.differences({"sigma": 1.0}),
)
@batchable
def gaussian_filter(
    batch_axes: int,
    input: Any,
    sigma: Any,
    order: Any = 0,
    output: Any = None,
    mode: Any = "reflect",
    cval: float = 0.0,
    truncate: float = 4.0,
    *,
    radius: Any = None,
    axes: Any = None,
) -> Any:
    """Smooth an array with a Gaussian along each axis, or with derivatives of one.

    Parameters
    ----------
    input : tf.Tensor, up to 5 axes, bool, integers, float32 or float64
        The array. Sizes may be unknown while tracing.
    sigma : float or tf.Tensor, or one per axis
        Standard deviations in elements. Axes with 0 or less are left as they are.
    order : int or one per axis, default 0
        0 smooths; more is the order of the derivative.
    output : dtype, optional
        Dtype of the result and of what is kept between two axes; the input's when None. Integers lose
        their fraction at each axis, and wrap around. An array to write into is refused.
    mode : str or one per axis, default 'reflect'
        The border mode, see `correlate1d`.
    cval : float, default 0.0
        Value beyond the ends in mode 'constant'.
    truncate : float, default 4.0
        How many standard deviations the weights reach.
    radius : int or one per axis, optional
        How many elements the weights reach, instead of `truncate`.
    axes : int or sequence of int, optional
        The axes that are filtered; all when None.

    Returns
    -------
    tf.Tensor, dtype of `input` or `output`, shape of `input`
        The smoothed array.

    Raises
    ------
    BadAxis
        The array has no such axis.
    UnsupportedArgument
        A `mode` not listed, a bool result, an array as `output`, an unknown rank, or a tensor where a
        Python value is needed.
    OutsideDomain
        A `sigma` is not finite; `order`, `radius` or `truncate` is negative; another number of values than
        axes that are filtered.
    WrongType
        An argument is not a number where one is needed, for instance text.
    tf.errors.InvalidArgumentError
        A `sigma` turns out to be NaN or infinite.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64, see `gaussian_filter1d`.
    Graph: one compiled program per axis where sizes and `sigma` are known, else a loop over the weights.
    Static shape is kept.
    Speed: with a tensor as `sigma` slower than SciPy in `tf.numpy_function`, else faster.

    Source: `scipy/ndimage/_filters.py` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.ndimage import gaussian_filter
    >>> image = tf.pad(tf.constant([[100.0]]), [[1, 1], [1, 1]])
    >>> gaussian_filter(image, 0.5).numpy().round().tolist()
    [[1.0, 8.0, 1.0], [8.0, 62.0, 8.0], [1.0, 8.0, 1.0]]
    """
    array = filters.array_of(input, 0, batch_axes)
    dtype = filters.dtype_of_result(output, array.dtype)
    places = filters.axes_of(axes, array.shape.rank - batch_axes)
    fill, reach = arguments.fill_of(cval, dtype), reach_of(truncate)
    per_axis = [
        filters.per_axis(value, len(places), name)
        for name, value in (
            ("sigma", unstacked(sigma, batch_axes)), ("order", order), ("mode", mode), ("radius", radius),
        )
    ]  # fmt: skip
    along = [
        _gaussian(place + batch_axes, deviation, derivative, rule, reach, far)
        for place, one, derivative, rule, far in zip(places, *per_axis, strict=True)
        if tf.is_tensor(deviation := sigma_of(one, batch_axes)) or deviation > LEAST
    ]
    return blurred(array, along, fill, dtype)
