"""`tensorflow_addons.image.translate_xy`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Difference, Exact, Point, batchable, replaces
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.addons import _maps
from pipeport.tensorflow_addons.image import _arguments
from pipeport.tensorflow_addons.image._filled import COLOUR, IMAGE, REPLACE, aliases_of, filled


def _replace_out_of_range() -> Difference:
    def beyond(arguments: Mapping[str, Any]) -> bool:
        dtype = np.asarray(arguments["image"]).dtype
        values = np.asarray(arguments["replace"], np.float64)
        if dtype.kind == "f" or not values.size:
            return False
        return not (np.iinfo(dtype).min <= values.min() and values.max() < np.iinfo(dtype).max + 1)

    return Difference(
        "A `replace` beyond the range of integer images saturates; in the reference the processor "
        "decides, and most wrap it around.",
        witness=lambda: {"image": COLOUR.astype(np.uint8), **_FAR, "replace": 300.0},
        applies=beyond,
        only={"image": "biu"},
    )


_FAR: dict[str, Any] = {"translate_to": (5.0, 0.0)}


@replaces(
    "tensorflow_addons.image.translate_xy",
    domain={
        "image": IMAGE,
        "translate_to": Point(low=-20.0, high=20.0, typical=(10.0, -5.5), tensor=True, per_element=True),
        "replace": REPLACE,
    },
    agreement=Exact(),
    aliases=aliases_of("translate_ops", "translate_xy"),
    differences=(
        _arguments.not_finite(
            "translate_to", {"image": COLOUR, "translate_to": (float("nan"), 0.0), "replace": 0.0}
        ),
        _replace_out_of_range(),
    ),
)
@batchable
def translate_xy(batch_axes: int, image: Any, translate_to: Any, replace: Any) -> Any:
    """Move a colour image by whole pixels and fill what becomes free.

    Parameters
    ----------
    image : tf.Tensor, shape (H, W, 3), uint8, int32, int64 or floats
        H and W may be unknown while tracing.
    translate_to : sequence or tensor of shape (2,)
        (dx, dy): columns to the right, rows down; rounded to the nearest pixel. Finite.
    replace : number, or sequence or tensor of shape (3,)
        Fill of all channels or of each; truncated for integer images.

    Returns
    -------
    tf.Tensor, shape and dtype of `image`
        The moved image.

    Raises
    ------
    WrongType
        A dtype the reference refuses too, or arguments that are not numbers.
    OutsideDomain
        The image is empty or not of shape (H, W, 3); `translate_to` has less than two numbers or
        one that is NaN or infinite; `replace` has neither one number nor three.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Its documentation allows `replace` of shape (1,), but the reference fails on it, as this does.

    Agreement: bit for bit. The reference warps a fourth channel of ones along to know what
    became free; here the kernel fills it.

    Graph: compiled with XLA when traced (`pipeport.config`). Static shape is kept.

    Source: `tensorflow_addons/image/translate_ops.py` 0.23.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.tensorflow_addons.image import translate_xy
    >>> translate_xy(tf.ones([1, 2, 3]), [1, 0], [7, 8, 9])[0].numpy().tolist()
    [[7.0, 8.0, 9.0], [1.0, 1.0, 1.0]]
    """
    each = batch_axes > 0
    return filled(_maps.by_offset, image, _vector(translate_to, each), replace, "translate_xy", leading=each)


def _vector(value: Any, batch: bool = False) -> Any:
    offsets = _arguments.float32_of(value, "translate_to")
    if batch and offsets.shape.rank == 1:
        batch = False
    size = offsets.shape[-1] if offsets.shape.rank == 1 + batch else 0
    if size is not None and size < 2:
        allowed = "shape (2,), or (B, 2) in a batch"
        raise OutsideDomain(explain("translate_to", f"shape {offsets.shape}", allowed, "Give (dx, dy)."))
    offsets = tf.ensure_shape(offsets[..., :2], [None, 2] if batch else [2])
    return offsets if batch else offsets[tf.newaxis]
