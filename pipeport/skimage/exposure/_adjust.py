"""`skimage.exposure.adjust_gamma`, `adjust_log` and `adjust_sigmoid`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._bytewise import looked_up
from pipeport.contract import AsReference, Boolean, Image, Real, batchable, replaces
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor, known_rank

_DTYPES = ("uint8", "uint16", "int8", "int16", "float32", "float64")
# Of what the other two may hold, half is negative, which is refused.
_DRAWN = ("uint8", "uint16", "float32", "float64")
_BYTE = 255
_NEGATIVE = "Shift the image with skimage.exposure.rescale_intensity."


class _Maths(NamedTuple):
    """The functions that a correction takes: NumPy's where all numbers are known, else TensorFlow's."""

    power: Callable[[Any, Any], Any]
    exp: Callable[[Any], Any]
    round: Callable[[Any], Any]
    minimum: Callable[[Any, Any], Any]


class _Form(NamedTuple):
    """A correction.

    `levels`: takes the functions, the largest level and the numbers; gives what all levels of whole numbers
    become, in float64.
    `pixels`: takes floating pixels and the numbers; gives pixels.
    """

    levels: Callable[..., Any]
    pixels: Callable[..., Any]


_NUMPY = _Maths(np.power, np.exp, np.rint, np.minimum)


def _of_tensorflow() -> _Maths:
    return _Maths(tf.pow, tf.exp, tf.round, tf.minimum)


def _corrected(image: Any, form: _Form, numbers: list[Any]) -> Any:
    """Return an image with other levels; drawn numbers are tensors, () or in a batch (B,)."""
    x = as_tensor(image, "image")
    _checks.dtype_among(x, _DTYPES, "image")
    each = any(tf.is_tensor(number) and number.shape.rank == 1 for number in numbers)
    if x.dtype.is_integer:
        top = int(x.dtype.max)
        if any(map(tf.is_tensor, numbers)):
            levels = form.levels(_of_tensorflow(), top, *(_beside(number, 1) for number in numbers))
        else:
            with np.errstate(over="ignore"):
                levels = tf.constant(form.levels(_NUMPY, top, *numbers))
        found = _looked_up(x, tf.cast(tf.cast(levels, tf.int32), x.dtype), each)
        return found if x.dtype.is_unsigned else _not_negative(found, tf.reduce_any(x < 0))
    axes = known_rank(x, "image") - 1 if each else 0
    given = [tf.cast(_beside(tf.convert_to_tensor(one, tf.float64), axes), x.dtype) for one in numbers]
    program = xla.run(_changed, form.pixels, in_buckets=None if each else _in_buckets(form.pixels))
    return _not_negative(*program(x, *given))


def _beside(number: Any, axes: int) -> Any:
    """Return numbers (B,) with more axes; one number as it is."""
    if tf.is_tensor(number) and number.shape.rank == 1:
        return tf.reshape(number, [-1, *[1] * axes])
    return number


def _changed(pixels: Callable[..., Any]) -> Callable[..., tuple[Any, Any]]:
    """Return what changes pixels, and says whether one is negative."""
    return lambda x, *numbers: (pixels(x, *numbers), tf.reduce_any(x < 0))


def _in_buckets(pixels: Callable[..., Any]) -> Callable[..., tuple[Any, Any]]:
    change = xla.elements_in_buckets(_alone, pixels)
    return lambda x, *numbers: (change(x, *numbers), tf.reduce_any(x < 0))


def _alone(pixels: Callable[..., Any]) -> Callable[..., Any]:
    return pixels


def _looked_up(x: Any, table: Any, each: bool) -> Any:
    """Return the entries of a table (L,), or in a batch (B, L), at the levels that whole numbers are."""
    if x.dtype == tf.uint8 and not each:
        return looked_up(x, table)
    in_buckets = None if each else xla.elements_in_buckets(_found, each)
    return xla.run(_found, each, in_buckets=in_buckets)(x, table)


def _found(each: bool) -> Callable[[Any, Any], Any]:
    def run(x: Any, table: Any) -> Any:
        place = tf.maximum(tf.cast(x, tf.int32), 0)
        if each:
            first = tf.range(tf.shape(x)[0]) * table.shape[-1]
            place += tf.reshape(first, [-1, *[1] * (x.shape.rank - 1)])
        return tf.gather(tf.reshape(table, [-1]), place)

    return run


def _not_negative(found: Any, negative: Any) -> Any:
    message = explain("image", "a pixel below 0", "pixels of 0 or more", _NEGATIVE)
    with tf.control_dependencies([tf.raw_ops.Assert(condition=~negative, data=[message])]):
        return tf.identity(found)


def _number(value: Any, name: str, batch_axes: int) -> Any:
    return _checks.finite_scalar(value, name, batch=bool(batch_axes))


def _gamma_of_levels(maths: _Maths, top: int, gamma: Any, gain: Any) -> Any:
    if top == _BYTE:
        levels = top * gain * maths.power(np.linspace(0, 1, top + 1), gamma)
        return maths.minimum(maths.round(levels), float(top))
    return maths.power(_steps(top), gamma) * float(top) * gain


def _steps(top: int) -> Any:
    """Return the levels up to the largest as parts of it."""
    return np.arange(top + 1) / float(top)


def _gamma_of_pixels(x: Any, gamma: Any, gain: Any) -> Any:
    return tf.pow(x, gamma) * gain


_GAMMA = _Form(_gamma_of_levels, _gamma_of_pixels)


def _has_room(call: Mapping[str, Any]) -> bool:
    return np.asarray(call["image"]).dtype != np.uint16 or float(call.get("gain", 1)) <= 1


@replaces(
    "skimage.exposure.adjust_gamma",
    domain={
        "image": Image(dtypes=_DRAWN, sides=(0, 9), values=(0.0, 1.0), non_finite=False),
        "gamma": Real(0.0, 3.0, typical=0.7, tensor=True),
        "gain": Real(0.0, 2.0, typical=1.0, tensor=True),
    },
    agreement=AsReference(),
    valid=_has_room,
)
@batchable
def adjust_gamma(batch_axes: int, image: Any, gamma: Any = 1, gain: Any = 1) -> Any:
    """Raise the pixels of an image, as parts of the largest value, to a power.

    Parameters
    ----------
    image : array_like, any shape, uint8, uint16, int8, int16, float32 or float64
        The image, 0 or more; the largest value of floats is 1, of whole numbers that of the dtype. Sizes and
        rank may be unknown while tracing.
    gamma : float or tf.Tensor, default 1
        The power, 0 or more; below 1 the image becomes brighter.
    gain : float or tf.Tensor, default 1
        What the result is multiplied by, 0 or more.

    Returns
    -------
    tf.Tensor, shape and dtype of `image`
        The image; bytes are rounded and end at 255. Of other whole numbers fractions are cut off.

    Raises
    ------
    OutsideDomain
        The image has another dtype, `gamma` is negative, or a number is not finite.
    WrongType
        An argument is not a number.
    tf.errors.InvalidArgumentError
        A pixel or `gamma` turns out to be negative, or a number NaN or infinite.

    Notes
    -----
    Agreement: whole numbers bit for bit, floats as accurate as the reference. A negative `gain` of whole
    numbers is outside the domain, and of those of other dtypes than uint8 one above 1.
    Graph: a table of whole numbers is made while tracing where both numbers are known, else in the graph; one
    program where sizes are known. Static shape is kept. In `tf.function(jit_compile=True)` pixels are not
    checked.
    Speed: floats are slower than scikit-image in `tf.numpy_function`, 0.6x for 256x256x3, bytes faster.

    Source: `skimage/exposure/exposure.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.exposure import adjust_gamma
    >>> adjust_gamma(tf.constant([[0, 64, 255]], tf.uint8), 0.5).numpy().tolist()
    [[0, 128, 255]]
    """
    allowed, advice = "0 or more", "0.5 makes an image brighter, 2 darker."
    power = _number(gamma, "gamma", batch_axes)
    if tf.is_tensor(power):
        message = explain("gamma", "a negative number", allowed, advice)
        check = tf.raw_ops.Assert(condition=tf.reduce_all(power >= 0), data=[message])
        with tf.control_dependencies([check]):
            power = tf.identity(power)
    elif power < 0:
        raise OutsideDomain(explain("gamma", str(gamma), allowed, advice))
    return _corrected(image, _GAMMA, [power, _number(gain, "gain", batch_axes)])


def _log_of_levels(maths: _Maths, top: int, gain: Any) -> Any:  # noqa: ARG001 - no function of the gain
    return np.log2(1 + _steps(top)) * float(top) * gain


def _log_of_pixels(x: Any, gain: Any) -> Any:
    return tf.math.log(1 + x) / tf.constant(np.log(2.0), x.dtype) * gain


def _inverse_log_of_levels(maths: _Maths, top: int, gain: Any) -> Any:  # noqa: ARG001 - no function of the gain
    return (2 ** _steps(top) - 1) * float(top) * gain


def _inverse_log_of_pixels(x: Any, gain: Any) -> Any:
    return (tf.pow(tf.constant(2.0, x.dtype), x) - 1) * gain


_LOG = _Form(_log_of_levels, _log_of_pixels)
_INVERSE_LOG = _Form(_inverse_log_of_levels, _inverse_log_of_pixels)


@replaces(
    "skimage.exposure.adjust_log",
    domain={
        "image": Image(dtypes=_DRAWN, sides=(0, 9), values=(0.0, 1.0), non_finite=False),
        "gain": Real(0.0, 1.0, typical=1.0, tensor=True),
        "inv": Boolean(),
    },
    agreement=AsReference(),
)
@batchable
def adjust_log(batch_axes: int, image: Any, gain: Any = 1, inv: Any = False) -> Any:
    """Return the logarithm of one more than the pixels of an image, or its inverse.

    Parameters
    ----------
    image : array_like, any shape, uint8, uint16, int8, int16, float32 or float64
        The image, 0 or more; the largest value of floats is 1, of whole numbers that of the dtype. Sizes and
        rank may be unknown while tracing.
    gain : float or tf.Tensor, default 1
        What the result is multiplied by.
    inv : bool, default False
        Whether it is 2 to the power of the pixels, less one, instead of log2(1 + pixels).

    Returns
    -------
    tf.Tensor, shape and dtype of `image`
        The image; fractions of whole numbers are cut off.

    Raises
    ------
    OutsideDomain
        The image has another dtype, or `gain` is not finite.
    UnsupportedArgument
        `inv` is a tensor.
    WrongType
        `gain` is not a number.
    tf.errors.InvalidArgumentError
        A pixel turns out to be negative, or a drawn `gain` NaN or infinite.

    Notes
    -----
    Agreement: whole numbers bit for bit, floats as accurate as the reference. A `gain` of whole numbers
    beyond 0 to 1, by which they may have no room, is outside the domain.
    Graph: a table of whole numbers is made while tracing; one program where sizes are known. Static shape is
    kept. In `tf.function(jit_compile=True)` pixels are not checked.

    Source: `skimage/exposure/exposure.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.exposure import adjust_log
    >>> adjust_log(tf.constant([[0, 64, 255]], tf.uint8)).numpy().tolist()
    [[0, 82, 255]]
    """
    form = _INVERSE_LOG if _checks.flag(inv, "inv") else _LOG
    return _corrected(image, form, [_number(gain, "gain", batch_axes)])


def _sigmoid_of_levels(maths: _Maths, top: int, cutoff: Any, gain: Any) -> Any:
    return (1 / (1 + maths.exp(gain * (cutoff - _steps(top))))) * float(top)


def _sigmoid_of_pixels(x: Any, cutoff: Any, gain: Any) -> Any:
    return 1 / (1 + tf.exp(gain * (cutoff - x)))


def _inverse_sigmoid_of_levels(maths: _Maths, top: int, cutoff: Any, gain: Any) -> Any:
    return (1 - 1 / (1 + maths.exp(gain * (cutoff - _steps(top))))) * float(top)


def _inverse_sigmoid_of_pixels(x: Any, cutoff: Any, gain: Any) -> Any:
    return 1 - _sigmoid_of_pixels(x, cutoff, gain)


_SIGMOID = _Form(_sigmoid_of_levels, _sigmoid_of_pixels)
_INVERSE_SIGMOID = _Form(_inverse_sigmoid_of_levels, _inverse_sigmoid_of_pixels)


@replaces(
    "skimage.exposure.adjust_sigmoid",
    domain={
        "image": Image(dtypes=_DRAWN, sides=(0, 9), values=(0.0, 1.0), non_finite=False),
        "cutoff": Real(0.0, 1.0, typical=0.5, tensor=True),
        "gain": Real(0.0, 12.0, typical=10.0, tensor=True),
        "inv": Boolean(),
    },
    agreement=AsReference(),
)
@batchable
def adjust_sigmoid(batch_axes: int, image: Any, cutoff: Any = 0.5, gain: Any = 10, inv: Any = False) -> Any:
    """Raise the contrast of an image by a sigmoid curve of its pixels.

    Parameters
    ----------
    image : array_like, any shape, uint8, uint16, int8, int16, float32 or float64
        The image, 0 or more; the largest value of floats is 1, of whole numbers that of the dtype. Sizes and
        rank may be unknown while tracing.
    cutoff : float or tf.Tensor, default 0.5
        The part of the largest value that becomes half of it.
    gain : float or tf.Tensor, default 10
        How steep the curve is.
    inv : bool, default False
        Whether dark and bright are exchanged.

    Returns
    -------
    tf.Tensor, shape and dtype of `image`
        The image; fractions of whole numbers are cut off.

    Raises
    ------
    OutsideDomain
        The image has another dtype, or a number is not finite.
    UnsupportedArgument
        `inv` is a tensor.
    WrongType
        An argument is not a number.
    tf.errors.InvalidArgumentError
        A pixel turns out to be negative, or a number NaN or infinite.

    Notes
    -----
    Agreement: whole numbers bit for bit, floats as accurate as the reference.
    Graph: a table of whole numbers is made while tracing where both numbers are known, else in the graph; one
    program where sizes are known. Static shape is kept. In `tf.function(jit_compile=True)` pixels are not
    checked.

    Source: `skimage/exposure/exposure.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.exposure import adjust_sigmoid
    >>> adjust_sigmoid(tf.constant([[0, 128, 255]], tf.uint8)).numpy().tolist()
    [[1, 128, 253]]
    """
    form = _INVERSE_SIGMOID if _checks.flag(inv, "inv") else _SIGMOID
    numbers = [_number(cutoff, "cutoff", batch_axes), _number(gain, "gain", batch_axes)]
    return _corrected(image, form, numbers)
