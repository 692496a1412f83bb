"""Stages and boundaries of live datasets, functions and SavedModels."""

from __future__ import annotations

from pathlib import Path

import pytest
import tensorflow as tf

import pipeport
from pipeport.errors import OutsideDomain
from pipeport.inspection._python import GONE
from pipeport.scan import VERDICTS
from tests.inspection import pipelines

pytestmark = pytest.mark.both

CLEAR, _, _, NEVER, _, UNKNOWN = VERDICTS


def line_of(text):
    lines = Path(pipelines.__file__).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


@pytest.fixture(scope="module")
def report():
    return pipeport.inspect(pipelines.every_form(), seconds=0)


def test_stages_stand_in_the_order_of_elements(report):
    maps = ["map"] * 6
    expected = [
        "from_generator",
        *maps[:2],
        "cache",
        *maps[:4],
        "shuffle",
        "batch",
        "repeat",
        "take",
        "prefetch",
    ]
    assert [one.name for one in report.stages] == expected
    numbers = [one.number for one in report.stages]
    assert numbers == list(range(1, 14))
    assert [one.inputs for one in report.stages] == [[], *([number] for number in numbers[:-1])]


def test_stages_say_their_numbers(report):
    by_name = {one.name: one for one in report.stages}
    assert [one.parallelism for one in report.stages if one.name == "map"] == [2, None, -1, None, None, None]
    assert (by_name["batch"].batch, by_name["shuffle"].buffer, by_name["prefetch"].buffer) == (4, 10, -1)
    assert (by_name["repeat"].count, by_name["take"].count) == (-1, 5)


def test_stages_say_what_is_known_of_shapes(report):
    assert [one.shapes for one in report.stages[:4]] == [
        ["uint8[8,8]"],
        ["uint8[rank ?]"],
        ["float32[8,8]"],
        ["float32[8,8]"],
    ]


def test_stages_of_branches_and_of_inner_datasets():
    inner = tf.data.Dataset.range(3).interleave(
        lambda x: tf.data.Dataset.range(x).map(lambda y: y + 1), num_parallel_calls=2
    )
    batches = tf.data.Dataset.range(8).batch(2, num_parallel_calls=3)
    stages = pipeport.inspect(tf.data.Dataset.zip((batches, inner)), seconds=0).stages
    assert [(one.name, one.inside, one.inputs, one.parallelism) for one in stages] == [
        ("range", None, [], None),
        ("batch", None, [1], 3),
        ("range", None, [], None),
        ("interleave", None, [3], 2),
        ("range", 4, [], None),
        ("map", 4, [5], None),
        ("zip", None, [2, 4], None),
    ]


def test_boundaries_name_the_function_behind_them(report):
    file = pipelines.__file__
    lambda_line = line_of("lambda x: x + 1")
    expected = [
        ("from_generator", "images", line_of("def images"), 1),
        ("numpy_function", "denoise", line_of("def denoise"), 2),
        ("py_function", "<lambda>", lambda_line, 5),
        ("numpy_function", "Shift", line_of("def __call__"), 6),
        ("numpy_function", "Shift.method", line_of("def method"), 7),
    ]
    found = [(one.wrapper, one.function, one.line, one.stage) for one in report.boundaries]
    assert found[:-1] == expected
    assert {one.file for one in report.boundaries[:-1]} == {file}
    assert (report.boundaries[-1].function, report.boundaries[-1].stage) == ("fliplr", 8)


def test_boundaries_say_where_they_are_called(report):
    places = [one.called_at for one in report.boundaries]
    assert places[1] == (pipelines.__file__, line_of("numpy_function(strong"))
    assert places[0] == (pipelines.__file__, line_of("from_generator(images"))


def test_boundaries_have_the_verdicts_of_scan(report):
    assert [one.verdict for one in report.boundaries] == [NEVER, NEVER, CLEAR, CLEAR, CLEAR, CLEAR]
    denoising = report.boundaries[1]
    assert "cv2.fastNlMeansDenoising" in denoising.reason
    assert denoising.reason_at == (pipelines.__file__, line_of("return cv2.fastNl"))
    assert "numpy.fliplr" in report.boundaries[-1].reason


def test_a_tf_function_and_its_traces():
    with pytest.raises(OutsideDomain, match="never traced"):
        pipeport.inspect(tf.function(lambda x: x))
    pipelines.step(tf.zeros([2, 2], tf.uint8))
    concrete = pipelines.step.get_concrete_function(tf.TensorSpec([2, 2], tf.uint8))
    for function in (pipelines.step, concrete):
        [boundary] = pipeport.inspect(function).boundaries
        assert (boundary.function, boundary.stage, boundary.verdict) == ("turn", None, CLEAR)


def test_of_a_saved_model_only_tokens_are_known(tmp_path):
    module = tf.Module()
    module.step = pipelines.step
    module.step(tf.zeros([3, 2], tf.uint8))
    tf.saved_model.save(module, str(tmp_path))
    restored = tf.saved_model.load(str(tmp_path)).step
    inside = tf.data.Dataset.range(2).map(lambda x: restored(tf.zeros([3, 2], tf.uint8)))
    # The tokens are registered here, to functions that these need not be.
    for one, kind, run in (
        (tmp_path, "SavedModel", {}),
        (restored, "function", {}),
        (inside, "dataset", {"seconds": 0}),
    ):
        report = pipeport.inspect(one, **run)
        assert report.kind == kind
        assert {(found.function, found.verdict, found.reason) for found in report.boundaries} == {
            (None, UNKNOWN, GONE)
        }


@pytest.mark.parametrize(("given", "said"), [(3, "builtins.int"), ("nowhere", "which has no saved_model.pb")])
def test_what_cannot_be_inspected_is_refused(given, said):
    with pytest.raises(OutsideDomain, match=said):
        pipeport.inspect(given)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"seconds": -1}, "seconds: got -1"),
        ({"elements": 0}, "elements: got 0"),
        ({"elements": 3, "seconds": 0}, "elements: got 3 with seconds=0"),
    ],
)
def test_how_long_it_runs_is_checked(options, said):
    with pytest.raises(OutsideDomain, match=said):
        pipeport.inspect(pipelines.no_python(), **options)
    with pytest.raises(OutsideDomain, match="nothing, as the target is not a dataset"):
        pipeport.inspect(pipelines.step, seconds=1)


def test_a_report_prints_itself(report):
    text = str(report)
    assert "from_generator" in text
    assert "6 calls of Python in its graph" in text
