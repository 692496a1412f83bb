"""Where Keras' geometric functions are discontinuous: SciPy's results at moved coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport.references import discontinuities_ndimage

Array = np.ndarray[Any, Any]


def apply_affine_transform(
    x: Any,
    theta: Any = 0,
    tx: Any = 0,
    ty: Any = 0,
    shear: Any = 0,
    zx: Any = 1,
    zy: Any = 1,
    row_axis: int = 1,
    col_axis: int = 2,
    channel_axis: int = 0,
    fill_mode: str = "nearest",
    cval: float = 0.0,
    order: int = 1,
) -> list[Array]:
    """Recompute Keras' `apply_affine_transform` at moved coordinates; parameters are the reference's."""
    x = np.asarray(x)
    if (theta, tx, ty, shear, zx, zy) == (0, 0, 0, 0, 1, 1):
        return [x]
    angle, lean = np.deg2rad(theta), np.deg2rad(shear)
    matrix = np.eye(3)
    for part in (
        [[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]],
        [[1, 0, tx], [0, 1, ty], [0, 0, 1]],
        [[1, -np.sin(lean), 0], [0, np.cos(lean), 0], [0, 0, 1]],
        [[zx, 0, 0], [0, zy, 0], [0, 0, 1]],
    ):
        matrix = matrix @ np.array(part)
    middle = np.array([x.shape[row_axis] / 2 - 0.5, x.shape[col_axis] / 2 - 0.5])
    linear = matrix[:2, :2]
    offset = matrix[:2, 2] + middle - linear @ middle
    if col_axis > row_axis:
        linear, offset = linear[::-1, ::-1], offset[::-1]
    members = [
        discontinuities_ndimage.affine_transform(
            channel, linear, offset, order=order, mode=fill_mode, cval=cval
        )
        for channel in np.moveaxis(x, channel_axis, 0)
    ]
    most = max(map(len, members))
    stacks = [np.stack([one[min(index, len(one) - 1)] for one in members]) for index in range(most)]
    return [np.moveaxis(one, 0, channel_axis) for one in stacks]
