"""Shared by augmentation idioms: targets of an image, and one draw per element of a batch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, explain
from pipeport.idioms._plane import plane, planes
from pipeport.kernels.inputs.arrays import as_tensor


def scene(image: Any, mask: Any, boxes: Any) -> tuple[Any, Any, Any]:
    """Return image, mask and boxes as checked tensors; None for what is not given."""
    x, y = (plane(image, "image", 0), None) if mask is None else planes(image, mask, 0)
    if boxes is None:
        return x, y, None
    b = as_tensor(boxes, "boxes")
    allowed = "floats (N, 4): x1, y1, x2, y2 in pixels"
    if b.shape.rank != 2 or b.shape[-1] not in (4, None) or not b.dtype.is_floating:
        given = f"{b.dtype.name} of shape {b.shape}"
        raise OutsideDomain(explain("boxes", given, allowed, "One row per box; cast whole numbers."))
    # As a list may hold tensors: these are float32, and NumPy would read plain numbers as float64.
    b = tf.cast(b, tf.float32) if isinstance(boxes, (list, tuple)) else b
    return x, y, tf.ensure_shape(b, [None, 4])


def given(*parts: Any) -> Any:
    """Return the parts that are there: a tuple, or the one."""
    kept = tuple(part for part in parts if part is not None)
    return kept if len(kept) > 1 else kept[0]


def corners(row: Any, column: Any, dtype: Any) -> Any:
    """Return (column, row, column, row) in a dtype, to go with the columns of boxes."""
    return tf.stack([tf.cast(side, dtype) for side in (column, row, column, row)])


def each(native: Callable[..., Any], arrays: Mapping[str, Any], seed: Any) -> Any:
    """Call a native for every element of a batch, with a seed for each.

    `native`: takes the names of `arrays` and `seed`. `arrays`: arrays with a leading batch axis; None where
    one is not given. `seed`: array_like of int, shape (2,) or (B, 2), or None; one per element (`batched`
    checks how many), or one that is folded with the element's number. Returns: what the native gives, with a
    leading axis.
    """
    found = {name: as_tensor(value, name) for name, value in arrays.items() if value is not None}
    first = next(iter(found.values()))
    drawn, count = seeds.look_up(seed, batch=True), first.shape[0]
    number = tf.shape(first)[0] if count is None else count
    if drawn.shape.rank == 2:
        found["seed"] = drawn

        def one(element: dict[str, Any]) -> Any:
            return native(**element)
    else:
        found["index"] = tf.range(tf.cast(number, tf.int64))

        def one(element: dict[str, Any]) -> Any:
            return native(seed=seeds.fold_in(drawn, element.pop("index")), **element)

    specs = {name: tf.TensorSpec(value.shape[1:], value.dtype) for name, value in found.items()}
    traced = tf.function(lambda **element: one(dict(element)), autograph=False)
    outputs = traced.get_concrete_function(**specs).structured_outputs
    signature = tf.nest.map_structure(lambda o: tf.TensorSpec(o.shape, o.dtype), outputs)
    if count == 0 and all(spec.shape.is_fully_defined() for spec in tf.nest.flatten(signature)):
        # XLA does not compile a loop over nothing.
        return tf.nest.map_structure(lambda spec: tf.zeros([0, *spec.shape], spec.dtype), signature)
    return tf.map_fn(lambda element: one(dict(element)), found, fn_output_signature=signature)
