"""Label fields: arrays with one entry per box or point, which lose the entries of rows that are dropped."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs.arrays import as_tensor

_ADVICE = "Every row has one label."


def as_labels(value: Any, field: str) -> Any:
    """Return labels as a tensor: numbers, or strings."""
    if tf.is_tensor(value) and value.dtype == tf.string:
        return value
    if isinstance(value, (list, tuple)) and value and all(isinstance(part, (str, bytes)) for part in value):
        return tf.constant(list(value))
    return as_tensor(value, field)


def checked(value: Any, field: str, rows: Any, name: str) -> Any:
    """Return labels as a tensor, one per row: checked now, or when the graph runs."""
    labels = as_labels(value, field)
    if labels.shape.rank == 0:
        raise OutsideDomain(explain(field, "a scalar", f"one label per row of `{name}`", _ADVICE))
    count, known = labels.shape[:1], rows.shape[:1]
    if not count.is_compatible_with(known):
        given = f"{count[0]} labels for {known[0]} {name}"
        raise OutsideDomain(explain(field, given, "as many as rows", _ADVICE))
    if count.is_fully_defined() and known.is_fully_defined():
        return labels
    message = explain(field, "another number of labels at run time", f"one per row of `{name}`", _ADVICE)
    same = tf.debugging.Assert(tf.equal(tf.shape(labels)[0], tf.shape(rows)[0]), [message])
    with tf.control_dependencies([] if same is None else [same]):
        return tf.identity(labels)
