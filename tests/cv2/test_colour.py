"""`cv2.cvtColor`: every code that is served, what `imread` turned round, and what is refused."""

from __future__ import annotations

import cv2 as reference
import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import cv2
from pipeport.errors import OutsideDomain, UnsupportedArgument
from pipeport.porting import port

CODES = [name for name in dir(cv2) if name.startswith("COLOR_")]


# Spaces that are served for bytes alone.
OF_BYTES = {getattr(cv2, name) for name in CODES if any(space in name for space in ("HSV", "HLS", "LAB"))}
LAB = {getattr(cv2, name) for name in CODES if "LAB" in name}
# Roundings of float32 right below a whole number; and with 180 hues OpenCV rounds what is not a whole vector.
ROUNDED = {getattr(cv2, name) for name in CODES if "HSV2" in name or "HLS2" in name}


def image(channels: int, dtype: str, height: int = 37, width: int = 130) -> np.ndarray:
    values = np.random.default_rng(channels).random((height, width, channels))
    scaled = values.astype(dtype) if dtype == "float32" else (values * np.iinfo(dtype).max).astype(dtype)
    return scaled[..., 0] if channels == 1 else scaled


def test_codes_are_opencvs() -> None:
    assert len(CODES) == 48
    for name in CODES:
        assert getattr(cv2, name) == getattr(reference, name)


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32"])
@pytest.mark.parametrize("code", sorted({getattr(cv2, name) for name in CODES}))
def test_every_code_at_widths_with_a_remainder(code: int, dtype: str) -> None:
    takes = 0
    for channels in (1, 3, 4):
        x = image(channels, dtype)
        try:
            right = reference.cvtColor(x, code)
        except reference.error:
            with pytest.raises(OutsideDomain, match=r"channels|dtype"):
                cv2.cvtColor(x, code)
            continue
        if code in OF_BYTES - LAB and dtype == "float32":
            with pytest.raises(OutsideDomain, match="dtype float32"):
                cv2.cvtColor(x, code)
            continue
        takes += 1
        unknown = tf.TensorSpec([None, None, channels][: x.ndim], dtype)
        for spec in (tf.TensorSpec(x.shape, dtype), unknown):
            graph = tf.function(lambda x: cv2.cvtColor(x, code), input_signature=[spec], autograph=False)
            found = graph(x).numpy()
            assert (found.dtype.name, found.shape) == (dtype, right.shape)
            levels = int(code in ROUNDED)
            found, right = (one if dtype == "float32" else one.astype(np.int32) for one in (found, right))
            np.testing.assert_allclose(found, right, rtol=0, atol=1e-6 if dtype == "float32" else levels)
        assert unknown.shape.rank is not None
        assert graph.get_concrete_function().output_shapes.rank == right.ndim
    assert takes or (code in OF_BYTES and dtype != "uint8")


def test_every_byte_has_the_grey_level_of_opencv() -> None:
    levels = np.stack(np.meshgrid(*[np.arange(0, 256, 3)] * 3, indexing="ij"), -1).reshape(86, -1, 3)
    pixels = levels.astype(np.uint8)
    for code in (cv2.COLOR_BGR2GRAY, cv2.COLOR_RGB2GRAY):
        np.testing.assert_array_equal(cv2.cvtColor(pixels, code), reference.cvtColor(pixels, code))


@pytest.mark.parametrize("code", sorted(OF_BYTES))
def test_every_third_byte_in_spaces_of_bytes_and_back(code) -> None:
    levels = np.stack(np.meshgrid(*[np.arange(0, 256, 3)] * 3, indexing="ij"), -1).reshape(86, -1, 3)
    pixels = levels[:, : 86 * 86 // 64 * 64].astype(np.uint8)  # whole vectors
    found, right = (np.asarray(one.cvtColor(pixels, code), np.int32) for one in (cv2, reference))
    differ = np.abs(found - right).max(-1)
    assert differ.max() <= int(code in ROUNDED)
    assert np.mean(differ > 0) < 1e-3


@pytest.mark.parametrize("first", ["BGR", "RGB"])
def test_lab_of_floats_and_back(first: str) -> None:
    there, back = getattr(cv2, f"COLOR_{first}2LAB"), getattr(cv2, f"COLOR_LAB2{first}")
    random = np.random.default_rng(3)
    levels = np.linspace(0, 1, 33, dtype=np.float32)
    table = np.stack(np.meshgrid(levels, levels, levels, indexing="ij"), -1).reshape(33, -1, 3)
    beyond = np.float32(random.random((64, 520, 3)) * 1.4 - 0.2)
    for x in (table, beyond, np.array([[[np.inf, -np.inf, 0.5]]], np.float32)):
        right = reference.cvtColor(x, there)
        for spec in (tf.TensorSpec(x.shape, tf.float32), tf.TensorSpec([None, None, 3], tf.float32)):
            graph = tf.function(lambda x: cv2.cvtColor(x, there), input_signature=[spec], autograph=False)
            np.testing.assert_array_equal(graph(x), right)
    wild = np.float32(random.uniform((0, -120, -120), (100, 120, 120), (97, 131, 3)))
    for x in (reference.cvtColor(beyond, there), wild):
        right = reference.cvtColor(x, back)
        graph = tf.function(lambda x: cv2.cvtColor(x, back), autograph=False)
        np.testing.assert_allclose(graph(x), right, rtol=0, atol=2e-5)
        np.testing.assert_allclose(cv2.cvtColor(x, back), right, rtol=0, atol=2e-5)


def test_lab_of_floats_in_a_ported_body() -> None:
    def lighter(image):
        lab = reference.cvtColor(image.astype(np.float32) / 255.0, reference.COLOR_RGB2LAB)
        lab[..., 0] = np.clip(lab[..., 0] * 1.2, 0, 100)
        return (reference.cvtColor(lab, reference.COLOR_LAB2RGB) * 255).round().astype(np.uint8)

    x = image(3, "uint8")
    np.testing.assert_array_equal(port(lighter)(x), lighter(x))


def test_turning_back_what_imread_turned_costs_nothing(tmp_path) -> None:
    path = str(tmp_path / "image.png")
    reference.imwrite(path, image(3, "uint8"))

    def read(path):
        return cv2.cvtColor(cv2.imread(path), cv2.COLOR_BGR2RGB)

    plain = tf.function(cv2.imread).get_concrete_function(path)
    turned = tf.function(read).get_concrete_function(path)
    kinds = [one.op for one in turned.graph.as_graph_def().node]
    assert kinds.count("ReverseV2") == [one.op for one in plain.graph.as_graph_def().node].count("ReverseV2")
    right = reference.cvtColor(reference.imread(path), reference.COLOR_BGR2RGB)
    np.testing.assert_array_equal(turned(), right)


@pytest.mark.parametrize("code", range(12))
def test_every_code_of_what_imread_gives(code, tmp_path) -> None:
    path = str(tmp_path / "image.png")
    reference.imwrite(path, image(3, "uint8"))
    read = tf.function(lambda path: cv2.cvtColor(cv2.imread(path), code), autograph=False)
    try:
        right = reference.cvtColor(reference.imread(path), code)
    except reference.error:
        with pytest.raises(OutsideDomain, match="channels"):
            read(path)
        return
    np.testing.assert_array_equal(read(path), right)


def test_in_a_ported_body_and_in_batches() -> None:
    def prepared(image):
        rgb = reference.cvtColor(image, reference.COLOR_BGR2RGB)
        grey = reference.cvtColor(image, reference.COLOR_BGR2GRAY)
        return rgb / 255, grey[..., np.newaxis]

    x = image(3, "uint8")
    for found, right in zip(port(prepared)(x), prepared(x), strict=True):
        assert found.dtype == right.dtype
        np.testing.assert_allclose(found, right, rtol=1e-12)
    images = np.stack([x, x[::-1]])
    for code in (
        cv2.COLOR_BGR2RGB,
        cv2.COLOR_BGR2GRAY,
        cv2.COLOR_BGR2BGRA,
        cv2.COLOR_RGB2HSV,
        cv2.COLOR_YUV2BGR,
    ):
        found = pipeport.batched(cv2.cvtColor)(images, code)
        np.testing.assert_array_equal(found, [reference.cvtColor(one, code) for one in images])


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (UnsupportedArgument, lambda x: cv2.cvtColor(x, reference.COLOR_BGR2LUV)),
        (UnsupportedArgument, lambda x: cv2.cvtColor(x, 4.0)),
        (UnsupportedArgument, lambda x: cv2.cvtColor(x, 4, x)),
        (UnsupportedArgument, lambda x: cv2.cvtColor(x, 4, None, 4)),
        (UnsupportedArgument, lambda x: cv2.cvtColor(x, 4, hint=1)),
        (OutsideDomain, lambda x: cv2.cvtColor(x[..., :2], 4)),
        (OutsideDomain, lambda x: cv2.cvtColor(x.astype("float64"), 4)),
        (OutsideDomain, lambda x: cv2.cvtColor(x[:0], 4)),
    ],
)
def test_what_is_refused(error, call) -> None:
    with pytest.raises(error):
        call(image(3, "uint8"))
    assert cv2.cvtColor(image(3, "uint8"), 4, None, 3).shape == (37, 130, 3)


@pytest.mark.parametrize("dtype", ["uint8", "int16", "int64", "float32", "float64"])
def test_tables_of_every_form(dtype) -> None:
    table = (np.arange(256)[::-1] * 3 % 251).astype(dtype)
    per_channel = np.stack([table, table[::-1], table + 1], -1)
    for x in (image(3, "uint8"), image(1, "uint8"), image(3, "uint8").view(np.int8)):
        forms = [table, table[None], table[:, None]]
        forms += [per_channel[None], per_channel[:, None]] if x.ndim == 3 else []

        def every(x, forms=forms):
            return [cv2.LUT(x, form) for form in forms]

        spec = tf.TensorSpec([None, None, 3][: x.ndim], x.dtype)
        unknown = tf.function(lambda x, every=every: every(x), input_signature=[spec], autograph=False)
        for function in (every, tf.function(every), unknown):
            for form, one in zip(forms, function(tf.constant(x)), strict=True):
                found, right = one.numpy(), reference.LUT(x, form)
                assert (found.dtype, found.shape) == (right.dtype, right.shape)
                np.testing.assert_array_equal(found, right)


def test_a_gamma_as_it_is_written_everywhere() -> None:
    def adjusted(image):
        inverse = 1.0 / np.random.uniform(0.5, 2.0)
        table = np.array([((i / 255.0) ** inverse) * 255 for i in np.arange(0, 256)]).astype("uint8")
        return reference.LUT(image, table)

    x = image(3, "uint8")
    assert port(adjusted, example=(x,)).original is adjusted


def test_a_table_per_image_of_a_batch() -> None:
    images = np.stack([image(3, "uint8"), image(4, "uint8")[..., :3]])
    tables = np.stack([np.arange(256), 255 - np.arange(256)]).astype(np.uint8)
    shared = [reference.LUT(one, tables[1]) for one in images]
    own = [reference.LUT(*one) for one in zip(images, tables, strict=True)]
    for table, right in ((tables[1], shared), (tables, own)):
        np.testing.assert_array_equal(pipeport.batched(cv2.LUT)(images, table), right)
        graph = tf.function(
            lambda x, table=table: pipeport.batched(cv2.LUT)(x, table),
            input_signature=[tf.TensorSpec([None, None, None, 3], tf.uint8)],
        )
        np.testing.assert_array_equal(graph(images), right)


def test_a_table_of_unknown_size_is_checked_in_the_graph() -> None:
    graph = tf.function(
        cv2.LUT, input_signature=[tf.TensorSpec([None, None, 3], tf.uint8), tf.TensorSpec([None])]
    )
    table = np.arange(256, dtype=np.float32)
    np.testing.assert_array_equal(graph(image(3, "uint8"), table), image(3, "uint8"))
    with pytest.raises(tf.errors.InvalidArgumentError):
        graph(image(3, "uint8"), table[1:])


def test_channels_apart_and_together() -> None:
    def turned(image):
        blue, green, red = reference.split(image)
        return reference.merge([red, green, blue]), reference.merge((image, blue))

    x = image(3, "float32")
    for found, right in zip(port(turned)(x), turned(x), strict=True):
        assert found.shape == right.shape
        np.testing.assert_array_equal(found, right)
    spec = tf.TensorSpec([None, None, 3], tf.float32)
    graph = tf.function(lambda x: cv2.merge(cv2.split(x)[::-1]), input_signature=[spec])
    assert graph.get_concrete_function().output_shapes.as_list() == [None, None, 3]
    np.testing.assert_array_equal(graph(x), x[..., ::-1])
    sizes = [tf.TensorSpec([None, None], tf.float32)] * 2
    joined = tf.function(lambda a, b: cv2.merge([a, b]), input_signature=sizes)
    with pytest.raises(tf.errors.InvalidArgumentError):
        joined(x[..., 0], x[:-1, :, 0])


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (OutsideDomain, lambda x: cv2.LUT(x, np.zeros(255, np.uint8))),
        (OutsideDomain, lambda x: cv2.LUT(x, np.zeros((256, 3), np.uint8))),
        (OutsideDomain, lambda x: cv2.LUT(x.astype("uint16"), np.zeros(256, np.uint8))),
        (OutsideDomain, lambda x: cv2.LUT(x, np.zeros(256, complex))),
        (UnsupportedArgument, lambda x: cv2.LUT(x, np.zeros(256, np.uint8), x)),
        (UnsupportedArgument, lambda x: cv2.split(x, [x])),
        (UnsupportedArgument, cv2.merge),
        (OutsideDomain, lambda x: cv2.merge([])),
        (OutsideDomain, lambda x: cv2.merge([x, x.astype("float32")])),
        (OutsideDomain, lambda x: cv2.merge([x, x[1:]])),
    ],
)
def test_tables_and_channels_that_are_refused(error, call) -> None:
    with pytest.raises(error):
        call(image(3, "uint8"))
