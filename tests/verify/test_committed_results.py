"""The committed verification covers the whole catalog: every pair, every engine, 200 examples."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipeport import catalog
from pipeport.contract import ENGINES

FOLDER = Path(__file__).parents[1] / "equivalence"
FILES = {"main": FOLDER / "main.json", "addons": FOLDER / "addons.json"}
CASES = [(name, engine) for name in catalog.pairs() for engine in ENGINES]


@pytest.fixture(scope="module")
def committed() -> dict[str, dict[str, dict[str, object]]]:
    return {name: json.loads(path.read_text("utf-8"))["cases"] for name, path in FILES.items()}


@pytest.mark.parametrize(("pair", "engine"), CASES)
def test_a_case_was_verified(
    committed: dict[str, dict[str, dict[str, object]]], pair: str, engine: str
) -> None:
    contract = catalog.pairs()[pair]
    case = committed[contract.environment][f"{pair}|{engine}"]
    if case["status"] == "not run":  # an engine that serves nothing of the domain, by declaration
        assert case["note"]
        assert case["note"] in "; ".join(c.reason for c in contract.cannot_serve if c.engine == engine)
        assert case["wanted"] >= 200
        return
    assert case["status"] == "passed"
    assert case["examples"] >= 200


def test_nothing_is_kept_of_pairs_that_are_gone(committed: dict[str, dict[str, dict[str, object]]]) -> None:
    known = {f"{pair}|{engine}" for pair, engine in CASES}
    assert {key for cases in committed.values() for key in cases} <= known
