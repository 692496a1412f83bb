"""What transforms of pixels are: they change images alone; masks, boxes and points stay."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import Any

from pipeport._lazy import tf
from pipeport.albumentations._groups import channels_known
from pipeport.albumentations._state import State
from pipeport.albumentations._transform import Transform
from pipeport.errors import UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs import _checks

_DTYPES = ("uint8", "float32")
# Of transforms whose arithmetic is the same for 16 bits.
WIDER = ("uint8", "uint16", "float32")
# Bytes whose sum fits into int32.
_MANY = 2**23


class Pixels(Transform):
    """A transform of images."""

    @abc.abstractmethod
    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return an image with what was drawn done to it; `name` is its name, for messages."""

    def perform(self, drawn: Mapping[str, Any], state: State, forced: bool) -> State:
        """Change every image."""
        if self.p <= 0.0:
            return state
        images = {name: state.values[name] for name, kind in state.kinds.items() if kind == "image"}
        alone = State(images, dict.fromkeys(images, "image"))

        def change(state: State) -> State:
            each = state.values.items()
            return state.replaced({name: self.changed(one, drawn["params"], name) for name, one in each})

        if self.always(forced):
            return state.replaced(change(alone).values)
        for name, image in images.items():
            self._refuse_two_dtypes(name, image.dtype)
        return state.replaced(alone.where(drawn["applied"], change).values)

    def dtype_of(self, given: Any) -> Any:
        """Return the dtype of the result for that of an image."""
        return given

    def _refuse_two_dtypes(self, name: str, given: Any) -> None:
        made = self.dtype_of(given)
        if made != given:
            advice = f"It makes {made.name} of {given.name}, and a graph has one dtype: give p=1."
            text = f"{self.p:g} with `{name}` of {given.name}"
            raise UnsupportedArgument(explain("p", text, "0 or 1", advice))


def served(image: Any, name: str, dtypes: tuple[str, ...] = _DTYPES) -> Any:
    """Return an image whose dtype is served."""
    _checks.dtype_among(image, dtypes, name, "Cast it before the pipeline.")
    return image


def with_channels(image: Any, name: str, allowed: tuple[int, ...]) -> int:
    """Return how many channels an image has, which has to be one of some numbers."""
    channels_known(image, name)
    channels = 1 if image.shape.rank == 2 else int(image.shape[-1])
    if channels not in allowed:
        numbers = " or ".join(map(str, allowed))
        raise WrongType(explain(name, f"{channels} channels", numbers, "Leave the others out."))
    return channels


def as_bytes(image: Any) -> Any:
    """Return an image as bytes, as the reference makes them of fractions; bytes as they are."""
    if not image.dtype.is_floating:
        return image
    return tf.cast(tf.round(tf.clip_by_value(image * 255, 0, 255)), tf.uint8)


def as_fractions(levels: Any, largest: Any = 255.0) -> Any:
    """Return bytes as float32 fractions of a number of float32, rounded once.

    XLA may multiply by the reciprocal, which in float64 leaves the same float32: no quotient of a byte and a
    float32 lies so close to the middle between two.
    """
    return tf.cast(tf.cast(levels, tf.float64) / tf.cast(largest, tf.float64), tf.float32)


def mean_of_bytes(image: Any) -> Any:
    """Return the mean of bytes, whose sum is exact, in float64."""
    known = image.shape.num_elements()
    whole = tf.int32 if known is not None and known < _MANY else tf.int64
    total = tf.reduce_sum(tf.cast(image, whole))
    return tf.cast(total, tf.float64) / tf.cast(tf.size(image), tf.float64)
