"""What a thread traces: map functions, and the boundaries in them."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from pipeport._lazy import tf
from pipeport.acceleration._verdict import Verdict


@dataclass
class FunctionCall:
    """One call of a `tf.function` in the function of a map.

    `tensors`: what it is given, in the order of its parameters; arrays too.
    """

    function: Any
    tensors: list[Any]


@dataclass
class Map:
    """One call of `Dataset.map` while its function is traced.

    `source`: what is mapped; None where that is made in a graph. `elements`: of an epoch; None where nobody
    knows. `stay`: what became of the functions which stay Python, those in front included. `settings`: those
    that hold until the dataset is made. `called`: the calls of a `tf.function` that are under way, the
    innermost last. `holds`: each `tf.function` that holds a native.
    """

    source: Any
    calls: Any
    elements: int | None
    stay: list[Verdict] = field(default_factory=list)
    tries: bool = True
    natives: int = 0
    settings: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    called: list[FunctionCall] = field(default_factory=list)
    holds: list[Any] = field(default_factory=list)


@dataclass
class BoundaryCall:
    """One call of `tf.numpy_function` or a relative.

    `example`: arguments that its function is tried on; None where they are recorded.
    """

    original: Callable[..., Any]
    wrapper: str
    function: Any
    inputs: Any
    dtypes: Any
    others: dict[str, Any] = field(default_factory=dict)
    example: tuple[Any, ...] | None = None

    def rows(self, inputs: Any = None) -> list[Any]:
        """Call TensorFlow's own, on other inputs where they are given; return its results as a list."""
        found = self.python() if inputs is None else replace(self, inputs=inputs).python()
        return list(found) if self.is_many else [found]

    def python(self) -> Any:
        """Call TensorFlow's own."""
        return self.original(self.function, self.inputs, self.dtypes, **self.others)

    @property
    def is_many(self) -> bool:
        """Whether results are a list."""
        return isinstance(self.dtypes, (list, tuple))


def as_decorator(call: Callable[..., Any]) -> Callable[..., Any]:
    """Return the form of a boundary that decorates a function.

    `call`: takes a function and a list of tensors. Returns: takes a function, gives one that takes tensors.
    """

    def decorated(function: Callable[..., Any]) -> Any:
        @functools.wraps(function)
        def with_tensors(*tensors: Any) -> Any:
            return call(function, list(tensors))

        # Its name is that of the user's function, which AutoGraph would convert.
        return tf.autograph.experimental.do_not_convert(with_tensors)

    return decorated


class Tracing:
    """The maps that each thread traces, the innermost last."""

    def __init__(self) -> None:
        self._thread = threading.local()

    @property
    def maps(self) -> list[Map]:
        """Those of the thread at hand."""
        found: list[Map] = self._thread.__dict__.setdefault("maps", [])
        return found

    @property
    def is_busy(self) -> bool:
        """Whether this thread tries a boundary: what it traces meanwhile is its own."""
        return bool(self._thread.__dict__.get("busy"))

    @contextlib.contextmanager
    def mapping(self, here: Map) -> Iterator[None]:
        """Trace the function of a map in this block."""
        self.maps.append(here)
        try:
            with here.settings:
                yield
        finally:
            self.maps.pop()

    @contextlib.contextmanager
    def busy(self) -> Iterator[None]:
        """Try a boundary in this block."""
        self._thread.busy = True
        try:
            yield
        finally:
            self._thread.busy = False
