"""The photographs of the bench: those that lie inside scikit-image, so nothing is downloaded."""

from __future__ import annotations

import functools
import hashlib
import importlib.resources
from typing import Any

import numpy as np

from pipeport.bench._case import Size
from pipeport.errors import OutsideDomain, explain

FILES = ("astronaut.png", "chelsea.png", "coffee.png", "rocket.jpg")
# Elements per dataset: more than any cache of the processor holds at 256 px, few enough for memory.
COUNT = 32
UNKNOWN_SIDES = (180, 256)
_SEED = 20_240_601


@functools.cache
def originals() -> dict[str, Any]:
    """Return the photographs as shipped.

    Returns: dict of str to numpy.ndarray, shape (H, W, 3), uint8; by file name. Only files that are present
    in the installed package are read.
    """
    from skimage import io

    found = {}
    for name in FILES:
        resource = importlib.resources.files("skimage.data") / name
        if resource.is_file():
            with importlib.resources.as_file(resource) as path:
                found[name] = io.imread(path)[..., :3]
    if not found:
        raise OutsideDomain(
            explain(
                "photographs",
                "a scikit-image without image files",
                ", ".join(FILES),
                "Reinstall scikit-image from a wheel.",
            )
        )
    return found


def fingerprint() -> str:
    """Return a short hash of the photographs: results on other images are other results."""
    digest = hashlib.sha256()
    for name, image in originals().items():
        digest.update(name.encode() + image.tobytes())
    return digest.hexdigest()[:16]


def _fitted(image: Any, size: Size) -> Any:
    """Scale until the image just covers `size`, then take the centre."""
    from skimage.transform import resize

    scale = max(size[0] / image.shape[0], size[1] / image.shape[1])
    covering = [max(want, round(side * scale)) for want, side in zip(size, image.shape[:2], strict=True)]
    scaled = resize(image, covering, order=1, anti_aliasing=scale < 1, preserve_range=True)
    return np.rint(_centre(scaled, size)).clip(0, 255).astype(np.uint8)


def _centre(image: Any, size: Size) -> Any:
    top, left = ((have - want) // 2 for have, want in zip(image.shape, size, strict=False))
    return np.ascontiguousarray(image[top : top + size[0], left : left + size[1]])


@functools.lru_cache(maxsize=4)
def _in_uint8(size: Size | None) -> tuple[Any, ...]:
    fitted = [_fitted(image, size or (UNKNOWN_SIDES[1],) * 2) for image in originals().values()]
    if size is not None:
        return tuple(fitted[i % len(fitted)] for i in range(COUNT))
    low, high = UNKNOWN_SIDES
    drawn = np.random.default_rng(_SEED).integers(low, high, (COUNT, 2), endpoint=True)
    # The largest size is always there, so that every run pads and allocates alike.
    drawn[0] = high
    return tuple(_centre(fitted[i % len(fitted)], (int(h), int(w))) for i, (h, w) in enumerate(drawn))


def convert(image: Any, dtype: str) -> Any:
    """Convert a uint8 image as people do: floats in [0, 1], uint16 and bool over their range."""
    if dtype == "bool":
        return image > 127
    if dtype == "uint16":
        return image.astype(np.uint16) * np.uint16(257)
    if dtype.startswith("float"):
        return (image / 255.0).astype(dtype)
    return image.astype(dtype)


def photographs(size: Size | None, dtype: str) -> list[Any]:
    """Return the elements of one run.

    `size`: height and width; None gives sides between 180 and 256 px, the same on every run. Returns: list of
    numpy.ndarray, shape (H, W, 3); `COUNT` images, the photographs in turn.
    """
    converted: dict[int, Any] = {}
    images = _in_uint8(size)
    return [converted.setdefault(id(image), convert(image, dtype)) for image in images]


def volumes(shape: tuple[int, ...], dtype: str) -> list[Any]:
    """Return volumes as scanners give them: one plane beside the other, each a little moved and dimmed.

    Returns: list of numpy.ndarray, shape `shape`; `COUNT` volumes, the photographs' grey values in turn.
    """
    height, width, depth = shape
    converted: dict[int, Any] = {}
    for image in _in_uint8((height, width)):
        if id(image) not in converted:
            grey = image.mean(axis=2)
            planes = [np.roll(grey, (k, -k // 2), (0, 1)) * (1 - k / (2 * depth)) for k in range(depth)]
            converted[id(image)] = convert(np.stack(planes, axis=-1).astype(np.uint8), dtype)
    return [converted[id(image)] for image in _in_uint8((height, width))]
