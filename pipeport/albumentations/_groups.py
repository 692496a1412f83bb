"""Images of more channels than OpenCV takes at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.errors import UnsupportedArgument, explain

# Channels that the reference gives to OpenCV at once.
_AT_ONCE = 4


def channels_known(value: Any, name: str, batch_axes: int = 0) -> None:
    """Refuse an image or masks whose number of channels is not known while tracing."""
    if value.shape.rank == 3 + batch_axes and value.shape[-1] is None:
        advice = "State it with tf.ensure_shape."
        raise UnsupportedArgument(explain(name, "an unknown number of channels", "a known one", advice))


def in_groups(value: Any, change: Callable[[Any], Any], batch_axes: int = 0) -> Any:
    """Return an image changed by a mirror of OpenCV, as many channels at once as the reference gives it.

    `value`: shape (..., H, W) or (..., H, W, C); the image, or a stack of them; C is known while tracing.
    `change`: takes it with up to four channels; like OpenCV it may drop a channel that stands alone.
    `batch_axes`: how many axes stand before height and width. Returns: the results beside each other, of the
    rank of `value`.
    """

    def kept(part: Any) -> Any:
        found = change(part)
        return found if found.shape.rank == value.shape.rank else found[..., tf.newaxis]

    channels = value.shape[-1] if value.shape.rank == 3 + batch_axes else 1
    if channels <= _AT_ONCE:
        return kept(value)
    return tf.concat([kept(value[..., first:end]) for first, end in _groups(channels)], -1)


def _groups(channels: int) -> list[tuple[int, int]]:
    """Return the channels that go together: four, but of two that are left each alone."""
    ends = [*range(_AT_ONCE, channels, _AT_ONCE), channels]
    if channels % _AT_ONCE == 2:
        ends.insert(-1, channels - 1)
    return list(zip([0, *ends[:-1]], ends, strict=True))
