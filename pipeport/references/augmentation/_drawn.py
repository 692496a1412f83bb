"""What a native drew, as the parameters its reference takes, where those are not the same numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# As in albumentations.core.type_definitions, in this order.
_ELEMENTS = ("e", "r90", "r180", "r270", "v", "hvt", "h", "t")


def group_element(drawn: Mapping[str, Any], native: Any, shape: tuple[int, ...]) -> dict[str, Any]:  # noqa: ARG001
    """Return the name of the symmetry for its number.

    Parameters
    ----------
    drawn : mapping of str to numpy.ndarray
        The parameter `group_element`.
    native : object
        The transform that drew.
    shape : tuple of int
        Of the image.

    Returns
    -------
    dict
        What the reference's methods take.
    """
    return {"group_element": _ELEMENTS[int(drawn["group_element"])]}
