"""What is made anew for each epoch, and is gone after it, leaves no graph behind."""

from __future__ import annotations

import gc

import numpy as np
import pytest
import tensorflow as tf
from skimage import transform

import pipeport
import pipeport.skimage.transform
from pipeport.errors import PipeportWarning
from pipeport.seeds import seeded_map

pytestmark = pytest.mark.both

IMAGES = np.random.default_rng(0).integers(0, 256, (2, 74, 74, 3)).astype(np.uint8)


def turned(image):
    image = transform.rotate(image.astype(np.float32), np.random.uniform(-20, 20))
    if np.random.rand() < 0.5:
        image = image[:, ::-1]
    image = np.clip(image * np.random.uniform(0.8, 1.2) + 3, 0, 255)
    return np.sqrt(np.abs(image)) * 0.5 + image / 3 - image.mean()


def sorted_by_python(image):
    return np.partition(image, 3, axis=0) * 2 + 1


def run(port):
    for _ in tf.data.Dataset.from_tensor_slices(IMAGES).apply(seeded_map(port, 42)):
        pass


def graphs():
    gc.collect()
    return sum(type(one).__name__ == "FuncGraph" for one in gc.get_objects())


def grows(act, first, last):
    """How many graphs are alive after the last call that were not after an early one."""
    for _ in range(first):
        act()
    before = graphs()
    for _ in range(last - first):
        act()
    return graphs() - before


def test_graphs_are_counted():
    kept = []
    trace = tf.function(lambda x: x + 1, autograph=False).get_concrete_function
    assert grows(lambda: kept.append(trace(tf.zeros([len(kept)]))), 1, 3) == 2


def test_datasets_of_a_port_leave_no_graph():
    port = pipeport.port(turned)
    assert grows(lambda: run(port), 2, 5) == 0


def test_new_ports_leave_no_graph():
    assert grows(lambda: run(pipeport.port(turned)), 1, 3) == 0


def test_islands_leave_no_graph():
    with pytest.warns(PipeportWarning, match="stay Python"):
        port = pipeport.port(sorted_by_python, example=IMAGES[0], islands=True)
    assert grows(lambda: run(port), 1, 3) == 0


def test_traces_of_a_native_leave_no_graph():
    image = tf.constant(IMAGES[0] / 255)

    def trace():
        tf.function(lambda x: pipeport.skimage.transform.rotate(x, 20.0)).get_concrete_function(image)

    assert grows(trace, 2, 6) == 0
