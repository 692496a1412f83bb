"""Images that a decoder gave: they have pixels, and XLA never compiles the graph that they are in."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport._notes import notes_on

_MARK = "decoded"


def decoded(image: Any) -> Any:
    """Return an image that a decoder gave, which remembers so in the graph being traced."""
    if not tf.executing_eagerly():
        notes_on(image)[_MARK] = True
    return image


def is_decoded(image: Any) -> bool:
    """Say whether an image remembers, in the graph being traced, that a decoder gave it."""
    if tf.executing_eagerly() or _MARK not in notes_on(image):
        return False
    return image.graph is tf.compat.v1.get_default_graph()
