"""Windows by their names, as `scipy.signal.get_window` knows them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs import _checks


def _from_middle(count: int) -> np.ndarray:
    """Return how far each element lies from the middle, which is 1 at both ends."""
    return np.asarray(np.abs(2 * np.arange(count) - (count - 1)) / (count - 1))


def _sum_of_cosines(count: int, *weights: float) -> np.ndarray:
    turns = _from_middle(count) * np.pi
    return np.asarray(np.sum([weight * np.cos(at * turns) for at, weight in enumerate(weights)], axis=0))


def _cosines(*weights: float) -> Callable[[int], np.ndarray]:
    return lambda count: _sum_of_cosines(count, *weights)


def _tukey(count: int, share: float = 0.5) -> np.ndarray:
    if share <= 0:
        return np.ones(count)
    from_end = (1 - _from_middle(count)) / min(share, 1.0)
    return np.where(from_end < 1, 0.5 * (1 - np.cos(np.pi * from_end)), 1.0)


def _parzen(count: int) -> np.ndarray:
    far = _from_middle(count) * (count - 1) / count
    return np.where(_from_middle(count) <= 0.5, 1 - 6 * far**2 + 6 * far**3, 2 * (1 - far) ** 3)


def _bohman(count: int) -> np.ndarray:
    far = _from_middle(count)
    return (1 - far) * np.cos(np.pi * far) + np.sin(np.pi * far) / np.pi


def _barthann(count: int) -> np.ndarray:
    far = _from_middle(count)
    return 0.62 - 0.24 * far + 0.38 * np.cos(np.pi * far)


def _triangle(count: int) -> np.ndarray:
    return 1 - _from_middle(count) * (count - 1) / (count + count % 2)


def _bell(count: int, power: float, width: float) -> np.ndarray:
    return np.exp(-0.5 * np.abs(_from_middle(count) * ((count - 1) / 2) / width) ** (2 * power))


def _exponential(count: int, center: float | None = None, tau: float = 1.0) -> np.ndarray:
    middle = (count - 1) / 2 if center is None else center
    return np.asarray(np.exp(-np.abs(np.arange(count) - middle) / tau))


# By names, the symmetric window of so many elements, two at least, and how many values it takes.
_FORMULAS: dict[tuple[str, ...], tuple[Callable[..., np.ndarray], tuple[int, ...]]] = {
    ("hann", "han"): (_cosines(0.5, 0.5), (0,)),
    ("hamming", "hamm", "ham"): (_cosines(0.54, 0.46), (0,)),
    ("blackman", "black", "blk"): (_cosines(0.42, 0.5, 0.08), (0,)),
    ("blackmanharris", "blackharr", "bkh"): (_cosines(0.35875, 0.48829, 0.14128, 0.01168), (0,)),
    ("nuttall", "nutl", "nut"): (_cosines(0.3635819, 0.4891775, 0.1365995, 0.0106411), (0,)),
    ("flattop", "flat", "flt"): (
        _cosines(0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368), (0,),
    ),
    ("boxcar", "box", "ones", "rect", "rectangular"): (np.ones, (0,)),
    ("bartlett", "bart", "brt"): (lambda count: 1 - _from_middle(count), (0,)),
    ("triang", "triangle", "tri"): (_triangle, (0,)),
    ("parzen", "parz", "par"): (_parzen, (0,)),
    ("bohman", "bman", "bmn"): (_bohman, (0,)),
    ("barthann", "brthan", "bth"): (_barthann, (0,)),
    ("cosine", "halfcosine"): (lambda count: np.sin(np.pi / count * (np.arange(count) + 0.5)), (0,)),
    ("lanczos", "sinc"): (lambda count: np.sinc(_from_middle(count)), (0,)),
    ("tukey", "tuk"): (_tukey, (0, 1)),
    ("exponential", "poisson"): (_exponential, (0, 1, 2)),
    ("kaiser", "ksr"): (np.kaiser, (1,)),
    ("gaussian", "gauss", "gss"): (lambda count, std: _bell(count, 1, std), (1,)),
    ("general_gaussian", "general gaussian", "general_gauss", "general gauss", "ggs"): (_bell, (2,)),
    ("general_hamming", "general hamming"): (lambda count, a: _sum_of_cosines(count, a, 1 - a), (1,)),
}  # fmt: skip
_BY_NAME = {name: found for names, found in _FORMULAS.items() for name in names}
NAMES = ", ".join(repr(names[0]) for names in _FORMULAS)


def _value(value: Any) -> Any:
    found = _checks.finite_scalar(value, "window")
    if tf.is_tensor(found):
        raise UnsupportedArgument(explain("window", "a tensor", "known numbers", "Decide it before tracing."))
    return found


def named(window: str | tuple[Any, ...], count: int, *, periodic: bool) -> np.ndarray:
    """Return so many elements of a window: of a periodic one the next would be the first again.

    `window`: a name, or a tuple of a name and values; an ending '_periodic' or '_symmetric' of the name
    overrides `periodic`.
    """
    full, *values = (window,) if isinstance(window, str) else window
    name, _, kind = str(full).rpartition("_")
    if kind in ("periodic", "symmetric"):
        periodic = kind == "periodic"
    else:
        name = str(full)
    formula, counts = _BY_NAME.get(name, (None, ()))
    if formula is None or len(values) not in counts:
        allowed = f"a tuple of a name and the values that it takes, or a name: {NAMES}"
        raise UnsupportedArgument(explain("window", repr(window), allowed, "Give its elements."))
    if formula is _exponential and not periodic and values[:1] not in ([], [None]):
        advice = "Take the periodic one."
        raise OutsideDomain(explain("window", repr(window), "no centre of a symmetric window", advice))
    values = [one if one is None and formula is _exponential else _value(one) for one in values]
    return np.ones(1) if count == 1 else np.asarray(formula(count + periodic, *values)[:count])
