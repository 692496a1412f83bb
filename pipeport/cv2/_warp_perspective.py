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
    OneOf,
    PerAxis,
    Within,
    batchable,
    replaces,
)
from pipeport.cv2._constants import (
    ALGO_HINT_DEFAULT,
    BORDER_CONSTANT,
    BORDER_REFLECT,
    BORDER_REFLECT_101,
    BORDER_REPLICATE,
    BORDER_WRAP,
    INTER_AREA,
    INTER_CUBIC,
    INTER_LANCZOS4,
    INTER_LINEAR,
    INTER_NEAREST,
    WARP_INVERSE_MAP,
)
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
        "flags": OneOf(
            INTER_LINEAR,
            INTER_LINEAR | WARP_INVERSE_MAP,
            INTER_NEAREST,
            INTER_NEAREST | WARP_INVERSE_MAP,
            INTER_CUBIC,
            INTER_CUBIC | WARP_INVERSE_MAP,
            INTER_LANCZOS4 | WARP_INVERSE_MAP,
            INTER_AREA,
            typical=INTER_LINEAR,
        ),
        "borderMode": OneOf(
            BORDER_CONSTANT, BORDER_REPLICATE, BORDER_REFLECT, BORDER_WRAP, BORDER_REFLECT_101
        ),
        "borderValue": OneOf(0, 1, 0.5, (3, 2, 1), (1, -2, 0.25, 4), typical=0),
    },
    agreement=Within(
        1e-5,
        "float32 sums of up to 64 products in another order; integers are equal but where a sum lies "
        "within rounding of a half, and nearest but on ties",
        discontinuities="pipeport.references.discontinuities_cv2_warp.warp_perspective",
        coordinates_of="src",
    ),
    refused={
        "dst": "a tensor cannot be written into; use the returned one",
        "hint": "the accurate algorithm is always used",
    },
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
    """Warp an image through a projective map.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C), uint8, uint16, int16, float32 or float64
        The image; int8 and int32 too for nearest. H and W may be unknown while tracing. At most
        four channels for cubic and Lanczos.
    M : array_like, shape (3, 3), float32 or float64
        The map of homogeneous points (x, y, 1), from input to output; finite. May be a tensor.
    dsize : (int, int) or None
        Width and height of the output; the image's own when None or not positive. May be a tensor,
        or two, as of sizes computed from the image's; a tensor beside a number must be positive.
    dst : None
        Accepted by name and refused.
    flags : int, default INTER_LINEAR
        INTER_NEAREST, INTER_LINEAR, INTER_CUBIC, INTER_AREA (which means linear) or
        INTER_LANCZOS4; with WARP_INVERSE_MAP added, `M` goes from output to input.
    borderMode : int, default BORDER_CONSTANT
        BORDER_CONSTANT, BORDER_REPLICATE, BORDER_REFLECT, BORDER_WRAP or BORDER_REFLECT_101.
    borderValue : float or up to four of them, default 0
        Value outside the image. As in OpenCV a single number is that of the first channel, the
        other channels get zero.
    hint : int, default ALGO_HINT_DEFAULT
        Accepted by name and refused.

    Returns
    -------
    tf.Tensor, shape (height, width) or (height, width, C), dtype of `src`
        The warped image; as in OpenCV an axis of one channel is dropped.

    Raises
    ------
    OutsideDomain
        The image is empty or of another rank or dtype; `M` is not finite, or of another shape or dtype.
    UnsupportedArgument
        `dst`, `hint`, another interpolation or border; a tensor where a Python value is needed; `dsize`
        is not made of two integers.
    WrongType
        `borderValue` is not made of numbers.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Not vouched for: NaN and infinite pixels, which count beside a pixel that is hit or do not, by the
    last bit of a coordinate; maps with a condition above 1e4; coordinates beyond 32,767, where OpenCV's
    integers overflow; and cubic interpolation of float64 under OpenCV 5.0, which cuts pixels to whole
    numbers wherever the sixteen reach over the border, while this function does not; and
    of NaN and infinite pixels there, which it reads where their weight is zero too; and cubic
    interpolation under BORDER_REFLECT_101 of a side of one pixel, from which OpenCV 5.0 never returns.

    Agreement: floats within 1e-5 + 2 eps(float32) L max|src|, L being the longest side: OpenCV rounds a
    float32 coordinate otherwise in the last columns of a row, those beyond a multiple of 16 (8 without
    AVX2). `pipeport.config.opencv` chooses whose results: 5 computes coordinates in float32 for uint8,
    uint16 and float32 of 1, 3 or 4 channels (nearest and linear) and for cubic; 4, and 5 for all else,
    rounds them to 1/32 pixel. Operations are those of the reference
    in its order of rounding: integers are equal but where a sum lies within rounding of a half.

    Graph: compiled with XLA when traced (`pipeport.config.jit`); with unknown sizes, per size bucket.
    Static shape is that of `dsize`. A size that is a tensor is computed up to its bucket and cut: no
    compilation per size.

    Source: `modules/imgproc/src/imgwarp.cpp` and `warp_kernels.simd.hpp` of OpenCV 4.11 and 5.0, for the
    order of rounding; checked against both.

    Examples
    --------
    >>> import numpy as np
    >>> from pipeport.cv2 import warpPerspective
    >>> shift = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    >>> warpPerspective(np.array([[1, 2, 3]], np.uint8), shift, (3, 1)).numpy().tolist()
    [[0, 1, 2]]
    """
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
