"""The source of a live function is found where it stands, also where others stand near."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from pipeport.inspection._verdict import _target


def marked(function):
    return function


def first(x):
    def inner(y):
        return y + 1

    return inner(x)


pair = (lambda x: np.fliplr(x) + 1, 3)


def second(x):
    return x


@marked
@functools.lru_cache
def third(x):
    return x


class Body:
    def __call__(self, x):
        return x

    def method(self, x):
        return x


@pytest.mark.parametrize(
    ("function", "line"),
    [(first, "def first"), (pair[0], "pair = "), (second, "def second"), (Body().method, "def method")],
)
def test_a_function_is_found_by_its_own_line(function, line):
    target, module = _target(function, {})
    assert target.kind == "function"
    assert module.lines[target.node.lineno - 1].strip().startswith(line)


def test_one_with_decorators_begins_at_the_first():
    target, module = _target(third.__wrapped__, {})
    assert module.lines[target.node.lineno - 1] == "def third(x):"


def test_one_of_c_has_none():
    assert _target(len, {})[0].kind == "library"
