"""Attributes of `numpy.ndarray` that the array does not have, and their replacements."""

from __future__ import annotations

from typing import NoReturn

import numpy as np

from pipeport.errors import AttributeRefused

_LAYOUT = "A tensor shows no memory"
_OUTSIDE = "It leaves TensorFlow: outside of graphs write"

INSTEAD = {
    "argpartition": "Sort whole: `x.argsort(axis)`.",
    "base": "A view does not name its array: keep that one by a name of its own.",
    "byteswap": "Read bytes in their order: `tf.io.decode_raw(data, dtype, little_endian=False)`.",
    "choose": "Index the choices stacked: `tf.stack(choices)` and `tf.gather`, or use `numpy.where`.",
    "compress": "Index with the mask: `x[mask]`, or `x[:, mask]` along another axis.",
    "ctypes": f"{_LAYOUT}. {_OUTSIDE} `x.numpy().ctypes`.",
    "data": f"{_LAYOUT}. {_OUTSIDE} `x.numpy().data`.",
    "device": "TensorFlow decides where a tensor lies: see `tf.device`.",
    "dump": f"{_OUTSIDE} `x.numpy().dump(file)`.",
    "dumps": f"{_OUTSIDE} `x.numpy().dumps()`.",
    "flags": f"{_LAYOUT}: it lies in the order 'C'.",
    "flat": "Write `x.ravel()` to read; to assign, index the axes.",
    "getfield": "Tensors have no fields: give each field an array of its own.",
    "itemset": "NumPy 2 has none either. Assign: `x[index] = value`.",
    "newbyteorder": "NumPy 2 has none either. Tensors have the byte order of the machine.",
    "partition": "Sort whole: `x.sort(axis)`.",
    "ptp": "NumPy 2 has none either. Call `numpy.ptp(x)`.",
    "put": "Assign: `x[indices] = values`; of several axes give one array of indices each.",
    "resize": "An array keeps its size: make a new one with `numpy.pad`, or `x[:n]`.",
    "searchsorted": "Call `tf.searchsorted(x, values)`, both of one dtype.",
    "setfield": "Tensors have no fields: give each field an array of its own.",
    "setflags": f"{_LAYOUT}, and cannot be locked: leave it out, or take `x.copy()`.",
    "to_device": "TensorFlow decides where a tensor lies: see `tf.device`.",
    "tofile": f"{_OUTSIDE} `x.numpy().tofile(file)`; in a graph `tf.io.write_file`.",
    "tostring": "NumPy 2 has none either. Call `x.tobytes()`.",
    "view": "For a cast write `x.astype(dtype)`; for the same bits `tf.bitcast(x, dtype)`.",
}


def explain_missing(name: str, kind: type = np.ndarray) -> NoReturn:
    """Say why an attribute is not there.

    `name`: of the attribute. `kind`: the class that the value has in NumPy or Python. Raises
    AttributeRefused: NumPy's array, or the class, has such an attribute. Raises AttributeError: it has none
    either.
    """
    text = f"'ndarray' object has no attribute {name!r}"
    if name in INSTEAD:
        raise AttributeRefused(f"{text}: pipeport does not mirror numpy.ndarray.{name}. {INSTEAD[name]}")
    if not name.startswith("_"):
        for one in (np.ndarray, kind):
            if hasattr(one, name):
                own = "" if one.__module__ == "builtins" else f"{one.__module__}."
                raise AttributeRefused(f"{text}: pipeport does not mirror {own}{one.__name__}.{name}")
    raise AttributeError(text)
