"""fit."""

from __future__ import annotations

from typing import Any

from pipeport.contract import Image, Integer, OneOf, PerAxis, Within, WithinLevels, batchable, replaces
from pipeport.kernels.pillow import _image as core
from pipeport.kernels.pillow._filters import BICUBIC
from pipeport.PIL.Image._image import applied
from pipeport.PIL.Image._resize import is_summed


@replaces(
    "PIL.ImageOps.fit",
    domain={
        "image": Image(dtypes=("bool", "uint8", "uint16", "int32", "float32"), channels=(None, 3, 4)),
        "size": PerAxis(spec=Integer(0, 16), count=2, single=False, typical=(224, 160)),
        "method": OneOf(0, 1, 2, 3, 4, 5),
        "bleed": OneOf(0.0, 0.1, 0.3, 0.5, -1.0),
        "centering": OneOf((0.5, 0.5), (0.0, 1.0), (0.3, 0.8), (2.0, -1.0)),
    },
    agreement=WithinLevels(
        1, 0.001, Within(0.0, "the order in which the terms of a pixel are added is the reference's")
    ),
    reference_call="pipeport.references.pil.on_image",
    compared=("pipeport.references.pil.unchanged", "pipeport.references.pil.pixels"),
    valid=is_summed,
)
@batchable
def fit(
    batch_axes: int,
    image: Any,
    size: Any,
    method: int = BICUBIC,
    bleed: float = 0.0,
    centering: Any = (0.5, 0.5),
) -> Any:
    """Resize an image and crop it to the wanted aspect.

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
    bleed : float, default 0.0
        Share of each side that is cut off first, below 0.5; any other value counts as 0.
    centering : (float, float), default (0.5, 0.5)
        Shares in [0, 1] of what is cropped that lie left and above; any other value counts as 0.5.

    Returns
    -------
    tf.Tensor or Image, as `image`, shape (height, width), and channels
        Of the mode's dtype.

    Raises
    ------
    OutsideDomain
        A negative size, or an empty image.
    UnsupportedArgument
        `method` is not one of the filters, or `bleed` or `centering` is a tensor.
    WrongType
        Pillow has no mode for the array, or a size is not an integer.
    tf.errors.InvalidArgumentError
        A size below 1, found out when the graph runs.

    Notes
    -----
    Agreement: floats bit for bit, but for the sign of a zero that is a sum of negative zeros; integers
    too, but where a sum of 16 or 32 bits lies on a half, which another order of adding may round down.

    Graph: no Python at run time; compiled as `pipeport.PIL.Image.resize` is.

    Source: `ImageOps.fit` of Pillow 13.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.PIL import ImageOps
    >>> ImageOps.fit(tf.constant([[0, 10, 20, 30]], tf.uint8), (2, 1), centering=(1.0, 0.5)).shape
    TensorShape([1, 2])
    """
    return applied(image, lambda x, mode: core.fit(x, mode, size, method, bleed, centering), bool(batch_axes))
