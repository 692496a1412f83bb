"""Functions that take many elements together: sum, mean, std, min, any, nanmax ..."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays import _moments, _reduce
from pipeport.arrays._along import axes_of, flag, not_empty, sum_dtype, truth
from pipeport.arrays._cast import cast
from pipeport.arrays._chosen_elements import NOTHING as NOTHING
from pipeport.arrays._chosen_elements import initial_of, mask_of, taken
from pipeport.arrays._one_pass import one_pass
from pipeport.arrays._sums import added
from pipeport.contract import Agreement, Array, AsReference, Axes, Boolean, Exact, Maybe, OneOf, Spec
from pipeport.numpy import _ignore_nan
from pipeport.numpy._families import REALS, numpy_native, refuse, tensor

# In a stated signature, which is read where no name is known.
NO_VALUE = "__import__('numpy')._NoValue"
NUMBERS = REALS[1:]
BITS = "bit for bit, NaN included."
# Sums that do not cancel: the bound is measured by the result. Few, because compiled ones are added in a row.
SUMMED = Array(dtypes=REALS, ranks=(0, 1, 2, 3), sides=(0, 4), values=(0.0, 100.0))
CLOSE = "as accurate as the reference, judged against it in float64."

ARRAY_LIKE = "array_like, bool or any number\nAny shape; sizes may be unknown."
AXIS = "None, int or tuple of int, default None\nAlong which axes; None takes all."
KEEP = "bool, default False\nWhether the axes stay, with size one."
_DTYPE = "dtype or None, default None\nIn which dtype; None widens bool and integers to 64 bits."
_FLOAT = "dtype or None, default None\nIn which dtype; None takes float64 for bool and integers."
_WHERE = "array_like of bool, default True\nWhich elements are taken; the shape broadcasts to that of `a`."
_INITIAL = "number, optional\n{}"
_MASKS = OneOf(True, False, typical=True)
_DOCUMENTED = {"a": ARRAY_LIKE, "axis": AXIS, "keepdims": KEEP}
RAISES = {"BadAxis": "`a` has no such axis."}
_EMPTY = {
    **RAISES,
    "OutsideDomain": "There are no elements, or they are complex.",
    "tf.errors.InvalidArgumentError": "There turn out to be no elements.",
}


def kept(keepdims: Any) -> Any:
    """Return the switch, which is off where it is not given."""
    return False if keepdims is NOTHING else keepdims


def one_zero(arguments: Mapping[str, Any]) -> bool:
    """Say that zeros, if any, have one sign: which of two comes out is for the processor to say.

    `arguments`: drawn arguments; `a` is the array. Returns: whether NumPy's result is defined to the bit.
    """
    a = np.asarray(arguments["a"])
    return a.dtype.kind != "f" or len(np.unique(np.signbit(a[a == 0]))) < 2


def _widens(arguments: Mapping[str, Any]) -> bool:
    """Say that a sum in this dtype is no matter of the order in which integers are added."""
    dtype, kind = arguments.get("dtype"), np.asarray(arguments["a"]).dtype.kind
    return dtype is None or (kind != "f" if dtype == "int64" else kind == "f" or dtype == "float64")


def _floats_widen(arguments: Mapping[str, Any]) -> bool:
    dtype = arguments.get("dtype")
    return dtype is None or (dtype != "int64" and np.asarray(arguments["a"]).dtype.kind == "f")


def _finite_floats_widen(arguments: Mapping[str, Any]) -> bool:
    """Leave infinities out: times factors that vanish it is NaN or not by their order."""
    return _floats_widen(arguments) and not np.isinf(np.asarray(arguments["a"])).any()


def _declared(
    name: str,
    summary: str,
    function: Callable[..., Any],
    example: tuple[str, str],
    *,
    agreement: Agreement,
    returns: str,
    domain: Mapping[str, Spec] | None = None,
    parameters: Mapping[str, str] | None = None,
    array: Array | None = None,
    **promise: Any,
) -> Callable[..., Any]:
    function.__name__ = function.__qualname__ = name
    drawn: dict[str, Spec] = {"a": array or Array(dtypes=REALS), "axis": Axes(of="a", none=True)}
    return numpy_native(
        f"numpy.{name}", summary, domain={**drawn, "keepdims": Boolean(), **(domain or {})},
        parameters={**_DOCUMENTED, **(parameters or {})}, returns=returns, agreement=agreement,
        example=example, words=BITS if isinstance(agreement, Exact) else CLOSE,
        **{"raises": RAISES, **promise},
    )(function)  # fmt: skip


def _total(
    name: str, summary: str, compute: Callable[..., Any], shown: str, begins: OneOf, **promise: Any
) -> Callable[..., Any]:
    def function(
        a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = NOTHING,
        initial: Any = NOTHING, where: Any = NOTHING,
    ) -> Any:  # fmt: skip
        refuse(out=(out, None))
        return compute(tensor(a, "a"), axis, dtype, kept(keepdims), where, initial)

    return _declared(
        name, summary, function, ("[1.5, 2.5]", shown), agreement=AsReference(),
        domain={"dtype": Maybe(spec=OneOf("float32", "float64", "int64")), "initial": begins,
                "where": _MASKS},
        parameters={"dtype": _DTYPE, "initial": _INITIAL.format("What it begins with."), "where": _WHERE},
        returns="tf.Tensor\nThe results; integers wrap around. float16 is rounded once.", **promise,
    )  # fmt: skip


def _extreme(
    name: str,
    summary: str,
    compute: Callable[..., Any],
    shown: str,
    given: str = "[1.5, 2.5]",
    aliases: tuple[str, ...] = (),
) -> Callable[..., Any]:
    def function(
        a: Any, axis: Any = None, out: Any = None, keepdims: Any = NOTHING, initial: Any = NOTHING,
        where: Any = NOTHING,
    ) -> Any:  # fmt: skip
        refuse(out=(out, None))
        return compute(tensor(a, "a"), axis, kept(keepdims), where, initial)

    return _declared(
        name, summary, function, (given, shown), agreement=Exact(), valid=one_zero, raises=_EMPTY,
        aliases=aliases, domain={"initial": Maybe(spec=OneOf(3, 50)), "where": _MASKS},
        parameters={"initial": _INITIAL.format("Stands beside the elements; None: nothing does."),
                    "where": f"{_WHERE} An array of bool needs `initial`."},
        returns="tf.Tensor, dtype of `a`\nThe results; a zero may have either sign where there are both.",
    )  # fmt: skip


def _mean(name: str, summary: str, compute: Callable[..., Any], given: str) -> Callable[..., Any]:
    def function(
        a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = NOTHING, *,
        where: Any = NOTHING,
    ) -> Any:  # fmt: skip
        refuse(out=(out, None))
        return compute(tensor(a, "a"), axis, dtype, kept(keepdims), where)

    return _declared(
        name, summary, function, (given, _scalar("2.0")), agreement=AsReference(), valid=_floats_widen,
        domain={"dtype": Maybe(spec=OneOf("float32", "float64")), "where": _MASKS},
        parameters={"dtype": _FLOAT, "where": _WHERE}, array=SUMMED,
        returns="tf.Tensor\nThe means; NaN of nothing. float16 is added in float32.",
    )  # fmt: skip


def _spread(name: str, summary: str, compute: Callable[..., Any], shown: str) -> Callable[..., Any]:
    def function(
        a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: Any = NOTHING,
        *, where: Any = NOTHING, mean: Any = NOTHING, correction: Any = NOTHING,
    ) -> Any:  # fmt: skip
        refuse(out=(out, None), mean=(mean, NOTHING), correction=(correction, NOTHING))
        return compute(tensor(a, "a"), axis, dtype, ddof, kept(keepdims), where=where)

    parameters = {
        "dtype": _FLOAT,
        "ddof": "int or float, default 0\nThe divisor is the number of elements less this.",
        "where": _WHERE,
    }
    return _declared(
        name, summary, function, ("[1.0, 3.0]", shown), agreement=AsReference(), valid=_floats_widen,
        domain={"dtype": Maybe(spec=OneOf("float32", "float64")), "ddof": OneOf(0, 1, 1.5), "where": _MASKS},
        array=Array(dtypes=REALS, ranks=(0, 1, 2, 3), sides=(0, 4), values=(-1.0, 1.0)),
        parameters=parameters, returns="tf.Tensor\nThe results. float16 is squared and added in float32.",
        examples=(lambda: {"a": np.array([0.2739233746429086]), "dtype": "float32", "ddof": 1.5},),
        stated=(f"(a, axis=None, dtype=None, out=None, ddof=0, keepdims={NO_VALUE}, *, where={NO_VALUE}, "
                f"mean={NO_VALUE}, correction={NO_VALUE})"),
    )  # fmt: skip


def _answer(name: str, summary: str, compute: Callable[..., Any], shown: str) -> Callable[..., Any]:
    def function(
        a: Any, axis: Any = None, out: Any = None, keepdims: Any = NOTHING, *, where: Any = NOTHING
    ) -> Any:
        refuse(out=(out, None))
        return compute(tensor(a, "a"), axis, kept(keepdims), where)

    returns = "tf.Tensor of bool\nThe answers; NaN is not zero."
    shown = f"<tf.Tensor: shape=(), dtype=bool, numpy={shown}>"
    return _declared(
        name, summary, function, ("[True, False]", shown), agreement=Exact(), returns=returns,
        domain={"where": _MASKS}, parameters={"where": _WHERE},
    )  # fmt: skip


def _scalar(text: str) -> str:
    return f"<tf.Tensor: shape=(), dtype=float64, numpy={text}>"


def _without_nan(extreme: Callable[..., Any], reduce: str, join: str, neutral: float) -> Callable[..., Any]:
    def compute(x: Any, axis: Any, keepdims: Any, where: Any, initial: Any) -> Any:
        mask = mask_of(where, x)
        begins = initial is not None and initial is not NOTHING
        if not x.dtype.is_floating or (mask is not None and not begins):
            return extreme(x, axis, keepdims, where, initial)
        axes, keep = axes_of(x, axis), flag(keepdims, "keepdims")
        least, nan = (tf.constant(number, x.dtype) for number in (neutral, np.nan))
        first = initial_of(initial, np.dtype(x.dtype.as_numpy_dtype)) if begins else nan
        x = taken(x if begins else not_empty(x, axes), mask, nan)
        found = getattr(tf, reduce)(one_pass(_ignore_nan.or_else, x, least), axes, keep)
        if begins:
            found = getattr(tf, join)(found, _ignore_nan.or_else(first, least))
        # What stands for NaN may be a number, too.
        some = tf.cond(
            tf.reduce_any(tf.equal(found, least)),
            lambda: tf.reduce_any(tf.equal(x, x), axes, keep), lambda: tf.ones_like(found, tf.bool),
        )  # fmt: skip
        return tf.where(tf.logical_or(some, tf.equal(first, first)), found, nan)

    return compute


def _mean_of_numbers(x: Any, axis: Any, dtype: Any, keepdims: Any, where: Any) -> Any:
    if not (x.dtype.is_floating or x.dtype.is_complex):
        return _moments.mean(x, axis, dtype, keepdims, where)
    axes, keep = axes_of(x, axis), flag(keepdims, "keepdims")
    x = taken(x, mask_of(where, x), np.nan)
    own = np.dtype(x.dtype.as_numpy_dtype)
    wanted = own if dtype is None else sum_dtype(x, dtype)
    wide = np.dtype(np.float32) if wanted == np.float16 else wanted
    here, values = one_pass(_ignore_nan.present, x), one_pass(_ignore_nan.or_else, x, tf.zeros([], x.dtype))
    return cast(added(cast(values, wide), axes, keep) / cast(tf.reduce_sum(here, axes, keep), wide), wanted)


_SUMS, _FACTORS = OneOf(0, 2, 1.5, typical=0), OneOf(1, 3, 0.5, typical=1)

sum = _total(  # noqa: A001 - NumPy's name
    "sum", "Add elements up.", _reduce.total, _scalar("4.0"), _SUMS, valid=_widens, array=SUMMED
)
prod = _total(
    "prod", "Multiply elements.", _reduce.prod, _scalar("3.75"), _FACTORS, valid=_floats_widen,
    # A product of thousands is a matter of the order in which it leaves the range of the dtype.
    array=Array(dtypes=REALS, ranks=(0, 1), sides=(0, 8), values=(-1.5, 1.5), non_finite=False),
)  # fmt: skip
nanprod = _total(
    "nanprod", "Multiply elements, NaN as one.", _ignore_nan.product,
    f"{_scalar('3.75')}\n>>> nanprod([1.5, float('nan')])\n{_scalar('1.5')}", _FACTORS,
    valid=_finite_floats_widen,
    array=Array(dtypes=REALS, ranks=(0, 1), sides=(0, 8), values=(-1.5, 1.5)),
)  # fmt: skip
nansum = _total(
    "nansum", "Add elements up, NaN as zero.", _ignore_nan.total,
    f"{_scalar('4.0')}\n>>> nansum([1.5, float('nan')])\n{_scalar('1.5')}", _SUMS, valid=_widens,
    array=SUMMED,
)  # fmt: skip
mean = _mean("mean", "Return the mean.", _moments.mean, "[1.5, 2.5]")
nanmean = _mean(
    "nanmean", "Return the mean of what is not NaN.", _mean_of_numbers, "[1.5, float('nan'), 2.5]"
)
std = _spread("std", "Return the standard deviation.", _moments.std, _scalar("1.0"))
var = _spread("var", "Return the variance.", _moments.var, _scalar("1.0"))
nanstd = _spread(
    "nanstd", "Return the standard deviation of what is not NaN.", _ignore_nan.std,
    f"{_scalar('1.0')}\n>>> nanstd([1.0, float('nan'), 5.0])\n{_scalar('2.0')}",
)  # fmt: skip
min = amin = _extreme(  # noqa: A001 - NumPy's name
    "min", "Return the smallest elements; NaN where there is one.", _reduce.smallest, _scalar("1.5"),
    aliases=("numpy.amin",),
)  # fmt: skip
max = amax = _extreme(  # noqa: A001 - NumPy's name
    "max", "Return the largest elements; NaN where there is one.", _reduce.largest, _scalar("2.5"),
    aliases=("numpy.amax",),
)  # fmt: skip
nanmin = _extreme(
    "nanmin", "Return the smallest elements but for NaN.",
    _without_nan(_reduce.smallest, "reduce_min", "minimum", np.inf), _scalar("1.5"), "[1.5, float('nan')]",
)  # fmt: skip
nanmax = _extreme(
    "nanmax", "Return the largest elements but for NaN.",
    _without_nan(_reduce.largest, "reduce_max", "maximum", -np.inf), _scalar("1.5"), "[1.5, float('nan')]",
)  # fmt: skip
any = _answer(  # noqa: A001 - NumPy's name
    "any", "Say whether any element is not zero.", _reduce.any_, "True"
)
all = _answer(  # noqa: A001 - NumPy's name
    "all", "Say whether all elements are not zero.", _reduce.all_, "False"
)


def _ptp(a: Any, axis: Any = None, out: Any = None, keepdims: Any = NOTHING) -> Any:
    refuse(out=(out, None))
    return _reduce.ptp(tensor(a, "a"), axis, kept(keepdims))


ptp = _declared(
    "ptp", "Return the largest less the smallest elements.", _ptp, ("[1.5, 2.5]", _scalar("1.0")),
    agreement=Exact(), array=Array(dtypes=NUMBERS), raises=_EMPTY,
    returns="tf.Tensor, dtype of `a`\nThe ranges; integers wrap around.",
)  # fmt: skip


def _count_nonzero(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    return _reduce.total(truth(tensor(a, "a")), axis, np.dtype(np.int64), keepdims)


count_nonzero = _declared(
    "count_nonzero", "Count the elements that are not zero.", _count_nonzero,
    ("[1.5, 0.0]", "<tf.Tensor: shape=(), dtype=int64, numpy=1>"), agreement=Exact(),
    returns="tf.Tensor of int64\nThe counts; NaN is not zero.",
)  # fmt: skip
