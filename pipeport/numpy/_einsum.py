"""einsum."""

from __future__ import annotations

import functools
import math
import re
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays import _products
from pipeport.arrays._cast import cast
from pipeport.arrays._making import tensors_in
from pipeport.arrays._promotion import joined
from pipeport.contract import AsReference, CannotServe, OneOf
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.arrays import known_rank
from pipeport.numpy._families import numpy_native, refuse, tensor
from pipeport.numpy._reductions import CLOSE
from pipeport.numpy._sized import by_position

_ROW, _COLUMN = (1.0, 2.0, -3.0), (0.5, -1.0, 4.0)
_SQUARE, _OTHER = (_ROW, _COLUMN, (2.0, 0.0, 1.0)), (_COLUMN, _COLUMN, _ROW)
_EQUATION = re.compile(
    r"[A-Za-z]*(\.\.\.)?[A-Za-z]*(,[A-Za-z]*(\.\.\.)?[A-Za-z]*)*(->[A-Za-z]*(\.\.\.)?[A-Za-z]*)?"
)


def _equation(subscripts: Any, count: int) -> tuple[list[str], str]:
    """Return the labels of every operand, and those of the result."""
    advice = "Write it like 'ij,jk->ik', with a term per array."
    if not isinstance(subscripts, str):
        allowed = "a string of subscripts, then arrays"
        raise UnsupportedArgument(explain("operands", type(subscripts).__name__, allowed, advice))
    text = subscripts.replace(" ", "")
    if not _EQUATION.fullmatch(text):
        raise OutsideDomain(explain("operands", repr(subscripts), "subscripts", advice))
    given, arrow, result = text.partition("->")
    terms = given.split(",")
    if len(terms) != count:
        raise OutsideDomain(
            explain("operands", f"{count} arrays", f"{len(terms)}, as the subscripts", advice)
        )
    if not arrow:  # those that come once, in the order of the alphabet
        labels = given.replace("...", "").replace(",", "")
        once = sorted(one for one in {*labels} if labels.count(one) == 1)
        result = "".join((["..."] if "..." in given else []) + once)
    stated = result.replace("...", "")
    if len({*stated}) < len(stated) or not {*stated} <= {*given}:
        allowed = "labels of the operands, each once"
        raise OutsideDomain(explain("operands", f"the result {result!r}", allowed, advice))
    return terms, result


def _sizes(terms: list[str], parts: list[Any]) -> dict[str, int]:
    """Return the known sizes of labels; refuse ranks and sizes that the subscripts do not fit.

    What tracing does not know the op checks.
    """
    sizes: dict[str, int] = {}
    for term, x in zip(terms, parts, strict=True):
        rank, labels = known_rank(x, "operands"), term.replace("...", "")
        if len(labels) > rank or ("..." not in term and len(labels) < rank):
            advice = "Write a label per axis, or '...' for some."
            raise OutsideDomain(explain("operands", f"rank {rank}", f"the axes of {term!r}", advice))
        head, dots, tail = term.partition("...")
        known = x.shape.as_list()
        pairs = [*zip(head, known, strict=False)]
        pairs += [*zip(tail, known[rank - len(tail) :], strict=True)] if dots else []
        for label, size in pairs:
            if size is not None and sizes.setdefault(label, size) != size:
                given, advice = f"sizes {sizes[label]} and {size} of {label!r}", "Repeat what has size one."
                raise OutsideDomain(explain("operands", given, "one size per label", advice))
    return sizes


def _runs_long(terms: list[str], result: str, sizes: dict[str, int]) -> bool:
    """Say whether TensorFlow may add many products in a row."""

    def number(labels: str) -> int | None:
        return math.prod(sizes[one] for one in labels) if {*labels} <= {*sizes} else None

    gone = "".join({*"".join(terms)} - {*result})
    return _products.runs_long(number(gone), 1, number(result))


@numpy_native(
    "numpy.einsum", "Multiply and add up along axes that have the same label.",
    domain={"operands": OneOf(
        ("ij,jk->ik", _SQUARE, _OTHER), ("ij,jk", _SQUARE, _OTHER), ("ii", _SQUARE), ("ii->i", _SQUARE),
        ("ij->ji", _OTHER), ("ij->", _OTHER), ("i,j->ij", _ROW, _COLUMN), ("i,i", _ROW, _COLUMN),
        ("...j,j->...", _SQUARE, _ROW), ("...ij->...ji", (_SQUARE, _OTHER)),
        ("hwc , cd->hwd", (_SQUARE,), _OTHER), ("ij,jk,kl->il", _SQUARE, _OTHER, _SQUARE), ("yx", _OTHER),
    )},
    parameters={"operands": "str, then array_like\nThe subscripts, and an array per term.",
                "optimize": "bool, str or sequence, default False\nIn which order to multiply; here "
                            "the order is TensorFlow's own."},
    returns="tf.Tensor, of the dtype NumPy promotes to\nThe result; integers wrap around.",
    agreement=AsReference(), words=CLOSE,
    raises={"OutsideDomain": "The subscripts are none, or ranks or sizes do not fit.",
            "tf.errors.InvalidArgumentError": "Sizes unknown while tracing turn out not to fit."},
    example=("'ij,j->i', [[1.0, 2.0], [3.0, 4.0]], [1.0, 1.0]",
             "<tf.Tensor: shape=(2,), dtype=float64, numpy=array([3., 7.])>"),
    graph="a product per pair of arrays; static shape is kept.", cannot_serve=(
        CannotServe("batched", "arrays that are given by position have no names",
                    lambda: {"operands": ("ij->ji", _OTHER)}),
    ),
    reference_call=f"{__name__}.by_place",
)  # fmt: skip
@by_position("operands")
def einsum(operands: Any, *, out: Any = None, optimize: Any = False, **kwargs: Any) -> Any:
    refuse(out=(out, None))
    if kwargs:
        name, advice = next(iter(kwargs)), "Cast the result with `astype`."
        raise UnsupportedArgument(explain(name, repr(kwargs[name]), "nothing", advice))
    if not isinstance(optimize, (bool, str, list, tuple)):
        raise WrongType(explain("optimize", repr(optimize), "True, False, a name or a path", "Leave it out."))
    if not operands:
        raise OutsideDomain(explain("operands", "nothing", "subscripts and arrays", "Give them."))
    given = tensors_in(operands)
    terms, result = _equation(given[0], len(given) - 1)
    parts = [tensor(one, "operands") for one in given[1:]]
    dtype = functools.reduce(joined, (np.dtype(x.dtype.as_numpy_dtype) for x in parts))
    parts = [cast(x, dtype) for x in parts]
    long = _runs_long(terms, result, _sizes(terms, parts))
    product = functools.partial(tf.einsum, f"{','.join(terms)}->{result}")
    return _products.multiplied(product, *parts, long=long)


def by_place(arguments: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Call a reference that takes subscripts and arrays by position.

    `arguments`: drawn arguments, the operands as a tuple.
    """
    rest = dict(arguments)
    return tuple(rest.pop("operands")), rest
