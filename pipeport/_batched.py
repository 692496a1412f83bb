"""`pipeport.batched`: one native over a whole batch, in one kernel call where there is one."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.contract import Array, Contract, Image, Spec, contract_of
from pipeport.contract._domain import LabelOf
from pipeport.errors import WrongType, explain


def batched(native: Callable[..., Any]) -> Callable[..., Any]:
    """Return the form of a native that works on a whole batch.

    Parameters
    ----------
    native : callable
        A function of the catalog, for instance `pipeport.skimage.transform.rotate`.

    Returns
    -------
    callable
        Same parameters. Arrays come with a leading batch axis; any other parameter is
        shared by the batch, or, with one more axis than it has for one image, given per
        element (`angle` of shape (B,)). Outputs have the leading axis.

    Raises
    ------
    TypeError
        The function is not a native of the catalog.
    tf.errors.InvalidArgumentError
        Arguments given per element do not have one common leading size.

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
    target = form if form is not None else functools.partial(_one_by_one, native, contract)

    @functools.wraps(native)
    def over_batch(*args: Any, **kwargs: Any) -> Any:
        bound = inspect.signature(native).bind(*args, **kwargs)
        return target(*bound.args, **bound.kwargs)

    return over_batch


def _per_element(contract: Contract, name: str, value: Any) -> bool:
    spec: Spec | None = contract.domain.get(name) or contract.extra.get(name)
    if spec is None or value is None or isinstance(value, str):
        return False
    if isinstance(spec, (Image, Array, LabelOf)):
        return True
    if not spec.tensor:
        return False
    return bool(tf.convert_to_tensor(value).shape.rank == spec.element_rank + 1)


def _one_by_one(native: Callable[..., Any], contract: Contract, *args: Any, **kwargs: Any) -> Any:
    arguments = inspect.signature(native).bind(*args, **kwargs).arguments
    arguments.update(arguments.pop("kwargs", {}))
    mapped = {
        name: tf.convert_to_tensor(value)
        for name, value in arguments.items()
        if _per_element(contract, name, value)
    }
    shared = {name: value for name, value in arguments.items() if name not in mapped}
    first = next(iter(mapped.values()))
    for name, value in mapped.items():
        tf.debugging.assert_equal(
            tf.shape(value)[0], tf.shape(first)[0], f"{name}: leading size differs within the batch."
        )
    one = {name: tf.TensorSpec(v.shape[1:], v.dtype) for name, v in mapped.items()}
    traced = tf.function(lambda **each: native(**each, **shared), autograph=False)
    outputs = traced.get_concrete_function(**one)
    signature = tf.nest.map_structure(lambda o: tf.TensorSpec(o.shape, o.dtype), outputs.structured_outputs)
    return tf.map_fn(lambda each: native(**each, **shared), mapped, fn_output_signature=signature)
