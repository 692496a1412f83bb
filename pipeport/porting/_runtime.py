"""The functions that transformed code calls, eagerly or while it is traced."""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable, Iterator, KeysView, ValuesView
from pathlib import Path
from typing import Any

import numpy as np

from pipeport import numpy
from pipeport._lazy import tf
from pipeport.arrays import _sharing
from pipeport.arrays._cast import cast
from pipeport.arrays._making import fresh, owned
from pipeport.arrays._masked import selected, selects
from pipeport.arrays._memory import number_at
from pipeport.arrays._operators import operand
from pipeport.errors import PortRefused, WrongType, explain
from pipeport.porting import _outside, _reached
from pipeport.porting._calls import UNDER_A_CONDITION, Calls
from pipeport.porting._protocol import StandIn, python_type, served
from pipeport.porting._values import (
    as_array,
    holds_array,
    is_array,
    is_symbolic_list,
    is_tensor,
    is_text,
    known,
    plain_number,
    python_number,
    sentence,
    tensor_of,
    weak,
)
from pipeport.porting.control import _builtins, _flow
from pipeport.porting.control import _ordered as ordered
from pipeport.porting.control import _symbolic_range as ranges
from pipeport.porting.control._aliases import copied, element, picked
from pipeport.porting.control._branches import RaisedError
from pipeport.porting.control._choice import is_choice, may_be_one, with_strings
from pipeport.porting.control._copies import refuse_copy
from pipeport.porting.control._distribute import chosen, distributed, first_choice, replaced
from pipeport.porting.control._parts import depth
from pipeport.porting.control._symbolic_list import (
    appended,
    form_of,
    holds_numbers,
    repeated,
    rows_of,
    rows_of_numbers,
)
from pipeport.porting.control._truth import condition
from pipeport.porting.frontend import _meaning as meanings
from pipeport.porting.frontend import _tensorflow
from pipeport.porting.frontend._expressions import around, in_place
from pipeport.porting.frontend._foreign import refuse
from pipeport.porting.frontend._grids import grid, joined
from pipeport.porting.frontend._regions import CHANGING
from pipeport.porting.optimise import _intervals
from pipeport.porting.strings import _lazy_file
from pipeport.porting.strings import _lookup as lookup
from pipeport.porting.strings import _numbers as numbers
from pipeport.porting.strings import _paths as paths
from pipeport.porting.strings._text import BYTES, Text, Words, as_text, checked

_SEARCHING = ("index", "count")
# Methods that containers share with those that nothing changes.
_READING = frozenset(dir(tuple)) | frozenset(dir(frozenset)) | frozenset(dir(types.MappingProxyType))
_CONTAINERS = (list, tuple, set, frozenset, dict, KeysView, ValuesView)
_UNKNOWN_KEY = "a value known only at run time as the key of a dictionary"


class Runtime(Calls):
    """The run time of one ported function: its calls, methods, elements, conditions and texts."""

    def owned(self, value: Any) -> Any:
        """Return the argument of a parameter, owned by the function's own name."""
        return owned(value) if is_array(value) else value

    def method(self, number: int, owner: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
        """Call a method of an object, or a function of a module."""
        _reached.meet(owner)
        with self._at(number):
            option = owner if is_choice(owner) else first_choice([args, kwargs]) if is_array(owner) else None
            if option is not None:

                def run(one: Any) -> Any:
                    given, named = replaced(args, option, one), replaced(kwargs, option, one)
                    return self.method(number, replaced(owner, option, one), name, *given, **named)

                return distributed(option, run)
            if is_tensor(owner) and owner.dtype == tf.string:
                owner = Text(owner, BYTES) if owner.shape.rank == 0 else Words(owner, BYTES)
            if is_text(owner):
                return self._of_text(number, owner, name, args, kwargs)
            if _outside.is_outside(owner):
                return self._of_outside(number, owner, name, args, kwargs)
            if is_array(owner) or is_tensor(owner):
                return self._of_array(number, owner, name, args, kwargs)
            if is_symbolic_list(owner) and name in _SEARCHING:
                return self._searched(owner, name, *args)
            if isinstance(owner, StandIn) and name in owner.hidden:
                owner.miss(name)
            if isinstance(owner, (list, dict, set, str, bytes, tuple)):
                found = self._of_container(number, owner, name, args, kwargs)
                if name not in _READING:
                    _reached.check(owner)
                return found
            if isinstance(owner, Path) and name == "open":
                return self._called(number, open, (owner, *args), kwargs)
            return self._called(number, getattr(owner, name), args, kwargs)

    def _of_outside(self, number: int, owner: Any, name: str, args: Any, kwargs: Any) -> Any:
        args = tuple(map(plain_number, args))
        kwargs = {key: plain_number(one) for key, one in kwargs.items()}
        given = [list(args), kwargs]
        known = not holds_array(given) and first_choice(given) is None
        if (not known or self._is_example()) and (why := _outside.refusal(owner)):
            function = getattr(owner, name)
            return self._island_or_refusal(number, why, f"numpy.ndarray.{name}", function, args, kwargs)
        if known:
            return _outside.result(owner, name, args, kwargs)
        return self._of_array(number, _outside.entered(owner), name, args, kwargs)

    def _island_or_refusal(
        self, number: int, why: str, name: str, function: Any, args: Any, kwargs: Any
    ) -> Any:
        """Leave a call of an array from outside that enters no graph to Python, or refuse it."""
        if self._islands is None:
            raise PortRefused(f"{self._places.where(number)}\n  {why}")
        found = meanings.Meaning(meanings.REFUSED, name)
        return self._island(number, found, function, args, kwargs)

    def _of_array(self, number: int, owner: Any, name: str, args: Any, kwargs: Any) -> Any:
        array = as_array(owner)
        if array is None:
            return self._called(number, getattr(owner, name), args, kwargs)
        if name == "numpy" and not args and not kwargs:
            return fresh(tensor_of(array)) if _sharing.is_of_tensorflow(array) else array
        if name == "item" and not kwargs and (args or tensor_of(array).shape.num_elements() == 1):
            place = args[0] if len(args) == 1 else args or 0
            found = array[place] if isinstance(place, tuple) else array.reshape(-1)[place]
            return weak(tf.reshape(_of_python(tensor_of(found)), []))
        if name == "tolist" and not args and tensor_of(array).shape.is_fully_defined():
            values = known(array)
            return _nested(_of_python(tensor_of(array))) if values is None else values.tolist()
        if name == "tolist" and not args and tensor_of(array).shape.rank:
            rows = rows_of_numbers(_of_python(tensor_of(array)))
            if rows is not None:
                return rows
        if name in CHANGING and not hasattr(np.ndarray, name):
            given = f"`{name}` of an array, or of a list at a place known only at run time"
            raise PortRefused(explain("call", given, "methods of arrays", "Assign to elements of an array."))
        if name == "squeeze" and not args and not kwargs:
            return self._squeezed(number, array)
        if name == "clip" and kwargs.get("out") is not None:
            return self._into(numpy.clip, (array, *args), kwargs)
        return chosen(getattr(array, name), args, kwargs)

    def _of_text(self, number: int, owner: Any, name: str, args: Any, kwargs: Any) -> Any:
        allowed = paths.PATH_METHODS if isinstance(owner, paths.PathText) else served(owner)
        if name in allowed:
            args = tuple(map(_parts, args)) if name == "join" else args
            return getattr(owner, name)(*args, **kwargs)
        if name in ("numpy", "item", "tolist"):
            return owner
        if name == "astype" and isinstance(owner, Words):
            return numbers.array(owner, *args, **kwargs)
        called = f"{owner.python_type.__name__}.{name}"
        given = f"{called} of a string known only at run time, in {self._places.where(number)}"
        advice = "Write it with these, or with tf.strings before."
        raise PortRefused(explain("call", given, ", ".join(sorted(allowed)), advice))

    def _of_container(self, number: int, owner: Any, name: str, args: Any, kwargs: Any) -> Any:
        if name == "join" and args:
            args = (_parts(args[0]), *args[1:])
        args = tuple(map(_plain, args)) if isinstance(owner, dict) else args
        compared: Any = [list(args), kwargs]  # what it compares with what
        if not isinstance(owner, (str, bytes)):
            searches = isinstance(owner, (list, tuple)) and name in (*_SEARCHING, "remove")
            keyed = isinstance(owner, dict) and name in ("get", "pop", "setdefault")
            compared = [owner, *args] if searches else list(args[:1]) if keyed else []
        option = first_choice(compared)
        if option is not None:

            def run(one: Any) -> Any:
                given, named = replaced(args, option, one), replaced(kwargs, option, one)
                return self._of_container(number, replaced(owner, option, one), name, given, named)

            found = distributed(option, run)
            return found if isinstance(owner, (str, bytes)) else copied(found)
        if name == "setdefault" and not holds_array(compared) and args[0] in owner:
            return owner[args[0]]
        if name in CHANGING and depth():
            given = f"{type(owner).__name__}.{name} in {self._places.where(number)}, {UNDER_A_CONDITION}"
            advice = "Assign to the elements of an array of known size, or compute without the condition."
            raise PortRefused(explain("call", given, "changes of lists outside of them", advice))
        if name in CHANGING:
            refuse_copy(owner, _reached.is_outside)
        if isinstance(owner, dict) and name == "get" and args and lookup.is_key(args[0]):
            return copied(lookup.value_of(args[0], owner, picked, (args[1] if len(args) > 1 else None,)))
        if (
            isinstance(owner, (list, tuple))
            and name == "index"
            and len(args) == 1
            and isinstance(args[0], Text)
            and not holds_array([owner])
        ):
            return lookup.index_of(args[0], owner)
        if isinstance(owner, (list, tuple)) and name in _SEARCHING and holds_array([list(owner), list(args)]):
            return self._searched(owner, name, *args)
        if (
            isinstance(owner, list)
            and name == "sort"
            and (holds_array(owner) or kwargs.get("key") is not None)
        ):
            key = self._key_of(number, kwargs.get("key"))
            owner[:] = ordered.sorted_(owner, key=key, reverse=kwargs.get("reverse", False))
            return None
        if isinstance(owner, dict) and holds_array(compared):
            self._refuse_key(number)
        if isinstance(owner, (str, bytes)) and holds_array([list(args), kwargs]):
            if name == "format" and isinstance(owner, str):
                return numbers.formatted(owner, args, kwargs)
            return self._of_text(number, as_text(owner), name, args, kwargs)
        return getattr(owner, name)(*args, **kwargs)

    def _searched(self, owner: Any, name: str, value: Any, *bounds: Any) -> Any:
        """Return `owner.index(value)` or `owner.count(value)` of a list, in the graph."""
        search = ordered.index_of if name == "index" else ordered.count_of
        return search(lambda one: self.equal(one, value, False), owner, *bounds)

    def appended(self, number: int, owner: Any, name: str, value: Any) -> Any:
        """Return a list after `append` or `extend`; only the function's own name stands for it."""
        if type(owner) is not list and not is_symbolic_list(owner):
            self.method(number, owner, name, value)
            return owner
        refuse_copy(owner, _reached.is_outside)
        if name == "append":
            return appended(owner, value)
        found = ranges.listed(value)
        return appended(owner, *found)

    def _refuse_key(self, number: int) -> None:
        given = f"{_UNKNOWN_KEY} in {self._places.where(number)}"
        advice = "Put the values into an array and index it."
        raise PortRefused(explain("key", given, "keys of Python", advice))

    # Elements.

    def attribute(self, owner: Any, name: str) -> Any:
        """Return `owner.name`, with arrays in the place of tensors."""
        _reached.meet(owner)
        if is_choice(owner):
            return distributed(owner, lambda one: self.attribute(one, name))
        if is_tensor(owner) and owner.dtype != tf.string:
            owner = _tensorflow.closed(owner)
        if is_text(owner) and getattr(owner, "is_array", False) and name in ("shape", "size", "ndim"):
            size = owner.length()
            return {"shape": (size,), "size": size, "ndim": 1}[name]
        if is_text(owner) and not (isinstance(owner, paths.PathText) and name in paths.PATH_ATTRIBUTES):
            given = f"`{name}` of a string known only at run time"
            raise PortRefused(
                explain("attribute", given, ", ".join(paths.PATH_ATTRIBUTES), "Make it a Path.")
            )
        if isinstance(owner, StandIn) and name in owner.hidden:
            owner.miss(name)
        found = getattr(owner, name)
        _reached.meet_attribute(owner, name, found)
        if type(owner).__module__.startswith("pipeport.PIL"):  # sizes, which are Python's numbers in Pillow
            sizes = found if isinstance(found, tuple) else (found,)
            if any(is_tensor(one) for one in sizes):
                made = tuple(weak(tf.cast(one, tf.int64)) for one in sizes)
                return made if isinstance(found, tuple) else made[0]
        return _tensorflow.closed(found) if is_tensor(found) else found

    def _attribute_or(self, owner: Any, name: str, *default: Any) -> Any:
        """Return `getattr(owner, name)`, or the default where Python's class has no such attribute."""
        if default and not is_choice(owner) and not _builtins.hasattr_(owner, name):
            return default[0]
        return self.attribute(owner, name)

    def slice(self, start: Any, stop: Any, step: Any) -> Any:
        """Return a slice."""
        return slice(start, stop, step)

    def item(self, number: int, owner: Any, key: Any) -> Any:
        """Return `owner[key]`."""
        _reached.meet(owner)
        given, key = key, _plain(key)
        if isinstance(owner, _lazy_file.LazyFile):
            return owner[key]
        if is_choice(owner):
            return distributed(owner, lambda one: self.item(number, one, key))
        if is_choice(key) and isinstance(owner, dict) and lookup.of_rows(owner):
            key = with_strings([key])[0]
        option = first_choice([key])
        if option is not None:
            return copied(
                distributed(option, lambda one: self.item(number, owner, replaced(key, option, one)))
            )
        if is_symbolic_list(owner):
            return owner.part(key) if isinstance(key, slice) else owner.element(key)
        if owner is np.mgrid or owner is np.ogrid:
            return grid(given, sparse=owner is np.ogrid)
        if owner is np.r_ or owner is np.c_:
            return joined(given, columns=owner is np.c_)
        if is_tensor(owner) and owner.dtype == tf.string:
            return owner[_tensorflow.key(key)]  # a tensor still, which compares as one
        if is_text(owner):
            return owner[key]
        if isinstance(owner, dict) and lookup.is_key(key):
            return copied(lookup.value_of(key, owner, picked))
        if is_tensor(owner):
            owner = _tensorflow.closed(owner)
        if (function := meanings.own_method(owner, "__getitem__")) is not None:
            return self.call(number, function, key)
        if isinstance(owner, np.ndarray):
            return self._item_outside(number, owner, given, key)
        if _is_known(key) and not is_array(owner):
            found = owner[key]
            _reached.meet(found)
            return found
        if isinstance(owner, (str, bytes)):
            return as_text(owner)[key]
        if is_array(owner):
            if (known := number_at(owner, key)) is not None:
                return known
            part = owner[key]
            _intervals.state(owner, key, part)
            return part
        if isinstance(owner, dict):
            advice = "Put the values into an array and index it."
            raise PortRefused(explain("key", _UNKNOWN_KEY, "keys of Python", advice))
        found = None
        if isinstance(owner, (list, tuple)) and owner:
            if is_array(key) and key.dtype.kind == "b" and key.weak:  # a number, not a mask
                key = weak(tf.cast(tensor_of(key), tf.int64))
            if is_array(key) and tensor_of(key).shape.rank == 0 and not _is_flat(owner):
                found = copied(element(owner, weak(self._place_in(owner, key))))
            elif isinstance(key, slice) and type(owner) is list and holds_numbers(owner):
                found = rows_of(owner, form_of(owner)).ended().part(key)
            else:
                found = picked(owner, key)
        if found is None:
            advice = "Draw among numbers, and choose between other things by `if`."
            given = "a run-time index into a list of things that are not numbers"
            if not isinstance(owner, (list, tuple)):
                advice = "Make an array of NumPy's of it outside of the function, and index that."
                given = f"an index known only at run time, into {_kind_of(owner)}"
            raise PortRefused(explain("index", given, "lists of numbers or arrays of one shape", advice))
        return found

    def _item_outside(self, number: int, owner: Any, given: Any, key: Any) -> Any:
        """Return an element of an array from outside, at a key as it was given and with known numbers."""
        known = _is_known(given)
        if (not known or self._is_example()) and (why := _outside.refusal(owner)):
            name, function = "numpy.ndarray.__getitem__", functools.partial(_outside.at_parts, owner)
            return self._island_or_refusal(number, why, name, function, (_outside.parts(given),), {})
        if known:
            return _outside.element(owner, key)
        if owner.dtype.kind in "OSU" and owner.ndim == 1:
            return self.item(number, owner.tolist(), key)
        return self.item(number, _outside.entered(owner), key)

    def _place_in(self, owner: Any, key: Any) -> Any:
        """Return a place from 0, which may have been counted from the end."""
        place, count = tf.cast(tensor_of(key), tf.int64), len(owner)
        text = explain("index", "a place out of range", f"-{count} to {count - 1}", "Check the index.")
        inside = (place >= -count) & (place < count)
        return checked(inside, tf.where(place < 0, place + count, place), text, place)

    def set(self, owner: Any, key: Any, value: Any) -> Any:
        """Return a container after `owner[key] = value`."""
        _reached.meet(owner)
        key = _plain(key)
        option = first_choice([owner, key, value]) if is_array(owner) or is_choice(owner) else None
        if option is not None:
            return distributed(option, lambda one: self.set(*replaced((owner, key, value), option, one)))
        if is_symbolic_list(owner):
            advice = "Make an array of it first: `rows = np.stack(rows)`."
            given = "an assignment to an element of a list of a length known only at run time"
            raise PortRefused(explain("list", given, "append", advice))
        if not is_array(owner):
            if is_tensor(owner):
                owner = _tensorflow.closed(owner)
            elif isinstance(owner, np.ndarray):
                advice = "Take a copy first: `x = x.copy()`."
                given = "an assignment to an array from outside of the function"
                raise PortRefused(explain("array", given, "arrays made in it", advice))
            else:
                if depth():
                    advice = "Assign to a name of its own instead."
                    given = f"an assignment to an element of a {type(owner).__name__} {UNDER_A_CONDITION}"
                    raise PortRefused(explain("element", given, "arrays", advice))
                if isinstance(owner, list) and is_array(key) and not key.ndim and key.dtype.kind in "iu":
                    return self._set_one(owner, key, value)
                if holds_array([key]) or first_choice([key]) is not None:
                    given = "a value known only at run time"
                    raise PortRefused(explain("key", given, "keys of Python", "Use an array instead."))
                refuse_copy(owner, _reached.is_outside)
                owner[key] = value
                _reached.check(owner)
                return owner
        if is_symbolic_list(value):
            value = value.array()
        elif isinstance(value, (list, tuple)) and holds_array(value):
            value = numpy.array(value)
        owner[key] = value
        return owner

    def _set_one(self, owner: list[Any], key: Any, value: Any) -> Any:
        """Return a list after an assignment at a place known only at run time."""
        refuse_copy(owner, _reached.is_outside)
        place = self._place_in(owner, key)
        for number, old in enumerate(owner):
            here = weak(tf.equal(place, number))
            owner[number] = self.either(here, lambda: value, lambda old=old: old)  # type: ignore[misc]
        _reached.check(owner)
        return owner

    def put_back(self, owner: Any, key: Any, part: Any) -> Any:
        """Return a container after `owner[key]` was written to, which left `part`."""
        key = _plain(key)
        if is_array(owner) or is_symbolic_list(owner) or holds_array([key]) or owner[key] is part:
            return owner
        return self.set(owner, key, part)

    def update(self, name: str, owner: Any, value: Any) -> Any:
        """Return the result of `owner <operator>= value`."""
        option = None if isinstance(owner, _CONTAINERS) else first_choice([owner, value])
        if option is not None:
            return distributed(option, lambda one: self.update(name, *replaced((owner, value), option, one)))
        if not is_array(owner):
            _reached.meet(owner)
            if isinstance(owner, np.ndarray):
                raise PortRefused(
                    explain("array", f"an in-place `{name}` of an array from outside of the function",
                            "arrays made in it", "Write `y = x <operator> value`.")
                )  # fmt: skip
            if isinstance(owner, list) and depth():
                advice = "Collect in an array of known size."
                raise PortRefused(explain("list", f"grown {UNDER_A_CONDITION}", "arrays", advice))
            if isinstance(owner, (list, dict)):
                refuse_copy(owner, _reached.is_outside)
            found = in_place(name)(owner, value)
            _reached.check(owner)
            return found
        if _sharing.is_number(owner):  # a number of NumPy's, which is never written to
            return getattr(operator, name)(owner, value)
        return in_place(name)(owner, value)

    def _kept(self, name: str, tensor: Any, value: Any) -> Any:
        """Return the result of an in-place operator on an array of these elements."""
        if operand(value) is None:
            raise WrongType(explain("operand", type(value).__name__, "an array or a number", "Convert it."))
        return in_place(name)(fresh(tensor), value)

    def update_item(self, number: int, name: str, owner: Any, key: Any, value: Any) -> Any:
        """Return a container after `owner[key] <operator>= value`."""
        key = _plain(key)
        if not is_array(owner):
            part = self.item(number, owner, key)
            found = self.update(name, part, value)
            return self.put_back(owner, key, part) if found is part else self.set(owner, key, found)
        if is_array(key) and selects(tensor_of(key), tensor_of(owner)) and _is_scalar(value):
            # For all elements: how many the mask holds is not known.
            found = self._kept(name, tensor_of(owner), value)
            return self.set(owner, ..., fresh(selected(tensor_of(owner), tensor_of(key), tensor_of(found))))
        if (known := number_at(owner, key)) is not None:
            return self.set(owner, key, getattr(operator, name)(known, value))
        part = tensor_of(owner[key])
        if part.shape.rank == 0:
            return self.set(owner, key, getattr(operator, name)(fresh(part), value))
        return self.set(owner, key, self._kept(name, part, value))

    def parted(self, value: Any, number: int) -> Any:
        """Return the values that several names are assigned, from an array or a list of as many elements."""
        if is_choice(value):
            return distributed(value, lambda one: self.parted(one, number))
        if value is None:
            told = "cannot unpack non-iterable NoneType object"
            raise TypeError(told)
        value = ranges.taken(_read(value))
        if is_tensor(value) and value.dtype != tf.string:
            value = _tensorflow.closed(value)
        if isinstance(value, Words):
            return self._words_parted(value, number)
        found = ranges.rounds(value) if is_array(value) and tensor_of(value).shape.rank != 0 else value
        found = found.steps() if is_symbolic_list(found) else found
        if not isinstance(found, ranges.SymbolicRange):
            return value
        advice = f"Several names take {number} elements."
        text = explain("unpacking", "another number of elements", f"{number}", advice)
        same = tf.debugging.assert_equal(found.count, tf.constant(number, tf.int64), text)
        with tf.control_dependencies([same]):
            return [found.at(tf.constant(place, tf.int64)) for place in range(number)]

    def parted_around(self, value: Any, before: int, behind: int) -> Any:
        """Return the first and the last values, and between them the list of all others."""
        value, least = ranges.taken(_read(value)), before + behind
        message = explain("unpacking", "fewer elements", f"{least} at least", "Look at what is taken apart.")
        if isinstance(value, Words):
            value = value.words(checked(tf.size(value.tensor) >= least, value.tensor, message, value.tensor))
        steps = ranges.rounds(value)
        if not isinstance(steps, ranges.SymbolicRange):
            return around(list(steps), before, behind)
        count = checked(steps.count >= least, steps.count, message)
        first = [steps.at(tf.constant(place, tf.int64)) for place in range(before)]
        last = [steps.at(count - place) for place in range(behind, 0, -1)]
        if isinstance(value, Words):
            return [*first, value.words(value.tensor[before : tf.cast(count, tf.int32) - behind]), *last]
        rest = ranges.SymbolicRange(count - least, lambda number: steps.at(number + before))
        return [*first, _flow.collected(rest, list), *last]

    def _words_parted(self, words: Any, number: int) -> Any:
        text = explain(
            "list of strings", "another count", f"{number}", f"Several names take {number} elements."
        )
        tensor = checked(tf.equal(tf.size(words.tensor), number), words.tensor, text, words.tensor)
        return [words.one(tensor[place]) for place in range(number)]

    # Conditions.

    def contains(self, number: int, owner: Any, value: Any, negated: bool) -> Any:
        """Return `value in owner`, or `value not in owner`."""
        _read(owner)
        option = first_choice(
            [value, owner if isinstance(owner, (list, tuple)) or is_choice(owner) else None]
        )
        if option is not None:

            def run(one: Any) -> Any:
                return self.contains(
                    number, replaced(owner, option, one), replaced(value, option, one), negated
                )

            return distributed(option, run)
        if (function := meanings.own_method(owner, "__contains__")) is not None:
            inside = _builtins.bool_(self.call(number, function, value))
            return _flow.negated(inside) if negated else inside
        if is_symbolic_list(owner):
            if is_symbolic_list(value) or isinstance(value, (list, tuple)):
                owner.refuse("in")
            owner = owner.array()
        if is_text(owner) or is_text(value):
            inside = self._holds(owner, value)
            return _flow.negated(inside) if negated else inside
        value = python_number(value)
        if not holds_array([value, owner if isinstance(owner, (list, tuple)) or is_array(owner) else None]):
            return (value not in owner) if negated else (value in owner)
        if isinstance(owner, np.ndarray):
            if why := _outside.refusal(owner):
                raise PortRefused(f"{self._places.where(number)}\n  {why}")
            owner = _outside.entered(owner)
        if isinstance(owner, (range, *_CONTAINERS)):
            found: Any = False
            for one in owner:
                found = _flow.either(found, self._alike(value, one))
        elif is_array(owner):
            found = (owner == value).any()
        else:
            advice = "Compare with a list of numbers."
            kind = "an iterator" if isinstance(owner, Iterator) else f"a {python_type(owner).__name__}"
            raise PortRefused(explain("in", f"a run-time value in {kind}", "lists", advice))
        return _flow.negated(found) if negated else found

    def _holds(self, owner: Any, value: Any) -> Any:
        """Return `value in owner`, of strings."""
        if isinstance(owner, np.ndarray):
            owner = owner.ravel().tolist()
        if isinstance(value, Text) and isinstance(owner, _CONTAINERS):
            row = list(owner)
            if not holds_array(row):
                return lookup.is_in(value, row)
            among: Any = False
            for one in row:
                among = _flow.either(among, one == value)
            return among
        if isinstance(owner, (str, bytes)):
            owner = as_text(owner)
        if not isinstance(owner, (Text, Words)):
            advice = "Look in strings, and in lists and dictionaries of them."
            given = f"a string of the graph in a {type(owner).__name__}"
            raise PortRefused(explain("in", given, "strings and containers", advice))
        return owner.holds(value)

    def either(self, test: Any, body: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
        """Return `body() if test else orelse()`."""
        return _flow.if_exp(test, body, orelse)

    def modulo(self, left: Any, right: Any) -> Any:
        """Return `left % right`, of numbers or of a pattern."""
        option = first_choice([left, right])
        if option is not None:
            return distributed(option, lambda one: self.modulo(*replaced((left, right), option, one)))
        if isinstance(left, (str, bytes)) and holds_array([right]):
            return numbers.filled(left, right)
        return left % right

    def repeated(self, left: Any, right: Any) -> Any:
        """Return `left * right`, of which one is a list."""
        values, count = (left, right) if type(left) is list else (right, left)
        count = python_number(count)
        if type(values) is list and is_array(count) and not count.ndim and count.dtype.kind in "biu":
            return repeated(values, tensor_of(count))
        return left * right

    def equal(self, one: Any, other: Any, negated: bool) -> Any:
        """Return `one == other`, or `one != other`; of tuples and lists too."""
        option = first_choice([one, other])
        if option is not None:

            def run(value: Any) -> Any:
                return self.equal(replaced(one, option, value), replaced(other, option, value), negated)

            return distributed(option, run)
        if is_text(one) or is_text(other):
            return self._same_text(one, other, negated)
        kind = next((kind for kind in (list, tuple, dict) if isinstance(one, kind)), None)
        if kind is None or not isinstance(other, kind) or not holds_array([one, other]):
            alike = one != other if negated else one == other
            return _tensorflow.closed(alike) if is_tensor(alike) else alike
        found: Any = set(one) == set(other) if kind is dict else len(one) == len(other)
        if found:
            for at in one if kind is dict else range(len(one)):
                found = _flow.both(found, self._alike(one[at], other[at]))
        return _flow.negated(found) if negated else found

    def _alike(self, one: Any, other: Any) -> Any:
        """Say whether elements of containers are the same object, or equal."""
        return one is other or _builtins.bool_(self.equal(one, other, False))

    def identical(self, one: Any, other: Any, negated: bool) -> Any:
        """Return `one is other`, or `one is not other`."""
        if is_choice(other):
            one, other = other, one
        if is_choice(one) and one is not other:
            found = one.where(lambda value: value is other)
            return _flow.negated(found) if negated else found
        return one is not other if negated else one is other

    def _same_text(self, one: Any, other: Any, negated: bool) -> Any:
        text, beside = (one, other) if is_text(one) else (other, one)
        if is_tensor(beside):  # as `EagerTensor == bytes` does
            compare = tf.not_equal if negated else tf.equal
            return _tensorflow.closed(compare(text.tensor, beside))
        if isinstance(text, Text) and is_array(beside) and beside.ndim:
            return fresh(tf.fill(tf.shape(tensor_of(beside)), negated))
        if isinstance(text, Text) and not is_array(beside) and hasattr(type(beside), "__array__"):
            found = lookup.equal_to(text, np.asarray(beside))
            return fresh(tf.logical_not(found) if negated else found)
        refuse("==", beside)
        return text != beside if negated else text == beside

    def truth(self, value: Any) -> Any:
        """Return the condition of a comprehension, which must be known."""
        found = python_number(value.truth() if is_text(value) else value)
        if is_array(found):
            advice = "Use a mask, as in `x[x > 0]`, or numpy.where."
            given = "one known only at run time, in a comprehension"
            raise PortRefused(explain("condition", given, "conditions known while tracing", advice))
        return found

    def check(self, line: int, test: Any, message: Any) -> None:
        """Do what `assert` does, in the graph where only that knows."""
        found = python_number(test.truth() if is_text(test) else test)
        if not (is_array(found) or is_tensor(found)):
            if not found:
                raise AssertionError(message)
            return
        where = f"{self._places.source.file}, line {line}: assertion failed"
        told = () if isinstance(message, str) and not message else (message,)
        tf.debugging.Assert(condition(found), [sentence(where, told)])

    def raised(self, line: int, error: Any) -> Any:
        """Return an exception to raise; under a run-time condition the graph checks that."""
        if depth():
            place = f"{self._places.source.file}, line {line}"
            kind = error if isinstance(error, type) else type(error)
            values = () if isinstance(error, type) else error.args
            given = f"`raise` in a run-time loop, without a condition, in {place}"
            advice = "Write `if condition: raise ...`, which the graph checks."
            text = explain("raise", given, "`raise` under a condition", advice)
            raise RaisedError(text, f"{place}: {kind.__name__}", values)
        return error

    # Text and iteration.

    def text(self, value: Any, conversion: int, form: str) -> Any:
        """Return a value in an f-string."""
        if is_choice(value):
            return distributed(value, lambda one: self.text(one, conversion, form))
        return numbers.text(value, form, conversion=conversion)

    def joined(self, *parts: Any) -> Any:
        """Return an f-string."""
        option = first_choice(parts)
        if option is not None:
            return distributed(option, lambda one: self.joined(*replaced(parts, option, one)))
        return numbers.joined(parts)

    def collected(self, values: Any, make: Callable[[Any], Any]) -> Any:
        """Return the list of a comprehension."""
        return _flow.collected(ranges.rounds(_read(values)), make)

    def generated(self, values: Any, make: Callable[[Any], Any]) -> Any:
        """Return what a generator expression gives; a list where the length is known only at run time."""
        return _flow.generated(ranges.rounds(_read(values)), make)

    def filtered(self, values: Any, make: Callable[[Any], Any]) -> Any:
        """Return the list of a comprehension with a condition."""
        return _flow.filtered(ranges.rounds(_read(values)), make)

    def filtered_one_by_one(self, values: Any, make: Callable[[Any], Any]) -> Any:
        """Return what a generator expression with a condition gives."""
        return _flow.filtered_one_by_one(ranges.rounds(_read(values)), make, self.truth)

    def listed(self, value: Any) -> Any:
        """Return the elements that a comprehension iterates over."""
        return ranges.listed(_read(value))

    def rounds(self, value: Any) -> Any:
        """Return the elements that a loop iterates over."""
        return ranges.rounds(_read(value))


def _read(value: Any) -> Any:
    """Return what is iterated over, which is not an iterator from outside of the function."""
    _reached.meet(value)
    _reached.refuse_iterators(value)
    return with_strings([value])[0]


def _is_scalar(value: Any) -> bool:
    theirs = operand(value)
    return theirs is not None and (theirs.plain or theirs.value.shape.rank == 0)


def _parts(value: Any) -> Any:
    """Return what `join` is given as a list, or as a list of strings of the graph."""
    value = ranges.taken(value)
    if isinstance(value, (Iterator, ranges.SymbolicRange, Text)):
        value = _builtins.list_(value)
    if isinstance(value, _CONTAINERS):
        return with_strings(value)
    return value.array() if is_symbolic_list(value) else value


def _kind_of(value: Any) -> str:
    kind = python_type(value)
    top = kind.__module__.partition(".")[0]
    return kind.__name__ if top == "builtins" else f"an object of {top}: {kind.__name__}"


def _of_python(tensor: Any) -> Any:
    """Return elements in the dtype of Python's numbers, as `item` and `tolist` give them."""
    return cast(tensor, np.asarray(np.zeros([], tensor.dtype.as_numpy_dtype).item()).dtype)


def _nested(tensor: Any) -> Any:
    """Return the elements as nested lists of Python numbers, which the graph may know alone."""
    return weak(tensor) if not tensor.shape.rank else [_nested(one) for one in tf.unstack(tensor)]


def _is_known(key: Any) -> bool:
    """Say whether a key has no value of the graph."""
    if isinstance(key, tuple):
        return all(map(_is_known, key))
    return not holds_array([key.start, key.stop, key.step] if isinstance(key, slice) else [key])


def _plain(key: Any) -> Any:
    if isinstance(key, tuple):
        return tuple(_plain(one) for one in key)
    if isinstance(key, slice):
        return slice(*map(python_number, (key.start, key.stop, key.step)))
    return key.array() if is_symbolic_list(key) else python_number(key)


def _is_flat(values: Any) -> bool:
    """Say whether a list holds neither lists nor what is not a number."""
    return not any(isinstance(one, (list, tuple, dict)) or is_text(one) or may_be_one(one) for one in values)
