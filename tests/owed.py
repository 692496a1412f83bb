"""Tests that are known to fail, by environment: a debt that is written down, not a judgement.

Each file `tests/known_failures/ENVIRONMENT.txt` holds one test id a line. Such a test runs and is
reported as xfail, or as XPASS once it has been mended: then its line is to be removed.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

FOLDER = Path(__file__).parent / "known_failures"
HERE = "addons" if importlib.util.find_spec("tensorflow_addons") else "main"


def known() -> frozenset[str]:
    """Return the ids of the tests known to fail in this environment."""
    path = FOLDER / f"{HERE}.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return frozenset(line for line in lines if line and not line.startswith("#"))
