"""An engine with a clock of the test's own."""

from __future__ import annotations

import pytest

import pipeport
from pipeport.acceleration._measure import Rate

FAST, SLOW = Rate(1e-3, 1e-3, 0.1), Rate(2e-3, 2e-3, 0.1)


@pytest.fixture
def acceleration():
    """Install an engine that tries everything, and finds the native form faster or, at a wish, slower."""

    def install(*, faster=True, little=0.0, **settings):
        found = pipeport.install(**settings)
        found.engine.little = little
        found.engine.measure = lambda _python, _native: (SLOW, FAST) if faster else (FAST, SLOW)
        return found

    yield install
    pipeport.uninstall()
