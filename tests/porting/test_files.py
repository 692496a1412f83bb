"""Bodies that read files of text, of arrays and of sound, unmodified."""

from __future__ import annotations

import os
import random
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf
from scipy.io import wavfile

from pipeport import seeds
from pipeport.errors import PipeportError, PortRefused, WrongType
from pipeport.porting import port
from pipeport.porting._example import in_graph

# The functions below are what people write.
# ruff: noqa: PTH123


def whole_text(path):
    with open(path) as file:
        text = file.read()
    return text, len(text), text.split()[0]


def last_line(path):
    with open(path.decode(), encoding="utf-8") as file:
        lines = file.readlines()
    return lines[-1], lines[0].strip(), len(lines)


def first_bytes(path):
    with open(path.decode(), "rb") as file:
        content = file.read()
    return (
        content[:2],
        np.frombuffer(content, np.uint8),
        np.frombuffer(content, dtype=">i2", count=2, offset=1),
    )


def summed_lines(path):
    total = 0.0
    for line in Path(path.decode()).read_text().splitlines():
        if line.strip():
            total += float(line.split(",")[0])
    return total


def counted_lines(path):
    count = 0
    with open(path) as file:
        for line in file:
            count += len(line)
    return count


def table(path):
    name = path.decode()
    some = np.loadtxt(name, np.float32, delimiter=",", usecols=(2, 0), ndmin=2)
    return np.loadtxt(name, delimiter=",", skiprows=1), some


def column(path):
    return np.loadtxt(path.decode(), dtype=np.int64, delimiter=",", usecols=1) * 2


def gaps(path):
    name = path.decode()
    some = np.genfromtxt(name, np.float32, delimiter=",", usecols=(2, 0), skip_footer=1, ndmin=2)
    filled = np.genfromtxt(name, delimiter=",", filling_values=-1, ndmin=2)
    return np.genfromtxt(name, delimiter=",", skip_header=1), some, filled


def raw(path):
    name = path.decode()
    return (
        np.fromfile(name, np.float32).reshape(-1, 2),
        np.fromfile(name, dtype="<u2", count=3),
        np.fromfile(name, "u1", offset=5),
    )


def numbers_of_text(path):
    with open(path) as file:
        return np.fromstring(file.read().replace("\n", ","), dtype=np.float32, sep=",")


def cast_array(path):
    return np.load(path.decode()).astype(np.float32)


def centred(path):
    found = np.load(path.decode()).astype(np.float32)
    return found.reshape(-1)[:2] / 3, found * 2 + 1, np.float32(found).reshape(-1).mean()


def array_of_dtype(path):
    return np.array(np.load(path), dtype=np.float64) * 2


def features(path):
    found = np.load(path.decode(), mmap_mode="r")
    return (found - found.mean()) / 2


def sound(path):
    rate, samples = wavfile.read(path.decode())
    return rate, samples, samples.astype(np.float32) / 32768


def compare(found, right):
    right = right if isinstance(right, tuple) else (right,)
    found = found if isinstance(found, tuple) else (found,)
    for place, (ours, theirs) in enumerate(zip(found, right, strict=True)):
        ours = ours.numpy()
        theirs = theirs.encode() if isinstance(theirs, str) else theirs
        if isinstance(theirs, bytes):
            assert ours == theirs, place
        else:
            theirs = np.asarray(theirs)
            theirs = theirs.astype(theirs.dtype.newbyteorder("="))
            assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape), place
            np.testing.assert_allclose(ours, theirs, rtol=1e-6, err_msg=str(place))


TEXTS = ["1,2,3\r\n4,5,6.5\r\n", "7,8,9\n-1,2,3\n\n4,5,6", "é,1,2 # c\n1,2,3\n"]
NUMBERS = ["1,2,3\n4,5,6\n7,8,9\n", "0,1,2\n 3, -4,5 # six\n\n+1,2,1e3\n"]


def check(body, files, example=None, *, refused=None, words=""):
    """Compare a map of files and eager calls with the original; a last file may be refused in these words."""
    ported = port(body) if example is None else port(body, example=os.fsencode(example))
    names = [str(file) for file in (*files, refused) if file is not None]
    rows = iter(tf.data.Dataset.from_tensor_slices(names).map(ported))
    for file in files:
        right = body(os.fsencode(file))
        compare(next(rows), right)
        compare(ported(tf.constant(str(file))), right)
    if refused is None:
        assert next(rows, None) is None
    else:
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            next(rows)


@pytest.mark.parametrize(
    ("body", "contents"),
    [(whole_text, TEXTS), (last_line, TEXTS), (first_bytes, ["abcdef", "123456"]), (summed_lines, NUMBERS),
     (counted_lines, NUMBERS), (numbers_of_text, ["1,2.5\n3", "4\n5,6"])],
    ids=lambda v: getattr(v, "__name__", ""),
)  # fmt: skip
def test_text(body, contents, tmp_path):
    files = [tmp_path / f"{number}.txt" for number in range(len(contents))]
    for file, content in zip(files, contents, strict=True):
        file.write_bytes(content.encode())
    check(body, files)


def test_tables_of_numbers(tmp_path):
    files = [tmp_path / f"{number}.csv" for number in range(2)]
    for file, content in zip(files, NUMBERS, strict=True):
        file.write_text(content)
    one = tmp_path / "one.csv"
    one.write_text("1,2,3\n")
    check(column, files, files[0], refused=one, words="another number of axes")
    check(table, files, files[0])
    with pytest.raises(PortRefused, match=r"loadtxt: .*ndmin=2"):
        tf.data.Dataset.from_tensors(str(files[0])).map(port(column))


GAPS = ["a,b,c\n1,,3\n4, x ,6e1 # six\n\n-.5,1_000,nan\n", "u,v,w\n+7.,8,9\n1__0,inf,-Infinity\n,,\n1e,2,3\n"]


@pytest.mark.filterwarnings("ignore:.*Some errors were detected")
def test_tables_with_gaps(tmp_path):
    files = [tmp_path / f"{number}.csv" for number in range(2)]
    for file, content in zip(files, GAPS, strict=True):
        file.write_text(content)
    check(gaps, files, files[0])
    uneven = port(lambda path: np.genfromtxt(path.decode(), delimiter=",", ndmin=2))
    files[0].write_text("1,2\n3\n")
    with pytest.raises(tf.errors.InvalidArgumentError, match="genfromtxt: got rows of several lengths"):
        next(iter(tf.data.Dataset.from_tensors(str(files[0])).map(uneven)))
    for options in ({"names": True}, {"dtype": None}, {"delimiter": 3}, {"converters": {0: float}}):
        refused = port(lambda path, options=options: np.genfromtxt(path.decode(), **options))
        with pytest.raises(PipeportError, match="genfromtxt"):
            tf.data.Dataset.from_tensors(str(files[0])).map(refused)


def test_raw_numbers(tmp_path):
    files = [tmp_path / f"{number}.raw" for number in range(2)]
    for number, file in enumerate(files):
        file.write_bytes(np.arange(6 + 4 * number, dtype=np.float32).tobytes() + b"x" * number)
    (files[1]).write_bytes(np.arange(8, dtype=np.float32).tobytes())
    check(raw, files)


ARRAYS = [np.arange(6, dtype=np.int16).reshape(2, 3), np.array([[1.5, -2, 3], [0, 255, 1e9]]),
          np.arange(6, dtype=">f4").reshape(3, 2).T, np.array([True, False])]  # fmt: skip


def test_arrays_take_the_dtype_that_follows(tmp_path):
    files = [tmp_path / f"{number}.npy" for number in range(len(ARRAYS))]
    for file, array in zip(files, ARRAYS, strict=True):
        np.save(file, array)
    check(cast_array, files)
    check(array_of_dtype, files)
    check(centred, files[:2])


def as_complex(path):
    return np.load(path.decode()).astype(np.complex64)


def test_complex_arrays_take_the_dtype_that_follows(tmp_path):
    files = [tmp_path / f"{number}.npy" for number in range(4)]
    for file, kind in zip(files, ("<c16", ">c16", ">c8", "<i2"), strict=True):
        array = np.arange(6).reshape(2, 3).astype(kind)
        np.save(file, array * np.array(1 + 2j).astype(kind) if kind[1] == "c" else array)
    check(as_complex, files)


def test_arrays_take_the_dtype_of_the_example(tmp_path):
    files = [tmp_path / f"{number}.npy" for number in range(3)]
    for number, file in enumerate(files):
        np.save(file, np.arange(6 + number, dtype=np.float32)[:, None])
    other = tmp_path / "other.npy"
    np.save(other, np.arange(6))
    check(features, files, files[0], refused=other, words="another dtype")
    with pytest.raises(PortRefused, match=r"numpy\.load: .*example.*astype"):
        tf.data.Dataset.from_tensors(str(files[0])).map(port(features))


@pytest.mark.parametrize("channels", [(), (2,)])
def test_sound(channels, tmp_path):
    files = [tmp_path / f"{number}.wav" for number in range(2)]
    generator = np.random.default_rng(3)
    for number, file in enumerate(files):
        samples = generator.integers(-32768, 32768, (50 + number, *channels)).astype(np.int16)
        wavfile.write(file, 8000 + number, samples)
    check(sound, files, files[0])
    with pytest.raises(PortRefused, match=r"wavfile\.read: .*decode_wav"):
        tf.data.Dataset.from_tensors(str(files[0])).map(port(sound))


def plain(path):
    return np.load(path)


def half(path, label):
    found = np.load(path.decode(), allow_pickle=True)
    return (found - found.min()) / 2, label


def of_archive(path):
    with np.load(path.decode()) as data:
        image, name = data["image"], "label"
        return image / 2, data[name].astype(np.int64)


STRINGS = [np.array(["a"]), np.array([{}], object)]


def saved(tmp_path, array, name="x.npy"):
    np.save(tmp_path / name, array)
    return str(tmp_path / name)


def mapped(body, *arguments, **options):
    return next(iter(tf.data.Dataset.from_tensors(arguments).map(port(body, **options))))


@pytest.mark.parametrize("kind", [np.float32, np.int16, np.bool_, np.complex64])
def test_the_dtype_of_a_result_is_that_of_the_file(kind, tmp_path):
    array = np.arange(6).reshape(2, 3).astype(kind)
    file = saved(tmp_path, array)
    for body in (plain, np.load):
        compare(mapped(body, file, Tout=kind), array)
        compare(mapped(body, file, Tout=[kind]), array)
        compare(port(body, Tout=kind)(tf.constant(file)), array)
    with pytest.raises(tf.errors.InvalidArgumentError, match="another dtype"):
        mapped(plain, file, Tout=np.float64)
    with pytest.raises(PortRefused, match=r"numpy\.load: .*Tout"):
        mapped(plain, file)


@pytest.mark.parametrize("stated", [[tf.float32, tf.int64], (np.float32, np.int64)])
def test_what_is_computed_takes_the_one_float(stated, tmp_path):
    array = np.arange(6, dtype=np.float32) + 2
    file = saved(tmp_path, array)
    compare(mapped(half, file, np.int64(3), Tout=stated), ((array - 2) / 2, np.int64(3)))
    with pytest.raises(PortRefused, match="dtype only the file knows"):
        mapped(half, file, np.int64(3), Tout=[tf.float32, tf.float64])
    other = saved(tmp_path, array.astype(np.float16), "other.npy")
    with pytest.raises(tf.errors.InvalidArgumentError, match="another dtype"):
        mapped(half, other, np.int64(3), Tout=stated)


def read_between_draws(path):
    first = random.random()
    x = np.load(path)
    return x * np.float32(first + random.random())


def test_what_is_traced_again_with_a_dtype_draws_the_same(tmp_path):
    file = saved(tmp_path, np.ones(3, np.float32)).encode()
    native = port(read_between_draws, Tout=tf.float32)
    for seed in range(3):
        with seeds.ambient((seed, 2)):
            eager = native(file)
        graph = in_graph(native, (file,), sized=False, seed=(seed, 2))
        np.testing.assert_array_equal(graph, eager)


def compared_and_counted(path):
    found = np.load(path)
    first, second, third = found
    return (
        found * (found == 3),
        np.float32(found != 1),
        found[len(found) // 2],
        third - first * second,
        found // 2,
    )


def written(path):
    found = np.load(path)
    found[0] = 1
    return found


def sizes(path):
    height, width = np.load(path).shape
    return np.float32(height * width)


def test_arrays_of_unknown_rank(tmp_path):
    array = np.arange(12, dtype=np.float32).reshape(3, 4)
    file = saved(tmp_path, array)
    compare(mapped(compared_and_counted, file, Tout=[np.float32] * 5), compared_and_counted(file))
    for body in (written, sizes):
        with pytest.raises(PipeportError, match="unknown rank") as caught:
            mapped(body, file, Tout=np.float32)
        assert f'File "{__file__}", line' in "".join(caught.value.__notes__)
        with pytest.raises(PortRefused, match="dtype only the file knows"):
            mapped(body, file)


def test_stated_dtypes_are_those_of_the_results():
    def body(x):
        return x / 2, x

    x = np.arange(3)

    def call(stated, *, eager):
        run = port(body, Tout=stated)
        return run(x) if eager else tf.function(run, autograph=False)(x)

    for eager in (True, False):
        with pytest.raises(WrongType, match=r"Tout: got float32 for result 0; .*float64"):
            call([tf.float32, tf.int64], eager=eager)
        with pytest.raises(WrongType, match=r"Tout: got 1 dtypes; .*2, as results"):
            call(tf.float64, eager=eager)
    compare(port(body, Tout=(tf.float64, np.int64))(x), body(x))


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_members_of_archives(save, tmp_path):
    files = [tmp_path / f"{number}.npz" for number in range(2)]
    for number, file in enumerate(files):
        image = np.linspace(0, 1, 600 + number, dtype=np.float32)
        save(file, before=np.zeros([3, number + 1]), image=image, label=np.int16(number))
    check(of_archive, files, files[0])
    check(of_archive, files[:1], files[1])
    with pytest.raises(PortRefused, match=r"numpy\.load: .*example"):
        mapped(of_archive, str(files[0]))
    compare(mapped(of_archive, str(files[1]), Tout=[tf.float32, tf.int64]), of_archive(os.fsencode(files[1])))


def test_archives_that_are_not_read(tmp_path):
    file = tmp_path / "x.npz"
    np.savez_compressed(file, image=np.zeros(500))
    whole = file.read_bytes()

    def body(path):
        return np.load(path)["image"].astype(np.float32)

    def missing(path):
        return np.load(path)["label"].astype(np.float32)

    with pytest.raises(tf.errors.InvalidArgumentError, match="without such a member"):
        mapped(missing, str(file))
    read = tf.function(port(body), autograph=False)
    compare(read(tf.constant(str(file))), body(os.fsencode(file)))
    directory = whole.index(b"PK\x01\x02")
    local = whole.index(b"image.npy") + len("image.npy") + 20
    for content, words in (
        (whole[:-1], "cut short"), (b"", "no zip archive"), (whole + b"comment", "comment"),
        (whole[: directory + 10] + b"\x0c" + whole[directory + 11 :], "another way"),
        (whole[: directory + 8] + b"\x01" + whole[directory + 9 :], "encrypted"),
        (whole[: local + 2] + b"\xff\xff" + whole[local + 4 :], "inflate|corrupt|data|nflat"),
    ):  # fmt: skip
        file.write_bytes(content)
        with pytest.raises((tf.errors.InvalidArgumentError, tf.errors.DataLossError), match=words):
            read(tf.constant(str(file)))


@pytest.mark.parametrize("array", STRINGS, ids=["text", "objects"])
def test_arrays_of_something_else_stop_the_graph(array, tmp_path):
    file = tmp_path / "x.npy"
    np.save(file, array, allow_pickle=True)
    with pytest.raises(tf.errors.InvalidArgumentError):
        mapped(half, str(file), 1, Tout=[tf.float32, tf.int32])


def writes(path):
    with open(path, "w") as file:
        file.write("x")
    return path


def test_files_are_not_written():
    with pytest.raises(PortRefused, match="A graph writes no files"):
        tf.data.Dataset.from_tensors("x").map(port(writes))


def with_its_mask(path):
    path = path.decode()
    mask = path.replace(".npy", "_mask.npy")
    scan = np.load(path).astype(np.float32)
    if os.path.exists(mask):  # noqa: PTH110 - it is what is served
        return scan * np.load(mask).astype(np.float32), True
    return scan, Path(path).with_suffix(".txt").exists()


def test_whether_a_file_exists_is_asked_when_the_graph_runs(tmp_path):
    files = [tmp_path / f"{name}.npy" for name in ("a", "b[c]", "c*", r"d\\e", "bc", "d?", "x")]
    for number, file in enumerate(files):
        np.save(file, np.full(3, number))
    for name in ("a_mask", "b[c]_mask", r"d\\e_mask"):
        np.save(tmp_path / f"{name}.npy", np.arange(3))
    (tmp_path / "c*.txt").write_text("")
    check(with_its_mask, files)
    traced = tf.function(port(lambda path: os.path.exists(path)))  # noqa: PTH110, PLW0108
    new = tmp_path / "new"
    asked = [tf.constant(str(one)) for one in (tmp_path, new, "", files[0])]
    assert [bool(traced(one)) for one in asked] == [True, False, False, True]
    new.touch()
    assert bool(traced(asked[1]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="a slash at the end"):
        traced(tf.constant(f"{files[0]}/"))


@pytest.mark.parametrize("text", [str, Path, os.fsencode])
def test_whether_a_known_path_exists_is_asked_each_time(text, tmp_path):
    new = tmp_path / "new[1]"
    known = text(new) if text is not Path else new
    data = tf.data.Dataset.range(2).map(port(lambda x: x + os.path.exists(known)))  # noqa: PTH110
    assert list(data.as_numpy_iterator()) == [0, 1]
    new.touch()
    assert list(data.as_numpy_iterator()) == [1, 2]
    new.unlink()
    assert list(data.as_numpy_iterator()) == [0, 1]
