"""Whether another process can run a dataset, and what is to blame if not."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport.inspection import _other_process, _service
from pipeport.inspection._stages import graph_of
from tests.inspection import pipelines

pytestmark = pytest.mark.both


def test_python_is_to_blame():
    report = pipeport.inspect(pipelines.turned(), seconds=0, service=True)
    assert not report.service.possible
    assert report.service.blame == ["stage 2, map: numpy_function calls turn"]
    assert "callback" in report.service.said
    assert "To blame: stage 2, map: numpy_function calls turn." in str(report)
    assert report.as_dict()["service"]["possible"] is False
    [advice] = report.advice
    assert (advice.kind, advice.stage) == ("serialise", 2)
    assert advice.do == "port turn before the dataset is served or part of a SavedModel"
    assert "one said" in advice.why


def test_a_dataset_with_its_state_can_be_run_elsewhere():
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer([0, 1], [5, 6]), -1)
    weight = tf.Variable(2.0)
    ds = tf.data.Dataset.range(3).map(lambda x: (table.lookup(tf.cast(x, tf.int32)), weight * 3)).batch(2)
    found = _other_process.first_element(graph_of(ds.with_options(tf.data.Options())).SerializeToString())
    assert [one.numpy().tolist() for one in found] == [[5, 6], [6.0, 6.0]]
    report = pipeport.inspect(ds, seconds=0, service=True)
    assert report.service.possible
    assert "Another process can run it" in str(report)
    assert not report.advice


def test_a_large_source_in_memory_is_cut_to_its_first_elements():
    rows = np.arange(5000, dtype=np.int32)[:, np.newaxis] * np.ones([1, 1000], np.int32)
    labels = [str(number) for number in range(5000)]
    ds = (
        tf.data.Dataset.from_tensor_slices((rows, labels))
        .map(lambda row, label: (row[:2] + 1, label))
        .skip(2)
    )
    graph = graph_of(ds)
    cut, lacking = _service.first_elements(graph)
    assert lacking >= (5000 - 64) * 4000
    assert len(cut.SerializeToString()) < len(graph.SerializeToString()) / 20
    found = _other_process.first_element(cut.SerializeToString())
    assert (found[0].numpy().tolist(), found[1].numpy()) == ([3, 3], b"2")
    assert _service.first_elements(graph_of(ds.take(1).cache())) is not None
    assert _service.first_elements(graph_of(tf.data.Dataset.from_tensor_slices(rows[:9]))) is None


def test_what_a_stage_leaves_out_of_the_first_elements(monkeypatch):
    sizes = []

    def answer(file):
        sizes.append(file.stat().st_size)
        return "" if len(sizes) == 2 else "Dataset was empty."

    monkeypatch.setattr(_service, "_LARGE", 1000)
    monkeypatch.setattr(_service, "_answer", answer)
    ds = tf.data.Dataset.from_tensor_slices(np.arange(5000)).skip(100)
    report = pipeport.inspect(ds, seconds=0, service=True)
    assert report.service.possible
    assert sizes[1] - sizes[0] > (5000 - 64) * 8 - 100
    assert "MiB less" in str(report)
