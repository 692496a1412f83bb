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
from pipeport.verify._fingerprint import protocol
from tests.equivalence.update import is_proved

FOLDER = Path(__file__).parents[1] / "equivalence"
FILES = {"main": FOLDER / "main.json", "addons": FOLDER / "addons.json"}
CASES = [(name, engine) for name in catalog.pairs() for engine in ENGINES]
PENDING = json.loads((FOLDER / "pending.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def committed() -> dict[str, dict[str, dict[str, object]]]:
    return {name: json.loads(path.read_text("utf-8"))["cases"] for name, path in FILES.items()}


@pytest.mark.parametrize(("pair", "engine"), CASES)
def test_a_case_was_verified_or_is_on_the_list(
    committed: dict[str, dict[str, dict[str, object]]], pair: str, engine: str
) -> None:
    case = committed[catalog.pairs()[pair].environment].get(f"{pair}|{engine}")
    assert is_proved(case) != (f"{pair}|{engine}" in PENDING)


def test_nothing_is_kept_of_pairs_that_are_gone(committed: dict[str, dict[str, dict[str, object]]]) -> None:
    known = {f"{pair}|{engine}" for pair, engine in CASES}
    assert {key for cases in committed.values() for key in cases} <= known
    assert set(PENDING) <= known


def test_whoever_changes_how_pairs_are_verified_says_whether_it_counts() -> None:
    noted = json.loads((FOLDER / "protocol.json").read_text("utf-8"))
    assert noted == protocol(), "see tests/equivalence/update.py"


@pytest.mark.parametrize(
    ("case", "proved"),
    [
        (None, False),
        ({"status": "passed", "engine": "eager", "examples": 200, "note": ""}, True),
        ({"status": "passed", "engine": "eager", "examples": 199, "note": ""}, False),
        ({"status": "passed", "engine": "xla", "examples": 100, "note": ""}, True),
        ({"status": "passed", "engine": "xla", "examples": 99, "note": ""}, False),
        ({"status": "failed", "engine": "eager", "examples": 500, "note": ""}, False),
        ({"status": "not run", "examples": 0, "note": ""}, False),
        ({"status": "not run", "examples": 0, "note": "cannot serve: no kernel"}, True),
    ],
)
def test_what_counts_as_proof(case: dict[str, object] | None, proved: bool) -> None:
    assert is_proved(case) == proved
