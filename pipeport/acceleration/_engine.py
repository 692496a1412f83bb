"""One boundary of a map function: record, port, measure, choose, compare; at any doubt it stays as it is."""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import os
import threading
import time
import warnings
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from pipeport import catalog, config
from pipeport._lazy import tf
from pipeport._own import is_own
from pipeport._tensorflow_private import _upstream as inside
from pipeport.acceleration import _measure, _record
from pipeport.acceleration._attempt import Unserved
from pipeport.acceleration._changes import change_of
from pipeport.acceleration._choices import Choice, Choices, key_of, user_folder
from pipeport.acceleration._compare import difference, is_exact
from pipeport.acceleration._effects import Known, Read, known
from pipeport.acceleration._program import Program, traced
from pipeport.acceleration._report import digest, versions
from pipeport.acceleration._settings import Settings
from pipeport.acceleration._states import put_back
from pipeport.acceleration._switch import Switch, Watched, marks, may_change
from pipeport.acceleration._traced import BoundaryCall, Map, Tracing
from pipeport.acceleration._verdict import Trials, Verdict, choice, gain_of
from pipeport.errors import PipeportError, line_of
from pipeport.meanings import ISLAND
from pipeport.porting import Ported, port
from pipeport.porting._limit import OutOfTime, limited
from pipeport.porting._port import learned
from pipeport.porting.frontend._meaning import dotted
from pipeport.porting.optimise._costs import GraphLoop, told

# Files that AutoGraph writes.
_CONVERTED = "__autograph_generated_file"
_PACKAGE = str(Path(__file__).parents[1])
# Elements that both are compared on.
_ELEMENTS = 3
# Operations of a graph beyond which its start outlasts what it saves.
_LARGEST = 20_000
# Seconds that starts of iterators take more in a run, from which on a fast start is measured as well.
_LOST = 1.0
# Reasons that hold for one dataset, not for the function.
_OF_THIS_DATASET = ("failed", "limit", "unread")


class _Stays(Exception):
    """A boundary stays Python: the reason, and more words."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason, self.detail = reason, detail


def _flat_dtypes(boundary: BoundaryCall) -> list[Any]:
    """Return the dtypes of the results; none that are not tensors of a stated dtype."""
    rows = list(boundary.dtypes) if boundary.is_many else [boundary.dtypes]
    if not rows or any(isinstance(one, (tf.TypeSpec, list, tuple, dict)) for one in rows):
        raise _Stays("form", "Tout states no dtypes")
    return [tf.as_dtype(one) for one in rows]


def _unbound(function: Any) -> tuple[Any, list[Any]]:
    """Return the function in partial objects, and what they bind: arguments and keywords in turn."""
    bound: list[Any] = []
    while isinstance(function, functools.partial):
        bound += [function.args, function.keywords]
        function = function.func
    return function, bound


def _place(function: Any) -> tuple[str, str]:
    """Return file and line, and name, of a function; of a library's its dotted name."""
    function = _unbound(function)[0]
    one = inspect.unwrap(function)
    code = getattr(one, "__code__", None) or getattr(type(one).__call__, "__code__", None)
    name = getattr(one, "__qualname__", type(one).__name__).rpartition("<locals>.")[2]
    if code is None or not is_own(code.co_filename):
        return dotted(function), name
    return f"{code.co_filename}:{code.co_firstlineno}", name


def _site() -> str:
    """Return file and line of the user's call that is under way."""
    frames = [one for one in inside.frames() if is_own(one[0]) and not one[0].startswith(_PACKAGE)]
    return "{}:{}".format(*frames[-1]) if frames else ""


def _files(places: Iterable[str]) -> set[str]:
    return {one.rpartition(":")[0] for one in places}


def _digests(files: Iterable[str]) -> dict[str, str]:
    """Return the digests of the files that are there, but of those that AutoGraph writes."""
    found = {file: digest(file) for file in sorted(files) if _CONVERTED not in file}
    return {file: text for file, text in found.items() if text}


@dataclass
class _Decision:
    """A decision that holds for the whole process; the function lives on, so that its identity does."""

    function: Any
    verdict: Verdict
    program: Program | None = None
    marks: list[Any] = field(default_factory=list)
    switch: Switch | None = None


class Engine:
    """Decides for every boundary, and notes what became of it.

    `trials`: how they are tried, and what became of them so far. `measure`: takes two functions that make
    datasets, gives what both cost. `little`: seconds of processor time of a run in the boundaries of a
    dataset, below which none is tried.
    """

    def __init__(self, trials: Trials, tracing: Tracing) -> None:
        self.trials = trials
        self.measure = _measure.rates
        self.little = trials.settings.least
        self.choices = Choices(user_folder(), fresh=trials.settings.fresh)
        self._tracing = tracing
        self._decided: dict[Any, _Decision] = {}
        self._watched: list[Watched] = []
        self._lock = threading.RLock()

    @property
    def settings(self) -> Settings:
        """How boundaries are tried."""
        return self.trials.settings

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Let one thread try at a time: two would measure each other."""
        got = self._lock.acquire(timeout=min(self.settings.limit, threading.TIMEOUT_MAX))
        try:
            if not got:
                raise _Stays("limit", "another thread tries a boundary")
            yield
        finally:
            if got:
                self._lock.release()

    @contextlib.contextmanager
    def _at_work(self) -> Iterator[None]:
        with self._tracing.busy(), warnings.catch_warnings(), tf.init_scope():
            warnings.simplefilter("ignore")
            yield

    def call(self, boundary: BoundaryCall) -> Any:
        """Return the results of a boundary: of its native form, if that is right and faster, else its own."""
        try:
            found = self._decided_for(boundary)
        except Exception as error:  # whatever happens, the boundary is what it was
            found = None
            with contextlib.suppress(Exception):
                self._note(self._verdict(boundary, "failed", f"{type(error).__name__}: {line_of(error)}"))
        if found is None:
            return boundary.python()
        program, number, switch = found
        for here in self._tracing.maps[-1:]:
            here.natives += 1
            here.holds += [one.function for one in here.called]
        inputs = [tf.convert_to_tensor(one) for one in boundary.inputs]
        results = program.results(inputs, number, boundary.rows, switch)
        return results if boundary.is_many else results[0]

    def _decided_for(self, boundary: BoundaryCall) -> tuple[Program, int, Switch | None] | None:
        maps = self._tracing.maps
        verdict = self._verdict(boundary)
        try:
            here = maps[-1] if maps else Map(None, None, None)
            if not here.tries:
                return None
            graphs = inside.functions_around(tf.compat.v1.get_default_graph())
            if boundary.example is None:
                if not maps:
                    raise _Stays("outside")
                if here.source is None:
                    raise _Stays("graph")
                if len(graphs) != 1 + len(here.called):
                    raise _Stays("inside")
            specs = self._specs(boundary)
            key = self._key(boundary, here, specs)
            kept = self._kept(key, boundary, here)
            if kept is None:
                if key in self._decided:
                    verdict.passes = self._decided[key].verdict.passes
                kept = self._tried(boundary, here, graphs, specs, verdict)
                if verdict.reason not in _OF_THIS_DATASET:
                    self._decided[key] = kept
            else:
                kept.verdict.uses += 1
                kept.verdict.sites += [one for one in verdict.sites if one not in kept.verdict.sites]
                kept.verdict.files |= _digests(_files(verdict.sites) - set(kept.verdict.files))
                self.trials.noted()
        except _Stays as stays:
            verdict.reason, verdict.detail = stays.reason, stays.detail
            self._note(verdict)
            return None
        if kept.program is None:
            here.stay.append(kept.verdict)
            return None
        if kept.verdict.fast_start and maps:
            here.settings.enter_context(config.use_fast_start(True))
        number = zlib.crc32(f"{kept.verdict.place}:{kept.verdict.uses}".encode())
        return kept.program, number, kept.switch

    def _verdict(self, boundary: BoundaryCall, reason: str = "", detail: str = "") -> Verdict:
        place, name = _place(boundary.function)
        site = _site()
        if _CONVERTED in place:  # a lambda in the function of the map
            place = site
        return Verdict(place, name, boundary.wrapper, [site], reason, detail)

    def _note(self, verdict: Verdict) -> None:
        self.trials.verdicts.append(verdict)
        self.trials.noted()

    def _key(self, boundary: BoundaryCall, here: Map, specs: list[Any]) -> Any:
        """Return what a decision depends on beside what the function reads."""
        one, bound = _unbound(boundary.function)
        parts = [
            sorted((name, id(value)) for name, value in part.items())
            if isinstance(part, dict)
            else map(id, part)
            for part in bound
        ]
        owner = getattr(one, "__self__", None)
        code = getattr(one, "__code__", None)
        closure = getattr(one, "__closure__", None) or ()
        cells = tuple(id(cell.cell_contents) for cell in closure)
        defaults = tuple(map(id, getattr(one, "__defaults__", None) or ()))
        # Equal functions of two files have equal code.
        identity = (code, code.co_filename, id(owner)) if code is not None else (None, id(one))
        return (
            *identity,
            tuple(map(tuple, parts)),
            cells,
            defaults,
            *_form(boundary, here, specs),
            here.elements,
        )

    def _lasting_key(
        self, boundary: BoundaryCall, here: Map, specs: list[Any], knowledge: Known
    ) -> str | None:
        """Return what another process finds this boundary's choice by."""
        one, parts = _unbound(boundary.function)
        parts += [getattr(one, "__defaults__", None), getattr(one, "__kwdefaults__", None)]
        reads = [(read.kind, read.name, read.value) for read in knowledge.reads]
        own = (self.settings.exact, self.settings.islands, tuple(sorted(self.settings.keep)))
        starts = (config.fast_start(), config.states_fast_start(), len(tf.config.list_logical_devices()))
        settings = (*own, config.bit_equal(), config.jit(), *starts)
        form = _form(boundary, here, specs)
        texts = [ast.unparse(one.tree) for one in knowledge.sources]
        return key_of((texts, reads, parts, form, settings, versions(), os.cpu_count()))

    def _specs(self, boundary: BoundaryCall) -> list[Any]:
        if not isinstance(boundary.inputs, (list, tuple)):
            raise _Stays("form", "its arguments stand in no list")
        specs = []
        for one in boundary.inputs:
            if tf.is_tensor(one) and not isinstance(one, tf.Tensor):
                raise _Stays("form", f"an argument is a {type(one).__name__}")
            if isinstance(one, tf.Tensor):
                specs.append(tf.TensorSpec(one.shape, one.dtype))
            else:
                value = np.asarray(one)
                if value.dtype.kind not in "biufcUS":
                    raise _Stays("form", f"an argument is a {type(one).__name__}")
                with tf.init_scope():
                    value = tf.convert_to_tensor(one)
                specs.append(tf.TensorSpec(value.shape, value.dtype))
        return specs

    def _kept(self, key: Any, boundary: BoundaryCall, here: Map) -> _Decision | None:
        """Return an earlier decision, if what it depends on is what it was."""
        kept = self._decided.get(key)
        if kept is None:
            return None
        if kept.program is None:
            grown = kept.verdict.reason == "little" and self._pays(kept.verdict, here)
            return None if grown else kept
        return kept if marks(known(boundary.function).reads) == kept.marks else None

    def _tried(
        self, boundary: BoundaryCall, here: Map, graphs: list[Any], specs: list[Any], verdict: Verdict
    ) -> _Decision:
        """Try a boundary; the verdict is noted before, so that a trial that ends the process is told."""
        begun = time.perf_counter()
        knowledge = Known("")
        program = None
        verdict.reason, verdict.detail = "failed", "it did not end"
        self._note(verdict)
        try:
            with self._alone(), self._at_work():
                dtypes = self._check(boundary, specs, verdict)
                knowledge = self._known(boundary, verdict)
                verdict.key = self._lasting_key(boundary, here, specs, knowledge)
                self._recalled(here, verdict)
                values = [one.value for one in knowledge.reads]
                with put_back([boundary.function, getattr(boundary.function, "__self__", None), *values]):
                    rows = self._recorded(boundary, here, graphs)
                    self._worth(boundary, rows, here, verdict)
                    with limited(self.settings.limit - self.trials.spent, _LARGEST):
                        program = self._chosen(boundary, here, rows, specs, dtypes, verdict)
            verdict.reason = verdict.detail = ""
        except _Stays as stays:
            verdict.reason, verdict.detail = stays.reason, stays.detail
        except OutOfTime as error:
            verdict.reason, verdict.detail = "limit", line_of(error)
        except Exception as error:  # whatever happens, the boundary is what it was
            verdict.detail = f"{type(error).__name__}: {line_of(error)}"
        self._remember(verdict)
        verdict.seconds = time.perf_counter() - begun
        self.trials.spent += verdict.seconds
        self.trials.noted()
        if program is None:
            return _Decision(boundary.function, verdict)
        found = marks(knowledge.reads)
        switch = self._way_back(boundary, knowledge.reads, found, verdict)
        return _Decision(boundary.function, verdict, program, found, switch)

    def _recalled(self, here: Map, verdict: Verdict) -> None:
        """Take over what an earlier process measured; end there, if that keeps the boundary in Python."""
        verdict.elements = here.elements
        found = self.choices.find(verdict.key)
        if found is None:
            return
        verdict.passes = max(verdict.passes, found.passes)
        if found.python is None and not found.refusal:
            return
        verdict.remembered = True
        if found.refusal:
            raise _Stays("refused", found.refusal)
        verdict.python, verdict.native = found.python, found.native
        verdict.fast_start = found.fast_start
        if found.python is not None:
            verdict.epoch = found.python.processor * verdict.count
        self._choose(verdict)

    def _remember(self, verdict: Verdict) -> None:
        if verdict.reason == "refused":
            self.choices.keep(verdict.key, Choice(refusal=verdict.detail))
        elif verdict.passes or (verdict.python is not None and verdict.native is not None):
            rates = (verdict.python, verdict.native, verdict.passes, verdict.fast_start)
            self.choices.keep(verdict.key, Choice("", *rates))

    def _choose(self, verdict: Verdict) -> None:
        if self.settings.prefer_native or verdict.python is None or verdict.native is None:
            return
        reason, detail = choice(verdict.python, verdict.native, verdict.elements)
        if reason:
            raise _Stays(reason, detail)

    def _way_back(
        self, boundary: BoundaryCall, reads: tuple[Read, ...], found: list[Any], verdict: Verdict
    ) -> Switch | None:
        """Return the switch of a native form that read what can change; it is compared before each pass."""
        no_pass = self.settings.prefer_native or boundary.example is not None
        if no_pass or not any(map(may_change, reads)):
            return None
        switch = Switch()

        def back(why: str) -> None:
            switch.off()
            self._decided.clear()
            verdict.reason, verdict.detail = "changes", why
            self.trials.noted()

        self._watched.append(Watched(boundary.function, found, back))
        return switch

    def begins(self, staying: list[Verdict]) -> None:
        """Compare what native forms read with what is there now: an iterator begins.

        `staying`: what became of those functions of its dataset that stay Python; the next process knows how
        often they were passed.
        """
        for one in self._watched:
            one.compare()
        for verdict in staying:
            verdict.begun += 1
            if verdict.reason == "little" and verdict.begun > verdict.passes:
                verdict.passes = verdict.begun
                self._remember(verdict)

    def _check(self, boundary: BoundaryCall, specs: list[Any], verdict: Verdict) -> list[Any]:
        if not self.settings.chooses(verdict.place, verdict.name):
            raise _Stays("left out")
        if inside.in_debug_mode():
            raise _Stays("mode")
        dtypes = _flat_dtypes(boundary)
        verdict.specs = [f"{one.dtype.name} {one.shape}" for one in specs]
        verdict.tensors = [isinstance(one, tf.Tensor) for one in boundary.inputs]
        if self.trials.spent >= self.settings.limit:
            raise _Stays("limit", f"{self.settings.limit:g} s")
        return dtypes

    def _known(self, boundary: BoundaryCall, verdict: Verdict) -> Known:
        found = known(boundary.function)
        verdict.files = _digests({*(one.file for one in found.sources), *_files(verdict.sites)})
        if found.effect:
            raise _Stays("effect", found.effect)
        if why := change_of(found.reads):
            raise _Stays("changes", why)
        return found

    def _recorded(self, boundary: BoundaryCall, here: Map, graphs: list[Any]) -> list[tuple[Any, ...]]:
        """Return three elements as the boundary gets them, or the example that was given."""
        if boundary.example is not None:
            return [boundary.example]
        tensors = [one for one in boundary.inputs if isinstance(one, tf.Tensor)]
        if any(one.graph is not graphs[-1] for one in tensors):
            raise _Stays("unread", "an argument comes from outside of the map function")
        if not tensors:
            raise _Stays("form", "it takes no tensor")
        try:
            with contextlib.ExitStack() as states:
                effect_of = functools.partial(_in_front, states)
                rows = _record.elements(here.source, graphs, here.called, tensors, _ELEMENTS, effect_of)
        except _record.Unread as error:
            raise _Stays("unread", str(error)) from error
        made = []
        for row in rows:
            given = iter(row)
            made.append(
                tuple(
                    next(given) if isinstance(one, tf.Tensor) else tf.convert_to_tensor(one).numpy()
                    for one in boundary.inputs
                )
            )
        return made

    def _worth(self, boundary: BoundaryCall, rows: list[Any], here: Map, verdict: Verdict) -> None:
        """Leave a function where the dataset's functions cost little in a run."""
        if self.settings.prefer_native:
            return
        if verdict.epoch is None:
            verdict.epoch = self._seconds(boundary, rows) * verdict.count
        if not self._pays(verdict, here):
            told = f"an epoch of it takes {verdict.epoch:.2g} s of processor time"
            raise _Stays("little", f"{told}, {verdict.expected} are expected")

    def _seconds(self, boundary: BoundaryCall, rows: list[Any]) -> float:
        """Return the processor time that the function takes for an element."""
        used = time.process_time()
        for row in rows:
            args = [np.array(one) if isinstance(one, np.ndarray) else one for one in row]
            if boundary.wrapper == "py_function":
                args = [tf.constant(one) for one in args]
            try:
                boundary.function(*args)
            except Exception as error:
                raise _Stays("unread", f"the function raises {type(error).__name__} on an element") from error
        return (time.process_time() - used) / len(rows)

    def _pays(self, verdict: Verdict, here: Map) -> bool:
        """Say whether a run of a dataset's functions, those in front included, is worth a trial."""
        epoch = sum(one.epoch or 0.0 for one in (*here.stay, verdict))
        return verdict.expected * epoch >= self.little

    def _chosen(
        self,
        boundary: BoundaryCall,
        here: Map,
        rows: list[Any],
        specs: list[Any],
        dtypes: list[Any],
        verdict: Verdict,
    ) -> Program:
        program, why = None, ""
        for bits in (True,) if self.settings.exact else (config.bit_equal(), True):
            if program is not None and bits == verdict.exact_bits:
                continue
            verdict.exact_bits = bits
            jit = "never" if self.settings.exact else config.jit()
            with config.use_bit_equal(bits), config.use_jit(jit):
                with told() as loops:
                    ported, program = self._program(boundary, rows[0], specs, dtypes)
                if self.settings.exact and (why := is_exact(ported, draws=program.draws)):
                    raise _Stays("exact", why)
                # Most that stay are slower, and measuring costs less than comparing.
                if not (self.settings.prefer_native or verdict.remembered):
                    try:
                        self._measured(boundary, here, rows[0], specs, program, verdict)
                    except _Stays as stays:
                        blamed = _blamed(loops) if stays.reason == "slower" else ""
                        raise _Stays(stays.reason, f"{stays.detail}{blamed}") from None
                with config.use_fast_start(True) if verdict.fast_start else contextlib.nullcontext():
                    why, verdict.agreed = difference(ported, program, rows, specs, exact=self.settings.exact)
            if not why:
                break
        if program is None or why:
            raise _Stays("exact" if self.settings.exact else "differs", why)
        verdict.islands = sum(one.kind == ISLAND for one in ported.report())
        verdict.stated = ported.stated_islands()
        verdict.draws = program.draws
        if self.settings.prefer_native:  # with Python in it a graph could not be saved
            return replace(program, attempt=None)
        return program

    def _program(
        self, boundary: BoundaryCall, row: tuple[Any, ...], specs: list[Any], dtypes: list[Any]
    ) -> tuple[Ported, Program]:
        """Port the function and trace that; if it is refused, again with an element as its example."""
        told: dict[str, Any] = {
            "wrapper": boundary.wrapper,
            "Tout": dtypes if boundary.is_many else dtypes[0],
        }
        keep = {catalog.find(name).reference: True for name in self.settings.keep}
        islands = keep or (self.settings.islands and not self.settings.exact)
        first = ""

        def used(ported: Ported) -> Program:
            return traced(ported, specs, dtypes)

        for shown in (True,) if keep else (False, True):
            try:
                if not shown:
                    ported = port(boundary.function, **told)
                    return ported, used(ported)
                # The engine compares by itself.
                ported, program = learned(boundary.function, row, used, islands=islands, **told)
                if not ported.is_an_island:
                    return ported, program
            except OutOfTime:
                raise
            except (Unserved, PipeportError) as error:
                first = first or line_of(error)
        raise _Stays("refused", first)

    def _measured(
        self,
        boundary: BoundaryCall,
        here: Map,
        row: Any,
        specs: list[Any],
        program: Program,
        verdict: Verdict,
    ) -> None:
        """Measure both on one element, and say which pays."""
        tensors = tuple(tf.constant(one, spec.dtype) for one, spec in zip(row, specs, strict=True))

        def base() -> Any:
            return tf.data.Dataset.from_tensors(tensors).repeat()

        def shaped(given: Any) -> list[Any]:
            return [
                tf.compat.v1.placeholder_with_default(one, spec.shape)
                for one, spec in zip(given, specs, strict=True)
            ]

        def python(*given: Any) -> Any:
            return tuple(boundary.rows(shaped(given)))

        def native(*given: Any) -> Any:
            inputs = shaped(given)
            return tuple(program.results(inputs, 0, lambda: boundary.rows(inputs)))

        def before() -> Any:
            return base().map(python, num_parallel_calls=here.calls)

        def after() -> Any:
            return base().map(native, num_parallel_calls=here.calls)

        def after_fast() -> Any:
            with config.use_fast_start(True):
                return after()

        verdict.python, verdict.native = self.measure(before, after)
        verdict.fast_start = False
        if self._may_start_fast(verdict):
            rates = self.measure(before, after_fast)
            gains = [gain_of(*pair, verdict.elements) for pair in (rates, (verdict.python, verdict.native))]
            if gains[0] > gains[1] and not choice(*rates, verdict.elements)[0]:
                (verdict.python, verdict.native), verdict.fast_start = rates, True
        self._choose(verdict)

    def _may_start_fast(self, verdict: Verdict) -> bool:
        """Say whether to measure the native form in a dataset that starts fast, too."""
        if self.settings.exact or config.states_fast_start() or not (verdict.python and verdict.native):
            return False
        reason, _ = choice(verdict.python, verdict.native, verdict.elements)
        lost = (verdict.native.start - verdict.python.start) * verdict.expected
        return reason == "start" or (not reason and lost > _LOST)


def _blamed(loops: list[GraphLoop]) -> str:
    """Return in words which loops of its graph a native form spends its time in."""
    slow = {f"{one.file}, line {one.number}": one.cost for one in loops if one.is_slow}
    return "".join(f"; the loop in {place}: {cost}" for place, cost in slow.items())


def _in_front(states: contextlib.ExitStack, function: Any) -> str:
    """Return the effect of a function that runs for a trial; its own draws get their states back."""
    found = known(function)
    states.enter_context(put_back([function, *(one.value for one in found.reads)]))
    return found.effect


def _form(boundary: BoundaryCall, here: Map, specs: list[Any]) -> tuple[str, ...]:
    """Return how a function is called, apart from the function."""
    given = [(_sizes(spec), spec.dtype.name) for spec in specs]
    constants = [repr(one) for one in boundary.inputs if not isinstance(one, tf.Tensor)]
    calls = here.calls if isinstance(here.calls, (int, type(None))) else "tensor"
    return (repr(given), repr(boundary.dtypes), repr(constants), boundary.wrapper, repr(calls))


def _sizes(spec: Any) -> list[Any]:
    return ["?"] if spec.shape.rank is None else spec.shape.as_list()
