"""The bugs of this migration, one function each; what a function returns is the evidence."""

import tempfile
from pathlib import Path

import cv2
import numpy as np
import tensorflow as tf
from PIL import Image
from skimage import data

import pipeport.cv2

ASTRONAUT = data.astronaut()[:128, 160:320]  # 128 x 160, uint8
FOLDER = Path(tempfile.mkdtemp())


def saved(name, **options):
    """Write the photograph to a file; return its path."""
    path = FOLDER / name
    Image.fromarray(ASTRONAUT).save(path, **options)
    return str(path)


def classes_between_classes():
    """A class map resized at the default, linear: classes of cv2 and of the native, then of INTER_NEAREST."""
    classes = np.where(ASTRONAUT[..., 0] > 128, 7, 0).astype(np.uint8)
    theirs = cv2.resize(classes, (96, 96))
    ours = pipeport.cv2.resize(classes, (96, 96))
    nearest = pipeport.cv2.resize(classes, (96, 96), interpolation=pipeport.cv2.INTER_NEAREST)
    return np.unique(theirs), np.unique(ours), np.unique(nearest)


def missing_file():
    """OpenCV returns None, and the next call fails; the native names the file."""
    path = str(FOLDER / "missing.jpg")
    found = []
    for call in (lambda: cv2.resize(cv2.imread(path), (224, 224)), lambda: pipeport.cv2.imread(path)):
        try:
            call()
        except (cv2.error, tf.errors.NotFoundError) as error:
            found.append(f"{type(error).__name__}: {error}")
    return found


def another_decoder():
    """tf.io.decode_jpeg as it comes, and the native: the most levels a pixel is off OpenCV's."""
    path = saved("photograph.jpg", quality=90)
    right = cv2.imread(path).astype(int)
    stock = tf.io.decode_jpeg(tf.io.read_file(path))[..., ::-1].numpy()
    native = pipeport.cv2.imread(path).numpy()
    return np.abs(stock - right).max(), np.abs(native - right).max()


def a_photograph_on_its_side():
    """A camera held upright notes it in the file: shapes from cv2, tf.io.decode_jpeg and the native."""
    exif = Image.Exif()
    exif[274] = 6  # turn by 90 degrees, clockwise
    path = saved("upright.jpg", exif=exif)
    stock = tf.io.decode_jpeg(tf.io.read_file(path))
    return cv2.imread(path).shape, tuple(stock.shape), tuple(pipeport.cv2.imread(path).shape)


def width_comes_first():
    """OpenCV's sizes are (width, height), TensorFlow's (height, width): both results for (96, 64)."""
    native = pipeport.cv2.resize(ASTRONAUT, (96, 64))
    return tuple(native.shape), tuple(tf.image.resize(ASTRONAUT, (96, 64)).shape)


def bytes_divided_are_float64():
    """NumPy's `image / 255` is float64, which Tout=tf.float32 does not hold."""
    images = tf.data.Dataset.from_tensors(ASTRONAUT)
    halved = images.map(lambda x: tf.numpy_function(lambda a: a / 255, [x], tf.float32))
    try:
        return list(halved)
    except tf.errors.InvalidArgumentError as error:
        return error.message
