"""Compare each trace with the nearest earlier one, and decide which retraces are findings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from pipeport.trace._explain import changes, nearest, signature
from pipeport.trace._watch_arguments import OPTION, VALUE
from pipeport.trace._watch_record import FunctionRecord, ObjectRecord, TraceRecord
from pipeport.trace._watch_report import RETRACE, Change, Trace, WatchFinding

# So many values of a string or an enumeration are a choice of modes; more are data.
MOST_OPTIONS = 3
_SHOWN, _WIDEST = 5, 160


def traces_of(one: ObjectRecord) -> list[Trace]:
    """Return the traces of a tf.function, each explained once."""
    before = len(one.earlier)
    earlier = [*one.earlier, *(trace.arguments for trace in one.traces)]
    surroundings = [*("" for _ in one.earlier), *(trace.surroundings for trace in one.traces)]
    for record in one.traces[len(one.explained) :]:
        number = before + len(one.explained)
        near, differ = None, tuple[Change, ...]()
        if number:
            position = nearest(record.arguments, earlier[:number])
            near = position + 1
            differ = changes(earlier[position], record.arguments)
            differ = differ or (_context(surroundings[position], record),)
        explained = Trace(
            one.number,
            number + 1,
            record.call,
            {path: leaf.text for path, leaf in record.arguments.items()},
            record.seconds,
            record.graph.nodes if record.graph else None,
            sum(constant.size for constant in record.graph.constants) if record.graph else None,
            near,
            differ,
            _expected(record, differ) if near else "",
        )
        one.explained.append(explained)
    return one.explained


def _context(before: str, record: TraceRecord) -> Change:
    advice = "Call it under one distribution strategy, in one graph and under one device."
    texts = (before, record.surroundings) if before and before != record.surroundings else ("", "")
    return Change("", "context", *texts, advice)


def _expected(record: TraceRecord, differ: tuple[Change, ...]) -> str:
    if record.asked:
        return "get_concrete_function asked for it"
    if record.relaxed and all(change.kind in ("shape", "rank") for change in differ):
        return "reduce_retracing made a graph of it that takes other sizes too"
    if differ and all(change.kind == OPTION and _is_switch(change) for change in differ):
        return "each of the values has a graph of its own"
    return ""


def _is_switch(change: Change) -> bool:
    return change.before in ("True", "False", "None") or change.after in ("True", "False", "None")


def retraces(record: FunctionRecord, traces: tuple[Trace, ...]) -> Iterator[WatchFinding]:
    """Find the arguments that differ between traces, each with all its values."""
    groups: defaultdict[tuple[str, str], list[Change]] = defaultdict(list)
    for trace in traces:
        if trace.nearest is not None and not trace.expected:
            for change in trace.changes:
                groups[change.argument, change.kind].append(change)
    suggested = _one_signature(record) if groups else None
    for (argument, kind), found in groups.items():
        values = list(dict.fromkeys(text for change in found for text in (change.before, change.after)))
        if kind == OPTION and len(values) <= MOST_OPTIONS:
            continue
        message = _sentence(argument, kind, values, _kind_of_value(record, argument))
        advice = found[-1].advice
        if suggested is not None and kind in ("value", "shape"):
            advice += f" One trace for all calls seen: {suggested}."
            suggested = None
        yield WatchFinding(RETRACE, record.name, record.file, record.line, message, advice, len(found))


def _kind_of_value(record: FunctionRecord, argument: str) -> str:
    leaves = (trace.arguments.get(argument) for one in record.objects for trace in one.traces)
    return next((leaf.dtype for leaf in leaves if leaf is not None and leaf.kind in (OPTION, VALUE)), "")


def _sentence(argument: str, kind: str, values: list[str], python: str) -> str:
    count = next((n for n in range(_SHOWN, 2, -1) if sum(map(len, values[:n])) < _WIDEST), 2)
    more = f" and {len(values) - count} more" if len(values) > count else ""
    shown = ", ".join(values[1:count]) + more
    then = f"{values[0]} then {shown}" if shown else f"{values[0]} each time"
    return {
        "value": f"argument `{argument}` is a Python {python}, {then}",
        "option": f"argument `{argument}` is a Python {python}, {then}",
        "shape": f"argument `{argument}` differs in shape: {then}",
        "rank": f"argument `{argument}` differs in its number of axes: {then}",
        "dtype": f"argument `{argument}` differs in dtype: {then}",
        "function": f"argument `{argument}` is a new function object: {then}",
        "object": f"argument `{argument}` is a new object, compared by identity: {then}",
        "structure": f"argument `{argument}` differs in structure: {then}",
        "spec": f"argument `{argument}` differs in its type: {then}",
        "type": f"argument `{argument}` is {then}",
        "context": "the arguments are the same, but not where it was called"
        + (f": {then}" if values[0] else ": another graph, device or distribution strategy"),
    }[kind]


def _one_signature(record: FunctionRecord) -> str | None:
    if len(record.objects) != 1 or record.objects[0].options[0] is not None:
        return None
    one = record.objects[0]
    return signature([*one.earlier, *(trace.arguments for trace in one.traces)])
