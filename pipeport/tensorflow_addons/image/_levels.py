"""`blend`, `sharpness` and `equalize` of `tensorflow_addons.image`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import (
    Difference,
    Exact,
    Image,
    OneOf,
    Operand,
    Within,
    WithinLevels,
    batchable,
    replaces,
)
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.addons import _levels
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import static_value
from pipeport.kernels.inputs.integers import whole_number
from pipeport.kernels.pillow._tables import counted, evening, through
from pipeport.tensorflow_addons.image import _arguments
from pipeport.tensorflow_addons.image._filled import aliases_of

_FACTORS = OneOf(0.0, 1.0, 0.5, 0.3, 1.7, 2, typical=0.5)


def _number(value: Any, dtype: Any) -> Any:
    """Return a factor: a Python float, or a float32 tensor where the graph alone knows it."""
    known = static_value(value, "factor")
    if not tf.is_tensor(known):
        if np.ndim(known) or isinstance(known, (str, bytes, bool)) or known is None:
            raise WrongType(explain("factor", repr(value), "one number", "Give a float."))
        return float(known)
    if not (known.dtype.is_floating or known.dtype.is_integer):
        raise WrongType(explain("factor", f"dtype {known.dtype.name}", "a number", "Cast it with tf.cast."))
    if known.shape.rank != 0:
        raise OutsideDomain(explain("factor", f"shape {known.shape}", "a scalar", "Give one for all."))
    if dtype != tf.float32:
        given = "a tensor not known while tracing"
        advice = "Cast the images to float32 first: 0 and 1 keep their dtype, other factors give float32."
        raise UnsupportedArgument(
            explain("factor", given, "a number, as not both images are float32", advice)
        )
    return tf.cast(known, tf.float32)


@replaces(
    "tensorflow_addons.image.blend",
    domain={
        "image1": Image(dtypes=_arguments.DTYPES, values=(0.0, 255.0)),
        "image2": Operand(image="image1", numbers=None, values=(0.0, 255.0)),
        "factor": _FACTORS,
    },
    agreement=Within(0.0, "zeros may have either sign"),
    aliases=aliases_of("compose_ops", "blend"),
)
def blend(image1: Any, image2: Any, factor: Any) -> Any:
    """Mix two images.

    Parameters
    ----------
    image1, image2 : tf.Tensor, shapes that broadcast, uint8, int32, int64 or floats
        The images, of levels from 0 to 255. Sizes and rank may be unknown while tracing.
    factor : float
        The share of `image2`; beyond 0 to 1 the difference grows. For two images of float32 it may be a
        tensor that is not known while tracing.

    Returns
    -------
    tf.Tensor, float32
        Rounded levels, beyond a factor of 0 to 1 within 0 to 255. For a factor of 0 or 1 the image
        itself, of its dtype.

    Raises
    ------
    WrongType
        A dtype that is not listed, or `factor` is not a number.
    OutsideDomain
        `factor` is not a scalar, or the shapes do not broadcast.
    UnsupportedArgument
        `factor` is not known while tracing, and the images are not float32.
    tf.errors.InvalidArgumentError
        Shapes unknown while tracing turn out not to broadcast.

    Notes
    -----
    Agreement: equal; zeros may have either sign.
    Graph: one compiled program where sizes are known. Static shape is kept.
    Speed: slower than the reference, which is a few operations that round as they like.

    Source: `tensorflow_addons/image/compose_ops.py` 0.23.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.tensorflow_addons.image import blend
    >>> blend(tf.constant([[0, 100]]), tf.constant([[50, 200]]), 0.2).numpy().tolist()
    [[10.0, 120.0]]
    """
    with tf.name_scope("blend"):
        first, second = (
            _arguments.tensor_of(image, name) for image, name in ((image1, "image1"), (image2, "image2"))
        )
        for image, name in ((first, "image1"), (second, "image2")):
            if image.dtype.name not in _arguments.DTYPES:
                allowed = ", ".join(_arguments.DTYPES)
                raise WrongType(explain(name, f"dtype {image.dtype.name}", allowed, "Cast it."))
        try:
            tf.broadcast_static_shape(first.shape, second.shape)
        except ValueError as error:
            given = f"shapes {first.shape} and {second.shape}"
            allowed = "shapes that broadcast"
            raise OutsideDomain(explain("image1, image2", given, allowed, "Resize one.")) from error
        share = _number(factor, first.dtype if first.dtype == second.dtype else None)
        if not tf.is_tensor(share) and share in (0.0, 1.0):
            return tf.identity(second if share else first)
        mixed = _levels.blended(first, second, share)
        if not tf.is_tensor(share):
            return mixed
        return tf.where(share == 0, first, tf.where(share == 1, second, mixed))


@replaces(
    "tensorflow_addons.image.sharpness",
    domain={
        "image": Image(dtypes=("uint8", "float32"), values=(0.0, 255.0), sides=(2, 12), non_finite=False),
        "factor": _FACTORS,
        "name": OneOf(None, "sharper"),
    },
    agreement=WithinLevels(
        2,
        1.0,
        floats=Within(
            1e-3,
            "for a factor of 0 the smoothed levels themselves, sums of nine float32 products",
            discontinuities="pipeport.references.discontinuities_addons.sharpness",
        ),
    ),
    aliases=aliases_of("color_ops", "sharpness"),
)
@batchable
def sharpness(batch_axes: int, image: Any, factor: Any, name: str | None = None) -> Any:
    """Mix images with smoothed ones, or away from them.

    Parameters
    ----------
    image : tf.Tensor, shape (H, W), (H, W, C) or (B, H, W, C), uint8, int32, int64 or floats
        Three rows and columns or more, levels from 0 to 255. Sizes and rank may be unknown while tracing.
    factor : float or scalar tensor
        0 gives the smoothed image, 1 the image, 2 a sharper one. Finite.
    name : str, optional
        Name scope of the operations.

    Returns
    -------
    tf.Tensor, shape and dtype of `image`
        Rounded levels, but for a factor of 0 or 1; beyond that within 0 to 255.

    Raises
    ------
    WrongType
        A dtype that is not listed, or `factor` is not a number.
    OutsideDomain
        The image has another rank or fewer rows or columns; `factor` is not one finite number.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Agreement: the smoothed levels of integers are cut off, and the mixture is rounded: where a sum lies
    within rounding of a whole number, as all over a region of one colour, bytes differ by a level, or by as
    many as lie between the factor and 1.
    Graph: one compiled program where sizes are known. Static shape is kept.

    Source: `tensorflow_addons/image/color_ops.py` 0.23.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.tensorflow_addons.image import sharpness
    >>> image = tf.constant([[0, 0, 0], [0, 130, 0], [0, 0, 0]])
    >>> sharpness(image, 2.0).numpy().tolist()
    [[0, 0, 0], [0, 210, 0], [0, 0, 0]]
    """
    share = tf.cast(_checks.finite_scalar(factor, "factor", batch=batch_axes > 0), tf.float32)

    def sharper(images: Any) -> Any:
        images = _arguments.at_least(3, images, "image")
        each = tf.reshape(share, [-1, 1, 1, 1]) if share.shape.rank else share
        return _levels.sharpened(images, each)

    with tf.name_scope(name or "sharpness"):
        return _arguments.on_batches(image, sharper, leading=batch_axes > 0, name="image")


def _beyond(arguments: Mapping[str, Any]) -> bool:
    levels = np.asarray(arguments["image"], np.float64)
    return bool((levels.astype(np.int64) < 0).any() or (levels >= arguments.get("bins", 256)).any())


@replaces(
    "tensorflow_addons.image.equalize",
    domain={
        "image": Image(dtypes=("uint8", "int32", "float32"), values=(0.0, 255.0), non_finite=False),
        "bins": OneOf(256, 300),
        "name": OneOf(None, "even"),
    },
    agreement=Exact(),
    aliases=aliases_of("color_ops", "equalize"),
    differences=(
        Difference(
            "Levels beyond the bins are refused; the reference gives back a channel that stays as it is.",
            witness=lambda: {"image": np.array([[300]], np.int32)},
            applies=_beyond,
        ),
    ),
)
@batchable
def equalize(batch_axes: int, image: Any, bins: Any = 256, name: str | None = None) -> Any:
    """Spread the levels of each channel evenly.

    Parameters
    ----------
    image : tf.Tensor, shape (H, W), (H, W, C) or (B, H, W, C), uint8, int32, int64 or floats
        Levels from 0 to `bins` - 1; fractions are cut off. Sizes and rank may be unknown while tracing.
    bins : int, default 256
        The number of levels, known while tracing.
    name : str, optional
        Name scope of the operations.

    Returns
    -------
    tf.Tensor, shape and dtype of `image`
        Whole levels.

    Raises
    ------
    WrongType
        A dtype that is not listed, or `bins` is not a whole number.
    UnsupportedArgument
        `bins` is not known while tracing.
    OutsideDomain
        The images are empty or have another rank, or there are less than two bins.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs; a level lies beyond the bins.

    Notes
    -----
    Agreement: bit for bit.
    Graph: a histogram and a table; static shape is kept.
    Speed: somewhat slower than the reference.

    Source: `tensorflow_addons/image/color_ops.py` 0.23.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.tensorflow_addons.image import equalize
    >>> equalize(tf.constant([[0, 1, 1, 3]], tf.uint8), bins=4).numpy().tolist()
    [[0, 1, 1, 3]]
    """
    count = whole_number(bins, "bins", 2)

    def even(images: Any) -> Any:
        levels = tf.cast(images, tf.int32)
        if not (images.dtype == tf.uint8 and count >= 256):
            message = explain("image", "levels beyond the bins", f"0 to {count - 1}", "Clip them first.")
            inside = tf.reduce_all((levels >= 0) & (levels < count))
            with tf.control_dependencies([tf.debugging.Assert(inside, [message])]):
                levels = tf.identity(levels)
        table = evening(counted(levels, count))
        return tf.cast(through(levels, table, count), images.dtype)

    with tf.name_scope(name or "equalize"):
        return _arguments.on_batches(image, even, leading=batch_axes > 0, name="image")
