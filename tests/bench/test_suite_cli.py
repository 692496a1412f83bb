"""`pipeport bench --suite` and `--suites` as they are typed."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner

from pipeport.bench import _memory, _results, _run
from pipeport.bench._results import MemoryResult
from pipeport.bench._suites import suites, suites_of_functions
from pipeport.cli import main
from tests.bench.programs import program, suite
from tests.bench.test_run import instantly

pytestmark = pytest.mark.newest_only

pytest.importorskip("psutil")


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.setitem(_run.run.__kwdefaults__, "measure", instantly)
    return lambda *arguments: CliRunner().invoke(main, ["bench", *map(str, arguments)])


def test_suites_are_listed_with_their_time(bench, tmp_path):
    done = bench("--suites", "--json", tmp_path / "s.json")
    assert done.exit_code == 0, done.output
    assert max(map(len, done.stdout.splitlines())) <= 80
    listed = json.loads((tmp_path / "s.json").read_text())["suites"]
    assert [one["name"] for one in listed] == [one.name for one in (*suites(), *suites_of_functions())]
    for one in listed:
        assert re.search(rf"^{one['name']}: {one['cases']} (cases|functions)", done.stdout, re.MULTILINE)
        assert one["minutes"] >= 1
        assert one["about"].split(" ")[0] in done.stdout


def test_a_suite_of_pairs_is_listed_by_name(bench):
    done = bench("--suite", "headline", "--list")
    assert done.exit_code == 0
    assert "skimage.transform.rotate" in done.stdout
    assert re.search(r"28 cases, 6 rounds of 1 s; about \d+:\d\d min", done.stdout)


def test_programs_are_listed_with_what_cannot_be_measured_here(bench):
    done = bench("--suite", "recipes", "--list")
    assert done.exit_code == 0
    assert "paired-flip" in done.stdout
    assert "uint8 image and int32 label, 256x256" in done.stdout
    seconds = re.findall(r" {2,}\d+$", done.stdout, re.MULTILINE)
    assert len(seconds) > 12
    assert f"{len(seconds)} cases, 7 rounds of 1 s" in done.stdout
    assert "off-tensorflow-addons: needs tensorflow_addons" in done.stdout


def test_programs_are_measured_printed_and_written(bench, tmp_path):
    path = suite(tmp_path, program(about="float32, 6x8"))
    done = bench("--suite", path, "--json", tmp_path / "r.json")
    assert done.exit_code == 0, done.output
    assert "flip, float32, 6x8" in done.stdout
    assert "4.00x" in done.stdout
    assert _results.read(tmp_path / "r.json").protocol["plan"] == "own"
    done = bench("--compare", tmp_path / "r.json", tmp_path / "r.json")
    assert done.exit_code == 0
    assert "flip, float32, 6x8" in done.stdout


def test_a_mistaken_program_costs_the_others_nothing_and_the_exit_code_says_it(bench, tmp_path):
    path = suite(tmp_path, program(name="mistaken", after="pipelines.py:raises") + program())
    done = bench("--suite", path, "--json", tmp_path / "r.json")
    assert done.exit_code == 2
    assert "4.00x" in done.stdout
    assert "which raises RuntimeError: no disk" in " ".join(done.stderr.split())
    assert [result.case.program for result in _results.read(tmp_path / "r.json").cases] == ["flip"]
    assert bench("--suite", path, "flip").exit_code == 0


def test_ctrl_c_keeps_programs(bench, monkeypatch, tmp_path):
    def interrupted(sides, protocol, **more):
        instantly(sides, type(protocol)(rounds=2), **more)
        raise KeyboardInterrupt

    monkeypatch.setitem(_run.run.__kwdefaults__, "measure", interrupted)
    path = suite(tmp_path, program() + program(name="second"))
    done = bench("--suite", path, "--json", tmp_path / "r.json")
    assert done.exit_code == 130
    assert [result.case.program for result in _results.read(tmp_path / "r.json").cases] == ["flip"]


def test_memory_of_programs_beside_their_own_reference(bench, monkeypatch, tmp_path):
    mib = {"flip": 2**20, "turn": 8 * 2**20}

    def measured(one, side):
        used = mib[one.name] * (3 if side.kind == "reference" else 1)
        return MemoryResult(
            name=f"{one.name}, {side.name}", kind=side.kind, peak_bytes=used, baseline_bytes=0, method="VmHWM"
        )

    monkeypatch.setattr(_memory, "peak_memory_of", measured)
    path = suite(tmp_path, program() + program(name="turn"))
    done = bench("--suite", path, "--memory")
    assert done.exit_code == 0, done.output
    rows = [line.split()[2:] for line in done.stdout.splitlines() if re.match(r"(flip|turn), \w+ +\d", line)]
    assert rows == [["3", "1.00x"], ["1", "0.33x"], ["24", "1.00x"], ["8", "0.33x"]]
    listed = bench("--suite", path, "--memory", "--list")
    assert "peak memory: turn, after" in listed.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--suite", "geometri"], "Nearest: geometry"),
        (["--suite", "absent.toml"], "absent.toml (no such file)"),
        (["--suite", "recipes", "rotatoin"], "Nearest: rotation"),
        (["--suite", "recipes", "off-tensorflow-addons"], "needs tensorflow_addons"),
        (["--suite", "recipes", "--dtype", "uint8"], "--dtype for programs"),
        (["--suite", "geometry", "--quick"], "--quick and --suite"),
        (["--suites", "--quick"], "--suites with --quick"),
        (["--suites", "--list"], "--suites with --list"),
    ],
)
def test_mistakes_are_named(bench, arguments, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = bench(*arguments)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_missing_function_is_a_mistake(bench, tmp_path):
    done = bench("--suite", suite(tmp_path, program(after="pipelines.py:aftr")))
    assert done.exit_code == 2
    assert "pipelines.py:aftr (no function 'aftr' there)" in done.stderr
    assert done.stdout == ""
