"""Each advice is given where a measurement says so, and not where the dataset follows it."""

from __future__ import annotations

import re
import time

import cv2
import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport.inspection import _advice
from pipeport.inspection._meter import Meter
from pipeport.inspection._report import Boundary, Figure, Gain, Report, Run, Stage
from tests.inspection import pipelines


def kinds(dataset, seconds=0.2):
    return {one.kind: one for one in pipeport.inspect(dataset, seconds=seconds).advice}


def chained(*stages):
    return [
        Stage(number=number, inputs=[number - 1] if number > 1 else [], **one)
        for number, one in enumerate(stages, 1)
    ]


def test_a_stage_without_parallelism_is_named_where_it_takes_time():
    stages = chained(
        {"name": "range", "seconds": 0.01},
        {"name": "map", "seconds": 0.5},
        {"name": "map", "seconds": 0.3, "parallelism": 2},
        {"name": "map", "seconds": 0.02},
        {"name": "map", "seconds": 0.2, "made_parallel": True},
    )
    boundary = Boundary(wrapper="numpy_function", token="t", function="turn", stage=2, cpu_seconds=0.4)
    report = Report(name="x", kind="dataset", stages=stages, boundaries=[boundary])
    [advice] = _advice._parallel(report)
    assert (advice.stage, advice.kind) == (2, "parallel")
    assert "49 % of the time" in advice.why
    assert "most of it is turn" in advice.why


def measured(**about):
    figures = {name: Figure(median=m, low=low, high=high) for name, (low, m, high) in about.items()}
    return Boundary(wrapper="numpy_function", token="t", function="turn", stage=2, cpu_seconds=0.4,
                    gain=Gain(**figures))  # fmt: skip


def test_a_port_that_was_measured_slower_is_advised_against():
    slow, fast = measured(speed=(0.05, 0.06, 0.08)), measured(speed=(0.9, 1.2, 1.4))
    stages = chained({"name": "range", "seconds": 0.01}, {"name": "map", "seconds": 0.5})
    report = Report(name="x", kind="dataset", stages=stages, boundaries=[slow, fast])
    [advice] = _advice._keep(report)
    assert advice.do == "leave turn in Python, unless the dataset is served or saved"
    assert advice.why == "its port is 0.06x (0.05 to 0.08) as fast"
    [parallel] = _advice._parallel(report)
    assert "port it first" not in parallel.why
    report.boundaries = [fast]
    assert list(_advice._keep(report)) == []
    assert "port it first" in next(_advice._parallel(report)).why


def test_a_short_pass_is_judged_with_its_start():
    one = measured(speed=(1.5, 2.0, 2.5), pass_=(0.3, 0.4, 0.5))
    [advice] = _advice._keep(Report(name="x", kind="dataset", boundaries=[one]))
    assert advice.why == (
        "its port is 0.40x (0.30 to 0.50) as fast, over a pass with the time until its first element"
    )


def test_an_island_is_not_told_to_be_ported():
    def f(image):
        return cv2.fastNlMeansDenoising(image) + 0

    images = np.zeros([4, 8, 8], np.uint8)
    with pytest.warns(pipeport.errors.PipeportWarning):
        ported = pipeport.port(f, example=images[0], islands=True)
    report = pipeport.inspect(tf.data.Dataset.from_tensor_slices(images).map(ported), seconds=0)
    [boundary] = report.boundaries
    assert (boundary.function, boundary.verdict) == ("cv2.fastNlMeansDenoising", "islands")
    [advice] = report.advice
    assert advice.do.startswith("write cv2.fastNlMeansDenoising with natives")


def test_functions_that_are_named_alike_are_told_apart():
    one, other = lambda x: x + 1, lambda x: x + 2
    third = lambda x: x + 3  # noqa: E731

    def several(x):
        return [tf.numpy_function(each, [x], tf.int64) for each in (one, other, third)]

    report = pipeport.inspect(tf.data.Dataset.range(3).map(several), seconds=0)
    names = [each.name for each in report.boundaries]
    assert len(set(names)) == 3
    assert all(
        re.fullmatch(r"several.*|<lambda> \(.*test_advice.py:\d+\), \d of 3", each) for each in names
    ), names


def test_a_map_that_tensorflow_may_have_joined_with_its_batch_is_not_named():
    run = Run(elements=1, passes=1, measured_by="prefixes")
    for last, expected in (("batch", 0), ("shuffle", 1)):
        stages = chained({"name": "range"}, {"name": "map", "seconds": 0.5}, {"name": last})
        report = Report(name="x", kind="dataset", stages=stages, run=run)
        assert len(list(_advice._parallel(report))) == expected


def test_a_shape_that_is_always_the_same_is_named():
    meter = Meter(gave=[np.zeros([8, 3]), np.ones([8, 3])])
    boundary = Boundary(wrapper="numpy_function", token="t", function="turn", stage=1)
    lost = chained(
        {"name": "map", "shapes": ["float32[rank ?]"]}, {"name": "prefetch", "shapes": ["float32[rank ?]"]}
    )
    report = Report(name="x", kind="dataset", stages=lost, boundaries=[boundary])
    [advice] = _advice._shapes(report, {"t": meter})
    assert "tf.ensure_shape(..., (8, 3))" in advice.do
    meter.gave.append(np.ones([9, 3]))
    assert list(_advice._shapes(report, {"t": meter})) == []
    meter.gave.pop()
    report.stages[1].shapes = ["float32[8,3]"]
    assert list(_advice._shapes(report, {"t": meter})) == []


def test_waiting_for_elements_asks_for_a_prefetch():
    ds = tf.data.Dataset.range(100).map(lambda x: tf.numpy_function(pipelines.slow, [x], tf.int64))
    stage = Stage(number=1, name="map")
    report = Report(name="x", kind="dataset", stages=[stage], run=Run(elements=9, passes=1, element_s=0.004))
    assert list(_advice._prefetch(report, ds)) == []  # TensorFlow has added one
    options = tf.data.Options()
    options.experimental_optimization.inject_prefetch = False
    [advice] = _advice._prefetch(report, ds.with_options(options))
    assert advice.kind == "prefetch"
    stage.name = "prefetch"
    assert list(_advice._prefetch(report, ds.with_options(options))) == []


def read(number):
    time.sleep(0.002)
    return number


def reading():
    ds = tf.data.Dataset.range(8)
    ds = ds.map(lambda x: tf.ensure_shape(tf.numpy_function(read, [x], tf.int64), []))
    return ds.map(lambda x: tf.cast(x, tf.float32) + tf.random.uniform([]))


def test_what_is_the_same_in_each_pass_can_be_cached_before_what_draws():
    found = kinds(reading().prefetch(2), seconds=0.4)
    assert found["cache"].stage == 2
    assert "8 elements of 8 bytes" in found["cache"].why
    assert "cache" not in kinds(reading().cache())
    assert "cache" not in kinds(reading().repeat())


def test_draws_that_repeat_are_noticed():
    tf.random.set_seed(None)  # another test's seed would make all draws repeat
    fixed = tf.data.Dataset.range(9).map(lambda x: tf.random.stateless_uniform([], (1, x)))
    found = kinds(fixed)
    assert found["repeats"].stage == 2
    assert "seeded_map" in found["repeats"].do
    drawn = tf.data.Dataset.range(9).map(lambda x: tf.cast(x, tf.float32) + tf.random.uniform([]))
    assert "repeats" not in kinds(drawn)
    kept = kinds(drawn.cache())["repeats"]
    assert kept.do == "cache before stage 2, which draws"
    assert "repeats" not in kinds(tf.data.Dataset.range(9))


def test_short_passes_ask_for_one_iterator():
    run = Run(elements=9, passes=3, elements_of_pass=3, element_s=0.02, later_first_s=0.05)
    report = Report(name="x", kind="dataset", stages=[Stage(number=1, name="range")], run=run)
    [advice] = _advice._epochs(report, tf.data.Dataset.range(3), 0.1)
    assert "steps_per_epoch=3" in advice.do
    assert "60.000 ms, 50.000 ms" in advice.why
    run.later_first_s = 0.001
    assert list(_advice._epochs(report, tf.data.Dataset.range(3), 0.1)) == []


@pytest.mark.parametrize("name", ["no_python"])
def test_advice_is_printed_and_plain_data(name):
    report = pipeport.inspect(getattr(pipelines, name)(), seconds=0.1)
    report.advice = [_advice.Advice(kind="cache", stage=2, do="cache()", why="it is slow")]
    assert "Advice, stage 2: cache(): it is slow." in str(report)
    assert report.as_dict()["advice"] == [{"kind": "cache", "stage": 2, "do": "cache()", "why": "it is slow"}]
