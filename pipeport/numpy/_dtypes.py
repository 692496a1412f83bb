"""NumPy's dtypes by name, which cast when they are called, and its constants.

A class of NumPy's own would give NumPy's arrays where it is called. These stand for the same dtypes
wherever one is asked for, of NumPy and of TensorFlow.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import dtype as dtype
from numpy import e as e
from numpy import finfo as finfo
from numpy import floating as floating
from numpy import generic as generic
from numpy import iinfo as iinfo
from numpy import inf as inf
from numpy import integer as integer
from numpy import issubdtype as issubdtype
from numpy import nan as nan
from numpy import newaxis as newaxis
from numpy import number as number
from numpy import pi as pi

from pipeport.contract import _arrays
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs.dtypes import NUMPY_2


class ScalarType(type):
    """Type of the dtypes: equal to NumPy's own class, which it takes the place of.

    `dtype`: what NumPy and TensorFlow ask for where a dtype is an argument.
    """

    dtype: np.dtype[Any]

    def __call__(cls, value: Any = 0, /) -> Any:
        """Return a Python number as NumPy's scalar, anything array-like cast."""
        return _arrays.call(f"numpy.{cls.__name__}", _cast_to, (cls.dtype, value), {})

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, cls.dtype.type)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(
            subclass.dtype.type if isinstance(subclass, ScalarType) else subclass, cls.dtype.type
        )

    def __eq__(cls, other: object) -> Any:
        # A dtype is left to answer for itself: it compares equal with what it can be made of.
        return True if other is cls or other is cls.dtype.type else NotImplemented

    def __hash__(cls) -> int:
        return hash(cls.dtype.type)

    def __repr__(cls) -> str:
        return f"<class '{cls.__module__.partition('._')[0]}.{cls.__name__}'>"


def _cast_to(wanted: np.dtype[Any], value: Any) -> Any:
    if isinstance(value, (int, float, complex, np.generic, str)):
        try:
            return wanted.type(value)
        except OverflowError as error:
            if wanted.kind not in "iu":
                raise
            limits = np.iinfo(wanted)
            allowed, advice = f"{limits.min} to {limits.max}", "Take a wider dtype, or cast an array."
            raise OutsideDomain(explain(wanted.name, value, allowed, advice)) from error
    from pipeport.arrays._cast import cast
    from pipeport.arrays._promotion import fitted
    from pipeport.numpy._families import read

    side = read(value, "value")
    # NumPy 1 lets a whole number that the dtype cannot hold wrap around.
    return fitted(side, wanted) if NUMPY_2 else cast(side.value, wanted)


_cast_to.__pipeport_accepts_ndarray__ = True  # type: ignore[attr-defined]


def _named(name: str) -> Any:
    return ScalarType(
        name, (), {"dtype": np.dtype(name.rstrip("_")), "__module__": __name__, "__slots__": ()}
    )


bool_ = _named("bool_")
uint8, uint16, uint32, uint64 = (_named(f"uint{bits}") for bits in (8, 16, 32, 64))
int8, int16, int32, int64 = (_named(f"int{bits}") for bits in (8, 16, 32, 64))
float16, float32, float64 = (_named(f"float{bits}") for bits in (16, 32, 64))
complex64, complex128 = _named("complex64"), _named("complex128")
intp = int_ = int64
half, single, double = float16, float32, float64
