"""Islands: calls without a native equivalent that stay Python, each in a `tf.numpy_function` of its own.

The example shows which dtypes and ranks a call returns and which of its arguments it changes. A graph is
traced with that, or with the results that the user states; other eager calls show it nothing.
"""

from __future__ import annotations

import contextlib
import difflib
import inspect
import io
import random
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._making import as_of_tensorflow, fresh
from pipeport.arrays._sharing import is_of_tensorflow
from pipeport.contract import contract_of
from pipeport.errors import OutsideDomain, PipeportError, PipeportWarning, PortRefused, WrongType, explain
from pipeport.porting._protocol import StandIn
from pipeport.porting._values import is_array, is_symbolic_list, is_tensor, is_text, tensor_of
from pipeport.porting.control._aliases import may_be
from pipeport.porting.frontend._closures import Closures, uses_values
from pipeport.porting.frontend._meaning import DRAW, NATIVE, REFUSED, Meaning
from pipeport.porting.frontend._regions import IslandRefused, Kept, Region, Regions
from pipeport.porting.frontend._source import is_inner
from pipeport.porting.strings._opened import File
from pipeport.porting.strings._seen import learns
from pipeport.porting.strings._text import Text

# An object that one of these returns would be read while tracing, and never again.
_READ_ONCE = ("time", "datetime", "io", "os", "input", "open")
# They draw from a state of their own.
_DRAW = ("albumentations", "imgaug", "torchvision", "random", "numpy.random", "tensorflow", "keras")
_GENERATORS = (np.random.Generator, np.random.RandomState, random.Random)
# How many objects one call keeps, of the arguments it had last.
_KEPT = 16
# Arguments that are the same where they are equal.
_PLAIN = (bool, int, float, complex, str, bytes, type, np.generic, np.dtype, Path)
# What a user says who takes pipelines of albumentations with draws of Python's.
UNSEEDED = "unseeded"
_ALLOWED = "calls whose results follow from their arguments"
_OUTSIDE = "Do it outside of the function."
_DRAWN = "It draws where the seed does not reach. Leave it out of `islands`: it has a native."


@dataclass(frozen=True)
class Leaf:
    """An array, a number, a string or None in a result.

    `dtype`: TensorFlow's name; empty for None. `rank`: number of axes. `weak`: whether it is a Python number.
    `text`: of a string, whether it is a str. `of_tensorflow`: whether it is a tensor.
    """

    dtype: str
    rank: int = 0
    weak: bool = False
    text: bool = False
    of_tensorflow: bool = False

    @property
    def is_array(self) -> bool:
        """Whether it is an array of NumPy."""
        return bool(self.dtype) and not (self.weak or self.text or self.of_tensorflow)


@dataclass(frozen=True)
class Result:
    """The results and changed arguments of a call.

    Attributes
    ----------
    structure : nest of int
        Lists, tuples and dictionaries with the numbers of the leaves.
    leaves : tuple of Leaf
        In order.
    changed : tuple of int
        Positions of the arrays among its arguments that it writes to.
    shares : tuple of int or None
        Positions of those with which the result shares memory; None where nobody has looked.
    """

    structure: Any
    leaves: tuple[Leaf, ...]
    changed: tuple[int, ...] = ()
    shares: tuple[int, ...] | None = None

    def built(self, tensors: list[Any]) -> Any:
        """Return the result, with arrays made of tensors; None has no tensor."""
        waiting = iter(tensors)
        leaves = [_closed(one, next(waiting)) if one.dtype else None for one in self.leaves]

        def fill(part: Any) -> Any:
            if isinstance(part, dict):
                return {name: fill(one) for name, one in part.items()}
            if isinstance(part, (list, tuple)):
                return _like(part, [fill(one) for one in part])
            return leaves[part]

        return fill(self.structure)


class Opaque(Exception):
    """A result holds an object that is not an array, number, string or None."""


class Islands:
    """The islands of one ported function.

    Parameters
    ----------
    given : bool, 'unseeded', or mapping of str to True or nest of tf.TensorSpec
        True, or calls by name: their results, for those that the example does not reach, or True for what the
        example shows. A call of these names stays Python where it has a native, too. 'unseeded': as True, and
        pipelines of albumentations may draw what no seed reaches.

    Attributes
    ----------
    takes_tensors : bool
        Whether the function was wrapped in a `tf.py_function`, in which strings of any shape are tensors.
    places : dict of str to str
        Where the calls stand, and what they call.
    computed : set of str
        Where calls stand whose arguments no element decides: Python computes them while tracing.
    regions : Regions
        Statements and helpers that stay Python as a whole.
    widens : bool
        Whether an example runs that may ask for more of these.
    drawing : set of str
        Where islands stand whose draws no seed reaches.
    all_of_it : bool
        Whether an island is all of the function.
    """

    takes_tensors = False
    all_of_it = False

    def __init__(self, given: Any) -> None:
        stated = given if isinstance(given, dict) else {}
        self._given = {name: _stated(name, spec) for name, spec in stated.items() if spec is not True}
        self._named = frozenset(stated)
        self._unseeded = given == UNSEEDED
        self._met: set[str] = set()
        self.regions = Regions(self._named, draws=self._unseeded)
        self.widens = False
        self.drawing: set[str] = set()
        self._seen: dict[str, Result] = {}
        self._objects: dict[str, list[tuple[Any, list[Any], Any]]] = {}
        self._shown: set[str] = set()
        self.places: dict[str, str] = {}
        self._keys: dict[str, str] = {}
        self._told: dict[str, str] = {}
        self._unnamed: set[str] = set()
        self.computed: set[str] = set()

    def __getstate__(self) -> dict[str, Any]:
        """Return what the example has shown; another process makes objects of its own."""
        return {**vars(self), "_objects": {key: [] for key in self._objects}}

    def meaning(self, found: Meaning) -> Meaning:
        """Return the meaning of a call: of one that is named, which has a native, that it has none."""
        self._met.add(found.name)
        if found.kind not in (NATIVE, DRAW):
            return found
        contract = contract_of(found.function)
        names = (found.name, *(() if contract is None else (contract.reference, *contract.aliases)))
        self._met.update(names)
        name = next(filter(self._named.__contains__, names), None)
        return found if name is None else Meaning(REFUSED, name, advice=_DRAWN)

    def refuse_unmet(self) -> None:
        """Refuse names that nothing has that the function calls. Raises OutsideDomain."""
        for name in sorted(self._named - self._met):
            last = name.rpartition(".")[2]
            near = [one for one in sorted(self._met) if one.rpartition(".")[2] == last]
            near = near or difflib.get_close_matches(name, sorted(self._met))
            advice = f"Write {', '.join(near)}." if near else "`pipeport port` lists its calls."
            raise OutsideDomain(
                explain("islands", f"{name!r}, which is not called", "names of calls", advice)
            )

    @staticmethod
    def accept(name: str) -> bool:
        """Say whether a call may stay Python: none that draws where the seed does not reach."""
        return not f"{name}.".startswith(tuple(f"{one}." for one in _DRAW))

    @classmethod
    def may_serve(cls, row: Any) -> bool:
        """Say whether a row of the report that is refused may be an island: a call, or `try` around some."""
        once = row.name.partition(".")[0] in _READ_ONCE
        return row.name == "`try`" or (row.is_call and cls.accept(row.name) and not once)

    def forget(self) -> None:
        """Forget what an example has shown: other calls are islands now."""
        self.all_of_it = False
        for one in (
            self._seen,
            self._objects,
            self._shown,
            self.places,
            self._keys,
            self._told,
            self._unnamed,
            self.computed,
            self.drawing,
        ):
            one.clear()

    def call(
        self, key: str, where: str, name: str, function: Any, args: Any, kwargs: Any, of: Any = None
    ) -> Any:
        """Call a function that has no native equivalent.

        Parameters
        ----------
        key, where : str
            The place of the call, and its file and line.
        name : str
            What is called.
        function : callable
            What is called.
        args, kwargs : tuple, dict
            Its arguments.
        of : object
            The statements or the helper that it is, of `regions`; None of a call.

        Returns
        -------
        nest of arrays, or object
            An object that is not an array is made once of the same arguments, none of which is an array.
        """
        if of is not None and (lacking := [i for i, one in enumerate(args) if not _is_handed_over(one)]):
            why = "takes what stands in for a value of Python's"
            raise _refused(f"{name} in {where}", why, name=name, inputs=tuple(lacking), of=of)
        call = _IslandCall(function, (args, kwargs), f"{name} in {where}", takes_tensors=self.takes_tensors)
        call.of, call.name = of, name
        self._met.add(name)
        if self._unseeded and getattr(of, "why", "").startswith("albumentations."):
            call.draws = True
            self.drawing.add(where)
        known = key in self._shown or tf.executing_eagerly()
        for other, leaves, made in self._objects.get(key, ()) if known else ():
            if call.repeats(other, leaves):
                return made
        self.places.setdefault(where, name)
        self._keys[where] = key
        if isinstance(of, Region):
            self._unnamed.add(where)
        if isinstance(of, Kept):
            self._told[where] = f"{name}, {of.lines}: {of.why}"
        elif getattr(of, "complete", False):
            self.all_of_it = True
            self._told[where] = f"{name}; that is all of the function"
        if any(isinstance(one, _GENERATORS) for one in call.leaves):
            raise call.refused("takes a random generator, which the seed does not reach")
        if any(isinstance(one, io.IOBase) for one in call.leaves):
            raise call.refused("takes an open file", "Open it in the function.")
        if tf.executing_eagerly():
            if learns():
                self._shown.add(key)
            return self._now(key, where, call)
        result = (self._seen.get(key) if known else None) or self._given.get(name)
        if result is None and known and key in self._objects:
            if call.arrays:
                why = "returns an object, which a graph cannot hold, of values it alone knows"
                raise call.refused(why, objects=(0,))
            return self._now(key, where, call)
        if result is None:
            advice = f"Give islands={{{name!r}: tf.TensorSpec(shape, dtype)}}, or an example that reaches it."
            given = f"{call.where}, which no example has reached"
            raise PortRefused(explain("islands", given, "calls whose results are known", advice))
        return _in_graph(call, result)

    def _now(self, key: str, where: str, call: _IslandCall) -> Any:
        """Call it eagerly; the first time, find out what it returns and changes."""
        values = call.python.held([_tensor(one).numpy() for one in call.arrays])
        mine = _copies(values)
        call.use_files()
        found = call.python.run(mine)
        if key not in self._seen:
            try:
                self._seen[key] = _observed(call, values, mine, found)
            except Opaque as error:
                # A function that statements define would be Python's wherever it is called.
                defines = call.of is not None and bool(call.which(found, inspect.isfunction))
                if call.arrays or defines or call.name.partition(".")[0] in _READ_ONCE:
                    why = f"returns {error}, which a graph cannot hold"
                    raise call.refused(why, objects=call.which(found, _is_opaque)) from None
                made = self._objects.setdefault(key, [])
                if uses_values(found):  # a function of the graph's values, for a call of its own
                    return found
                self.places.pop(where, None)  # Python makes it while tracing
                self.drawing.discard(where)
                made.append((call.function, call.leaves, found))
                del made[:-_KEPT]
                return found
            # A list may be longer for another element: what makes an array of it comes first.
            lists = call.which(found, _holds_a_list) if self.widens and not call.returns else ()
            if lists and not self.regions.takes_lists_as_shown(where):
                del self._seen[key]
                raise call.refused("returns a list, whose length may vary", objects=lists, varies=True)
        result = self._seen[key]
        try:
            values = _checked(call.where, result, found)
        except PipeportError:
            if not self.widens:
                raise
            why = "returns other dtypes, ranks or numbers of values in another round"
            raise call.refused(why, varies=True) from None
        call.write(result, [fresh(tf.constant(mine[index])) for index in result.changed])
        return call.built(result, [tf.constant(one) for one in values])

    def stated(self) -> dict[str, Any] | None:
        """Return the results of the calls by name, as a user states them.

        Returns
        -------
        dict of str to nest of (str, int), or None
            Dtype and rank of each array; None where a text cannot state them.
        """
        found: dict[str, Any] = {}
        for where, name in self.places.items():
            result = self._seen.get(self._keys[where])
            if (
                where in self._unnamed
                or result is None
                or result.changed
                or not all(one.is_array for one in result.leaves)
            ):
                return None
            leaves = [(one.dtype, one.rank) for one in result.leaves]
            nest = tf.nest.map_structure(lambda index, leaves=leaves: leaves[index], result.structure)
            if found.setdefault(name, nest) != nest:
                return None
        return found

    def warn(self, unsized: Islands | None = None) -> None:
        """Say once which calls stay Python; `unsized`: islands of the form for graphs without sizes."""
        lines = self.lines()
        others = [] if unsized is None else unsized.lines()
        lines += [f"{one}, in graphs without sizes" for one in others if one not in lines]
        if lines:
            text = "These calls stay Python, each in a tf.numpy_function, which holds Python's lock and"
            listed = "\n".join([f"{text} cannot be saved or served:", *lines])
            warnings.warn(listed, PipeportWarning, stacklevel=3)

    def lines(self) -> list[str]:
        """Return which calls stay Python, and which of them draw, each in a line."""
        lines = [f"  {where} ({self._told.get(where, name)})" for where, name in self.places.items()]
        drawing = sorted(self.drawing)
        return lines + [f"  The draws of {where} are Python's: no seed reaches them" for where in drawing]


class _IslandCall:
    """A function with its arguments, among which are arrays, strings and open files."""

    name = ""
    of: Any = None
    draws = False

    def __init__(self, function: Any, arguments: tuple[Any, Any], where: str, *, takes_tensors: bool) -> None:
        self.function = function
        self.where = where
        closures = Closures()
        if function is not np.vectorize:  # which calls nothing yet
            function, arguments = closures.apart((function, arguments))
        whole = (*arguments, closures.parts)
        self.leaves = tf.nest.flatten(whole)
        places = [
            i
            for i, one in enumerate(self.leaves)
            if is_array(one) or is_tensor(one) or is_text(one) or isinstance(one, File)
        ]
        if any(map(is_symbolic_list, self.leaves)):
            given = f"a list of a length known only at run time, for {where}"
            raise PortRefused(explain("islands", given, "arrays", "Make an array of it: `np.stack(rows)`."))
        self.arrays = [self.leaves[index] for index in places]
        leaves = dict(enumerate(self.leaves))
        leaves |= {i: _Argument.of(leaves[i], takes_tensors=takes_tensors) for i in places}
        structure = tf.nest.map_structure(lambda _: None, whole)
        self.python = _Python(function, structure, list(leaves.values()), closures.without_parts(), where)

    def repeats(self, function: Any, leaves: list[Any]) -> bool:
        """Say whether it is a call of the same function with the same arguments, which hold no array."""
        if self.arrays or len(leaves) != len(self.leaves) or self.function != function:
            return False
        return all(
            one is other or (type(one) is type(other) and isinstance(one, _PLAIN) and one == other)
            for one, other in zip(self.leaves, leaves, strict=True)
        )

    @property
    def returns(self) -> bool:
        """Whether what it gives is what the ported function gives."""
        return getattr(self.of, "returns", False)

    def refused(self, why: str, advice: str = _OUTSIDE, **told: Any) -> IslandRefused:
        """Return the refusal of this island."""
        return _refused(self.where, why, advice, name=self.name, of=self.of, **told)

    def which(self, found: Any, holds: Callable[[Any], bool]) -> tuple[int, ...]:
        """Return which of its results something holds of."""
        several = found if getattr(self.of, "results", None) else [found]
        return tuple(number for number, one in enumerate(several) if holds(one))

    def use_files(self) -> None:
        """Note that its files were read: another call would begin where this one ended."""
        for one in self.arrays:
            if isinstance(one, File):
                one.use(self.where)

    def write(self, result: Result, arrays: list[Any]) -> None:
        """Write to the arrays that it changes."""
        for index, new in zip(result.changed, arrays, strict=True):
            self.arrays[index][...] = new

    def built(self, result: Result, tensors: list[Any]) -> Any:
        """Return the result, made of tensors."""
        made = result.built(tensors)
        shares = range(len(self.arrays)) if result.shares is None else result.shares
        may_be(made, [self.arrays[index] for index in shares], f"what {self.where.partition(' in ')[0]} gave")
        return made


@dataclass(frozen=True)
class _Argument:
    """What Python has for an argument that is a tensor in the graph; the tensor itself is not held.

    `held`: takes the tensor's value, gives that of a `tf.numpy_function`. `opened`: of an open file, opens
    it. `dtype`: of an argument that is a tensor in Python.
    """

    held: Callable[[Any], Any]
    opened: Callable[[Any], Any] | None
    dtype: Any

    @classmethod
    def of(cls, argument: Any, *, takes_tensors: bool) -> _Argument:
        """Return that of an argument of the body."""
        if isinstance(argument, File):
            return cls(_same_value, argument.opener(), None)
        if is_text(argument):
            return cls(argument.in_python(), None, None)
        if is_array(argument):
            held = _number if argument.weak else _same_value
            return cls(held, None, tensor_of(argument).dtype if is_of_tensorflow(argument) else None)
        # In a `tf.numpy_function`, strings of one axis or none are `Text`, and those of more are arrays.
        python_has = takes_tensors or argument.shape.rank in (0, 1)
        return cls(_same_value, None, argument.dtype if python_has else None)


class _Python:
    """A function with its arguments, as Python calls it; holds no tensor, so that no graph outlives its use.

    `function`: what is called. `structure`: that of its arguments, positional and by name. `leaves`: the
    arguments; an `_Argument` for each that the graph gives. `closures`: makes functions among them that use
    values of the graph. `where`: for errors.
    """

    def __init__(
        self, function: Any, structure: Any, leaves: list[Any], closures: Closures, where: str
    ) -> None:
        self._function = function
        self._closures = closures
        self._structure = structure
        self._leaves = leaves
        self._arguments = [one for one in leaves if isinstance(one, _Argument)]
        self.where = where

    def held(self, values: Iterable[Any]) -> list[Any]:
        """Return what Python has for the values of the tensors."""
        return [one.held(value) for one, value in zip(self._arguments, values, strict=True)]

    def run(self, values: Iterable[Any]) -> Any:
        """Call it with such values."""
        given = iter(values)
        with contextlib.ExitStack() as files:
            leaves = list(self._leaves)
            for index, one in enumerate(self._leaves):
                if isinstance(one, _Argument):
                    value = next(given)
                    if one.opened is not None:
                        value = files.enter_context(one.opened(value))
                    leaves[index] = value if one.dtype is None else tf.constant(value, one.dtype)
            args, kwargs, parts = tf.nest.pack_sequence_as(self._structure, leaves)
            function, args, kwargs = self._closures.together((self._function, args, kwargs), parts)
            return function(*args, **kwargs)


class Island:
    """A call as the `tf.numpy_function` of a graph runs it.

    `python`: its function and arguments. `result`: what it returns and changes.
    """

    def __init__(self, python: _Python, result: Result) -> None:
        self._python = python
        self._result = result

    @property
    def name(self) -> str:
        """What is called."""
        return self._python.where.partition(" in ")[0]

    def __call__(self, *values: Any) -> list[Any]:
        """Return the leaves of the result, then the arrays that were changed."""
        # Copies: TensorFlow's own memory must not be written to.
        mine = _copies(self._python.held(values))
        found = _checked(self._python.where, self._result, self._python.run(mine))
        return [*found, *(mine[index] for index in self._result.changed)]


def _in_graph(call: _IslandCall, result: Result) -> Any:
    tensors = [_tensor(one) for one in call.arrays]
    changed = [tensors[index] for index in result.changed]
    leaves = [one for one in result.leaves if one.dtype]
    call.use_files()
    types = [*(tf.as_dtype(one.dtype) for one in leaves), *(one.dtype for one in changed)]
    outputs = tf.numpy_function(Island(call.python, result), tensors, types)
    for output, leaf in zip(outputs, leaves, strict=False):
        output.set_shape([None] * leaf.rank)
    for output, tensor in zip(outputs[len(leaves) :], changed, strict=True):
        output.set_shape(tensor.shape)
    call.write(result, [fresh(one) for one in outputs[len(leaves) :]])
    return call.built(result, outputs[: len(leaves)])


def _observed(call: _IslandCall, given: list[Any], mine: list[Any], found: Any) -> Result:
    """Return the results and changed arguments of a call; a second call checks that it repeats."""
    structure, leaves, values = described(found)
    state = _global_state()
    others = _copies(given)
    again = described(call.python.run(others))
    if call.draws:
        return Result(structure, tuple(leaves), shares=None)
    if _global_state() != state:
        raise call.refused("draws from NumPy's or Python's state, which the seed does not reach")
    repeats = again[:2] == (structure, leaves) and all(map(_same, again[2], values))
    if not repeats or not all(map(_same, mine, others)):
        raise call.refused("does not give the same result for the same arguments")
    changed = [i for i, (new, old) in enumerate(zip(mine, given, strict=True)) if not _same(new, old)]
    if not (changed or values):
        raise call.refused("gives nothing, and changes none of its arguments", "Leave it out.")
    shares = [
        i
        for i, one in enumerate(mine)
        if isinstance(one, np.ndarray) and any(np.may_share_memory(one, value) for value in values)
    ]
    return Result(structure, tuple(leaves), tuple(changed), tuple(shares))


def _checked(where: str, result: Result, found: Any) -> list[Any]:
    """Return the leaves of a result as NumPy arrays, or raise where they are not as they were."""
    structure, leaves, values = described(found)
    # A number of NumPy's is one of Python's of the same dtype: `return 0.0` where an error is handled.
    alike = [
        one if one.rank else replace(one, weak=other.weak)
        for one, other in zip(leaves, result.leaves, strict=False)
    ]
    if (structure, tuple(alike)) != (result.structure, result.leaves) or len(leaves) != len(alike):
        given = f"{where}: {_as_text(leaves)}"
        allowed = f"{_as_text(result.leaves)}, as on the example"
        raise PipeportError(explain("islands", given, allowed, "Cast or reshape it inside a helper."))
    return values


def described(value: Any) -> tuple[Any, list[Leaf], list[Any]]:
    """Return the structure of a result, its leaves, and their values as NumPy arrays without None.

    Raises Opaque: an object in it is not an array, number, string or None.
    """
    leaves: list[Leaf] = []
    values: list[Any] = []

    def walk(part: Any) -> Any:
        if isinstance(part, dict):
            return {name: walk(one) for name, one in part.items()}
        if isinstance(part, (list, tuple)):
            return _like(part, [walk(one) for one in part])
        leaves.append(_leaf(part))
        if part is not None:
            part = part.numpy() if leaves[-1].of_tensorflow else part
            values.append(np.asarray(part, object if leaves[-1].dtype == "string" else None))
        return len(leaves) - 1

    return walk(value), leaves, values


def _leaf(value: Any) -> Leaf:
    if value is None:
        return Leaf("")
    if isinstance(value, (str, bytes)):
        return Leaf("string", text=isinstance(value, str))
    if isinstance(value, tf.Tensor) and (value.dtype == tf.string or value.dtype.is_numpy_compatible):
        return Leaf(value.dtype.name, value.shape.rank, of_tensorflow=True)
    array = isinstance(value, (np.ndarray, np.generic))
    if isinstance(value, np.memmap) and 2 * value.nbytes > len(value._mmap or ()):  # type: ignore[attr-defined]
        raise Opaque("a numpy.memmap")  # most of a file: an element of it is meant
    if isinstance(value, np.ndarray) and value.ndim and value.dtype.kind in "SUO":
        kinds = {type(one) for one in value.ravel().tolist()}
        if kinds in ({bytes}, {str}):
            return Leaf("string", value.ndim)
    if (array and value.dtype.kind in "biufc") or isinstance(value, (bool, int, float, complex)):
        return Leaf(np.asarray(value).dtype.name, np.ndim(value), not array)
    raise Opaque(f"an object of {type(value).__module__}.{type(value).__qualname__}")


def _stated(name: str, spec: Any) -> Result:
    """Return the result that the user states."""
    specs = tf.nest.flatten(spec)
    if not specs or not all(isinstance(one, tf.TensorSpec) and one.shape.rank is not None for one in specs):
        advice = "Give tf.TensorSpec([None, None, 3], tf.uint8), or True and an example."
        raise WrongType(explain("islands", f"{spec!r} for {name}", "tf.TensorSpec of a known rank", advice))
    numbers = tf.nest.pack_sequence_as(spec, range(len(specs)))
    return Result(numbers, tuple(Leaf(one.dtype.name, one.shape.rank) for one in specs))


def _closed(leaf: Leaf, tensor: Any) -> Any:
    if leaf.dtype == "string":
        return Text(tensor, str) if leaf.text else tensor
    made = fresh(tensor, weak=leaf.weak)
    return as_of_tensorflow(made) if leaf.of_tensorflow else made


def _like(part: Any, made: list[Any]) -> Any:
    return type(part)(*made) if hasattr(part, "_fields") else type(part)(made)


def _tensor(argument: Any) -> Any:
    """Return the tensor of an argument; of an open file, that of its path."""
    return argument.path if isinstance(argument, File) else tensor_of(argument)


def _same_value(value: Any) -> Any:
    return value


def _number(value: Any) -> Any:
    return value.item()


def _copies(values: list[Any]) -> list[Any]:
    return [np.array(one)[()] if isinstance(one, (np.ndarray, np.generic)) else one for one in values]


def _same(one: Any, other: Any) -> bool:
    one, other = np.asarray(one), np.asarray(other)
    alike = one.dtype == other.dtype and one.shape == other.shape
    return alike and bool(np.all((one == other) | ((one != one) & (other != other))))


def _global_state() -> Any:
    name, keys, *rest = np.random.get_state()  # noqa: NPY002
    return name, np.asarray(keys).tobytes(), rest, random.getstate()


def _as_text(leaves: Any) -> str:
    told = [f"{'a tensor of ' * one.of_tensorflow}{one.dtype or None} of rank {one.rank}" for one in leaves]
    return ", ".join(told) or "nothing"


def _is_opaque(value: Any) -> bool:
    try:
        described(value)
    except Opaque:
        return True
    return False


def _holds_a_list(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_holds_a_list, value.values()))
    return isinstance(value, list) or (isinstance(value, tuple) and any(map(_holds_a_list, value)))


def _is_handed_over(value: Any) -> bool:
    """Say whether statements that stay Python are given a value as Python has it."""
    if isinstance(value, (list, tuple)):
        return all(map(_is_handed_over, value))
    if isinstance(value, dict):
        return all(map(_is_handed_over, value.values()))
    if is_array(value) or is_tensor(value) or is_text(value) or isinstance(value, File):
        return True
    of_ours = type(value).__module__.startswith("pipeport.")
    return not (of_ours or isinstance(value, StandIn) or is_inner(value))


def _refused(
    where: str, why: str, advice: str = _OUTSIDE, *, name: str, of: Any, **told: Any
) -> IslandRefused:
    error = IslandRefused(explain("islands", f"{where}, which {why}", _ALLOWED, advice))
    error.where, error.called, error.of = where, name, of
    for key, value in told.items():
        setattr(error, key, value)
    return error
