"""Agreements: the sense in which a native equals its reference. Dtype, shape and errors always count."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Agreement:
    """Base class of all agreements."""


@dataclass(frozen=True)
class Exact(Agreement):
    """Bit for bit; NaNs agree with NaNs, and zeros by sign."""


@dataclass(frozen=True)
class Ulps(Agreement):
    """Within n units in the last place of the output dtype."""

    n: int


@dataclass(frozen=True)
class Within(Agreement):
    """Within an absolute bound, for references that cannot be run in float64.

    Attributes
    ----------
    absolute : float
        The bound; a float16 output may lie one unit in its last place further off.
    reason : str
        Why this bound.
    discontinuities : str or None
        As in `AsReference`: where the function is discontinuous, either side is accepted.
    coordinates_of : str or None
        The image sampled at coordinates that the reference computes in float32. Adds
        2 eps(float32) L max|image| for floating images, L being the longest side of image and output.
    """

    absolute: float
    reason: str
    discontinuities: str | None = None
    coordinates_of: str | None = None


@dataclass(frozen=True)
class WithinLevels(Agreement):
    """Integer images within n grey levels, on at most `fraction` of the pixels.

    Attributes
    ----------
    n : int
        The levels.
    fraction : float
        At most this part of the pixels may differ at all.
    floats : Within or None
        How floating outputs agree, where a function gives both.
    """

    n: int
    fraction: float
    floats: Within | None = None


@dataclass(frozen=True)
class AsReference(Agreement):
    """As accurate as the reference, judged against the same reference run in float64.

    max|native - oracle| <= 2 max|reference - oracle| + 8 eps(output) max(1, max|oracle|) + 8 moved,

    where `moved` is the most that rounding its floating inputs differently (each times 1 +- eps(float64),
    four times) moves the reference: high splines magnify the roundings of their input, and where the
    reference computes in float64 its own error is not seen. It is at most the bound without it, and at most
    2^16 eps(float64) max(1, max|oracle|): what moves further has crossed a discontinuity.

    Attributes
    ----------
    coordinates_of : str or None
        Name of the image parameter whose pixels are sampled at computed coordinates, or summed with
        computed weights. The oracle itself rounds coordinates of up to L = longest side, and weights, in
        float64, so 16 eps(float64) L max|finite input| is added: without it no second implementation
        could pass on float64, whatever its accuracy.
    discontinuities : str or None
        Dotted path of a plain function that takes the reference's arguments and returns a
        stack of results at coordinates moved by the reference's own rounding, or a tuple with one
        for each output. Where members of the stack disagree the function is discontinuous, and either
        side is accepted; where the reference itself took another side than its float64 run,
        max|reference - oracle| counts from there.
    """

    coordinates_of: str | None = None
    discontinuities: str | None = None


@dataclass(frozen=True)
class SameDistribution(Agreement):
    """A random native.

    Attributes
    ----------
    application : Agreement
        How the application is judged, given the draw.
    given : str
        Dotted path of a function. Without `draw_parameters`: `(reference arguments without seed, native
        outputs) -> list of admissible outputs`, the reference's results for every draw there is. With
        `draw_parameters`: the reference with the drawn values as further parameters; it gives the one right
        result.
    statistic : str
        Dotted path of a function `(native) -> p-value` of the draw against the reference's
        distribution.
    false_alarm : float
        A p-value below this fails.
    draw_parameters : str or None
        Dotted path of a function `(native arguments, seed included) -> dict` of what the native draws, by
        the names of parameters of `given`: for draws of which there are too many to list.
    """

    application: Agreement
    given: str
    statistic: str
    false_alarm: float = 1e-6
    draw_parameters: str | None = None
