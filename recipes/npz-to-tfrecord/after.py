"""After: the archives were converted once, and TensorFlow reads what came out."""

import tensorflow as tf

FEATURES = {"image": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)}


def read(record):
    example = tf.io.parse_single_example(record, FEATURES)
    image = tf.io.parse_tensor(example["image"], tf.float32)
    return tf.ensure_shape(image, [None, None, 3]), example["label"]


def build_dataset(folder, parallel_calls=tf.data.AUTOTUNE):
    """Give image and label of every example in the record files of a folder."""
    files = sorted(tf.io.gfile.glob(f"{folder}/*.tfrecord"))
    return tf.data.TFRecordDataset(files).map(read, num_parallel_calls=parallel_calls)
