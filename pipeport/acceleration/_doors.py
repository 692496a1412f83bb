"""Where TensorFlow is taken hold of: its boundaries and `Dataset.map`, until they are given back."""

from __future__ import annotations

import contextlib
import functools
import inspect
import sys
import threading
import weakref
from collections.abc import Callable
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np

from pipeport._lazy import ExecutedBy, tf
from pipeport._own import is_own
from pipeport._tensorflow_private import _upstream as inside
from pipeport._tensorflow_private import inputs_of
from pipeport._tensorflow_private._tracing import forget_traces, function_class
from pipeport.acceleration._report import RunReport
from pipeport.acceleration._settings import Settings
from pipeport.acceleration._traced import BoundaryCall, FunctionCall, Map, Tracing, as_decorator
from pipeport.acceleration._verdict import Trials, Verdict
from pipeport.errors import UnsupportedArgument, explain

if TYPE_CHECKING:
    from pipeport.acceleration._engine import Engine

_WRAPPERS = {"numpy_function": "numpy_function", "py_function": "py_function", "py_func": "numpy_function"}


class Installed:
    """TensorFlow with an engine in it; a block that takes that out again.

    Parameters
    ----------
    settings : Settings
        How boundaries are tried.

    Attributes
    ----------
    trials : Trials
        What became of them so far.
    report : RunReport
        The same, to be read.
    tracing : Tracing
        What each thread traces.
    """

    def __init__(self, settings: Settings) -> None:
        self.trials = Trials(settings)
        self.report = RunReport(self.trials)
        self.tracing = Tracing()
        self._stay: weakref.WeakKeyDictionary[Any, list[Verdict]] = weakref.WeakKeyDictionary()
        self._replaced: list[tuple[Any, str, Any]] = []
        self._finder: ExecutedBy | None = None

    def __enter__(self) -> RunReport:
        return self.report

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        uninstall()

    @functools.cached_property
    def engine(self) -> Engine:
        """What decides; loaded, with all of `port`, when the first boundary is traced."""
        from pipeport.acceleration._engine import Engine

        return Engine(self.trials, self.tracing)

    def enter(self) -> None:
        """Replace TensorFlow's functions, now or when it is imported."""
        if "tensorflow" in sys.modules:
            self._replace()
            return

        def execute(run: Callable[[ModuleType], None], module: ModuleType) -> None:
            run(module)
            if _installed is self:
                self._replace()

        self._finder = ExecutedBy("tensorflow", execute)

    def staying(self, dataset: Any) -> list[Verdict]:
        """Return what became of those of a dataset's functions which stay Python."""
        try:
            found = self._stay.get(dataset)
            return (
                [one for inner in inputs_of(dataset) for one in self.staying(inner)]
                if found is None
                else found
            )
        except Exception:  # a dataset of the user's own class may be anything
            return []

    def note(self, dataset: Any, staying: list[Verdict]) -> None:
        """Keep that for what is mapped behind this dataset, and for its iterators."""
        with contextlib.suppress(Exception):
            self._stay[dataset] = staying

    def leave(self) -> None:
        """Give TensorFlow its own functions back."""
        if self._finder is not None:
            self._finder.leave()
        for owner, name, original in reversed(self._replaced):
            setattr(owner, name, original)
        self._replaced.clear()

    def _replace(self) -> None:
        ours: dict[int, tuple[Any, Any]] = {}
        for name, wrapper in _WRAPPERS.items():
            owner = tf.compat.v1 if name == "py_func" else tf
            original = getattr(owner, name)
            ours[id(original)] = (original, _boundary(self, original, wrapper))
        for module in list(sys.modules.values()):
            for name, value in _names_of(module):
                found = ours.get(id(value))
                if found is not None and found[0] is value:
                    self._put(module, name, found[1])
        functions = function_class()
        self._put(functions, "__call__", _called(self, functions.__call__))
        for cls in inside.dataset_classes():
            self._put(cls, "map", _map(self, cls.__dict__["map"]))
            if "__iter__" in vars(cls):
                self._put(cls, "__iter__", _iter(self, vars(cls)["__iter__"]))

    def _put(self, owner: Any, name: str, value: Any) -> None:
        self._replaced.append((owner, name, vars(owner)[name]))
        setattr(owner, name, value)


def _names_of(module: Any) -> list[tuple[str, Any]]:
    """Return names of a module under which somebody finds a boundary: exports of TensorFlow, and users'."""
    name, names = getattr(module, "__name__", ""), getattr(module, "__dict__", {})
    if not isinstance(name, str) or name.startswith(("pipeport", "tensorflow.python", "tensorflow.core")):
        return []
    if name.partition(".")[0] == "tensorflow":
        return [(one, names[one]) for one in _WRAPPERS if one in names]
    file = names.get("__file__")
    if name == "__main__" or (isinstance(file, str) and is_own(file)):
        return list(names.items())
    return []


def _boundary(own: Installed, original: Callable[..., Any], wrapper: str) -> Callable[..., Any]:
    others = [name for name in inspect.signature(original).parameters if name not in ("func", "inp", "Tout")]

    @functools.wraps(original)
    def call(func: Any = None, inp: Any = None, Tout: Any = None, *args: Any, **kwargs: Any) -> Any:
        if func is None and inp is None and Tout is not None:
            return as_decorator(lambda function, tensors: call(function, tensors, Tout, *args, **kwargs))
        unusual = inp is None or Tout is None or not callable(func)
        if unusual or own is not _installed or own.tracing.is_busy or tf.executing_eagerly():
            return original(func, inp, Tout, *args, **kwargs)
        rest = {**dict(zip(others, args, strict=False)), **kwargs}
        return own.engine.call(BoundaryCall(original, wrapper, func, inp, Tout, rest))

    return call


def _called(own: Installed, original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def call(function: Any, *args: Any, **kwargs: Any) -> Any:
        maps = own.tracing.maps
        if not maps or own.tracing.is_busy or tf.executing_eagerly():
            return original(function, *args, **kwargs)
        calls = maps[-1].called
        calls.append(FunctionCall(function, _tensors_of(function, args, kwargs)))
        try:
            return original(function, *args, **kwargs)
        finally:
            calls.pop()

    return call


def _tensors_of(function: Any, args: Any, kwargs: Any) -> list[Any]:
    """Return the tensors and arrays of a call, in the order of the parameters."""
    given = tf.nest.flatten([args, kwargs])
    with contextlib.suppress(TypeError, ValueError):
        bound = inspect.signature(function.python_function).bind(*args, **kwargs)
        bound.apply_defaults()
        given = tf.nest.flatten(list(bound.arguments.values()))
    return [one for one in given if isinstance(one, (tf.Tensor, np.ndarray, np.generic))]


def _map(own: Installed, original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def call(dataset: Any, map_func: Any, *args: Any, **kwargs: Any) -> Any:
        if own.tracing.is_busy:
            return original(dataset, map_func, *args, **kwargs)
        if not tf.executing_eagerly():
            with own.tracing.mapping(Map(None, None, None)):
                return original(dataset, map_func, *args, **kwargs)
        calls = args[0] if args else kwargs.get("num_parallel_calls")
        count = int(dataset.cardinality())
        here = Map(dataset, calls, count if count >= 0 else None, list(own.staying(dataset)))
        try:
            with own.tracing.mapping(here):
                found = original(dataset, map_func, *args, **kwargs)
            own.note(found, here.stay)
            return found
        except Exception:
            if not here.natives:
                raise
        own.trials.take_back(here.natives)
        for function in here.holds:
            forget_traces(function)
        with own.tracing.mapping(Map(dataset, calls, here.elements, tries=False)):
            return original(dataset, map_func, *args, **kwargs)

    return call


def _iter(own: Installed, original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def call(dataset: Any) -> Any:
        if "engine" in vars(own) and not own.tracing.is_busy:
            own.engine.begins(own.staying(dataset))
        return original(dataset)

    return call


_installed: Installed | None = None
_lock = threading.RLock()


def install(**settings: Any) -> Installed:
    """Let boundaries become native where their own data prove it right and faster.

    From here on each `tf.numpy_function`, `tf.py_function` and `tf.compat.v1.py_func` that is traced inside
    of `Dataset.map` is tried: recorded on three elements of its dataset, ported, measured, compared. Where
    the native form gives the same and takes no longer, it takes the boundary's place; whatever goes wrong,
    the boundary is what it was.

    Parameters
    ----------
    **settings
        Fields of `Settings`: `exact`, `prefer_native`, `islands`, `keep`, `fresh`, `least`, `limit`, `only`,
        `skip`.

    Returns
    -------
    Installed
        A block: `with pipeport.install() as report:` gives TensorFlow its functions back at its end.

    Raises
    ------
    UnsupportedArgument
        It is installed already.
    """
    global _installed  # noqa: PLW0603 - TensorFlow is one per process
    with _lock:
        if _installed is not None:
            advice = "Call pipeport.uninstall() first."
            raise UnsupportedArgument(explain("install", "a second call", "one at a time", advice))
        found = Installed(Settings(**settings))
        _installed = found
        found.enter()
        return found


def uninstall() -> None:
    """Give TensorFlow its own functions back; datasets that were made stay as they are.

    Where nothing is installed, nothing happens.
    """
    global _installed
    with _lock:
        found, _installed = _installed, None
        if found is not None:
            found.leave()


def installed() -> Installed | None:
    """Return what is installed.

    Returns
    -------
    Installed or None
        Its `report` holds what became of each boundary so far.
    """
    return _installed
