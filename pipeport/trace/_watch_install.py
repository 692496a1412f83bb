"""Where watching takes hold of the process: calls of every tf.function, ends of traces, standard output."""

from __future__ import annotations

import functools
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from pipeport._lazy import tf
from pipeport._tensorflow_private import _tracing as inside
from pipeport.trace._user_code import here


@dataclass
class RunningCall:
    """One call of a tf.function, while it runs.

    `asked`: whether `get_concrete_function` asked for a trace. `outer`: the call it happens in, in the same
    thread. `eager`: whether it is called outside of a graph. `kept`: what each watcher notes until the call
    ends, by its `id`. `ended`: when the trace ended, before the graph ran. `written`: texts that went to
    standard output while tracing, with file and line.
    """

    function: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    asked: bool
    outer: RunningCall | None
    count: int
    eager: bool
    start: float = 0.0
    ended: float | None = None
    kept: dict[int, Any] = field(default_factory=dict)
    written: list[tuple[str, str, int]] = field(default_factory=list)
    error: BaseException | None = None


class Watcher(Protocol):
    """Receives calls and traces."""

    def called(self, call: RunningCall) -> None:
        """Before a call runs."""

    def traced(self, call: RunningCall, concrete: Any) -> None:
        """When the first trace of a call has ended, before its graph runs."""

    def returned(self, call: RunningCall) -> None:
        """After a call, whether or not it raised."""


_lock = threading.RLock()
_watchers: list[Watcher] = []
_installed = ExitStack()
_thread = threading.local()


@contextmanager
def watching(watcher: Watcher) -> Iterator[None]:
    """Tell a watcher of all calls in this block, in every thread."""
    with _lock:
        if not _watchers:
            _install()
        _watchers.append(watcher)
    try:
        yield
    finally:
        with _lock:
            _watchers.remove(watcher)
            if not _watchers:
                _installed.close()


def _install() -> None:
    inside.check()
    kind = inside.function_class()
    for name in ("__call__", "get_concrete_function"):
        original = getattr(kind, name)
        setattr(kind, name, _watched(original, asked=name != "__call__"))
        _installed.callback(setattr, kind, name, original)
    callbacks = inside.on_trace()
    callbacks.append(_trace_ended)
    _installed.callback(callbacks.remove, _trace_ended)
    _installed.enter_context(_noted_output())


def _watched(original: Callable[..., Any], *, asked: bool) -> Callable[..., Any]:
    # The module stays TensorFlow's, or AutoGraph would convert this function where it is called in another.
    @functools.wraps(original)
    def call(function: Any, *args: Any, **kwargs: Any) -> Any:
        outer = getattr(_thread, "call", None)
        count, eager = function.experimental_get_tracing_count(), tf.executing_eagerly()
        current = RunningCall(function, args, kwargs, asked, outer, count, eager)
        watchers = tuple(_watchers)
        for watcher in watchers:
            watcher.called(current)
        _thread.call = current
        current.start = time.perf_counter()
        try:
            return original(function, *args, **kwargs)
        except BaseException as error:
            current.error = error
            raise
        finally:
            _thread.call = outer
            for watcher in watchers:
                watcher.returned(current)

    return call


def _trace_ended(concrete: Any) -> None:
    """Take the first concrete function of a call; what follows is made for its variables."""
    current: RunningCall | None = getattr(_thread, "call", None)
    if current is None or current.ended is not None:
        return
    current.ended = time.perf_counter()
    for watcher in tuple(_watchers):
        watcher.traced(current, concrete)


class _Noted:
    """Standard output that notes what is written while a graph is built; everything else is the stream's."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> Any:
        current: RunningCall | None = getattr(_thread, "call", None)
        if current is not None and not tf.executing_eagerly():
            _note(current.written, text)
        return self._stream.write(text)


def _note(written: list[tuple[str, str, int]], text: str) -> None:
    """Add a text to the last one where that is the same line: `print` writes its arguments one by one."""
    place = here()
    if written and written[-1][1:] == place and not written[-1][0].endswith("\n"):
        written[-1] = (written[-1][0] + text, *place)
    else:
        written.append((text, *place))


@contextmanager
def _noted_output() -> Iterator[None]:
    noted = _Noted(sys.stdout)
    sys.stdout = noted
    try:
        yield
    finally:
        # Whoever redirected it in the meantime has it back as it was, and keeps it.
        if sys.stdout is noted:
            sys.stdout = noted._stream
