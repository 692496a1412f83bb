"""`example=` compares eagerly, in a graph with sizes and in one without; nothing else teaches a port."""

from __future__ import annotations

import json
import pickle
import random
import warnings

import albumentations as A
import cv2
import numpy as np
import pytest
import tensorflow as tf

from pipeport.errors import NotEquivalent, PipeportError, PipeportWarning, PortRefused
from pipeport.porting import Ported, port
from pipeport.seeds import seeded_map

X = np.arange(12.0).reshape(3, 4)


def running():
    """Say how a body runs: eagerly, in a graph with sizes, or without."""
    graph = tf.compat.v1.get_default_graph()
    if tf.executing_eagerly():
        return "eager"
    while hasattr(getattr(graph, "outer_graph", None), "inputs"):
        graph = graph.outer_graph
    return "sizes" if all(one.shape.is_fully_defined() for one in graph.inputs) else "no sizes"


class Faulty:
    """Gives another number, or fails, in one way of running alone."""

    def __init__(self, where, error=None):
        self.where = where
        self.error = error

    @property
    def offset(self):
        if running() != self.where:
            return 0.0
        if self.error is not None:
            raise self.error
        return 1.0

    def __call__(self, x):
        return x + self.offset


WAYS = {
    "sizes": "in a graph with the sizes of the example",
    "no sizes": "in a graph without sizes",
}


@pytest.mark.parametrize("where", WAYS)
def test_a_wrong_value_in_a_graph_refuses_the_port(where):
    with pytest.raises(NotEquivalent, match=f"values up to 1 apart.* {WAYS[where]}"):
        port(Faulty(where), example=X)
    port(Faulty("nowhere"), example=X)


@pytest.mark.parametrize("where", WAYS)
def test_an_error_that_is_not_ours_refuses_the_port(where):
    with pytest.raises(PortRefused, match=f"KeyError {WAYS[where]}: 'a name'") as caught:
        port(Faulty(where, KeyError("a name")), example=X)
    assert isinstance(caught.value.__cause__, KeyError)
    assert "return x + self.offset" in "".join(caught.value.__notes__)


class NoPicture:
    """In a graph without sizes it fails when that runs."""

    @property
    def size(self):
        if running() != "no sizes":
            return 0.0
        return tf.cast(tf.size(tf.io.decode_png(tf.constant(b"nothing"))), tf.float64)


def test_an_error_of_a_running_graph_refuses_the_port():
    picture = NoPicture()
    with pytest.raises(PortRefused, match="InvalidArgumentError in a graph without sizes"):
        port(lambda x: x + picture.size, example=X)


def test_a_refusal_without_sizes_is_kept():
    def body(x):
        rows = [x, x * 2, x[::-1]]
        random.shuffle(rows)
        return rows[0]

    ported = port(body, example=X)
    assert "elements of shapes (None, None)" in str(ported.needs_sizes)
    row = ported.report()[-1]
    assert (row.kind, row.file, row.text) == ("needs static sizes", __file__, "def body(x):")
    assert "random.shuffle(rows)" in row.advice
    assert not row.refused
    assert port(body).needs_sizes is None
    assert port(lambda x: x * 2, example=X).needs_sizes is None


def test_a_refusal_with_sizes_refuses_the_port():
    with pytest.raises(PortRefused, match="not here"):
        port(Faulty("sizes", PortRefused("not here")), example=X)


def test_draws_numbers_and_strings_of_an_example():
    def body(x, k, name, mode):
        angle = np.random.uniform(-1, 1)
        if random.random() < 0.5:
            x = x[:, ::-1]
        rows = [np.flip(x), x]
        return rows[k] * angle, x[: random.randint(1, 3)], name + b"x", np.pad(x, 1, mode=mode)

    ported = port(body, example=(X, 1, b"name", "edge"))
    assert ported.needs_sizes is None


# What a port learns.


def twice(path):
    return np.load(path) * 2


def test_an_eager_call_teaches_nothing(tmp_path):
    np.save(tmp_path / "a.npy", X)
    path = bytes(tmp_path / "a.npy")
    graph = tf.TensorSpec([], tf.string)
    ported = port(twice)
    np.testing.assert_array_equal(ported(path), X * 2)
    with pytest.raises(PortRefused, match=r"numpy\.load"):
        tf.function(ported, autograph=False).get_concrete_function(graph)
    taught = tf.function(port(twice, example=path), autograph=False).get_concrete_function(graph)
    np.testing.assert_array_equal(taught(tf.constant(path)), X * 2)


def test_an_eager_call_changes_nothing_of_what_an_example_taught(tmp_path):
    np.save(tmp_path / "a.npy", X)
    np.save(tmp_path / "b.npy", X.astype(np.float32))
    ported = port(twice, example=bytes(tmp_path / "a.npy"))
    assert ported(bytes(tmp_path / "b.npy")).dtype == tf.float32
    run = tf.function(ported, autograph=False).get_concrete_function(tf.TensorSpec([], tf.string))
    assert run.output_dtypes == tf.float64


def sorted_lines(x, reads):
    if reads:
        return np.array(json.loads("[1.0, 2.0]")) * x[0, 0]
    return x


def test_an_eager_call_shows_no_island():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PipeportWarning)
        unreached = port(sorted_lines, islands=True, example=(X, False))
        reached = port(sorted_lines, islands=True, example=(X, True))
    np.testing.assert_array_equal(unreached(X, True), [0.0, 0.0])

    def traced(ported):
        return tf.function(lambda x: ported(x, True), autograph=False).get_concrete_function(X)

    with pytest.raises(PipeportError, match="which no example has reached"):
        traced(unreached)
    assert traced(reached)(tf.constant(X)).shape == [2]


def test_an_original_that_is_replayed_takes_values_apart_with_a_star():
    def body(x):
        first, *rest, last = x * np.random.rand()
        return first, len(rest), last

    assert port(body, example=X).needs_sizes is None


def without_its_axes(path):
    depth = np.squeeze(np.load(path.decode()))
    return depth[::-1], np.load(path.decode()).squeeze().mean(axis=1)


def test_an_example_shows_which_axes_of_a_file_have_one_element(tmp_path):
    shapes = [(5, 4, 1), (3, 6, 1), (1, 6, 1)]
    files = [tmp_path / f"{number}.npy" for number in range(3)]
    for shape, file in zip(shapes, files, strict=True):
        np.save(file, np.random.default_rng(0).random(shape))
    native = port(without_its_axes, example=(str(files[0]).encode(),))
    assert native.needs_sizes is None
    data = tf.data.Dataset.from_tensors(str(files[1])).map(native)
    assert [one.shape.rank for one in data.element_spec] == [2, 1]
    for found, wanted in zip(next(iter(data)), without_its_axes(str(files[1]).encode()), strict=True):
        np.testing.assert_allclose(found, wanted, 1e-12)
    with pytest.raises(tf.errors.InvalidArgumentError, match="not compatible"):
        next(iter(tf.data.Dataset.from_tensors(str(files[2])).map(native)))


def resized(path):
    """Whether OpenCV's result has three axes depends on the channels."""
    return cv2.resize(np.load(path.decode()), (8, 6), interpolation=cv2.INTER_NEAREST)


def cast_and_resized(path):
    return cv2.resize(np.load(path.decode()).astype(np.float32), (8, 6), interpolation=cv2.INTER_NEAREST)


@pytest.mark.parametrize("body", [resized, cast_and_resized])
@pytest.mark.parametrize(
    ("shape", "known"),
    [((20, 30), [6, 8]), ((20, 30, 1), [6, 8]), ((20, 30, 3), [6, 8, 3]), ((20, 30, 4), [6, 8, 4])],
)
def test_an_example_shows_how_many_channels_the_images_of_files_have(tmp_path, body, shape, known):
    files = [tmp_path / f"{number}.npy" for number in range(3)]
    for file, one in zip(files, [shape, (9, 7, *shape[2:]), (20, 30, 2)], strict=True):
        np.save(file, np.random.default_rng(0).integers(0, 255, one).astype(np.uint8))
    native = port(body, example=(str(files[0]).encode(),))
    assert native.needs_sizes is None
    data = tf.data.Dataset.from_tensor_slices([str(file) for file in files[:2]]).map(native)
    assert data.element_spec.shape == known
    for found, file in zip(data, files, strict=False):
        np.testing.assert_array_equal(found, body(str(file).encode()))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"not compatible|shape"):
        next(iter(tf.data.Dataset.from_tensors(str(files[2])).map(native)))


def test_features_of_files_have_any_number_of_columns(tmp_path):
    files = [tmp_path / f"{number}.npy" for number in range(2)]
    for file, shape in zip(files, [(5, 4, 6), (3, 2, 9)], strict=True):
        np.save(file, np.zeros(shape, np.float32))
    native = port(lambda path: np.load(path) + 1, example=(str(files[0]).encode(),))
    data = tf.data.Dataset.from_tensor_slices([str(file) for file in files]).map(native)
    assert [one.shape for one in data] == [(5, 4, 6), (3, 2, 9)]


BYTES = np.random.default_rng(0).integers(0, 256, (40, 50, 3), dtype=np.uint8)
LABELS = BYTES[..., :1] % 2


@pytest.mark.parametrize("dtype", [tf.float16, tf.float32])
def test_a_pipeline_that_interpolates_bytes_may_be_a_level_off_behind_a_division(dtype):
    pipeline = A.Compose([A.Resize(32, 32), A.HorizontalFlip(p=0.5)])

    def body(image, mask):
        found = pipeline(image=image, mask=mask)
        return tf.cast(found["image"] / 255.0, dtype), found["mask"]

    def parity(image, mask):
        found = pipeline(image=image, mask=mask)["image"]
        return (found % 2).astype(np.float32)

    port(body, example=(BYTES, LABELS))
    with pytest.raises(NotEquivalent, match="values up to 1 apart"):
        port(parity, example=(BYTES, LABELS))


PIPELINE = A.Compose([A.Resize(8, 9), A.HorizontalFlip(p=0.5)])


def augmented(image, factor):
    return PIPELINE(image=image)["image"] * factor


def decoded(data, channels):
    return data.map(lambda one: (tf.image.decode_image(one, channels=channels), 2.0))


def test_the_axes_and_channels_of_arguments_are_those_of_the_example():
    files = tf.data.Dataset.from_tensors(tf.io.encode_png(BYTES))
    native = port(augmented, example=(BYTES, np.float32(2)))
    assert native.needs_sizes is None
    ((found,),) = [list(decoded(files, 3).apply(seeded_map(native, 1)))]
    assert found.shape == (8, 9, 3)
    again = pickle.loads(pickle.dumps(native))
    np.testing.assert_array_equal(found, next(iter(decoded(files, 3).apply(seeded_map(again, 1)))))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"\(any, any, 3\), as on the example"):
        list(decoded(files, 1).apply(seeded_map(native, 1)))


def each_resized(images):
    return np.stack([cv2.resize(image, (9, 8)) for image in images])


def test_the_channels_of_a_batch_are_those_of_the_example():
    native = port(each_resized, example=(BYTES[np.newaxis],))
    assert native.needs_sizes is None
    batch = tf.data.Dataset.from_tensors(np.stack([BYTES, BYTES[::-1]]))
    (found,) = batch.map(lambda one: tf.py_function(tf.identity, [one], one.dtype)).map(native)
    assert found.shape == (2, 8, 9, 3)


def test_channels_are_left_open_where_nothing_needs_them():
    native = port(halved, example=(BYTES,))
    planes = tf.data.Dataset.from_tensors(BYTES[..., :2]).map(
        lambda one: tf.py_function(tf.identity, [one], one.dtype)
    )
    (found,) = planes.map(native)
    np.testing.assert_array_equal(found, halved(BYTES[..., :2]))


def halved(image):
    return image[::2] // 2


@pytest.mark.parametrize(
    ("example", "ways"), [((X,), ["eager", "sizes", "no sizes"]), ((np.float32(2),), ["eager", "sizes"])]
)
def test_how_often_an_example_runs(monkeypatch, example, ways):
    """Once for its draws and as the first side; a graph that has no sizes to know is not traced again."""
    seen, call = [], Ported.__call__

    def noted(ported, *args):
        seen.append(running())
        return call(ported, *args)

    monkeypatch.setattr(Ported, "__call__", noted)
    port(halved_number, example=example)
    assert seen == ways


def halved_number(x):
    return x * random.choice([0.5, 0.25])
