"""rotate."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import (
    Boolean,
    CannotServe,
    Degrees,
    Difference,
    Exact,
    Image,
    Maybe,
    OneOf,
    Point,
    batchable,
    replaces,
)
from pipeport.kernels.pillow import _image as core
from pipeport.kernels.pillow._filters import NEAREST
from pipeport.PIL.Image._image import applied
from pipeport.PIL.Image._resize import is_summed


def _not_finite(arguments: Mapping[str, Any]) -> bool:
    points = (arguments.get(name) for name in ("center", "translate"))
    values = [float(arguments["angle"]), *(float(v) for point in points if point is not None for v in point)]
    return not all(math.isfinite(value) for value in values)


def named_color(arguments: Mapping[str, Any]) -> bool:
    """Whether `fillcolor` is a name."""
    return isinstance(arguments.get("fillcolor"), str)


def _merely_turned(arguments: Mapping[str, Any]) -> bool:
    turned = float(arguments["angle"]) % 90 == 0 and not (
        arguments.get("center") or arguments.get("translate")
    )
    return bool(turned) and not _suits(np.asarray(arguments["image"]), arguments.get("fillcolor"))


def _suits(image: Any, color: Any) -> bool:
    """Whether a colour of the domain suits an image."""
    if isinstance(color, tuple):
        return bool(image.ndim == 3)
    return not isinstance(color, float) or bool(image.dtype.kind == "f")


def interpolates_16_bits(arguments: Mapping[str, Any]) -> bool:
    """Whether an image of 16 bits is interpolated."""
    return np.asarray(arguments["image"]).dtype == np.uint16 and arguments.get("resample", 0) != 0


def _expanded_by_tensor(arguments: Mapping[str, Any]) -> bool:
    return bool(arguments.get("expand")) and tf.is_tensor(arguments.get("angle"))


@replaces(
    "PIL.Image.Image.rotate",
    domain={
        "image": Image(dtypes=("bool", "uint8", "uint16", "int32", "float32"), channels=(None, 3, 4)),
        "angle": Degrees(-720.0, 720.0, typical=30.0, tensor=True, per_element=True),
        "resample": OneOf(0, 2, 3),
        "expand": Boolean(),
        "center": Maybe(spec=Point(low=-3.0, high=12.0)),
        "translate": Maybe(spec=Point(low=-4.0, high=4.0)),
        "fillcolor": OneOf(None, 0, 7, 300, (9, 8, 7), (1, 2, 3, 4), 0.5),
    },
    agreement=Exact(),
    kind="method",
    reference_call="pipeport.references.pil.on_image",
    compared=("pipeport.references.pil.unchanged", "pipeport.references.pil.pixels"),
    valid=is_summed,
    differences=(
        Difference(
            "A NaN or infinite `angle`, `center` or `translate` is refused; Pillow returns an "
            "arbitrary image.",
            witness=lambda: {"image": np.ones((3, 4), np.uint8), "angle": math.nan},
            applies=_not_finite,
        ),
        Difference(
            "The name of a colour is refused; Pillow looks its numbers up.",
            witness=lambda: {"image": np.ones((3, 4), np.uint8), "angle": 30.0, "fillcolor": "red"},
            applies=named_color,
        ),
        Difference(
            "A `fillcolor` that does not suit the image is refused at any angle; Pillow does not look at "
            "it where it merely turns pixels by right angles.",
            witness=lambda: {"image": np.ones((3, 4), np.uint8), "angle": 180.0, "fillcolor": (1, 2, 3)},
            applies=_merely_turned,
        ),
        Difference(
            "Interpolating uint16 images is refused; Pillow takes their first bytes for an image.",
            witness=lambda: {"image": np.ones((3, 4), np.uint16), "angle": 30.0, "resample": 2},
            applies=interpolates_16_bits,
        ),
    ),
    cannot_serve=(
        CannotServe(
            "xla",
            "with `expand` and a tensor `angle` the output size is a run-time value",
            witness=lambda: {"image": np.ones((4, 6), np.uint8), "angle": tf.constant(30.0), "expand": True},
            when=_expanded_by_tensor,
        ),
        CannotServe(
            "batched",
            "with `expand` and one angle per element the outputs differ in size",
            witness=lambda: {
                "image": np.ones((2, 4, 6), np.uint8),
                "angle": tf.constant([30.0, 45.0]),
                "expand": True,
            },
            when=_expanded_by_tensor,
        ),
    ),
)
@batchable
def rotate(
    batch_axes: int,
    image: Any,
    angle: Any,
    resample: int = NEAREST,
    expand: int | bool = False,
    center: Any = None,
    translate: Any = None,
    fillcolor: Any = None,
) -> Any:
    """Rotate an image counter-clockwise about a point.

    Native equivalent of `PIL.Image.Image.rotate`, whose images are given here as arrays.

    Parameters
    ----------
    image : array_like or Image, shape (H, W), (H, W, 3) or (H, W, 4)
        uint8 (L, RGB, RGBA), or (H, W) of bool (1), uint16 (I;16), int32 (I) or float32 (F); other
        dtypes become one of these as in `fromarray`. H and W may be unknown while tracing.
    angle : float or scalar tensor
        Degrees, finite.
    resample : int, default NEAREST
        NEAREST 0, BILINEAR 2 or BICUBIC 3. Mode 1 always takes the nearest pixel.
    expand : bool, default False
        Whether the output grows so that the whole rotated image fits. With a tensor `angle` or unknown
        sizes the output's size is a run-time value.
    center : (float, float), optional
        Centre of rotation (x, y); the middle ``(W / 2, H / 2)`` when None.
    translate : (float, float), optional
        How far (x, y) the result is moved after the rotation.
    fillcolor : int, float, tuple of int, optional
        Pixel outside the image: an integer (one band; for colours its bytes are the bands), a float for
        mode F, a tuple for colours. Zero when None.

    Returns
    -------
    tf.Tensor or Image, as `image`, of the image's shape (larger or smaller with `expand`)
        Of the mode's dtype.

    Raises
    ------
    OutsideDomain
        The image is empty, or `angle`, `center` or `translate` is not finite.
    UnsupportedArgument
        `resample` is none of the three, or is not NEAREST for a uint16 image, `fillcolor` is a name, or
        `expand` with one angle per element of a batch.
    WrongType
        Pillow has no mode for the array, or the colour does not suit the mode.
    tf.errors.InvalidArgumentError
        The angle is not finite, found out when the graph runs.

    Notes
    -----
    Agreement: bit for bit, but for the sign of a zero that is a sum of negative zeros.

    Graph: no Python at run time; compiled with XLA where sizes are known (see `pipeport.config`).

    Source: `Image.rotate` of Pillow 13 and `libImaging/Geometry.c`.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.PIL import Image
    >>> Image.rotate(tf.constant([[1, 2], [3, 4]], tf.uint8), 90).numpy().tolist()
    [[2, 4], [1, 3]]
    """
    return applied(
        image,
        lambda x, mode: core.rotate(
            x, mode, angle, resample, expand, center, translate, fillcolor, bool(batch_axes)
        ),
        bool(batch_axes),
    )
