"""Tables, remarks, the figure and the file for the wheel."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from pipeport.bench import _plot, _ratios, _report, _results
from pipeport.bench._results import MemoryResult
from pipeport.errors import OutsideDomain
from tests.bench.builders import case_result, report

ROOT = Path(__file__).parents[2]
SLOW = case_result(reference=(400,) * 6, native=(100,) * 6, roofline=(900,) * 6)


def test_slower_is_said_plainly():
    rows = _report.rows(report(SLOW))
    assert [row.cells[1:] for row in rows] == [
        ("native", "100", "1.5", "", "", ""),
        ("numpy_function + numpy.fliplr", "400", "1.5", "0.25x", "0.25 to 0.25", "slower"),
        ("pass-through (roofline)", "900", "1.5", "", "", ""),
    ]
    assert [row.last for row in rows] == [False, False, True]


def test_a_side_with_another_answer_is_starred_and_explained():
    result = case_result(reference=(100,) * 6, native=(400,) * 6, stock=(300,) * 6)
    result.sides[2].differs = "it truncates."
    result.sides[2].largest_difference = 0.25
    lines = _report.remarks(report(result))
    assert "stock *" in [row.cells[1] for row in _report.rows(report(result))]
    assert (
        "* stock: its answer differs: it truncates. Largest difference here: 0.25 (float32, 256x256)."
    ) in lines


def test_unlike_answers_are_said():
    result = case_result(reference=(100,) * 6, native=(400,) * 6)
    assert _report.remarks(report(result)) == []
    result.sides[1].answer = "float64 [32]"
    [line] = _report.remarks(report(result))
    assert "not the same work" in line


def test_what_is_left_out_and_an_interruption_are_said():
    lines = _report.remarks(report(SLOW, left_out=["rot90"], interrupted=True))
    assert lines == ["Left out: rot90", "Interrupted: this is what was finished."]


def test_memory_is_given_as_a_multiple_of_the_reference():
    entries = [
        MemoryResult(
            name=name, kind=kind, peak_bytes=peak * 2**20, baseline_bytes=100 * 2**20, method="VmHWM"
        )
        for name, kind, peak in (("r", "reference", 300), ("n", "native", 500))
    ]
    assert _report.memory_rows(entries) == [("r", "200", "1.00x"), ("n", "400", "2.00x")]


def test_latency_rows():
    result = case_result(reference=(100,), native=(400,))
    result.sides[1].first_element_s = [0.31, 0.2, 0.1]
    [row] = _report.latency_rows(report(result))
    assert row[1:] == ("pipeport.numpy.fliplr", "0.310", "0.100")


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_plot(suffix, tmp_path):
    path = tmp_path / f"ratios.{suffix}"
    _plot.plot(report(SLOW, case_result(reference=(1, 2, 3), native=(9, 8, 9))), path)
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG" if suffix == "png" else b"<?xml")


def test_a_long_report_has_a_line_per_pair_against_what_it_replaces():
    slow = case_result(reference=(400,) * 6, native=(100,) * 6, stock=(50,) * 6)
    fast = case_result(reference=(100,) * 6, native=(400,) * 6, stock=(50,) * 6)
    assert [len(line.ratios) for line in _plot._lines(report(slow, fast))] == [1, 1, 1, 1]
    [line] = _plot._lines(report(*[slow, fast] * 20))
    assert (line.label, line.library, len(line.ratios)) == ("numpy.fliplr", "numpy", 40)
    assert line.mean == pytest.approx(1.0)


def test_plot_refuses_what_it_cannot_draw(tmp_path):
    with pytest.raises(OutsideDomain, match="no ratio"):
        _plot.plot(report(), tmp_path / "a.png")
    with pytest.raises(OutsideDomain, match=r"a\.xyz"):
        _plot.check_suffix(tmp_path / "a.xyz")


def test_last_ratios():
    found = _ratios.last_ratios(report(SLOW))
    assert found["machine"] == {"CPU": "Some Processor 3000", "cores": 2, "TensorFlow": "2.21.0"}
    assert found["ratios"] == {
        "pipeport.numpy.fliplr": [
            {
                "case": "float32, 256x256",
                "against": "numpy_function + numpy.fliplr",
                "ratio": 0.25,
                "low": 0.25,
                "high": 0.25,
                "verdict": "slower",
            }
        ]
    }


def _update_script():
    spec = importlib.util.spec_from_file_location("update_ratios", ROOT / "bench" / "update_ratios.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


def test_the_shipped_ratios_come_from_the_committed_results():
    shipped = ROOT / "pipeport" / "last_ratios.json"
    assert json.loads(shipped.read_text()) == _update_script().shipped()


def test_ratios_of_several_reports_are_merged(tmp_path):
    script, files = _update_script(), [tmp_path / "one.json", tmp_path / "two.json"]
    for file, count in zip(files, (100, 200), strict=True):
        result = case_result(reference=(400,) * 6, native=(count,) * 6)
        _results.write(report(result), file)
    found = script.merged(files)["ratios"]["pipeport.numpy.fliplr"]
    assert [case["ratio"] for case in found] == [0.5], "the later report counts"
    other = json.loads(files[1].read_text())
    other["environment"]["machine"]["cpu"] = "another"
    files[1].write_text(json.dumps(other))
    with pytest.raises(SystemExit, match="different machines"):
        script.merged(files)
