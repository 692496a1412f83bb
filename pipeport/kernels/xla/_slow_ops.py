"""Operations handed to XLA by their names in StableHLO.

TensorFlow lowers most operations in 20 microseconds, but some by a compiler of its own, one after the other,
in 5 to 9 milliseconds each: of a warp with eight of them, two thirds of the time. Such an operation becomes
a call of a name before the function is lowered, and the operation of that name after.
"""

from __future__ import annotations

import re
from typing import Any

from pipeport._lazy import tf

# What TensorFlow lowers slowly, and what it makes of it where numbers are floats.
_SLOW = {
    "Abs": "abs", "Ceil": "ceil", "Cos": "cosine", "Exp": "exponential", "Expm1": "exponential_minus_one",
    "Floor": "floor", "IsFinite": "is_finite", "Log1p": "log_plus_one", "Rsqrt": "rsqrt",
    "Sigmoid": "logistic", "Sign": "sign", "Sqrt": "sqrt", "Tanh": "tanh",
}  # fmt: skip
# A comparison is lowered at once.
_IS_NAN = "IsNan"
_FLOATS = ("float32", "float64")
_CALL = "pipeport."
_CALLED = re.compile(rf"stablehlo\.custom_call @{re.escape(_CALL)}(\w+)\((%[\w#]+)\) \{{.*?\}} : ")
_SUFFIX = "_without_slow_ops"


def without_slow_ops(concrete: Any) -> list[Any]:
    """Return a traced function with slow operations called by name, and the functions it calls.

    `concrete`: the function; it is left as it is. Returns: under new names, the traced one first; empty if
    none of its operations is slow.
    """
    graph = concrete.graph.as_graph_def()
    if not any(_is_slow(node) for node in _nodes(graph)):
        return []
    graph = concrete.graph.as_graph_def(add_shapes=True)
    shapes = {node.name: node.attr["_output_shapes"] for node in graph.node}
    main = type(concrete.function_def)()
    main.CopyFrom(concrete.function_def)
    for node in main.node_def:
        if _is_slow(node) and node.name in shapes:
            node.attr["_output_shapes"].CopyFrom(shapes[node.name])
    functions = [main, *graph.library.function]
    renamed = {one.signature.name: one.signature.name + _SUFFIX for one in functions}
    for function in functions:
        _call_by_name(function)
        function.signature.name = renamed[function.signature.name]
        for called in _functions_named_in(function):
            called.name = renamed.get(called.name, called.name)
    return functions


def _nodes(graph: Any) -> list[Any]:
    """Return the operations of a graph, and of the functions it has."""
    return [*graph.node, *(node for function in graph.library.function for node in function.node_def)]


def _is_slow(node: Any) -> bool:
    return (node.op in _SLOW or node.op == _IS_NAN) and tf.as_dtype(node.attr["T"].type).name in _FLOATS


def _functions_named_in(function: Any) -> list[Any]:
    """Return the attributes of a function's operations that name other functions."""
    values = [value for node in function.node_def for value in node.attr.values()]
    return [one for value in values for one in (value.func, *value.list.func) if one.name]


def _call_by_name(function: Any) -> None:
    """Change the slow operations of a function; one of unknown size remains."""
    outputs = {}
    for node in function.node_def:
        if not _is_slow(node):
            continue
        # Asked for, an attribute that is not there would be made. Functions that were read have none.
        shape = node.attr["_output_shapes"].list.shape if "_output_shapes" in node.attr else []
        if node.op == _IS_NAN:
            outputs[node.name] = "z"
            _compare(node)
        elif len(shape) == 1 and tf.TensorShape(shape[0]).is_fully_defined():
            outputs[node.name] = "results"
            _call(node, shape[0])
    for node in function.node_def:
        node.input[:] = [_renamed(one, outputs) for one in node.input]
    for name, value in function.ret.items():
        function.ret[name] = _renamed(value, outputs)


def _renamed(reference: str, outputs: dict[str, str]) -> str:
    """Return a reference to an operation's output, which may have another name now."""
    name, _, output = reference.partition(":")
    return f"{name}:{outputs[name]}:0" if output and name in outputs else reference


def _compare(node: Any) -> None:
    """Make an operation say that a number differs from itself, which NaN alone does."""
    node.op = "NotEqual"
    node.input.insert(1, node.input[0])
    node.attr["incompatible_shape_error"].b = True


def _call(node: Any, shape: Any) -> None:
    """Make an operation a call of its name."""
    name, kind = _SLOW[node.op], node.attr["T"].type
    node.ClearField("attr")
    node.op = "XlaCustomCallV2"
    node.attr["call_target_name"].s = f"{_CALL}{name}".encode()
    node.attr["backend_config"].s = b""
    node.attr["has_side_effect"].b = False
    node.attr["operand_dtypes"].list.type.append(kind)
    gives = tf.bool.as_datatype_enum if name == "is_finite" else kind
    node.attr["result_dtypes"].list.type.append(gives)
    node.attr["result_shapes"].list.shape.append(shape)


def restored(text: str) -> str:
    """Return StableHLO with the operations where their names are called.

    `text`: what TensorFlow makes of what `without_slow_ops` gives. Returns: what it would make of the
    operations.
    """
    return _CALLED.sub(r'"stablehlo.\1"(\2) : ', text)
