"""Tell user code from TensorFlow's, Keras's and ours, which reports leave out."""

from __future__ import annotations

import functools
import inspect
import sys
import sysconfig
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pipeport._lazy import tf

_LIBRARIES = ("tensorflow", "keras", "tf_keras", "tensorflow_addons", "tensorflow_probability", "pipeport")
_MOST_LAYERS = 20
_STANDARD = sysconfig.get_paths()["stdlib"]


@functools.lru_cache(maxsize=4096)
def is_users(filename: str) -> bool:
    """Say whether a source file is neither a library's that makes graphs nor Python's own."""
    if (
        filename.startswith("<frozen")
        or filename.endswith(".pyx")
        or "__autograph_generated_file" in filename
    ):
        return False
    roots = [root for name in _LIBRARIES for root in getattr(sys.modules.get(name), "__path__", ())]
    path = Path(filename)
    standard = path.is_relative_to(_STANDARD) and "site-packages" not in path.parts
    return not standard and not any(path.is_relative_to(root) for root in roots)


def plain_function(function: Any) -> Any:
    """Return the function that was written, beneath decorators, methods, partials and callable objects."""
    plain = function
    for _ in range(_MOST_LAYERS):
        inner = _beneath(plain)
        if inner is None:
            break
        plain = inner
    return plain


def _beneath(function: Any) -> Any:
    if hasattr(function, "__wrapped__"):
        return function.__wrapped__
    if isinstance(function, types.MethodType):
        return function.__func__
    if isinstance(function, functools.partial):
        return function.func
    called = inspect.getattr_static(type(function), "__call__", None)
    return None if _code(function) or _code(called) is None else called


def code_of(function: Callable[..., Any]) -> types.CodeType | None:
    """Return the code of a function, beneath whatever wraps it; None for what has none."""
    return _code(plain_function(function))


def _code(function: Any) -> types.CodeType | None:
    code = getattr(function, "__code__", None)
    return code if isinstance(code, types.CodeType) else None


def here() -> tuple[str, int]:
    """Return file and line of the user's innermost frame, also where AutoGraph rewrote the code.

    TensorFlow keeps the original lines in the traceback of every operation: one is made for that.
    """
    with tf.Graph().as_default():
        frames = place_in(tf.no_op().traceback)
    return frames[-1] if frames else ("", 0)


def place_in(traceback: Any) -> list[tuple[str, int]]:
    """Return files and lines of the user's frames in an operation's traceback, the outermost first."""
    return [(frame.filename, frame.lineno) for frame in traceback if is_users(frame.filename)]
