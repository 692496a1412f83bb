"""Blue first or red first: the channels of an image turned round, as late as possible.

OpenCV gives blue first, libjpeg red first. Turning the channels of a photograph of 400 x 400 pixels takes
0.17 ms of CPU time, decoding it 0.46. A native that treats every channel alike may do so on the image
before, and turn its smaller result round; Grappler then drops the first turn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport._notes import notes_on
from pipeport.kernels import xla

_BEFORE = "before_turning"


def turned(image: Any) -> Any:
    """Return an image (H, W, 3) with its channels in the other order.

    In a graph the result remembers what it was made of; see `before_turning`.
    """
    known = image.shape.is_fully_defined()
    # 224 x 224 pixels, CPU time: 0.02 ms, in the graph 0.05.
    result = xla.run(_last_axis_turned, known=known, otherwise=_all_turned)(image)
    if not tf.executing_eagerly():
        notes_on(result)[_BEFORE] = image
    return result


def _last_axis_turned() -> Callable[[Any], Any]:
    return lambda image: tf.reverse(image, [-1])


def _all_turned(image: Any) -> Any:
    """Reverse all bytes, then the pixels: TensorFlow reverses the middle one of three axes by copying.

    0.17 ms; reversing the last axis takes 0.24, tf.gather 1.4.
    """
    shape = image.shape
    backwards = tf.reverse(tf.reshape(image, [-1]), [0])
    pixels = tf.reverse(tf.reshape(backwards, [1, -1, 3]), [1])
    return tf.ensure_shape(tf.reshape(pixels, shape if shape.is_fully_defined() else tf.shape(image)), shape)


def before_turning(image: Any) -> Any:
    """Return the image that `turned` made this one of in the graph being traced; None where it did not."""
    before = None if tf.executing_eagerly() else notes_on(image).get(_BEFORE)
    return before if before is not None and before.graph is tf.compat.v1.get_default_graph() else None
