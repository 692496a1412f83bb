"""Where thresholds are discontinuous: several bins may be the best up to rounding."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

# Of the largest variance: sums of a few hundred numbers round in another order, of float32 in float32.
_ROUNDING = {np.float32: 2.0**-13, np.float64: 2.0**-40}


def threshold_otsu(image: Any = None, nbins: int = 256, *, hist: Any = None) -> list[Array]:
    """Recompute `skimage.filters.threshold_otsu`, with every bin whose variance is nearly the largest.

    Returns: the middles of the bins; of integers, which are exact, none but the reference's.
    """
    from skimage import exposure, filters

    del hist
    x = np.asarray(image)
    right = np.asarray(filters.threshold_otsu(x, nbins))
    if x.dtype.kind != "f" or np.all(x == x.flat[0]) or nbins == 1:
        return [right]
    counts, centres = exposure.histogram(x.reshape(-1), nbins)
    weights = counts.astype(np.float64)
    dark, bright = np.cumsum(weights)[:-1], np.cumsum(weights[::-1])[::-1][1:]
    moments = weights * centres
    apart = np.cumsum(moments)[:-1] / dark - np.cumsum(moments[::-1])[::-1][1:] / bright
    variance = dark * bright * apart**2
    narrow = np.array_equal(x, x.astype(np.float32))
    near = variance >= variance.max() * (1 - _ROUNDING[np.float32 if narrow else np.float64])
    return [right, *np.asarray(centres[:-1][near])]
