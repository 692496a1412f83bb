"""The array: what TensorFlow, AutoGraph and NumPy see of it, its shape, its views and what may be written."""

from __future__ import annotations

import gc

import numpy as np
import pytest
import tensorflow as tf

import pipeport.numpy as native
from pipeport.arrays import _sharing, body, giving
from pipeport.arrays._making import fresh
from pipeport.errors import OutsideDomain, PipeportError, UnsupportedArgument, WrongType
from tests.arrays.images import IMAGE, of, traced

# ------------------------------------------------------------------- through TensorFlow


def test_it_comes_out_of_every_boundary_as_itself():
    @tf.function
    def through(x):
        y = x + 1 if x[0] > 0 else x * 2
        for _ in tf.range(3):
            y = y + 1
        while y[0] < 50:
            y = y * 2
        if y[0] > 60:
            return y
        return y - 1

    found = through(of(np.array([1.0, 2.0], np.float32)))
    assert isinstance(found, native.ndarray)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found.numpy(), [80, 96])


def test_a_function_is_traced_once_for_arrays_of_one_kind():
    traces = []

    @tf.function
    def count(x):
        traces.append(x.shape)
        return x + 1

    for start in range(4):
        count(of(np.arange(start, start + 3)))
    assert len(traces) == 1


def test_datasets_batch_and_save_it(tmp_path):
    data = tf.data.Dataset.range(6).map(lambda i: fresh(tf.fill([2], i)) / 2)
    assert data.element_spec._values == tf.TensorSpec([2], tf.float64)
    batch = next(iter(data.batch(3, drop_remainder=True).map(lambda x: x.T)))
    assert isinstance(batch, native.ndarray)
    np.testing.assert_array_equal(batch.numpy(), [[0, 0.5, 1]] * 2)
    data.save(str(tmp_path / "saved"))
    again = list(tf.data.Dataset.load(str(tmp_path / "saved")).unbatch().batch(2))
    assert len(again) == 6


def test_a_saved_model_keeps_it(tmp_path):
    module = tf.Module()
    module.f = tf.function(
        lambda x: (fresh(x) / 255)._values, input_signature=[tf.TensorSpec([None], tf.uint8)]
    )
    tf.saved_model.save(module, str(tmp_path))
    np.testing.assert_array_equal(tf.saved_model.load(str(tmp_path)).f([255]), [1.0])


def test_every_tensorflow_function_takes_it():
    x = of(IMAGE)
    assert tf.reduce_sum(tf.cast(x, tf.int32)) == IMAGE.sum()
    assert tf.image.flip_left_right(x).shape == IMAGE.shape
    assert tf.concat([x, x], 0).shape == (8, 5, 3)
    assert tf.is_tensor(x)


def test_numpy_takes_it_eagerly_and_is_refused_in_a_graph():
    np.testing.assert_array_equal(np.asarray(of(IMAGE)), IMAGE)
    assert np.asarray(of(IMAGE), np.float32).dtype == np.float32
    for out in (np.asarray, lambda x: x.tolist(), lambda x: x.item(), lambda x: x.tobytes(), float):
        with pytest.raises(PipeportError, match="when the graph runs"):
            traced(lambda x, out=out: out(fresh(x)))(IMAGE)


def test_python_takes_scalars():
    x = of(np.int64(3))
    assert (int(x), float(x), complex(x), list(range(5))[x], bool(x)) == (3, 3.0, 3 + 0j, 3, True)
    assert of(IMAGE).tolist() == IMAGE.tolist()
    assert of(np.float32(2.5)).item() == 2.5
    assert of(IMAGE).tobytes() == IMAGE.tobytes()
    with pytest.raises(ValueError, match="ambiguous"):
        bool(of(IMAGE))
    with pytest.raises(WrongType, match="one integer"):
        range(of(2.5))


# --------------------------------------------------------------------------------- shape


def test_known_sizes_are_python_integers():
    x = of(IMAGE)
    assert x.shape == (4, 5, 3)
    assert (x.shape[0], x.shape[-1], len(x), x.ndim, x.size, x.itemsize) == (4, 3, 4, 3, 60, 1)
    assert type(x.shape[0]) is int
    height, width = x.shape[:2]
    assert (height, width) == (4, 5)
    assert (2, *x.shape) == (2, 4, 5, 3) == (2,) + x.shape  # noqa: RUF005


def test_unknown_sizes_are_scalars_of_the_graph():
    def centre(image):
        x = fresh(image)
        height, width = x.shape[:2]
        assert x.shape[2] == 3
        part = x[height // 4 : height - 1, (width - 3) // 2 :]
        return part._values, (x.size / 2)._values, (x.shape[0] * np.float32(0.5))._values

    part, half, scaled = traced(centre)(IMAGE)
    np.testing.assert_array_equal(part, IMAGE[1:3, 1:])
    assert (half.dtype, float(half)) == (tf.float64, 30.0)
    # A size is a Python integer in NumPy: it takes the dtype of what stands beside it.
    assert scaled.dtype == tf.float32


def test_shapes_are_compared_where_they_are_known():
    def compare(image):
        x = fresh(image)
        assert (x.shape == (4, 5)) is False
        assert (x.shape != (None, 5, 4)) is True
        return (x.shape == (4, 5, 3))._values, (x.shape == x[1:].shape)._values

    assert [bool(one) for one in traced(compare)(IMAGE)] == [True, False]


def test_what_needs_a_number_says_so():
    with pytest.raises(UnsupportedArgument, match=r"x\.shape"):
        traced(lambda x: len(fresh(x)))(IMAGE)
    with pytest.raises(OutsideDomain, match="rank 0"):
        len(of(1.0))
    with pytest.raises(UnsupportedArgument, match="ensure_shape"):
        traced(lambda x: fresh(x).shape, tf.TensorSpec(None, tf.uint8))(IMAGE)


def test_dtypes_compare_as_numpys():
    x = of(IMAGE)
    assert x.dtype == np.uint8
    assert x.dtype == "uint8"
    assert x.dtype != np.float32
    assert x.astype(float).dtype == np.float64
    assert x.astype(tf.float16).dtype == np.float16


# ---------------------------------------------------------------- views and assignment


def test_assignment_changes_every_name_of_the_array():
    x = of(IMAGE)
    y, right = x, IMAGE.copy()
    x[1:3, ::2] = 7
    x[x > 50] = 0
    x[0, 0] = [1, 2, 3]
    right[1:3, ::2] = 7
    right[right > 50] = 0
    right[0, 0] = [1, 2, 3]
    np.testing.assert_array_equal(y.numpy(), right)
    x.fill(9)
    assert (y.numpy() == 9).all()


def test_what_is_written_through_a_view_is_seen_in_its_base():
    views = (
        (lambda x: x[1:3], lambda x: x[1:3]),
        (lambda x: x.reshape(-1), lambda x: x.reshape(-1)),
        (lambda x: x.T, lambda x: x.T),
        (lambda x: x.ravel(), lambda x: x.ravel()),
        (native.flip, np.flip),
        (native.ascontiguousarray, np.ascontiguousarray),
        (native.atleast_2d, np.atleast_2d),
        (lambda x: native.array(x, copy=None), np.asarray),
        (lambda x: native.split(x, 2)[0], lambda x: np.split(x, 2)[0]),
    )
    for ours, theirs in views:
        x, right = of(IMAGE), IMAGE.copy()
        ours(x)[1:] = 200
        theirs(right)[1:] = 200
        np.testing.assert_array_equal(x.numpy(), right)
        part, same = ours(x), theirs(right)
        part += 1
        same += 1
        x[0] = 7
        right[0] = 7
        np.testing.assert_array_equal(x.numpy(), right)
        np.testing.assert_array_equal(part.numpy(), same)


def test_results_of_several_arrays_are_views_of_each():
    for give in (native.atleast_2d, lambda *both: native.atleast_2d(arys=both)):
        x, y = of(IMAGE), of(IMAGE[0])
        first, second = give(x, y)
        first[0] = 0
        y[:] = 9
        assert (x.numpy()[0] == 0).all()
        assert (second.numpy() == 9).all()
    x, given = of(IMAGE), IMAGE.copy()
    mixed = native.atleast_1d(given, x)
    mixed[0][0] = 0
    mixed[1][0] = 0
    np.testing.assert_array_equal(given, IMAGE)  # a tensor was made of it
    assert (x.numpy()[0] == 0).all()
    parts = [*native.array_split(x, 3), *native.hsplit(x, [1]), *native.vsplit(x, [1])]
    for number, part in enumerate(parts):
        part[:] = number
    right = IMAGE.copy()
    for number, part in enumerate(
        [*np.array_split(right, 3), *np.hsplit(right, [1]), *np.vsplit(right, [1])]
    ):
        part[:] = number
    np.testing.assert_array_equal(x.numpy(), right)


def test_a_cast_is_a_copy():
    x = of(IMAGE)
    for cast in (native.asarray, native.ascontiguousarray):
        copy = cast(x, np.float32)
        copy[:] = 0.5
        np.testing.assert_array_equal(copy.numpy(), np.full(IMAGE.shape, 0.5, np.float32))
    np.testing.assert_array_equal(x.numpy(), IMAGE)


def test_views_that_are_gone_are_forgotten():
    x = of(np.arange(1000))
    storage = _sharing.storage_of(x)
    for index in range(1000):
        _ = x[index : index + 2]
    assert len(storage._arrays) < 50
    kept = [x[index : index + 2] for index in range(100)]
    gc.collect()
    assert {id(one) for one in kept} <= {id(one) for one in storage.arrays()}
    x[0] = 5
    assert kept[0].numpy().tolist() == [5, 1]


def test_a_view_whose_base_is_gone_may_be_written_to():
    x = of(IMAGE)
    x = x[..., ::-1]
    gc.collect()
    x[0] = 0
    right = IMAGE[..., ::-1].copy()
    right[0] = 0
    np.testing.assert_array_equal(x.numpy(), right)


def test_a_view_from_before_an_assignment_shows_it():
    x = of(IMAGE)
    part, other = x[1:3], x.copy()
    x[:] = 0
    assert (part.numpy() == 0).all()
    assert repr(part) == repr(x[1:3])
    np.testing.assert_array_equal(other.numpy(), IMAGE)


def test_an_argument_the_caller_still_uses_changes_for_the_caller():
    def brighten(image):
        image[:2] = 255

    x = of(IMAGE)
    brighten(x)
    assert (x.numpy()[:2] == 255).all()


def test_an_argument_of_a_traced_function_is_not_written_to():
    @tf.function
    def brighten(image):
        image[:2] = 255
        return image

    with pytest.raises(UnsupportedArgument, match="boundary"):
        brighten(of(IMAGE))
    with pytest.raises(UnsupportedArgument, match="copy"):
        tf.data.Dataset.from_tensors(of(IMAGE)).map(brighten)


def test_assignment_in_a_branch_is_refused():
    @tf.function
    def maybe(image):
        x = fresh(image)
        if tf.reduce_sum(tf.cast(image, tf.int32)) > 3:
            x[0:2] = 0
        return x._values

    with pytest.raises(UnsupportedArgument, match="condition"):
        maybe(IMAGE)


def test_chained_indices_are_written_through():
    x, right = of(IMAGE), IMAGE.copy()
    for one in (x, right):
        one[0][1] = 5
        one[1:][::-1][0][2:] += 3
        one[[0, 1]][0] = 9  # a copy
    np.testing.assert_array_equal(x.numpy(), right)


# ---------------------------------------------------------------- who gives arrays


def test_natives_give_arrays_when_given_one():
    assert isinstance(native.stack([of(IMAGE), IMAGE]), native.ndarray)
    assert isinstance(native.flip(IMAGE), tf.Tensor)
    assert isinstance(native.array(IMAGE), native.ndarray)
    assert isinstance(native.asarray(IMAGE), tf.Tensor)


def test_natives_give_arrays_inside_giving():
    with giving():
        assert isinstance(native.flip(IMAGE), native.ndarray)
        assert isinstance(native.asarray([1, 2]), native.ndarray)
    assert isinstance(native.flip(IMAGE), tf.Tensor)


@pytest.mark.parametrize("where", ["eager", "dataset"])
def test_a_body_runs_on_arrays_and_gives_tensors(where):
    @body
    def prepare(image, scale):
        image = native.flip(image, 1).astype("float32") / 255 * scale
        image = native.pad(image, ((1, 1), (0, 0), (0, 0)))
        image[0] = 0.5
        if image.mean() > 0.1:
            image = image - image.mean()
        return {"image": image, "size": (image.shape[0], image.max())}

    def right(image, scale):
        image = image[:, ::-1].astype("float32") / 255 * scale
        image = np.pad(image, ((1, 1), (0, 0), (0, 0)))
        image[0] = 0.5
        return image - image.mean()

    if where == "eager":
        found = prepare(IMAGE, 2.0)
    else:
        data = tf.data.Dataset.from_tensors(IMAGE)
        found = next(iter(data.map(lambda image: prepare(image, 2.0))))
    assert isinstance(found["image"], tf.Tensor)
    assert found["image"].dtype == tf.float32
    np.testing.assert_allclose(found["image"], right(IMAGE, 2.0), atol=1e-6)
    assert int(found["size"][0]) == 6


def test_array_is_numpys():
    for value in (IMAGE, [[1, 2], [3, 4]], 2.5, True, [1, 2.5], tf.constant([1, 2], tf.int8)):
        found, right = native.array(value), np.array(value)
        assert found.dtype == right.dtype
        np.testing.assert_array_equal(found.numpy(), right)
    assert native.array([of(np.uint8(3)), 4]).dtype == np.array([np.uint8(3), 4]).dtype
    assert native.array(IMAGE, ndmin=5).shape == (1, 1, 4, 5, 3)
    for refused in (
        {"order": "F"},
        {"copy": False},
        {"subok": True},
        {"like": IMAGE},
        {"ndmin": -1},
        {"ndmin": 1.5},
    ):
        with pytest.raises(PipeportError):
            native.array(IMAGE, **refused)
