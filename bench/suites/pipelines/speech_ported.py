"""Speech for synthesis: each function of speech.py, ported by an example."""

import sys

import tensorflow as tf
from loop import train
from speech import batched, items, source, stems_in

import pipeport


def examples_of(stem):
    """Give what each function is called with, of one utterance."""
    found = {}

    def called(function, given, dtype, shape):
        found[function] = tuple(one.encode() if isinstance(one, str) else one for one in given)
        return function(*found[function])

    items(stem, called)
    return found


def build(folder):
    stems = stems_in(folder)
    natives = {
        function: pipeport.port(function, example=given) for function, given in examples_of(stems[0]).items()
    }

    def native(function, given, dtype, shape):
        return tf.ensure_shape(natives[function](*given), shape)

    dataset = source(stems).map(lambda stem: items(stem, native), num_parallel_calls=tf.data.AUTOTUNE)
    return batched(dataset)


if __name__ == "__main__":
    train(build(sys.argv[1]))
