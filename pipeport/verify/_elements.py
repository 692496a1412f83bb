"""Arrays element by element: how far apart they are, how large, and where they fail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pipeport.errors import NotEquivalent

if TYPE_CHECKING:
    from pipeport.verify._judge import Sides

Array = np.ndarray[Any, Any]


def number(value: float, digits: int = 3) -> str:
    """Return a number in a few digits: 0.0427, 3, 1.2e-7."""
    mantissa, _, exponent = f"{value:.{digits}g}".partition("e")
    return f"{mantissa}e{int(exponent)}" if exponent else mantissa


def percent(share: float) -> str:
    """Return a share in two digits or more: 0.5 %, 12 %, 100 %."""
    return f"{number(100 * share, 2) if share < 0.1 else round(100 * share)} %"


def fail(sides: Sides, bad: Array, reason: str, error: Array | None = None, allowed: Any = 0) -> None:
    """Raise when any element is bad, with both values where the error is largest, or of the first.

    `reason`: what is wrong; `{at}` in it becomes the place, `{error}` the error there, `{allowed}` its limit.
    """
    if not bad.any():
        return
    place = np.argwhere(bad)[0] if error is None else np.unravel_index(_worst(bad, error), bad.shape)
    where = tuple(int(i) for i in place)
    limit = float(np.broadcast_to(allowed, bad.shape)[where])
    size, most = _distinct_digits(0.0 if error is None else float(error[where]), limit)
    at = f" at {list(where)}" if where else ""
    right, got = sides.called
    exact = sides.oracle[where] if sides.oracle.dtype != sides.right.dtype else None
    wide = "" if exact is None else f" (in {sides.oracle.dtype}: {_shown(exact)})"
    raise NotEquivalent(
        f"{sides.name} {reason.format(error=size, at=at, allowed=most)}; "
        f"{int(bad.sum())} of {bad.size} are wrong\n"
        f"{right} {_shown(sides.right[where])}{wide}, {got} {_shown(sides.got[where])}"
    )


def _distinct_digits(error: float, limit: float) -> tuple[str, str]:
    """Return an error and its limit in so many digits that they do not look equal."""
    for digits in range(2, 17):
        shown = number(error, max(3, digits)), number(limit, digits)
        if shown[0] != shown[1]:
            break
    return shown


def _worst(bad: Array, error: Array) -> int:
    return int(np.argmax(np.where(bad, np.where(np.isnan(error), 0, error), -1)))


def _shown(value: Any) -> str:
    return f"{value:.10g}" if isinstance(value, (np.float64, np.complex128)) else str(value)


def floating(array: Array) -> bool:
    """Return whether elements may be NaN, real ones or complex ones."""
    return array.dtype.kind in "fc"


def in_double(array: Array) -> Array:
    """Return an array in float64; a complex one in complex128."""
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def difference(right: Array, got: Array) -> Array:
    """Return |right - got| in float64; int64 differences stay exact.

    Of complex elements it is the magnitude. What is NaN or infinite on either side counts as equal, real and
    imaginary parts apart: `same_specials` judges these.
    """
    if "c" in (right.dtype.kind, got.dtype.kind):
        return np.asarray(np.hypot(difference(right.real, got.real), difference(right.imag, got.imag)))
    if right.dtype.kind in "iu" and right.dtype.itemsize == 8:
        exact = [abs(int(a) - int(b)) for a, b in zip(right.ravel(), got.ravel(), strict=True)]
        return np.array(exact, float).reshape(right.shape)
    both = np.isfinite(right) & np.isfinite(got)
    a, b = (np.where(both, v, 0).astype(np.float64) for v in (right, got))
    return np.abs(a - b)


def same_specials(right: Array, got: Array) -> Array:
    """Return where NaN and infinities are the same, or there are none; real and imaginary parts apart."""
    if "c" in (right.dtype.kind, got.dtype.kind):
        return same_specials(right.real, got.real) & same_specials(right.imag, got.imag)
    finite = np.isfinite(right) & np.isfinite(got)
    return np.asarray(finite | (right == got) | (np.isnan(right) & np.isnan(got)))


def eps(dtype: Any) -> float:
    """Return the distance of 1 to the next number; 0 of integers, of complex dtypes that of their parts."""
    return float(np.finfo(dtype).eps) if np.dtype(dtype).kind in "fc" else 0.0


def magnitudes(array: Array) -> Array:
    """Return |array| in float64, NaN and infinite parts taken for zero."""
    return np.asarray(np.abs(np.nan_to_num(in_double(array), nan=0.0, posinf=0.0, neginf=0.0)))


def largest(array: Array) -> float:
    return float(np.max(magnitudes(array), initial=0.0))
