"""`cv2.warpPerspective`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport import config
from pipeport.contract import (
    Difference,
    Image,
    Integer,
    Matrix,
    PerAxis,
    batchable,
    replaces,
    told_like,
)
from pipeport.cv2 import _warps as warps
from pipeport.cv2._constants import (
    ALGO_HINT_DEFAULT,
    BORDER_CONSTANT,
    BORDER_REPLICATE,
    INTER_CUBIC,
    INTER_LINEAR,
    WARP_INVERSE_MAP,
)
from pipeport.cv2._warp_affine import warpAffine
from pipeport.kernels.opencv import _warp_maps as maps
from pipeport.kernels.opencv._warp_arguments import TYPICAL_PROJECTIVE, vouched_cubic, warped_by_matrix

# Beyond it OpenCV's integers overflow, and folding a coordinate takes it long.
_FARTHEST = 32767

_MAPS = (maps.projective, maps.inverse_projective)


def _valid(arguments: Mapping[str, Any]) -> bool:
    method = arguments.get("flags", INTER_LINEAR) & 7
    matrix = np.asarray(arguments["M"], np.float64)
    if method == INTER_CUBIC and not vouched_cubic(
        arguments["src"], arguments.get("borderMode", BORDER_CONSTANT)
    ):
        return False
    if not arguments.get("flags", INTER_LINEAR) & WARP_INVERSE_MAP:
        values = np.linalg.svd(matrix, compute_uv=False)
        if values[-1] <= 1e-4 * values[0]:
            return False
    columns, rows, depth = _points(arguments)
    with np.errstate(all="ignore"):
        far = np.maximum(np.abs(columns), np.abs(rows)) / np.abs(depth)
    return bool((far[depth != 0] < _FARTHEST).all())


def _points(arguments: Mapping[str, Any]) -> list[np.ndarray[Any, Any]]:
    """Return the homogeneous coordinates (column, row, depth) of every output pixel."""
    matrix: np.ndarray[Any, Any] = np.asarray(arguments["M"], np.float64)
    if not arguments.get("flags", INTER_LINEAR) & WARP_INVERSE_MAP:
        matrix = np.linalg.inv(matrix) if np.linalg.det(matrix) else np.zeros((3, 3))
    height, width = np.shape(arguments["src"])[:2]
    if arguments.get("dsize") is not None and min(arguments["dsize"]) > 0:
        width, height = arguments["dsize"]
    y, x = np.mgrid[:height, :width]
    return [np.asarray(a * x + b * y + c) for a, b, c in matrix]


def _meets_the_horizon(arguments: Mapping[str, Any]) -> bool:
    """Say whether OpenCV 5 divides by zero, or by zero up to rounding."""
    return config.opencv() >= 5 and bool((np.abs(_points(arguments)[2]) < 1e-3).any())


def _horizon() -> dict[str, Any]:
    matrix = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, -2.0]])
    image = np.arange(1, 64, dtype=np.float32).reshape(9, 7)
    flags = INTER_LINEAR | WARP_INVERSE_MAP
    return {"src": image, "M": matrix, "dsize": (6, 2), "flags": flags, "borderMode": BORDER_REPLICATE}


@replaces(
    "cv2.warpPerspective",
    domain={
        # Beside a pixel that is hit, one that is NaN counts or not by the last bit of a coordinate.
        "src": Image(
            dtypes=("uint8", "uint16", "int16", "float32", "float64"),
            channels=(None, 1, 2, 3, 4),
            non_finite=False,
        ),
        "M": Matrix(
            rows=3,
            columns=3,
            kind="projective",
            tensor=True,
            per_element=True,
            offset=(-6.0, 12.0),
            element_rank=2,
            typical=TYPICAL_PROJECTIVE,
        ),
        # Tensors are served, but not drawn: to judge static shapes verify would call OpenCV with other maps,
        # which `valid` does not see, and was not through after ten minutes. tests/natives has them.
        "dsize": PerAxis(spec=Integer(1, 20), count=2, single=False, typical=(256, 256)),
        "flags": warps.FLAGS,
        **warps.BORDERS,
    },
    agreement=warps.agreement("warp_perspective", coordinates_of="src"),
    refused=warps.REFUSED,
    proven_against=">=4.11,<5.1",
    valid=_valid,
    differences=(
        Difference(
            "Where OpenCV 5 divides by zero its result depends on neighbouring pixels; here such a point "
            "lies outside the image, before its first pixel.",
            witness=_horizon,
            applies=_meets_the_horizon,
            where="cv2>=5",
        ),
    ),
)
@batchable
@told_like(
    warpAffine,
    {
        "an affine": "a projective",
        "(2, 3)": "(3, 3)",
        "map of points": "map of homogeneous points",
        "coordinates beyond 32,767, where OpenCV's integers overflow;": "",
        "pixels in linear interpolation under OpenCV 5": "pixels",
        "by the last bit of a coordinate;": "by the last bit of a coordinate; maps with a "
        "condition above 1e4; coordinates beyond 32,767, where OpenCV's integers overflow;",
        "[0.0, 1.0, 0.0]])": "[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])",
    },
)
def warpPerspective(
    batch_axes: int,
    src: Any,
    M: Any,
    dsize: Any,
    dst: Any = None,
    flags: int = INTER_LINEAR,
    borderMode: int = BORDER_CONSTANT,
    borderValue: Any = 0,
    hint: int = ALGO_HINT_DEFAULT,
) -> Any:
    return warped_by_matrix(
        (maps.projective, maps.inverse_projective),
        3,
        src,
        M,
        dsize,
        dst,
        flags,
        borderMode,
        borderValue,
        hint,
        batch_axes,
    )
