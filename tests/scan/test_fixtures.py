"""Each fixture says in its comments what a scan must find in it, and where; a file without one nothing."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

from pipeport.scan import VERDICTS, scan

FIXTURES = Path(__file__).parent / "fixtures"
EXPECT = re.compile(r"# expect: (?P<wrapper>\w+) (?P<function>\S+): (?P<verdict>.+)$")
FILES = sorted(path for path in FIXTURES.rglob("*.py"))


def expected(path: Path) -> list[tuple[int, str, str, str]]:
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = EXPECT.search(line)
        assert bool(found) == ("# expect" in line), f"{path}:{number}: no expectation: {line}"
        if found:
            rows.append((number, found["wrapper"], found["function"], found["verdict"]))
    return rows


@pytest.fixture(scope="module")
def found():
    result = scan([str(FIXTURES)])
    assert not result.problems
    assert result.files == len(FILES)
    by_file = defaultdict(list)
    for one in result.findings:
        if one.kind != "bug":
            by_file[one.path].append(one)
    return by_file


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(FIXTURES)))
def test_a_fixture(path, found):
    rows = [(one.line, one.wrapper, one.function or "-", one.verdict) for one in found[str(path)]]
    reasons = "\n".join(f"{one.line}: {one.reason}" for one in found[str(path)])
    assert rows == expected(path), reasons


def test_a_reason_is_short(found):
    long = [one.reason for ones in found.values() for one in ones if len(one.reason) > 220]
    assert long == []


def test_a_third_of_them_gives_nothing_and_every_verdict_occurs():
    assert len(FILES) >= 80
    assert sum(not expected(path) for path in FILES) >= len(FILES) / 3
    assert {row[3] for path in FILES for row in expected(path)} == set(VERDICTS)
