"""Images of bytes that XLA computes in one loop, which it does not divide among the cores."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf

# Rows below which another one is a lot of work, and bytes from which on dividing pays.
_FEW = 16
_MANY = 2**19
# Steps of arithmetic up to which XLA does not divide a loop over bytes.
_LITTLE = 2


def gains(image: Any, steps: int) -> bool:
    """Say whether an image should be computed in one loop.

    Parameters
    ----------
    image : tf.Tensor
        A result of a compiled program.
    steps : int
        Steps of arithmetic for each pixel.

    Returns
    -------
    bool
        True for images of bytes with a known shape, of up to half a mebibyte.

    Notes
    -----
    XLA for the CPU hands half of a loop over such an image to another thread and waits for it: 20
    microseconds of processor time, where the loop takes 30. `Dataset.map` keeps all cores busy anyway.
    Larger results are divided even so, because what they are written to is.
    """
    if steps <= _LITTLE or image.dtype not in (tf.uint8, tf.int8) or not image.shape.is_fully_defined():
        return False
    return bool(image.shape.rank) and image.shape[0] >= _FEW and image.shape.num_elements() < _MANY


def undivided(image: Any, zero: Any) -> Any:
    """Return an image with a row of zeros below it, computed in one loop.

    XLA does not divide a loop that writes to a part of an array.

    Parameters
    ----------
    image : tf.Tensor
        What `gains`.
    zero : scalar tf.Tensor, int32
        A zero that the compiler does not know; otherwise it makes a padding of it.

    Returns
    -------
    tf.Tensor
        One row more than the image; outside of the program, `cut` takes it away.
    """
    rows, *others = image.shape.as_list()
    definition = tf.compat.v1.GraphDef()
    node = definition.node.add(name="written", op="XlaDynamicUpdateSlice", input=["array", "part", "begin"])
    node.attr["T"].type = image.dtype.as_datatype_enum
    node.attr["Tindices"].type = tf.int32.as_datatype_enum
    given = {
        "array:0": tf.zeros([rows + 1, *others], image.dtype),
        "part:0": image,
        "begin:0": tf.fill([image.shape.rank], zero),
    }
    [written] = tf.graph_util.import_graph_def(definition, given, ["written:0"], name="")
    written.set_shape([rows + 1, *others])
    return written


def cut(written: Any) -> Any:
    """Return the image of what `undivided` gives; nothing is copied."""
    sides = written.shape.as_list()
    return tf.slice(written, [0] * len(sides), [sides[0] - 1, *sides[1:]])
