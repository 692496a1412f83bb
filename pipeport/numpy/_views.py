"""Results that share memory with an argument in NumPy."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.arrays import _sharing


def as_views(given: Any, found: Any) -> Any:
    """Return tensors as views of the array they come from, so that no write to either is lost.

    Parameters
    ----------
    given : object
        The argument.
    found : tf.Tensor, or list of them
        The result.

    Returns
    -------
    tf.Tensor or ndarray, or list of them
        Views where an array was given, else the result.
    """
    if not isinstance(given, _sharing.Tracked):
        return found
    if isinstance(found, list):
        return [as_views(given, one) for one in found]
    from pipeport.arrays._making import view_of

    return view_of(given, tf.convert_to_tensor(found))
