"""`@replaces`: ties a native to its promise, in one place."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from pipeport import _boundary
from pipeport.contract import _arrays
from pipeport.contract._agreement import Agreement
from pipeport.contract._difference import CannotServe, Difference, Peer, Stock
from pipeport.contract._docstring import completed
from pipeport.contract._domain import Spec

P = ParamSpec("P")
R = TypeVar("R")
V = TypeVar("V")

# Versions that most pairs of a library are proven against.
PROVEN = {
    "PIL": ">=13,<14",
    "albumentations": ">=2.0.8,<2.1",
    "cv2": ">=4.11,<6",
    "keras": ">=2.15",
    "numpy": ">=1.26",
    "pipeport": ">=1.26",  # bodies of arrays
    "random": ">=3.11",
    "scipy": ">=1.14",
    "skimage": ">=0.26,<0.27",
    "tensorflow": ">=2.15",
    "tensorflow_addons": ">=0.23,<0.24",
}
ENGINES = ("eager", "graph", "xla", "dataset", "batched")
_ATTRIBUTE = "__pipeport_contract__"
# AutoGraph's own mark for code that needs no conversion: natives are graph code already, and converting
# them would only slow the trace down.
_MARK = "autograph_info__"


@dataclass(frozen=True, kw_only=True, eq=False)  # one per native: identity is equality
class _Promise:
    """What the author of a pair says; see `replaces` for the fields, which are spelt here alone."""

    reference: str = field(kw_only=False)
    domain: Mapping[str, Spec]
    agreement: Agreement
    proven_against: str = ""
    differences: tuple[Difference, ...] = ()
    cannot_serve: tuple[CannotServe, ...] = ()
    extra: Mapping[str, Spec] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    returns: tuple[str, ...] = ("output",)
    stock: Stock | None = None
    peers: tuple[Peer, ...] = ()
    aliases: tuple[str, ...] = ()
    environment: str = ""
    valid: Callable[[Mapping[str, Any]], bool] | None = None
    kind: str = "function"
    parameters: str | None = None
    reference_call: str | None = None
    compared: tuple[str, str] | None = None
    targets: Mapping[str, Spec] = field(default_factory=dict)
    light_proof: bool = False
    examples: tuple[Callable[[], dict[str, Any]], ...] = ()
    view_of: str | None = None

    def __post_init__(self) -> None:
        library = self.reference.partition(".")[0]
        if not self.proven_against:
            if library not in PROVEN:
                raise TypeError(f"state the versions of {library} that {self.reference} is proven against")
            object.__setattr__(self, "proven_against", PROVEN[library])
        if not self.environment:
            object.__setattr__(self, "environment", "addons" if library == "tensorflow_addons" else "main")
        for name in ("domain", "extra", "refused", "targets"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))


@dataclass(frozen=True, kw_only=True, eq=False)
class Contract(_Promise):
    """What one pair promises; see `replaces` for the fields.

    Attributes
    ----------
    native : str
        Dotted name of the native.
    function : callable
        The native.
    """

    native: str
    function: Callable[..., Any]

    @property
    def summary(self) -> str:
        """First line of the native's docstring."""
        return (inspect.getdoc(self.function) or "").splitlines()[0]

    @property
    def speed(self) -> str:
        """What the native's docstring says of its speed; empty where it says nothing."""
        text = inspect.getdoc(self.function) or ""
        found = re.search(r"^Speed: (.+?)(?:\n\n|\Z)", text, re.DOTALL | re.MULTILINE)
        return " ".join(found[1].split()) if found else ""

    @property
    def signature(self) -> inspect.Signature:
        """Signature of the native."""
        return inspect.signature(self.function)


class replaces(_Promise):
    """Declare that the decorated function is the native of `reference`.

    What its docstring does not say of the reference, of refused parameters and of differences is added.

    Parameters
    ----------
    reference : str
        Dotted name of the reference; resolved by verify, bench, recipes and tests alone.
    domain : mapping of str to Spec
        One spec per parameter of the reference that is drawn.
    agreement : Agreement
        The sense in which outputs are equal.
    proven_against : str
        Versions of the reference's package, as a specifier such as '>=0.26,<0.27'; those of most pairs of
        the library when left out.
    differences : tuple of Difference
        Declared departures, each with a witness.
    cannot_serve : tuple of CannotServe
        Engines the native cannot run in.
    extra : mapping of str to Spec
        Keyword-only parameters of ours, which the reference does not have. `dtype` has one
        meaning everywhere: the result rounded to nearest, saturated and cast.
    refused : mapping of str to str
        Parameters of the reference that are accepted by name and refused, with the reason.
    returns : tuple of str
        Names of the outputs, in order.
    stock : Stock or None
        The nearest TensorFlow or Keras op.
    peers : tuple of Peer
        Other libraries' ways, which the bench measures too.
    aliases : tuple of str
        Other dotted names that lead to this pair.
    environment : {'main', 'addons'}
        The environment in which the reference can be imported; 'addons' for TensorFlow Addons when left out.
    valid : callable or None
        Relation between parameters: whether drawn arguments belong to the domain.
    kind : {'function', 'class', 'method', 'reader'}
        What the reference is. A class is decorated itself; its parameters are those of its
        constructor. A method is mirrored by a function whose first parameter is the object.
    parameters : str or None
        The reference's signature, for builtins that `inspect` cannot read: '(x, num_classes=None)'. Those
        of OpenCV say in their docstring which parameters they have.
    reference_call : str or None
        Dotted path of a plain function `(arguments: dict) -> (args, kwargs)` that says how the
        reference is called; None calls it with the arguments by keyword.
    compared : (str, str) or None
        Dotted paths of two functions, for the native's result and for the reference's: what is
        compared where a result is an object, as a nest of tensors and of arrays.
    targets : mapping of str to Spec
        Of a class whose objects are called with these by name and a `seed`: what is given. Then
        the results of such calls are compared.
    light_proof : bool
        One of a large family of natives, which share their code: fewer examples prove it.
    examples : tuple of callable
        Each gives keyword arguments on which the pair once failed. Every proof judges them, in every
        engine, before it draws others.
    view_of : {'first', 'each', 'itself'} or None
        Whether results of the reference share memory with its first array, or with each array that it
        takes by position; None where they are arrays of their own. Casts are copies. 'itself': the reference
        returns an array that it is given where it changes nothing, and so does the native where it returns
        the tensor of that array.
    """

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        """Return the function with its contract. It warns once when called inside a Python boundary."""
        shared = function if isinstance(function, functools.partial) else None  # `batchable`, `variant`
        written: Any = shared.func if shared else function
        signature = inspect.signature(written) if shared or self.refused else inspect.Signature()
        if shared:
            own = list(signature.parameters.values())[len(shared.args) :]
            signature = signature.replace(parameters=own)
        if written.__doc__:
            written.__doc__ = completed(written.__doc__, self, signature.parameters)
        module = ".".join(p for p in written.__module__.split(".") if not p.startswith("_"))
        native = f"{module}.{written.__name__}"
        checked: Any = (
            _checked_class(function, native, self.reference)
            if isinstance(function, type)
            else functools.wraps(written)(_checked(function, native, self))
        )
        setattr(checked, _ATTRIBUTE, Contract(native=native, function=checked, **vars(self)))
        setattr(checked, _MARK, {})
        if shared:
            checked.__signature__ = signature
            batch_form(checked)(functools.partial(written, *shared.args[:-1], 1))
        return cast("Callable[P, R]", checked)


def _checked(function: Callable[P, R], native: str, promise: _Promise) -> Callable[P, R]:
    reference, view_of = promise.reference, promise.view_of

    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        _boundary.warn_if_inside(native)
        return cast("R", _arrays.call(reference, function, args, kwargs, view_of))

    return checked


def _checked_class(cls: Any, native: str, reference: str) -> Any:
    construct = cls.__init__

    @functools.wraps(construct)
    def checked(self: Any, *args: Any, **kwargs: Any) -> None:
        _boundary.warn_if_inside(native)
        construct(self, *args, **kwargs)

    cls.__init__ = checked
    apply = getattr(cls, "__call__", None)  # noqa: B004 - that of objects, not of the class
    if inspect.isfunction(apply):

        @functools.wraps(apply)
        def called(*args: Any, **kwargs: Any) -> Any:
            return _arrays.call(reference, apply, args, kwargs)

        cls.__call__ = called
    return cls


def contract_of(function: Any) -> Contract | None:
    """Return the contract of a native, or None for any other object."""
    # A subclass has no part in its parent's promise.
    found = (
        vars(function).get(_ATTRIBUTE) if isinstance(function, type) else getattr(function, _ATTRIBUTE, None)
    )
    return found if isinstance(found, Contract) else None


def batchable(function: Callable[Concatenate[int, P], R]) -> Callable[P, R]:
    """Declare a function that serves one element and a whole batch alike; `replaces` goes above.

    Its first parameter is how many batch axes the arrays have: 0 in the native, 1 in `pipeport.batched`.
    """
    return functools.partial(function, 0)


def variant(value: V) -> Callable[[Callable[Concatenate[V, int, P], R]], Callable[P, R]]:
    """Declare a function that serves several natives, each with a `value` of its first parameter.

    The second one is that of `batchable`. The other natives are its `sibling`.
    """
    return lambda function: functools.partial(function, value, 0)


def batch_form(native: Callable[..., Any]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Declare the decorated function as the form of `native` that takes a whole batch, where it is another.

    It has the native's parameters; arrays come with a leading axis, any other parameter
    with or without one. `pipeport.batched(native)` calls it.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        native.__pipeport_batch_form__ = function  # type: ignore[attr-defined]
        return function

    return decorate
