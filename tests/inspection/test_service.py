"""Whether another process can run a dataset, and what is to blame if not."""

from __future__ import annotations

import tensorflow as tf

import pipeport
from pipeport.inspection import _other_process
from pipeport.inspection._stages import graph_of
from tests.inspection import pipelines


def test_python_is_to_blame():
    report = pipeport.inspect(pipelines.turned(), seconds=0, service=True)
    assert not report.service.possible
    assert report.service.blame == ["stage 2, map: numpy_function calls turn"]
    assert "callback" in report.service.said
    assert "To blame: stage 2, map: numpy_function calls turn." in str(report)
    assert report.as_dict()["service"]["possible"] is False


def test_a_dataset_with_its_state_can_be_run_elsewhere():
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer([0, 1], [5, 6]), -1)
    weight = tf.Variable(2.0)
    ds = tf.data.Dataset.range(3).map(lambda x: (table.lookup(tf.cast(x, tf.int32)), weight * 3)).batch(2)
    found = _other_process.first_element(graph_of(ds.with_options(tf.data.Options())).SerializeToString())
    assert [one.numpy().tolist() for one in found] == [[5, 6], [6.0, 6.0]]
    report = pipeport.inspect(ds, seconds=0, service=True)
    assert report.service.possible
    assert "Another process can run it" in str(report)
