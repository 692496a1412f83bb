"""`pipeport.tensorflow_addons.image` beside the kernel that every TensorFlow has, and its laws."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import catalog, config
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from pipeport.kernels.addons import _maps, _projective
from pipeport.tensorflow_addons import image as tfa_image

pytestmark = pytest.mark.both

SIZE = (13, 17)
MODES = ("constant", "reflect", "wrap", "nearest")


def images(dtype: str, count: int = 3) -> np.ndarray:
    drawn = np.random.default_rng(0).uniform(size=(count, *SIZE, 3))
    return (drawn * 255).astype(dtype) if dtype == "uint8" else drawn.astype(dtype)


def maps(count: int = 3) -> np.ndarray:
    """Return maps with right angles, halves, far points, and a horizon inside the image."""
    drawn = np.random.default_rng(1).normal(size=(count, 8)) * [1, 1, 9, 1, 1, 7, 0.03, 0.03]
    drawn[0] = [0, 1, 0.5, -1, 0, 12.5, 0, 0]
    drawn[-1, 6:] = [-0.25, 0]  # k is zero in the fifth column
    return drawn.astype(np.float32)


def kernel(pictures: Any, rows: Any, interpolation: str, mode: str, size: Any = SIZE, fill: float = 7) -> Any:
    return tf.raw_ops.ImageProjectiveTransformV3(
        images=pictures,
        transforms=np.asarray(rows, np.float32),
        output_shape=size,
        fill_value=fill,
        interpolation=interpolation.upper(),
        fill_mode=mode.upper(),
    ).numpy()


@pytest.mark.parametrize("dtype", ["float32", "uint8"])
@pytest.mark.parametrize("interpolation", ["nearest", "bilinear"])
@pytest.mark.parametrize("mode", MODES)
def test_transform_is_the_kernel_bit_for_bit(dtype: str, interpolation: str, mode: str) -> None:
    pictures, rows = images(dtype), maps()
    expected = kernel(pictures, rows, interpolation, mode)
    got = tfa_image.transform(pictures, rows, interpolation, mode, fill_value=7)
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize(
    ("dtype", "interpolation", "mode"),
    [
        ("float32", "nearest", "reflect"),
        ("uint8", "nearest", "wrap"),
        ("float32", "bilinear", "constant"),
        ("uint8", "bilinear", "nearest"),
    ],
)
def test_compiled_transform(dtype: str, interpolation: str, mode: str) -> None:
    pictures, rows = images(dtype), maps()
    expected = kernel(pictures, rows, interpolation, mode)
    got = tf.function(tfa_image.transform)(pictures, rows, interpolation, mode, fill_value=7).numpy()
    if interpolation == "nearest":
        np.testing.assert_array_equal(got, expected)
    else:
        # Sums of products are fused: the last bit of a float, and a byte where it decides.
        apart = np.abs(got.astype(float) - expected)
        assert apart.max() <= (1 if dtype == "uint8" else 2e-6)
        assert np.mean(apart > 2e-6) < 0.01


@pytest.mark.parametrize("interpolation", ["nearest", "bilinear"])
def test_special_pixels_spread_as_in_the_kernel(interpolation: str) -> None:
    pictures = images("float32")
    pictures[:, 5, 6], pictures[:, 9, 2], pictures[:, 0, 0] = math.nan, math.inf, -math.inf
    pictures[:, -1, -1] = math.inf
    for mode in MODES:
        expected = kernel(pictures, maps(), interpolation, mode)
        got = tfa_image.transform(pictures, maps(), interpolation, mode, fill_value=7).numpy()
        np.testing.assert_array_equal(got, expected)
        assert np.isnan(expected).any()


def test_coordinates_are_rounded_twice_when_compiled() -> None:
    """A fused multiply-add would round once, and put many of these ties on the other side."""
    side = 300
    picture = np.arange(side * side, dtype=np.int32).reshape(1, side, side, 1)
    rows = np.array([[1.1, 0.3, 0.5, -0.7, 0.9, 60.1, 1e-3, 3e-3]], np.float32)
    x = y = np.arange(side, dtype=np.float32)
    exact = 1.1 * x.astype(float) + 0.3 * y.astype(float)[:, None]
    rounded = rows[0, 0] * x + (rows[0, 1] * y)[:, None]
    assert np.mean(np.float32(exact) != rounded) > 0.1, "the example shows nothing"
    expected = kernel(picture, rows, "nearest", "wrap", (side, side))
    got = tf.function(tfa_image.transform)(picture, rows, "nearest", "wrap")
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("name", ["transform", "shear_x", "rotate"])
def test_coordinates_stay_out_of_the_gather_loop(name: str) -> None:
    """XLA removes conditionals it takes for cheap: then places are computed per channel, 3x slower."""
    plans = {
        "transform": (_maps.projective, [tf.zeros([1, 8])]),
        "shear_x": (_maps.along_columns, [tf.zeros([1])]),
        "rotate": (_maps.about_middle, [tf.ones([1]), tf.zeros([1])]),
    }
    plan_map, parameters = plans[name]
    plan = _projective.Plan(plan_map, 0, "constant")
    picture, fill = tf.zeros([1, 32, 32, 3]), tf.zeros([1])

    def indices_leave_a_conditional(*, isolate: bool) -> bool:
        def body(picture: Any, parameters: Any, fill: Any) -> Any:
            size = tf.constant([32, 32])
            return _projective._body(plan, picture, parameters, size, fill, (32, 32), isolate)

        function = tf.function(body, jit_compile=True, autograph=False)
        text = str(function.experimental_get_compiler_ir(picture, parameters, fill)(stage="optimized_hlo"))
        entry = text[text.index("ENTRY") :]
        return any("s32[1,32,32]" in line.split(" conditional(")[0] for line in entry.splitlines()
                   if " conditional(" in line)  # fmt: skip

    assert indices_leave_a_conditional(isolate=True)
    assert not indices_leave_a_conditional(isolate=False)


def test_output_shape() -> None:
    size = (5, 40)
    expected = kernel(images("float32"), maps(), "nearest", "reflect", size, fill=0)
    for given in (size, list(size), tf.constant(size)):
        got = tfa_image.transform(images("float32"), maps(), "nearest", "reflect", given)
        np.testing.assert_array_equal(got, expected)
    traced = tf.function(
        lambda shape: tfa_image.transform(images("float32"), maps(), "nearest", "reflect", shape)
    )
    np.testing.assert_array_equal(traced(tf.constant(size)), expected)
    assert tf.function(tfa_image.transform).get_concrete_function(
        tf.TensorSpec([None, *SIZE, 3]), tf.TensorSpec([8]), output_shape=size
    ).structured_outputs.shape.as_list() == [None, *size, 3]


@pytest.mark.parametrize(("interpolation", "output"), [("nearest", None), ("bilinear", (9, 70))])
def test_unknown_sizes(interpolation: str, output: Any) -> None:
    pictures = images("float32")
    expected = kernel(pictures, maps(), interpolation, "wrap", output or SIZE)

    def function(some: Any, rows: Any) -> Any:
        return tfa_image.transform(some, rows, interpolation, "wrap", output, fill_value=7)

    signature = [tf.TensorSpec([None, None, None, 3]), tf.TensorSpec([None, 8])]
    traced = tf.function(function, input_signature=signature)
    np.testing.assert_allclose(traced(pictures, maps()), expected, atol=2e-6)
    with config.use_jit("never"):
        plain = tf.function(function, input_signature=signature)
        np.testing.assert_array_equal(plain(pictures, maps()), expected)


def test_per_image_parameters() -> None:
    pictures, angles = images("float32"), [0.3, -2.0, 1.1]
    alone = [tfa_image.rotate(one, angle, "bilinear") for one, angle in zip(pictures, angles, strict=True)]
    np.testing.assert_array_equal(tfa_image.rotate(pictures, angles, "bilinear"), np.stack(alone))
    offsets = [[1, 2], [-3.5, 0], [0.25, 8]]
    alone = [tfa_image.translate(one, move) for one, move in zip(pictures, offsets, strict=True)]
    np.testing.assert_array_equal(tfa_image.translate(pictures, offsets), np.stack(alone))
    level = tf.constant([0.2, -1.0, 0.0])
    alone = [tfa_image.shear_y(one, each, 9) for one, each in zip(pictures, level.numpy(), strict=True)]
    np.testing.assert_array_equal(pipeport.batched(tfa_image.shear_y)(pictures, level, 9), np.stack(alone))


def test_translate_and_shear_are_transforms() -> None:
    picture = images("float32")[0]
    for mode in MODES:
        moved = tfa_image.translate(picture, [2.25, -3.5], "bilinear", mode)
        rows = tfa_image.translations_to_projective_transforms([2.25, -3.5])
        np.testing.assert_array_equal(moved, tfa_image.transform(picture, rows, "bilinear", mode))
    sheared = tfa_image.shear_x(picture, 0.3, 0.0)
    np.testing.assert_array_equal(sheared, tfa_image.transform(picture, [1, 0.3, 0, 0, 1, 0, 0, 0]))


def test_replace_fills_each_channel() -> None:
    picture = np.full((2, 3, 3), 200, np.uint8)
    moved = tfa_image.translate_xy(picture, [1, 0], [1.9, 2, 3]).numpy()
    np.testing.assert_array_equal(moved[:, 0], [[1, 2, 3]] * 2)
    np.testing.assert_array_equal(moved[:, 1:], picture[:, 1:])


def test_composition_is_one_transform_after_the_other() -> None:
    turn = tfa_image.angles_to_projective_transforms(math.pi / 2, 13, 13)
    four = tfa_image.compose_transforms([turn] * 4)
    np.testing.assert_allclose(four, [[1, 0, 0, 0, 1, 0, 0, 0]], atol=1e-5)
    square = images("float32")[:, :13, :13]
    np.testing.assert_array_equal(tfa_image.transform(square, turn), tfa_image.rotate(square, math.pi / 2))
    matrices = tfa_image.transform_ops.flat_transforms_to_matrices(maps())
    np.testing.assert_allclose(
        tfa_image.transform_ops.matrices_to_flat_transforms(2 * matrices), maps(), rtol=1e-6
    )


def test_dense_image_warp_moves_by_whole_pixels() -> None:
    pictures = images("float32")
    flow = np.broadcast_to(np.float32([2, -3]), (3, *SIZE, 2))
    expected = np.pad(pictures, [(0, 0), (2, 0), (0, 3), (0, 0)], mode="edge")[:, : SIZE[0], 3:]
    for warp in (tfa_image.dense_image_warp, tf.function(tfa_image.dense_image_warp)):
        np.testing.assert_allclose(warp(pictures, flow), expected, atol=1e-7)


def test_points_may_be_given_in_either_order() -> None:
    pictures, points = (
        images("float32"),
        np.random.default_rng(2).uniform(-3, 20, (3, 9, 2)).astype(np.float32),
    )
    one = tfa_image.interpolate_bilinear(pictures, points)
    np.testing.assert_array_equal(tfa_image.interpolate_bilinear(pictures, points[..., ::-1], "xy"), one)
    compiled = tf.function(tfa_image.interpolate_bilinear)(pictures, points)
    np.testing.assert_allclose(compiled, one, atol=1e-6)
    inside = np.clip(points, 0, np.float32(SIZE) - 1)
    np.testing.assert_allclose(tfa_image.resampler(pictures, inside[..., ::-1]), one, atol=1e-6)


def test_resampler_fades_to_zero() -> None:
    data = tf.fill([1, 2, 2, 1], 8.0)
    points = [[[[-1.0, 0.0], [-0.75, 0.0], [0.5, 1.25], [2.0, 0.0], [math.nan, 0.0]]]]
    got = tfa_image.resampler(data, points)
    assert got.shape == (1, 1, 5, 1)
    assert got.numpy().ravel().tolist() == [0.0, 2.0, 6.0, 0.0, 0.0]


def test_sparse_warp_moves_its_points() -> None:
    picture = np.zeros((24, 24), np.float32)
    picture[8, 9] = 1
    source = np.float32([[[8, 9], [20, 3], [3, 20], [20, 20]]])
    target = np.float32([[[11, 13], [20, 3], [3, 20], [20, 20]]])
    for boundary in (0, 2):
        warped, flow = tfa_image.sparse_image_warp(picture, source, target, num_boundary_points=boundary)
        assert warped.numpy()[11, 13] > 0.95
        np.testing.assert_allclose(flow.numpy()[0, 11, 13], [3, 4], atol=0.05)
        if boundary:
            np.testing.assert_allclose(flow.numpy()[0, [0, 0, 23, 23], [0, 23, 0, 23]], 0, atol=0.05)
    with pytest.raises(tf.errors.InvalidArgumentError, match="not invertible"):
        tfa_image.sparse_image_warp(picture, source[:, :1], target[:, :1])


def test_splines_of_unknown_sizes() -> None:
    points = np.random.default_rng(3).uniform(size=(2, 6, 3)).astype(np.float32)
    values = np.stack([points.sum(-1), points[..., 0] - 4], axis=-1)
    queries = points[:, ::2] + np.float32(0.05)
    signature = [tf.TensorSpec([None] * 3)] * 3
    for order in (1, 2, 3, 4, 6):
        traced = tf.function(
            lambda *given, order=order: tfa_image.interpolate_spline(*given, order), input_signature=signature
        )
        # A linear function is its own spline.
        expected = np.stack([queries.sum(-1), queries[..., 0] - 4], axis=-1)
        np.testing.assert_allclose(traced(points, values, queries), expected, atol=1e-3)
    assert tfa_image.interpolate_spline(points, values, queries[:1], 2).shape == (2, 3, 2)


def test_the_old_names_lead_here() -> None:
    names = {
        "tf.contrib.image.transform": "transform",
        "tfa.image.shear_x": "shear_x",
        "tensorflow_addons.image.translate_ops.translate": "translate",
        "tf.contrib.resampler.resampler": "resampler",
        "tensorflow_addons.image.transform_ops.flat_transforms_to_matrices": (
            "transform_ops.flat_transforms_to_matrices"
        ),
    }
    for name, native in names.items():
        assert catalog.find(name).native == f"pipeport.tensorflow_addons.image.{native}"
    from pipeport.tensorflow_addons.image.transform_ops import transform
    from pipeport.tensorflow_addons.image.translate_ops import translate

    assert (transform, translate) == (tfa_image.transform, tfa_image.translate)


GREY = np.zeros((4, 5), np.float32)
COLOUR = np.zeros((4, 5, 3), np.float32)
IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
MISTAKES = [
    ("transform", (GREY.astype(bool), IDENTITY), WrongType, ("images", "bool", "uint8")),
    ("transform", (GREY[0], IDENTITY), OutsideDomain, ("images", "rank 1")),
    ("transform", (GREY[:0], IDENTITY), OutsideDomain, ("images", "no pixels")),
    ("transform", (GREY, IDENTITY[:7]), OutsideDomain, ("transforms", "(1, 7)")),
    ("transform", (GREY, [IDENTITY] * 2), OutsideDomain, ("transforms", "(2, 8)")),
    ("transform", (GREY, [*IDENTITY[:7], math.nan]), OutsideDomain, ("transforms", "finite")),
    ("transform", (GREY, ["a"] * 8), WrongType, ("transforms", "numbers")),
    ("transform", (GREY, IDENTITY, "cubic"), UnsupportedArgument, ("interpolation", "'cubic'", "'bilinear'")),
    ("transform", (GREY, IDENTITY, "nearest", "edge"), UnsupportedArgument, ("fill_mode", "'edge'")),
    ("transform", (GREY, IDENTITY, "nearest", "wrap", [0, 2]), OutsideDomain, ("output_shape", "positive")),
    ("transform", (GREY, IDENTITY, "nearest", "wrap", [1, 2, 3]), OutsideDomain, ("output_shape", "(3,)")),
    ("transform", (GREY, IDENTITY, "nearest", "wrap", [1.5, 2]), WrongType, ("output_shape", "float32")),
    ("transform", (GREY, IDENTITY, "nearest", "wrap", None, None, [1, 2]), OutsideDomain, ("fill_value",)),
    ("translate", (GREY, 1.0), WrongType, ("translations", "()")),
    ("translate", (GREY, [1.0]), OutsideDomain, ("translations", "(1, 1)")),
    ("translate_xy", (GREY, [1, 2], 0), OutsideDomain, ("image", "rank 2", "(H, W, 3)")),
    ("translate_xy", (COLOUR[..., :1], [1, 2], 0), OutsideDomain, ("image", "(4, 5, 1)")),
    ("translate_xy", (COLOUR, [1], 0), OutsideDomain, ("translate_to", "(1,)")),
    ("translate_xy", (COLOUR, [1, 2], [7]), OutsideDomain, ("replace", "(1,)")),
    ("shear_x", (COLOUR, "a", 0), OutsideDomain, ("level", "'a'")),
    ("shear_y", (COLOUR, [0.5], 0), OutsideDomain, ("level", "(1,)", "batched")),
    ("dense_image_warp", (COLOUR[None], COLOUR[None]), OutsideDomain, ("flow", "(1, 4, 5, 3)")),
    (
        "dense_image_warp",
        (GREY[None, :1, :, None], np.zeros((1, 1, 5, 2))),
        OutsideDomain,
        ("image", "two rows"),
    ),
    ("dense_image_warp", (GREY[None, :2, :1, None], np.zeros((1, 2, 1, 2))), OutsideDomain, ("image",)),
    ("dense_image_warp", (COLOUR[None].astype(int), COLOUR[None]), WrongType, ("image", "int64")),
    (
        "interpolate_bilinear",
        (COLOUR[None], np.zeros((1, 2, 2)), "yx"),
        UnsupportedArgument,
        ("indexing", "'yx'"),
    ),
    (
        "interpolate_bilinear",
        (COLOUR[None], np.zeros((2, 2, 2))),
        OutsideDomain,
        ("query_points", "(2, 2, 2)"),
    ),
    ("resampler", (COLOUR[None], np.zeros((1, 2, 2))), WrongType, ("warp", "float64", "float32")),
    ("resampler", (COLOUR[None], np.zeros(2, np.float32)), OutsideDomain, ("warp", "(2,)")),
    ("interpolate_spline", (GREY[None], GREY[None], GREY[None], None), WrongType, ("order", "None")),
    ("interpolate_spline", (GREY, GREY[None], GREY[None], 2), OutsideDomain, ("train_points", "rank 2")),
    (
        "sparse_image_warp",
        (COLOUR, np.zeros((1, 4, 2)), np.zeros((1, 4, 2))),
        WrongType,
        ("source", "float64"),
    ),
    ("sparse_image_warp", (COLOUR, COLOUR[None, 0, :, :2], COLOUR[None, 0]), OutsideDomain, ("dest", "3)")),
    ("compose_transforms", ([],), OutsideDomain, ("transforms", "empty")),
    ("compose_transforms", (tf.zeros([2, 8]),), OutsideDomain, ("transforms", "list")),
    ("angles_to_projective_transforms", ([[0.5]], 4, 5), OutsideDomain, ("angles", "(1, 1)")),
    ("translations_to_projective_transforms", (1.0,), WrongType, ("translations", "()")),
]


@pytest.mark.parametrize(("name", "arguments", "error", "words"), MISTAKES)
def test_mistakes(name: str, arguments: Any, error: type[Exception], words: tuple[str, ...]) -> None:
    with pytest.raises(error) as raised:
        getattr(tfa_image, name)(*arguments)
    assert all(word in str(raised.value) for word in words), raised.value


@pytest.mark.parametrize(
    ("name", "shapes", "given"),
    [
        ("transform", ([None, None], [8]), (GREY[:0], IDENTITY)),
        ("transform", ([None, 4, 5, 1], [None, 8]), (GREY[None, ..., None], np.float32([IDENTITY] * 2))),
        ("transform", ([4, 5], [8]), (GREY, np.float32([math.inf] * 8))),
        ("dense_image_warp", ([None] * 4, [None] * 4), (COLOUR[None], COLOUR[None, :3, :, :2])),
        ("dense_image_warp", ([None] * 4, [None] * 4), (COLOUR[None, :1], COLOUR[None, :1, :, :2])),
        ("resampler", ([None] * 4, [None, None, 2]), (COLOUR[None], np.zeros((2, 3, 2), np.float32))),
    ],
)
def test_what_comes_to_light_when_the_graph_runs(name: str, shapes: Any, given: Any) -> None:
    traced = tf.function(
        getattr(tfa_image, name), input_signature=[tf.TensorSpec(shape, tf.float32) for shape in shapes]
    )
    concrete = traced.get_concrete_function()
    with pytest.raises(tf.errors.InvalidArgumentError):
        concrete(*(tf.constant(value, tf.float32) for value in given))
