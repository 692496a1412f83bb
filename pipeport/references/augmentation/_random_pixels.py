"""What natives of transforms of pixels drew, as the parameters their references take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport import seeds

# No vector of a processor has more pixels.
_VECTOR = 64


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


def tone_curve(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:
    """Return the heights of the two points of a curve, or of each channel's.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameter `curves`, a seed.
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

    heights = native.points(drawn, tf.constant(image)).numpy()
    own = native.per_channel and _channels(image) > 1
    return dict(zip(("low_y", "high_y"), heights if own else heights[:, 0], strict=True))


def dropped_pixels(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:
    """Return which pixels are filled, and with what.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameters `pixels`, `mask_pixels` and `values`, seeds.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image; masks are of its size, without channels, and filled with a byte.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    from pipeport._lazy import tf

    tensor = tf.constant(image)
    fill = native.values(drawn["values"], tensor).numpy() if native.drop_value is None else native.drop_value
    found: dict[str, Any] = {
        "drop_mask": np.broadcast_to(native.hit(drawn["pixels"], tensor).numpy(), image.shape),
        "drop_values": np.broadcast_to(np.asarray(fill).astype(image.dtype), image.shape),
        "mask_drop_mask": None,
        "mask_drop_values": None,
    }
    if native.mask_drop_value is not None:
        plane = tf.zeros(image.shape[:2])
        found["mask_drop_mask"] = native.hit(drawn["mask_pixels"], plane).numpy()
        # Whole numbers, in the dtype that widens no mask.
        found["mask_drop_values"] = np.uint8(native.mask_drop_value)
    return found


class _Given(np.random.Generator):
    """A generator that returns numbers drawn before."""

    def given(self, counts: Any, shifts: Any) -> Any:
        self._counts, self._shifts = counts, shifts
        return self

    def poisson(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ARG002 - the generator's signature
        return self._counts

    def normal(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ARG002
        return self._shifts


def iso_noise(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:
    """Return shift and intensity, and a generator that gives the noise.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameters `color_shift` and `intensity`, and `noise`, a seed.
    native : object
        The transform that drew.
    image : numpy.ndarray
        The image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    found: dict[str, Any] = {name: float(drawn[name]) for name in ("color_shift", "intensity")}
    _, counts, shifts = _camera_noise(drawn, native, image)
    return found | {"random_seed": _Given(np.random.PCG64(0)).given(counts.astype(int), shifts)}


def _camera_noise(drawn: Mapping[str, Any], native: Any, image: Any) -> tuple[Any, Any, Any]:
    """Return hue, lightness and saturation of an image; counts, and what is added to the hue."""
    import cv2

    from pipeport._lazy import tf

    fractions = image if image.dtype == np.float32 else image / np.float32(255)
    hls = cv2.cvtColor(fractions, cv2.COLOR_RGB2HLS)
    counts, shifts = (np.float64(one) for one in native.noise(drawn, tf.constant(hls)))
    return hls, counts, shifts


def noisy_colours(drawn: Mapping[str, Any], native: Any, image: Any, value: Any, name: str) -> list[Any]:
    """Return a noisy image, its colours as OpenCV's vectors compute them, and as it does at the end of a row.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        What the native drew.
    native : object
        The transform that drew.
    image, value : numpy.ndarray
        The image, and the target.
    name : {'image', 'mask'}
        The target's name.

    Returns
    -------
    list of numpy.ndarray
        Of the shape of `value`; none of a mask.
    """
    import cv2

    if name != "image":
        return []
    hls, counts, shifts = _camera_noise(drawn, native, image)
    hls[..., 0] += shifts
    hls[..., 1] += np.float32(counts * float(drawn["intensity"]) * (1.0 - hls[..., 1]))
    hls[..., 1] = np.clip(hls[..., 1], 0, 1)
    pixels = hls.reshape(1, -1, 3)
    count = pixels.shape[1]
    whole = np.pad(pixels, ((0, 0), (0, -count % _VECTOR), (0, 0)))
    sides = [
        np.clip(cv2.cvtColor(one, cv2.COLOR_HLS2RGB).reshape(-1, 3)[:count], 0, 1).reshape(value.shape)
        for one in (whole, pixels.reshape(-1, 1, 3))
    ]
    return [one if value.dtype == np.float32 else np.rint(one * 255).astype(value.dtype) for one in sides]
