"""The result of a measurement as sentences and table cells; nothing here prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeport._figures import level
from pipeport._shown import Part, Table
from pipeport.bench._statistics import FASTER, NO_DIFFERENCE, Ratio
from pipeport.trace._arithmetic import BreakEven, Spread
from pipeport.trace._modes import EAGER, GRAPH, PYTHON, XLA
from pipeport.trace._modes import WORDS as WORDS

if TYPE_CHECKING:
    from pipeport.trace._report import Comparison, ModeResult, Report

TIMES = ("mode", "first call", "tracing", "preparing", "later calls", "interval")
HOLDINGS = ("mode", "graph nodes", "constants", "memory growth")
COMPARISONS = ("mode", "against", "later calls", "pays off from call")
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
# What is told in words: a traced mode against the two that need no tracing, XLA against the graph.
_TOLD = ((GRAPH, EAGER), (GRAPH, PYTHON), (XLA, GRAPH))
_MUCH = 2**20


def number(value: float) -> str:
    """Return a number with three digits that count."""
    return f"{float(f'{value:.3g}'):,.10g}"


def _unit(value: float) -> tuple[float, str]:
    return next((one for one in _UNITS if value >= one[0]), _UNITS[-1])


def seconds(value: float | None) -> str:
    """Return a time with its unit; empty for None."""
    if value is None:
        return ""
    size, unit = _unit(value)
    return f"{number(value / size)} {unit}"


def interval(found: Spread) -> str:
    """Return the ends of an interval in one unit."""
    size, unit = _unit(found.median)
    return f"{number(found.low / size)} to {number(found.high / size)} {unit}"


def memory(count: int | None) -> str:
    """Return a number of bytes with its unit; empty for None."""
    if count is None:
        return ""
    for unit, step in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if count >= step:
            return f"{number(count / step)} {unit}"
    return f"{count} B"


def time_rows(report: Report) -> list[tuple[str, ...]]:
    """Return one row of times per mode that was measured; see `TIMES`."""
    return [
        (
            WORDS[mode.mode],
            seconds(mode.first),
            seconds(mode.tracing),
            seconds(mode.compiling),
            seconds(mode.steady.median),
            interval(mode.steady) if len(mode.rounds_s) > 1 else "one round",
        )
        for mode in report.modes
        if mode.measured
    ]


def holding_rows(report: Report) -> list[tuple[str, ...]]:
    """Return one row per mode on its graph and its memory; see `HOLDINGS`."""
    return [
        (
            WORDS[mode.mode],
            "" if mode.nodes is None else f"{mode.nodes:,}",
            memory(mode.constant_bytes),
            memory(mode.memory_bytes),
        )
        for mode in report.modes
        if mode.measured
    ]


def comparison_rows(report: Report) -> list[tuple[str, ...]]:
    """Return one row per pair of modes; see `COMPARISONS`."""
    return [
        (WORDS[one.mode], WORDS[one.other], speed_text(one.speed), break_even_text(one.break_even))
        for one in report.comparisons()
    ]


def speed_text(speed: Ratio) -> str:
    """Return how many times faster or slower, with the interval: '3.2x faster (2.9 to 3.5)'."""
    if speed.rounds == 1:
        return f"{number(speed.ratio)}x (one round)"
    if speed.verdict == NO_DIFFERENCE:
        return f"no difference ({number(speed.low)}x to {number(speed.high)}x)"
    if speed.verdict == FASTER:
        return f"{number(speed.ratio)}x faster ({number(speed.low)} to {number(speed.high)})"
    return f"{number(1 / speed.ratio)}x slower ({number(1 / speed.high)} to {number(1 / speed.low)})"


def calls_text(found: BreakEven) -> str:
    """Return a break-even number of calls, or 'never'."""
    return "never" if found.calls is None else f"{found.calls:,}"


def break_even_text(found: BreakEven) -> str:
    """Return a break-even number of calls with its interval: '41 (38 to 52)'."""
    if found.calls is None or found.low == found.high == found.calls:
        return calls_text(found)
    return f"{found.calls:,} ({found.low:,} to {found.high:,})"


def heading(report: Report) -> str:
    """Return the function and what it was called with."""
    return f"{report.name} ({', '.join(report.inputs) or 'no inputs'})"


def parts(report: Report) -> list[Part]:
    """Return the report below its heading: tables, what was found in words, and the machine."""
    holdings = [row for row in holding_rows(report) if any(row[1:])]
    found: list[Part] = [
        Table(TIMES, time_rows(report), ("mode", "interval")),
        Table(HOLDINGS, holdings, ("mode",)),
        Table(COMPARISONS, comparison_rows(report), COMPARISONS),
        *sentences(report),
    ]
    for mode in report.failed:
        if mode.problem and len(mode.problem.frames) > 1:
            found.append("\n".join(f"    {frame}" for frame in mode.problem.frames))
    return [*found, headline(report)]


def sentences(report: Report) -> list[str]:
    """Return sentences on comparisons, constants, side effects of each mode, and problems."""
    told = [one for pair in _TOLD if (one := report.comparison(*pair))]
    if not told and (one := report.comparison(EAGER, PYTHON)):
        told = [one]
    found = [_told(one) for one in told]
    found += [_constants(mode) for mode in report.modes if mode.mode == GRAPH and _much(mode)]
    for mode in report.modes:
        found += [f"{_capital(WORDS[mode.mode])} {remark}." for remark in mode.remarks]
    return [*found, *problems(report)]


def problems(report: Report) -> list[str]:
    """Return why modes were not measured; one that XLA shares with the graph is told once."""
    graph = next((mode.problem for mode in report.modes if mode.mode == GRAPH), None)
    return [
        f"{_capital(WORDS[mode.mode])} {mode.problem.text}."
        for mode in report.modes
        if mode.problem and not (mode.mode == XLA and mode.problem == graph)
    ]


def _told(one: Comparison) -> str:
    begin = f"{_capital(WORDS[one.mode])} against {WORDS[one.other]}:"
    if one.speed.verdict == NO_DIFFERENCE:
        return f"{begin} no difference per call; what its first call costs is never won back."
    if one.speed.verdict != FASTER:
        return f"{begin} {number(1 / one.speed.ratio)}x slower per call; it never pays off."
    faster = (
        f"{begin} {number(one.speed.ratio)}x faster per call "
        f"({level(one.speed.rounds)}: {number(one.speed.low)} to {number(one.speed.high)})"
    )
    if one.break_even.calls == 1:
        return f"{faster}; it pays off from the first call on."
    return f"{faster}; it pays off from call {break_even_text(one.break_even)} on."


def _much(mode: ModeResult) -> bool:
    return (mode.constant_bytes or 0) >= _MUCH


def _constants(mode: ModeResult) -> str:
    return (
        f"{WORDS[mode.mode]} holds {memory(mode.constant_bytes)} of constants, arrays made or found outside "
        "while it was traced: every trace has its own copy. As an argument there is one."
    )


def _capital(word: str) -> str:
    return word if word.startswith("tf.") else word[0].upper() + word[1:]


def headline(*reports: Report) -> str:
    """Return one line on machine, software and rounds of reports from one machine."""
    environment = reports[0].environment
    machine, versions = environment["machine"], environment["versions"]
    cpu = machine["cpu"].replace("(R)", "").replace("(TM)", "")
    gpus = f", {len(machine['gpus'])} GPU" if machine["gpus"] else ""
    counts = [len(mode.rounds_s) for report in reports for mode in report.modes if mode.measured]
    least, most = min(counts, default=0), max(counts, default=0)
    rounds = f"{most}" if least == most else f"{least} to {most}"
    interrupted = "Interrupted: " * any(report.interrupted for report in reports)
    return (
        f"{interrupted}{rounds} round{'s' * (most != 1)}, "
        f"{machine['usable_cores']} core{'s' * (machine['usable_cores'] != 1)} of {cpu}{gpus}, "
        f"TensorFlow {versions.get('tensorflow', '?')}"
    )
