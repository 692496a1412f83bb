"""The releases of TensorFlow whose inside was looked at."""

from __future__ import annotations

import functools
import warnings

from pipeport._lazy import tf
from pipeport.errors import PipeportWarning

FIRST, LAST = (2, 15), (2, 21)


def release() -> tuple[int, int]:
    """Return major and minor version of TensorFlow."""
    major, minor = tf.__version__.split(".")[:2]
    return int(major), int(minor)


def warn_if_newer() -> None:
    """Warn once if this TensorFlow is newer than all that were looked at, with what is off."""
    if release() > LAST:
        _warn(tf.__version__)


@functools.cache
def _warn(version: str) -> None:
    newest = ".".join(map(str, LAST))
    warnings.warn(
        f"TensorFlow {version} is newer than {newest}, the newest that pipeport was tested with. Natives and "
        "ports work, but compiled programs are divided among threads, which is slower; "
        "pipeport.trace.watch is refused, and fast_start of pipeport.config does nothing.",
        PipeportWarning,
        stacklevel=2,
    )
