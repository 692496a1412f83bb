"""A port is pickled as how to find its function, and the options."""

from __future__ import annotations

import concurrent.futures
import copy
import functools
import multiprocessing
import pickle
import random
import sys
import types
import warnings

import cv2
import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport.errors import WrongType
from pipeport.numpy import fliplr
from pipeport.seeds import seeded_map

pytestmark = pytest.mark.both


def halved(x):
    return x / 2


def scaled(x, by=2, plus=0):
    return x * by + plus


def noisy(x):
    return x + np.random.uniform()


def of_bytes(x):
    return x / 255


def island(x):
    return cv2.bilateralFilter(x, 3, 40, 40) / 2


@pipeport.port
def decorated(x):
    return x + 1


class Scale:
    def __init__(self, by):
        self.by = by

    def __call__(self, x):
        return x * self.by

    def method(self, x):
        return x - self.by

    @pipeport.port
    def marked(self, x):
        return x + self.by

    @staticmethod
    def apart(x):
        return x * 3


PORTS = {
    "function": pipeport.port(halved),
    "partial": pipeport.port(functools.partial(scaled, by=3, plus=1)),
    "object": pipeport.port(Scale(4)),
    "method": pipeport.port(Scale(5).method),
    "marked method": Scale(6).marked,
    "static method": pipeport.port(Scale.apart),
    "library": pipeport.port(np.fliplr),
    "opencv": pipeport.port(cv2.flip),
    "decorated": decorated,
    "its original, again": pipeport.port(decorated.original, Tout=np.float32),
    "of a tensor": pipeport.port(of_bytes, wrapper="py_function"),
    "batched": pipeport.batched(fliplr),
    "one by one": pipeport.batched(pipeport.numpy.rot90),
}
ONES = {"opencv": (np.arange(6, dtype=np.uint8).reshape(2, 3), 1)}
X = np.arange(6, dtype=np.float32).reshape(1, 2, 3)


def results(ports):
    """Return what ports give, and the draws of one in a dataset: it runs in the child too."""
    found = {name: np.asarray(one(*ONES.get(name, (X,)))) for name, one in ports.items()}
    data = tf.data.Dataset.from_tensors(X).repeat(3).apply(seeded_map(pipeport.port(noisy), 42, epoch=1))
    return found, [element.tolist() for element in data.as_numpy_iterator()]


def again(ported):
    return pickle.loads(pickle.dumps(ported))


def same(one, other):
    assert one[0].keys() == other[0].keys()
    for name, value in one[0].items():
        assert value.dtype == other[0][name].dtype, name
        np.testing.assert_array_equal(value, other[0][name], err_msg=name)
    assert one[1] == other[1]


def test_a_pickle_gives_the_same_here_and_in_a_spawned_process():
    here = results(PORTS)
    same(here, results({name: again(one) for name, one in PORTS.items()}))
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        same(here, pool.submit(results, PORTS).result())


def test_a_pickle_holds_names_and_options_alone():
    assert len(pickle.dumps(PORTS["function"])) < 300
    assert again(decorated) is decorated
    assert again(Scale.marked) is Scale.marked
    found = again(pipeport.port(of_bytes, wrapper="py_function", Tout=tf.float32))
    assert found.takes_tensors
    assert found.dtypes == (np.float32,)
    assert found.original is of_bytes
    assert again(PORTS["its original, again"]).dtypes == (np.float32,)
    assert again(PORTS["its original, again"]).original is decorated.original


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_every_protocol(protocol):
    for ported in (decorated, PORTS["function"], Scale.marked, PORTS["batched"]):
        found = pickle.loads(pickle.dumps(ported, protocol))
        assert found.__wrapped__ is ported.__wrapped__


def test_islands_keep_what_the_example_showed():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ported = pipeport.port(island, example=(X[0],), islands=True)
    found = again(ported)
    assert found is not ported
    graph = tf.function(found).get_concrete_function(tf.TensorSpec([None, None], tf.float32))
    np.testing.assert_array_equal(graph(X[0]), island(X[0]))


def test_what_needs_sizes_is_kept():
    def told(ported):
        return [(row.name, row.advice) for row in ported.report()]

    ported = pipeport.port(_shuffled, example=(X,))
    assert ported.needs_sizes is not None
    assert told(again(ported)) == told(ported)


def _shuffled(x):
    rows = [x, x * 2, x[::-1]]
    random.shuffle(rows)
    return rows[0]


def test_a_copy_is_the_port_itself():
    local = pipeport.port(lambda x: x)
    assert copy.copy(local) is copy.deepcopy({"a": local})["a"] is local


def _local():
    def inner(x):
        return x

    return inner


def _lost():
    module = types.ModuleType("a_module_of_pickles")
    made = types.FunctionType(halved.__code__, module.__dict__, "gone")
    made.__module__ = made.__qualname__ = "a_module_of_pickles"
    sys.modules[module.__name__] = module
    return made


@pytest.mark.parametrize(
    ("function", "named"),
    [
        (lambda x: x, "<lambda>"),
        (_local(), "inner"),
        (functools.partial(_local()), "inner"),
        (_lost(), "a_module_of_pickles"),
    ],
    ids=["lambda", "local", "partial", "lost"],
)
def test_what_has_no_name_gets_one_clear_error(function, named):
    ported = pipeport.port(function)
    with pytest.raises(WrongType, match=f"{named}, which its module does not have") as caught:
        pickle.dumps(ported)
    assert "at the top level of a module" in str(caught.value)
    assert caught.value.__cause__ is None
