"""`cv2.warpAffine`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport import config
from pipeport.contract import Image, Integer, Matrix, PerAxis, batchable, replaces
from pipeport.cv2 import _warps as warps
from pipeport.cv2._constants import (
    ALGO_HINT_DEFAULT,
    BORDER_CONSTANT,
    INTER_AREA,
    INTER_CUBIC,
    INTER_LINEAR,
    WARP_INVERSE_MAP,
)
from pipeport.cv2._sizes import one_size
from pipeport.kernels.opencv import _warp_maps as maps
from pipeport.kernels.opencv._warp_arguments import TYPICAL_AFFINE, vouched_cubic, warped_by_matrix


def _valid(arguments: Mapping[str, Any]) -> bool:
    method = arguments.get("flags", INTER_LINEAR) & 7
    matrix = np.asarray(arguments["M"], np.float64)
    if method == INTER_CUBIC and not vouched_cubic(
        arguments["src"], arguments.get("borderMode", BORDER_CONSTANT)
    ):
        return False
    if (
        config.opencv() >= 5
        and method in (INTER_LINEAR, INTER_AREA)
        and not np.isfinite(arguments["src"]).all()
    ):
        return (
            False  # beside a pixel that is hit, one that is NaN counts or not by the last bit of a coordinate
        )
    if not arguments.get("flags", INTER_LINEAR) & WARP_INVERSE_MAP:
        determinant = abs(matrix[0, 0] * matrix[1, 1] - matrix[0, 1] * matrix[1, 0])
        return bool(determinant == 0 or determinant > 1e-6)
    return True


@replaces(
    "cv2.warpAffine",
    domain={
        "src": Image(dtypes=("uint8", "uint16", "int16", "float32", "float64"), channels=(None, 1, 2, 3, 4)),
        "M": Matrix(
            rows=2,
            columns=3,
            singular=True,
            tensor=True,
            per_element=True,
            offset=(-6.0, 12.0),
            element_rank=2,
            typical=TYPICAL_AFFINE,
        ),
        "dsize": PerAxis(spec=Integer(1, 20), count=2, single=False, tensor=True, typical=(256, 256)),
        "flags": warps.FLAGS,
        **warps.BORDERS,
    },
    agreement=warps.agreement("warp_affine", coordinates_of="src"),
    refused=warps.REFUSED,
    proven_against=">=4.11,<5.1",
    valid=_valid,
    cannot_serve=one_size(
        {"src": np.zeros((2, 3, 4), np.uint8), "M": np.eye(2, 3), "dsize": [(2, 3), (4, 5)]}, "dsize"
    ),
)
@batchable
def warpAffine(
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
    """Warp an image through an affine map.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C), uint8, uint16, int16, float32 or float64
        The image; int8 and int32 too for nearest. H and W may be unknown while tracing. At most
        four channels for cubic and Lanczos.
    M : array_like, shape (2, 3), float32 or float64
        The map of points (x, y, 1), from input to output; finite. May be a tensor.
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
    Not vouched for: coordinates beyond 32,767, where OpenCV's integers overflow; NaN and infinite pixels
    in linear interpolation under OpenCV 5, which count beside a pixel that is hit or do not, by the last
    bit of a coordinate; and cubic
    interpolation of float64 under OpenCV 5.0, which cuts pixels to whole numbers wherever the sixteen
    reach over the border, while this function does not; and
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
    >>> from pipeport.cv2 import warpAffine
    >>> shift = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    >>> warpAffine(np.array([[1, 2, 3]], np.uint8), shift, (3, 1)).numpy().tolist()
    [[0, 1, 2]]
    """
    return warped_by_matrix(
        (maps.affine, maps.inverse_affine),
        2,
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
