"""The original function with the draws of its port: recorded eagerly, handed out again in their order."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.errors import PortRefused, explain
from pipeport.porting._results import as_wrapped, left
from pipeport.porting._tape import Place, recorded
from pipeport.porting.frontend import _callbacks as callbacks
from pipeport.porting.frontend import _meaning as meanings
from pipeport.porting.frontend._augmentation import Augmentation
from pipeport.porting.frontend._expressions import Expressions, around, in_place
from pipeport.porting.frontend._seeded import Seeded
from pipeport.porting.frontend._source import compiled, is_inner, plain, read
from pipeport.porting.frontend._tensorflow import handed, one_by_one
from pipeport.porting.frontend._transform import RUNTIME, transformed
from pipeport.porting.strings._seen import learning


class Replay(Expressions):
    """The run time of an original: Python's own operators, and draws from a tape.

    `tape`: list of (str, object); from `recorded`; it is used up. `port`: gives the form of the user's own
    functions that replays too.
    """

    def __init__(self, tape: list[tuple[str, Any]], port: Callable[[Any], Callable[..., Any]]) -> None:
        super().__init__()
        self._tape = tape
        self._port = port

    def call(self, number: int, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Call an object."""
        if isinstance(function, functools.partial):
            return self.call(number, function.func, *function.args, *args, **{**function.keywords, **kwargs})
        if (body := callbacks.inside(function)) is not None:
            run = functools.partial(self.call, number, body)
            return callbacks.as_traced(function, run, args, kwargs, _same)
        found = meanings.meaning(function)
        if found.kind == meanings.TENSORFLOW:
            run = functools.partial(self.call, number)
            args, kwargs = callbacks.called_by(function, run, (args, kwargs), _same)
            function = one_by_one if function is tf.vectorized_map else function
        if isinstance(found.function, (Augmentation, Seeded)):
            return found.function.again(function, self._next(found.name), args, kwargs)
        if found.kind == meanings.DRAW:
            return self._drawn(found.name, args)
        if found.kind == meanings.OWN and not is_inner(function):
            return self._port(function)(*args, **kwargs)
        return function(*args, **kwargs)

    def method(self, number: int, owner: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
        """Call a method."""
        return self.call(number, getattr(owner, name), *args, **kwargs)

    def _next(self, name: str) -> Any:
        """Return what was noted of the next draw, which must have this name."""
        if not self._tape or self._tape[0][0] != name:
            there = f"{self._tape[0][0]}" if self._tape else "no more draws"
            advice = "The original and its port took different ways: a result differs before this draw."
            raise PortRefused(explain("draw", name, there, advice))
        return self._tape.pop(0)[1]

    def _drawn(self, name: str, args: tuple[Any, ...]) -> Any:
        value = self._next(name)
        if name.rpartition(".")[2] == "shuffle":
            args[0][:] = value
            return None
        if isinstance(value, list) and value and isinstance(value[0], Place):
            return [args[0][one.number] for one in value]
        if isinstance(value, Place):
            return (np.array(args[0]) if name.startswith("numpy.") else args[0])[value.number]
        return value

    def owned(self, value: Any) -> Any:
        """Return the argument of a parameter."""
        return value

    def slice(self, start: Any, stop: Any, step: Any) -> Any:
        """Return a slice."""
        return slice(start, stop, step)

    def attribute(self, owner: Any, name: str) -> Any:
        """Return `owner.name`."""
        return getattr(owner, name)

    def item(self, number: int, owner: Any, key: Any) -> Any:
        """Return `owner[key]`."""
        function = meanings.own_method(owner, "__getitem__")
        return owner[key] if function is None else self.call(number, function, key)

    def set(self, owner: Any, key: Any, value: Any) -> Any:
        """Return a container after `owner[key] = value`."""
        owner[key] = value
        return owner

    def put_back(self, owner: Any, key: Any, part: Any) -> Any:  # noqa: ARG002
        """Return a container after an element of it was written to."""
        return owner

    def update(self, name: str, owner: Any, value: Any) -> Any:
        """Return the result of `owner <operator>= value`."""
        return in_place(name)(owner, value)

    def update_item(self, number: int, name: str, owner: Any, key: Any, value: Any) -> Any:  # noqa: ARG002
        """Return a container after `owner[key] <operator>= value`."""
        owner[key] = self.update(name, owner[key], value)
        return owner

    def written(self, owner: Any, result: Any) -> Any:  # noqa: ARG002
        """Return the array that a call was given as `out`."""
        return owner

    def parted(self, value: Any, number: int) -> Any:  # noqa: ARG002
        """Return the values that several names are assigned."""
        return value

    def parted_around(self, value: Any, before: int, behind: int) -> Any:
        """Return the first and the last values, and between them the list of all others."""
        return around(list(value), before, behind)

    def contains(self, number: int, owner: Any, value: Any, negated: bool) -> Any:
        """Return `value in owner`, or `value not in owner`."""
        function = meanings.own_method(owner, "__contains__")
        found = value in owner if function is None else bool(self.call(number, function, value))
        return not found if negated else found

    def equal(self, one: Any, other: Any, negated: bool) -> Any:
        """Return `one == other`, or `one != other`."""
        return one != other if negated else one == other

    def identical(self, one: Any, other: Any, negated: bool) -> Any:
        """Return `one is other`, or `one is not other`."""
        return one is not other if negated else one is other

    def truth(self, value: Any) -> Any:
        """Return the condition of a comprehension."""
        return value

    def check(self, line: int, test: Any, message: Any) -> None:  # noqa: ARG002
        """Do what `assert` does."""
        if not test:
            raise AssertionError(message)

    def raised(self, line: int, error: Any) -> Any:  # noqa: ARG002
        """Return an exception to raise."""
        return error

    def appended(self, number: int, owner: Any, name: str, value: Any) -> Any:
        """Return a container after its method `append` or `extend`."""
        self.method(number, owner, name, value)
        return owner

    def collected(self, values: Any, make: Callable[[Any], Any]) -> Any:
        """Return the list of a comprehension."""
        return list(self.generated(values, make))

    def generated(self, values: Any, make: Callable[[Any], Any]) -> Any:
        """Return what a generator expression gives."""
        return (element for one in values for element in make([one]))

    def filtered(self, values: Any, make: Callable[[Any], Any]) -> Any:
        """Return the list of a comprehension with a condition."""
        return list(self.filtered_one_by_one(values, make))

    def filtered_one_by_one(self, values: Any, make: Callable[[Any], Any]) -> Any:
        """Return what a generator expression with a condition gives."""
        return (element() for one in values for test, element in make([one]) if test())

    def listed(self, value: Any) -> Any:
        """Return the elements that a comprehension iterates over."""
        return value

    def rounds(self, value: Any) -> Any:
        """Return the elements that a loop iterates over."""
        return value


def _same(tensor: Any) -> Any:
    return tensor


def replayed(function: Callable[..., Any], tape: list[tuple[str, Any]]) -> Callable[..., Any]:
    """Return the original function with draws from a tape.

    `function`: the original. `tape`: list of (str, object); from `recorded`. Returns: takes and gives what
    the original does.
    """
    made: dict[int, tuple[types.FunctionType, Callable[..., Any]]] = {}

    def form(given: Any) -> Callable[..., Any]:
        inner, first, named = plain(given)
        if id(inner) not in made:
            source = read(inner)
            tree, _ = transformed(source)
            made[id(inner)] = (inner, compiled(source, tree, {RUNTIME: Replay(tape, form)}))
        kept = made[id(inner)][1]
        return functools.partial(kept, *first, **named) if first or named else kept

    return form(function)


def sides(
    ported: Any, seed: Any = (0, 0), *, draws: bool = True
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return an original and its port with the same draws, to be compared: what they are given are examples.

    Parameters
    ----------
    ported : Ported
        The port.
    seed : array_like of int, shape (2,)
        Of the draws.
    draws : bool, default True
        Whether it may draw; False spares the run of the port that records its draws.

    Returns
    -------
    (callable, callable)
        The original, which takes NumPy arrays; the port, which takes tensors. `redrawn` of the original takes
        another seed, and gives the original with the draws of that. `beside` of the original is what the
        port gave in its last run, a list; empty where the port raised an error, or was not run.
    """
    original = ported.original

    def old(*args: Any, **kwargs: Any) -> Any:
        # An error is the original's to raise, below; the port is asked again, as the other side.
        failed: Exception | None = None
        old.beside = []  # type: ignore[attr-defined]
        with recorded() as tape, seeds.ambient(seed), learning():
            named = copied(kwargs)
            if ported.takes_tensors:
                named = _each(_as_tensor, named)
            try:
                if draws:
                    old.beside = [ported(*copied(args), **named)]  # type: ignore[attr-defined]
            except Exception as error:  # whatever the function does
                failed = error
        if ported.takes_tensors:
            args, kwargs = tuple(map(handed, args)), _each(_as_tensor, kwargs)
        try:
            # What draws behind the seed's back has nothing to replay: such results are not compared.
            body = ported.body if ported.draws_unseeded else replayed(ported.body, tape)
            found = body(*args, **kwargs)
            return as_results(as_wrapped(found, ported.dtypes, casts=ported.takes_tensors))
        except PortRefused:
            if failed is not None:  # the port gave up before this draw
                raise failed from None
            raise

    def new(*args: Any, **kwargs: Any) -> Any:
        with seeds.ambient(seed), learning():
            return ported(*args, **kwargs)

    for made in (old, new):
        functools.update_wrapper(made, original, updated=())
    old.redrawn = lambda other: sides(ported, other, draws=draws)[0]  # type: ignore[attr-defined]
    return old, new


def _as_tensor(value: Any) -> Any:
    return tf.convert_to_tensor(value) if isinstance(value, (np.ndarray, np.generic, bytes)) else value


def _each(function: Callable[[Any], Any], value: Any) -> Any:
    """Return nested arguments with the results of a function in the place of all that is not a nest."""
    if isinstance(value, (list, tuple)):
        return type(value)(_each(function, one) for one in value)
    if isinstance(value, dict):
        return {name: _each(function, one) for name, one in value.items()}
    return function(value)


def copied(value: Any) -> Any:
    """Return nested arguments with copies of NumPy arrays, and these in the place of tensors."""

    def copy(one: Any) -> Any:
        if tf.is_tensor(one):
            return one.numpy()
        return one.copy() if isinstance(one, np.ndarray) else one

    return _each(copy, value)


def as_results(value: Any) -> Any:
    """Return an original's result in the form its port gives, as NumPy arrays."""
    return tf.nest.map_structure(lambda one: one.numpy() if tf.is_tensor(one) else one, left(value, top=True))
