"""Arguments of constructors: Python values, checked when a pipeline is made."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain

_PROBABILITY = "a probability in [0, 1]"


def _python(value: Any, name: str) -> Any:
    if tf.is_tensor(value):
        advice = "What a pipeline may do is decided when it is built; what differs per element is drawn."
        raise UnsupportedArgument(explain(name, "a tensor", "a Python value", advice))
    return value.item() if isinstance(value, np.generic) else value


def real(value: Any, name: str, low: float, high: float = math.inf) -> float:
    """Return a finite number within bounds."""
    value = _python(value, name)
    if not isinstance(value, (int, float)):
        raise WrongType(explain(name, repr(value), "a number", "Give one number."))
    if not (math.isfinite(value) and low <= value <= high):
        allowed = f"a number from {low:g} to {high:g}" if math.isfinite(high) else f"at least {low:g}"
        raise OutsideDomain(explain(name, repr(value), allowed, "Choose a limit in this range."))
    return float(value)


def numbers(value: Any, name: str) -> float | tuple[float, ...]:
    """Return a finite number, or several."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        if not value:
            raise OutsideDomain(explain(name, repr(value), "at least one number", "Give one a channel."))
        return tuple(real(one, name, -math.inf) for one in value)
    return real(value, name, -math.inf)


def interval(
    value: Any, name: str, other: float | None = None, least: float = -math.inf
) -> tuple[float, float]:
    """Return two ends; of one number a the other is `other`, or -a."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        end = real(value, name, least)
        return (-end, end) if other is None else (min(other, end), max(other, end))
    if len(value) != 2:
        raise WrongType(explain(name, repr(value), "a number or a pair of them", "Give (smallest, largest)."))
    low, high = (real(one, name, least) for one in value)
    return low, high


def span(value: Any, name: str, low: float, high: float = math.inf) -> tuple[float, float]:
    """Return a pair of numbers within bounds, the first of which is not the larger."""
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 2:
        raise WrongType(explain(name, repr(value), "a pair of numbers", "Give (smallest, largest)."))
    first, second = (real(one, name, low, high) for one in value)
    return in_order((first, second), value, name)


def whole_span(value: Any, name: str, low: int, high: float = math.inf) -> tuple[int, int]:
    """Return a pair of whole numbers within bounds, the first of which is not the larger."""
    first, second = span(value, name, low, high)
    for one in value:
        whole(one, name)
    return int(first), int(second)


def in_order(ends: tuple[Any, Any], value: Any, name: str) -> tuple[Any, Any]:
    """Return two ends, the first of which is not the larger; `value` is what was given for them."""
    if ends[0] > ends[1]:
        raise OutsideDomain(explain(name, repr(value), "(smallest, largest)", "Exchange them."))
    return ends


def probability(value: Any) -> float:
    """Return a probability; what is none is refused with a value error, as the reference does."""
    value = _python(value, "p")
    if not isinstance(value, (int, float)) or not 0 <= value <= 1:
        advice = "Pass a fraction, not a percentage."
        raise OutsideDomain(explain("p", repr(value), _PROBABILITY, advice))
    return float(value)


def flag(value: Any, name: str) -> bool:
    """Return a truth value."""
    value = _python(value, name)
    if not isinstance(value, bool):
        raise WrongType(explain(name, repr(value), "True or False", "Give a bool."))
    return value


def whole(value: Any, name: str) -> int:
    """Return an integer of 64 bits."""
    value = _python(value, name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise WrongType(explain(name, repr(value), "an integer", "Give one whole number."))
    if not -(2**63) <= value < 2**63:
        raise OutsideDomain(explain(name, repr(value), "an integer of 64 bits", "Give a smaller one."))
    return value


def default_alone(value: Any, usual: Any, name: str, advice: str) -> None:
    """Refuse everything but the default."""
    if not isinstance(value, (bool, int, float, str, np.generic)) or value != usual:
        given = "a tensor" if tf.is_tensor(value) else repr(value)
        raise UnsupportedArgument(explain(name, given, repr(usual), advice))


def side(value: Any, name: str) -> int:
    """Return the length of a side: an integer from 1."""
    number = whole(value, name)
    if number < 1:
        raise OutsideDomain(explain(name, repr(value), "1 or more", "Give a number of pixels."))
    return number


def one_of(value: Any, allowed: Sequence[str], name: str, advice: str) -> Any:
    """Return a string that is listed; anything else is refused."""
    value = _python(value, name)
    if not isinstance(value, str) or value not in allowed:
        raise UnsupportedArgument(explain(name, repr(value), ", ".join(map(repr, allowed)), advice))
    return value


def names(value: Any, name: str) -> tuple[str, ...]:
    """Return several names; None has none."""
    if value is None:
        return ()
    listed = isinstance(value, Sequence) and not isinstance(value, str)
    if not listed or not all(isinstance(part, str) for part in value):
        raise WrongType(explain(name, repr(value), "a list of names", "Give ['labels'], for example."))
    return tuple(value)


def mapping(value: Any, name: str) -> dict[str, Any]:
    """Return a mapping from names; None is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise WrongType(explain(name, repr(value), "a dict with names as keys", "Give {'image2': 'image'}."))
    return dict(value)
