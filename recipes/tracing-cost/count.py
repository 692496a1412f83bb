"""What the recipe counts and times."""

import tensorflow as tf

LAYERS = 60


def inputs(layers=LAYERS):
    return tf.ones([4, 16]), [tf.eye(16) for _ in range(layers)]


def nodes(function, *inputs):
    """Return the nodes of a trace, those of the functions it calls included."""
    graph = function.get_concrete_function(*inputs).graph.as_graph_def()
    return [*graph.node, *(node for inner in graph.library.function for node in inner.node_def)]


def counts(program):
    found = nodes(program.forward, *inputs())
    return {
        f"nodes of {LAYERS} layers": len(found),
        "of which products of matrices": sum(node.op == "MatMul" for node in found),
        f"nodes of {2 * LAYERS} layers": len(nodes(program.forward, *inputs(2 * LAYERS))),
    }


def claims():
    """Of one function on inputs of two sizes."""

    @tf.function
    def squares(x):
        return tf.reduce_sum(x * x)

    return {f"nodes for {size} numbers": len(nodes(squares, tf.ones([size]))) for size in (10, 1_000_000)}


def timed(program):
    x, stack = inputs()
    return {
        "first call": lambda: program.forward(x, stack),
        "second call": lambda: program.forward(x, stack),
    }
