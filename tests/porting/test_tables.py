"""Tables that are filled while tracing: NumPy's results, in every graph, without a loop in it."""

# As people write them.

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf
from scipy.interpolate import CubicSpline

from pipeport import port
from pipeport.arrays import _at_once, _memory
from pipeport.porting.control import _flow

IMAGE = np.random.default_rng(0).integers(0, 256, (24, 40)).astype(np.uint8)


def levels(x):
    table = np.zeros(256, np.uint8)
    for i in range(256):
        table[i] = min(255, int((i / 255.0) ** 0.5 * 255))
    return table[x]


def mel_bank(x):
    marks = np.floor(65 * 700 * (10 ** (np.linspace(0, 2840, 12) / 2595) - 1) / 16000)
    bank = np.zeros((10, 33))
    for m in range(1, 11):
        left, middle, right = int(marks[m - 1]), int(marks[m]), int(marks[m + 1])
        for k in range(left, middle):
            bank[m - 1, k] = (k - marks[m - 1]) / (marks[m] - marks[m - 1])
        for k in range(middle, right):
            bank[m - 1, k] = (marks[m + 1] - k) / (marks[m + 1] - marks[m])
    return np.dot(bank, np.abs(np.fft.rfft(x[0, :40].astype(np.float64), 64)))


def larger_than_a_constant(x):
    pattern = np.zeros((40, 48), np.float32)
    for i in range(40):
        for j in range(48):
            pattern[i, j] = ((i * 7 + j * 13) % 64) / 64.0
    return x[:24, :40] > pattern[:24, :40] * 255


def rows_of_rows(x):
    table = np.zeros((6, 8), np.int32)
    for i in range(6):
        for j in range(8):
            table[i][j] = i * j
        table[i, 2:5] = -i
        table[i] *= 2
        table[i] += np.arange(8)
    return table[x % 6].sum(-1)


def seen_in_another_view(x):
    table = np.arange(12.0).reshape(3, 4)
    row, flat, turned = table[1], table.reshape(-1), table.T
    for i in range(4):
        table[1, i] = table[0, i] * 10
    first = row.sum() + flat[4] + turned[0, 1]
    row[2] = 5
    turned[3, 2] = -1
    return x + first + table[1, 2] + flat[6] + table[2, 3]


def itself_moved(x):
    table = np.arange(10)
    for i in range(3):
        table[1:] = table[:-1]
        table[0] = i
    return table[x % 10]


def read_between(x):
    table, read = np.zeros(4), []
    for i in range(4):
        table[i] = i + 1
        read.append(x[0, :4] * table)
    return sum(one.sum() for one in read), table


def then_at_a_place_of_the_graph(x):
    table = np.zeros(9, np.float32)
    for i in range(9):
        table[i] = i
    table[x[0, 0] % 9] = 100
    table[3] = 7
    return table, table[3] + table[4]


def then_under_a_condition(x):
    table = np.zeros(5)
    for i in range(5):
        table[i] = i
    old = table[2]
    if x.mean() > 100:
        table[2] = 50
        table[3] = table[2] + 1
    else:
        for i in range(5):
            table[i] += 1
    table[4] = 9
    return table, old


def in_a_loop_of_the_graph(x):
    table, total = np.zeros((3, 4)), 0.0
    for i in range(3):
        table[i, i] = i + 1
    for k in range(int(x[0, 0]) % 5 + 2):
        inner = np.zeros(4)
        for i in range(4):
            inner[i] = i * i
        total = total + (table @ inner).sum() * k
        table[0, 1] = k
    return total, table


def numbers_of_a_table(x):
    table = np.array([3, 5, 7], np.uint8)
    table[1] += 25
    table[2] = 2.9
    low, high = table[1], table[2]
    side = int(low) + high
    return x[:side, : table[0]] * low, low + high, table.sum()


def truths(x):
    keep = np.zeros(40, bool)
    for i in range(0, 40, 3):
        keep[i] = True
    if keep[3] and not keep[4]:
        keep[4] = 1
    return x[:, keep], np.where(keep, x, 0)


def complex_turns(x):
    turns = np.zeros(8, np.complex128)
    for k in range(8):
        turns[k] = np.cos(np.pi * k / 4) - 1j * np.sin(np.pi * k / 4)
    return (turns * x[0, :8]).sum().real


def given_back(x):
    table = np.full((2, 3), 7, np.int16)
    table[:, 1] = [1, 2]
    table[..., None][0, 0, 0] = 4
    return table, x.dtype == np.uint8


def chosen_table(x):
    one, other = np.zeros(4), np.ones(4)
    chosen = one if x[0, 0] > 100 else other
    one[0], other[1] = 5, 6
    chosen[2] = 8
    return one, other, chosen


BODIES = [
    levels, mel_bank, larger_than_a_constant, rows_of_rows, seen_in_another_view, itself_moved, read_between,
    then_at_a_place_of_the_graph, then_under_a_condition, in_a_loop_of_the_graph, numbers_of_a_table, truths,
    complex_turns, given_back,
]  # fmt: skip


@pytest.mark.both
@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("body", BODIES, ids=lambda one: one.__name__)
def test_numpys_result(body, known):
    spec = tf.TensorSpec(IMAGE.shape if known else [None, None], tf.uint8)
    graph = tf.function(port(body), input_signature=[spec])
    for image in (IMAGE, IMAGE // 2):
        found, right = tf.nest.flatten(graph(tf.constant(image))), tf.nest.flatten(body(image.copy()))
        for one, other in zip(found, right, strict=True):
            assert one.dtype == tf.as_dtype(np.asarray(other).dtype)
            np.testing.assert_allclose(one, other, rtol=1e-12)


def operations(body):
    graph = tf.function(port(body)).get_concrete_function(tf.TensorSpec([None, None], tf.uint8)).graph
    definition = graph.as_graph_def()
    return [node.op for node in definition.node] + [
        node.op for one in definition.library.function for node in one.node_def
    ]


@pytest.mark.newest_only
@pytest.mark.parametrize("body", [levels, mel_bank, larger_than_a_constant, rows_of_rows])
def test_a_table_is_a_constant_of_the_graph(body, monkeypatch):
    assert not {one for one in operations(body) if "While" in one or "Scatter" in one}
    monkeypatch.setattr(_memory, "memory_of", lambda _array: None)
    monkeypatch.setattr(_memory, "_of_track", lambda _track: None)
    monkeypatch.setattr(_at_once, "MOST", 0)
    assert {one for one in operations(body) if "While" in one or "Scatter" in one or "Concat" in one}


def test_what_numpy_refuses_is_refused():
    def beyond(x):
        table = np.zeros(3, np.uint8)
        table[0] = 300
        return x + table[0]

    def outside(x):
        table = np.zeros(3, np.uint8)
        table[3] = 1
        return x + table[0]

    def of_another_shape(x):
        table = np.zeros((3, 2))
        table[1] = [1, 2, 3]
        return x + table[0, 0]

    for body in (beyond, outside, of_another_shape):
        with pytest.raises(Exception, match=r"300|out of|\(2,\)|shape|index|3"):
            operations(body)


def test_many_rounds_stay_a_loop(monkeypatch):
    assert not any("While" in one for one in operations(larger_than_a_constant))
    monkeypatch.setattr(_flow, "_NODES", 10)
    assert any("While" in one for one in operations(larger_than_a_constant))
    graph = tf.function(port(larger_than_a_constant))
    np.testing.assert_array_equal(graph(tf.constant(IMAGE)), larger_than_a_constant(IMAGE))


def test_what_is_written_and_read_by_turns_is_no_constant_each_time():
    def by_turns(x):
        table, found = np.zeros((512, 512)), x[0, 0] * 0.0
        for i in range(40):
            table[i, 1] = i + 1
            found = found + (table[: i + 1, :2] * x[0, 0]).sum() + table.sum()
        return found

    graph = tf.function(port(by_turns)).get_concrete_function(tf.TensorSpec([None, None], tf.uint8))
    assert graph.graph.as_graph_def().ByteSize() < 64e6
    np.testing.assert_allclose(graph(tf.constant(IMAGE)), by_turns(IMAGE), rtol=1e-12)


def test_a_table_is_saved_with_the_model(tmp_path):
    def of_four_megabytes(x):
        table = np.zeros((1024, 1024), np.float32)
        for i in range(1024):
            table[i, i] = i
        return table[x[0], x[1]]

    module = tf.Module()
    module.run = tf.function(port(of_four_megabytes), input_signature=[tf.TensorSpec([None, None], tf.uint8)])
    right = of_four_megabytes(IMAGE)
    np.testing.assert_array_equal(module.run(tf.constant(IMAGE)), right)
    tf.saved_model.save(module, str(tmp_path))
    np.testing.assert_array_equal(tf.saved_model.load(str(tmp_path)).run(tf.constant(IMAGE)), right)
    size = sum(file.stat().st_size for file in tmp_path.rglob("*") if file.is_file())
    assert size < 16e6


def knots(x):
    xx = (np.ones((x.shape[1], 1)) * np.arange(0, 24, 23 / 5)).transpose()
    curves = [CubicSpline(xx[:, i], x[:6, i]) for i in range(x.shape[1])]
    return np.array([one(np.arange(24)) for one in curves]).T, xx.swapaxes(0, 1).ravel()[1]


def written_through_views(x):
    t = np.zeros((3, 4))
    t.T[1] = [1, 2, 3]
    t.reshape(-1)[5] += 7
    t.swapaxes(0, 1)[3, 2] = 9
    t.ravel()[0] = -1
    return x[:3, :1] + t, int(t.T[1, 1]), t.T[::-1].copy()[0, 0]


@pytest.mark.newest_only
@pytest.mark.parametrize("body", [knots, written_through_views])
def test_views_of_known_elements_are_known(body):
    x = np.random.default_rng(3).standard_normal((24, 3))
    graph = tf.function(port(body), autograph=False, input_signature=[tf.TensorSpec([None, 3], tf.float64)])
    for ours, theirs in zip(graph(x), body(x), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)
