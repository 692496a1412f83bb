"""What natives of transforms of pixels drew, as the parameters their references take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport import seeds


def _numbers(drawn: Mapping[str, Any], *names: str) -> list[float]:
    return [float(drawn[name]) for name in names]


def _channels(image: Any) -> int:
    return int(image.shape[2]) if image.ndim == 3 else 1


def gauss_noise(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:
    """Return the noise.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameters `std` and `mean`, as parts of the largest value, and `noise`, a seed.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    from pipeport._lazy import tf

    return {"noise_map": np.broadcast_to(native.noise(drawn, tf.constant(image)).numpy(), image.shape)}


def rgb_shift(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:  # noqa: ARG001
    """Return the number for each channel.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameters `r`, `g` and `b`, as parts of the largest value.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    largest = 255 if image.dtype == np.uint8 else 1.0
    return {"noise_map": np.array(_numbers(drawn, *"rgb")[: _channels(image)]) * largest}


def channel_shuffle(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:  # noqa: ARG001
    """Return the order of the channels.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameter `channels`, a seed.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    count = _channels(image)
    order = None if count == 1 else seeds.permutation(drawn["channels"], count).numpy().tolist()
    return {"channels_shuffled": order}


def channel_dropout(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:  # noqa: ARG001
    """Return the channels that are filled.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameters `count`, and `channels`, a seed.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    order = seeds.permutation(drawn["channels"], _channels(image)).numpy().tolist()
    return {"channels_to_drop": order[: int(drawn["count"])]}


def color_jitter(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:  # noqa: ARG001
    """Return factors, shift and order.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameters `brightness`, `contrast`, `saturation`, `hue` and `order`.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    names = ("brightness", "contrast", "saturation", "hue")
    return dict(zip(names, _numbers(drawn, *names), strict=True)) | {"order": drawn["order"].tolist()}


def equalize(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:  # noqa: ARG001
    """Return that there is no mask.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        Nothing is drawn.
    native : object
        The transform.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    return {"mask": None}


def compression(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:  # noqa: ARG001
    """Return the quality, and that the file is a JPEG.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameter `quality`.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    return {"quality": int(drawn["quality"]), "image_type": ".jpg"}


def multiplicative_noise(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:
    """Return the numbers that an image is multiplied by.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameter `numbers`, a seed.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    from pipeport._lazy import tf

    factors = native.factors(drawn, tf.constant(image)).numpy()
    if native.elementwise:
        return {"multiplier": np.broadcast_to(factors, image.shape)}
    return {"multiplier": np.broadcast_to(np.ravel(factors), _channels(image)).squeeze()}
