"""What the recipe counts and times."""

import tensorflow as tf

LENGTHS = range(1, 17)


def counts(program):
    for length in LENGTHS:
        program.spread_of(tf.range(length, dtype=tf.float32))
    return {f"programs compiled for {len(LENGTHS)} lengths": program.spread.experimental_get_tracing_count()}


def claims():
    """Of a function with an op that XLA has no form of."""

    def larger(image):
        return tf.image.resize(image, [4, 4], method="bicubic")

    return {
        "`tf.function(larger)`": answer(tf.function(larger)),
        "`tf.function(larger, jit_compile=True)`": answer(tf.function(larger, jit_compile=True)),
    }


def answer(function):
    """Return the shape of an answer, or the name of an error."""
    try:
        return f"shape {tuple(function(tf.ones([2, 2, 1])).shape)}"
    except tf.errors.InvalidArgumentError as error:
        return type(error).__name__


def timed(program):
    def spreads():
        for length in LENGTHS:
            program.spread_of(tf.range(length, dtype=tf.float32))

    return {f"{len(LENGTHS)} lengths": spreads, "the same again": spreads}
