"""Domains: the inputs for which equivalence is vouched, one spec per parameter, as plain data.

Verify draws from them, the bench takes `typical` from them, the catalog prints them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

ALL_DTYPES = ("bool", "uint8", "uint16", "int32", "float16", "float32", "float64")


@dataclass(frozen=True, kw_only=True)
class Spec:
    """What every parameter's spec can say.

    Attributes
    ----------
    typical : object
        The value the bench uses; None lets the bench use the parameter's default.
    tensor : bool
        Whether a tensor is accepted as well as a Python value; both are then drawn.
    per_element : bool
        Whether the bench gives every dataset element its own value (as data).
    element_rank : int
        Rank of the value of one element: `batched` takes one more axis as "one per element".
    """

    typical: Any = None
    tensor: bool = False
    per_element: bool = False
    element_rank: int = 0


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
        Smallest and largest side verify draws.
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


@dataclass(frozen=True)
class Real(Spec):
    """A finite real number in [low, high]."""

    low: float
    high: float


class Degrees(Real):
    """An angle in degrees."""


class Radians(Real):
    """An angle in radians."""


@dataclass(frozen=True)
class Integer(Spec):
    """An integer in [low, high]."""

    low: int
    high: int


@dataclass(frozen=True, kw_only=True)
class Boolean(Spec):
    """True or False."""


@dataclass(frozen=True, init=False)
class OneOf(Spec):
    """One of the listed values."""

    values: tuple[Any, ...]

    def __init__(self, *values: Any, typical: Any = None, tensor: bool = False) -> None:
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "typical", typical)
        object.__setattr__(self, "tensor", tensor)
        object.__setattr__(self, "per_element", False)
        object.__setattr__(self, "element_rank", 0)


@dataclass(frozen=True, kw_only=True)
class Maybe(Spec):
    """None or a value of `spec`."""

    spec: Spec


@dataclass(frozen=True, kw_only=True)
class Point(Spec):
    """A pair of real numbers in [low, high], for instance a centre as (column, row)."""

    low: float
    high: float
    element_rank: int = 1


@dataclass(frozen=True, kw_only=True)
class Axes(Spec):
    """Axes of the array parameter `of`.

    Attributes
    ----------
    of : str
        Name of the array parameter.
    none, single, several : bool
        Which forms are drawn: None, one integer, a tuple of distinct integers.
    count : int or None
        Exact length of the tuple form.
    repeats : bool
        Whether the tuple may name one axis twice (as `numpy.roll` allows).
    """

    of: str
    none: bool = False
    single: bool = True
    several: bool = True
    count: int | None = None
    repeats: bool = False


@dataclass(frozen=True, kw_only=True)
class Permutation(Spec):
    """None or a permutation of the axes of `of`, negative axes included."""

    of: str


@dataclass(frozen=True, kw_only=True)
class Shifts(Spec):
    """Shifts to go with the axes in parameter `axes`: one integer, or one per axis."""

    of: str
    axes: str
    low: int = -20
    high: int = 20


@dataclass(frozen=True, kw_only=True)
class PadWidths(Spec):
    """Pad widths for the array `of`, in every form numpy.pad takes."""

    of: str
    high: int = 9


@dataclass(frozen=True, kw_only=True)
class PadValues(Spec):
    """Constant pad values for the array `of`: a scalar, (before, after), or one pair per axis."""

    of: str


@dataclass(frozen=True, kw_only=True)
class SeedPair(Spec):
    """A seed: two integers, as `tf.random.stateless_*` takes them."""

    element_rank: int = 1


@dataclass(frozen=True, kw_only=True)
class Shaped(Spec):
    """An array whose sizes are stated axis by axis.

    Attributes
    ----------
    shape : tuple
        One entry per axis: a size; a pair (smallest, largest); or the name of an array parameter
        with what is meant of it: 'image.0' (its size along axis 0), 'input.ndim'.
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
class PerAxis(Spec):
    """One value of `spec` per axis of the array parameter `of`, or, with `single`, one for all.

    `count` states the number of values outright, for instance 2 for a (width, height).
    """

    spec: Spec
    of: str | None = None
    count: int | None = None
    single: bool = True


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


@dataclass(frozen=True, init=False)
class Callback(Spec):
    """A Python callable: one of the named examples, given as it is to both sides.

    The examples are dotted paths of functions written with operators alone, so that they work
    on NumPy arrays and on tensors.
    """

    examples: tuple[str, ...]

    def __init__(self, *examples: str, typical: str | None = None) -> None:
        object.__setattr__(self, "examples", examples)
        object.__setattr__(self, "typical", typical)
        object.__setattr__(self, "tensor", False)
        object.__setattr__(self, "per_element", False)
        object.__setattr__(self, "element_rank", 0)


@dataclass(frozen=True, kw_only=True)
class EncodedImage(Spec):
    """An encoded image: the path of a file that verify writes, or its bytes.

    Attributes
    ----------
    formats : tuple of str
        'png', 'png16', 'png-grey', 'png-alpha', 'png-palette', 'jpeg', 'jpeg-grey', 'jpeg-exif',
        'jpeg-progressive', 'jpeg-420', 'bmp', 'gif', 'broken', 'missing' (a path without a file).
    form : {'path', 'bytes'}
        What is drawn: a `str` path, or a one-axis uint8 array of the file's bytes.
    """

    formats: tuple[str, ...] = ("png", "jpeg")
    form: str = "path"
    tensor: bool = True


@dataclass(frozen=True, kw_only=True)
class ArrayFile(Spec):
    """The path of an `.npy` file that verify writes: dtype, byte order, memory order, rank drawn."""

    dtypes: tuple[str, ...] = ALL_DTYPES
    ranks: tuple[int, ...] = (0, 1, 2, 3)
    sides: tuple[int, int] = (0, 5)
    tensor: bool = True
