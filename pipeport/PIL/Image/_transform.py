"""transform."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport.contract import Difference, Exact, Image, Integer, OneOf, PerAxis, Real, batchable, replaces
from pipeport.kernels.pillow import _image as core
from pipeport.kernels.pillow._affine import AFFINE
from pipeport.kernels.pillow._filters import NEAREST
from pipeport.PIL.Image._image import applied
from pipeport.PIL.Image._resize import is_summed
from pipeport.PIL.Image._rotate import interpolates_16_bits, named_color


def _call(**others: Any) -> dict[str, Any]:
    image = np.ones((3, 4), np.uint8)
    return {"image": image, "size": (2, 2), "method": AFFINE, "data": (1, 0, 0, 0, 1, 0), **others}


def _not_finite(arguments: Mapping[str, Any]) -> bool:
    return not np.isfinite(np.asarray(arguments["data"], np.float64)).all()


def _empty(arguments: Mapping[str, Any]) -> bool:
    return 0 in arguments["size"]


@replaces(
    "PIL.Image.Image.transform",
    domain={
        "image": Image(dtypes=("bool", "uint8", "uint16", "int32", "float32"), channels=(None, 3, 4)),
        "size": PerAxis(spec=Integer(1, 20), count=2, single=False, typical=(224, 224)),
        # Of EXTENT, which takes four numbers, the tests of natives draw.
        "method": OneOf(0, 2, 3),
        "data": PerAxis(
            spec=Real(-4.0, 8.0),
            count=8,
            single=False,
            tensor=True,
            per_element=True,
            element_rank=1,
            typical=(0.955, -0.296, 43.4, 0.296, 0.955, -31.9, 2e-4, -1e-4),
        ),
        "resample": OneOf(0, 2, 3),
        "fill": OneOf(1, 0),
        "fillcolor": OneOf(None, 0, 7, 300, (9, 8, 7), (1, 2, 3, 4), 0.5),
    },
    agreement=Exact(),
    kind="method",
    reference_call="pipeport.references.pil.on_image",
    compared=("pipeport.references.pil.unchanged", "pipeport.references.pil.pixels"),
    valid=is_summed,
    differences=(
        Difference(
            "NaN or infinite `data` is refused; Pillow returns an arbitrary image.",
            witness=lambda: _call(data=(math.nan,) * 6),
            applies=_not_finite,
        ),
        Difference(
            "The name of a colour is refused; Pillow looks its numbers up.",
            witness=lambda: _call(fillcolor="red"),
            applies=named_color,
        ),
        Difference(
            "Interpolating uint16 images is refused; Pillow takes their first bytes for an image.",
            witness=lambda: _call(image=np.ones((3, 4), np.uint16), resample=2),
            applies=interpolates_16_bits,
        ),
        Difference(
            "A size of zero is refused; Pillow makes an image without pixels.",
            witness=lambda: _call(size=(0, 2)),
            applies=_empty,
        ),
    ),
)
@batchable
def transform(
    batch_axes: int,
    image: Any,
    size: Any,
    method: int,
    data: Any = None,
    resample: int = NEAREST,
    fill: int = 1,
    fillcolor: Any = None,
) -> Any:
    """Sample an image through an affine, perspective or bilinear map of the plane.

    Native equivalent of `PIL.Image.Image.transform`, whose images are given here as arrays.

    Parameters
    ----------
    image : array_like or Image, shape (H, W), (H, W, 3) or (H, W, 4)
        uint8 (L, RGB, RGBA), or (H, W) of bool (1), uint16 (I;16), int32 (I) or float32 (F); other
        dtypes become one of these as in `fromarray`. H and W may be unknown while tracing.
    size : (int, int) or integer tensor of shape (2,)
        Width and height of the result, 1 or more.
    method : int
        AFFINE 0, EXTENT 1, PERSPECTIVE 2 or QUAD 3.
    data : sequence of numbers, or tensor of one axis
        Finite. AFFINE: (a, b, c, d, e, f), the point (x, y) of the result shows the point
        (a x + b y + c, d x + e y + f) of the image, and more numbers are not looked at. PERSPECTIVE: g and h
        besides, both coordinates divided by g x + h y + 1. EXTENT: (left, upper, right, lower), the rectangle
        that fills the result. QUAD: (x, y) of the corners that its upper left, lower left, lower right and
        upper right corners show.
    resample : int, default NEAREST
        NEAREST 0, BILINEAR 2 or BICUBIC 3. Mode 1 always takes the nearest pixel.
    fill : int, default 1
        Not used with these methods, by Pillow either.
    fillcolor : int, float, tuple of int, optional
        Pixel outside the image: an integer (one band; for colours its bytes are the bands), a float for
        mode F, a tuple for colours. Zero when None.

    Returns
    -------
    tf.Tensor or Image, as `image`, shape (height, width) or (height, width, C)
        Of the mode's dtype.

    Raises
    ------
    OutsideDomain
        The image is empty, a size below 1, or `data` is not finite.
    UnsupportedArgument
        `method` is MESH or an object; `resample` is none of the three, or is not NEAREST for a uint16 image;
        `fillcolor` is a name.
    WrongType
        Pillow has no mode for the array, the colour does not suit the mode, or `data` has too few numbers.
    tf.errors.InvalidArgumentError
        A wrong size, or numbers that are not finite, found out when the graph runs.

    Notes
    -----
    Agreement: bit for bit, but for the sign of a zero that is a sum of negative zeros: 16 bits of fraction
    for the nearest pixels of an affine map, steps that add up where it does not turn, and float64 elsewhere.

    Graph: no Python at run time; compiled with XLA where sizes are known (see `pipeport.config`).

    Source: `Image.transform` of Pillow 13 and `libImaging/Geometry.c`.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.PIL import Image
    >>> image = tf.constant([[1, 2], [3, 4]], tf.uint8)
    >>> Image.transform(image, (2, 2), Image.AFFINE, (1, 0, 1, 0, 1, 0)).numpy().tolist()
    [[2, 0], [4, 0]]
    """
    del fill
    return applied(
        image,
        lambda x, mode: core.transform(x, mode, size, method, data, resample, fillcolor, bool(batch_axes)),
        bool(batch_axes),
    )
