"""The stages of a dataset, read from the graph that TensorFlow makes of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pipeport._lazy import tf
from pipeport.inspection._report import Stage

_DATASET = re.compile(r"(?P<name>\w+?)Dataset(V\d+)?$")
PYTHON = {"PyFunc": "numpy_function", "PyFuncStateless": "numpy_function", "EagerPyFunc": "py_function"}
GENERATOR = "from_generator"
# What the methods of `tf.data` are called whose names do not follow from those of their operations.
_NAMES = {
    "tensor": "from_tensors",
    "tensor_slice": "from_tensor_slices",
    "sparse_tensor_slice": "from_tensor_slices",
    "generator": GENERATOR,
    "fixed_length_record": "FixedLengthRecordDataset",
    "tf_record": "TFRecordDataset",
    "text_line": "TextLineDataset",
    "concatenate": "concatenate",
    "options": "with_options",
    "zip": "zip",
}
_DRAWS = re.compile(
    r"(Stateless)?(Random|TruncatedNormal|Multinomial|ParameterizedTruncated)|StatefulUniform"
)
_PARALLEL = re.compile(r"^parallel_")
# Where among its inputs an operation keeps a number; negative from the end.
_PARALLELISM = {
    "ParallelMap": -1,
    "ParallelInterleave": -1,
    "ParallelFilter": -1,
    "ParallelBatch": 2,
    "MapAndBatch": -2,
}
_BATCH = {"Batch": 1, "ParallelBatch": 1, "PaddedBatch": 1, "MapAndBatch": -3}
_BUFFER = {"Prefetch": 1, "Shuffle": 1, "ShuffleAndRepeat": 1}
_COUNT = {"Repeat": 1, "Take": 1, "Skip": 1}


@dataclass
class Found:
    """A graph as its stages, the Python each calls, and the operation of each.

    `stages`: in the order in which elements pass. `calls`: operation, token and number of the stage of each
    call of Python. `operations`: the operation of each stage, by its number. `dtypes`: what each call of
    Python gives, by its token. `random`: the numbers of the stages in whose functions TensorFlow draws.
    """

    stages: list[Stage] = field(default_factory=list)
    calls: list[tuple[str, str, int | None]] = field(default_factory=list)
    operations: dict[int, str] = field(default_factory=dict)
    dtypes: dict[str, list[int]] = field(default_factory=dict)
    random: list[int] = field(default_factory=list)


def graph_of(dataset: Any) -> Any:
    """Return the graph of a dataset; state such as tables and variables is left out of account."""
    variant = tf.data.experimental.to_variant(dataset)
    ignore = 1
    text = tf.raw_ops.DatasetToGraphV2(
        input_dataset=variant, external_state_policy=ignore, strip_device_assignment=True
    )
    return tf.compat.v1.GraphDef.FromString(text.numpy())


def found_in(graph: Any) -> Found:
    """Return the stages of a graph, and the Python it calls.

    `graph`: of a dataset, of a function or of a SavedModel.
    """
    return _Reader(graph).found


def base(operation: str) -> str | None:
    """Return the name of a dataset's operation without its version; None for other operations."""
    found = _DATASET.match(operation)
    return found["name"] if found else None


class _Reader:
    def __init__(self, graph: Any) -> None:
        self._functions = {one.signature.name: one for one in graph.library.function}
        self.found = Found()
        self._seen: set[tuple[str, str]] = set()
        self._nodes(graph.node, None)
        entered = {name for _, name in self._seen}
        for name, one in self._functions.items():
            if name not in entered:
                self._function(name, None, one)

    def _nodes(self, nodes: Any, inside: int | None) -> None:
        """Add the stages of a list of operations, those they read first."""
        by_name = {node.name: node for node in nodes}
        numbers: dict[str, int] = {}

        def add(node: Any) -> int:
            if node.name in numbers:
                return numbers[node.name]
            given = [by_name.get(name.lstrip("^").partition(":")[0]) for name in node.input]
            inputs = [add(one) for one in given if one is not None and base(one.op)]
            if node.op == "OptionsDataset" and inputs:
                numbers[node.name] = inputs[0]
                return inputs[0]
            if self._is_generator(node):  # it maps over one dummy
                for number in inputs:
                    self._drop(number)
                inputs = []
            numbers[node.name] = self._stage(node, given, inputs, inside)
            return numbers[node.name]

        for node in nodes:
            if base(node.op):
                add(node)
            else:
                self._python(node, inside)
                for name in _called(node):
                    self._function(name, inside)

    def _drop(self, number: int) -> None:
        self.found.stages = [one for one in self.found.stages if one.number != number]
        self.found.operations.pop(number, None)

    def _is_generator(self, node: Any) -> bool:
        inner = (self._functions.get(name) for name in _called(node))
        return base(node.op) == "FlatMap" and any(
            one.op == "GeneratorDataset" for function in inner if function for one in function.node_def
        )

    def _stage(self, node: Any, given: list[Any], inputs: list[int], inside: int | None) -> int:
        operation = base(node.op) or ""
        number = max((one.number for one in self.found.stages), default=0) + 1
        generator = self._is_generator(node)
        stage = Stage(
            number=number,
            name=GENERATOR if generator else _method(operation),
            inside=inside,
            parallelism=_number(_PARALLELISM, operation, given),
            batch=_number(_BATCH, operation, given),
            buffer=_number(_BUFFER, operation, given),
            count=_number(_COUNT, operation, given),
            shapes=list(_shapes(node)),
            inputs=inputs,
        )
        self.found.stages.append(stage)
        self.found.operations[number] = operation
        for name in _called(node):
            if generator:
                self._generator(name, number)
            else:
                self._function(name, number)
        return number

    def _generator(self, name: str, number: int) -> None:
        """Add the Python of `from_generator`: of its three functions the one that gives elements."""
        self._seen.add((str(number), name))
        for node in self._functions[name].node_def:
            if node.op == "GeneratorDataset":
                parts = {key: node.attr[key].func.name for key in ("init_func", "next_func", "finalize_func")}
                self._seen |= {(str(number), one) for one in parts.values()}
                for one in self._functions[parts["next_func"]].node_def:
                    if one.op in PYTHON:
                        self.found.calls.append((GENERATOR, one.attr["token"].s.decode(), number))

    def _function(self, name: str, inside: int | None, known: Any = None) -> None:
        function = known or self._functions.get(name)
        if function is None or (str(inside), name) in self._seen:
            return
        self._seen.add((str(inside), name))
        self._nodes(function.node_def, inside)

    def _python(self, node: Any, inside: int | None) -> None:
        if _DRAWS.match(node.op) and inside is not None:
            self.found.random.append(inside)
        if node.op in PYTHON:
            token = node.attr["token"].s.decode()
            self.found.calls.append((PYTHON[node.op], token, inside))
            self.found.dtypes[token] = list(node.attr["Tout"].list.type)


def _called(node: Any) -> Iterator[str]:
    """Yield the names of the functions that an operation calls."""
    for name in sorted(node.attr):
        attribute = node.attr[name]
        if attribute.HasField("func"):
            yield attribute.func.name
        for one in attribute.list.func:
            yield one.name


def _method(operation: str) -> str:
    name = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", operation).lower()
    name = _NAMES.get(name, name)
    return _PARALLEL.sub("", name)


def _number(places: dict[str, int], operation: str, given: list[Any]) -> int | None:
    place = places.get(operation)
    if place is None or not -len(given) <= place < len(given):
        return None
    node = given[place]
    if node is None or node.op != "Const":
        return None
    return int(tf.make_ndarray(node.attr["value"].tensor))


def _shapes(node: Any) -> Iterator[str]:
    types = next((node.attr[one] for one in ("output_types", "Toutput_types", "component_types")
                  if one in node.attr), None)  # fmt: skip
    if types is None or "output_shapes" not in node.attr:
        return
    for dtype, shape in zip(types.list.type, node.attr["output_shapes"].list.shape, strict=False):
        yield shown(tf.as_dtype(dtype), tf.TensorShape(shape))


def shown(dtype: Any, shape: Any) -> str:
    """Return dtype and shape in words: 'uint8[?,224,3]', 'float32[rank ?]'."""
    if shape.rank is None:
        return f"{dtype.name}[rank ?]"
    return f"{dtype.name}[{','.join('?' if one is None else str(one) for one in shape.as_list())}]"
