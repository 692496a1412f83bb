"""Which operations a compiled stretch may hold without changing results."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport._tensorflow_private import passing_gradient
from pipeport.porting.optimise._blocks import block_of, checked, is_row, may_be_padded
from pipeport.porting.optimise._layouts import copies_rows, spreads
from pipeport.porting.optimise._traced import Traced, names

# Computed per element, and right to the last bit however they are compiled.
_EXACT = names(
    """
    Abs Add AddV2 BitwiseAnd BitwiseOr BitwiseXor Cast Ceil ClipByValue Equal Floor FloorDiv FloorMod
    Greater GreaterEqual Identity Invert IsFinite IsInf IsNan LeftShift Less LessEqual LogicalAnd
    LogicalNot LogicalOr Maximum Minimum Mul Neg NotEqual OnesLike Pow RealDiv RightShift Rint Round Select
    SelectV2 Sign Sqrt Square SquaredDifference Sub XlaOptimizationBarrier ZerosLike
    """
)
# XLA has no rounding of integers, and heeds six bits of the exponent of a power.
_OF_FLOATS = frozenset({"Pow", "Round"})
# A last bit may be another: not where a threshold follows.
_NEARLY = names(
    """
    Acos Acosh Asin Asinh Atan Atan2 Atanh Cos Cosh Exp Expm1 Log Log1p Reciprocal Rsqrt Sigmoid Sin
    Sinh Tan Tanh
    """
)
# Operands that must be constants, by operation. What moves values about or reduces them.
_MOVES = {
    "BroadcastTo": (1,), "ConcatV2": (-1,), "EnsureShape": (), "ExpandDims": (1,), "Fill": (0,),
    "GatherV2": (2,), "MatMul": (1,), "MirrorPad": (1,), "Pack": (), "Pad": (1,), "PadV2": (1,),
    "Range": (0, 1, 2), "Reshape": (1,), "ReverseV2": (1,), "Slice": (1, 2), "Split": (0,),
    "SplitV": (1, 2), "Squeeze": (),
    "StridedSlice": (1, 2, 3), "TensorStridedSliceUpdate": (1, 2, 3), "Tile": (1,), "Transpose": (1,),
    "Unpack": (),
}  # fmt: skip
_DRAWS = {"StatelessRandomUniformFullIntV2": (0, 3)}
_REDUCTIONS = {"All": (1,), "Any": (1,), "Max": (1,), "Min": (1,), "Sum": (1,), "Prod": (1,), "Mean": (1,)}
_CONSTANT = _MOVES | _DRAWS | _REDUCTIONS
_INEXACT_REDUCTIONS = frozenset({"Sum", "Prod", "Mean"})
# Of longer rows a compiled reduction is slow, and a sum of floats loses digits.
_LONG = 64
# Numbers of which a compiled draw takes no longer than TensorFlow's kernel. Both give the same bits where the
# algorithm is named.
_FEW_DRAWN, _PHILOX = 64, 1
# Indices that are checked in a program, and elements of a row from which on a gather copies it in one piece.
_FEW = 4096
_DTYPES = frozenset(
    {"bool", "uint8", "int8", "uint16", "int16", "int32", "uint32", "int64", "uint64", "float32", "float64"}
)
_THRESHOLDS = names(
    """
    ArgMax ArgMin Ceil Equal Floor FloorDiv FloorMod Greater GreaterEqual Less LessEqual NotEqual Rint
    Round Sign
    """
)
_SUMS = frozenset({"Add", "AddV2", "Sub", "SquaredDifference", "Sum"})
_CALLS = frozenset({"StatelessIf", "StatelessWhile"})
_PRODUCTS = frozenset({"Mul", "Square", "SquaredDifference"})
# Pass a product on as it is.
_PASSES = names(
    """
    BroadcastTo Cast EnsureShape ExpandDims Identity Neg Reshape ReverseV2 Slice Squeeze StridedSlice
    Tile Transpose Unpack Split ConcatV2 Pack Select SelectV2 Pad PadV2 XlaOptimizationBarrier
    """
)
# What an operation costs in a graph, in passes over an image: 60 microseconds of CPU time at 256x256x3.
_SLOW = {
    "Asinh": 50.0, "BroadcastTo": 5.0, "ConcatV2": 3.0, "Cosh": 30.0, "Exp": 2.0, "FloorDiv": 8.0,
    "FloorMod": 8.0, "GatherV2": 20.0, "Log": 2.0, "MatMul": 5.0, "Pack": 10.0, "Pow": 20.0,
    "ReverseV2": 20.0, "Select": 20.0, "SelectV2": 20.0, "Sinh": 30.0, "StatelessIf": 2.0,
    "StatelessWhile": 50.0, "TensorStridedSliceUpdate": 5.0, "Tile": 10.0,
}  # fmt: skip
_FREE = names("EnsureShape ExpandDims Fill Identity Reshape Squeeze XlaOptimizationBarrier")


def compilable(body: Traced, *, ends: bool) -> set[Any]:
    """Return the operations that may be part of a program.

    `body`: the body. `ends`: whether its results are those of the whole body; others may meet a threshold
    later. Returns: some of its operations.
    """
    sharp = _sharp(body, ends=ends)
    # Of a program nothing can be waited for but its results.
    awaited = {source for node in body.nodes for source in node.control_inputs}
    return {node for node in body.nodes if node not in awaited and _may_be(body, node, node in sharp)}


def _may_be(body: Traced, node: Any, sharp: bool) -> bool:
    kind = node.type
    parts = body.loops.get(node, body.branches.get(node))
    padded = _clean(node) and (parts is not None or body.looped) and may_be_padded(body, node)
    if parts is not None and (padded or _plain(node)) and _are_whole(body, node, parts, sharp):
        return True
    if not padded and not _plain(node) and not _placed(body, node):
        return False
    if kind in _OF_FLOATS and node.inputs[0].dtype.is_integer:
        return False
    if node in body.block_writes or node in body.choices or kind in _EXACT:
        return True
    if kind in _NEARLY:
        return not sharp
    if kind == "Bitcast":
        return bool(node.inputs[0].dtype.is_integer and node.outputs[0].dtype.is_integer)
    if kind in _DRAWS:
        return _known(node) and _draws_few(node)
    if kind == "GatherV2":
        return _takes_few_or_bytes(body, node)
    if kind == "MatMul":
        return repeats_truths(node) or (body.looped and not sharp and _multiplies_few(node))
    if body.looped and (kind == "Shape" or is_row(node) or block_of(node) is not None):
        return True
    if kind in _MOVES:
        return _known(node)
    if kind in _REDUCTIONS:
        return _known(node) and _short(node, sharp and kind in _INEXACT_REDUCTIONS)
    if kind == "StatelessIf":
        names = [node.get_attr(name).name for name in ("then_branch", "else_branch")]
        return all(name in body.library and _harmless(body.library[name], sharp) for name in names)
    return False


def _are_whole(body: Traced, node: Any, parts: tuple[Traced, Traced], sharp: bool) -> bool:
    """Say whether a program may hold all of a loop or a condition.

    `sharp`: whether its results may meet a threshold later.
    """
    if node in body.loops and has_checks(parts[0]):  # the round after one that it refuses would not be known
        return False
    able = [compilable(part, ends=not sharp) for part in parts]
    return all(
        one in fine or one.type == "Const"
        for part, fine in zip(parts, able, strict=True)
        for one in part.nodes
    )


def checks(body: Traced, node: Any) -> bool:
    """Say whether the kernel of an operation, or of those in its functions, checks any place."""
    parts = body.loops.get(node, body.branches.get(node, ()))
    return checked(body, node) is not None or any(map(has_checks, parts))


def has_checks(part: Traced) -> bool:
    """Say whether the kernels of a function, and of those in it, check any place."""
    return any(checks(part, node) for node in part.nodes)


def _placed(body: Traced, node: Any) -> bool:
    """Say whether an operation gives an array with a number written to a block of it."""
    return node in body.block_writes and all(one.shape.is_fully_defined() for one in body.operands(node))


def _plain(node: Any) -> bool:
    return _clean(node) and all(one.shape.is_fully_defined() for one in (*node.inputs, *node.outputs))


def _clean(node: Any) -> bool:
    if node.control_inputs or not node.outputs:
        return False
    return all(tensor.dtype.name in _DTYPES for tensor in (*node.inputs, *node.outputs))


def _known(node: Any) -> bool:
    return all(tf.get_static_value(one) is not None for one in constants(node))


def _short(node: Any, sharp: bool) -> bool:
    source, result = node.inputs[0], node.outputs[0]
    short: bool = source.shape.num_elements() <= _LONG * result.shape.num_elements()
    return short and not (sharp and bool(source.dtype.is_floating))


def _draws_few(node: Any) -> bool:
    few: bool = node.outputs[0].shape.num_elements() <= _FEW_DRAWN
    return few and int(tf.get_static_value(node.inputs[3])) == _PHILOX


def is_number(body: Traced, node: Any) -> bool:
    """Say whether an operation gives the same bits in a program as in the graph."""
    return node.type not in _NEARLY | {"MatMul", "Pow"} and checked(body, node) is None


def _takes_few_or_bytes(body: Traced, node: Any) -> bool:
    """Say whether a gather takes along an axis by few indices, or by bytes from a table for all of them."""
    if tf.get_static_value(node.inputs[2]) is None or node.get_attr("batch_dims"):
        return False
    return checked(body, node) is None or node.inputs[1].shape.num_elements() <= _FEW


def _multiplies_few(node: Any) -> bool:
    """Say whether a product of matrices is one of few numbers."""
    return bool(node.inputs[0].shape.num_elements() * node.outputs[0].shape[-1] <= _FEW)


def repeats_truths(node: Any) -> bool:
    """Say whether a product of matrices sums zeros and ones: a mask that is spread over channels."""
    truths = node.inputs[0].op
    while truths.type == "Reshape":
        truths = truths.inputs[0].op
    if truths.type != "Cast" or truths.inputs[0].dtype != tf.bool:
        return False
    table = tf.get_static_value(node.inputs[1])
    if table is None or len(table) > _LONG:
        return False
    return np.array_equal(table, np.repeat(np.eye(len(table)), table.shape[1] // len(table), axis=1))


def repeated(node: Any, truths: Any) -> Any:
    """Add a product of matrices that spreads a mask: a compiler fuses a broadcast, and no product."""
    length = node.outputs[0].shape[1] // truths.shape[1]
    every = tf.broadcast_to(truths[..., tf.newaxis], [*truths.shape, length])
    return tf.reshape(every, node.outputs[0].shape)


def _harmless(branch: Any, sharp: bool) -> bool:
    """Say whether a branch may be compiled: of exact operations alone, and no products before a threshold."""
    allowed = _EXACT | {"Const", "Fill"}
    if sharp:
        allowed = allowed - _PRODUCTS
    return all(node.op in allowed for node in branch.node_def)


def divides(node: Any) -> bool:
    """Say whether an operation divides bytes or pairs of bytes and rounds down: `divided` is faster."""
    return node.type in ("FloorDiv", "FloorMod") and node.inputs[0].dtype in (tf.uint8, tf.uint16)


def divided(node: Any, number: Any, divisor: Any) -> Any:
    """Return a quotient rounded down or a remainder, without a division of integers.

    Processors multiply or divide several numbers at once, but do not divide integers so.

    `node`: for which `divides` holds. `number`, `divisor`: its operands. Returns: its result.
    """
    real = tf.cast(divisor, tf.float32)
    if number.dtype == tf.uint8:
        # The factor is above 65536 / divisor by less than 1: too little for a byte to reach the next one.
        factor = tf.cast(tf.math.ceil(65536.0 / real), tf.uint32)
        wide = tf.bitwise.right_shift(tf.cast(number, tf.uint32) * factor, tf.constant(16, tf.uint32))
    else:
        # A half more keeps the quotient as far from whole numbers as it can be: rounding does not reach one.
        wide = tf.cast((tf.cast(number, tf.float32) + 0.5) / real, tf.int32)
    quotient = tf.cast(wide, number.dtype)
    return quotient if node.type == "FloorDiv" else number - quotient * divisor


def weight(node: Any) -> float:
    """Return the cost of an operation in a graph, in passes over its largest tensor."""
    if node.type in _FREE:
        return 0
    if node.type == "GatherV2" and copies_rows(node):
        return 1
    if node.type.startswith("Select") and node.inputs[0].shape.rank == 0:
        return 1
    return max(_SLOW.get(node.type, 1), _SLOW["Tile"] if node.type in _EXACT and spreads(node) else 1)


def constants(node: Any) -> list[Any]:
    """Return the operands of an operation that must be constant.

    `node`: one that may be part of a program. Returns: their values are known while tracing.
    """
    return [node.inputs[at] for at in _CONSTANT.get(node.type, ())]


# What meets a threshold.


def _sharp(body: Traced, *, ends: bool) -> set[Any]:
    """Return the operations on floats whose results decide between whole values further on."""
    found = set() if ends else {tensor.op for tensor in body.outputs}
    for node in reversed(body.nodes):
        floats = any(tensor.dtype.is_floating for tensor in node.outputs)
        if _decides(body, node) or (
            floats and any(_decides(body, user) or user in found for user in body.users_of(node))
        ):
            found.add(node)
    return found


def _decides(body: Traced, node: Any) -> bool:
    if node in body.loops or node in body.branches:  # what a round gives meets what the next one does
        parts = body.loops.get(node, body.branches.get(node, ()))
        return any(_decides(part, one) for part in parts for one in part.nodes)
    if node.type == "Cast":
        return bool(node.inputs[0].dtype.is_floating and not node.outputs[0].dtype.is_floating)
    if node.type in _THRESHOLDS:
        return bool(node.inputs[0].dtype.is_floating)
    known = node.type in _EXACT or node.type in _NEARLY
    moves = node.type in _MOVES or node.type in _REDUCTIONS or node.type == "StatelessIf"
    moves = moves or is_row(node)
    return not (known or moves) and any(tensor.dtype.is_floating for tensor in node.inputs)


def products_in_sums(body: Traced, nodes: list[Any], *, part: bool = False) -> set[Any]:
    """Return the products that are added to: compiled as they are, the two would be rounded once.

    A loop or a condition may add to what it is given, and to what it gives may be added.

    `body`: the body. `nodes`: those of one program. `part`: whether they are all of a loop's or a condition's
    function. Returns: references of tensors.
    """
    found: set[Any] = set()
    products: set[Any] = set()
    for node in nodes:
        passed = {tensor.ref() for tensor in body.operands(node)} & products
        if node.type in _SUMS or node.type in _CALLS:
            found |= passed
        if node.type in _PRODUCTS or (passed and node.type in _PASSES):
            products |= {tensor.ref() for tensor in node.outputs if tensor.dtype.is_floating}
    return found | (products & {tensor.ref() for tensor in body.outputs}) if part else found


def hidden(tensor: Any, zero: Any) -> Any:
    """Return a tensor as it is, of which a compiler knows nothing.

    `tensor`: the tensor. `zero`: a zero that the compiler does not know. Returns: the same.
    """
    bits = tf.int32 if tensor.dtype == tf.float32 else tf.int64
    turned = tf.bitwise.bitwise_xor(tf.bitcast(tensor, bits), tf.cast(zero, bits))
    # Bits have no gradient.
    return passing_gradient(tf.bitcast(turned, tensor.dtype), tensor)
