"""Explain a retrace by the difference from the nearest earlier trace."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

from pipeport.trace._watch_arguments import (
    CONTAINER,
    FUNCTION,
    OBJECT,
    OPTION,
    SPEC,
    TENSOR,
    VALUE,
    Arguments,
    Leaf,
    type_spec_text,
)
from pipeport.trace._watch_report import Change

_DTYPES = {"bool": "bool", "int": "int32", "float": "float32", "complex": "complex64", "str": "string"}


def nearest(arguments: Arguments, earlier: Sequence[Arguments]) -> int:
    """Return the position of the earlier arguments with the fewest differences, the latest of equals."""
    return min(
        range(len(earlier)),
        key=lambda number: (len(changes(earlier[number], arguments)), len(earlier) - number),
    )


def changes(before: Arguments, after: Arguments) -> tuple[Change, ...]:
    """Return the differences in the order of the arguments, without parts of a whole that differs."""
    found: list[Change] = []
    whole: list[str] = []
    for path in dict.fromkeys([*after, *before]):
        if any(path.startswith(f"{outer}[") for outer in whole):
            continue
        old, new = before.get(path), after.get(path)
        if old is None or new is None:
            found.append(_appeared(path, old, new))
        elif old.same != new.same:
            found += _differences(path, old, new)
            if CONTAINER in {old.kind, new.kind}:
                whole.append(path)
    return tuple(found)


def _appeared(path: str, old: Leaf | None, new: Leaf | None) -> Change:
    before, after = ("not given" if leaf is None else leaf.text for leaf in (old, new))
    return Change(path, "structure", before, after, "Give the same arguments in every call.")


def _differences(path: str, old: Leaf, new: Leaf) -> Iterable[Change]:
    if old.kind != new.kind and not {old.kind, new.kind} <= {VALUE, OPTION}:
        return [_other_type(path, old, new)]
    if new.kind == TENSOR:
        return _of_tensors(path, old, new)
    kind = "structure" if new.kind == CONTAINER else new.kind
    return [Change(path, kind, old.text, new.text, _ADVICE[new.kind](old, new))]


def _other_type(path: str, old: Leaf, new: Leaf) -> Change:
    plain = next((leaf for leaf in (old, new) if leaf.kind == VALUE), None)
    advice = (
        f"Pass a tensor each time: tf.constant({plain.text})."
        if plain is not None and TENSOR in {old.kind, new.kind}
        else "Give it one type in every call."
    )
    # None stands for an argument that is left out, which is meant to have a graph of its own.
    kind = "option" if "None" in (old.text, new.text) else "type"
    return Change(path, kind, _article(old), _article(new), advice)


def _article(leaf: Leaf) -> str:
    if leaf.kind in (VALUE, OPTION):
        return "None" if leaf.text == "None" else f"a Python {leaf.dtype}"
    return f"a tensor {leaf.text}" if leaf.kind == TENSOR else leaf.text


def _value_advice(_: Leaf, leaf: Leaf) -> str:
    if leaf.dtype not in _DTYPES:
        return "Pass what changes in it as tensors."
    spec = spec_text((), _DTYPES[leaf.dtype])
    return f"Pass a tensor, tf.constant({leaf.text}), or name it in input_signature: {spec}."


def _spec_advice(old: Leaf, new: Leaf) -> str:
    one, other = cast(Any, old.same), cast(Any, new.same)
    shared = one.most_specific_common_supertype([other]) if type(one) is type(other) else None
    if shared is not None:
        signature = type_spec_text(shared)
        return f"Let one trace serve both: input_signature with {signature}, or reduce_retracing=True."
    return "Give every element one structure: the same keys, kinds of tensor, dtypes and Python values."


def _structure_advice(old: Leaf, new: Leaf) -> str:
    if isinstance(old.same, tuple) and isinstance(new.same, tuple) and old.same[0] == new.same[0] == "keys":
        return "Give every call the same keys; what is absent may be an empty tensor."
    return "Pass one tensor (tf.stack) or a RaggedTensor instead, or the same structure each time."


def _function_advice(old: Leaf, new: Leaf) -> str:
    if new.origin.startswith("method") and old.origin == new.origin:
        return "Each look-up of a method is a new object: keep it in a variable, and pass that."
    if new.origin.startswith("method"):
        return "Each object's method is another one: keep one object, and pass what changes as tensors."
    if old.origin == new.origin:
        return "Define it once, outside of the loop, and pass that object each time."
    return "Each function has a graph of its own; where they are many, choose with tf.switch_case."


def _object_advice(_old: Leaf, _new: Leaf) -> str:
    return "Give the same object each time, or what changes in it as tensors."


def _option_advice(_old: Leaf, _new: Leaf) -> str:
    return "Each value has a graph of its own; where it takes many values, pass a tensor."


_ADVICE = {
    CONTAINER: _structure_advice,
    FUNCTION: _function_advice,
    OBJECT: _object_advice,
    OPTION: _option_advice,
    SPEC: _spec_advice,
    VALUE: _value_advice,
}


def _of_tensors(path: str, old: Leaf, new: Leaf) -> Iterable[Change]:
    if old.dtype != new.dtype:
        advice = f"Cast it to one dtype before the call: tf.cast({path}, tf.{old.dtype})."
        yield Change(path, "dtype", old.dtype, new.dtype, advice)
    if old.shape == new.shape:
        return
    if old.shape is None or new.shape is None or len(old.shape) != len(new.shape):
        advice = "Give it one number of axes before the call: tf.reshape, or x[tf.newaxis]."
        yield Change(path, "rank", old.text, new.text, advice)
        return
    yield Change(path, "shape", old.text, new.text, _shape_advice(old, new))


def _shape_advice(old: Leaf, new: Leaf) -> str:
    sizes = merged_shape([old, new]) or ()
    spec = spec_text(sizes, new.dtype)
    text = f"Let one trace serve all sizes: input_signature with {spec}, or reduce_retracing=True"
    if sizes and sizes[0] is None and None not in sizes[1:] and len(sizes) > 1:
        text += "; a smaller last batch goes away with batch(..., drop_remainder=True)"
    return f"{text}."


def merged_shape(leaves: Sequence[Leaf]) -> tuple[int | None, ...] | None:
    """Return the sizes that all shapes share, None for others; None alone for different ranks."""
    shapes = [leaf.shape for leaf in leaves]
    if any(shape is None for shape in shapes) or len({len(shape or ()) for shape in shapes}) > 1:
        return None
    return tuple(
        sizes[0] if len(set(sizes)) == 1 else None
        for sizes in zip(*(shape or () for shape in shapes), strict=True)
    )


def spec_text(shape: tuple[int | None, ...], dtype: str) -> str:
    """Return the code of a TensorSpec."""
    return f"tf.TensorSpec({list(shape)}, tf.{dtype})"


def signature(calls: Sequence[Arguments]) -> str | None:
    """Return the input_signature under which one trace serves all these calls; None where there is none."""
    if any(list(call) != list(calls[0]) or any("[" in path for path in call) for call in calls):
        return None
    specs = []
    for path in calls[0]:
        leaves = [call[path] for call in calls]
        dtypes = {_DTYPES.get(leaf.dtype, "") if leaf.kind == VALUE else leaf.dtype for leaf in leaves}
        if len(dtypes) != 1 or "" in dtypes or {leaf.kind for leaf in leaves} not in ({TENSOR}, {VALUE}):
            return None
        shape = () if leaves[0].kind == VALUE else merged_shape(leaves)
        if shape is None:
            return None
        specs.append(spec_text(shape, dtypes.pop()))
    return f"input_signature=[{', '.join(specs)}]" if specs else None
