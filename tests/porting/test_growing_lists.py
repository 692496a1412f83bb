"""Lists of a length known only at run time: comprehensions, `append` in loops and branches."""

from __future__ import annotations

import random

import numpy as np
import pytest
import tensorflow as tf

from pipeport.errors import PipeportError
from pipeport.porting import port
from tests.porting.modes import agrees, every_mode, step_of

X = np.random.default_rng(0).random((5, 4)).astype(np.float32)
FRAMES = np.random.default_rng(1).integers(0, 255, (5, 4, 3)).astype(np.uint8)


def means(x):
    return np.array([row.mean() for row in x])


def stacked(x):
    rows = [row[::-1] * 2 for row in x]
    return np.stack(rows), np.stack(rows, axis=1), np.concatenate(rows), np.vstack(rows), np.hstack(rows)


def appended(x):
    out = []
    for row in x:
        out.append(row * 2)
    return np.stack(out)


def appended_twice(x):
    out, sums = [], []
    for i, row in enumerate(x):
        out.append(row * i)
        out.append(row)
        sums.append(float(row.sum()))
    return np.array(out), np.array(sums), len(out), out[1], out[-1], np.stack(out[1:4]), sums[2]


def appended_to_some(x):
    out = [x[0]]
    for row in x:
        out.append(row + 1)
    out.append(x[-1])
    return np.stack(out)


def appended_by_a_draw(x):
    out = []
    for row in x:
        if random.random() < 0.5:
            out.append(row)
    return len(out), np.array(out).sum()


def appended_by_a_condition(x):
    out = [0.0]
    if x[0, 0] > 0.5:
        out.append(1.0)
    else:
        out.append(2.0)
        out.append(3.0)
    return np.array(out)


def drawn(x):
    return np.array([row * random.random() for row in x]), np.array([random.random() for _ in range(3)])


def drawn_in_a_loop(x):
    out = []
    for row in x:
        out.append(row * np.random.uniform(0, 1))
    return np.stack(out)


def zipped(x):
    return np.array([a * b for a, b in zip(x, x[::-1])]), np.array(list(zip(x[:, 0], x[:, 1])))  # noqa: B905


def of_generators(x):
    return (
        sum(row.max() for row in x), max(float(row[0]) for row in x), min([row[1] for row in x]),
        any(v > 0.9 for v in x[:, 0]), all(v > 0.1 for v in x[:, 1]), np.array(list(v * 2 for v in x[:, 2])),  # noqa: C400
    )  # fmt: skip


def nested(x):
    return np.array([[v * 2 for v in row] for row in x]), np.array([v for row in x for v in (row[0], row[1])])


def nested_loops(x):
    out = []
    for row in x:
        line = []
        for v in row:
            if v > 0.2:
                line.append(v)
        out.append(np.array(line).sum())
        for v in row:
            out.append(v)
    return np.array(out)


def iterated(x):
    rows = [row * 2 for row in x]
    total = 0.0
    for number, row in enumerate(rows):
        total = total + row[0] * number
    pairs = [(row.sum(), number) for number, row in enumerate(rows)]
    if rows:
        total = total + len(rows)
    for value, number in pairs:
        total += value * number
    return total, np.array([value for value, _ in pairs]), 2 in [number for _, number in pairs]


def until(x):
    out, i = [], 0
    while i < len(x) and x[i, 0] < 0.9:
        out.append(x[i, 0])
        i += 1
        if i == 3:
            break
    return np.array(out)


def mapped(x):
    tops = sorted([row[0] for row in x], reverse=True)
    return np.array(list(map(lambda row: row.sum(), x))), np.array(tops)  # noqa: C417 - as people write it


def extended(x):
    out = []
    for row in x:
        out.extend([row[0], row[1] * 2])
    return np.array(out), np.mean(out)


def written_elsewhere(x):
    y, out = x.copy(), []
    for i in range(len(x)):
        y[i] = y[i] * 2
        out.append(y[i].sum())
    return y, np.array(out)


def drawn_by_a_generator(x):
    return sum(row[0] * random.random() for row in x), np.array(list(map(shifted, x)))


def shifted(row):
    return row + random.random()


def lengths_of_runs(x):
    """In the first round there is nothing before, which is known: the list does not grow in it."""
    out, before, count = [], -1, 0
    for v in (x[:, 0] * 3).astype(int):
        if v == before:
            count += 1
            continue
        if before != -1:
            out.append(count)
        before, count = v, 1
    out.append(count)
    return np.array(out)


def above_a_gate(x):
    is_open, start, spans, empty = False, 0, [], []
    for i, v in enumerate(x.ravel()):
        if not is_open and v > 0.6:
            is_open, start = True, i
        elif is_open and v < 0.5:
            is_open = False
            if i - start > 1:
                spans.append((start, i))
    return np.array(spans).reshape(-1, 2), len(empty), np.int64(start)


def long_known_loop(x):
    out = []
    for i in range(300):
        out.append(x[i % 4] * 2 + i)
    return np.stack(out)


BODIES = [
    means, stacked, appended, appended_twice, appended_to_some, appended_by_a_draw, appended_by_a_condition,
    drawn, drawn_in_a_loop, zipped, of_generators, nested, nested_loops, iterated, until, mapped, extended,
    written_elsewhere, drawn_by_a_generator, lengths_of_runs, above_a_gate,
]  # fmt: skip
COMPILED = {means, stacked, drawn, zipped, nested}


# Under NumPy 1 a number of float32 times a Python number is float64.
OF_NUMPY_2 = {of_generators, nested, iterated, extended, drawn_by_a_generator}


@pytest.mark.parametrize("body", BODIES)
def test_a_list_of_unknown_length(monkeypatch, body):
    if body in OF_NUMPY_2 and np.lib.NumpyVersion(np.__version__) < "2.0.0":
        pytest.skip("NumPy 1 promotes its numbers otherwise")
    every_mode(monkeypatch, body, X, relative=1e-6, compiled=body in COMPILED)


def of_frames(x):
    return np.stack([frame[::-1] for frame in x]), np.array([frame.max() for frame in x])


def test_images_of_unknown_number(monkeypatch):
    every_mode(monkeypatch, of_frames, FRAMES)


# What shares memory with an element.


def one_buffer(x):
    buffer, out = np.zeros(4, np.float32), []
    for row in x:
        buffer[:] = row
        out.append(buffer)
    return np.stack(out)


def written_after(x):
    out = []
    for row in x:
        row = row * 2
        out.append(row)
        row[0] = 7
    return np.stack(out)


def source_written(x):
    rows = [row for row in x]  # noqa: C416 - as people write it
    x[0] = 5
    return np.stack(rows)


def element_written(x):
    rows = [row * 2 for row in x]
    rows[0][0] = 7
    return np.stack(rows)


def element_taken_and_written(x):
    rows = [row * 2 for row in x]
    first = rows[0]
    first[0] = 7
    return np.stack(rows)


def element_replaced(x):
    rows = [row * 2 for row in x]
    rows[0] = x[1]
    return np.stack(rows)


def another_name(x):
    out = []
    same = out
    for row in x:
        out.append(row)
    return np.stack(same)


def shuffled(x):
    rows = [row * 2 for row in x]
    random.shuffle(rows)
    return np.stack(rows)


def several_dtypes(x):
    out = [np.uint8(1)]
    for row in x:
        out.append(row[0])
    return np.array(out)


def returned(x):
    return [row * 2 for row in x]


def kept_words(x):
    out = []
    for _ in x:
        out.append("a")
    return len(out)


@pytest.mark.parametrize(
    ("body", "match"),
    [
        (one_buffer, "share memory"), (written_after, "an element of a list"),
        (source_written, "share memory"), (element_written, "assignment"),
        (element_taken_and_written, "assignment"), (element_replaced, "np.stack"),
        (another_name, "list.append"), (shuffled, "random.shuffle"), (several_dtypes, "uint8"),
        (returned, "np.stack"), (kept_words, "a str"),
    ],
)  # fmt: skip
def test_what_is_refused(body, match):
    ported = port(body)
    if body is not shuffled:
        agrees(ported(X.copy()), body(X.copy()), where="eager")
    with pytest.raises(PipeportError, match=match):
        step_of(ported, [tf.TensorSpec([None, 4], tf.float32)]).get_concrete_function()


def test_shapes_that_are_known_are_kept():
    spec = tf.TensorSpec([None, 4], tf.float32)
    found = step_of(port(stacked), [spec]).get_concrete_function().structured_outputs
    assert [one.shape.as_list() for one in found] == [[None, 4], [4, None], [None], [None, 4], [None]]


def test_a_loop_of_known_length_gives_a_list_of_known_length():
    found = step_of(port(long_known_loop), [tf.TensorSpec([5, 4], tf.float32)]).get_concrete_function()
    assert found.structured_outputs.shape == (300, 4)


def test_rows_of_other_shapes_raise():
    def cut(x):
        return np.stack([x[i:] for i in range(len(x))])

    with pytest.raises(tf.errors.OpError):
        step_of(port(cut), [tf.TensorSpec([None, 4], tf.float32)])(tf.constant([1, 2], tf.int64), X)


def test_an_empty_list_has_no_stack():
    graph = step_of(port(appended), [tf.TensorSpec([None, 4], tf.float32)])
    with pytest.raises(tf.errors.InvalidArgumentError, match="an empty list"):
        graph(tf.constant([1, 2], tf.int64), X[:0])


@pytest.mark.parametrize("body", [means, stacked, nested], ids=lambda body: body.__name__)
def test_a_comprehension_over_an_unknown_size_compiles(body):
    x = np.arange(24, dtype=np.float32).reshape(6, 4)
    signature = [tf.TensorSpec([None, 4], tf.float32)]
    compiled = tf.function(port(body), input_signature=signature, autograph=False, jit_compile=True)
    for rows in (x, x[:2]):
        for found, wanted in zip(tf.nest.flatten(compiled(rows)), tf.nest.flatten(body(rows)), strict=True):
            np.testing.assert_allclose(found, wanted, 1e-6)
