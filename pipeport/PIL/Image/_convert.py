"""convert."""

from __future__ import annotations

from typing import Any

from pipeport.contract import Exact, OneOf, Stock, batchable, replaces
from pipeport.contract import Image as ImageSpec
from pipeport.kernels.pillow._modes import as_pixels, converted, known_mode
from pipeport.PIL.Image._image import Image, as_array, refuse_conversion_options
from pipeport.PIL.Image._resize import is_image


@replaces(
    "PIL.Image.Image.convert",
    domain={
        "image": ImageSpec(dtypes=("bool", "uint8"), channels=(None, 3, 4)),
        "mode": OneOf("L", "RGB", "RGBA", typical="L"),
    },
    refused={
        "matrix": "a matrix multiplication is tf.tensordot",
        "dither": "it belongs to modes that are not served",
        "palette": "it belongs to modes that are not served",
        "colors": "it belongs to modes that are not served",
    },
    agreement=Exact(),
    kind="method",
    reference_call="pipeport.references.pil.on_image",
    compared=("pipeport.references.pil.unchanged", "pipeport.references.pil.pixels"),
    valid=lambda arguments: (
        is_image(arguments) and (arguments["image"].ndim == 2 or arguments["image"].dtype != bool)
    ),
    stock=Stock(
        "tf.image.rgb_to_grayscale",
        "other weights, truncated instead of rounded; it keeps an axis of one channel",
        "pipeport.references.pil.stock_grey",
    ),
)
@batchable
def convert(
    batch_axes: int,
    image: Any,
    mode: str | None = None,
    matrix: Any = None,
    dither: Any = None,
    palette: int = 0,
    colors: int = 256,
) -> Any:
    """Convert an image between black and white, grey, colour and colour with alpha.

    Native equivalent of `PIL.Image.Image.convert`, whose images are given here as arrays.

    Parameters
    ----------
    image : array_like or Image, shape (H, W), (H, W, 3) or (H, W, 4)
        uint8 (L, RGB, RGBA), or bool (1). H and W may be unknown while tracing.
    mode : {'L', 'RGB', 'RGBA'}, optional
        What to convert to; the image's own mode, whichever it is, gives a copy, and so does None.
    matrix : None
        Refused otherwise: a matrix multiplication is tf.tensordot.
    dither : None
        Refused otherwise: it belongs to modes that are not served.
    palette : 0
        Refused otherwise, as `dither`.
    colors : 256
        Refused otherwise, as `dither`.

    Returns
    -------
    tf.Tensor or Image, as `image`, shape (H, W), (H, W, 3) or (H, W, 4), uint8
        Grey is ``(19595 R + 38470 G + 7471 B + 32768) >> 16``, alpha 255; alpha is dropped, not applied.

    Raises
    ------
    UnsupportedArgument
        Another conversion, or an argument that is refused.
    WrongType
        Pillow has no mode for the array, or `mode` is not a string.

    Notes
    -----
    Agreement: bit for bit.

    Graph: a few integer operations, no Python at run time.

    Source: `libImaging/Convert.c` of Pillow 13.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.PIL import Image
    >>> Image.convert(tf.constant([[[255, 0, 0], [0, 255, 0]]], tf.uint8), "L").numpy().tolist()
    [[76, 150]]
    """
    if isinstance(image, Image):
        return image.convert(mode, matrix, dither, palette, colors)
    refuse_conversion_options(matrix, dither, palette, colors)
    found = _converted(image, mode, batch_axes > 0)
    return found if batch_axes else found[0]


def _converted(image: Any, mode: str | None, batched: bool) -> Any:
    pixels, own = as_pixels(image, "image", batched)
    target = own if mode is None else known_mode(mode)
    return as_array(converted(pixels, own, target), target)
