"""Names that have a value on some ways alone."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from pipeport.porting import port
from tests.porting.modes import every_size

pytestmark = pytest.mark.both

ANCHORS = np.array([[10, 13], [16, 30], [33, 23], [30, 61]], np.float32)


def preprocess_true_boxes(true_boxes):
    true_boxes = np.array(true_boxes, dtype="float32")
    masks, shape = [[2, 3], [0, 1]], np.array([64, 64], dtype="int32")
    xy = (true_boxes[..., 0:2] + true_boxes[..., 2:4]) // 2
    sides = true_boxes[..., 2:4] - true_boxes[..., 0:2]
    true_boxes[..., 0:2] = xy / shape[::-1]
    true_boxes[..., 2:4] = sides / shape[::-1]
    m = true_boxes.shape[0]
    grids = [shape // {0: 32, 1: 16}[layer] for layer in range(2)]
    y_true = [np.zeros((m, 2 * (1 + at), 2 * (1 + at), 2, 8), dtype="float32") for at in range(2)]
    anchors = np.expand_dims(ANCHORS, 0)
    most = anchors / 2.0
    least = -most
    valid = sides[..., 0] > 0
    for b in range(m):
        wh = sides[b, valid[b]]
        if len(wh) == 0:
            continue
        wh = np.expand_dims(wh, -2)
        box_most = wh / 2.0
        inner = np.maximum(np.minimum(box_most, most) - np.maximum(-box_most, least), 0.0)
        area = inner[..., 0] * inner[..., 1]
        iou = area / (wh[..., 0] * wh[..., 1] + anchors[..., 0] * anchors[..., 1] - area)
        best = np.argmax(iou, axis=-1)
        for t, n in enumerate(best):
            for layer in range(2):
                if n in masks[layer]:
                    i = np.floor(true_boxes[b, t, 0] * grids[layer][1]).astype("int32")
                    j = np.floor(true_boxes[b, t, 1] * grids[layer][0]).astype("int32")
                    k = masks[layer].index(n)
                    c = true_boxes[b, t, 4].astype("int32")
                    y_true[layer][b, j, i, k, 0:4] = true_boxes[b, t, 0:4]
                    y_true[layer][b, j, i, k, 4] = 1
                    y_true[layer][b, j, i, k, 5 + c] = 1
    return y_true


def test_the_targets_of_a_detector():
    boxes = [[[2, 3, 14, 17, 1], [0, 0, 0, 0, 0]], [[0] * 5] * 2]
    every_size(preprocess_true_boxes, np.array(boxes, np.float32))


def dead_after_its_round(x, k):
    total = np.zeros(2, np.float32)
    for at in range(k):
        row = x[at]
        if row[0] == 0:
            continue
        row = row[np.newaxis] * 2
        total += row[0]
    return total


def test_a_name_that_nothing_reads_again_may_have_two_forms():
    x = np.array([[1, 2], [0, 3], [4, 5]], np.float32)
    every_size(dead_after_its_round, x, np.int64(3))


def given_by_exclusive_conditions(x, k):
    if k == 0:
        w, mode, parts = x * 2, "a", [x, x + 1]
    elif k == 1:
        w, mode, parts = x * 3, "b", [x + 2, x]
    if k == 2:
        w, mode, parts = x[::-1], "c", [x * 5, x]
    first = parts[0] + parts[1]
    w[0] = 9
    return w, x, {"a": 1, "b": 5, "c": 7}[mode], first


def read_where_it_has_a_value(x, k):
    total = 0.0
    for at in range(k):
        if x[at] > 2:
            scale = x[at] * 2
        if x[at] <= 2:
            scale = x[at] * 5
        total += scale
    if k > 1:
        more = x + total
    total = x * total
    if k > 1:
        total = total - more
    return total


def test_names_that_exclusive_conditions_give_a_value():
    x = np.array([1, 2, 3, 4], np.float32)
    for k in (1, 2):
        every_size(given_by_exclusive_conditions, x, np.int64(k))
    every_size(read_where_it_has_a_value, x, np.int64(3))


def has_a_value_now_and_then(x, k):
    if k > 2:
        y = x * 2
    return y


def last_number(x, k):
    for y in range(k):
        x = x + y
    return y


def found_in_a_loop(x, k):
    for at in range(k):
        if x[at] > 1:
            y = x * at
    return y


def found_in_two_conditions(x, k):
    if k > 1:  # noqa: SIM102 - the kind of body this is about
        if x.max() > 2:
            y = x * 2
    return y


def last_number_under_a_condition(x, k):
    if k > 1:
        for y in range(k):
            x = x + y
    return y, x


GIVEN_ON_SOME_WAYS = [
    has_a_value_now_and_then, last_number, found_in_a_loop, found_in_two_conditions,
    last_number_under_a_condition,
]  # fmt: skip


@pytest.mark.parametrize("body", GIVEN_ON_SOME_WAYS)
def test_a_name_without_a_value_is_an_error_where_it_is_read(body):
    x = np.array([1, 2, 3], np.float32)
    every_size(body, x, np.int64(3))
    for size in (3, None):
        signature = [tf.TensorSpec([size], tf.float32), tf.TensorSpec([], tf.int64)]
        run = tf.function(port(body), input_signature=signature, autograph=False)
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"`y` in .*, line \d+, which has no value"):
            run(x, 0)


def a_loop_and_its_own_name(x, k):
    for y in x:
        if y > 1 and k > 7:
            k = k + 1
        else:
            y = y * 3
    for at, z in enumerate(x):
        if z > k:
            at += 10
        elif k > 0:
            z = z - 1
    return y, k, at, z


def test_what_the_body_of_a_loop_makes_of_the_name_it_is_given():
    for k in (2, 8):
        every_size(a_loop_and_its_own_name, np.array([1, 2, 5], np.float64), np.int64(k))


def conditions_in_conditions(x, k):
    rows = [k, 2]
    level = ((1 if x.max() > 3 else 2) if k < 2 else 3 if k < 5 else 4) * 10
    part = (x[:1] if x.max() > 99 else x[1:2]) if (k > 2 if x.min() > 0 else k < 2) else x[2:]
    chosen = rows if k > 5 else rows[::-1] if k > 1 else [0, 1]
    named = "few" if k < 2 else "some" if k < 5 else "many"
    signs = np.array([v if v > k else -v for v in rows])
    return level, part, chosen[0], {"few": 1, "some": 2, "many": 3}[named], signs


def test_conditional_expressions_in_each_other():
    for k in (1, 3, 6):
        every_size(conditions_in_conditions, np.array([1, 2, 5], np.float32), np.int64(k))


def small_numbers_in_a_loop(x, k):
    scores, pair, nested = {"b": 0, "a": 1}, (2, 3), [4, {"c": 5}]
    for at in range(k):
        scores, pair, nested = dict(scores), tuple(pair), list(nested)
        if x[at] > 1:
            scores = {**scores, "b": scores["b"] + 1}
            pair = (pair[0], at)
    return np.array(list(scores.values())), np.array(pair), nested[0], nested[1]["c"]


def test_small_numbers_in_containers_that_a_loop_makes_anew():
    for k in (0, 3):
        every_size(small_numbers_in_a_loop, np.array([1, 2, 5], np.float32), np.int64(k))


def doubled(n):
    return n * 2


def one_name_for_all(x):
    v = [v for v in zip([v + 1 for v in [4, 0, 2]], [v * 1 for v in [0.5, 1.5]], strict=False) if v]
    return np.array([doubled(v)[1] for v in v]) * x


def test_one_name_of_comprehensions_in_their_own_calls():
    np.testing.assert_array_equal(port(one_name_for_all)(2.0), one_name_for_all(2.0))
