"""`skimage.util.random_noise` with numbers that are known, and the distribution of its noise."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from pipeport.references._draws import _fits
from pipeport.references._scene import many

Array = np.ndarray[Any, Any]


class _Told(np.random.Generator):
    """A generator that gives known numbers."""

    def __init__(self, numbers: Iterable[Array]) -> None:
        super().__init__(np.random.PCG64(0))
        self._numbers = iter(numbers)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:  # noqa: ARG002
        return loc + np.asarray(scale, np.float64) * next(self._numbers)

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:  # noqa: ARG002
        return next(self._numbers)


def noisy(image: Any, mode: str = "gaussian", rng: Any = None, clip: bool = True, **options: Any) -> Array:  # noqa: ARG001
    """Return the reference's result for the numbers in `numbers`, in the order in which it draws them."""
    from skimage.util import random_noise

    numbers = options.pop("numbers")
    return np.asarray(random_noise(image, mode, rng=_Told(numbers), clip=clip, **options))


def noise_statistic(native: Callable[..., Any]) -> float:
    """Test the noise of each mode, within an image and from seed to seed; the worst, times their number."""
    grey = np.linspace(0.25, 0.5, 64 * 64).reshape(64, 64)
    local = np.linspace(0.01, 0.09, 64 * 64).reshape(64, 64)
    added = np.asarray(native(grey, "gaussian", clip=False, mean=0.5, var=0.04, seed=(1, 2)))
    scaled = np.asarray(native(grey, "localvar", clip=False, local_vars=local, seed=(3, 4)))
    times = np.asarray(native(grey, "speckle", clip=False, var=0.25, seed=(5, 6)))
    replaced = np.asarray(native(grey, "s&p", amount=0.3, salt_vs_pepper=0.25, seed=(7, 8)))
    first = np.array([found[0, 0] for (found,) in many(native, 200, grey[:1, :1], clip=False)])
    tests = [
        _fits("norm", 0.5, 0.2)(added - grey),
        _fits("norm")((scaled - grey) / np.sqrt(local)),
        _fits("norm", 0.0, 0.5)((times - grey) / grey),
        _replacement(replaced, 0.3 * 0.25, 0.3 * 0.75),
        _fits("norm", 0.25, 0.1)(first),
    ]
    return min(1.0, min(tests) * len(tests))


def _replacement(values: Array, white: float, black: float) -> float:
    """Return the p-value of how many pixels are white and black."""
    from scipy import stats

    seen = [(values == 1).sum(), (values == 0).sum()]
    chances = np.array([white, black, 1 - white - black])
    return float(stats.chisquare([*seen, values.size - sum(seen)], chances * values.size).pvalue)
