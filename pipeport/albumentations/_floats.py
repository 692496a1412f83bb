"""Normalize, ToFloat: levels as float32, at the end of a pipeline."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._pixels import Pixels, as_fractions, served
from pipeport.albumentations._promise import augments
from pipeport.contract import OneOf
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels import xla

_IMAGENET = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
_ALL_OR_NONE = OneOf(1.0, 0.0)
_DTYPES = ("uint8", "uint16", "float32")


class _ToFloats(Pixels):
    """A transform that gives float32."""

    def dtype_of(self, given: Any) -> Any:
        """Return float32."""
        del given
        return tf.float32


@augments(
    "Normalize",
    domain={
        "mean": OneOf(_IMAGENET[0], (0.5, 0.5, 0.5), 0.5, (0.1,), (0, 0, 0)),
        "std": OneOf(_IMAGENET[1], (0.5, 0.25, 1.0), 0.3, (0.2,), (1, 1, 1)),
        "max_pixel_value": OneOf(255.0, 1.0, 127, 65535.0),
        "p": _ALL_OR_NONE,
    },
    dtypes=_DTYPES,
    settings=({"p": 1.0},),
    refused={"normalization": "the other ways measure the image"},
)
class Normalize(_ToFloats):
    """Subtract a mean, and divide by a spread, in each channel.

    Parameters
    ----------
    mean : float or tuple of float, default (0.485, 0.456, 0.406)
        As parts of `max_pixel_value`, one for each channel. The first holds for all where there are fewer
        than channels, as in the reference.
    std : float or tuple of float, default (0.229, 0.224, 0.225)
        As `mean`.
    max_pixel_value : float, default 255.0
        The value that stands for 1; 1.0 for images of floats.
    normalization : {'standard'}, default 'standard'
        The other ways, which measure the image, are refused.
    p : float, default 1.0
        Probability that it is applied; between 0 and 1 for images of float32 alone.

    Returns
    -------
    Normalize
        {called} `image` is (H, W) or (H, W, C), of uint8, uint16 or float32, and comes back as float32; other
        targets stay as they are.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], a number is not finite; in a call, there is no image, or one has
        another dtype.
    WrongType
        `mean` or `std` is neither a number nor a tuple of them.
    UnsupportedArgument
        `normalization` is another, or a parameter is a tensor; in a call, there is no seed, rank or channels
        are not known while tracing, or `p` is between 0 and 1 for whole numbers.

    Notes
    -----
    Agreement: bit for bit: ``(image - mean * max_pixel_value) * (1 / (std * max_pixel_value))`` in float32.
    {compiled}

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.Normalize(0.5, 0.5)
    >>> transform(image=tf.constant([[0, 255]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[-1.0, 1.0]]
    """

    def __init__(
        self,
        mean: Any = _IMAGENET[0],
        std: Any = _IMAGENET[1],
        max_pixel_value: float = 255.0,
        normalization: str = "standard",
        p: float = 1.0,
    ) -> None:
        super().__init__(p)
        advice = "Measure the image with pipeport.numpy, and scale it there."
        self.normalization = _arguments.one_of(normalization, ("standard",), "normalization", advice)
        self.mean = _arguments.numbers(mean, "mean")
        self.std = _arguments.numbers(std, "std")
        self.max_pixel_value = _arguments.real(max_pixel_value, "max_pixel_value", -np.inf)
        with np.errstate(divide="ignore", over="ignore"):
            self._mean = np.array(self.mean, np.float32) * self.max_pixel_value
            self._factor = np.reciprocal(np.array(self.std, np.float32) * self.max_pixel_value)

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return the scaled image."""
        del params
        image = served(image, name, _DTYPES)
        channels = 1 if image.shape.rank == 2 else image.shape[2]
        if channels is None:
            advice = "State them with tf.ensure_shape."
            raise UnsupportedArgument(explain(name, "an unknown number of channels", "a known one", advice))
        numbers = (_for_channels(each, channels) for each in (self._mean, self._factor))
        return xla.run(_scaled)(image, *numbers)


def _for_channels(values: Any, channels: int) -> Any:
    """Return one number for all channels, or one for each, as the reference chooses."""
    each = np.atleast_1d(values)
    alone = len(each) == 1 or channels == 1 or len(each) < channels
    return tf.constant(each[0] if alone else each[:channels], tf.float32)


def _scaled() -> Callable[..., Any]:
    def run(image: Any, mean: Any, factor: Any) -> Any:
        # In rows of channels: XLA would count row and column for every value.
        rows = image if mean.shape.rank == 0 else tf.reshape(image, [-1, image.shape[-1]])
        return tf.reshape((tf.cast(rows, tf.float32) - mean) * factor, tf.shape(image))

    return run


@augments(
    "ToFloat",
    domain={"max_value": OneOf(None, 255.0, 100, 0.5, 65535.0, 4095), "p": _ALL_OR_NONE},
    dtypes=_DTYPES,
    settings=({"p": 1.0},),
)
class ToFloat(_ToFloats):
    """Divide bytes or whole numbers of 16 bits by their largest value.

    Parameters
    ----------
    max_value : float or None, default None
        The value that becomes 1; None takes that of the dtype.
    p : float, default 1.0
        Probability that it is applied; between 0 and 1 for images of float32 alone.

    Returns
    -------
    ToFloat
        {called} `image` is (H, W) or (H, W, C), of uint8 or uint16, and comes back as float32; one of float32
        comes back as it is, whatever `max_value`, as in the reference. Other targets stay as they are.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1], `max_value` is 0 or not finite; in a call, there is no image, or one
        has another dtype.
    WrongType
        `max_value` is not a number.
    UnsupportedArgument
        A parameter is a tensor; in a call, there is no seed, a rank is not known while tracing, or `p` is
        between 0 and 1 for whole numbers.

    Notes
    -----
    Agreement: bit for bit.
    {compiled}

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> A.ToFloat()(image=tf.constant([[0, 51]], tf.uint8), seed=(1, 2))["image"].numpy().tolist()
    [[0.0, 0.20000000298023224]]
    """

    def __init__(self, max_value: float | None = None, p: float = 1.0) -> None:
        super().__init__(p)
        self.max_value = None if max_value is None else _arguments.real(max_value, "max_value", -np.inf)
        if self.max_value == 0:
            raise OutsideDomain(explain("max_value", "0", "any other number", "Give 255 for bytes."))

    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return fractions."""
        del params
        if served(image, name, _DTYPES).dtype == tf.float32:
            return image
        largest = float(image.dtype.max) if self.max_value is None else self.max_value
        # The reference divides bytes in float32, and others in float64.
        wide = np.float32 if image.dtype == tf.uint8 else np.float64
        return xla.run(_fractions)(image, tf.constant(wide(largest)))


def _fractions() -> Callable[..., Any]:
    return as_fractions
