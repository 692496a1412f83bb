"""The record of every tf.function while it is watched."""

from __future__ import annotations

import functools
import re
import threading
import traceback
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType
from typing import Any, TypeVar, cast

from pipeport._lazy import tf
from pipeport._tensorflow_private import _tracing as inside
from pipeport.trace._user_code import code_of, is_users, plain_function
from pipeport.trace._watch_arguments import Arguments, Identities, describe, named, shortened
from pipeport.trace._watch_clock import reads
from pipeport.trace._watch_effects import Effect, effects
from pipeport.trace._watch_graph import Graph, facts
from pipeport.trace._watch_install import RunningCall
from pipeport.trace._watch_report import Trace
from pipeport.trace._watch_roots import is_model, roots
from pipeport.trace._watch_state import Fixed, Root, State, fixed, reachable

USER_LINE = re.compile(r'File "([^"]+)", line (\d+), in ')
_LONGEST = 200
_VARIABLES = ("only supports singleton tf.Variables", "Creating variables on a non-first call")
Method = TypeVar("Method", bound=Callable[..., None])


@dataclass
class TraceRecord:
    """One trace."""

    call: int
    arguments: Arguments
    surroundings: str
    seconds: float
    asked: bool
    graph: Graph | None
    relaxed: bool


@dataclass
class ObjectRecord:
    """One tf.function: several may be made of one `def`."""

    number: int
    reference: weakref.ref[Any]
    options: tuple[Any, ...]
    enclosed: tuple[Any, ...]
    of_instance: bool
    earlier: list[Arguments]
    traces: list[TraceRecord] = field(default_factory=list)
    explained: list[Trace] = field(default_factory=list)
    keys: dict[Any, dict[Any, Fixed]] = field(default_factory=dict)
    predecessors_gone: int = 0


@dataclass
class FunctionRecord:
    """One `def` or lambda."""

    name: str
    file: str
    line: int
    dataset: bool
    objects: list[ObjectRecord] = field(default_factory=list)
    calls: int = 0
    callers: set[int] = field(default_factory=set)
    effects: list[Effect] = field(default_factory=list)
    failed_variables: list[str] = field(default_factory=list)
    failures: list[tuple[str, str, int]] = field(default_factory=list)
    stale: dict[tuple[str, str], Stale] = field(default_factory=dict)
    model: bool = False


@dataclass
class Stale:
    """A constant of a graph that Python has changed since."""

    fixed: Fixed
    now: Any
    calls: int = 0


@dataclass
class _Begun:
    """The state before a call."""

    record: FunctionRecord
    one: ObjectRecord
    arguments: Arguments
    key: Any
    instance: Any
    roots: list[Root] = field(default_factory=list)
    given: list[tuple[str, Any]] = field(default_factory=list)
    state: State | None = None
    fixed: dict[Any, Fixed] = field(default_factory=dict)
    trace: TraceRecord | None = None
    found: list[Effect] = field(default_factory=list)
    told: bool = False
    inside: set[str] = field(default_factory=set)


def _harmless(method: Method) -> Method:
    """Keep an error of ours from the program that is watched; the report tells of it."""

    @functools.wraps(method)
    def guarded(self: Recorder, *args: Any) -> None:
        try:
            with self._lock:
                method(self, *args)
        except Exception as error:
            self.problems.add(f"{type(error).__name__}: {error}")

    return cast(Method, guarded)


class Recorder:
    """Notes calls and traces.

    `only`: of functions with another code nothing is noted.
    """

    def __init__(self, only: CodeType | None = None) -> None:
        self.functions: dict[int, FunctionRecord] = {}
        self.problems: set[str] = set()
        self.eagerly = False
        self._only = only
        self._codes: list[Any] = []  # kept, so that no other code gets the same id
        self._identities = Identities()
        self._lock = threading.RLock()

    @_harmless
    def called(self, call: RunningCall) -> None:
        """Note a call, and the Python state where it may trace."""
        record = self._record(call.function)
        if record is None:
            return
        self.eagerly |= bool(tf.config.functions_run_eagerly())
        one = self._object(record, call)
        if not call.asked and call.eager:
            record.calls += 1
        if call.outer is not None and id(self) in call.outer.kept:
            record.callers.add(id(call.outer.kept[id(self)].record))
        python = call.function.python_function
        arguments = describe(python, call.args, call.kwargs, self._identities)
        key = (_surroundings(), *((path, leaf.same) for path, leaf in arguments.items()))
        begun = _Begun(record, one, arguments, key, inside.instance_of(call.function))
        if key not in one.keys:
            begun.roots = roots(python, begun.instance)
            begun.given = list(named(python, call.args, call.kwargs)) if is_users(record.file) else []
            begun.state = reachable(begun.roots, begun.given) if begun.roots else None
        else:
            self._compare(record, one.keys[key])
        call.kept[id(self)] = begun

    @_harmless
    def traced(self, call: RunningCall, concrete: Any) -> None:
        """Record the results and side effects of tracing."""
        begun: _Begun | None = call.kept.get(id(self))
        if begun is None or call.ended is None:
            return
        arrays: dict[str, tuple[tuple[int, ...], str]] = {}
        if begun.state is not None:
            begun.found = effects(begun.state, reachable(begun.roots, begun.given)) + reads(begun.roots)
            begun.fixed = fixed(begun.roots, begun.given)
            arrays = {seen.name: seen.mark[1:3] for seen in begun.state.values() if seen.mark[0] == "array"}
        begun.trace = TraceRecord(
            begun.record.calls,
            begun.arguments,
            _surroundings(),
            call.ended - call.start,
            call.asked,
            facts(concrete, arrays) if is_users(begun.record.file) else None,
            _is_relaxed(begun.arguments, concrete),
        )

    @_harmless
    def returned(self, call: RunningCall) -> None:
        """Keep the trace, if there was one."""
        begun: _Begun | None = call.kept.get(id(self))
        if begun is None:
            return
        if call.error is not None:
            self._failed(call, begun)
        else:
            begun.one.keys.setdefault(begun.key, begun.fixed)
        if begun.trace is None or call.function.experimental_get_tracing_count() <= call.count:
            return
        begun.one.traces.append(begun.trace)
        begun.record.effects += [one for one in begun.found if one.subject not in begun.inside]
        outer = call.outer.kept.get(id(self)) if call.outer is not None else None
        if outer is not None and outer.record.model:  # Keras calls its functions in one another
            outer.inside |= {one.subject for one in begun.found}
        begun.record.effects += [_printed(*written) for written in call.written if written[0].strip()]

    def _compare(self, record: FunctionRecord, known: dict[Any, Fixed]) -> None:
        """Note what the graph that is called has as a constant, and Python has changed since."""
        for one in known.values():
            now = one.read()
            if type(now) is not type(one.value) or now != one.value:
                place = (one.function.__code__.co_filename, one.name)
                stale = record.stale.setdefault(place, Stale(one, now))
                stale.now, stale.calls = now, stale.calls + 1

    def _record(self, function: Any) -> FunctionRecord | None:
        code = code_of(function.python_function)
        if code is None or (self._only is not None and code is not self._only):
            return None
        record = self.functions.get(id(code))
        if record is None:
            plain = plain_function(function.python_function)
            name = plain.__qualname__.rpartition("<locals>.")[2]
            dataset = inside.serves_dataset(function)
            record = FunctionRecord(name, code.co_filename, code.co_firstlineno, dataset)
            cells = [cell.cell_contents for cell in plain.__closure__ or () if _is_full(cell)]
            record.model = not is_users(code.co_filename) and any(map(is_model, cells))
            self.functions[id(code)] = record
            self._codes.append(code)
        return record

    def _object(self, record: FunctionRecord, call: RunningCall) -> ObjectRecord:
        function = call.function
        for one in reversed(record.objects):
            if one.reference() is function:
                return one
        instance = inside.instance_of(function)
        one = ObjectRecord(
            len(record.objects) + 1,
            weakref.ref(function),
            inside.options_of(function),
            self._enclosed(plain_function(function.python_function), instance),
            instance is not None,
            [_of_concrete(concrete, function, self._identities) for concrete in inside.traces_of(function)],
        )
        one.predecessors_gone = sum(earlier.reference() is None for earlier in record.objects)
        record.objects.append(one)
        return one

    def _enclosed(self, plain: Any, instance: Any) -> tuple[Any, ...]:
        """Return the parts in which functions of one `def` may differ: object, enclosed names, defaults."""
        cells = [cell.cell_contents for cell in plain.__closure__ or () if _is_full(cell)]
        values = [instance, *cells, *(plain.__defaults__ or ())]
        return tuple(self._same(value) for value in values)

    def _same(self, value: Any) -> Any:
        if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
            return value
        try:
            return ("object", self._identities.of(value))
        except TypeError:
            return ("id", id(value))

    def _failed(self, call: RunningCall, begun: _Begun) -> None:
        """Note where a trace failed; outer calls pass the error on."""
        text = str(call.error)
        if isinstance(call.error, ValueError) and any(known in text for known in _VARIABLES):
            if not begun.told:
                begun.record.failed_variables.append(text)
        elif call.ended is None and begun.key not in begun.one.keys and _is_of_trace(call.error):
            if not begun.told:
                begun.record.failures.append(_failure(call.error, text))
        else:
            return
        outer = call.outer.kept.get(id(self)) if call.outer is not None else None
        if outer is not None:
            outer.told = True


def _is_of_trace(error: BaseException | None) -> bool:
    return isinstance(error, Exception) and not isinstance(error, tf.errors.OpError)


def _failure(error: Any, text: str) -> tuple[str, str, int]:
    """Return what a trace raised in one line, and the user's line that raised it."""
    said = [line.strip() for line in text.splitlines() if line.strip()] or [""]
    last = said[-1] if "in user code" in said[0] else said[0]
    kind = "" if last.startswith(f"{type(error).__name__}: ") else f"{type(error).__name__}: "
    places = [(file, int(line)) for file, line in USER_LINE.findall(text) if is_users(file)]
    frames = [(one.filename, one.lineno or 0) for one in traceback.extract_tb(error.__traceback__)]
    places = places or [place for place in frames if is_users(place[0])]
    return (shortened(kind + last, _LONGEST), *(places[-1] if places else ("", 0)))


def _is_full(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018 - asked whether it raises
    except ValueError:
        return False
    return True


def _of_concrete(concrete: Any, function: Any, identities: Identities) -> Arguments:
    args, kwargs = concrete.structured_input_signature
    return describe(function.python_function, args, kwargs, identities)


def _is_relaxed(arguments: Arguments, concrete: Any) -> bool:
    """Say whether the graph takes more shapes than the one that was given."""
    given = [leaf.shape for leaf in arguments.values() if leaf.kind == "tensor"]
    specs = [
        spec
        for spec in tf.nest.flatten(concrete.structured_input_signature)
        if isinstance(spec, tf.TensorSpec)
    ]
    taken = [None if spec.shape.rank is None else tuple(spec.shape.as_list()) for spec in specs]
    # Dictionaries are flattened in another order.
    return len(given) == len(taken) and sorted(map(str, given)) != sorted(map(str, taken))


def _surroundings() -> str:
    strategy = tf.distribute.get_strategy()
    where = "across replicas" if tf.distribute.in_cross_replica_context() else "in a replica"
    return f"{type(strategy).__name__}, {where}"


def _printed(text: str, file: str, line: int) -> Effect:
    return Effect(
        f"print {file}:{line}",
        f"{shortened(text)!r} was printed",
        "Use tf.print, which is part of the graph, or print outside of the function.",
        file,
        line,
    )
