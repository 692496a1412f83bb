"""One function in four modes: plain Python, eager on tensors, `tf.function`, and compiled by XLA."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pipeport._lazy import tf
from pipeport.trace._inputs import Inputs
from pipeport.trace._problems import tensorflow_home

PYTHON, EAGER, GRAPH, XLA = MODES = ("python", "eager", "graph", "xla")
TRACED = (GRAPH, XLA)
WORDS = {PYTHON: "plain Python", EAGER: "eager", GRAPH: "tf.function", XLA: "XLA"}


@dataclass(frozen=True)
class Built:
    """A mode ready for its first call.

    `call`: calls the function with its inputs. `trace`: traces it, and returns the concrete function; None
    where nothing is traced.
    """

    call: Callable[[], Any]
    trace: Callable[[], Any] | None = None


def body_of(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the Python function of a `tf.function`, else the function itself."""
    found: Callable[..., Any] = getattr(function, "python_function", function)
    return found


def build(mode: str, function: Callable[..., Any], plain: Callable[..., Any] | None, inputs: Inputs) -> Built:
    """Make a mode of a function, never called or traced before.

    `function`: a function, or a `tf.function`, of which a new one with the same settings is made. `plain`:
    its form for plain Python, where that is another function.
    """
    if mode == PYTHON:
        placed, named = inputs.plain()
        return Built(functools.partial(plain or body_of(function), *placed, **named))
    placed, named = inputs.tensors()
    if mode == EAGER:
        return Built(functools.partial(body_of(function), *placed, **named))
    traced = _traced(function, compiled=mode == XLA)
    specs, named_specs = inputs.specs()
    return Built(
        functools.partial(traced, *placed, **named),
        functools.partial(traced.get_concrete_function, *specs, **named_specs),
    )


def _traced(function: Callable[..., Any], *, compiled: bool) -> Any:
    """Return a new `tf.function`; one that was given keeps what it was made with, compilation apart."""
    # Only `input_signature` is public; of the others both TensorFlow 2.15 and 2.21 have these attributes.
    settings = {
        "input_signature": getattr(function, "input_signature", None),
        "autograph": getattr(function, "_autograph", True),
        "reduce_retracing": getattr(function, "_reduce_retracing", False) or None,
    }
    return tf.function(body_of(function), jit_compile=True if compiled else None, **settings)


@functools.cache
def start_runtime() -> None:
    """Let TensorFlow start what it starts once per process, so that no mode is charged with it."""
    tensor = tf.constant([1.0, 2.0])
    (tensor + tensor).numpy()
    for compiled in (None, True):
        tf.function(lambda x: tf.reduce_sum(x * 2.0), jit_compile=compiled)(tensor).numpy()
    wait()


def wait() -> None:
    """Wait until every device has done what it was given; on processors, calls have done so by themselves."""
    if _accelerators():
        tf.test.experimental.sync_devices()


@functools.cache
def _accelerators() -> int:
    return sum(device.device_type != "CPU" for device in tf.config.list_logical_devices())


class _Entered(BaseException):
    """TensorFlow's own code was entered."""


def calls_tensorflow(call: Callable[[], Any]) -> bool:
    """Call a function once, until it runs TensorFlow's own Python code, if it ever does; say whether."""
    home = str(tensorflow_home())

    def notice(frame: Any, event: str, _argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(home):
            raise _Entered

    before = sys.getprofile()
    sys.setprofile(notice)
    try:
        call()
    except _Entered:
        return True
    finally:
        sys.setprofile(before)
    return False
