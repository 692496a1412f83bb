"""The arguments of `rotate` beyond those of every warp: dtype of the result and centre."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.dtypes import dtype_of
from pipeport.skimage.transform._sampling import Sampling

_NAMES = ("uint8", "uint16", "int32", "float32", "float64")
OUTPUTS = (None, *_NAMES)


def dtype_wanted(dtype: Any) -> Any:
    """Return the dtype asked for, None to follow the reference."""
    return None if dtype is None else dtype_of(dtype, "dtype", _NAMES)


def check_dtype(wanted: Any, how: Sampling) -> None:
    """Refuse a dtype that does not go with the other parameters."""
    if wanted is None:
        return
    if how.order == 0:
        raise UnsupportedArgument(
            explain(
                "dtype", wanted.name, "None for order 0", "Order 0 keeps the image's dtype: cast the image."
            )
        )
    if wanted.is_integer and not how.preserve_range:
        raise UnsupportedArgument(
            explain(
                "dtype",
                f"{wanted.name} without preserve_range",
                "preserve_range=True for an integer result",
                "Otherwise values lie in [0, 1] and would round to 0 or 1.",
            )
        )


def checked_center(center: Any, batched: bool) -> tuple[Any, ...]:
    """Return (column, row) as Python floats or tensors, or () for the middle of the image."""
    if center is None:
        return ()
    tensor = _checks.as_tensor(center, "center")
    allowed = "two finite numbers (column, row)"
    if not (tensor.dtype.is_floating or tensor.dtype.is_integer):
        raise OutsideDomain(explain("center", f"dtype {tensor.dtype.name}", allowed, "Give numbers."))
    if tensor.shape.rank not in ((1, 2) if batched else (1,)) or tensor.shape[-1] != 2:
        advice = "Use pipeport.batched for one per element."
        raise OutsideDomain(explain("center", f"shape {tensor.shape}", allowed, advice))
    tensor = _checks.finite(tf.cast(tensor, tf.float64), "center", allowed)
    constant = tf.get_static_value(tensor)
    if constant is not None and constant.ndim == 1:
        return float(constant[0]), float(constant[1])
    return tensor[..., 0], tensor[..., 1]
