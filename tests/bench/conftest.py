"""What every test of measurements has."""

from __future__ import annotations

from tests.trace.conftest import own_garbage as own_garbage
