"""Functions of single elements in one compiled pass."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable
from typing import Any

from pipeport.kernels import xla
from pipeport.kernels.xla._order import is_emitted

# Elements below which the start of a program costs more than passes of TensorFlow's kernels.
_MANY = 4096
# XLA for the CPU computes these no faster.
_SLOW = ("float16", "bfloat16", "complex64", "complex128")


def one_pass(function: Callable[..., Any], *operands: Any, **static: Hashable) -> Any:
    """Return what a function gives of each element, as one program where that is faster.

    Not in bodies that are optimised and then copied into the graph around them: there such functions become
    parts of larger programs.

    `function`: takes tensors, and gives one; the same object at each call, since it names the program.
    `**static`: whatever else it takes, by name. Returns: `function(*operands, **static)`.
    """
    known = (
        not is_emitted()
        and all(one.shape.is_fully_defined() and one.dtype.name not in _SLOW for one in operands)
        and max(one.shape.num_elements() for one in operands) >= _MANY
    )
    return xla.run(_bound, function, tuple(static.items()), known=known)(*operands)


def _bound(function: Callable[..., Any], static: tuple[tuple[str, Any], ...]) -> Callable[..., Any]:
    return functools.partial(function, **dict(static))
