"""Parts of a release hold while their code is the same, and become its file."""

from __future__ import annotations

import dataclasses
import datetime
import json
import sys

import pytest
from packaging.version import Version

from bench import release, release_parts
from pipeport import _releases, catalog
from pipeport.bench import _codes, _environment, _results
from pipeport.bench._case import Case
from pipeport.bench._plans import Plan, Selection, expand
from pipeport.bench._results import MemoryResult
from pipeport.bench._training_times import Training
from pipeport.contract import ENGINES
from pipeport.verify import CaseRecord
from pipeport.verify._case import whole_proof
from pipeport.verify._fingerprint import code, versions
from pipeport.verify._results import Results
from tests.bench.builders import case_result, report

pytestmark = pytest.mark.newest_only

pytest.importorskip("psutil")

FLIP = "pipeport.numpy.fliplr"
CASE = Case(pair=FLIP, dtype="float32")
PLAN = Plan(name="one", selections=(Selection(pairs=(FLIP,), dtypes=("float32",)),))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(release_parts, "FOLDER", tmp_path)
    monkeypatch.setattr(release_parts, "ADDONS_FILE", tmp_path / "addons.json")
    return tmp_path


def proof(native: str, engine: str, **changes) -> CaseRecord:
    contract = catalog.pairs()[native]
    whole = whole_proof(contract, engine)
    record = CaseRecord(native, engine, "passed", whole, whole, versions=versions(contract.reference))
    return dataclasses.replace(record, **{"fingerprint": code(contract, engine), **changes})


def names(groups) -> list[str]:
    return [part.name for group in groups for part in group.parts]


# --- parts -----------------------------------------------------------------------------------------


def test_everything_is_a_part_once():
    files = [release_parts.figures_file(suite, name) for suite, name, _ in release_parts.plans()]
    assert len(files) == len(set(files))
    measured = {case.pair for *_, plan in release_parts.plans() for case in expand(plan).cases}
    assert {name for name, one in catalog.pairs().items() if one.environment == "main"} <= measured


def test_what_is_proved_whole_and_of_this_code_is_not_proved_again(folder):
    cases = [f"proof of numpy.fliplr in {engine}" for engine in ENGINES]
    assert names(release_parts.left("main", "numpy.fliplr")[:1]) == cases
    kept = [
        proof(FLIP, "eager"),
        proof(FLIP, "graph", fingerprint="other code"),
        proof(FLIP, "xla", wanted=5),
        proof(FLIP, "dataset", status="failed"),
        proof(FLIP, "batched", versions={}),
    ]
    Results(release_parts.proofs_file("main")).keep(*kept)
    assert names(release_parts.left("main", "numpy.fliplr")[:1]) == cases[1:]


def test_figures_hold_for_their_code_and_versions(folder):
    file = folder / "a.json"
    assert not release_parts.are_whole(file, PLAN, None)
    found = report(case_result(CASE, reference=(1, 1), native=(2, 2)))
    found.cases[0].code = _codes.of_native(FLIP)
    _results.write(found, file)
    assert release_parts.are_whole(file, PLAN, None)
    versions = found.environment["versions"]
    assert release_parts.are_whole(file, PLAN, versions)
    assert release_parts.are_whole(file, PLAN, versions | {"pipeport": "the release's"})
    assert not release_parts.are_whole(file, PLAN, versions | {"numpy": "another"})
    assert not release_parts.are_whole(file, PLAN, _environment.versions())
    more = dataclasses.replace(PLAN.selections[0], dtypes=("float32", "uint8"))
    assert not release_parts.are_whole(file, dataclasses.replace(PLAN, selections=(more,)), None)
    found.cases[0].code = "other code"
    _results.write(found, file)
    assert not release_parts.are_whole(file, PLAN, None)


def test_a_case_that_could_not_be_measured_is_told(folder, monkeypatch):
    monkeypatch.setattr(release_parts._run, "run", lambda plan: report(left_out=["it broke"]))
    part = release_parts.Part("p", lambda: release_parts.measure(folder / "figures" / "a.json", PLAN))
    told, done = release.make(part)
    assert told.startswith("p: Unfinished: it broke")
    assert not done


def test_parts_are_counted_and_failures_too(monkeypatch, capsys):
    def at_once(function, tasks, jobs, end):
        assert (jobs, end) == (2, 9.0)
        return map(function, tasks)

    monkeypatch.setattr(release, "in_processes", at_once)
    parts = [release_parts.Part("a", lambda: "there"), release_parts.Part("b", lambda: str(1 / 0))]
    assert release.work([release_parts.Group(parts, jobs=2)], 9.0) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("1 of 2: a: there, ")
    assert lines[1].startswith("2 of 2: b: ZeroDivisionError: ")


# --- the file --------------------------------------------------------------------------------------


@pytest.fixture
def whole(folder, monkeypatch):
    """A catalog of two pairs, proved and measured, and two programs."""
    rotate = "pipeport.tensorflow_addons.image.rotate"
    pairs = {name: catalog.pairs()[name] for name in (FLIP, rotate)}
    monkeypatch.setattr(catalog, "pairs", lambda: pairs)
    for name, contract in pairs.items():
        records = [proof(name, engine) for engine in ENGINES[:-1]]
        records.append(proof(name, "batched", status="not run", note="no batch"))
        Results(release_parts.proofs_file(contract.environment)).keep(*records)
    first = report(case_result(CASE, reference=(1, 1), native=(2, 2)))
    again = report(case_result(CASE, reference=(1, 1), native=(9, 9)))
    program = case_result(Case(program="read-image-and-mask", about="files"), reference=(1, 1), native=(3, 3))
    for side, seconds in zip(program.sides, (0.2, 0.3), strict=True):
        side.first_batch_s = seconds
    memory = [
        MemoryResult(
            name=f"read-image-and-mask, {side.name}",
            kind=side.kind,
            peak_bytes=peak,
            baseline_bytes=0,
            method="",
        )
        for side, peak in zip(program.sides, (100, 150), strict=True)
    ]
    trained = case_result(
        Case(program="speech", variant="run", about="five files"), reference=(1,), native=(2,)
    )
    for side, seconds, mib in zip(trained.sides, (8.0, 6.0), (100, 150), strict=True):
        side.name = {"reference": "before", "native": "run"}[side.kind]
        [whole] = side.rounds
        side.rounds = []
        side.add(
            Training(first_batch_s=1.5, epochs_s=[2.0, 1.0], processor_s=seconds, peak_bytes=mib * 2**20),
            dataclasses.replace(whole, seconds=seconds),
        )
    recipe = case_result(Case(program="rotation", about="images"), reference=(1, 1), native=(4, 4))
    recipe.sides[0].name = "before"
    found = [
        ("headline", first),
        ("geometry", again),
        ("reading", report(program, memory=memory)),
        ("recipes", report(recipe)),
        ("pipelines", report(trained)),
    ]
    for number, (_, one) in enumerate(found):
        one.environment["time"] = f"2026-11-2{number}T10:00:00+00:00"
    monkeypatch.setattr(release, "reports", lambda: iter(found))
    figure = {
        "against": "theirs",
        "ratio": 2.0,
        "low": 1.0,
        "high": 3.0,
        "verdict": "no difference",
        "rounds": 3,
    }
    addons = {
        "machine": {"CPU": "Some Processor 3000", "cores": 2},
        "versions": {"tensorflow": "2.15.1", "pipeport": "0.1.0"},
        "ratios": {
            rotate: [{"case": "nearest", "code": "0", **figure}],
            release_parts.OFF_ADDONS: [{"case": "four warps", "code": "0", **figure}],
        },
    }
    release_parts.ADDONS_FILE.write_text(json.dumps(addons))
    return rotate


def test_the_file_is_what_the_catalog_reads(whole, tmp_path):
    _results.write_json(release.release(), tmp_path / "9.9.9.json")
    found = _releases.read(tmp_path / "9.9.9.json")
    assert found.proofs[FLIP] == {
        engine: whole_proof(catalog.pairs()[FLIP], engine) for engine in ENGINES[:-1]
    }
    [of_first_suite] = found.figures[FLIP]
    assert (of_first_suite["ratio"], of_first_suite["case"]) == (2.0, "float32, 256x256")
    assert tuple(of_first_suite) == release.FIGURE
    assert [row["case"] for row in found.figures[whole]] == ["nearest"]
    [reading] = found.programs["reading"]
    assert (reading["name"], reading["ratio"], reading["memory"]) == ("read-image-and-mask", 3.0, 1.5)
    assert reading["first_batch_s"] == [0.2, 0.3]
    assert [row["name"] for row in found.programs["recipes"]] == ["rotation", "off-tensorflow-addons"]
    assert found.programs["recipes"][0]["against"] == "before.py"
    [speech] = found.programs["pipelines"]
    assert (speech["name"], speech["case"], speech["side"]) == ("speech", "five files, run", "run")
    assert (speech["seconds"], speech["processor_s"], speech["first_batch_s"]) == ([8, 6], [8, 6], [1.5, 1.5])
    assert (speech["memory"], speech["against"]) == (1.5, "before")
    assert found.machine == "Some Processor 3000, 2 cores"
    assert "pipeport" not in found.versions["addons"]
    assert found.origin("addons").startswith(
        f"release {release.pipeport.__version__}, TensorFlow 2.15.1, Some Processor 3000, 2 cores, 20 "
    )


@pytest.mark.parametrize(
    ("first", "last", "text"),
    [
        ((2026, 11, 25), (2026, 11, 25), "25 Nov 2026"),
        ((2026, 11, 1), (2026, 11, 25), "1 to 25 Nov 2026"),
        ((2026, 11, 30), (2026, 12, 1), "30 Nov to 1 Dec 2026"),
        ((2026, 12, 30), (2027, 1, 2), "30 Dec 2026 to 2 Jan 2027"),
    ],
)
def test_days_in_words(first, last, text):
    assert release.span(datetime.date(*first), datetime.date(*last)) == text


def test_a_version_is_released_once(monkeypatch, capsys):
    monkeypatch.setattr(release.pipeport, "__version__", _releases.newest().version)
    monkeypatch.setattr(sys, "argv", ["release.py"])
    with pytest.raises(SystemExit):
        release.main()
    assert "is released: raise __version__" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("version", "options", "parts", "said"),
    [
        ("9.9.0", (), [], "Written: "),
        ("9.9.0", (), [release_parts.Part("a", str)], "Left: 1 parts in main, 1 parts in addons."),
        ("9.9.0", ("--proofs",), [], "Left: 0 parts in main, 0 parts in addons."),
        ("9.9.0", ("--only", "numpy.*"), [], "Left: 0 parts in main, 0 parts in addons."),
        ("9.9.0.dev0", (), [], "All is there. 9.9.0.dev0 is not a release: name it in"),
    ],
)
def test_a_release_is_written_whole_and_under_its_own_name(
    monkeypatch, capsys, tmp_path, version, options, parts, said
):
    written = []
    monkeypatch.setattr(release.pipeport, "__version__", version)
    monkeypatch.setattr(sys, "argv", ["release.py", *options])
    monkeypatch.setattr(release, "environment", lambda: "main")
    monkeypatch.setattr(release, "work", lambda groups, end: 0)
    asked = []

    def left(where, only, *, proofs):
        asked.append((only, proofs))
        return [release_parts.Group(parts)]

    monkeypatch.setattr(release_parts, "left", left)
    monkeypatch.setattr(release, "release", dict)
    monkeypatch.setattr(release, "draw", lambda *_: None)
    monkeypatch.setattr(release._results, "write_json", lambda data, target: written.append(target.name))
    assert release.main() == 0
    assert said in capsys.readouterr().out
    assert written == (["9.9.0.json"] if said == "Written: " else [])
    assert set(asked) == {(options[-1] if "--only" in options else "*", "--proofs" in options)}


def test_the_package_is_that_of_the_newest_release_or_later():
    assert Version(_releases.newest().version) <= Version(release.pipeport.__version__)


@pytest.mark.parametrize(
    ("machines", "said"),
    [
        ({("A", 2)}, "A, 2 cores"),
        ({("A", 2), ("B", 2)}, "several machines of 2 cores"),
        ({("A", 2), ("B", 4)}, "several machines"),
    ],
)
def test_machines_are_told_in_words(machines, said):
    assert release._machines(machines) == said
