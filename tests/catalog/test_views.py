"""The contract says which results of the reference share memory with what it is given."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from pipeport import catalog
from pipeport.verify._require import resolve
from tests.catalog import arguments

# NumPy's and scikit-image's arrays alone are seen by `port` and `body` as arrays that share.
_LIBRARIES = ("numpy.", "skimage.")
# The property of an array, which gives the view itself.
_ITSELF = "numpy.real"
# Those that return the array itself where it has the dtype already.
_CASTS = ("img_as_bool", "img_as_float", "img_as_float32", "img_as_float64", "img_as_ubyte")
_NATIVES = [
    one.native
    for one in arguments.here()
    if one.reference.startswith(_LIBRARIES) and one.kind == "function" and one.reference != _ITSELF
]


def _shares(native: str) -> bool:
    """Whether a result of the reference shares memory with the first array it is given."""
    contract = catalog.find(native)
    call = arguments.typical(contract)
    first = next(iter(call.data))
    result = _result(contract, call, call.data)
    of_its_shape = isinstance(result, np.ndarray) and result.shape == call.data[first].shape
    if of_its_shape and result.dtype != call.data[first].dtype and native.rpartition(".")[2] in _CASTS:
        return _shared(*_cast(contract, call, first, result.dtype))
    return _shared(result, call.data[first])


def _cast(contract: Any, call: Any, first: str, dtype: Any) -> tuple[Any, Any]:
    """Return the result of an array that has its dtype already, and that array."""
    data = call.data | {first: call.data[first].astype(dtype)}
    return _result(contract, call, data), data[first]


def _result(contract: Any, call: Any, data: Any) -> Any:
    given: dict[str, Any] = {}
    for name, value in data.items():
        if arguments.PART in name:
            given.setdefault(name.partition(arguments.PART)[0], []).append(value)
        else:
            given[name] = value
    # A cast is a copy.
    given |= {name: value for name, value in call.options.items() if name not in ("dtype", *contract.extra)}
    if contract.reference_call is None:
        args, kwargs = (), given
    else:
        args, kwargs = resolve(contract.reference_call)(given)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return arguments.reference_of(contract)(*args, **kwargs)


def _shared(result: Any, first: Any) -> bool:
    # Without elements nothing is shared.
    return any(
        one.base is not None if one.size == 0 else np.shares_memory(one, first)
        for one in tf.nest.flatten(result)
        if isinstance(one, np.ndarray)
    )


@pytest.mark.parametrize("native", [name for name in _NATIVES if arguments.typical(catalog.find(name)).data])
def test_what_shares_memory_is_in_the_contract(native: str) -> None:
    assert _shares(native) == (catalog.find(native).view_of is not None)
