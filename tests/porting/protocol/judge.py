"""Holds a port to Python's answer in one cell of the table, or to a refusal."""

from __future__ import annotations

import collections.abc
import itertools
import os
import textwrap
import warnings
from pathlib import Path

import numpy as np
import tensorflow as tf

from pipeport.errors import PipeportError
from pipeport.porting import port
from tests.porting.protocol.kinds import KINDS, NAMES, inputs

SERVED, REFUSED, RAISES, LENIENT = "served", "refused", "raises", "lenient"
WIDER, WRONG, CRASH = "wider", "wrong", "crash"
SPECS = [tf.TensorSpec([], tf.string), tf.TensorSpec([None], tf.uint8), tf.TensorSpec([], tf.int64)]
_ITERATED = (
    range, map, filter, zip, enumerate, collections.abc.Iterator, collections.abc.KeysView,
    collections.abc.ValuesView, collections.abc.ItemsView,
)  # fmt: skip
_count = itertools.count()


def shown(value):
    """Return the code that makes a result one which a dataset can hold."""
    if value is None or value is NotImplemented:
        return "found is None"
    if isinstance(value, type):
        return "found.__name__"
    if isinstance(value, (bool, int, float, complex, str, bytes, np.generic)):
        return "found"
    if isinstance(value, np.ndarray):
        return "found" if value.dtype.kind in "biufcSU" else "1"
    if isinstance(value, (set, frozenset)):
        return "sorted(found)"
    if isinstance(value, (list, tuple)):
        return "found" if value and all(shown(one) == "found" for one in value) else "len(found)"
    if isinstance(value, dict):
        plain = all(isinstance(one, str) for one in value) and all(
            shown(one) == "found" for one in value.values()
        )
        return "found" if plain else "list(found)"
    if isinstance(value, _ITERATED):
        return "list(found)"
    if isinstance(value, os.PathLike):
        return "str(found)"
    if type(value).__module__.startswith("PIL") and hasattr(value, "size"):
        return "np.asarray(found)"
    return "1"


def function(kind, lines, tail, name="body"):
    """Return the source of a function that does what a cell does."""
    return f"def {name}(p, x, k):\n" + textwrap.indent(f"{KINDS[kind]}\n{lines}\nreturn {tail}\n", "    ")


def compiled(source, folder):
    """Return the function `body` of a source, which lies in a file as a user's does."""
    file = Path(folder) / f"cell_{next(_count)}.py"
    file.write_text(f"{NAMES}\n{source}")
    space = {"__name__": file.stem, "__file__": str(file)}
    exec(compile(file.read_text(), str(file), "exec"), space)
    return space["body"]


def answers(kind, lines, folder):
    """Return what Python gives for each element, or the error, and the code that shows a result."""
    space: dict = {}
    exec(f"{NAMES}\n{function(kind, lines, 'found')}", space)
    found, tails = [], []
    for one, row, number in inputs(kind, folder):
        try:
            value = space["body"](one, row.copy(), number)
        except Exception as error:
            found.append(error)
            continue
        tails.append(shown(value))
        found.append(value)
    tail = tails[0] if tails else "found"
    return found, tail if len(set(tails)) < 2 else "found" if "found" in tails else tail


def plain(value):
    """Return the elements of a result in a row, strings as bytes."""
    if isinstance(value, dict):
        return [part for key in sorted(value) for part in plain(value[key])]
    if isinstance(value, (list, tuple)):
        return [part for one in value for part in plain(one)]
    value = value.numpy() if hasattr(value, "numpy") else value
    if isinstance(value, (str, bytes)):
        return [value.encode() if isinstance(value, str) else value]
    found = np.asarray(value)
    if found.dtype.kind in "SUO":
        return [_object(one) for one in found.reshape(-1).tolist()]
    kind = "i" if found.dtype.kind == "u" else found.dtype.kind
    return [(kind, one) for one in found.reshape(-1).tolist()]


def _object(one):
    if isinstance(one, str):
        return one.encode()
    if isinstance(one, int):
        return "i", one
    return one if isinstance(one, bytes) else repr(one)


def same(ours, theirs):
    """Say whether two results have the same elements: of one kind, floats within rounding."""
    left, right = plain(ours), plain(theirs)
    if len(left) != len(right):
        return False
    for one, other in zip(left, right, strict=True):
        if isinstance(one, tuple) and isinstance(other, tuple) and one[0] == other[0] == "f":
            if not np.isclose(one[1], other[1], rtol=1e-6, equal_nan=True):
                return False
        elif one != other:
            return False
    return True


def _wider(ours, theirs):
    """Say whether a number of Python's that a condition chose has the kind of the widest of the two."""
    left, right = plain(ours), plain(theirs)
    numbers = [
        (one, other) for one, other in zip(left, right, strict=False) if type(one) is type(other) is tuple
    ]
    return len(left) == len(right) == len(numbers) and all(
        one[1] == other[1] and "bif".find(one[0]) >= "bif".find(other[0]) for one, other in numbers
    )


def judge(kind, lines, folder):
    """Return what becomes of a cell in a graph that knows no size, and why."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return _judged(kind, lines, folder)


def _judged(kind, lines, folder):
    theirs, tail = answers(kind, lines, folder)
    body = compiled(function(kind, lines, tail), folder)
    raises = all(isinstance(one, Exception) for one in theirs)
    try:
        graph = tf.function(port(body), input_signature=SPECS, autograph=False)
        graph.get_concrete_function()
    except PipeportError as error:
        return _refused(error)
    except Exception as error:
        return (RAISES if raises else CRASH), f"{type(error).__name__}: {error}"
    for given, right in zip(inputs(kind, folder), theirs, strict=True):
        try:
            ours = graph(*given)
        except tf.errors.OpError as error:
            if isinstance(right, Exception):
                continue
            return CRASH, f"{type(error).__name__}: {error}"
        if isinstance(right, Exception):
            return LENIENT, f"{type(right).__name__}: {right}"
        expected = body(given[0], given[1].copy(), given[2])
        if not same(ours, expected):
            if _wider(ours, expected):
                return WIDER, ""
            return WRONG, f"{plain(ours)!r:.100} for {plain(expected)!r:.100}"
    return (RAISES if raises else SERVED), ""


def _refused(error):
    told = "".join((str(error), *getattr(error, "__notes__", ())))
    return (REFUSED, str(error)) if "line " in told else (CRASH, f"refused without a line: {error}")
