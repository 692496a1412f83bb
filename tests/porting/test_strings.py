"""Bodies that take paths and other strings apart, unmodified: eagerly, in a graph and in a dataset."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

from pipeport.errors import PipeportError, PortRefused
from pipeport.porting import port

# The functions below are what people write.
# ruff: noqa: PTH117, PTH118, PTH119, PTH120, PTH122, PTH206, UP030, UP031, UP032

PATHS = [
    "data/train/cat_003.jpg",
    "/data//test/dog_12.tar.gz",
    "./a/.hidden_1",
    "b_7",
    "x/y_0/",
    "/é_1.PNG",
    "/_2",
]
TEXTS = [
    "",
    " a  b\tc ",
    "ÀÉß_Ω,x,,y",
    "a--b--c",
    "İ\u00a0x\u2003\n",
    "a\\b.(c)*[d]",
    "\x1ctrue\x1f",
    "aaa",
    "a\r\nb\n\nc",
    "\0aaa ababa\0É x\0 ",
]
NUMBERS = ["1", " -2 ", "003,4.5", "+7,1e3", "12,-0.1", "9,inf", "8, .5"]
LABELS = {"cat": 0, "dog": 1, "b": 7}
COLOURS = {"cat": ("brown", 3), "dog": ("grey", 4)}
NAMES = [f"class {number}" for number in range(100)] + ["cat", "dog", "b", "class 7"]
BONES = {name: np.float32(place / 2) for place, name in enumerate(NAMES)}
ROOT = Path("/masks")


def cased(b):
    s = b.decode("utf-8")
    return s.lower(), s.upper(), b.lower(), b.upper(), str(b, "utf-8"), len(s), len(b), s.encode()


def stripped(b):
    s = b.decode()
    return (
        s.strip(),
        s.lstrip(),
        s.rstrip(),
        s.strip("a_"),
        s.strip("\0 "),
        b.strip(),
        b.rstrip(b"c "),
        s.removeprefix("a"),
        s.rstrip("-]"),
    )


def replaced(b):
    s = str(b, "utf-8")
    return (
        s.replace("a", "\\1b"),
        s.replace("--", "", 1),
        s.replace("\\b.(c", "+"),
        s.replace("aa", "a"),
        b.replace(b"_", b"__"),
    )


def divided(b):
    s = b.decode()
    words, commas = s.split(), s.split(",")
    return (
        len(words),
        " ".join(words),
        len(commas),
        "|".join(commas),
        commas[0],
        commas[-1],
        s.split("--")[:2][-1],
        "/".join(s.rsplit("--", 1)),
        *s.partition("--"),
        *s.rpartition("--"),
        "+".join(s.splitlines()),
        "+".join(s.split("\n")),
        s.split("a", 1)[-1],
        "/".join(s.rsplit("aa", 1)),
        "/".join(s.rsplit("aba")),
        *s.rpartition("aa"),
        b"/".join(b.rsplit(b"aa", 1)),
        s.split("\0")[0],
    )


def asked(b):
    s = b.decode()
    return (
        s.startswith("a"),
        s.startswith(("x", "À")),
        s.endswith((".jpg", "c")),
        "a" in s,
        "(c)" in s,
        b"--" in b,
        s == "aaa",
        s != "aaa",
        s.find("b"),
        s.rfind("a"),
        s.rfind("aa"),
        b.rfind(b"aba"),
        s.find("aba"),
        s.find(""),
        s.rfind(""),
        s.count("a"),
        s.count("aa"),
        s.count(""),
        s.isdigit(),
        s == b,
        not s,
        "a" in s.split("--"),
        "a" not in s,
    )


def cut(b):
    s = b.decode()
    return s[:3], s[-2:], s[1:-1], s[5:2], b[1:3], s[:-4], s[len(s) // 2 :]


def chosen(b):
    s = b.decode()
    kind = "first"
    if s.startswith("a"):
        name = s.split("-")[0]
        number = 1
    elif "x" in s:
        name = s.lower()
        number = 2
    else:
        name = "none"
        number = 3
    label = s.upper() if number > 1 else "ONE"
    return name, number, kind, s or "empty", label


def looped(b):
    count = 0
    last = ""
    for word in b.decode().split("a"):
        if word:
            count += len(word)
            last = last + word + ";"
    return count, last


def of_paths(b):
    path = b.decode()
    folder, file = os.path.split(path)
    stem, end = os.path.splitext(path)
    return (
        folder,
        file,
        stem,
        end,
        os.path.basename(path),
        os.path.dirname(path),
        os.path.splitext(file)[0],
        os.path.join("/root", path),
        os.path.join(path, "x.png"),
        os.path.join(folder, "/m", file + ".npy"),
        os.path.join(folder, stem, file),
        os.path.isabs(path),
        os.path.dirname(b),
        path.split("/")[-1],
        path.split(os.sep)[0],
    )


def of_pathlib(b):
    path = pathlib.Path(b.decode())
    other = ROOT / path.parent.name / f"{path.stem}.png"
    return (
        str(path),
        path.name,
        path.stem,
        path.suffix,
        str(path.parent),
        str(path.parent.parent),
        str(other),
        str(Path("a", path.name)),
        path.is_absolute(),
        path / "z" == Path("b_7/z"),
        str(path.with_suffix(".npy")),
        str(path.with_name("q.txt")),
        str(path.with_stem(path.stem + "_m")),
        str(path.parent / (path.stem + "_mask" + path.suffix)),
        f"{path}",
        path.as_posix(),
    )


def formatted(b):
    s = b.decode()
    number = len(s)
    return (
        f"{s}_mask.png",
        f"{number:04d}-{number}",
        "%s/%03d.%s" % (s, number, "x"),
        "{}_{n:2d}".format(s, n=number),
        "{1}{0}".format(s, "é"),
        "a" + s + "b",
        "%.2f%%" % (number / 3),
        f"{number / 7:08.3f}",
        str(number),
        "_".join(["p", s, str(number)]),
        str(number).zfill(5),
    )


def numbered(b):
    s = b.decode()
    first, second = int(s.split(",")[0]), float(s.split(",")[-1])
    return (
        first,
        second,
        first + 1,
        second * 2,
        np.float32(s.split(",")[-1]),
        np.array(s.split(","), np.float64),
    )


def labelled(b):
    name = os.path.basename(b.decode()).split("_")[0]
    place = np.array(["cat", "dog", "b"]) == name
    kind = COLOURS.get(name, ("none", -1))
    return (
        LABELS.get(name, 100),
        name in LABELS,
        name in ("dog", "b"),
        place,
        np.argmax(place),
        kind[0],
        kind[1],
        BONES.get(name, np.float32(-1)),
        name in NAMES,
    )


def looked_up(b):
    name = b.decode()
    return LABELS[name], NAMES.index(name), BONES[name], ["b", "dog", "cat"].index(name)


def with_bytes(b):
    if isinstance(b, bytes):
        b = b.decode()
    return b + "x", hasattr(b, "decode"), isinstance(b, (str, int))


BODIES = [
    *((body, TEXTS) for body in (cased, stripped, replaced, divided, asked, cut, chosen, looped, with_bytes)),
    (formatted, TEXTS),
    (of_paths, PATHS),
    (of_pathlib, PATHS),
    (labelled, [*PATHS, "class 7", "dog"]),
    (numbered, NUMBERS),
    (looked_up, ["cat", "dog", "b"]),
]


def compare(found, right):
    right = right if isinstance(right, tuple) else (right,)
    assert len(found) == len(right)
    for place, (ours, theirs) in enumerate(zip(found, right, strict=True)):
        ours = ours.numpy()
        theirs = theirs.encode() if isinstance(theirs, str) else theirs
        if isinstance(theirs, bytes):
            assert ours == theirs, place
        else:
            theirs = np.asarray(theirs)
            assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape), place
            np.testing.assert_array_equal(ours, theirs, err_msg=str(place))


@pytest.mark.parametrize(("body", "texts"), BODIES, ids=lambda v: getattr(v, "__name__", ""))
def test_strings_are_pythons(body, texts):
    ported = port(body)
    rights = [body(text.encode()) for text in texts]
    graph = tf.function(ported, input_signature=[tf.TensorSpec([], tf.string)])
    for text, right in zip(texts, rights, strict=True):
        compare(ported(tf.constant(text)), right)
        compare(graph(tf.constant(text)), right)
        compare(ported(text.encode()), right)
    found = list(tf.data.Dataset.from_tensor_slices(texts).map(ported))
    for row, right in zip(found, rights, strict=True):
        compare(row, right)


def shown(x):
    k, total, count = x.shape[0], x.sum(), np.prod(x.shape)
    whole = int(x[0])
    return (
        f"{k=} {k!r} {k!s}",
        f"{total=} {x[1]!r} {total} {x[0]!s}",
        f"{count!r} {np.int64(k)=} {len(x)!r} {whole!r} {whole=:3d}",
        "{!r} {}".format(x[0], x.shape),
        "%s of %s" % (x.shape, [whole, k]),
        f"{x.shape} {(whole,)} {[x[0], 'a', 0.5]!r}",
    )


def test_numbers_show_themselves():
    ported, x = port(shown), np.array([3, 4, 5])
    right = shown(x)
    compare(ported(x), right)
    for size in (3, None):
        graph = tf.function(ported, input_signature=[tf.TensorSpec([size], tf.int64)])
        compare(graph(x), right)


def test_known_floats_show_as_their_dtype():
    def body(x):
        part = np.float32(x.shape[0]) / np.float32(30)
        return f"{part} {part!r} {part!s:>6} {part:.3f}", "%s %r" % (part, part)

    x = np.zeros(3)
    compare(tf.function(port(body))(x), body(x))


def test_letters_change_case_alike_in_every_language():
    code = """if True:
        from pipeport.porting.strings._text import as_text
        name = as_text("TITLE.jpg")
        found = [name.lower().tensor.numpy(), name.upper().tensor.numpy()]
        assert found == [b"title.jpg", b"TITLE.JPG"], found
    """
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | {"LC_ALL": "tr_TR.UTF-8"})


def missing_key(b):
    return LABELS[b.decode()]


def missing_name(b):
    return NAMES.index(b.decode())


def no_number(b):
    return int(b.decode())


def hexadecimal(b):
    return float(b)


def beyond(b):
    return b.decode().split("_")[3]


def unpacked(b):
    first, second = b.decode().split("_")
    return first + second


def no_text(b):
    return b.decode() + "x"


ERRORS = [
    (missing_key, b"cow"),
    (missing_name, b"cow"),
    (no_number, b"1.5"),
    (hexadecimal, b"0x1p3"),
    (hexadecimal, b"nan(1)"),
    (beyond, b"a_b_c"),
    (unpacked, b"a_b_c"),
    (no_text, b"\xff"),
]


@pytest.mark.parametrize(("body", "given"), ERRORS, ids=lambda v: getattr(v, "__name__", ""))
def test_what_fails_in_python_stops_the_graph(body, given):
    with pytest.raises((KeyError, ValueError, IndexError)):
        body(given)
    ported = port(body)
    with pytest.raises((tf.errors.InvalidArgumentError, IndexError)):
        ported(tf.constant(given))
    with pytest.raises(tf.errors.InvalidArgumentError):
        list(tf.data.Dataset.from_tensors(given).map(ported))


def swapped(b):
    return b.decode().swapcase()


def without_a_step(b):
    return b.decode()[::0]


def of_bytes(b):
    return f"{b}.png"


def padded(b):
    return f"{int(float(b))!s:5}"


def shortest(b):
    return f"{float(b.decode())}"


def unknown_pattern(b):
    return b.decode() % 3


def as_key(b):
    return {b.decode(): 1}["x"]


def of_two_dtypes(b):
    return {"a": np.float32(1), "b": np.float64(2)}[b.decode()]


REFUSED = [
    (swapped, "str.swapcase of a string known only at run time"),
    (without_a_step, "slice step cannot be zero"),
    (of_bytes, "got bytes"),
    (padded, "behind a conversion"),
    (shortest, "a float known only at run time"),
    (unknown_pattern, "a pattern known only at run time"),
    (of_two_dtypes, "looked up by a value of the graph"),
    (as_key, "a string known only at run time"),
]


@pytest.mark.parametrize(("body", "words"), REFUSED, ids=lambda v: getattr(v, "__name__", ""))
def test_other_strings_are_refused_at_their_line(body, words):
    with pytest.raises((PortRefused, ValueError)) as caught:
        tf.data.Dataset.from_tensors(b"1.5").map(port(body))
    assert words in str(caught.value)
    assert f'File "{__file__}", line ' in "\n".join(getattr(caught.value, "__notes__", [])) + str(
        caught.value
    )


def test_paths_lead_to_files(tmp_path):
    for name, value in (("image_1", 1), ("mask_1", 2)):
        np.save(tmp_path / f"{name}.npy", np.full([2, 3], value, np.float32))

    def pair(b):
        path = b.decode()
        mask = path.replace("image", "mask")
        return np.load(path), np.load(os.path.join(os.path.dirname(path), os.path.basename(mask)))

    file = os.fsencode(tmp_path / "image_1.npy")
    right = pair(file)
    for ours, theirs in zip(port(pair)(file), right, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def partitioned(lines):
    ends = (len(lines) * np.cumsum([0.5, 0.3, 0.2])[:-1]).astype(int)
    first, second, third = np.split(lines, ends, axis=0)
    return np.array_split(lines, 3)[1], first, second, third


@pytest.mark.parametrize("size", [10, None])
@pytest.mark.parametrize("wrapper", ["numpy_function", "py_function"])
def test_arrays_of_strings_are_split(size, wrapper):
    lines = np.array([f"line {k}é".encode() for k in range(10)], object)
    native = port(partitioned, example=(lines,), Tout=[tf.string] * 4, wrapper=wrapper)
    graph = tf.function(native, input_signature=[tf.TensorSpec([size], tf.string)], autograph=False)
    for ours, theirs in zip(graph(lines), partitioned(lines), strict=True):
        np.testing.assert_array_equal(ours.numpy(), theirs)


def joined(b):
    words = np.array(b.decode().split("_"))
    row = np.concatenate([words, np.array(["a", "bé"]), [b.decode()]], axis=0)
    return (
        row,
        np.hstack([b.decode(), "a"]),
        np.stack([b, b"x"]),
        np.concatenate([[b], np.array([b"c"])]),
        len(row),
    )


def put_together(b):
    words = np.array(b.decode().split("_"))
    return np.vstack([words, words[::-1]]), np.stack([words, words], axis=1), np.stack([b.decode(), "x"])


def chosen_between(b):
    words = np.array(b.decode().split("_"))
    return (
        np.where(words == "img", "yes", words),
        np.where(np.array([True, False]), b.decode(), "no"),
        np.where(len(b) > 3, b.decode(), "no"),
        np.where([len(b) > 7, True], "long", "short"),
        np.concatenate([words, np.full(5 - len("abc"), "<pad>")]),
        np.where(words[1:] != words[:-1], words[1:], ""),
        (words == np.array(["img"])).sum(),
        np.array(["img"]) == words[:1],
    )


@pytest.mark.parametrize("body", [joined, put_together, chosen_between])
def test_arrays_of_strings_are_joined_and_chosen(body):
    ported = port(body)
    graph = tf.function(ported, input_signature=[tf.TensorSpec([], tf.string)], autograph=False)
    for name in (b"img_0012", b"img_img"):
        for found in (ported(name), ported(tf.constant(name)), graph(name)):
            for ours, theirs in zip(map(np.asarray, found), map(np.asarray, body(name)), strict=True):
                encoded = np.char.encode(theirs, "utf-8") if theirs.dtype.kind == "U" else theirs
                same = theirs if ours.dtype.kind == "U" else encoded
                assert ours.shape == theirs.shape
                assert ours.tolist() == same.tolist()


def elements_compared(labels):
    return labels == b"cat", (labels != b"cat").sum(), np.where(labels == b"dog", 1, 0)


def test_arrays_of_the_function_are_compared_element_by_element():
    labels = np.array([b"cat", b"dog", b"cat"], object)
    graph = tf.function(
        port(elements_compared), input_signature=[tf.TensorSpec([None], tf.string)], autograph=False
    )
    for ours, theirs in zip(graph(labels), elements_compared(labels), strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (lambda b: np.concatenate([[b], ["a"]]), "str and bytes"),
        (lambda b: np.concatenate([[b.decode()], np.arange(2)]), "numbers beside strings"),
        (lambda b: np.where(len(b) > 3, b.decode(), 1), "numbers beside strings"),
        (lambda b: np.array(b.decode().split("_")) == b"a", "got bytes"),
    ],
)
def test_other_arrays_of_strings_are_refused(body, words):
    with pytest.raises(PipeportError, match=words):
        tf.function(port(body), autograph=False).get_concrete_function(tf.TensorSpec([], tf.string))
