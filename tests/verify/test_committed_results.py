"""The committed verification covers the catalog, or says which cases are still to come.

The list, `tests/equivalence/pending.json`, names the cases whose long run is still to come. It
cannot rot: a case that has been verified, or is gone, must not stand on it.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipeport import catalog
from pipeport.contract import ENGINES
from pipeport.verify import _committed
from pipeport.verify._committed import is_proved
from pipeport.verify._fingerprint import protocol
from pipeport.verify._report import CaseRecord
from tests.equivalence import follow

FOLDER = Path(__file__).parents[1] / "equivalence"
CASES = [(name, engine) for name in catalog.pairs() for engine in ENGINES]
PENDING = json.loads((FOLDER / "pending.json").read_text("utf-8"))


@pytest.mark.parametrize(("pair", "engine"), CASES)
def test_a_case_was_verified_or_is_on_the_list(pair: str, engine: str) -> None:
    case = _committed.proofs().get(f"{pair}|{engine}")
    assert is_proved(case) != (f"{pair}|{engine}" in PENDING)


def test_nothing_is_kept_of_pairs_that_are_gone() -> None:
    known = {f"{pair}|{engine}" for pair, engine in CASES}
    assert set(_committed.proofs()) <= known
    assert set(PENDING) <= known


def test_no_failure_is_kept() -> None:
    assert not [key for key, case in _committed.proofs().items() if case.status == "failed"]


@pytest.mark.parametrize("name", _committed.ENVIRONMENTS)
def test_the_checks_are_of_pairs_that_are_there(name: str) -> None:
    cases = follow.checks(name).load().values()
    assert {case.pair for case in cases} <= set(catalog.pairs())
    assert {case.engine for case in cases} <= set(follow.CHECKS)


def test_whoever_changes_how_pairs_are_verified_says_whether_it_counts() -> None:
    noted = json.loads((FOLDER / "protocol.json").read_text("utf-8"))
    assert noted == protocol(), "see tests/equivalence/update.py"


@pytest.mark.parametrize(
    ("case", "proved"),
    [
        (None, False),
        (CaseRecord("p", "eager", "passed", 200), True),
        (CaseRecord("p", "eager", "passed", 199), False),
        (CaseRecord("p", "xla", "passed", 100), True),
        (CaseRecord("p", "xla", "passed", 99), False),
        (CaseRecord("p", "eager", "failed", 500), False),
        (CaseRecord("p", "eager", "not run"), False),
        (CaseRecord("p", "xla", "not run", note="cannot serve: no kernel"), True),
    ],
)
def test_what_counts_as_proof(case: CaseRecord | None, proved: bool) -> None:
    assert is_proved(case) == proved
