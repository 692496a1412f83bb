"""Sizes that may be tensors, but not one per element of a batch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import CannotServe


def one_size(witness: Mapping[str, Any], *parameters: str) -> tuple[CannotServe]:
    """Declare that a native whose sizes may be tensors serves no batch.

    `witness`: arguments of a batch of two; of the first of `parameters` an array with a value per element.
    """
    first = parameters[0]

    def batch() -> dict[str, Any]:
        return {**witness, first: tf.constant(np.asarray(witness[first]))}

    def drawn(arguments: Mapping[str, Any]) -> bool:
        return any(tf.is_tensor(arguments[name]) for name in parameters)

    shown = f"`{first}`" if len(parameters) == 1 else "width of a border"
    return (CannotServe("batched", f"one {shown} per element gives results of several sizes", batch, drawn),)
