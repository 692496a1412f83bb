"""Matplotlib's reader of images."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._making import fresh
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels.decode._formats import by_format, png_header
from pipeport.kernels.decode._pillow import MODES, decode_image, mode_in
from pipeport.porting.strings._seen import TOLD, learnt, path_of
from pipeport.porting.strings._text import checked

_GREY, _RGB, _RGBA, _OTHER = range(4)
_REFUSAL = (
    "matplotlib.image.imread",
    "a file of which neither format nor mode is known",
    f"{TOLD}, or read it with `Image.open(path).convert('RGB')`.",
)


def imread(fname: Any, format: Any = None, *, notes: dict[str, Any]) -> Any:
    """Do what `matplotlib.image.imread` does: a PNG gives float32 in [0, 1], other files give bytes."""
    if format is not None:
        advice = "Leave it out: the format is found in the file."
        raise UnsupportedArgument(explain("format", repr(format), "None", advice))

    def look(path: Any) -> tuple[bool, int]:
        is_png, mode = _kind(tf.io.read_file(path))
        if int(mode) == _OTHER:
            advice = "Convert it once."
            given = "a grey PNG of other than 8 bits, or CMYK"
            raise UnsupportedArgument(explain("fname", given, "grey, colours and alpha", advice))
        return bool(is_png), int(mode)

    is_png, mode = learnt(notes, "picture", fname, look, _REFUSAL)
    data = tf.io.read_file(path_of(fname))
    found = _kind(data)
    given = "a file of another format or mode"
    message = explain("fname", given, "those of the example", "Convert the files, or read them apart.")
    same = tf.equal(found[0], is_png) & tf.equal(found[1], mode)
    image = fresh(decode_image(checked(same, data, message), MODES[mode], "fname"))
    return image.astype(np.float32) / np.float32(255) if is_png else image


def _kind(data: Any) -> tuple[Any, Any]:
    """Return whether a file is a PNG, and the place of what Matplotlib gives it in `MODES`."""

    def png() -> tuple[Any, Any]:
        bits, colour = png_header(data)
        grey = tf.where(tf.equal(bits, 8), _GREY, _OTHER)
        mode = tf.where(tf.equal(colour, 0), grey, tf.where(tf.equal(colour, 2), _RGB, _RGBA))
        return tf.constant(True), mode

    def bmp() -> tuple[Any, Any]:
        mode = mode_in(data, "fname")
        return tf.constant(False), tf.where(tf.equal(mode, _OTHER), _RGBA, mode)

    def jpeg() -> tuple[Any, Any]:
        return tf.constant(False), mode_in(data, "fname")

    is_png, mode = by_format(data, "fname", jpeg=jpeg, png=png, bmp=bmp)
    return is_png, mode
