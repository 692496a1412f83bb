"""Strings in ported bodies that the user compiles himself."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from pipeport import _tensorflow_private as private
from pipeport.errors import PortRefused
from pipeport.porting import port

pytestmark = pytest.mark.both


def lengths(a, b, c, d):
    return len(a) + len(b), len(c) + len(d)


def scaled(x, name):
    return x * len(name)


def named(x):
    return x + 1, "name"


def nested(run):
    inner = tf.function(run)

    def outer(*arguments):
        return inner(*arguments)

    return outer


def mapped(run):
    return lambda *arguments: next(iter(tf.data.Dataset.from_tensors(arguments).map(run)))


WORDS = [tf.constant(one) for one in ("a", "bc", "d", "e")]
X = np.arange(3, dtype=np.float32)


@pytest.mark.parametrize(
    ("body", "given", "words"),
    [(lengths, WORDS, "argument"), (scaled, [X, WORDS[0]], "argument"), (named, [X], "result")],
    ids=["four", "one", "result"],
)
def test_strings_that_the_user_compiles_are_refused(body, given, words):
    match = rf"{words}: got a string under `jit_compile=True`"
    for run in (
        tf.function(port(body), jit_compile=True),
        tf.function(nested(port(body)), jit_compile=True),
        mapped(tf.function(port(body), jit_compile=True)),
    ):
        with pytest.raises(PortRefused, match=match):
            run(*given)


def test_strings_that_python_knows_and_functions_that_are_not_compiled():
    given = [b"a", b"bc", b"d", b"e"]
    compiled = tf.function(port(lengths), jit_compile=True)(*given)
    assert [int(one) for one in compiled] == [3, 2]
    assert [int(one) for one in tf.function(port(lengths))(*WORDS)] == [3, 2]
    np.testing.assert_array_equal(tf.function(port(scaled), jit_compile=True)(X, b"ab"), X * 2)


def test_who_compiles_is_known():
    seen = []

    def look():
        seen.append(private.is_compiled())

    for compiled in (True, False, None):
        tf.function(look, jit_compile=compiled).get_concrete_function()
        tf.function(nested(look), jit_compile=compiled).get_concrete_function()
    assert seen == [True, True, False, False, False, False]
    assert not private.is_compiled()
