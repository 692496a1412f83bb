"""One run of an original against its port, before first use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport import config
from pipeport._lazy import tf
from pipeport.contract import Agreement
from pipeport.errors import NotEquivalent, explain
from pipeport.porting._levels import levels_of
from pipeport.porting._replay import copied, sides
from pipeport.verify._oracle import compare as judged
from pipeport.verify._outcome import Outcome

# Of the largest value: float32 sums of an image in another order are as far apart.
_RELATIVE = {"float16": 4e-3, "float32": 1e-5, "float64": 1e-9, "complex64": 1e-5, "complex128": 1e-9}


def compare(ported: Any, example: Any, agreement: Agreement | None = None) -> None:
    """Run both on an example, eagerly and with the same draws.

    Parameters
    ----------
    ported : Ported
        The port.
    example : tuple or object
        Its arguments; one argument need not stand in a tuple.
    agreement : Agreement or None
        How equal the results must be.

    Raises
    ------
    NotEquivalent
        They differ by more than the agreement allows; without one: in structure, dtype or shape, in bytes by
        more than a grey level, in floats by more than rounding, in other numbers at all. What follows one
        interpolated byte in proportion may differ by one level of that.
    """
    args = example if isinstance(example, tuple) else (example,)
    old, new = sides(ported)
    want = [of_one_kind(one) for one in tf.nest.flatten(old(*copied(args)))]

    def run() -> list[Any]:
        return [of_one_kind(one) for one in tf.nest.flatten(new(*copied(args)))]

    found = differing(want, run(), run, agreement)
    if not found:
        return
    equal = False
    if not config.bit_equal():
        with config.use_bit_equal(True):
            equal = not differing(want, run(), run, agreement)
    _refuse(found, equal_bits=equal)


@dataclass(frozen=True)
class Difference:
    """How results differ by more than is allowed.

    Attributes
    ----------
    text : str
        In words.
    want, got : numpy.ndarray or None
        Of the first result that differs.
    """

    text: str
    want: Any = None
    got: Any = None


def differing(
    want: list[Any], got: list[Any], run: Callable[[], list[Any]], agreement: Agreement | None = None
) -> Difference | None:
    """Return how the results of a port differ from those of its original.

    Parameters
    ----------
    want, got : list of numpy.ndarray
        Results of both, flat, from `of_one_kind`.
    run : callable
        Runs the port eagerly, for what follows grey levels of interpolated bytes.
    agreement : Agreement or None
        How equal they must be; see `compare`.

    Returns
    -------
    Difference or None
        None where they agree.
    """
    if len(want) != len(got):
        return Difference(f"{len(got)} results for {len(want)}")
    levels: list[Any] | None = None
    for position, (one, other) in enumerate(zip(want, got, strict=True)):
        found = _difference(one, other) if agreement is None else _judged(one, other, agreement)
        if found and agreement is None and (one.shape, one.dtype) == (other.shape, other.dtype):
            levels = levels_of(got, run) if levels is None else levels
            found = _difference(one, other, levels[position]) if levels else found
        if found:
            return Difference(found if len(want) == 1 else f"result {position}: {found}", one, other)
    return None


def _judged(want: Any, got: Any, agreement: Agreement) -> str:
    """Return in words how a result differs by more than an agreement allows."""
    try:
        judged(Outcome((want,), "output"), Outcome((got,), "output"), agreement, called=("original", "port"))
    except NotEquivalent as error:
        return str(error)
    return ""


def of_one_kind(value: Any) -> np.ndarray[Any, Any]:
    """Return a result as an array; strings as objects of bytes, as TensorFlow has them."""
    array = np.asarray(value.numpy() if tf.is_tensor(value) else value)
    if array.dtype.kind == "U":
        array = np.char.encode(array, "utf-8")
    return array.astype(object) if array.dtype.kind == "S" else array


def _difference(want: np.ndarray[Any, Any], got: np.ndarray[Any, Any], level: Any = 0.0) -> str:
    """Return in words how a result differs by more than is allowed, beside a level of interpolated bytes."""
    if want.dtype != got.dtype:
        return f"dtype {got.dtype} for {want.dtype}"
    if want.shape != got.shape:
        return f"shape {got.shape} for {want.shape}"
    if not want.size or want.dtype.kind not in "biufc":
        return "" if np.array_equal(want, got) else "other values"
    apart = _apart(want, got)
    largest = np.max(np.abs(want).astype(np.float64), where=np.isfinite(want), initial=1.0)
    rounding = _RELATIVE.get(want.dtype.name, 0.0) * largest
    allowed = 1.0 if want.dtype == np.uint8 else rounding
    worst, share = float(np.max(apart)), float(np.mean(apart > 0))
    if np.all((apart <= allowed) | (apart <= level + rounding)):
        return ""
    return f"values up to {worst:.3g} apart, on {100 * share:.2g} % of them; {allowed:.3g} allowed"


def _apart(want: np.ndarray[Any, Any], got: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return absolute differences; NaN agrees with NaN."""
    wide = np.complex128 if want.dtype.kind == "c" else np.float64
    apart = np.abs(want.astype(wide) - got.astype(wide))
    return np.where((want == got) | ((want != want) & (got != got)), 0, apart)


def _passing(want: np.ndarray[Any, Any], got: np.ndarray[Any, Any]) -> tuple[str, str]:
    """Return the agreement that a result meets, for the command line and as Python; empty if none."""
    alike = want.dtype == got.dtype and want.shape == got.shape
    if not (alike and want.size and want.dtype.kind in "iufc"):
        return "", ""
    apart = _apart(want, got)
    if not np.isfinite(apart).all():
        return "", ""
    worst = float(apart.max())
    if want.dtype.kind in "iu":
        share = np.ceil(1000 * float(np.mean(apart > 0))) / 1000
        return f"levels:{worst:.0f}@{share:g}", f"WithinLevels({worst:.0f}, {share:g})"
    bound = f"{1.01 * worst:.3g}"  # not rounded down
    return f"within:{bound}", f"Within({bound}, 'why')"


def _refuse(found: Difference, *, equal_bits: bool) -> None:
    advice = "`pipeport verify module:function --port` finds the smallest example."
    if equal_bits:
        advice = (
            "Natives that interpolate bytes may be a grey level off, which is much made of here: with "
            "`pipeport.config.set_bit_equal(True)` the results agree."
        )
    elif found.want is not None and (passing := _passing(found.want, found.got))[0]:
        advice += (
            " Where a threshold, a rounding or an argmax makes much of an allowed difference, "
            f"`--agreement {passing[0]}` passes, as does `port(..., agreement={passing[1]})`."
        )
    raise NotEquivalent(explain("example", found.text, "the results of the original", advice))
