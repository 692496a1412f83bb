"""Ported functions that call Keras' ImageDataGenerator: its methods on the element's seed."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import meanings, seeds
from pipeport.errors import PortRefused
from pipeport.porting import sides
from pipeport.porting.frontend._meaning import meaning
from pipeport.seeds import seeded_map

ImageDataGenerator = tf.keras.preprocessing.image.ImageDataGenerator
RANDOM = np.random.default_rng(3)
BYTES = RANDOM.integers(0, 255, (64, 72, 3), dtype=np.uint8)
IMAGE = BYTES.astype(np.float32)
MASK = RANDOM.integers(0, 3, (64, 72, 1)).astype(np.float32)

EVERYTHING = ImageDataGenerator(
    rotation_range=20,
    width_shift_range=0.1,
    height_shift_range=[-4, 0, 6],
    shear_range=5.0,
    zoom_range=0.2,
    channel_shift_range=20.0,
    brightness_range=(0.6, 1.4),
    horizontal_flip=True,
    vertical_flip=True,
    fill_mode="reflect",
)
MOVES = ImageDataGenerator(
    rotation_range=30,
    width_shift_range=5,
    zoom_range=[0.8, 1.0],
    horizontal_flip=True,
    cval=7.0,
    fill_mode="constant",
    interpolation_order=0,
)
FLIPS = ImageDataGenerator(horizontal_flip=True, vertical_flip=True)


def reversed_channels(image):
    return image[..., ::-1] + 1


FITTED = ImageDataGenerator(
    featurewise_center=True,
    featurewise_std_normalization=True,
    samplewise_center=True,
    samplewise_std_normalization=True,
    rescale=1 / 255,
    preprocessing_function=reversed_channels,
)
FITTED.fit(np.stack([IMAGE, IMAGE[::-1] / 2]))


def of_the_module(image):
    return EVERYTHING.random_transform(image) / 255


def of_bytes(image):
    return MOVES.random_transform(image)


def pair(image, mask):
    params = MOVES.get_random_transform(image.shape)
    turned = params["theta"] > 0
    return MOVES.apply_transform(image, params), MOVES.apply_transform(mask, params), turned


def known_and_drawn(image):
    params = {"theta": 15, "tx": 3, "flip_horizontal": np.random.rand() < 0.5, "brightness": 1.25}
    return FLIPS.apply_transform(image, params)


def standardized(image):
    return FITTED.standardize(image.copy())


def in_place(image):
    image = np.array(image)
    ImageDataGenerator(rescale=0.5, samplewise_center=True).standardize(image)
    return image


def built_inside(image):
    generator = ImageDataGenerator(rotation_range=10, vertical_flip=True, rescale=1.0 / 255)
    return generator.standardize(generator.random_transform(image))


class Loader:
    def __init__(self):
        self.generator = ImageDataGenerator(height_shift_range=0.2, shear_range=0.3)

    def __call__(self, image):
        first = self.generator.random_transform(image)
        return first, self.generator.random_transform(image)


BODIES = [
    (of_the_module, (BYTES,)),
    (of_the_module, (IMAGE,)),
    (of_bytes, (BYTES,)),
    (pair, (IMAGE, MASK)),
    (known_and_drawn, (BYTES,)),
    (standardized, (IMAGE,)),
    (in_place, (IMAGE,)),
    (built_inside, (IMAGE,)),
    (Loader(), (IMAGE,)),
]


def agrees(found, right):
    """Compare results, a pixel in a thousand of which may lie next to where the reference jumps."""
    for ours, theirs in zip(tf.nest.flatten(found), tf.nest.flatten(right), strict=True):
        ours, theirs = np.asarray(ours), np.asarray(theirs)
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
        apart = np.abs(ours.astype(float) - theirs)
        assert np.mean(apart > 1e-5 * max(1.0, np.abs(theirs).max())) < 1e-3


def with_seed(ported, seed, given):
    with seeds.ambient(seed):
        return ported(*given)


@pytest.mark.parametrize(("body", "arguments"), BODIES, ids=lambda one: getattr(one, "__name__", None))
def test_a_port_does_what_the_function_does_for_its_draws(body, arguments):
    ported = pipeport.port(body)
    specs = [tf.TensorSpec([None, None, one.shape[2]], one.dtype) for one in arguments]
    graph = tf.function(
        lambda seed, *given: with_seed(ported, seed, given),
        input_signature=[tf.TensorSpec([2], tf.int64), *specs],
        autograph=False,
    )
    for number in range(3):
        seed = np.array([number, 5], np.int64)
        original, new = sides(ported, seed)
        right = original(*arguments)
        agrees(new(*arguments), right)
        agrees(graph(seed, *arguments), right)


def test_splines_are_compiled_by_the_user_too():
    generator = ImageDataGenerator(rotation_range=20, zoom_range=0.2, interpolation_order=3)
    ported = pipeport.port(lambda image: generator.random_transform(image) * 1.0)
    image = np.random.default_rng(0).random((24, 20, 3), np.float32)

    def step(seed, image):
        with seeds.ambient(seed):
            return ported(image)

    right = step((1, 2), image)
    for shape, compiled in ((image.shape, True), (image.shape, False), ([None, None, 3], False)):
        specs = [tf.TensorSpec([2], tf.int64), tf.TensorSpec(shape, tf.float32)]
        run = tf.function(step, input_signature=specs, autograph=False, jit_compile=compiled)
        np.testing.assert_allclose(run(np.array([1, 2]), image), right, rtol=0, atol=1e-5)


def test_draws_differ_by_element_and_not_by_run():
    data = tf.data.Dataset.from_tensors(IMAGE).repeat(3)
    runs = [list(data.apply(seeded_map(pipeport.port(of_the_module), 1, epoch=0))) for _ in range(2)]
    np.testing.assert_array_equal(*runs)
    assert len({one.numpy().tobytes() for one in runs[0]}) == 3


def parameters(_):
    params = EVERYTHING.get_random_transform((64, 72, 3))
    return {name: np.float64(value) for name, value in params.items()}


def test_parameters_have_the_distribution_of_the_originals():
    from scipy.stats import ks_2samp

    data = tf.data.Dataset.range(400).apply(seeded_map(pipeport.port(parameters), 2, epoch=0))
    found = {name: [] for name in parameters(0)}
    for one in data:
        for name, value in one.items():
            found[name].append(float(value))
    state = np.random.get_state()
    np.random.seed(4)
    right = [parameters(0) for _ in range(400)]
    np.random.set_state(state)
    for name, values in found.items():
        assert ks_2samp(values, [one[name] for one in right]).pvalue > 1e-4, name
    assert set(found["tx"]) == {-6, -4, 0, 4, 6}
    assert set(found["flip_horizontal"]) == {0, 1}
    assert abs(np.corrcoef(found["zx"], found["zy"])[0, 1]) < 0.2


def kinds(image):
    params = MOVES.get_random_transform(image.shape)
    return [params[name] * np.ones(2, np.float32) for name in ("theta", "tx", "ty", "zx", "flip_horizontal")]


@pytest.mark.skipif(
    np.lib.NumpyVersion(np.__version__) < "2.0.0", reason="NumPy 1 promotes its numbers otherwise"
)
def test_parameters_are_the_kinds_of_numbers_that_the_originals_are():
    original, ported = sides(pipeport.port(kinds))
    for ours, tape, theirs in zip(ported(IMAGE), original(IMAGE), kinds(IMAGE), strict=True):
        assert np.asarray(ours).dtype == tape.dtype == theirs.dtype
        np.testing.assert_array_equal(ours, tape)


def seeded(image, mask):
    return MOVES.random_transform(image, seed=3), MOVES.random_transform(mask, seed=3)


def flowing(image):
    return next(MOVES.flow(image[np.newaxis]))


def test_a_seed_and_iterators_are_refused_with_another_way():
    with pytest.raises(PortRefused, match=r"params = generator\.get_random_transform"):
        pipeport.port(seeded)(IMAGE, MASK)
    with pytest.raises(PortRefused, match=r"Dataset\.map"):
        pipeport.port(flowing)


def unserved(image):
    return np.linalg.svd(image)


@pytest.mark.parametrize(
    ("generator", "text"),
    [
        (ImageDataGenerator(featurewise_center=True), "Fit it outside"),
        (ImageDataGenerator(featurewise_center=True, zca_whitening=True), "zca_whitening"),
        (ImageDataGenerator(preprocessing_function=unserved), "numpy.linalg.svd"),
    ],
)
def test_what_standardize_cannot_do_is_said_beforehand(generator, text):
    def body(image):
        return generator.standardize(image)

    with pytest.raises(PortRefused, match=text):
        pipeport.port(body)


def test_names_in_text_mean_what_the_objects_do():
    for name in meanings.GENERATOR_METHODS:
        assert meaning(getattr(MOVES, name)).kind != meanings.REFUSED
        assert meanings.meaning(f"tensorflow.{meanings.IMAGE_GENERATOR}.{name}").kind == meanings.BUILT_IN
    for name in meanings.GENERATOR_REFUSED:
        text, found = meanings.meaning(f"{meanings.IMAGE_GENERATOR}.{name}"), meaning(getattr(MOVES, name))
        assert (text.kind, found.kind) == (meanings.CHANGE, meanings.REFUSED)
        assert text.advice == found.advice
    assert meaning(ImageDataGenerator).kind == meanings.meaning(meanings.IMAGE_GENERATOR).kind
