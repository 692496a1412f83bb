"""What the recipe counts."""

import tensorflow as tf

MODELS = 3


def counts(program):
    models = [program.Model() for _ in range(MODELS)]
    answers = [answer(program.predictor(model), tf.ones([2, 4])) for model in models]
    return {
        "the first model": answers[0],
        "the second model": answers[1],
        "the third model": answers[2],
        "variables of the three": sum(len(model.variables) for model in models),
    }


def answer(function, *inputs):
    """Return what a call gives, or the name of an error."""
    try:
        return function(*inputs).numpy().tolist()
    except ValueError as error:
        return type(error).__name__


def claims():
    """Of functions that create a variable: on every call, and on the first alone."""
    made = []

    @tf.function
    def every(x):
        return tf.Variable(1.0) + x

    @tf.function
    def first(x):
        if not made:
            made.append(tf.Variable(1.0))
        return made[0] + x

    return {
        "one more variable on every call, called once": answer(every, 1.0),
        "a variable on the first call": answer(first, 1.0),
        "traces by that first call": first.experimental_get_tracing_count(),
    }
