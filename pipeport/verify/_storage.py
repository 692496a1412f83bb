"""The folder in which Hypothesis keeps its notes."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any


@contextlib.contextmanager
def no_folder_left() -> Iterator[None]:
    """Let Hypothesis write into a temporary folder where it would else make `.hypothesis`.

    Where that folder is already, or a place was chosen, everything stays as it is.
    """
    from hypothesis.configuration import set_hypothesis_home_dir, storage_directory

    place: Any = storage_directory(intent_to_write=False)
    home = Path(getattr(place, "home_directory", place))  # once it was a plain path
    if home.exists() or "HYPOTHESIS_STORAGE_DIRECTORY" in os.environ:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="pipeport-") as folder:
        set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            set_hypothesis_home_dir(home)
