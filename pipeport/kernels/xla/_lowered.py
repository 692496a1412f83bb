"""Traced functions in StableHLO, the language that XLA takes."""

from __future__ import annotations

import re
from typing import Any

from pipeport._lazy import tf
from pipeport._tensorflow_private import context
from pipeport.kernels.xla._slow_ops import restored, without_slow_ops

# What a traced function is called in what `functions` gives.
NAME = "traced"
# Where an operation came from: names and lines of files, which are nobody's business elsewhere.
_PLACES = re.compile(r' loc\((?:[^()"]|"[^"]*")*\)')
_MAIN = "func.func @main("


def functions(concrete: Any) -> str:
    """Return a traced function, and those it calls, as the text of StableHLO.

    `concrete`: without captured tensors; all sizes are known. Returns: functions for a module; `NAME` is the
    traced one.
    """
    lines = _PLACES.sub("", restored(_text(concrete))).splitlines()
    # Around the module stand the places by their numbers.
    begin = next(at for at, line in enumerate(lines) if line.startswith("module "))
    inner = lines[begin + 1 : lines.index("}", begin)]
    return "\n".join(inner).replace(_MAIN, f"func.func private @{NAME}(", 1)


def _text(concrete: Any) -> str:
    """Return TensorFlow's lowering of a traced function, some operations called by name."""
    known = context()
    made = without_slow_ops(concrete)
    name = made[0].signature.name if made else str(tf.compat.as_str(concrete.name))
    for function in made:
        known.add_function_def(function)
    try:
        text = known.get_compiler_ir(
            device_name=None,
            platform_name="CPU",
            function_name=name,
            flat_args=[tf.TensorSpec(one.shape, one.dtype) for one in concrete.inputs],
            captured_inputs=[],
            stage="stablehlo",
        )
    finally:
        for function in made:
            known.remove_function(function.signature.name)
    return str(tf.compat.as_str(text))
