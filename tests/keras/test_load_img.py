"""Bodies that read pictures by Keras' `load_img`."""

from __future__ import annotations

import os

import numpy as np
import pytest
import tensorflow as tf
from PIL import Image

from pipeport.errors import UnsupportedArgument
from pipeport.porting import port

load_img, img_to_array = tf.keras.utils.load_img, tf.keras.utils.img_to_array
KNOWN = "set by the test"


def scaled(path):
    picture = tf.keras.preprocessing.image.load_img(path, target_size=(20, 30))
    return img_to_array(picture) / 127.5 - 1


def grey(path):
    return img_to_array(load_img(path.decode(), color_mode="grayscale", interpolation="bicubic"))


def resized(path):
    picture = load_img(path, color_mode="rgba", target_size=(9, 50), interpolation="bilinear")
    return np.array(picture), img_to_array(picture, dtype="uint8").sum(axis=-1)


def of_a_known_path():
    return img_to_array(load_img(KNOWN, target_size=[4, 5]))


def by_position(path):
    return img_to_array(load_img(path, "rgb"))


def of_one_ratio(path):
    return img_to_array(load_img(path, target_size=(4, 4), keep_aspect_ratio=True))


def of_another_filter(path):
    return img_to_array(load_img(path, target_size=(4, 4), interpolation="cubic"))


@pytest.fixture
def files(tmp_path):
    rng = np.random.default_rng(0)
    found = []
    for number, shape in enumerate([(20, 30, 3), (40, 33), (17, 64, 4), (31, 9, 3)]):
        found.append(tmp_path / f"{number}.{'jpg' if number == 3 else 'png'}")
        Image.fromarray(rng.integers(0, 256, shape, dtype=np.uint8)).save(found[-1])
    return found


@pytest.mark.parametrize("body", [scaled, grey, resized])
def test_pictures_are_those_of_the_original(body, files):
    ported = port(body)
    data = tf.data.Dataset.from_tensor_slices(list(map(str, files))).map(ported)
    for file, row in zip(files, data, strict=True):
        right = tf.nest.flatten(body(os.fsencode(file)))
        for found in (row, ported(tf.constant(str(file)))):
            for ours, theirs in zip(tf.nest.flatten(found), right, strict=True):
                assert ours.dtype.as_numpy_dtype == theirs.dtype
                np.testing.assert_array_equal(ours, theirs)
    if body is scaled:
        assert data.element_spec.shape == (20, 30, 3)


def test_a_path_that_is_no_argument(files, monkeypatch):
    monkeypatch.setitem(globals(), "KNOWN", str(files[0]))
    np.testing.assert_array_equal(tf.function(port(of_a_known_path), autograph=False)(), of_a_known_path())


def test_grey_of_16_bits_is_noticed_when_the_graph_runs(tmp_path):
    file = str(tmp_path / "deep.png")
    Image.fromarray(np.full((3, 4), 1000, np.uint16)).save(file)
    assert grey(file.encode()).max() == 1000
    with pytest.raises(tf.errors.InvalidArgumentError, match="a grey image of 16 bits"):
        list(tf.data.Dataset.from_tensors(file).map(port(grey)))


@pytest.mark.parametrize(
    ("body", "said"),
    [(by_position, "by position"), (of_one_ratio, "keep_aspect_ratio"), (of_another_filter, "'bicubic'")],
)
def test_what_is_not_served_is_refused(body, said, files):
    with pytest.raises(UnsupportedArgument, match=said):
        port(body)(tf.constant(str(files[0])))
