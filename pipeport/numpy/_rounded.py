"""clip, round, nan_to_num."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays import _rounding
from pipeport.arrays._cast import cast
from pipeport.arrays._one_pass import one_pass
from pipeport.arrays._promotion import Operand, common, constant, fitted
from pipeport.contract import Array, Exact, Integer, OneOf
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.inputs.dtypes import NUMPY_2
from pipeport.numpy._families import REALS, numpy_native, read, refuse, tensor
from pipeport.numpy._reductions import ARRAY_LIKE, BITS, NO_VALUE, NOTHING, NUMBERS

_FLOATS = ("float16", "float32", "float64")
_BOUND = "None or array_like\nA Python number takes the dtype of `a`; an integer beyond it bounds nothing."


def _both(a_min: Any, a_max: Any, least: Any, most: Any) -> tuple[Any, Any]:
    """Return the bounds by either name, as NumPy 2 reads them."""
    if a_min is NOTHING and a_max is NOTHING:
        return (None if least is NOTHING else least), (None if most is NOTHING else most)
    for name, bound in (("a_min", a_min), ("a_max", a_max)):
        if bound is NOTHING:
            raise WrongType(explain(name, "nothing", "a number, an array or None", "Give both."))
    if least is not NOTHING or most is not NOTHING:
        advice = "Leave them out: they are `a_min` and `a_max` by other names."
        raise OutsideDomain(explain("min, max", "bounds beside a_min and a_max", "nothing", advice))
    return a_min, a_max


def clip_by_position(arguments: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Call `numpy.clip` as every release takes it."""
    given = (arguments.get(name, NOTHING) for name in ("a_min", "a_max", "min", "max"))
    return (arguments["a"], *_both(*given)), {}


def _readable(arguments: Mapping[str, Any]) -> bool:
    """Leave out what releases of NumPy see differently: bounds of another kind, or none."""
    try:
        _, *bounds = clip_by_position(arguments)[0]
    except (TypeError, ValueError):
        return False
    a = np.asarray(arguments["a"])
    if a.ndim == 0 and not NUMPY_2:  # a scalar among scalars
        return False
    dtype = a.dtype
    given = [bound for bound in bounds if bound is not None]
    if dtype.kind == "f":
        return bool(given)
    limits = np.iinfo(dtype)
    return bool(given) and all(type(one) is int and limits.min <= one <= limits.max for one in given)


def _bound(value: Any, parameter: str, dtype: np.dtype[Any], *, lowest: bool) -> Operand | None:
    if type(value) is int and dtype.kind in "iu":
        limits = np.iinfo(dtype)
        if value <= limits.min if lowest else value >= limits.max:
            return None
    return None if value is None else read(value, parameter)


@numpy_native(
    "numpy.clip", "Limit elements to an interval.", agreement=Exact(), words=BITS,
    domain={
        "a": Array(dtypes=NUMBERS), "a_min": OneOf(None, 1, 3, -2, -1.5, 0.25, typical=0.25),
        "a_max": OneOf(None, 2, 9, 120, 5.5, 0.75, typical=0.75), "min": OneOf(None, 1, 3, -1.5),
        "max": OneOf(None, 2, 9, 5.5),
    },
    parameters={
        "a": ARRAY_LIKE.replace("any number", "any real number"), "a_min": _BOUND, "a_max": _BOUND,
        "min": _BOUND, "max": _BOUND,
    },
    returns=("tf.Tensor, of the common dtype\nThe elements; the upper bound where the lower one is above it. "
             "NaN comes of NaN."),
    raises={"OutsideDomain": "Bounds come by both names, an integer does not fit, or `a` is complex."},
    example=("[1.5, 2.5], 0, 2", "<tf.Tensor: shape=(2,), dtype=float64, numpy=array([1.5, 2. ])>"),
    graph="a maximum and a minimum, and a check for NaN; static shape is kept.", valid=_readable,
    reference_call="pipeport.numpy._rounded.clip_by_position",
    stated=(f"(a, a_min={NO_VALUE}, a_max={NO_VALUE}, out=None, *, min={NO_VALUE}, max={NO_VALUE}, "
            "**kwargs)"),
)  # fmt: skip
def clip(
    a: Any, a_min: Any = NOTHING, a_max: Any = NOTHING, out: Any = None, *, min: Any = NOTHING,
    max: Any = NOTHING, **kwargs: Any,
) -> Any:  # fmt: skip
    refuse(out=(out, None), **({"kwargs": (kwargs, None)} if kwargs else {}))
    low, high = _both(a_min, a_max, min, max)
    x = tensor(a, "a")
    own = Operand(x, np.dtype(x.dtype.as_numpy_dtype), False)
    bounds = (_bound(low, "a_min", own.dtype, lowest=True), _bound(high, "a_max", own.dtype, lowest=False))
    dtype, _ = common([own, *(one for one in bounds if one is not None)])
    parts = [None if one is None else fitted(one, dtype) for one in (own, *bounds)]
    return _rounding.clip(*parts)


def _has_room(arguments: Mapping[str, Any]) -> bool:
    """Leave out integers whose multiple of a hundred has no room: NumPy gives what the processor does."""
    a = np.asarray(arguments["a"])
    if arguments.get("decimals", 0) >= 0 or a.dtype.kind == "f":
        return True
    limits = np.iinfo(a.dtype)
    low = limits.min + 100 if limits.min else 0
    return bool(((a >= low) & (a <= limits.max - 100)).all())


@numpy_native(
    "numpy.round", "Round to a number of decimals, halves to even.", agreement=Exact(), words=BITS,
    domain={"a": Array(dtypes=NUMBERS), "decimals": Integer(-2, 3, typical=2)},
    parameters={
        "a": ARRAY_LIKE,
        "decimals": "int, default 0\nHow many; negative ones round to tens, hundreds and so on.",
    },
    returns="tf.Tensor, dtype of `a`\nThe rounded elements; of bool float16.",
    example=("[1.25, 2.5]", "<tf.Tensor: shape=(2,), dtype=float64, numpy=array([1., 2.])>"),
    aliases=("numpy.around",), valid=_has_room,
)  # fmt: skip
def round(a: Any, decimals: Any = 0, out: Any = None) -> Any:  # noqa: A001 - NumPy's name
    refuse(out=(out, None))
    return _rounding.round_(tensor(a, "a"), decimals)


around = round


@numpy_native(
    "numpy.nan_to_num", "Replace NaN and infinities by numbers.", agreement=Exact(), words=BITS,
    domain={
        "x": Array(dtypes=REALS), "nan": OneOf(0.0, -1.5), "posinf": OneOf(None, 2.5),
        "neginf": OneOf(None, -2.5),
    },
    parameters={
        "x": ARRAY_LIKE, "nan": "number, default 0.0\nWhat stands for NaN.",
        "posinf": "None or number, default None\nWhat stands for infinity; None is the largest number.",
        "neginf": "None or number, default None\nWhat stands for minus infinity; None is the least number.",
    },
    returns="tf.Tensor, shape and dtype of `x`\nThe elements; bool and integers as they are.",
    example=("[float('nan'), 1.5]", "<tf.Tensor: shape=(2,), dtype=float64, numpy=array([0. , 1.5])>"),
    graph="three selections; static shape is kept.",
)  # fmt: skip
def nan_to_num(x: Any, copy: Any = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    refuse(copy=(copy, True))
    value = tensor(x, "x")
    if value.dtype.is_complex:
        parts = (_finite(part, nan, posinf, neginf) for part in (tf.math.real(value), tf.math.imag(value)))
        return tf.complex(*parts)
    return _finite(value, nan, posinf, neginf) if value.dtype.is_floating else tf.identity(value)


def _finite(x: Any, nan: Any, posinf: Any, neginf: Any) -> Any:
    dtype = np.dtype(x.dtype.as_numpy_dtype)

    def instead(value: Any, parameter: str) -> Any:
        found = read(value, parameter)
        return constant(found.value, dtype) if found.plain else cast(found.value, dtype)

    most = tf.constant(x.dtype.max, x.dtype) if posinf is None else instead(posinf, "posinf")
    least = tf.constant(x.dtype.min, x.dtype) if neginf is None else instead(neginf, "neginf")
    return one_pass(_replaced, x, instead(nan, "nan"), most, least)


def _replaced(x: Any, nan: Any, most: Any, least: Any) -> Any:
    infinity = tf.constant(float("inf"), x.dtype)
    found = tf.where(tf.math.is_nan(x), nan, x)
    return tf.where(tf.equal(x, -infinity), least, tf.where(tf.equal(x, infinity), most, found))
