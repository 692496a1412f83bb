"""`pipeport.batched`: one native over a whole batch, in one kernel call where there is one."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from pipeport._lazy import tf
from pipeport.contract import (
    Array,
    ArrayList,
    Contract,
    EncodedImage,
    Image,
    LabelOf,
    Matrix,
    Maybe,
    Operand,
    PerAxis,
    Shaped,
    Spec,
    contract_of,
)
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.inputs.arrays import refuse_symbolic


def batched(native: Callable[..., Any]) -> Batched:
    """Return the form of a native that works on a whole batch.

    Parameters
    ----------
    native : callable
        A function of the catalog, for instance `pipeport.skimage.transform.rotate`.

    Returns
    -------
    Batched
        Same parameters. Arrays come with a leading batch axis; any other parameter is
        shared by the batch, or, with one more axis than it has for one image, given per
        element (`angle` of shape (B,)). Outputs have the leading axis.

    Raises
    ------
    TypeError
        The function is not a native of the catalog, or gives an object instead of tensors.
    OutsideDomain
        No argument has a batch axis, or arguments given per element are not as many as each other.
    tf.errors.InvalidArgumentError
        The same of lengths that are not known while tracing.

    Notes
    -----
    A batch may be empty: the outputs are then too, of the dtype and the other sizes they always have.
    Where a native is called once per element, XLA compiles an empty batch only of a length known while
    tracing.

    Examples
    --------
    >>> import pipeport, tensorflow as tf
    >>> from pipeport.numpy import fliplr
    >>> pipeport.batched(fliplr)(tf.zeros([8, 4, 5, 3])).shape
    TensorShape([8, 4, 5, 3])
    """
    contract = contract_of(native)
    if contract is None:
        raise WrongType(
            explain(
                "native",
                repr(native),
                "a function of the catalog",
                "Run `pipeport catalog` for the list; for your own function use tf.map_fn.",
            )
        )
    form = getattr(native, "__pipeport_batch_form__", None)
    if form is None and (contract.compared is not None or contract.kind == "class"):
        raise WrongType(
            explain(
                "native",
                f"{contract.native}, which gives an object",
                "a function of tensors",
                "Use the object inside a function of your own, and tf.map_fn or Dataset.map over that.",
            )
        )
    return Batched(native, contract, form or functools.partial(_one_by_one, native, contract))


class Batched:
    """A native over a whole batch; see `batched`.

    Parameters
    ----------
    native : callable
        A function of the catalog.
    contract : Contract
        Its contract.
    form : callable
        Takes its arguments with a leading axis.
    """

    autograph_info__: ClassVar[dict[str, Any]] = {}  # AutoGraph's mark for what it need not convert

    def __init__(self, native: Callable[..., Any], contract: Contract, form: Callable[..., Any]) -> None:
        self._native, self._contract, self._form = native, contract, form
        self._signature = inspect.signature(native)
        parameters = self._signature.parameters.values()
        self._rest = next((one.name for one in parameters if one.kind is one.VAR_KEYWORD), "")
        functools.update_wrapper(self, native)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        bound = self._signature.bind(*args, **kwargs)
        # Options that the signature does not name are bound together.
        options = bound.arguments.get(self._rest, {})
        given = {name: value for name, value in bound.arguments.items() if name != self._rest} | options
        for name, value in given.items():
            for one in value if isinstance(value, (list, tuple)) else [value]:
                refuse_symbolic(one, name)
        for name, value in _of_one_length(self._contract, given).items():
            (options if name in options else bound.arguments)[name] = value
        return self._form(*bound.args, **bound.kwargs)

    def __reduce__(self) -> tuple[Any, ...]:
        return batched, (self._native,)


def always_per_element(spec: Spec) -> bool:
    """Say whether a parameter always has one value per element: images do, matrices need not."""
    kind = spec.spec if isinstance(spec, Maybe) else spec
    if isinstance(kind, Shaped):
        return kind.per_image
    if isinstance(kind, EncodedImage):
        return kind.form == "bytes"
    return isinstance(kind, (Image, Array, ArrayList, LabelOf, Operand))


def element_rank(spec: Spec) -> int:
    """Return the rank of the value that one element has of a parameter."""
    kind = spec.spec if isinstance(spec, Maybe) else spec
    if isinstance(kind, Matrix):
        return 2
    if isinstance(kind, Shaped):
        return len(kind.shape)
    if isinstance(kind, PerAxis):
        return 1
    return max(spec.element_rank, kind.element_rank)


def _per_element(contract: Contract, name: str, value: Any) -> bool:
    spec: Spec | None = contract.domain.get(name) or contract.extra.get(name)
    if spec is None or value is None or isinstance(value, (str, bytes, os.PathLike)) or callable(value):
        return False
    if isinstance(spec, Operand) and (rank := _rank_of(value)) is not None and rank < 2:
        return False  # numbers
    if always_per_element(spec):
        return True
    kind = spec.spec if isinstance(spec, Maybe) else spec
    inside = kind.spec.tensor if isinstance(kind, PerAxis) else False
    if not (spec.tensor or kind.tensor or inside):
        return False
    return _rank_of(value) == element_rank(spec) + 1


def _rank_of(value: Any) -> int | None:
    """Return the rank of an array, or of what nested lists of numbers and tensors are."""
    if isinstance(value, (list, tuple)):
        inner = _rank_of(value[0]) if value else 0
        return None if inner is None else inner + 1
    shape = getattr(value, "shape", ())
    return shape.rank if isinstance(shape, tf.TensorShape) else len(shape)


def _length(value: Any) -> int | None:
    if isinstance(value, (list, tuple)):
        return len(value)
    shape: Any = value.shape if hasattr(value, "shape") else ()
    if isinstance(shape, tf.TensorShape) and shape.rank is None:
        return None
    return shape[0] if len(shape) else None


def _of_one_length(contract: Contract, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments given per element, checked to be as many as each other, now or in the graph."""
    found: dict[str, list[Any]] = {}
    for name, value in arguments.items():
        if _per_element(contract, name, value):
            several = isinstance(contract.domain.get(name), ArrayList) and isinstance(value, (list, tuple))
            found[name] = list(value) if several else [value]
    lengths = [(name, _length(value)) for name, values in found.items() for value in values]
    known = [(name, length) for name, length in lengths if length is not None]
    allowed = "as many entries as the batch has elements"
    advice = "Give one value for the whole batch, or one for each element."
    for name, length in known[1:]:
        if length != known[0][1]:
            given = f"{length} entries beside {known[0][1]} of {known[0][0]}"
            raise OutsideDomain(explain(name, given, allowed, advice))
    if len(known) == len(lengths) or len(lengths) < 2:
        return {}
    tensors = {name: [tf.convert_to_tensor(v) for v in values] for name, values in found.items()}
    sizes = [(name, tf.shape(value)[0]) for name, values in tensors.items() for value in values]
    checks = [
        tf.debugging.assert_equal(
            size, sizes[0][1], explain(name, f"another number of entries than {sizes[0][0]}", allowed, advice)
        )
        for name, size in sizes[1:]
    ]
    with tf.control_dependencies(checks):
        checked = {name: [tf.identity(value) for value in values] for name, values in tensors.items()}
    return {
        name: values if isinstance(contract.domain.get(name), ArrayList) else values[0]
        for name, values in checked.items()
    }


def _one_by_one(native: Callable[..., Any], contract: Contract, *args: Any, **kwargs: Any) -> Any:
    arguments = inspect.signature(native).bind(*args, **kwargs).arguments
    arguments.update(arguments.pop("kwargs", {}))
    mapped = {
        name: [tf.convert_to_tensor(part) for part in value]
        if isinstance(contract.domain.get(name), ArrayList)
        else tf.convert_to_tensor(value)
        for name, value in arguments.items()
        if _per_element(contract, name, value)
    }
    if not mapped:
        raise OutsideDomain(
            explain(
                "batch",
                "no argument with a leading batch axis",
                "an image batch, or a tensor with one value per element",
                f"Call {contract.native} itself for one element.",
            )
        )
    shared = {name: value for name, value in arguments.items() if name not in mapped}
    one = tf.nest.map_structure(lambda v: tf.TensorSpec(v.shape[1:], v.dtype), mapped)
    traced = tf.function(lambda **each: native(**each, **shared), autograph=False)
    outputs = traced.get_concrete_function(**one)
    signature = tf.nest.map_structure(lambda o: tf.TensorSpec(o.shape, o.dtype), outputs.structured_outputs)
    static = all(spec.shape.is_fully_defined() for spec in tf.nest.flatten(signature))
    if static and _length(tf.nest.flatten(mapped)[0]) == 0:
        # XLA does not compile a loop over nothing.
        return tf.nest.map_structure(lambda spec: tf.zeros([0, *spec.shape], spec.dtype), signature)
    return tf.map_fn(lambda each: native(**each, **shared), mapped, fn_output_signature=signature)
