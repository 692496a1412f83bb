"""What the recipe counts and times."""

import tensorflow as tf

BOXES, ELEMENTS = 12, 200


def boxes(elements):
    corners = tf.random.stateless_uniform([elements, BOXES, 2], [7, 1], 0, 4)
    return tf.concat([corners, corners + 1], -1).numpy()


def operations(dataset):
    """Return how many operations the functions of a dataset's graph have."""
    serialized = tf.raw_ops.DatasetToGraphV2(input_dataset=dataset._variant_tensor)
    library = tf.compat.v1.GraphDef.FromString(serialized.numpy()).library
    return sum(len(function.node_def) for function in library.function)


def counts(program):
    dataset = program.build_dataset(boxes(20))
    chosen = list(dataset.as_numpy_iterator())
    return {
        f"boxes kept of {20 * BOXES}": int(sum(one.sum() for one in chosen)),
        "more than a hundred operations": operations(dataset) > 100,
    }


def timed(program):
    few, many = boxes(20), boxes(ELEMENTS)
    dataset = program.build_dataset(many)
    sum(1 for _ in dataset)

    def pass_over(one):
        return lambda: sum(1 for _ in one)

    return {
        "dataset of 20 elements, built and passed over": lambda: sum(1 for _ in program.build_dataset(few)),
        f"later pass over {ELEMENTS} elements": pass_over(dataset),
    }
