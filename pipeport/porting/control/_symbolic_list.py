"""Lists of a length known only at run time, grown in a loop of the graph or by a comprehension.

In a loop or a branch such a list is a tensor of TensorFlow's lists, to which elements are pushed; where it is
read, its elements are stacked. They are of one dtype and rank.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport import numpy
from pipeport._lazy import tf
from pipeport.arrays import _aliasing, _lines, _sharing
from pipeport.arrays._making import fresh, weak_scalar
from pipeport.errors import PortRefused, explain
from pipeport.porting._protocol import StandIn
from pipeport.porting._values import is_array, is_symbolic_list, tensor_of, weak
from pipeport.porting.control._join import Kind, Made, joined, kind_of, mapped
from pipeport.porting.control._parts import depth, storage_to_write
from pipeport.porting.control._symbolic_range import SymbolicRange
from pipeport.porting.strings._text import Words

_WHERE = "as an element of a list that grows in a loop or a branch of the graph"
_PLACE = "an element of the list"
# Numbers in an element of a nested list up to which each is one of its leaves.
_MOST_LEAVES = 64


@dataclass(frozen=True)
class Inner:
    """Stands for a list, in an element of another, in the structure of that.

    `at`: which of the leaves it is. `form`: what its elements are.
    """

    at: int
    form: Form


@dataclass(frozen=True)
class _Whole:
    """Stands for a list, in an element of another, as an array."""

    array: Any
    form: Form


def _opened(element: Any) -> Any:
    """Return an element with arrays in the place of lists of a length known only at run time."""
    if is_symbolic_list(element) and isinstance(element.token, Made) and element.form.nest == 0:
        kind = element.form.kinds[0]  # in another graph
        shape = tf.TensorShape([None]).concatenate(kind.shape)
        return _Whole(Made(0, dataclasses.replace(kind, weak=False, shape=shape)), element.form)
    if is_symbolic_list(element):
        return _Whole(element.array(), element.form)
    if type(element) in (list, tuple):
        return type(element)(map(_opened, element))
    return element


@dataclass
class Form:
    """What the elements of a list are; shared by all states of one list.

    `nest`: the structure of an element, a number in the place of each leaf. `kinds`: of the leaves; sizes
    that differ are unknown.
    """

    nest: Any
    kinds: list[Kind]

    def leaves(self, element: Any) -> list[Any]:
        """Return the leaves of an element, and take in their kinds."""
        found: list[Any] = list(self.kinds)

        def leaf(name: str, at: Any, value: Any) -> None:
            if isinstance(at, Inner) != isinstance(value, _Whole):
                raise PortRefused(explain("list", "lists and arrays as elements", "either", "Use arrays."))
            if isinstance(at, Inner):
                at, value = at.at, value.array
            new = joined(name, Made(0, self.kinds[at]), value, _WHERE)
            if new.dtype != self.kinds[at].dtype or new.weak != self.kinds[at].weak:
                given = f"elements of {self.kinds[at].dtype} and {kind_of(value).dtype}"  # type: ignore[union-attr]
                raise PortRefused(
                    explain("list", given, "one dtype", "Cast them with `astype`, or `float()` and `int()`.")
                )
            self.kinds[at] = new
            found[at] = value

        mapped(leaf, _PLACE, self.nest, _opened(element), where=_WHERE)
        return found

    def sample(self) -> Any:
        """Return what stands for an element."""

        def leaf(_: str, at: Any) -> Any:
            inner = isinstance(at, Inner)
            made = Made(0, self.kinds[at.at if inner else at])
            return _Whole(made, at.form) if inner else made

        return mapped(leaf, "", self.nest)


def form_of(elements: list[Any]) -> Form:
    """Return what elements have in common."""
    kinds: list[Kind] = []

    def leaf(name: str, value: Any) -> Any:
        whole = value if isinstance(value, _Whole) else None
        kind = kind_of(value if whole is None else whole.array)
        if kind is None:
            given = f"{name}, a {type(value).__name__} {_WHERE}"
            advice = "Keep numbers and arrays in it, and other things in a list of known length."
            raise PortRefused(explain("list", given, "numbers and arrays", advice))
        kinds.append(kind)
        at = len(kinds) - 1
        return at if whole is None else Inner(at, whole.form)

    found = Form(mapped(leaf, _PLACE, _opened(elements[0])), kinds)
    for one in elements[1:]:
        found.leaves(one)
    return found


class SymbolicList(StandIn, stands_for=(list,)):
    """A list of a length known only at run time.

    `form`: what its elements are. `lists`: TensorFlow's list of each leaf. `token`: shares the memory that
    its elements share, so that a later write to that is noticed. `arrays`: the stacked leaves, instead of
    `lists`.
    """

    pipeport_list = True
    described = "a list of a length known only at run time"
    hidden = frozenset({"count"})
    advice = "Make an array of it first: `rows = np.stack(rows)`."

    def __init__(self, form: Form, lists: Any, token: Any, arrays: Any = None) -> None:
        self.form, self.token = form, token
        self._lists, self._arrays = lists, arrays

    @property
    def lists(self) -> list[Any]:
        """TensorFlow's list of each leaf."""
        if self._lists is not None:
            return list(self._lists)
        tensors = [tensor_of(one) if is_array(one) else one for one in self._arrays]
        made = [tf.raw_ops.TensorListFromTensor(tensor=one, element_shape=_any_shape()) for one in tensors]
        if _is_of_here(tensors[0]):
            self._lists = made
        return made

    def pushed(self, element: Any) -> SymbolicList:
        """Return the list with one element more."""
        token = fresh(tf.identity(tensor_of(self.token)))
        own, told = storage_to_write(token), f"an element of a list, appended in {_lines.here()}"
        _aliasing.may_alias(own, storage_to_write(self.token), told)
        leaves, lists = self.form.leaves(element), []
        for kind, handle, value in zip(self.form.kinds, self.lists, leaves, strict=True):
            storage = storage_to_write(value)
            if storage is not None:
                _aliasing.may_alias(own, storage, told)
            lists.append(tf.raw_ops.TensorListPushBack(input_handle=handle, tensor=kind.fit(value)))
        return SymbolicList(self.form, lists, token)

    @property
    def parts(self) -> list[Any]:
        """What it is made of, as part of a state."""
        return [*self.lists, self.token]

    def made_of(self, parts: list[Any], others: list[SymbolicList]) -> SymbolicList:
        """Return a list of such parts, whose elements are what those of other lists may be, too."""
        for one in others:
            if one.form is not self.form:
                self.form.leaves(one.form.sample())
        return SymbolicList(self.form, parts[:-1], parts[-1])

    @property
    def count(self) -> Any:
        """The length, a scalar tensor of int64."""
        if self._lists is None:
            first = self._arrays[0]
            return tf.shape(tensor_of(first) if is_array(first) else first, tf.int64)[0]
        return tf.cast(tf.raw_ops.TensorListLength(input_handle=self._lists[0]), tf.int64)

    def leaves(self) -> list[Any]:
        """Return each leaf as an array with an axis in front."""
        tensor_of(self.token)  # refuses where an element was written to since
        if self._arrays is not None:
            return list(self._arrays)
        made = []
        for kind, handle in zip(self.form.kinds, self.lists, strict=True):
            shape = kind.shape
            sizes = _any_shape() if shape.rank is None else self._sizes(shape.as_list())
            tensor = tf.raw_ops.TensorListStack(
                input_handle=handle, element_shape=sizes,
                element_dtype=kind.spec.dtype, num_elements=-1,
            )  # fmt: skip
            tensor.set_shape(tf.TensorShape([None]).concatenate(shape))
            made.append(tensor if kind.dtype is None else _sharing.lend(fresh(tensor)))
        if _is_of_here(self._lists[0]):
            self._arrays = made
        return made

    def _sizes(self, sizes: list[int | None]) -> Any:
        """Return the sizes of elements, -1 where one is unknown. An empty list has none."""
        found = tf.constant([-1 if one is None else one for one in sizes], tf.int32)
        return found if None not in sizes else tf.where(self.count > 0, found, tf.maximum(found, 0))

    def ended(self) -> SymbolicList:
        """Return the list with its elements stacked, where the last was pushed."""
        return SymbolicList(self.form, None, self.token, self.leaves())

    def __add__(self, other: Any) -> Any:
        if is_array(other):
            return NotImplemented  # the array computes
        if not (is_symbolic_list(other) or type(other) is list):
            return self.refuse("add")
        if not is_symbolic_list(other):
            return functools.reduce(SymbolicList.pushed, other, self).ended()
        self.form.leaves(other.form.sample())
        tensor_of(other.token)  # as in `leaves`
        pairs = zip(self.leaves(), other.leaves(), strict=True)
        return SymbolicList(self.form, None, self.token, [_behind(one, more) for one, more in pairs])

    def __radd__(self, other: Any) -> Any:
        if is_array(other):
            return NotImplemented
        if type(other) is not list:
            return self.refuse("add")
        if other:
            self.form.leaves(form_of(other).sample())
        return rows_of(other, self.form).ended() + self

    def element(self, number: Any) -> Any:
        """Return the element of a number."""
        leaves = self.leaves()

        def leaf(_: str, at: Any) -> Any:
            if isinstance(at, Inner):
                return SymbolicList(at.form, None, self.token, [leaves[at.at][number]])
            found = leaves[at][number]
            if not is_array(found):
                return self.form.kinds[at].array(found)
            return weak(tensor_of(found)) if self.form.kinds[at].weak else found

        return mapped(leaf, "", self.form.nest)

    def part(self, key: slice) -> SymbolicList:
        """Return the list of some elements."""
        arrays = [
            _sharing.lend(fresh(tensor_of(one[key]))) if is_array(one) else one[key] for one in self.leaves()
        ]
        return SymbolicList(self.form, None, self.token, arrays)

    def array(self) -> Any:
        """Return what NumPy makes of the list: an array with elements of its own, or a list of strings."""
        found = [
            fresh(tensor_of(one))
            if is_array(one)
            else Words(one, kind.text[1]).as_numpy_has_it()
            if kind.text and one.shape.rank == 1
            else one
            for one, kind in zip(self.leaves(), self.form.kinds, strict=True)
        ]

        def whole(nest: Any) -> Any:
            if isinstance(nest, Inner):
                return found[nest.at]
            if not isinstance(nest, (int, list, tuple)):
                self.refuse("array")
            return found[nest] if isinstance(nest, int) else numpy.stack([whole(one) for one in nest], axis=1)

        return whole(self.form.nest)

    as_array = array

    def steps(self) -> SymbolicRange:
        """Return the elements as rounds of a loop."""
        return SymbolicRange(self.count, lambda number: self.element(weak_scalar(number)))


def _behind(one: Any, more: Any) -> Any:
    """Return a leaf of two lists, one behind the other."""
    if is_array(one):
        return _sharing.lend(fresh(tf.concat([tensor_of(one), tensor_of(more)], 0)))
    return tf.concat([one, more], 0)


def repeated(elements: list[Any], count: Any) -> Any:
    """Return a list repeated a number of times known only at run time.

    `elements`: its elements. `count`: tf.Tensor, shape (), of integers; how many times; none where it is
    negative. Returns: the list.
    """
    if not elements:
        return []
    once = rows_of(elements, form_of(elements)).ended()
    place = tf.range(tf.maximum(tf.cast(count, tf.int32), 0) * len(elements)) % len(elements)
    leaves = [
        _sharing.lend(fresh(tf.gather(tensor_of(one), place))) if is_array(one) else tf.gather(one, place)
        for one in once.leaves()
    ]
    return SymbolicList(once.form, None, once.token, leaves)


def _is_of_here(tensor: Any) -> bool:
    return getattr(tensor, "graph", None) is _sharing.graph_here()


def _any_shape() -> Any:
    return tf.constant(-1, tf.int32)


def rows_of(elements: list[Any], form: Form, most: Any = None) -> SymbolicList:
    """Return a list of known length as one whose length the graph knows.

    `elements`: its elements. `form`: what they are. `most`: how many it will have. Returns: the list.
    """
    bound = tf.constant(-1, tf.int32) if most is None else tf.cast(most, tf.int32)
    lists = [
        tf.raw_ops.EmptyTensorList(
            element_shape=_any_shape(), max_num_elements=bound, element_dtype=one.spec.dtype
        )
        for one in form.kinds
    ]
    found = SymbolicList(form, lists, fresh(tf.zeros([1], tf.uint8)))
    for one in elements:
        found = found.pushed(one)
    return found


def rows_of_numbers(tensor: Any) -> Any:
    """Return the elements of a tensor as nested lists of Python's numbers.

    Returns: list or SymbolicList; None of three axes or more, where a size behind the first is not known.
    """
    dtype, inner = np.dtype(tensor.dtype.as_numpy_dtype), tensor.shape[1:]
    form = Form(0, [Kind(dtype, True, tf.TensorShape([]))])
    token = fresh(tf.zeros([1], tf.uint8))
    if not inner.rank:
        return SymbolicList(form, None, token, [fresh(tensor)])
    if inner.is_fully_defined() and inner.num_elements() <= _MOST_LEAVES:
        nest = np.arange(inner.num_elements()).reshape(inner).tolist()
        leaves = tf.unstack(tf.reshape(tensor, [-1, inner.num_elements()]), axis=1)
        return SymbolicList(Form(nest, form.kinds * len(leaves)), None, token, list(map(fresh, leaves)))
    if inner.rank > 1:
        return None
    if tensor.shape[0] is not None:
        return [rows_of_numbers(one) for one in tf.unstack(tensor)]
    return SymbolicList(Form(Inner(0, form), [Kind(dtype, False, inner)]), None, token, [fresh(tensor)])


def grown(start: Any, ends: list[Any]) -> Form | None:
    """Return what the elements of a list are that a branch or a round appended to, or None of anything else.

    `start`: what a name stood for before. `ends`: what it stands for afterwards, in each branch. Returns:
    None too of a list that grows alike in all branches.
    """
    if type(start) is not list:
        return None
    forms = [one.form for one in ends if isinstance(one, SymbolicList)]
    lists = [one for one in ends if type(one) is list]
    if len(forms) + len(lists) < len(ends):
        return None
    if not forms and len({len(one) for one in lists}) == 1:
        return None
    elements = [element for one in (start, *lists) for element in one]
    if not forms:
        return form_of(elements)
    found = Form(forms[0].nest, list(forms[0].kinds))
    for one in forms[1:]:
        found.leaves(one.sample())
    for element in elements:
        found.leaves(element)
    return found


def holds_numbers(values: list[Any]) -> bool:
    """Say whether a list holds numbers and arrays alone."""
    return all((kind := kind_of(one)) is not None and kind.dtype is not None for one in values)


def holds_symbolic_list(value: Any) -> bool:
    """Say whether such a list stands anywhere in nested lists, tuples and dictionaries."""
    if isinstance(value, dict):
        return any(holds_symbolic_list(one) for one in value.values())
    if isinstance(value, (list, tuple)):
        return any(holds_symbolic_list(one) for one in value)
    return is_symbolic_list(value)


def arrays_of_rows(value: Any) -> Any:
    """Return nested lists, tuples and dictionaries with arrays in the place of such lists."""
    if not holds_symbolic_list(value):
        return value
    if isinstance(value, dict):
        return {name: arrays_of_rows(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(map(arrays_of_rows, value))
    return value.array()


def appended(values: Any, *elements: Any) -> Any:
    """Return a list with elements more; it is the list itself where Python runs it."""
    if isinstance(values, SymbolicList):
        for one in elements:
            values = values.pushed(one)
        return values
    if depth():
        return [*values, *elements]
    values.extend(elements)
    return values


def joined_rows(name: str, args: Any, kwargs: Any) -> Any:
    """Return what `numpy.stack` and the like make of a list of a length known only at run time.

    `name`: of the function, as `stack`. `args`, `kwargs`: its arguments. Returns: None of other functions,
    which take the array.
    """
    if (
        name not in _JOINED
        or len(args) > 2
        or set(kwargs) - {"axis"}
        or not args
        or not is_symbolic_list(args[0])
    ):
        return None
    axis = kwargs.get("axis", args[1] if len(args) > 1 else 0)
    whole = args[0].array()
    rank = whole.ndim - 1
    text = explain("arrays", "an empty list", "an array at least", f"`{name}` needs one.")
    with tf.control_dependencies([tf.debugging.assert_positive(tf.shape(tensor_of(whole))[0], text)]):
        whole = fresh(tf.identity(tensor_of(whole)))
    if name == "stack":
        return fresh(tensor_of(numpy.moveaxis(whole, 0, axis)))
    if name in ("vstack", "hstack"):
        axis = 0 if name == "vstack" or rank < 2 else 1
        if rank == 0:
            return whole if name == "hstack" else whole[:, None].copy()
        if rank == 1 and name == "vstack":
            return whole
    if axis is None:
        return whole.flatten()
    at = operator.index(axis) % rank if rank else 0
    moved = numpy.moveaxis(whole, 0, at)
    sizes = tf.shape(tensor_of(moved))
    merged = tf.concat([sizes[:at], sizes[at : at + 1] * sizes[at + 1 : at + 2], sizes[at + 2 :]], 0)
    found = tf.reshape(tensor_of(moved), merged)
    known = tensor_of(moved).shape.as_list()
    size = None if None in known[at : at + 2] else known[at] * known[at + 1]
    found.set_shape([*known[:at], size, *known[at + 2 :]])
    return fresh(found)


_JOINED = frozenset({"stack", "concatenate", "vstack", "hstack"})
