"""What the recipe counts and times."""

import tensorflow as tf

MANY = 300


def nodes(concrete):
    """Return how many nodes a trace has, those of loops included."""
    graph = concrete.graph.as_graph_def()
    return len(graph.node) + sum(len(inner.node_def) for inner in graph.library.function)


def counts(program):
    found = {
        f"nodes for {length} numbers": nodes(program.norm.get_concrete_function(program.read(1, length)))
        for length in (10, 100)
    }
    before = program.norm.experimental_get_tracing_count()
    for first in (1, 2, 3):
        program.norm(program.read(first, 10))
    found["traces for two other sets of 10"] = program.norm.experimental_get_tracing_count() - before
    return found


def claims():
    """Of published loops over `tf.range`."""

    @tf.function
    def doubled(x, times):
        for _ in tf.range(times):
            x *= 2
        return x

    @tf.function
    def powers(count):
        result = tf.constant(0.0)
        for number in tf.range(count):
            result += tf.math.pow(number, 2)
        return result

    try:
        answer = float(powers(10))
    except TypeError as error:
        answer = type(error).__name__
    sizes = [nodes(doubled.get_concrete_function(tf.constant(1), times)) for times in (1, 10, 1000)]
    return {
        "nodes of a loop of 1, 10 and 1000 rounds": ", ".join(map(str, sizes)),
        "the loop of powers as published": answer,
    }


def timed(program):
    return {
        f"first call with {MANY} numbers": lambda: program.norm(program.read(1, MANY)),
        "second call": lambda: program.norm(program.read(1, MANY)),
        f"{MANY} other numbers": lambda: program.norm(program.read(2, MANY)),
    }
