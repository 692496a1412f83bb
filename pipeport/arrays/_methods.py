"""The methods of the array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays import _access, _diagonal, _operators, _order, _products, _reduce, _rounding, _shapes
from pipeport.arrays._cast import cast
from pipeport.arrays._making import fresh, reshaped_of, tensors_in, view_of
from pipeport.arrays._operator_methods import product
from pipeport.arrays._promotion import common, fitted, is_number
from pipeport.arrays._setitem import setitem
from pipeport.arrays._strides import follow, unsure
from pipeport.arrays._views import Mirrored, Permuted, ReadOnly, SameOrder
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain


def _reduced(function: Callable[..., Any]) -> Callable[..., Any]:
    def method(
        self: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, **others: Any
    ) -> Any:
        _no_out(out, **others)
        return unsure(
            fresh(function(self._values, axis=tensors_in(axis), dtype=dtype, keepdims=keepdims, **others)),
            (self,),
        )

    return method


def _spread(function: Callable[..., Any]) -> Callable[..., Any]:
    def method(
        self: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: Any = 0,
        keepdims: bool = False,
        **others: Any,
    ) -> Any:
        _no_out(out, **others)
        return unsure(
            fresh(function(self._values, axis=axis, dtype=dtype, ddof=ddof, keepdims=keepdims, **others)),
            (self,),
        )

    return method


def _picked(function: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, axis: Any = None, out: Any = None, keepdims: bool = False, **others: Any) -> Any:
        _no_out(out, **others)
        return unsure(fresh(function(self._values, axis=axis, keepdims=keepdims, **others)), (self,))

    return method


def _running(function: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        _no_out(out)
        return unsure(fresh(function(self._values, axis=axis, dtype=dtype)), (self,))

    return method


def _no_out(out: Any, **others: Any) -> None:
    if out is not None:
        advice = "Assign the result: `y = ...`."
        raise UnsupportedArgument(explain("out", type(out).__name__, "None", advice))
    if "mean" in others:
        advice = "Leave it out: it is computed here."
        raise UnsupportedArgument(explain("mean", type(others["mean"]).__name__, "nothing", advice))


def _clipped(array: Any, low: Any, high: Any) -> Any:
    if low is None and high is None:
        raise OutsideDomain(explain("min, max", "None", "one bound at least", "Give `min` or `max`."))
    bounds = []
    for name, bound, lowest in (("min", low, True), ("max", high, False)):
        if is_number(bound) and type(bound) is int and array.dtype.kind in "iu":
            # NumPy drops a Python integer that bounds nothing.
            limits = np.iinfo(array.dtype)
            bound = None if (bound <= limits.min if lowest else bound >= limits.max) else bound
        found = None if bound is None else _operators.operand(bound, name)
        if bound is not None and found is None:
            raise WrongType(explain(name, repr(bound), "numbers", "Give a number or an array."))
        bounds.append(found)
    own = array.__pipeport_operand__()
    dtype, _ = common([own, *(one for one in bounds if one is not None)])
    parts = [None if one is None else fitted(one, dtype) for one in (own, *bounds)]
    return _rounding.clip(*parts)


def _in_order(made: Any, array: Any, order: Any) -> Any:
    """Note the order in memory of a copy: as it is asked for, or that of the array."""
    if order == "C":
        return made
    return (follow if order in ("K", None) else unsure)(made, (array,))


class Methods:
    """NumPy's methods."""

    _values: Any

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy's dtype."""
        found: np.dtype[Any] = np.dtype(self._values.dtype.as_numpy_dtype)
        return found

    def dot(self, b: Any, out: Any = None) -> Any:
        """Return the product with `b` by the last axis and the last but one of `b`."""
        _no_out(out)
        return product(_products.dot, self, b)

    def fill(self, value: Any) -> None:
        """Set every element."""
        _access.assign(self, ..., value, lambda x, v: setitem(x, ..., v))

    # Copies and casts.

    def astype(
        self, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
    ) -> Any:
        """Return the array in another dtype; integers wrap around, fractions are dropped."""
        wanted = _access.cast_target(self, dtype, order, casting, subok)
        if not copy and wanted == self.dtype:
            return self
        return _in_order(fresh(cast(self._values, wanted)), self, order)

    def copy(self, order: str = "C") -> Any:
        """Return an array with elements of its own."""
        _access.one_order(order)
        return _in_order(fresh(self._values), self, order)

    def flatten(self, order: str = "C") -> Any:
        """Return a copy along one axis."""
        if order == "F":
            return self.transpose().flatten()
        _access.one_order(order, self)
        return fresh(_shapes.ravel(self._values))

    # Shapes: what NumPy gives as a view is one here.

    def reshape(self, *shape: Any, order: str = "C", copy: Any = None) -> Any:
        """Return the elements in another shape; one size may be -1."""
        if order == "F":
            sizes = shape[0] if len(shape) == 1 else shape
            sizes = tuple(sizes)[::-1] if isinstance(sizes, (tuple, list)) else (sizes,)
            return self.transpose().reshape(sizes, copy=copy).transpose()
        _access.one_order(order, self)
        if copy is not None:
            raise UnsupportedArgument(explain("copy", copy, "None", "Call `copy` as well."))
        sizes = tensors_in(_access.sizes(shape[0] if len(shape) == 1 else shape))
        tensor = _shapes.reshape(self._values, sizes)
        return reshaped_of(self, tensor, SameOrder(lambda x: _shapes.reshape(x, sizes), sizes, tensor.shape))

    def ravel(self, order: str = "C") -> Any:
        """Return the elements along one axis."""
        if order == "F":
            return self.transpose().ravel()
        _access.one_order(order, self)
        tensor = _shapes.ravel(self._values)
        return reshaped_of(self, tensor, SameOrder(_shapes.ravel, (), tensor.shape), contiguous=True)

    def transpose(self, *axes: Any) -> Any:
        """Return the array with its axes permuted, or reversed."""
        order = axes[0] if len(axes) == 1 else axes or None
        step = Permuted(lambda x: _shapes.transpose(x, order), (), lambda x: np.transpose(x, order))
        return view_of(self, step.read(self._values), step)

    def swapaxes(self, axis1: Any, axis2: Any) -> Any:
        """Return the array with two axes interchanged."""
        axes = axis1, axis2
        step = Mirrored(lambda x: _shapes.swapaxes(x, *axes), (), lambda x: np.swapaxes(x, *axes))
        return view_of(self, step.read(self._values), step)

    def squeeze(self, axis: Any = None) -> Any:
        """Return the array without axes of one element."""
        tensor = _shapes.squeeze(self._values, axis)
        return view_of(self, tensor, SameOrder(lambda x: _shapes.squeeze(x, axis), (), tensor.shape))

    def repeat(self, repeats: Any, axis: Any = None) -> Any:
        """Return the array with elements repeated."""
        return unsure(fresh(_shapes.repeat(self._values, tensors_in(repeats), axis)), (self,))

    def diagonal(self, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
        """Return the diagonals."""
        step = ReadOnly(lambda x: _diagonal.diagonal(x, offset, axis1, axis2))
        return view_of(self, step.read(self._values), step)

    def take(self, indices: Any, axis: Any = None, out: Any = None, mode: Any = "raise") -> Any:
        """Take elements by index along an axis."""
        _no_out(out)
        return unsure(fresh(_diagonal.taken(self._values, indices, axis, mode)), (self,))

    def conj(self, out: Any = None) -> Any:
        """Return the complex conjugates: the array itself where it is not complex."""
        _no_out(out)
        return follow(fresh(tf.math.conj(self._values)), (self,)) if self.dtype.kind == "c" else self.real  # type: ignore[attr-defined]

    conjugate = conj

    # Reductions.

    sum, prod, mean = _reduced(_reduce.total), _reduced(_reduce.prod), _reduced(_reduce.mean)
    std, var = _spread(_reduce.std), _spread(_reduce.var)
    min, max = _picked(_reduce.smallest), _picked(_reduce.largest)
    any, all = _picked(_reduce.any_), _picked(_reduce.all_)
    argmin, argmax = _picked(_order.argmin), _picked(_order.argmax)
    cumsum, cumprod = _running(_reduce.cumsum), _running(_reduce.cumprod)

    def trace(
        self, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, dtype: Any = None, out: Any = None
    ) -> Any:
        """Return the sums of the diagonals."""
        _no_out(out)
        return unsure(
            fresh(_reduce.total(_diagonal.diagonal(self._values, offset, axis1, axis2), -1, dtype)), (self,)
        )

    def clip(self, min: Any = None, max: Any = None, out: Any = None) -> Any:
        """Return the elements limited to `min` and `max`."""
        _no_out(out)
        return follow(fresh(_clipped(self, min, max)), (self, min, max))

    def round(self, decimals: Any = 0, out: Any = None) -> Any:
        """Return the elements rounded, halves to even."""
        _no_out(out)
        return follow(fresh(_rounding.round_(self._values, decimals)), (self,))

    # Order.

    def sort(self, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> None:
        """Sort the array itself, NaN last."""
        _access.no_fields(order)
        ordered = _order.sort(self._values, axis, kind=kind, stable=stable)
        _access.assign(self, ..., None, lambda *_: ordered)

    def argsort(self, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
        """Return the indices that sort; among equals the first comes first."""
        _access.no_fields(order)
        return fresh(_order.argsort(self._values, axis, kind=kind, stable=stable))

    def nonzero(self) -> tuple[Any, ...]:
        """Return the indices of what is not zero, per axis."""
        return tuple(fresh(one) for one in _order.nonzero(self._values))
