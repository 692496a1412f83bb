"""Where Gaussian filters are discontinuous: fractions of integers are cut off.

A sum of products that should be a whole number lies on either side of it, as the weights are rounded.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

# Of the largest absolute sum: the weights of a few dozen elements are rounded differently.
_ROUNDING = 2.0**-46


def gaussian_filter1d(
    input: Any,
    sigma: float,
    axis: int = -1,
    order: int = 0,
    output: Any = None,
    mode: str = "reflect",
    cval: float = 0.0,
    truncate: float = 4.0,
    *,
    radius: int | None = None,
) -> list[Array]:
    """Recompute `scipy.ndimage.gaussian_filter1d` with sums moved up and down before they are cut off."""
    from scipy import ndimage

    image = np.asarray(input)
    dtype = image.dtype if output is None else np.dtype(output)
    options = {"mode": mode, "cval": cval, "truncate": truncate, "radius": radius}
    exact = ndimage.gaussian_filter1d(image.astype(np.float64), sigma, axis, order, None, **options)
    if dtype.kind not in "iu":
        return [exact.astype(dtype)]
    far = _ROUNDING * max(1.0, abs(cval), np.abs(image.astype(np.float64)).max(initial=0))
    return [_cut_off(exact - far, dtype), _cut_off(exact + far, dtype)]


def gaussian_filter(
    input: Any,
    sigma: float,
    order: int = 0,
    output: Any = None,
    mode: str = "reflect",
    cval: float = 0.0,
    truncate: float = 4.0,
    *,
    radius: int | None = None,
    axes: Any = None,
) -> list[Array]:
    """Recompute `scipy.ndimage.gaussian_filter` with the sums of each axis moved up or down.

    Returns: one result for each combination of moves.
    """
    image = np.asarray(input)
    dtype = image.dtype if output is None else np.dtype(output)
    places = range(image.ndim) if axes is None else np.atleast_1d(axes)
    results = [image]
    for place in places if sigma > 1e-15 else ():
        results = [
            moved
            for values in results
            for moved in gaussian_filter1d(
                values, sigma, int(place), order, dtype, mode, cval, truncate, radius=radius
            )
        ]
    return [result.astype(dtype) for result in results]


def _cut_off(values: Array, dtype: Any) -> Array:
    """Cast as C does on the machines at hand: without the fraction, integers wrap around."""
    return values.astype(np.int64).astype(dtype)
