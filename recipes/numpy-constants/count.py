"""What the recipe counts."""

import tensorflow as tf


def constants(concrete):
    """Return how many bytes of constants a trace holds."""
    nodes = concrete.graph.as_graph_def().node
    return sum(tf.make_ndarray(node.attr["value"].tensor).nbytes for node in nodes if node.op == "Const")


def counts(program):
    traces = [program.embed.get_concrete_function(tf.TensorSpec([words], tf.int32)) for words in (3, 4)]
    program.embed(tf.constant([1, 2, 3]))
    program.train([1], tf.ones([1, 64]))
    return {
        "bytes of constants in the graph": constants(traces[0]),
        "in the graphs of two traces": sum(map(constants, traces)),
        "read after row 1 was set to ones": float(program.embed(tf.constant([1, 2, 3]))[0, 0]),
    }
