"""`cv2.remap`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Difference, Image, OneOf, Shaped, batchable, replaces
from pipeport.cv2 import _warps as warps
from pipeport.cv2._constants import (
    ALGO_HINT_DEFAULT,
    BORDER_CONSTANT,
    BORDER_REPLICATE,
    INTER_AREA,
    INTER_CUBIC,
    INTER_LANCZOS4,
    INTER_LINEAR,
    INTER_NEAREST,
    WARP_RELATIVE_MAP,
)
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.opencv import _warp_maps as maps
from pipeport.kernels.opencv._warp_arguments import (
    RELATIVE_MAP,
    TYPICAL_AFFINE,
    border,
    images,
    nothing,
    vouched_cubic,
    warped,
    whole_number,
)
from pipeport.kernels.opencv._warp_arguments import interpolation as method_of

# What the bench reads at: a turn of 30 degrees about the middle of 256 x 256 pixels.
_GRID = np.stack([*np.meshgrid(np.arange(256.0), np.arange(256.0)), np.ones((256, 256))])
_COLUMNS, _ROWS = np.tensordot(np.array(TYPICAL_AFFINE), _GRID, 1).astype(np.float32)
_SHAPES = "two maps of shape (h, w), or one of shape (h, w, 2)"


def _valid(arguments: Mapping[str, Any]) -> bool:
    first, second = np.asarray(arguments["map1"]), arguments.get("map2")
    # Two maps are planes of one shape; one map holds both coordinates.
    planes = first.ndim == 2 and second is not None and np.shape(second) == first.shape
    if not (planes or (first.ndim == 3 and second is None)):
        return False
    cubic = arguments["interpolation"] & 7 == INTER_CUBIC
    return not cubic or vouched_cubic(arguments["src"], arguments.get("borderMode", BORDER_CONSTANT))


def _not_finite(arguments: Mapping[str, Any]) -> bool:
    given = [arguments["map1"], arguments.get("map2")]
    return not all(np.isfinite(np.asarray(one)).all() for one in given if one is not None)


def _hole() -> dict[str, Any]:
    columns = np.array([[np.nan, 1.0]], np.float32)
    image = np.arange(1, 64, dtype=np.float32).reshape(9, 7)
    return {
        "src": image,
        "map1": columns,
        "map2": np.ones_like(columns),
        "interpolation": INTER_LINEAR,
        "borderMode": BORDER_REPLICATE,
    }


@replaces(
    "cv2.remap",
    domain={
        "src": Image(dtypes=("uint8", "uint16", "int16", "float32", "float64"), channels=(None, 1, 2, 3, 4)),
        "map1": Shaped(
            shape=(7, 20),
            dtypes=("float32",),
            values=(-15.0, 25.0),
            tensor=True,
            element_rank=2,
            typical=_COLUMNS,
        ),
        "map2": Shaped(
            shape=(7, 20),
            dtypes=("float32",),
            values=(-15.0, 25.0),
            tensor=True,
            element_rank=2,
            typical=_ROWS,
        ),
        "interpolation": OneOf(
            INTER_LINEAR,
            INTER_NEAREST,
            INTER_CUBIC,
            INTER_LANCZOS4,
            INTER_AREA,
            INTER_LINEAR | WARP_RELATIVE_MAP,
            INTER_NEAREST | WARP_RELATIVE_MAP,
            INTER_CUBIC | WARP_RELATIVE_MAP,
            typical=INTER_LINEAR,
        ),
        **warps.BORDERS,
    },
    agreement=warps.agreement("remap"),
    refused=warps.REFUSED,
    proven_against=">=4.11,<5.1",
    valid=_valid,
    differences=(
        Difference(
            "A NaN or infinite coordinate lies outside the image, before its first pixel; OpenCV 5 gives NaN "
            "or the border there, depending on neighbouring pixels.",
            witness=_hole,
            applies=_not_finite,
            where="cv2>=5",
        ),
    ),
)
@batchable
def remap(
    batch_axes: int,
    src: Any,
    map1: Any,
    map2: Any,
    interpolation: int,
    dst: Any = None,
    borderMode: int = BORDER_CONSTANT,
    borderValue: Any = 0,
    hint: int = ALGO_HINT_DEFAULT,
) -> Any:
    """Sample an image at given coordinates.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C), uint8, uint16, int16, float32 or float64
        The image; int8 and int32 too for nearest. H and W may be unknown while tracing. At most
        four channels for cubic and Lanczos.
    map1 : tf.Tensor, shape (h, w) or (h, w, 2), float32
        Columns to read at; or columns and rows, with `map2` None. The int16 form of OpenCV is
        refused: it was made to save time that is not lost here.
    map2 : tf.Tensor, shape (h, w), float32, or None
        Rows to read at.
    interpolation : int
        INTER_NEAREST, INTER_LINEAR, INTER_CUBIC, INTER_AREA (which means linear) or
        INTER_LANCZOS4; with WARP_RELATIVE_MAP added, coordinates count from the output pixel.
    dst : None
        Accepted by name and refused.
    borderMode : int, default BORDER_CONSTANT
        BORDER_CONSTANT, BORDER_REPLICATE, BORDER_REFLECT, BORDER_WRAP or BORDER_REFLECT_101.
    borderValue : float or up to four of them, default 0
        Value outside the image. As in OpenCV a single number is that of the first channel, the
        other channels get zero.
    hint : int, default ALGO_HINT_DEFAULT
        Accepted by name and refused.

    Returns
    -------
    tf.Tensor, shape (h, w) or (h, w, C), dtype of `src`
        The sampled image; as in OpenCV an axis of one channel is dropped.

    Raises
    ------
    OutsideDomain
        The image is empty or of another rank or dtype; the maps are empty, or of another shape or dtype.
    UnsupportedArgument
        `dst`, `hint`, int16 maps, another interpolation or border.
    WrongType
        `borderValue` is not made of numbers.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Not vouched for: coordinates beyond 32,767, where OpenCV's integers overflow; and cubic
    interpolation of float64 under OpenCV 5.0, which cuts pixels to whole numbers wherever the sixteen
    reach over the border, while this function does not; and
    of NaN and infinite pixels there, which it reads where their weight is zero too; and cubic
    interpolation under BORDER_REFLECT_101 of a side of one pixel, from which OpenCV 5.0 never returns.

    Agreement: floats within 1e-5. `pipeport.config.opencv` chooses whose results: 5 computes with
    float32 coordinates for uint8, uint16 and float32 of 1, 3 or 4 channels (nearest and linear) and for
    cubic; 4, and 5 for all else, rounds them to 1/32 pixel. Operations are those of the reference in
    its order of rounding: integers are equal but where a sum lies within rounding of a half.

    Graph: compiled with XLA when traced (`pipeport.config.jit`); with unknown sizes of the image, per
    size bucket. Static shape is that of the maps.

    Source: `modules/imgproc/src/imgwarp.cpp` and `warp_kernels.simd.hpp` of OpenCV 4.11 and 5.0, for the
    order of rounding; checked against both.

    Examples
    --------
    >>> import numpy as np
    >>> from pipeport.cv2 import INTER_LINEAR, remap
    >>> columns, rows = np.meshgrid(np.float32([2, 1, 0]), np.float32([0]))
    >>> remap(np.array([[1, 2, 3]], np.uint8), columns, rows, INTER_LINEAR).numpy().tolist()
    [[3, 2, 1]]
    """
    nothing(dst, "dst")
    nothing(hint, "hint", 0)
    return _remapped(src, map1, map2, interpolation, borderMode, borderValue, batch_axes > 0)


def _remapped(
    src: Any, map1: Any, map2: Any, interpolation: Any, mode: Any, value: Any, batched: bool
) -> Any:
    flags = whole_number(interpolation, "interpolation")
    if flags & ~(RELATIVE_MAP | 7):
        advice = "No other flag has a meaning here, and OpenCV refuses it too."
        allowed = "an interpolation, with WARP_RELATIVE_MAP or without"
        raise UnsupportedArgument(explain("interpolation", str(flags), allowed, advice))
    source = images(src, batched)
    method, rule = method_of(flags, "interpolation"), border(mode)
    columns, rows = _planes(map1, map2, batched)
    shape = tf.shape(columns)
    out = tuple(columns.shape[axis] or shape[axis] for axis in (1, 2))
    which = maps.given_relative if flags & RELATIVE_MAP else maps.given
    return warped(which, source, (columns, rows), (out[0], out[1]), method, rule, value, batched)


def _map(value: Any, name: str) -> Any:
    tensor = _checks.as_tensor(value, name)
    if tensor.dtype in (tf.int16, tf.uint16):
        advice = "Keep the float32 maps: they are as fast here."
        raise UnsupportedArgument(explain(name, f"a {tensor.dtype.name} map", "float32 maps", advice))
    _checks.dtype_among(tensor, ("float32",), name)
    return tensor


def _planes(map1: Any, map2: Any, batched: bool) -> tuple[Any, Any]:
    """Return the columns and the rows, each (B or 1, h, w)."""
    first = _map(map1, "map1")
    second = None if map2 is None else _map(map2, "map2")
    advice = "Use np.meshgrid or tf.meshgrid for a grid."
    if second is None:
        if first.shape.rank not in ((3, 4) if batched else (3,)) or first.shape[-1] != 2:
            raise OutsideDomain(explain("map1", f"shape {first.shape} without map2", _SHAPES, advice))
        first, second = first[..., 0], first[..., 1]
    ranks = (2, 3) if batched else (2,)
    if first.shape.rank not in ranks or second.shape.rank not in ranks:
        raise OutsideDomain(explain("map1", f"shapes {first.shape}, {second.shape}", _SHAPES, advice))
    if not first.shape[-2:].is_compatible_with(second.shape[-2:]):
        raise OutsideDomain(explain("map2", f"shape {second.shape}", f"that of map1, {first.shape}", advice))
    first, second = (one if one.shape.rank == 3 else one[tf.newaxis] for one in (first, second))
    plane = tf.broadcast_static_shape(first.shape[1:], second.shape[1:])
    if not (first.shape[1:].is_fully_defined() and second.shape[1:].is_fully_defined()):
        same = tf.debugging.assert_equal(
            tf.shape(first)[1:],
            tf.shape(second)[1:],
            explain("map2", "another size at run time", "that of map1", advice),
        )
        with tf.control_dependencies([same]):
            first = tf.identity(first)
    first, second = (tf.ensure_shape(one, [one.shape[0], *plane]) for one in (first, second))
    return _checks.not_empty(first, "map1", element=slice(1, None)), second
