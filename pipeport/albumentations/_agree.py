"""One height and width for all images and masks of an element."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeport._lazy import tf
from pipeport.albumentations._sizes import Size, size_of
from pipeport.errors import OutsideDomain, explain

_ALLOWED = "the height and width of `image`"
_ADVICE = "Resize or crop them alike, or give is_check_shapes=False."


def sizes_agree(values: Mapping[str, Any], kinds: Mapping[str, str]) -> Any:
    """Return `image`, checked now or when the graph runs to have the size of all others."""
    image = values["image"]
    wanted = size_of(image)
    checks = []
    for name, size in _sizes(values, kinds).items():
        pairs = list(zip(wanted, size, strict=True))
        if any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in pairs):
            given = " x ".join("?" if tf.is_tensor(side) else str(side) for side in size)
            raise OutsideDomain(explain(name, given, _ALLOWED, _ADVICE))
        if all(isinstance(side, int) for side in (*wanted, *size)):
            continue
        message = explain(name, "another size at run time", _ALLOWED, _ADVICE)
        same = tf.reduce_all([tf.equal(a, b) for a, b in pairs])
        checks.append(tf.debugging.Assert(same, [message, *map(tf.convert_to_tensor, (*wanted, *size))]))
    with tf.control_dependencies(checks):
        return tf.identity(image) if checks else image


def _sizes(values: Mapping[str, Any], kinds: Mapping[str, str]) -> dict[str, Size]:
    found: dict[str, Size] = {}
    for name, kind in kinds.items():
        value = values.get(name)
        if kind == "masks" and isinstance(value, list):
            found.update({f"{name}[{index}]": size_of(part) for index, part in enumerate(value)})
        elif kind in ("image", "mask", "masks") and name != "image":
            found[name] = size_of(value, int(kind == "masks"))
    return found
