"""What the recipe counts."""

import tensorflow as tf


def counts(program):
    dataset = program.build_dataset(tf.ones([1, 8, 8]))
    return {f"a pixel in epoch {epoch}": float(next(iter(dataset))[0, 0]) for epoch in (1, 2, 3)}
