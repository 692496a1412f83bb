"""Each rule that drawn programs are there to test: without it their comparison fails.

The programs are drawn ones, made small; `python -m tests.porting.drawn.mutants` draws such programs anew, and
finds each of these mutants among the first 500.
"""

from __future__ import annotations

import dataclasses
import functools

import pytest
import tensorflow as tf

from pipeport.kernels.xla import _single_threaded
from tests.porting.drawn.judge import judge
from tests.porting.drawn.mutants import COMPILED, EAGER, FUNCTION, MUTANTS, UNKNOWN
from tests.porting.drawn.programs import Argument, body_of

BYTES, WHOLE = Argument("uint8", (4, 3)), Argument("int32", (4, 3, 2))
FLOATS = Argument("float32", (5, 4, 3), special=True)
NUMBER = Argument("int64", (), (1, 3))

# By row of the table: an expression, and where it is run.
ORDER = {
    "x - 7.3 + 7.3": ("(x + 7.7 - 0.3)", FUNCTION),
    "x * 0.3 * 10": ("(x * 0.3 * 7.7)", FUNCTION),
    "np.exp(x) * np.exp(x * 3)": ("(np.exp(np.abs(x)) * np.exp(np.abs(x) * -2))", COMPILED),
    "np.sqrt(np.abs(x)) * np.sqrt(np.abs(x))": ("np.square(np.sqrt(np.abs(x)))", COMPILED),
    "x * (x > 20) * 2": ("(x * (x > 50))", COMPILED),
    "x / 3 / 5": ("(x / 7.7 / 0.1)", COMPILED),
    "0.3 / np.sqrt(x)": ("(0.3 / np.sqrt(np.abs(x) + 1))", FUNCTION),
    "x / 0.3": ("(x / 0.3)", FUNCTION),
    "1 / x": ("(1 / (np.abs(x) + 1))", FUNCTION),
    "(-x) ** -0.5": ("(x ** -0.5)", FUNCTION),
    "np.exp(x) ** 0.3": ("(np.exp(np.abs(x)) ** 0.01)", COMPILED),
    "np.sqrt(x * x)": ("np.sqrt(np.square(x * 1e-30))", COMPILED),
    "np.log(np.exp(x))": ("np.log(np.exp(np.abs(x)))", COMPILED),
    "~(x < 3)": ("(~(x < 50))", FUNCTION),
    "0 - x.astype(np.uint8)": ("(0 - x)", FUNCTION),
    "(x.astype(np.uint8) - 3) ** 2": ("((x - 3) ** 2)", FUNCTION),
}


def of_expression(shown, text):
    """Return a program of one expression."""
    made = body_of(f"a = {text}", "return a", x=BYTES if "uint8" in shown else FLOATS)
    slack = {"a": 1e-5} if "exp" in text or "**" in text else {}
    return dataclasses.replace(made, slack=slack, scale=10.0)


# A program, where it is run, and the mutants that it shows.
WITNESSES = [
    *[(of_expression(shown, text), mode, [f"order: {shown}"]) for shown, (text, mode) in ORDER.items()],
    (
        body_of("a = x[1:]", "b = x.T", "a[0] = 7", "return x, a, b", x=BYTES),
        EAGER,
        [
            "views are copies",
            "writes stay in the view",
            "what was read is kept",
        ],
    ),
    (
        body_of("a = np.moveaxis(x, 0, -1)", "a[..., 0] = 7", "return x, a", x=WHOLE),
        EAGER,
        ["transposed the other way"],
    ),
    (
        body_of("a = np.flip(x, 0)", "a[0] = 7", "return x, a", x=BYTES),
        EAGER,
        ["mirrored views are written as they are"],
    ),
    (body_of("a = np.rot90(x)", "a[0] = 7", "return x, a", x=BYTES), EAGER, ["other views are not written"]),
    (body_of("for row in x:", "    row[:1] = 7", "return x", x=BYTES), EAGER, ["rows are copies"]),
    (body_of("a = x.max()", "b = a", "a -= 3", "return x, a, b", x=BYTES), EAGER, ["numbers are arrays"]),
    (body_of("a = x.reshape(-1)", "a[1:] = 7", "return x, a", x=BYTES), EAGER, ["reshape copies"]),
    (body_of("a = x.T.reshape(-1)", "a[1:] = 7", "return x, a", x=BYTES), EAGER, ["reshape never copies"]),
    (
        body_of("a = x[:, 1:].reshape(-1)", "a[1:] = 7", "return x, a", x=BYTES),
        EAGER,
        ["slices have no gaps"],
    ),
    (
        body_of("a = (x.T * 2)", "b = a.reshape(-1)", "b[1:] = 7", "return a, b", x=BYTES),
        EAGER,
        ["operators give the order C"],
    ),
    (
        body_of("a = np.sort(x.T, axis=0)", "b = a.reshape(-1)", "b[1:] = 7", "return a, b", x=BYTES),
        EAGER,
        ["functions give the order C"],
    ),
    (
        body_of("a = (x if k > 1 else x.copy())", "x[0] = 7", "return x, a", x=BYTES, k=NUMBER),
        FUNCTION,
        [
            "no alias_if",
            "alias_if that holds",
            "alias_if that does not hold",
        ],
    ),
    (
        body_of(
            "a = x.copy()",
            "for i in range(k):",
            "    a = np.flip(x, 0)",
            "a[0] = 7",
            "return x, a",
            x=BYTES,
            k=NUMBER,
        ),
        FUNCTION,
        [
            "no may_alias",
            "loops alias nothing",
        ],
    ),
    (body_of("x[..., 0].reshape(-1)[:2] = 7", "return x", x=WHOLE), UNKNOWN, ["reshape aliases nothing"]),
    (
        body_of("a = np.flip(x, 0).reshape(-1)", "a[1:] = 7", "return x, a", x=BYTES),
        UNKNOWN,
        ["reshape of any strides is a view"],
    ),
    (
        body_of("if k > 1:", "    x[0] = 7", "return x", x=BYTES, k=NUMBER),
        FUNCTION,
        [
            "what a branch wrote stays",
            "what a branch wrote is lost",
        ],
    ),
    (
        body_of(
            "a = np.floor(x - x.max(axis=-1, keepdims=True))",
            "return a",
            x=Argument("float32", (128, 160, 3)),
        ),
        FUNCTION,
        ["reductions are handed over"],
    ),
]


@functools.cache
def of_the_port(place):
    program, mode, _ = WITNESSES[place]
    return judge(program, (mode,))


@pytest.mark.parametrize(
    ("place", "name"), [(place, name) for place, row in enumerate(WITNESSES) for name in row[2]]
)
def test_a_rule_taken_back_is_noticed(place, name):
    program, mode, _ = WITNESSES[place]
    if MUTANTS[name].real and not tf.version.VERSION.startswith(_single_threaded._RELEASES):
        pytest.skip("programs are divided in this release")
    if "sqrt(np.abs(x)) *" in name and tf.__version__ < "2.16":
        pytest.skip("TensorFlow 2.15 does not join roots")
    assert not of_the_port(place).failed, of_the_port(place)
    with MUTANTS[name].applied():
        assert judge(program, (mode,)).failed


def test_every_mutant_has_a_witness():
    assert sorted(name for _, _, names in WITNESSES for name in names) == sorted(MUTANTS)
