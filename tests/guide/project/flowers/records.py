"""Images as records of a file."""

import tensorflow as tf


def example(image, label):
    image = tf.train.BytesList(value=[tf.io.encode_png(image).numpy()])
    label = tf.train.Int64List(value=[int(label)])
    each = {"image": tf.train.Feature(bytes_list=image), "label": tf.train.Feature(int64_list=label)}
    return tf.train.Example(features=tf.train.Features(feature=each)).SerializeToString()


def serialised(image, label):
    return tf.reshape(tf.py_function(example, [image, label], tf.string), [])
