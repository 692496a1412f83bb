"""A suite of small programs, written into a folder."""

from __future__ import annotations

from pathlib import Path

PIPELINES = """
import numpy as np
import tensorflow as tf

import beside  # a module in the folder of the suite

CALLS = []


def data(elements=64):
    CALLS.append("data")
    return np.random.default_rng(0).random((elements, 6, 8), dtype=np.float32)


def files(folder):
    path = folder / "numbers.npy"
    np.save(path, np.arange(40, dtype=np.float32))
    return str(path), 2.0


def of_files(path, factor, more=0.0):
    return tf.data.Dataset.from_tensor_slices(np.load(path) * np.float32(factor) + np.float32(more))


def before(images):
    images = tf.data.Dataset.from_tensor_slices(images)
    return images.map(lambda image: tf.numpy_function(beside.flipped, [image], tf.float32))


def after(images, plus=0.0):
    return tf.data.Dataset.from_tensor_slices(images).map(lambda image: tf.reverse(image, [1]) + plus)


def with_label(images):
    return after(images).map(lambda image: (image, 1))


def in_batches(images):
    return after(images).batch(5)


def as_double(images):
    return after(images).map(lambda image: tf.cast(image, tf.float64))


def cropped(images):
    return after(images).map(lambda image: image[1:])


def shuffled(images):
    return after(images).shuffle(64)


def ragged(images):
    numbers = tf.data.Dataset.range(64)
    return numbers.map(lambda n: tf.zeros([n % 5, 8]))


def empty(images):
    return after(images).take(0)


def endless(images):
    return after(images).repeat()


def no_dataset(images):
    return list(images)


def raises(images):
    raise RuntimeError("no disk\\nmore")


def fails_later(images):
    def failing(image):
        with tf.control_dependencies([tf.debugging.assert_less(image, -1.0, message="too bright")]):
            return tf.identity(image)

    return after(images).map(failing)


def fails_at_the_end(images):
    def element(index, image):
        return tf.debugging.check_numerics(image / tf.cast(index < 40, tf.float32), "broken")

    return after(images).enumerate().map(element)


def images_and_frames():
    images = np.random.default_rng(0).integers(0, 256, (32, 6, 8, 3), dtype=np.uint8)
    return images, images[..., 0].astype(np.float32)
"""

BESIDE = """
import numpy as np


def flipped(image):
    return np.fliplr(image)
"""


def suite(folder: Path, text: str, name: str = "own") -> Path:
    """Write a suite of that text, and the programs it may name; return its file."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pipelines.py").write_text(PIPELINES, encoding="utf-8")
    (folder / "beside.py").write_text(BESIDE, encoding="utf-8")
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path


def program(**values: object) -> str:
    """Return one `[[programs]]` entry, with keys changed; None drops one."""
    entry: dict[str, object] = {
        "name": "flip",
        "inputs": "pipelines.py:data",
        "before": "pipelines.py:before",
        "after": "pipelines.py:after",
    }
    lines = [f"{key} = {_toml(value)}" for key, value in (entry | values).items() if value is not None]
    return "\n".join(["[[programs]]", *lines, ""])


def side(**values: object) -> str:
    """Return one `[[programs.sides]]` entry."""
    return "\n".join(
        ["[[programs.sides]]", *(f"{key} = {_toml(value)}" for key, value in values.items()), ""]
    )


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(one)}" for key, one in value.items()) + " }"
    return repr(value)
