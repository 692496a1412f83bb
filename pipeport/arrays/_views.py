"""Take a view from an array, and write through it back into the array.

A chain of steps leads from a storage to a view. Each step reads the view of a tensor, writes it back, and
does the same to an array of NumPy's, whose strides say where NumPy would have to copy (`_strides`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._getitem import getitem
from pipeport.arrays._setitem import setitem
from pipeport.arrays._strides import blank, in_shape
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels.layout._sliding import windows_along


class Step:
    """A view; what is written to it goes back by the numbers of the elements.

    `read`: gives the view of a tensor. `given`: nested arguments of the view, among which tensors are looked
    for. `on_numpy`: does to an array of NumPy's what `read` does to a tensor.
    """

    __slots__ = ("given", "numpy", "read")

    def __init__(self, read: Callable[[Any], Any], given: Any = (), on_numpy: Any = None) -> None:
        self.read, self.given, self.numpy = read, given, on_numpy

    @property
    def has_tensors(self) -> bool:
        """Whether it depends on a tensor."""
        return next(tensors_of(self.given), None) is not None

    @property
    def plain(self) -> bool:
        """Whether elements stay neighbours in memory, whatever the sizes."""
        return False

    def strided(self, array: Any, exact: bool) -> Any:  # noqa: ARG002 - for steps whose strides are known sooner
        """Return the view of an array of NumPy's, or None where it is not known.

        `exact`: whether the sizes must be right too, not the strides alone.
        """
        return None if self.numpy is None or self.has_tensors else self.numpy(array)

    def joined(self, step: Step) -> Step | None:  # noqa: ARG002 - for steps that can be
        """Return a step that gives what this and another give one after the other, sooner; or None."""
        return None

    def written(self, x: Any, value: Any) -> Any:
        """Return an array after its view was given other values."""
        flat, places = tf.reshape(x, [-1]), tf.reshape(self._places(x), [-1, 1])
        found = tf.tensor_scatter_nd_update(flat, places, tf.reshape(value, [-1]))
        return _of_shape(found, x)

    def _places(self, x: Any) -> Any:
        if x.shape.is_fully_defined() and not self.has_tensors:
            with tf.init_scope():
                numbers = np.arange(x.shape.num_elements(), dtype=np.int32).reshape(x.shape)
                return self.read(tf.constant(numbers)).numpy()
        return self.read(tf.reshape(tf.range(tf.size(x)), tf.shape(x)))


class At(Step):
    """`x[key]`, of a key without arrays or masks."""

    __slots__ = ()

    def __init__(self, key: Any) -> None:
        super().__init__(self._taken, key)

    def _taken(self, x: Any) -> Any:
        return getitem(x, self.given)[0]

    @property
    def plain(self) -> bool:
        """Whether only the first axes are cut: numbers, then at most one slice without gaps."""
        key = self.given if isinstance(self.given, tuple) else (self.given,)
        sliced = False
        for one in key:
            if one is None or one is Ellipsis:
                return False
            if isinstance(one, slice):
                whole = one.start is None and one.stop is None and one.step is None
                if not whole and (sliced or tf.is_tensor(one.step) or one.step not in (None, 1)):
                    return False
                sliced = True
            elif sliced:
                return False
        return True

    def strided(self, array: Any, exact: bool) -> Any:
        if self.has_tensors:
            return None if exact else array[_any_place(self.given)]
        return array[self.given]

    def written(self, x: Any, value: Any) -> Any:
        return super().written(x, value) if x.shape.rank is None else setitem(x, self.given, value)


def _any_place(key: Any) -> Any:
    """Return a key with such numbers in the place of symbolic ones as leave the strides."""
    if isinstance(key, tuple):
        return tuple(map(_any_place, key))
    if isinstance(key, slice):
        if tf.is_tensor(key.step):
            return slice(None, None, 2)
        return slice(None, None, key.step) if tf.is_tensor(key.start) or tf.is_tensor(key.stop) else key
    return 0 if tf.is_tensor(key) else key


class SameOrder(Step):
    """The elements in another shape.

    `read`: gives the view of a tensor. `shape`: of the view, as far as it is known.
    """

    __slots__ = ("shape",)

    def __init__(self, read: Callable[[Any], Any], given: Any, shape: Any) -> None:
        super().__init__(read, given)
        self.shape = shape

    @property
    def plain(self) -> bool:
        return True

    def strided(self, array: Any, exact: bool) -> Any:
        if self.shape.is_fully_defined():
            found = in_shape(array, self.shape.as_list())
            if found is not None:
                return found
        return blank(self.shape) if not exact and array.flags.c_contiguous else None

    def written(self, x: Any, value: Any) -> Any:
        return _of_shape(value, x)


class Mirrored(Step):
    """A step that is its own inverse."""

    __slots__ = ()

    def written(self, x: Any, value: Any) -> Any:  # noqa: ARG002 - as every step takes it
        return self.read(value)


class Permuted(Step):
    """Axes in another order."""

    __slots__ = ()

    def order(self, rank: int) -> list[int]:
        """Return which axis of an array each of the view's is."""
        sizes = [2 + axis for axis in range(rank)]
        return [size - 2 for size in self.numpy(blank(tf.TensorShape(sizes))).shape]

    def written(self, x: Any, value: Any) -> Any:
        if x.shape.rank is None:
            return super().written(x, value)
        return tf.transpose(value, np.argsort(self.order(x.shape.rank)))


class RealPart(Step):
    """The real or the imaginary parts of complex numbers."""

    __slots__ = ()

    def written(self, x: Any, value: Any) -> Any:
        real = self.read is tf.math.real
        parts = (value, tf.math.imag(x)) if real else (tf.math.real(x), value)
        return tf.complex(*parts)


class ReadOnly(Step):
    """A view that is read-only in NumPy too."""

    __slots__ = ()

    def written(self, x: Any, value: Any) -> Any:  # noqa: ARG002 - as every step takes it
        advice = "Take a copy first: `y = y.copy()`."
        raise UnsupportedArgument(
            explain("array", "an assignment to a read-only view", "other arrays", advice)
        )


class Windows(ReadOnly):
    """Windows along axes, of which a slice in steps makes only those that it takes.

    `sizes`: of a window, by axis of the array. `rank`: of the array. `paces`: from a window to the next, by
    axis. `order`: of the view's axes: which window along each of the array's, then where in it.
    """

    __slots__ = ("order", "paces", "rank", "sizes")

    def __init__(
        self, sizes: dict[int, int], rank: int, on_numpy: Any, paces: dict[int, int], order: Sequence[int]
    ) -> None:
        super().__init__(self._made, (), on_numpy)
        self.sizes, self.rank, self.paces, self.order = sizes, rank, paces, list(order)

    def _made(self, x: Any) -> Any:
        found = windows_along(x, self.sizes, self.paces)
        return found if self.order == sorted(self.order) else tf.transpose(found, self.order)

    def joined(self, step: Step) -> Step | None:
        paces, order = dict(self.paces), self.order
        if isinstance(step, Permuted):
            order = [order[one] for one in step.order(len(order))]
        elif isinstance(step, At) and not step.has_tensors:
            for axis, one in zip(order, _one_each(step.given, len(order)), strict=True):
                if one == slice(None):
                    continue
                pace = one.step if isinstance(one, slice) and not one.start and one.stop is None else None
                if axis >= self.rank or type(pace) is not int or pace < 1:
                    return None
                paces[axis] = paces.get(axis, 1) * pace
        else:
            return None

        def on_numpy(array: Any) -> Any:
            return step.strided(self.numpy(array), exact=True)

        return Windows(self.sizes, self.rank, on_numpy, paces, order)


def _one_each(key: Any, rank: int) -> list[Any]:
    """Return a part of a key for each axis; where there are others, None for all."""
    given = list(key) if isinstance(key, tuple) else [key]
    whole = [slice(None)] * (rank - sum(one is not Ellipsis for one in given))
    if not any(one is Ellipsis for one in given):
        given.append(Ellipsis)
    at = next(place for place, one in enumerate(given) if one is Ellipsis)
    given[at : at + 1] = whole
    return given if len(given) == rank else [None] * rank


def _windows(read: Callable[[Any], Any], others: Any, on_numpy: Any, rank: int) -> Step:
    """Return the step of `sliding_window_view`. `others`: its arguments. `rank`: of its result."""
    given = {"axis": None, **dict(zip(("window_shape", "axis"), others[0], strict=False)), **others[1]}
    sizes = _integers(given["window_shape"])
    axes = range(rank - len(sizes)) if given["axis"] is None else _integers(given["axis"])
    axes = [axis % (rank - len(sizes)) for axis in axes]
    if axes != sorted(set(axes)) or len(axes) != len(sizes) or 0 in sizes:
        return ReadOnly(read, others, on_numpy)
    return Windows(dict(zip(axes, sizes, strict=True)), rank - len(sizes), on_numpy, {}, range(rank))


def _integers(value: Any) -> list[int]:
    """Return one or several integers; none where they are not known."""
    values = value if isinstance(value, (tuple, list)) else [value]
    return [one for one in values if type(one) is int]


def _of_shape(tensor: Any, like: Any) -> Any:
    found = tf.reshape(tensor, like.shape if like.shape.is_fully_defined() else tf.shape(like))
    found.set_shape(like.shape)
    return found


def tensors_of(value: Any) -> Iterator[Any]:
    """Yield the tensors in nested keys and arguments."""
    if isinstance(value, slice):
        value = (value.start, value.stop, value.step)
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, (tuple, list)):
        for one in value:
            yield from tensors_of(one)
    elif tf.is_tensor(value):
        yield value


class Chain:
    """The steps from a storage to a view."""

    __slots__ = ("before", "step")

    def __init__(self, before: Chain | None, step: Step) -> None:
        self.before, self.step = before, step

    def joined(self, step: Step) -> Chain | None:
        """Return the chain with a step that becomes one with the last, or None if it does not."""
        found = self.step.joined(step)
        return None if found is None else Chain(self.before, found)

    def read(self, root: Any) -> Any:
        """Return the view of what a storage holds."""
        return self.step.read(root if self.before is None else self.before.read(root))

    def known(self, memory: Any) -> Any:
        """Return the view of elements in NumPy's memory; None where a step is not known, or would copy."""
        part = memory if self.before is None else self.before.known(memory)
        found = None if part is None or self.step.has_tensors else self.step.strided(part, exact=True)
        shares = isinstance(found, np.ndarray) and np.may_share_memory(found, memory)
        return found if shares or isinstance(found, np.generic) else None

    def written(self, root: Any, value: Any) -> Any:
        """Return the storage's tensor after a write through the view."""
        if self.before is None:
            return self.step.written(root, value)
        return self.before.written(root, self.step.written(self.before.read(root), value))

    def is_made_in(self, graph: Any) -> bool:
        """Say whether a step depends on a tensor of a graph."""
        if any(getattr(one, "graph", None) is graph for one in tensors_of(self.step.given)):
            return True
        return self.before is not None and self.before.is_made_in(graph)

    @property
    def plain(self) -> bool:
        """Whether the elements surely are neighbours in the memory of a storage in the order C."""
        return self.step.plain and (self.before is None or self.before.plain)

    def strided(self, root: Any, exact: bool) -> Any:
        """Return the view of an array of NumPy's, as `Step.strided` does."""
        array = root if self.before is None else self.before.strided(root, exact)
        try:
            return None if array is None else self.step.strided(array, exact)
        except (IndexError, ValueError):  # what stands for an unknown size is none that the step takes
            return None


_SAME_ORDER = frozenset(
    {"ravel", "reshape", "squeeze", "expand_dims", "array", "asanyarray", "asarray", "ascontiguousarray"}
    | {"atleast_1d", "atleast_2d", "atleast_3d"}
)
_KINDS: dict[str, type[Step]] = {
    **dict.fromkeys(("flip", "fliplr", "flipud"), Mirrored),
    **dict.fromkeys(("transpose", "moveaxis", "swapaxes", "rollaxis"), Permuted),
    **dict.fromkeys(("broadcast_to", "diag", "diagonal"), ReadOnly),
}


def steps_of(name: str, function: Any, args: Any, kwargs: Any, place: Any) -> Callable[[Any, Any], Step]:
    """Return the function that builds the view steps from an argument of a native to its results.

    `name`: what the native replaces, without its module. `place`: which of them the results are views of.
    Returns: takes the path to a result in nested lists, and its tensor; gives the step.
    """
    others = (
        [one for at, one in enumerate(args) if at != place],
        {k: v for k, v in kwargs.items() if k != place},
    )

    def call(run: Any, path: tuple[Any, ...], x: Any) -> Any:
        found = run(
            *(x if at == place else one for at, one in enumerate(args)),
            **{word: x if word == place else one for word, one in kwargs.items()},
        )
        for at in path:
            found = found[at]
        return found

    def step(path: tuple[Any, ...], tensor: Any) -> Step:
        read = functools.partial(call, function, path)
        if name in _SAME_ORDER:
            return SameOrder(read, others, tensor.shape)
        theirs = getattr(np, name, getattr(np.lib.stride_tricks, name, None))
        on_numpy = None if theirs is None else functools.partial(call, theirs, path)
        if name == "sliding_window_view":
            return _windows(read, others, on_numpy, tensor.shape.rank)
        return _KINDS.get(name, Step)(read, others, on_numpy)

    return step
