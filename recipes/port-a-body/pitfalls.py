"""The bugs of this migration, one function each; what a function returns is the evidence."""

import contextlib
import io
import tempfile
import warnings
from pathlib import Path

import cv2
import numpy as np
import tensorflow as tf
from PIL import Image
from skimage import data

from pipeport import port
from pipeport.errors import PipeportError

ASTRONAUT = data.astronaut()[:128, 160:320]  # 128 x 160, uint8
FOLDER = Path(tempfile.mkdtemp())


def saved(name):
    """Write the photograph to a file; return its path."""
    path = FOLDER / name
    Image.fromarray(ASTRONAUT).save(path)
    return str(path)


def images(*values):
    """Return a dataset of small uint8 images, each of one value."""
    return tf.data.Dataset.from_tensor_slices(np.stack([np.full((4, 6), v, np.uint8) for v in values]))


def refused(function, dataset):
    """Return what `port` says of a function, at once or when it is traced."""
    try:
        return dataset.map(port(function)).element_spec
    except PipeportError as error:
        return "\n".join([str(error), *getattr(error, "__notes__", [])])


def try_and_except():
    """What fails in a graph cannot be caught: leave `try` out, and let the dataset drop the element."""

    def guarded(path):
        try:
            return cv2.imread(path.decode()).mean()
        except AttributeError:  # no such file: None has no mean
            return 0.0

    def plain(path):
        return cv2.imread(path.decode()).mean()

    paths = tf.data.Dataset.from_tensor_slices([saved("there.png"), str(FOLDER / "missing.png")])
    means = paths.map(port(plain)).ignore_errors()
    return refused(guarded, paths), len(list(means))


def state_on_self():
    """A graph keeps no state of Python: an object that counts is refused; `enumerate` numbers elements."""

    class Counter:
        def __init__(self):
            self.seen = 0

        def __call__(self, image):
            self.seen += 1
            return image, self.seen

    numbered = images(1, 2, 3).enumerate(start=1).map(port(lambda seen, image: (image, seen)))
    return refused(Counter(), images(1)), [int(seen) for _image, seen in numbered]


def list_grown_in_a_drawn_loop():
    """How often it grows depends on the image: its rows have one shape; NumPy's own mask needs no loop."""

    def grown(image):
        rows = []
        for row in image:
            if row.max() > 2:
                rows.append(row)
        return np.array(rows)

    def masked(image):
        return image[image.max(axis=1) > 2]

    return [[rows.shape for rows in images(1, 3).map(port(body))] for body in (grown, masked)]


def branches_of_two_dtypes():
    """uint8 on one way, float64 on the other: Tout never held both, a graph does not either."""

    def sometimes(image):
        if image.mean() > 100:
            image = image / 255
        return image

    def always(image):
        scaled = image.astype(np.float32)
        if image.mean() > 100:
            scaled = scaled / 255
        return scaled

    return refused(sometimes, images(1)), images(1).map(port(always)).element_spec.dtype


def python_numbers_joined():
    """2 or 0.5, by the image: for NumPy two types, for a graph one. 200 * 2 in bytes wraps around."""

    def gained(image):
        gain = 2 if image.mean() > 100 else 0.5
        return image * gain

    def written(image):
        gain = 2.0 if image.mean() > 100 else 0.5
        return image * gain

    def first(results):
        return [(image.dtype.name, float(np.asarray(image)[0, 0])) for image in results]

    bytes_ = [np.full((4, 6), value, np.uint8) for value in (200, 50)]
    ported = [first(images(200, 50).map(port(function))) for function in (gained, written)]
    return first(map(gained, bytes_)), *ported


def view_written_to():
    """A slice with a name of its own shares memory with the array, in the port as in NumPy."""

    def by_name(image):
        top = image[:2]
        top[:] = 0
        return image

    return next(iter(images(7).map(port(by_name))))[:, 0].numpy()


def call_without_a_native():
    """Calls without a native are refused by name; one such call can stay behind a boundary of its own."""

    def smoothed(image):
        return cv2.fastNlMeansDenoising(image)

    def mixed(image):
        blurred = tf.numpy_function(smoothed, [image], tf.uint8)
        return tf.ensure_shape(blurred, image.shape) / 255

    return refused(smoothed, images(7)), images(7).map(port(mixed)).element_spec


def errors_of_the_body():
    """`raise` and `assert` by the image are checked in the graph; all three end the same way."""

    def raising(image):
        if image.max() == 0:
            raise ValueError("a black image")
        return image / image.max()

    def asserting(image):
        assert image.max() > 0, "a black image"
        return image / image.max()

    def wrapped(image):
        return tf.numpy_function(raising, [image], tf.float64)

    told = []
    for body in (wrapped, port(raising), port(asserting)):
        try:
            list(images(0).map(body))
        except tf.errors.OpError as error:
            told.append((type(error).__name__, error.message))
    return told


def prints_past_python():
    """`print` of a graph writes for every element, but past sys.stdout: lines that a redirection sees."""

    def shown(image):
        print("largest:", image.max())
        return image

    def wrapped(image):
        return tf.numpy_function(shown, [image], tf.uint8)

    seen = []
    for function in (wrapped, port(shown)):
        with contextlib.redirect_stdout(io.StringIO()) as redirected:
            list(images(1, 2, 3).map(function))
        seen.append(len(redirected.getvalue().splitlines()))
    return seen


def wrapper_left_around():
    """A ported body behind the old wrapper: right answers, no gain, and a warning."""

    def mirrored(image):
        return cv2.flip(image, 1)

    ported = port(mirrored)
    wrapped = images(1).map(lambda image: tf.numpy_function(ported, [image], tf.uint8))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        next(iter(wrapped))
    return [str(warning.message) for warning in caught]
