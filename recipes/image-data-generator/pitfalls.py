"""The bugs of this migration, one function each; what a function returns is the evidence."""

import numpy as np
import tensorflow as tf

from pipeport import port
from pipeport.errors import PipeportError
from pipeport.seeds import seeded_map

Generator = tf.keras.preprocessing.image.ImageDataGenerator
IMAGE = np.random.default_rng(0).integers(40, 200, (16, 16, 3)).astype(np.float32)
IMAGES = tf.data.Dataset.from_tensors(IMAGE).repeat(8)
# Every argument that is of use by itself, with a value.
ARGUMENTS = {
    "featurewise_center": True,
    "samplewise_center": True,
    "featurewise_std_normalization": True,
    "samplewise_std_normalization": True,
    "zca_whitening": True,
    "rotation_range": 20,
    "width_shift_range": 0.2,
    "height_shift_range": [-2, 0, 2],
    "brightness_range": (0.5, 1.5),
    "shear_range": 10,
    "zoom_range": 0.3,
    "channel_shift_range": 20,
    "horizontal_flip": True,
    "vertical_flip": True,
    "rescale": 1 / 255,
    "preprocessing_function": np.square,
}


def refused(function):
    """Return what `port` says of a function, at once or when it is traced."""
    try:
        return IMAGES.apply(seeded_map(port(function), 42)).element_spec
    except PipeportError as error:
        return str(error)


def drawn(function):
    """Return what a ported function gives for each of the images."""
    return list(IMAGES.apply(seeded_map(port(function), 42)).as_numpy_iterator())


def parameter_by_parameter():
    """Each argument alone, ported, and compared with Keras under the same draws: what is refused, and why."""
    said = {}
    for name, value in ARGUMENTS.items():
        generator = Generator(**{name: value})
        generator.fit(IMAGE[None])

        def body(image, generator=generator):
            return generator.standardize(generator.random_transform(image))

        try:
            port(body, example=(IMAGE,))
        except PipeportError as error:
            said[name] = str(error)
    return said


def iterators_of_the_generator():
    """`flow` gives batches to Python. A dataset gives batches: map, then `batch`."""
    generator = Generator(horizontal_flip=True)
    return refused(lambda image: next(generator.flow(image[None], batch_size=1)))


def image_and_mask():
    """Two calls draw twice: pixels where image and mask disagree, and with one draw for both."""
    generator = Generator(rotation_range=90, fill_mode="nearest")

    def apart(image):
        return np.abs(generator.random_transform(image) - generator.random_transform(image)).max()

    def together(image):
        params = generator.get_random_transform(image.shape)
        other = generator.apply_transform(image, params)
        return np.abs(generator.apply_transform(image, params) - other).max()

    return [max(float(one) for one in drawn(body)) for body in (apart, together)]


def rescale_left_out():
    """`flow` calls `standardize`, `random_transform` does not: largest value without it and with it."""
    generator = Generator(horizontal_flip=True, rescale=1 / 255)

    def without(image):
        return generator.random_transform(image).max()

    def whole(image):
        return generator.standardize(generator.random_transform(image)).max()

    return [max(float(one) for one in drawn(body)) for body in (without, whole)]


def ranges_of_other_units():
    """`channel_shift_range` is in the image's own units: of images in [0, 1] it leaves black and white."""
    generator = Generator(channel_shift_range=20)

    def grey_levels(image):
        moved = generator.random_transform(image / 255)
        return ((moved > moved.min()) & (moved < moved.max())).sum()

    return sum(int(one) for one in drawn(grey_levels)), IMAGE.size * len(IMAGES)


def seed_of_a_call():
    """A seed in the call gives every image the same transform; it is refused, and the element has one."""
    generator = Generator(rotation_range=90)
    return refused(lambda image: generator.random_transform(image, seed=1))
