"""mirror and flip."""

from __future__ import annotations

from typing import Any

from pipeport.contract import Exact, Image, Stock, replaces, sibling, variant
from pipeport.kernels.pillow._transpose import transposed
from pipeport.PIL.Image._image import applied
from pipeport.PIL.Image._resize import is_image

_IMAGE = Image(dtypes=("bool", "uint8", "uint16", "int32", "float32"), channels=(None, 3, 4))


@replaces(
    "PIL.ImageOps.mirror",
    domain={"image": _IMAGE},
    agreement=Exact(),
    reference_call="pipeport.references.pil.on_image",
    compared=("pipeport.references.pil.unchanged", "pipeport.references.pil.pixels"),
    valid=is_image,
    stock=Stock(
        "tf.image.flip_left_right", "same; it takes no (H, W)", "pipeport.references.pil.stock_mirror"
    ),
)
@variant(0)
def mirror(method: int, batch_axes: int, image: Any) -> Any:
    """Mirror an image left to right.

    Parameters
    ----------
    image : array_like or Image, shape (H, W), (H, W, 3) or (H, W, 4)
        uint8 (L, RGB, RGBA), or (H, W) of bool (1), uint16 (I;16), int32 (I) or float32 (F); other
        dtypes become one of these as in `pipeport.PIL.Image.fromarray`. H and W may be unknown while
        tracing.

    Returns
    -------
    tf.Tensor or Image, as `image`, of its shape
        Of the mode's dtype.

    Raises
    ------
    WrongType
        Pillow has no mode for the array.

    Notes
    -----
    Agreement: bit for bit.

    Graph: one op, no Python at run time.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.PIL import ImageOps
    >>> ImageOps.mirror(tf.constant([[1, 2], [3, 4]], tf.uint8)).numpy().tolist()
    [[2, 1], [4, 3]]
    """
    return applied(image, lambda x, _: transposed(x, method), batch_axes > 0)


flip = sibling(
    mirror,
    "flip",
    1,
    {
        "Mirror an image left to right.": "Flip an image top to bottom.",
        "[[2, 1], [4, 3]]": "[[3, 4], [1, 2]]",
    },
    stock=Stock("tf.image.flip_up_down", "same; it takes no (H, W)", "pipeport.references.pil.stock_flip"),
)
