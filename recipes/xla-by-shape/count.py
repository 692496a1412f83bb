"""What the recipe counts and times."""

import tensorflow as tf

LENGTHS = range(1, 33)


def counts(program):
    for length in LENGTHS:
        program.spread_of(tf.range(length, dtype=tf.float32))
    return {f"programs compiled for {len(LENGTHS)} lengths": program.spread.experimental_get_tracing_count()}


def timed(program):
    def spreads():
        for length in LENGTHS:
            program.spread_of(tf.range(length, dtype=tf.float32))

    return {f"{len(LENGTHS)} lengths": spreads, "the same again": spreads}
