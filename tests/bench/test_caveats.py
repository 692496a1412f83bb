"""Caveats: what makes a measurement of a side doubtful."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipeport.bench._caveats import caveats
from tests.bench.builders import rounds

pytestmark = pytest.mark.newest_only


def test_nothing_to_doubt():
    assert caveats(rounds(*(100,) * 6), 2) == []
    assert caveats([], 2) == []


def test_a_large_spread():
    assert caveats(rounds(400, 400, 400, 400, 400, 450), 2) == ["rounds differ by 12% of the median"]
    assert caveats(rounds(450), 2) == []


def test_an_unsteady_rate():
    found = rounds(*(100,) * 6)
    found[0] = replace(found[0], steady=False)
    assert caveats(found, 2) == ["the rate was not yet steady in 1 of 6 rounds"]


def test_other_processes():
    found = [*rounds(100, 100, others=0.8), *rounds(*(100,) * 4), *rounds(100, others=None)]
    assert caveats(found, 2) == ["other processes were busy in 2 of 6 rounds (up to 0.8 of 2 cores)"]
    # Less than a tenth of a large machine is not a disturbance.
    assert caveats(found, 16) == []
