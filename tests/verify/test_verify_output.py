"""What `pipeport verify` prints of given records: sentences, and tables that fit 80 columns."""

from __future__ import annotations

import itertools

import pytest

from pipeport import catalog
from pipeport.cli import _verify_output
from pipeport.contract import ENGINES, Agreement, AsReference, Exact, Ulps, Within, WithinLevels
from pipeport.verify import CaseRecord, Close, DtypeRecord, Failure, Report, _text

pytestmark = pytest.mark.newest_only

FLOATS = DtypeRecord("float32", 100, ratio=0.06, error=1.2e-7)
EQUAL = DtypeRecord("uint8", 100)


@pytest.fixture(autouse=True)
def narrow(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def printed(capsys):
    def show(cases, own=None):
        _verify_output.show(Report(tuple(cases)), False, own)
        lines = capsys.readouterr().out.splitlines()
        assert max(map(len, lines)) <= 80
        return "\n".join(line.rstrip() for line in lines)

    return show


def passed(pair, engine, *dtypes, note=""):
    examples = sum(record.examples for record in dtypes)
    return CaseRecord(pair, engine, "passed", examples, examples, dtypes, note=note)


def failed(pair, engine, error=3):
    reason = f"output differs by {error} at [0], 0 allowed; 1 of 1 are wrong\nold 1, new 4"
    return CaseRecord(pair, engine, "failed", failure=Failure(reason, "# why\nimport numpy\n", "uint8"))


class TestOwnPair:
    NAME = "a.old -> a.new"

    def test_one_dtype(self, printed):
        other = DtypeRecord("float32", 100, ratio=0.03, error=0.6e-7)
        text = printed([passed(self.NAME, "eager", FLOATS), passed(self.NAME, "graph", other)], AsReference())
        assert " ".join(text.split()).startswith(
            "They agree: at most 1.2e-7 apart over 100 examples in each of eager, graph "
            "(about 2e-6 allowed). "
            "Judged against `old` run in float64: twice as far from it as `old` itself is allowed"
        )
        assert text.endswith("2 cases: 2 passed; 200 examples.")

    def test_several_dtypes(self, printed):
        text = printed([passed(self.NAME, "eager", FLOATS, EQUAL)], Within(2e-6, "asked for"))
        assert text.splitlines()[:4] == [
            "They agree over 200 examples in eager:",
            "  float32: at most 1.2e-7 apart, 2e-6 allowed",
            "  uint8: equal",
            "Allowed: 2e-6.",
        ]

    @pytest.mark.parametrize(
        ("agreement", "record", "words"),
        [
            (Exact(), EQUAL, "equal bit for bit over"),
            (AsReference(), EQUAL, "equal over"),
            (Ulps(4), DtypeRecord("float32", 9, 0, 0.5, 2), "at most 2 ulps apart"),
            (Ulps(4), DtypeRecord("float32", 9, 0, 0.5, 2), "(4 allowed)"),
            (WithinLevels(2, 0.05), DtypeRecord("uint8", 9, 0, 0.5, 1), "at most 1 grey level apart"),
            (WithinLevels(2, 0.05), EQUAL, "Allowed: 2 grey levels, on at most 5 % of pixels."),
            (Close(rtol=1e-3, atol=1e-6), EQUAL, "Allowed: 1e-6 + 0.001 |old|."),
        ],
    )
    def test_units(self, printed, agreement, record, words):
        assert words in printed([passed(self.NAME, "eager", record)], agreement)

    def test_one_block_per_bug_and_what_agrees(self, printed):
        cases = [
            failed(self.NAME, "eager", 3),
            failed(self.NAME, "graph", 9),
            passed(self.NAME, "xla", EQUAL),
        ]
        text = printed(cases, Exact())
        assert text.startswith("They agree: equal bit for bit over 100 examples in xla.")
        assert text.count("import numpy") == 1
        assert "# why" not in text
        block = text[text.index(self.NAME) :].splitlines()
        assert block[:4] == [
            f"{self.NAME} fails in eager; also fails in: graph (seed 0)",
            "  output differs by 3 at [0], 0 allowed; 1 of 1 are wrong",
            "  old 1, new 4",
            "",
        ]

    def test_every_agreement_has_words(self):
        with pytest.raises(NotImplementedError, match="no words for Agreement"):
            _text.allowance(Agreement())

    def test_a_long_message_is_cut(self, printed):
        reason = f"old raises ValueError: {'very ' * 100}long\nnew gives an answer"
        text = printed([CaseRecord(self.NAME, "eager", "failed", failure=Failure(reason))], Exact())
        assert len(text.splitlines()) < 9
        assert "new gives an answer" in text


class TestCatalog:
    def test_a_line_per_pair_when_all_engines_pass(self, printed):
        names = list(catalog.pairs())
        main = [name for name in names if catalog.pairs()[name].environment == "main"]
        ulps = [name for name in main if isinstance(catalog.pairs()[name].agreement, Ulps)]
        assert 0 < len(ulps) < len(main)
        of_bytes = [name for name in main if getattr(catalog.pairs()[name].agreement, "floats", 0) is None]
        floats = set(main) - set(of_bytes)
        worst = {name: FLOATS if name in floats else EQUAL for name in names}
        worst |= dict.fromkeys(ulps, DtypeRecord("float32", 100, ratio=0.5, error=1))
        text = printed([passed(name, engine, worst[name], EQUAL) for name in names for engine in ENGINES])
        lines = text.splitlines()
        assert lines[0] == f"{len(names)} pairs in {', '.join(ENGINES)}"
        rows = [line for line in lines if " 5 passed" in line]
        assert len(rows) == len(names)
        assert sum("1000   1 ulps (50 %)" in row for row in rows) == len(ulps)
        assert sum("1000   1.2e-7 (6 %)" in row for row in rows) == len(floats) - len(ulps)
        assert sum("1000   equal" in row for row in rows) == len(names) - len(floats)
        assert "(of allowed)" in text
        first = [line.split()[0] for line in lines if line.split()]
        # Names that are too long are broken at a dot.
        shown = {*first, *(one + other for one, other in itertools.pairwise(first))}
        assert {name.removeprefix("pipeport.") for name in main} <= shown

    def test_what_differs_has_a_line_of_its_own(self, printed):
        cases = [passed("pipeport.numpy.pad", "eager", EQUAL), failed("pipeport.numpy.pad", "graph")]
        text = printed([*cases, passed("pipeport.numpy.flip", "eager", FLOATS)])
        assert [line.split() for line in text.splitlines()[4:7]] == [
            ["numpy.pad", "1", "passed", "100", "equal"],
            ["1", "failed", "0"],
            ["numpy.flip", "1", "passed", "100", "1.2e-7", "(6", "%", "of", "allowed)"],
        ]

    def test_one_pair_has_a_line_per_dtype(self, printed):
        name = "pipeport.cv2.resize"
        levels = DtypeRecord("uint8", 100, ratio=1, error=1)
        text = printed([passed(name, "eager", FLOATS, levels), passed(name, "xla", levels)])
        assert text.startswith("cv2.resize in eager, xla\n")
        assert [line.split()[:4] for line in text.splitlines()[4:6]] == [
            ["float32", "1", "passed", "100"],
            ["uint8", "2", "passed", "200"],
        ]
        assert "1 level (100 % of allowed)" in text

    def test_a_note_is_said_once(self, printed):
        cases = [passed(f"pipeport.numpy.f{i}", e, EQUAL, note="resumed") for i in range(5) for e in ENGINES]
        cases.append(CaseRecord("pipeport.numpy.load", "xla", "not run", note="no kernel"))
        text = " ".join(printed(cases).split())
        assert text.count("resumed") == 1
        assert "; and 2 more (resumed)." in text
        assert "Not run: numpy.load in xla (no kernel)." in text
        assert "26 cases: 25 passed, 1 not run;" in text

    def test_nothing_finished(self, printed):
        assert printed([]) == "0 cases: none finished; 0 examples."
