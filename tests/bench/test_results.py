"""JSON: there and back, all at once, and nothing else accepted."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from pipeport.bench import _results
from pipeport.bench._case import Case
from pipeport.bench._results import MemoryResult, Report
from pipeport.errors import OutsideDomain
from tests.bench.builders import case_result, report

pytestmark = pytest.mark.newest_only

ROOT = Path(__file__).parents[2]


@pytest.fixture
def full() -> Report:
    result = case_result(reference=(100, 104, 98), native=(400, 390, 410), roofline=(900, 900, 900))
    unknown = Case(pair="pipeport.numpy.fliplr", dtype="uint8", size=None, cores="one")
    result.sides[1].largest_difference = 0.5
    result.sides[1].first_element_s = [0.3, 0.1]
    result.notes.append("a peer is missing")
    result.code = "0123"
    result.sides[1].rounds[0] = replace(result.sides[1].rounds[0], steady=False)
    memory = MemoryResult(
        name="reference", kind="reference", peak_bytes=900, baseline_bytes=400, method="VmHWM"
    )
    return report(result, case_result(unknown, native=(5, 6, 7)), left_out=["this"], memory=[memory])


def test_round_trip(full, tmp_path):
    path = tmp_path / "a.json"
    _results.write(full, path)
    assert _results.read(path) == full
    assert list(tmp_path.iterdir()) == [path]


def test_raw_rounds_and_derived_ratios_are_in_the_file(full, tmp_path):
    path = tmp_path / "a.json"
    _results.write(full, path)
    data = json.loads(path.read_text())
    assert data["format"] == 2
    case = data["cases"][0]
    assert case["code"] == "0123"
    assert case["sides"][1]["rounds"]["elements"] == [400, 390, 410]
    assert "first_element_s" not in case["sides"][0], "what is empty is left out"
    [ratio] = case["ratios"]
    assert ratio["against"] == "numpy_function + numpy.fliplr"
    assert ratio["ratio"] == pytest.approx(4.0)
    assert data["memory"][0]["used_bytes"] == 500


def test_a_line_holds_a_side(full, tmp_path):
    path = tmp_path / "a.json"
    _results.write(full, path)
    lines = path.read_text().splitlines()
    assert sum('"rounds": {' in line for line in lines) == sum(len(case.sides) for case in full.cases)
    assert sum('"pair": ' in line for line in lines) == len(full.cases)
    assert len(lines) < 40


def test_numbers_are_rounded_to_what_they_mean(tmp_path):
    result = case_result(native=(1, 1))
    result.sides[0].rounds[0] = replace(result.sides[0].rounds[0], seconds=1.23456789, others=0.0123456)
    _results.write(report(result), tmp_path / "a.json")
    [first, _] = _results.read(tmp_path / "a.json").cases[0].sides[0].rounds
    assert (first.seconds, first.others) == (1.2346, 0.012)


def test_format_1_is_read(full, tmp_path):
    """As it was written: one record per round, medians beside them."""
    data = full.as_dict() | {"format": 1}
    for case, result in zip(data["cases"], full.cases, strict=True):
        del case["code"]
        case["sides"] = [asdict(side) | {"median": side.median} for side in result.sides]
    path = tmp_path / "old.json"
    path.write_text(json.dumps(data, indent=1))
    read = _results.read(path)
    assert [case.code for case in read.cases] == ["", ""]
    assert [case.sides for case in read.cases] == [case.sides for case in full.cases]


def test_an_edited_ratio_is_not_believed(full, tmp_path):
    path = tmp_path / "a.json"
    data = full.as_dict()
    data["cases"][0]["ratios"][0]["ratio"] = 99.0
    path.write_text(json.dumps(data))
    [(_, ratio)] = _results.read(path).cases[0].ratios()
    assert ratio.ratio == pytest.approx(4.0)


def test_a_failed_write_leaves_the_old_file(full, tmp_path):
    path = tmp_path / "a.json"
    path.write_text("old")
    full.environment["load"] = float("nan")
    with pytest.raises(ValueError, match="JSON"):
        _results.write(full, path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "Expecting"),
        ("[]", "format None"),
        ('{"format": 3}', "format 3"),
        ('{"format": 1}', "incomplete"),
    ],
)
def test_other_files_are_refused(text, said, tmp_path):
    path = tmp_path / "b.json"
    path.write_text(text)
    with pytest.raises(OutsideDomain, match=said):
        _results.read(path)


def test_every_field_is_documented(full):
    documented = set(re.findall(r"`(\w+)`", (ROOT / "bench" / "README.md").read_text()))

    def keys(value):
        if isinstance(value, dict):
            for key, inner in value.items():
                yield key
                yield from keys(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from keys(inner)

    data = full.as_dict()
    data["environment"]["versions"] = {}
    assert set(keys(data)) - documented == set()


def test_ratios_are_in_the_order_reference_peer_stock():
    result = case_result(stock=(2, 2), native=(4, 4), peer=(3, 3), reference=(1, 1))
    assert [side.kind for side, _ in result.ratios()] == ["reference", "peer", "stock"]
