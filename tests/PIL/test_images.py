"""The object style of Pillow: images that hold tensors, files that are read in the graph."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from pipeport.errors import UnsupportedArgument, WrongType
from pipeport.PIL import Image, ImageOps

pytestmark = pytest.mark.newest_only

pillow = pytest.importorskip("PIL.Image")
pillow_ops = pytest.importorskip("PIL.ImageOps")


@pytest.fixture
def photograph(tmp_path: Path) -> str:
    path = tmp_path / "photograph.png"
    pillow.fromarray(np.random.default_rng(0).integers(0, 256, (40, 56, 3), np.uint8)).save(path)
    return str(path)


def body(image_module: Any, ops: Any, path: Any) -> Any:
    image = image_module.open(path).convert("RGB").resize((32, 24), image_module.BILINEAR)
    image = ops.mirror(image).rotate(30, resample=image_module.Resampling.BICUBIC)
    image = image.transpose(image_module.Transpose.ROTATE_90).crop((-2, 3, 20, 30))
    return ops.fit(ops.pad(ops.expand(ops.flip(image), 2, 9), (30, 30), color=(1, 2, 3)), (16, 20)).convert(
        "L"
    )


def test_only_the_import_changes(photograph: str) -> None:
    right = np.asarray(body(pillow, pillow_ops, photograph))
    dataset = tf.data.Dataset.from_tensors(photograph).map(
        lambda path: tf.convert_to_tensor(body(Image, ImageOps, path))
    )
    assert dataset.element_spec.shape == (20, 16)
    np.testing.assert_array_equal(next(iter(dataset)).numpy(), right)


def test_sizes_and_modes() -> None:
    image = Image.fromarray(tf.zeros([40, 60, 3], tf.uint8))
    assert (image.size, image.width, image.height, image.mode) == ((60, 40), 60, 40, "RGB")
    assert image.getbands() == pillow.new("RGB", (1, 1)).getbands()
    assert image.copy() is not image
    assert image.convert("L").getbands() == ("L",)
    graph = tf.function(
        lambda t: Image.fromarray(t).size, input_signature=[tf.TensorSpec([None, 9], tf.uint8)]
    )
    width, height = graph(np.zeros((5, 9), np.uint8))
    assert (int(width), int(height)) == (9, 5)


@pytest.mark.parametrize(
    "dtype", ["bool", "uint8", "uint16", "int8", "int16", "int32", "uint32", "float32", "float64"]
)
def test_fromarray_gives_the_mode_that_pillow_gives(dtype: str) -> None:
    x = np.arange(6).reshape(2, 3).astype(dtype)
    ours, theirs = Image.fromarray(x), pillow.fromarray(x)
    assert ours.mode == theirs.mode
    assert ours.getbands() == theirs.getbands()
    array = np.asarray(theirs)
    assert np.asarray(ours).dtype == array.dtype
    np.testing.assert_array_equal(np.asarray(ours), array)


def test_numpy_takes_an_image_with_a_value_alone() -> None:
    x = np.arange(12, dtype=np.uint8).reshape(3, 4)
    np.testing.assert_array_equal(np.asarray(Image.fromarray(x)), x)
    assert np.asarray(Image.fromarray(x), np.float32).dtype == np.float32
    with pytest.raises(WrongType, match=r"pipeport\.numpy\.asarray"):
        tf.function(lambda t: np.asarray(Image.fromarray(t)))(x)


def test_tensorflow_takes_an_image() -> None:
    x = np.arange(12, dtype=np.uint8).reshape(3, 4)
    graph = tf.function(
        lambda t: tf.cast(Image.fromarray(t).transpose(Image.FLIP_LEFT_RIGHT), tf.float32) / 255
    )
    np.testing.assert_allclose(graph(x), x[:, ::-1] / 255, rtol=1e-6)
    np.testing.assert_array_equal(Image.fromarray(x).__pipeport_array__(), x)


def test_a_file_is_read_when_it_is_converted(photograph: str) -> None:
    image, original = Image.open(photograph), pillow.open(photograph)
    assert (image.mode, image.getbands()) == (original.mode, original.getbands())
    assert tuple(map(int, image.size)) == original.size
    np.testing.assert_array_equal(np.asarray(image.resize((2, 3))), original.resize((2, 3)))
    np.testing.assert_array_equal(tf.convert_to_tensor(image), original)

    @tf.function(input_signature=[tf.TensorSpec([], tf.string)])
    def unknown(path: Any) -> Any:
        image = Image.open(path)
        for use in (
            lambda: image.mode,
            lambda: np.asarray(image.resize((2, 2))),
            lambda: tf.convert_to_tensor(image),
            lambda: image.paste(image),
            image.convert,
        ):
            with pytest.raises(UnsupportedArgument, match="convert"):
                use()
        with pytest.raises(UnsupportedArgument, match="after other methods"):
            image.resize((2, 2)).convert("RGBA")
        return image.resize((4, 6)).convert("RGB").size, image.size

    assert tf.nest.map_structure(int, unknown(photograph)) == ((4, 6), original.size)
    for mode in ("L", "RGB", "RGBA"):
        right = np.asarray(pillow.open(photograph).convert(mode))
        np.testing.assert_array_equal(np.asarray(image.convert(mode)), right)
        np.testing.assert_array_equal(np.asarray(Image.open(photograph, as_mode=mode)), right)
    with pytest.raises(tf.errors.NotFoundError):
        Image.open(photograph + ".jpg").convert("RGB")
    with pytest.raises(UnsupportedArgument):
        Image.open(photograph, "w")
    with pytest.raises(UnsupportedArgument):
        Image.open(photograph, formats=["PNG"])


def test_constants_are_pillows() -> None:
    for enum in (Image.Resampling, Image.Transform, Image.Transpose):
        theirs = getattr(pillow, enum.__name__)
        assert {m.name: m.value for m in enum} == {m.name: m.value for m in theirs}
        assert all(getattr(Image, m.name) == getattr(pillow, m.name) for m in enum)


@pytest.mark.parametrize("mode", ["P", "CMYK", "LA", "nothing"])
def test_other_modes_are_refused(mode: str) -> None:
    with pytest.raises(UnsupportedArgument):
        Image.Image(tf.zeros([2, 2], tf.uint8), mode)
    with pytest.raises(WrongType):
        Image.Image(tf.zeros([2, 2], tf.uint8), "RGB")


def test_autograph_leaves_the_methods_as_they_are(monkeypatch):
    """Converted, `resize` and all that it calls made every trace three seconds longer."""
    files = []

    def resize(pixels, *_arguments):
        files.append(Path(sys._getframe(1).f_code.co_filename).name)
        return pixels

    monkeypatch.setattr("pipeport.kernels.pillow._image.resize", resize)

    @tf.function
    def traced(pixels):
        return tf.convert_to_tensor(Image.fromarray(pixels).resize((5, 4)))

    traced(tf.zeros([4, 5, 3], tf.uint8))
    assert files == ["_image.py"]
