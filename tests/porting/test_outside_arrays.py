"""Arrays of NumPy's from outside of a ported body: elements, methods, writes; the user's own containers."""

from __future__ import annotations

import gc
import types

import numpy as np
import pytest
import tensorflow as tf

from pipeport import config, seeds
from pipeport.errors import PipeportError, PortRefused
from pipeport.porting import _outside, port
from tests.porting.modes import agrees, every_mode

RNG = np.random.default_rng(5)
LUT = RNG.permutation(256).astype(np.uint8)
PALETTE = RNG.integers(0, 255, (7, 3)).astype(np.uint8)
TABLE = RNG.normal(size=(60, 4))
MEAN = np.array([0.25, 0.5, 0.125])
MASKED = np.ma.array([1, 2, 3])
SIZES = np.array([2, 3, 5])
NAMES = np.array(["cat", "dog", "cow", "ant"])
CONFIG = {"tables": [TABLE, TABLE * 2], "mean": MEAN}

X = RNG.integers(0, 7, (4, 5)).astype(np.uint8)
AT = np.int64(2)


class Keeps:
    def __init__(self):
        self.x = TABLE
        self.mean = MEAN
        self.inner = types.SimpleNamespace(ref=PALETTE)

    def elements(self, x, i):
        return self.x[i], self.inner.ref[x], self.mean[i], self.mean.reshape(1, 3) * i


# Elements at keys of the graph.


def looked_up(x, i):
    return LUT[x], PALETTE[x], LUT[LUT[x]], PALETTE[x, 1], PALETTE[x[0], x[1] % 3]


def of_a_place(x, i):
    return (
        TABLE[i],
        TABLE[-i],
        TABLE[i, 1],
        TABLE[1, i],
        TABLE[..., None, i],
        TABLE[i][1],
        TABLE.T[i],
        TABLE[[0, i]],
    )


def of_slices(x, i):
    return TABLE[i : i + 2], TABLE[-i:], TABLE[i::-1], TABLE[1:, :i], TABLE[i, 1:], TABLE[x[0].min() : i]


def of_masks(x, i):
    low = x.mean() * 0.1
    return MEAN[MEAN - i * 0.1 > 0], PALETTE[np.arange(7) < i], MEAN[x[0, :3] > 2], TABLE[TABLE - low > 0]


def of_containers(x, i, table=TABLE):
    return (
        table[i],
        CONFIG["tables"][1][i],
        CONFIG["mean"][i],
        {"k": MEAN}["k"][i],
        NAMES[i],
        NAMES[x[0, 0] % 4],
    )


def of_closures(x, i):
    table = TABLE

    def inner(k):
        return table[k] + MEAN[k]

    return inner(i), sum([table[k][i] for k in range(2)])


def members(x, i):
    return i in SIZES, i + 5 not in SIZES, 3 in SIZES, x[0, 0] in SIZES


def in_branches(x, i):
    if x.sum() > 3:
        row, at = TABLE[i], MEAN[1]
    else:
        row, at = TABLE[0], 0.5
    total = 0.0
    for k in range(i):
        total = total + MEAN[k] * LUT[k]
    return row, at, total


ELEMENTS = [looked_up, of_a_place, of_slices, of_masks, of_containers, of_closures, members, in_branches,
            Keeps().elements]  # fmt: skip


# Methods.


def scaled(x, i):
    y = x.astype(np.float32) * MEAN.astype(np.float32).sum() / SIZES.astype(np.float32).max()
    z = x.astype(float) * MEAN.sum() / MEAN.std() - MEAN.mean() + MEAN.min() * MEAN.max()
    return y, z, x[..., None] * MEAN.reshape(1, 3), x[0, :3] - MEAN.copy(), MEAN.round(1) + i, MEAN.prod() * i


def turned(x, i):
    return (TABLE.flatten()[i], TABLE.ravel()[i], TABLE.dot(TABLE[0])[i], TABLE.transpose(1, 0)[i],
            TABLE.swapaxes(0, 1)[i], MEAN[None].squeeze()[i], TABLE.mean(axis=0)[i], TABLE.nonzero()[0][i],
            MEAN.argsort()[i], LUT.cumsum()[i])  # fmt: skip


def as_sizes(x, i):
    rows = [np.zeros(k) + i for k in range(MEAN.argmax() + 1)]
    return (np.zeros(SIZES.tolist()), np.ones(SIZES.astype(int).tolist()), np.full(SIZES[-2:], i), rows,
            (x + 1)[: SIZES.min()], "abc"[MEAN.argmax()], [5, 6, 7][SIZES.argmin()] + i,
            LUT.astype(int).tolist().index(7) + i, np.zeros(int(MEAN.shape[0])),
            int(SIZES.sum()) * i)  # fmt: skip


def of_the_graph(x, i):
    weights = x[0, :4].astype(float)
    return (TABLE.dot(weights), TABLE.take(i), TABLE.take(x[0], axis=0), TABLE.clip(0, weights),
            MEAN.repeat(i), TABLE[i].tolist()[1], x.max().item(), TABLE.item(i),
            TABLE.item(3) * i, LUT.astype(np.int32).take(x), TABLE.reshape(i, -1))  # fmt: skip


def decided(x, i):
    if SIZES[0] == 2 and (MEAN > 0.1).all():
        return x
    raise ValueError("never")


def written_copies(x, i):
    y, z, w = TABLE.copy(), TABLE[[0, 1]], MEAN.astype(np.float64)
    y[i], z[0], w[:i] = 1, 2, 3
    w += 1
    return y, z, w


METHODS = [scaled, turned, as_sizes, of_the_graph, decided, written_copies]


@pytest.mark.parametrize("bodies", [ELEMENTS, METHODS], ids=["elements", "methods"])
def test_eagerly_and_in_graphs_with_and_without_sizes(bodies):
    right = {body.__name__: body(X.copy(), AT) for body in bodies}
    ported = {body.__name__: port(body) for body in bodies}

    def step(x, i):
        return {name: one(x, i) for name, one in ported.items()}

    def compared(found, where):
        for name, one in right.items():
            theirs = tf.nest.flatten(one)
            ours = [_as_python(value) for value in tf.nest.flatten(found[name])]
            if len(ours) < len(theirs):  # a list of numbers is one tensor
                ours = [value for part in ours for value in (part if part.shape.rank else [part])]
            agrees(ours, theirs, where=f"{name}, {where}", relative=1e-6)

    compared(step(X, AT), "eagerly")
    for sizes in ([4, 5], [None, None]):
        specs = [tf.TensorSpec(sizes, tf.uint8), tf.TensorSpec([], tf.int64)]
        compared(tf.function(step, input_signature=specs)(X, AT), sizes)


def _as_python(value):
    return value.numpy().decode() if value.dtype == tf.string else value


def test_what_is_known_stays_known():
    def sizes(x):
        return np.zeros(SIZES.astype(int).tolist()), np.zeros((int(LUT.argmax()), SIZES.max())), x[: SIZES[0]]

    made = tf.function(port(sizes)).get_concrete_function(tf.TensorSpec([9], tf.int32))
    shapes = [tuple(one.shape.as_list()) for one in made.outputs]
    assert shapes == [(2, 3, 5), (int(LUT.argmax()), 5), (2,)]


def drawn(x):
    row = TABLE[np.random.randint(4)]
    color = PALETTE[np.random.randint(0, 7, 3)]
    return LUT[x], row * np.random.choice(MEAN), color


def test_draws_and_compiled_programs_and_maps(monkeypatch):
    every_mode(monkeypatch, drawn, X)


# Out of range.


@pytest.mark.parametrize("at", [60, -61])
def test_an_index_beyond_the_array(at):
    ported = port(lambda i: TABLE[i])
    with pytest.raises(PipeportError, match=f"index {at} for axis 0"):
        ported(np.int64(at))
    graph = tf.function(ported, input_signature=[tf.TensorSpec([], tf.int64)])
    np.testing.assert_array_equal(graph(-60), TABLE[0])
    with pytest.raises(tf.errors.InvalidArgumentError):
        graph(at)


# The graph.


def thrice(x):
    y = LUT[x]
    for _ in range(3):
        y = y + LUT[y]
    return y if y.sum() > 9 else LUT[y], TABLE[x % 60], TABLE.take(x % 60, axis=0)


def large_constants(graph):
    return [node.name for node in graph.get_operations()
            if node.type == "Const" and (node.outputs[0].shape.num_elements() or 0) >= LUT.size]  # fmt: skip


def test_an_array_enters_once_and_graphs_share_it(tmp_path):
    module, x = tf.Module(), X[0]
    ported = port(thrice)
    module.call = tf.function(ported, input_signature=[tf.TensorSpec([None], tf.uint8)])
    graph = module.call.get_concrete_function()
    sizes = {one.shape.num_elements() for one in graph.captured_inputs}
    assert (len(graph.captured_inputs), sizes) == (2, {TABLE.size, LUT.size})
    assert not large_constants(graph.graph)
    other = tf.function(port(lambda x: LUT[x])).get_concrete_function(tf.TensorSpec([3], tf.uint8))
    assert any(other.captured_inputs[0] is one for one in graph.captured_inputs)
    tf.saved_model.save(module, str(tmp_path))
    agrees(tf.saved_model.load(str(tmp_path)).call(x), thrice(x), where="loaded")


def test_two_maps_of_one_array():
    ported = port(lambda x: LUT[x])
    data = tf.data.Dataset.from_tensor_slices(X).map(ported).map(ported)
    np.testing.assert_array_equal(np.stack(list(data)), LUT[LUT[X]])


def test_an_array_that_changes_between_traces():
    table = np.arange(300)
    trace = tf.function(
        port(lambda i: table[i]), input_signature=[tf.TensorSpec([], tf.int64)], reduce_retracing=False
    )
    assert trace(7) == 7
    table[7] = -1
    assert trace(7) == 7  # as a graph keeps what it was traced with
    again = tf.function(port(lambda i: table[i]), input_signature=[tf.TensorSpec([], tf.int64)])
    assert again(7) == -1
    assert trace(7) == 7


def test_a_tensor_goes_with_its_graphs():
    table = np.arange(911)

    def kept():
        return sum(one.shape == [911] for one in _outside._entered.values())

    graph = tf.function(port(lambda i: table[i])).get_concrete_function(tf.TensorSpec([], tf.int64))
    assert kept() == 1
    del graph
    gc.collect()
    assert kept() == 0


# Writes.


def writes_an_element(i):
    TABLE[1:][i] = 3
    return i


def writes_a_view(i):
    part = TABLE.reshape(-1)[1:]
    part[i] = 3
    return part


def writes_in_place(i):
    part = TABLE[1:]
    part += 1
    return part


def writes_a_view_of_the_graph(i):
    part = TABLE[i:]
    part[0] = 9
    return part


def sorts(i):
    table = CONFIG["mean"]
    table.sort()
    return table + i


def fills(i):
    table = CONFIG["mean"]
    table.fill(i)
    return table


def writes_out(i):
    table = CONFIG["mean"]
    return np.ones(3).sum(axis=0) + MEAN.cumsum(out=table)


def writes_what_a_condition_chose(i):
    part = np.ones((60, 4))
    if i > 1:
        part = TABLE
    part[0] = 9
    return part


def writes_a_view_that_a_condition_chose(i):
    part = TABLE[i:] if i > 1 else np.ones((58, 4))
    part += 1
    return part


WRITING = [writes_an_element, writes_a_view, writes_in_place, writes_a_view_of_the_graph, sorts, fills,
           writes_out, writes_what_a_condition_chose, writes_a_view_that_a_condition_chose]  # fmt: skip


@pytest.mark.parametrize("body", WRITING)
def test_it_is_not_written_to(body):
    before = TABLE.copy(), MEAN.copy()
    for run in (lambda: port(body)(AT), lambda: on_the_graph(body)(2)):
        with pytest.raises(PipeportError, match="outside of the function"):
            run()
    np.testing.assert_array_equal(TABLE, before[0])
    np.testing.assert_array_equal(MEAN, before[1])


# Too large, or on disk.


def on_the_graph(function):
    return tf.function(port(function), input_signature=[tf.TensorSpec([], tf.int64)])


def test_large_arrays_and_files_are_refused(tmp_path):
    on_disk = np.lib.format.open_memmap(tmp_path / "a.npy", "w+", np.int32, (9, 2))
    on_disk[:] = np.arange(18).reshape(9, 2)
    table = np.arange(1 << 18)  # two megabytes
    with config.use_array_limit(1):
        for body, words in [
            (lambda i: table[i], "1 MB"), (lambda i: table.take([i, 1]), "1 MB"),
            (lambda i: i in table, "1 MB"), (lambda i: on_disk[i], r"numpy\.memmap"),
            (lambda i: on_disk[1:, i], r"numpy\.memmap"),
            (lambda i: MASKED[i], "MaskedArray"),
        ]:  # fmt: skip
            with pytest.raises(PortRefused, match=words) as caught:
                on_the_graph(body)(2)
            assert "test_outside_arrays.py, line" in str(caught.value)
        found = on_the_graph(lambda i: (on_disk[3] + i, on_disk[1, 1] + i, table[5] + i, table[2:9][i]))(2)
        agrees(found, (np.array([8, 9]), np.int64(5), np.int64(7), np.int64(4)), where="known")
    assert on_the_graph(lambda i: table[i])(5) == 5


def test_they_stay_python_in_islands(tmp_path):
    on_disk = np.lib.format.open_memmap(tmp_path / "a.npy", "w+", np.int32, (9, 4))
    on_disk[:] = np.arange(36).reshape(9, 4)

    def body(i):
        return on_disk[i], on_disk[1:, i : i + 2] * 2, on_disk.take(i)

    with pytest.warns(UserWarning, match="stay Python"):
        ported = port(body, example=AT, islands=True)
    graph = tf.function(ported, input_signature=[tf.TensorSpec([], tf.int64)])
    for at in (1, 2):
        agrees(graph(at), body(at), where=at)


# The user's own containers.


class Rows:
    def __init__(self, rows):
        self._rows = rows

    def __getitem__(self, at):
        return self._rows[at] * 2

    def __len__(self):
        return len(self._rows)

    def __contains__(self, value):
        return value > len(self._rows)


class Jitter:
    def __getitem__(self, at):
        return at + np.random.uniform()


ROWS, JITTER = Rows(TABLE), Jitter()


def of_own(x, i):
    return (
        ROWS[i],
        ROWS[i : i + 2],
        ROWS[1],
        ROWS[x[0]],
        len(ROWS) * i,
        i in ROWS,
        i + 60 in ROWS,
        3 not in ROWS,
    )


def test_containers_of_the_user():
    ported = port(of_own)
    agrees(ported(X, AT), of_own(X, AT), where="eagerly")
    for sizes in ([4, 5], [None, None]):
        specs = [tf.TensorSpec(sizes, tf.uint8), tf.TensorSpec([], tf.int64)]
        agrees(tf.function(ported, input_signature=specs)(X, AT), of_own(X, AT), where=sizes)


def test_draws_in_them_are_the_seeds():
    ported = port(lambda i: (JITTER[i], JITTER[2]))

    @tf.function
    def step(seed):
        with seeds.ambient(seed):
            return ported(AT)

    first, again, other = step([1, 2]), step([1, 2]), step([1, 3])
    assert first == again
    assert first[0] != first[1]
    assert first[0] != other[0]


class Opens:
    def __getitem__(self, at):
        with open(at) as file:  # noqa: PTH123
            yield file


OPENS = Opens()


def test_what_cannot_be_ported_in_them_is_known_beforehand():
    with pytest.raises(PortRefused, match="line"):
        port(lambda i: OPENS[i])
