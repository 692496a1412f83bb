"""What became of a boundary, and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pipeport.acceleration._measure import Rate
from pipeport.acceleration._reasons import REASONS
from pipeport.acceleration._settings import Settings

# Elements of an epoch whose number nobody knows.
UNKNOWN_EPOCH = 100
# Epochs of a run that nobody has seen; of unknown length ten thousand elements.
EPOCHS, UNKNOWN_EPOCHS = 3, 100


@dataclass
class Verdict:
    """What became of a boundary.

    Attributes
    ----------
    place : str
        File and line of the function; of a library's its dotted name.
    name : str
        Of the function.
    wrapper : str
        'numpy_function' or 'py_function'.
    sites : list of str
        File and line of the calls that make it a boundary.
    reason : str
        A key of `REASONS`; empty where it is native.
    detail : str
        More words.
    specs : list of str
        Of the inputs.
    elements : int or None
        Of an epoch; None if it is not known.
    epoch : float or None
        Seconds of processor time that an epoch of the function takes in Python, where that was asked for.
    key : str or None
        What the next process finds this one's choice by.
    begun, passes : int
        Iterators that began over it in Python; of this process or of an earlier one, which had most.
    agreed : int
        Elements on which both gave the same.
    python, native : Rate or None
        What they cost, where that was measured.
    fast_start : bool
        Whether `native` is what it costs in a dataset that starts fast, as the map is that holds it.
    islands : int
        Calls inside of it that stay Python.
    stated : dict or None
        Dtypes and ranks of their results by name; None where a text cannot state them.
    draws : bool
        Whether it draws.
    tensors : list of bool
        Which of its arguments are tensors.
    files : dict of str to str
        Files with its source and the call, and their SHA-256.
    exact_bits : bool
        Whether natives that interpolate had to give every bit.
    remembered : bool
        Whether the times, or the refusal, are those of an earlier process.
    seconds : float
        What the trial took.
    uses : int
        How often it was traced.
    """

    place: str
    name: str
    wrapper: str
    sites: list[str] = field(default_factory=list)
    reason: str = ""
    detail: str = ""
    specs: list[str] = field(default_factory=list)
    elements: int | None = None
    epoch: float | None = None
    key: str | None = None
    begun: int = 0
    passes: int = 0
    agreed: int = 0
    python: Rate | None = None
    native: Rate | None = None
    fast_start: bool = False
    islands: int = 0
    stated: dict[str, Any] | None = None
    draws: bool = False
    tensors: list[bool] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    exact_bits: bool = False
    remembered: bool = False
    seconds: float = 0.0
    uses: int = 1

    @property
    def is_native(self) -> bool:
        """Whether it became native."""
        return not self.reason

    @property
    def count(self) -> int:
        """Elements that are taken for an epoch."""
        return UNKNOWN_EPOCH if self.elements is None else self.elements

    @property
    def expected(self) -> int:
        """Epochs that are taken for a run."""
        return max(self.passes, EPOCHS if self.elements is not None else UNKNOWN_EPOCHS)

    @property
    def why(self) -> str:
        """Why it stays Python, in one sentence."""
        said = REASONS[self.reason].said if self.reason else ""
        return f"{said}: {self.detail}" if said and self.detail else said

    @property
    def advice(self) -> str:
        """What to do, in one sentence."""
        return REASONS[self.reason].advice if self.reason else ""

    @property
    def code(self) -> str:
        """The code of the reason; empty where it is native."""
        return REASONS[self.reason].code if self.reason else ""

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
            "sites": self.sites,
            "native": self.is_native,
            "reason": self.reason,
            "code": self.code,
            "why": self.why,
            "advice": self.advice,
            "specs": self.specs,
            "elements": self.elements,
            "epoch": self.epoch,
            "passes": self.passes,
            "agreed": self.agreed,
            "python": self.python and self.python.as_dict(),
            "native_rate": self.native and self.native.as_dict(),
            "fast_start": self.fast_start,
            "gain": self.gain,
            "islands": self.islands,
            "stated": self.stated,
            "draws": self.draws,
            "tensors": self.tensors,
            "files": self.files,
            "exact_bits": self.exact_bits,
            "remembered": self.remembered,
            "seconds": self.seconds,
            "uses": self.uses,
        }


@dataclass
class Trials:
    """All trials of a process.

    `verdicts`: in the order in which the boundaries were traced. `command`: what `pipeport run` was asked to
    run; empty without it. `children`: processes that the script started, which run as they are. `noted`:
    called before each trial, and when there is a verdict.
    """

    settings: Settings
    verdicts: list[Verdict] = field(default_factory=list)
    command: dict[str, Any] = field(default_factory=dict)
    children: list[str] = field(default_factory=list)
    spent: float = 0.0
    noted: Callable[[], None] = lambda: None

    def take_back(self, natives: int) -> None:
        """Leave the last boundaries that became native in Python: with them the map function raises."""
        for one in [one for one in self.verdicts if one.is_native][-natives:]:
            one.reason, one.detail = "failed", "the map function raises with natives in it"
        self.noted()


def gain_of(python: Rate, native: Rate, elements: int | None) -> float:
    """Return the seconds that an epoch gains.

    Returns: negative where the start of its iterator outweighs it.
    """
    count = UNKNOWN_EPOCH if elements is None else elements
    return (python.element - native.element) * count - (native.start - python.start)


def choice(python: Rate, native: Rate, elements: int | None) -> tuple[str, str]:
    """Return why a native form that is equal does not pay, as a key and in words.

    Returns: empty where it pays.
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
