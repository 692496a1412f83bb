"""Functions of `re` on strings known only at run time give what Python's do."""

from __future__ import annotations

import re

import numpy as np
import pytest
import tensorflow as tf
from hypothesis import example, given
from hypothesis import strategies as st

from pipeport.errors import PortRefused
from pipeport.porting import port
from pipeport.porting._values import tensor_of
from pipeport.porting.strings._patterns import in_re2, matched
from pipeport.porting.strings._text import as_text

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
    r"a{1,2000}", r"(?i)a", r"[a&&b]", "a|", "(?:a??)+b", "((?:a*|b)c?)*d",
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


@pytest.mark.filterwarnings("ignore:Possible:FutureWarning")
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
    def known(b):
        found = re.search("(?i)(?<=b)C(d)?", "abc")
        return b.decode() + re.sub("^b*$", "c", "bb") + re.split("(-)", "x-y")[1] + found[0]

    assert traced(known)(b"a").numpy() == b"ac-c"


NAMES = ["img_0012.png", "", "cat_7.jpg", "a07", "07_a_3", "x_1.png\n", "\u00e9b_12.png", "ab_1.tif"]
NAMED = re.compile(r"(?P<kind>[a-z]+)_(?P<number>\d+)\.(jpg|png)$")


def by_names(b):
    m = NAMED.match(b.decode())
    if not m:
        return "", -1
    return m.group("kind") + m["kind"], int(m.groupdict()["number"])


def one_after_another(b):
    m = re.match(r"a(\d+)", b.decode())
    if m is None:
        m = re.search(r"0(\d)", b.decode())
    if m is None:
        return "", 0, 0
    return m.group(), m.start(), m.end()


def one_or_another(b):
    m = re.match(r"a(\d+)", b.decode()) or re.search(r"0(\d)", b.decode())
    return int(m[1]) if m else -5


def found_at_once(b):
    if m := re.search(r"(\d+)(_?)", b.decode()):
        return int(m.group(1)), m.group(2, 1)[0], m.span()
    return 0, "", (0, 0)


def of_each_part(b):
    total = 0
    for part in b.decode().split("_"):
        m = re.match(r"(\d+)", part)
        if m:
            total += int(m.group(1))
    return total


def under_a_condition(b):
    m = None
    if len(b) > 5:
        m = re.search(r"\d(\d)", b.decode())
    return m.groups()[0] if m is not None else "x"


def asked(b):
    whole = re.fullmatch(r"[a-z]+_\d+\.png", b.decode())
    return bool(re.search("x", b.decode())), re.match("^i", b.decode()) is not None, whole is None


def all_of_them(b):
    numbers = re.findall(r"\d+", b.decode())
    total = 0
    for letters in re.compile("([a-z]+)_").findall(b.decode()):
        total += len(letters)
    return len(numbers), total, int(numbers[-1]) if numbers else -1


MATCHED = [
    by_names, one_after_another, one_or_another, found_at_once, of_each_part, under_a_condition, asked,
    all_of_them,
]  # fmt: skip


@pytest.mark.parametrize("body", MATCHED, ids=lambda one: one.__name__)
def test_what_a_pattern_finds(body):
    run = traced(body)
    for name in NAMES:
        for found in (run(name.encode()), port(body)(name.encode())):
            right = [
                one.encode() if isinstance(one, str) else one for one in tf.nest.flatten(body(name.encode()))
            ]
            assert [np.asarray(one).item() for one in tf.nest.flatten(found)] == right


def test_nothing_found_stops_the_graph_where_python_raises():
    run = traced(lambda b: re.match("x(y)", b.decode()).group(1))
    assert run(b"xy").numpy() == b"y"
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"test_patterns.py, line \d+: AttributeError"):
        run(b"y")


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda b: re.match("x(y)", b.decode()), "result: got what a pattern found"),
        (lambda b: re.match("i(y)?", b.decode())[1], "take part in each match"),
        (lambda b: re.search("(a)|(b)", b.decode())[1], "take part in each match"),
        (lambda b: re.search("(?:(a)b){0,2}", b.decode())[1], "take part in each match"),
        (lambda b: re.search("(a)" * 8, b.decode())[1], "7 at most"),
        (lambda b: NAMED.search(b.decode(), 2)[1], r"re\.search: got"),
        (lambda b: re.match("A", b.decode(), re.IGNORECASE)[0], r"re\.match: got"),
        (lambda b: re.match(b"A", b)[0], "got a bytes"),
        (lambda b: re.search(r"^a|b$", b.decode())[0], r"re\.search: got"),
        (lambda b: np.array(re.findall("(a)(b)", b.decode())), "one group at most"),
        (lambda b: np.array(re.findall("a*", b.decode())), "matches no empty text"),
    ],
)  # fmt: skip
def test_other_matches_are_refused(function, words):
    with pytest.raises(PortRefused, match=words):
        traced(function).get_concrete_function()


def test_the_refusal_of_a_result_names_the_line():
    with pytest.raises(PortRefused) as caught:
        traced(lambda b: re.match("x(y)", b.decode())).get_concrete_function()
    assert any(
        re.match(r"It was found in \S+test_patterns.py, line \d+", one) for one in caught.value.__notes__
    )


def test_a_pattern_that_is_none_raises_as_in_python():
    with pytest.raises(re.error, match="unbalanced parenthesis"):
        traced(lambda b: re.search("a)", b.decode())[0]).get_concrete_function()


def test_alternatives_within_a_group_are_none_of_a_group():
    run = traced(lambda b: re.search(r"((?:a|b)+)(?:\.|-)(c|d)", b.decode()).groups())
    assert [one.numpy() for one in run(b"xab-d")] == [b"ab", b"d"]


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


@given(
    st.text("ab01 .-[]^\\dws+?(|)$", max_size=8),
    st.text("ab01 .-[]^\\_é\n", max_size=8),
    st.sampled_from([re.match, re.search, re.fullmatch]),
)
@example("(a|ab)(1+?)$", "aab11\n", re.search)
@example("^[^a]+$", "b\n", re.match)
@example("[^a]+?$", "b\n\n", re.search)
@example("(a|b)+", "xab", re.search)
def test_what_is_found_equals_pythons(pattern, text, function):
    try:
        right = function(pattern, text)
        holds, found = matched(f"re.{function.__name__}", pattern, as_text(text), 0)
    except (re.error, PortRefused):
        return
    assert bool(holds) == (right is not None)
    if right is not None:
        groups = [one.tensor.numpy().decode() for one in (found.group(), *found.groups())]
        assert groups == [right.group(), *right.groups()]
        assert tuple(int(tensor_of(one)) for one in found.span()) == right.span()
