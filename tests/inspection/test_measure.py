"""What is seen while a dataset runs, and what of it belongs to which stage."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import pytest
import tensorflow as tf

import pipeport
from pipeport.errors import OutsideDomain
from pipeport.inspection import _meter, _model, _run
from pipeport.inspection._inspect import _with_inputs
from pipeport.inspection._run import Pass, Passes
from pipeport.inspection._stages import found_in, graph_of
from tests.inspection import pipelines


def test_a_long_pass_is_timed_without_its_beginning():
    times = [1.0, 2.0, 3.0, *(3.0 + 0.5 * number for number in range(1, 7))]
    passes = Passes([Pass(0.0, times)])
    assert passes.first == 1.0
    assert passes.later_first is None
    assert passes.steady == pytest.approx(0.5)


def test_whole_passes_are_timed_from_their_beginning():
    passes = Passes([Pass(0.0, [9.0, 9.1], True), Pass(10.0, [11.0, 11.2], True), Pass(20.0, [20.8])])
    assert passes.later_first == pytest.approx(0.9)
    assert passes.steady == pytest.approx(0.6)
    assert Passes([Pass(0.0, [1.0])]).steady is None


def test_a_run_ends_by_its_elements_or_with_the_dataset():
    endless = tf.data.Dataset.range(3).repeat()
    assert _run.run(endless, 60, elements=7).elements == 7
    passes = _run.run(tf.data.Dataset.range(3), 60, again=False)
    assert [(len(one.times), one.whole) for one in passes.passes] == [(3, True)]


def test_a_dataset_without_an_element_is_given_up(monkeypatch):
    monkeypatch.setattr(_run, "LIMIT_S", 0.2)
    late = tf.data.Dataset.range(3).map(lambda x: tf.numpy_function(pipelines.late, [x], tf.int64))
    with pytest.raises(OutsideDomain, match=r"without an element within 0\.2 s"):
        _run.run(late, 1)


@pytest.mark.parametrize("autotune", [True, False])
def test_the_slow_stage_takes_the_time(autotune, monkeypatch):
    # Each call of Python takes four seconds, half a second of the processor.
    elapsed, of_processor = itertools.count(0, 4.0), itertools.count(0, 0.5)
    clocks = {"perf_counter": elapsed.__next__, "thread_time": of_processor.__next__}
    monkeypatch.setattr(_meter, "time", SimpleNamespace(**clocks))
    ds = pipelines.with_one_slow_stage()
    options = tf.data.Options()
    options.autotune.enabled = autotune
    report = pipeport.inspect(ds.with_options(options), seconds=0.6)
    has_model = autotune and hasattr(tf.data.experimental, "get_model_proto")
    assert report.run.measured_by == ("model" if has_model else "prefixes")
    slowest = max(report.stages, key=lambda one: one.seconds or 0)
    [boundary] = report.boundaries
    assert slowest.number == boundary.stage
    assert report.run.element_s > 0
    calls = boundary.calls / report.run.elements
    assert calls >= 2  # a batch
    assert (boundary.seconds, boundary.cpu_seconds) == (4.0 * calls, 0.5 * calls)


def test_prefixes_are_paired_with_stages():
    ds = pipelines.every_form()
    stages = found_in(graph_of(ds)).stages
    chain = _model.chain_of(ds, stages)
    assert [stage.number for stage, _ in chain] == [one.number for one in stages]
    assert chain[-1][1] is ds
    assert chain[2][1].element_spec.shape == [8, 8]
    assert len(_with_inputs(ds)) == len(chain) + 1  # a generator is two datasets
    both = tf.data.Dataset.zip((ds, ds))
    assert _model.chain_of(both, found_in(graph_of(both)).stages) == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ParallelMapV2", "Map"),
        ("MemoryCacheImpl", "Cache"),
        ("ForeverRepeat", "Repeat"),
        ("FromTensor", "Tensor"),
        ("ParallelInterleaveV4", "Interleave"),
        ("Map", "Map"),
    ],
)
def test_iterators_are_known_by_their_kind(name, expected):
    assert _model.kind(name) == expected
