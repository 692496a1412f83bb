"""The operators of the array."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pipeport._lazy import tf
from pipeport.arrays import _access, _operators, _products, _sharing
from pipeport.arrays._at_once import at_once
from pipeport.arrays._making import as_of_tensorflow, fresh
from pipeport.arrays._promotion import Operand, common, fitted
from pipeport.arrays._strides import follow
from pipeport.errors import UnsupportedArgument, explain

_EQUALITIES = ("eq", "ne")


def _binary(name: str, *, swapped: bool = False) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        if name == "mul" and isinstance(other, (list, tuple)) and _is_count(self):
            return _repeated(other, self)
        if name in _EQUALITIES and self.weak and isinstance(other, (list, tuple)):
            return NotImplemented  # a number of Python's
        theirs = _operators.operand(other)
        if theirs is None:
            return _unequal(self, name) if name in _EQUALITIES and _is_foreign(other) else NotImplemented
        sides = (theirs, self.__pipeport_operand__()) if swapped else (self.__pipeport_operand__(), theirs)
        tensor, weak = _computed(name, *sides)
        if any(side.of_tensorflow for side in sides):
            return as_of_tensorflow(fresh(tensor))
        return follow(fresh(tensor, weak=weak), (self, other))

    return method


def _computed(name: str, left: Operand, right: Operand) -> tuple[Any, bool]:
    """Return the result of an operator, and whether it is weak; of constants it is one."""

    def compute(one: Any, other: Any) -> tuple[Any, bool]:
        return _operators.binary(name, replace(left, value=one), replace(right, value=other))

    found: tuple[Any, bool] = at_once(compute, left.value, right.value)
    return found


def _is_foreign(value: Any) -> bool:
    """Say whether a value is of Python's own, which equals no number, and does not decide that itself."""
    return type(value).__module__ == "builtins"


def _unequal(array: Any, name: str) -> Any:
    """Return how an array compares with what is not a number: no element equals that."""
    if array.weak or _sharing.is_of_tensorflow(array):
        return NotImplemented
    return fresh(tf.fill(tf.shape(array._values), name == "ne"))


def _is_count(x: Any) -> bool:
    return bool(_sharing.is_number(x) and x.dtype.kind in ("biu" if x.weak else "iu"))


def _repeated(rows: Any, count: Any) -> Any:
    """Return a list or tuple so many times in a row, as Python does."""
    known = tf.get_static_value(tf.convert_to_tensor(count))
    if known is None:
        given = f"a {type(rows).__name__} repeated a number of times known only at run time"
        advice = "Of an array take np.tile or np.repeat."
        raise UnsupportedArgument(explain("operand", given, "numbers known while tracing", advice))
    return rows * int(known)


def _in_place(name: str) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        if _sharing.is_of_tensorflow(self) or _sharing.is_of_tensorflow(other):
            return NotImplemented  # no tensor is changed: the name gets the result
        theirs = _operators.operand(other)
        if theirs is None:
            return NotImplemented
        tensor, weak = _computed(name, self.__pipeport_operand__(), theirs)
        if _sharing.is_number(self):
            return fresh(tensor, weak=weak)
        return _access.update(self, tensor, fits=theirs.plain or theirs.value.shape.rank == 0)

    return method


def _unary(name: str) -> Callable[[Any], Any]:
    def method(self: Any) -> Any:
        own = self.__pipeport_operand__()
        tensor, weak = at_once(lambda value: _operators.unary(name, replace(own, value=value)), own.value)
        if _sharing.is_of_tensorflow(self):
            return as_of_tensorflow(fresh(tensor))
        return follow(fresh(tensor, weak=weak), (self,))

    return method


def product(function: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    a, b = _operators.operand(left), _operators.operand(right)
    if a is None or b is None:
        return NotImplemented
    if a.of_tensorflow or b.of_tensorflow:
        a, b = _operators.as_tensorflow_promotes(a, b)
        return as_of_tensorflow(fresh(function(a.value, b.value)))
    a, b = (Operand(fitted(one, one.dtype), one.dtype, False) for one in (a, b))  # no weak numbers
    dtype, _ = common((a, b))
    return fresh(function(fitted(a, dtype), fitted(b, dtype)))


class OperatorMethods:
    """The special methods of operators, with NumPy's promotion and errors."""

    weak: bool

    __add__, __radd__, __iadd__ = _binary("add"), _binary("add", swapped=True), _in_place("add")
    __sub__, __rsub__, __isub__ = _binary("sub"), _binary("sub", swapped=True), _in_place("sub")
    __mul__, __rmul__, __imul__ = _binary("mul"), _binary("mul", swapped=True), _in_place("mul")
    __truediv__, __rtruediv__ = _binary("truediv"), _binary("truediv", swapped=True)
    __floordiv__, __rfloordiv__ = _binary("floordiv"), _binary("floordiv", swapped=True)
    __mod__, __rmod__, __imod__ = _binary("mod"), _binary("mod", swapped=True), _in_place("mod")
    __pow__, __rpow__, __ipow__ = _binary("pow"), _binary("pow", swapped=True), _in_place("pow")
    __itruediv__, __ifloordiv__ = _in_place("truediv"), _in_place("floordiv")
    __and__, __rand__, __iand__ = _binary("and"), _binary("and", swapped=True), _in_place("and")
    __or__, __ror__, __ior__ = _binary("or"), _binary("or", swapped=True), _in_place("or")
    __xor__, __rxor__, __ixor__ = _binary("xor"), _binary("xor", swapped=True), _in_place("xor")
    __lshift__, __rlshift__, __ilshift__ = (
        _binary("lshift"),
        _binary("lshift", swapped=True),
        _in_place("lshift"),
    )
    __rshift__, __rrshift__, __irshift__ = (
        _binary("rshift"),
        _binary("rshift", swapped=True),
        _in_place("rshift"),
    )
    __lt__, __le__, __gt__, __ge__ = _binary("lt"), _binary("le"), _binary("gt"), _binary("ge")
    __eq__, __ne__ = _binary("eq"), _binary("ne")
    __neg__, __pos__, __abs__, __invert__ = _unary("neg"), _unary("pos"), _unary("abs"), _unary("invert")

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __matmul__(self, other: Any) -> Any:
        return product(_products.matmul, self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return product(_products.matmul, other, self)
