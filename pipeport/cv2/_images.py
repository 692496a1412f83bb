"""Images and integers, as OpenCV's Python binding accepts them."""

from __future__ import annotations

import operator
import warnings
from typing import Any

import numpy as np

from pipeport import config
from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, PipeportWarning, UnsupportedArgument, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor
from pipeport.kernels.layout._decoded import decoded, is_decoded

DTYPES = ("bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "float16", "float32", "float64")
# The dtypes OpenCV 4 has no matrices of.
NEW_DTYPES = ("bool", "uint32")
# The binding turns them into int32, by dropping the upper half.
WIDE = ("int64", "uint64")
_MOST_CHANNELS = {4: 512, 5: 128}


def served_dtypes() -> tuple[str, ...]:
    """Return the names of the dtypes of images in the OpenCV version in force."""
    new = NEW_DTYPES if config.opencv() == 4 else ()
    return tuple(name for name in (*DTYPES, *WIDE) if name not in new)


def as_images(src: Any, batch_axes: int, parameter: str = "src") -> Any:
    """Return images as a tensor (B, H, W, C), in the dtype OpenCV gives them.

    `src`: one image (H, W) or (H, W, C), or a batch with one more axis in front. `batch_axes`: {0, 1};
    whether it is a batch. Returns: rank 4; C is known.
    """
    x = as_tensor(src, parameter)
    rank = None if x.shape.rank is None else x.shape.rank - batch_axes
    shapes = "shape (H, W) or (H, W, C)"
    if rank is None:
        raise UnsupportedArgument(explain(parameter, "an unknown rank", shapes, "Use tf.ensure_shape."))
    if rank not in (2, 3):
        advice = "Use pipeport.batched for a batch; add axes to anything smaller."
        raise OutsideDomain(explain(parameter, f"rank {rank}", shapes, advice))
    _checks.dtype_among(x, served_dtypes(), parameter)
    has_pixels = is_decoded(x)
    if x.dtype.name in WIDE:
        x = tf.cast(x, tf.int32)
    x = x if batch_axes else x[tf.newaxis]
    x = x[..., tf.newaxis] if rank == 2 else x
    channels, most = x.shape[3], _MOST_CHANNELS[config.opencv()]
    if channels is None:
        advice = "Use tf.ensure_shape: with one channel the result has two axes, else three."
        raise UnsupportedArgument(explain(parameter, "an unknown number of channels", "a known one", advice))
    if not 1 <= channels <= most:
        raise OutsideDomain(explain(parameter, f"{channels} channels", f"1 to {most}", "Split them."))
    if has_pixels:
        return decoded(x)
    return _checks.not_empty(x, parameter, axes=(1, 2), element=slice(1, 3))


def as_result(images: Any, batch_axes: int) -> Any:
    """Return (B, H, W, C) as OpenCV returns an image: without a single channel's axis."""
    if images.shape[3] == 1:
        images = tf.squeeze(images, [3])
    return images if batch_axes else tf.squeeze(images, [0])


def is_whole(value: Any) -> bool:
    """Whether the binding takes a Python value for an integer of 32 bits."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_))
    return whole and -(2**31) <= int(value) < 2**31


def whole_number(value: Any, parameter: str, default: int = 0) -> int:
    """Return an integer argument; None stands for the default, as in the binding."""
    if tf.is_tensor(value):
        known = tf.get_static_value(value)
        value = known[()] if known is not None and known.ndim == 0 else value
    if value is None:
        return default
    if not is_whole(value):
        advice = "Give one integer, known while tracing."
        raise UnsupportedArgument(explain(parameter, repr(value), "an integer of 32 bits", advice))
    return operator.index(value)


def refuse_dst(dst: Any) -> None:
    """Refuse a destination array; warn of a number, which OpenCV ignores."""
    if isinstance(dst, (int, float)) and not isinstance(dst, np.generic):
        advice = "OpenCV ignores it: give the argument that you mean by name, such as interpolation=."
        text = explain("dst", f"the number {dst!r}", "None", advice)
        warnings.warn(text, PipeportWarning, stacklevel=3)
    elif dst is not None:
        advice = "Tensors are not written in place: use the value that is returned."
        raise UnsupportedArgument(explain("dst", type(dst).__name__, "None", advice))
