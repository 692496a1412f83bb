"""Datasets without what keeps a state between elements, and where a map function is traced."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf

# Stages that give the elements they are given, some of them, or in another order.
_TAKEN_OUT = (
    "CacheDataset", "FilterDataset", "OptionsDataset", "PrefetchDataset", "RepeatDataset",
    "ShuffleDataset", "SkipDataset", "SnapshotDataset",
)  # fmt: skip
_SOURCES = (
    "FixedLengthRecordDataset", "FixedLengthRecordDatasetV1", "FixedLengthRecordDatasetV2",
    "RangeDataset", "TFRecordDataset", "TFRecordDatasetV1", "TFRecordDatasetV2", "TensorDataset",
    "TensorSliceDataset", "TextLineDataset", "TextLineDatasetV1", "TextLineDatasetV2",
)  # fmt: skip
_STATELESS = (
    "BatchDataset", "ConcatenateDataset", "FlatMapDataset", "InterleaveDataset", "MapDataset",
    "PaddedBatchDataset", "ParallelBatchDataset", "ParallelInterleaveDataset", "ParallelMapDataset",
    "ShardDataset", "TakeDataset", "UnbatchDataset", "ZipDataset",
)  # fmt: skip


class Unread(Exception):
    """A dataset whose elements are not read for a trial, and why."""


def dataset_classes() -> list[Any]:
    """Return the classes of datasets that have a `map` of their own."""
    module = importlib.import_module("tensorflow.python.data.ops.dataset_ops")
    return [module.DatasetV2, module.DatasetV1]


def in_debug_mode() -> bool:
    """Say whether tf.data or TensorFlow runs functions eagerly, or every draw must repeat."""
    data = importlib.import_module("tensorflow.python.data.ops.debug_mode")
    framework = importlib.import_module("tensorflow.python.framework.config")
    repeats: bool = framework.is_op_determinism_enabled()
    return data.DEBUG_MODE or tf.config.functions_run_eagerly() or repeats


def kind_of(dataset: Any) -> str:
    """Return what a stage is called: 'MapDataset'."""
    return type(dataset).__name__.lstrip("_")


def without_order(dataset: Any) -> Any:
    """Return the elements of a dataset without stages that keep a state or only order and choose.

    Returns: its functions are not traced again. Elements that a filter leaves out are among its own.
    """
    kind = kind_of(dataset)
    if kind == "DatasetV1Adapter":
        return without_order(dataset._dataset)
    inputs = list(dataset._inputs())
    if kind in _TAKEN_OUT:
        return without_order(inputs[0])
    if kind in _SOURCES:
        return dataset
    if kind not in _STATELESS or not inputs:
        raise Unread("a generator is not read twice" if kind == "GeneratorDataset" else f"{kind} in front")
    made = [without_order(one) for one in inputs]
    if all(one is other for one, other in zip(made, inputs, strict=True)):
        return dataset
    if kind in ("MapDataset", "ParallelMapDataset"):
        return _mapped(made[0], dataset)
    if kind in ("BatchDataset", "ParallelBatchDataset"):
        return made[0].batch(dataset._batch_size, dataset._drop_remainder)
    if kind == "TakeDataset":
        return made[0].take(dataset._count)
    if kind == "ZipDataset":
        return tf.data.Dataset.zip(tf.nest.pack_sequence_as(dataset._datasets, made))
    raise Unread(f"{kind} behind a stage that keeps a state")


def _mapped(source: Any, dataset: Any) -> Any:
    """Return a map of another dataset with the function of this one, which is not traced again."""
    function = dataset._map_func.function
    variant = tf.raw_ops.MapDataset(
        input_dataset=source._variant_tensor,
        other_arguments=function.captured_inputs,
        f=function,
        **dataset._flat_structure,
    )
    module = importlib.import_module("tensorflow.python.data.ops.dataset_ops")
    return module._VariantDataset(variant, dataset.element_spec)


def functions_around(graph: Any) -> list[Any]:
    """Return the graphs from that of a dataset's function to that of a `tf.function` called in it.

    `graph`: the innermost. Returns: the outermost first; none if one is that of a branch or a loop.
    """
    found: list[Any] = []
    while type(graph).__name__ == "FuncGraph":
        found.insert(0, graph)
        graph = graph.outer_graph
    return [] if hasattr(graph, "captures") else found


def captures_of(graph: Any) -> list[tuple[Any, Any]]:
    """Return what a function's graph takes from outside, each with its placeholder."""
    return list(graph.captures)


def eager_seeds() -> Callable[[], None]:
    """Return what gives eager operations without a seed the numbers back that they take from now on."""
    context = importlib.import_module("tensorflow.python.eager.context").context()
    generator = getattr(context, "_rng", None)
    if generator is None:
        return lambda: None
    state = generator.getstate()

    def restore() -> None:
        generator.setstate(state)

    return restore


def frames() -> list[tuple[str, int]]:
    """Return file and line of each call that is under way, the innermost last, as the source has them.

    Returns: a function that AutoGraph has converted counts as its original.
    """
    module = importlib.import_module("tensorflow.python.util.tf_stack")
    return [(one.filename, one.lineno) for one in module.extract_stack()]
