"""Turning about the centres of input and output, with right angles exact."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels.sampling._coordinates import Coordinates
from pipeport.kernels.sampling._maps import formula, lines, middle


def cosine_sine(degrees: Any) -> tuple[Any, Any]:
    """Return cosine and sine of degrees, exact at multiples of 90: floats or float64 tensors."""
    xp: Any = np if isinstance(degrees, float) else tf
    quarter = xp.floor(degrees / 90 + 0.5)
    rest = (degrees - quarter * 90) * (math.pi / 180)
    cosine, sine = xp.cos(rest), xp.sin(rest)
    turn = quarter - 4 * xp.floor(quarter / 4)
    even = (turn == 0) | (turn == 2)
    negative_cosine, negative_sine = (turn == 1) | (turn == 2), (turn == 2) | (turn == 3)
    c, s = xp.where(even, cosine, sine), xp.where(even, sine, cosine)
    return xp.where(negative_cosine, -c, c), xp.where(negative_sine, -s, s)


@formula
def about_centers(parameters: tuple[Any, ...], sizes: Sequence[Any], out: Sequence[Any]) -> Coordinates:
    """Turn the output's centre onto the input's; one parameter: degrees, (B or 1,), float64."""
    (degrees,) = parameters
    cosine, sine = cosine_sine(degrees)
    rows = [[cosine, sine], [-sine, cosine]]
    there = [middle(side) for side in out]
    offsets = [
        middle(side) - (row[0] * there[0] + row[1] * there[1]) for side, row in zip(sizes, rows, strict=True)
    ]
    return lines(rows, offsets, out)
