"""Counterexamples as Python that runs when pasted: both functions called, both answers printed."""

from __future__ import annotations

import base64
import math
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from pipeport.contract import contract_of
from pipeport.verify import _files
from pipeport.verify._arrays import recipe_of
from pipeport.verify._example import Example, is_data
from pipeport.verify._pair import Pair, dotted_name


def array_literal(array: np.ndarray[Any, Any], indent: int = 0) -> str:
    """Return Python source that builds the array bit for bit (NaN payloads apart)."""
    dtype, shape = array.dtype.name, array.shape
    if dtype == "object":  # paths
        return f"np.array({value_literal(array.tolist())}, object)"
    if array.size == 0:
        return f"np.zeros({shape}, {dtype!r})"
    if (recipe := recipe_of(array)) is not None:
        return recipe
    first = array.flat[0]
    if array.size > 2 and first == first and array.tobytes() == np.full(shape, first).tobytes():
        return f"np.full({shape}, {_scalar(first)}, {dtype!r})"
    ramp = np.arange(array.size).reshape(shape)
    if array.size > 2 and array.dtype.kind != "b" and array.tobytes() == ramp.astype(dtype).tobytes():
        flat = f"np.arange({array.size}, dtype={dtype!r})"
        return flat if array.ndim == 1 else f"{flat}.reshape({shape})"
    if array.ndim == 0:
        return f"np.array({_scalar(first)}, {dtype!r})"
    text = np.array2string(
        array,
        separator=", ",
        threshold=sys.maxsize,
        floatmode="unique",
        max_line_width=79,
        prefix=" " * (indent + len("np.array(")),
    )
    return f"np.array({text}, {dtype!r})"


def _scalar(value: Any) -> str:
    return value_literal(value.item() if isinstance(value, np.generic) else value)


def value_literal(value: Any) -> str:
    """Return Python source of an argument; `np` and `nan`, `inf` of NumPy are in scope."""
    if isinstance(value, np.ndarray):
        return array_literal(value)
    if isinstance(value, np.generic):
        return f"np.{value.dtype.name}({value_literal(value.item())})"
    if isinstance(value, str) and _files.described(value) and Path(value).exists():
        content = base64.b64encode(Path(value).read_bytes()).decode()
        return f"file_of({content!r}, {Path(value).suffix!r})"
    if isinstance(value, bytes) and (file := _files.content_of(value)) is not None:
        return f"written({file[0]!r}, {value_literal(file[1])}).encode()"
    if callable(value):
        return dotted_name(value).replace(".", "_")
    if isinstance(value, float) and not math.isfinite(value):
        return {"inf": "inf", "-inf": "-inf"}.get(str(value), "nan")
    if isinstance(value, tuple):
        return "(" + ", ".join(map(value_literal, value)) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, list):
        return "[" + ", ".join(map(value_literal, value)) + "]"
    return repr(value)


def example_line(call: Example) -> str:
    """Return a call's first element as an entry of a contract's `examples`: a lambda that gives a dict."""
    parts = []
    for name, value in call.arguments.items():
        text = value_literal(value)
        parts.append(f"{name!r}: {_as_tensor(text, call.tensors.get(name))}")
    return f"lambda: {{{', '.join(parts)}}},"


def _as_tensor(text: str, dtype: str | None) -> str:
    return text if dtype is None else f"tf.constant({text}, {dtype!r})"


def _imported(dotted: str, name: str) -> str:
    """Return the line that makes what has this dotted name known under `name`."""
    if "<" in dotted:  # a lambda or a function inside another has no import
        return f"# {name} = ...  # {dotted} cannot be imported: define it here"
    module, _, function = dotted.rpartition(".")
    owner, _, kind = module.rpartition(".")
    if module not in sys.modules and owner in sys.modules:  # a method
        return f"from {owner} import {kind}\n\n{name} = {kind}.{function}"
    return f"from {module} import {function}" + ("" if function == name else f" as {name}")


def _keywords(pair: Pair, function: Any, names: list[str], values: list[str]) -> str:
    """Return the argument list of a call: keywords, or positions where names differ."""
    if getattr(function, "__wrapped__", None) is not None and function.__name__ == "in_order":
        order = [name for name in pair.domain if name in names]
        return ", ".join(values[names.index(name)] for name in order)
    return ", ".join(f"{name}={value}" for name, value in zip(names, values, strict=True))


def _signature_lines(call: Example, inputs: dict[str, Any], *, batched: bool) -> list[str]:
    lines = []
    for name, value in inputs.items():
        leading = batched and name in call.per_element
        axes = call.unknown.get(name, ()) if call.trace == "unknown" else ()
        specs = []
        for part in value if isinstance(value, list) else [value]:
            shape: list[int | None] = list(np.shape(part))
            for axis in [0, *(a + 1 for a in axes)] if leading and name in call.unknown else axes:
                shape[axis] = None if call.trace == "unknown" else shape[axis]
            dtype = "string" if part.dtype == object else part.dtype.name
            specs.append(f"tf.TensorSpec({shape}, {dtype!r})")
        lines.append(
            f"    {name}=({', '.join(specs)},)," if isinstance(value, list) else f"    {name}={specs[0]},"
        )
    return lines


def _needed(pair: Pair, call: Example) -> list[str]:
    """Return imports and helpers for callables, files, and references that are not called by keyword."""
    values = [value for element in call.elements for value in element.values()]
    lines = [_imported(dotted_name(v), value_literal(v)) for v in values if callable(v)]
    if any(isinstance(value, str) and _files.described(value) for value in values):
        lines += ["import base64", "import tempfile", "from pathlib import Path", "", ""]
        lines += ["def file_of(content, suffix):"]
        lines += ['    path = Path(tempfile.mkdtemp()) / f"file{suffix}"']
        lines += ["    path.write_bytes(base64.b64decode(content))", "    return str(path)", ""]
    if any(isinstance(value, bytes) and _files.content_of(value) for value in values):
        lines += ["from pipeport.verify._files import written", ""]
    contract = pair.contract
    if contract is not None and contract.targets:
        lines += ["from pipeport.verify._augmentation import functions_of", ""]
        lines += ["# the reference does what the native draws", "reference, native = functions_of(native)"]
        return [*lines, ""]
    if contract is None or (contract.reference_call is None and contract.compared is None):
        return lines
    called = "original_reference(**given)"
    lines += ["", "original_reference, original_native = reference, native"]
    if contract.reference_call is not None:
        lines += [_imported(contract.reference_call, "arguments_of")]
        called = "original_reference(*arguments_of(given)[0], **arguments_of(given)[1])"
    if contract.compared is not None:
        lines += [
            _imported(contract.compared[0], "read_native"),
            _imported(contract.compared[1], "read_reference"),
        ]
        called = f"read_reference({called})"
    lines += ["", "", "def reference(**given):", f"    return {called}"]
    if contract.compared is not None:
        lines += ["", "", "def native(**given):", "    return read_native(original_native(**given))"]
    return [*lines, ""]


def snippet(pair: Pair, call: Example, engine: str, reason: str) -> str:
    """Return Python that reproduces a failure.

    `reason`: what was wrong; it becomes the first comment.
    """
    batched = engine == "batched"
    in_catalog = contract_of(pair.native) is not None
    right, got = pair.called
    head = [f"# {line}" for line in reason.splitlines()] + ["import numpy as np", "import tensorflow as tf"]
    head += ["from numpy import inf, nan"]
    head += ["import pipeport"] if batched and in_catalog else []
    if pair.port_seed is None:
        head += ["", _imported(pair.reference_name, right), _imported(pair.native_name, got), ""]
    else:
        if pair.port_islands:
            head += ["from pipeport.porting import Islands, Ported, sides", ""]
        else:
            head += ["from pipeport import port", "from pipeport.porting import sides", ""]
        head += [_imported(pair.reference_name, "function"), ""]
        wrapped = "" if pair.port_wrapper == "numpy_function" else f", wrapper={pair.port_wrapper!r}"
        made = "Ported(function, Islands(True)" if pair.port_islands else "port(function"
        made += f"{wrapped})"
        head += [f"{right}, {got} = sides({made}, ({pair.port_seed}, 0))  # with the same draws", ""]
    head += _needed(pair, call)
    head += ["", "def show(title, call):", "    try:", "        answer = call()"]
    head += ["    except Exception as error:"]
    head += ['        print(f"{title} raises {type(error).__name__}: {error}")', "        return"]
    head += ["    for leaf in tf.nest.flatten(answer):", "        leaf = np.asarray(leaf)"]
    head += ["        print(title, leaf.dtype, leaf.shape)", "        print(leaf)", "", ""]
    body = _body(pair, call, engine)
    if any("large_array(" in line for line in body):
        after = head.index("from numpy import inf, nan") + 1
        head.insert(after, "from pipeport.verify._arrays import large_array")
    return "\n".join(head + body) + "\n"


def _body(pair: Pair, call: Example, engine: str) -> list[str]:
    batched = engine == "batched"
    right, got = pair.called
    inputs = call.batched_inputs() if batched else call.inputs()
    lines = ["inputs = dict("]
    for name, value in inputs.items():
        if isinstance(value, list):
            lines.append(f"    {name}=({', '.join(map(array_literal, value))},),")
        else:
            lines.append(f"    {name}={array_literal(np.asarray(value), 5 + len(name))},")
    lines += [")"]
    static = {name: value_literal(value) for name, value in call.static().items()}
    own = [n for n in call.arguments if n not in pair.extra]
    for index in range(len(call.elements)):
        values = list(_of_reference(call, own, inputs, index, batched=batched))
        title = f"{right}, element {index}," if batched else right
        lines.append(f'show("{title}", lambda: {right}({_keywords(pair, pair.reference, own, values)}))')
    every = list(call.arguments)
    given = [_entering(name, inputs[name]) if name in inputs else static[name] for name in every]
    target = got
    if batched:
        target = "batched"
        form = f"pipeport.batched({got})" if contract_of(pair.native) else _MAP_FN.format(got=got)
        lines += [f"batched = {form}"]
        arguments = ", ".join(f"{n}={v}" for n, v in zip(every, given, strict=True))
    else:
        arguments = _keywords(pair, pair.native, every, given)
    lines += ["", "", "def body(**each):", f"    return {target}({arguments})", "", ""]
    if engine == "dataset":
        return lines + _dataset_lines(call, inputs, got)
    lists = any(isinstance(value, list) for value in inputs.values())
    tensor = "tf.nest.map_structure(tf.constant, v)" if lists else "tf.constant(v)"
    if engine == "eager" or call.trace == "eager":
        run = f"body(**{{k: {tensor} for k, v in inputs.items()}})"
        return [*lines, f'show("{got}", lambda: {run})']
    lines += ["signature = dict(", *_signature_lines(call, inputs, batched=batched), ")"]
    jit = ", jit_compile=True" if engine == "xla" else ""
    lines += ["", "", "def traced():"]
    lines += [f"    graph = tf.function(body{jit}).get_concrete_function(**signature)"]
    lines += ["    outputs = tf.nest.flatten(graph.structured_outputs)"]
    lines += ['    print("static shapes:", [output.shape for output in outputs])']
    lines += [f"    return graph(**{{k: {tensor} for k, v in inputs.items()}})", "", ""]
    return [*lines, f'show("{got}", traced)']


def _entering(name: str, value: Any) -> str:
    return f'list(each["{name}"])' if isinstance(value, list) else f'each["{name}"]'


def _of_reference(
    call: Example, own: Iterable[str], inputs: dict[str, Any], index: int, *, batched: bool
) -> Iterable[str]:
    """Yield the reference's arguments for one element: arrays are taken from the inputs."""
    for name in own:
        value = call.elements[index][name]
        one = f"[{index}]" if batched and name in call.per_element else ""
        if name not in inputs or not is_data(value):
            yield value_literal(value)
        elif isinstance(value, list):
            yield f'[part{one} for part in inputs["{name}"]]'
        else:
            yield f'inputs["{name}"]{one}'


_MAP_FN = (
    "lambda **each: tf.stack([{got}(**{{k: v[i] if tf.is_tensor(v) else v for k, v in each.items()}})"
    " for i in range(len(next(iter(each.values()))))])"
)


def _dataset_lines(call: Example, inputs: dict[str, Any], got: str) -> list[str]:
    lines = ["signature = dict(", *_signature_lines(call, inputs, batched=False), ")", "", ""]
    if not inputs:
        one = "next(iter(tf.data.Dataset.range(2).map(lambda _: body())))"
        return [*lines, f'show("{got}", lambda: {one})']
    lines += ["def mapped():", "    data = tf.data.Dataset.from_tensors(inputs).repeat(2)"]
    if call.trace == "unknown":
        lines += [
            "    def hide(v, spec):",
            "        return tf.compat.v1.placeholder_with_default(v, spec.shape)",
            "",
        ]
        lines += ["    data = data.map(lambda e: tf.nest.map_structure(hide, e, signature))"]
    lines += ["    data = data.map(lambda each: body(**each), num_parallel_calls=2)"]
    lines += ['    print("element_spec:", data.element_spec)', "    return next(iter(data))", "", ""]
    return [*lines, f'show("{got}", mapped)']
