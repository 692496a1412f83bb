"""What the recipe counts and times."""

import contextlib
import tempfile
from pathlib import Path

import tensorflow as tf

ROWS = 2000


@contextlib.contextmanager
def file(rows):
    """Give the path of a file of so many rows."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        path.write_text("".join(f"{row},0.5,{-row}\n" for row in range(rows)))
        yield str(path)


def counts(program):
    with file(10) as path:
        dataset = program.build_dataset(path)
        return {
            "rows": sum(1 for _ in dataset),
            "the place in the data, saved": saved(dataset),
            "ops that call Python": ", ".join(python_ops(dataset)) or "none",
        }


def saved(dataset):
    """Say whether an iterator can be saved."""
    iterator = iter(dataset)
    next(iterator)
    with tempfile.TemporaryDirectory() as folder:
        try:
            tf.train.Checkpoint(iterator=iterator).write(f"{folder}/place")
        except tf.errors.FailedPreconditionError as error:
            return type(error).__name__
    return "yes"


def python_ops(dataset):
    """Return the kinds of ops in a dataset that call Python."""
    nodes = [node for inner in definition(dataset).library.function for node in inner.node_def]
    return sorted({node.op for node in nodes if "PyFunc" in node.op})


def definition(dataset):
    """Return what a dataset is made of, as it is sent to another process."""
    made = tf.raw_ops.DatasetToGraphV2(input_dataset=tf.data.experimental.to_variant(dataset))
    return tf.compat.v1.GraphDef.FromString(made.numpy())


def claims():
    """Of data in memory: what a dataset of 10 and of 1000 rows holds."""
    sizes = []
    for rows in (10, 1000):
        dataset = tf.data.Dataset.from_tensor_slices(tf.ones([rows, 3]))
        constants = [node for node in definition(dataset).node if node.op == "Const"]
        sizes.append(max(len(node.attr["value"].tensor.tensor_content) for node in constants))
    return {
        f"bytes in the graph of `from_tensor_slices`, {rows} rows": size
        for rows, size in zip((10, 1000), sizes, strict=True)
    }


def timed(program):
    def read():
        with file(ROWS) as path:
            for _ in program.build_dataset(path):
                pass

    return {f"{ROWS} rows": read}
