"""What the recipe counts."""

import tensorflow as tf


def counts(program):
    images = [tf.fill([2, 2], value) for value in (0.5, 200.0, 0.2, 0.1, 90.0)]
    mixed = program.scale_all(images)
    again = program.scale_all(images)
    return {
        "images of bytes counted, of 2": mixed["bytes"],
        "images in [0, 1] counted, of 3": mixed["unit"],
        "images of bytes counted in a second pass, of 2": again["bytes"],
        "traces": program.scaled.experimental_get_tracing_count(),
    }


def nodes(function, *inputs):
    """Return how many nodes a trace has, those of the branches included."""
    graph = function.get_concrete_function(*inputs).graph.as_graph_def()
    return len(graph.node) + sum(len(inner.node_def) for inner in graph.library.function)


def claims():
    """Of one `if` on inputs that take either branch, and of several in a row."""

    @tf.function
    def conditional(x):
        if x > 5:
            return x * 2
        return x + 10

    for value in (7, 2, 12):
        conditional(tf.constant(value))

    def several(count):
        @tf.function
        def function(x):
            for number in range(count):
                if x > number:
                    x *= 2
                else:
                    x += 10
            return x

        return nodes(function, tf.constant(7))

    return {
        "traces for 7, 2 and 12": conditional.experimental_get_tracing_count(),
        "nodes of 1, 2, 4 and 8 in a row": ", ".join(str(several(count)) for count in (1, 2, 4, 8)),
    }
