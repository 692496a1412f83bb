"""Programs of these tests are all that may change what they read."""

from __future__ import annotations

import pytest

from pipeport.acceleration import _changes


@pytest.fixture(autouse=True)
def sources(monkeypatch):
    """Look for changes in the sources of the programs alone: those of other tests change many names."""
    find = _changes._sources
    monkeypatch.setattr(
        _changes,
        "_sources",
        lambda: {name: one for name, one in find().items() if name.startswith("program_")},
    )
