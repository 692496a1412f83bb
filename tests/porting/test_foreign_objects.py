"""Objects of an installed package without natives, such as pandas' tables, in ported bodies."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from pipeport.errors import PortRefused
from pipeport.porting import port
from tests.porting.modes import every_size, refused_in_graphs

pytestmark = pytest.mark.both
TABLE: Any = None  # set by `frames`

PACKAGE = """
import numpy as np

class Column:
    def __init__(self, row):
        self.row = row
    def __eq__(self, other):
        return Column([one == other for one in self.row])
    __hash__ = None
    def __add__(self, other):
        return Column(np.add(self.row, np.asarray(other)))
    __radd__ = __add__
    def __gt__(self, other):
        return Column([one > len(other) for one in self.row])

class ArrayColumn(Column):
    def __eq__(self, other):
        return ArrayColumn(np.asarray(self) == other)
    __hash__ = None
    def __array__(self, dtype=None, copy=None):
        return np.array(self.row, dtype)

class Frame:
    def __init__(self, columns):
        self.columns = columns
    def __getattr__(self, name):
        return self.__dict__["columns"][name]
    def __getitem__(self, key):
        if isinstance(key, str):
            return self.columns[key]
        if not isinstance(key, Column):
            raise KeyError(key)
        kept = {name: [v for v, k in zip(one.row, key.row) if k] for name, one in self.columns.items()}
        return Frame({name: Column(row) for name, row in kept.items()})
"""


@pytest.fixture(scope="module", autouse=True)
def frames(tmp_path_factory):
    """The package, as it was installed."""
    folder = tmp_path_factory.mktemp("installed") / "site-packages"
    folder.mkdir()
    (folder / "frames.py").write_text(PACKAGE)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        module = importlib.import_module("frames")
        columns = {"id": module.Column(["a", "b"]), "n": module.Column([5, 6])}
        columns["price"] = module.ArrayColumn([7, 8])
        columns["name"] = module.ArrayColumn(["a", "b"])
        patch.setitem(globals(), "TABLE", module.Frame(columns))
        yield
    del sys.modules["frames"]


def rows_of_a_name(t):
    return np.array(TABLE[TABLE.id == t.decode()].n.row)


def rows_of_another_name(t):
    return np.array(TABLE[t.decode() != TABLE["id"]].n.row)


def rows_of_an_array_of_names(t):
    return np.array(TABLE[TABLE.name == t.decode()].n.row)


def longer_names(t):
    return np.array((TABLE.n > t.decode()).row)


def rows_of_a_number(k):
    return np.array(TABLE[TABLE.n == k].n.row)


def sum_on_the_left(k):
    return (TABLE.n + k).row


def sum_on_the_right(k):
    return (k + TABLE.n).row


def element(k):
    return TABLE.n[k]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (rows_of_a_name, "an object of frames: Column"),
        (rows_of_another_name, "an object of frames: Column"),
        (rows_of_an_array_of_names, "an object of frames: Frame"),
        (longer_names, "an object of frames beside a value known only at run time"),
    ],
)
def test_a_string_of_the_graph_beside_a_foreign_object(body, words):
    refused_in_graphs(body, words, tf.TensorSpec([], tf.string))


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (rows_of_a_number, "an object of frames beside a value known only at run time"),
        (sum_on_the_left, "an object of frames beside a value known only at run time"),
        (sum_on_the_right, "an object of frames beside a value known only at run time"),
        (element, "an object of frames: Column"),
    ],
)
def test_a_number_of_the_graph_beside_a_foreign_object(body, words):
    refused_in_graphs(body, words, tf.TensorSpec([], tf.int64))


def known_parts(x):
    return x + len(TABLE.n.row) + np.array(TABLE["n"].row)[1] + np.asarray(TABLE.price)[x[1]]


def test_what_is_known_is_served():
    every_size(known_parts, np.arange(3))


def as_it_is(x):
    return x, TABLE.n


def test_a_foreign_object_as_the_result_is_refused():
    with pytest.raises(PortRefused, match="result: got an object of frames: Column"):
        port(as_it_is)(np.arange(3))
    with pytest.raises(PortRefused, match="result: got an object of frames: Column"):
        tf.function(port(as_it_is), autograph=False).get_concrete_function(tf.TensorSpec([3], tf.int64))
