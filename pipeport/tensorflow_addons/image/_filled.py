"""`translate_xy`, `shear_x` and `shear_y` of `tensorflow_addons.image`: one fill per channel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Difference, Exact, Image, OneOf, Point, Real, batch_form, replaces
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels import _checks, _tfa_projective
from pipeport.tensorflow_addons.image import _arguments

_COLOUR = np.ones((2, 2, 3), np.float32)
_IMAGE = Image(dtypes=_arguments.DTYPES, channels=(3,))
_REPLACE = OneOf(0.0, 128, (1, 2, 3), (7.5, 0.0, 90.25), typical=128)


def _replace_out_of_range() -> Difference:
    def beyond(arguments: Mapping[str, Any]) -> bool:
        dtype = np.asarray(arguments["image"]).dtype
        values = np.asarray(arguments["replace"], np.float64)
        if dtype.kind == "f" or not values.size:
            return False
        return not (np.iinfo(dtype).min <= values.min() and values.max() < np.iinfo(dtype).max + 1)

    return Difference(
        "A `replace` beyond the range of integer images saturates; in the reference the processor "
        "decides, and most wrap it around.",
        witness=lambda: {"image": _COLOUR.astype(np.uint8), **_FAR, "replace": 300.0},
        applies=beyond,
    )


_FAR: dict[str, Any] = {"translate_to": (5.0, 0.0)}


def _aliases(module: str, name: str) -> tuple[str, ...]:
    return (f"tfa.image.{name}", f"tensorflow_addons.image.{module}.{name}")


@replaces(
    "tensorflow_addons.image.translate_xy",
    domain={
        "image": _IMAGE,
        "translate_to": Point(low=-20.0, high=20.0, typical=(10.0, -5.5), tensor=True, per_element=True),
        "replace": _REPLACE,
    },
    agreement=Exact(),
    proven_against=">=0.23,<0.24",
    aliases=_aliases("translate_ops", "translate_xy"),
    environment="addons",
    differences=(
        _arguments.not_finite(
            "translate_to", {"image": _COLOUR, "translate_to": (float("nan"), 0.0), "replace": 0.0}
        ),
        _replace_out_of_range(),
    ),
)
def translate_xy(image: Any, translate_to: Any, replace: Any) -> Any:
    """Move a colour image by whole pixels and fill what becomes free.

    Native equivalent of `tensorflow_addons.image.translate_xy`.

    Parameters
    ----------
    image : tf.Tensor, shape (H, W, 3), uint8, int32, int64 or floats
        H and W may be unknown while tracing.
    translate_to : sequence or tensor of shape (2,)
        (dx, dy): columns to the right, rows down; rounded to the nearest pixel. Finite.
    replace : number, or sequence or tensor of shape (3,)
        Fill of all channels or of each; truncated for integer images.

    Returns
    -------
    tf.Tensor, shape and dtype of `image`
        The moved image.

    Raises
    ------
    WrongType
        A dtype the reference refuses too, or arguments that are not numbers.
    OutsideDomain
        The image is empty or not of shape (H, W, 3); `translate_to` has less than two numbers or
        one that is NaN or infinite; `replace` has neither one number nor three.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Differences from the reference:

    - A NaN or infinity in `translate_to` is refused; the reference gives fill or NaN.
    - A `replace` beyond the range of integer images saturates; in the reference the processor
      decides, and most wrap it around.

    Its documentation allows `replace` of shape (1,), but the reference fails on it, as this does.

    Agreement: bit for bit. The reference warps a fourth channel of ones along to know what
    became free; here the kernel fills it.

    Graph: compiled with XLA when traced (`pipeport.config`). Static shape is kept.

    Source: `tensorflow_addons/image/translate_ops.py` 0.23.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.tensorflow_addons.image import translate_xy
    >>> translate_xy(tf.ones([1, 2, 3]), [1, 0], [7, 8, 9])[0].numpy().tolist()
    [[7.0, 8.0, 9.0], [1.0, 1.0, 1.0]]
    """
    return _filled(_tfa_projective.by_offset, image, _vector(translate_to), replace, "translate_xy")


@replaces(
    "tensorflow_addons.image.shear_x",
    domain={
        "image": _IMAGE,
        "level": Real(-2.0, 2.0, typical=0.3, tensor=True, per_element=True),
        "replace": _REPLACE,
    },
    agreement=Exact(),
    proven_against=">=0.23,<0.24",
    aliases=_aliases("transform_ops", "shear_x"),
    environment="addons",
    differences=(_arguments.not_finite("level", {"image": _COLOUR, "level": float("nan"), "replace": 0.0}),),
)
def shear_x(image: Any, level: Any, replace: Any) -> Any:
    """Shear a colour image along its rows.

    Native equivalent of `tensorflow_addons.image.shear_x`.

    Parameters
    ----------
    image : tf.Tensor, shape (H, W, 3), uint8, int32, int64 or floats
        H and W may be unknown while tracing.
    level : float or scalar tensor
        Columns by which each row shows what lies further right than in the row above. Finite.
    replace : number, or sequence or tensor of shape (3,)
        Fill of all channels or of each; truncated for integer images.

    Returns
    -------
    tf.Tensor, shape and dtype of `image`
        The nearest pixels at (column + level * row, row).

    Raises
    ------
    WrongType
        A dtype the reference refuses too, or `replace` that is not made of numbers.
    OutsideDomain
        The image is empty or not of shape (H, W, 3); `level` is not one finite number;
        `replace` has neither one number nor three.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Differences from the reference:

    - A NaN or infinity in `level` is refused; the reference gives fill or NaN.

    Agreement: bit for bit, for a `replace` that the image's dtype can hold: others saturate. Halves
    go away from zero.

    Graph: compiled with XLA when traced (`pipeport.config`). Static shape is kept.

    Source: `tensorflow_addons/image/transform_ops.py` 0.23.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.tensorflow_addons.image import shear_x
    >>> shear_x(tf.ones([2, 2, 3]), 1.0, 5)[..., 0].numpy().tolist()
    [[1.0, 1.0], [1.0, 5.0]]
    """
    return _filled(_tfa_projective.along_columns, image, _level(level), replace, "shear_x")


@replaces(
    "tensorflow_addons.image.shear_y",
    domain={
        "image": _IMAGE,
        "level": Real(-2.0, 2.0, typical=0.3, tensor=True, per_element=True),
        "replace": _REPLACE,
    },
    agreement=Exact(),
    proven_against=">=0.23,<0.24",
    aliases=_aliases("transform_ops", "shear_y"),
    environment="addons",
    differences=(_arguments.not_finite("level", {"image": _COLOUR, "level": float("nan"), "replace": 0.0}),),
)
def shear_y(image: Any, level: Any, replace: Any) -> Any:
    """Shear a colour image along its columns.

    Native equivalent of `tensorflow_addons.image.shear_y`.

    Parameters
    ----------
    image : tf.Tensor, shape (H, W, 3), uint8, int32, int64 or floats
        H and W may be unknown while tracing.
    level : float or scalar tensor
        Rows by which each column shows what lies further down than in the column to its left. Finite.
    replace : number, or sequence or tensor of shape (3,)
        Fill of all channels or of each; truncated for integer images.

    Returns
    -------
    tf.Tensor, shape and dtype of `image`
        The nearest pixels at (column, row + level * column).

    Raises
    ------
    WrongType
        A dtype the reference refuses too, or `replace` that is not made of numbers.
    OutsideDomain
        The image is empty or not of shape (H, W, 3); `level` is not one finite number;
        `replace` has neither one number nor three.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Differences from the reference:

    - A NaN or infinity in `level` is refused; the reference gives fill or NaN.

    Agreement: bit for bit, for a `replace` that the image's dtype can hold: others saturate. Halves
    go away from zero.

    Graph: compiled with XLA when traced (`pipeport.config`). Static shape is kept.

    Source: `tensorflow_addons/image/transform_ops.py` 0.23.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.tensorflow_addons.image import shear_y
    >>> shear_y(tf.ones([2, 2, 3]), 1.0, 5)[..., 0].numpy().tolist()
    [[1.0, 1.0], [1.0, 5.0]]
    """
    return _filled(_tfa_projective.along_rows, image, _level(level), replace, "shear_y")


@batch_form(translate_xy)
def _translate_batch(image: Any, translate_to: Any, replace: Any) -> Any:
    """Move a batch of colour images by one vector or one per image."""
    offsets = _vector(translate_to, batch=True)
    return _filled(_tfa_projective.by_offset, image, offsets, replace, "translate_xy", leading=True)


def _shear_batch(plan_map: _tfa_projective.Map, name: str) -> Callable[..., Any]:
    def over_batch(image: Any, level: Any, replace: Any) -> Any:
        return _filled(plan_map, image, _level(level, batch=True), replace, name, leading=True)

    return over_batch


batch_form(shear_x)(_shear_batch(_tfa_projective.along_columns, "shear_x"))
batch_form(shear_y)(_shear_batch(_tfa_projective.along_rows, "shear_y"))


def _vector(value: Any, batch: bool = False) -> Any:
    offsets = _arguments.float32_of(value, "translate_to")
    if batch and offsets.shape.rank == 1:
        batch = False
    size = offsets.shape[-1] if offsets.shape.rank == 1 + batch else 0
    if size is not None and size < 2:
        allowed = "shape (2,), or (B, 2) in a batch"
        raise OutsideDomain(explain("translate_to", f"shape {offsets.shape}", allowed, "Give (dx, dy)."))
    offsets = tf.ensure_shape(offsets[..., :2], [None, 2] if batch else [2])
    return offsets if batch else offsets[tf.newaxis]


def _level(value: Any, batch: bool = False) -> Any:
    try:
        level = _arguments.float32_of(value, "level")
    except WrongType as error:  # the reference packs it into a list, where a wrong type is a wrong value
        raise OutsideDomain(explain("level", repr(value), "one number", "Give a float.")) from error
    if level.shape.rank not in ((0, 1) if batch else (0,)):
        raise OutsideDomain(
            explain("level", f"shape {level.shape}", "a scalar", "For one per image use pipeport.batched.")
        )
    return tf.reshape(level, [-1])


def _filled(
    plan_map: _tfa_projective.Map,
    image: Any,
    parameter: Any,
    replace: Any,
    name: str,
    *,
    leading: bool = False,
) -> Any:
    with tf.name_scope(name):
        allowed = "shape (B, H, W, 3)" if leading else "shape (H, W, 3)"
        images = _arguments.images_of(image, (4,) if leading else (3,), allowed, "image")
        if images.shape[-1] not in (3, None):
            raise OutsideDomain(
                explain("image", f"shape {images.shape}", allowed, "Only colour images have a mirror here.")
            )
        images = tf.ensure_shape(images, [*images.shape[:-1], 3])
        fill = _fill(replace, images.dtype)
        batch = images if leading else images[tf.newaxis]
        batch = _checks.not_empty(batch, "images", axes=(1, 2), element=slice(1, 3))
        parameter = _arguments.per_image(parameter, batch, "translate_to" if "xy" in name else "level")
        plan = _tfa_projective.Plan(plan_map, 0, "constant")
        result = _tfa_projective.warp(plan, batch, (parameter,), fill)
        return result if leading else tf.squeeze(result, [0])


def _fill(replace: Any, dtype: Any) -> Any:
    value = _arguments.tensor_of(replace, "replace")
    if not (value.dtype.is_floating or value.dtype.is_integer):
        raise WrongType(explain("replace", f"dtype {value.dtype.name}", "numbers", "Cast it with tf.cast."))
    if value.shape.rank not in (0, 1) or (value.shape.rank == 1 and value.shape[0] not in (3, None)):
        raise OutsideDomain(
            explain("replace", f"shape {value.shape}", "one number or three", "One, or one per channel.")
        )
    if value.shape.rank == 1:
        value = tf.ensure_shape(value, [3])
    fill = tf.saturate_cast(value, dtype) if dtype.is_integer else tf.cast(value, dtype)
    return tf.broadcast_to(fill, [3])
