"""Order: argmax, argmin, sort, argsort, nonzero, unique."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays import _order
from pipeport.arrays._along import flag, ordered
from pipeport.arrays._bytewise import bytewise
from pipeport.contract import Array, Axes, Boolean, CannotServe, Difference, Exact, OneOf
from pipeport.kernels.inputs.arrays import known_rank
from pipeport.kernels.inputs.axes import canonical
from pipeport.kernels.inputs.integers import whole_number
from pipeport.numpy._families import REALS, numpy_native, refuse, tensor
from pipeport.numpy._reductions import ARRAY_LIKE, BITS, KEEP, NOTHING, RAISES, kept, one_zero

_REAL = {"a": ARRAY_LIKE.replace("any number", "any real number")}
_NO_FIELDS = {"order": "tensors have no fields"}
_KIND = "None or str, default None\nNumPy's name of an algorithm; all are stable."
_STABLE = "None or bool, default None\nAnother way to ask for a stable `kind`."
_ALONG = Axes(of="a", none=True, several=False)
_ALONG_AR = Axes(of="ar", none=True, several=False)


def of_any_size(give: Callable[[], dict[str, Any]], engines: Mapping[str, str]) -> tuple[CannotServe, ...]:
    """Return the engines that cannot serve results whose sizes depend on values.

    `give`: gives the arguments of a call that shows it.
    """
    return tuple(CannotServe(engine, why, witness=give, by_values=True) for engine, why in engines.items())


UNKNOWN_SIZES = {
    "batched": "the elements of a batch have results of different sizes",
}


def _place(name: str, summary: str, find: Callable[..., Any], place: int) -> Callable[..., Any]:
    def function(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = NOTHING) -> Any:
        refuse(out=(out, None))
        return find(tensor(a, "a"), axis, kept(keepdims))

    function.__name__ = function.__qualname__ = name
    return numpy_native(
        f"numpy.{name}", summary, agreement=Exact(), words=BITS,
        domain={"a": Array(dtypes=REALS), "axis": _ALONG, "keepdims": Boolean()},
        parameters={
            **_REAL, "axis": "None or int, default None\nAlong which axis; None in the flattened array.",
            "keepdims": KEEP,
        },
        returns="tf.Tensor of int64\nThe first of several; the first NaN where there is one.",
        raises={
            **RAISES, "OutsideDomain": "There are no elements, or they are complex.",
            "tf.errors.InvalidArgumentError": "There turn out to be no elements.",
        },
        example=("[1.5, 2.5, 0.5]", f"<tf.Tensor: shape=(), dtype=int64, numpy={place}>"),
    )(function)  # fmt: skip


argmax = _place("argmax", "Return where the largest element is.", _order.argmax, 1)
argmin = _place("argmin", "Return where the smallest element is.", _order.argmin, 2)


def steady(arguments: Mapping[str, Any]) -> bool:
    """Say that equal elements keep their order in NumPy: by a stable kind, or because there are none.

    Returns: whether there is one right answer.
    """
    a = np.asarray(arguments["a"])
    stable = arguments.get("stable") or arguments.get("kind") in ("stable", "mergesort")
    return bool(stable) or len(np.unique(a)) == a.size


def by_kind(arguments: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Ask a reference for a stable sort as every release takes it."""
    given = dict(arguments)
    if given.pop("stable", None):
        given["kind"] = "stable"
    return (), given


def _one_wish(arguments: Mapping[str, Any]) -> bool:
    return arguments.get("stable") is None or arguments.get("kind") is None


def _sorting(
    name: str, summary: str, sort: Callable[..., Any], shown: str, valid: Callable[..., bool], returns: str
) -> Any:
    def function(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
        return sort(tensor(a, "a"), axis, kind=kind, order=order, stable=stable)

    function.__name__ = function.__qualname__ = name
    along = "None or int, default -1\nAlong which axis; None sorts the flattened array."
    return numpy_native(
        f"numpy.{name}", summary, agreement=Exact(), words=BITS, reasons=_NO_FIELDS,
        domain={
            "a": Array(dtypes=REALS, ranks=(1, 2, 3)), "axis": _ALONG,
            "kind": OneOf("stable", "mergesort", None, "quicksort", typical="stable"),
            "stable": OneOf(None, True),
        },
        parameters={**_REAL, "axis": along, "kind": _KIND, "stable": _STABLE},
        raises={**RAISES, "OutsideDomain": "The array has rank 0 but `axis` is given, or it is complex."},
        example=("[2.5, 0.5, 1.5]", shown), graph="keys that have NumPy's order, and one sort.",
        slower="many elements are",
        reference_call=f"{__name__}.by_kind", valid=lambda given: valid(given) and _one_wish(given),
        stated="(a, axis=-1, kind=None, order=None, *, stable=None)", returns=returns,
    )(function)  # fmt: skip


sort = _sorting(
    "sort", "Sort along an axis, NaN last.", _order.sort,
    "<tf.Tensor: shape=(3,), dtype=float64, numpy=array([0.5, 1.5, 2.5])>",
    valid=one_zero, returns="tf.Tensor, dtype of `a`\nAscending; -0. comes before 0.",
)  # fmt: skip
argsort = _sorting(
    "argsort", "Return the places of the elements in ascending order.", _order.argsort,
    "<tf.Tensor: shape=(3,), dtype=int64, numpy=array([1, 2, 0])>", valid=steady,
    returns="tf.Tensor of int64\nThe places; equal elements in the order in which they come, NaN last.",
)  # fmt: skip


@numpy_native(
    "numpy.nonzero", "Return where elements are not zero.", agreement=Exact(), words=BITS,
    domain={"a": Array(dtypes=REALS, ranks=(1, 2, 3))},
    parameters={"a": "array_like, bool or any number\nOf one axis at least; NaN is not zero."},
    returns="tuple of tf.Tensor, int64\nIndices along each axis, as many as such elements are found.",
    raises={"OutsideDomain": "`a` has rank 0.", "UnsupportedArgument": "The rank is unknown, or above 8."},
    example=("[0.5, 0.0]", "(<tf.Tensor: shape=(1,), dtype=int64, numpy=array([0])>,)"),
    graph="one op; the sizes are only known when it runs.",
    cannot_serve=of_any_size(lambda: {"a": np.array([[1.0, 0.0], [1.0, 2.0]])}, UNKNOWN_SIZES),
    outputs=("axis 0", "axis 1", "axis 2"), stated="(a)",
)  # fmt: skip
def nonzero(a: Any) -> Any:
    return _order.nonzero(tensor(a, "a"))


def _alike(arguments: Mapping[str, Any]) -> bool:
    """Leave out the shape of the inverse, which NumPy 2 changed, and zeros of both signs.

    Arrays of one value too: whether a size is known while tracing is asked with other such arrays.
    """
    ar = np.asarray(arguments["ar"])
    if not one_zero({"a": ar}) or (ar.ndim and len(np.unique(ar)) == 1):
        return False
    if arguments.get("axis") is not None and not ar.size:
        return False
    return ar.ndim == 1 or not arguments.get("return_inverse")


def _half_nan_along(arguments: Mapping[str, Any]) -> bool:
    ar = np.asarray(arguments["ar"])
    return arguments.get("axis") is not None and ar.dtype == np.float16 and bool(np.isnan(ar).any())


@numpy_native(
    "numpy.unique", "Return the elements that differ, ascending.", agreement=Exact(), words=BITS,
    domain={
        "ar": Array(dtypes=REALS, ranks=(0, 1, 2, 3), sides=(0, 5)), "return_index": Boolean(),
        "return_inverse": Boolean(), "return_counts": Boolean(), "axis": _ALONG_AR, "equal_nan": Boolean(),
    },
    parameters={
        "ar": _REAL["a"],
        "return_index": "bool, default False\nWhether to tell where each comes first.",
        "return_inverse": "bool, default False\nWhether to tell which of them each element is.",
        "return_counts": "bool, default False\nWhether to tell how often each comes.",
        "axis": "None or int, default None\nAlong which axis parts are compared; None compares elements.",
        "equal_nan": "bool, default True\nWhether every NaN is the same; in parts along an axis none is.",
    },
    returns=("tf.Tensor, or tuple of them\nThe elements, of the dtype of `ar`; then, of int64, where each "
             "comes first, which\nof them each element is (of the shape of `ar`), and how often each comes.\n"
             "Along an axis parts of `ar` take the place of elements."),
    raises={"OutsideDomain": "The elements are complex.", "BadAxis": "There is no such axis."},
    example=("[2, 1, 2]", "<tf.Tensor: shape=(2,), dtype=int64, numpy=array([1, 2])>"),
    graph="a sort, of 8 bits a count, along an axis a sort for each number of a part; the size is only known "
          "when it runs.",
    valid=_alike, slower="what is sorted is",
    cannot_serve=of_any_size(lambda: {"ar": np.array([[1, 1], [1, 2]])}, UNKNOWN_SIZES),
    differences=(Difference(
        "Along an axis NaN stands last in float16 too, where NumPy puts it first.",
        witness=lambda: {"ar": np.array([[1.0, 2.0], [np.nan, 1.0]], np.float16), "axis": 0},
        applies=_half_nan_along,
    ),),
    stated=("(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, "
            "equal_nan=True, sorted=True)"),
)  # fmt: skip
def unique(
    ar: Any, return_index: Any = False, return_inverse: Any = False, return_counts: Any = False,
    axis: Any = None, *, equal_nan: Any = True, sorted: Any = True,
) -> Any:  # fmt: skip
    refuse(sorted=(sorted, True))
    x = ordered(tensor(ar, "ar"), "unique")
    flat = tf.reshape(x, [-1])
    alike = flag(equal_nan, "equal_nan")
    wanted = [flag(return_index, "return_index"), flag(return_inverse, "return_inverse"),
              flag(return_counts, "return_counts")]  # fmt: skip
    if axis is not None:
        return _unique_along(x, whole_number(axis, "axis"), wanted)
    if x.shape.num_elements() in (0, 1):
        values, *others = _alone(flat)
    else:
        values, *others = _counted(flat) if _order.is_countable(flat) else _sorted(flat, alike)
    results = [values(), *(other() for other, asked in zip(others, wanted, strict=True) if asked)]
    if wanted[1]:
        at = 1 + wanted[0]
        results[at] = tf.ensure_shape(tf.reshape(results[at], tf.shape(x)), x.shape)
    return results[0] if len(results) == 1 else tuple(results)


def _alone(flat: Any) -> tuple[Callable[[], Any], ...]:
    """Return what `_sorted` does of one element, or of none."""
    places = tf.zeros(flat.shape, tf.int64)
    return lambda: tf.identity(flat), lambda: places, lambda: places, lambda: places + 1


def _unique_along(x: Any, axis: int, wanted: list[bool]) -> Any:
    """Return the parts along an axis that differ, sorted by their first numbers, then by the second."""
    moved = tf.experimental.numpy.moveaxis(x, canonical(axis, known_rank(x, "ar"), "axis"), 0)
    count = tf.shape(moved, tf.int64)[0]
    width = tf.reduce_prod(tf.shape(moved, tf.int64)[1:])
    rows = tf.reshape(moved, [count, width])

    def by_column(left: Any, places: Any) -> Any:
        return left - 1, tf.gather(
            places, _order.argsort(tf.gather(tf.gather(rows, left - 1, axis=1), places))
        )

    # Stable sorts, the first numbers last.
    (_, places) = tf.while_loop(lambda left, _: left > 0, by_column, (width, tf.range(count)))
    sorted_rows = tf.gather(rows, places)
    differ = tf.reduce_any(tf.not_equal(sorted_rows[:-1], sorted_rows[1:]), 1)
    index, *others = _grouped(places, differ)
    made = tf.experimental.numpy.moveaxis(tf.gather(moved, index()), 0, axis)
    found = zip((index, *others), wanted, strict=True)
    results = [made, *(one() for one, asked in found if asked)]
    length = moved.shape[0]
    size = min(length, 1) if length in (0, 1) or (length and 0 in moved.shape[1:]) else None
    made.set_shape([size if at == axis % made.shape.rank else n for at, n in enumerate(x.shape)])
    inverse = 1 + wanted[0] if wanted[1] else None
    for at, one in enumerate(results[1:], 1):
        one.set_shape([length if at == inverse else size])
    return results[0] if len(results) == 1 else tuple(results)


def _sorted(flat: Any, equal_nan: bool) -> tuple[Callable[[], Any], ...]:
    """Return what gives the elements that differ, where each comes first, which each is, and how often."""
    places = _order.argsort(flat)
    rows = tf.gather(flat, places)
    before, after = rows[:-1], rows[1:]
    differ = tf.not_equal(before, after)
    if equal_nan and flat.dtype.is_floating:
        differ = tf.logical_and(differ, tf.logical_not(tf.math.is_nan(before)))
    index, inverse, counts = _grouped(places, differ)
    return lambda: tf.gather(flat, index()), index, inverse, counts


def _grouped(places: Any, differ: Any) -> tuple[Callable[[], Any], ...]:
    """Return what gives where each group comes first, which each element is of, and how often each comes.

    `places`: of the elements in order. `differ`: whether each but the first differs from the one before.
    """
    new = tf.concat([tf.ones_like(places[:1], tf.bool), differ], 0)
    firsts = tf.reshape(tf.where(new), [-1])

    def inverse() -> Any:
        which = tf.cumsum(tf.cast(new, tf.int64)) - 1
        return tf.scatter_nd(places[:, tf.newaxis], which, tf.shape(places, tf.int64))

    def counts() -> Any:
        return tf.concat([firsts[1:], tf.shape(places, tf.int64)], 0) - firsts

    return lambda: tf.gather(places, firsts), inverse, counts


def _counted(flat: Any) -> tuple[Callable[[], Any], ...]:
    """Return the same of integers of few bits."""
    counted = _order.Counted(flat)
    present = tf.reshape(tf.where(counted.number > 0), [-1])

    def index() -> Any:
        places = tf.range(tf.size(flat, tf.int64))
        return tf.gather(tf.math.unsorted_segment_min(places, counted.keys, counted.levels), present)

    def inverse() -> Any:
        which = tf.cumsum(tf.cast(counted.number > 0, tf.int64)) - 1
        return bytewise(lambda values: tf.gather(which, counted.key(values)), flat)

    def counts() -> Any:
        return tf.cast(tf.gather(counted.number, present), tf.int64)

    return lambda: counted.value(present), index, inverse, counts
