"""Measured figures in words: the interval with its level, the commit, and whether the code is still the same.

Imports neither TensorFlow nor the bench: the catalog reads figures from a file.
"""

from __future__ import annotations

from typing import Any

from pipeport._reach import code_of

CONFIDENCE = 0.95
# As many digits of a commit as people read.
DIGITS = 9
EARLIER = "†"
_ON = ", on "
EARLIER_SAYS = "measured on an earlier version of this code"


def coverage(rounds: int) -> float:
    """Return how often the range of `rounds` values holds the median they were drawn around.

    Parameters
    ----------
    rounds : int
        Values.

    Returns
    -------
    float
        Between 0, for one value, and 1.
    """
    return float(1.0 - 2.0 * 0.5**rounds)


def level(rounds: int) -> str:
    """Return the name of an interval's level: '95 %' from six rounds on, '75 %' of three.

    Parameters
    ----------
    rounds : int
        On which the interval rests.

    Returns
    -------
    str
        The percentage; empty for one round, which has no interval.
    """
    return f"{100 * min(coverage(rounds), CONFIDENCE):.0f} %" if rounds > 1 else ""


def interval_text(low: float, high: float, rounds: int) -> str:
    """Return an interval with its level: '75 %: 1.89 to 2.01'.

    Parameters
    ----------
    low, high : float
        Its ends.
    rounds : int
        On which it rests.

    Returns
    -------
    str
        'one round' where there is no interval.
    """
    return f"{level(rounds)}: {low:.2f} to {high:.2f}" if rounds > 1 else "one round"


def ratio_text(figure: dict[str, Any]) -> str:
    """Return a measured ratio with its interval and verdict.

    Parameters
    ----------
    figure : dict
        With `ratio`, `low`, `high`, `rounds` and `verdict`.

    Returns
    -------
    str
        For instance '1.95x (75 %: 1.89 to 2.01), faster'.
    """
    interval = interval_text(figure["low"], figure["high"], figure["rounds"])
    return f"{figure['ratio']:.2f}x ({interval}), {figure['verdict']}"


def is_current(figure: dict[str, Any], *names: str) -> bool:
    """Say whether a figure was measured on the code as it is now.

    Parameters
    ----------
    figure : dict
        With `code`, the fingerprint of what was measured.
    *names : str
        Dotted names of what was measured.

    Returns
    -------
    bool
        False as well where the fingerprint is not known, or a name is gone.
    """
    try:
        return bool(figure["code"] == code_of(*names))
    except LookupError:  # KeyError is one: no fingerprint was noted
        return False


def figure_text(figure: dict[str, Any], *names: str) -> str:
    """Return a measured ratio in words, marked where the code has changed since.

    Parameters
    ----------
    figure : dict
        As in `ratio_text`, with `code`.
    *names : str
        Dotted names of what was measured.

    Returns
    -------
    str
        For instance '1.95x (75 %: 1.89 to 2.01), faster †'.
    """
    return ratio_text(figure) + ("" if is_current(figure, *names) else f" {EARLIER}")


def machine_text(machine: dict[str, Any]) -> str:
    """Return the machine of a file of figures in one line.

    Parameters
    ----------
    machine : dict
        CPU, cores and TensorFlow.

    Returns
    -------
    str
        Without marks of trade in the processor's name.
    """
    words = ", ".join(f"{key} {value}" for key, value in machine.items())
    return words.replace("(R)", "").replace("(TM)", "")


def on_processor(name: str) -> str:
    """Return what a case measured on another processor than the rest of its file ends with.

    Parameters
    ----------
    name : str
        The processor.

    Returns
    -------
    str
        For instance ', on AMD EPYC'; see `without_processor`.
    """
    return _ON + machine_text({"": name}).strip()


def without_processor(case: str) -> str:
    """Return a case without the processor it names; see `on_processor`."""
    return case.partition(_ON)[0]


def short(commit: str | None) -> str | None:
    """Return the first digits of a commit; '+' at its end, for changed files, stays.

    Parameters
    ----------
    commit : str or None
        As git writes it; None outside git.

    Returns
    -------
    str or None
        At most nine digits.
    """
    if commit is None:
        return None
    return commit.rstrip("+")[:DIGITS] + "+" * commit.endswith("+")
