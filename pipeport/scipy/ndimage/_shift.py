"""`scipy.ndimage.shift`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Array, Difference, PerAxis, Real, batchable, replaces
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs._checks import finite
from pipeport.kernels.sampling._interpolate import Plan, sample
from pipeport.kernels.sampling._maps import shifted
from pipeport.kernels.sampling._separable import Axis, Settings, resample, unmoved
from pipeport.scipy.ndimage import _arguments as arguments


def _not_finite(call: Mapping[str, Any]) -> bool:
    return not bool(np.isfinite(np.asarray(call["shift"], np.float64)).all())


@replaces(
    "scipy.ndimage.shift",
    domain={
        "input": Array(dtypes=arguments.DRAWN, ranks=(1, 2, 3), sides=(1, 9), values=(-1.0, 1.0)),
        "shift": PerAxis(
            spec=Real(-14.0, 14.0),
            of="input",
            typical=(3.3, -2.6, 0.0),
            tensor=True,
            per_element=True,
            element_rank=1,
        ),
        **arguments.SAMPLED,
    },
    agreement=arguments.agreement("shift"),
    valid=arguments.is_valid,
    differences=(
        Difference(
            "A NaN or infinite `shift` is refused; the reference returns fill values, or a border pixel.",
            witness=lambda: {"input": np.ones(3, np.float32), "shift": np.nan},
            applies=_not_finite,
        ),
        *arguments.differences({"shift": 0.5}),
    ),
)
@batchable
def shift(
    batch_axes: int,
    input: Any,
    shift: Any,
    output: Any = None,
    order: int = 3,
    mode: str = "constant",
    cval: float = 0.0,
    prefilter: bool = True,
) -> Any:
    """Shift an array by a number of pixels that need not be whole.

    Parameters
    ----------
    input : tf.Tensor, 1 to 6 axes, bool, integers, float32 or float64
        Image, image with channels or volume. Sizes may be unknown while tracing.
    shift : float or one per axis, or tensor
        Pixels, finite; positive ones move content to higher indices.
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
    tf.Tensor, dtype of `input` or `output`, shape of `input`
        The shifted array.

    Raises
    ------
    UnsupportedArgument
        `order` above 5, a `mode` not listed, order above 0 for a bool result, an array as `output`,
        an unknown rank or more than 6 axes, or a tensor where a Python value is needed.
    OutsideDomain
        `input` is empty or of a dtype SciPy does not take, or `shift` is not finite or has another
        length than the rank of `input`.
    WrongType
        An argument is not a number where one is needed, for instance text.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Integers of 64 bits beyond 2**53 keep their value under order 0; the reference rounds them to float64.

    Infinite pixels under the spline filter (orders 2 to 5), and NaN with an integer output, are outside
    the domain: what they become depends on the order of operations.

    Agreement: as accurate as the reference, judged against it in float64.
    `pipeport.config.scipy` decides whether short axes of 'reflect' are filtered as in SciPy 1.17 or 1.18.

    Graph: one axis after the other, taps along contiguous rows; axes that are shifted by the Python
    number 0 are not touched. Static shape is kept.

    Source: `scipy/ndimage/_interpolation.py` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.ndimage import shift
    >>> shift(tf.constant([1.0, 2.0, 3.0]), 1, cval=9.0).numpy().round(6).tolist()
    [9.0, 1.0, 2.0]
    """
    images = arguments.array_of(input, batch_axes=batch_axes)
    rank = images.shape.rank - batch_axes
    settings = arguments.common(images, output, order, mode, cval, prefilter)
    images = _checks.not_empty(images, "input", element=slice(batch_axes, None))
    amount = _amount(arguments.numbers_per_axis(shift, rank, "shift", batched=batch_axes > 0))
    if amount.shape.rank == 2 if tf.is_tensor(amount) else amount.ndim == 2:
        plan = Plan(
            shifted, settings.order, settings.mode, settings.compute, settings.dtype, settings.prefilter
        )
        out = tuple(
            tf.shape(images)[axis + 1] if side is None else side for axis, side in enumerate(images.shape[1:])
        )
        parameters = (tf.convert_to_tensor(amount, tf.float64),)
        return tf.squeeze(sample(plan, images[..., tf.newaxis], parameters, settings.cval, out), [-1])
    axes = [_axis(images, axis + batch_axes, amount[axis], settings) for axis in range(rank)]
    images = images if batch_axes else images[tf.newaxis]
    values = resample(_settings(settings), images[..., tf.newaxis], axes, settings.cval)
    return tf.squeeze(values, [-1] if batch_axes else [0, -1])


def _settings(common: arguments.Common) -> Settings:
    return Settings(common.order, common.mode, common.compute, common.dtype, common.prefilter)


def _amount(amount: Any) -> Any:
    if tf.is_tensor(amount):
        return finite(amount, "shift", "finite numbers")
    if not np.isfinite(amount).all():
        raise OutsideDomain(
            explain("shift", str(amount.tolist()), "finite numbers", "Replace NaN and infinities.")
        )
    return amount


def _axis(image: Any, axis: int, amount: Any, settings: arguments.Common) -> Axis:
    """Return where the pixels of an axis look."""
    size = image.shape[axis]
    length = tf.shape(image)[axis] if size is None else size
    if not tf.is_tensor(amount) and amount == 0 and (settings.prefilter or settings.order < 2):
        return unmoved(_settings(settings), length)
    if size is None or tf.is_tensor(amount):
        where = tf.range(tf.cast(length, tf.float64), dtype=tf.float64) - amount
        return Axis(where if size is None else tf.ensure_shape(where, [size]))
    return Axis(np.arange(size, dtype=np.float64) - amount)
