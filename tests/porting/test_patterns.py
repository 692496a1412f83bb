"""`re.sub` and `re.split` of strings known only at run time give what Python does."""

from __future__ import annotations

import re

import numpy as np
import pytest
import tensorflow as tf
from hypothesis import example, given
from hypothesis import strategies as st

from pipeport.errors import PortRefused
from pipeport.porting import port
from pipeport.porting.strings._patterns import in_re2

TEXTS = [
    "",
    "a",
    "abc 12,  x-3.5",
    "\u0661\u0662 É\u00a0ß_\u2003z\n",
    "aaa\nbbb",
    "[x](y){1}\\",
    "a.b.c",
    "--a--",
]
SERVED = [
    r"[0-9]+", r"\d", r"\D+", r"\s+", r"\S", r"\w+", r"\W", r"[^\w\s]", r"[^a-zA-Z ]", r"a|b+c?", r"(a)(b)?",
    r"(?:ab)+", r"a{2,3}", r"a+?", r".", r"\.", r"[.\-]", r"\[\w\]", r"[]x]", r"\\", r"\n", "é|É", r"\(|\)",
    "[-,]", r"}", r"x\-3", "(?:)a",
]  # fmt: skip
REFUSED = [
    r"a*", "", r"^a", r"a$", r"\ba", r"(?=a)a", r"(?P<n>a)", r"(a)\1", r"a++", r"[[:alpha:]]", r"a{2000}",
    r"a{1,2000}", r"(?i)a", r"[a&&b]", "a|",
]  # fmt: skip


def traced(function):
    return tf.function(port(function), input_signature=[tf.TensorSpec([], tf.string)], autograph=False)


@pytest.mark.parametrize("pattern", SERVED)
def test_a_pattern_finds_the_same(pattern):
    compiled = re.compile(pattern)

    def cleaned(b):
        first = re.sub(pattern, "<>", b.decode(), count=1)
        return first, re.sub(pattern, "", b.decode()), re.sub(compiled, r"-", b.decode())

    run = traced(cleaned)
    for text in TEXTS:
        assert [one.numpy().decode() for one in run(text.encode())] == list(cleaned(text.encode()))


@pytest.mark.parametrize("pattern", [r"[ ,]+", r"\s", "-", r"\.|b"])
def test_a_string_is_split_by_a_pattern(pattern):
    run = traced(lambda b: np.array(re.split(pattern, b.decode())))
    for text in TEXTS:
        assert [one.decode() for one in run(text.encode()).numpy()] == re.split(pattern, text)
    with pytest.raises(tf.errors.InvalidArgumentError, match="zero byte"):
        run(b"a\0b")


NO_LETTER = re.compile(r"[^\w ]")


def test_methods_of_compiled_patterns():
    def cleaned(b):
        spaces = re.compile(r"\s+")
        return np.array(spaces.split(NO_LETTER.sub("", b.decode())))

    run = traced(cleaned)
    for text in ("cat, dog (1)", "É--x"):
        assert [one.decode() for one in run(text.encode()).numpy()] == list(cleaned(text.encode()))


def test_groups_are_put_back():
    run = traced(lambda b: re.sub(r"(\w+) (\w+)", r"\2_\1", b.decode()))
    assert run(b"cat dog, a b").numpy() == b"dog_cat, b_a"


@pytest.mark.parametrize("pattern", REFUSED)
def test_other_patterns_are_refused(pattern):
    with pytest.raises(PortRefused, match=r"re\.sub: got"):
        traced(lambda b: re.sub(pattern, "", b.decode())).get_concrete_function()


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda b: re.sub("a", r"\1", b.decode()), "replacement"),
        (lambda b: re.sub("a", str.upper, b.decode()), "replacement"),
        (lambda b: re.sub("a", "b", b.decode(), count=2), "count=2"),
        (lambda b: re.sub("a", "b", b.decode(), flags=re.IGNORECASE), "'a'"),
        (lambda b: re.sub(b"a", b"b", b), "re.sub"),
        (lambda b: np.array(re.split("(a)", b.decode())), "all parts"),
        (lambda b: np.array(re.split("a", b.decode(), maxsplit=1)), "all parts"),
    ],
    ids=["no group", "function", "count", "flags", "bytes", "groups", "maxsplit"],
)
def test_other_options_are_refused(function, words):
    with pytest.raises(PortRefused, match=words):
        traced(function).get_concrete_function()


def test_known_strings_are_pythons():
    run = traced(lambda b: b.decode() + re.sub("^b*$", "c", "bb") + re.split("(-)", "x-y")[1])
    assert run(b"a").numpy() == b"ac-"


@given(st.text("ab01 .-[]^\\dws+?(|)", max_size=6), st.text("ab01 .-[]^\\_é\n", max_size=8))
@example("[^-a]", "-a")
@example(r"[\w-]", "a-")
def test_what_is_served_equals_python(pattern, text):
    try:
        compiled = re.compile(pattern)
    except re.error:
        return
    found = in_re2(pattern)
    if found is None or compiled.match(""):
        return
    right = compiled.sub("<>", text)
    assert tf.strings.regex_replace(text, found, "<>").numpy().decode() == right
