"""`pipeport.keras`: every way to import its references, bodies that draw, lengths a graph does not know."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from pipeport import catalog, config, meanings
from pipeport.errors import BadIndex, OutsideDomain, UnsupportedArgument
from pipeport.keras import utils
from pipeport.keras.preprocessing import image, sequence
from pipeport.keras.preprocessing.image._random_levels import brightness_drawn
from pipeport.porting import port
from pipeport.porting._replay import sides
from pipeport.references._keras import brightened

THEIRS = tf.keras.preprocessing
IMAGE = np.random.default_rng(0).uniform(0, 255, (20, 30, 3)).astype(np.float32)
IMAGE[0, 0] = 255
LAST = {"row_axis": 0, "col_axis": 1, "channel_axis": 2}


def prepared(picture, label, tokens):
    picture = THEIRS.image.img_to_array(picture)
    rows = THEIRS.sequence.pad_sequences([tokens, tokens[:2]], maxlen=3, padding="post")
    return picture / 255, tf.keras.utils.to_categorical(label, 4), rows


def varied(picture):
    picture = THEIRS.image.random_rotation(picture, 20, **LAST)
    picture = THEIRS.image.random_shift(picture, 0.1, 0.2, fill_mode="reflect", **LAST)
    picture = THEIRS.image.random_zoom(picture, (0.8, 1.2), **LAST)
    return THEIRS.image.random_brightness(picture, (0.5, 1.5))


@pytest.mark.parametrize(
    "name",
    [
        "tensorflow.keras.utils.to_categorical",
        "keras.utils.np_utils.to_categorical",
        "keras.preprocessing.sequence.pad_sequences",
        "tensorflow.keras.preprocessing.image.img_to_array",
        "keras_preprocessing.image.random_rotation",
    ],
)
def test_a_name_in_text_means_its_native(name):
    last = name.rpartition(".")[2]
    found = meanings.meaning(name)
    assert found.kind == (meanings.DRAW if last.startswith("random") else meanings.NATIVE)
    assert found.native.startswith("pipeport.keras.")
    assert found.native.endswith(f".{last}")
    assert catalog.find(name).native.endswith(f".{last}")


def test_other_functions_of_keras_are_tensorflow_still():
    assert meanings.meaning("tensorflow.keras.preprocessing.image.save_img").kind == meanings.TENSORFLOW


def test_the_reader_of_pictures_is_known_in_text():
    for name in ("tensorflow.keras.preprocessing.image.load_img", "keras.utils.load_img"):
        assert meanings.meaning(name).kind == meanings.BUILT_IN


def test_a_ported_body_is_the_original():
    given = IMAGE.astype(np.uint8), np.array([1, 3]), np.array([5, 6, 7, 8])
    for found, right in zip(port(prepared)(*given), prepared(*given), strict=True):
        assert found.dtype == right.dtype
        np.testing.assert_array_equal(found, right)


def test_an_image_of_floats_is_not_copied():
    def scaled(picture):
        found = THEIRS.image.img_to_array(picture)
        found /= 255
        return found, picture

    for dtype in (np.uint8, np.float32):
        found, right = port(scaled)(IMAGE.astype(dtype)), scaled(IMAGE.astype(dtype))
        for ours, theirs in zip(found, right, strict=True):
            np.testing.assert_array_equal(ours, theirs)


def unchanged(picture):
    found = THEIRS.image.apply_affine_transform(picture, theta=0, zx=1.0, **LAST)
    found[0] = 7
    again = THEIRS.image.random_zoom(THEIRS.image.random_shift(found, 0, 0.0, **LAST), (1, 1), **LAST)
    again[1] = 9
    moved = THEIRS.image.apply_affine_transform(picture, tx=1, **LAST)
    moved[2] = 5
    return picture, found, again, moved


@pytest.mark.parametrize("graph", [False, True])
def test_an_image_that_stays_as_it_is_is_not_copied(graph):
    ported = port(unchanged)
    run = tf.function(ported.__call__, autograph=False) if graph else ported
    for found, right in zip(run(tf.constant(IMAGE)), unchanged(IMAGE.copy()), strict=True):
        np.testing.assert_array_equal(found, right)


def test_a_body_that_draws_is_the_original_with_its_draws():
    original, ported = sides(port(varied), (1, 2))
    np.testing.assert_array_equal(original(IMAGE), ported(IMAGE))
    _, other = sides(port(varied), (3, 4))
    assert np.abs(other(IMAGE) - ported(IMAGE)).max() > 0


@pytest.mark.parametrize("padding", ["pre", "post"])
def test_lengths_that_a_graph_does_not_know(padding):
    graph = tf.function(
        lambda *rows: sequence.pad_sequences(rows, padding=padding, value=-1),
        input_signature=[tf.TensorSpec([None], tf.int64), tf.TensorSpec([2], tf.int64)],
        autograph=False,
    )
    assert graph.get_concrete_function().output_shapes.as_list() == [2, None]
    for length in (0, 1, 5):
        rows = [np.arange(length), np.array([7, 8])]
        right = THEIRS.sequence.pad_sequences(rows, padding=padding, value=-1)
        np.testing.assert_array_equal(graph(*rows), right)


def test_an_array_of_sequences():
    rows = np.arange(24.0).reshape(2, 4, 3)
    right = THEIRS.sequence.pad_sequences(rows, maxlen=3, dtype="float32")
    np.testing.assert_array_equal(sequence.pad_sequences(rows, maxlen=3, dtype="float32"), right)


def test_classes():
    for labels in ([[0], [2]], [-1, 1], 2):
        np.testing.assert_array_equal(
            utils.to_categorical(labels, 3), tf.keras.utils.to_categorical(np.array(labels), 3)
        )
    with pytest.raises(BadIndex):
        utils.to_categorical([3], 3)
    with config.use_keras(2):
        assert utils.to_categorical([1]).dtype == tf.float32
    with config.use_keras(3):
        assert utils.to_categorical([1]).dtype == tf.float64


@pytest.mark.parametrize("channels", [1, 3, 4])
@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize("wide", [True, False])
def test_brightness_of_large_images(channels, scale, wide):
    """Images that are scaled there and back, and those that are not, compiled and as operations."""
    low, high = (-3, 280) if wide else (0, 255)
    picture = np.random.default_rng(1).uniform(low, high, (65, 97, channels)).astype(np.float32)
    draw = brightness_drawn({"seed": (1, 2), "brightness_range": (0.2, 1.8)})
    right = brightened(picture, None, scale, **draw)
    for compiled in (False, True):
        graph = tf.function(
            lambda x, seed: image.random_brightness(x, (0.2, 1.8), scale, seed=seed),
            jit_compile=compiled,
            autograph=False,
        )
        found = graph(picture, tf.constant([1, 2])).numpy()
        np.testing.assert_allclose(found, right, rtol=0, atol=1e-4 if wide and not scale else 0)


@pytest.mark.parametrize("dtype", ["int16", "uint16", "int32", "float64"])
def test_brightness_of_levels_of_other_dtypes(dtype):
    """Without scaling, and checked when the graph runs where only that knows the values."""
    levels = IMAGE.astype(dtype)
    graph = tf.function(lambda x: image.apply_brightness_shift(x, 1.3, False), autograph=False)
    right = THEIRS.image.apply_brightness_shift(levels, 1.3, False)
    for found in (graph(levels), image.apply_brightness_shift(levels, 1.3, False)):
        assert found.dtype == right.dtype
        np.testing.assert_array_equal(found, right)
    with pytest.raises(OutsideDomain, match="0 to 255"):
        image.apply_brightness_shift(levels + levels.dtype.type(1), 1.3, False)
    with pytest.raises(tf.errors.InvalidArgumentError, match="0 to 255"):
        graph(levels + levels.dtype.type(1))


def test_integers_are_added_to_integers_as_they_are():
    levels = IMAGE.astype(np.uint8)
    for amount in (200, 0):
        right = THEIRS.image.apply_channel_shift(levels, amount, 2)
        found = image.apply_channel_shift(levels, amount, 2)
        assert found.dtype == right.dtype
        np.testing.assert_array_equal(found, right)


def test_what_is_drawn_to_be_nothing_changes_nothing():
    graph = tf.function(lambda x, angle: image.apply_affine_transform(x, angle, order=3), autograph=False)
    np.testing.assert_array_equal(graph(IMAGE, tf.constant(0.0)), IMAGE)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: image.random_rotation(IMAGE, 3.0), UnsupportedArgument, "seed"),
        (lambda: image.random_zoom(IMAGE, 0.2, seed=(1, 2)), OutsideDomain, "zoom_range: "),
        (lambda: image.apply_affine_transform(IMAGE, channel_axis=1, row_axis=0), OutsideDomain, "0 or 2"),
        (lambda: image.apply_affine_transform(IMAGE, fill_mode="edge"), UnsupportedArgument, "fill_mode: "),
        (lambda: image.apply_channel_shift(IMAGE.astype(np.uint8), -1), OutsideDomain, "intensity: "),
        (
            lambda: image.apply_channel_shift(IMAGE.astype(np.uint8), tf.constant(1)),
            UnsupportedArgument,
            "intensity: ",
        ),
        (lambda: sequence.pad_sequences([[1]], value="x"), UnsupportedArgument, "value: "),
        (lambda: sequence.pad_sequences([[1]], dtype="uint8", value=-1), OutsideDomain, "value: "),
        (lambda: sequence.pad_sequences([1, 2]), OutsideDomain, "sequences: "),
    ],
)
def test_refusals_name_the_parameter(call, error, text):
    with pytest.raises(error, match=text):
        call()
