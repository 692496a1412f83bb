"""`cv2.applyColorMap`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport import config
from pipeport._lazy import tf
from pipeport.contract import Exact, Image, OneOf, batchable, replaces
from pipeport.cv2 import _constants as constants
from pipeport.cv2 import _images
from pipeport.cv2._cvt_color import grey_levels
from pipeport.cv2._per_pixel import per_pixel
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor
from pipeport.kernels.opencv._colour_maps import COUNT, LEVELS, colour_maps


def _table_of(colormap: Any) -> Any:
    """Return a colour map as a tensor (256, 1) or (256, 3)."""
    if not tf.is_tensor(colormap) and np.ndim(colormap) == 0:
        number = _images.whole_number(colormap, "colormap", default=-1)
        if not 0 <= number < COUNT:
            advice = "For instance cv2.COLORMAP_JET; or give 256 colours, (256, 1, 3)."
            raise OutsideDomain(explain("colormap", number, f"0 to {COUNT - 1}", advice))
        return tf.constant(colour_maps()[number])
    table = as_tensor(colormap, "colormap")
    _checks.dtype_among(table, ("uint8",), "colormap")
    plain: list[tuple[int, ...]] = [(LEVELS,)] if config.opencv() == 4 else []
    shapes = [*plain, (LEVELS, 1), (LEVELS, 1, 1), (LEVELS, 1, 3)]
    if not table.shape.is_fully_defined() or tuple(table.shape) not in shapes:
        allowed = " or ".join(map(str, shapes))
        raise OutsideDomain(explain("colormap", f"shape {table.shape}", allowed, "Reshape it."))
    return tf.reshape(table, [LEVELS, table.shape[2] if table.shape.rank == 3 else 1])


def _coloured(columns: int) -> Callable[[Any, Any], Any]:
    def coloured(grey: Any, table: Any) -> Any:
        """Return the entries of a table (256 * C,) for grey levels (..., 1): (..., C)."""
        return tf.gather(table, tf.cast(grey, tf.int32) * columns + tf.range(columns))

    return coloured


@replaces(
    "cv2.applyColorMap",
    domain={
        "src": Image(dtypes=("uint8",), channels=(None, 1, 3)),
        # Maps of one's own, which the binding takes by position alone, are in tests/cv2.
        "colormap": OneOf(*range(COUNT), typical=constants.COLORMAP_JET),
    },
    agreement=Exact(),
    refused={"dst": "tensors are not written in place"},
)
@batchable
def applyColorMap(batch_axes: int, src: Any, colormap: Any, dst: Any = None) -> Any:
    """Show grey levels in the colours of a map.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W), (H, W, 1) or (H, W, 3), uint8
        The image; of blue, green and red the grey levels are taken. H and W may be unknown while tracing.
    colormap : int or array_like of uint8, shape (256, 1), (256, 1, 1) or (256, 1, 3)
        As ``cv2.COLORMAP_JET``, of which there are 22; or what each level becomes, which the reference takes
        by position alone.

    Returns
    -------
    tf.Tensor, shape (H, W, 3), uint8
        Blue, green and red; (H, W) of a map of one channel.

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank, dtype or number of channels; there is no map of that number,
        or it has another shape or dtype.
    UnsupportedArgument
        `dst` is given; rank or channels are unknown while tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement: bit for bit. A map of shape (256,) is served as OpenCV 4 does it; version 5 refuses it.
    Graph: one program; where sizes are unknown, one per bucket of sizes. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.applyColorMap(tf.constant([[0, 255]], tf.uint8), cv2.COLORMAP_JET).numpy().tolist()
    [[[128, 0, 0], [0, 0, 128]]]
    """
    _images.refuse_dst(dst)
    x = _images.as_images(src, batch_axes)
    _checks.dtype_among(x, ("uint8",), "src")
    if x.shape[3] not in (1, 3):
        raise OutsideDomain(explain("src", f"{x.shape[3]} channels", "1 or 3", "Drop the others."))
    table = _table_of(colormap)
    grey = grey_levels(x) if x.shape[3] == 3 else x
    found = per_pixel(_coloured, table.shape[1], images=[grey], numbers=(tf.reshape(table, [-1]),))
    return _images.as_result(found, batch_axes)
