"""`skimage.util.img_as_float`, `img_as_float32`, `img_as_float64`, `img_as_ubyte` and `img_as_bool`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Exact, Image, batchable, replaces, sibling, variant
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs._ranges import unit_scale
from pipeport.kernels.inputs.arrays import as_tensor, known_rank

_DTYPES = ("bool", *_checks.NUMBERS)
_REFUSED = {"force_copy": "a tensor is never written to"}
_KEPT = ("float64", "float32", "float16")  # that stay as they are; others become the first
_FLOATS = "pixels from -1 to 1"


def _image_of(image: Any, force_copy: Any) -> Any:
    x = as_tensor(image, "image")
    _checks.dtype_among(x, _DTYPES, "image")
    if _checks.flag(force_copy, "force_copy"):
        advice = "A tensor is never written to; of an array take `.copy()`."
        raise UnsupportedArgument(explain("force_copy", repr(force_copy), "False", advice))
    return x


def _scaled(dtype: Any) -> Callable[[Any], Any]:
    def run(x: Any) -> Any:
        if x.dtype.is_bool or x.dtype.is_floating:
            return tf.cast(x, dtype)
        values = tf.cast(x, tf.float64 if x.dtype.size == 8 else dtype)
        values *= tf.constant(unit_scale(x.dtype), values.dtype)
        # The most negative integer lies just below -1.
        return tf.cast(values if x.dtype.is_unsigned else tf.maximum(values, -1.0), dtype)

    return run


def _in_range(found: Any, inside: Any) -> Any:
    message = explain("image", "a pixel beyond -1 or 1", _FLOATS, "Rescale it, or cast it with tf.cast.")
    with tf.control_dependencies([tf.raw_ops.Assert(condition=inside, data=[message])]):
        return tf.identity(found)


def _rounded() -> Callable[[Any], tuple[Any, Any]]:
    """Return what makes bytes of floats, and says whether they may become such."""

    def run(x: Any) -> tuple[Any, Any]:
        inside = tf.reduce_all(tf.abs(x) <= 1) | tf.reduce_any(tf.math.is_nan(x))
        levels = tf.round(tf.maximum(x, 0) * tf.constant(255.0, x.dtype))
        return tf.cast(tf.cast(tf.minimum(levels, 255), tf.int32), tf.uint8), inside

    return run


def _lengthened() -> Callable[[Any], Any]:
    # 7 bits become 14, and these 8.
    return lambda x: tf.cast(tf.bitwise.right_shift(tf.cast(tf.maximum(x, 0), tf.int32) * 129, 6), tf.uint8)


def _shortened(axes: tuple[int, ...]) -> Callable[[Any], Any]:
    """Return what makes bytes of integers; `axes` are those of one image."""

    def run(x: Any) -> Any:
        bits = 8 * x.dtype.size - (0 if x.dtype.is_unsigned else 1)
        shorter = tf.bitwise.right_shift(x, tf.constant(bits - 8, x.dtype))
        # An image of bytes in a longer dtype keeps its values.
        fits = tf.reduce_max(x, axes, keepdims=True) <= tf.constant(255, x.dtype)
        found = tf.where(fits, x, shorter)
        if not x.dtype.is_unsigned:
            found = tf.maximum(tf.cast(tf.cast(found, tf.int16), tf.int32), 0)
        return tf.cast(found, tf.uint8)

    return run


def _domain(**more: Any) -> dict[str, Any]:
    pixels = Image(dtypes=_DTYPES, channels=(None, 1, 3, 4), sides=(0, 9), **more)
    return {"image": pixels}


@replaces(
    "skimage.util.img_as_float",
    domain=_domain(),
    agreement=Exact(),
    refused=_REFUSED,
    view_of="first",
    aliases=("skimage.img_as_float",),
)
@variant(_KEPT)
def img_as_float(kept: tuple[str, ...], _batch_axes: int, image: Any, force_copy: bool = False) -> Any:
    """Return an image as floating numbers; those stay as they are.

    Parameters
    ----------
    image : array_like, any shape, bool, integers or floats
        The image; sizes and rank may be unknown while tracing.
    force_copy : bool, default False
        True is refused: a tensor is never written to, and of an array `.copy()` is a copy.

    Returns
    -------
    tf.Tensor, shape of `image`, float64; float16 and float32 stay
        Integers become parts of their largest value, in [0, 1]; those with a sign lie in [-1, 1].

    Raises
    ------
    OutsideDomain
        The image has another dtype, for instance complex.
    UnsupportedArgument
        `force_copy` is True or a tensor.

    Notes
    -----
    Agreement: bit for bit.
    Graph: no Python at run time, one program where sizes are known; static shape is kept.

    Source: `skimage/util/dtype.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.util import img_as_float
    >>> img_as_float(tf.constant([[0, 51, 255]], tf.uint8)).numpy().tolist()
    [[0.0, 0.2, 1.0]]
    """
    x = _image_of(image, force_copy)
    return x if x.dtype.name in kept else xla.run(_scaled, tf.as_dtype(kept[0]))(x)


img_as_float64 = sibling(
    img_as_float,
    "img_as_float64",
    ("float64",),
    {
        "as floating numbers; those stay as they are.": "in float64.",
        "float64; float16 and float32 stay": "float64",
        "[[0, 51, 255]], tf.uint8": "[[-128, 0, 127]], tf.int8",
        "[[0.0, 0.2, 1.0]]": "[[-1.0, 0.0, 1.0]]",
    },
    aliases=("skimage.img_as_float64",),
)


img_as_float32 = sibling(
    img_as_float,
    "img_as_float32",
    ("float32",),
    {
        "as floating numbers; those stay as they are.": "in float32.",
        "float64; float16 and float32 stay": "float32",
        "[[0, 51, 255]], tf.uint8)).numpy().tolist()": "[[0, 255]], tf.uint8))",
        "[[0.0, 0.2, 1.0]]": "<tf.Tensor: shape=(1, 2), dtype=float32, "
        "numpy=array([[0., 1.]], dtype=float32)>",
    },
    aliases=("skimage.img_as_float32",),
)


def _is_number(call: Mapping[str, Any]) -> bool:
    # What byte a NaN becomes is left open by C.
    return not np.isnan(np.asarray(call["image"], np.float64)).any()


@replaces(
    "skimage.util.img_as_ubyte",
    domain=_domain(non_finite=False),
    agreement=Exact(),
    refused=_REFUSED,
    view_of="first",
    aliases=("skimage.img_as_ubyte",),
    valid=_is_number,
)
@batchable
def img_as_ubyte(batch_axes: int, image: Any, force_copy: bool = False) -> Any:
    """Return an image as bytes.

    Parameters
    ----------
    image : array_like, any shape, bool, integers or floats
        The image, floats from -1 to 1. Sizes may be unknown while tracing; of bool and bytes the rank too.
    force_copy : bool, default False
        True is refused: a tensor is never written to, and of an array `.copy()` is a copy.

    Returns
    -------
    tf.Tensor, shape of `image`, uint8
        Floats times 255, rounded. Longer integers keep their eight highest bits, but for an image without
        values above 255, which keeps its values. Below 0 there are zeros.

    Raises
    ------
    OutsideDomain
        The image has another dtype, or is empty and neither of bool nor of bytes.
    UnsupportedArgument
        `force_copy` is True or a tensor, or a rank is not known while tracing.
    tf.errors.InvalidArgumentError
        A floating pixel turns out to be beyond -1 or 1, or an image empty.

    Notes
    -----
    Agreement: bit for bit; NaN is outside the domain. The reference's warning where an image keeps its values
    is not given.
    Graph: no Python at run time, one program where sizes are known; static shape is kept. In
    `tf.function(jit_compile=True)` the range of floats is not checked.

    Source: `skimage/util/dtype.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.util import img_as_ubyte
    >>> img_as_ubyte(tf.constant([[-0.5, 0.5, 1.0]])).numpy().tolist()
    [[0, 128, 255]]
    """
    x = _image_of(image, force_copy)
    if x.dtype == tf.uint8:
        return x
    if x.dtype.is_bool:
        return tf.cast(x, tf.uint8) * 255
    if x.dtype == tf.int8:
        return xla.run(_lengthened)(x)
    rank = known_rank(x, "image")
    x = _checks.not_empty(x, "image", element=slice(batch_axes, None))
    if x.dtype.is_floating:
        return _in_range(*xla.run(_rounded)(x))
    return xla.run(_shortened, tuple(range(batch_axes, rank)))(x)


@replaces(
    "skimage.util.img_as_bool",
    domain=_domain(),
    agreement=Exact(),
    refused=_REFUSED,
    view_of="first",
    aliases=("skimage.img_as_bool",),
)
@batchable
def img_as_bool(_batch_axes: int, image: Any, force_copy: bool = False) -> Any:
    """Say of each pixel whether it is in the upper half of its dtype's range.

    Parameters
    ----------
    image : array_like, any shape, bool, integers or floats
        The image; sizes and rank may be unknown while tracing.
    force_copy : bool, default False
        True is refused: a tensor is never written to, and of an array `.copy()` is a copy.

    Returns
    -------
    tf.Tensor, shape of `image`, bool
        Whether floats are above 0.5, and integers above half of their largest value.

    Raises
    ------
    OutsideDomain
        The image has another dtype, for instance complex.
    UnsupportedArgument
        `force_copy` is True or a tensor.

    Notes
    -----
    Agreement: bit for bit.
    Graph: one op, no Python at run time; static shape is kept.

    Source: `skimage/util/dtype.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.util import img_as_bool
    >>> img_as_bool(tf.constant([[0, 127, 128]], tf.uint8)).numpy().tolist()
    [[False, False, True]]
    """
    x = _image_of(image, force_copy)
    if x.dtype.is_bool:
        return x
    kind = x.dtype.as_numpy_dtype
    half = kind(0.5 if x.dtype.is_floating else np.iinfo(kind).max / 2)
    return xla.run(_above, half)(x)


def _above(half: Any) -> Callable[[Any], Any]:
    return lambda x: tf.greater(x, tf.constant(half))
