"""Hooks by which `pipeport.arrays` converts arguments and results of natives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_Call = Callable[[str, Callable[..., Any], Any, Any, str | None], Any]

_installed: list[_Call] = []


def install(call: _Call) -> None:
    """Let `pipeport.arrays` call natives from now on; before its import there are no arrays.

    `call`: takes the parameters of `call`.
    """
    _installed[:] = [call]


def call(
    reference: str, function: Callable[..., Any], args: Any, kwargs: Any, view_of: str | None = None
) -> Any:
    """Call a native.

    `view_of`: {'first', 'each', 'itself'} or None.
    """
    for decide in _installed:
        return decide(reference, function, args, kwargs, view_of)
    return function(*args, **kwargs)
