"""Speech for synthesis: five .npy files an utterance, pitch and energy normalised and averaged by token."""

import sys
from pathlib import Path

import numpy as np
import tensorflow as tf
from loop import train

BANDS = 80
PITCH, ENERGY = (180.0, 60.0), (20.0, 8.0)


def load_tokens(path):
    return np.load(path.decode()).astype(np.int32)


def load_mel(path):
    return np.load(path.decode()).astype(np.float32)


def normalised(path, mean, deviation):
    values = np.load(path.decode()).astype(np.float32)
    voiced = values != 0
    values[voiced] = (values[voiced] - mean) / deviation
    return values


def averaged(values, durations):
    ends = np.cumsum(durations)
    means = np.zeros(len(durations), dtype=np.float32)
    for number, (begin, end) in enumerate(zip(ends - durations, ends, strict=True)):
        part = values[begin:end]
        part = part[part != 0]
        means[number] = part.mean() if len(part) > 0 else 0.0
    return means


def load_pitch(path, durations):
    return averaged(normalised(path, *PITCH), durations)


def load_energy(path, durations):
    return averaged(normalised(path, *ENERGY), durations)


def items(stem, load):
    """Give the parts of an utterance; `load` calls a function with tensors, and says what comes back."""
    durations = load(load_tokens, [stem + "-durations.npy"], tf.int32, [None])
    return {
        "tokens": load(load_tokens, [stem + "-tokens.npy"], tf.int32, [None]),
        "durations": durations,
        "mel": load(load_mel, [stem + "-mel.npy"], tf.float32, [None, BANDS]),
        "pitch": load(load_pitch, [stem + "-pitch.npy", durations], tf.float32, [None]),
        "energy": load(load_energy, [stem + "-energy.npy", durations], tf.float32, [None]),
    }


def in_python(function, given, dtype, shape):
    return tf.ensure_shape(tf.numpy_function(function, given, dtype), shape)


def stems_in(folder):
    return sorted(str(path).removesuffix("-mel.npy") for path in Path(folder).glob("*-mel.npy"))


def source(stems):
    return tf.data.Dataset.from_tensor_slices(stems).shuffle(len(stems))


def batched(dataset):
    return dataset.padded_batch(16, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def build(folder):
    dataset = source(stems_in(folder))
    return batched(dataset.map(lambda stem: items(stem, in_python), num_parallel_calls=tf.data.AUTOTUNE))


if __name__ == "__main__":
    train(build(sys.argv[1]))
