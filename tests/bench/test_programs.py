"""Programs measured as pairs are: answers compared, and one clear error for each mistake."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from pipeport.bench import _answers, _latency, _memory, _memory_program, _report, _results, _run
from pipeport.bench._compare import compare
from pipeport.bench._measure import Steady, interleaved
from pipeport.bench._suites import read_suite
from pipeport.errors import OutsideDomain
from tests.bench.programs import program, side, suite
from tests.bench.test_run import instantly

pytestmark = pytest.mark.newest_only

pytest.importorskip("psutil")


def quickly(sides, protocol, **more):
    short = Steady(window_s=0.001, windows=2, cap_s=0.01)
    return interleaved(sides, type(protocol)(rounds=2, seconds=0.01, steady=short), **more)


def ran(folder, text, measure=instantly):
    refused: list[str] = []
    report = _run.run(read_suite(suite(folder, text)), measure=measure, refuse=refused.append)
    return report, refused


def test_a_real_run(tmp_path, monkeypatch):
    monkeypatch.setattr(_latency, "REPEATS", 1)
    text = "latency = true\n" + program(about="float32, 6x8", elements=48)
    text += side(name="stock", kind="stock", factory="pipelines.py:shuffled", differs="in another order")
    report, refused = ran(tmp_path, text, quickly)
    [result] = report.cases
    assert refused == report.left_out == []
    assert [(one.name, one.kind) for one in result.sides] == [
        ("before", "reference"),
        ("after", "native"),
        ("stock", "stock"),
    ]
    for one in result.sides:
        assert [measured.elements % 32 for measured in one.rounds] == [0, 0]
        assert one.answer == "float32 [32, 6, 8]"
        assert len(one.first_element_s) == 1
        assert one.first_batch_s > 0
    assert [one.largest_difference == 0.0 for one in result.sides] == [False, True, False]
    assert [one.name for one, _ratio in result.ratios()] == ["before", "stock"]
    assert len(result.code) == 16
    path = tmp_path / "r.json"
    _results.write(report, path)
    again = _results.read(path)
    assert again.cases[0].case == result.case
    assert again.cases[0].sides[0].first_batch_s == pytest.approx(result.sides[0].first_batch_s, rel=1e-4)
    assert _report.latency_headings(again)[-1] == "first batch, s"
    [block] = _report.latency_blocks(again)
    assert [len(row.cells) for row in block.rows] == [4, 4, 4]
    assert again.cases[0].case.conditions == "float32, 6x8"
    assert [change.case.program for change in compare(report, again)] == ["flip"] * 3


def test_batches_of_its_own_are_counted_by_their_leading_axis(tmp_path):
    one = "pipelines.py:in_batches"
    report, _ = ran(tmp_path, program(batched=True, before=one, after=one), quickly)
    [result] = report.cases
    assert result.native.answer == "float32 [5, 6, 8]"
    counts = [measured.elements + measured.discarded for measured in result.native.rounds]
    # An epoch of 64 is twelve batches of five and one of four: a multiple of five is left only between them.
    assert all(count % 64 % 5 == 0 for count in counts)
    assert report.left_out == []


def test_inputs_in_files_reach_every_side_and_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "files"))
    (tmp_path / "files").mkdir()
    of_files = "pipelines.py:of_files"
    text = program(inputs="pipelines.py:files", before=of_files, after=of_files)
    report, refused = ran(tmp_path, text)
    assert refused == []
    assert report.cases[0].native.answer == "float32 [32]"
    assert not list((tmp_path / "files").iterdir())


def test_modules_and_recipes_are_named_without_a_path(tmp_path):
    one = "tests.bench.test_programs:numbers"
    recipe = "recipes/arithmetic/{}.py:build_dataset"
    text = program(before=one, after=one, inputs=None)
    text += program(
        name="recipe",
        inputs="pipelines.py:images_and_frames",
        before=recipe.format("before"),
        after=recipe.format("after"),
    )
    report, refused = ran(tmp_path, text)
    assert refused == []
    answers = [result.native.answer for result in report.cases]
    assert answers == ["int64 [32]", "float32 [32, 6, 8, 3]; float32 [32, 6, 8]"]


def numbers():
    import tensorflow as tf

    return tf.data.Dataset.range(64)


def test_random_programs_are_compared_by_shape_alone(tmp_path):
    text = program(random=True, after="pipelines.py:shuffled")
    report, refused = ran(tmp_path, text)
    assert refused == []
    assert report.cases[0].native.largest_difference is None
    _, refused = ran(tmp_path, program(random=True, after="pipelines.py:cropped"))
    assert len(refused) == 1


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            {"after": "pipelines.py:raises"},
            "pipelines.py:raises, which raises RuntimeError: no disk; allowed",
        ),
        ({"after": "pipelines.py:no_dataset"}, "which returns list; allowed: a tf.data.Dataset"),
        ({"after": "pipelines.py:with_label"}, "sides with one element_spec"),
        ({"after": "pipelines.py:as_double"}, "float64 (6, 8) of side 'after', and float32 <unknown>"),
        ({"after": "pipelines.py:empty"}, "side 'after': got an empty dataset"),
        ({"after": "pipelines.py:shuffled"}, "side 'after': got a difference of"),
        ({"after": "pipelines.py:fails_later"}, "side 'after': got a first batch that fails"),
        ({"after": "pipelines.py:ragged"}, "batched = true"),
        ({"inputs": "pipelines.py:raises"}, "pipelines.py:raises, which raises TypeError"),
        ({"inputs": "pipelines.py:files"}, "pipelines.py:before, which raises TypeError"),
        ({"before": "tests.bench.test_programs:numbers", "inputs": None}, "pipelines.py:after, which raises"),
    ],
)
def test_one_clear_error_for_each_mistake(changed, said, tmp_path):
    # The mistaken program costs the other nothing.
    report, refused = ran(tmp_path, program(**changed) + program(name="right"))
    [message] = refused
    assert said in message
    assert message.startswith("flip (program): could not be measured: program 'flip'")
    assert [result.case.program for result in report.cases] == ["right"]
    assert report.left_out == [message]


def test_a_program_that_fails_while_it_is_timed(tmp_path):
    report, [message] = ran(tmp_path, program(after="pipelines.py:fails_at_the_end"), quickly)
    assert report.cases == []
    assert "flip (program): could not be measured: InvalidArgumentError" in message


def test_a_scalar_is_no_batch(tmp_path):
    one = "tests.bench.test_programs:numbers"
    _, [message] = ran(tmp_path, program(batched=True, before=one, after=one, inputs=None))
    assert "batched = true, and scalars from side 'before'" in message


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"before": "absent.py:f"}, "absent.py:f (no file absent.py)"),
        ({"before": "recipes/absent/after.py:f"}, "no file recipes/absent/after.py"),
        ({"before": "pipelines.py:previous"}, "no function 'previous' there"),
        ({"before": "no_such_module_anywhere:f"}, "ModuleNotFoundError"),
        ({"inputs": "pipelines.py:CALLS"}, "no function 'CALLS' there"),
    ],
)
def test_a_missing_function_ends_the_run_before_it_measures(changed, said, tmp_path):
    def never(*_args, **_more):
        pytest.fail("measured")

    with pytest.raises(OutsideDomain) as caught:
        ran(tmp_path, program(name="right") + program(**changed), never)
    assert said in str(caught.value)


def test_a_difference_is_allowed_by_the_program_alone(tmp_path):
    brighter = side(name="brighter", kind="native", factory="pipelines.py:after", arguments={"plus": 0.5})
    text = program(after=None)
    report, refused = ran(tmp_path, text + brighter)
    assert len(refused) == 1
    assert report.cases == []
    report, refused = ran(tmp_path, text.replace("name", "difference = 0.75\nname", 1) + brighter)
    assert refused == []
    assert report.cases[0].native.largest_difference == pytest.approx(0.5)


def test_ctrl_c_keeps_the_programs_that_are_finished(tmp_path):
    calls = []

    def second_interrupted(sides, protocol, *, into, **more):
        calls.append(1)
        if len(calls) > 1:
            raise KeyboardInterrupt
        return instantly(sides, protocol, into=into, **more)

    report, _ = ran(tmp_path, program() + program(name="second"), second_interrupted)
    assert report.interrupted
    assert [result.case.program for result in report.cases] == ["flip"]


@pytest.mark.parametrize(
    ("ours", "theirs", "said"),
    [
        ([1.0, np.nan], [1.0, np.nan], ""),
        ([1.0, np.inf], [1.0, np.inf], ""),
        ([1.0, np.nan], [1.0, 2.0], "NaN or infinite on one side"),
        ([1.0, np.inf], [1.0, -np.inf], "NaN or infinite on one side"),
        ([1.0, 2.0], [1.0, 2.25], ""),
        ([1.0, 2.0], [1.0, 2.5], "a difference of 0.5"),
        ([], [], ""),
    ],
)
def test_beyond_what_is_allowed(ours, theirs, said):
    found = _answers.beyond(np.array(ours, np.float32), np.array(theirs, np.float32), 0.25)
    assert said in found
    assert bool(said) == bool(found)


def test_texts_and_bytes_are_equal_or_not():
    ours, theirs = np.array([b"a", b"b"], object), np.array([b"a", b"c"], object)
    assert _answers.beyond(ours, ours, 0.0) == ""
    assert _answers.beyond(ours, theirs, 9.0) == "1 of 2 texts that differ"
    assert _answers.beyond(np.uint8([0]), np.uint8([255]), 1.0) == "a difference of 255"


def test_memory_has_a_task_for_every_side(tmp_path):
    text = program() + program(name="off", needs=["no_such_package"])
    plan = read_suite(suite(tmp_path, text))
    assert [name for name, _ in _memory.tasks(plan)] == ["flip, before", "flip, after"]
    assert len(_memory.tasks(None)) == len(_memory.SIDES)


def test_an_epoch_is_pulled_to_its_end(tmp_path):
    import tensorflow as tf

    [one] = read_suite(suite(tmp_path, program(batch=10))).programs
    assert _memory_program.epoch(one, lambda: tf.data.Dataset.range(64)) == 64
    with pytest.raises(OutsideDomain, match="an endless dataset"):
        _memory_program.epoch(one, lambda: tf.data.Dataset.range(64).repeat())
    bounded = dataclasses.replace(one, elements=35)
    assert _memory_program.epoch(bounded, lambda: tf.data.Dataset.range(64).repeat()) == 40
