"""Calls of libraries whose arguments are known while tracing: Python computes them, once."""

from __future__ import annotations

import random
from datetime import date, datetime, timedelta

import cv2
import numpy as np
import pytest
import scipy.cluster.vq
import scipy.interpolate
import scipy.signal
import tensorflow as tf

from pipeport.errors import PipeportWarning, PortRefused
from pipeport.porting import _calls, port
from pipeport.porting.frontend import _computed
from pipeport.porting.frontend._check import report
from tests.porting.modes import every_size, refused_in_graphs

X = np.arange(4, dtype=np.float32)


def coefficients(x):
    b, a = scipy.signal.butter(4, [0.1, 0.3], "band")
    return x * b[:1] + a[1:2], b / b.sum()


def of_a_computed_matrix(x):
    values, vectors = np.linalg.eigh(np.eye(3) * 2 + 1)
    return x.sum() * values, np.abs(vectors)


def written_to_afterwards(x):
    kernel = cv2.getGaussianKernel(7, 2)
    view = kernel[1:3]
    kernel[0] = 0
    view[:] = 5
    return x.mean() * kernel, view


def taps(count):
    return scipy.signal.firwin(count, 0.2)


def of_a_helper(x):
    return x.sum() + taps(11)


def in_a_loop(x):
    rows = [scipy.signal.windows.hann(count) for count in (3, 4, 5)]
    return [x.sum() * row for row in rows][1]


def of_letters(x):
    return x + len("aab".translate(str.maketrans("ab", "cd")).replace("c", ""))


def a_table_by_a_loop(x):
    table = np.zeros(16)
    for place in range(5):
        table[place * 3] = place**2
    table[1] += 0.5
    return table[x.astype(np.int64)] + np.interp(x, *np.array([[0.0, 3.0], [1.0, 2.0]]))


def a_chain(x):
    kernel = np.outer([1.0, 2.0, 1.0], [1, 2, 1]) / 16
    return x.sum() * np.linalg.matrix_rank(kernel - kernel.T) + kernel


def of_lists(x):
    _, vectors = np.linalg.eigh(np.diag([3.0, 1, 2]))
    square = np.reshape([2.0, 0, 1, 3], (2, 2))
    rows = np.transpose([[1.0, 2], [3, 4]])
    return x.sum() * np.abs(vectors), x.mean() * np.linalg.inv(square), x[:2] * np.linalg.det(rows)


def a_view_written_to(x):
    table = np.zeros(4)
    np.reshape(table, (2, 2))[1] = 5
    flat = np.ravel([[1.0, 2], [3, 4]])
    flat[0] = 9
    return x * table + flat


def views_of_no_dimensions(x):
    table, other = np.array(5.0), np.array(7.0)
    np.atleast_1d(table)[0] = 3
    flat, rows = np.ravel(other), np.expand_dims(a=other, axis=0)
    other[()] = 1
    return x * table, x[:1] * flat, x[:1] * rows


def of_dates(x):
    first, last = datetime.strptime("2020-01-31", "%Y-%m-%d"), datetime(2020, 3, 1)
    days = [(date(2020, 1, k) - date(2019, 12, 31)).days for k in range(1, 5)]
    hours = timedelta(days=2).total_seconds() / 3600
    return (
        x * (last - first).days + hours,
        np.array(days),
        int(first.strftime("%j")),
        last.timetuple().tm_yday,
    )


SERVED = [
    of_dates, coefficients, of_a_computed_matrix, written_to_afterwards, of_a_helper, in_a_loop, of_letters,
    a_table_by_a_loop, a_chain, of_lists, a_view_written_to,
    views_of_no_dimensions,
]  # fmt: skip


@pytest.mark.parametrize("body", SERVED)
def test_python_computes_what_is_known(body):
    every_size(body, X, relative=1e-6)


def test_it_computes_once_while_tracing(monkeypatch):
    calls = []
    computed = _computed.computed
    monkeypatch.setattr(_calls, "computed", lambda *given: calls.append(given[0]) or computed(*given))
    graph = tf.function(port(of_a_helper), input_signature=[tf.TensorSpec([4], tf.float32)], autograph=False)
    graph(X), graph(X)
    assert calls == ["scipy.signal.firwin"]


def of_a_known_size(x):
    return x * scipy.signal.windows.hann(len(x)).astype(np.float32)


def test_a_size_is_known_where_the_graph_has_it():
    graph = tf.function(port(of_a_known_size), autograph=False)
    np.testing.assert_allclose(graph(tf.constant(X)), of_a_known_size(X), 1e-6)
    with pytest.raises(PortRefused, match="where all arguments are known while tracing"):
        graph.get_concrete_function(tf.TensorSpec([None], tf.float32))


def of_an_element(x):
    return scipy.signal.windows.hann(int(x[0]))


def of_the_array(x):
    return scipy.interpolate.UnivariateSpline(x, x)(x)


def of_a_draw(x):
    return x + scipy.signal.firwin(3, np.random.uniform(0.1, 0.4))


def of_a_helper_with_an_element(x):
    return x.sum() + taps(int(x[0]))


@pytest.mark.parametrize("body", [of_an_element, of_the_array, of_a_draw, of_a_helper_with_an_element])
def test_what_the_source_shows_to_be_unknown_is_refused_beforehand(body):
    with pytest.raises(PortRefused, match="It has no native equivalent"):
        port(body)


def draws(x):
    return x + scipy.cluster.vq.kmeans2(np.array([[1.0], [2.0], [9.0]]), 2)[1]


def asks_the_clock(x):
    return x * datetime.now().year


def asks_for_the_day(x):
    return x * date.today().day


@pytest.mark.parametrize("body", [asks_the_clock, asks_for_the_day])
def test_the_clock_is_not_read(body):
    with pytest.raises(PortRefused, match=r"datetime\.date.*: The clock would be read once"):
        port(body)


def writes(x):
    return x.sum() + cv2.setIdentity(np.zeros((3, 3)))


@pytest.mark.filterwarnings("ignore:One of the clusters is empty")
@pytest.mark.parametrize(
    ("body", "words"), [(draws, "a call that draws"), (writes, "writes to its argument")]
)
def test_what_does_more_than_compute_is_refused(body, words):
    state, numpy = random.getstate(), np.random.get_state()[1].copy()
    refused_in_graphs(body, words, tf.TensorSpec([4], tf.float32))
    assert state == random.getstate()
    np.testing.assert_array_equal(numpy, np.random.get_state()[1])


def raises_in_a_branch(x):
    if x.sum() > 100:
        return x * scipy.signal.firwin(3, 9.0)[0]
    return x * scipy.signal.firwin(3, 0.2)[0]


def test_what_it_raises_in_a_branch_that_branch_raises():
    graph = tf.function(port(raises_in_a_branch), autograph=False)
    np.testing.assert_allclose(graph(tf.constant(X)), raises_in_a_branch(X), 1e-6)
    with pytest.raises(tf.errors.InvalidArgumentError, match="ValueError: Invalid cutoff"):
        graph(tf.constant(X + 100))


def test_the_report_says_that_python_computes():
    (row,) = (one for one in report(coefficients) if "butter" in one.text)
    assert (row.kind, row.refused) == ("Python", False)


def test_with_islands_what_is_known_is_no_island():
    def body(x):
        taken = scipy.signal.windows.hann(4) * x
        return scipy.signal.medfilt2d(taken[None].astype(np.float32), 3)

    with pytest.warns(PipeportWarning) as caught:
        native = port(body, example=X, islands=True)
    assert str(caught[0].message).count("line ") == 1
    graph = tf.function(native, input_signature=[tf.TensorSpec([4], tf.float32)], autograph=False)
    np.testing.assert_allclose(graph(X), body(X))
