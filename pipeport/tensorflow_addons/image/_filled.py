"""Shared by `translate_xy`, `shear_x` and `shear_y`: colour images with one fill per channel."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Image, OneOf
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.addons import _maps, _projective
from pipeport.kernels.inputs import _checks
from pipeport.tensorflow_addons.image import _arguments

COLOUR = np.ones((2, 2, 3), np.float32)
IMAGE = Image(dtypes=_arguments.DTYPES, channels=(3,))
REPLACE = OneOf(0.0, 128, (1, 2, 3), (7.5, 0.0, 90.25), typical=128)


def aliases_of(module: str, name: str) -> tuple[str, ...]:
    """Return the other names of a function that `tensorflow_addons.image` re-exports from a module."""
    return (f"tfa.image.{name}", f"tensorflow_addons.image.{module}.{name}")


def filled(
    plan_map: _maps.Map,
    image: Any,
    parameter: Any,
    replace: Any,
    name: str,
    *,
    leading: bool = False,
) -> Any:
    """Warp images by nearest pixels and fill what becomes free."""
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
        plan = _projective.Plan(plan_map, 0, "constant")
        result = _projective.warp(plan, batch, (parameter,), fill)
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
