"""Rules by which published claims about tf.function are judged, from a result of suite `tf-function`."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pipeport.bench._statistics import FASTER, SLOWER
from pipeport.trace import _text
from pipeport.trace._report import Comparison, ModeResult, Report
from pipeport.trace._suite import SuiteResult

HOLDS, ONLY_WHEN, NOT = "holds", "holds only when", "does not hold"
SOURCES = {
    "slower": "Why is TensorFlow's tf.function slower than direct Python code?",
    "initialize": "Why is TensorFlow's tf.function slow to initialize?",
    "eager": "How does eager execution affect tf.function performance?",
    "guide": "Better performance with tf.function",
}
# Verdict, the condition of "holds only when", and what was measured.
Judgement = tuple[str, str, str]
_SMALL = ("simple-function", "control-flow", "range-loop", "vector-add")
_LOOPS = {"conditional-loop": 10_000, "power-loop": 10_000, "range-loop": 10}
_BOUNDARIES = ("numpy-function-add-one", "numpy-function-flip", "numpy-function-rotation")
# "Much" and "little" of the texts, as ratios; the page says so.
_MUCH, _LITTLE = 2.0, 1.2


@dataclass(frozen=True)
class Claim:
    """A claim in our words, where it stands, and its rule."""

    source: str
    text: str
    rule: Callable[[SuiteResult], Judgement]


def judged(result: SuiteResult, source: str) -> Iterator[tuple[Claim, str, str, str]]:
    """Judge every claim of a source."""
    for claim in CLAIMS:
        if claim.source == source:
            yield claim, *claim.rule(result)


# --- what the rules look at ----------------------------------------------------------------------------


def _mode(result: SuiteResult, name: str, mode: str) -> ModeResult:
    found = result.report(name).mode(mode)
    if found is None:
        raise SystemExit(f"{name}: {mode} was not measured; measure the whole suite.")
    return found


def _against(result: SuiteResult, name: str, mode: str, other: str) -> Comparison:
    _mode(result, name, mode), _mode(result, name, other)
    found = result.report(name).comparison(mode, other)
    if found is None:
        raise SystemExit(f"{name}: {mode} is not compared with {other}.")
    return found


def _told(name: str, one: Comparison) -> str:
    words = _text.WORDS
    return f"`{name}`: {words[one.mode]} against {words[one.other]} {_text.speed_text(one.speed)}"


def _verdict(result: SuiteResult, name: str, mode: str, other: str) -> str:
    return _against(result, name, mode, other).speed.verdict


def _tell(result: SuiteResult, *entries: tuple[str, str, str]) -> str:
    return "; ".join(_told(name, _against(result, name, mode, other)) for name, mode, other in entries)


def _names(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


# --- rules -----------------------------------------------------------------------------------------------


def _is(
    verdict: str, name: str, mode: str, other: str, least: float = 1.0
) -> Callable[[SuiteResult], Judgement]:
    """Return the rule: a mode is faster, or slower, than another; faster at least so many times."""

    def rule(result: SuiteResult) -> Judgement:
        speed = _against(result, name, mode, other).speed
        holds = speed.verdict == verdict and (verdict != FASTER or speed.ratio >= least)
        return HOLDS if holds else NOT, "", _tell(result, (name, mode, other))

    return rule


def _loop_is_faster_in_python(result: SuiteResult) -> Judgement:
    name = "conditional-loop"
    evidence = _tell(result, (name, "graph", "python"), (name, "xla", "python"))
    if _verdict(result, name, "graph", "python") != SLOWER:
        return NOT, "", evidence
    if _verdict(result, name, "xla", "python") == FASTER:
        return ONLY_WHEN, "the loop is not compiled by XLA", evidence
    return HOLDS, "", evidence


def _small_functions_lose(result: SuiteResult) -> Judgement:
    found = {name: _against(result, name, "graph", "eager") for name in _SMALL}
    won = [name for name, one in found.items() if one.break_even.calls is not None]
    evidence = "; ".join(
        f"`{name}` pays off against eager: {_text.break_even_text(one.break_even)}"
        for name, one in found.items()
    )
    if not won:
        return HOLDS, "", evidence
    if len(won) == len(found):
        return NOT, "", evidence
    return ONLY_WHEN, f"it is not one of {_names(won)}", evidence


def _first_over_later(mode: ModeResult) -> float:
    return mode.first / mode.steady.median


def _later_calls_are_much_faster(result: SuiteResult) -> Judgement:
    ratios = {r.name: _first_over_later(graph) for r in result.reports if (graph := r.mode("graph"))}
    slow = [name for name, ratio in ratios.items() if ratio < _MUCH]
    low, high = min(ratios.values()), max(ratios.values())
    evidence = (
        f"first call {_text.number(low)} to {_text.number(high)} times as long as a later one, "
        f"median {_text.number(statistics.median(ratios.values()))}"
    )
    if not slow:
        return HOLDS, "", evidence
    if len(slow) == len(ratios):
        return NOT, "", evidence
    return ONLY_WHEN, f"a call itself is short: not for {_names(slow)}", evidence


def _a_simple_function_starts_quickly(result: SuiteResult) -> Judgement:
    graph = _mode(result, "simple-function", "graph")
    ratio = _first_over_later(graph)
    evidence = (
        f"`simple-function`: first call {_text.seconds(graph.first)}, later ones "
        f"{_text.seconds(graph.steady.median)}: {_text.number(ratio)} times as long"
    )
    return (HOLDS if ratio < _MUCH else NOT), "", evidence


def _longer_to_trace(name: str, other: str) -> Callable[[SuiteResult], Judgement]:
    """Return the rule: a function is traced longer than another, the first time and each time after."""

    def rule(result: SuiteResult) -> Judgement:
        ours, theirs = (_mode(result, one, "graph").tracing_s for one in (name, other))
        evidence = "; ".join(
            f"`{one}` traced in {', then '.join(map(_text.seconds, spans))}"
            for one, spans in ((name, ours), (other, theirs))
        )
        longer = all(one > two for one, two in zip(ours, theirs, strict=False))
        return (HOLDS if longer else NOT), "", evidence

    return rule


def _nodes(result: SuiteResult) -> tuple[bool, str]:
    """Say whether any loop has as many nodes as rounds, and what each has."""
    counts = {name: _mode(result, name, "graph").nodes or 0 for name in _LOOPS if _LOOPS[name] > 100}
    evidence = "; ".join(
        f"`{name}`: {_LOOPS[name]:,} rounds, {count} nodes" for name, count in counts.items()
    )
    return any(count >= _LOOPS[name] for name, count in counts.items()), evidence


def _loops_are_unrolled(result: SuiteResult) -> Judgement:
    unrolled, evidence = _nodes(result)
    return HOLDS if unrolled else NOT, "", evidence


def _loops_are_kept(result: SuiteResult) -> Judgement:
    unrolled, evidence = _nodes(result)
    return NOT if unrolled else HOLDS, "", evidence


def _compiled_just_in_time(result: SuiteResult) -> Judgement:
    both = [(r.mode("graph"), r.mode("xla")) for r in result.reports]
    pairs = [(graph.compiling or 0.0, xla.compiling or 0.0) for graph, xla in both if graph and xla]
    graph_s, xla_s = (statistics.median(spans) for spans in zip(*pairs, strict=True))
    evidence = (
        f"after tracing, `tf.function` prepares {_text.seconds(graph_s)} (median of {len(pairs)} "
        f"functions); with `jit_compile=True` {_text.seconds(xla_s)}"
    )
    if xla_s > _MUCH * graph_s:
        return ONLY_WHEN, "`jit_compile=True` is given; else the graph is optimised and interpreted", evidence
    return HOLDS, "", evidence


def _optimised_by_xla(result: SuiteResult) -> Judgement:
    entries = [(name, "xla", "graph") for name in ("conditional-loop", "power-loop")]
    evidence = _tell(result, *entries)
    apart = [_against(result, *entry).speed for entry in entries]
    if any(speed.verdict == FASTER and speed.ratio > _MUCH for speed in apart):
        return ONLY_WHEN, "`jit_compile=True` is given: the same graph without it is another speed", evidence
    return HOLDS, "", evidence


def _tiny_sum_is_no_faster(result: SuiteResult) -> Judgement:
    holds = _verdict(result, "vector-add", "graph", "eager") != FASTER
    return HOLDS if holds else NOT, "", _tell(result, ("vector-add", "graph", "eager"))


def _loop_of_powers_gains(result: SuiteResult) -> Judgement:
    name = "power-loop"
    evidence = _tell(result, (name, "graph", "python"), (name, "xla", "python"), (name, "graph", "eager"))
    if _verdict(result, name, "graph", "python") == FASTER:
        return HOLDS, "", evidence
    gains = []
    if _verdict(result, name, "xla", "python") == FASTER:
        gains.append("XLA compiles the loop")
    if _verdict(result, name, "graph", "eager") == FASTER:
        gains.append("the eager loop runs on tensors, not on Python numbers")
    return (ONLY_WHEN, ", or ".join(gains), evidence) if gains else (NOT, "", evidence)


def _printed_example_runs(result: SuiteResult) -> Judgement:
    report = result.report("power-loop-as-printed")
    problem = next((mode.problem for mode in report.modes if mode.mode == "graph"), None)
    if problem is None:
        return HOLDS, "", f"`{report.name}` was measured"
    return NOT, "", f"`{report.name}` {problem.kind}: {problem.message.partition(' for ')[0]}"


def _many_small_ops_gain(result: SuiteResult) -> Judgement:
    loops, single = ("conditional-loop", "power-loop"), "simple-function"
    evidence = _tell(result, *((name, "graph", "eager") for name in (*loops, single)))
    if not all(_verdict(result, name, "graph", "eager") == FASTER for name in loops):
        return NOT, "", evidence
    if _verdict(result, single, "graph", "eager") == FASTER:
        return HOLDS, "", evidence
    return ONLY_WHEN, "they are many: one small op is not faster", evidence


def _convolution_gains_little(result: SuiteResult) -> Judgement:
    speed = _against(result, "convolution", "graph", "eager").speed
    little = speed.verdict != FASTER or speed.ratio < _LITTLE
    return HOLDS if little else NOT, "", _tell(result, ("convolution", "graph", "eager"))


def _numpy_function_costs(result: SuiteResult) -> Judgement:
    evidence = _tell(result, *((name, "graph", "python") for name in _BOUNDARIES))
    free = [name for name in _BOUNDARIES if _verdict(result, name, "graph", "python") != SLOWER]
    if not free:
        return HOLDS, "", evidence
    if len(free) == len(_BOUNDARIES):
        return NOT, "", evidence
    return ONLY_WHEN, f"the function itself is short: not for {_names(free)}", evidence


def _compared_firsts(report: Report) -> tuple[float, float] | None:
    graph, eager = report.mode("graph"), report.mode("eager")
    return (graph.first, eager.first) if graph and eager else None


def _one_call_is_faster_eagerly(result: SuiteResult) -> Judgement:
    firsts = {r.name: found for r in result.reports if (found := _compared_firsts(r))}
    late = [name for name, (graph, eager) in firsts.items() if eager >= graph]
    ratios = [graph / eager for graph, eager in firsts.values()]
    evidence = (
        f"the first call of `tf.function` takes {_text.number(min(ratios))} to {_text.number(max(ratios))} "
        f"times as long as the first eager one, median {_text.number(statistics.median(ratios))}"
    )
    if not late:
        return HOLDS, "", evidence
    return ONLY_WHEN, f"one call has few operations: not for {_names(late)}", evidence


def _no_magic(result: SuiteResult) -> Judgement:
    found = {r.name: one.speed.verdict for r in result.reports if (one := r.comparison("graph", "eager"))}
    counts = [sum(verdict == one for verdict in found.values()) for one in (FASTER, SLOWER)]
    evidence = (
        f"`tf.function` against eager, per later call: faster in {counts[0]}, slower in {counts[1]}, "
        f"no different in {len(found) - sum(counts)} of {len(found)} functions"
    )
    return HOLDS if counts[0] < len(found) else NOT, "", evidence


CLAIMS = (
    Claim(
        "slower",
        "Two numbers are added faster in plain Python.",
        _is(SLOWER, "scalar-add", "graph", "python"),
    ),
    Claim(
        "slower",
        "A product of 1000x1000 matrices is faster in `tf.function` than in NumPy.",
        _is(FASTER, "matmul-float64", "graph", "python"),
    ),
    Claim("slower", "A loop with a condition is faster in plain Python.", _loop_is_faster_in_python),
    Claim(
        "slower", "For small functions, tracing and compiling outweigh what they gain.", _small_functions_lose
    ),
    Claim("initialize", "Calls after the first are much faster.", _later_calls_are_much_faster),
    Claim(
        "initialize", "A simple function has hardly any first-call cost.", _a_simple_function_starts_quickly
    ),
    Claim(
        "initialize",
        "An `if` on a tensor takes longer to trace.",
        _longer_to_trace("control-flow", "simple-function"),
    ),
    Claim("initialize", "A loop takes longer to trace.", _longer_to_trace("range-loop", "simple-function")),
    Claim("initialize", "Loops over `tf.range` are unrolled while they are traced.", _loops_are_unrolled),
    Claim(
        "initialize", "Large inputs take longer to trace.", _longer_to_trace("matmul-float32", "vector-add")
    ),
    Claim("initialize", "`tf.function` is just-in-time compilation.", _compiled_just_in_time),
    Claim("eager", "Graphs are optimised by the XLA compiler.", _optimised_by_xla),
    Claim("eager", "A sum of short vectors is not a faster as a graph.", _tiny_sum_is_no_faster),
    Claim(
        "eager",
        "A product of 1000x1000 matrices is much faster as a graph than eagerly.",
        _is(FASTER, "matmul-float32", "graph", "eager", least=_MUCH),
    ),
    Claim(
        "eager",
        "A loop of powers is considerably faster in `tf.function` than in Python.",
        _loop_of_powers_gains,
    ),
    Claim("eager", "The loop of powers runs as it is printed.", _printed_example_runs),
    Claim("guide", "One-off operations are faster eagerly.", _one_call_is_faster_eagerly),
    Claim("guide", "Graphs of many small ops are faster than eager code.", _many_small_ops_gain),
    Claim("guide", "A convolution, one expensive op, gains little.", _convolution_gains_little),
    Claim("guide", "`tf.function` does not make everything faster.", _no_magic),
    Claim("guide", "A TensorFlow loop is one copy of its body in the graph.", _loops_are_kept),
    Claim("guide", "A Python function as a way out of the graph performs worse.", _numpy_function_costs),
)
