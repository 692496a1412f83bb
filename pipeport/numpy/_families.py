"""Shared by natives of one or two ops: operands, refused parameters, generated docstrings."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._accepts_ndarray import accepts_ndarray
from pipeport.arrays._cast import numpy_dtype
from pipeport.arrays._operators import operand
from pipeport.arrays._promotion import Operand, constant, fitted
from pipeport.contract import Agreement, CannotServe, Difference, OneOf, Spec, replaces
from pipeport.errors import UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs import _checks

REALS = ("bool", "uint8", "int32", "float16", "float32", "float64")

# Characters of a value in a message, from which on its type says more.
_SHOWN = 60

# Why a parameter is refused.
REASONS = {
    "out": "tensors are never written to",
    "where": "elements that are left out have no value",
    "casting": "the rule of the reference's default holds",
    "order": "tensors have one memory order",
    "dtype": "cast the result with `astype`",
    "subok": "there are no subclasses",
    "signature": "the dtype follows from the operands",
    "like": "the result is that of pipeport",
    "device": "placement is TensorFlow's affair",
    "mean": "it is computed here",
    "correction": "`ddof` says the same",
    "copy": "tensors are never written to",
    "kwargs": "the rules of the reference's defaults hold",
    "overwrite_input": "tensors are never written to",
    "weights": "all elements count the same",
    "axis": "the array is taken as flat",
    "writeable": "tensors are never written to",
    "sorted": "the elements come in ascending order",
    "rcond": "the default says which singular values count",
    "full": "the coefficients alone are given",
    "cov": "the coefficients alone are given",
    "w": "all points count the same",
}


def refuse(**given: tuple[Any, Any]) -> None:
    """Refuse parameters that have another value than their default.

    `**given`: by name, the value given and the default.
    """
    for name, (value, default) in given.items():
        if value is default or (type(value) is type(default) is str and value == default):
            continue
        shown = "nothing" if default is np._NoValue else repr(default)
        reason = f"Leave it out: {REASONS[name]}."
        told = repr(value)
        if len(told) > _SHOWN or "\n" in told:
            told = f"a value of type {type(value).__name__}"
        raise UnsupportedArgument(explain(name, told, shown, reason))


def read(value: Any, parameter: str) -> Operand:
    """Return an array-like argument as an operand.

    Returns: its tensor, or its plain number.
    """
    found = operand(value, parameter)
    if found is None:
        allowed = "an array, a tensor, nested lists or a number"
        raise WrongType(explain(parameter, type(value).__name__, allowed, "Convert it first."))
    return found


def tensor(value: Any, parameter: str) -> Any:
    """Return an array-like argument as a tensor of the dtype NumPy gives it."""
    return tensor_of(read(value, parameter))


def moved(value: Any, parameter: str) -> Any:
    """Return an argument whose elements are only moved as a tensor: strings, too."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "OSU" and value.size:
        value = tf.convert_to_tensor(value)
    return value if tf.is_tensor(value) and value.dtype == tf.string else tensor(value, parameter)


def tensor_of(side: Operand) -> Any:
    """Return an operand as a tensor of the dtype NumPy gives it."""
    return constant(side.value, side.dtype) if side.plain else tf.convert_to_tensor(side.value)


# Parameters of functions of elements that choose the dtype they compute in.
LOOP = {
    "casting": "str, default 'same_kind'\nWhich casts to `dtype` are allowed: 'same_kind', 'safe' or "
               "'unsafe'.",
    "dtype": "dtype or None, default None\nThe dtype to compute in, and of the result; None follows from the "
             "operands.",
}  # fmt: skip
LOOP_DOMAIN: dict[str, Spec] = {
    "dtype": OneOf(None, None, None, "float64"), "casting": OneOf("same_kind", "unsafe", typical="same_kind"),
}  # fmt: skip
_CASTINGS = ("same_kind", "safe", "unsafe")


def in_loop(
    compute: Callable[..., Any],
    sides: Mapping[str, Any],
    dtype: Any,
    casting: Any,
    *,
    of_complex: bool = False,
) -> Any:
    """Compute a function of elements in the dtype that is asked for.

    `compute`: takes operands, and gives a tensor. `sides`: the arguments that become operands, by name.
    `dtype`: the dtype; None follows from the operands. `casting`: which casts to it are allowed.
    """
    _checks.word(casting, _CASTINGS, "casting", error=UnsupportedArgument)
    operands = [read(value, name) for name, value in sides.items()]
    for one, name in zip(operands, sides, strict=True):
        if one.dtype.kind == "c" and not of_complex:
            advice = "Take its real part or its magnitude."
            raise WrongType(explain(name, one.dtype, "bool or real numbers", advice))
    if dtype is None:
        return compute(*operands)
    wanted = numpy_dtype(dtype)
    # Of answers the dtype is that of the result alone: bool, of any operands.
    found = compute(*operands) if wanted.kind == "b" else None
    if found is None or not found.dtype.is_bool:
        named = zip(operands, sides, strict=True)
        found = compute(*(_as_asked(one, name, wanted, casting) for one, name in named))
    if found.dtype != tf.as_dtype(wanted):
        advice = "Leave it out, and cast the result with `astype`."
        raise WrongType(explain("dtype", wanted, "one that NumPy computes this function in", advice))
    return found


def _as_asked(side: Operand, name: str, wanted: np.dtype[Any], casting: Any) -> Operand:
    """Return an operand in the dtype that is asked for."""
    asked = Operand(side.value, wanted, False)
    own = wanted if side.weak and side.kind <= asked.kind else side.dtype
    if not np.can_cast(own, wanted, casting):
        advice = "Cast it with `astype`, or give casting='unsafe'."
        raise WrongType(
            explain(name, f"dtype {side.dtype}", f"what casting={casting!r} makes {wanted}", advice)
        )
    return Operand(fitted(side, wanted), wanted, False)


def by_position(arguments: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Call a reference whose parameters have no names to be given by, but for those of `LOOP`.

    `arguments`: drawn arguments, in the reference's order.
    """
    named = {name: value for name, value in arguments.items() if name in LOOP}
    return tuple(value for name, value in arguments.items() if name not in LOOP), named


def numpy_native(
    reference: str,
    summary: str,
    *,
    domain: Mapping[str, Spec],
    parameters: Mapping[str, str],
    returns: str,
    agreement: Agreement,
    example: tuple[str, str],
    words: str,
    raises: Mapping[str, str] | None = None,
    graph: str = "one or two ops; static shape is kept.",
    stated: str | None = None,
    nameless: tuple[str, ...] = (),
    differences: tuple[Difference, ...] = (),
    valid: Callable[[Mapping[str, Any]], bool] | None = None,
    proven_against: str = "",
    aliases: tuple[str, ...] = (),
    cannot_serve: tuple[CannotServe, ...] = (),
    outputs: tuple[str, ...] = ("output",),
    reference_call: str | None = None,
    reasons: Mapping[str, str] | None = None,
    compared: tuple[str, str] | None = None,
    examples: tuple[Callable[[], dict[str, Any]], ...] = (),
    view_of: str | None = None,
    slower: str = "",
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a native of one or two ops: refuse what is not drawn, write the docstring from the pieces.

    `reference`: dotted name of what it replaces. `parameters`: 'type' and what it is, in one text with a line
    break between, per documented parameter; those that are refused are documented from `REASONS`. `returns`:
    type and meaning of the result, with a line break between. `agreement`: the sense in which outputs are
    equal. `example`: the arguments of a call, and its printed result. `raises`: further errors, beside those
    of all. `stated`: the reference's signature, where `inspect` cannot read it or it differs between
    releases. `nameless`: parameters that the reference takes by position alone. `valid`: whether drawn
    arguments belong to the domain. `aliases`: other dotted names of the reference. `cannot_serve`: engines
    the native cannot run in. `reference_call`: dotted path of what says how the reference is called.
    `reasons`: reasons of refused parameters that are none of `REASONS`. `compared`: dotted paths of what is
    compared of the native's result and of the reference's. `examples`: give arguments on which the pair once
    failed. `view_of`: {'first', 'each'} or None; of which arrays the results are views. `slower`: what is
    slower than the reference, if anything is.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        names = list(inspect.signature(function).parameters)
        why = {**REASONS, **(reasons or {})}
        refused = {name: why[name] for name in names if name not in parameters}
        errors = {
            **({"UnsupportedArgument": "A parameter is given that is not served."} if refused else {}),
            "WrongType": "An argument is not an array, or of a dtype NumPy refuses as well.",
            **(raises or {}),
        }
        notes = [
            f"Agreement: {words}",
            *(f"Difference: {one.summary}" for one in differences),
            *(f"Cannot run in the engine '{one.engine}': {one.reason}." for one in cannot_serve),
            f"Graph: {graph}",
            *([f"Speed: {slower} slower than NumPy in `tf.numpy_function`."] if slower else []),
        ]
        short = reference.rpartition(".")[2]
        function.__doc__ = "\n".join([
            summary, "", f"Native equivalent of `{reference}`.", "", "Parameters", "----------",
            *_documented(names, parameters, refused),
            "", "Returns", "-------", *_entry(returns), "", "Raises", "------",
            *(line for name, text in errors.items() for line in (name, f"    {text}")),
            "", "Notes", "-----", *notes, "", "Examples", "--------",
            f">>> from pipeport.{reference.rpartition('.')[0]} import {short}",
            f">>> {short}({example[0]})", *example[1].splitlines(), "",
        ])  # fmt: skip
        return replaces(
            reference, domain=domain, agreement=agreement, proven_against=proven_against, refused=refused,
            parameters=stated and stated.replace("/, ", "").replace(", /", ""), differences=differences,
            valid=valid,
            reference_call=reference_call or (f"{__name__}.by_position" if nameless else None),
            aliases=aliases, cannot_serve=cannot_serve, returns=outputs, compared=compared,
            light_proof=True, examples=examples, view_of=view_of,
        )(accepts_ndarray(function))  # fmt: skip

    return decorate


def _entry(text: str) -> list[str]:
    head, _, body = text.partition("\n")
    return [head, *textwrap.indent(body, "    ").splitlines()]


def _documented(names: list[str], parameters: Mapping[str, str], refused: Mapping[str, str]) -> list[str]:
    lines = []
    for name in names:
        if name in parameters:
            lines += _entry(f"{name} : {parameters[name]}")
        else:
            lines += [f"{name} : optional", f"    Refused: {refused[name]}."]
    return lines
