"""Sound files: a second of each at a drawn place, louder or softer, with noise, as a log-spectrogram."""

import sys
from pathlib import Path

import numpy as np
import tensorflow as tf
from loop import train
from scipy.io import wavfile

RATE, FRAME, HOP = 16_000, 512, 160
WINDOW = np.hanning(FRAME).astype(np.float32)


def spectrogram(path):
    _, wave = wavfile.read(path.decode())
    wave = wave.astype(np.float32) / 32768.0
    begin = np.random.randint(0, len(wave) - RATE + 1)
    wave = wave[begin : begin + RATE]
    wave = wave * np.random.uniform(0.7, 1.3)
    wave = wave + 0.005 * np.random.randn(RATE)
    frames = np.stack([wave[place : place + FRAME] for place in range(0, RATE - FRAME + 1, HOP)])
    power = np.abs(np.fft.rfft(frames * WINDOW, axis=-1)) ** 2
    return np.log(power + 1e-6).astype(np.float32)


SHAPE = [(RATE - FRAME) // HOP + 1, FRAME // 2 + 1]


def tf_spectrogram(path):
    return tf.ensure_shape(tf.numpy_function(spectrogram, [path], tf.float32), SHAPE)


def paths_in(folder):
    return sorted(map(str, Path(folder).glob("*.wav")))


def source(paths):
    return tf.data.Dataset.from_tensor_slices(paths).shuffle(len(paths))


def batched(dataset):
    return dataset.batch(32).prefetch(tf.data.AUTOTUNE)


def build(folder):
    return batched(source(paths_in(folder)).map(tf_spectrogram, num_parallel_calls=tf.data.AUTOTUNE))


if __name__ == "__main__":
    train(build(sys.argv[1]))
