"""The conversion, and the bugs of this migration; what a function returns is the evidence."""

import tempfile
from pathlib import Path

import numpy as np
import tensorflow as tf

import pipeport.numpy

FOLDER = Path(tempfile.mkdtemp())
IMAGE = np.linspace(0, 1, 4 * 5 * 3, dtype=np.float32).reshape(4, 5, 3)


def convert_once(folder):
    """Write every archive of a folder into one record file beside them."""
    with tf.io.TFRecordWriter(str(Path(folder) / "examples.tfrecord")) as writer:
        for path in sorted(Path(folder).glob("*.npz")):
            with np.load(path) as archive:  # of a pickle: np.load(path, allow_pickle=True).item()
                image = tf.io.serialize_tensor(archive["image"].astype(np.float32)).numpy()
                label = int(archive["label"])
            features = {
                "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[image])),
                "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[label])),
            }
            example = tf.train.Example(features=tf.train.Features(feature=features))
            writer.write(example.SerializeToString())


def refused(path):
    """Return what the native says of a file."""
    try:
        return pipeport.numpy.load(str(path), dtype="float32")
    except tf.errors.InvalidArgumentError as error:
        return error.message


def archive_in_a_graph():
    """An archive is a zip file of arrays: which there are, its own directory says, not the graph."""
    path = FOLDER / "example.npz"
    np.savez_compressed(path, image=IMAGE, label=3)
    return refused(path)


def dictionary_in_an_array():
    """np.save of a dictionary writes a pickle, a program that only Python runs."""
    path = FOLDER / "example.npy"
    np.save(path, {"image": IMAGE, "label": 3}, allow_pickle=True)
    return refused(path)


def parse_tensor_forgets_the_shape():
    """The record holds dtype and shape, the graph does not: static shapes without and with ensure_shape."""
    records = tf.data.Dataset.from_tensors(tf.io.serialize_tensor(IMAGE))
    parsed = records.map(lambda record: tf.io.parse_tensor(record, tf.float32))
    ensured = parsed.map(lambda image: tf.ensure_shape(image, [None, None, 3]))
    return parsed.element_spec.shape, ensured.element_spec.shape
