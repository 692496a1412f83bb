"""select."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._cast import cast
from pipeport.arrays._promotion import Operand, common
from pipeport.contract import ArrayList, Exact, OneOf
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.numpy._families import REALS, numpy_native, read, tensor, tensor_of
from pipeport.numpy._selecting import chosen

_LISTED = "list of array_like"


def _as_many(arguments: Mapping[str, Any]) -> bool:
    """Whether there is a choice per condition, of shapes that broadcast."""
    conditions, choices = arguments["condlist"], arguments["choicelist"]
    if len(conditions) != len(choices):
        return False
    if isinstance(arguments.get("default"), np.generic) and np.__version__.startswith("1."):
        return False  # it promotes a scalar by its value
    pairs = zip(conditions[0].shape, choices[0].shape, strict=True)
    return all(one == other or 1 in (one, other) for one, other in pairs)


@numpy_native(
    "numpy.select", "Choose each element by the first condition that holds there.",
    domain={"condlist": ArrayList(counts=(1, 2), dtypes=("bool",), ranks=(2,), sides=(1, 3)),
            "choicelist": ArrayList(counts=(1, 2), dtypes=REALS, ranks=(2,), sides=(1, 3)),
            "default": OneOf(0, 2.5, np.float32(0.5), typical=0)},
    valid=_as_many,
    parameters={"condlist": f"{_LISTED} of bool\nThe conditions.",
                "choicelist": f"{_LISTED}, bool or any number\nWhat is chosen where each of them holds.",
                "default": "array_like, default 0\nWhat is chosen where none holds."},
    returns="tf.Tensor, of the dtype NumPy promotes to\nThe elements; all shapes broadcast.",
    agreement=Exact(), words="bit for bit, NaN included.",
    raises={"OutsideDomain": "There are not as many choices as conditions, none, or shapes do not broadcast.",
            "WrongType": "A condition is not of bool, or a number of Python's is chosen among unsigned "
                         "integers."},
    example=("[[True, False], [True, True]], [[1, 2], [3, 4]]",
             "<tf.Tensor: shape=(2,), dtype=int64, numpy=array([1, 4])>"),
    graph="an op per condition, and the casts; static shape is kept.",
)  # fmt: skip
def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    if len(condlist) != len(choicelist) or not len(condlist):
        given, advice = f"{len(choicelist)} for {len(condlist)}", "Give one choice per condition."
        raise OutsideDomain(explain("choicelist", given, "as many as conditions, one at least", advice))
    conditions = [_condition(one, f"condlist[{place}]") for place, one in enumerate(condlist)]
    sides = [read(one, "choicelist") for one in choicelist] + [read(default, "default")]
    # As NumPy: True and False count as arrays, the other numbers of Python take the dtype beside them.
    sides = [Operand(one.value, one.dtype, one.weak and one.dtype.kind != "b") for one in sides]
    dtype, _ = common(sides)
    for one in sides[:-1]:
        if not np.can_cast(one.dtype, dtype, "same_kind"):
            advice = "NumPy refuses it as well: cast the choice with `astype`."
            raise WrongType(explain("choicelist", f"{one.dtype} for {dtype}", "what becomes it", advice))
    *choices, found = (cast(tensor_of(one), dtype) for one in sides)
    whole = functools.reduce(_joined, [*(one.shape for one in conditions), *(one.shape for one in choices)])
    _joined(whole, found.shape)
    for holds, choice in zip(reversed(conditions), reversed(choices), strict=True):
        found = chosen(holds, choice, found)
    return found


def _condition(value: Any, name: str) -> Any:
    holds = tensor(value, name)
    if not holds.dtype.is_bool:
        advice = "Compare, as in `x > 0`."
        raise WrongType(explain(name, f"dtype {holds.dtype.name}", "bool", advice))
    return holds


def _joined(one: Any, other: Any) -> Any:
    """Return the shape of two together."""
    try:
        return tf.broadcast_static_shape(one, other)
    except ValueError as error:
        advice = "Sizes must be equal, or 1."
        given = f"shapes {one} and {other}"
        raise OutsideDomain(explain("choicelist", given, "shapes that broadcast", advice)) from error
