"""Structured geometries at the sizes people use, for every native that samples at computed coordinates.

A coordinate that lies within a rounding of a whole number is where wrong pixels were found: whole
degrees about centres on and between pixels, matrices of simple fractions, half-integer shifts. A
random number almost never gives one. Each warp has a function `(random, height, width) -> parameters
that vary`; what shapes a graph (order, border, dtype) is in `Warp.forms`, one form per size in turn,
so that few traces serve many geometries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

SIZES = (
    (9, 9),
    (16, 16),
    (17, 33),
    (32, 32),
    (35, 35),
    (64, 64),
    (101, 64),
    (128, 128),
    (192, 256),
    (224, 224),
    (333, 517),
    (520, 520),
)
_PARTS = (1, 2, 3, 4, 5, 6, 8)

Draw = Callable[[np.random.Generator, int, int], dict[str, Any]]


@dataclass(frozen=True)
class Warp:
    """One native, and the geometries it is tried on.

    Attributes
    ----------
    draw : callable
        Gives the parameters that differ from geometry to geometry.
    forms : tuple of mapping
        Parameters that shape the graph; '_dtype' and '_channels' are those of the image.
    image : str
        The image's parameter.
    tensors : mapping of str to str
        Which of the drawn numbers enter the graph as tensors, with their dtype.
    sizes : tuple
        Heights and widths.
    share : float
        Part of the geometries that is drawn, for references that take long.
    """

    draw: Draw
    forms: tuple[Mapping[str, Any], ...]
    image: str = "image"
    tensors: Mapping[str, str] = field(default_factory=dict)
    sizes: tuple[tuple[int, int], ...] = SIZES


@dataclass(frozen=True)
class Case:
    """One warp at one size in one form."""

    warp: Warp
    size: tuple[int, int]
    form: Mapping[str, Any]
    number: int

    def geometries(self, count: int) -> Iterator[dict[str, Any]]:
        """Yield complete arguments; the same ones at every run."""
        random = np.random.default_rng(self.number)
        static = {name: value for name, value in self.form.items() if not name.startswith("_")}
        image = noise(random, self.size, self.form.get("_dtype", "float64"), self.form.get("_channels"))
        for _ in range(count):
            yield {self.warp.image: image, **static, **self.warp.draw(random, *self.size)}


def cases(warp: Warp) -> list[Case]:
    """Return a case per size, with the forms in turn."""
    count = max(len(warp.sizes), len(warp.forms))
    return [
        Case(warp, warp.sizes[number % len(warp.sizes)], warp.forms[number % len(warp.forms)], number)
        for number in range(count)
    ]


def noise(random: np.random.Generator, size: tuple[int, ...], dtype: str, channels: int | None) -> Any:
    """Return an image in which neighbours differ as much as they can."""
    shape = size if channels is None else (*size, channels)
    if dtype == "bool":
        return random.random(shape) > 0.5
    if np.dtype(dtype).kind in "iu":
        top = min(int(np.iinfo(dtype).max), 65535)
        return random.integers(0, top, shape, endpoint=True).astype(dtype)
    return random.random(shape).astype(dtype)


def angle(random: np.random.Generator) -> float:
    """Return whole degrees, or multiples of 15, 45 and 90, of either sign."""
    step = int(random.choice([1, 15, 45, 90]))
    return float(step * random.integers(-360 // step, 360 // step, endpoint=True))


def fraction(random: np.random.Generator, most: float = 2.0) -> float:
    """Return a simple fraction of either sign."""
    part = int(random.choice(_PARTS))
    return float(random.integers(-int(most * part), int(most * part), endpoint=True)) / part


def shift(random: np.random.Generator, side: int) -> float:
    """Return a whole or half number of pixels, or a simple fraction of one."""
    whole = float(random.integers(-side // 2, side // 2, endpoint=True))
    return whole + float(random.choice([0.0, 0.0, 0.5, 0.25, 1 / 3]))


def center(random: np.random.Generator, height: int, width: int) -> tuple[float, float]:
    """Return the middle (x, y) of pixels or of the image, or a pixel or corner of pixels."""
    choices = [
        (width / 2, height / 2),
        ((width - 1) / 2, (height - 1) / 2),
        (float(width // 2), float(height // 2)),
        (float(random.integers(width)), float(random.integers(height))),
        (float(random.integers(width)) + 0.5, float(random.integers(height)) + 0.5),
    ]
    return choices[int(random.integers(len(choices)))]


def turn(random: np.random.Generator, height: int, width: int) -> Any:
    """Return the matrix (2, 3) of a rotation, scaled, about a centre: of (x, y), as float64."""
    x, y = center(random, height, width)
    radians = np.deg2rad(angle(random))
    scale = float(random.choice([1.0, 1.0, 1.0, 0.5, 2.0, 1.1, 0.75]))
    cosine, sine = np.cos(radians) * scale, np.sin(radians) * scale
    return np.array(
        [[cosine, sine, (1 - cosine) * x - sine * y], [-sine, cosine, sine * x + (1 - cosine) * y]]
    )


def matrix(random: np.random.Generator, height: int, width: int) -> Any:
    """Return a matrix (2, 3) of simple fractions, or a rotation."""
    if random.random() < 0.5:
        return turn(random, height, width)
    while True:
        entries = [[fraction(random), fraction(random)] for _ in range(2)]
        if abs(np.linalg.det(entries)) > 0.1:
            break
    offsets = [shift(random, width), shift(random, height)]
    return np.column_stack([entries, offsets])


def homography(random: np.random.Generator, height: int, width: int) -> Any:
    """Return a matrix (3, 3) whose divisor stays positive inside the image."""
    last = [
        float(random.choice([0.0, 0.25, 0.5])) / width,
        float(random.choice([0.0, 0.25, 0.5])) / height,
        1.0,
    ]
    return np.vstack([matrix(random, height, width), last])


def points(random: np.random.Generator, height: int, width: int) -> Any:
    """Return coordinates (row, column) of every pixel under a matrix, (2, height, width)."""
    moved = matrix(random, height, width)
    rows, columns = np.mgrid[:height, :width].astype(np.float64)
    x = moved[0, 0] * columns + moved[0, 1] * rows + moved[0, 2]
    y = moved[1, 0] * columns + moved[1, 1] * rows + moved[1, 2]
    return np.stack([y, x])


def turned(mapping: Any) -> Any:
    """Return a matrix for (row, column) of one for (x, y)."""
    (a, b, c), (d, e, f) = mapping
    return np.array([[e, d], [b, a]]), np.array([f, c])


def _cv2_matrix(random: np.random.Generator, height: int, width: int) -> dict[str, Any]:
    return {"M": matrix(random, height, width), "dsize": (width, height)}


def _cv2_homography(random: np.random.Generator, height: int, width: int) -> dict[str, Any]:
    return {"M": homography(random, height, width), "dsize": (width, height)}


def _cv2_maps(random: np.random.Generator, height: int, width: int) -> dict[str, Any]:
    y, x = points(random, height, width).astype(np.float32)
    return {"map1": x, "map2": y}


def _homogeneous(random: np.random.Generator, height: int, width: int) -> dict[str, Any]:
    if random.random() < 0.5:
        return {"inverse_map": np.vstack([matrix(random, height, width), [0.0, 0.0, 1.0]])}
    return {"inverse_map": homography(random, height, width)}


def _angle(random: np.random.Generator, height: int, width: int) -> dict[str, Any]:
    return {"angle": angle(random)}


def _angle_and_center(random: np.random.Generator, height: int, width: int) -> dict[str, Any]:
    return {"angle": angle(random), "center": np.array(center(random, height, width))}


def _ndimage_matrix(random: np.random.Generator, height: int, width: int) -> dict[str, Any]:
    linear, offset = turned(matrix(random, height, width))
    return {"matrix": linear, "offset": offset}


def _ndimage_points(random: np.random.Generator, height: int, width: int) -> dict[str, Any]:
    return {"coordinates": points(random, height, width)}


def _ndimage_shift(random: np.random.Generator, height: int, width: int) -> dict[str, Any]:
    return {"shift": np.array([shift(random, height), shift(random, width)])}


def _swirl(random: np.random.Generator, height: int, width: int) -> dict[str, Any]:
    return {
        "center": np.array(center(random, height, width)),
        "strength": float(random.choice([0.0, 1.0, 3.0, 10.0])),
        "radius": float(random.integers(1, max(height, width))),
        "rotation": float(np.deg2rad(angle(random))),
    }


def _polar(random: np.random.Generator, height: int, width: int) -> dict[str, Any]:
    x, y = center(random, height, width)
    return {"center": np.array([y, x]), "radius": float(random.integers(2, max(height, width)))}


def _radians(random: np.random.Generator, height: int, width: int) -> dict[str, Any]:
    return {"angles": float(np.deg2rad(angle(random)))}


def _flat_matrix(random: np.random.Generator, height: int, width: int) -> dict[str, Any]:
    return {"transforms": homography(random, height, width).ravel()[:8].astype(np.float32)}


_CV2 = tuple(
    {"flags": flags, "borderMode": border, "_dtype": dtype, "_channels": channels}
    for flags, border, dtype, channels in (
        (1, 0, "uint8", 3),
        (0, 0, "uint8", None),
        (1, 0, "float32", None),
        (2, 0, "float32", None),
        (1, 4, "uint8", 3),
        (1, 0, "uint8", 3),
        (17, 0, "uint8", 3),
        (0, 1, "uint8", 3),
        (2, 2, "uint8", None),
        (1, 0, "float32", 3),
        (0, 0, "uint8", 3),
        (4, 0, "uint8", None),
    )
)
_NDIMAGE = tuple(
    {"order": order, "mode": mode, "_dtype": dtype}
    for order, mode, dtype in (
        (3, "constant", "float64"),
        (3, "nearest", "float64"),
        (1, "constant", "float64"),
        (3, "reflect", "float32"),
        (0, "nearest", "uint8"),
        (3, "constant", "float32"),
        (1, "mirror", "uint8"),
        (3, "grid-wrap", "float64"),
        (5, "constant", "float64"),
        (2, "grid-constant", "float64"),
        (3, "constant", "float64"),
        (1, "nearest", "float32"),
    )
)
_SKIMAGE = tuple(
    {"order": order, "mode": mode, "_dtype": dtype, "_channels": channels}
    for order, mode, dtype, channels in (
        (3, "constant", "float64", None),
        (1, "constant", "uint8", 3),
        (1, "edge", "float32", 3),
        (0, "constant", "uint8", 3),
        (1, "reflect", "float64", None),
        (1, "constant", "float32", 3),
        (3, "symmetric", "float64", None),
        (1, "wrap", "float64", None),
        (2, "edge", "float64", None),
        (1, "constant", "uint8", 3),
        (1, "symmetric", "uint8", 3),
        (3, "constant", "float32", None),
    )
)
_REMAP = tuple(
    {("interpolation" if name == "flags" else name): value for name, value in form.items()}
    for form in _CV2
    if form["flags"] != 17
)
_TFA = tuple(
    {"interpolation": interpolation, "fill_mode": mode, "_dtype": dtype, "_channels": channels}
    for interpolation, mode, dtype, channels in (
        ("nearest", "constant", "uint8", 3),
        ("bilinear", "constant", "float32", 3),
        ("nearest", "reflect", "float32", 3),
        ("nearest", "wrap", "uint8", None),
        ("bilinear", "nearest", "float32", None),
        ("bilinear", "constant", "uint8", 3),
        ("nearest", "nearest", "float32", 3),
        ("bilinear", "reflect", "float32", 3),
    )
)
_PIL = tuple(
    {"resample": resample, "_dtype": "uint8", "_channels": channels}
    for resample, channels in ((0, 3), (2, 3), (3, None), (2, None), (0, None), (3, 3))
)

WARPS: dict[str, Warp] = {
    "pipeport.cv2.warpAffine": Warp(_cv2_matrix, _CV2, "src"),
    # From output to input: the inverse of these matrices sends pixels to infinity, to where rounding decides.
    "pipeport.cv2.warpPerspective": Warp(
        _cv2_homography, tuple({**form, "flags": form["flags"] | 16} for form in _CV2), "src"
    ),
    "pipeport.cv2.remap": Warp(_cv2_maps, _REMAP, "src"),
    "pipeport.skimage.transform.rotate": Warp(_angle, _SKIMAGE, tensors={"angle": "float64"}),
    "pipeport.skimage.transform.warp": Warp(_homogeneous, _SKIMAGE),
    "pipeport.skimage.transform.swirl": Warp(
        _swirl, _SKIMAGE, tensors=dict.fromkeys(("strength", "radius", "rotation"), "float64")
    ),
    "pipeport.skimage.transform.warp_polar": Warp(
        _polar,
        tuple(
            {"output_shape": (90, 40), "channel_axis": None if form["_channels"] is None else -1, **form}
            for form in _SKIMAGE
        ),
        tensors={"radius": "float64"},
    ),
    "pipeport.scipy.ndimage.rotate": Warp(
        _angle, tuple({"reshape": False, **form} for form in _NDIMAGE), "input", {"angle": "float64"}
    ),
    "pipeport.scipy.ndimage.affine_transform": Warp(_ndimage_matrix, _NDIMAGE, "input"),
    "pipeport.scipy.ndimage.map_coordinates": Warp(_ndimage_points, _NDIMAGE, "input"),
    "pipeport.scipy.ndimage.shift": Warp(_ndimage_shift, _NDIMAGE, "input"),
    "pipeport.PIL.Image.rotate": Warp(_angle, _PIL, tensors={"angle": "float64"}),
    "pipeport.tensorflow_addons.image.rotate": Warp(_radians, _TFA, "images", {"angles": "float32"}),
    "pipeport.tensorflow_addons.image.transform": Warp(_flat_matrix, _TFA, "images"),
    "pipeport.idioms.rotate_volume": Warp(
        _angle,
        tuple(
            {"order": form["order"], "mode": form["mode"], "_channels": 4, "_dtype": "float32"}
            for form in _NDIMAGE
        ),
        "volume",
        {"angle": "float64"},
        SIZES[:-2],
    ),
}
