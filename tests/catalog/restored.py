"""Load a SavedModel of natives where pipeport cannot be imported, and run each on its saved arguments."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np


def main(folder: Path) -> None:
    """Read `folder`/model and `folder`/in/*.npz; write `folder`/out/*.npz."""
    sys.modules["pipeport"] = None  # type: ignore[assignment]
    import tensorflow as tf

    model = tf.saved_model.load(str(folder / "model"))
    for file in sorted((folder / "in").glob("*.npz")):
        with np.load(file) as data:
            outputs = getattr(model, file.stem)(**{n.removeprefix("in_"): tf.constant(data[n]) for n in data})
        np.savez(folder / "out" / file.name, *(np.asarray(out) for out in tf.nest.flatten(outputs)))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
