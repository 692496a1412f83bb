"""Findings in graphs: growth with Python data, unrolled loops, large constants."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from pipeport.trace._watch_graph import Loop
from pipeport.trace._watch_record import FunctionRecord
from pipeport.trace._watch_report import CONSTANT, GROWTH, UNROLLED, Change, Trace, WatchFinding

# A graph has grown with an argument where it has so many more nodes, and so many times as many.
_LEAST_GROWTH, _LEAST_FACTOR = 8, 1.25


def growth(record: FunctionRecord, traces: tuple[Trace, ...]) -> Iterator[WatchFinding]:
    """Find the Python argument with which the graph grows most."""
    by_number = {trace.number: trace for trace in traces}
    best: tuple[int, Trace, Trace, Change] | None = None
    for trace in traces if len(record.objects) == 1 else ():
        near = by_number.get(trace.nearest or 0)
        if near is None or near.nodes is None or trace.nodes is None or len(trace.changes) != 1:
            continue
        (change,) = trace.changes
        few, many = sorted((near.nodes, trace.nodes))
        grown = many - few >= _LEAST_GROWTH and many >= _LEAST_FACTOR * few
        if grown and change.kind in ("value", "structure") and (best is None or many - few > best[0]):
            best = (many - few, near, trace, change)
    if best is not None:
        _, near, trace, change = best
        message = (
            f"the graph has {near.nodes} nodes where `{change.argument}` is {change.before},"
            f" and {trace.nodes} where it is {change.after}: a loop over Python data is unrolled"
        )
        advice = "Loop with tf.range or tf.map_fn, or compute on one stacked tensor without a loop."
        yield WatchFinding(GROWTH, record.name, record.file, record.line, message, advice)


def unrolled(record: FunctionRecord) -> Iterator[WatchFinding]:
    loops: dict[tuple[str, int], Loop] = {}
    for one in record.objects:
        for trace in one.traces:
            for loop in trace.graph.loops if trace.graph else ():
                known = loops.get((loop.file, loop.line))
                loops[loop.file, loop.line] = loop if known is None or loop.count > known.count else known
    for loop in loops.values():
        message = f"a Python loop put {loop.operation} into the graph {loop.count} times"
        advice = "Loop with tf.range or over a dataset, or compute on one stacked tensor without a loop."
        yield WatchFinding(UNROLLED, record.name, loop.file, loop.line, message, advice, loop.count)


def constants(record: FunctionRecord) -> Iterator[WatchFinding]:
    graphs = [trace.graph for one in record.objects for trace in one.traces if trace.graph]
    found: defaultdict[tuple[str, int, str], list[int]] = defaultdict(list)
    shown = {}
    for graph in graphs:
        for constant in graph.constants:
            key = (constant.file, constant.line, constant.name or str(constant.shape))
            found[key].append(constant.size)
            shown[key] = constant
    for key, sizes in found.items():
        constant = shown[key]
        what = f"the NumPy array `{constant.name}`" if constant.name else "an array"
        copies = f", in {len(sizes)} copies: {sum(sizes):,} bytes" if len(sizes) > 1 else ""
        message = (
            f"{what} {constant.dtype}{list(constant.shape)} is a constant of the graph,"
            f" {sizes[0]:,} bytes{copies}; later changes of it are not seen"
        )
        advice = "Make it a tf.constant outside of the function, which is shared, or pass it as an argument."
        yield WatchFinding(CONSTANT, record.name, constant.file, constant.line, message, advice, len(sizes))
