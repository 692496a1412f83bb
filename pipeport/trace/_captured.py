"""Capture and count what a function prints while it is measured."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator

_STDOUT, _STDERR = 1, 2


class Printed:
    """Captured output; `lines` is set after the block."""

    lines: int = 0


@contextlib.contextmanager
def captured() -> Iterator[Printed]:
    """Hold back what Python and TensorFlow print, on standard output and on standard error."""
    found = Printed()
    with tempfile.TemporaryFile("w+", errors="replace") as store, contextlib.ExitStack() as before:
        for descriptor in (_STDOUT, _STDERR):
            before.enter_context(_redirected(descriptor, store.fileno()))
        before.enter_context(contextlib.redirect_stdout(store))
        before.enter_context(contextlib.redirect_stderr(store))
        try:
            yield found
        finally:
            store.flush()
            before.close()
            store.seek(0)
            found.lines = sum(1 for _ in store)


@contextlib.contextmanager
def _redirected(descriptor: int, target: int) -> Iterator[None]:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    try:
        kept = os.dup(descriptor)
    except OSError:  # started without it
        yield
        return
    os.dup2(target, descriptor)
    try:
        yield
    finally:
        os.dup2(kept, descriptor)
        os.close(kept)
