"""Tables, what follows them, and the figure."""

from __future__ import annotations

import pytest

from pipeport.bench import _plot, _report
from pipeport.bench._case import Case
from pipeport.bench._results import MemoryResult
from pipeport.errors import OutsideDomain
from tests.bench.builders import case_result, report

pytestmark = pytest.mark.newest_only

SLOW = case_result(reference=(400,) * 6, native=(100,) * 6, roofline=(900,) * 6)


def cells(*results):
    return [row.cells for block in _report.blocks(report(*results)) for row in block.rows]


def test_slower_is_said_plainly():
    [block] = _report.blocks(report(SLOW))
    assert block.title == "numpy.fliplr, float32, 256x256"
    assert [row.cells for row in block.rows] == [
        ("native", "100", "1.5", "", "", ""),
        ("numpy_function", "400", "1.5", "0.25x", "0.25 to 0.25", "slower"),
        ("pass-through (roofline)", "900", "1.5", "", "", ""),
    ]
    assert [row.style for row in block.rows] == ["", "bold red", ""]
    assert _report.headings(report(SLOW))[-2] == "95 % interval"


def test_an_interval_of_few_rounds_is_not_called_95_percent():
    few = case_result(reference=(100, 101, 102), native=(400, 401, 402))
    assert _report.headings(report(few))[-2] == "75 % interval"
    assert _report.headings(report(few, SLOW))[-2] == "interval"
    assert [row[-2] for row in cells(few, SLOW)] == [
        "",
        "75 %: 3.94 to 4.00",
        "",
        "95 %: 0.25 to 0.25",
        "",
    ]


def test_one_round_gives_no_interval_and_no_verdict():
    once = case_result(reference=(100,), native=(900,))
    assert cells(once)[1][-3:] == ("9.00x", "one round", "")
    assert _report.headings(report(once))[-2] == "interval"


def test_a_side_with_another_answer_is_starred():
    result = case_result(reference=(100,) * 6, native=(400,) * 6, stock=(300,) * 6)
    assert [row[0] for row in cells(result)] == ["native", "numpy_function", "stock"]
    result.sides[2].differs = "it truncates."
    result.sides[1].answer = "float64 [32]"
    assert [row[0] for row in cells(result)] == ["native", "numpy_function *", "stock *"]
    assert _report.closing(report(result))[1:] == ["*: another answer."]


def test_a_noisy_rate_is_marked():
    noisy = case_result(reference=(100,) * 6, native=(400, 400, 400, 400, 400, 450))
    assert [row[1] for row in cells(noisy)] == ["~400", "100"]
    assert _report.closing(report(noisy))[1:] == ["~: rounds over 10 % apart, unsteady, or a busy machine."]


def test_after_the_table_come_time_machine_and_what_is_missing():
    left_out = [
        "To stay within 120 s: numpy.pad (float32, uint8); numpy.roll (uint8). Measure them by name.",
        "a.b: its reference c.d cannot be imported here.",
        "numpy.pad (uint8, 9x9): could not be measured: ValueError: no",
    ]
    found = report(SLOW, left_out=left_out, duration_s=12.3)
    assert _report.closing(found) == [
        "12 s, 3 rounds, 2 cores of Some Processor 3000, TensorFlow 2.21.0",
        "5 left out (--list): 3 for time, 1 need a library, 1 failed.",
    ]
    assert _report.errors(found) == left_out[2:]
    assert _report.closing(report(interrupted=True)) == [
        "Interrupted: 2 cores of Some Processor 3000, TensorFlow 2.21.0"
    ]
    SLOW.notes.append("a peer is missing")
    assert _report.errors(report(SLOW, SLOW)) == ["numpy.fliplr: a peer is missing"]
    SLOW.notes.clear()


def test_marks_of_trade_are_left_out():
    [line] = _report.closing(report(machine={"cpu": "Intel(R) Core(TM) i7", "usable_cores": 1}))
    assert line == "1 core of Intel Core i7, TensorFlow 2.21.0"


def test_memory_is_given_as_a_multiple_of_the_reference():
    entries = [
        MemoryResult(
            name=name, kind=kind, peak_bytes=peak * 2**20, baseline_bytes=100 * 2**20, method="VmHWM"
        )
        for name, kind, peak in (("r", "reference", 300), ("n", "native", 500))
    ]
    assert _report.memory_rows(entries) == [("r", "200", "1.00x"), ("n", "400", "2.00x")]


def test_latency():
    result = case_result(reference=(100,), native=(400,))
    result.sides[1].first_element_s = [0.31, 0.2, 0.1]
    [block] = _report.latency_blocks(report(result))
    assert [row.cells for row in block.rows] == [("native", "0.310", "0.100")]


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_plot(suffix, tmp_path):
    path = tmp_path / f"ratios.{suffix}"
    _plot.plot(report(SLOW, case_result(reference=(1, 2, 3), native=(9, 8, 9))), path)
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG" if suffix == "png" else b"<?xml")


def test_a_drawing_is_the_same_each_time_and_names_the_level(tmp_path):
    few = case_result(reference=(1, 2, 3), native=(9, 8, 9))
    assert _report.levels(report(SLOW, few)) == ["75 %", "95 %"]
    for name in ("a.svg", "b.svg"):
        _plot.plot(report(few), tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert "bars: 75 % interval" in (tmp_path / "a.svg").read_text()


def test_a_long_report_has_a_line_per_pair_against_what_it_replaces():
    slow = case_result(reference=(400,) * 6, native=(100,) * 6, stock=(50,) * 6)
    fast = case_result(reference=(100,) * 6, native=(400,) * 6, stock=(50,) * 6)
    assert [len(line.ratios) for line in _plot._lines(report(slow, fast))[0]] == [1, 1, 1, 1]
    [line], _ = _plot._lines(report(*[slow, fast] * 20))
    assert (line.label, line.library, len(line.ratios)) == ("numpy.fliplr", "numpy", 40)
    assert line.mean == pytest.approx(1.0)


@pytest.mark.parametrize("library", ["numpy", "albumentations", "random", "tensorflow", "somebodys_own"])
def test_each_library_is_drawn_and_named(tmp_path, library):
    picture = tmp_path / "a.svg"
    case = Case(pair=f"pipeport.{library}.f", dtype="float32")
    _plot.plot(report(case_result(case, reference=(100, 101), native=(400, 410))), picture)
    assert f"<!-- {library} -->" in picture.read_text()


@pytest.mark.parametrize(("pairs", "lines"), [(50, 50), (100, 100), (130, 2)])
def test_of_many_pairs_each_library_has_a_line(tmp_path, pairs, lines):
    picture = tmp_path / "a.svg"
    names = [f"pipeport.{'cv2' if one % 2 else 'numpy'}.f{one}" for one in range(pairs)]
    cases = [Case(pair=name, dtype="float32") for name in names]
    _plot.plot(report(*(case_result(one, reference=(100, 101), native=(40, 41)) for one in cases)), picture)
    text = picture.read_text()
    assert text.count('id="ytick_') == lines
    assert ("<!-- cv2 (65) -->" in text) == (pairs == 130)


def test_plot_refuses_what_it_cannot_draw(tmp_path):
    with pytest.raises(OutsideDomain, match="no ratio"):
        _plot.plot(report(), tmp_path / "a.png")
    with pytest.raises(OutsideDomain, match=r"a\.xyz"):
        _plot.check_suffix(tmp_path / "a.xyz")
