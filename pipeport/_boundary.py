"""Notice natives that still run inside a Python boundary, where they bring no gain."""

from __future__ import annotations

import ast
import linecache
import sys
import warnings
from types import FrameType

from pipeport.errors import PipeportWarning

_WRAPPERS = ("numpy_function", "py_function", "py_func")
_warned: set[tuple[str, int]] = set()


def _called_by_tensorflow(frame: FrameType) -> bool:
    name = frame.f_code.co_filename.replace("\\", "/")
    return name.endswith("tensorflow/python/ops/script_ops.py")


def _of_autograph(frame: FrameType) -> bool:
    """Say whether a frame is AutoGraph's: its wrappers stand between the boundary and the body."""
    return "tensorflow/python/autograph/" in frame.f_code.co_filename.replace("\\", "/")


def _wrapper_line(filename: str, body: str, eager: bool) -> int | None:
    """Return the line of the boundary call that names `body`, else None.

    Where several do, one of the kind that runs (`eager` for `py_function`) goes first.
    """
    try:
        tree = ast.parse("".join(linecache.getlines(filename)))
    except SyntaxError:
        return None
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        if name in _WRAPPERS and any(
            getattr(inner, "attr", getattr(inner, "id", None)) == body
            for argument in [*node.args, *(k.value for k in node.keywords)]
            for inner in ast.walk(argument)
        ):
            found.append(((name == "py_function") != eager, node.lineno))
    return min(found)[1] if found else None


def warn_if_inside(native: str) -> None:
    """Warn, once per body, when the caller runs inside `tf.numpy_function` or a relative.

    `native`: dotted name of the native that was called.
    """
    if "tensorflow" not in sys.modules:
        return
    frame: FrameType | None = sys._getframe(2)
    body = frame
    eager = False
    while frame is not None and not _called_by_tensorflow(frame):
        if not _of_autograph(frame):
            body = frame
        frame = frame.f_back
    if frame is None or body is None:
        return
    code = body.f_code
    key = (code.co_filename, code.co_firstlineno)
    if key in _warned:
        return
    _warned.add(key)
    while frame is not None and _called_by_tensorflow(frame):
        eager = eager or type(frame.f_locals.get("self")).__name__ == "EagerFunc"
        frame = frame.f_back
    line = _wrapper_line(code.co_filename, code.co_name, eager)
    where = (
        f"line {line} of {code.co_filename}"
        if line
        else f"the boundary around {code.co_name} ({code.co_filename}:{code.co_firstlineno})"
    )
    message = (
        f"{native} runs inside a Python boundary, where it gains nothing. Remove {where}: "
        f"call {code.co_name} directly in Dataset.map, without numpy_function."
    )
    warnings.warn_explicit(message, PipeportWarning, code.co_filename, line or code.co_firstlineno)
