"""Specs of arrays: images, labels, matrices, lists of arrays."""

from __future__ import annotations

from dataclasses import dataclass

from pipeport.contract._domain import ALL_DTYPES, Spec


@dataclass(frozen=True, kw_only=True)
class Image(Spec):
    """An image (H, W) or (H, W, C).

    Attributes
    ----------
    dtypes : tuple of str
        Accepted dtypes.
    channels : tuple
        Numbers of channels to draw; None stands for a 2-D image.
    sides : (int, int)
        Smallest and largest side verify draws, but for a few large images (`contract.LARGE`).
    values : (float, float)
        Range of floating values; integers and bool use their whole range.
    non_finite : bool
        Whether NaN and infinities are part of the domain.
    """

    dtypes: tuple[str, ...] = ALL_DTYPES
    channels: tuple[int | None, ...] = (None, 1, 3)
    sides: tuple[int, int] = (1, 12)
    values: tuple[float, float] = (-1.0, 1.0)
    non_finite: bool = True


@dataclass(frozen=True, kw_only=True)
class Array(Spec):
    """An array of any shape within `ranks` and `sides`; zero-length axes only if sides[0] is 0."""

    dtypes: tuple[str, ...] = ALL_DTYPES
    ranks: tuple[int, ...] = (0, 1, 2, 3, 4)
    sides: tuple[int, int] = (0, 6)
    values: tuple[float, float] = (-100.0, 100.0)
    non_finite: bool = True


@dataclass(frozen=True, kw_only=True)
class LabelOf(Spec):
    """An array whose first two sizes equal those of parameter `image`; rank two or more."""

    image: str
    dtypes: tuple[str, ...] = ("bool", "uint8", "int32", "float32")
    ranks: tuple[int, ...] = (2, 3, 4)


@dataclass(frozen=True, kw_only=True)
class Operand(Spec):
    """The other operand of arithmetic with an image: an image, a number, or one per channel.

    Attributes
    ----------
    image : str
        The parameter whose shape and dtype the other image has.
    numbers : (float, float) or None
        Range of the numbers, whole ones and others; None: there is always an image.
    channels : int
        Up to how many numbers a tuple has.
    values : (float, float)
        Range of floating values of the image; integers use their whole range.
    non_finite : bool
        Whether NaN and infinities are part of the domain.
    """

    image: str
    numbers: tuple[float, float] | None = (-300.0, 300.0)
    channels: int = 4
    values: tuple[float, float] = (-1.0, 1.0)
    non_finite: bool = True


@dataclass(frozen=True, kw_only=True)
class Shaped(Spec):
    """An array whose sizes are stated axis by axis.

    Attributes
    ----------
    shape : tuple
        One entry per axis: a size, of which large images have more; a pair (smallest, largest), equal
        where large images have as many; or the name of an array parameter with what is meant of it:
        'image.0' (its size along axis 0), 'input.ndim'.
    dtypes : tuple of str
        Accepted dtypes.
    values : (float, float)
        Range of values; integers are drawn from it too, cut to the dtype's own range.
    non_finite : bool
        Whether NaN and infinities are part of the domain.
    per_image : bool
        Whether `batched` takes one per image, as it takes images (else: shared, or one more axis).
    """

    shape: tuple[int | tuple[int, int] | str, ...]
    dtypes: tuple[str, ...] = ("float32", "float64")
    values: tuple[float, float] = (-1.0, 1.0)
    non_finite: bool = False
    per_image: bool = False


@dataclass(frozen=True, kw_only=True)
class Matrix(Spec):
    """A matrix of a coordinate map.

    Attributes
    ----------
    rows, columns : int
        Sizes; (2, 3) and (3, 3) are maps of the plane, (d, d) and (d, d + 1) of d axes.
    kind : {'linear', 'affine', 'projective'}
        What is drawn: identity, flips, right angles, rotations, scalings, shears, generic ones; for
        'projective' a small perspective row besides. The last row of a homogeneous matrix is kept.
    singular : bool
        Whether maps that cannot be inverted are drawn too.
    dtypes : tuple of str
        Accepted dtypes.
    offset : (float, float)
        Range of the translation part.
    """

    rows: int
    columns: int
    kind: str = "affine"
    singular: bool = False
    dtypes: tuple[str, ...] = ("float64", "float32")
    offset: tuple[float, float] = (-4.0, 8.0)


@dataclass(frozen=True, kw_only=True)
class ArrayList(Spec):
    """A list of arrays of one rank and dtype, of one shape up to the axis that parameter `axis` names."""

    counts: tuple[int, int] = (1, 4)
    axis: str | None = None
    dtypes: tuple[str, ...] = ALL_DTYPES
    ranks: tuple[int, ...] = (1, 2, 3)
    sides: tuple[int, int] = (0, 5)
    values: tuple[float, float] = (-100.0, 100.0)
    non_finite: bool = True
