"""What the recipe counts and times."""

import tensorflow as tf

LENGTHS = range(1, 31)


def inputs():
    return tf.ones([10, 4]), [[length % 10] * length for length in LENGTHS]


def counts(program):
    table, sentences = inputs()
    program.embed_all(table, sentences[:1])
    first = program.embed.experimental_get_tracing_count()
    program.embed_all(table, sentences)
    return {
        "traces after one sentence": first,
        f"after sentences of {len(LENGTHS)} lengths": program.embed.experimental_get_tracing_count(),
    }


def claims():
    """Of vectors that share dtype and rank, and of one shape with other values."""

    @tf.function
    def mean(x):
        return tf.reduce_mean(x)

    def traces(inputs):
        before = mean.experimental_get_tracing_count()
        for x in inputs:
            mean(x)
        return mean.experimental_get_tracing_count() - before

    return {
        "traces for five vectors of one length": traces(tf.fill([6], 1.0 * n) for n in range(5)),
        "traces for five vectors of five other lengths": traces(tf.ones([n]) for n in range(5)),
    }


def timed(program):
    table, sentences = inputs()
    return {
        "all sentences": lambda: program.embed_all(table, sentences),
        "all sentences again": lambda: program.embed_all(table, sentences),
    }
