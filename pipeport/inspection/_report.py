"""The results of an inspection, as plain data."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import Any

from pipeport._shown import as_html, as_lines
from pipeport.bench._json import rounded
from pipeport.inspection import _text

FORMAT = 1


@dataclass(kw_only=True)
class Stage:
    """One step of a dataset.

    Attributes
    ----------
    number : int
        From 1, in the order in which elements pass.
    name : str
        The method that makes it: 'map', 'batch', 'from_generator'.
    inside : int or None
        The number of the stage whose function makes this one (`interleave`, `flat_map`).
    parallelism : int or None
        `num_parallel_calls`; -1 for AUTOTUNE, None where the stage works on one element at a time.
    batch : int or None
        Elements it puts together.
    buffer : int or None
        Elements it holds (`prefetch`, `shuffle`); -1 for AUTOTUNE.
    count : int or None
        Of `repeat`, `take`, `skip`; -1 for ever.
    shapes : list of str
        Dtype and shape of each component of its elements; '?' stands for what is unknown.
    inputs : list of int
        The stages it reads.
    seconds : float or None
        What it takes for one element of the dataset; None where that was not measured.
    made_parallel : bool
        Whether TensorFlow runs it on several elements at a time, though nobody asked for it: it makes one
        stage of a `map` and the `batch` after it.
    """

    number: int
    name: str
    inside: int | None = None
    parallelism: int | None = None
    batch: int | None = None
    buffer: int | None = None
    count: int | None = None
    shapes: list[str] = field(default_factory=list)
    inputs: list[int] = field(default_factory=list)
    seconds: float | None = None
    made_parallel: bool = False


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A measured number.

    `median`, `low`, `high`: of the rounds: median, least and most.
    """

    median: float
    low: float
    high: float


@dataclass(kw_only=True)
class Gain:
    """The gain of migrating one boundary.

    `share`: of the time of the dataset the part that goes where the function is not run and its stored
    results are given in its place; its boundary stays. `speed`: how many times as fast the port is, both in a
    `map` of their own, on elements of the dataset. `pass_`: how many times as fast it is over a pass of the
    dataset, with the time until its first element; None where no pass was whole. `differs`: how the port
    differs from the function on an element; empty where it does not. `problem`, `port_problem`: why there is
    no share, and no speed; else empty.
    """

    share: Figure | None = None
    speed: Figure | None = None
    pass_: Figure | None = None
    differs: str = ""
    problem: str = ""
    port_problem: str = ""

    @property
    def at_most(self) -> Figure | None:
        """How many times as fast the dataset would be, were the function free."""
        return self._of_all(Figure(median=math.inf, low=math.inf, high=math.inf))

    @property
    def whole(self) -> Figure | None:
        """How many times as fast the dataset would be with the port."""
        return None if self.speed is None else self._of_all(self.speed)

    @property
    def loses(self) -> bool:
        """Whether every round measured the port slower, in the long run or over a pass."""
        return any(one is not None and one.high < 1 for one in (self.speed, self.pass_))

    def _of_all(self, speed: Figure) -> Figure | None:
        if self.share is None:
            return None
        ends = [
            amdahl(share, one)
            for share in (self.share.low, self.share.high)
            for one in (speed.low, speed.high)
        ]
        return Figure(median=amdahl(self.share.median, speed.median), low=min(ends), high=max(ends))


def amdahl(share: float, speed: float) -> float:
    """Return how many times as fast a whole gets, of which a share gets `speed` times as fast.

    `share`: from 0 to 1. `speed`: may be infinite. Returns: by Amdahl's law.
    """
    rest = 1 - share + share / speed
    return 1 / rest if rest > 0 else math.inf


@dataclass(kw_only=True)
class Boundary:
    """One place where a graph calls Python.

    Attributes
    ----------
    wrapper : str
        'numpy_function', 'py_function' or 'from_generator'.
    token : str
        By which TensorFlow finds the function.
    function : str or None
        Its name; None where only the token is known.
    label : str
        What tells it from others of that name; empty where there are none.
    is_island : bool
        Whether it is a call that a port keeps in Python.
    file, line : str or None, int or None
        Where it is defined.
    called_at : tuple of str and int, or None
        Where the user's code calls the wrapper.
    stage : int or None
        The stage that it belongs to.
    verdict : str
        See `pipeport.scan.VERDICTS`.
    reason : str
        Why.
    reason_at : tuple of str and int, or None
        Where that shows.
    calls : int
        How often Python was called while the dataset ran.
    seconds, cpu_seconds : float or None
        What Python took for one element of the dataset: elapsed, and of the processor.
    gain : Gain or None
        What its migration would buy; None where that was not measured.
    """

    wrapper: str
    token: str
    function: str | None = None
    file: str | None = None
    line: int | None = None
    called_at: tuple[str, int] | None = None
    stage: int | None = None
    verdict: str = "unknown"
    reason: str = ""
    reason_at: tuple[str, int] | None = None
    calls: int = 0
    seconds: float | None = None
    cpu_seconds: float | None = None
    gain: Gain | None = None
    label: str = ""
    is_island: bool = False

    @property
    def name(self) -> str:
        """What a report calls it."""
        return self.label or self.function or f"token {self.token}"


@dataclass(kw_only=True)
class Run:
    """Observations of a run of the dataset.

    `elements`, `passes`: how many elements came, in how many passes. `elements_of_pass`: elements of a whole
    pass; None where none was whole. `first_s`, `later_first_s`: seconds until the first element of the first
    pass, and of later ones (median). `element_s`: seconds per element once the rate is steady; None of fewer
    than three elements. `measured_by`: where the seconds of stages come from: 'model' (TensorFlow's own; of
    all threads together) or 'prefixes' (the dataset run up to each stage; elapsed). `interrupted`: whether a
    person ended it.
    """

    elements: int
    passes: int
    elements_of_pass: int | None = None
    first_s: float | None = None
    later_first_s: float | None = None
    element_s: float | None = None
    measured_by: str | None = None
    interrupted: bool = False


@dataclass(frozen=True, kw_only=True)
class Service:
    """Whether another process can run the dataset.

    `possible`: whether one took its first element. `blame`: stages that call Python, where it could not.
    `said`: what it raised; empty where it could. `cut`: bytes of arrays in the graph that it was not handed:
    of sources in memory the first elements do.
    """

    possible: bool
    blame: list[str]
    said: str
    cut: int = 0


@dataclass(frozen=True, kw_only=True)
class Advice:
    """A recommended change, and the measurement behind it.

    `kind`: 'keep', 'parallel', 'prefetch', 'cache', 'shape', 'epochs', 'repeats' or 'serialise'. `stage`:
    where; None of the whole dataset. `do`: what to write. `why`: what was measured.
    """

    kind: str
    stage: int | None
    do: str
    why: str


@dataclass(kw_only=True)
class Report:
    """The result for a dataset, a function or a SavedModel.

    Attributes
    ----------
    name : str
        What was inspected.
    kind : str
        'dataset', 'function' or 'SavedModel'.
    stages : list of Stage
        In the order in which elements pass; empty for functions without datasets.
    boundaries : list of Boundary
        In the order of the stages.
    run : Run or None
        What was measured; None where it was only looked at.
    advice : list of Advice
        What to change.
    service : Service or None
        Whether another process can run it; None where that was not asked for.
    """

    name: str
    kind: str
    stages: list[Stage] = field(default_factory=list)
    boundaries: list[Boundary] = field(default_factory=list)
    run: Run | None = None
    advice: list[Advice] = field(default_factory=list)
    service: Service | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the report as JSON holds it."""
        found = {"format": FORMAT, **asdict(self)}
        for one, plain in zip(self.boundaries, found["boundaries"], strict=True):
            if one.gain is not None:
                figures = {"at_most": one.gain.at_most, "whole": one.gain.whole}
                plain["gain"] |= {name: figure and _finite(figure) for name, figure in figures.items()}
                plain["gain"]["pass"] = plain["gain"].pop("pass_")
        return dict(rounded(found))

    def __str__(self) -> str:
        return "\n".join(as_lines(_text.parts(self)))

    def _repr_html_(self) -> str:
        return as_html(_text.parts(self))


def _finite(figure: Figure) -> dict[str, float | None]:
    return {name: None if math.isinf(value) else value for name, value in asdict(figure).items()}
