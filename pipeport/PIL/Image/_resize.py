"""resize."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport.contract import Difference, Exact, Image, Integer, OneOf, PerAxis, Stock, batchable, replaces
from pipeport.kernels.pillow import _image as core
from pipeport.kernels.pillow._filters import MKS2013, MKS2021
from pipeport.PIL.Image._image import applied


def is_image(arguments: Mapping[str, Any]) -> bool:
    """Whether Pillow has a mode for the array."""
    image = arguments["image"]
    return np.ndim(image) == 2 or np.asarray(image).dtype == np.uint8


def is_summed(arguments: Mapping[str, Any]) -> bool:
    """As `is_image`, without negative zeros: a sum of them may have either sign."""
    image = np.asarray(arguments["image"])
    zeros = image.dtype.kind == "f" and bool((np.signbit(image) & (image == 0)).any())
    return is_image(arguments) and not zeros


def _wide_by_mks(arguments: Mapping[str, Any]) -> bool:
    bytes_alone = np.asarray(arguments["image"]).dtype in (np.bool_, np.uint8)
    return not bytes_alone and arguments.get("resample") in (MKS2013, MKS2021)


@replaces(
    "PIL.Image.Image.resize",
    domain={
        "image": Image(
            dtypes=("bool", "uint8", "uint16", "int32", "float32", "float64"), channels=(None, 3, 4)
        ),
        "size": PerAxis(spec=Integer(1, 24), count=2, single=False, typical=(224, 224)),
        "resample": OneOf(None, 0, 1, 2, 3, 4, 5, 6, 7),
        "box": OneOf(None, (0, 0, 1, 1), (0.25, 0.5, 1.0, 0.75), (0.5, 0.125, 2.5, 1.9), (0, 0, 40, 40)),
    },
    refused={"reducing_gap": "it approximates what is computed here, in order to save time"},
    agreement=Exact(),
    kind="method",
    reference_call="pipeport.references.pil.on_image",
    compared=("pipeport.references.pil.unchanged", "pipeport.references.pil.pixels"),
    valid=is_summed,
    differences=(
        Difference(
            "MKS2013 and MKS2021 are refused for images of other dtypes than uint8 and bool: their sums are "
            "not matched to the last bit.",
            witness=lambda: {"image": np.ones((3, 4), np.int32), "size": (2, 2), "resample": MKS2021},
            applies=_wide_by_mks,
        ),
    ),
    stock=Stock(
        "tf.image.resize",
        "float32 results, other weights at borders and when shrinking, no rounding between passes",
        "pipeport.references.pil.stock_resize",
    ),
)
@batchable
def resize(
    batch_axes: int,
    image: Any,
    size: Any,
    resample: int | None = None,
    box: Any = None,
    reducing_gap: float | None = None,
) -> Any:
    """Resize an image.

    Native equivalent of `PIL.Image.Image.resize`, whose images are given here as arrays.

    Parameters
    ----------
    image : array_like or Image, shape (H, W), (H, W, 3) or (H, W, 4)
        uint8 (L, RGB, RGBA), or (H, W) of bool (1), uint16 (I;16), int32 (I) or float32 (F); other
        dtypes become one of these as in `pipeport.PIL.Image.fromarray`. H and W may be unknown while
        tracing.
    size : (int, int) or integer tensor of shape (2,)
        Width and height of the result.
    resample : int, optional
        NEAREST 0, LANCZOS 1, BILINEAR 2, BICUBIC 3 (when None), BOX 4, HAMMING 5, MKS2013 6
        and MKS2021 7, these two for uint8 and bool alone. Images of mode 1 are always resized to the nearest
        pixel.
    box : (float, float, float, float), optional
        The part (left, upper, right, lower) of the image to resize; all of it when None. It may be a
        tensor, or hold tensors.
    reducing_gap : None
        Refused otherwise: it approximates what is computed here, in order to save time.

    Returns
    -------
    tf.Tensor or Image, as `image`, shape (height, width) or (height, width, C)
        Of the mode's dtype.

    Raises
    ------
    OutsideDomain
        A size below 1, a box that does not lie within the image, or an empty image.
    UnsupportedArgument
        `resample` is not one of the filters, or MKS2013 or MKS2021 for another dtype than uint8 and bool, or
        `reducing_gap` is given.
    WrongType
        Pillow has no mode for the array, or a size is not an integer.
    tf.errors.InvalidArgumentError
        A wrong size or box, found out when the graph runs.

    Notes
    -----
    Difference: MKS2013 and MKS2021 are refused for images of other dtypes than uint8 and bool: their sums are
    not matched to the last bit.

    Agreement: bit for bit, 8-bit rounding between the two passes and the order of the passes included;
    not the sign of a zero that is a sum of negative zeros.

    Graph: no Python at run time. With known sizes each pass is compiled with XLA (see
    `pipeport.config`) and reads coefficients computed while tracing. Bytes of unknown sizes are padded
    to a few sizes, each compiled once: a dataset of photographs meets about four.

    Source: `Image.resize` of Pillow 13 and `libImaging/Resample.c`.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.PIL import Image
    >>> Image.resize(tf.constant([[0, 100], [200, 255]], tf.uint8), (1, 1), Image.BOX).numpy().tolist()
    [[139]]
    """
    return applied(
        image, lambda x, mode: core.resize(x, mode, size, resample, box, reducing_gap), bool(batch_axes)
    )
