"""Domains: the inputs for which equivalence is vouched, one spec per parameter, as plain data.

Verify draws from them, the bench takes `typical` from them, the catalog prints them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

ALL_DTYPES = ("bool", "uint8", "uint16", "int32", "float16", "float32", "float64")


@dataclass(frozen=True, kw_only=True)
class Spec:
    """Base class of the specs of parameters.

    Attributes
    ----------
    typical : object
        The value the bench uses; None lets the bench use the parameter's default.
    tensor : bool
        Whether a tensor is accepted as well as a Python value; both are then drawn.
    per_element : bool
        Whether the bench gives every dataset element its own value (as data).
    element_rank : int
        Rank of the value of one element: `batched` takes one more axis as "one per element".
    """

    typical: Any = None
    tensor: bool = False
    per_element: bool = False
    element_rank: int = 0
