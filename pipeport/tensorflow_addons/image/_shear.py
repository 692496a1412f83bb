"""`tensorflow_addons.image.shear_x` and `shear_y`."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.contract import Exact, Real, replaces, sibling, variant
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.addons import _maps
from pipeport.tensorflow_addons.image import _arguments
from pipeport.tensorflow_addons.image._filled import COLOUR, IMAGE, REPLACE, aliases_of, filled


@replaces(
    "tensorflow_addons.image.shear_x",
    domain={
        "image": IMAGE,
        "level": Real(-2.0, 2.0, typical=0.3, tensor=True, per_element=True),
        "replace": REPLACE,
    },
    agreement=Exact(),
    aliases=aliases_of("transform_ops", "shear_x"),
    differences=(_arguments.not_finite("level", {"image": COLOUR, "level": float("nan"), "replace": 0.0}),),
)
@variant(_maps.along_columns)
def shear_x(plan: _maps.Map, batch_axes: int, image: Any, level: Any, replace: Any) -> Any:
    """Shear a colour image along its rows.

    Parameters
    ----------
    image : tf.Tensor, shape (H, W, 3), uint8, int32, int64 or floats
        H and W may be unknown while tracing.
    level : float or scalar tensor
        Columns by which each row shows what lies further right than in the row above. Finite.
    replace : number, or sequence or tensor of shape (3,)
        Fill of all channels or of each; truncated for integer images.

    Returns
    -------
    tf.Tensor, shape and dtype of `image`
        The nearest pixels at (column + level * row, row).

    Raises
    ------
    WrongType
        A dtype the reference refuses too, or `replace` that is not made of numbers.
    OutsideDomain
        The image is empty or not of shape (H, W, 3); `level` is not one finite number;
        `replace` has neither one number nor three.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Agreement: bit for bit, for a `replace` that the image's dtype can hold: others saturate. Halves
    go away from zero.

    Graph: compiled with XLA when traced (`pipeport.config`). Static shape is kept.

    Source: `tensorflow_addons/image/transform_ops.py` 0.23.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.tensorflow_addons.image import shear_x
    >>> shear_x(tf.ones([2, 2, 3]), 1.0, 5)[..., 0].numpy().tolist()
    [[1.0, 1.0], [1.0, 5.0]]
    """
    return filled(plan, image, _level(level, batch_axes > 0), replace, "shear", leading=batch_axes > 0)


shear_y = sibling(
    shear_x,
    "shear_y",
    _maps.along_rows,
    {
        "rows.": "columns.",
        "Columns": "Rows",
        "row": "column",
        "right": "down",
        "column + level * row, row": "column, row + level * column",
        "above": "to its left",
    },
    aliases=aliases_of("transform_ops", "shear_y"),
)


def _level(value: Any, batch: bool = False) -> Any:
    try:
        level = _arguments.float32_of(value, "level")
    except WrongType as error:  # the reference packs it into a list, where a wrong type is a wrong value
        raise OutsideDomain(explain("level", repr(value), "one number", "Give a float.")) from error
    if level.shape.rank not in ((0, 1) if batch else (0,)):
        raise OutsideDomain(
            explain("level", f"shape {level.shape}", "a scalar", "For one per image use pipeport.batched.")
        )
    return tf.reshape(level, [-1])
