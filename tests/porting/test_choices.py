"""Arguments that a native must know, among few values that the graph decides between."""

from __future__ import annotations

import random

import cv2
import numpy as np
import pytest
import tensorflow as tf

from pipeport.errors import PipeportError
from pipeport.porting import port
from pipeport.seeds import seeded_map
from tests.porting.modes import every_mode, step_of

IMAGE = np.random.default_rng(0).integers(0, 255, (12, 16, 3)).astype(np.uint8)


def by_a_drawn_condition(x):
    u = random.random()
    return cv2.resize(x, (9, 9), interpolation=cv2.INTER_NEAREST if u < 0.5 else cv2.INTER_LINEAR_EXACT)


def by_a_number_of_the_image(x):
    h, w = x.shape[:2]
    ratio = 10 / max(h, w)
    return cv2.resize(x, (10, 10), interpolation=cv2.INTER_NEAREST if ratio < 1 else cv2.INTER_LINEAR_EXACT)


def a_drawn_flag(x):
    flag = np.random.randint(-1, 2)
    return cv2.flip(x, flag)


def one_of_a_list(x):
    return cv2.copyMakeBorder(x, 1, 2, 3, 4, random.choice([cv2.BORDER_REFLECT, cv2.BORDER_REPLICATE]))


def of_numpy(x):
    return cv2.flip(x, np.random.choice([0, 1]))


def computed(x):
    k = 2 * np.random.randint(1, 3) + 1
    return cv2.medianBlur(x, k)


def set_by_a_statement(x):
    if x.mean() > 100 and np.random.rand() < 0.5:
        code, k = cv2.ROTATE_180, 3
    else:
        code, k = -1, 5
    if code != -1:
        x = cv2.flip(x, code)
    return cv2.medianBlur(x, k)


def with_replacement(x):
    repeats = random.random() < 0.5
    return np.random.choice(8, 5, replace=repeats)


def in_a_method(x):
    return x.mean(axis=random.choice([0, 1]))[:12]


def in_a_branch_and_a_loop(x):
    axis = np.random.randint(0, 2)
    for _ in range(int(x[0, 0, 0]) % 3):
        x = np.flip(x, axis)
        if random.random() < 0.5:
            x = np.roll(x, 1, axis)
    return x


def twice(x):
    axis = np.random.randint(0, 2)
    return np.concatenate([x, np.flip(x, axis)], axis=random.choice([-1, 2]))


def written_to(x):
    y = np.zeros((20, 20), np.uint8)
    cv2.circle(y, (9, 9), 3, 255, thickness=random.choice([-1, 1]))
    y[:2] = x[0, 0, 0]
    return y


def a_view(x):
    y = np.swapaxes(x, random.choice([0, 1]), 1)
    y[0] = 0
    return x


BODIES = [
    by_a_drawn_condition, by_a_number_of_the_image, a_drawn_flag, one_of_a_list, of_numpy, computed,
    set_by_a_statement, with_replacement, in_a_method, in_a_branch_and_a_loop, twice, written_to, a_view,
]  # fmt: skip


@pytest.mark.parametrize("body", BODIES)
def test_a_choice_among_constants(monkeypatch, body):
    # XLA of TensorFlow 2.15 gives a result whose steps have other sizes in each branch the largest of them.
    compiled = body is not a_view or not tf.version.VERSION.startswith("2.15")
    every_mode(monkeypatch, body, IMAGE, relative=1e-6, compiled=compiled)


def test_each_value_is_called_once():
    spec = tf.TensorSpec(IMAGE.shape, tf.uint8)
    one = step_of(port(lambda x: cv2.flip(x, 1)), [spec]).get_concrete_function()
    three = step_of(port(a_drawn_flag), [spec]).get_concrete_function()
    flips = [
        node.op
        for function in three.graph.as_graph_def().library.function
        for node in function.node_def
        if node.op == "ReverseV2"
    ]
    assert [node.type for node in one.graph.get_operations()].count("ReverseV2") <= 1
    assert len(flips) <= 3


def any_flag(x):
    return cv2.flip(x, int(x[0, 0, 0]))


def a_wrong_flag(x):
    return cv2.resize(x, (9, 9), interpolation=random.choice([0, 77]))


@pytest.mark.parametrize(
    ("body", "match"),
    [(any_flag, "flipCode: got .*known while tracing"), (a_wrong_flag, "interpolation: got 77")],
)
def test_what_is_refused(body, match):
    with pytest.raises(PipeportError, match=match):
        step_of(port(body), [tf.TensorSpec(IMAGE.shape, tf.uint8)]).get_concrete_function()


def one_of_several(x):
    (turned,) = random.choices([np.flipud, np.fliplr], weights=[1, 3])
    return random.choices([np.negative, turned])[0](x)


def test_choices_of_functions():
    x = np.arange(6.0).reshape(2, 3)
    native = port(one_of_several, example=(x,))
    repeated = tf.data.Dataset.from_tensors(x).repeat(40).apply(seeded_map(native, 1))
    found = {tuple(one.numpy().ravel()) for one in repeated}
    assert found == {tuple(one.ravel()) for one in (-x, np.flipud(x), np.fliplr(x))}
