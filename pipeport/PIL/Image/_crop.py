"""crop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport.contract import Difference, Exact, Image, OneOf, batchable, replaces
from pipeport.kernels.pillow import _image as core
from pipeport.PIL.Image._image import applied
from pipeport.PIL.Image._resize import is_image


def _other_count(arguments: Mapping[str, Any]) -> bool:
    box = arguments.get("box")
    return box is not None and len(box) != 4


@replaces(
    "PIL.Image.Image.crop",
    domain={
        "image": Image(dtypes=("bool", "uint8", "uint16", "int32", "float32"), channels=(None, 3, 4)),
        "box": OneOf(
            None,
            (0, 0, 2, 2),
            (1, 2, 3, 3),
            (-2, -1, 4, 3),
            (0.5, 1.5, 6.49, 2.5),
            (1, 1, 1, 3),
            (30, 20, 33, 22),
            (-9, -9, -4, -6),
            (3, 0, 1, 2),
            typical=(16, 16, 240, 240),
        ),
    },
    agreement=Exact(),
    kind="method",
    reference_call="pipeport.references.pil.on_image",
    compared=("pipeport.references.pil.unchanged", "pipeport.references.pil.pixels"),
    valid=is_image,
    differences=(
        Difference(
            "A `box` without exactly four entries is a TypeError; Pillow raises IndexError or ValueError.",
            witness=lambda: {"image": np.ones((3, 4), np.uint8), "box": (0, 0, 2)},
            applies=_other_count,
        ),
    ),
)
@batchable
def crop(batch_axes: int, image: Any, box: Any = None) -> Any:
    """Cut a rectangle out of an image.

    Native equivalent of `PIL.Image.Image.crop`, whose images are given here as arrays.

    Parameters
    ----------
    image : array_like or Image, shape (H, W), (H, W, 3) or (H, W, 4)
        uint8 (L, RGB, RGBA), or (H, W) of bool (1), uint16 (I;16), int32 (I) or float32 (F); other
        dtypes become one of these as in `fromarray`. H and W may be unknown while tracing.
    box : (float, float, float, float), optional
        Corners (left, upper, right, lower), rounded half to even; the whole image when None. It may
        reach beyond the image, where pixels are zero. With tensors for corners the output's size is
        a run-time value.

    Returns
    -------
    tf.Tensor or Image, as `image`, shape (lower - upper, right - left), and channels
        Of the mode's dtype.

    Raises
    ------
    OutsideDomain
        Right is left of left, lower above upper, a corner is not finite, or the result is too large.
    WrongType
        Pillow has no mode for the array, or `box` is not four numbers.
    tf.errors.InvalidArgumentError
        Corners out of order, found out when the graph runs.

    Notes
    -----
    Agreement: bit for bit.

    Graph: no Python at run time.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.PIL import Image
    >>> Image.crop(tf.constant([[1, 2], [3, 4]], tf.uint8), (1, 0, 3, 2)).numpy().tolist()
    [[2, 0], [4, 0]]
    """
    return applied(image, lambda x, mode: core.crop(x, mode, box), bool(batch_axes))
