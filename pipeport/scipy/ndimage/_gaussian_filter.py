"""`scipy.ndimage.gaussian_filter` and `gaussian_filter1d`."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import AsReference, Image, OneOf, Real, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs._checks import finite, finite_scalar
from pipeport.kernels.inputs.arrays import static_value
from pipeport.kernels.sampling._correlation import Line, correlated, correlated_by_tensor
from pipeport.kernels.sampling._smoothing import gaussian_weights
from pipeport.scipy.ndimage import _arguments as arguments
from pipeport.scipy.ndimage import _filter_arguments as filters

# Axes with a smaller sigma are left as they are.
_LEAST = 1e-15


def _polynomial(order: int, variance: Any) -> list[Any]:
    """Return the coefficients of q(x), by which a Gaussian is multiplied in its derivative of some order."""
    inverse = 1.0 / -variance
    factors: list[Any] = [1.0] + [0.0] * order
    for _ in range(order):
        risen = [(power + 1) * factors[power + 1] for power in range(order)] + [0.0]
        sunk = [0.0] + [factors[power] * inverse for power in range(order)]
        factors = [first + second for first, second in zip(risen, sunk, strict=True)]
    return factors


def _weights(sigma: float, order: int, radius: int) -> tuple[float, ...]:
    """Return the weights to correlate with, as SciPy computes them."""
    phi = gaussian_weights(sigma, radius)
    if order:
        x = np.arange(-radius, radius + 1)
        phi = (x[:, None] ** np.arange(order + 1)).dot(_polynomial(order, sigma * sigma)) * phi
    return tuple(phi[::-1].tolist())


def _half_of_tensor(sigma: Any, order: int, radius: Any) -> Any:
    """Return the weights of the middle and of what comes before it: (R + 1,), of sigmas (B,) (B, R + 1)."""
    sigma, radius = sigma[..., tf.newaxis], tf.convert_to_tensor(radius)
    variance = tf.maximum(sigma * sigma, tf.constant(1e-300, tf.float64))
    far = tf.range(tf.reduce_max(radius) + 1)
    x = tf.cast(far, tf.float64)
    phi = tf.exp(tf.constant(-0.5, tf.float64) / variance * x * x)
    phi = tf.where(far <= radius[..., tf.newaxis], phi, tf.zeros([], tf.float64))
    phi = phi / (2 * tf.reduce_sum(phi, -1, keepdims=True) - phi[..., :1])
    if order:
        phi *= sum(
            tf.cast(factor, tf.float64) * x**power
            for power, factor in enumerate(_polynomial(order, variance))
        )
    return phi


def _radius_of(sigma: Any, truncate: Any, radius: Any) -> Any:
    if radius is not None:
        return filters.whole(radius, "radius", least=0)
    if tf.is_tensor(sigma):
        return tf.cast(truncate * sigma + 0.5, tf.int32)
    found = int(truncate * sigma + 0.5)
    if found < 0:
        advice = "Give positive ones."
        raise OutsideDomain(explain("truncate", str(truncate), "a radius of 0 or more", advice))
    return found


def _reach_of(truncate: Any) -> float:
    """Return how many standard deviations the weights reach, a number known while tracing."""
    value = static_value(truncate, "truncate")
    if tf.is_tensor(value):
        advice = "It shapes the graph: give a Python number."
        raise UnsupportedArgument(explain("truncate", "a tensor", "a number known while tracing", advice))
    value = value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value
    return float(finite_scalar(value, "truncate"))


def _sigma_of(value: Any, batch_axes: int) -> Any:
    """Return a sigma as a Python float, or as a checked tensor: one, or one per element."""
    value = static_value(value, "sigma")
    if batch_axes and isinstance(value, np.ndarray) and value.ndim == 1:
        value = tf.constant(value)
    if isinstance(value, (np.ndarray, np.generic)):
        if np.ndim(value):
            advice = "Give one number per axis that is filtered."
            raise OutsideDomain(explain("sigma", f"shape {np.shape(value)}", "one number", advice))
        value = value.item()
    if tf.is_tensor(value):
        if value.shape.rank is None or value.shape.rank > batch_axes:
            advice = "Give one number per axis that is filtered."
            raise OutsideDomain(explain("sigma", f"shape {value.shape}", "one number", advice))
        return finite(tf.cast(value, tf.float64), "sigma", "a finite number")
    if isinstance(value, (bool, str, bytes)) or not isinstance(value, numbers.Real):
        raise WrongType(explain("sigma", repr(value), "a real number", "Give a standard deviation."))
    if not math.isfinite(value):
        raise OutsideDomain(explain("sigma", repr(value), "a finite number", "Give a standard deviation."))
    return float(value)


def _filtered(
    x: Any, axis: int, sigma: Any, order: Any, mode: Any, cval: Any, truncate: Any, radius: Any, dtype: Any
) -> Any:
    rule, derivative = filters.rule_of(mode), filters.whole(order, "order", least=0)
    reach = _radius_of(sigma, truncate, radius)
    if tf.is_tensor(sigma):
        reach = tf.broadcast_to(reach, tf.shape(sigma))
        half = _half_of_tensor(sigma, derivative, reach)
        return correlated_by_tensor(x, axis, rule, half, reach, derivative % 2 == 1, cval, dtype)
    return correlated(x, [Line(axis, rule, _weights(sigma, derivative, reach))], cval, dtype)


def _valid(call: Mapping[str, Any]) -> bool:
    # Derivatives of a narrow Gaussian have large weights.
    return filters.is_valid(call, 1.0 if call.get("order", 0) == 0 else 1e4)


_DOMAIN = {
    "input": Image(dtypes=filters.DTYPES, sides=(1, 9)),
    "sigma": Real(0.05, 2.5, typical=1.0, tensor=True),
    "order": OneOf(0, 0, 1, 2, 3, typical=0),
    "output": filters.OUTPUTS,
    "mode": filters.MODES,
    "cval": arguments.CVALS,
    "truncate": OneOf(4.0, 2.5, 1, typical=4.0),
    "radius": OneOf(None, None, 0, 2, typical=None),
}


def _along_one(
    x: Any,
    sigma: Any,
    axis: Any,
    order: Any,
    output: Any,
    mode: Any,
    cval: Any,
    truncate: Any,
    radius: Any,
    batch_axes: int,
) -> Any:
    array = filters.array_of(x, 1, batch_axes)
    dtype = filters.dtype_of_result(output, array.dtype)
    place = filters.axis_of(axis, array.shape.rank - batch_axes) + batch_axes
    deviation = _sigma_of(sigma, batch_axes)
    if not tf.is_tensor(deviation) and not deviation * deviation > 0:
        advice = "gaussian_filter leaves axes with a sigma of 0 as they are."
        raise OutsideDomain(explain("sigma", repr(deviation), "a number above 0", advice))
    fill = arguments.fill_of(cval, dtype)
    reach = _reach_of(truncate)
    return _filtered(array, place, deviation, order, mode, fill, reach, radius, dtype)


def _unstacked(sigma: Any, batch_axes: int) -> Any:
    """Return one sigma per axis of an array or a tensor of them; with a batch (B,) is one per element."""
    value = static_value(sigma, "sigma")
    array = tf.is_tensor(value) or isinstance(value, np.ndarray)
    if array and len(value.shape) == batch_axes + 1 and value.shape[-1] is not None:
        return (
            tf.unstack(tf.convert_to_tensor(value), axis=-1)
            if tf.is_tensor(value) or batch_axes
            else list(value)
        )
    # A sequence of a batch's array would be one per axis.
    return tf.convert_to_tensor(value) if array and batch_axes else value


@replaces(
    "scipy.ndimage.gaussian_filter1d",
    implementation=_along_one,
    domain={"axis": OneOf(-1, 0, 1), **_DOMAIN},
    agreement=AsReference(
        coordinates_of="input",
        discontinuities="pipeport.references.discontinuities_filters.gaussian_filter1d",
    ),
    proven_against=">=1.14",
    valid=_valid,
    differences=filters.differences({"sigma": 1.0}),
)
def gaussian_filter1d(
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

    Native equivalent of `scipy.ndimage.gaussian_filter1d`.

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
        An argument is of no use at all, for instance text.
    tf.errors.InvalidArgumentError
        `sigma` turns out to be NaN or infinite.

    Notes
    -----
    Differences from the reference:

    - A bool result is refused; the reference cuts fractions off, and where a sum should be 1 rounding
      decides.

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
    return _along_one(input, sigma, axis, order, output, mode, cval, truncate, radius, 0)


def _along_all(
    x: Any,
    sigma: Any,
    order: Any,
    output: Any,
    mode: Any,
    cval: Any,
    truncate: Any,
    radius: Any,
    axes: Any,
    batch_axes: int,
) -> Any:
    array = filters.array_of(x, 0, batch_axes)
    dtype = filters.dtype_of_result(output, array.dtype)
    places = filters.axes_of(axes, array.shape.rank - batch_axes)
    fill, reach = arguments.fill_of(cval, dtype), _reach_of(truncate)
    per_axis = [
        filters.per_axis(value, len(places), name)
        for name, value in (
            ("sigma", _unstacked(sigma, batch_axes)), ("order", order), ("mode", mode), ("radius", radius),
        )
    ]  # fmt: skip
    lines: list[Line] = []
    values = array
    for place, one, derivative, rule, far in zip(places, *per_axis, strict=True):
        deviation = _sigma_of(one, batch_axes)
        if tf.is_tensor(deviation):
            values, lines = correlated(values, lines, fill, dtype) if lines else values, []
            values = _filtered(
                values, place + batch_axes, deviation, derivative, rule, fill, reach, far, dtype
            )
        elif deviation > _LEAST:
            order_of, radius_of = (
                filters.whole(derivative, "order", least=0),
                _radius_of(deviation, reach, far),
            )
            weights = _weights(deviation, order_of, radius_of)
            lines.append(Line(place + batch_axes, filters.rule_of(rule), weights))
    return correlated(values, lines, fill, dtype)


@replaces(
    "scipy.ndimage.gaussian_filter",
    implementation=_along_all,
    domain={**_DOMAIN, "axes": filters.AXES},
    agreement=AsReference(
        coordinates_of="input", discontinuities="pipeport.references.discontinuities_filters.gaussian_filter"
    ),
    proven_against=">=1.14",
    valid=_valid,
    differences=filters.differences({"sigma": 1.0}),
)
def gaussian_filter(
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

    Native equivalent of `scipy.ndimage.gaussian_filter`.

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
        An argument is of no use at all, for instance text.
    tf.errors.InvalidArgumentError
        A `sigma` turns out to be NaN or infinite.

    Notes
    -----
    Differences from the reference:

    - A bool result is refused; the reference cuts fractions off, and where a sum should be 1 rounding
      decides.

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
    return _along_all(input, sigma, order, output, mode, cval, truncate, radius, axes, 0)
