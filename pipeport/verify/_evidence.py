"""Evidence for the oracle: the float64 run, slack and discontinuities."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import cache, partial
from typing import Any

import numpy as np

from pipeport.contract import Agreement, AsReference, Within, WithinLevels
from pipeport.verify._elements import floating, in_double
from pipeport.verify._judge import Evidence
from pipeport.verify._outcome import Outcome, run_reference
from pipeport.verify._pair import Pair
from pipeport.verify._require import resolve

_NARROW = ("float16", "float32", "complex64")
_WIDE = ("float64", "complex128")


def gather(pair: Pair, agreement: Agreement, arguments: Mapping[str, Any], expected: Outcome) -> Evidence:
    """Return the evidence for one call of the reference.

    `agreement`: of the pair, or the application's for random natives. `arguments`: complete arguments of one
    element, ours included. Returns: nothing but the wanted dtype when the agreement is not `AsReference`.
    """
    wanted = arguments.get("dtype") if "dtype" in pair.extra else None
    dtype = None if wanted is None else str(np.dtype(wanted))
    if isinstance(agreement, WithinLevels) and agreement.floats and _floating(expected):
        agreement = agreement.floats
    if expected.error is not None or not (isinstance(agreement, (AsReference, Within)) or dtype):
        return Evidence(dtype=dtype)
    own = pair.of_reference(arguments)
    if isinstance(agreement, Within):
        slack = _float32_slack(agreement, own, expected)
        return Evidence(expected.leaves, slack, _find_discontinuities(agreement, own), dtype)
    wide = run_wide(pair, own, expected)
    if not isinstance(agreement, AsReference):
        return Evidence(oracle=wide.leaves, dtype=dtype)
    discontinuities = _find_discontinuities(agreement, _widened(own))
    return Evidence(
        wide.leaves, _slack(agreement, own), discontinuities, dtype, partial(_nearby, pair, _widened(own))
    )


def _nearby(pair: Pair, arguments: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Run the reference four times on floating inputs moved by one rounding."""
    found = []
    for seed in range(4):
        random = np.random.default_rng(seed)
        moved = {name: _rounded_otherwise(value, random) for name, value in arguments.items()}
        outcome = run_reference(pair.reference, moved)
        if outcome.error is None:
            found.append(outcome.leaves)
    return found


def _rounded_otherwise(value: Any, random: np.random.Generator) -> Any:
    """Return a value one rounding away; integers as floats, ignored where they are scaled."""
    if isinstance(value, (list, tuple)):
        parts = [_rounded_otherwise(part, random) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    pixels = isinstance(value, np.ndarray) and (value.dtype.kind in "iu" or value.dtype.name in _WIDE)
    if not pixels and not isinstance(value, float):
        return value
    sign = random.choice([-1.0, 1.0], np.shape(value))
    moved = value * (1 + sign * np.finfo(np.float64).eps)
    return moved if pixels else float(moved)


def _floating(outcome: Outcome) -> bool:
    return any(floating(leaf) for leaf in outcome.leaves)


def _find_discontinuities(agreement: AsReference | Within, arguments: Mapping[str, Any]) -> Any:
    """Return a function that computes the results on either side of discontinuities once, or None."""
    if agreement.discontinuities is None:
        return None
    sides = resolve(agreement.discontinuities)

    @cache
    def found() -> Any:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            given = sides(**arguments)
            return tuple(map(np.asarray, given)) if isinstance(given, tuple) else np.asarray(given)

    return found


def run_wide(pair: Pair, arguments: Mapping[str, Any], expected: Outcome) -> Outcome:
    """Run the reference in float64, complex arrays in complex128: narrow ones are cast, the rest stays.

    Integer images stay as they are: references choose their value range by dtype, and
    compute it in float64 anyway. A reference that refuses float64 is its own oracle.
    """
    if not any(map(_is_narrow, arguments.values())):
        return expected
    wide = run_reference(pair.reference, _widened(arguments))
    same = wide.error is None and [a.shape for a in wide.leaves] == [a.shape for a in expected.leaves]
    return wide if same else expected


def _widened(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _wide(value) for name, value in arguments.items()}


def _wide(value: Any) -> Any:
    if isinstance(value, list):
        return [_wide(part) for part in value]
    return in_double(value) if _is_narrow(value) else value


def _is_narrow(value: Any) -> bool:
    if isinstance(value, list):
        return any(map(_is_narrow, value))
    return isinstance(value, np.ndarray) and value.dtype.name in _NARROW


def _slack(agreement: AsReference, arguments: Mapping[str, Any]) -> float:
    """16 eps(float64) L max|input|: what rounding a float64 coordinate of size L can move a sample."""
    if agreement.coordinates_of is None:
        return 0.0
    image = arguments[agreement.coordinates_of]
    finite = np.abs(image[np.isfinite(image)].astype(np.float64))
    longest = max(image.shape, default=0)
    return float(16 * np.finfo(np.float64).eps * longest * np.max(finite, initial=0.0))


def _float32_slack(agreement: Within, arguments: Mapping[str, Any], expected: Outcome) -> float:
    """2 eps(float32) L max|image|: what rounding a float32 coordinate of size L can move a sample."""
    image = arguments.get(agreement.coordinates_of) if agreement.coordinates_of else None
    if image is None or image.dtype.kind != "f":
        return 0.0
    finite = np.abs(image[np.isfinite(image)].astype(np.float64))
    longest = max((side for array in (image, *expected.leaves) for side in array.shape), default=0)
    return float(2 * np.finfo(np.float32).eps * longest * np.max(finite, initial=0.0))
