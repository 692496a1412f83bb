"""The functions to compare: native, reference, stock op and peers, with the arguments of a case."""

from __future__ import annotations

import importlib.util
import inspect
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from pipeport.bench._arguments import Arguments, gathered
from pipeport.bench._resolve import resolve as resolve
from pipeport.bench._variants import Variant
from pipeport.contract import Contract, Image, SameAugmentation, SameDistribution
from pipeport.errors import NotPorted, explain

Function = Callable[..., Any]

# References that are TensorFlow ops themselves: people call them in the graph, without a boundary.
_IN_GRAPH = ("tensorflow_addons",)


@dataclass(frozen=True)
class Body:
    """One function, ready to be called with the elements' own values by name.

    `kind`: {'reference', 'native', 'stock', 'peer'}. `call`: takes the elements' values as keyword arguments.
    `python`: whether it works on NumPy arrays and so needs a boundary. `differs`: how its answer differs from
    the reference's; empty when it does not.
    """

    name: str
    kind: str
    call: Function
    takes: tuple[str, ...]
    python: bool
    differs: str = ""
    random: bool = False


def is_random(contract: Contract) -> bool:
    """Return whether the reference draws by itself: answers are then not to be compared."""
    return isinstance(contract.agreement, (SameAugmentation, SameDistribution))


def can_resolve(dotted: str) -> bool:
    """Return whether the top-level package of a dotted name is installed, without importing it."""
    return importlib.util.find_spec(dotted.partition(".")[0]) is not None


def _bind(function: Function, signature: inspect.Signature, given: dict[str, Any]) -> Any:
    bound = signature.bind(**given)
    return function(*bound.args, **bound.kwargs)


def _positional(contract: Contract, function: Function, arguments: Arguments, extra: Any) -> Function:
    """Call as people do: by position as far as the signature goes, whatever the names are."""
    own = inspect.Signature(
        [p for name, p in contract.signature.parameters.items() if name not in contract.extra]
    )
    fixed = {**arguments.fixed, **extra}
    if contract.targets:
        return _object_call(contract, function, fixed)
    read = _reader(contract, 1)
    if contract.reference_call is None:
        return lambda **element: read(_bind(function, own, {**gathered(element), **fixed}))
    arguments_of = resolve(contract.reference_call, "way to call the reference")

    def called(**element: Any) -> Any:
        given = {**gathered(element), **fixed}
        args, kwargs = arguments_of({name: given[name] for name in own.parameters if name in given})
        return read(function(*args, **kwargs))

    return called


def _object_call(contract: Contract, made: Function, fixed: Mapping[str, Any]) -> Function:
    """Return a call of an object of a class, made once, as a function of the element: of its image."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # what a reference says of its own future
        transform = made(**fixed)
    [image] = [name for name, spec in contract.targets.items() if isinstance(spec, Image)]
    return lambda **element: transform(**element)[image]


def _reader(contract: Contract, side: int) -> Function:
    """Return a function that extracts arrays from a result that is an object."""
    if contract.compared is None:
        return lambda result: result
    return cast("Function", resolve(contract.compared[side], "reader"))


def native_call(contract: Contract, variant: Variant, arguments: Arguments, *, batched: bool) -> Function:
    """Return the native as a function of the elements' values."""
    function = contract.function
    if batched:
        import pipeport

        function = pipeport.batched(function)
    fixed = {**arguments.fixed, **arguments.fixed_ours, **variant.native}
    if contract.targets:
        return _object_call(contract, function, fixed)
    read = _reader(contract, 0)
    return lambda **element: read(function(**gathered(element), **fixed))


def native_body(contract: Contract, variant: Variant, arguments: Arguments, *, batched: bool) -> Body:
    """Return the native's side."""
    call = native_call(contract, variant, arguments, batched=batched)
    takes = (*arguments.shared, *arguments.ours)
    return Body(contract.native, "native", call, takes, python=False)


def reference_body(contract: Contract, variant: Variant, arguments: Arguments) -> Body:
    """Return the reference's side; raises NotPorted where it cannot be imported."""
    function = variant.around_reference(resolve(contract.reference))
    call = _positional(contract, function, arguments, variant.reference)
    python = contract.reference.partition(".")[0] not in _IN_GRAPH
    name = f"numpy_function + {contract.reference}" if python else contract.reference
    return Body(name, "reference", call, arguments.shared, python=python, random=is_random(contract))


def stock_body(contract: Contract, arguments: Arguments) -> Body:
    """Return the side of the nearest stock op."""
    stock = contract.stock
    if stock is None:
        raise NotPorted(explain("stock op", "none", "a contract that names one", "Nothing to do."))
    function = resolve(stock.body, "stock op")
    call = _same_parameters(function, stock.body, arguments)
    # A random op draws from the same seeds as the native, where it takes seeds at all.
    seeds = (name for name in arguments.ours if name in inspect.signature(function).parameters)
    takes = (*arguments.shared, *seeds)
    return Body(stock.name, "stock", call, takes, python=False, differs=stock.differs)


def peer_bodies(contract: Contract, dtype: str, arguments: Arguments) -> tuple[list[Body], list[str]]:
    """Return the peers' sides for a dtype, and one line for each that cannot be measured here."""
    bodies, missing = [], []
    for peer in contract.peers:
        if dtype not in peer.dtypes:
            continue
        try:
            call = _same_parameters(resolve(peer.body, "peer"), peer.body, arguments)
        except NotPorted as error:
            missing.append(str(error))
        else:
            name = f"numpy_function + {peer.name}"
            bodies.append(Body(name, "peer", call, arguments.shared, python=True, differs=peer.differs))
    return bodies, missing


def _same_parameters(function: Function, dotted: str, arguments: Arguments) -> Function:
    """Pass arguments by name; one the function does not take is never dropped silently."""
    accepted = inspect.signature(function).parameters
    for name in [*gathered(dict.fromkeys(arguments.shared)), *arguments.fixed]:
        if name not in accepted:
            raise NotPorted(
                explain(
                    dotted, f"no parameter {name!r}", ", ".join(accepted), "Give it the native's parameters."
                )
            )
    return lambda **element: function(**gathered(element), **arguments.fixed)
