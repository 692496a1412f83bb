"""`out=` and `where=` of NumPy's functions, and arrays of unknown size taken apart, in ported bodies."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
import tensorflow as tf

from pipeport.errors import OutsideDomain, PortRefused, UnsupportedArgument, WrongType
from pipeport.porting import port
from pipeport.porting._replay import Replay
from pipeport.porting._runtime import Runtime
from tests.porting.modes import agrees

IMAGE = np.linspace(-0.5, 1.5, 24, dtype=np.float32).reshape(4, 6)
BYTES = np.arange(0, 240, 10, dtype=np.uint8).reshape(4, 6)
POINTS = np.arange(12.0).reshape(3, 4)
OUTSIDE = np.zeros([4, 6], np.float32)


def clipped_in_place(x):
    x = x * 1.2
    np.clip(x, 0, 1, out=x)
    return x


def returned(x):
    y = x.copy()
    return np.add(y, x, out=y)


def named_again(x):
    y = np.empty_like(x)
    z = np.maximum(x, 0.25, out=y)
    z += 1  # the same array
    return y, z


def in_a_branch(x):
    y = x + 0
    if x.mean() > 0:
        np.sqrt(np.abs(y), out=y)
    else:
        y = np.clip(y, 0, 1, out=y)
    return y


def in_a_loop(x):
    y = np.zeros(6, np.float32)
    for row in x:
        np.add(y, row, out=y)
    return y


def divided_where_it_can_be(x):
    divisor = np.round(x)
    ratio = np.divide(x, divisor, out=np.zeros_like(x), where=divisor != 0)
    logarithm = np.full_like(x, -1)
    np.log(x, out=logarithm, where=x > 0.1)
    return ratio, logarithm, np.sqrt(x, where=x > 0, out=(np.ones_like(x),))


def of_the_array(x):
    y = x.copy()
    y.clip(0, 0.5, out=y)
    return y


def widened(x):
    out = np.zeros((2, *x.shape), np.float64)
    np.multiply(x, 2, out=out)
    return out


def wrapped(x):
    y = (np.abs(x) * 100).astype(np.uint8)
    np.multiply(y, 1.5, out=y, casting="unsafe")
    return y


CHANNELS = 2


def repeated(x, out=1, axis=0):
    return np.concatenate([x] * out, axis=axis)


def with_an_out_of_ones_own(x):
    channels = 3
    many = repeated(x, out=channels)
    few = repeated(many, out=CHANNELS)
    repeated(x, out=channels)
    return many, few, repeated(x, out=channels, axis=1) + channels


def in_an_inner_function(x):
    y = x + 1

    def inner(z):
        np.multiply(z, 2, out=z)
        return np.subtract(z, 1, out=z)

    return inner(y * 1), y


def with_an_out_beside_what_is_written(x):
    def inner(z, out):
        np.add(z, out, out=z)
        return z

    step = np.float32(2)
    y = inner(x + 0, out=step)
    return y, step


FUNCTIONS = [
    with_an_out_beside_what_is_written,
    with_an_out_of_ones_own, in_an_inner_function,
    clipped_in_place, returned, named_again, in_a_branch, in_a_loop, divided_where_it_can_be, of_the_array,
    widened, wrapped,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_results_are_written_where_it_is_asked(function):
    ported = port(function)
    graph = tf.function(ported, input_signature=[tf.TensorSpec([None, None], tf.float32)])
    for image in (IMAGE, -IMAGE):
        with np.errstate(all="ignore"):
            right = tf.nest.flatten(function(image.copy()))
        for how in (ported, graph):
            found = tf.nest.flatten(how(image.copy()))
            assert len(found) == len(right)
            for one, other in zip(found, right, strict=True):
                assert one.dtype == other.dtype
                np.testing.assert_allclose(one, other, rtol=1e-6)


def into_fewer_kinds(x):
    y = np.zeros(x.shape, np.uint8)
    np.multiply(x, 1.5, out=y)
    return y


def into_too_small(x):
    y = np.zeros(6, np.float32)
    np.add(x, 1, out=y)
    return y


def into_what_is_outside(x):
    np.add(x, 1, out=OUTSIDE)
    return x


def into_of_a_sum(x):
    y = np.zeros(6, np.float32)
    np.sum(x, axis=0, out=y)
    return y


@pytest.mark.parametrize(
    ("function", "error", "words"),
    [
        (into_fewer_kinds, WrongType, "out: got a result of float"),
        (into_too_small, OutsideDomain, "broadcasts to"),
        (into_what_is_outside, PortRefused, "is outside of"),
        (into_of_a_sum, UnsupportedArgument, "out: got"),
    ],
)
def test_what_cannot_be_written_is_refused(function, error, words):
    with pytest.raises(error, match=words) as caught:
        port(function)(IMAGE)
    assert len(str(caught.value).splitlines()[0]) < 400
    np.testing.assert_array_equal(OUTSIDE, 0)


def taken_apart(x):
    first, second, third, fourth = x[0]
    total = 0.0
    for number, (a, b, c, d) in enumerate(x):
        total += number * (a + b * c - d)
    (u, v, w), last = x[:, 0], x[0, 3]
    left, _, right, _ = x.T
    kept = np.zeros(3)
    kept[0], (kept[1], kept[2]) = last, (u - v, w)
    return first + second * third - fourth, total, right - left, kept


@pytest.mark.parametrize("function", [*FUNCTIONS[:5], taken_apart], ids=lambda f: f.__name__)
def test_the_original_is_compared_on_its_own_example(function):
    given = POINTS if function is taken_apart else IMAGE
    assert port(function, example=(given,)).original is function


def test_an_original_is_replayed_in_every_way_a_port_runs():
    public = {name for name in dir(Runtime) if not name.startswith("_")}
    assert "parted" in public
    assert public - {"region"} <= set(dir(Replay))  # an original has no islands


def test_arrays_of_unknown_size_are_taken_apart():
    ported, right = port(taken_apart), taken_apart(POINTS)
    graph = tf.function(ported, input_signature=[tf.TensorSpec([None, None], tf.float64)])
    for found in (ported(POINTS), graph(POINTS)):
        for one, other in zip(found, right, strict=True):
            np.testing.assert_allclose(one, other)
    for wrong, words in (
        (np.ones([3, 5]), "Several names take 4"),
        (np.ones([3, 3]), "Several names take 4|out of bounds"),
        (np.ones([4, 4]), "Several names take 3"),
    ):
        with pytest.raises(ValueError, match="unpack"):
            taken_apart(wrong)
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            graph(wrong)


def writes_to_what_is_outside(x):
    OUTSIDE[0] = 1
    return x


def adds_to_what_is_outside(x):
    OUTSIDE[:] += x
    return x


def writes_to_its_own(x):
    rows = [[0, 1]]
    rows[0][1] = x

    def inner(y):
        y[0] = 1
        rows[0][0] = y[1]
        return y

    named = {}
    named["a"] = inner(x + 1)
    return *rows[0], named["a"]


@pytest.mark.parametrize(
    ("function", "line"),
    [
        (writes_to_what_is_outside, "OUTSIDE[0] = 1"),
        (adds_to_what_is_outside, "OUTSIDE[:] += x"),
        (into_what_is_outside, "np.add(x, 1, out=OUTSIDE)"),
    ],
)
def test_writing_to_what_is_outside_is_refused_before_anything_runs(function, line):
    with pytest.raises(PortRefused, match="is outside of the function") as caught:
        port(function)
    assert line in str(caught.value)


def test_elements_of_own_lists_and_dictionaries_are_written():
    for one, other in zip(port(writes_to_its_own)(IMAGE), writes_to_its_own(IMAGE), strict=True):
        np.testing.assert_array_equal(one, other)


PICTURE = (np.add.outer(np.arange(12), np.arange(15))[..., None] * [7, 5, 3] % 251).astype(np.uint8)


def into_themselves(x):
    kernel = np.ones((5, 5), np.float32)
    kernel[2] = 3
    cv2.normalize(kernel, kernel, 0, 1, cv2.NORM_MINMAX)
    grey = x[..., 0].copy()
    level, mask = cv2.threshold(grey, 100, 255, cv2.THRESH_BINARY, grey)
    return kernel, grey, level, mask


def into_others(x):
    out = np.zeros_like(x)
    given = cv2.flip(x, 1, dst=out)
    given[0] = 1  # the same array
    small = np.zeros((3, 3), np.uint8)
    wide = np.zeros(x.shape, np.float32)
    apart = cv2.flip(x, 0, small), cv2.flip(x, 0, wide)
    return out, small, wide, apart


def into_parts(x):
    y = x.copy()
    row = y[2]
    cv2.bitwise_not(y[:4], dst=y[:4])
    cv2.add(y, y, y)
    return y, row


def into_it_under_a_condition(x):
    y = x.copy()
    if x[0, 0, 0] < 9:
        cv2.bitwise_not(y, y)
    else:
        y = cv2.flip(y, 1)
    for _ in range(int(x[1, 1, 1] % 3) + 1):
        cv2.flip(y, 0, dst=y)
    return y


@pytest.mark.parametrize("body", [into_themselves, into_others, into_parts, into_it_under_a_condition])
def test_opencv_writes_into_its_destination(body):
    ported = port(body)
    sized, unsized = (
        tf.function(ported, input_signature=[tf.TensorSpec(one, tf.uint8)], autograph=False)
        for one in (PICTURE.shape, [None, None, 3])
    )
    for x in (PICTURE, PICTURE[::-1] + np.uint8(9)):
        right = body(x.copy())
        for where, run in {"eager": ported, "sizes": sized, "no sizes": unsized}.items():
            agrees(tf.nest.map_structure(np.asarray, run(x.copy())), right, where=where)


def into_another_size(x, y):
    cv2.flip(x, 0, y)
    return y


def test_a_destination_whose_size_nobody_knows():
    specs = [tf.TensorSpec([None, None, 3], tf.uint8)] * 2
    graph = tf.function(port(into_another_size), input_signature=specs, autograph=False)
    np.testing.assert_array_equal(graph(PICTURE, np.zeros_like(PICTURE)), PICTURE[::-1])
    with pytest.raises(tf.errors.InvalidArgumentError, match="dst: got another shape"):
        graph(PICTURE, np.zeros_like(PICTURE[1:]))


def from_four_points(x):
    corners = np.float32([[0, 0], [14, 0], [14, 11], [0, 11]])
    moved = corners + x[0, 0].mean().astype(np.float32) / 64
    return cv2.getPerspectiveTransform(corners, moved)


def test_a_dst_that_is_read_is_no_destination():
    graph = tf.function(port(from_four_points), autograph=False)
    np.testing.assert_allclose(graph(PICTURE), from_four_points(PICTURE), atol=1e-9)
