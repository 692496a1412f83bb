"""The nearest stock TensorFlow op for each native, with the native's parameters.

The only module of this folder that touches TensorFlow; the bench runs it as a third column.
"""

from __future__ import annotations

import math
from typing import Any

from pipeport._lazy import tf
from pipeport.errors import UnsupportedArgument, explain


def flip(m: Any, axis: Any = None) -> Any:
    """Call `tf.reverse`."""
    if axis is None:
        return tf.reverse(m, tf.range(tf.rank(m)))
    return tf.reverse(m, [axis] if isinstance(axis, int) else list(axis))


def flip_left_right(m: Any) -> Any:
    """Call `tf.image.flip_left_right`."""
    return tf.image.flip_left_right(m)


def flip_up_down(m: Any) -> Any:
    """Call `tf.image.flip_up_down`."""
    return tf.image.flip_up_down(m)


def rot90(m: Any, k: Any = 1, axes: Any = (0, 1)) -> Any:
    """Call `tf.image.rot90`, which knows one plane."""
    if tuple(axes) != (0, 1):
        raise ValueError("tf.image.rot90 rotates axes (0, 1) only")
    return tf.image.rot90(m, k)


def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """Call `tf.roll`, which needs an axis."""
    if axis is None:
        return tf.reshape(tf.roll(tf.reshape(a, [-1]), shift, 0), tf.shape(a))
    return tf.roll(a, shift, axis)


def transpose(a: Any, axes: Any = None) -> Any:
    """Call `tf.transpose`."""
    return tf.transpose(a, axes)


def pad(array: Any, pad_width: Any, mode: str = "constant", **kwargs: Any) -> Any:
    """Call `tf.pad`, which wants a full table of widths and knows three modes."""
    value = kwargs.get("constant_values", 0)
    return tf.pad(array, pad_width, mode.upper(), constant_values=tf.cast(value, array.dtype))


def flip_left_right_pair(
    image: Any, label: Any, p: float = 0.5, axis: Any = 1, *, seed: Any = None
) -> tuple[Any, Any]:
    """Call `tf.image.stateless_random_flip_left_right` on both with one seed."""
    if p != 0.5 or axis != 1:
        raise ValueError("tf.image.stateless_random_flip_left_right knows p=0.5 and axis=1 only")
    flipped = tf.image.stateless_random_flip_left_right(image, seed)
    return flipped, tf.image.stateless_random_flip_left_right(label, seed)


def per_image_standardization(image: Any, axis: Any = None, epsilon: float = 0.0) -> Any:
    """Call `tf.image.per_image_standardization`, which has a floor of its own for the divisor."""
    if axis is not None or epsilon != 0.0:
        raise ValueError("tf.image.per_image_standardization takes the image alone")
    return tf.image.per_image_standardization(image)


def resize(
    image: Any,
    output_shape: Any,
    order: int | None = None,
    mode: str = "reflect",  # noqa: ARG001 - the kernel has one border rule
    cval: float = 0,  # noqa: ARG001
    clip: bool = True,  # noqa: ARG001 - linear mixing never leaves the range
    preserve_range: bool = False,
    anti_aliasing: bool | None = None,
    anti_aliasing_sigma: Any = None,  # noqa: ARG001 - its filter has none
) -> Any:
    """Call `tf.image.resize`, in the range scikit-image gives."""
    methods = {None: "bilinear", 0: "nearest", 1: "bilinear", 3: "bicubic"}
    resized = tf.image.resize(image, output_shape, methods[order], antialias=anti_aliasing is not False)
    scale = 1.0 if preserve_range or not image.dtype.is_integer else 1.0 / image.dtype.max
    return tf.cast(resized, tf.float32) * scale


def rotate(
    image: Any,
    angle: Any,
    resize: bool = False,
    center: Any = None,
    order: int | None = None,
    mode: str = "constant",
    cval: float = 0,
    clip: bool = True,  # noqa: ARG001 - linear mixing never leaves the range
    preserve_range: bool = True,  # noqa: ARG001 - the kernel always does
    *,
    dtype: Any = None,
) -> Any:
    """Call the projective kernel that TensorFlow Addons and Keras' `RandomRotation` use."""
    if resize or center is not None:
        raise UnsupportedArgument(
            explain("resize, center", "another than the default", "the defaults", "The kernel has neither.")
        )
    modes = {"constant": "CONSTANT", "edge": "NEAREST", "symmetric": "REFLECT", "wrap": "WRAP"}
    turn = tf.cast(angle, tf.float32) * (math.pi / 180)
    cosine, sine = tf.cos(turn), tf.sin(turn)
    height, width = (tf.cast(side - 1, tf.float32) / 2 for side in tf.unstack(tf.shape(image)[:2]))
    zero = tf.zeros_like(cosine)
    first = [cosine, -sine, width - cosine * width + sine * height]
    second = [sine, cosine, height - sine * width - cosine * height]
    turned = tf.raw_ops.ImageProjectiveTransformV3(
        images=image[tf.newaxis],
        transforms=tf.stack([*first, *second, zero, zero])[tf.newaxis],
        output_shape=tf.shape(image)[:2],
        fill_value=tf.constant(cval, tf.float32),
        interpolation="NEAREST" if order == 0 else "BILINEAR",
        fill_mode=modes[mode],
    )[0]
    turned = tf.ensure_shape(turned, image.shape)
    return turned if dtype is None else tf.cast(turned, dtype)
