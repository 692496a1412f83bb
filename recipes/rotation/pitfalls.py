"""The bugs of this migration, one function each; what a function returns is the evidence."""

import sys
import time
import warnings

import numpy as np
import skimage.transform
import tensorflow as tf
from skimage import data

import pipeport.cv2
import pipeport.skimage.transform
from pipeport import config

ASTRONAUT = data.astronaut()[:128, 160:320]  # 128 x 160, uint8


def uint8_comes_back_as_float64():
    """scikit-image turns bytes into float64 in [0, 1]; Tout=tf.uint8 cannot hold that."""
    images = tf.data.Dataset.from_tensors(ASTRONAUT)
    rotated = images.map(
        lambda x: tf.numpy_function(lambda a: skimage.transform.rotate(a, 30), [x], tf.uint8)
    )
    try:
        return list(rotated)
    except tf.errors.InvalidArgumentError as error:
        return error.message


def cast_without_preserve_range():
    """The quick fix, astype, truncates [0, 1]: a black image, without an error."""
    return np.unique(skimage.transform.rotate(ASTRONAUT, 30).astype(np.uint8))


def cast_without_rounding():
    """astype truncates: fraction of pixels one level darker than the nearest level."""
    exact = skimage.transform.rotate(ASTRONAUT, 30, mode="reflect", preserve_range=True)
    return float(np.mean(exact.astype(np.uint8) != np.rint(exact)))


def classes_invented_by_interpolation():
    """A class map rotated at the default order 1 holds classes that do not exist."""
    classes = np.where(ASTRONAUT[..., 0] > 128, 7, 0).astype(np.uint8)
    linear = np.rint(skimage.transform.rotate(classes, 30, preserve_range=True))
    nearest = skimage.transform.rotate(classes, 30, order=0, preserve_range=True)
    native = pipeport.skimage.transform.rotate(classes, 30, order=0, preserve_range=True)
    return np.unique(linear), np.unique(nearest), np.unique(native)


def radians_for_degrees():
    """TensorFlow Addons takes radians, scikit-image degrees: half a turn becomes 3 degrees."""
    meant = skimage.transform.rotate(ASTRONAUT, 180)
    given = skimage.transform.rotate(ASTRONAUT, np.pi)
    right = pipeport.skimage.transform.rotate(ASTRONAUT, np.rad2deg(np.pi))
    return float(np.abs(given - meant).max()), float(np.abs(right - meant).max())


def stock_kernel(image, angle, fill_mode):
    """Rotate with the kernel that TensorFlow Addons and Keras call."""
    image = tf.convert_to_tensor(image)
    rows, columns = image.shape[0], image.shape[1]
    radians = np.deg2rad(angle)
    cos, sin = np.cos(radians), np.sin(radians)
    x, y = (columns - 1) / 2, (rows - 1) / 2
    return tf.raw_ops.ImageProjectiveTransformV3(
        images=image[tf.newaxis],
        transforms=[[cos, -sin, x - cos * x + sin * y, sin, cos, y - sin * x - cos * y, 0, 0]],
        output_shape=[rows, columns],
        interpolation="BILINEAR",
        fill_mode=fill_mode,
        fill_value=0.0,
    )[0].numpy()


def stock_kernel_borders():
    """Largest error on [0, 1] against scikit-image, per border mode: stock kernel, pipeport."""
    image = (ASTRONAUT / 255).astype(np.float32)
    errors = {}
    for mode, fill_mode in {
        "constant": "CONSTANT",
        "edge": "NEAREST",
        "symmetric": "REFLECT",
        "reflect": "REFLECT",
        "wrap": "WRAP",
    }.items():
        right = skimage.transform.rotate(image.astype(np.float64), 30, mode=mode)
        native = pipeport.skimage.transform.rotate(image, 30, mode=mode)
        stock = stock_kernel(image, 30, fill_mode)
        errors[mode] = (float(np.abs(stock - right).max()), float(np.abs(native - right).max()))
    return errors


def stock_kernel_truncates_bytes():
    """Fraction of uint8 pixels off the nearest level: stock kernel, pipeport."""
    exact = np.rint(skimage.transform.rotate(ASTRONAUT, 30, mode="edge", preserve_range=True))
    native = pipeport.skimage.transform.rotate(ASTRONAUT, 30, mode="edge", preserve_range=True, dtype="uint8")
    stock = stock_kernel(ASTRONAUT, 30, "NEAREST")
    return float(np.mean(stock != exact)), float(np.mean(native.numpy() != exact))


def rotations_of_opencv_4_and_5():
    """The same call as each gives it: most grey levels between them, fraction of values that differ."""
    turn = pipeport.cv2.getRotationMatrix2D((79.5, 63.5), 30, 1)
    rotated = {}
    for version in (4, 5):
        with config.use_opencv(version), config.use_bit_equal(True):
            rotated[version] = pipeport.cv2.warpAffine(ASTRONAUT, turn, (160, 128)).numpy()
    apart = np.abs(rotated[4].astype(int) - rotated[5])
    return int(apart.max()), float(np.mean(apart > 0))


def import_changed_wrapper_left():
    """The import was changed, numpy_function is still there: right answer, no gain, a warning."""

    def body(image):
        return pipeport.skimage.transform.rotate(image, 30).numpy()

    images = tf.data.Dataset.from_tensors(ASTRONAUT / 255)
    rotated = images.map(lambda x: tf.numpy_function(body, [x], tf.float64))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        next(iter(rotated))
    return [str(warning.message) for warning in caught]


def stalls_while_python_is_busy():
    """Elements made while the main thread computes in Python: behind the boundary, natively."""
    bodies, natives = [], tf.Variable(0, dtype=tf.int64)

    def body(number):
        bodies.append(number)
        return number

    def native(number):
        natives.assign_add(1)
        return number

    def made_meanwhile(function, count):
        prefetched = tf.data.Dataset.range(100_000).map(function, num_parallel_calls=2).prefetch(100_000)
        iterator = iter(prefetched)
        next(iterator)
        before = count()
        end = time.perf_counter() + 0.2
        while time.perf_counter() < end:  # a callback, a tokeniser, a metric in Python
            pass
        return count() - before

    interval = sys.getswitchinterval()
    sys.setswitchinterval(60)  # the main thread keeps the GIL, as one long C call would
    try:
        wrapped = made_meanwhile(lambda x: tf.numpy_function(body, [x], tf.int64), lambda: len(bodies))
        return wrapped, made_meanwhile(native, lambda: int(natives.numpy()))
    finally:
        sys.setswitchinterval(interval)
