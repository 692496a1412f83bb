# Written by `python tools/readme_table.py`.
"""Natives of `numpy`, under the same names."""

from typing import Any

from pipeport.numpy._about import isscalar as isscalar
from pipeport.numpy._about import ndim as ndim
from pipeport.numpy._about import shape as shape
from pipeport.numpy._about import size as size
from pipeport.numpy._array import array as array
from pipeport.numpy._asarray import asarray as asarray
from pipeport.numpy._average import average as average
from pipeport.numpy._bits import packbits as packbits
from pipeport.numpy._bits import unpackbits as unpackbits
from pipeport.numpy._closeness import allclose as allclose
from pipeport.numpy._closeness import array_equal as array_equal
from pipeport.numpy._closeness import isclose as isclose
from pipeport.numpy._closeness import isin as isin
from pipeport.numpy._complex import angle as angle
from pipeport.numpy._complex import imag as imag
from pipeport.numpy._complex import real as real
from pipeport.numpy._concatenate import concatenate as concatenate
from pipeport.numpy._counting import bincount as bincount
from pipeport.numpy._counting import digitize as digitize
from pipeport.numpy._counting import searchsorted as searchsorted
from pipeport.numpy._creation import empty_like as empty_like
from pipeport.numpy._creation import eye as eye
from pipeport.numpy._creation import full as full
from pipeport.numpy._creation import full_like as full_like
from pipeport.numpy._creation import identity as identity
from pipeport.numpy._dtypes import bool_ as bool_
from pipeport.numpy._dtypes import complex64 as complex64
from pipeport.numpy._dtypes import complex128 as complex128
from pipeport.numpy._dtypes import double as double
from pipeport.numpy._dtypes import dtype as dtype
from pipeport.numpy._dtypes import e as e
from pipeport.numpy._dtypes import finfo as finfo
from pipeport.numpy._dtypes import float16 as float16
from pipeport.numpy._dtypes import float32 as float32
from pipeport.numpy._dtypes import float64 as float64
from pipeport.numpy._dtypes import floating as floating
from pipeport.numpy._dtypes import generic as generic
from pipeport.numpy._dtypes import half as half
from pipeport.numpy._dtypes import iinfo as iinfo
from pipeport.numpy._dtypes import inf as inf
from pipeport.numpy._dtypes import int8 as int8
from pipeport.numpy._dtypes import int16 as int16
from pipeport.numpy._dtypes import int32 as int32
from pipeport.numpy._dtypes import int64 as int64
from pipeport.numpy._dtypes import int_ as int_
from pipeport.numpy._dtypes import integer as integer
from pipeport.numpy._dtypes import intp as intp
from pipeport.numpy._dtypes import issubdtype as issubdtype
from pipeport.numpy._dtypes import nan as nan
from pipeport.numpy._dtypes import newaxis as newaxis
from pipeport.numpy._dtypes import number as number
from pipeport.numpy._dtypes import pi as pi
from pipeport.numpy._dtypes import single as single
from pipeport.numpy._dtypes import uint8 as uint8
from pipeport.numpy._dtypes import uint16 as uint16
from pipeport.numpy._dtypes import uint32 as uint32
from pipeport.numpy._dtypes import uint64 as uint64
from pipeport.numpy._einsum import einsum as einsum
from pipeport.numpy._expand_dims import expand_dims as expand_dims
from pipeport.numpy._flip import flip as flip
from pipeport.numpy._flip import fliplr as fliplr
from pipeport.numpy._flip import flipud as flipud
from pipeport.numpy._functions import sinc as sinc
from pipeport.numpy._grids import arange as arange
from pipeport.numpy._grids import indices as indices
from pipeport.numpy._grids import linspace as linspace
from pipeport.numpy._grids import meshgrid as meshgrid
from pipeport.numpy._histogram import histogram as histogram
from pipeport.numpy._joining import append as append
from pipeport.numpy._load import load as load
from pipeport.numpy._matrices import diag as diag
from pipeport.numpy._matrices import diagonal as diagonal
from pipeport.numpy._matrices import trace as trace
from pipeport.numpy._moveaxis import moveaxis as moveaxis
from pipeport.numpy._open_grids import mgrid as mgrid
from pipeport.numpy._open_grids import ogrid as ogrid
from pipeport.numpy._ordering import nonzero as nonzero
from pipeport.numpy._ordering import unique as unique
from pipeport.numpy._pad import pad as pad
from pipeport.numpy._places import ix_ as ix_
from pipeport.numpy._places import unravel_index as unravel_index
from pipeport.numpy._polyfit import polyfit as polyfit
from pipeport.numpy._products import cross as cross
from pipeport.numpy._quantiles import median as median
from pipeport.numpy._quantiles import nanmedian as nanmedian
from pipeport.numpy._quantiles import nanpercentile as nanpercentile
from pipeport.numpy._quantiles import percentile as percentile
from pipeport.numpy._quantiles import quantile as quantile
from pipeport.numpy._repeat import repeat as repeat
from pipeport.numpy._roll import roll as roll
from pipeport.numpy._rollaxis import rollaxis as rollaxis
from pipeport.numpy._rot90 import rot90 as rot90
from pipeport.numpy._rounded import clip as clip
from pipeport.numpy._rounded import nan_to_num as nan_to_num
from pipeport.numpy._rounded import round as round
from pipeport.numpy._running import diff as diff
from pipeport.numpy._select import select as select
from pipeport.numpy._selecting import ascontiguousarray as ascontiguousarray
from pipeport.numpy._selecting import copy as copy
from pipeport.numpy._selecting import delete as delete
from pipeport.numpy._selecting import insert as insert
from pipeport.numpy._selecting import where as where
from pipeport.numpy._shaping import broadcast_to as broadcast_to
from pipeport.numpy._shaping import ravel as ravel
from pipeport.numpy._shaping import reshape as reshape
from pipeport.numpy._shaping import resize as resize
from pipeport.numpy._signals import convolve as convolve
from pipeport.numpy._signals import correlate as correlate
from pipeport.numpy._slopes import gradient as gradient
from pipeport.numpy._slopes import interp as interp
from pipeport.numpy._squeeze import squeeze as squeeze
from pipeport.numpy._stack import stack as stack
from pipeport.numpy._swapaxes import swapaxes as swapaxes
from pipeport.numpy._take import take as take
from pipeport.numpy._take_along_axis import take_along_axis as take_along_axis
from pipeport.numpy._tile import tile as tile
from pipeport.numpy._transpose import transpose as transpose

def add(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the sum; the disjunction of booleans."""

def arctan2(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the angle of the point (x2, x1) in radians, from -pi to pi."""

def bitwise_and(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the bits that both elements have."""

def bitwise_left_shift(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the bits moved to the left, zeros behind them."""

def bitwise_or(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the bits that one element at least has."""

def bitwise_right_shift(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the bits moved to the right, those of the sign before them."""

def bitwise_xor(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the bits that just one element has."""

def divide(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the quotient; of integers as float64."""

def equal(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Say where two elements are equal."""

def floor_divide(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the quotient, rounded down; 0 of an integer divided by zero."""

def fmax(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the larger of two elements, the other one where one is NaN."""

def fmin(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the smaller of two elements, the other one where one is NaN."""

def greater(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Say where the first element is larger."""

def greater_equal(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Say where the first element is not smaller."""

def heaviside(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return 0 of what is negative, 1 of what is positive, the second operand of zero."""

def hypot(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the hypotenuse of a right triangle."""

def left_shift(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the bits moved to the left, zeros behind them."""

def less(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Say where the first element is smaller."""

def less_equal(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Say where the first element is not larger."""

def logical_and(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Say where both elements are true."""

def logical_or(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Say where one element at least is true."""

def logical_xor(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Say where just one element is true."""

def maximum(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the larger of two elements, NaN if one is."""

def minimum(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the smaller of two elements, NaN if one is."""

def mod(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the remainder, of the divisor's sign; 0 of an integer divided by zero."""

def multiply(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the product; the conjunction of booleans."""

def not_equal(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Say where two elements differ."""

def power(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the first operand to the power of the second."""

def remainder(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the remainder, of the divisor's sign; 0 of an integer divided by zero."""

def right_shift(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the bits moved to the right, those of the sign before them."""

def subtract(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the difference."""

def true_divide(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the quotient; of integers as float64."""

def asanyarray(
    a: Any,
    dtype: Any = None,
    order: Any = None,
    *,
    device: Any = None,
    copy: Any = None,
    like: Any = None,
) -> Any:
    """Return an array, an image object or nested lists as a tensor."""

def empty(shape: Any, dtype: Any = None, order: Any = "C", *, device: Any = None, like: Any = None) -> Any:
    """Return a new array of any values, which here are zeros."""

def ones(shape: Any, dtype: Any = None, order: Any = "C", *, device: Any = None, like: Any = None) -> Any:
    """Return a new array of ones."""

def ones_like(
    a: Any,
    dtype: Any = None,
    order: Any = "K",
    subok: Any = True,
    shape: Any = None,
    *,
    device: Any = None,
) -> Any:
    """Return a new array of ones, of the shape and dtype of another."""

def zeros(shape: Any, dtype: Any = None, order: Any = "C", *, device: Any = None, like: Any = None) -> Any:
    """Return a new array of zeros."""

def zeros_like(
    a: Any,
    dtype: Any = None,
    order: Any = "K",
    subok: Any = True,
    shape: Any = None,
    *,
    device: Any = None,
) -> Any:
    """Return a new array of zeros, of the shape and dtype of another."""

def argwhere(a: Any) -> Any:
    """Return where elements are not zero, a row of indices for each."""

def flatnonzero(a: Any) -> Any:
    """Return where elements of the array taken as flat are not zero."""

def arccos(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the angle in radians whose cosine each element is; NaN beyond -1 and 1."""

def arccosh(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the number whose hyperbolic cosine each element is; NaN below 1."""

def arcsin(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the angle in radians whose sine each element is; NaN beyond -1 and 1."""

def arcsinh(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the number whose hyperbolic sine each element is."""

def arctan(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the angle in radians whose tangent each element is."""

def arctanh(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the number whose hyperbolic tangent each element is; NaN beyond -1 and 1."""

def cbrt(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the cube root, of the sign of each element."""

def cosh(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the hyperbolic cosine."""

def degrees(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return radians as degrees."""

def exp2(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return 2 to the power of each element."""

def fabs(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the magnitude of each element, as a floating number."""

def radians(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return degrees as radians."""

def reciprocal(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return 1 divided by each element; integers are refused."""

def sinh(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the hyperbolic sine."""

def tanh(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the hyperbolic tangent."""

def array_split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    """Split an array into nearly equal parts, or at places along an axis."""

def column_stack(tup: Any) -> Any:
    """Join arrays column by column; one of rank 1 is a column."""

def dsplit(ary: Any, indices_or_sections: Any) -> Any:
    """Split an array into equal parts, or at places, along the third axis: an image's channels."""

def dstack(tup: Any) -> Any:
    """Join arrays along the third axis, which is added where it is missing."""

def hsplit(ary: Any, indices_or_sections: Any) -> Any:
    """Split an array into parts of equally many columns, or at columns; one of rank 1 along itself."""

def hstack(tup: Any, *, dtype: Any = None, casting: Any = "same_kind") -> Any:
    """Join arrays column by column; those of rank 1 end to end."""

def split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    """Split an array into equal parts, or at places along an axis."""

def vsplit(ary: Any, indices_or_sections: Any) -> Any:
    """Split an array into parts of equally many rows, or at rows."""

def vstack(tup: Any, *, dtype: Any = None, casting: Any = "same_kind") -> Any:
    """Join arrays row by row; one of rank 1 is a row."""

def abs(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the magnitude of each element."""

def absolute(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the magnitude of each element."""

def bitwise_invert(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Turn every bit over; True becomes False."""

def bitwise_not(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Turn every bit over; True becomes False."""

def ceil(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the smallest whole number above each element; integers stay as they are."""

def conj(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the complex conjugates."""

def conjugate(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the complex conjugates."""

def cos(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the cosine of angles in radians."""

def deg2rad(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return angles in degrees as radians."""

def exp(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return e to the power of each element."""

def expm1(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return e to the power of each element, less one."""

def floor(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the largest whole number below each element; integers stay as they are."""

def invert(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Turn every bit over; True becomes False."""

def isfinite(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Say which elements are neither infinite nor NaN."""

def isinf(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Say which elements are infinite."""

def isnan(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Say which elements are NaN."""

def log(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the natural logarithm; NaN of negative numbers."""

def log1p(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the natural logarithm of one more than each element."""

def log2(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the logarithm to base two."""

def log10(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the logarithm to base ten."""

def logical_not(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Say which elements are zero or False."""

def negative(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return each element with the other sign; unsigned integers wrap around."""

def rad2deg(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return angles in radians as degrees."""

def rint(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return each element rounded to a whole number, halves to even."""

def sign(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return -1, 0 or 1 by the sign of each element, and NaN of NaN."""

def sin(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the sine of angles in radians."""

def sqrt(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the square root; NaN of negative numbers."""

def square(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the square of each element; integers wrap around."""

def tan(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return the tangent of angles in radians."""

def trunc(
    x: Any,
    out: Any = None,
    *,
    where: Any = True,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Return each element without its fraction; integers stay as they are."""

def tril(m: Any, k: Any = 0) -> Any:
    """Keep the lower triangle of matrices."""

def triu(m: Any, k: Any = 0) -> Any:
    """Keep the upper triangle of matrices."""

def argmax(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = ...) -> Any:
    """Return where the largest element is."""

def argmin(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = ...) -> Any:
    """Return where the smallest element is."""

def argsort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    """Return the places of the elements in ascending order."""

def sort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    """Sort along an axis, NaN last."""

def dot(a: Any, b: Any, out: Any = None) -> Any:
    """Multiply along the last axis of one array and the last but one of the other."""

def inner(a: Any, b: Any) -> Any:
    """Multiply along the last axes of both."""

def kron(a: Any, b: Any) -> Any:
    """Put one array, times each element of the other, in the place of that element."""

def matmul(
    x1: Any,
    x2: Any,
    out: Any = None,
    *,
    axes: Any = ...,
    axis: Any = ...,
    keepdims: Any = False,
    casting: Any = "same_kind",
    order: Any = "K",
    dtype: Any = None,
    subok: Any = True,
    signature: Any = None,
) -> Any:
    """Multiply matrices, as `x1 @ x2`."""

def outer(a: Any, b: Any, out: Any = None) -> Any:
    """Multiply every element of one array with every one of the other."""

def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """Multiply along chosen axes of both arrays."""

def vdot(a: Any, b: Any) -> Any:
    """Multiply the elements of both, and add up; of complex ones the first is conjugated."""

def all(a: Any, axis: Any = None, out: Any = None, keepdims: Any = ..., *, where: Any = ...) -> Any:
    """Say whether all elements are not zero."""

def amax(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = ...,
    initial: Any = ...,
    where: Any = ...,
) -> Any:
    """Return the largest elements; NaN where there is one."""

def amin(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = ...,
    initial: Any = ...,
    where: Any = ...,
) -> Any:
    """Return the smallest elements; NaN where there is one."""

def any(a: Any, axis: Any = None, out: Any = None, keepdims: Any = ..., *, where: Any = ...) -> Any:
    """Say whether any element is not zero."""

def count_nonzero(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Count the elements that are not zero."""

def max(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = ...,
    initial: Any = ...,
    where: Any = ...,
) -> Any:
    """Return the largest elements; NaN where there is one."""

def mean(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = ...,
    *,
    where: Any = ...,
) -> Any:
    """Return the mean."""

def min(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = ...,
    initial: Any = ...,
    where: Any = ...,
) -> Any:
    """Return the smallest elements; NaN where there is one."""

def nanmax(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = ...,
    initial: Any = ...,
    where: Any = ...,
) -> Any:
    """Return the largest elements but for NaN."""

def nanmean(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = ...,
    *,
    where: Any = ...,
) -> Any:
    """Return the mean of what is not NaN."""

def nanmin(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = ...,
    initial: Any = ...,
    where: Any = ...,
) -> Any:
    """Return the smallest elements but for NaN."""

def nanprod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = ...,
    initial: Any = ...,
    where: Any = ...,
) -> Any:
    """Multiply elements, NaN as one."""

def nanstd(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = ...,
    *,
    where: Any = ...,
    mean: Any = ...,
    correction: Any = ...,
) -> Any:
    """Return the standard deviation of what is not NaN."""

def nansum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = ...,
    initial: Any = ...,
    where: Any = ...,
) -> Any:
    """Add elements up, NaN as zero."""

def prod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = ...,
    initial: Any = ...,
    where: Any = ...,
) -> Any:
    """Multiply elements."""

def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: Any = ...) -> Any:
    """Return the largest less the smallest elements."""

def std(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = ...,
    *,
    where: Any = ...,
    mean: Any = ...,
    correction: Any = ...,
) -> Any:
    """Return the standard deviation."""

def sum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = ...,
    initial: Any = ...,
    where: Any = ...,
) -> Any:
    """Add elements up."""

def var(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = ...,
    *,
    where: Any = ...,
    mean: Any = ...,
    correction: Any = ...,
) -> Any:
    """Return the variance."""

def around(a: Any, decimals: Any = 0, out: Any = None) -> Any:
    """Round to a number of decimals, halves to even."""

def cumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """Return running products."""

def cumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """Return running sums."""

def atleast_1d(*arys: Any) -> Any:
    """Add axes of size one until an array has 1."""

def atleast_2d(*arys: Any) -> Any:
    """Add axes of size one until an array has 2."""

def atleast_3d(*arys: Any) -> Any:
    """Add axes of size one until an array has 3."""

def blackman(M: Any) -> Any:
    """Return the Blackman window, of two cosines."""

def hamming(M: Any) -> Any:
    """Return the Hamming window, a cosine raised by less."""

def hanning(M: Any) -> Any:
    """Return the Hann window, a raised cosine."""
