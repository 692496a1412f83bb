"""The contents of a traced graph: nodes, large constants, unrolled loops."""

from __future__ import annotations

import ast
import functools
import linecache
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pipeport.trace._user_code import place_in

# Below this a constant is a table or a kernel that belongs into the graph.
SMALLEST_CONSTANT = 16 * 1024
# So many equal operations of one line are a loop over data, rather than over the layers of a model.
FEWEST_ITERATIONS = 32
_MOST_LOOKED_AT = 4000
_WRAPPER = "_watch_install.py"

SourceLine = tuple[str, int]


@dataclass(frozen=True)
class Constant:
    """A large constant: its bytes, its shape, the name it has in the source, and where it is used."""

    size: int
    shape: tuple[int, ...]
    dtype: str
    name: str
    file: str
    line: int


@dataclass(frozen=True)
class Loop:
    """A Python loop that put the same operation into the graph many times."""

    operation: str
    count: int
    file: str
    line: int


@dataclass(frozen=True)
class Graph:
    """The reported facts about a graph."""

    nodes: int
    constants: tuple[Constant, ...]
    loops: tuple[Loop, ...]


def facts(concrete: Any, arrays: Mapping[str, tuple[tuple[int, ...], str]]) -> Graph:
    """Return the facts about a concrete function; `arrays` are the NumPy arrays it reaches by name."""
    operations = concrete.graph.get_operations()
    constants = [found for operation in operations if (found := _constant(operation, arrays)) is not None]
    return Graph(_nodes(concrete.graph, operations), tuple(constants), tuple(_loops(operations)))


def _nodes(graph: Any, operations: list[Any]) -> int:
    try:
        library = graph.as_graph_def().library.function
    except ValueError:  # more than two gigabytes cannot be written
        library = ()
    return len(operations) + sum(len(function.node_def) for function in library)


def _constant(operation: Any, arrays: Mapping[str, tuple[tuple[int, ...], str]]) -> Constant | None:
    if operation.type != "Const":
        return None
    output = operation.outputs[0]
    shape, dtype = tuple(output.shape.as_list()), output.dtype
    size = (output.shape.num_elements() or 0) * max(dtype.size or 1, 1)
    # Equal numbers are kept once: tf.zeros of any size takes a few bytes.
    if size < SMALLEST_CONSTANT or operation.get_attr("value").ByteSize() < SMALLEST_CONSTANT:
        return None
    alike = [name for name, (sizes, _) in arrays.items() if sizes == shape]
    exact = [name for name in alike if arrays[name][1] == dtype.name]
    places = _inside(operation)
    file, line = places[-1] if places else ("", 0)
    return Constant(size, shape, dtype.name, next(iter(exact or alike), ""), file, line)


def _inside(operation: Any) -> list[SourceLine]:
    """Return the user's frames within the traced function."""
    frames = list(operation.traceback)
    start = max((n for n, frame in enumerate(frames) if frame.filename.endswith(_WRAPPER)), default=-1)
    return place_in(frames[start + 1 :])


def _loops(operations: list[Any]) -> Iterator[Loop]:
    many = {
        kind
        for kind, count in Counter(operation.type for operation in operations).items()
        if count >= FEWEST_ITERATIONS and kind not in ("Const", "Placeholder")
    }
    found: Counter[tuple[str, SourceLine, tuple[SourceLine, ...]]] = Counter()
    weights: defaultdict[SourceLine, set[str]] = defaultdict(set)
    for operation in [one for one in operations if one.type in many][:_MOST_LOOKED_AT]:
        loop = next((at for at in map(_loop_around, _inside(operation)) if at is not None), None)
        if loop is None:
            continue
        # Equal down to the last library frame: one operation of the source, put there again and again.
        found[operation.type, loop, _frames(operation)] += 1
        if operation.type == "ReadVariableOp":
            weights[loop].add(operation.inputs[0].name)
    told: set[SourceLine] = set()
    for (kind, loop, _), count in found.most_common():
        # Layers of a model have a weight each, and there is no other way than one after the other.
        layered = 2 * len(weights[loop]) >= count
        if count >= FEWEST_ITERATIONS and loop not in told and not layered:
            told.add(loop)
            yield Loop(kind, count, *loop)


def _frames(operation: Any) -> tuple[SourceLine, ...]:
    return tuple((frame.filename, frame.lineno) for frame in operation.traceback)


def _loop_around(place: SourceLine) -> SourceLine | None:
    file, line = place
    around = [
        first for first, last in _loops_in(file, len(linecache.getlines(file))) if first <= line <= last
    ]
    return (file, max(around)) if around else None


@functools.lru_cache(maxsize=256)
def _loops_in(file: str, _: int) -> tuple[tuple[int, int], ...]:
    """Return first and last lines of the loops and comprehensions of a file."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:
        return ()
    kinds = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    return tuple(
        (node.lineno, node.end_lineno or node.lineno) for node in ast.walk(tree) if isinstance(node, kinds)
    )
