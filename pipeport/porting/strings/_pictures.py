"""Keras' reader of pictures, by the images of pipeport.PIL."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels.decode._source import python_path
from pipeport.kernels.inputs import _checks
from pipeport.porting._values import without_text
from pipeport.porting.strings._text import checked

_MODES = {"rgb": "RGB", "rgba": "RGBA", "grayscale": "L"}
_FILTERS = ("nearest", "bilinear", "bicubic", "hamming", "box", "lanczos")


def load_img(
    path: Any,
    *others: Any,
    color_mode: Any = "rgb",
    target_size: Any = None,
    interpolation: Any = "nearest",
    keep_aspect_ratio: Any = False,
) -> Any:
    """Do what `keras.utils.load_img` does, of JPEG, PNG and BMP."""
    if others:
        advice = "Write target_size=, color_mode=: Keras 2 and 3 order them differently."
        raise UnsupportedArgument(explain("load_img", "more than one by position", "the path", advice))
    if keep_aspect_ratio:
        advice = "Crop the image to the ratio, then resize it."
        raise UnsupportedArgument(explain("keep_aspect_ratio", keep_aspect_ratio, "False", advice))
    _checks.one_of(color_mode, tuple(_MODES), "color_mode", "Name one of Keras'.")
    _checks.one_of(interpolation, _FILTERS, "interpolation", "Name one of Keras'.")
    known = python_path(path)
    file = tf.constant(known) if known is not None else without_text(path)
    pillow = importlib.import_module("pipeport.PIL.Image")
    image = pillow.open(_of_8_bits(file) if color_mode == "grayscale" else file, as_mode=_MODES[color_mode])
    if target_size is None:
        return image
    height, width = target_size
    return image.resize((width, height), pillow.Resampling[interpolation.upper()])


def _of_8_bits(path: Any) -> Any:
    """Return a path, once its file is known to be no grey PNG of 16 bits: Keras leaves that as it is."""
    head = tf.strings.substr(tf.strings.join([tf.io.read_file(path), b"\0" * 26]), 0, 26)
    deep = tf.equal(tf.strings.substr(head, 1, 3), "PNG") & tf.equal(
        tf.strings.substr(head, 24, 2), b"\x10\0"
    )
    message = explain("load_img", "a grey image of 16 bits", "8 bits", "Read it with cv2.imread(path, -1).")
    return checked(tf.logical_not(deep), path, message)


# Keras 2 and 3 keep it in the same module.
BY_NAME: dict[str, Callable[..., Any]] = {"keras.src.utils.image_utils.load_img": load_img}
