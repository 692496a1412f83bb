"""Figures in words, and whether they hold for the code as it is."""

from __future__ import annotations

import pytest

from pipeport import _figures
from pipeport._reach import code_of

FLIP = "pipeport.numpy.flip"
FIGURE = {"ratio": 2.0, "low": 1.9, "high": 2.1, "verdict": "faster", "rounds": 3, "code": "0" * 16}


@pytest.mark.parametrize(
    ("rounds", "level"),
    [(1, ""), (2, "50 %"), (3, "75 %"), (4, "88 %"), (5, "94 %"), (6, "95 %"), (60, "95 %")],
)
def test_levels(rounds, level):
    assert _figures.level(rounds) == level


def test_a_ratio_names_its_level():
    assert _figures.ratio_text(FIGURE) == "2.00x (75 %: 1.90 to 2.10), faster"
    assert _figures.ratio_text(FIGURE | {"rounds": 1}) == "2.00x (one round), faster"


def test_a_figure_of_other_code_is_marked():
    now = FIGURE | {"code": code_of(FLIP)}
    assert _figures.is_current(now, FLIP)
    assert _figures.figure_text(now, FLIP) == _figures.ratio_text(FIGURE)
    assert not _figures.is_current(FIGURE, FLIP)
    assert _figures.figure_text(FIGURE, FLIP) == "2.00x (75 %: 1.90 to 2.10), faster †"


def test_what_is_not_known_does_not_count_as_current():
    assert not _figures.is_current({}, FLIP)
    assert not _figures.is_current(FIGURE, "pipeport.numpy.gone")


@pytest.mark.parametrize(
    ("commit", "short"),
    [("0123456789abcdef", "012345678"), ("0123456789abcdef+", "012345678+"), (None, None)],
)
def test_commits_are_short(commit, short):
    assert _figures.short(commit) == short
    assert _figures.short(short) == short
