"""Derive findings from the records of a watched run."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from pipeport.trace._user_code import is_users
from pipeport.trace._watch_arguments import shortened
from pipeport.trace._watch_effects import line_of_mention
from pipeport.trace._watch_graph_findings import constants, growth, unrolled
from pipeport.trace._watch_record import USER_LINE, FunctionRecord, ObjectRecord, Recorder
from pipeport.trace._watch_report import (
    FAILED,
    MADE_AGAIN,
    SIDE_EFFECT,
    STALE,
    VARIABLE,
    FunctionReport,
    State,
    WatchFinding,
)
from pipeport.trace._watch_retraces import retraces, traces_of

# So many tf.functions of one method or closure, one after the other, are made anew each time.
FEWEST_REMADE = 3
# So many calls each, and tracing is a small part of them: a model for each fold, for instance.
ENOUGH_CALLS = 10


def state(recorder: Recorder) -> State:
    """Return everything that is known now."""
    records = list(recorder.functions.values())
    runs = _runs(records)
    functions = tuple(
        report for record in records if (report := _function(record, runs[id(record)])) is not None
    )
    notes = [f"Something was not noted: {problem}." for problem in sorted(recorder.problems)]
    if recorder.eagerly:
        notes.append("tf.config.run_functions_eagerly was on: then nothing is traced.")
    return State(functions, tuple(notes))


def _runs(records: list[FunctionRecord]) -> dict[int, float]:
    """Return how often each graph ran: called by Python, or within the graphs of others."""
    known = {id(record): record for record in records}

    def count(record: FunctionRecord, inner: frozenset[int]) -> float:
        if record.dataset:  # once per element
            return float("inf")
        outer = [known[caller] for caller in record.callers - inner if caller in known]
        return record.calls + sum(count(one, inner | {id(record)}) for one in outer)

    return {id(record): count(record, frozenset({id(record)})) for record in records}


def _function(record: FunctionRecord, runs: float) -> FunctionReport | None:
    users = is_users(record.file)
    kept = users or record.model
    traces = tuple(trace for one in record.objects for trace in traces_of(one)) if kept else ()
    findings = [*_side_effects(record, runs), *_variables(record), *_failures(record), *_stale(record)]
    if users:
        findings = [
            *retraces(record, traces),
            *_made_again(record),
            *growth(record, traces),
            *unrolled(record),
            *constants(record),
            *findings,
        ]
    elif not findings and not kept:
        return None
    before = sum(len(one.earlier) for one in record.objects)
    name, file, line = record.name, record.file, record.line
    if not users:
        name = "a function of a dataset" if record.dataset else f"{name} of a Keras model" if kept else name
        file, line = (findings[0].file, findings[0].line) if findings else (file, line)
    return FunctionReport(
        name, file, line, len(record.objects), record.calls, before, traces, tuple(findings)
    )


def _made_again(record: FunctionRecord) -> Iterator[WatchFinding]:
    traced = [one for one in record.objects if one.traces]
    alike: defaultdict[object, list[ObjectRecord]] = defaultdict(list)
    for one in traced:
        alike[(repr(one.options), one.enclosed)].append(one)
    same = max(alike.values(), key=len, default=[])
    gone = max((one.predecessors_gone for one in traced), default=0)
    if len(same) >= 2:
        times, why = len(same), "of the same function"
        advice = "Make it once, outside of the loop, and call that."
    elif (
        len(traced) >= FEWEST_REMADE
        and gone >= FEWEST_REMADE - 1
        and record.calls < ENOUGH_CALLS * len(traced)
    ):
        times = len(traced)
        if traced[0].of_instance:
            why = "one for each new object whose method it is"
            advice = "Keep one object, and pass what changes as tensors."
        else:
            why = "each with other enclosed values"
            advice = "Make it once, outside of the loop, and pass what changes as tensors."
    else:
        return
    message = f"{times} tf.functions were made of it, {why}; each is traced for itself"
    yield WatchFinding(MADE_AGAIN, record.name, record.file, record.line, message, advice, times)


def _side_effects(record: FunctionRecord, runs: float) -> Iterator[WatchFinding]:
    traces = sum(len(one.traces) for one in record.objects)
    if runs <= traces:
        return
    often = "for each element" if record.dataset else f"{runs:g} times"
    groups: dict[str, list[int]] = defaultdict(list)
    for number, effect in enumerate(record.effects):
        if is_users(effect.file):  # a library prints for itself
            groups[effect.subject].append(number)
    for numbers in groups.values():
        effect = record.effects[numbers[0]]
        message = f"{effect.message}, only while tracing ({_times(len(numbers))}); the graph ran {often}"
        file = effect.file or record.file
        yield WatchFinding(
            SIDE_EFFECT, record.name, file, effect.line or record.line, message, effect.advice, len(numbers)
        )


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _failures(record: FunctionRecord) -> Iterator[WatchFinding]:
    for (said, file, line), times in Counter(record.failures).items():
        if is_users(record.file) or file:
            place = (file, line) if file else (record.file, record.line)
            advice = "Mend it; tf.config.run_functions_eagerly(True) lets a debugger stop there."
            yield WatchFinding(FAILED, record.name, *place, f"tracing failed: {said}", advice, times)


def _stale(record: FunctionRecord) -> Iterator[WatchFinding]:
    changed = {effect.subject for effect in record.effects}
    for (file, name), one in record.stale.items():
        if f"{file}: {name}" in changed:  # it is told as a side effect
            continue
        old, new = shortened(repr(one.fixed.value)), shortened(repr(one.now))
        message = f"`{name}` was {old} while tracing and is {new} now: the graph goes on with {old}"
        advice = "Keep it in a tf.Variable and assign to that, or pass it as an argument."
        line = line_of_mention(one.fixed.function, name)
        yield WatchFinding(STALE, record.name, file, line, message, advice, one.calls)


def _variables(record: FunctionRecord) -> Iterator[WatchFinding]:
    places: defaultdict[tuple[str, int], int] = defaultdict(int)
    for text in record.failed_variables:
        lines = [(file, int(line)) for file, line in USER_LINE.findall(text) if is_users(file)]
        places[lines[-1] if lines else (record.file, record.line)] += 1
    for (file, line), count in places.items():
        message = "a tf.Variable was created in a trace that is not the first"
        advice = "Create it outside of the function, or once: `if self.v is None: self.v = tf.Variable(...)`."
        yield WatchFinding(VARIABLE, record.name, file, line, message, advice, count)
