"""Functions defined inside what AutoGraph converts are ported as their file has them."""

from __future__ import annotations

import functools

import numpy as np
import pytest
import tensorflow as tf

from pipeport import _tensorflow_private, port, seeds

pytestmark = pytest.mark.both

IMAGE = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)


def mapped(function):
    return next(iter(tf.data.Dataset.from_tensors(IMAGE).map(function)))


def with_a_helper(wrap):
    def element(image):
        limit = 20

        def halved(row, by=2):
            return row // by

        def body(rows):
            if rows.mean() > limit:
                rows = rows[::-1]
            for _ in range(2):
                rows = halved(rows)
            return np.fliplr(rows)

        return wrap(body, image)

    return element


def with_a_tensor_around(wrap):
    def element(image):
        most = tf.reduce_max(image)
        rows = image.shape[0]
        return wrap(lambda x: (x + most).reshape(rows, -1), image)

    return element


def with_a_partial(wrap):
    def element(image):
        rolled = lambda x, by: np.roll(x, by) // 2  # noqa: E731 - as people write
        return wrap(functools.partial(rolled, by=1), image)

    return element


@pytest.mark.parametrize("program", [with_a_helper, with_a_partial], ids=lambda one: one.__name__)
def test_a_closure_does_what_it_did(program):
    old = mapped(program(lambda body, image: tf.numpy_function(body, [image], tf.uint8)))
    new = mapped(program(lambda body, image: port(body)(image)))
    assert new.dtype == old.dtype
    np.testing.assert_array_equal(new, old)


def test_a_closure_reads_the_tensors_around_it():
    new = mapped(with_a_tensor_around(lambda body, image: port(body)(image)))
    np.testing.assert_array_equal(new, (IMAGE + IMAGE.max()).reshape(4, -1))


def test_lambdas_in_one_line():
    new = mapped(lambda x: (port(lambda y: np.rot90(y, 2))(x), port(lambda z: np.flipud(z)[:1])(x)))
    np.testing.assert_array_equal(new[0], np.rot90(IMAGE, 2))
    np.testing.assert_array_equal(new[1], np.flipud(IMAGE)[:1])


def test_a_decorator_inside_a_tf_function():
    @tf.function
    def element(image):
        @port
        def body(rows):
            return np.flip(rows)

        return body(image)

    np.testing.assert_array_equal(element(IMAGE), np.flip(IMAGE))


def test_a_refusal_names_the_users_file_and_line():
    def element(image):
        def body(rows):
            try:
                return rows + 1
            except ValueError:
                return rows

        return port(body)(image)

    with pytest.raises(Exception, match=r"test_unconverted\.py, line \d+: try:") as caught:
        mapped(element)
    told = str(caught.value)
    assert "autograph_generated" not in told[told.index("cannot be ported") :]


def test_draws_hang_on_the_seed_alone():
    def element(image):
        def body(rows):
            return rows + np.random.randint(0, 100, rows.shape)

        return port(body)(image)

    def once():
        dataset = tf.data.Dataset.from_tensors(IMAGE)
        return next(iter(dataset.apply(seeds.seeded_map(element, 42, epochs=1))))

    first = once()
    np.testing.assert_array_equal(first, once())
    assert len(np.unique(first - IMAGE)) > 10


def test_lines_are_those_of_autograph_alone():
    """What TensorFlow keeps of converted functions is asked for in one place."""
    converted = tf.autograph.to_graph(with_a_helper)
    file = converted.__code__.co_filename
    assert {place[0] for place in _tensorflow_private.autograph_lines(file).values()} == {__file__}
    assert _tensorflow_private.autograph_lines(__file__) == {}
