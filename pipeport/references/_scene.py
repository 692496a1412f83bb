"""Shared by references of augmentation: targets of an image, and the draws of a native."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport.references._framing import _pair, _plane

Array = np.ndarray[Any, Any]
Scene = tuple[Array, Array | None, Array | None]


def scene_of(image: Any, mask: Any, boxes: Any = None) -> Scene:
    """Return image, mask and boxes as checked arrays; None for what is not given."""
    if mask is None:
        image = _plane(image, "image")
    else:
        image, mask = _pair(image, mask)
    if boxes is not None:
        listed = isinstance(boxes, (list, tuple))
        boxes = np.asarray(boxes)
        boxes = boxes.astype(np.float32) if listed and boxes.dtype.kind == "f" else boxes
        if boxes.ndim != 2 or boxes.shape[1] != 4 or boxes.dtype.kind != "f":
            raise ValueError("boxes must be floats (N, 4)")
    return image, mask, boxes


def given(*parts: Array | None) -> Any:
    """Return the parts that are there: a tuple, or the one."""
    kept = tuple(part for part in parts if part is not None)
    return kept if len(kept) > 1 else kept[0]


def many(native: Callable[..., Any], draws: int, *arguments: Any, **options: Any) -> list[list[Array]]:
    """Return the outputs of a native for consecutive seeds."""
    found = []
    for index in range(draws):
        outputs = native(*arguments, **options, seed=np.array([draws, index], np.int32))
        several = isinstance(outputs, (tuple, list))
        found.append([np.asarray(one) for one in (outputs if several else [outputs])])
    return found
