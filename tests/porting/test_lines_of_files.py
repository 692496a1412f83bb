"""Bodies that iterate over the lines of open files, unmodified."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

from pipeport.errors import PipeportError
from pipeport.porting import port
from tests.porting.modes import agrees

pytestmark = [pytest.mark.both, pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")]

# The functions below are what people write.
# ruff: noqa: PTH123, SIM115

CONTENTS = ["one\ntwo \n  three\n", "one\r\ntwo\rthree", "", "x", "\n\n", "é\nñ\n"]


def of_a_comprehension(path):
    return [line.strip() for line in open(path)], [len(line) for line in open(path)]


def of_the_list(path):
    with open(path) as file:
        lines = file.readlines()
    return lines, list(open(path)), [line.rstrip("\n") for line in lines], lines[1:]


def of_a_loop(path):
    found, count = [], 0
    with open(path) as file:
        for line in file:
            found.append(line.strip())
            count += 1
    return found, count


def of_some_lines(path):
    found = []
    for line in open(path.decode(), encoding="utf-8"):
        line = line.strip()
        if not line:
            continue
        found.append(line)
    return found


def the_last(path):
    last = ""
    for line in open(path):
        last = line
    return last


def of_bytes(path):
    with open(path, "rb") as file:
        return [line.strip() for line in file]


def together(path):
    joined = "".join(open(path))
    return joined, ",".join(line.strip() for line in open(path)), any(one == "x" for one in open(path))


def behind_the_header(path):
    with open(path) as file:
        header = file.readline()
        return header, [line.strip() for line in file]


def read_again(path):
    with open(path) as file:
        first = [len(line) for line in file]
        file.seek(0)
        return first, file.read()


def of_a_path(path):
    return [line.strip() for line in Path(path.decode()).open()]


BODIES = [
    of_a_comprehension, of_the_list, of_a_loop, of_some_lines, the_last, of_bytes, together,
    behind_the_header, read_again, of_a_path,
]  # fmt: skip


def plain(value):
    if isinstance(value, tuple) and value:
        return tuple(map(plain, value))
    if isinstance(value, (list, tuple)):
        return list(map(plain, value))
    if tf.is_tensor(value):
        value = value.numpy()
        return value.tolist() if isinstance(value, np.ndarray) else value
    return value.encode() if isinstance(value, str) else value


def test_lines(tmp_path):
    ports = [port(body) for body in BODIES]
    graph = tf.function(lambda path: [one(path) for one in ports], autograph=False)
    for number, content in enumerate(CONTENTS):
        file = tmp_path / f"{number}.txt"
        file.write_bytes(content.encode())
        path = os.fsencode(file)
        for body, ours, found in zip(BODIES, ports, graph(tf.constant(path)), strict=True):
            right = plain(body(path))
            assert plain(found) == right, f"{body.__name__}, graph, {content!r}"
            assert plain(ours(path)) == right, f"{body.__name__}, eager, {content!r}"
    assert graph.experimental_get_tracing_count() == 1


def unpacked(path):
    first, second, third = open(path)
    return third, first, second


def test_lines_unpacked(tmp_path):
    file = tmp_path / "x.txt"
    file.write_text("a\nb\nc\n")
    read = tf.function(port(unpacked), autograph=False, input_signature=[tf.TensorSpec([], tf.string)])
    assert [one.numpy() for one in read(os.fsencode(file))] == [b"c\n", b"a\n", b"b\n"]
    file.write_text("a\nb\n")
    with pytest.raises(tf.errors.InvalidArgumentError, match="Several names take 3"):
        read(os.fsencode(file))


def stops_and_reads(path):
    with open(path) as file:
        for line in file:
            if line.startswith("#"):
                break
        return file.read()


def reads_within(path):
    count = 0
    with open(path) as file:
        for line in file:
            count += len(line) - len(file.readline())
    return count


def as_a_set(path):
    return len(set(open(path)))


def in_order(path):
    return sorted(line.strip() for line in open(path))


def with_ends(path):
    return open(path).read().splitlines(True)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (stops_and_reads, "an iteration over its lines has read from"),
        (reads_within, "an iteration over its lines has read from|after it was read under a condition"),
        (as_a_set, "set: got values known only at run time"),
        (in_order, "sorted: got something that is not a number"),
        (with_ends, "keepends: got True"),
    ],
)
def test_what_no_graph_knows_is_refused(body, words, tmp_path):
    file = tmp_path / "x.txt"
    file.write_text("# a\nb\nc\n")
    with pytest.raises(PipeportError, match=words) as eager:
        port(body)(os.fsencode(file))
    with pytest.raises(PipeportError, match=words) as graph:
        tf.function(port(body), autograph=False).get_concrete_function(tf.TensorSpec([], tf.string))
    for one in (eager, graph):
        assert f'File "{__file__}", line' in "".join(one.value.__notes__)


def table_of_lines(path):
    with open(path) as file:
        lines = [line.replace("-", "0") for line in file]
    return np.loadtxt(lines, ndmin=2), np.loadtxt(lines, np.float32, usecols=(0, -1), skiprows=1)


def columns(path):
    return np.loadtxt(path.decode(), usecols=[1], ndmin=2), np.loadtxt(path.decode(), usecols=(1, 0))


@pytest.mark.filterwarnings("ignore:loadtxt:UserWarning")
@pytest.mark.parametrize("body", [table_of_lines, columns])
def test_tables_of_lines_and_of_nothing(body, tmp_path):
    file = tmp_path / "x.txt"
    path = os.fsencode(file)
    file.write_text("1 2 3\n4 5 6\n7 8 9")
    graph = tf.function(port(body, example=path), autograph=False)
    for content in ("1 2 3\n4 - 6\n7 8 9" if body is table_of_lines else "1 2\n3 4\n", "", "\n# none\n"):
        file.write_text(content)
        agrees(graph(tf.constant(path)), body(path), where=repr(content))
