"""The truth of a value, as the graph has it."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._cast import cast
from pipeport.errors import WrongType, explain
from pipeport.porting._values import as_array, is_text, tensor_of


def condition(value: Any) -> Any:
    """Return the truth of a value as a scalar tensor of bool."""
    array = as_array(value.truth() if is_text(value) else value)
    if array is None:
        raise WrongType(explain("condition", type(value).__name__, "a number", "Compare it with something."))
    tensor = tensor_of(array)
    if tensor.shape.rank != 0:
        if tensor.shape.num_elements() != 1:
            advice = "Use x.any() or x.all()."
            raise WrongType(explain("condition", f"an array of shape {tensor.shape}", "one truth", advice))
        tensor = tf.reshape(tensor, [])
    return cast(tensor, np.dtype("bool"))
