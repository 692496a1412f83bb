"""`order, mode, cval, clip, preserve_range`: how scikit-image's geometry samples an image."""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass
from typing import Any

from pipeport._lazy import tf
from pipeport.errors import UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs import _checks, _ranges
from pipeport.kernels.sampling._clip import may_leave

# scikit-image names modes as numpy.pad does, SciPy in its own way.
NDIMAGE = {
    "constant": "grid-constant",
    "edge": "nearest",
    "symmetric": "reflect",
    "reflect": "mirror",
    "wrap": "grid-wrap",
}
DTYPES = ("bool", *_checks.NUMBERS)


@dataclass(frozen=True)
class Sampling:
    """The five parameters that warp, rotate, resize and their kin share, checked by `of`."""

    order: int
    mode: str
    cval: Any
    clip: bool
    preserve_range: bool

    @classmethod
    def of(
        cls, image: Any, order: Any, mode: Any, cval: Any, clip: Any, preserve_range: Any, dtype: Any = None
    ) -> Sampling:
        """Check the parameters for an image.

        `image`: the image, not yet converted; its dtype is checked too. `order`, `mode`, `cval`, `clip`,
        `preserve_range`: as the caller was given them. `dtype`: of the result, where it does not follow from
        the image. Returns: `cval` is a Python float or a float64 tensor.
        """
        _checks.dtype_among(image, DTYPES, "image")
        order = _order(image.dtype, order)
        _checks.one_of(mode, tuple(NDIMAGE), "mode", "The names are those of numpy.pad.")
        clip, preserve_range = _checks.flag(clip, "clip"), _checks.flag(preserve_range, "preserve_range")
        floating = image.dtype.is_floating if order == 0 else dtype is None or dtype.is_floating
        return cls(order, str(mode), _fill(cval, mode, floating), clip, preserve_range)

    def converted(self, images: Any) -> Any:
        """Return images as scikit-image samples them: as floats, unless no value is computed."""
        if images.dtype == tf.float16:
            images = tf.cast(images, tf.float32)
        return images if self.order == 0 else _ranges.as_float_image(images, self.preserve_range)

    def may_clip(self, dtype: Any) -> bool:
        """Say whether a result of converted images of that dtype may have to be clipped to their range."""
        return self.clip and may_leave(dtype, self.order, self.mode, self.cval)


def _order(dtype: Any, order: Any) -> int:
    """Return the spline order: 0 for bool images, 1 for others when None."""
    if order is None:
        return 0 if dtype == tf.bool else 1
    if isinstance(order, bool):
        raise UnsupportedArgument(
            explain("order", repr(order), "None or an integer from 0 to 5", "1 is linear, 0 nearest.")
        )
    if tf.is_tensor(order) or not hasattr(order, "__index__"):
        raise WrongType(
            explain("order", repr(order), "None or an integer from 0 to 5", "It shapes the graph.")
        )
    wanted = int(order)
    if not 0 <= wanted <= 5:
        raise UnsupportedArgument(
            explain("order", str(wanted), "0 to 5", "3 is cubic, 1 linear, 0 the nearest pixel.")
        )
    if dtype == tf.bool and wanted != 0:
        raise UnsupportedArgument(
            explain(
                "order",
                f"{wanted} for a bool image",
                "0 or None",
                "Bool cannot be interpolated: cast the image to a float first.",
            )
        )
    return wanted


def _fill(cval: Any, mode: Any, floating: bool) -> Any:
    """Return `cval` as a Python float or a float64 tensor; NaN only fills a floating result."""
    if isinstance(cval, numbers.Real) and not math.isfinite(cval) and mode != "constant":
        return 0.0
    if mode == "constant" and not floating:
        return _checks.finite_scalar(cval, "cval")
    if isinstance(cval, numbers.Real) and math.isnan(cval):
        return math.nan
    if not tf.is_tensor(cval) or not cval.dtype.is_floating:
        return _checks.finite_scalar(cval, "cval")
    absent = tf.math.is_nan(cval)
    number = _checks.finite_scalar(tf.where(absent, tf.zeros_like(cval), cval), "cval")
    return tf.where(absent, tf.constant(math.nan, tf.float64), number)
