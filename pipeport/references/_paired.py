"""The paired random flip people write by hand, without its usual bugs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np


def random_flip_pair(image: Any, label: Any, p: float = 0.5, axis: Any = 1) -> tuple[Any, Any]:
    """Flip image and label together along the same axis, with probability p.

    Parameters
    ----------
    image, label : array_like
        Of one height and width; the label may have any rank from 2.
    p : float, default 0.5
        Probability of a flip.
    axis : {0, 1, (0, 1)}, default 1
        Axis to reverse; both means half a turn.

    Returns
    -------
    (numpy.ndarray, numpy.ndarray)
        Image and label.

    Raises
    ------
    ValueError
        Sizes differ, the probability is none, or the axis is not one of rows and columns.
    """
    image, label = np.asarray(image), np.asarray(label)
    if image.ndim < 2 or label.ndim < 2 or image.shape[:2] != label.shape[:2]:
        raise ValueError("image and label must have the same height and width")
    if not 0 <= p <= 1:
        raise ValueError("p must be a probability")
    axes = axis if isinstance(axis, tuple) else (axis,)
    if not axes or len(set(axes)) < len(axes) or not set(axes) <= {0, 1}:
        raise ValueError("axis must be 0, 1 or both")
    # One draw for both, and the axis named: np.flip alone would reverse the channels too.
    if np.random.random() < p:  # noqa: NPY002 - what the bodies we replace call
        image, label = np.flip(image, axes), np.flip(label, axes)
    return image, label


def admissible(arguments: Mapping[str, Any], outputs: Any) -> list[tuple[Any, Any]]:  # noqa: ARG001
    """Return the results of the reference for all possible draws.

    `outputs`: outputs of the native; every draw is listed whatever they are. Returns: kept and flipped; one
    of them when p is 0 or 1.
    """
    p = float(arguments.get("p", 0.5))
    fixed = {name: value for name, value in arguments.items() if name != "p"}
    return [random_flip_pair(**fixed, p=side) for side in (0.0, 1.0) if side == p or 0 < p < 1]


def statistic(native: Callable[..., Any]) -> float:
    """Test how often the native flips, and that it flips both or neither.

    `native`: with the reference's parameters and `seed`. Returns: probability of a count as unlikely as the
    one seen, under the reference: exact binomial, consecutive seeds, the worst of two values of p times two.
    """
    from scipy.stats import binomtest

    image, label = np.array([[0, 1]], np.uint8), np.array([[[0], [1]]], np.uint8)
    draws, worst = 300, 1.0
    for case, p in enumerate((0.5, 0.2)):
        flips = 0
        for index in range(draws):
            one, other = native(image, label, p=p, axis=1, seed=np.array([case, index], np.int32))
            left, right = int(np.asarray(one)[0, 0]), int(np.asarray(other)[0, 0, 0])
            if left != right:
                return 0.0
            flips += left
        worst = min(worst, 2 * float(binomtest(flips, draws, p).pvalue))
    return worst
