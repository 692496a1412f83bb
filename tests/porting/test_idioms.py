"""Everyday idioms: NumPy's results, with and without sizes."""

# As people write them.
# ruff: noqa: B905, RUF005, TRY, PERF, SIM, RET, C4

from __future__ import annotations

import random

import cv2
import numpy as np
import pytest
import tensorflow as tf

from pipeport import port, seeds
from pipeport.errors import PortRefused

pytestmark = pytest.mark.both

BRIGHT = np.random.default_rng(0).integers(0, 256, (12, 10, 3)).astype(np.float32)
DARK = BRIGHT // 4


# A dtype that a condition decides on.


def scaled_and_clipped(x):
    x = x.astype(np.uint8)
    if x.mean() > 100:
        x = x * 1.2
    return np.clip(x, 0, 255).astype(np.uint8)


def three_conditions(x):
    x = x.astype(np.uint8)
    if x.mean() > 100:
        x = x * 1.2
    if x[0, 0, 0] > 3:
        x = x + 1
    if x.std() > 1:
        x = x[:, ::-1]
    h, w = x.shape[:2]
    return (x - x.mean()).astype(np.float32).reshape(h * w, -1)


def in_place_by_dtype(x):
    x = x.astype(np.uint8)
    if x.mean() > 100:
        x = x * 1.2
    x *= 2 if x.dtype == np.uint8 else 1
    return x.astype(np.float32)


def written_to(x):
    x = x.astype(np.uint8)
    y = x
    if x.mean() > 100:
        x = x.astype(np.float32)
        x[0] = 7
    x = x - 1
    x[1] = 3
    return x.astype(np.float64), y


def put_into(x):
    x = x.astype(np.uint8)
    if x.mean() > 100:
        x = x * 1.5
    if x.max() > 255:
        x = x / x.max()
    out = np.zeros((12, 10, 3), np.float32)
    out[:] = x
    return out


def beside_arrays(x):
    x = x.astype(np.uint8)
    if x.mean() > 100:
        x = x * 1.5
    return np.ones((12, 10, 3)) * (2 - x), bool((x > 3).any()), x.size


def in_a_loop(x):
    x = x.astype(np.uint8)
    if x.mean() > 100:
        x = x * 1.5
    for i in range(int(x[0, 0, 0]) % 5):
        x = x + 1
        if i == 2:
            break
    return x.astype(np.float32)


def of_a_product(x):
    v = x[0, :3, 0]
    v = v if x.mean() > 100 else v.astype(np.float64) * 1.5
    w = v if x.mean() > 50 else v.astype(np.int32)
    return float(v.dot(v)), float((v * w).sum()), float(np.dot(v, w))


def number_or_float(x):
    k = 1
    if x.mean() > 100:
        k = 0.5
    return (x * k).astype(np.float32), np.float64(k)


# None or something.


def axis_or_none(x):
    axis = None if x.mean() > 100 else 1
    return x * (1 if axis is None else 2)


def mask_or_none(x):
    mask = None
    if x.mean() > 100:
        mask = x[..., 0] > 50
    if mask is not None:
        x = x * mask[..., None]
    return x


def crop_or_none(x):
    crop = None
    if x.mean() > 100:
        k = int(x[0, 0, 0]) % 3
        crop = (k, k + 2)
    whole = 0 if crop else 1
    if crop is None:
        crop = (0, 12)
    i, j = crop
    return x[i:j].sum(), crop[0] + crop[1], whole


def best_or_none(x):
    best = None
    if x.mean() > 100:
        best = (x[0], 3)
    elif x.mean() > 20:
        best = (x[1], 4)
    if best is None:
        return np.zeros((10, 3), np.float32)
    return best[0] * best[1]


# `match` and `try`.


def matched(x):
    match int(x[0, 0, 0]) % 4:
        case 0 | 1:
            x = x + 1
        case n if n > 2:
            x = x * n
        case _:
            x = -x
    return x


def matched_while_tracing(x):
    match x.ndim:
        case 2:
            return x
        case None:
            x = x - 1
        case 3:
            x = x.mean(-1)
    return x


def raises_otherwise(x):
    try:
        h, w, c = x.shape
        y = x.reshape(h * w, c)
        if x.mean() > 1e9:
            raise ValueError("too large")
    except ValueError as error:
        print(error)
        raise RuntimeError("bad") from error
    else:
        y = y + 1
    finally:
        z = 1
    return y + z


# Lists of a length known only at run time.


def those_above(x):
    return np.array([a + b for a, b in zip(x[0, :, 0], x[1, :, 0]) if a + 255 > b])


def their_sum(x):
    return sum(float(v) ** 2 for v in x[0, :, 0] if v > 5 if v < 200), any(
        r.mean() > 9 for r in x if r[0, 0] > 3
    )


def their_places(x):
    places = [i for i, r in enumerate(x) if r.mean() > 20]
    return np.array(places, np.int64), x[places], len(places)


def under_one_name(x):
    out = []
    for r in x:
        if r.mean() > 20:
            out.append(r.max())
    out = np.array(out)
    return out[out > 3]


def padded(x):
    ids = [int(v) for v in x[0, :, 0] if v > 30]
    ids = [101] + ids + [102]
    ids = ids[:6]
    mask = [1] * len(ids) + [0] * (12 - len(ids))
    return np.array(ids + [0] * (12 - len(ids)), np.int64), np.array(mask)


def cut_and_joined(x):
    n = int(x[0, 0, 0]) % 3 + 1
    ids = [1, 2, 3, 4]
    rows = [x[0]] * n + [x[1], x[2]]
    return np.array(ids[:n] + [7]), len(ids[n:]), sum(ids[:n]), np.stack(rows)


def numbers_of_rows(x):
    found = []
    for x1, y1, x2, y2 in x[:, :4, 0].tolist():
        found.append([x1, y1, x2 - x1, y2 - y1])
    rows = x[..., 0].tolist()
    return np.array(found), sum(rows[1]), len(rows), max(rows[0])


def boxes_that_are_left(x):
    boxes = [b for b in x[:, :4, 0].tolist() if b[2] > b[0]]
    return np.array(boxes, np.float32).reshape(-1, 4)


def in_drawn_steps(x):
    k = int(x[0, 0, 0]) % 3 + 1
    y = x.copy()
    y[::k] = 0
    return x[::k, 1::k], x[5:1:-k], y


def in_place_where(x):
    y = x.astype(np.int32)
    y[y % 3 == 0] //= 4
    y[y[..., 0] > 40] **= 2
    part = x[1:]
    part[part > 100] -= x.mean()
    x[x < 20] *= 1.5
    return x, y


def rows_that_differ(x):
    rows, places, counts = np.unique(x[:, 0] // 100, axis=0, return_index=True, return_counts=True)
    return rows[np.argsort(places)], places, counts, np.unique(x // 60, axis=1)


# Strings, places and pictures.

LETTERS = "abcdefgh"
NAMES = ["abc", "bd", "fgha"]


def codes_of_letters(x):
    name = NAMES[int(x[0, 0, 0]) % 3] + LETTERS[int(x[0, 0, 1]) % 3 : 5] + LETTERS[-1 - int(x[0, 0, 0]) % 2]
    return np.array([LETTERS.index(one) for one in name.upper().lower()], np.int16), name.count(name[0])


def found_parts(x):
    name = NAMES[int(x[0, 0, 0]) % 3]
    text = "abcabca" if x[0, 0, 0] > 90 else "gha-bd"
    part = name[:2]
    return text.find(part), text.count(part), text.find(name[:0]), text.count(name[:0]), "xyz".find(part)


def cut_at_computed_places(x):
    first = int(x[0, 0, 0]) % 5
    parts = np.split(x, [first, 7])
    others = np.split(x[:, 0, 0], (len(x) * np.cumsum([0.5, 0.25])).astype(int))
    return (*parts, *others)


BODIES = [
    *(codes_of_letters, found_parts, cut_at_computed_places),
    *(
        scaled_and_clipped,
        three_conditions,
        in_place_by_dtype,
        written_to,
        put_into,
        beside_arrays,
        in_a_loop,
    ),
    *(of_a_product, number_or_float, axis_or_none, mask_or_none, matched, matched_while_tracing),
    *(crop_or_none, best_or_none),
    *(raises_otherwise, those_above, their_sum, their_places, under_one_name, padded, cut_and_joined),
    *(numbers_of_rows, boxes_that_are_left, in_drawn_steps, in_place_where, rows_that_differ),
]


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("body", BODIES)
def test_results_are_those_of_numpy(body, known):
    shape = BRIGHT.shape if known else [None, None, 3]
    graph = tf.function(port(body), input_signature=[tf.TensorSpec(shape, tf.float32)])
    for x in (BRIGHT, DARK):
        expected = tf.nest.flatten(body(x.copy()))
        for run in (graph, port(body)):
            found = tf.nest.flatten(run(x))
            assert len(found) == len(expected)
            for one, other in zip(found, expected, strict=True):
                one, other = np.asarray(one), np.asarray(other)
                assert (one.dtype, one.shape) == (other.dtype, other.shape)
                np.testing.assert_allclose(one, other, rtol=1e-6)


def test_what_a_mask_changes_in_place_is_compiled():
    compiled = tf.function(port(in_place_where), jit_compile=True)
    for one, other in zip(compiled(BRIGHT), in_place_where(BRIGHT.copy()), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)


def draws_functions(x):
    ops = [np.flipud, np.fliplr, lambda y: y + 1]
    for function in random.sample(ops, 2):
        x = function(x)
    for function in random.choices(ops, k=2):
        x = function(x)
    return x


def draws_from_a_table(x):
    table = [(np.roll, 1, 5, "a"), (lambda y, v: y + v, 0, 3, "b")]
    function, low, high, name = random.choice(table)
    x = function(x, random.randint(low, high))
    return x * 2 if name == "a" else x


def draws_a_dtype(x):
    x = x.astype(np.uint8)
    if random.random() < 0.5:
        x = x * 1.2
    x = cv2.flip(x, random.choice([0, 1]))
    return np.clip(x, 0, 255).astype(np.uint8)


FILES = {"a": ["a1", "a2", "a3"], "b": ["b1"], "c": ["c1", "c2"]}
SHOTS = {"a": ["a1", "a2"], "b": ["b1", "b2"], "c": ["c1", "c2"]}


def draws_another_of_its_class(x):
    kind = "abc"[int(x[0, 0, 0]) % 3]
    found = random.choice(SHOTS[kind])
    while found == kind + "1":
        found = random.choice(SHOTS[kind])
    return found + random.choice(FILES[kind])


@pytest.mark.parametrize(
    "body", [draws_functions, draws_from_a_table, draws_a_dtype, draws_another_of_its_class]
)
def test_draws_are_those_of_the_eager_port(body):
    ported = port(body, example=BRIGHT)  # replays the draws with the original
    graph = tf.function(lambda x, seed: _seeded(ported, x, seed), autograph=False)
    for number in range(6):
        seed = tf.constant([7, number])
        np.testing.assert_array_equal(graph(BRIGHT, seed), _seeded(ported, BRIGHT, seed))


def _seeded(ported, x, seed):
    with seeds.ambient(seed):
        return ported(x)


def still_open(x):
    x = x.astype(np.uint8)
    if x.mean() > 100:
        x = x * 1.5
    return x


def opened_in_a_loop(x):
    x = x.astype(np.uint8)
    for i in range(int(x[0, 0, 0])):
        if x[i, 0, 0] > 100:
            x = x * 1.2
    return x.astype(np.float32)


def pattern_of_a_class(x):
    match x.ndim:
        case int():
            return x


def caught(x):
    try:
        return x[:5]
    except ValueError:
        return x


def leaves_before_the_end(x):
    try:
        return x
    finally:
        print("done")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (still_open, "`x` of dtype float64 or uint8 in two branches"),
        (opened_in_a_loop, "before and after a round"),
        (pattern_of_a_class, "constants and names as its patterns"),
        (caught, "cannot be caught"),
        (leaves_before_the_end, "cannot be caught"),
    ],
)
def test_what_is_refused(body, words):
    with pytest.raises(PortRefused, match=words):
        tf.function(port(body)).get_concrete_function(tf.TensorSpec([None, None, 3]))
