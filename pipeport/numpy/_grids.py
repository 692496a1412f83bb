"""Evenly spaced numbers and coordinates: arange, linspace, meshgrid, indices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._cast import cast, numpy_dtype
from pipeport.arrays._promotion import common, fitted, joined
from pipeport.arrays._shapes import transpose
from pipeport.arrays._sizes import stacked
from pipeport.contract import (
    Array,
    ArrayList,
    AsReference,
    Boolean,
    Difference,
    Exact,
    Integer,
    Maybe,
    OneOf,
    PerAxis,
    Shaped,
)
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import known_rank
from pipeport.kernels.inputs.axes import canonical
from pipeport.kernels.inputs.integers import whole_number
from pipeport.kernels.xla._divide import divided
from pipeport.numpy._families import numpy_native, read, refuse, tensor
from pipeport.numpy._sized import (
    BITS,
    DTYPE,
    GRAPH,
    RAISES,
    by_position,
    no_batch,
    one_by_one,
    one_size,
    shown,
    sizes_of,
)

_INT64 = np.dtype("int64")
# Longer ones of plain numbers are computed when the graph runs, instead of being part of it.
_MOST = 4096


def _counted(start: Any, stop: Any, step: Any, dtype: np.dtype[Any]) -> Any:
    """Return a range of which some number is a tensor, each of dtype int64 or float64."""
    if all(one.dtype == tf.int64 for one in (start, stop, step)):
        number = tf.maximum(-((start - stop) // step), 0)
    else:
        length = tf.math.ceil(divided(cast(stop - start, np.dtype("float64")), step))
        number = tf.cast(tf.maximum(length, 0), tf.int64)
    # As NumPy: the first two in the dtype of the result, and multiples of their difference.
    wide = np.dtype("float32") if dtype == np.float16 else dtype
    first, second = (cast(cast(one, dtype), wide) for one in (start, start + step))
    index = tf.range(number)
    later = first + cast(index, wide) * (second - first)
    return cast(tf.where(tf.equal(index, 0), first, tf.where(tf.equal(index, 1), second, later)), dtype)


@numpy_native(
    "numpy.arange", "Return evenly spaced numbers in a half-open interval.",
    domain={"start_or_stop": Integer(-9, 9, tensor=True), "stop": Maybe(spec=Integer(-6, 6)),
            "step": OneOf(1, 2, 3, -1, -2, 0.5, 0.1, -0.7),
            "dtype": OneOf("int32", "int64", "float16", "float32", "float64", "complex64", "complex128")},
    parameters={"start_or_stop": "number\nWhere it starts; without `stop` where it ends, and it starts at 0.",
                "stop": "number or None, default None\nWhere it ends; it is not part of the result.",
                "step": "number, default 1\nThe distance of neighbours.",
                "dtype": DTYPE + "Of the result; None takes int64 together with those of the numbers."},
    returns="tf.Tensor, rank 1\nThe numbers.", agreement=Exact(), words=BITS,
    example=("3", shown("[0, 1, 2]", "(3,)", "int64")),
    raises={"OutsideDomain": "`step` is zero, or a number is not a scalar."}, nameless=("start_or_stop",),
    graph="a constant where all numbers are known, else a few ops; the length is known where they are.",
    stated="(start_or_stop, /, stop=None, step=1, dtype=None, *, device=None, like=None)",
    reference_call=f"{__name__}.range_by_position",
    cannot_serve=no_batch({"start_or_stop": 3}),
)  # fmt: skip
def arange(
    start_or_stop: Any,
    stop: Any = None,
    step: Any = 1,
    dtype: Any = None,
    *,
    device: Any = None,
    like: Any = None,
) -> Any:
    refuse(device=(device, None), like=(like, None))
    ends = (0, start_or_stop) if stop is None else (start_or_stop, stop)
    start, end, by = [read(one, "start, stop, step") for one in (*ends, 1 if step is None else step)]
    own, _ = common((start, end, by))
    found = joined(_INT64, own) if dtype is None else numpy_dtype(dtype)
    if found.kind not in "iufc" or own.kind == "c":
        raise WrongType(explain("dtype", f"{found} of {own}", "numbers, of real ones", "Cast the result."))
    if found.kind == "c":
        parts = np.dtype(f"float{4 * found.itemsize}")
        return cast(arange(start_or_stop, stop, step, parts), found)
    for one in (start, end, by):
        if not one.plain and one.value.shape.rank:
            advice = "Take one element."
            raise OutsideDomain(explain("start, stop, step", f"shape {one.value.shape}", "scalars", advice))
    if by.plain and by.value == 0:
        raise OutsideDomain(explain("step", 0, "numbers that are not zero", "Use `full` for equal numbers."))
    known = [one.value if one.plain else tf.get_static_value(one.value) for one in (start, end, by)]
    if all(one is not None for one in known) and abs((known[1] - known[0]) / known[2]) <= _MOST:
        return tf.constant(np.arange(*known, dtype=found))
    exact = all(one.dtype.kind in "biu" for one in (start, end, by))
    wide = [fitted(one, _INT64 if exact or one.dtype.kind in "biu" else np.dtype("float64"))
            for one in (start, end, by)]  # fmt: skip
    if not exact:
        wide = [cast(one, np.dtype("float64")) for one in wide]
    return _counted(wide[0], wide[1], wide[2], found)


def range_by_position(arguments: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Call `numpy.arange`, whose first parameter has another name in every release."""
    rest = dict(arguments)
    first, stop = rest.pop("start_or_stop"), rest.pop("stop", None)
    return ((first,) if stop is None else (first, stop)), rest


@numpy_native(
    "numpy.linspace", "Return so many numbers, evenly spaced between two.",
    domain={"start": Array(ranks=(1,), sides=(0, 3), non_finite=False,
                           dtypes=("uint8", "int32", "float32", "float64")),
            "stop": Shaped(shape=("start.0",), dtypes=("float32", "float64"), values=(-100.0, 100.0)),
            "num": Integer(0, 6, tensor=True), "endpoint": Boolean(), "retstep": Boolean(),
            "dtype": Maybe(spec=OneOf("float32", "float64")), "axis": Integer(-2, 1)},
    parameters={"start": "array_like, bool or any real number\nThe first numbers.",
                "stop": "array_like, bool or any real number\nThe last ones; the shapes broadcast.",
                "num": "int, default 50\nHow many; a tensor too.",
                "endpoint": "bool, default True\nWhether `stop` is the last one; else it would be the next.",
                "retstep": "bool, default False\nWhether the distance of neighbours is returned too.",
                "dtype": DTYPE + "Of the result; None takes the floating dtype. Integers are rounded down.",
                "axis": "int, default 0\nWhich axis of the result counts, where the ends are arrays."},
    returns="tf.Tensor, or (tf.Tensor, tf.Tensor)\nThe numbers; with `retstep` their distance.",
    valid=lambda arguments: arguments["start"].dtype.kind == "f" or arguments["stop"].dtype == np.float64,
    differences=(
        Difference(
            "Of one number or none `step` is NaN with the shape and dtype of the ends; NumPy gives one NaN.",
            witness=lambda: {"start": np.zeros(2), "stop": np.ones(2), "num": 1, "retstep": True},
            applies=lambda given: bool(given["retstep"]) and given["num"] <= int(given["endpoint"]),
            only={"retstep": (True,)},
        ),
    ),
    agreement=AsReference(), words="as accurate as the reference, judged against it in float64.",
    example=("0, 1, 3", shown("[0. , 0.5, 1. ]", "(3,)")),
    raises={"BadAxis": "The result has no such axis.",
            "OutsideDomain": "`num` is negative, or shapes do not broadcast."},
    graph="a few ops; static shape is kept.",
    stated="(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None)",
    cannot_serve=one_size("num", [1, 2], {"start": np.zeros((2, 2)), "stop": np.ones(2)}),
)  # fmt: skip
def linspace(
    start: Any, stop: Any, num: Any = 50, endpoint: Any = True, retstep: Any = False, dtype: Any = None,
    axis: Any = 0, *, device: Any = None,
) -> Any:  # fmt: skip
    refuse(device=(device, None))
    first, last = read(start, "start"), read(stop, "stop")
    (count,) = sizes_of(num, "num")
    own, _ = common((first, last))
    own = own if own.kind in "fV" else np.dtype("float64")
    if own.kind == "c":
        raise WrongType(
            explain("start, stop", own, "real numbers", "Space both parts, and put them together.")
        )
    below, above = fitted(first, own), fitted(last, own)
    wanted = own if dtype is None else numpy_dtype(dtype)
    values, step = _spaced(below, above, count, bool(whole_number(endpoint, "endpoint")))
    if wanted.kind in "iu":
        values = tf.floor(values)
    place = canonical(whole_number(axis, "axis"), known_rank(values), "axis")
    if place:
        order = list(range(1, values.shape.rank))
        values = transpose(values, [*order[:place], 0, *order[place:]])
    found = cast(values, wanted)
    return (found, step) if whole_number(retstep, "retstep") else found


def _spaced(first: Any, last: Any, count: Any, closed: bool) -> tuple[Any, Any]:
    dtype, delta = first.dtype, last - first
    between = count - 1 if closed else count
    if not tf.is_tensor(between):
        between = tf.constant(max(between, 0), tf.int64)
    parts = tf.cast(tf.maximum(between, 0), dtype)
    some = parts > 0
    step = tf.where(
        some, cast(divided(delta, parts), np.dtype(dtype.as_numpy_dtype)), tf.constant(np.nan, dtype)
    )
    index = tf.range(tf.cast(count, tf.int64) if tf.is_tensor(count) else count, dtype=tf.int64)
    rank = known_rank(delta, "start, stop")
    each = tf.reshape(tf.cast(index, dtype), [-1 if tf.is_tensor(count) else count, *[1] * rank])
    zero = tf.reduce_any(tf.equal(step, 0))
    by_part = cast(divided(each, tf.where(some, parts, tf.ones([], dtype))), np.dtype(dtype.as_numpy_dtype))
    scaled = tf.where(tf.logical_or(zero, tf.logical_not(some)), by_part * delta, each * step)
    values = scaled + first
    if closed:
        is_last = tf.logical_and(each > 0, tf.equal(each, parts))
        values = tf.where(is_last, last, values)
    return values, step


@numpy_native(
    "numpy.meshgrid", "Return the coordinates of a grid, as one array per axis.",
    domain={"xi": ArrayList(counts=(1, 3), ranks=(0, 1), sides=(0, 4)), "sparse": Boolean(),
            "indexing": OneOf("xy", "ij")},
    parameters={"xi": "array_like, bool or any number\nThe coordinates along each axis.",
                "sparse": "bool, default False\nWhether axes along which nothing changes have size one.",
                "indexing": "{'xy', 'ij'}, default 'xy'\nWhether the first array counts columns, or rows."},
    returns="tuple of tf.Tensor\nOne per array.", agreement=Exact(), words=BITS,
    example=("[1, 2], [3]", "(" + shown("[[1, 2]]", "(1, 2)", "int64") + ", "
             + shown("[[3, 3]]", "(1, 2)", "int64") + ")"),
    raises={"OutsideDomain": "`indexing` is another."}, graph="two ops per array; static shape is kept.",
    reference_call="pipeport.numpy._sized.listed_by_position", cannot_serve=(one_by_one("xi"),),
    outputs=("first", "second", "third"),
)  # fmt: skip
@by_position("xi")
def meshgrid(xi: Any, *, copy: Any = True, sparse: Any = False, indexing: Any = "xy") -> Any:
    refuse(copy=(copy, True))
    _checks.word(indexing, ("xy", "ij"), "indexing")
    lines = [tf.reshape(tensor(one, "xi"), [-1]) for one in xi]
    places = list(range(len(lines)))
    if indexing == "xy" and len(lines) > 1:
        places[:2] = 1, 0
    thin_ones = [
        tf.reshape(line, [-1 if other == place else 1 for other in range(len(lines))])
        for place, line in zip(places, lines, strict=True)
    ]
    if whole_number(sparse, "sparse") or not lines:
        return tuple(thin_ones)
    axes: list[Any] = [None] * len(lines)
    for place, line in zip(places, lines, strict=True):
        axes[place] = tf.shape(line)[0] if line.shape[0] is None else line.shape[0]
    return tuple(tf.broadcast_to(one, axes) for one in thin_ones)


@numpy_native(
    "numpy.indices", "Return the coordinates of every element of a grid.",
    domain={"dimensions": PerAxis(spec=Integer(0, 4), count=2, single=False, tensor=True),
            "dtype": OneOf("int32", "int64", "float32", "uint8"), "sparse": Boolean()},
    parameters={"dimensions": "sequence of int\nThe sizes of the grid; tensors among them too.",
                "dtype": "dtype, default int\nOf the result.",
                "sparse": "bool, default False\nWhether the arrays have size one along other axes."},
    returns="tf.Tensor of one axis more, or a tuple with `sparse`\nThe coordinates along each axis.",
    agreement=Exact(), words=BITS, raises=RAISES, graph=GRAPH,
    example=("(3,)", shown("[[0, 1, 2]]", "(1, 3)", "int64")),
    cannot_serve=no_batch({"dimensions": (2, 3)}),
)  # fmt: skip
def indices(dimensions: Any, dtype: Any = int, sparse: Any = False) -> Any:
    sizes, wanted = sizes_of(dimensions, "dimensions"), numpy_dtype(dtype)
    lines = []
    for place, size in enumerate(sizes):
        line = cast(tf.range(size, dtype=tf.int64), wanted)
        lines.append(tf.reshape(line, [-1 if other == place else 1 for other in range(len(sizes))]))
    if whole_number(sparse, "sparse"):
        return tuple(lines)
    if not sizes:
        return tf.zeros([0], wanted)
    return tf.stack([tf.broadcast_to(line, stacked(sizes)) for line in lines])
