"""Writes through views of arrays of a rank known only at run time, and of their neighbours."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import tensorflow as tf

from pipeport.errors import PipeportError
from pipeport.porting import port
from tests.porting.modes import agrees

IMAGES = [np.arange(12, dtype=np.float32).reshape(4, 3, 1), np.arange(4, dtype=np.float32).reshape(4, 1)]


def add(part):
    part += 1


def sliced_write(x):
    x = np.array(x)
    part = x.squeeze()[1:]
    part *= 7
    return x


def last_axis(x):
    x = np.array(x)
    part = x.squeeze()[..., 0]
    part += 7
    return x


def turned(x):
    x = np.array(x)
    part = x.squeeze().T[:1]
    part += 1
    return x


def flipped(x):
    x = np.array(x)
    add(np.flip(x.squeeze())[:1])
    add(x.squeeze()[::-1])
    return x


def whole(x):
    x = np.array(x)
    y = x.squeeze()
    y += 1
    flat = y.ravel()
    flat[1:3] = 9
    part = y.reshape(-1)[:1]
    part -= 5
    return x, y, flat


def in_branches_and_loops(x):
    x = np.array(x)
    y = x.squeeze()
    if x.sum() > 3:
        part = y[1:]
        part += 1
    for k in range(int(x[2].max()) - 1):
        add(y[k:])
    return x


def read_alone(x):
    x = np.array(x)
    y = x.squeeze()
    first, rows = y[0], np.float32(0)
    y += first
    for row in y:
        rows = rows + row.sum()
    return x, y[0] + rows


def new_axes(x):
    x = np.array(x)
    add(x[None][:, 1:])
    add(x[:, None][..., :1])
    return x


SERVED = [sliced_write, last_axis, turned, flipped, whole, in_branches_and_loops, read_alone, new_axes]


def one_axis_removed(x):
    x = np.array(x)
    first = np.squeeze(x, axis=-1)[:2]
    first += 1
    return x


def known_axes(x):
    x = np.array(x)
    for view in (
        np.atleast_1d(x), np.atleast_2d(x), np.atleast_3d(x), x.swapaxes(0, 1), np.moveaxis(x, -1, 0),
        np.expand_dims(x, 1), x[None], x[:, None], x.reshape(x.shape[0], -1),
    ):  # fmt: skip
        first = view[0]
        first += 1
    return x


KNOWN = [one_axis_removed, known_axes]


@pytest.mark.parametrize("image", IMAGES, ids=["rows", "numbers"])
@pytest.mark.parametrize("spec", ["eager", "sizes", "axes", "nothing"])
def test_writes_through_views(image, spec):
    bodies = SERVED + KNOWN * (spec != "nothing")
    ported = port(lambda x: [one(x) for one in bodies])
    if spec != "eager":
        shape = {"sizes": image.shape, "axes": [None] * image.ndim, "nothing": None}[spec]
        signature = [tf.TensorSpec(shape, tf.float32)]
        ported = tf.function(ported.__call__, input_signature=signature, autograph=False)
    agrees(ported(image), [one(image) for one in bodies], where=spec)


def number_or_row(x):
    y = np.array(x).squeeze()
    first = y[0]
    first += 1
    return y


def of_a_new_axis(x):
    y = np.array(x).squeeze()
    first = y[None][0]
    first *= 2
    return y


def another_name(x):
    first = np.array(x).squeeze()[0]
    before = first
    first += 1
    return before


def in_a_helper(x):
    y = np.array(x).squeeze()
    add(y[0])
    return y


def in_a_loop(x):
    y = np.array(x).squeeze()
    for row in y:
        row += 1
    return y


def read_after_a_write(x):
    y = np.array(x).squeeze()
    first = y[0]
    y += 1
    return y, first


def another_order(x):
    y = np.array(x).squeeze().T * 2
    flat = y.reshape(-1)
    flat += 1
    return y


REFUSED = [
    (number_or_row, "first += 1", "a number, or a view"),
    (of_a_new_axis, "first *= 2", "a number, or a view"),
    (another_name, "first += 1", "a number, or a view"),
    (in_a_helper, "add(y[0])", "a number, or a view"),
    (in_a_loop, "row += 1", "a number, or a view"),
    (read_after_a_write, "first = y[0]", "a number or a view"),
    (another_order, "y.reshape(-1)", "a reshape"),
]


@pytest.mark.parametrize(("body", "line", "words"), REFUSED, ids=lambda one: getattr(one, "__name__", ""))
def test_what_may_be_a_number_or_a_view_is_not_written_to(body, line, words):
    agrees(tf.function(port(body).__call__, autograph=False)(IMAGES[0]), body(IMAGES[0]), where="sizes")
    for shape in ([None, None, 1], None):
        graph = tf.function(port(body).__call__, autograph=False)
        with pytest.raises(PipeportError, match=words) as caught:
            graph.get_concrete_function(tf.TensorSpec(shape, tf.float32))
        lines, first = inspect.getsourcelines(body)
        place = next(first + number for number, one in enumerate(lines) if line in one)
        assert f"line {place}" in str(caught.value) + "".join(caught.value.__notes__)
