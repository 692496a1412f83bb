"""Hooks by which `pipeport.arrays` converts arguments and results of natives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_installed: list[Callable[[str, Callable[..., Any], Any, Any], Any]] = []


def install(call: Callable[[str, Callable[..., Any], Any, Any], Any]) -> None:
    """Let `pipeport.arrays` call natives from now on; before its import there are no arrays.

    Parameters
    ----------
    call : callable
        Takes the reference's name, the native, its positional and its keyword arguments.
    """
    _installed[:] = [call]


def call(reference: str, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Call a native.

    Parameters
    ----------
    reference : str
        Name of what it replaces.
    function : callable
        The native.
    args, kwargs : tuple, dict
        Its arguments.

    Returns
    -------
    object
        Its result.
    """
    for decide in _installed:
        return decide(reference, function, args, kwargs)
    return function(*args, **kwargs)
