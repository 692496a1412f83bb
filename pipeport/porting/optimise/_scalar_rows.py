"""Rows of numbers that differ in constants alone, as `[i * x for i in range(256)]`, in one piece."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.porting.optimise._traced import names

# Numbers from which on a row is worth one expression.
_LEAST = 8
# Operations one after another that are looked at.
_DEEPEST = 100
# Operations whose attributes are the dtypes of what they take.
_ALLOWED = names(
    """
    Abs Acos Acosh Add AddV2 Asin Asinh Atan Atan2 Atanh BitwiseAnd BitwiseOr BitwiseXor Ceil Cos Cosh Exp
    Expm1 Floor FloorDiv FloorMod Greater GreaterEqual Identity Invert IsFinite IsInf IsNan LeftShift Less
    LessEqual Log Log1p LogicalAnd LogicalNot LogicalOr Maximum Minimum Mul Neg Pow RealDiv RightShift Rint
    Round SelectV2 Sign Sin Sinh Sqrt Square Sub Tan Tanh
    """
)


def row(values: Any) -> Any:
    """Return a list of scalars as one tensor, where each is computed as the others are.

    `values`: a list or tuple of scalar tensors; whatever else is returned as it is. Returns: a tensor of rank
    1, computed for all at once; the values where they are computed in several ways.
    """
    if not isinstance(values, (list, tuple)) or len(values) < _LEAST or tf.executing_eagerly():
        return values
    if not all(tf.is_tensor(one) and one.shape.rank == 0 for one in values):
        return values
    if len({one.dtype for one in values}) > 1:
        return values
    found = _Row().of(tuple(values))
    return found if found is not None and found.shape.rank == 1 else values


class _Row:
    """Builds one expression of several scalars."""

    def __init__(self) -> None:
        self._graph = tf.compat.v1.get_default_graph()
        self._depth = 0
        self._made: dict[tuple[Any, ...], Any] = {}

    def of(self, column: tuple[Any, ...]) -> Any:
        """Return a tensor of rank 1, a scalar where all are the same tensor, or None."""
        name = tuple(one.ref() for one in column)
        if name not in self._made:
            self._made[name] = self._expression(column)
        return self._made[name]

    def _expression(self, column: tuple[Any, ...]) -> Any:
        first = column[0]
        if all(one is first for one in column):
            return first
        if all(getattr(one, "graph", None) is self._graph and one.op.type == "Const" for one in column):
            return tf.constant(np.stack([tf.get_static_value(one) for one in column]))
        if self._depth >= _DEEPEST or not all(self._is_like(one, first) for one in column):
            return None
        self._depth += 1
        operands = [self.of(several) for several in zip(*(one.op.inputs for one in column), strict=True)]
        self._depth -= 1
        if any(one is None for one in operands):
            return None
        if first.op.type == "Cast":
            return tf.cast(operands[0], first.dtype)
        names = [one.name for one in first.op.op_def.input_arg]
        return getattr(tf.raw_ops, first.op.type)(**dict(zip(names, operands, strict=True)))

    def _is_like(self, one: Any, first: Any) -> bool:
        """Say whether a scalar is computed by the operation that another is, from scalars too."""
        if getattr(one, "graph", None) is not self._graph:
            return False
        node, other = one.op, first.op
        if node.type != other.type or not (node.type in _ALLOWED or node.type == "Cast"):
            return False
        dtypes = {tuple(each.dtype for each in (*of.inputs, *of.outputs)) for of in (node, other)}
        return (
            len(dtypes) == 1 and not node.control_inputs and all(each.shape.rank == 0 for each in node.inputs)
        )
