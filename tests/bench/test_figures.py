"""Figures in words."""

from __future__ import annotations

import pytest

from pipeport import _figures

pytestmark = pytest.mark.newest_only

FIGURE = {"ratio": 2.0, "low": 1.9, "high": 2.1, "verdict": "faster", "rounds": 3}


@pytest.mark.parametrize(
    ("rounds", "level"),
    [(1, ""), (2, "50 %"), (3, "75 %"), (4, "88 %"), (5, "94 %"), (6, "95 %"), (60, "95 %")],
)
def test_levels(rounds, level):
    assert _figures.level(rounds) == level


def test_a_ratio_names_its_level():
    assert _figures.ratio_text(FIGURE) == "2.00x (75 %: 1.90 to 2.10), faster"
    assert _figures.ratio_text(FIGURE | {"rounds": 1}) == "2.00x (one round), faster"
