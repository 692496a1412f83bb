"""Run every native where no reference library can be imported; print the names that worked as JSON."""

from __future__ import annotations

import importlib
import json
import sys
from typing import Any

BLOCKED = ("PIL", "albumentations", "cv2", "scipy", "skimage", "tensorflow_addons")


def main(names: list[str]) -> None:
    """Block the references, then call the natives of those names eagerly, and trace each."""
    modules: dict[str, Any] = sys.modules  # type: ignore[assignment]
    modules.update(dict.fromkeys(BLOCKED))
    import tensorflow as tf

    from pipeport import catalog
    from tests.catalog import arguments

    done = []
    for name in names:
        call = arguments.typical(catalog.find(name))
        call(**call.elements)
        # What is compiled holds no Python any more: tracing is enough.
        given = {key: tf.constant(value) for key, value in call.elements.items()}
        tf.function(call.without_splines()).get_concrete_function(**given)
        done.append(name)
    json.dump({"done": done, "importable": [name for name in BLOCKED if _importable(name)]}, sys.stdout)


def _importable(name: str) -> bool:
    """Whether the block leaks: without it most of these packages would be found."""
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


if __name__ == "__main__":
    main(sys.argv[1:])
