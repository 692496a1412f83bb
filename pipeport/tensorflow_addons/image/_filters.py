"""`mean_filter2d`, `median_filter2d` and `gaussian_filter2d` of `tensorflow_addons.image`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import (
    Difference,
    Image,
    OneOf,
    Within,
    WithinLevels,
    batchable,
    replaces,
    sibling,
    variant,
)
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.addons import _windows
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import static_value
from pipeport.kernels.inputs.integers import whole_numbers
from pipeport.tensorflow_addons.image import _arguments
from pipeport.tensorflow_addons.image._filled import aliases_of

_PADDINGS = ("REFLECT", "CONSTANT", "SYMMETRIC")
_MOST = 81  # of more a program of exchanges takes seconds to compile
_DOMAIN = {
    "image": Image(dtypes=_arguments.DTYPES),
    "filter_shape": OneOf(1, 3, (3, 3), (1, 5), (4, 2), [2, 3], 7, (1, 41), typical=(3, 3)),
    "padding": OneOf(*_PADDINGS, "symmetric", typical="REFLECT"),
    "constant_values": OneOf(0, 1, 7),
    "name": OneOf(None, "smooth"),
}


def _sides(filter_shape: Any) -> tuple[int, int]:
    sides = whole_numbers(filter_shape, "filter_shape")
    sides = sides * 2 if len(sides) == 1 else sides
    if len(sides) != 2 or min(sides) < 1:
        allowed = "one or two whole numbers from 1"
        raise OutsideDomain(explain("filter_shape", repr(filter_shape), allowed, "Height, then width."))
    return sides[0], sides[1]


def _padded(images: Any, sides: tuple[int, int], padding: Any, constant_values: Any) -> Any:
    """Return images (B, H, W, C) with a border of which an even side has one more behind than before."""
    mode = padding.upper() if isinstance(padding, str) else padding
    _checks.one_of(mode, _PADDINGS, "padding", "In upper or lower case.")
    least = {"REFLECT": 1, "SYMMETRIC": 0, "CONSTANT": -math.inf}[mode]
    for side, size in zip(sides, images.shape[1:3], strict=True):
        if size is not None and size < side // 2 + least:
            advice = "Choose a smaller filter, or padding='CONSTANT'."
            raise OutsideDomain(explain("filter_shape", str(sides), f"{mode} within the image", advice))
    around = [[0, 0], *([(side - 1) // 2, side // 2] for side in sides), [0, 0]]
    return tf.pad(images, around, mode, _constant(constant_values, images.dtype))


def _constant(value: Any, dtype: Any) -> Any:
    try:
        return tf.convert_to_tensor(value, dtype)
    except (TypeError, ValueError) as error:
        allowed = f"a number of dtype {dtype.name}"
        raise OutsideDomain(explain("constant_values", repr(value), allowed, "Cast it.")) from error


def _in_floats(images: Any) -> Any:
    return images if images.dtype.is_floating else tf.cast(images, tf.float32)


def _means(images: Any, sides: tuple[int, int], padding: Any, constant_values: Any) -> Any:
    floats = _in_floats(images)
    wide = _padded(floats, sides, padding, constant_values)
    total = _windows.weighed(wide, *(tf.ones([side], floats.dtype) for side in sides))
    # Grappler makes a product of the reference's quotient, which is a tf.function: of 11 x 11 equal bytes the
    # mean may be one less.
    share = np.reciprocal(np.array(math.prod(sides), floats.dtype.as_numpy_dtype))
    return tf.cast(total * tf.constant(share, floats.dtype), images.dtype)


def _medians(images: Any, sides: tuple[int, int], padding: Any, constant_values: Any) -> Any:
    if math.prod(sides) > _MOST:
        advice = "Filter with a smaller window."
        raise UnsupportedArgument(explain("filter_shape", str(sides), f"{_MOST} elements or less", advice))
    wide = _padded(images, sides, padding, constant_values)
    return tf.ensure_shape(_windows.medians(wide, sides), images.shape)


def _deviations(sigma: Any) -> tuple[float, float]:
    known = static_value(sigma, "sigma")
    if tf.is_tensor(known):
        advice = "Pass Python floats; for drawn ones use pipeport.cv2.GaussianBlur."
        raise UnsupportedArgument(explain("sigma", "a tensor not known while tracing", "numbers", advice))
    pair = known if isinstance(known, (tuple, list)) or np.ndim(known) == 1 else (known, known)
    down, across = (float(_checks.finite_scalar(one, "sigma")) for one in _two(pair))
    if min(down, across) <= 0:
        raise OutsideDomain(explain("sigma", repr(sigma), "positive numbers", "Leave the call out for none."))
    return down, across


def _two(pair: Any) -> Any:
    if len(pair) != 2:
        raise OutsideDomain(explain("sigma", repr(pair), "one number or two", "In rows, then in columns."))
    return pair


def _has_nan(arguments: Mapping[str, Any]) -> bool:
    return bool(np.isnan(np.asarray(arguments["image"], np.float64)).any())


def _is_flat(arguments: Mapping[str, Any]) -> bool:
    return bool(np.any(np.asarray(arguments.get("sigma", 1.0)) == 0))


def _sums_are_exact(arguments: Mapping[str, Any]) -> bool:
    """Say whether the reference sums well: many float16 it does not, nor large integers."""
    image = np.asarray(arguments["image"])
    if image.dtype == np.float16 and math.prod(_sides(arguments.get("filter_shape", 3))) > 9:
        return False
    return image.dtype.kind == "f" or not (np.abs(image.astype(np.float64)) > 2**16).any()


_FLOATS = Within(2e-6, "sums of products, by rows and then by columns")


@replaces(
    "tensorflow_addons.image.mean_filter2d",
    domain=_DOMAIN,
    agreement=_FLOATS,
    aliases=aliases_of("filters", "mean_filter2d"),
    valid=_sums_are_exact,
    examples=(lambda: {"image": np.full((3, 44), 201, np.uint8), "filter_shape": (1, 41)},),
)
@variant(_means)
def mean_filter2d(
    window: Callable[..., Any],
    batch_axes: int,
    image: Any,
    filter_shape: Any = (3, 3),
    padding: str = "REFLECT",
    constant_values: Any = 0,
    name: str | None = None,
) -> Any:
    """Filter images by the mean of a window.

    Parameters
    ----------
    image : tf.Tensor, shape (H, W), (H, W, C) or (B, H, W, C), uint8, int32, int64 or floats
        Sizes and rank may be unknown while tracing.
    filter_shape : int or (int, int), default (3, 3)
        Height and width of the window, known while tracing.
    padding : {'REFLECT', 'CONSTANT', 'SYMMETRIC'}, default 'REFLECT'
        What lies beyond the border, as in `tf.pad`; upper or lower case.
    constant_values : number, default 0
        What lies there in 'CONSTANT'.
    name : str, optional
        Name scope of the operations.

    Returns
    -------
    tf.Tensor, shape and dtype of `image`
        Of integers the fraction is cut off, and the mean of equal ones may be one less, as in the reference.

    Raises
    ------
    WrongType
        A dtype that is not listed, or `filter_shape` is not a whole number.
    UnsupportedArgument
        `padding` is not listed, or `filter_shape` is not known while tracing.
    OutsideDomain
        The images are empty or have another rank, a side of the window is below 1 or too long for the
        padding, or `constant_values` does not fit the dtype.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Agreement: integers bit for bit, floats within 2e-6 on values in [-1, 1]. Integers are summed in float32:
    above 2**16 in size their last digits are left open. Of more than nine float16 the reference loses
    digits that are kept here.
    Graph: one compiled program where sizes are known. Static shape is kept.
    Speed: somewhat slower than the reference in small windows.

    Source: `tensorflow_addons/image/filters.py` 0.23.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.tensorflow_addons.image import mean_filter2d
    >>> mean_filter2d(tf.constant([[1, 5, 9]]), (1, 3)).numpy().tolist()
    [[3, 5, 6]]
    """
    sides = _sides(filter_shape)
    with tf.name_scope(name or "filter2d"):
        return _arguments.on_batches(
            image,
            lambda images: window(images, sides, padding, constant_values),
            leading=batch_axes > 0,
            name="image",
        )


median_filter2d = sibling(
    mean_filter2d,
    "median_filter2d",
    _medians,
    {
        "mean": "median",
        "`padding` is not listed": "The window has more than 81 elements, `padding` is not listed",
        "Of integers the fraction is cut off, and the mean of equal ones may be one less, as in the "
        "reference.": "Of an even number the mean of the two in the middle, which is cut off for integers; "
        "the sum of two bytes wraps around, as in the reference.",
        "integers bit for bit, floats within 2e-6 on values in [-1, 1]. Integers are summed in float32: "
        "above 2**16 in size their last digits are left open. Of more than nine float16 the reference loses "
        "digits that are kept here.": "equal.",
        "3, 5, 6": "5, 5, 5",
    },
    agreement=Within(0.0, "equal, but for the sign of zeros"),
    aliases=aliases_of("filters", "median_filter2d"),
    valid=None,
    differences=(
        Difference(
            "Where a window holds NaN, the result differs: here and in the reference it depends on the order "
            "of comparisons.",
            witness=lambda: {
                "image": np.array([[np.nan, 1, 2, 3, 4]], np.float32),
                "filter_shape": (1, 3),
            },
            applies=_has_nan,
            only={"image": "f"},
        ),
    ),
)


@replaces(
    "tensorflow_addons.image.gaussian_filter2d",
    domain={**_DOMAIN, "sigma": OneOf(1.0, 0.4, 2, (1.5, 0.7), [3.0, 1.0], typical=1.0)},
    agreement=WithinLevels(1, 1.0, floats=_FLOATS),
    aliases=aliases_of("filters", "gaussian_filter2d"),
    valid=_sums_are_exact,
    differences=(
        Difference(
            "A sigma of zero is refused; the reference gives NaN, and zeros for integers.",
            witness=lambda: {"image": np.ones((3, 3), np.float32), "sigma": 0.0},
            applies=_is_flat,
        ),
    ),
)
@batchable
def gaussian_filter2d(
    batch_axes: int,
    image: Any,
    filter_shape: Any = (3, 3),
    sigma: Any = 1.0,
    padding: str = "REFLECT",
    constant_values: Any = 0,
    name: str | None = None,
) -> Any:
    """Blur images with a Gaussian window.

    Parameters
    ----------
    image : tf.Tensor, shape (H, W), (H, W, C) or (B, H, W, C), uint8, int32, int64 or floats
        Sizes and rank may be unknown while tracing.
    filter_shape : int or (int, int), default (3, 3)
        Height and width of the window, known while tracing.
    sigma : float or (float, float), default 1.0
        Standard deviations in rows and in columns, above zero, known while tracing.
    padding : {'REFLECT', 'CONSTANT', 'SYMMETRIC'}, default 'REFLECT'
        What lies beyond the border, as in `tf.pad`; upper or lower case.
    constant_values : number, default 0
        What lies there in 'CONSTANT'.
    name : str, optional
        Name scope of the operations.

    Returns
    -------
    tf.Tensor, shape and dtype of `image`
        Of integers the fraction is cut off.

    Raises
    ------
    WrongType
        A dtype that is not listed, `filter_shape` is not a whole number, or `sigma` no number.
    UnsupportedArgument
        `padding` is not listed, or `filter_shape` or `sigma` is not known while tracing.
    OutsideDomain
        The images are empty or have another rank, a side of the window is below 1 or too long for the
        padding, `sigma` is not one positive number or two, or `constant_values` does not fit the dtype.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Agreement: within 2e-6 on values in [-1, 1]. Integers are cut off: where the sum lies within rounding of
    a whole number, as all over a region of one colour, by one level. They are summed in float32: above 2**16
    in size their last digits are left open.
    Graph: one compiled program where sizes are known. Static shape is kept.

    Source: `tensorflow_addons/image/filters.py` 0.23.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.tensorflow_addons.image import gaussian_filter2d
    >>> gaussian_filter2d(tf.constant([[0, 90, 0]]), (1, 3)).numpy().tolist()
    [[49, 40, 49]]
    """
    sides, widths = _sides(filter_shape), _deviations(sigma)

    def blurred(images: Any) -> Any:
        floats = _in_floats(images)
        wide = _padded(floats, sides, padding, constant_values)
        weights = (_windows.gaussian(*one, floats.dtype) for one in zip(sides, widths, strict=True))
        total = _windows.weighed(wide, *weights)
        return tf.cast(total, images.dtype)

    with tf.name_scope(name or "gaussian_filter2d"):
        return _arguments.on_batches(image, blurred, leading=batch_axes > 0, name="image")
