"""What the recipe counts."""

import tensorflow as tf

VALUES = [2.0, 4.0, 8.0]


def counts(program):
    return {
        "run eagerly": answer(program.smoothed.python_function, tf.constant(VALUES)),
        "as a graph": answer(program.smoothed, tf.constant(VALUES)),
    }


def answer(function, *inputs):
    """Return what a call gives, or the name of an error."""
    try:
        return function(*inputs).numpy().tolist()
    except (TypeError, ValueError) as error:
        return type(error).__name__
