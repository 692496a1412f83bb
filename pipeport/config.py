"""Settings of the process: from the environment, from code, or for one `with` block."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from pipeport.errors import UnsupportedArgument, explain

JIT_POLICIES = ("auto", "always", "never")
OPENCV_VERSIONS = (4, 5)

_jit: str | None = None
_opencv: int | None = None


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


def _checked_opencv(value: object, source: str) -> int:
    for version in OPENCV_VERSIONS:
        if (type(value) is int and value == version) or value == str(version):
            return version
    raise UnsupportedArgument(
        explain(
            source,
            repr(value),
            " or ".join(map(str, OPENCV_VERSIONS)),
            "Give the major version whose results your model was trained on.",
        )
    )


def opencv() -> int:
    """Return the major version of OpenCV whose results the natives of `pipeport.cv2` give.

    Returns
    -------
    {4, 5}
        4 quantises the coordinates of its warps to 1/32 pixel, 5 computes them in float32.
        Set by `set_opencv`, else by the environment variable ``PIPEPORT_OPENCV``, else 5. It
        is read while a function is traced; an installed OpenCV is never looked at.
    """
    if _opencv is not None:
        return _opencv
    return _checked_opencv(os.environ.get("PIPEPORT_OPENCV", "5"), "PIPEPORT_OPENCV")


def set_opencv(version: int | None) -> None:
    """Set OpenCV's major version for the process; None returns to the environment's.

    Parameters
    ----------
    version : {4, 5} or None
        See `opencv`.

    Raises
    ------
    UnsupportedArgument
        There is no such behaviour.
    """
    global _opencv  # noqa: PLW0603 - one process-wide setting, read at trace time
    _opencv = None if version is None else _checked_opencv(version, "version")


@contextlib.contextmanager
def use_opencv(version: int) -> Iterator[None]:
    """Use a major version of OpenCV for everything that is traced inside the `with` block.

    Parameters
    ----------
    version : {4, 5}
        See `opencv`.

    Yields
    ------
    None
        Nothing; the earlier version returns afterwards.
    """
    before = _opencv
    set_opencv(version)
    try:
        yield
    finally:
        set_opencv(before)
