"""Dtype and value-range rules: scikit-image's float conversion, and rounding to integers."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf


def float_of(dtype: Any) -> Any:
    """Return the dtype scikit-image computes a TensorFlow dtype in: float32 or float64."""
    return tf.float32 if dtype in (tf.float16, tf.float32) else tf.float64


def unit_scale(dtype: Any) -> float:
    """Return the factor of `skimage.util.img_as_float`; 1 for floating images."""
    return 1.0 if dtype.is_floating else 1.0 / np.iinfo(dtype.as_numpy_dtype).max


def as_float_image(image: Any, preserve_range: bool) -> Any:
    """Convert as scikit-image does before it interpolates.

    Integers become float64, in [0, 1] (signed: [-1, 1]) unless `preserve_range`;
    float16 becomes float32; wider floats stay.
    """
    converted = tf.cast(image, float_of(image.dtype))
    if preserve_range or image.dtype.is_floating:
        return converted
    converted = converted * tf.constant(unit_scale(image.dtype), converted.dtype)
    # The most negative integer lies just below -1.
    return converted if image.dtype.is_unsigned else tf.maximum(converted, -1.0)


def saturated(values: Any, dtype: Any, truncate: bool = False) -> Any:
    """Cast; to integers by rounding to nearest even (or truncation) and saturation."""
    if values.dtype == dtype:
        return values
    if not dtype.is_integer:
        return tf.cast(values, dtype)
    limits = np.iinfo(dtype.as_numpy_dtype)
    if limits.bits == 32:
        values = tf.cast(values, tf.float64)  # float32 has no room for the largest int32
    whole = values if truncate else tf.round(values)
    if limits.bits > 32:
        return tf.saturate_cast(whole, dtype)
    low, high = (tf.constant(limit, values.dtype) for limit in (limits.min, limits.max))
    return tf.cast(tf.clip_by_value(whole, low, high), dtype)


def assigned(values: Any, dtype: Any) -> Any:
    """Cast as NumPy assigns: fractions are cut off, and integers wrap around."""
    if dtype.is_integer and not values.dtype.is_integer:
        whole = tf.cast(values, tf.int64)
        if dtype == tf.uint64:
            large = tf.cast(values, tf.float64) >= 2.0**63
            return tf.where(large, tf.cast(values, dtype), tf.cast(whole, dtype))
        values = whole
    return tf.cast(values, dtype)


def stored(values: Any, dtype: Any) -> Any:
    """Cast as `scipy.ndimage` stores: integers are rounded, halves away from zero, and saturate.

    Truth values are the exception: there fractions are cut off, so that a fill of 0.9 is False.
    """
    dtype = tf.as_dtype(dtype)
    if values.dtype == dtype:
        return values
    if dtype.is_bool and values.dtype.is_floating:
        return tf.abs(values) >= 1
    if values.dtype.is_bool or not dtype.is_integer:
        return tf.cast(values, dtype)
    if values.dtype.is_integer:
        return _within(values, dtype)
    limits = np.iinfo(dtype.as_numpy_dtype)
    if limits.bits > 16:
        values = tf.cast(values, tf.float64)
    half = tf.constant(0.5, values.dtype)
    whole = tf.floor(tf.abs(values) + half) * tf.sign(values)
    if limits.bits == 64:
        return tf.saturate_cast(whole, dtype)
    low, high = (tf.constant(limit, values.dtype) for limit in (limits.min, limits.max))
    return tf.cast(tf.clip_by_value(whole, low, high), dtype)


def _within(values: Any, dtype: Any) -> Any:
    """Cast integers to integers by saturation, through dtypes that TensorFlow can clip."""
    own, other = (np.iinfo(kind.as_numpy_dtype) for kind in (values.dtype, dtype))
    if other.min <= own.min and own.max <= other.max:
        return tf.cast(values, dtype)
    if values.dtype == tf.uint64:
        return stored(tf.cast(values, tf.float64), dtype)
    low, high = max(own.min, other.min), min(own.max, other.max)
    return tf.cast(tf.clip_by_value(tf.cast(values, tf.int64), low, high), dtype)
