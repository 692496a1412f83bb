"""What the recipe counts and times."""

import contextlib
import tempfile
from pathlib import Path

import tensorflow as tf

ROWS = 1000


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
    """Of what the graph of a dataset holds: of data in memory, and of data in a file."""
    found = {}
    for rows in (10, 1000):
        data = tf.ones([rows, 3])
        dataset = tf.data.Dataset.from_tensor_slices(data)
        found[f"bytes of data in the graph of `from_tensor_slices`, {rows} rows"] = numbers(dataset)
    with tempfile.TemporaryDirectory() as folder:
        with tf.io.TFRecordWriter(f"{folder}/rows") as file:
            for row in data:
                file.write(tf.io.serialize_tensor(row).numpy())
        dataset = tf.data.TFRecordDataset(f"{folder}/rows")
        found["of `TFRecordDataset`, 1000 rows"] = numbers(dataset)
        found["rows that are read from it"] = sum(1 for _ in dataset)
    return found


def numbers(dataset):
    """Return how many bytes of floats the graph of a dataset holds."""
    constants = [node.attr["value"].tensor for node in definition(dataset).node if node.op == "Const"]
    return sum(tf.make_ndarray(one).nbytes for one in constants if one.dtype == tf.float32.as_datatype_enum)


def timed(program):
    def read():
        with file(ROWS) as path:
            for _ in program.build_dataset(path):
                pass

    return {f"{ROWS} rows": read}
