"""What the recipe counts and times."""

import tensorflow as tf

STEPS = 20


def counts(program):
    gradients = tf.ones([STEPS, 4])
    traces = []
    for first in (0, STEPS, 0):
        program.train(gradients, first)
        traces.append(program.step.experimental_get_tracing_count())
    return {
        f"traces after steps 0 to {STEPS - 1}": traces[0],
        f"after steps {STEPS} to {2 * STEPS - 1}": traces[1],
        f"after steps 0 to {STEPS - 1} once more": traces[2],
    }


def claims():
    """Of a function that loops `tf.range(count)` times, for `count` a Python int."""

    @tf.function
    def repeated(count):
        total = tf.constant(0)
        for _ in tf.range(count):
            total += 1
        return total

    ten, twenty = (repeated.get_concrete_function(n).graph.as_graph_def() for n in (10, 20))

    @tf.function
    def doubled(value):
        return tf.convert_to_tensor(value) * 2

    answers = [doubled(value).dtype.name for value in (1, 1.0)]
    return {
        "graphs of `repeated(10)` and `repeated(20)`": "equal" if ten == twenty else "not equal",
        "nodes of each": f"{len(ten.node)} and {len(twenty.node)}",
        "dtypes of `doubled(1)`, then `doubled(1.0)`": " and ".join(answers),
        "traces for `doubled(1)` and `doubled(1.0)`": doubled.experimental_get_tracing_count(),
    }


def timed(program):
    gradients = tf.ones([STEPS, 4])
    return {
        f"steps 0 to {STEPS - 1}": lambda: program.train(gradients),
        "the same steps again": lambda: program.train(gradients),
    }
