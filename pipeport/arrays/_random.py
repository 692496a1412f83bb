"""Natives that draw: how they are declared, read numbers, and give what NumPy takes for Python numbers."""

from __future__ import annotations

import contextvars
import dataclasses
import functools
import textwrap
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport import _boundary
from pipeport.arrays._cast import cast
from pipeport.arrays._making import weak_scalar
from pipeport.arrays._operators import operand
from pipeport.arrays._promotion import Operand, constant
from pipeport.contract import (
    CannotServe,
    Difference,
    Exact,
    SameDistribution,
    SeedPair,
    Spec,
    _arrays,
    contract_of,
    replaces,
)
from pipeport.errors import WrongType, explain

SEED = (
    "array_like of int, shape (2,), or None\n"
    "The draw is a function of it: give each element its own. None takes the ambient seed "
    "(`pipeport.seeds.ambient`)."
)
_RAISES = {
    "OutsideDomain": "A parameter has a value that the reference refuses, or `seed` has another shape.",
    "UnsupportedArgument": "There is no seed, or a parameter has a value that is not served.",
    "WrongType": "An argument is of no use at all, or `seed` not of an integer dtype.",
    "tf.errors.InvalidArgumentError": "What is known only when the graph runs turns out to be refused.",
}
_noted: contextvars.ContextVar[list[Any] | None] = contextvars.ContextVar("pipeport_numbers", default=None)


def python_number(tensor: Any) -> Any:
    """Note that NumPy, or Python, gives a Python number here.

    `tensor`: a scalar, part of the result of a function under `giving_numbers`.
    """
    noted = _noted.get()
    if noted is not None:
        noted.append(tensor)
    return tensor


def giving_numbers(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a native give an array that behaves as a Python number, where it noted one and arrays are wanted.

    Returns: the same; a contract is of this one.
    """

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        numbers: list[Any] = []
        token = _noted.set(numbers)
        try:
            found = function(*args, **kwargs)
        finally:
            _noted.reset(token)
        return _as_numbers(found, numbers)

    contract = contract_of(called)
    if contract is not None:
        called.__pipeport_contract__ = dataclasses.replace(contract, function=called)  # type: ignore[attr-defined]
    return called


def _as_numbers(found: Any, numbers: list[Any]) -> Any:
    if type(found) in (list, tuple):
        return type(found)(_as_numbers(one, numbers) for one in found)
    own = getattr(found, "__pipeport_operand__", None)
    if own is None:
        return found
    value = own().value
    return weak_scalar(value) if any(value is one for one in numbers) else found


def random_by(reference: str, function: Callable[..., Any], *args: Any) -> Any:
    """Call a function as a native, with arrays in and out where that is decided."""

    def native() -> Any:
        return _arrays.call(reference, function, args, {})

    _boundary.warn_if_inside(f"pipeport.{reference}")
    return giving_numbers(native)()


def read(value: Any, parameter: str) -> Operand:
    """Return an argument as an operand: an array, a number, or nested lists of them.

    Returns: its tensor, or its plain number.
    """
    found = operand(value, parameter)
    if found is None or found.dtype.kind == "c":
        given = f"{value!r} of type {type(value).__name__}" if found is None else "complex numbers"
        raise WrongType(explain(parameter, given, "real numbers, or arrays of them", "Convert it first."))
    return found


def real(value: Any, parameter: str) -> Any:
    """Return an argument as real numbers.

    `value`: a number, an array, or nested lists of them. Returns: float64.
    """
    found = read(value, parameter)
    wide = np.dtype(np.float64)
    return constant(found.value, wide) if found.plain else cast(found.value, wide)


def random_native(
    reference: str,
    summary: str,
    *,
    law: str,
    domain: Mapping[str, Spec],
    parameters: Mapping[str, str],
    returns: str,
    example: tuple[str, str],
    stated: str | None = None,
    proven_against: str = "",
    raises: Mapping[str, str] | None = None,
    reference_call: str | None = None,
    witness: Mapping[str, Any] | None = None,
    aliases: tuple[str, ...] = (),
    refused: Mapping[str, str] | None = None,
    valid: Callable[[Mapping[str, Any]], bool] | None = None,
    differences: tuple[Difference, ...] = (),
    slower: str = "",
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a native that draws: the promise and the docstring are written from the pieces.

    `reference`: dotted name of what it replaces. `law`: name in `pipeport.references._draws` of what says
    which draws are possible, and how likely. `parameters`: 'type' and what it is, in one text with a line
    break between, per parameter but `seed`. `returns`: type and meaning of the result, with a line break
    between. `example`: an expression of a call, and its printed result. `stated`: the reference's signature,
    where `inspect` cannot read it. `reference_call`: dotted path of what says how the reference is called.
    `witness`: a call that has nothing to make a batch of; None where an argument is an array. `refused`:
    parameters that are refused, with the reason. `valid`: whether drawn arguments belong to the domain.
    `slower`: what is slower than the reference, if anything is. Returns: decorator of a function whose last
    parameter is the keyword `seed`.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        reason = "there is no array with a leading axis"
        limits = () if witness is None else (CannotServe("batched", reason, lambda: dict(witness)),)
        short = reference.rpartition(".")[2]
        described = {**parameters, "seed": SEED}
        entries = [line for name, text in described.items() for line in _entry(f"{name} : {text}")]
        function.__doc__ = "\n".join([
            summary, "", f"Native equivalent of `{reference}`.", "",
            "Parameters", "----------", *entries, "", "Returns", "-------", *_entry(returns), "",
            "Raises", "------",
            *(line for name, text in {**_RAISES, **(raises or {})}.items() for line in (name, f"    {text}")),
            "", "Notes", "-----",
            "Agreement: shape, dtype, support and distribution are the reference's; the numbers are not.",
            *(f"Difference: {one.summary}" for one in differences),
            *(f"Cannot run in the engine '{one.engine}': {one.reason}." for one in limits),
            "Graph: no Python at run time. One seed draws the same on every engine, but for rounding.",
            *([f"Speed: {slower} slower than NumPy in `tf.numpy_function`."] if slower else []), "",
            "Examples", "--------",
            f">>> from pipeport.{reference.rpartition('.')[0]} import {short}",
            f">>> {example[0]}", *example[1].splitlines(), "",
        ])  # fmt: skip
        return giving_numbers(replaces(
            reference, domain=domain, proven_against=proven_against, parameters=stated,
            agreement=SameDistribution(
                application=Exact(), given=f"pipeport.references._draws.{law}.given",
                statistic=f"pipeport.references._draws.{law}.statistic",
            ),
            extra={"seed": SeedPair(tensor=True)}, reference_call=reference_call, cannot_serve=limits,
            aliases=aliases, light_proof=True, refused=refused or {}, valid=valid,
            differences=differences,
        )(function))  # fmt: skip

    return decorate


def _entry(text: str) -> list[str]:
    head, _, body = text.partition("\n")
    return [head, *textwrap.indent(body, "    ").splitlines()]
