"""Writes through views: NumPy's answer in every mode, or a refusal that names the places."""

from __future__ import annotations

import functools
import inspect

import albumentations as A
import numpy as np
import pytest
import tensorflow as tf

from pipeport import numpy as native
from pipeport import seeds
from pipeport.errors import PipeportError, PipeportWarning
from pipeport.porting import port
from tests.porting import views_flow, views_kinds

IMAGE = np.arange(24, dtype=np.float32).reshape(6, 4)
DRAWS = (1, 4)
# Bodies go into one function, as tracing one of forty is cheaper than tracing forty.
GROUPS = {
    "kinds": views_kinds.SERVED,
    "flow": views_flow.SERVED,
}


def together(bodies):
    def body(x, k):
        return [one(np.array(x), k) for one in bodies]

    return body


@functools.cache
def expected(group, k):
    return [one(IMAGE.copy(), k) for one in GROUPS[group]]


@functools.cache
def ported(group):
    return port(together(GROUPS[group]))


def agrees(group, k, found):
    wrong = []
    for body, right, given in zip(GROUPS[group], expected(group, k), found, strict=True):
        pairs = zip(tf.nest.flatten(right), tf.nest.flatten(given), strict=True)
        if not all(
            np.shape(one) == tuple(other.shape) and np.array_equal(one, other) for one, other in pairs
        ):
            wrong.append(body.__name__)
    assert not wrong


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("k", DRAWS)
def test_eagerly(group, k):
    agrees(group, k, ported(group)(IMAGE, k))


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("sizes", [(6, 4), (None, None)])
def test_in_a_map(group, sizes):
    spec = tf.TensorSpec(sizes, tf.float32), tf.TensorSpec([], tf.int64)
    ds = tf.data.Dataset.from_generator(lambda: ((IMAGE, k) for k in DRAWS), output_signature=spec)
    for k, found in zip(DRAWS, ds.map(ported(group)), strict=True):
        agrees(group, k, found)


def test_compiled_and_saved(tmp_path):
    # XLA knows no parts of drawn size, views or not.
    left_out = {
        "drawn_slices_of_items",
        "loop_helper",
        "loop_rows_drawn",
        "drawn_slice",
        "drawn_neg",
        "loop_inside",
    }
    served = [one for one in views_kinds.SERVED + views_flow.SERVED if one.__name__ not in left_out]
    bodies = served[::4]
    ported, module = port(together(bodies)), tf.Module()
    spec = tf.TensorSpec([6, 4], tf.float32), tf.TensorSpec([], tf.int64)
    module.run = tf.function(ported.__call__, input_signature=spec, autograph=False, jit_compile=True)
    right = tf.nest.flatten([one(IMAGE.copy(), 4) for one in bodies])
    tf.saved_model.save(module, str(tmp_path))
    for run in (module.run, tf.saved_model.load(str(tmp_path)).run):
        for one, found in zip(right, tf.nest.flatten(run(IMAGE, np.int64(4))), strict=True):
            np.testing.assert_array_equal(found, one)


# ------------------------------------------------------------------ what is known only at run time


def loop_then_write(x, k):
    x = np.array(x)
    y = x
    for _ in range(k):
        y = y * 2
    y[0] = 99
    return x


def write_in_a_loop(x, k):
    x = np.array(x)
    y = x.copy()
    for _ in range(k):
        y[0] += 1
        y = x
    return x, y


def walking_pointer(x, k):
    x = np.array(x)
    current = x[0]
    for place in range(k):
        current[:] = place
        current = x[place + 1]
    return x


def chosen_in_a_loop(x, k):
    x = np.array(x)
    best = x[0]
    for place in range(k):
        if x[place, 0] > 3:
            best = x[place]
    best[0] = -1
    return x


def element_in_a_branch(x, k):
    x = np.array(x)
    box = {"y": x}
    if k > 2:
        box["y"] = x.copy()
    box["y"][0] = 9
    return x


def condition_of_tensorflow(x, k):
    x = np.array(x)
    y = tf.cond(tf.convert_to_tensor(k) > 2, lambda: x, lambda: x * 2)
    y[0] = 9
    return x


def write_of_tensorflow(x, k):
    x = np.array(x)

    def put():
        x[0] = 9
        return 1

    tf.cond(tf.convert_to_tensor(k) > 2, put, lambda: 0)
    return x


def slice_of_a_list(x, k):
    x = np.array(x)
    parts = [x[:2], x[2:4], x[4:]]
    for part in parts[:k]:
        part += 1
    return x


def sum_reshaped(x, k):
    x = np.array(x).reshape(3, 2, 4)
    y = np.sort(x.T, axis=0)
    z = y.reshape(-1)
    z[0] = 99
    return y


REFUSED = [
    (loop_then_write, ("`y`", "in range", "y[0] = 99")),
    (write_in_a_loop, ("`y`", "in range", "y[0] += 1")),
    (walking_pointer, ("`current`", "in range", "current[:] = place")),
    (chosen_in_a_loop, ("`best`", "in range", "best[0] = -1")),
    (element_in_a_branch, ("a dict", "box[", "box[")),
    (condition_of_tensorflow, ("TensorFlow's", "tf.cond", "y[0] = 9")),
    (write_of_tensorflow, ("an assignment inside a condition", "x[0] = 9", "x[0] = 9")),
    (slice_of_a_list, ("an element of a list", "parts[:k]", "part += 1")),
    (sum_reshaped, ("a reshape", "reshape(-1)", "z[0] = 99")),
]


@pytest.mark.parametrize(("body", "told"), REFUSED, ids=lambda one: getattr(one, "__name__", ""))
def test_what_the_graph_alone_knows_is_refused_with_its_places(body, told):
    ported = port(body)
    with pytest.raises(PipeportError) as caught:
        tf.function(ported.__call__, autograph=False)(tf.constant(IMAGE), tf.constant(4, tf.int64))
    lines, first = inspect.getsourcelines(body)
    text = str(caught.value) + "".join(caught.value.__notes__)
    assert told[0] in text
    for words in told[1:]:
        assert any(words in line and f"line {first + number}" in text for number, line in enumerate(lines)), (
            words,
            text,
        )


@pytest.mark.parametrize("body", [one for one, _ in REFUSED[:6]], ids=lambda one: one.__name__)
def test_it_is_served_where_the_values_are_known(body):
    for k in DRAWS:
        right = tf.nest.flatten(body(IMAGE.copy(), k))
        for one, found in zip(right, tf.nest.flatten(port(body)(IMAGE, k)), strict=True):
            np.testing.assert_array_equal(found, one)


# ------------------------------------------------------------------ what a port is given


def written_arguments(x, y):
    x[0] = 9
    y[1:] += 1
    return x, y


def test_each_argument_has_elements_of_its_own():
    ported = port(written_arguments)
    given, before = native.array(IMAGE), tf.constant(IMAGE)
    right = written_arguments(IMAGE.copy(), IMAGE.copy())
    for x, y in ((given, given), (IMAGE, IMAGE), (before, before)):
        for one, found in zip(right, ported(x, y), strict=True):
            np.testing.assert_array_equal(found, one)
    np.testing.assert_array_equal(given.numpy(), IMAGE)
    np.testing.assert_array_equal(before, IMAGE)


TABLE = np.arange(6.0)


def writes_a_slice_of_a_table(x):
    part = TABLE[1:]
    part[0] = 9
    return x + part.sum()


def sorts_a_table(x):
    TABLE.sort()
    return x


@pytest.mark.parametrize(
    ("body", "words"),
    [(writes_a_slice_of_a_table, "from outside of the function"), (sorts_a_table, r"numpy\.ndarray\.sort")],
)
def test_an_array_from_outside_is_not_written_to(body, words):
    with pytest.raises(PipeportError, match=words):
        port(body)(IMAGE)


def read_through_views(x):
    part = x[1:3]
    return part * 2, part.T.reshape(-1), [row + 1 for row in x]


def test_views_that_are_read_alone_are_never_put_back():
    graph = tf.function(port(read_through_views).__call__).get_concrete_function(tf.constant(IMAGE)).graph
    kinds = {node.type for node in graph.get_operations()}
    assert not kinds & {"TensorScatterUpdate", "TensorStridedSliceUpdate", "ConcatV2", "If", "StatelessIf"}


def island_gives_its_argument(x):
    x = np.array(x)
    y = np.require(x)
    y[0] = 9
    return x


def island_of_two(x):
    x = np.array(x)
    y = x + 1
    z = np.union1d(x, y)
    x[0] = 9
    return y, x, z


def test_results_of_islands_may_be_what_they_were_given():
    with pytest.warns(PipeportWarning, match="all of the function"):
        ported = port(island_gives_its_argument, example=IMAGE, islands=True)
    np.testing.assert_array_equal(tf.function(ported)(IMAGE), island_gives_its_argument(IMAGE))
    with pytest.warns(PipeportWarning):
        ported = port(island_of_two, example=IMAGE, islands=True)
    for one, found in zip(island_of_two(IMAGE), tf.function(ported)(IMAGE), strict=True):
        np.testing.assert_array_equal(found, one)


def may_be_flipped(image, mask):
    found = FLIP(image=image, mask=mask)
    image, mask = found["image"], found["mask"]
    image[0] = 9
    mask[:, 0] = 0
    return image, mask


def flipped_beside(image):
    found = FLIP(image=image)["image"]
    found[0] = 9
    return image


FLIP = A.HorizontalFlip(p=0.5)


def test_results_of_transforms_may_be_what_they_were_given():
    with seeds.ambient((1, 2)):
        image, mask = port(may_be_flipped)(np.ones([4, 5, 3], np.uint8), np.ones([4, 5], np.uint8))
        assert (np.asarray(image)[0] == 9).all()
        assert np.asarray(mask).sum() == 16
        with pytest.raises(PipeportError, match="HorizontalFlip gave"):
            port(flipped_beside)(np.ones([4, 5, 3], np.uint8))
