"""What is taken from symbolic places of an array, and written there, as a program can do it.

The kernels of a graph check such places. A program moves what lies outside, so it says whether all lay
inside; a loop ends where one does not.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport._tensorflow_private import block_at, with_block
from pipeport.porting.optimise._bounds import bounds
from pipeport.porting.optimise._facts import facts_of
from pipeport.porting.optimise._traced import Traced

_PASSED = frozenset({"EnsureShape", "Identity", "TensorScatterUpdate", "TensorStridedSliceUpdate"})
_READ = frozenset({"GatherNd", "GatherV2", "Shape", "StridedSlice"})
_SLICES = frozenset({"StridedSlice", "TensorStridedSliceUpdate"})


Sizes = Callable[[Any], Any]


def sizes_in(body: Traced, unknown: dict[Any, Any]) -> Sizes:
    """Return what gives the sizes of a tensor of a body.

    `unknown`: the sizes of its inputs that are not known while tracing, by reference.
    """

    def sizes(tensor: Any) -> Any:
        if tensor.shape.is_fully_defined():
            return tf.constant(tensor.shape.as_list(), tf.int64)
        return unknown[source_of(body, tensor, unknown).ref()]

    return sizes


def source_of(body: Traced, tensor: Any, until: Container[Any] = ()) -> Any:
    """Return the array of a body that became another by writes alone, so that both have the same sizes.

    `until`: references of tensors beyond which none is sought.
    """
    while tensor.ref() not in until:
        node, at = tensor.op, tensor.value_index
        if node.type in _PASSED:
            tensor = node.inputs[0]
            continue
        looped = node in body.loops
        parts = body.loops[node][1:] if looped else body.branches.get(node, ())
        places = {_place_of(one, source_of(one, one.outputs[at])) for one in parts}
        if len(places) != 1 or -1 in places or (looped and places != {at}):
            return tensor
        tensor = node.inputs[places.pop() + (not looped)]
    return tensor


def _place_of(part: Traced, tensor: Any) -> int:
    return next((at for at, one in enumerate(part.inputs) if one is tensor), -1)


def may_be_padded(body: Traced, node: Any) -> bool:
    """Say whether an operation gives the same of arrays of unknown sizes that are padded behind.

    It only takes from known places of them, and writes there, where it counts from their true sizes.
    """
    unknown = [one for one in node.inputs if not one.shape.is_fully_defined()]
    made = [one for one in node.outputs if not one.shape.is_fully_defined()]
    if any(one.shape.rank is None for one in (*unknown, *made)):
        return False
    if node in body.loops or node in body.branches:
        return all(source_of(body, one) is not one for one in made)
    if any(one is not node.inputs[0] for one in unknown) or node.type not in _PASSED | _READ:
        return False
    if node.type in _SLICES and block_of(node) is None:
        return False
    if node.type in _READ:
        return not made
    return bool(node.outputs[0].shape.as_list() == node.inputs[0].shape.as_list())


@dataclass(frozen=True)
class Block:
    """A block of an array at a symbolic place.

    `node`: what takes or writes it. `sizes`: of the block, by axis of the array; None of all of an axis whose
    size is not known. `first`: whether it begins at the first place of an axis, for each axis that the
    operation names. `single`: whether it is one place of an axis, which the operation leaves out.
    """

    node: Any
    sizes: list[int | None]
    first: list[bool]
    single: list[bool]

    def starts(self, begin: Any, sizes: Any) -> Any:
        """Return where the block begins, by axis that the operation names.

        `begin`: as the operation is given it. `sizes`: of the array.
        """
        begin = tf.cast(begin, tf.int64)
        begin = tf.where(begin < 0, begin + sizes[: len(self.first)], begin)
        return tf.where(self.first, tf.zeros_like(begin), begin)

    def result(self, found: dict[Any, Any], sizes: Sizes) -> Any:
        """Return the result of the operation.

        `found`: by reference of a tensor, what stands for it here. `sizes`: gives the sizes of a tensor.
        """
        array, begin = (found[one.ref()] for one in self.node.inputs[:2])
        starts = self.starts(begin, sizes(self.node.inputs[0]))
        starts = tf.pad(starts, [[0, len(self.sizes) - len(self.first)]])
        shape = [tf.shape(array)[axis] if size is None else size for axis, size in enumerate(self.sizes)]
        if self.node.type == "StridedSlice":
            left = [one for one, single in zip(shape, self.single, strict=True) if not single]
            return tf.reshape(block_at(array, starts, shape), left)
        return with_block(array, tf.reshape(found[self.node.inputs[4].ref()], shape), starts)

    def lies_inside(self, begin: Any, sizes: Any) -> Any:
        """Return whether it lies inside of the array, where the operation is given `begin`."""
        starts = self.starts(begin, sizes)
        own = [1 if size is None else size for size in self.sizes[: len(self.first)]]
        return tf.reduce_all((starts >= 0) & (starts + tf.constant(own, tf.int64) <= sizes[: len(own)]))


def block_of(node: Any) -> Block | None:
    """Return the block that an operation takes or writes at a symbolic place.

    `node`: any operation. Returns: None where its places are known, or its sizes are not.
    """
    if node.type not in _SLICES or node.get_attr("ellipsis_mask") or node.get_attr("new_axis_mask"):
        return None
    steps = tf.get_static_value(node.inputs[3])
    if (
        steps is None
        or np.any(steps != 1)
        or all(tf.get_static_value(one) is not None for one in node.inputs[1:3])
    ):
        return None
    array, inner = node.inputs[0], node.outputs[0] if node.type == "StridedSlice" else node.inputs[4]
    if array.shape.rank is None or inner.shape.rank is None or steps is None or np.any(steps != 1):
        return None
    places = [tf.get_static_value(one) for one in node.inputs[1:3]]
    if array.shape.is_fully_defined() and all(one is not None for one in places):
        return None
    begin, end, shrink = (node.get_attr(f"{name}_mask") for name in ("begin", "end", "shrink_axis"))
    every = range(array.shape.rank)
    single = [bool(shrink >> axis & 1) for axis in every]
    if inner.shape.rank != single.count(False):
        return None
    left = iter(inner.shape.as_list())
    sizes = [1 if one else next(left) for one in single]
    for axis, own, size in zip(every, sizes, array.shape.as_list(), strict=True):
        whole = axis >= len(steps) or begin & end & ~shrink & (1 << axis)
        if whole and own != size:
            return None
        if not whole and not (own and own <= (own if size is None else size)):
            return None
    return Block(node, sizes, [bool(begin >> axis & 1) for axis in range(len(steps))], single)


def is_row(node: Any) -> bool:
    """Say whether an operation takes, or writes, what lies at one symbolic place of the first axes."""
    if node.type not in ("GatherNd", "TensorScatterUpdate"):
        return False
    places = node.inputs[1].shape
    return bool(places.is_fully_defined() and places.num_elements() == places[-1])


@dataclass(frozen=True)
class Check:
    """Places that the kernel of an operation checks and a program does not.

    `node`: the operation. `array`: what it takes them from. `places`: the places. `axes`: of the array, which
    they are along. `block`: what begins there, if it is one.
    """

    node: Any
    array: Any
    places: Any
    axes: list[int]
    block: Block | None

    def holds(self, found: dict[Any, Any], sizes: Sizes) -> Any:
        """Return whether all places lie inside, in a program; see `Block.result`."""
        places, limits = found[self.places.ref()], sizes(self.array)
        if self.block is not None:
            return self.block.lies_inside(places, limits)
        axes = self.axes[0] if self.node.type == "GatherV2" else self.axes
        limit = tf.cast(tf.gather(limits, axes), places.dtype)
        return tf.reduce_all((places >= 0) & (places < limit))


def checked(body: Traced, node: Any) -> Check | None:
    """Return what the kernel of an operation checks and a program does not.

    `body`: the body. `node`: one that may be part of a program. Returns: None where no place can lie outside,
    and for other operations.
    """
    block = block_of(node)
    if block is None and node.type not in ("GatherV2", "GatherNd", "TensorScatterUpdate"):
        return None
    array, places = node.inputs[:2]
    if node.type == "GatherV2":
        axes = [int(tf.get_static_value(node.inputs[2])) % array.shape.rank]
    else:
        axes = list(range(len(block.first) if block is not None else places.shape[-1]))
    sizes = [array.shape[axis] for axis in axes]
    own = [1] * len(axes) if block is None else [one or 0 for one in block.sizes[: len(axes)]]
    if block is not None and all(block.first):
        return None
    rooms = [
        0 if size is None else size - one + 1 if block is None or not block.first[axis] else 2**62
        for axis, size, one in zip(axes, sizes, own, strict=True)
    ]
    room = np.array(rooms[0] if node.type == "GatherV2" else rooms, object)
    return None if _lie_inside(body, places, room) else Check(node, array, places, axes, block)


def _lie_inside(body: Traced, places: Any, rooms: Any) -> bool:
    fact = facts_of(places.graph).of(places)
    if fact is not None and np.all(fact.low >= 0) and np.all(fact.high < rooms):
        return True
    low, high = bounds(body, places)
    return bool(low >= 0 and high < np.min(rooms))
