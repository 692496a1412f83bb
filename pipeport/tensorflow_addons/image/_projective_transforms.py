"""Projective maps from angles and translations, and their composition, as in `tensorflow_addons`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import ArrayList, Exact, OneOf, Radians, Real, Shaped, Within, replaces
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.tensorflow_addons.image import _arguments, _maps


@replaces(
    "tensorflow_addons.image.angles_to_projective_transforms",
    domain={
        "angles": Radians(-7.0, 7.0, typical=0.5, tensor=True),
        "image_height": Real(1.0, 300.0, typical=256.0, tensor=True),
        "image_width": Real(1.0, 300.0, typical=256.0, tensor=True),
        "name": OneOf(None, "turns"),
    },
    agreement=Within(
        3e-4, "float32 sines, times up to 300, differ in their last bit between TensorFlow and XLA"
    ),
    aliases=(
        "tf.contrib.image.angles_to_projective_transforms",
        "tensorflow.contrib.image.angles_to_projective_transforms",
        "tfa.image.angles_to_projective_transforms",
        "tensorflow_addons.image.transform_ops.angles_to_projective_transforms",
    ),
)
def angles_to_projective_transforms(
    angles: Any, image_height: Any, image_width: Any, name: str | None = None
) -> Any:
    """Return the maps that turn images about their middle.

    Parameters
    ----------
    angles : float, or sequence or tensor of shape () or (N,)
        Radians, counter-clockwise.
    image_height : float or scalar tensor
        Rows of the images.
    image_width : float or scalar tensor
        Columns of the images.
    name : str, optional
        Name scope of the operations.

    Returns
    -------
    tf.Tensor, shape (N, 8), float32
        What `transform` takes; N is one for a single angle.

    Raises
    ------
    WrongType
        An argument is not made of numbers.
    OutsideDomain
        `angles` has rank above one, or a size is neither one number nor one per angle.

    Notes
    -----
    Differences from the reference: none; integer and float64 tensors, which it refuses, are cast.

    Agreement: within 3e-4 for sizes up to 300: sines are float32.
    Graph: a few small ops, no Python at run time.
    Source: `tensorflow_addons/image/transform_ops.py` 0.23.

    Examples
    --------
    >>> from pipeport.tensorflow_addons.image import angles_to_projective_transforms
    >>> angles_to_projective_transforms(0.0, 4, 5).numpy()
    array([[ 1., -0.,  0.,  0.,  1.,  0.,  0.,  0.]], dtype=float32)
    """
    with tf.name_scope(name or "angles_to_projective_transforms"):
        angles = _numbers(angles, "angles")
        if angles.shape.rank not in (0, 1):
            raise OutsideDomain(
                explain("angles", f"shape {angles.shape}", "() or (N,)", "One angle, or one per image.")
            )
        angles = tf.reshape(angles, [-1])
        bottom, right = (
            _size(value, what, angles) - 1
            for value, what in ((image_height, "image_height"), (image_width, "image_width"))
        )
        cosine, sine = tf.cos(angles), tf.sin(angles)
        across = (right - (cosine * right - sine * bottom)) / 2
        down = (bottom - (sine * right + cosine * bottom)) / 2
        zero = tf.zeros_like(cosine)
        return tf.stack([cosine, -sine, across, sine, cosine, down, zero, zero], axis=1)


@replaces(
    "tensorflow_addons.image.translations_to_projective_transforms",
    domain={
        "translations": Shaped(
            shape=((0, 4), 2),
            dtypes=("float32", "float64", "int32"),
            values=(-50.0, 50.0),
            non_finite=True,
            per_image=True,
        ),
        "name": OneOf(None, "moves"),
    },
    agreement=Exact(),
    aliases=(
        "tf.contrib.image.translations_to_projective_transforms",
        "tensorflow.contrib.image.translations_to_projective_transforms",
        "tfa.image.translations_to_projective_transforms",
        "tensorflow_addons.image.translate_ops.translations_to_projective_transforms",
    ),
)
def translations_to_projective_transforms(translations: Any, name: str | None = None) -> Any:
    """Return the maps that move images by vectors.

    Parameters
    ----------
    translations : sequence or tensor of shape (2,) or (N, 2)
        (dx, dy): columns to the right, rows down. Further numbers are ignored.
    name : str, optional
        Name scope of the operations.

    Returns
    -------
    tf.Tensor, shape (N, 8), float32
        What `transform` takes; N is one for a single vector.

    Raises
    ------
    WrongType
        `translations` is not made of numbers, or has another rank.
    OutsideDomain
        A vector has less than two numbers.

    Notes
    -----
    Differences from the reference: none; integer and float64 tensors, which it refuses, are cast.

    Agreement: bit for bit.
    Graph: a few small ops, no Python at run time.
    Source: `tensorflow_addons/image/translate_ops.py` 0.23.

    Examples
    --------
    >>> from pipeport.tensorflow_addons.image import translations_to_projective_transforms
    >>> translations_to_projective_transforms([3, 4]).numpy()
    array([[ 1.,  0., -3.,  0.,  1., -4.,  0.,  0.]], dtype=float32)
    """
    with tf.name_scope(name or "translations_to_projective_transforms"):
        offsets = _numbers(translations, "translations")
        advice = "Give (dx, dy), or one such pair per image."
        if offsets.shape.rank not in (1, 2):
            raise WrongType(explain("translations", f"shape {offsets.shape}", "(2,) or (N, 2)", advice))
        if offsets.shape[-1] is not None and offsets.shape[-1] < 2:
            raise OutsideDomain(explain("translations", f"shape {offsets.shape}", "(2,) or (N, 2)", advice))
        if offsets.shape.rank == 1:
            offsets = offsets[tf.newaxis]
        right, down = -offsets[:, 0], -offsets[:, 1]
        zero, one = tf.zeros_like(right), tf.ones_like(right)
        return tf.stack([one, zero, right, zero, one, down, zero, zero], axis=1)


def _determined(arguments: Mapping[str, Any]) -> bool:
    """Say whether the composition can be scaled to a last entry of one without losing all digits."""
    matrix = np.eye(3)
    size = np.eye(3)
    for rows in arguments["transforms"]:
        flat = np.asarray(rows, np.float64).reshape(-1, 8)
        if not np.isfinite(flat).all():
            return False
        each = np.concatenate([flat, np.ones((len(flat), 1))], axis=1).reshape(-1, 3, 3)
        matrix, size = matrix @ each, size @ np.abs(each)
    with np.errstate(all="ignore"):
        return bool((np.abs(matrix[..., 2, 2]) > 0.02 * size.max(axis=(-1, -2))).all())


@replaces(
    "tensorflow_addons.image.compose_transforms",
    domain={
        "transforms": ArrayList(
            counts=(1, 4),
            dtypes=("float32",),
            ranks=(1,),
            sides=(8, 8),
            values=(-1.0, 1.0),
            non_finite=False,
        ),
        "name": OneOf(None, "composed"),
    },
    agreement=Within(
        1e-3, "float32 products of up to four matrices, divided by up to a fiftieth of their size"
    ),
    aliases=(
        "tf.contrib.image.compose_transforms",
        "tensorflow.contrib.image.compose_transforms",
        "tfa.image.compose_transforms",
        "tensorflow_addons.image.transform_ops.compose_transforms",
    ),
    valid=_determined,
)
def compose_transforms(transforms: Any, name: str | None = None) -> Any:
    """Compose projective maps into one.

    Parameters
    ----------
    transforms : sequence of tensors of shape (8,) or (N, 8), float32
        Applied to an image in this order.
    name : str, optional
        Name scope of the operations.

    Returns
    -------
    tf.Tensor, shape (N, 8), float32
        What `transform` takes; NaN or infinite where the ninth entry becomes zero.

    Raises
    ------
    OutsideDomain
        The list is empty, is a tensor, or has an entry of another dtype or shape.
    WrongType
        An entry is not made of numbers.

    Notes
    -----
    Differences from the reference: none; an empty list is a value error here, an assertion there.

    Agreement: the same products in the same order; XLA rounds them differently.
    Graph: one small product per map, no Python at run time.
    Source: `tensorflow_addons/image/transform_ops.py` 0.23.

    Examples
    --------
    >>> from pipeport.tensorflow_addons.image import (
    ...     compose_transforms,
    ...     translations_to_projective_transforms,
    ... )
    >>> one = translations_to_projective_transforms([3, 4])
    >>> compose_transforms([one, one]).numpy()
    array([[ 1.,  0., -6.,  0.,  1., -8.,  0.,  0.]], dtype=float32)
    """
    with tf.name_scope(name or "compose_transforms"):
        advice = "For maps in one tensor use tf.unstack."
        if (
            tf.is_tensor(transforms)
            or isinstance(transforms, np.ndarray)
            or not isinstance(transforms, Sequence)
        ):
            raise OutsideDomain(explain("transforms", type(transforms).__name__, "a list of maps", advice))
        if not transforms:
            raise OutsideDomain(explain("transforms", "an empty list", "one map or more", advice))
        composed = _maps.as_matrices(transforms[0])
        for each in transforms[1:]:
            composed = tf.matmul(composed, _maps.as_matrices(each))
        return _maps.as_rows(composed)


def _numbers(value: Any, name: str) -> Any:
    """Return a float32 tensor; NaN and infinities pass, as in the reference."""
    if not tf.is_tensor(value) and not isinstance(value, np.ndarray):
        try:
            return tf.convert_to_tensor(value, tf.float32)
        except (TypeError, ValueError) as error:
            raise WrongType(explain(name, repr(value), "real numbers", str(error))) from error
    tensor = _arguments.tensor_of(value, name)
    if not (tensor.dtype.is_floating or tensor.dtype.is_integer):
        raise WrongType(explain(name, f"dtype {tensor.dtype.name}", "real numbers", "Use tf.cast."))
    return tf.cast(tensor, tf.float32)


def _size(value: Any, name: str, angles: Any) -> Any:
    """Return a size as float32, one or one per angle."""
    size = _numbers(value, name)
    if size.shape.rank not in (0, 1) or not (
        size.shape.rank == 0 or size.shape[0] == 1 or size.shape.is_compatible_with(angles.shape)
    ):
        raise OutsideDomain(explain(name, f"shape {size.shape}", "one number, or one per angle", "Give one."))
    return size
