"""expand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport.contract import Difference, Exact, Image, OneOf, batchable, replaces
from pipeport.kernels.pillow import _image as core
from pipeport.PIL.Image._image import applied
from pipeport.PIL.Image._resize import is_image


def _named_color(arguments: Mapping[str, Any]) -> bool:
    return isinstance(arguments.get("fill"), str)


def _valid(arguments: Mapping[str, Any]) -> bool:
    """Exclude calls with two errors, because either may be reported."""
    border, fill = arguments.get("border", 0), arguments.get("fill", 0)
    cuts = min(border if isinstance(border, tuple) else (border,)) < 0
    return is_image(arguments) and not (cuts and not isinstance(fill, int))


@replaces(
    "PIL.ImageOps.expand",
    domain={
        "image": Image(dtypes=("bool", "uint8", "uint16", "int32", "float32"), channels=(None, 3, 4)),
        "border": OneOf(
            0, 1, 5, (2, 3), (1, 0, 4, 2), (-1, 2, 1, 0), (-1, -1, 0, 0), -1, -3, (1, 2, 3), 1.5, typical=16
        ),
        "fill": OneOf(0, 7, 300, -5, (9, 8, 7), (1, 2, 3, 4), (9,), 0.5, None),
    },
    agreement=Exact(),
    reference_call="pipeport.references.pil.on_image",
    compared=("pipeport.references.pil.unchanged", "pipeport.references.pil.pixels"),
    valid=_valid,
    differences=(
        Difference(
            "The name of a colour is refused; Pillow looks its numbers up.",
            witness=lambda: {"image": np.ones((3, 4), np.uint8), "border": 1, "fill": "red"},
            applies=_named_color,
        ),
    ),
)
@batchable
def expand(batch_axes: int, image: Any, border: Any = 0, fill: Any = 0) -> Any:
    """Add a border to an image.

    Parameters
    ----------
    image : array_like or Image, shape (H, W), (H, W, 3) or (H, W, 4)
        uint8 (L, RGB, RGBA), or (H, W) of bool (1), uint16 (I;16), int32 (I) or float32 (F); other
        dtypes become one of these as in `pipeport.PIL.Image.fromarray`. H and W may be unknown while
        tracing.
    border : int, (int, int) or (int, int, int, int), default 0
        Pixels on every side; (left and right, top and bottom); or (left, top, right, bottom).
        Negative numbers cut off.
    fill : int, float or tuple of int, default 0
        The border's pixel: an integer (one band; for colours its bytes are the bands), a float for
        mode F, a tuple for colours; None is zero.

    Returns
    -------
    tf.Tensor or Image, as `image`, shape (H + top + bottom, W + left + right), and channels
        Of the mode's dtype.

    Raises
    ------
    OutsideDomain
        More is cut off than there is.
    UnsupportedArgument
        `border` is a tuple of another length or holds tensors, or `fill` is a name.
    WrongType
        Pillow has no mode for the array, `border` is not an integer, or `fill` does not suit the mode.
    tf.errors.InvalidArgumentError
        More is cut off than there is, found out when the graph runs.

    Notes
    -----
    Agreement: bit for bit.

    Graph: no Python at run time.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.PIL import ImageOps
    >>> ImageOps.expand(tf.constant([[1]], tf.uint8), (1, 0), 9).numpy().tolist()
    [[9, 1, 9]]
    """
    return applied(image, lambda x, mode: core.expand(x, mode, border, fill), bool(batch_axes))
