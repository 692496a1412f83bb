"""Pillow's arithmetic beyond what Hypothesis draws: real sizes, ties, passes, unknown sizes, errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from pipeport import batched, config, port
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from pipeport.kernels.xla._rounding import plus_product
from pipeport.PIL import Image, ImageOps
from tests.kernels.test_precompile import in_a_process

pillow = pytest.importorskip("PIL.Image")
pillow_ops = pytest.importorskip("PIL.ImageOps")
version = pytest.importorskip("PIL").__version__
needs_13 = int(version.split(".")[0]) < 13
pytestmark = [
    pytest.mark.newest_only,
    pytest.mark.skipif(needs_13, reason="Pillow before 13 always resamples columns first"),
]


def picture(height: int, width: int, channels: int | None = 3, seed: int = 0) -> np.ndarray:
    shape = (height, width) if channels is None else (height, width, channels)
    return np.random.default_rng(seed).integers(0, 256, shape, np.uint8)


def expected(array: np.ndarray, method: str, *args: Any, **kwargs: Any) -> np.ndarray:
    return np.asarray(getattr(pillow.fromarray(array), method)(*args, **kwargs))


def same(actual: Any, right: np.ndarray) -> None:
    value = np.asarray(actual)
    assert value.dtype == right.dtype
    np.testing.assert_array_equal(value, right)


@pytest.mark.parametrize("resample", range(8))
@pytest.mark.parametrize("channels", [None, 3, 4])
def test_resize_at_real_sizes(resample: int, channels: int | None) -> None:
    x = picture(61, 83, channels)
    for size in ((37, 29), (100, 20), (83, 97)):
        same(Image.resize(x, size, resample), expected(x, "resize", size, resample))


@pytest.mark.parametrize("size", [(224, 224), (128, 192), (300, 257)])
def test_nearest_where_every_few_pixels_are_ties(size: tuple[int, int]) -> None:
    x = picture(256, 256, None)
    same(Image.resize(x, size, Image.NEAREST), expected(x, "resize", size, 0))


@pytest.mark.parametrize(
    ("height", "width", "size"), [(300, 40, (38, 20)), (40, 300, (20, 38)), (50, 40, (30, 30))]
)
def test_the_order_of_the_passes(height: int, width: int, size: tuple[int, int]) -> None:
    x = picture(height, width, None)
    x[x < 128] = 0  # overshoot is cut off between the passes, so that their order shows
    same(Image.resize(x, size, Image.LANCZOS), expected(x, "resize", size, 1))


def test_the_passes_can_be_told_apart() -> None:
    x = picture(300, 40, None)
    x[x < 128] = 0
    across = Image.resize(Image.resize(x, (38, 300), Image.LANCZOS), (38, 20), Image.LANCZOS)
    assert (np.asarray(across) != expected(x, "resize", (38, 20), 1)).any()


@pytest.mark.parametrize("dtype", ["uint16", "int32", "float32"])
def test_wide_pixels_overshoot(dtype: str) -> None:
    top = {"uint16": 65535, "int32": 2**31 - 1, "float32": 3e38}[dtype]
    x = (np.random.default_rng(1).integers(0, 2, (19, 23)) * top).astype(dtype)
    for resample in (1, 3, 5):
        same(Image.resize(x, (31, 40), resample), expected(x, "resize", (31, 40), resample))


def test_strong_reduction_is_summed_in_a_loop() -> None:
    x = picture(400, 500)
    same(Image.resize(x, (7, 5), Image.LANCZOS), expected(x, "resize", (7, 5), 1))


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_compiled_and_plain_passes_agree(dtype: str) -> None:
    x = picture(64, 48) if dtype == "uint8" else np.random.default_rng(0).random((64, 48)).astype(np.float32)
    right = expected(x, "resize", (33, 41), 3, (1.5, 2.25, 40, 60.1))
    for policy in ("always", "never"):
        with config.use_jit(policy):
            graph = tf.function(lambda t: Image.resize(t, (33, 41), box=(1.5, 2.25, 40, 60.1)))
            same(graph(x), right)


def test_sums_are_not_fused() -> None:
    a, b, c = np.random.default_rng(0).standard_normal((3, 4000))
    with config.use_jit("always"):
        guarded = tf.function(lambda a, b, c: plus_product(c, a * b, c[0]), jit_compile=True)(a, b, c)
        plain = tf.function(lambda a, b, c: c + a * b, jit_compile=True)(a, b, c)
    same(guarded, c + a * b)
    if (np.asarray(plain) == c + a * b).all():
        pytest.skip("this machine has no fused multiply and add")


@pytest.mark.parametrize("channels", [None, 3, 4])
@pytest.mark.parametrize("resample", [0, 1, 3, 7])
def test_resize_with_sizes_unknown_while_tracing(channels: int | None, resample: int) -> None:
    spec = tf.TensorSpec([None, None, *([channels] if channels else [])], tf.uint8)
    graph = tf.function(lambda t: Image.resize(t, (24, 18), resample), input_signature=[spec])
    assert graph.get_concrete_function().structured_outputs.shape[:2] == (18, 24)
    for height, width in ((18, 24), (18, 30), (40, 24), (57, 61), (200, 26), (1, 1)):
        x = picture(height, width, channels)
        same(graph(x), expected(x, "resize", (24, 18), resample))


@pytest.mark.parametrize("kind", ["photograph", "noise", "edges"])
@pytest.mark.parametrize("resample", [1, 2, 3, 4, 5])
def test_files_of_many_sizes_are_equal_bit_for_bit(kind: str, resample: int) -> None:
    """Columns or rows first, two sizes of padding, up to 40 coefficients."""
    photograph = pytest.importorskip("skimage.data").astronaut()
    spec = tf.TensorSpec([None, None, 3], tf.uint8)
    graph = tf.function(lambda t: Image.resize(t, (96, 80), resample), input_signature=[spec])
    for height, width in ((300, 512), (512, 300), (260, 90), (80, 97), (512, 96)):
        noise = picture(height, width)
        x = {
            "photograph": photograph[:height, :width],
            "noise": noise,
            "edges": (noise > 127) * np.uint8(255),
        }
        same(graph(x[kind]), expected(np.ascontiguousarray(x[kind]), "resize", (96, 80), resample))


def test_a_batch_of_unknown_sizes() -> None:
    spec = tf.TensorSpec([None, None, None, 3], tf.uint8)
    graph = tf.function(lambda t: batched(Image.resize)(t, (31, 20)), input_signature=[spec])
    for height, width in ((64, 50), (200, 40)):
        x = np.stack([picture(height, width, seed=seed) for seed in range(3)])
        same(graph(x), np.stack([expected(image, "resize", (31, 20)) for image in x]))


# Prints how many programs XLA has compiled after every fourth of 25 sizes, and after all of them.
RESIZED = """
import pathlib, sys
import tensorflow as tf
from pipeport.PIL import Image
def compiled():
    return len(list(pathlib.Path(sys.argv[1]).glob("*cpu_after_optimizations.txt")))
spec = tf.TensorSpec([None, None, 3], tf.uint8)
graph = tf.function(lambda t: Image.resize(t, (50, 50)), input_signature=[spec])
sizes = [(height, width) for height in range(145, 400, 60) for width in range(145, 400, 60)]
for chosen in (sizes[::4], sizes):
    for size in chosen:
        graph(tf.zeros([*size, 3], tf.uint8))
    print(compiled())
"""


def test_few_programs_serve_many_sizes(tmp_path: Path) -> None:
    """What is compiled knows neither the sizes of an image nor which pixels its coefficients are for."""
    flags = f"--xla_dump_to={tmp_path} --xla_dump_hlo_as_text"
    few, all_of_them = map(int, in_a_process(RESIZED, tmp_path, XLA_FLAGS=flags))
    assert 0 < few == all_of_them


def test_size_and_box_as_tensors() -> None:
    x = picture(20, 30)
    graph = tf.function(lambda t, size, box: Image.resize(t, size, Image.BICUBIC, box))
    found = graph(x, tf.constant([7, 9]), tf.constant([1.5, 0.25, 28.0, 19.5]))
    same(found, expected(x, "resize", (7, 9), 3, (1.5, 0.25, 28.0, 19.5)))
    with pytest.raises(tf.errors.InvalidArgumentError, match="box"):
        graph(x, tf.constant([7, 9]), tf.constant([1.5, 0.25, 31.0, 19.5]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="size"):
        graph(x, tf.constant([7, 0]), tf.constant([1.5, 0.25, 28.0, 19.5]))


def test_colours_under_zero_alpha() -> None:
    x = picture(9, 11, 4)
    x[..., 3] = np.random.default_rng(2).choice([0, 1, 255], x.shape[:2])
    same(Image.resize(x, (11, 9)), x)
    spec = [tf.TensorSpec([None, None, 4], tf.uint8)]
    same(tf.function(lambda t: Image.resize(t, (11, 9)), input_signature=spec)(x), x)
    same(Image.resize(x, (5, 6)), expected(x, "resize", (5, 6)))
    same(Image.rotate(x, 180, Image.BILINEAR), x[::-1, ::-1])


@pytest.mark.parametrize("resample", [0, 2, 3])
@pytest.mark.parametrize("expand", [False, True])
def test_rotate_at_real_sizes(resample: int, expand: bool) -> None:
    x = picture(64, 50)
    for angle in (30, -45, 90, 180, 7.3, 270, 359.9):
        right = expected(x, "rotate", angle, resample, expand, fillcolor=(1, 2, 3))
        same(Image.rotate(x, angle, resample, expand, fillcolor=(1, 2, 3)), right)


@pytest.mark.parametrize("resample", [0, 2, 3])
def test_an_angle_per_element(resample: int) -> None:
    x = np.stack([picture(16, 16, 4, seed) for seed in range(6)])
    angles = np.array([0.0, 30.0, 90.0, 180.0, -123.4, 720.0])
    graph = tf.function(lambda t, a: batched(Image.rotate)(t, a, resample))
    for found, image, angle in zip(graph(x, angles), x, angles, strict=True):
        same(found, expected(image, "rotate", angle, resample))


def test_right_angles_do_not_spread_nan() -> None:
    x = np.full((4, 4), 2, np.float32)
    x[1, 2] = np.nan
    graph = tf.function(lambda t, a: Image.rotate(t, a, Image.BICUBIC))
    for angle in (0.0, 90.0, 180.0, 270.0, 45.0):
        same(graph(x, tf.constant(angle)), expected(x, "rotate", angle, 3))


WINDOWS = {
    "crop": (lambda t: Image.crop(t, (-2, 1, 12, 10)), lambda i: i.crop((-2, 1, 12, 10)), (9, 14, 3)),
    "expand": (
        lambda t: ImageOps.expand(t, (1, 2, 3, -1), (9, 8, 7)),
        lambda i: pillow_ops.expand(i, (1, 2, 3, -1), (9, 8, 7)),
        (None, None, 3),
    ),
    "fit": (
        lambda t: ImageOps.fit(t, (20, 5), bleed=0.1),
        lambda i: pillow_ops.fit(i, (20, 5), bleed=0.1),
        (5, 20, 3),
    ),
    "pad": (
        lambda t: ImageOps.pad(t, (5, 20), color=(9, 8, 7)),
        lambda i: pillow_ops.pad(i, (5, 20), color=(9, 8, 7)),
        (20, 5, 3),
    ),
}


@pytest.mark.parametrize("name", WINDOWS)
def test_windows_of_sizes_unknown_while_tracing(name: str) -> None:
    native, reference, shape = WINDOWS[name]
    graph = tf.function(native, input_signature=[tf.TensorSpec([None, None, 3], tf.uint8)])
    assert graph.get_concrete_function().structured_outputs.shape.as_list() == list(shape)
    for height, width in ((4, 9), (30, 20), (1, 40)):
        x = picture(height, width)
        same(graph(x), np.asarray(reference(pillow.fromarray(x))))


def test_a_crop_with_corners_from_tensors() -> None:
    x = picture(10, 12)
    graph = tf.function(lambda t, left: Image.crop(t, (left, 1, left + 5, 6)))
    same(graph(x, tf.constant(4)), expected(x, "crop", (4, 1, 9, 6)))
    turned = tf.function(lambda t, right: Image.crop(t, (3, 1, right, 6)))
    with pytest.raises(tf.errors.InvalidArgumentError, match="box"):
        turned(x, tf.constant(2))


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (OutsideDomain, lambda x: Image.resize(x, (0, 3))),
        (OutsideDomain, lambda x: Image.resize(x, (2**16, 2**16))),
        (OutsideDomain, lambda x: Image.resize(x, (2, 2), box=(0, 0, 50, 2))),
        (OutsideDomain, lambda x: Image.resize(x[:0], (2, 2))),
        (WrongType, lambda x: Image.resize(x, (2.0, 3))),
        (WrongType, lambda x: Image.resize(x, (2, 3, 4))),
        (WrongType, lambda x: Image.resize(x.astype(np.float32), (2, 3))),
        (WrongType, lambda x: Image.resize(x[..., :1], (2, 3))),
        (UnsupportedArgument, lambda x: Image.resize(x, (2, 3), 9)),
        (UnsupportedArgument, lambda x: Image.resize(x, (2, 3), reducing_gap=2.0)),
        (UnsupportedArgument, lambda x: Image.resize(x[..., :2], (2, 3))),
        (UnsupportedArgument, lambda x: Image.rotate(x, 30, Image.LANCZOS)),
        (UnsupportedArgument, lambda x: Image.rotate(x, 30, fillcolor="red")),
        (WrongType, lambda x: Image.rotate(x, 30, fillcolor=(1, 2))),
        (OutsideDomain, lambda x: Image.rotate(x, float("inf"))),
        (UnsupportedArgument, lambda x: Image.transform(x, (2, 3), Image.MESH, ())),
        (UnsupportedArgument, lambda x: Image.transform(x, (2, 3), 0, (1, 0, 0, 0, 1, 0), Image.BOX)),
        (
            UnsupportedArgument,
            lambda x: Image.transform(x[..., 0].astype(np.uint16), (2, 3), 1, (0, 0, 1, 1), 2),
        ),
        (WrongType, lambda x: Image.transform(x, (2, 3), 0)),
        (WrongType, lambda x: Image.transform(x, (2, 3), 0, (1, 0, 0))),
        (WrongType, lambda x: Image.transform(x, (2, 3), Image.EXTENT, (1, 0, 0, 4, 5))),
        (WrongType, lambda x: Image.transform(x, (2, 3), 0, tf.zeros([1, 6]))),
        (OutsideDomain, lambda x: Image.transform(x, (2, 3), 0, (1, 0, float("nan"), 0, 1, 0))),
        (OutsideDomain, lambda x: Image.transform(x, (0, 3), 1, (0, 0, 1, 1))),
        (UnsupportedArgument, lambda x: Image.transpose(x, 7)),
        (WrongType, lambda x: Image.transpose(x, "FLIP_LEFT_RIGHT")),
        (UnsupportedArgument, lambda x: Image.convert(x, "CMYK")),
        (UnsupportedArgument, lambda x: Image.convert(x, "1")),
        (OutsideDomain, lambda x: ImageOps.expand(x, -9)),
        (UnsupportedArgument, lambda x: ImageOps.expand(x, (1, 2, 3))),
        (OutsideDomain, lambda x: ImageOps.fit(x, (-1, 3))),
        (UnsupportedArgument, lambda x: ImageOps.pad(x, (3, 3), method=99)),
    ],
)
def test_errors_while_tracing(error: type[Exception], call: Any) -> None:
    with pytest.raises(error):
        call(picture(5, 6))


def test_sums_begin_with_zero() -> None:
    # Of -0.0 alone, too: to Pillow 0 + -0.0 is 0.
    image = np.full((3, 2), -0.0, np.float32)
    for compiled in (None, True):
        found = tf.function(lambda x: Image.resize(x, (1, 23)), jit_compile=compiled)(image)
        assert not np.signbit(found).any()


def transforms(draws: np.random.Generator, size: tuple[int, int]) -> list[tuple[int, list[float]]]:
    """Return methods of `transform` and their data: turned, upright, beyond fixed point, of corners."""
    width, height = size
    turned = [1 + draws.normal() / 3, draws.normal() / 3, draws.normal() * width / 4]
    turned += [draws.normal() / 3, 1 + draws.normal() / 3, draws.normal() * height / 4]
    corners = np.array([0, 0, 0, height, width, height, width, 0]) + draws.normal(0, 3, 8)
    return [
        (0, turned),
        (0, [turned[0], 0.0, *turned[2:3], 0.0, *turned[4:]]),
        (0, [turned[0] * 3000, turned[1], -turned[0] * 9000, *turned[3:]]),
        (1, [draws.normal(), draws.normal(), width + draws.normal(), height + draws.normal()]),
        (2, [*turned, draws.normal() / 50, -1 / 2.5]),
        (3, corners.tolist()),
    ]


@pytest.mark.parametrize("resample", [0, 2, 3])
@pytest.mark.parametrize(("height", "width", "channels"), [(64, 65, None), (520, 70, 4)])
def test_transform_at_real_sizes(resample: int, height: int, width: int, channels: int | None) -> None:
    x, out = picture(height, width, channels), (67, 200)
    for method, data in transforms(np.random.default_rng(height + resample), (width, height)):
        right = expected(x, "transform", out, method, data, resample, fillcolor=7)
        same(Image.transform(x, out, method, data, resample, fillcolor=7), right)

        def drawn(t: Any, numbers: Any, method: int = method) -> Any:
            return Image.transform(t, out, method, numbers, resample, fillcolor=7)

        numbers = np.array(data)
        same(tf.function(drawn)(x, tf.constant(numbers)), right)
        both = batched(Image.transform)(
            np.stack([x, x]), out, method, tf.stack([numbers * 2, numbers]), resample, fillcolor=7
        )
        same(both[1], right)


def test_transform_of_unknown_sizes_computes_in_the_dtype_of_its_data() -> None:
    specs = [tf.TensorSpec([None, None], tf.float32), tf.TensorSpec([4], tf.float32)]
    graph = tf.function(
        lambda t, size, box: Image.transform(t, size, Image.EXTENT, box),
        input_signature=[specs[0], tf.TensorSpec([2], tf.int32), specs[1]],
    )
    x = picture(40, 31, None).astype(np.float32)
    for seed in range(20):
        box = np.random.default_rng(seed).uniform(-3, 40, 4).astype(np.float32)
        right = expected(x, "transform", (31, 97), 1, box)
        same(graph(x, (31, 97), box), right)
        same(Image.transform(x, (31, 97), Image.EXTENT, box), right)


@pytest.mark.parametrize("resample", [0, 2, 3])
@pytest.mark.parametrize("dtype", ["uint8", "int32", "float32"])
def test_a_point_that_is_no_number(resample: int, dtype: str) -> None:
    x, data = picture(9, 8, None).astype(dtype), [1, 0, -2.5, 1, 0, -2.5, -1 / 2.5, 0]  # 0 / 0 in a column
    right = expected(x, "transform", (7, 6), 2, data, resample)
    same(Image.transform(x, (7, 6), 2, data, resample), right)
    graph = tf.function(lambda t, d: Image.transform(t, (7, 6), 2, d, resample), jit_compile=True)
    same(graph(x, tf.constant(data, tf.float64)), right)


def transformed(image: np.ndarray, left: float) -> np.ndarray:
    found = pillow.fromarray(image)
    found = found.transform(
        found.size, pillow.AFFINE, (1, 0.2, -left, 0, 1, 3), resample=pillow.BILINEAR, fillcolor=(1, 2, 3)
    )
    box = (left, 2, left + 20, 25)
    found = found.transform((30, 20), pillow.Transform.EXTENT, data=box, resample=pillow.Resampling.BICUBIC)
    found = found.transform(found.size, pillow.PERSPECTIVE, np.array([1, 0.1, 0, 0, 1, 0.2, 1e-3, 0]))
    return np.asarray(found.transform((16, 16), pillow.QUAD, (0, 0, 1, 20, 30, 19, left, 1)))


def test_a_body_with_transforms_is_ported() -> None:
    x = picture(40, 33)
    ported = port(transformed, example=(x, np.float32(2.5)))
    for left in (2.3, -1.7):
        same(tf.function(ported)(x, tf.constant(left)), transformed(x, np.float32(left)))
