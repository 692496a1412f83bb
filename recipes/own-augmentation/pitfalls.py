"""The bugs of this migration, one function each; what a function returns is the evidence."""

import random
import threading

import numpy as np
import tensorflow as tf

from pipeport import port
from pipeport.errors import PipeportError
from pipeport.seeds import seeded_map

IMAGES = tf.data.Dataset.from_tensors(np.arange(12, dtype=np.uint8).reshape(4, 3)).repeat(16)


def refused(function):
    """Return what `port` says of a function, at once or when it is traced."""
    try:
        return IMAGES.apply(seeded_map(port(function), 42)).element_spec
    except PipeportError as error:
        return "\n".join([str(error), *getattr(error, "__notes__", [])])


def drawn(function, seed=42):
    """Return what a ported function draws for each of the elements, as numbers."""
    return [result.numpy().tolist() for result in IMAGES.apply(seeded_map(port(function), seed))]


def who_comes_first_draws_first():
    """Seeded generators, two threads: element 0 and 1 change their draws when the other is slower."""

    def draws(first):
        np.random.seed(0)
        turn = threading.Event()

        def draw(index):
            if index != first:
                turn.wait(timeout=10)  # the other element happens to be slower
            number = np.random.uniform()
            turn.set()
            return number

        numbers = tf.data.Dataset.range(2).map(
            lambda index: tf.numpy_function(draw, [index], tf.float64), num_parallel_calls=2
        )
        return [float(number) for number in numbers]

    return draws(first=0), draws(first=1)


def one_more_draw_moves_all_others():
    """One generator for all: a draw more at the end changes every later element, but not after `port`."""

    def gain(image):
        return np.random.uniform()

    def gain_and_offset(image):
        return np.random.uniform() + 0 * np.random.uniform()

    np.random.seed(0)
    old = [gain(None) for _element in range(16)]
    np.random.seed(0)
    new = [gain_and_offset(None) for _element in range(16)]
    same = np.equal(old, new).mean()
    gain_and_offset.__qualname__ = gain.__qualname__  # the function edited, not another one
    return same, np.equal(drawn(gain), drawn(gain_and_offset)).mean()


def no_seed_at_all():
    """`map` in the place of `seeded_map`: an error while tracing, not a constant."""
    try:
        IMAGES.map(port(lambda image: image + np.random.normal()))
    except PipeportError as error:
        return str(error)


def seed_inside_the_body():
    """It gives every element the same noise; `port` refuses it, and says where the seed belongs."""

    def noisy(image):
        np.random.seed(42)
        return image + np.random.normal(0, 4, image.shape)

    same = np.array_equal(noisy(np.zeros((4, 3))), noisy(np.zeros((4, 3))))
    return same, refused(noisy)


def generator_seeded_inside_the_body():
    """default_rng(0) made for each element draws the same each time, ported or not; without a seed not."""

    def alike(image):
        return np.random.default_rng(0).uniform()

    def apart(image):
        return np.random.default_rng().uniform()

    return len({alike(None) for _element in range(16)}), len(set(drawn(alike))), len(set(drawn(apart)))


def bytes_or_floats():
    """Brighter half of the time: uint8 or float64, by the draw. Draw a gain that may be 1 instead."""

    def sometimes(image):
        if random.random() < 0.5:
            image = image * np.random.uniform(0.8, 1.2)
        return image

    def always(image):
        gain = np.random.uniform(0.8, 1.2) if random.random() < 0.5 else 1.0
        return image * gain

    plain = np.arange(12).reshape(4, 3)
    return refused(sometimes), sum(np.array_equal(image, plain) for image in drawn(always))


def crop_at_a_computed_place():
    """A crop where the image begins has no static size, though all have 2 rows: state it; it is checked."""

    def crop(image):
        top = np.flatnonzero(image.any(axis=1))[0]
        return image[top : top + 2]

    cropped = IMAGES.apply(seeded_map(port(crop), 42))
    stated = cropped.map(lambda image: tf.ensure_shape(image, [2, 3]))
    return cropped.element_spec.shape.as_list(), stated.element_spec.shape.as_list()


def a_dataset_built_anew():
    """Passes are counted per dataset: one built anew for each epoch begins at 0; name the epoch then."""

    def gain(image):
        return np.random.uniform()

    def draws(dataset):
        return [float(number) for number in dataset]

    kept = IMAGES.apply(seeded_map(port(gain), 42))
    first, second = draws(kept), draws(kept)
    anew = draws(IMAGES.apply(seeded_map(port(gain), 42)))
    named = draws(IMAGES.apply(seeded_map(port(gain), 42, epoch=1)))
    return first == second, first == anew, second == named
