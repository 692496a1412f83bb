"""How long a port may be traced, and how large it may become, for who tries one on somebody's behalf."""

from __future__ import annotations

import contextlib
import contextvars
import time
from collections.abc import Iterator

from pipeport._lazy import tf
from pipeport.errors import PortRefused, explain

_NONE = (float("inf"), float("inf"))
_limits: contextvars.ContextVar[tuple[float, float]] = contextvars.ContextVar(
    "pipeport_limits", default=_NONE
)


class OutOfTime(PortRefused):
    """The time that a trace may take is over."""


@contextlib.contextmanager
def limited(seconds: float, nodes: float) -> Iterator[None]:
    """Refuse what is still traced in this block after so many seconds, or becomes so large.

    Parameters
    ----------
    seconds : float
        From now on.
    nodes : float
        Operations of one graph.

    Yields
    ------
    None
        Nothing; earlier limits hold again afterwards.
    """
    until, most = _limits.get()
    token = _limits.set((min(until, time.monotonic() + seconds), min(most, nodes)))
    try:
        yield
    finally:
        _limits.reset(token)


def check() -> None:
    """Refuse to go on where the time is over, or the graph too large.

    Raises
    ------
    OutOfTime
        The time is over.
    PortRefused
        The graph has more nodes than allowed.
    """
    until, most = _limits.get()
    if (until, most) == _NONE:
        return
    advice = "Move the loop into NumPy, or trace it without a limit."
    if time.monotonic() > until:
        raise OutOfTime(explain("port", "a function that takes long to trace", "the time allowed", advice))
    nodes = tf.compat.v1.get_default_graph().version
    if nodes > most:
        raise PortRefused(explain("port", f"a graph of {nodes} nodes", f"at most {most:g}", advice))
