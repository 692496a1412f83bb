"""What became of a boundary, and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pipeport.acceleration._measure import Rate
from pipeport.acceleration._settings import Settings

# Elements of an epoch whose number nobody knows.
UNKNOWN_EPOCH = 100

# Why a boundary stays Python: what is said to that, and the one thing to do.
REASONS = {
    "outside": ("it is outside of a dataset's map", "Call it in `Dataset.map` to have it tried."),
    "graph": ("its dataset is made in a graph", "Make it eagerly, outside of a tf.function."),
    "inside": ("it is inside of a branch, a loop or a function of the map", "Call it in the map itself."),
    "mode": ("functions run eagerly, or operations are deterministic", "Nothing is tried in this mode."),
    "left out": ("it was left out", "Change --only or --skip."),
    "form": ("its arguments or results are none that are tried", "Give tensors, and dtypes in Tout."),
    "effect": ("it may change more than its result", "Move the effect out of the function."),
    "changes": ("what it reads may change", "Pass it as an argument of the function."),
    "unread": ("its elements cannot be read for a trial", "Put it behind a source that can be read twice."),
    "little": ("there is little to win", "Nothing needs to be done."),
    "limit": ("the seconds for trials were used up", "Give --limit more seconds."),
    "refused": ("it has no native form", "`pipeport port` lists what stands in the way."),
    "differs": ("its native form gives other results", "`pipeport verify --port` finds an example."),
    "exact": ("its native form is not equal to the bit", "Leave --exact out to allow rounding."),
    "slower": ("its native form is slower", "Try larger elements, or --prefer-native."),
    "start": ("an epoch would be longer, by the start of its iterator", "Longer epochs may repay the start."),
    "failed": ("its trial failed", "Please report it, with the report's text."),
}


@dataclass
class Verdict:
    """What became of a boundary.

    Attributes
    ----------
    place : str
        File and line of the function.
    name : str
        Of the function.
    wrapper : str
        'numpy_function' or 'py_function'.
    reason : str
        A key of `REASONS`; empty where it is native.
    detail : str
        More words.
    specs : list of str
        Of the inputs.
    elements : int or None
        Of an epoch; None if it is not known.
    agreed : int
        Elements on which both gave the same.
    python, native : Rate or None
        What they cost, where that was measured.
    islands : int
        Calls inside of it that stay Python.
    exact_bits : bool
        Whether natives that interpolate had to give every bit.
    seconds : float
        What the trial took.
    uses : int
        How often it was traced.
    """

    place: str
    name: str
    wrapper: str
    reason: str = ""
    detail: str = ""
    specs: list[str] = field(default_factory=list)
    elements: int | None = None
    agreed: int = 0
    python: Rate | None = None
    native: Rate | None = None
    islands: int = 0
    exact_bits: bool = False
    seconds: float = 0.0
    uses: int = 1

    @property
    def is_native(self) -> bool:
        """Whether it became native."""
        return not self.reason

    @property
    def why(self) -> str:
        """Why it stays Python, in one sentence."""
        said = REASONS[self.reason][0] if self.reason else ""
        return f"{said}: {self.detail}" if said and self.detail else said

    @property
    def advice(self) -> str:
        """What to do, in one sentence."""
        return REASONS[self.reason][1] if self.reason else ""

    @property
    def gain(self) -> float | None:
        """Seconds that an epoch gains; negative where it would lose."""
        if self.python is None or self.native is None:
            return None
        return gain_of(self.python, self.native, self.elements)

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "place": self.place,
            "name": self.name,
            "wrapper": self.wrapper,
            "native": self.is_native,
            "reason": self.reason,
            "why": self.why,
            "advice": self.advice,
            "specs": self.specs,
            "elements": self.elements,
            "agreed": self.agreed,
            "python": self.python and self.python.as_dict(),
            "native_rate": self.native and self.native.as_dict(),
            "gain": self.gain,
            "islands": self.islands,
            "exact_bits": self.exact_bits,
            "seconds": self.seconds,
            "uses": self.uses,
        }


@dataclass
class Trials:
    """All trials of a process.

    Attributes
    ----------
    settings : Settings
        How boundaries are tried.
    verdicts : list of Verdict
        In the order in which the boundaries were traced.
    spent : float
        Seconds that the trials took.
    noted : callable
        Called before each trial, and when there is a verdict.
    """

    settings: Settings
    verdicts: list[Verdict] = field(default_factory=list)
    spent: float = 0.0
    noted: Callable[[], None] = lambda: None

    def take_back(self, natives: int) -> None:
        """Leave the last boundaries that became native in Python: with them the map function raises."""
        for one in [one for one in self.verdicts if one.is_native][-natives:]:
            one.reason, one.detail = "failed", "the map function raises with natives in it"
        self.noted()


def gain_of(python: Rate, native: Rate, elements: int | None) -> float:
    """Return the seconds that an epoch gains.

    Parameters
    ----------
    python, native : Rate
        What both cost.
    elements : int or None
        Of an epoch.

    Returns
    -------
    float
        Negative where the start of its iterator outweighs it.
    """
    count = UNKNOWN_EPOCH if elements is None else elements
    return (python.element - native.element) * count - (native.start - python.start)


def choice(python: Rate, native: Rate, elements: int | None) -> tuple[str, str]:
    """Return why a native form that is equal does not pay, as a key and in words.

    Parameters
    ----------
    python, native : Rate
        What both cost.
    elements : int or None
        Of an epoch.

    Returns
    -------
    (str, str)
        Empty where it pays.
    """
    if native.element > python.element:
        return "slower", f"{1e3 * native.element:.3g} ms an element for {1e3 * python.element:.3g}"
    if native.processor > python.processor:
        told = f"{1e3 * native.processor:.3g} ms of processor time an element"
        return "slower", f"{told} for {1e3 * python.processor:.3g}"
    gained = gain_of(python, native, elements)
    if gained < 0:
        count = (
            f"{UNKNOWN_EPOCH} elements, where the number is unknown" if elements is None else f"{elements}"
        )
        return "start", f"{-gained:.2g} s more in an epoch of {count}"
    return "", ""
