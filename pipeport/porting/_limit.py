"""How long a port may be traced, for who tries one on behalf of somebody else."""

from __future__ import annotations

import contextlib
import contextvars
import time
from collections.abc import Iterator

from pipeport.errors import PortRefused, explain

_until: contextvars.ContextVar[float] = contextvars.ContextVar("pipeport_until", default=float("inf"))


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Refuse what is still traced in this block after so many seconds.

    Parameters
    ----------
    seconds : float
        From now on.

    Yields
    ------
    None
        Nothing; an earlier limit holds again afterwards.
    """
    token = _until.set(min(_until.get(), time.monotonic() + seconds))
    try:
        yield
    finally:
        _until.reset(token)


def check() -> None:
    """Refuse to go on where the time is over.

    Raises
    ------
    PortRefused
        It is.
    """
    if time.monotonic() > _until.get():
        advice = "Move the loop into NumPy, or trace it without a limit."
        raise PortRefused(explain("port", "a function that takes long to trace", "the time allowed", advice))
