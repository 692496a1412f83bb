"""Programs that XLA for the CPU runs as one function on one thread, without dividing their loops."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import Any, cast
from weakref import WeakKeyDictionary

from pipeport._lazy import tf
from pipeport.kernels import _lowered as lowered
from pipeport.kernels._ahead import compile_ahead
from pipeport.kernels._stored import ARGUMENT, called, can_make_known

# Releases of TensorFlow that were seen to do it; another one may not know the attribute, or another way.
_RELEASES = ("2.21.",)
# Elements from which on a loop gains by all cores even while other elements keep them busy.
_MANY = 2**22
_TYPES = {
    "bool": "i1", "uint8": "ui8", "uint16": "ui16", "uint32": "ui32", "uint64": "ui64", "int8": "i8",
    "int16": "i16", "int32": "i32", "int64": "i64", "float32": "f32", "float64": "f64",
}  # fmt: skip
_ARITHMETIC = frozenset(
    """
    Abs Acos Acosh Add AddN AddV2 Asin Asinh Atan Atan2 Atanh BitwiseAnd BitwiseOr BitwiseXor Bitcast Cast
    Ceil ClipByValue Cos Cosh Cumsum Equal Exp Expm1 Floor FloorDiv FloorMod Greater GreaterEqual Invert
    IsFinite IsInf IsNan LeftShift Less LessEqual Log Log1p LogicalAnd LogicalNot LogicalOr Maximum Minimum
    Mul Neg NotEqual Pow RealDiv Reciprocal RightShift Rint Round Rsqrt Select SelectV2 Sigmoid Sign Sin
    Sinh Sqrt Square SquaredDifference Sub Tan Tanh TruncateDiv TruncateMod
    All Any Max Mean Min Prod Sum
    """.split()  # noqa: SIM905
)
_OTHERS = frozenset(
    """
    BroadcastTo ConcatV2 Const EnsureShape ExpandDims Fill GatherNd GatherV2 Identity IdentityN MirrorPad
    NoOp OnesLike Pack Pad PadV2 Placeholder Range Reshape ReverseV2 Shape Slice Split SplitV Squeeze
    StatelessRandomUniformFullIntV2 StridedSlice TensorStridedSliceUpdate Tile Transpose Unpack
    XlaDynamicSlice XlaDynamicUpdateSlice XlaOptimizationBarrier ZerosLike
    """.split()  # noqa: SIM905
)
_LOOP = "StatelessWhile"
_CALLS = frozenset({"PartitionedCall", "StatelessIf", _LOOP})
# Of the form of the operation: the last that TensorFlow 2.15 reads too, where a model may be restored.
_VERSION = 8
# Whether a program is being traced; what it calls becomes part of it.
_inside = ContextVar("_inside", default=False)
# What `_call` gives of each traced function: the graph around is traced more often.
_definitions: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
# What makes the call of a computation one function; it is read by XLA for the CPU alone.
_ATTRIBUTES = '{mhlo.frontend_attributes = {inlineable = "false", xla_cpu_small_call = "true"}}'
# Elements of float32 from beyond which XLA hands a reduction to a library, which a small call cannot run.
_REDUCED = 32_768
_REDUCTION = re.compile(r"stablehlo\.reduce\(.*: \(tensor<((?:\d+x)*)f32>")
# The first is where the attributes help, the others are where they would not be understood.
_PLATFORMS = (b"CPU", b"CUDA", b"ROCM", b"TPU")


def undivided(body: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that runs another as one XLA program.

    Parameters
    ----------
    body : callable
        Takes tensors, in tuples or alone, and gives tensors.

    Returns
    -------
    callable
        Takes what `body` takes; for a graph.

    Notes
    -----
    XLA for the CPU hands half of a loop over an image to another thread and waits for it: 20
    microseconds of processor time, where the loop takes 30. `Dataset.map` keeps all cores busy anyway.
    A computation that is called, and marked as small, becomes one function instead, which runs on the
    thread that calls it. TensorFlow says so only through StableHLO, in an operation that counts as
    stateful; the program around it does not. Lowered when it is traced, the program is one node of the
    graph: of its operations none is left for each new iterator to optimise.

    A program stays divided where sizes are unknown, where it only moves values (the function copies more
    slowly), where arrays are large, where it reduces more than 32,768 numbers of float32 (XLA takes a
    library for these, and a marked call fails), and in other releases of TensorFlow.
    """
    program = tf.function(body, jit_compile=True, autograph=False)

    def run(*arguments: Any) -> Any:
        tensors = tf.nest.flatten(arguments)
        able = tf.version.VERSION.startswith(_RELEASES) and can_make_known() and not _inside.get()
        if not able or not all(map(tf.is_tensor, tensors)) or not _sized(tensors):
            return program(*arguments)
        rows = tf.nest.map_structure(lambda one: tf.TensorSpec(one.shape, one.dtype), arguments)
        before = _inside.set(True)
        try:
            concrete = program.get_concrete_function(*rows)
        finally:
            _inside.reset(before)
        if (definition := _definition(concrete)) is None:
            return program(*arguments)

        def whole(*given: Any) -> Any:
            results = tf.nest.flatten(called(definition, given))
            return tf.nest.pack_sequence_as(concrete.structured_outputs, results)

        if not any(one.dtype.is_floating for one in tensors):
            return whole(*tensors)

        def plain(*given: Any) -> Any:
            return program(*tf.nest.pack_sequence_as(arguments, given))

        return _differentiable(whole, plain)(*tensors)

    return run


def _sized(tensors: Iterable[Any]) -> bool:
    """Say whether all sizes are known and not too large, and all dtypes are of numbers."""
    return all(
        one.shape.is_fully_defined() and one.shape.num_elements() < _MANY and one.dtype.name in _TYPES
        for one in tensors
    )


def _gains(concrete: Any, kinds: set[str]) -> bool:
    """Say whether a traced function can be one function to XLA, and is faster so."""
    if concrete.captured_inputs or not concrete.inputs or not _sized(concrete.outputs):
        return False
    return kinds <= _ARITHMETIC | _OTHERS | _CALLS and not kinds.isdisjoint(_ARITHMETIC)


def _kinds(graph: Any) -> set[str]:
    """Return the kinds of the operations of a graph, and of the functions it has."""
    definition = graph.as_graph_def()
    kinds = {node.op for node in definition.node}
    return kinds.union(*({node.op for node in one.node_def} for one in definition.library.function))


def _definition(concrete: Any) -> Any:
    """Return what `_call` gives, or None if the program has to be divided."""
    if concrete not in _definitions:
        kinds = _kinds(concrete.graph)
        made = _call(concrete) if _gains(concrete, kinds) else None
        # A loop may never end with the numbers that a program is tried on.
        if made is not None and _LOOP not in kinds:
            compile_ahead(made, concrete.inputs)
        _definitions[concrete] = made
    return _definitions[concrete]


def _call(concrete: Any) -> Any:
    """Return a graph with the call of a program that holds a traced function as one computation.

    None if XLA has to know an argument when it compiles.
    """
    try:
        program = _program(concrete)
    except ValueError:
        return None
    definition = tf.compat.v1.GraphDef(library={"function": [program]})
    node = definition.node.add(name="undivided", op="PartitionedCall")
    node.input.extend(f"{ARGUMENT}{at}" for at in range(len(concrete.inputs)))
    node.attr["Tin"].list.type.extend(_dtypes(concrete.inputs))
    node.attr["Tout"].list.type.extend(_dtypes(concrete.outputs))
    node.attr["_output_shapes"].list.shape.extend(one.shape.as_proto() for one in concrete.outputs)
    node.attr["f"].func.name = program.signature.name
    node.attr["_XlaMustCompile"].b = True
    return definition


def _program(concrete: Any) -> Any:
    """Return a function of one node, which calls a traced one as one computation.

    It says of itself that it has no state, although the node counts as if it had: else no iterator over a
    map with it could be saved.
    """
    name = str(tf.compat.as_str(concrete.name))
    function = tf.compat.v1.GraphDef().library.function.add()
    function.signature.name = f"{name}_undivided"
    function.attr["_XlaMustCompile"].b = True
    for at, dtype in enumerate(_dtypes(concrete.inputs)):
        function.signature.input_arg.add(name=f"given{at}", type=dtype)
    for at, dtype in enumerate(_dtypes(concrete.outputs)):
        function.signature.output_arg.add(name=f"made{at}", type=dtype)
        function.ret[f"made{at}"] = f"call:output:{at}"
    node = function.node_def.add(name="call", op="XlaCallModule")
    node.input.extend(one.name for one in function.signature.input_arg)
    node.attr["Tin"].list.type.extend(_dtypes(concrete.inputs))
    node.attr["Tout"].list.type.extend(_dtypes(concrete.outputs))
    node.attr["Sout"].list.shape.extend(one.shape.as_proto() for one in concrete.outputs)
    node.attr["version"].i = _VERSION
    node.attr["module"].s = lowered.portable(_module(concrete))
    node.attr["platforms"].list.s.extend(_PLATFORMS)
    return function


def _dtypes(tensors: Iterable[Any]) -> list[int]:
    return [one.dtype.as_datatype_enum for one in tensors]


def _module(concrete: Any) -> str:
    """Return a traced function in StableHLO, called in a way that is marked on a CPU.

    What it takes it gives too: XLA ends the process at a small call that does not use an argument.
    """
    inputs, outputs = concrete.inputs, concrete.outputs
    given = [f"%given{at}" for at in range(len(inputs))]
    takes, gives = [_type(one) for one in inputs], [_type(one) for one in outputs]
    parameters = ", ".join(f"{name}: {kind}" for name, kind in zip(given, takes, strict=True))
    arguments, results, everything = ", ".join(given), ", ".join(gives), ", ".join(gives + takes)
    both, passed = _names("both", len(gives + takes))
    chosen, several = _names("chosen", len(gives))
    made, rows = _names("made", len(gives))

    def branch(attributes: str) -> str:
        call = f"func.call @whole({arguments}) {attributes} : ({', '.join(takes)}) -> ({everything})"
        return f"{both} = {call}\n stablehlo.return {', '.join(passed[: len(gives)])} : {results}"

    functions = lowered.functions(concrete)
    call = f"func.call @{lowered.NAME}({arguments})"
    return f"""module @undivided {{
func.func public @main(%platform: tensor<i32>, {parameters}) -> ({results}) {{
 {chosen} = "stablehlo.case"(%platform) ({{
 {branch("" if _reduces_much(functions) else _ATTRIBUTES)}
 }}, {{
 {branch("")}
 }}) : (tensor<i32>) -> ({results})
 return {", ".join(several)} : {results}
}}
func.func private @whole({parameters}) -> ({everything}) {{
 {made} = {call} : ({", ".join(takes)}) -> ({results})
 return {", ".join(rows + given)} : {everything}
}}
{functions}
}}"""


def _reduces_much(functions: str) -> bool:
    """Say whether functions in StableHLO hold a reduction that fails in a small call."""
    sizes = (found[1].split("x")[:-1] for found in _REDUCTION.finditer(functions))
    return any(math.prod(map(int, one)) > _REDUCED for one in sizes)


def _names(name: str, count: int) -> tuple[str, list[str]]:
    """Return how several values are defined, and each of them."""
    if count == 1:
        return f"%{name}", [f"%{name}"]
    return f"%{name}:{count}", [f"%{name}#{at}" for at in range(count)]


def _type(tensor: Any) -> str:
    return f"tensor<{''.join(f'{side}x' for side in tensor.shape)}{_TYPES[tensor.dtype.name]}>"


def _differentiable(run: Callable[..., Any], plain: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function with the values of one and the gradients of another."""

    def both(*tensors: Any) -> Any:
        def gradient(*upstream: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(tensors)
                results = plain(*tensors)
            return tape.gradient(results, tensors, list(upstream))

        return run(*tensors), gradient

    return cast("Callable[..., Any]", tf.custom_gradient(both))
