"""What every test of measurements has."""

from __future__ import annotations

import gc

import pytest


@pytest.fixture(autouse=True)
def own_garbage():
    """Let collections between two measurements look at what the test itself made, and at nothing older.

    Each took seconds at the end of a long run.
    """
    gc.freeze()
    yield
    gc.unfreeze()
