"""What the recipe counts and times."""

import tensorflow as tf

CALLS = 200


def counts(program):
    vector = tf.constant([3.0, 4.0])
    trace = program.clipped.get_concrete_function(vector)
    with tf.GradientTape() as tape:
        tape.watch(vector)
        total = tf.reduce_sum(program.clipped(vector))
    return {
        "calls of Python in the graph": sum("PyFunc" in op.type for op in trace.graph.get_operations()),
        "static shape of the answer": str(trace.output_shapes).strip("<>"),
        "has a gradient": "yes" if tape.gradient(total, vector) is not None else "no",
        "compiled by XLA": answer(tf.function(program.clipped, jit_compile=True), vector),
    }


def answer(function, vector):
    """Return what a call gives, or the name of an error."""
    try:
        return f"shape {tuple(function(vector).shape)}"
    except (tf.errors.InvalidArgumentError, tf.errors.UnimplementedError) as error:
        return type(error).__name__


def timed(program):
    vector = tf.constant([3.0, 4.0])
    program.clipped(vector)
    return {f"{CALLS} calls": lambda: [program.clipped(vector) for _ in range(CALLS)]}
