"""Bodies that read an open file part by part, unmodified."""

from __future__ import annotations

import os
import struct

import numpy as np
import pytest
import tensorflow as tf

from pipeport.errors import PipeportError, PortRefused
from tests.porting.test_files import check, compare, mapped

# The functions below are what people write.
# ruff: noqa: PTH123, SIM115


def two_arrays(path):
    with open(path.decode(), "rb") as file:
        image = np.load(file)
        label = np.load(file)
    return image / 2, label


def cast_arrays(path):
    with open(path, "rb") as file:
        parts = [np.load(file).astype(np.float32) for _ in range(2)]
    return parts[0] * 2, parts[1]


def with_sizes(path):
    with open(path.decode(), "rb") as file:
        height, width = np.fromfile(file, np.int32, 2)
        image = np.fromfile(file, np.uint8, height * width).reshape(height, width)
        rest = np.fromfile(file, "<f4")
        place = file.tell()
    return image, rest, place


def flow(path):
    file = open(path, "rb")
    magic = np.fromfile(file, np.float32, count=1)[0]
    assert magic == np.float32(202021.25)
    width = int(np.fromfile(file, np.int32, count=1)[0])
    height = int(np.fromfile(file, np.int32, count=1)[0])
    data = np.fromfile(file, np.float32, count=2 * width * height)
    file.close()
    return data.reshape(height, width, 2)


def digits(path):
    with open(path.decode(), "rb") as file:
        count, rows, columns = np.frombuffer(file.read(12), dtype=">i4")
        return np.frombuffer(file.read(), np.uint8).reshape(count, rows, columns).astype(np.float32) / 255


def unpacked(path):
    with open(path.decode(), "rb") as file:
        magic, count, rows, columns = struct.unpack(">4I", file.read(16))
        images = np.fromfile(file, dtype=np.uint8, count=count * rows * columns)
    return images.reshape(count, rows, columns), magic


def unpacked_by_kind(path):
    with open(path, "rb") as file:
        name, small, wide, fraction = struct.unpack("<3sxbqf", file.read(17))
        aligned = struct.unpack("bhd", file.read(16))
        (last,) = struct.unpack("!h", file.read(2))
    return name, small, wide, np.float32(fraction), aligned[1], aligned[2], last


def counted(path):
    with open(path, "rb") as file:
        count = int.from_bytes(file.read(4), "big")
        labels = np.frombuffer(file.read(count), dtype=np.uint8)
        below = int.from_bytes(file.read(2), byteorder="little", signed=True)
    return labels, below, int.from_bytes(b"ab", "big") + count


def by_offsets(path):
    name = path.decode()
    with open(name, "rb") as file:
        file.seek(4)
        first = np.fromfile(file, np.uint8, count=2, offset=1)
        place = file.tell()
        file.seek(-3, os.SEEK_END)
        last = file.read(100)
        file.seek(0)
        file.seek(2, 1)
        third = file.read(1)
    with open(name, "rb") as file:
        content = file.read()
    return (
        first, np.int64(place), last, third, content[2:4],
        np.frombuffer(content, np.uint8, count=3, offset=2),
        np.fromfile(name, np.int16, count=2, offset=4),
    )  # fmt: skip


def headed_table(path):
    with open(path.decode()) as file:
        names = file.readline().strip().split(",")
        table = np.loadtxt(file, delimiter=",", ndmin=2)
    return len(names), table


def lines_behind(path):
    with open(path.decode()) as file:
        first = file.read(3)
        rest = file.readlines()
        nothing = file.read()
    return first, len(rest), rest[0], nothing


def written(folder, contents):
    files = [folder / str(number) for number in range(len(contents))]
    for file, content in zip(files, contents, strict=True):
        file.write_bytes(content)
    return files


def in_one_file(folder, name, *arrays):
    with open(folder / name, "wb") as file:
        for array in arrays:
            np.save(file, array)
    return folder / name


def test_several_arrays_of_one_file(tmp_path):
    image = np.arange(6, dtype=np.float32).reshape(2, 3)
    files = [
        in_one_file(tmp_path, "0.npy", image, np.int16([3, 4])),
        in_one_file(tmp_path, "1.npy", np.asfortranarray(image[:, :2]), np.int16([5]), np.zeros(3)),
    ]
    check(two_arrays, files, files[0])
    check(cast_arrays, files)
    compare(mapped(two_arrays, str(files[1]), Tout=[tf.float32, tf.int16]), two_arrays(os.fsencode(files[1])))
    with pytest.raises(PortRefused, match=r"numpy\.load: .*example"):
        mapped(two_arrays, str(files[0]))
    short = in_one_file(tmp_path, "short.npy", image)
    with pytest.raises(tf.errors.InvalidArgumentError):
        mapped(cast_arrays, str(short))


def test_parts_by_sizes_that_the_file_states(tmp_path):
    sized = [
        np.int32([h, w]).tobytes() + bytes(range(h * w)) + np.float32([1.5, h]).tobytes() + b"x" * h
        for h, w in ((2, 3), (4, 1), (0, 5))
    ]
    check(with_sizes, written(tmp_path, sized))
    flows = [
        np.float32([202021.25]).tobytes() + np.int32([w, h]).tobytes()
        + np.arange(2 * h * w, dtype=np.float32).tobytes() for h, w in ((2, 3), (5, 4))
    ]  # fmt: skip
    check(flow, written(tmp_path, flows))
    numbers = [np.array([n, 2, 3], ">i4").tobytes() + bytes(range(6 * n)) for n in (1, 4)]
    check(digits, written(tmp_path, numbers))


def test_packed_numbers(tmp_path):
    sized = [struct.pack(">4I", 2051, n, 2, 3) + bytes(range(6 * n)) for n in (1, 4)]
    check(unpacked, written(tmp_path, sized))
    kinds = [
        struct.pack("<3sxbqf", name, -3, -(2**40), 0.1) + struct.pack("bhd", 1, -2, 0.3) + b"\xff\x01"
        for name in (b"abc", b"\xff\0z")
    ]
    check(unpacked_by_kind, written(tmp_path, kinds))
    check(counted, written(tmp_path, [b"\0\0\0\3abc\xfe\xff", b"\0\0\0\0\1\2"]))

    def eight(path):
        with open(path, "rb") as file:
            return struct.unpack("Q", file.read(8))[0]

    def nine(path):
        with open(path, "rb") as file:
            return int.from_bytes(file.read(9), "big")

    (file,) = written(tmp_path, [b"\xff" * 9])
    with pytest.raises(PipeportError, match="format"):
        mapped(eight, str(file))
    with pytest.raises(tf.errors.InvalidArgumentError, match="64 bits"):
        mapped(nine, str(file))
    with pytest.raises(tf.errors.InvalidArgumentError, match="16 bytes"):
        mapped(unpacked, str(file))


def test_positions(tmp_path):
    check(by_offsets, written(tmp_path, [b"0123456789ab", bytes(range(40))]))


def test_text_behind_a_line(tmp_path):
    tables = [b"a,b\n1,2\n3,4\n", b"a,b,c\r\n1,2,3\r\n"]
    check(headed_table, written(tmp_path, tables))
    check(lines_behind, written(tmp_path, [b"a\nbc\nd", "éé\n\nx\n".encode()]))


def test_positions_that_only_a_condition_knows_are_refused(tmp_path):
    (file,) = written(tmp_path, [b"3abcdef"])

    def conditional(path):
        with open(path, "rb") as file:
            if len(path) > 3:
                file.read(2)
            return file.read(1)

    def repeated(path):
        with open(path, "rb") as file:
            total = 0
            for _ in range(len(path)):
                total += len(file.read(1))
            return total

    def within(path):
        size = 0
        if len(path) > 3:
            with open(path, "rb") as file:
                file.read(2)
                size = len(file.read(2))
        return size

    def whole(path):
        with open(path) as file:
            return file.read() if len(path) > 3 else file.read().strip()

    def whole_and_behind(path):
        with open(path, "rb") as file:
            size = len(file.read()) if len(path) > 3 else 0
            return size + len(file.read())

    def whole_in_loop(path):
        with open(path, "rb") as file:
            total = 0
            for _ in range(len(path)):
                total += len(file.read())
            return total

    def again(path):
        with open(path, "rb") as file:
            size = len(file.read()) if len(path) > 3 else 0
            file.seek(0)
            return size + len(file.read(2))

    compare(mapped(whole, str(file)), "3abcdef")
    compare(mapped(again, str(file)), np.int64(9))
    for body in (conditional, repeated, whole_and_behind, whole_in_loop):
        with pytest.raises(PortRefused, match=r"file: got a file .*before the condition or the loop"):
            mapped(body, str(file))
    compare(mapped(within, str(file)), np.int64(2))


def test_what_files_do_not_do(tmp_path):
    (file,) = written(tmp_path, [b"0123456789"])

    def of_text(path):
        with open(path) as file:
            return np.fromfile(file, np.uint8)

    def before(path):
        with open(path, "rb") as file:
            file.seek(-20, 2)
            return file.read()

    def place_in_text(path):
        with open(path) as file:
            file.read(2)
            return file.tell()

    for body, words in ((of_text, 'mode "rb"'), (place_in_text, 'mode "rb"')):
        with pytest.raises(PipeportError, match=words):
            mapped(body, str(file))
    with pytest.raises(tf.errors.InvalidArgumentError, match="before the file"):
        mapped(before, str(file))
