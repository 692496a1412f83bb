"""First batches and memory that a suite asks for: each side in a process of its own, once."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from pipeport.bench import _memory, _memory_program, _plans, _report, _run
from pipeport.bench._memory import Fresh
from pipeport.bench._plans import expand
from pipeport.bench._results import MemoryResult
from pipeport.bench._suites import read_suite
from pipeport.cli import main
from pipeport.errors import OutsideDomain, PipeportError, UnsupportedArgument, explain
from tests.bench.builders import case_result, report
from tests.bench.programs import program, side, suite
from tests.bench.test_run import instantly

pytestmark = pytest.mark.newest_only

pytest.importorskip("psutil")

BOTH = "first_batch = true\nmemory = true\n"
BRIGHTER = side(name="brighter", kind="native", factory="pipelines.py:after", differs="brighter")


@pytest.fixture
def asked(monkeypatch):
    """Stand for the processes; return which sides they were asked for."""
    calls = []

    def fresh(one, of):
        calls.append((one.name, of.name))
        memory = MemoryResult(
            name=f"{one.name}, {of.name}",
            kind=of.kind,
            peak_bytes=3 * 2**20,
            baseline_bytes=2**20,
            method="VmHWM",
        )
        return Fresh(memory=memory, first_batch_s=0.25 * len(calls))

    monkeypatch.setattr(_memory, "fresh", fresh)
    monkeypatch.setitem(_run.run.__kwdefaults__, "measure", instantly)
    return calls


def ran(folder, text):
    return _run.run(read_suite(suite(folder, text)))


def test_each_side_once_however_many_cases_share_it(asked, tmp_path):
    found = ran(tmp_path, BOTH + program() + BRIGHTER)
    assert asked == [("flip", "before"), ("flip", "after"), ("flip", "brighter")]
    assert [one.name for one in found.memory] == ["flip, before", "flip, after", "flip, brighter"]
    seconds = [[side.first_batch_s for side in result.sides] for result in found.cases]
    assert seconds == [[0.25, 0.5], [0.25, 0.75]]


@pytest.mark.parametrize(("key", "batches", "memory"), [("first_batch", 2, 0), ("memory", 0, 2)])
def test_only_what_was_asked_for_is_reported(asked, key, batches, memory, tmp_path):
    found = ran(tmp_path, f"{key} = true\n" + program())
    [result] = found.cases
    assert sum(side.first_batch_s is not None for side in result.sides) == batches
    assert len(found.memory) == memory


def test_without_the_keys_no_process_starts(asked, tmp_path):
    ran(tmp_path, program())
    assert asked == []


def test_a_process_that_fails_costs_no_round(monkeypatch, tmp_path):
    def fails(one, of):
        raise PipeportError(explain("memory", of.name, "a run to the end", "Look."))

    monkeypatch.setattr(_memory, "fresh", fails)
    monkeypatch.setitem(_run.run.__kwdefaults__, "measure", instantly)
    found = ran(tmp_path, BOTH + program())
    [result] = found.cases
    assert [len(side.rounds) for side in result.sides] == [3, 3]
    assert len(result.notes) == 2
    assert found.memory == []
    assert "memory: got before" in _report.errors(found)[0]


def test_printed_written_and_listed_without_a_flag(asked, tmp_path):
    path = suite(tmp_path, BOTH + program())
    written = tmp_path / "r.json"
    done = CliRunner().invoke(main, ["bench", "--suite", str(path), "--memory", "--json", str(written)])
    assert done.exit_code == 0, done.output
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["pipeline", "first", "batch,", "s"] in lines
    assert ["before", "0.250"] in lines
    assert ["after", "0.500"] in lines
    assert ["flip,", "after", "2", "1.00x"] in lines
    assert len(asked) == 2, "--memory asks for what the suite measures anyway"
    data = json.loads(written.read_text())
    assert [one["first_batch_s"] for one in data["cases"][0]["sides"]] == [0.25, 0.5]
    assert [one["name"] for one in data["memory"]] == ["flip, before", "flip, after"]
    listed = CliRunner().invoke(main, ["bench", "--suite", str(path), "--list"])
    assert "peak memory: flip, after" in listed.stdout


def test_a_real_process_tells_first_batch_and_memory(tmp_path, monkeypatch):
    [one] = read_suite(suite(tmp_path, program())).programs
    found = _memory.fresh(one, one.sides[1])
    assert (found.memory.name, found.memory.kind) == ("flip, after", "native")
    assert found.memory.peak_bytes >= found.memory.baseline_bytes > 0
    assert found.first_batch_s > 0
    asked = []
    monkeypatch.setattr(_memory, "fresh", lambda *given: asked.append(given) or found)
    assert _memory.peak_memory_of(one, one.sides[1]) is found.memory
    assert asked == [(one, one.sides[1])]


def test_an_empty_dataset_has_no_first_batch(tmp_path):
    path = suite(tmp_path, program(after="pipelines.py:empty"))
    with pytest.raises(OutsideDomain, match="an empty dataset"):
        _memory_program.main(str(path), "flip", "after")


def test_first_batches_beside_first_elements():
    one, other = case_result(reference=(1,), native=(2,)), case_result(native=(3,))
    one.sides[0].first_element_s, one.sides[0].first_batch_s = [0.4, 0.2], 0.5
    one.sides[1].first_batch_s = 0.75
    [block] = _report.latency_blocks(report(one, other))
    assert [row.cells[1:] for row in block.rows] == [("0.400", "0.200", "0.500"), ("", "", "0.750")]
    assert _report.latency_headings(report(one, other))[1:] == (
        "first element, s",
        "again, s",
        "first batch, s",
    )


@pytest.mark.parametrize("key", ["first_batch", "memory"])
def test_keys_of_programs_need_programs(key, tmp_path):
    with pytest.raises(UnsupportedArgument, match=f"{key} = true without programs"):
        read_suite(suite(tmp_path, f"{key} = true\n[[cases]]\npairs = ['numpy.fliplr']"))
    with pytest.raises(OutsideDomain, match="true or false"):
        read_suite(suite(tmp_path, f"{key} = 1\n" + program()))


def test_the_time_of_the_processes_is_in_the_estimate(tmp_path):
    plain = expand(read_suite(suite(tmp_path, program()))).seconds
    more = expand(read_suite(suite(tmp_path, BOTH + program()))).seconds
    assert more == pytest.approx(plain + 2 * _plans.FRESH_S)
