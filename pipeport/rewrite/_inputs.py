"""What parameters are, as a text says it: an array for each, which shows what islands give."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport.contract import Spec
from pipeport.errors import RewriteRefused, explain
from pipeport.verify import _mini_language
from pipeport.verify._mini_specs import Tensor

_SIDE = 8  # of an axis whose size is not fixed


@dataclass(frozen=True)
class Filled:
    """An array of one value.

    Attributes
    ----------
    shape : tuple of int
        Its shape.
    dtype : str
        Its dtype.
    value : int or float
        Its elements.
    """

    shape: tuple[int, ...]
    dtype: str
    value: float

    def text(self, numpy: str) -> str:
        """Return the expression, with the name of NumPy in the file."""
        dtype = f"{numpy}.{self.dtype}{'_' * (self.dtype == 'bool')}"
        if self.value == 1:
            return f"{numpy}.ones({list(self.shape)}, {dtype})"
        return f"{numpy}.full({list(self.shape)}, {self.value}, {dtype})"

    def array(self) -> Any:
        """Return the array."""
        return np.full(self.shape, self.value, self.dtype)


def specs_of(texts: Sequence[str]) -> dict[str, Spec]:
    """Return what parameters are, by their names.

    Parameters
    ----------
    texts : sequence of str
        In the language of `pipeport verify --input`.

    Returns
    -------
    dict of str to Spec
        The specs.
    """
    return {name: spec for text in texts for name, spec in _mini_language.parse(text).items()}


def filled(name: str, spec: Spec) -> Filled:
    """Return an array as a spec describes it.

    Parameters
    ----------
    name : str
        Of the parameter, for errors.
    spec : Spec
        What it is.

    Returns
    -------
    Filled
        Of ones, where these are in its range.

    Raises
    ------
    RewriteRefused
        It is no tensor, has several dtypes, or an unknown number of axes.
    """
    if not isinstance(spec, Tensor) or len(spec.dtypes) > 1 or spec.leading:
        allowed = "a tensor of one dtype with all of its axes"
        advice = f'Write --input "{name}: uint8[H,W,3]".'
        given = f"{name}, which is no example for islands"
        raise RewriteRefused(explain("--input", given, allowed, advice))
    sizes = spec.sizes
    shape = tuple(one.low if one.name is None else min(max(_SIDE, one.low), one.high) for one in sizes)
    value: float = 1
    around = spec.interval
    if around is not None and not around.low < 1 < around.high:
        value = (around.low + around.high) / 2
        value = math.ceil(value) if np.dtype(spec.dtypes[0]).kind in "iu" else value
    return Filled(shape, spec.dtypes[0], value)
