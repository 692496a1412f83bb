"""Whether the user has XLA compile what is traced, which TensorFlow says nowhere in public."""

from __future__ import annotations

import sys

from pipeport._tensorflow_private._tracing import function_class


def is_compiled() -> bool:
    """Say whether a `tf.function(jit_compile=True)` is traced now."""
    kind, frame = function_class(), sys._getframe()
    while frame.f_back is not None:
        frame = frame.f_back
        one = frame.f_locals.get("self") if frame.f_code.co_varnames[:1] == ("self",) else None
        if isinstance(one, kind) and getattr(one, "_jit_compile", None):
            return True
    return False
