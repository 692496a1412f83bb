"""The array: a tensor that behaves as NumPy's, and where natives decide to give one."""

from typing import Any

from pipeport.arrays._accepts_ndarray import accepts_ndarray as accepts_ndarray
from pipeport.arrays._give import body as body
from pipeport.arrays._give import giving as giving


def __getattr__(name: str) -> Any:
    # The class is TensorFlow's: it is made on first use, so that the catalog starts fast.
    if name == "ndarray":
        from pipeport.arrays import _ndarray

        return _ndarray.ndarray
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
