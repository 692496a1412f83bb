"""What makes a proof old, and the results file."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from pipeport import catalog
from pipeport._reach import OPAQUE, reached
from pipeport.contract import ENGINES
from pipeport.errors import OutsideDomain
from pipeport.verify import _fingerprint
from pipeport.verify._fingerprint import code, is_current, roots, versions
from pipeport.verify._report import CaseRecord, DtypeRecord, Failure
from pipeport.verify._results import Results

pytestmark = pytest.mark.newest_only


def is_own(contract):
    return contract.reference.startswith("pipeport.")


ROTATE = catalog.find("skimage.transform.rotate")


def proof(contract=ROTATE, engine="eager", **noted):
    here = versions(contract.reference) | noted
    return CaseRecord(
        contract.native, engine, "passed", 200, 200, fingerprint=code(contract, engine), versions=here
    )


class TestWhatMakesAProofOld:
    def test_nothing_changed(self):
        assert is_current(proof(), ROTATE)

    def test_other_code(self):
        assert not is_current(dataclasses.replace(proof(), fingerprint="0" * 16), ROTATE)

    def test_another_minor_release(self):
        assert not is_current(proof(numpy="1.0.3"), ROTATE)

    def test_a_patch_release_and_hypothesis_do_not(self):
        last = ".".join([*np.__version__.split(".")[:2], "999"])
        assert is_current(proof(numpy=last, hypothesis="1.0"), ROTATE)

    @pytest.mark.parametrize(("cpu", "current"), [("x86_64 fma", True), ("x86_64 avx2", False)])
    def test_whether_products_are_fused(self, monkeypatch, cpu, current):
        monkeypatch.setattr(_fingerprint, "processor", lambda: "x86_64 fma avx2 avx512f")
        assert is_current(proof(cpu=cpu), ROTATE) is current

    def test_what_draws_and_judges(self, monkeypatch):
        before = proof()
        monkeypatch.setattr(_fingerprint, "_judges", lambda: b"other sources")
        assert not is_current(before, ROTATE)

    def test_only_batches_depend_on_what_makes_them(self):
        names = {engine: roots(ROTATE, engine) for engine in ENGINES}
        assert "pipeport._batched.batched" in names["batched"]
        assert len({names[engine] for engine in ENGINES if engine != "batched"}) == 1

    @pytest.mark.parametrize("name", [n for n, c in catalog.pairs().items() if is_own(c)])
    def test_of_a_reference_of_ours_the_code_counts_and_no_version(self, name):
        contract = catalog.find(name)
        found = reached(*roots(contract, "eager"))
        written = {d.name for d in found if d.module.startswith("pipeport.references.")}
        assert contract.reference.rpartition(".")[2] in written
        assert "pipeport" not in versions(contract.reference)

    def test_a_transform_depends_on_its_own_reference_alone(self):
        names = {d.name for d in reached(*roots(catalog.find("albumentations.Affine"), "eager"))}
        assert "affine" in names
        assert not names & {"brightness_contrast", "resized_crop", "drive"}


@pytest.mark.parametrize("name", ["cv2.resize", "albumentations.D4"])
def test_whatever_runs_is_reached(name):
    """Functions of the package that a call runs are among those that its text reaches."""
    import sys

    import tensorflow  # noqa: F401 - what its import runs is no call's

    from pipeport.verify._case import Plan, run_case
    from pipeport.verify._pair import pair_of

    contract = catalog.find(name)
    pair, seen = pair_of(contract), set()
    around = ("_followed", "_reach", "_batched", "__init__")
    not_followed = tuple(f"pipeport.{part}." for part in (*OPAQUE, *around))

    def note(frame, event, _):
        module = frame.f_globals.get("__name__", "")
        if module == "pipeport.arrays._give":
            return  # whether a result is a tensor or an array: it stands around every native, as the contract
        inside = module.startswith("pipeport.") and not f"{module}.".startswith(not_followed)
        if event == "call" and inside:
            seen.add((module, frame.f_code.co_qualname.partition(".")[0]))

    sys.setprofile(note)
    try:
        record = run_case(pair, "eager", Plan(examples=4))
    finally:
        sys.setprofile(None)
    assert record.status == "passed"
    found = {(d.module, d.name) for d in reached(*roots(contract, "eager"))}
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
