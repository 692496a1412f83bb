"""Whether another process can run a dataset, as tf.data service and SavedModels need it: one tries."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from pipeport._lazy import tf
from pipeport.inspection._report import Report, Service
from pipeport.verify._child import Child

_LIMIT_S = 120.0
_LARGE, _KEPT = 2**24, 64  # bytes of an array that is cut to so many elements
_EMPTY = "Dataset was empty"
_SLICES = "TensorSliceDataset"
_RUN = "pipeport.inspection._other_process"


def explain(graph: Any, report: Report) -> Service:
    """Let another process take the first element of a dataset, and say what is to blame if it cannot."""
    whole, cut = graph, first_elements(graph)
    graph = whole if cut is None else cut[0]
    said = _asked(graph)
    if cut is not None and _EMPTY in said:  # what comes first is left out by a later stage
        said = _asked(whole)
    names = {one.number: one.name for one in report.stages}
    blame = [
        f"stage {one.stage}, {names[one.stage]}: {one.wrapper} calls {one.name}"
        for one in report.boundaries
        if one.stage in names
    ]
    return Service(
        possible=not said, blame=blame if said else [], said=said, cut=0 if cut is None else cut[1]
    )


def first_elements(graph: Any) -> tuple[Any, int] | None:
    """Return a graph whose sources in memory have their first elements alone, and the bytes that it lacks.

    Returns: None where the arrays in it are small.
    """
    readers: dict[str, set[str]] = {}
    for node in graph.node:
        for name in node.input:
            readers.setdefault(_name(name), set()).add(node.op)
    arrays = {one.name: one for one in graph.node if one.op == "Const" and readers.get(one.name) == {_SLICES}}
    large: set[str] = set()
    for node in graph.node:
        names = {_name(name) for name in node.input}
        if node.op == _SLICES and names <= set(arrays) and sum(_size(arrays[one]) for one in names) > _LARGE:
            large |= names
    if not large:
        return None
    cut = type(graph)()
    cut.library.CopyFrom(graph.library)
    cut.versions.CopyFrom(graph.versions)
    lacking = 0
    for node in graph.node:
        new = cut.node.add()
        if node.name not in large:
            new.CopyFrom(node)
            continue
        new.name, new.op, new.device = node.name, node.op, node.device
        new.attr["dtype"].CopyFrom(node.attr["dtype"])
        new.attr["value"].tensor.CopyFrom(_first(node.attr["value"].tensor))
        lacking += _size(node) - _size(new)
    return cut, lacking


def _name(text: str) -> str:
    return text.lstrip("^").partition(":")[0]


def _size(node: Any) -> int:
    return len(node.attr["value"].tensor.tensor_content)


def _first(tensor: Any) -> Any:
    """Return the first elements of an array, as TensorFlow stores it."""
    count = tensor.tensor_shape.dim[0].size
    if count <= _KEPT:
        return tensor
    if tensor.dtype == tf.string.as_datatype_enum or not tensor.tensor_content:  # not of a fixed size each
        whole = tf.io.parse_tensor(tensor.SerializeToString(), tf.as_dtype(tensor.dtype))
        return tf.make_tensor_proto(whole[:_KEPT].numpy())
    new = type(tensor)(dtype=tensor.dtype, tensor_shape=tensor.tensor_shape)
    new.tensor_shape.dim[0].size = _KEPT
    new.tensor_content = tensor.tensor_content[: len(tensor.tensor_content) // count * _KEPT]
    return new


def _asked(graph: Any) -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "graph.pb")
        file.write_bytes(graph.SerializeToString())
        return _answer(file)


def _answer(file: Path) -> str:
    """Return the other process's error; empty if it took an element."""
    child = Child(_RUN, str(file))
    try:
        answer = child.heard(_LIMIT_S)
    except TimeoutError:
        return f"no element within {_LIMIT_S:g} s"
    finally:
        child.kill()
    return f"the process ended with {child.ended}" if answer is None else str(answer["error"])
