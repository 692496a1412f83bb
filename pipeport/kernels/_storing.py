"""Traces the functions that `_stored` reads; `python -m` this writes their file.

Write it with the oldest TensorFlow that is supported: a newer one reads what an older one wrote.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeport._lazy import tf
from pipeport._tensorflow_private import functions_of
from pipeport.kernels.decode import _bmp, _exif, _nifti, _npy, _opencv, _pillow
from pipeport.kernels.opencv import _resize_grown, _resize_stock, _resize_tables
from pipeport.kernels.pillow import _bytes
from pipeport.kernels.pillow._filters import BICUBIC, BILINEAR, BOX, HAMMING, LANCZOS
from pipeport.kernels.xla import _stored
from pipeport.kernels.xla._stored import ARGUMENT, FILE, TAKEN, anew, name_of

_Spec = tuple[tuple[None, ...], str]
_FILE: _Spec = ((), "string")
_NUMBER: _Spec = ((), "int32")
_BYTES: _Spec = ((None,), "uint8")
_FLAG: _Spec = ((), "bool")
_IMAGE: _Spec = ((None,) * 3, "uint8")
_IMAGES: _Spec = ((None,) * 4, "uint8")


@dataclass(frozen=True)
class Function:
    """A stored function.

    `arguments`: tuple of (shape, dtype). `apart`: whether it stays one call when the graph runs.
    """

    build: Callable[..., Any]
    static: tuple[Hashable, ...]
    arguments: tuple[_Spec, ...]
    apart: bool = True

    @property
    def name(self) -> str:
        """The name it is stored under."""
        return name_of(self.build, self.static)


FUNCTIONS = (
    Function(_bmp._decoder, (), (_FILE, _FILE)),
    Function(_exif._uprighter, (False,), (_IMAGE, _FILE)),
    Function(_exif._uprighter, (True,), (_IMAGE, _FILE)),
    *(
        Function(
            _opencv._decoder, (channels, "uint8", False, 1, True, first_only, name), (_FILE,), apart=False
        )
        for channels in (1, 3)
        for first_only in (False, True)
        for name in ("filename", "buf")
    ),
    *(
        Function(_npy._caster, (dtype, "file", _npy.MOST), (_FILE,), apart=False)
        for dtype in ("float32", "float64", "int64", "int32", "int16", "uint16", "uint8")
    ),
    *(
        Function(_npy._reader, (dtype, "file", _npy.MOST), (_FILE,), apart=False)
        for dtype in ("float32", "float64", "int64", "uint8")
    ),
    Function(_nifti._reader, (), (_FILE,), apart=False),
    *(
        Function(_nifti._caster, (dtype,), (_BYTES, _NUMBER), apart=False)
        for dtype in ("float32", "float64", "int32", "uint8")
    ),
    Function(_pillow._colour_decoder, ("fp",), (_FILE,), apart=False),
    Function(_resize_tables.nearest_of_sizes, (), (_NUMBER,) * 4, apart=False),
    *(
        Function(_resize_stock._sampler, (compilable,), (_IMAGES, _NUMBER, _NUMBER), apart=False)
        for compilable in (False, True)
    ),
    Function(_resize_grown._taps, (), (_NUMBER, _NUMBER, _FLAG)),
    *(
        Function(_bytes._resampler, (number,), (_IMAGES, _NUMBER, _NUMBER, _NUMBER), apart=False)
        for number in (LANCZOS, BILINEAR, BICUBIC, BOX, HAMMING)
    ),
)
# Attributes that say where and how a function was traced, or that newer versions add with what was always
# done; not what it computes.
_OF_TRACING = frozenset(
    {
        "_construction_context",
        "_read_only_resource_inputs",
        "_collective_manager_ids",
        "_user_specified_name",
        "bad_indices_policy",
        "config",
        "config_proto",
        "executor_type",
    }
)


def traced(one: Function) -> Any:
    """Trace a function.

    Returns: tf.compat.v1.GraphDef; see `_stored.definition`; names are the same in every process.
    """
    marks = {"_noinline": True} if one.apart else {}
    function = tf.function(one.build(*one.static), autograph=False, experimental_attributes=marks)
    specs = [tf.TensorSpec(*spec) for spec in one.arguments]

    def around(*given: Any) -> Any:
        return function(*given)

    with anew():
        outer = tf.function(around, autograph=False).get_concrete_function(*specs)
    whole = outer.graph.as_graph_def()
    (call,) = (node for node in whole.node if "PartitionedCall" in node.op)
    found = tf.compat.v1.GraphDef(versions={"producer": whole.versions.producer})
    functions = {one.signature.name: one for one in whole.library.function}
    if functions[call.attr["f"].func.name].signature.is_stateful and not one.apart:
        _add_operations(found, one.name, function.get_concrete_function(*specs))
    else:
        # By the operation that has no state, although the function may check something; see `_one_call`.
        given = [f"{ARGUMENT}{at}" for at in range(len(specs))]
        node = found.node.add(name=one.name, op="PartitionedCall", input=given)
        for kept in ("Tin", "Tout", "f"):
            node.attr[kept].CopyFrom(call.attr[kept])
        node.attr["f"].func.name = _add_functions(found, node.attr["f"].func.name, functions)
    shapes = [one.shape.as_proto() for one in tf.nest.flatten(outer.outputs)]
    found.node[-1].attr["_output_shapes"].list.shape.extend(shapes)
    found.library.function.sort(key=lambda one: one.signature.name)
    return found


def _add_operations(found: Any, name: str, function: Any) -> None:
    """Add the operations of a function, the last under its name; of several results it is one more.

    TensorFlow does not put a function that checks something in the place of its call, and optimises it once
    more for each iterator, with all that it calls.
    """
    definition, results = function.graph.as_graph_def(), function.outputs
    functions = {one.signature.name: one for one in definition.library.function}
    names = {node.name: f"{name}/{node.name}" for node in definition.node}
    names |= {one.op.name: f"{ARGUMENT}{at}" for at, one in enumerate(function.inputs)}
    last = results[0].op.name if len(results) == 1 else ""
    names[last] = name
    for node in sorted(definition.node, key=lambda one: one.name == last):
        if node.op == "Placeholder":
            continue
        copy = found.node.add()
        copy.CopyFrom(node)
        copy.name = names[node.name]
        copy.input[:] = [_renamed(to, names) for to in node.input]
        _forget_attributes(copy)
        copy.ClearField("experimental_debug_info")
        for called in functions_of(copy):
            called.name = _add_functions(found, called.name, functions)
    if not last:
        node = found.node.add(name=name, op="IdentityN", input=[_renamed(one.name, names) for one in results])
        node.attr["T"].list.type.extend(one.dtype.as_datatype_enum for one in results)
    found.node[-1].attr[TAKEN].list.type.extend(one.dtype.as_datatype_enum for one in function.inputs)


def _renamed(tensor: str, names: dict[str, str]) -> str:
    """Return the name of a tensor, or of what is waited for, by the new name of its operation."""
    return re.sub(r"[^^:]+", lambda one: names[one[0]], tensor, count=1)


def _add_functions(found: Any, name: str, functions: dict[str, Any]) -> str:
    """Add a function and those that it calls, under names made of their content; return its own."""
    one = tf.compat.v1.GraphDef().library.function.add()
    one.CopyFrom(functions[name])
    _forget_tracing(one)
    for node in one.node_def:
        for called in functions_of(node):
            called.name = _add_functions(found, called.name, functions)
    one.signature.name = ""
    content = one.SerializeToString(deterministic=True)
    one.signature.name = f"pipeport_{hashlib.sha256(content).hexdigest()[:20]}"
    if all(other.signature.name != one.signature.name for other in found.library.function):
        found.library.function.add().CopyFrom(one)
    return str(one.signature.name)


def _forget_tracing(function: Any) -> None:
    """Leave out what differs between processes and versions, and what is as it is by default."""
    for holder in (function, *function.arg_attr.values()):
        _forget_attributes(holder)
    for node in function.node_def:
        _forget_attributes(node)
        node.ClearField("experimental_debug_info")
    # A count of all functions that the process has traced: no operation takes such an argument.
    for argument in function.signature.input_arg:
        argument.name = re.sub(r"_[0-9]+___redundant_", "_redundant_", argument.name)


def _forget_attributes(holder: Any) -> None:
    for key in _OF_TRACING.intersection(holder.attr):
        del holder.attr[key]


def main() -> None:
    """Write the file."""
    whole = tf.compat.v1.GraphDef()
    for one in FUNCTIONS:
        found = traced(one)
        whole.versions.CopyFrom(found.versions)
        whole.node.extend(found.node)
        known = {function.signature.name for function in whole.library.function}
        whole.library.function.extend(
            one for one in found.library.function if one.signature.name not in known
        )
    (Path(_stored.__file__).parent / FILE).write_bytes(whole.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
