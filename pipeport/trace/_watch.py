"""`pipeport.trace.watch`: count the traces of tf.functions while a program runs, and say why."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from types import TracebackType
from typing import Any, ClassVar

from pipeport._lazy import tf
from pipeport._shown import as_html
from pipeport.errors import UnsupportedArgument, WrongType, explain
from pipeport.trace._user_code import code_of
from pipeport.trace._watch_findings import state
from pipeport.trace._watch_install import watching
from pipeport.trace._watch_record import Recorder
from pipeport.trace._watch_report import FunctionReport, State, WatchFinding
from pipeport.trace._watch_text import lines


class WatchReport:
    """The findings so far; the report grows while the block runs, and stays after it.

    Parameters
    ----------
    recorder : Recorder
        What notes.
    """

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    @property
    def state(self) -> State:
        """The present state, as plain data."""
        return state(self._recorder)

    @property
    def functions(self) -> tuple[FunctionReport, ...]:
        """Each watched function with its traces and findings."""
        return self.state.functions

    @property
    def findings(self) -> tuple[WatchFinding, ...]:
        """Findings, empty where there are none."""
        return self.state.findings

    @property
    def notes(self) -> tuple[str, ...]:
        """What could not be observed, and why."""
        return self.state.notes

    @property
    def traces(self) -> int:
        """How many traces were seen."""
        return sum(len(function.traces) for function in self.functions)

    def as_json(self) -> dict[str, Any]:
        """Return plain data that `json` writes.

        Returns
        -------
        dict
            `format`, `tensorflow`, `functions` and `notes`.
        """
        return {**self.state.as_json(), "tensorflow": tf.__version__}

    def __str__(self) -> str:
        return "\n".join(lines(self.state))

    def _repr_html_(self) -> str:
        return as_html(lines(self.state))


class Watch:
    """A block, or a function, in which tf.functions are watched; see `watch`.

    `function`: what `watch` was given. `recorder`: what notes. `report`: what was found so far.
    """

    autograph_info__: ClassVar[dict[str, Any]] = {}  # AutoGraph's mark for what it need not convert

    def __init__(self, function: Callable[..., Any] | None, recorder: Recorder) -> None:
        self._function = function
        self._recorder = recorder
        self._blocks = threading.local()
        self.report = WatchReport(recorder)
        self.__doc__ = getattr(function, "__doc__", None) or type(self).__doc__
        self.__name__ = getattr(function, "__name__", "watch")
        if function is not None:
            self.__wrapped__ = function

    def __enter__(self) -> WatchReport:
        block = ExitStack()
        block.enter_context(watching(self._recorder))
        self._open().append(block)
        return self.report

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._open().pop().close()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        function = self._function
        if function is None:
            if len(args) == 1 and callable(args[0]) and not kwargs:
                return Watch(args[0], self._recorder)
            raise WrongType(explain("watch()", "no function", "one function to decorate", "Write watch(fn)."))
        if not tf.executing_eagerly() and not _is_tf_function(function):
            advice = "Put @watch above @tf.function: it watches the tf.function, not its Python function."
            raise UnsupportedArgument(
                explain(
                    "watch", "a plain function that is being traced", "a tf.function or a program", advice
                )
            )
        with self:
            return function(*args, **kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None or self._function is None:
            return self
        return Watch(self._function.__get__(instance, owner), self._recorder)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or self.__dict__.get("_function") is None:
            raise AttributeError(name)
        return getattr(self._function, name)

    def _open(self) -> list[ExitStack]:
        """Return the blocks that this thread has entered and not left."""
        if not hasattr(self._blocks, "entered"):
            self._blocks.entered = []
        entered: list[ExitStack] = self._blocks.entered
        return entered


def watch(fn: Callable[..., Any] | None = None) -> Watch:
    """Count the traces of tf.functions while a program runs, and explain each retrace with its fix.

    Use it as a block, `with watch(step) as report:`, or as a decorator, `@watch` above `@tf.function` or
    above a whole program; then `step.report` is the report.

    Parameters
    ----------
    fn : callable, optional
        A tf.function: it alone is watched, with all tf.functions made of the same `def`. Another function:
        every tf.function called while it runs. Without it: every tf.function called in the block.

    Returns
    -------
    Watch
        A context manager that gives a `WatchReport`, and a callable with the attribute `report`.

    Raises
    ------
    WrongType
        `fn` is not callable.
    UnsupportedArgument
        `fn` is a concrete function, which is never traced again; or the decorator stands below `tf.function`.

    Notes
    -----
    `print(report)` lists what to fix, `report.findings` and `report.functions` hold it as data,
    `report.as_json()` as plain data. A retrace is compared with the earlier trace that differs in the fewest
    arguments. Found are:

    - retraces by Python values, shapes, numbers of axes, dtypes, new objects, and changing structure;
    - tf.functions made again and again, also as methods of fresh objects;
    - graphs that grow with Python data: compared between two traces, and loops of 32 passes or more in one;
    - constants of 16 KiB and more, with their bytes and the name of the NumPy array;
    - what tracing alone did where the graph ran more often: text on standard output; numbers, texts, lists,
      sets, dictionaries and arrays that changed; iterators that went on; random numbers of Python and NumPy;
      tensors of the graph that were kept. They are found by comparing before and after a trace what the
      function names: globals, enclosed names, defaults, attributes of `self` and of objects of user classes;
    - clocks that were read while tracing;
    - variables created in a trace that is not the first;
    - traces that fail, with your line;
    - numbers, texts and flags that Python changed since the trace: globals, and attributes of `self`, of
      arguments and of objects of user classes. The graph goes on with the old ones.

    Your functions that a dataset maps are looked into, and those of a Keras model: its methods, and
    those of its layers, losses and metrics.

    Not found are side effects on standard error, logs and files, clocks read under a condition, new keys of
    a dictionary (a cache is one), what only an element of a container leads to (but of an argument), and
    loops inside a branch or loop of the graph. Of a concrete function it is not known how often it ran.

    Retraces that are meant to be are not findings: `True` and `False` or up to three texts for an argument,
    what `get_concrete_function` asks for, the wider shapes of `reduce_retracing`.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.trace import watch
    >>> @tf.function
    ... def power(x, n):
    ...     return x**n
    >>> with watch(power) as report:
    ...     for n in range(2, 5):
    ...         _ = power(tf.constant(2.0), n)
    >>> report.findings[0].message
    'argument `n` is a Python int, 2 then 3, 4'
    """
    if fn is not None and not _can_be_called(fn):
        given = f"a value of type {type(fn).__name__}"
        raise WrongType(explain("fn", given, "a function or nothing", "Write watch(step) or watch()."))
    if isinstance(fn, tf.types.experimental.ConcreteFunction):
        advice = "Watch the tf.function it came from."
        raise UnsupportedArgument(explain("fn", "a concrete function", "a tf.function", advice))
    return Watch(fn, Recorder(code_of(fn) if fn is not None and _is_tf_function(fn) else None))


def _can_be_called(function: Any) -> bool:
    return callable(function)


def _is_tf_function(function: Any) -> bool:
    return hasattr(function, "python_function") and hasattr(function, "experimental_get_tracing_count")
