"""Bands of pixels, and pixels through tables that the user gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.pillow._modes import channels_of, known_mode
from pipeport.kernels.pillow._tables import through


def names_of(mode: str) -> tuple[str, ...]:
    """Return the names of the bands of a mode."""
    return tuple(mode) if mode in ("RGB", "RGBA") else (mode.partition(";")[0],)


def bands_of(pixels: Any, mode: str) -> list[tuple[Any, str]]:
    """Return the bands of pixels (B, H, W, C), each (B, H, W, 1), with their modes."""
    if mode not in ("RGB", "RGBA"):
        return [(tf.identity(pixels), mode)]
    return [(pixels[..., at : at + 1], "L") for at in range(len(mode))]


def band_number(mode: str, channel: Any) -> int:
    """Return the number of a band, which is given by that or by its name."""
    names = names_of(mode)
    if isinstance(channel, str) and channel in names:
        return names.index(channel)
    if not isinstance(channel, (str, int, np.integer)):
        raise WrongType(explain("channel", repr(channel), "a number or a name", "Name a band."))
    if isinstance(channel, str) or not 0 <= channel < len(names):
        allowed = f"0 to {len(names) - 1}, or {', '.join(names)}"
        raise OutsideDomain(explain("channel", repr(channel), allowed, f"The image has mode {mode}."))
    return int(channel)


def looked_up(pixels: Any, mode: str, lut: Any, target: Any) -> tuple[Any, str]:
    """Return what a table or a function of levels makes of pixels (B, H, W, C), and the mode of that."""
    made = mode if target is None else known_mode(target)
    if mode not in ("1", "L", "RGB", "RGBA"):
        advice = "Compute with the pixels, `numpy.asarray(image)`."
        raise UnsupportedArgument(explain("image", f"mode {mode}", "modes 1, L, RGB and RGBA", advice))
    if made != mode and not (mode in ("1", "L") and made in ("1", "L")):
        advice = "Leave it out, and convert the result."
        raise UnsupportedArgument(explain("mode", repr(target), f"None or {mode!r}", advice))
    if tf.is_tensor(lut):
        advice = "Use tf.gather with the pixels."
        raise UnsupportedArgument(explain("lut", "a tensor", "Python numbers", advice))
    count = channels_of(mode)
    values: Sequence[Any] = [lut(level) for level in range(256)] * count if callable(lut) else list(lut)
    if any(not hasattr(one, "__round__") or np.ndim(one) for one in values):
        raise WrongType(explain("lut", "values that are not numbers", "256 numbers a band", "Give numbers."))
    if len(values) != 256 * count:
        given, allowed = f"{len(values)} values", f"{256 * count} values for mode {mode}"
        raise OutsideDomain(explain("lut", given, allowed, "Give 256 for each band."))
    table = np.clip([round(one) for one in values], 0, 255).astype(np.int32).reshape(1, count, 256)
    levels = tf.cast(pixels, tf.int32) * (255 if mode == "1" else 1)
    found = through(levels, tf.constant(table))
    return (tf.not_equal(found, 0) if made == "1" else tf.cast(found, tf.uint8)), made
