"""Programs that XLA for the CPU runs as one function on one thread, without dividing their loops."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import Any
from weakref import WeakKeyDictionary

from pipeport._lazy import tf
from pipeport._tensorflow_private import portable, warn_if_newer, with_gradient
from pipeport.kernels.xla import _lowered as lowered
from pipeport.kernels.xla._precompile import precompile
from pipeport.kernels.xla._shared import shared
from pipeport.kernels.xla._stored import ARGUMENT, called, can_make_known

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
_CONDITIONS = frozenset({"Case", "If", "StatelessCase", "StatelessIf"})
_CALLS = frozenset({"PartitionedCall", "StatelessIf", _LOOP})
# Of the form of the operation: the last that TensorFlow 2.15 reads too, where a model may be restored.
_VERSION = 8
# Whether a program is being traced; what it calls becomes part of it.
_inside = ContextVar("_inside", default=False)
# Whether a program is being differentiated: what it calls is traced in its place.
_differentiated = ContextVar("_differentiated", default=False)
# What `_call` gives of each traced function: the graph around is traced more often.
_definitions: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
# What makes the call of a computation one function; it is read by XLA for the CPU alone.
_ATTRIBUTES = '{mhlo.frontend_attributes = {inlineable = "false", xla_cpu_small_call = "true"}}'
# A reduction of float32 that XLA for the CPU may hand to a library.
_REDUCTION = re.compile(
    r"^( *)(%\w+) = stablehlo\.reduce\((%\w+) init: (%\w+)\) "
    r"(applies stablehlo\.(?:add|maximum|minimum) .*) : \((tensor<[0-9x]*f32>), .*-> (tensor<[0-9x]*f32>)",
    re.MULTILINE,
)
# Numbers from which on it does, and of how long rows it makes one number first.
_HANDED, _ROW = 32_768, 32
# The first is where the attributes help, the others are where they would not be understood.
_PLATFORMS = (b"CPU", b"CUDA", b"ROCM", b"TPU")


def single_threaded(
    body: Callable[..., Any], *, differentiated: Callable[..., Any] | None = None
) -> Callable[..., Any]:
    """Return a function that runs another as one XLA program.

    Parameters
    ----------
    body : callable
        Takes tensors, in tuples or alone, and gives tensors.
    differentiated : callable or None
        The same of operations of a graph, of which the gradient is computed: that of a loop of unknown
        length has no program. None: `body`, whose gradient is a program too.

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
    slowly), where arrays are large, and in other releases of TensorFlow.

    XLA hands a reduction of 32,768 numbers of float32 or more to a library, YNNPACK. It ends the process
    when two threads run the program at once, and a marked call cannot run it. Products and float64 are not
    handed over: arrays are multiplied by a one that XLA does not know, very large ones are widened.
    """
    program = tf.function(body, jit_compile=True, autograph=False)
    plain = body if differentiated is None else differentiated

    def backward(given: Any, upstream: list[Any]) -> list[Any]:
        before = _differentiated.set(True)
        try:
            results = tf.nest.flatten(plain(*given))
        finally:
            _differentiated.reset(before)
        # Not a tape: it does not see operations that are imported.
        return list(tf.gradients(_floating(results), _floating(tf.nest.flatten(given)), upstream))

    compiled = tf.function(backward, jit_compile=differentiated is None or None, autograph=False)

    def run(*arguments: Any) -> Any:
        if _differentiated.get():
            return plain(*arguments)
        tensors = tf.nest.flatten(arguments)
        warn_if_newer()
        if _inside.get() or not all(map(tf.is_tensor, tensors)):
            return program(*arguments)
        rows = tf.nest.map_structure(lambda one: tf.TensorSpec(one.shape, one.dtype), arguments)
        able = tf.version.VERSION.startswith(_RELEASES) and can_make_known() and _are_known(tensors)
        before = _inside.set(able)
        try:
            concrete = shared(program.get_concrete_function(*rows))
        finally:
            _inside.reset(before)
        definition = _definition(concrete) if able else None
        floating = bool(_floating(tensors))
        if definition is None and not (floating and (differentiated or _has_conditions(concrete))):
            return concrete(*arguments)
        results = tf.nest.flatten(concrete(*arguments) if definition is None else called(definition, tensors))
        dtypes = [one.dtype for one in results]  # no tensors: a gradient outlives the graph of a trace

        def gradient(given: list[Any], upstream: list[Any]) -> list[Any]:
            # Copies: a graph captures tensors otherwise while it calls something that XLA compiles.
            own = [tf.identity(one) for one in given]
            for one, spec in zip(own, tf.nest.flatten(rows), strict=True):
                one.set_shape(spec.shape)  # unknown where TensorFlow reads a graph from its definition
            rising = [
                tf.identity(one) for one, dtype in zip(upstream, dtypes, strict=True) if dtype.is_floating
            ]
            found = iter(compiled(tf.nest.pack_sequence_as(rows, own), rising))
            return [next(found) if one.dtype.is_floating else None for one in given]

        if floating:
            results = with_gradient(results, tensors, gradient)
        return tf.nest.pack_sequence_as(concrete.structured_outputs, results)

    return run


def _floating(tensors: Iterable[Any]) -> list[Any]:
    return [one for one in tensors if one.dtype.is_floating]


def _has_conditions(concrete: Any) -> bool:
    """Say whether a program branches: TensorFlow differentiates its call by what XLA does not compile."""
    return not _kinds(concrete.graph).isdisjoint(_CONDITIONS)


def _are_known(tensors: Iterable[Any]) -> bool:
    """Say whether all sizes are known, and all dtypes are of numbers."""
    return all(one.shape.is_fully_defined() and one.dtype.name in _TYPES for one in tensors)


def _is_small(concrete: Any) -> bool:
    """Say whether a program is faster as one function on one thread."""
    return all(one.shape.num_elements() < _MANY for one in (*concrete.inputs, *concrete.outputs))


def _gains(concrete: Any, kinds: set[str]) -> bool:
    """Say whether a traced function can be one function to XLA, and computes something."""
    if concrete.captured_inputs or not concrete.inputs or not _are_known(concrete.outputs):
        return False
    return kinds <= _ARITHMETIC | _OTHERS | _CALLS and not kinds.isdisjoint(_ARITHMETIC)


def _kinds(graph: Any) -> set[str]:
    """Return the kinds of the operations of a graph, and of the functions it has."""
    definition = graph.as_graph_def()
    kinds = {node.op for node in definition.node}
    return kinds.union(*({node.op for node in one.node_def} for one in definition.library.function))


def _definition(concrete: Any) -> Any:
    """Return the result of `_call`, or None if the program has to be divided."""
    if concrete not in _definitions:
        kinds = _kinds(concrete.graph)
        made = _call(concrete) if _gains(concrete, kinds) else None
        # A loop may never end with the numbers that a program is tried on.
        if made is not None and _LOOP not in kinds and _is_small(concrete):
            precompile(made, concrete.inputs)
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
    node = definition.node.add(name="single_threaded", op="PartitionedCall")
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
    function.signature.name = f"{name}_single_threaded"
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
    node.attr["module"].s = portable(_module(concrete))
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
        # XLA ends the process at a small call with a constant of some size, too.
        hidden = [f"%hidden{at}" for at in range(len(given))] if attributes else given
        lines = [
            f"{name} = stablehlo.optimization_barrier {of} : {kind}"
            for name, of, kind in zip(hidden, given, takes, strict=True)
            if attributes
        ]
        call = f"func.call @whole({', '.join(hidden)}) {attributes} : ({', '.join(takes)}) -> ({everything})"
        lines += [f"{both} = {call}", f"stablehlo.return {', '.join(passed[: len(gives)])} : {results}"]
        return "\n ".join(lines)

    functions = _REDUCTION.sub(_reduced, lowered.functions(concrete))
    call = f"func.call @{lowered.NAME}({arguments})"
    return f"""module @single_threaded {{
func.func public @main(%platform: tensor<i32>, {parameters}) -> ({results}) {{
 {chosen} = "stablehlo.case"(%platform) ({{
 {branch(_ATTRIBUTES if _is_small(concrete) else "")}
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


def _reduced(found: re.Match[str]) -> str:
    """Return a reduction in StableHLO in a way that XLA computes itself."""
    space, name, given, start, how, kind, result = found.groups()
    number = name[1:]
    sides = [int(side) for side in re.findall(r"\d+(?=x)", kind)]
    axes = [int(axis) for axis in re.findall(r"\d+", how)]
    rows = [-(-side // _ROW) if axis in axes else side for axis, side in enumerate(sides)]
    if math.prod(rows) < _HANDED or all(sides[axis] <= _ROW for axis in axes):
        lines = [
            f"%known{number} = stablehlo.constant dense<1.0> : tensor<f32>",
            f"%unknown{number} = stablehlo.optimization_barrier %known{number} : tensor<f32>",
            f"%one{number} = stablehlo.broadcast_in_dim %unknown{number}, dims = [] "
            f": (tensor<f32>) -> {kind}",
            f"%product{number} = stablehlo.multiply {given}, %one{number} : {kind}",
            f"{name} = stablehlo.reduce(%product{number} init: {start}) {how} "
            f": ({kind}, tensor<f32>) -> {result}",
        ]
    else:
        wide, wider = (one.replace("f32", "f64") for one in (kind, result))
        lines = [
            f"%wide{number} = stablehlo.convert {given} : ({kind}) -> {wide}",
            f"%start{number} = stablehlo.convert {start} : (tensor<f32>) -> tensor<f64>",
            f"%whole{number} = stablehlo.reduce(%wide{number} init: %start{number}) {how} "
            f": ({wide}, tensor<f64>) -> {wider}",
            f"{name} = stablehlo.convert %whole{number} : ({wider}) -> {result}",
        ]
    return "\n".join(space + line for line in lines)


def _names(name: str, count: int) -> tuple[str, list[str]]:
    """Return how several values are defined, and each of them."""
    if count == 1:
        return f"%{name}", [f"%{name}"]
    return f"%{name}:{count}", [f"%{name}#{at}" for at in range(count)]


def _type(tensor: Any) -> str:
    return f"tensor<{''.join(f'{side}x' for side in tensor.shape)}{_TYPES[tensor.dtype.name]}>"
