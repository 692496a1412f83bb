"""Calls in a ported function: what each becomes, by what is called."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from pipeport import numpy, seeds
from pipeport._lazy import tf
from pipeport._nearest import NEAREST
from pipeport.arrays import _strides
from pipeport.arrays._cast import cast
from pipeport.arrays._give import opened
from pipeport.arrays._making import fresh
from pipeport.contract import contract_of
from pipeport.errors import PipeportError, PortRefused, WrongType, explain
from pipeport.porting import _limit, _reached, _tape
from pipeport.porting._levels import passed_on
from pipeport.porting._values import (
    as_array,
    holds_array,
    is_array,
    known,
    plain_number,
    python_number,
    tensor_of,
    weak,
    without_text,
)
from pipeport.porting.control import _builtins
from pipeport.porting.control import _symbolic_range as ranges
from pipeport.porting.control._aliases import may_be
from pipeport.porting.control._branches import RaisedError
from pipeport.porting.control._choice import element_at, is_choice, is_of_values, with_strings
from pipeport.porting.control._distribute import chosen, distributed, first_choice, replaced
from pipeport.porting.control._join import same
from pipeport.porting.control._parts import depth
from pipeport.porting.control._symbolic_list import arrays_of_rows, holds_symbolic_list, joined_rows
from pipeport.porting.frontend import _callbacks as callbacks
from pipeport.porting.frontend import _meaning as meanings
from pipeport.porting.frontend import _tensorflow
from pipeport.porting.frontend._augmentation import Augmentation
from pipeport.porting.frontend._computed import by_numpy, computed, known_arguments
from pipeport.porting.frontend._expressions import Expressions
from pipeport.porting.frontend._islands import Islands
from pipeport.porting.frontend._seeded import Seeded
from pipeport.porting.frontend._source import compiled, is_inner
from pipeport.porting.frontend._transform import Places
from pipeport.porting.optimise import _intervals
from pipeport.porting.optimise._scalar_rows import row
from pipeport.porting.strings import _arrays as text_arrays
from pipeport.porting.strings import _files as files
from pipeport.porting.strings import _lazy_file
from pipeport.porting.strings import _numbers as numbers
from pipeport.porting.strings._seen import learns, note
from pipeport.porting.strings._text import words_of

# What looks at an iterator, and takes nothing from it.
_LOOKING = (
    *(_builtins.callable_, _builtins.hasattr_, _builtins.isinstance_, _builtins.print_, _builtins.type_),
    getattr,
)
# These hand elements on as they are.
_MOVING = (enumerate, zip, reversed, list, tuple)
# These take a function first.
_WITH_FUNCTIONS = (map, filter, functools.reduce)
# And these take one as `key`.
_WITH_KEYS = (sorted, min, max)
# Which results of natives are numbers of Python's.
_NUMBERS = {
    "pipeport.cv2.boundingRect": range(4),
    "pipeport.cv2.threshold": range(1),
    "pipeport.scipy.ndimage.label": range(1, 2),
}
# Draws of one element of a list, which may be of strings and functions.
_ELEMENTS = ("random.choice", "numpy.random.choice")
# Those of several elements.
_SEVERAL = ("random.sample", "random.choices")
# Draws from a list of any length; NumPy's make an array of it.
_TAKE_LISTS = (*_ELEMENTS, "numpy.random.permutation")
_TAKE_ARRAYS = (meanings.NATIVE, meanings.TENSORFLOW)
# These need to know how long a range is.
_COUNTED = (*_TAKE_ARRAYS, meanings.DRAW, meanings.PYTHON)
UNDER_A_CONDITION = "under a run-time condition or loop"
# What a step gives that leaves a call to the next.
_NOTHING = object()


@dataclass
class Call:
    """A call whose meaning is known.

    `number`: its place. `function`: what is called. `found`: what that means. `args`, `kwargs`: what it is
    given. `handed`: what it was given at first, and the owner of a method.
    """

    number: int
    function: Any
    found: meanings.Meaning
    args: Any
    kwargs: Any
    handed: tuple[Any, ...]

    def given(self) -> list[Any]:
        """Return all arguments."""
        return [*self.args, *self.kwargs.values()]


class Calls(Expressions):
    """The calls of one ported function; see `Runtime`.

    `places`: where its calls stand. `port`: gives the ported form of a user's own function. `islands`: where
    calls without a native equivalent stay Python; None refuses them.
    """

    def __init__(
        self, places: Places, port: Callable[[Any], Callable[..., Any]], islands: Islands | None = None
    ) -> None:
        super().__init__()
        self._islands = islands
        self._places = places
        self._written: tuple[Any, Any] = (None, None)
        self._seen: dict[int, dict[str, Any]] = {}
        self._regions: dict[int, Callable[..., Any]] = {}
        self._port = port
        source = places.source
        # Not by the module's name, which is __main__ where the file is run.
        self._key = f"{Path(source.file).stem}.{source.name}"

    def _at(self, number: int) -> contextlib.AbstractContextManager[None]:
        _limit.check()
        return seeds.keyed(f"{self._key}:{self._places.keys[number]}")

    def _is_example(self) -> bool:
        """Say whether an example runs, in which values known only at run time look known."""
        return self._islands is not None and bool(tf.executing_eagerly())

    def method(self, number: int, owner: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
        """Call a method of an object, or a function of a module."""
        raise NotImplementedError

    def set(self, owner: Any, key: Any, value: Any) -> Any:
        """Return a container after `owner[key] = value`."""
        raise NotImplementedError

    def _attribute_or(self, owner: Any, name: str, *default: Any) -> Any:
        """Return `getattr(owner, name)`, or the default."""
        raise NotImplementedError

    def call(self, number: int, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Call an object."""
        with self._at(number):
            return self._called(number, function, args, kwargs)

    def _called(self, number: int, function: Any, args: Any, kwargs: Any) -> Any:
        if is_choice(function):
            return distributed(function.functions(), lambda one: self._called(number, one, args, kwargs))
        if isinstance(function, functools.partial):
            named = {**function.keywords, **kwargs}
            return self._called(number, function.func, (*function.args, *args), named)
        if is_inner(function) or function is functools.partial:
            return function(*args, **kwargs)
        handed = (getattr(function, "__self__", None), *args, *kwargs.values())
        _reached.meet(*handed)
        found = self._handed_on(number, function, args, kwargs)
        if found is not _NOTHING:
            return found
        if any(function is one for one in _WITH_FUNCTIONS):
            args = (self._callable(number, args[0]), *args[1:])
        if any(function is one for one in _WITH_KEYS) and kwargs.get("key") is not None:
            kwargs = {**kwargs, "key": self._key_of(number, kwargs["key"])}
        meaning = meanings.meaning(function)
        if self._islands is not None:
            meaning = self._islands.meaning(meaning)
        call = Call(number, function, meaning, args, kwargs, handed)
        try:
            return self._SERVES[call.found.kind](self, call)
        except PipeportError as error:
            error.called = error.called or call.found.name
            raise

    def _handed_on(self, number: int, function: Any, args: Any, kwargs: Any) -> Any:
        """Return the result of what is another call in truth: of a method, a helper, an attribute."""
        if meanings.is_of_outside(function):
            return self.method(number, function.__self__, function.__name__, *args, **kwargs)
        if meanings.is_unbound(function) and args:
            return self.method(number, args[0], function.__name__, *args[1:], **kwargs)
        if function is getattr and len(args) in (2, 3):
            return self._attribute_or(*args)
        if function is len and len(args) == 1:
            own = meanings.own_method(args[0], "__len__")
            return _NOTHING if own is None else self._called(number, own, (), {})
        if (inner := callbacks.inside(function)) is not None:
            run = functools.partial(self._run, number, inner)
            return callbacks.as_traced(function, run, args, kwargs, callbacks.as_array)
        return _NOTHING

    # By the kind of what is called.

    def _refused(self, call: Call) -> Any:
        found, islands = call.found, self._islands
        island = islands is not None and islands.accept(found.name)
        where = self._places.where(call.number)
        if found.function is not None:
            # In an example, what only the graph will know looks known.
            looks_known = (
                island and islands is not None and self._is_example() and where not in islands.computed
            )
            given = None if looks_known else known_arguments(call.args, call.kwargs)
            if given is not None:
                return self._computed(call.number, found.name, call.function, given)
        if island:
            return self._island(call.number, found, call.function, call.args, call.kwargs)
        advice = found.advice
        if found.function is not None:
            advice = f"{advice} Python computes it where all arguments are known while tracing."
        refused = PortRefused(f"{where}\n  {found.name}: {advice}")
        refused.called = found.name
        raise refused

    def _own(self, call: Call) -> Any:
        whole = None if self._islands is None else self._islands.regions.whole(call.function, call.found.name)
        if whole is not None:
            return self._island(call.number, call.found, call.function, call.args, call.kwargs, whole)
        try:
            return self._port(call.function)(*call.args, **call.kwargs)
        except RecursionError:
            advice = "It calls itself; how often is known only at run time. Write a loop."
            name = getattr(call.function, "__name__", type(call.function).__name__)
            raise PortRefused(f"{self._places.where(call.number)}\n  {name}: {advice}") from None

    def _built_in(self, call: Call) -> Any:
        found = self._before(call)
        if found is not _NOTHING:
            return found
        if any(call.found.function is one for one in files.NOTING):
            call.kwargs = {**call.kwargs, "notes": self._notes(call.number)}
        call.args = tuple(plain_number(one) for one in call.args)
        return call.found.run(*call.args, **call.kwargs)

    def _python(self, call: Call) -> Any:
        found = self._before(call)
        if found is not _NOTHING:
            return found
        call.args = tuple(python_number(one) for one in call.args)
        if holds_array([list(call.args), call.kwargs]):
            if self._islands is not None:
                return self._island(call.number, call.found, call.function, call.args, call.kwargs)
            self._refuse_python(call.number, call.found)
        result = call.found.run(*call.args, **call.kwargs)
        _reached.check(*call.handed)
        return result

    def _tensorflow(self, call: Call) -> Any:
        found = self._before(call)
        if found is _NOTHING:
            found = self._of_rows(call)
        if found is not _NOTHING:
            return found
        run = functools.partial(self._run, call.number)
        args, kwargs = callbacks.called_by(call.function, run, (call.args, call.kwargs), callbacks.as_array)
        return _tensorflow.call(call.found.function or call.function, args, kwargs)

    def _native(self, call: Call) -> Any:
        found = self._before(call)
        if found is _NOTHING:
            found = self._of_rows(call)
        if found is not _NOTHING:
            return found
        name, run = call.found.name, call.found.run
        constant = by_numpy(name, call.found.function, call.function, call.args, call.kwargs)
        if constant is not None:
            return constant
        self._open_pictures(call)
        if name.startswith("pipeport.numpy."):
            call.args = tuple(map(_pixels, call.args))
        if (
            name == "pipeport.numpy.squeeze"
            and len(call.args) == 1
            and not call.kwargs
            and is_array(call.args[0])
        ):
            return self._squeezed(call.number, call.args[0])
        inside = [
            part for one in call.args if isinstance(one, (list, tuple)) for part in one if is_array(part)
        ]
        # Natives take lists of tensors.
        args = tuple(row(opened(one)) if isinstance(one, (list, tuple)) else one for one in call.args)
        if call.kwargs.get("out") is not None and meanings.writes(call.function):
            return self._into(run, args, call.kwargs)
        if (
            name.startswith("pipeport.cv2.")
            and (given := _with_destination(call.found.function, args, call.kwargs)) is not None
        ):
            return self._into_destination(run, given)
        if meanings.draws_on(call.found):
            return self.set(args[0] if args else call.kwargs["img"], ..., chosen(run, args, call.kwargs))
        result = passed_on(call.found.function, chosen(run, args, call.kwargs))
        if inside and is_array(result):
            _strides.unsure(result, inside)
        if name in _NUMBERS:
            own = _NUMBERS[name]
            return tuple(weak(tensor_of(one)) if at in own else one for at, one in enumerate(result))
        return result

    def _squeezed(self, number: int, array: Any) -> Any:
        """Return an array without axes of size 1; which those are, an example shows where no size tells."""
        notes, sizes = self._notes(number), tensor_of(array).shape
        found = array.squeeze()
        if sizes.is_fully_defined():
            note(notes, "axes", tuple(axis for axis, size in enumerate(sizes) if size == 1))
        elif notes.get("axes") is not None and sizes.rank is not None:
            kept = [size for axis, size in enumerate(sizes) if axis not in notes["axes"]]
            found = fresh(tf.ensure_shape(tensor_of(found), kept))
        return found

    def _draw(self, call: Call) -> Any:
        found = self._before(call)
        if found is not _NOTHING:
            return found
        name, args = call.found.name, without_text(call.args)
        call.args, call.kwargs = args, without_text(call.kwargs)
        if name in _TAKE_LISTS and holds_symbolic_list(list(args)):
            if name == _ELEMENTS[0] and len(args) == 1 and not call.kwargs:
                return self._symbolic_row(call.found, args[0])
            call.args = args = arrays_of_rows(args)
        if holds_symbolic_list(list(args)):
            given = (
                f"a list of a length known only at run time, for {name} in {self._places.where(call.number)}"
            )
            advice = "Make an array of it first: `np.stack(rows)`."
            raise PortRefused(explain("call", given, "arrays", advice))
        self._open_pictures(call)
        args = call.args
        # Before a shuffle puts others in their place.
        parts = [part for one in args if isinstance(one, (list, tuple)) for part in one]
        result = chosen(call.found.run, args, call.kwargs)
        _reached.check(*call.handed)
        if isinstance(call.found.function, Seeded):  # it notes its draws itself
            return result
        if parts:  # an element of a list, or a list in another order
            may_be(args if result is None else result, parts, f"what {name} drew")
        if isinstance(call.found.function, Augmentation):  # what it does not change is what it was given
            result = call.found.function.passed_on(result)
            for target, one in result.items():
                may_be(one, [call.kwargs.get(target)], f"what {name} gave")
        elif name.rpartition(".")[2] != "seed":  # it draws nothing
            _tape.note(name, result, args)
        _intervals.note(name, result, args, call.kwargs)
        return result

    _SERVES: ClassVar[dict[str, Any]] = {
        meanings.NATIVE: _native,
        meanings.DRAW: _draw,
        meanings.BUILT_IN: _built_in,
        meanings.OWN: _own,
        meanings.TENSORFLOW: _tensorflow,
        meanings.PYTHON: _python,
        meanings.REFUSED: _refused,
    }

    # What several kinds have in common.

    def _before(self, call: Call) -> Any:
        """Serve choices between values, and strings and files; else prepare the arguments."""
        function, found = call.function, call.found
        if not any(found.function is one for one in _LOOKING):
            _reached.refuse_iterators(*call.handed)
        if found.kind in _COUNTED and any(isinstance(one, ranges.SymbolicRange) for one in call.given()):
            self._refuse_steps(call.number, found)
        reader = numbers.is_reader(function)
        if reader and call.args and type(call.args[0]) in (list, tuple):
            call.args = (with_strings(call.args[0]), *call.args[1:])
        moved = any(function is one for one in _MOVING)
        first = next(filter(is_choice, call.args), None)
        option = first if moved else first_choice([list(call.args), call.kwargs])
        if option is not None:
            return self._with_each(option, call.number, function, call.args, call.kwargs)
        drawn = _SEVERAL if len(call.args) > 1 or call.kwargs else (*_ELEMENTS, "random.choices")
        if found.name in drawn and call.args and is_of_values(call.args[0]):
            return self._symbolic_elements(found, call.args[0], call.args[1:], call.kwargs)
        if found.name in _ELEMENTS and len(call.args) == 1 and not call.kwargs:
            strings = words_of(call.args[0])
            if strings is not None:
                return self._symbolic_string(found, strings)
        if reader:
            call.args = arrays_of_rows(call.args)
            if numbers.reads(function, call.args):
                return numbers.read(function, call.args, call.kwargs)
            if call.args and isinstance(call.args[0], _lazy_file.LazyFile):
                return call.args[0].astype(numbers.dtype_of(function, call.args[1:], call.kwargs))
        if found.kind == meanings.NATIVE and numbers.is_of_names(function, call.args):
            return function(*call.args, **call.kwargs)
        strings = text_arrays.computed(found.name, function, call.args, call.kwargs)
        if strings is not None:
            return strings
        if found.name == "pipeport.numpy.load" and call.args:
            notes = self._notes(call.number)
            notes["text"] = self._places.found[call.number][1]
            return _lazy_file.load(found.run, notes, *call.args, **call.kwargs)
        if found.name == "pipeport.PIL.Image.open":
            image = found.run(*without_text(call.args), **without_text(call.kwargs))
            image.notes = self._notes(call.number)
            return image
        return _NOTHING

    def _of_rows(self, call: Call) -> Any:
        """Serve lists of a length known only at run time, of strings too; else make arrays of them."""
        call.args, call.kwargs = without_text(call.args), without_text(call.kwargs)
        if not holds_symbolic_list([list(call.args), call.kwargs]):
            return _NOTHING
        whole = joined_rows(call.found.name.removeprefix("pipeport.numpy."), call.args, call.kwargs)
        if whole is not None:
            return whole
        call.args, call.kwargs = arrays_of_rows(call.args), arrays_of_rows(call.kwargs)
        return _NOTHING

    def _open_pictures(self, call: Call) -> None:
        """Make tensors of the arguments of a picture's method; refuse one that writes in a branch."""
        if not type(getattr(call.function, "__self__", None)).__module__.startswith("pipeport.PIL"):
            return
        if depth() and call.function.__name__ == "paste":
            given = f"paste in {self._places.where(call.number)}, {UNDER_A_CONDITION}"
            advice = "Paste a mask that is zero where nothing is to be written."
            raise PortRefused(explain("call", given, "changes of images outside of them", advice))
        call.args, call.kwargs = tuple(opened(one) for one in call.args), opened(call.kwargs)

    def _run(self, number: int, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        return self._called(number, function, args, kwargs)

    def _computed(self, number: int, name: str, function: Any, given: Any) -> Any:
        """Call a function of a library with known arguments; what it raises in a branch, that raises."""
        where = self._places.where(number)
        try:
            return computed(name, function, given, where)
        except PipeportError:
            raise
        except Exception as error:
            if not depth():
                raise
            told = explain(name, f"arguments that raise {type(error).__name__}, in {where}", "others", "")
            raise RaisedError(told, f"{where}: {type(error).__name__}", (str(error),)) from error

    def _with_each(self, option: Any, number: int, function: Any, args: Any, kwargs: Any) -> Any:
        """Call an object with each value that the graph decides between."""

        def run(one: Any) -> Any:
            return self._called(number, function, replaced(args, option, one), replaced(kwargs, option, one))

        return distributed(option, run)

    def _symbolic_elements(self, found: meanings.Meaning, values: Any, args: Any, kwargs: Any) -> Any:
        """Return one or several elements of a list of strings or functions: the original, where known."""
        row = list(np.array(values)) if found.name == _ELEMENTS[1] else list(values)
        drawn = found.run(list(range(len(row))), *args, **kwargs)
        places = [python_number(one) for one in (drawn if isinstance(drawn, list) else [drawn])]
        fixed = [_tape.Place(one) for one in places if not is_array(one)]
        if len(fixed) == len(places):
            _tape.note(found.name, fixed if isinstance(drawn, list) else fixed[0], ())
        made = [element_at(row, tensor_of(one), same) if is_array(one) else row[one] for one in places]
        return made if isinstance(drawn, list) else made[0]

    def _symbolic_string(self, found: meanings.Meaning, strings: Any) -> Any:
        """Return an element of a list of strings known only at run time."""
        place = found.run(numpy.arange(strings.length()))
        if (number := known(place)) is not None:
            _tape.note(found.name, _tape.Place(int(number)), ())
        return strings[place]

    def _symbolic_row(self, found: meanings.Meaning, rows: Any) -> Any:
        """Return an element of a list of a length known only at run time."""
        place = found.run(numpy.arange(weak(rows.count)))
        return rows.element(place)

    def _notes(self, number: int) -> dict[str, Any]:
        """Return what an example showed at the place of a call; what else is seen there is not kept."""
        return self._seen.setdefault(number, {}) if learns() else {}

    def _into(self, run: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """Return `out` after it was written to, where `where` holds."""
        options = dict(kwargs)
        out, where = options.pop("out"), options.pop("where", True)
        casting = options.pop("casting", "same_kind")
        out = out[0] if isinstance(out, tuple) and len(out) == 1 else out
        made = as_array(run(*args, **options))
        if is_array(out):
            if not np.can_cast(made.dtype, out.dtype, casting):
                advice = "Leave `out` out, and cast the result with astype."
                allowed = f"what casting={casting!r} makes {out.dtype}"
                raise WrongType(explain("out", f"a result of {made.dtype}", allowed, advice))
            made = fresh(cast(tensor_of(made), out.dtype))
            if where is not True:
                made = numpy.where(where, made, out)
        found = self.set(out, ..., made)
        self._written = (out, found)
        return found

    def _into_destination(self, run: Callable[..., Any], given: inspect.BoundArguments) -> Any:
        """Return what a function of OpenCV gives, written into `dst` where that has its shape and dtype."""
        destination, given.arguments["dst"] = given.arguments["dst"], None
        found = chosen(run, given.args, given.kwargs)
        made = as_array(found[-1] if isinstance(found, tuple) else found)
        sizes = tensor_of(made).shape, tensor_of(destination).shape
        if made.dtype != destination.dtype or not sizes[0].is_compatible_with(sizes[1]):
            return found  # an array of its own
        if not (sizes[0].is_fully_defined() and sizes[1].is_fully_defined()):
            text = explain("dst", "another shape than that of the result", "the same", "Leave it out.")
            shapes = [tf.shape(tensor_of(one)) for one in (made, destination)]
            with tf.control_dependencies([tf.debugging.assert_equal(*shapes, text)]):
                made = fresh(tf.identity(tensor_of(made)))
        written = self.set(destination, ..., made)
        return (*found[:-1], written) if isinstance(found, tuple) else written

    def written(self, owner: Any, result: Any) -> Any:
        """Return the array that replaces the argument `out` of a call, after the call."""
        given, found = self._written
        return found if owner is given and result is found else owner

    def _callable(self, number: int, function: Any) -> Any:
        """Return a function as `map` and the like may call it."""
        return None if function is None else lambda *args: self._called(number, function, args, {})

    def _key_of(self, number: int, key: Any) -> Any:
        """Return a function that gives keys: ported, unless it is one like `operator.itemgetter(1)`."""
        if key is None or meanings.meaning(key).kind == meanings.REFUSED:
            return key
        return self._callable(number, key)

    def region(self, number: int, /, *args: Any) -> Any:
        """Return what statements give that stay Python."""
        region = self._places.regions[number]
        option = first_choice(list(args))
        if option is not None:
            return distributed(option, lambda one: self.region(number, *replaced(args, option, one)))
        if number not in self._regions:
            self._regions[number] = compiled(self._places.source, region.function, {})
        found = meanings.Meaning(meanings.REFUSED, region.why)
        with self._at(number):
            made = self._island(number, found, self._regions[number], args, {}, region)
        given = dict(zip(region.inputs, args, strict=True))
        # An array that is written to is itself again, with all its views.
        same = {name for name in region.written if is_array(given.get(name))}
        if not same:
            return made
        return tuple(
            given[name] if name in same else one for name, one in zip(region.results, made, strict=True)
        )

    def _island(
        self, number: int, found: meanings.Meaning, function: Any, args: Any, kwargs: Any, of: Any = None
    ) -> Any:
        if self._islands is None:
            raise LookupError(found.name)
        key = f"{self._key}:{self._places.keys[number]}"
        return self._islands.call(key, self._places.where(number), found.name, function, args, kwargs, of)

    def _refuse_python(self, number: int, found: meanings.Meaning) -> None:
        given = f"values known only at run time, for {found.name} in {self._places.where(number)}"
        advice = NEAREST.get(found.name, "It runs once, while tracing: give it values known then.")
        raise PortRefused(explain("call", given, "values known while tracing", advice))

    def _refuse_steps(self, number: int, found: meanings.Meaning) -> None:
        given = (
            f"a range of a length known only at run time, for {found.name} in {self._places.where(number)}"
        )
        advice = "Write `np.arange(n)` in its place."
        if found.kind == meanings.DRAW:
            advice = (
                "Draw one number by `random.randrange(n)`, several by "
                "`np.random.choice(n, size, replace=False)`."
            )
        raise PortRefused(explain("call", given, "arrays, lists and ranges of known length", advice))


def _with_destination(native: Any, args: Any, kwargs: Any) -> inspect.BoundArguments | None:
    """Return the arguments of a function of OpenCV, by name, where one is an array to write into."""
    contract = contract_of(native)
    if contract is None or "dst" not in contract.refused:  # it may be what is read
        return None
    try:
        given = inspect.signature(native).bind(*args, **kwargs)
    except TypeError:
        return None
    return given if is_array(given.arguments.get("dst")) else None


def _pixels(value: Any) -> Any:
    """Return a picture of Pillow's as NumPy's functions take it; all else unchanged."""
    is_picture = type(value).__module__.startswith("pipeport.PIL")
    return fresh(value.__pipeport_array__()) if is_picture else value
