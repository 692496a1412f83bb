"""A pair to verify: two functions and a promise, from the catalog or from a user."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pipeport.contract import Agreement, CannotServe, Contract, Difference, SeedPair, Spec
from pipeport.errors import OutsideDomain, explain
from pipeport.verify._require import resolve

Function = Callable[..., Any]
Predicate = Callable[[Mapping[str, Any]], bool]


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two functions that should agree, and in which sense, on which inputs.

    `reference`, `native`: the function that defines right, and its TensorFlow equivalent. `reference_name`,
    `native_name`: dotted names, for the counterexample. `domain`, `extra`: parameters of both, and those of
    the native alone. `agreement`: the sense in which outputs are equal. `differences`, `cannot_serve`: what
    is left out, with witnesses. `valid`: whether arguments belong to the domain. `contract`: the catalog's
    entry, when there is one. `large`: whether images of `contract.LARGE` are drawn besides those of the
    domain's sides. `called`: what the two functions are called in messages. `port_seed`: of a function and
    its own port: the seed of the draws they share. `port_islands`: whether calls without a native equivalent
    stay Python in the port. `port_wrapper`: what the function was wrapped in, as `pipeport.port` takes it.
    `redrawn`: of a function and its own port: the function with the draws of other seeds.
    """

    name: str
    reference: Function
    native: Function
    reference_name: str
    native_name: str
    domain: Mapping[str, Spec]
    agreement: Agreement
    extra: Mapping[str, Spec] = field(default_factory=dict)
    returns: tuple[str, ...] = ("output",)
    differences: tuple[Difference, ...] = ()
    cannot_serve: tuple[CannotServe, ...] = ()
    valid: Predicate | None = None
    contract: Contract | None = None
    large: bool = True
    called: tuple[str, str] = ("reference", "native")
    port_seed: int | None = None
    port_islands: bool = False
    port_wrapper: str = "numpy_function"
    redrawn: tuple[Function, ...] = ()

    @property
    def specs(self) -> dict[str, Spec]:
        """Specs of every parameter that is drawn, ours included."""
        return {**self.domain, **self.extra}

    @property
    def optional(self) -> frozenset[str]:
        """Parameters that may be left out: those with a default, and options taken by `**kwargs`.

        A seed may not: without one there is nothing to repeat.
        """
        try:
            parameters = inspect.signature(self.native).parameters
        except (TypeError, ValueError):
            return frozenset()
        with_default = {p.name for p in parameters.values() if p.default is not p.empty}
        options = set() if self.contract is None else self.specs.keys() - parameters.keys()
        seeds = {name for name, spec in self.specs.items() if isinstance(spec, SeedPair)}
        return frozenset((with_default | options) - seeds)

    def complete(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments with the native's defaults filled in."""
        return {**_defaults(self.native), **arguments}

    def of_reference(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments without those only the native has."""
        return {name: value for name, value in arguments.items() if name not in self.extra}


def _defaults(function: Function) -> dict[str, Any]:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # builtins without a readable signature
        return {}
    return {p.name: p.default for p in signature.parameters.values() if p.default is not p.empty}


def pair_of(contract: Contract, *, native: Function | None = None) -> Pair:
    """Return the pair of a contract, with its reference imported.

    `native`: another native to judge by the same contract, for instance a mutant.
    """
    extra = "addons" if contract.environment == "addons" else "verify"
    if contract.targets:
        return _pair_of_calls(contract, native)
    return Pair(
        name=contract.native,
        reference=_as_called(contract, resolve(contract.reference, extra)),
        native=_as_read(contract, native or contract.function),
        reference_name=contract.reference,
        native_name=contract.native,
        domain=contract.domain,
        agreement=contract.agreement,
        extra=contract.extra,
        returns=contract.returns,
        differences=contract.differences,
        cannot_serve=contract.cannot_serve,
        valid=contract.valid,
        contract=contract,
    )


def _pair_of_calls(contract: Contract, native: Function | None) -> Pair:
    """Return the pair of a class whose objects are called: both as functions of all that matters."""
    from pipeport.verify._augmentation import native_function, reference_function

    resolve(contract.reference, "verify")
    return Pair(
        name=contract.native,
        reference=reference_function(contract),
        native=native_function(contract, native),
        reference_name=contract.reference,
        native_name=contract.native,
        domain={**contract.domain, **contract.targets, "seed": SeedPair(tensor=True)},
        agreement=contract.agreement,
        returns=tuple(sorted(contract.targets)),
        differences=contract.differences,
        cannot_serve=contract.cannot_serve,
        valid=contract.valid,
        contract=contract,
    )


def _as_called(contract: Contract, reference: Function) -> Function:
    """Return the reference as a function of the contract's parameters that gives what is compared."""
    if contract.reference_call is None and contract.compared is None:
        return reference
    arguments_of = None if contract.reference_call is None else resolve(contract.reference_call)
    read = None if contract.compared is None else resolve(contract.compared[1])

    def called(**arguments: Any) -> Any:
        args, kwargs = ((), arguments) if arguments_of is None else arguments_of(arguments)
        result = reference(*args, **kwargs)
        return result if read is None else read(result)

    return _named_like(called, reference)


def _as_read(contract: Contract, native: Function) -> Function:
    """Return the native with what is compared as its result: read inside the traced function."""
    if contract.compared is None:
        return native
    read = resolve(contract.compared[0])

    def natively(*args: Any, **kwargs: Any) -> Any:
        return read(native(*args, **kwargs))

    return _named_like(natively, native)


def _named_like(function: Function, inside: Function) -> Function:
    """Give a wrapper the name and the signature of what it calls, but not its contract."""
    function.__wrapped__ = inside  # type: ignore[attr-defined]
    function.__name__ = getattr(inside, "__name__", "function")
    function.__qualname__ = getattr(inside, "__qualname__", function.__name__)
    function.__module__ = getattr(inside, "__module__", None) or "__main__"
    return function


def dotted_name(function: Function) -> str:
    """Return `module.qualified_name` of a function, as far as it has one."""
    module = getattr(function, "__module__", None) or "__main__"
    return f"{module}.{getattr(function, '__qualname__', repr(function))}"


def by_keyword(function: Function, names: tuple[str, ...]) -> Function:
    """Return `function` callable by the inputs' names, in whatever way it takes them itself.

    A function whose parameters have other names gets the inputs by position, in the order
    in which they were declared.
    """
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return function
    keyword = {p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
    if any(p.kind is p.VAR_KEYWORD for p in parameters) or keyword.issuperset(names):
        return function
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(positional) < len(names) and not any(p.kind is p.VAR_POSITIONAL for p in parameters):
        raise OutsideDomain(
            explain(
                "inputs",
                ", ".join(names),
                f"at most {len(positional)} inputs, as {dotted_name(function)} takes",
                "Name the inputs like its parameters, or give as many as it takes.",
            )
        )

    def in_order(**arguments: Any) -> Any:
        return function(*(arguments[name] for name in names))

    in_order.__wrapped__ = function  # type: ignore[attr-defined]
    in_order.__qualname__ = getattr(function, "__qualname__", "function")
    in_order.__module__ = getattr(function, "__module__", "__main__")
    return in_order
