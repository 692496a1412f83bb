"""`pipeport.inspect`: the stages and boundaries of something that lives."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pipeport import _tensorflow_private as private
from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, explain
from pipeport.inspection._python import boundaries, unknown
from pipeport.inspection._report import Report
from pipeport.inspection._stages import Found, found_in, graph_of

_ALLOWED = "a tf.data.Dataset, a tf.function, a concrete function, or the folder of a SavedModel"
_SAVED = "saved_model.pb"


def inspect(dataset: Any) -> Report:
    """Say what a dataset, a tf.function or a SavedModel is made of, and where it calls Python.

    Parameters
    ----------
    dataset : tf.data.Dataset, tf.function, concrete function, str or Path
        What is inspected. A tf.function must have been called, or have an input signature; a path is that
        of the folder of a SavedModel, which is read and not loaded.

    Returns
    -------
    Report
        Stages and boundaries; `print` shows them, `as_dict` gives plain data.

    Raises
    ------
    OutsideDomain
        It is none of these, the function was never traced, or the folder holds no SavedModel.

    Notes
    -----
    The function behind a boundary is found while the process lives that made it. Of a SavedModel, and of
    what another process made, only the token is known.

    Examples
    --------
    >>> import numpy as np
    >>> import pipeport
    >>> import tensorflow as tf
    >>> def halve(row):
    ...     return row / np.float32(2)
    >>> rows = tf.data.Dataset.from_tensor_slices(np.ones([8, 3], np.float32))
    >>> rows = rows.map(lambda row: tf.numpy_function(halve, [row], tf.float32)).batch(4)
    >>> report = pipeport.inspect(rows)
    >>> [stage.name for stage in report.stages]
    ['from_tensor_slices', 'map', 'batch']
    >>> [(boundary.function, boundary.stage) for boundary in report.boundaries]
    [('halve', 2)]
    """
    if isinstance(dataset, (str, os.PathLike)):
        return _saved(Path(dataset))
    if isinstance(dataset, tf.data.Dataset):
        found = found_in(graph_of(dataset))
        graphs = [graph for one in _with_inputs(dataset) for graph in private.graphs_of(one)]
        name = type(dataset).__name__.strip("_")
        return Report(name=name, kind="dataset", stages=found.stages, boundaries=boundaries(found, graphs))
    concrete = _traces(dataset)
    found = Found()
    graphs = []
    for one in concrete:
        part = found_in(one.graph.as_graph_def())
        found.calls += part.calls
        found.stages = found.stages or part.stages
        graphs += private.graphs_in(one.graph)
    name = getattr(dataset, "__name__", None) or tf.compat.as_str(concrete[0].name)
    return Report(name=name, kind="function", stages=found.stages, boundaries=boundaries(found, graphs))


def _traces(function: Any) -> list[Any]:
    """Return the concrete functions of what is given."""
    if isinstance(function, tf.types.experimental.ConcreteFunction):
        return [function]
    if not isinstance(function, tf.types.experimental.PolymorphicFunction):
        given = f"an object of {type(function).__module__}.{type(function).__qualname__}"
        raise OutsideDomain(explain("dataset", given, _ALLOWED, "Give one of these."))
    traces = private.traces_of(function)
    if not traces:
        try:
            traces = [function.get_concrete_function()]
        except (TypeError, ValueError) as error:
            advice = "Call it once, or give function.get_concrete_function(...)."
            raise OutsideDomain(
                explain("dataset", "a tf.function that was never traced", _ALLOWED, advice)
            ) from error
    return traces


def _saved(folder: Path) -> Report:
    file = folder / _SAVED
    if not file.is_file():
        given = f"{str(folder)!r}, which has no {_SAVED}"
        raise OutsideDomain(
            explain("dataset", given, _ALLOWED, "Name the folder that tf.saved_model.save wrote.")
        )
    found = Found()
    for graph in private.saved_graphs(file.read_bytes()):
        part = found_in(graph)
        found.calls += part.calls
        found.stages = found.stages or part.stages
    # A token is a number of the process that saved it: here it may be another function's.
    return Report(name=str(folder), kind="SavedModel", stages=found.stages, boundaries=unknown(found))


def _with_inputs(dataset: Any) -> list[Any]:
    """Return a dataset and all that it is made of."""
    found: list[Any] = []
    todo = [dataset]
    while todo:
        one = todo.pop()
        if not any(one is other for other in found):
            found.append(one)
            todo += private.inputs_of(one)
    return found
