"""`pipeport.inspect`: the stages and boundaries of something that lives."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pipeport import _tensorflow_private as private
from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, explain
from pipeport.inspection._advice import not_serialisable
from pipeport.inspection._measure import measure
from pipeport.inspection._python import boundaries, unknown
from pipeport.inspection._report import Report
from pipeport.inspection._service import explain as explain_service
from pipeport.inspection._stages import Found, found_in, graph_of

_ALLOWED = "a tf.data.Dataset, a tf.function, a concrete function, or the folder of a SavedModel"
SECONDS = 3.0
_SAVED = "saved_model.pb"


def inspect(
    dataset: Any,
    *,
    seconds: float | None = None,
    elements: int | None = None,
    service: bool = False,
    watch: Callable[[str], None] | None = None,
) -> Report:
    """Report the stages of a dataset, tf.function or SavedModel, its Python calls, and their cost.

    Parameters
    ----------
    dataset : tf.data.Dataset, tf.function, concrete function, str or Path
        What is inspected. A tf.function must have been called, or have an input signature; a path is that
        of the folder of a SavedModel, which is read and not loaded.
    seconds : float, optional
        How long the dataset runs from its first element on, beginning again at its end; by default 3. Each
        further measurement takes as long again: of the dataset without each function, and of each function
        against its port. With 0 nothing runs. Only a dataset runs.
    elements : int, optional
        A run of the dataset takes at most so many elements.
    service : bool, default False
        Whether another process tries to take the first element of the dataset, as tf.data service and a
        SavedModel would have to. Only of a dataset.
    watch : callable, optional
        Told what is being done.

    Returns
    -------
    Report
        Stages and boundaries; `print` shows them, `as_dict` gives plain data.

    Raises
    ------
    OutsideDomain
        It is none of these, the function was never traced, or the folder holds no SavedModel; the dataset
        is empty, raises, or gives no element within two minutes; `seconds` or `elements` are not numbers of
        that kind, or given for what does not run.

    Notes
    -----
    While it runs, the dataset does what it does in training: its functions are called, caches are filled.
    What a function costs is measured by running the dataset with stored results in its place, unless a cache
    follows that would keep them.

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
    >>> report = pipeport.inspect(rows, seconds=0.1)
    >>> [stage.name for stage in report.stages]
    ['from_tensor_slices', 'map', 'batch']
    >>> [(boundary.function, boundary.stage) for boundary in report.boundaries]
    [('halve', 2)]
    """
    runs = not isinstance(dataset, (str, os.PathLike)) and isinstance(dataset, tf.data.Dataset)
    _check(seconds, elements, service, runs=runs)
    if isinstance(dataset, (str, os.PathLike)):
        return _saved(Path(dataset))
    if runs:
        graph = graph_of(dataset)
        found = found_in(graph)
        graphs = [graph for one in _with_inputs(dataset) for graph in private.graphs_of(one)]
        name = type(dataset).__name__.strip("_")
        known = boundaries(found, graphs)
        report = Report(name=name, kind="dataset", stages=found.stages, boundaries=known)
        tell = watch or (lambda _: None)
        if service:
            tell("asking another process")
            report.service = explain_service(graph, report)
        if seconds != 0:
            measure(report, dataset, found, seconds or SECONDS, elements, tell)
        report.advice += not_serialisable(report)
        return report
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


def _check(seconds: float | None, elements: int | None, service: bool, *, runs: bool) -> None:
    if not runs:
        for name, value in (("seconds", seconds), ("elements", elements), ("service", service or None)):
            if value is not None:
                raise OutsideDomain(
                    explain(
                        name, repr(value), "nothing, as the target is not a dataset", "Only a dataset runs."
                    )
                )
    if seconds is not None and not 0 <= seconds < float("inf"):
        raise OutsideDomain(explain("seconds", repr(seconds), "0 and more", "Use 0 not to run it."))
    if elements is not None and (elements < 1 or seconds == 0):
        advice = "Leave `elements` out, or let it run."
        given = repr(elements) if elements < 1 else f"{elements} with seconds=0"
        raise OutsideDomain(explain("elements", given, "1 and more, of a dataset that runs", advice))


def _traces(function: Any) -> list[Any]:
    """Return the concrete functions of a target."""
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
