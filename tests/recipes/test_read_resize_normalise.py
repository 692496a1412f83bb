"""The reading recipe: OpenCV's pixels within its own rounding, and every bug it names."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import tensorflow as tf
from PIL import Image

import pipeport
from tests.recipes.recipe_tools import boundaries, collected, masks, photographs, program

before, after = program("read-resize-normalise", "before"), program("read-resize-normalise", "after")
pitfalls = program("read-resize-normalise", "pitfalls")


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    """Return paths of JPEG photographs, one of them on its side, and of PNG class maps."""
    folder = tmp_path_factory.mktemp("files")
    images, labels = [], []
    for index, (image, mask) in enumerate(zip(photographs(), masks(), strict=True)):
        exif = Image.Exif()
        exif[274] = 6 if index == 1 else 1
        images.append(str(folder / f"{index}.jpg"))
        labels.append(str(folder / f"{index}.png"))
        Image.fromarray(image).save(images[-1], quality=90, exif=exif)
        Image.fromarray(mask.astype(np.uint8)).save(labels[-1])
    return images, labels


@pytest.fixture(scope="module")
def native(paths):
    """Return the dataset of after.py, traced once for all that look at it."""
    return after.build_dataset(*paths)


@pytest.fixture(scope="module")
def new(native):
    return collected(native)


def test_before_and_after_agree(paths, new):
    old = collected(before.build_dataset(*paths))
    assert len(old) == len(new) == len(paths[0])
    for (expected, classes), (image, mask) in zip(old, new, strict=True):
        assert image.dtype == expected.dtype == np.float32
        assert image.shape == expected.shape == (224, 224, 3)
        assert np.abs(image - expected).max() < 1.01 / 255
        np.testing.assert_array_equal(mask, classes)


def test_files_of_one_stated_size(paths, new):
    """The one on its side has the sides of the others exchanged."""
    upright = [[path for n, path in enumerate(column) if n != 1] for column in paths]
    height, width = photographs().shape[1:3]
    told = collected(after.build_dataset(*upright, size=(height, width)))
    for pair, same in zip([pair for n, pair in enumerate(new) if n != 1], told, strict=True):
        np.testing.assert_array_equal(pair[0], same[0])
        np.testing.assert_array_equal(pair[1], same[1])
    with pytest.raises(tf.errors.InvalidArgumentError, match="not compatible"):
        collected(after.build_dataset(*paths, size=(height, width)))


@pytest.fixture(scope="module")
def of_many_sizes(tmp_path_factory):
    """Return paths of crops of photographs, no two alike in size, and of their class maps."""
    folder = tmp_path_factory.mktemp("sizes")
    images, labels = [], []
    for index, (image, mask) in enumerate(zip(photographs(), masks(), strict=True)):
        images.append(str(folder / f"{index}.jpg"))
        labels.append(str(folder / f"{index}.png"))
        rows, columns = slice(None, image.shape[0] - 3 * index), slice(5 * index, None)
        Image.fromarray(image[rows, columns]).save(images[-1], quality=90)
        Image.fromarray(mask[rows, columns].astype(np.uint8)).save(labels[-1])
    return images, labels


def levels_off(expected, dataset):
    """Return how many grey levels off the images are, at most; class maps must be equal."""
    found = collected(dataset)
    assert len(found) == len(expected)
    for (_, classes), (_, mask) in zip(expected, found, strict=True):
        np.testing.assert_array_equal(mask, classes)
    return max(np.abs(image - old).max() * 255 for (old, _), (image, _) in zip(expected, found, strict=True))


def test_files_of_many_sizes(of_many_sizes):
    """One level at most as it comes, none where equal bits are asked for."""
    old = collected(before.build_dataset(*of_many_sizes))
    shapes = {tf.io.decode_jpeg(tf.io.read_file(path)).shape.as_list()[0] for path in of_many_sizes[0]}
    assert len(shapes) == len(old)
    assert levels_off(old, after.build_dataset(*of_many_sizes)) < 1.01
    with pipeport.config.use_bit_equal(True):
        assert levels_off(old, after.build_dataset(*of_many_sizes)) < 0.01


def test_photographs_are_told_apart(paths):
    """Else an image in the place of another would pass."""
    images = [image for image, _mask in collected(before.build_dataset(*paths))]
    assert min(np.abs(a - b).max() for a, b in itertools.pairwise(images)) > 0.2


def test_boundaries(paths, native):
    assert boundaries(native) == set()
    assert boundaries(before.build_dataset(*paths)) == {"PyFunc"}


def test_static_shapes(paths, native):
    image, mask = native.element_spec
    assert (image.shape, mask.shape) == ((224, 224, 3), (224, 224))
    assert all(spec.shape.rank is None for spec in before.build_dataset(*paths).element_spec)


def test_classes_between_classes():
    theirs, ours, nearest = pitfalls.classes_between_classes()
    assert len(theirs) > 2
    assert len(ours) > 2
    assert set(nearest) == {0, 7}


def test_missing_file():
    reference, native = pitfalls.missing_file()
    assert reference.startswith("error: ")
    assert "missing.jpg" not in reference
    assert native.startswith("NotFoundError: ")
    assert "missing.jpg" in native


def test_another_decoder():
    stock, native = pitfalls.another_decoder()
    assert stock > 0
    assert native == 0


def test_a_photograph_on_its_side():
    reference, stock, native = pitfalls.a_photograph_on_its_side()
    assert reference == native == (160, 128, 3)
    assert stock == (128, 160, 3)


def test_width_comes_first():
    native, stock = pitfalls.width_comes_first()
    assert native == (64, 96, 3)
    assert stock == (96, 64, 3)


def test_bytes_divided_are_float64():
    assert "is double, but expects float" in pitfalls.bytes_divided_are_float64()
