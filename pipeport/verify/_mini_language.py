"""The language of `pipeport verify --input`: one line that describes a function's inputs.

Inputs are separated by semicolons, and have the names of the function's parameters::

    image: float32[H,W,3] in [0,1]; label: int32[H,W] in [0,4]; angle: float64[] in [-180,180]
    scan: uint8|float32[...,H=1..64,W]; k: int in [0,3]; flag: bool; mode: {'edge', 'wrap'}

Tensors have a dtype and sizes in square brackets, `[]` for none. They enter the graph.

- Several dtypes, separated by `|`, are drawn in turn: `uint8|float32[H,W]`.
- A number is a fixed size, known while tracing. A name is a size that changes from example to
  example and is unknown while tracing in half of them; the same name is the same size everywhere.
- `None` is such a size without a name: each one is a size of its own, as in a `tf.TensorSpec`.
- `64:520` is such a size in a range.
- `H=1..64` gives the range of a named size, once; without it a size is between 1 and 12.
- `...` in front stands for up to two leading axes, the same ones in every input.
- `in [0,1]` gives the range of values: square brackets include an end, round ones leave it
  out, and `pi` may be used. Without it integers have their dtype's range, floats [-100, 100].
- `with nan`, `with inf` or `with nan, inf` adds such elements.

Strings and files enter the graph as strings; the function gets bytes, as in a `tf.numpy_function`.

- `str` is any short text, `str{'cat', 'dog'}` one of those.
- `jpeg[64:520,64:520,3]`, `png[H,W]` and `bmp[H,W,3]` are paths of images, `wav[8000:16000]` and
  `wav[N,2]` of sound of 16 bits. Sizes are as of tensors.
- `npy float32[H,W] in [0,1]` is the path of an array, `text float32[R,C]` of a table of numbers
  with commas, `text` of a few lines of words.

Python values have no brackets behind the type and are constants while tracing: `int`, `float`
(with `in`, else [-100, 100]), `bool`, and choices in braces: `{'edge', 'wrap'}`, `{0, 1, None}`.

Grammar::

    inputs   = input { ";" input } [ ";" ]
    input    = name ":" ( tensor | number | "bool" | choice | file | "str" [ choice ] )
    file     = ( "jpeg" | "png" | "bmp" | "wav" ) "[" size { "," size } "]"
             | ( "npy" | "text" ) tensor | "text"
    tensor   = dtype { "|" dtype } "[" [ size { "," size } ] "]" [ "in" interval ] [ "with" flags ]
    size     = "..." | integer [ ":" integer ] | name [ "=" integer ".." integer ]
    number   = ( "int" | "float" ) [ "in" interval ]
    choice   = "{" value { "," value } "}"
    interval = ( "[" | "(" ) bound "," bound ( "]" | ")" )
    flags    = ( "nan" | "inf" ) { "," ( "nan" | "inf" ) }
"""

from __future__ import annotations

import ast
import dataclasses
import difflib
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport.contract import Boolean, OneOf, Spec
from pipeport.verify._mini_specs import File, Interval, Number, Size, Tensor, Text
from pipeport.verify._mini_tokens import Token, Tokens, shown

DTYPES = (
    *("bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"),
    *("float16", "float32", "float64"),
)
DEFAULT_SIZES = (1, 12)
# More elements would not be verified, they would be waited for.
_LIMIT = 2**24
# Dtype of what a file of a format holds, and its numbers of axes; of images with the channels.
_HOLDS = {
    "jpeg": ("uint8", (2, 3)),
    "png": ("uint8", (2, 3)),
    "bmp": ("uint8", (2, 3)),
    "wav": ("int16", (1, 2)),
}
_CHANNELS = {"jpeg": (3,), "png": (3, 4), "bmp": (3,)}


class _Parser(Tokens):
    """Recursive descent."""

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.ranges: dict[str, Size] = {}
        self.nameless = 0

    def inputs(self) -> dict[str, Spec]:
        specs: dict[str, Spec] = {}
        while True:
            name = self.take(kind="name", what="the name of an input")
            if not name.text.isidentifier():
                self.complain(f"{name.text!r} is not a name of a parameter", name.start)
            if name.text in specs:
                self.complain(f"the input {name.text!r} is there twice", name.start)
            self.take(":")
            specs[name.text] = self.type()
            if not self.accept(";") and self.here.kind != "end":
                self.complain(f"expected ';' or the end, found {shown(self.here)}")
            if self.here.kind == "end":
                return specs

    def type(self) -> Spec:
        if self.accept("{"):
            return self.choice()
        first = self.take(kind="name", what="a dtype, int, float, bool, str, a file or {choices}")
        if first.text in (*_HOLDS, "npy", "text"):
            return self.file(first)
        if first.text == "str":
            return self.string()
        following = self.here.text
        if first.text in ("int", "float") and following != "[":
            return self.number(first.text)
        if first.text == "bool" and following not in ("[", "|"):
            return Boolean()
        return self.tensor(first)

    def string(self) -> Text:
        start = self.here.start
        if not self.accept("{"):
            return Text()
        values = self.choice().values
        if not all(isinstance(one, str) for one in values):
            self.complain("the choices of str are quoted texts", start)
        return Text(choices=values)

    def file(self, first: Token) -> File:
        if first.text == "text" and self.here.text in (";", "the end"):
            return File(format="text", holds=None)
        if first.text in ("npy", "text"):
            dtype = self.take(kind="name", what=f"the dtype of the numbers, as in {first.text} float32[H,W]")
            holds = self.tensor(dtype)
            if holds.leading or (first.text == "text" and len(holds.sizes) not in (1, 2)):
                self.complain(f"{first.text} holds arrays of one or two known axes", dtype.start)
            return File(format=first.text, holds=holds)
        start = self.here.start
        self.take("[")
        leading, sizes = self.sizes()
        dtype_name, ranks = _HOLDS[first.text]
        channels = _CHANNELS.get(first.text)
        if leading or len(sizes) not in ranks:
            self.complain(f"{first.text} has {' or '.join(map(str, ranks))} axes", start)
        if channels and len(sizes) == 3 and (sizes[2].name is not None or sizes[2].low not in channels):
            given = " or ".join(map(str, channels))
            self.complain(f"{first.text} has {given} channels, or none: [H,W]", start)
        if any(size.low == 0 for size in sizes):
            self.complain(f"{first.text} has no size of 0", start)
        return File(format=first.text, holds=Tensor(dtypes=(dtype_name,), sizes=sizes))

    def number(self, kind: str) -> Number:
        interval = Interval(-100, 100)
        if self.accept("in"):
            start = self.here.start
            interval = self.interval()
            if kind == "int":
                self.check_integers(interval, start)
        return Number(kind=kind, interval=interval)

    def check_integers(self, interval: Interval, start: int) -> None:
        low = math.floor(interval.low) + 1 if interval.open_low else math.ceil(interval.low)
        high = math.ceil(interval.high) - 1 if interval.open_high else math.floor(interval.high)
        if low > high:
            self.complain("there is no integer in this range", start)

    def tensor(self, first: Token) -> Tensor:
        tokens = [first]
        while self.accept("|"):
            tokens.append(self.take(kind="name", what="a dtype"))
        for token in tokens:
            if token.text not in DTYPES:
                self.complain(f"unknown dtype {token.text!r}", token.start, self.nearest(token.text))
        if self.here.text != "[":
            advice = f"Write {first.text}[] for a scalar tensor; int, float and bool are Python values."
            self.complain("a tensor needs its sizes in square brackets", advice=advice)
        self.take("[")
        leading, sizes = self.sizes()
        dtypes = tuple(dict.fromkeys(token.text for token in tokens))
        interval = None
        if self.accept("in"):
            start = self.here.start
            interval = self.interval()
            self.check_range(interval, dtypes, start)
        flags = self.flags(dtypes) if self.accept("with") else set()
        return Tensor(
            dtypes=dtypes,
            sizes=sizes,
            leading=leading,
            interval=interval,
            nan="nan" in flags,
            inf="inf" in flags,
        )

    def nearest(self, name: str) -> str:
        bare = {"int": "int32 or int64", "float": "float32 or float64"}
        near = difflib.get_close_matches(name, DTYPES, n=1)
        if near and name not in bare:
            return f"Did you mean {near[0]}?"
        return f"Allowed: {bare.get(name) or ', '.join(DTYPES)}."

    def check_range(self, interval: Interval, dtypes: tuple[str, ...], start: int) -> None:
        for dtype in dtypes:
            kind = np.dtype(dtype).kind
            if kind == "b":
                self.complain("bool has no range of values", start)
            least, most = _ends(dtype)
            if interval.low < least or interval.high > most:
                self.complain(f"the range is wider than {dtype} ({least:g} to {most:g})", start)
            if kind in "iu":
                self.check_integers(interval, start)

    def sizes(self) -> tuple[bool, tuple[Size, ...]]:
        leading, sizes, start = False, list[Size](), self.here.start
        if self.accept("]"):
            return leading, ()
        while True:
            if self.here.kind == "dots":
                if sizes or leading:
                    self.complain("'...' stands for leading axes: it comes first, once")
                self.at += 1
                leading = True
            else:
                sizes.append(self.size())
            if self.accept("]"):
                if math.prod(size.high for size in sizes) > _LIMIT:
                    self.complain(f"more than {_LIMIT} elements are too many to draw", start)
                return leading, tuple(sizes)
            self.take(",", what="',' or ']'")

    def size(self) -> Size:
        token = self.here
        if token.kind == "number":
            start = token.start
            fixed = self.integer("a size")
            if not self.accept(":"):
                return Size(None, fixed, fixed)
            high = self.integer("the largest size")
            if fixed > high:
                self.complain(f"the range {fixed}:{high} is empty", start)
            self.nameless += 1
            return Size(f"None#{self.nameless}", fixed, high)
        name = self.take(kind="name", what="a size: a number, a name or '...'")
        if not name.text.isidentifier():
            self.complain(f"{name.text!r} is not a name of a size", name.start)
        if name.text == "None":  # as in a TensorSpec: every one is a size of its own
            self.nameless += 1
            name = dataclasses.replace(name, text=f"None#{self.nameless}")
        if not self.accept("="):
            return Size(name.text, *DEFAULT_SIZES)
        start = self.here.start
        low = self.integer("the smallest size")
        self.take("..")
        high = self.integer("the largest size")
        if low > high:
            self.complain(f"the range {low}..{high} is empty", start)
        given = Size(name.text, low, high)
        if self.ranges.setdefault(name.text, given) != given:
            self.complain(f"the size {name.text} has another range above", name.start)
        return given

    def integer(self, what: str) -> int:
        token = self.take(kind="number", what=what)
        if not token.text.isdigit() or int(token.text) > _LIMIT:
            self.complain(f"{what} is a whole number from 0 to {_LIMIT}, not {token.text}", token.start)
        return int(token.text)

    def interval(self) -> Interval:
        start = self.here.start
        if self.here.text not in ("[", "("):
            self.complain(f"expected a range such as [0,1], found {shown(self.here)}")
        open_low = self.take().text == "("
        low = self.bound()
        self.take(",")
        high = self.bound()
        if self.here.text not in ("]", ")"):
            self.complain(f"expected ']' or ')', found {shown(self.here)}")
        open_high = self.take().text == ")"
        if low > high or (low == high and (open_low or open_high)):
            self.complain("this range is empty", start)
        return Interval(low, high, open_low, open_high)

    def bound(self) -> float:
        token = self.here
        if token.kind == "name" and token.text.lstrip("+-") == "pi":
            self.at += 1
            return -math.pi if token.text.startswith("-") else math.pi
        self.take(kind="number", what="a number")
        return int(token.text) if token.text.lstrip("+-").isdigit() else float(token.text)

    def flags(self, dtypes: tuple[str, ...]) -> set[str]:
        found: set[str] = set()
        while True:
            token = self.take(kind="name", what="nan or inf")
            if token.text not in ("nan", "inf"):
                self.complain(f"expected nan or inf, found {token.text!r}", token.start)
            if not any(np.dtype(dtype).kind == "f" for dtype in dtypes):
                self.complain(f"{'|'.join(dtypes)} has no {token.text}", token.start)
            found.add(token.text)
            if not self.accept(","):
                return found

    def choice(self) -> OneOf:
        values: list[Any] = []
        while True:
            token = self.here
            if token.kind not in ("text", "number") and token.text not in ("None", "True", "False"):
                self.complain(f"expected a quoted text, a number, None, True or False, found {shown(token)}")
            self.at += 1
            values.append(ast.literal_eval(token.text))
            if self.accept("}"):
                return OneOf(*values)
            self.take(",", what="',' or '}'")


def _ends(dtype: str) -> tuple[float, float]:
    if np.dtype(dtype).kind == "f":
        floats = np.finfo(dtype)
        return float(floats.min), float(floats.max)
    integers = np.iinfo(dtype)
    return int(integers.min), int(integers.max)


def parse(source: str) -> dict[str, Spec]:
    """Return the specs of the inputs described by a text.

    `source`: text in the language of this module. Returns: by input, in the order of the text.

    Examples
    --------
    >>> from pipeport.verify._mini_language import parse
    >>> list(parse("image: float32[H,W,3] in [0,1]; k: int in [0,3]"))
    ['image', 'k']
    """
    parser = _Parser(source)
    specs = parser.inputs()
    return {name: _with_ranges(spec, parser.ranges) for name, spec in specs.items()}


def _with_ranges(spec: Spec, ranges: Mapping[str, Size]) -> Spec:
    """Give a named size the range that was written beside its name, wherever that was."""
    if isinstance(spec, File) and spec.holds is not None:
        return dataclasses.replace(spec, holds=_ranged(spec.holds, ranges))
    return _ranged(spec, ranges) if isinstance(spec, Tensor) else spec


def _ranged(spec: Tensor, ranges: Mapping[str, Size]) -> Tensor:
    sizes = tuple(ranges.get(size.name, size) if size.name else size for size in spec.sizes)
    return Tensor(
        dtypes=spec.dtypes,
        sizes=sizes,
        leading=spec.leading,
        interval=spec.interval,
        nan=spec.nan,
        inf=spec.inf,
    )
