"""Measured figures in words: the interval with its level, the machine.

Imports neither TensorFlow nor the bench: the catalog reads figures from a file.
"""

from __future__ import annotations

from typing import Any

CONFIDENCE = 0.95
# Below this ratio the entry of a native says that it is slower than what it replaces.
SLOW = 0.9


def is_own(figure: dict[str, Any], reference: str) -> bool:
    """Say whether a case was measured against the reference itself, no stock op or peer."""
    return figure["against"] in (reference, f"numpy_function + {reference}")


def is_slower(figure: dict[str, Any], reference: str) -> bool:
    """Say whether a case is measured slower than the reference, by more than its interval and a tenth."""
    return is_own(figure, reference) and figure["verdict"] == "slower" and figure["ratio"] < SLOW


def coverage(rounds: int) -> float:
    """Return how often the range of `rounds` values holds the median they were drawn around.

    Returns: between 0, for one value, and 1.
    """
    return float(1.0 - 2.0 * 0.5**rounds)


def level(rounds: int) -> str:
    """Return the name of an interval's level: '95 %' from six rounds on, '75 %' of three.

    Returns: the percentage; empty for one round, which has no interval.
    """
    return f"{100 * min(coverage(rounds), CONFIDENCE):.0f} %" if rounds > 1 else ""


def interval_text(low: float, high: float, rounds: int) -> str:
    """Return an interval with its level: '75 %: 1.89 to 2.01'.

    Returns: 'one round' where there is no interval.
    """
    return f"{level(rounds)}: {low:.2f} to {high:.2f}" if rounds > 1 else "one round"


def ratio_text(figure: dict[str, Any]) -> str:
    """Return a measured ratio with its interval and verdict.

    `figure`: with `ratio`, `low`, `high`, `rounds` and `verdict`. Returns: for instance '1.95x (75 %: 1.89 to
    2.01), faster'.
    """
    interval = interval_text(figure["low"], figure["high"], figure["rounds"])
    return f"{figure['ratio']:.2f}x ({interval}), {figure['verdict']}"


def machine_text(machine: dict[str, Any]) -> str:
    """Return the machine of a file of figures in one line.

    Returns: without marks of trade in the processor's name.
    """
    words = ", ".join(f"{key} {value}" for key, value in machine.items())
    return words.replace("(R)", "").replace("(TM)", "")
