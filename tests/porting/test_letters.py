"""Bodies that take strings letter by letter, and bytes number by number."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from pipeport.errors import PortRefused, WrongType
from pipeport.porting import port

PLACES = {letter: place for place, letter in enumerate("abc_ ßé漢\0")}
TEXTS = ["ab_a", "", "ca b", "ßaé漢_a", "a\0b"]


def listed(b):
    t = b.decode()
    codes = [ord(c) for c in t]
    label = np.array([PLACES[c] for c in t], np.int32)
    padded = np.full([8], -1, np.int32)
    padded[: len(t)] = [PLACES.get(c, 9) for c in t]
    return codes, label, padded, list(t), [c.upper() for c in t], list(b), np.array(list(b), np.uint8)


def looped(b):
    t = b.decode()
    total = pairs = number = 0
    row = np.zeros(8, np.int64)
    for place, c in enumerate(t):
        total += place * ord(c)
        row[place] = PLACES[c]
        if c == "a":
            number += 1
    for c, k in zip(t, range(3)):  # noqa: B905
        pairs += PLACES[c] * (k + 1)
    for byte in b:
        total += byte
    back = 0
    for c in reversed(t):
        back = back * 2 + PLACES[c]
    return total, row, number, pairs, back, sum(ord(c) for c in t), sum(b), all(c in PLACES for c in t)


def made(b):
    t = b.decode()
    return (
        "".join(reversed(t)),
        "-".join(t),
        "-".join([c.upper() for c in t]),
        "".join(c + "." for c in t),
        "".join([t[k] for k in range(len(t))]),
        t[::-1],
        b[::-1],
        t * 2,
        3 * b,
        t * (len(t) - 2),
        "".join(chr(ord(c) + 1) for c in t),
    )


def placed(b):
    t, k = b.decode(), len(b) - 2
    return (
        *(
            t.find("a", 1),
            t.find("a", 1, -1),
            t.rfind("a", 0, 3),
            t.find("b", -2),
            t.find("a", k),
            t.find("a", 99),
        ),
        *(t.count("a", 1), t.count("a", 0, k), b.find(b"a", 1), b.rfind(b"_", k)),
        *(t.startswith("b", 1), t.startswith(("a", "x"), k), t.endswith("b", 0, 2), t.endswith("a", 1)),
    )


def in_lists(b):
    rows = [c.upper() for c in b.decode()]
    return "A" in rows, "a" not in rows, b.decode() in rows, "-".join(rows[1:]), "".join(rows[:-1]), rows[-2:]


def compare(found, right):
    assert len(found) == len(right)
    for place, (ours, theirs) in enumerate(zip(found, right, strict=True)):
        if isinstance(theirs, list):
            ours = [one.numpy() for one in ours]
            assert ours == [one.encode() if isinstance(one, str) else one for one in theirs], place
        elif isinstance(theirs, str | bytes):
            assert ours.numpy() == (theirs.encode() if isinstance(theirs, str) else theirs), place
        else:
            assert ours.dtype == np.asarray(theirs).dtype, place
            np.testing.assert_array_equal(ours, theirs, str(place))


@pytest.mark.parametrize("body", [listed, looped, made, placed, in_lists])
def test_letters_are_pythons(body):
    ported = port(body)
    graph = tf.function(ported, input_signature=[tf.TensorSpec([], tf.string)])
    found = list(tf.data.Dataset.from_tensor_slices(TEXTS).map(ported))
    for text, row in zip(TEXTS, found, strict=True):
        right = body(text.encode())
        compare(ported(tf.constant(text)), right)
        compare(graph(tf.constant(text)), right)
        compare(row, right)


def two_letters(b):
    return ord(b.decode())


def no_letter(b):
    return chr(len(b) - 9)


def not_there(b):
    return b.decode().index("a", 1)


def unknown(b):
    return [PLACES[c] for c in b.decode()]


@pytest.mark.parametrize("body", [two_letters, no_letter, not_there, unknown])
def test_what_fails_in_python_stops_the_graph(body):
    with pytest.raises((KeyError, TypeError, ValueError)):
        body(b"axy")
    graph = tf.function(port(body), input_signature=[tf.TensorSpec([], tf.string)])
    with pytest.raises(tf.errors.InvalidArgumentError):
        graph(tf.constant("axy"))


def as_set(b):
    return len(set(b.decode()))


def empty_between(b):
    return b.decode().find("", 1)


@pytest.mark.parametrize("body", [as_set, empty_between])
def test_what_the_graph_has_no_form_for_is_refused(body):
    with pytest.raises((PortRefused, WrongType, ValueError), match="allowed: "):
        tf.data.Dataset.from_tensors(b"aba").map(port(body))
