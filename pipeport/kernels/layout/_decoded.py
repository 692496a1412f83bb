"""Images that a decoder gave: they have pixels, and XLA never compiles the graph that they are in."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf

_MARK = "_pipeport_decoded"


def decoded(image: Any) -> Any:
    """Return an image that a decoder gave, which remembers so in the graph being traced."""
    if not tf.executing_eagerly():
        setattr(image, _MARK, True)
    return image


def is_decoded(image: Any) -> bool:
    """Say whether an image remembers, in the graph being traced, that a decoder gave it."""
    if not getattr(image, _MARK, False) or tf.executing_eagerly():
        return False
    return image.graph is tf.compat.v1.get_default_graph()
