"""TensorFlow starts without a word: none of its notes is the answer to a verb.

`TF_CPP_MIN_LOG_LEVEL` hides what TensorFlow says once its logging runs. While it is imported, its libraries
write notes of every level to the file descriptor of standard error; these are held back by the same level
here. Who sets the variable sees what it asks for: 0 shows everything.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import TextIO

from pipeport._lazy import ExecutedBy

LEVEL = "TF_CPP_MIN_LOG_LEVEL"
_STDERR = 2
_LETTERS = "IWEF"  # information, warning, error, fatal: the levels 0 to 3
_NOTE = re.compile(
    r"(?P<new>[IWEF])\d{4} \d\d:\d\d:\d\d|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+: (?P<old>[IWEF]) "
)
_BANNER = "WARNING: All log messages before absl::InitializeLog() is called are written to STDERR"


@contextlib.contextmanager
def tensorflow() -> Iterator[None]:
    """Suppress TensorFlow's start-up messages, whichever module imports it first."""
    level = os.environ.setdefault(LEVEL, "3")
    held_back = min(int(level), _LETTERS.index("F")) if level.isdecimal() else 0
    if not held_back or "tensorflow" in sys.modules:
        yield
        return

    def in_silence(execute: Callable[[ModuleType], None], module: ModuleType) -> None:
        with _held_back(held_back):
            execute(module)

    finder = ExecutedBy("tensorflow", in_silence)
    try:
        with _own_stderr():
            yield
    finally:
        finder.leave()


def kept(text: str, level: int) -> str:
    """Return the lines that are not notes of TensorFlow's below a level."""
    lines = [line for line in text.splitlines(keepends=True) if not _below(line, level)]
    if not any(_NOTE.match(line) for line in lines):
        lines = [line for line in lines if line.strip() != _BANNER]
    return "".join(lines)


def _below(line: str, level: int) -> bool:
    note = _NOTE.match(line)
    return note is not None and _LETTERS.index(note["new"] or note["old"]) < level


@contextlib.contextmanager
def _own_stderr() -> Iterator[None]:
    """Give Python a standard error of its own: progress is shown while the libraries are held back."""
    if _descriptor(sys.stderr) != _STDERR:
        yield
        return
    before = sys.stderr
    encoding, errors = before.encoding, before.errors
    # Left open: loggers that met it write to it until the process ends.
    sys.stderr = os.fdopen(os.dup(_STDERR), "w", buffering=1, encoding=encoding, errors=errors)
    try:
        yield
    finally:
        sys.stderr = before


def _descriptor(stream: TextIO | None) -> int | None:
    try:
        return None if stream is None else stream.fileno()
    except (OSError, ValueError):
        return None


@contextlib.contextmanager
def _held_back(level: int) -> Iterator[None]:
    """Hold back notes that libraries write to standard error; pass everything if there is an error."""
    with contextlib.ExitStack() as opened:
        try:
            passed = os.dup(_STDERR)
            opened.callback(os.close, passed)
            store = opened.enter_context(tempfile.TemporaryFile())
        except OSError:  # no standard error, or nowhere to keep it
            yield
            return
        # A library that ends the process takes its last words with it: tell at least where.
        watched = not faulthandler.is_enabled()
        if watched:
            faulthandler.enable(passed)
        os.dup2(store.fileno(), _STDERR)
        failed = True
        try:
            yield
            failed = False
        finally:
            os.dup2(passed, _STDERR)
            if watched:
                faulthandler.disable()
            store.seek(0)
            text = store.read().decode(errors="replace")
            os.write(_STDERR, (text if failed else kept(text, level)).encode())
