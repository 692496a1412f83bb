"""Settings of the process: from the environment, from code, or for one `with` block."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from pipeport.errors import UnsupportedArgument, explain

JIT_POLICIES = ("auto", "always", "never")

_jit: str | None = None


def _checked(value: str, source: str) -> str:
    if value not in JIT_POLICIES:
        raise UnsupportedArgument(
            explain(
                source,
                repr(value),
                ", ".join(map(repr, JIT_POLICIES)),
                "Use 'auto' unless you measure.",
            )
        )
    return value


def jit() -> str:
    """Return the XLA policy in force.

    Returns
    -------
    str
        'auto' compiles where that was measured to gain, 'always' wherever XLA can,
        'never' leaves plain graph ops. Set by `set_jit`, else by the environment
        variable ``PIPEPORT_JIT``, else 'auto'. It is read while a function is traced.
    """
    if _jit is not None:
        return _jit
    return _checked(os.environ.get("PIPEPORT_JIT", "auto"), "PIPEPORT_JIT")


def set_jit(policy: str | None) -> None:
    """Set the XLA policy of the process; None returns to the environment's.

    Parameters
    ----------
    policy : {'auto', 'always', 'never'} or None
        See `jit`.

    Raises
    ------
    UnsupportedArgument
        The policy has another name.
    """
    global _jit  # noqa: PLW0603 - one process-wide setting, read at trace time
    _jit = None if policy is None else _checked(policy, "policy")


@contextlib.contextmanager
def use_jit(policy: str) -> Iterator[None]:
    """Use an XLA policy for everything that is traced inside the `with` block.

    Parameters
    ----------
    policy : {'auto', 'always', 'never'}
        See `jit`.

    Yields
    ------
    None
        Nothing; the earlier policy returns afterwards.
    """
    before = _jit
    set_jit(policy)
    try:
        yield
    finally:
        set_jit(before)
