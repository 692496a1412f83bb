"""Reading natives against the libraries they replace, on files written here."""

from __future__ import annotations

import functools
from pathlib import Path

import cv2 as opencv
import numpy as np
import pytest
import skimage.io
import tensorflow as tf
from PIL import Image as Pillow
from skimage import data

from pipeport import config, cv2, port
from pipeport import numpy as native_numpy
from pipeport.errors import OutsideDomain, UnsupportedArgument
from pipeport.PIL import Image
from pipeport.skimage import io

VERSION = int(opencv.__version__.partition(".")[0])
FLAGS = ("IMREAD_COLOR", "IMREAD_GRAYSCALE", "IMREAD_UNCHANGED", "IMREAD_ANYDEPTH", "IMREAD_ANYCOLOR")


def pixels(*shape: int) -> np.ndarray:
    smooth = data.astronaut()[100 : 100 + shape[0], 150 : 150 + shape[1]]
    return smooth if len(shape) == 3 else smooth[..., 0]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One file per way to store an image."""
    folder = tmp_path_factory.mktemp("images")
    colour, grey = Pillow.fromarray(pixels(37, 53, 3)), Pillow.fromarray(pixels(37, 53))
    turned = Pillow.Exif()
    turned[0x0112] = 6  # to be turned by a quarter
    found = {
        name: folder / name for name in ("a.jpg", "grey.jpg", "turned.jpg", "fine.jpg", "a.png", "grey.png")
    }
    colour.save(found["a.jpg"], quality=90)
    grey.save(found["grey.jpg"])
    colour.save(found["turned.jpg"], exif=turned)
    colour.save(found["fine.jpg"], progressive=True, subsampling=0)
    colour.save(found["a.png"])
    grey.save(found["grey.png"])
    found["alpha.png"] = folder / "alpha.png"
    alpha = np.dstack([pixels(37, 53, 3), np.arange(37 * 53, dtype=np.uint8).reshape(37, 53)])
    Pillow.fromarray(alpha).save(found["alpha.png"])
    found["deep.png"] = folder / "deep.png"
    opencv.imwrite(str(found["deep.png"]), pixels(37, 53, 3).astype(np.uint16) * 257 + 13)
    found["a.bmp"] = folder / "a.bmp"
    colour.save(found["a.bmp"])
    return found


NAMES = ("a.jpg", "grey.jpg", "turned.jpg", "fine.jpg", "a.png", "grey.png", "alpha.png", "deep.png", "a.bmp")


@pytest.mark.parametrize("flag", FLAGS)
@pytest.mark.parametrize("name", NAMES)
def test_imread_gives_opencvs_pixels(files, name, flag):
    path = files[name]
    right = opencv.imread(str(path), getattr(opencv, flag))
    # Declared: a 16-bit file read with its own depth says so.
    own = {"depth": "uint16"} if right.dtype == np.uint16 else {}
    with config.use_opencv(VERSION):
        for form in (str(path), path, tf.constant(str(path))):
            got = cv2.imread(form, getattr(cv2, flag), **own).numpy()
            assert got.dtype == right.dtype
            assert np.array_equal(got, right)


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA"])
@pytest.mark.parametrize(
    "name", ["a.jpg", "grey.jpg", "turned.jpg", "a.png", "grey.png", "alpha.png", "a.bmp"]
)
def test_open_and_convert_give_pillows_pixels(files, name, mode):
    right = np.asarray(Pillow.open(files[name]).convert(mode))
    got = native_numpy.asarray(Image.open(str(files[name])).convert(mode)).numpy()
    assert np.array_equal(got, right)


@pytest.mark.parametrize("name", ["a.jpg", "a.png", "alpha.png"])
def test_skimage_imread(files, name):
    right = skimage.io.imread(str(files[name]))
    assert np.array_equal(io.imread(str(files[name])).numpy(), right)


@pytest.mark.parametrize("colours", ["grey", "palette", "24 bits", "32 bits"])
@pytest.mark.parametrize("form", ["plain", "rows from the top", "bytes behind"])
def test_bitmaps_in_every_form(tmp_path, colours, form):
    whole = Pillow.fromarray(pixels(13, 7, 3))
    image = {"grey": whole.convert("L"), "palette": whole.quantize(9), "32 bits": whole.convert("RGBA")}
    path = tmp_path / "a.bmp"
    image.get(colours, whole).save(path)
    stored = bytearray(path.read_bytes())
    if form == "rows from the top":
        stored[22:26] = (-13).to_bytes(4, "little", signed=True)
    elif form == "bytes behind":
        stored += b"more"
    path.write_bytes(stored)
    assert np.array_equal(tf.function(cv2.imread)(tf.constant(str(path))), opencv.imread(str(path)))


@pytest.mark.parametrize(("interpolation", "most"), [(cv2.INTER_LINEAR, 370), (cv2.INTER_AREA, 450)])
def test_a_trace_stays_short(interpolation, most):
    """The first batch waits for every operation: to be traced, and placed anew for each iterator."""

    def read(path):
        return cv2.resize(cv2.imread(path), (224, 224), interpolation=interpolation)

    body = tf.function(read, autograph=False)
    graph = body.get_concrete_function(tf.TensorSpec([], tf.string)).graph.as_graph_def()
    count = len(graph.node) + sum(len(function.node_def) for function in graph.library.function)
    # INTER_LINEAR had 933 before EXIF data and BMP were read by fewer operations, and 402 before JPEG
    # and PNG shared the loop that finds EXIF data. What is stored is placed alone: see test_stored.
    assert 100 < count < most


def test_channels_are_static_in_a_graph(files):
    paths = tf.data.Dataset.from_tensor_slices([str(files["a.jpg"]), str(files["a.png"])])
    assert paths.map(cv2.imread).element_spec.shape.as_list() == [None, None, 3]
    grey = paths.map(lambda path: cv2.imread(path, cv2.IMREAD_GRAYSCALE))
    assert grey.element_spec.shape.as_list() == [None, None]


def test_blue_comes_first(files):
    """A mutant that forgets the order of OpenCV's channels would pass on a grey picture alone."""
    got = cv2.imread(str(files["a.png"])).numpy()
    assert np.array_equal(got[..., ::-1], pixels(37, 53, 3))
    assert not np.array_equal(got, pixels(37, 53, 3))


@pytest.mark.parametrize("channels", [3, 4])
def test_a_file_is_resized_to_opencvs_bits(tmp_path, channels):
    """Sizes that grow and shrink, are halved or stay, of one pixel; one graph and its program for all."""
    sizes = [(1, 1), (1, 9), (7, 1), (2, 3), (33, 47), (48, 64), (96, 128), (130, 77), (147, 131)]
    flags = opencv.IMREAD_COLOR if channels == 3 else opencv.IMREAD_UNCHANGED

    def resized(path, *flags):
        more = {"channels": 4} if channels == 4 else {}
        return cv2.resize(cv2.imread(path, *(flags or (int(opencv.IMREAD_UNCHANGED),)), **more), (64, 48))

    def both(path):
        return (resized(path, 1), resized(path, cv2.IMREAD_COLOR_RGB)) if channels == 3 else (resized(path),)

    with config.use_bit_equal(True):
        traced = tf.function(both, input_signature=[tf.TensorSpec([], tf.string)], autograph=False)
        kinds = {one.type for one in traced.get_concrete_function().graph.get_operations()}
        assert "LowerBound" in kinds
        assert "ResizeBilinear" not in kinds
        for height, width in sizes:
            path = str(tmp_path / f"{height}-{width}.png")
            image = np.dstack([pixels(height, width, 3), pixels(height, width)])[..., :channels]
            Pillow.fromarray(image).save(path)
            right = opencv.resize(opencv.imread(path, flags), (64, 48))
            found = traced(tf.constant(path))
            np.testing.assert_array_equal(found[0], right)
            if channels == 3:
                np.testing.assert_array_equal(found[1], right[..., ::-1])


def test_what_a_decoder_gave_is_neither_turned_twice_nor_checked():
    def turned_back(image):
        return cv2.resize(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), (8, 8))

    def kinds(run, spec):
        graph = tf.function(run, autograph=False).get_concrete_function(spec).graph
        with tf.Graph().as_default() as needed:
            ends = [one.op.name for one in graph.outputs]
            pruned = tf.compat.v1.graph_util.extract_sub_graph(graph.as_graph_def(), ends)
            tf.graph_util.import_graph_def(pruned, name="")
        return {node.type for node in needed.get_operations()}

    image = tf.TensorSpec([None, None, 3], tf.uint8)
    assert {"Assert", "ReverseV2"} <= kinds(turned_back, image)
    decoded = kinds(lambda path: turned_back(cv2.imread(path)), tf.TensorSpec([], tf.string))
    assert not {"Assert", "ReverseV2", "Reverse"} & decoded


@pytest.mark.parametrize(
    "read", [cv2.imread, io.imread, lambda path: native_numpy.load(path, dtype="float32")]
)
def test_a_missing_file_is_not_found(tmp_path, read):
    with pytest.raises(tf.errors.NotFoundError):
        tf.function(read)(tf.constant(str(tmp_path / "missing.png")))


def test_bytes_that_are_no_image_are_refused(tmp_path):
    path = tmp_path / "text.png"
    path.write_bytes(b"no picture")
    with pytest.raises((tf.errors.InvalidArgumentError, OutsideDomain)):
        cv2.imread(str(path))


@pytest.mark.parametrize(
    "dtype", ["bool", "u1", ">i2", "<u2", "<i4", ">i8", "<f2", ">f4", "<f8", "<c8", ">c16"]
)
@pytest.mark.parametrize("order", ["C", "F"])
def test_load_reads_every_numeric_dtype(tmp_path, dtype, order):
    values = np.asarray((np.arange(24).reshape(2, 3, 4) - 5).astype(dtype), order=order)
    path = tmp_path / "a.npy"
    np.save(path, values)
    plain = np.dtype(dtype).newbyteorder("=")
    eager = native_numpy.load(str(path)).numpy()
    traced = tf.function(lambda p: native_numpy.load(p, dtype=plain.name, shape=(None, 3, 4)))
    got = traced(tf.constant(str(path)))
    assert got.dtype.as_numpy_dtype == plain
    assert np.array_equal(eager, values)
    assert np.array_equal(got.numpy(), values)


def test_load_checks_the_header(tmp_path):
    path = tmp_path / "a.npy"
    np.save(path, np.zeros((2, 3), np.float32))
    for wrong in (
        {"dtype": "int32"},
        {"dtype": "float32", "shape": (2, 4)},
        {"dtype": "float32", "shape": (None,)},
    ):
        read = tf.function(lambda p, wrong=wrong: native_numpy.load(p, **wrong))
        with pytest.raises((tf.errors.InvalidArgumentError, OutsideDomain)):
            read(tf.constant(str(path)))


def test_archives_and_pickles_are_refused_with_the_recipe(tmp_path):
    archive, pickled = tmp_path / "a.npz", tmp_path / "o.npy"
    np.savez(archive, a=np.zeros(3))
    np.save(pickled, np.array([{}], object), allow_pickle=True)
    refusals = (UnsupportedArgument, OutsideDomain, tf.errors.InvalidArgumentError)
    for path in (archive, pickled):
        with pytest.raises(refusals, match="npz-to-tfrecord"):
            native_numpy.load(str(path))


def _floats(path):
    return np.load(path).astype(np.float32)


@pytest.mark.parametrize("dtype", ["?", "i1", ">i2", "<u4", "<f2", ">f8"])
@pytest.mark.parametrize("shape", [(), (3,), (0, 2), (2, 3, 4)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_any_dtype_are_cast(tmp_path, dtype, shape, order):
    path, read = tmp_path / "array.npy", _in_graph(_floats)
    array = np.asarray(np.random.default_rng(0).normal(0, 50, shape).astype(dtype), order=order)
    np.save(path, array)
    np.testing.assert_array_equal(read(str(path)), array.astype(np.float32))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda whole: b"", "another kind of file"),
        (lambda whole: whole[:9], "cut short"),
        (lambda whole: whole[:40], "cut short"),
        (lambda whole: whole[:-1], "ends before its numbers"),
        (lambda whole: b"PK" + whole, "npz archive"),
        (lambda whole: whole.replace(b"'<f8'", b"'|O' "), "Python objects"),
        (lambda whole: whole.replace(b"<f8", b"<c8"), r"an array of another dtype; .*\] \[<c8\]"),
        (lambda whole: whole.replace(b"False", b"Maybe"), "names no array of numbers"),
    ],
)
def test_the_first_thing_that_is_wrong_with_a_file_is_said(tmp_path, change, words):
    path = tmp_path / "array.npy"
    np.save(path, np.arange(6.0))
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"file: got .*{words}"):
        _in_graph(_floats)(str(path))


@functools.cache
def _in_graph(function):
    return tf.function(port(function), input_signature=[tf.TensorSpec([], tf.string)])
