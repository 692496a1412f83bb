"""What makes a proof old, the results file, and the rule that proof follows change."""

from __future__ import annotations

import dataclasses
import json

import click
import numpy as np
import pytest
from click.testing import CliRunner

from pipeport import catalog, cli
from pipeport._reach import reached
from pipeport.contract import ENGINES
from pipeport.errors import OutsideDomain
from pipeport.verify import _committed, _fingerprint
from pipeport.verify._fingerprint import code, versions, why_stale
from pipeport.verify._report import CaseRecord, DtypeRecord, Failure
from pipeport.verify._results import Results
from tests.equivalence import follow

ROTATE = catalog.find("skimage.transform.rotate")


def proof(contract=ROTATE, engine="eager", **noted):
    here = versions(contract.reference) | noted
    return CaseRecord(
        contract.native, engine, "passed", 200, 200, fingerprint=code(contract, engine), versions=here
    )


class TestWhatMakesAProofOld:
    def test_nothing_changed(self):
        assert why_stale(proof(), ROTATE) == ""

    def test_other_code(self):
        assert why_stale(dataclasses.replace(proof(), fingerprint="0" * 16), ROTATE) == "code"

    def test_another_minor_release(self):
        assert why_stale(proof(numpy="1.0.3"), ROTATE).startswith("numpy 1.0, now ")

    def test_a_patch_release_and_hypothesis_do_not(self):
        last = ".".join([*np.__version__.split(".")[:2], "999"])
        assert why_stale(proof(numpy=last, hypothesis="1.0"), ROTATE) == ""

    @pytest.mark.parametrize(("cpu", "old"), [("x86_64 fma", ""), ("x86_64 avx2", "FMA")])
    def test_whether_products_are_fused(self, monkeypatch, cpu, old):
        monkeypatch.setattr(_fingerprint, "processor", lambda: "x86_64 fma avx2 avx512f")
        assert old in why_stale(proof(cpu=cpu), ROTATE)
        assert bool(why_stale(proof(cpu=cpu), ROTATE)) == bool(old)

    def test_the_number_of_what_draws_and_judges(self, monkeypatch):
        before = proof()
        monkeypatch.setattr(_fingerprint, "PROTOCOL", _fingerprint.PROTOCOL + 1)
        assert why_stale(before, ROTATE) == "code"

    def test_only_batches_depend_on_what_makes_them(self):
        names = {engine: tuple(_fingerprint._roots(ROTATE, engine)) for engine in ENGINES}
        assert "pipeport._batched.batched" in names["batched"]
        assert len({names[engine] for engine in ENGINES if engine != "batched"}) == 1


@pytest.mark.parametrize("name", ["cv2.resize", "albumentations.D4"])
def test_whatever_runs_is_reached(name):
    """Functions of the package that a call runs are among those that its text reaches."""
    import sys

    from pipeport.verify._case import Plan, run_case
    from pipeport.verify._pair import pair_of

    contract = catalog.find(name)
    pair, seen = pair_of(contract), set()
    not_followed = (
        "contract",
        "verify",
        "config",
        "_opencv_installed",
        "_lazy",
        "_boundary",
        "_reach",
        "_batched",
        "__init__",
    )

    def note(frame, event, _):
        module = frame.f_globals.get("__name__", "")
        if module == "pipeport.arrays._give":
            return  # whether a result is a tensor or an array: it stands around every native, as the contract
        if event == "call" and module.startswith("pipeport.") and module.split(".")[1] not in not_followed:
            seen.add((module, frame.f_code.co_qualname.partition(".")[0]))

    sys.setprofile(note)
    try:
        record = run_case(pair, "eager", Plan(examples=4))
    finally:
        sys.setprofile(None)
    assert record.status == "passed"
    roots = tuple(_fingerprint._roots(contract, "eager"))
    found = {(d.module, d.name) for d in reached(*roots)}
    inside = {one for one in seen if not one[1].startswith(("<", "__"))}
    assert inside
    assert inside <= found


class TestFile:
    CASE = CaseRecord(
        "p",
        "xla",
        "failed",
        7,
        9,
        (DtypeRecord("uint8", 7, 2, 0.123, 4.5e-6),),
        Failure("why", "code", "uint8"),
        "a note",
        3,
        "f" * 16,
        {"python": "3.11.7", "cpu": "x86_64 fma"},
        1,
    )

    def test_a_case_is_one_line_and_comes_back(self, tmp_path):
        results = Results(tmp_path / "r.json")
        other = dataclasses.replace(self.CASE, engine="eager", failure=None, note="", dtypes=())
        results.keep(self.CASE)
        results.keep(other)
        assert results.load() == {"p|eager": other, "p|xla": self.CASE}
        lines = results.path.read_text().splitlines()
        assert [line.count('"p|') for line in lines].count(1) == 2
        assert sum('"python"' in line for line in lines) == 1

    def test_files_of_the_first_format_are_read(self, tmp_path):
        file = tmp_path / "old.json"
        file.write_text(json.dumps({"format": 1, "cases": {self.CASE.key: self.CASE.to_json()}}))
        assert Results(file).load() == {self.CASE.key: self.CASE}

    @pytest.mark.parametrize(
        "text", ['{"format": 3, "cases": {}}', '{"format": 2, "cases": {"a|b": 1}}', "[]", "x"]
    )
    def test_other_files_are_refused(self, tmp_path, text):
        (tmp_path / "r.json").write_text(text)
        with pytest.raises(OutsideDomain, match="results"):
            Results(tmp_path / "r.json").load()


class TestFollow:
    def test_a_twentieth_is_proved_at_every_commit(self):
        cases = [(name, engine) for name in catalog.pairs() for engine in ENGINES]
        chosen = [{case for case in cases if follow.in_sample(*case, at)} for at in ("1a", "2b", "3c")]
        assert all(0.02 * len(cases) < len(one) < 0.09 * len(cases) for one in chosen)
        assert chosen[0] != chosen[1] != chosen[2]

    @pytest.fixture
    def current(self, monkeypatch):
        """A case whose proof holds, at a commit that does not choose it."""
        monkeypatch.setattr(_committed, "proofs", lambda: {f"{ROTATE.native}|eager": proof()})
        monkeypatch.setattr(_committed, "environment", lambda: "main")
        monkeypatch.setattr(follow, "in_sample", lambda *_: False)
        for name in ("PIPEPORT_PROVE", "HYPOTHESIS_PROFILE"):
            monkeypatch.delenv(name, raising=False)

    @pytest.mark.usefixtures("current")
    def test_what_was_proved_is_not_proved_again(self):
        assert not follow.is_needed(ROTATE.native, "eager")
        assert follow.is_needed(ROTATE.native, "graph")

    @pytest.mark.usefixtures("current")
    @pytest.mark.parametrize(
        ("name", "value"), [("PIPEPORT_PROVE", "all"), ("HYPOTHESIS_PROFILE", "nightly")]
    )
    def test_everything_is_proved_where_that_is_asked_for(self, monkeypatch, name, value):
        monkeypatch.setenv(name, value)
        assert follow.is_needed(ROTATE.native, "eager")

    @pytest.mark.usefixtures("current")
    def test_other_code_is_proved(self, monkeypatch):
        monkeypatch.setattr(_committed, "why_stale", lambda *_: "code")
        assert follow.is_needed(ROTATE.native, "eager")

    @pytest.mark.usefixtures("current")
    def test_the_sample_is_proved(self, monkeypatch):
        monkeypatch.setattr(follow, "in_sample", lambda *_: True)
        assert follow.is_needed(ROTATE.native, "eager")

    def test_checks_are_noted_where_all_of_them_passed(self, monkeypatch, tmp_path):
        file = Results(tmp_path / "checks.json")
        monkeypatch.setattr(follow, "checks", lambda _: file)
        key, other = f"{ROTATE.native}|graph tests", f"{ROTATE.native}|service"
        follow.record({key, other, f"{ROTATE.native}|eager"}, {other})
        assert list(file.load()) == [key]
        assert why_stale(file.load()[key], ROTATE) == ""


class TestStaleVerb:
    @pytest.fixture
    def proved(self, monkeypatch):
        cases = [proof(engine=engine) for engine in ENGINES[:3]]
        old = dataclasses.replace(proof(engine="dataset"), fingerprint="0")
        monkeypatch.setattr(_committed, "proofs", lambda: {case.key: case for case in (*cases, old)})
        monkeypatch.setattr(_committed, "environment", lambda: "main")
        monkeypatch.setattr(_committed, "LEAST", {})

    @staticmethod
    def run(*arguments):
        result = CliRunner().invoke(cli.main, ["verify", "--stale", *arguments], standalone_mode=False)
        assert result.exception is None
        return result.output

    @pytest.mark.usefixtures("proved")
    def test_it_lists_what_does_not_hold_and_why(self):
        out = self.run("skimage.transform.rotate")
        assert "skimage.transform.rotate: code (dataset)" in out
        assert "skimage.transform.rotate: never proved (batched)" in out
        assert "2 of 5 cases" in out

    @pytest.mark.usefixtures("proved")
    def test_it_says_when_all_holds(self):
        assert "proofs of all 1 cases hold" in self.run("skimage.transform.rotate", "--engine", "eager")

    @pytest.mark.usefixtures("proved")
    def test_as_json_and_of_one_engine(self):
        out = json.loads(self.run("skimage.transform.rotate", "--engine", "dataset", "--json"))
        assert out["stale"] == [{"pair": ROTATE.native, "engine": "dataset", "reason": "code"}]

    def test_it_verifies_nothing(self):
        with pytest.raises(click.UsageError, match="--stale"):
            CliRunner().invoke(
                cli.main, ["verify", "--stale", "--resume"], standalone_mode=False, catch_exceptions=False
            )

    @pytest.mark.usefixtures("proved")
    def test_the_catalog_says_it_too(self):
        assert _committed.text(ROTATE) == (
            "200 examples in eager, graph, xla, dataset; proved for an earlier version of this code (dataset)"
        )
