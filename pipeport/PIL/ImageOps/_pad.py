"""pad."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport.contract import Difference, Exact, Image, Integer, OneOf, PerAxis, batchable, replaces
from pipeport.kernels.pillow import _image as core
from pipeport.kernels.pillow._filters import BICUBIC
from pipeport.PIL.Image._image import applied
from pipeport.PIL.Image._resize import is_summed


def _named_color(arguments: Mapping[str, Any]) -> bool:
    return isinstance(arguments.get("color"), str)


@replaces(
    "PIL.ImageOps.pad",
    domain={
        "image": Image(dtypes=("bool", "uint8", "uint16", "int32", "float32"), channels=(None, 3, 4)),
        "size": PerAxis(spec=Integer(1, 16), count=2, single=False, typical=(224, 160)),
        "method": OneOf(0, 1, 2, 3, 4, 5),
        "color": OneOf(None, 0, 7, 300),
        "centering": OneOf((0.5, 0.5), (0.0, 1.0), (0.3, 0.8), (2.0, -1.0)),
    },
    agreement=Exact(),
    reference_call="pipeport.references.pil.on_image",
    compared=("pipeport.references.pil.unchanged", "pipeport.references.pil.pixels"),
    valid=is_summed,
    differences=(
        Difference(
            "The name of a colour is refused; Pillow looks its numbers up.",
            witness=lambda: {"image": np.ones((3, 4), np.uint8), "size": (4, 9), "color": "red"},
            applies=_named_color,
        ),
    ),
)
@batchable
def pad(
    batch_axes: int,
    image: Any,
    size: Any,
    method: int = BICUBIC,
    color: Any = None,
    centering: Any = (0.5, 0.5),
) -> Any:
    """Resize an image, keeping its aspect, and fill the rest of the wanted size.

    Parameters
    ----------
    image : array_like or Image, shape (H, W), (H, W, 3) or (H, W, 4)
        uint8 (L, RGB, RGBA), or (H, W) of bool (1), uint16 (I;16), int32 (I) or float32 (F); other
        dtypes become one of these as in `pipeport.PIL.Image.fromarray`. H and W may be unknown while
        tracing.
    size : (int, int) or integer tensor of shape (2,)
        Width and height of the result.
    method : int, default BICUBIC
        The filter: NEAREST 0, LANCZOS 1, BILINEAR 2, BICUBIC 3, BOX 4, HAMMING 5, MKS2013 6
        and MKS2021 7, these two for uint8 and bool alone.
    color : int, float, tuple of int, optional
        Pixel beside the image: an integer (one band; for colours its bytes are the bands), a float
        for mode F, a tuple for colours. Zero when None.
    centering : (float, float), default (0.5, 0.5)
        Shares of the free room that lie left and above, drawn into [0, 1].

    Returns
    -------
    tf.Tensor or Image, as `image`, shape (height, width), and channels
        Of the mode's dtype.

    Raises
    ------
    OutsideDomain
        A negative size, or an empty image.
    UnsupportedArgument
        `method` is not one of the filters, `color` is a name, or `centering` is a tensor.
    WrongType
        Pillow has no mode for the array, a size is not an integer, or the colour does not suit the mode.
    tf.errors.InvalidArgumentError
        A size below 1, found out when the graph runs.

    Notes
    -----
    Agreement: bit for bit, but for the sign of a zero that is a sum of negative zeros.

    Graph: no Python at run time; compiled as `pipeport.PIL.Image.resize` is.

    Source: `ImageOps.pad` of Pillow 13.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.PIL import ImageOps
    >>> ImageOps.pad(tf.constant([[5]], tf.uint8), (3, 1)).numpy().tolist()
    [[0, 5, 0]]
    """
    return applied(image, lambda x, mode: core.pad(x, mode, size, method, color, centering), bool(batch_axes))
