"""The slices that nights prove, and what is printed of a failure."""

from __future__ import annotations

import datetime

import pytest

from pipeport import catalog
from pipeport.contract import ENGINES
from pipeport.verify import CaseRecord, Failure
from pipeport.verify._fingerprint import environment
from tests import nightly

pytestmark = pytest.mark.newest_only

DAY = datetime.date(2026, 1, 1)


def test_the_slices_of_some_weeks_cover_the_catalog():
    here = {name for name, one in catalog.pairs().items() if one.environment == environment()}
    days = [DAY + datetime.timedelta(days) for days in range(-(-len(here) // nightly.PAIRS_A_DAY))]
    slices = [list(nightly.cases(day))[: nightly.PAIRS_A_DAY * len(ENGINES)] for day in days]
    assert {pair for one in slices for pair, _ in one} == here
    assert all({engine for _, engine in one} == set(ENGINES) for one in slices)
    assert len({tuple(one) for one in slices}) == len(days)


def test_a_failure_is_printed_as_the_entry_to_keep():
    failure = Failure("output differs", "show()\n", "uint8", "lambda: {'x': 1},")
    text = nightly.failure_text(CaseRecord("pipeport.numpy.flip", "xla", "failed", failure=failure, seed=7))
    assert text.startswith("pipeport.numpy.flip|xla (seed 7): output differs\n\nshow()\n")
    assert "Add to the contract of pipeport.numpy.flip:\n    examples=(lambda: {'x': 1},),\n" in text


def test_a_case_that_passed_has_nothing_to_add():
    assert not nightly.failure_text(CaseRecord("pipeport.numpy.flip", "xla", "passed", 100))
