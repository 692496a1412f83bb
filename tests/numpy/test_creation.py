"""What the domains of the natives that make, join and choose arrays cannot draw."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import pipeport.numpy as pnp
from pipeport.arrays import body
from pipeport.errors import BadIndex, OutsideDomain, UnsupportedArgument, WrongType
from pipeport.numpy import _creation, _grids, _joining, _selecting, _shaping

IMAGE = np.arange(24, dtype=np.uint8).reshape(4, 6)


def agree(native, reference, *args, **kwargs):
    found, right = native(*args, **kwargs), reference(*args, **kwargs)
    found, right = ([*one] if isinstance(one, (list, tuple)) else [one] for one in (found, right))
    assert len(found) == len(right)
    for one, other in zip(found, right, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one.numpy(), other)


def sized(function, *arrays):
    """The result in a graph that does not know sizes."""
    specs = [tf.TensorSpec([None] * np.ndim(one), one.dtype) for one in arrays]
    return tf.function(function, input_signature=specs)(*arrays)


def test_sizes_that_only_the_graph_knows():
    @body
    def grid(image):
        rows, columns = image.shape
        canvas = _creation.zeros((rows, columns + 1), image.dtype) + image.sum()
        lines = _grids.linspace(0, 1, rows)[:, None] + _grids.arange(columns)
        return canvas, lines, _creation.full(image.shape, 7), _grids.indices(image.shape), _creation.eye(rows)

    canvas, lines, full, places, eye = sized(grid, IMAGE)
    assert canvas.shape == (4, 7)
    np.testing.assert_allclose(lines, np.linspace(0, 1, 4)[:, None] + np.arange(6))
    np.testing.assert_array_equal(full, np.full((4, 6), 7))
    np.testing.assert_array_equal(places, np.indices((4, 6)))
    np.testing.assert_array_equal(eye, np.eye(4))


def test_part_of_a_shape_that_is_known_stays_known():
    @body
    def part(image):
        made = _creation.ones((image.shape[0], 3))
        shaped = _shaping.reshape(image, (image.shape[0], 2, 3))
        assert made._values.shape.as_list() == [None, 3]
        assert shaped._values.shape.as_list() == [None, 2, 3]
        return made, shaped

    assert [one.shape for one in sized(part, IMAGE)] == [(4, 3), (4, 2, 3)]


def test_python_numbers():
    agree(_creation.full, np.full, 2, 7)
    agree(_creation.full, np.full, (2, 2), [1, 2])
    agree(_grids.arange, np.arange, 3)
    agree(_grids.arange, np.arange, 0.0, 1.0, 0.1)
    agree(_grids.arange, np.arange, 0, 5, 0.5, dtype=int)
    agree(_grids.linspace, np.linspace, 0, 1, 5)
    agree(_grids.linspace, np.linspace, 0, 10, 4, dtype=int)
    agree(_selecting.where, np.where, [True, False], 1, 0.5)
    agree(_grids.meshgrid, np.meshgrid, [1, 2, 3], [4, 5], indexing="ij")
    agree(_grids.meshgrid, np.meshgrid, [1, 2, 3], [4.0, 5.0], [6])
    agree(_joining.append, np.append, IMAGE, 5)
    # NumPy 2's rule, which NumPy 1.26 does not have.
    assert _selecting.where(IMAGE > 3, IMAGE, 0).dtype == tf.uint8
    assert _selecting.where(IMAGE > 3, 1, tf.cast(IMAGE, tf.float32)).dtype == tf.float32
    assert _selecting.where(pnp.array(IMAGE) > 3, 255, pnp.array(IMAGE)).dtype == np.uint8


def test_a_long_range_is_no_constant():
    found = _grids.arange(0, 10_000, 2)
    np.testing.assert_array_equal(found, np.arange(0, 10_000, 2))
    concrete = tf.function(lambda: _grids.arange(100_000)).get_concrete_function()
    assert concrete.graph.as_graph_def().ByteSize() < 20_000
    assert concrete.outputs[0].shape == (100_000,)


def test_ends_of_a_range_that_are_tensors():
    for start, stop, step in [(0, 5, 2), (5, 0, -1), (0, 5, -1), (0.5, 2.0, 0.1), (0, -1, -0.7)]:
        ends = [tf.constant(end, tf.float64 if isinstance(end, float) else tf.int32) for end in (start, stop)]
        found, right = tf.function(_grids.arange)(*ends, step), np.arange(start, stop, step)
        np.testing.assert_array_equal(found, right)
        assert not np.signbit(found[:1]).any()


@pytest.mark.parametrize("places", [(1,), (1, 3), [2, 2, 9], (-1,), np.array([1, 4])])
def test_places_to_split_at(places):
    for axis in (0, 1):
        agree(_joining.split, np.split, IMAGE, places, axis)
    parts = sized(lambda x: _joining.array_split(x, places), IMAGE)
    assert [one.shape for one in parts] == [one.shape for one in np.array_split(IMAGE, places)]


@pytest.mark.parametrize("parts", [1, 2, (1,), np.array([1, 3]), (-1,)])
@pytest.mark.parametrize("name", ["hsplit", "vsplit", "dsplit"])
def test_splits_that_name_their_axis(name, parts):
    native, reference = getattr(_joining, name), getattr(np, name)
    image = np.arange(4 * 6 * 2, dtype=np.uint8).reshape(4, 6, 2)
    agree(native, reference, image, parts)
    agree(native, reference, np.stack([image, image]), parts)
    found, right = sized(lambda x: native(x, parts), image), reference(image, parts)
    assert [one.shape for one in found] == [one.shape for one in right]
    for one, other in zip(found, right, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(("name", "least"), [("hsplit", 1), ("vsplit", 2), ("dsplit", 3)])
def test_splits_of_too_few_axes(name, least):
    for rank in range(least):
        array = np.zeros((2,) * rank)
        with pytest.raises(OutsideDomain, match="rank"):
            getattr(_joining, name)(array, 1)
        with pytest.raises(ValueError, match="dimensions"):
            getattr(np, name)(array, 1)


def test_columns_of_one_rank():
    agree(_joining.hsplit, np.hsplit, np.arange(6), 3)
    agree(_joining.hsplit, np.hsplit, np.arange(6), (2, 4))


@pytest.mark.parametrize(
    "obj", [[0, 2], slice(1, 3), [-1, 0, 0], np.array([True, False, False, True]), 2, -4]
)
def test_what_is_deleted(obj):
    agree(_selecting.delete, np.delete, IMAGE, obj, axis=0)


def test_several_values_are_inserted():
    agree(_selecting.insert, np.insert, IMAGE, 1, [7, 8, 9, 10], axis=1)
    agree(_selecting.insert, np.insert, IMAGE, -1, [[1] * 6, [2] * 6], axis=0)
    agree(_selecting.insert, np.insert, IMAGE, 24, [1, 2, 3])


def test_arrays_of_several_ranks_are_stacked():
    agree(_joining.vstack, np.vstack, [np.arange(6), IMAGE])
    agree(_joining.column_stack, np.column_stack, [np.arange(4), IMAGE, np.arange(4.0)])
    agree(_joining.hstack, np.hstack, [1, [2, 3]])
    agree(_joining.vstack, np.vstack, IMAGE)


def test_arrays_come_back_as_arrays():
    array = pnp.array(IMAGE)
    for found in (
        _shaping.ravel(array), _selecting.copy(array), _joining.split(array, 2)[0],
        _creation.zeros_like(array), _shaping.atleast_3d(array),
        _joining.vstack([array, array]), _selecting.where(array > 2)[0],
    ):  # fmt: skip
        assert isinstance(found, pnp.ndarray)


REFUSED = [
    (OutsideDomain, lambda: _creation.zeros((2, -1))),
    (WrongType, lambda: _creation.zeros(2.0)),
    (WrongType, lambda: _creation.zeros(2, dtype="U3")),
    (UnsupportedArgument, lambda: _creation.zeros(2, order="F")),
    (OutsideDomain, lambda: _creation.full(2, 300, "uint8")),
    (OutsideDomain, lambda: _creation.full_like(IMAGE, -1)),
    (OutsideDomain, lambda: _creation.full((2, 2), [1, 2, 3])),
    (OutsideDomain, lambda: _grids.arange(3, None, 0)),
    (OutsideDomain, lambda: _grids.arange([1, 2])),
    (WrongType, lambda: _grids.arange(3, dtype=bool)),
    (OutsideDomain, lambda: _grids.linspace(0, 1, -1)),
    (OutsideDomain, lambda: _grids.meshgrid([1], indexing="yx")),
    (OutsideDomain, lambda: _joining.split(IMAGE, 3)),
    (OutsideDomain, lambda: _joining.array_split(IMAGE, 0)),
    (OutsideDomain, lambda: _joining.dsplit(IMAGE[..., None], 2)),
    (OutsideDomain, lambda: _joining.hsplit(IMAGE, 0)),
    (OutsideDomain, lambda: _joining.vstack([])),
    (OutsideDomain, lambda: _joining.vstack([IMAGE, IMAGE[:, 1:]])),
    (OutsideDomain, lambda: _selecting.where([True], 1)),
    (OutsideDomain, lambda: _selecting.where(IMAGE > 1, IMAGE, IMAGE[:3])),
    (OutsideDomain, lambda: _selecting.where(IMAGE[:3] > 1, IMAGE, 0)),
    (BadIndex, lambda: _selecting.delete(IMAGE, 4, 0)),
    (BadIndex, lambda: _selecting.delete(IMAGE, [4], 0)),
    (OutsideDomain, lambda: _selecting.delete(IMAGE, [True], 0)),
    (BadIndex, lambda: _selecting.insert(IMAGE, 5, 0, 0)),
    (UnsupportedArgument, lambda: _selecting.insert(IMAGE, [1, 2], 0, 0)),
    (OutsideDomain, lambda: _selecting.insert(IMAGE, 1, np.zeros((1, 1, 1)), 0)),
    (UnsupportedArgument, lambda: sized(lambda x: _selecting.delete(x, [0, 1], 0), IMAGE)),
]


@pytest.mark.parametrize(("error", "call"), REFUSED)
def test_what_is_refused(error, call):
    with pytest.raises(error):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda x: _selecting.delete(x, 4, 0),
        lambda x: _selecting.insert(x, -5, 0, 0),
        lambda x: _joining.split(x, 3),
        lambda x: _joining.hsplit(x, 4),
        lambda x: _shaping.reshape(x, (5, -1)),
    ],
)
def test_what_only_the_graph_can_refuse(call):
    with pytest.raises(tf.errors.InvalidArgumentError):
        sized(call, IMAGE)
