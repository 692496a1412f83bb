"""The language of --input: what it says, what it draws, and where it points when it is wrong."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import find, given
from hypothesis import strategies as st

from pipeport.contract import Boolean, OneOf
from pipeport.errors import OutsideDomain
from pipeport.verify import _user_inputs  # noqa: F401 - registers its strategies
from pipeport.verify._api import pair_of_functions
from pipeport.verify._examples import examples
from pipeport.verify._mini_language import parse
from pipeport.verify._mini_specs import Interval, Number, Size, Tensor
from pipeport.verify._own_inputs import parameters_in_source, parameters_of

pytestmark = pytest.mark.newest_only


def test_the_example_of_the_documentation():
    specs = parse(
        "image: float32[H,W,3] in [0,1]; label: int32[H,W] in [0,4]; angle: float64[] in [-180,180];"
        "k: int in [0,3]; flag: bool; mode: {'edge','wrap'}"
    )
    h, w = Size("H", 1, 12), Size("W", 1, 12)
    assert specs == {
        "image": Tensor(dtypes=("float32",), sizes=(h, w, Size(None, 3, 3)), interval=Interval(0, 1)),
        "label": Tensor(dtypes=("int32",), sizes=(h, w), interval=Interval(0, 4)),
        "angle": Tensor(dtypes=("float64",), sizes=(), interval=Interval(-180, 180)),
        "k": Number(kind="int", interval=Interval(0, 3)),
        "flag": Boolean(),
        "mode": OneOf("edge", "wrap"),
    }


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("x: bool[2]", Tensor(dtypes=("bool",), sizes=(Size(None, 2, 2),))),
        ("x: uint8|float32[...]", Tensor(dtypes=("uint8", "float32"), sizes=(), leading=True)),
        (
            "x: float16[0] with nan, inf",
            Tensor(dtypes=("float16",), sizes=(Size(None, 0, 0),), nan=True, inf=True),
        ),
        ("x: float in (-pi, pi]", Number(kind="float", interval=Interval(-math.pi, math.pi, open_low=True))),
        ("x: float in [1e-3,.5)", Number(kind="float", interval=Interval(1e-3, 0.5, open_high=True))),
        ("x: int;", Number(kind="int", interval=Interval(-100, 100))),
        ("x: {-1, 2.5, None, True}", OneOf(-1, 2.5, None, True)),
    ],
)
def test_forms(text, spec):
    assert parse(text) == {"x": spec}


def test_the_range_of_a_size_holds_wherever_its_name_stands():
    specs = parse("a: uint8[H]; b: uint8[H=2..3]")
    assert specs["a"].sizes == specs["b"].sizes == (Size("H", 2, 3),)


@pytest.mark.parametrize(
    ("text", "problem", "column"),
    [
        ("", "expected the name of an input, found the end", 0),
        ("image float32[2]", "expected ':'", 6),
        ("image: float[H]", "unknown dtype 'float'", 7),
        ("image: flot32[H]", "unknown dtype 'flot32'", 7),
        ("image: decimal[H]", "unknown dtype 'decimal'", 7),
        ("image: float32", "needs its sizes", 14),
        ("image: uint8|[H]", "expected a dtype", 13),
        ("image: uint8[H", "expected ',' or ']', found the end", 14),
        ("image: uint8[H,...]", "comes first", 15),
        ("image: uint8[-1]", "a whole number from 0", 13),
        ("image: uint8[H=5..2]", "the range 5..2 is empty", 15),
        ("a: uint8[H=1..2]; b: uint8[H=1..3]", "another range above", 27),
        ("image: uint8[H] in [3,1]", "this range is empty", 19),
        ("image: uint8[H] in [0,256]", "wider than uint8", 19),
        ("image: uint8[H] in (0,1)", "no integer in this range", 19),
        ("image: bool[H] in [0,1]", "bool has no range", 18),
        ("image: uint8[H] with nan", "uint8 has no nan", 21),
        ("image: float32[H] with zero", "expected nan or inf", 23),
        ("k: int in [0 3]", "expected ','", 13),
        ("k: int in {0,3}", "expected a range", 10),
        ("mode: {edge}", "expected a quoted text", 7),
        ("mode: {'edge' 'wrap'}", "expected ',' or '}'", 14),
        ("a: int; a: int", "there twice", 8),
        ("a: int b: int", "expected ';' or the end", 7),
        ("a: int $", "unexpected '$'", 7),
        ("a: text8", "unknown dtype 'text8'", 3),
    ],
)
def test_a_mistake_is_pointed_at(text, problem, column):
    with pytest.raises(OutsideDomain) as caught:
        parse(text)
    first, source, caret, hint = str(caught.value).splitlines()[:4]
    assert problem in first
    assert source == f"  {text}"
    assert caret == " " * (2 + column) + "^"
    assert hint


@pytest.mark.parametrize(
    ("dtype", "advice"),
    [
        ("flot32", "Did you mean float32?"),
        ("float", "Allowed: float32 or float64."),
        ("decimal", "Allowed: bool, uint8"),
    ],
)
def test_an_unknown_dtype_is_answered_by_the_nearest(dtype, advice):
    with pytest.raises(OutsideDomain) as caught:
        parse(f"image: {dtype}[H]")
    assert str(caught.value).splitlines()[3].startswith(advice)


def test_the_caret_stands_in_its_own_line_of_a_long_text():
    with pytest.raises(OutsideDomain) as caught:
        parse("a: int;\nb: wrong[H];\nc: int")
    assert str(caught.value).splitlines()[1:3] == ["  b: wrong[H];", "     ^"]


def takes_anything(**arguments):
    return arguments


def drawn(text, engine="eager"):
    return examples(pair_of_functions(takes_anything, takes_anything, text), engine)


@given(st.data(), st.sampled_from(["eager", "graph"]))
def test_shared_sizes_are_equal_and_ranges_hold(data, engine):
    tensors = "a: float32[...,H=2..40,W] in (0,1); b: uint8|int16[...,W,H] in [3,9]"
    arguments = data.draw(drawn(f"{tensors}; k: int in (0,3); p: float in [0,1)", engine)).arguments
    a, b = arguments["a"], arguments["b"]
    assert a.ndim == b.ndim <= 4
    assert a.shape[:-2] == b.shape[:-2]
    assert a.shape[-2:] == b.shape[-2:][::-1]
    assert 2 <= a.shape[-2] <= 40
    assert a.dtype == np.float32
    assert ((a > 0) & (a < 1)).all()
    assert ((b >= 3) & (b <= 9)).all()
    assert arguments["k"] in (1, 2)
    assert 0 <= arguments["p"] < 1


@given(drawn("a: float64[3] in [0,1]"))
def test_no_nan_unless_asked_for(call):
    assert np.isfinite(call.arguments["a"]).all()


@given(drawn("a: float32[...,H,3]", "graph"))
def test_named_and_leading_axes_are_the_unknown_ones(call):
    rank = call.arguments["a"].ndim
    assert call.unknown["a"] == tuple(range(rank - 1))


@given(drawn("a: float32[None,None,3]; b: uint8[None=2..3]", "graph"))
def test_each_none_is_unknown(call):
    assert call.unknown["a"] == (0, 1)
    assert 2 <= call.arguments["b"].shape[0] <= 3


def test_two_nones_are_two_sizes():
    find(drawn("a: float32[None,None,3]"), lambda call: len(set(call.arguments["a"].shape[:2])) == 2)
    find(
        drawn("a: uint8[None]; b: uint8[None]"),
        lambda call: call.arguments["a"].shape != call.arguments["b"].shape,
    )


def subtract(x, y, *, scale=1):
    return (x - y) * scale


class TestNames:
    """The inputs have the names of the parameters, or the functions get them by position."""

    def test_functions_with_other_names_get_inputs_by_position(self):
        pair = pair_of_functions(subtract, subtract, "a: int; b: int")
        assert pair.reference(a=5, b=3) == 2
        with pytest.raises(OutsideDomain, match="at most 2 inputs"):
            pair_of_functions(subtract, subtract, "a: int; b: int; c: int")

    def test_by_name_where_one_function_has_the_names(self):
        pair = pair_of_functions(subtract, lambda x, b: x - b, "x: int; b: int")
        assert pair.reference(x=5, b=3) == pair.native(x=5, b=3) == 2

    def test_a_misspelt_name_is_a_mistake(self):
        message = r"got 'yy', which is not a parameter; allowed: .*subtract: x, y, scale. Did you mean y\?"
        with pytest.raises(OutsideDomain, match=message):
            pair_of_functions(subtract, subtract, "x: int; yy: int")

    @pytest.mark.parametrize("text", ["x: int", "a: int", "y: int; scale: int"])
    def test_a_missing_input_is_a_mistake(self, text):
        message = r"all that .*subtract needs: also [xy]\. Add [xy] to the inputs"
        with pytest.raises(OutsideDomain, match=message):
            pair_of_functions(subtract, subtract, text)

    def test_builtins_without_a_signature_are_not_judged(self):
        assert parameters_of(max) is None
        assert pair_of_functions(max, max, "a: int; b: int").reference is max


SOURCE = """
from math import floor as imported
def plain(a, /, b, c=1, *rest, d, e=2, **more): pass
@staticmethod
def decorated(a): pass
def again(a): pass
again = len
class Kind:
    def method(self): pass
"""


class TestParametersInSource:
    def test_they_are_those_of_the_function_itself(self, tmp_path, monkeypatch):
        (tmp_path / "a_folder").mkdir()
        (tmp_path / "a_folder" / "__init__.py").write_text("raise RuntimeError('imported')")
        (tmp_path / "a_folder" / "inner.py").write_text(SOURCE)
        monkeypatch.syspath_prepend(tmp_path)
        found = parameters_in_source("a_folder.inner", "plain")
        scope = {}
        exec("def plain(a, /, b, c=1, *rest, d, e=2, **more): pass", scope)
        told = [(p.name, p.kind, p.default is p.empty) for p in found]
        assert told == [(p.name, p.kind, p.default is p.empty) for p in parameters_of(scope["plain"])]
        for name in ("decorated", "again", "imported", "method", "Kind", "nothing"):
            assert parameters_in_source("a_folder.inner", name) is None

    def test_nothing_is_known_below_two_folders_that_are_no_packages(self, tmp_path, monkeypatch):
        (tmp_path / "an_outer" / "an_inner").mkdir(parents=True)
        (tmp_path / "an_outer" / "an_inner" / "code.py").write_text(SOURCE)
        monkeypatch.syspath_prepend(tmp_path)
        assert parameters_in_source("an_outer.an_inner.code", "plain") is None

    @pytest.mark.parametrize("module", ["math", "no_such_module", "no_such_folder.module"])
    def test_nothing_is_known_of_what_has_no_source(self, module):
        assert parameters_in_source(module, "sqrt") is None
