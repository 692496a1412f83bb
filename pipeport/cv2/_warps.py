"""What the contracts of `cv2.warpAffine`, `warpPerspective` and `remap` share."""

from __future__ import annotations

from pipeport.contract import OneOf, Within
from pipeport.cv2 import _constants as constants
from pipeport.cv2._constants import (
    INTER_AREA,
    INTER_CUBIC,
    INTER_LANCZOS4,
    INTER_LINEAR,
    INTER_NEAREST,
    WARP_INVERSE_MAP,
)

FLAGS = OneOf(
    INTER_LINEAR,
    INTER_LINEAR | WARP_INVERSE_MAP,
    INTER_NEAREST,
    INTER_NEAREST | WARP_INVERSE_MAP,
    INTER_CUBIC,
    INTER_CUBIC | WARP_INVERSE_MAP,
    INTER_LANCZOS4 | WARP_INVERSE_MAP,
    INTER_AREA,
    typical=INTER_LINEAR,
)
BORDERS = {
    "borderMode": OneOf(
        constants.BORDER_CONSTANT,
        constants.BORDER_REPLICATE,
        constants.BORDER_REFLECT,
        constants.BORDER_WRAP,
        constants.BORDER_REFLECT_101,
    ),
    "borderValue": OneOf(0, 1, 0.5, (3, 2, 1), (1, -2, 0.25, 4), typical=0),
}
REFUSED = {
    "dst": "a tensor cannot be written into; use the returned one",
    "hint": "the accurate algorithm is always used",
}


def agreement(name: str, coordinates_of: str | None = None) -> Within:
    """Return the agreement of a warp, whose discontinuities are computed under that name."""
    return Within(
        1e-5,
        "float32 sums of up to 64 products in another order; integers are equal but where a sum lies "
        "within rounding of a half, and nearest but on ties",
        discontinuities=f"pipeport.references.discontinuities_cv2_warp.{name}",
        coordinates_of=coordinates_of,
    )
