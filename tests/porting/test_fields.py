"""Bodies that read the fields of lines, as label files of detectors have them."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from pipeport.errors import PortRefused
from pipeport.porting import port

TEXTS = ["1 2 3.5 4\n5 6 7 8\n", "3 4 5 6", "1 2 3 4\n" * 3]


def tables(b):
    lines = b.decode().splitlines()
    rows, parts = [], []
    for line in lines:
        rows.append(line.split()[:4])
        parts.append(line.split()[1:3])
    return (
        np.array([line.split() for line in lines], np.float32),
        np.array([line.split(b" ") for line in b.splitlines()], dtype=np.float64),
        np.array(rows, np.float32),
        np.asarray(parts, np.float64)[:, 0],
        np.array([[float(v) for v in line.split()] for line in lines]),
    )


def numbers(b):
    rows = []
    for line in b.decode().splitlines():
        kind, x, y, w = map(float, line.split())
        rows.append([x, y, w, kind])
    first, second = map(int, b.decode().splitlines()[0].split()[:2])
    third, fourth = [int(v) for v in b.decode().split()[:2]]
    x, y, z, w = np.array(b.split(b"\n")[0].split(), np.float32)
    return np.array(rows), first + fourth, second * third, x + w, y * z


@pytest.mark.parametrize("body", [tables, numbers])
def test_fields_of_lines_are_pythons(body):
    ported = port(body)
    graph = tf.function(ported, input_signature=[tf.TensorSpec([], tf.string)])
    found = list(tf.data.Dataset.from_tensor_slices(TEXTS).map(ported))
    for text, row in zip(TEXTS, found, strict=True):
        right = body(text.encode())
        for ours in (ported(tf.constant(text)), graph(tf.constant(text)), row):
            for one, other in zip(ours, right, strict=True):
                assert np.asarray(one).dtype == np.asarray(other).dtype
                np.testing.assert_array_equal(one, other)


def boxes(b):
    rows = []
    for line in b.decode().splitlines():
        rows.append([float(v) for v in line.split()])
    return np.array(rows, np.float32).reshape(-1, 4), len(rows)


def fields(b):
    return np.array([line.split() for line in b.decode().splitlines()], np.float32).reshape(-1, 4)


def test_a_file_without_lines_has_no_boxes():
    graph = tf.function(port(boxes), input_signature=[tf.TensorSpec([], tf.string)])
    for text in (b"", b"1 2 3 4\n5 6 7 8"):
        for one, other in zip(graph(text), boxes(text), strict=True):
            np.testing.assert_array_equal(one, other)
    graph = tf.function(port(fields), input_signature=[tf.TensorSpec([], tf.string)])
    assert graph(b"").shape == fields(b"").shape == (0, 4)


def test_lines_of_several_lengths_stop_the_graph():
    with pytest.raises(ValueError, match=r"inhomogeneous|setting an array element"):
        fields(b"1 2\n3 4 5")
    graph = tf.function(port(fields), input_signature=[tf.TensorSpec([], tf.string)])
    with pytest.raises(tf.errors.InvalidArgumentError):
        graph(b"1 2\n3 4 5")


def test_a_table_of_strings_needs_a_dtype():
    def body(b):
        return np.array([line.split() for line in b.decode().splitlines()])

    for mode in (port(body), tf.function(port(body))):
        with pytest.raises(PortRefused, match="Give the dtype"):
            mode(tf.constant("1 2\n3 4"))
