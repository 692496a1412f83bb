"""The arguments of `cv2.resize`: output size or factors, and which dtypes an interpolation takes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.cv2 import _images
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs.arrays import holds_tensor, static_value
from pipeport.kernels.opencv._resize import (
    AREA,
    CUBIC,
    LANCZOS4,
    LINEAR,
    LINEAR_EXACT,
    NEAREST,
    NEAREST_EXACT,
)
from pipeport.kernels.opencv._resize_axis import Axis, every, some

NAMES = {
    NEAREST: "INTER_NEAREST",
    LINEAR: "INTER_LINEAR",
    CUBIC: "INTER_CUBIC",
    AREA: "INTER_AREA",
    LANCZOS4: "INTER_LANCZOS4",
    LINEAR_EXACT: "INTER_LINEAR_EXACT",
    NEAREST_EXACT: "INTER_NEAREST_EXACT",
}
MIXABLE = ("uint8", "uint16", "int16", "float32", "float64")
# Channels that OpenCV averages over cells that are not whole pixels.
AREA_CHANNELS = 4
_SIZES = "(width, height), both positive, or None with positive fx and fy"


def interpolation_of(value: Any) -> int:
    """Return the interpolation; None is INTER_LINEAR, as in the binding."""
    kind = _images.whole_number(value, "interpolation", LINEAR)
    if kind not in NAMES:
        allowed = ", ".join(f"{name} ({code})" for code, name in NAMES.items())
        raise UnsupportedArgument(explain("interpolation", kind, allowed, "Name one of these."))
    return kind


def _pair(dsize: Any) -> tuple[Any, Any] | None:
    """Return (width, height) as integers or int32 scalars; None where fx and fy are to decide."""
    if dsize is None:
        return None
    if isinstance(dsize, (list, tuple)) and len(dsize) == 2 and any(map(tf.is_tensor, dsize)):
        dsize = tuple(static_value(one, "dsize") for one in dsize)  # one by one: what is known stays so
        if any(map(tf.is_tensor, dsize)):
            return _side(dsize[0]), _side(dsize[1])
    elif holds_tensor(dsize):
        given = static_value(dsize, "dsize")
        if tf.is_tensor(given):
            if not given.dtype.is_integer or not given.shape.is_compatible_with([2]):
                advice = "Cast it to int32."
                raise UnsupportedArgument(
                    explain("dsize", f"{given.dtype.name} {given.shape}", _SIZES, advice)
                )
            given = tf.cast(tf.ensure_shape(given, [2]), tf.int32)
            return given[0], given[1]
        dsize = tuple(given) if np.ndim(given) else given
    whole = isinstance(dsize, (list, tuple, np.ndarray)) and np.ndim(dsize) == 1 and len(dsize) == 2
    if not whole or not all(one is None or _images.is_whole(one) for one in dsize):
        raise UnsupportedArgument(explain("dsize", repr(dsize), _SIZES, "Give two integers."))
    width, height = (0 if one is None else int(one) for one in dsize)
    return (width, height) if width > 0 and height > 0 else None


def _side(value: Any) -> Any:
    """Return one of two sizes, of which another is not known while tracing."""
    if not tf.is_tensor(value):
        if _images.is_whole(value) and value > 0:
            return int(value)
        raise UnsupportedArgument(explain("dsize", repr(value), _SIZES, "Give two positive integers."))
    if not value.dtype.is_integer or value.shape.rank not in (None, 0):
        given = f"{value.dtype.name} {value.shape}"
        raise UnsupportedArgument(explain("dsize", given, _SIZES, "Cast it to int32."))
    return tf.cast(tf.ensure_shape(value, []), tf.int32)


def _factor(value: Any, name: str) -> Any:
    """Return a factor as float or float64 scalar."""
    advice = "Give one factor, or an output size in `dsize`."
    if tf.is_tensor(value):
        if not (value.dtype.is_floating or value.dtype.is_integer) or value.shape.rank not in (None, 0):
            given = f"{value.dtype.name} {value.shape}"
            raise UnsupportedArgument(explain(name, given, "a real number", advice))
        known = tf.get_static_value(value)
        return tf.cast(value, tf.float64) if known is None else float(known)
    if value is None:
        return 0.0
    real = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if not real:
        raise UnsupportedArgument(explain(name, repr(value), "a real number", advice))
    return float(value)


def _scaled(size: Any, factor: Any, name: str) -> Axis:
    advice = "Give an output size in `dsize`, or a larger factor."
    allowed = "a positive factor that leaves between 1 and 2**31 - 1 pixels"
    if not tf.is_tensor(factor) and not (factor > 0 and math.isfinite(factor)):
        raise OutsideDomain(explain(name, factor, allowed, advice))
    if not tf.is_tensor(factor) and not tf.is_tensor(size):
        out = round(size * factor)
        if not 1 <= out < 2**31:
            raise OutsideDomain(explain(name, f"{factor}, which leaves {out} pixels", allowed, advice))
        return Axis(size, out, factor)
    exact = tf.round(tf.cast(size, tf.float64) * factor)
    message = explain(name, "a factor that leaves no pixel, or too many", allowed, advice)
    checks = [
        tf.debugging.assert_greater_equal(exact, tf.constant(1.0, tf.float64), message),
        tf.debugging.assert_less(exact, tf.constant(2.0**31, tf.float64), message),
    ]
    with tf.control_dependencies(checks):
        return Axis(size, tf.cast(exact, tf.int32), tf.identity(factor) if tf.is_tensor(factor) else factor)


def _to_size(size: Any, out: Any) -> Axis:
    if tf.is_tensor(out):
        message = explain("dsize", "a size below 1", _SIZES, "Compute a positive size.")
        with tf.control_dependencies([tf.debugging.assert_positive(out, message)]):
            out = tf.identity(out)
    known = not tf.is_tensor(size) and not tf.is_tensor(out)
    return Axis(size, out, out / size if known else None, fits=True)


def axes(images: Any, dsize: Any, fx: Any, fy: Any) -> tuple[Axis, Axis]:
    """Return rows and columns of what is asked for.

    `images`: shape (B, H, W, C). `dsize`, `fx`, `fy`: as `cv2.resize` takes them, or tensors.
    """
    found = images.shape[1:3].as_list()
    if None in found:
        given = tf.unstack(tf.shape(images))[1:3]
        found = [unknown if size is None else size for size, unknown in zip(found, given, strict=True)]
    height, width = found
    pair = _pair(dsize)
    factors = _factor(fx, "fx"), _factor(fy, "fy")
    if pair is None:
        return _scaled(height, factors[1], "fy"), _scaled(width, factors[0], "fx")
    return _to_size(height, pair[1]), _to_size(width, pair[0])


def check_dtype(images: Any, kind: int, rows: Axis, columns: Axis, given: str) -> tuple[Any, bool]:
    """Refuse dtypes that the interpolation does not support.

    `images`: shape (B, H, W, C). `given`: name of the dtype that was given: images of 64-bit integers are
    int32 here. Returns: the images, ordered after run-time checks; whether nothing but a copy is served.
    """
    if kind in (NEAREST, NEAREST_EXACT):
        return images, False
    name = images.dtype.name
    if name not in MIXABLE and not (name == "int8" and kind == LINEAR_EXACT):
        allowed = f"{', '.join(MIXABLE)} for {NAMES[kind]}, or equal sizes"
        message = explain("src", f"dtype {given}", allowed, "Use INTER_NEAREST, or cast the image first.")
        return _require(images, every(rows.same, columns.same), message), True
    return images, False


def check_cells(images: Any, kind: int, rows: Axis, columns: Axis) -> Any:
    """Refuse what INTER_AREA cannot average, and int8 where INTER_LINEAR_EXACT averages 2 x 2.

    `images`: shape (B, H, W, C). Returns: the images, ordered after run-time checks.
    """
    if kind == AREA and images.shape[3] > AREA_CHANNELS:
        message = explain(
            "src",
            f"{images.shape[3]} channels shrunk by INTER_AREA, not by whole factors",
            f"{AREA_CHANNELS} channels or fewer",
            "Split the channels, or choose another interpolation.",
        )
        same, whole = every(rows.same, columns.same), every(rows.whole, columns.whole)
        return _require(images, some(same, whole, _not(every(rows.shrinks, columns.shrinks))), message)
    if kind == LINEAR_EXACT and images.dtype == tf.int8 and images.shape[3] != 2:
        message = explain(
            "src", "int8 halved by INTER_LINEAR_EXACT", "another size", "Use INTER_NEAREST or cast the image."
        )
        return _require(images, _not(every(rows.halved, columns.halved)), message)
    return images


def _not(condition: Any) -> Any:
    return tf.logical_not(condition) if tf.is_tensor(condition) else not condition


def _require(images: Any, holds: Any, message: str) -> Any:
    if not tf.is_tensor(holds):
        if not holds:
            raise OutsideDomain(message)
        return images
    with tf.control_dependencies([tf.debugging.Assert(holds, [message])]):
        return tf.identity(images)
