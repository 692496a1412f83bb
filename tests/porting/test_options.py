"""Strings, functions and None that the graph decides on."""

from __future__ import annotations

import functools
import random

import cv2
import numpy as np
import pytest
import tensorflow as tf

from pipeport import seeds
from pipeport.errors import PipeportError
from pipeport.porting import port

IMAGE = np.random.default_rng(0).integers(0, 255, (12, 16, 3)).astype(np.uint8)


def mode_of(x, level):
    mode = "reflect" if level > 2 else "edge"
    return np.pad(x, ((2, 1), (0, 3), (0, 0)), mode=mode)


def set_by_statements(x, level):
    mode, turn = "edge", None
    if level > 0:
        mode = "reflect"
        if level > 2:
            mode, turn = "symmetric", np.flipud
    if turn is not None:
        x = turn(x)
    return np.pad(x, 2, mode=mode) if mode != "edge" else np.pad(x, 2, mode="wrap")


def name_of(x, level):
    kind = "dark" if x.mean() < 300 - 100 * level else "light"
    return f"{kind}_{level}", kind.upper(), kind == "dark", kind in ("light", "x"), len(kind), kind


def functions(x, level):
    turn = np.fliplr if level > 1 else functools.partial(np.rot90, k=2)
    return turn(x)


def of_a_list(x, level):
    turns = [np.fliplr, np.flipud, lambda y: y[::2, ::2][:3, :4]]
    modes = ("edge", "reflect", "wrap")
    return turns[level % 3](x)[:3, :4], np.pad(x, 1, mode=modes[level % 3 - 3])


def truth_of(x, level):
    name = "" if level > 1 else "some"
    if not name:
        x = x // 2
    other = name or "none"
    return x, other


def missing(x, level):
    name = None if level > 1 else "some"
    return x if name is None else x * 2, name is not None, name == "some"


def looked_up(x, level):
    table = {"a": 0.5, "b": 2.0}
    return x * table["a" if level > 1 else "b"]


def in_a_loop(x, level):
    name = "bright" if level > 1 else "dark"
    total = 0.0
    for number in range(level):
        if name == "bright":
            total = total + x[number].mean()
    return total, name


BODIES = (mode_of, set_by_statements, name_of, functions, of_a_list, truth_of, missing, looked_up, in_a_loop)


def check(found, right):
    found, right = (one if isinstance(one, tuple) else (one,) for one in (found, right))
    for ours, theirs in zip(found, right, strict=True):
        theirs = theirs.encode() if isinstance(theirs, str) else np.asarray(theirs)
        ours = ours.numpy()
        if not isinstance(theirs, bytes):
            assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("body", BODIES, ids=lambda one: one.__name__)
def test_what_the_graph_decides_on(body):
    ported = port(body)
    graph = tf.function(ported, autograph=False, input_signature=[tf.TensorSpec([None, None, 3], np.uint8),
                                                                  tf.TensorSpec([], np.int64)])  # fmt: skip
    for level in range(5):
        right = body(IMAGE, level)
        check(ported(IMAGE, level), right)
        check(graph(IMAGE, np.int64(level)), right)


def by_name(x):
    return np.pad(x, 2, mode=random.choice(["edge", "reflect", "wrap"]))


def by_numpys_name(x):
    return np.pad(x, 2, mode=np.random.choice(["edge", "reflect"]))


def by_function(x):
    change = random.choice([np.fliplr, lambda y: 255 - y, cv2.bitwise_not, None])
    return x if change is None else change(x)


@pytest.mark.parametrize("body", [by_name, by_numpys_name, by_function], ids=lambda one: one.__name__)
def test_drawn_names_and_functions(body):
    ported = port(body, example=(IMAGE,))
    graph = tf.function(lambda seed, x: _seeded(ported, seed, x), autograph=False)
    results = set()
    for number in range(12):
        seed = seeds.fold_in(np.array([3, 4], np.int64), number)
        found = graph(seed, IMAGE).numpy()
        np.testing.assert_array_equal(found, _seeded(ported, seed, IMAGE))
        results.add(found.tobytes())
    assert len(results) == (2 if body is by_numpys_name else 3)


def _seeded(ported, seed, x):
    with seeds.ambient(seed):
        return ported(x)


def test_what_is_refused():
    def array_or_none(x):
        return x if x.mean() > 3 else None

    def a_function_as_result(x):
        return np.fliplr if x.mean() > 3 else np.flipud

    def none_is_called(x):
        turn = np.fliplr if x.mean() > 300 else None
        return turn(x)

    def changed_by_a_loop(x):
        name = "none"
        for number in range(x.argmax()):
            name = "bright" if x[number] > 0 else name
        return name

    for body in (array_or_none, a_function_as_result, changed_by_a_loop):
        with pytest.raises(PipeportError, match=r"condition: |functions, or None"):
            tf.function(port(body), autograph=False).get_concrete_function(tf.TensorSpec([3], tf.float32))
    with pytest.raises(tf.errors.InvalidArgumentError, match="None or a string"):
        tf.function(port(none_is_called), autograph=False)(IMAGE)
