"""Strings in functions that the user has XLA compile."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport._tensorflow_private import is_compiled
from pipeport.errors import PortRefused, explain


def refuse_compiled(what: str, values: Any) -> None:
    """Refuse strings under `jit_compile=True`: XLA has none.

    `what`: what they are of a ported function. `values`: with or without strings. Raises PortRefused: there
    is a string, and the function is compiled.
    """
    strings = (one for one in tf.nest.flatten(values) if tf.is_tensor(one) and one.dtype == tf.string)
    if next(strings, None) is not None and is_compiled():
        advice = "Leave jit_compile out, or compile a function of what the strings decide."
        raise PortRefused(explain(what, "a string under `jit_compile=True`", "numbers and arrays", advice))
