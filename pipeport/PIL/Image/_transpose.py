"""transpose."""

from __future__ import annotations

from typing import Any

from pipeport.contract import Exact, Image, OneOf, batchable, replaces
from pipeport.kernels.pillow import _image as core
from pipeport.PIL.Image._image import applied
from pipeport.PIL.Image._resize import is_image


@replaces(
    "PIL.Image.Image.transpose",
    domain={
        "image": Image(dtypes=("bool", "uint8", "uint16", "int32", "float32"), channels=(None, 3, 4)),
        "method": OneOf(0, 1, 2, 3, 4, 5, 6, 7, typical=2),
    },
    agreement=Exact(),
    kind="method",
    reference_call="pipeport.references.pil.on_image",
    compared=("pipeport.references.pil.unchanged", "pipeport.references.pil.pixels"),
    valid=is_image,
)
@batchable
def transpose(batch_axes: int, image: Any, method: int) -> Any:
    """Flip an image, or turn it by a multiple of 90 degrees.

    Native equivalent of `PIL.Image.Image.transpose`, whose images are given here as arrays.

    Parameters
    ----------
    image : array_like or Image, shape (H, W), (H, W, 3) or (H, W, 4)
        uint8 (L, RGB, RGBA), or (H, W) of bool (1), uint16 (I;16), int32 (I) or float32 (F); other
        dtypes become one of these as in `fromarray`. H and W may be unknown while tracing.
    method : int
        FLIP_LEFT_RIGHT 0, FLIP_TOP_BOTTOM 1, ROTATE_90 2 (counter-clockwise), ROTATE_180 3,
        ROTATE_270 4, TRANSPOSE 5, TRANSVERSE 6.

    Returns
    -------
    tf.Tensor or Image, as `image`, shape (H, W) or (W, H), and channels
        Of the mode's dtype.

    Raises
    ------
    UnsupportedArgument
        `method` is none of the seven.
    WrongType
        Pillow has no mode for the array, or `method` is not an integer.

    Notes
    -----
    Agreement: bit for bit.

    Graph: no Python at run time; quarter turns of narrow dtypes are compiled with XLA.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.PIL import Image
    >>> Image.transpose(tf.constant([[1, 2], [3, 4]], tf.uint8), Image.TRANSVERSE).numpy().tolist()
    [[4, 2], [3, 1]]
    """
    return applied(image, lambda x, _: core.transpose(x, method), bool(batch_axes))
