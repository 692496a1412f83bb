"""`cv2.resize` at sizes people use, with sizes unknown while tracing, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest
import skimage.data
import tensorflow as tf

from pipeport import batched, config, seeds
from pipeport import cv2 as mirror
from pipeport.errors import OutsideDomain, PipeportWarning, UnsupportedArgument
from pipeport.kernels.opencv import _resize as kernel
from pipeport.kernels.opencv import _resize_stock as stock
from pipeport.kernels.opencv._resize_axis import Axis
from pipeport.kernels.xla import _by_xla

pytestmark = pytest.mark.both

cv2 = pytest.importorskip("cv2")

KINDS = range(7)
CUBIC = mirror.INTER_CUBIC
FRACTION = 0.004  # of 16-bit pixels that may be one level off; measured at most 0.003


@pytest.fixture(autouse=True)
def _installed_version():
    config.set_opencv(int(cv2.__version__.split(".")[0]))
    yield
    config.set_opencv(None)


def image(dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    generator = np.random.default_rng([*shape, *dtype.encode()])
    if dtype.startswith("float"):
        return generator.random(shape).astype(dtype)
    limits = np.iinfo(dtype)
    return generator.integers(limits.min, limits.max, shape, endpoint=True).astype(dtype)


def apart(dtype: str, right: np.ndarray, got: np.ndarray) -> None:
    """Raise unless the two agree as the contract says."""
    assert (right.dtype, right.shape) == (got.dtype, got.shape)
    error = np.abs(right.astype(np.float64) - got.astype(np.float64))
    if dtype.startswith("float"):
        assert error.max() <= 2e-6
    else:
        assert error.max() <= 1
        assert (error > 0).mean() <= (1e-4 if dtype == "uint8" else FRACTION)


@pytest.fixture
def every_bit():
    with config.use_bit_equal(True):
        yield


@pytest.mark.usefixtures("every_bit")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32"])
def test_sizes_people_use(dtype: str, kind: int) -> None:
    for height, width, dsize in ((256, 256, (224, 224)), (120, 160, (224, 100)), (64, 96, (48, 32))):
        x = image(dtype, (height, width, 3))
        right = cv2.resize(x, dsize, interpolation=kind)
        apart(dtype, right, mirror.resize(tf.constant(x), dsize, interpolation=kind).numpy())


@pytest.mark.usefixtures("every_bit")
@pytest.mark.parametrize("kind", [k for k in KINDS if k != mirror.INTER_CUBIC])
def test_bytes_are_equal(kind: int) -> None:
    for channels in (1, 2, 3, 5):
        x = image("uint8", (61, 47, channels))
        for options in ({"dsize": (80, 90)}, {"dsize": None, "fx": 0.5, "fy": 0.5}):
            if kind == mirror.INTER_AREA and channels == 5 and options["dsize"] is not None:
                options = {"dsize": (80, 200)}
            right = cv2.resize(x, interpolation=kind, **options)
            got = mirror.resize(tf.constant(x), interpolation=kind, **options).numpy()
            np.testing.assert_array_equal(right, got)


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "int16"])
def test_one_pixel_axes(dtype: str) -> None:
    for shape in ((1, 9, 3), (7, 1, 3), (1, 1, 3), (2, 3, 3)):
        x = image(dtype, shape)
        for kind in KINDS:
            right = cv2.resize(x, (5, 4), interpolation=kind).astype(int)
            got = mirror.resize(tf.constant(x), (5, 4), interpolation=kind).numpy().astype(int)
            assert np.abs(right - got).max() <= 1


def test_the_comparison_can_fail() -> None:
    x = image("uint8", (64, 64, 3))
    stock = tf.cast(tf.round(tf.image.resize(x, (48, 48))), tf.uint8).numpy()
    with pytest.raises(AssertionError):
        np.testing.assert_array_equal(cv2.resize(x, (48, 48)), stock)
    shifted = np.roll(cv2.resize(x, (48, 48)), 1, axis=1)
    with pytest.raises(AssertionError):
        apart("uint8", cv2.resize(x, (48, 48)), shifted)


@pytest.mark.usefixtures("every_bit")
@pytest.mark.parametrize("kind", KINDS)
def test_sizes_unknown_while_tracing(kind: int) -> None:
    x = image("uint8", (24, 36, 3))
    signature = [tf.TensorSpec([None, None, 3], tf.uint8)]
    # One trace per kind: halving, growing and shrinking all stand in the same graph.
    options = {"dsize": (18, 12)} if kind % 2 else {"dsize": None, "fx": 0.7, "fy": 1.3}

    def body(a):
        return mirror.resize(a, interpolation=kind, **options)

    got = tf.function(body, input_signature=signature)(x).numpy()
    np.testing.assert_array_equal(mirror.resize(x, interpolation=kind, **options).numpy(), got)


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_a_cast_before_changes_no_value(monkeypatch, channels):
    x = tf.constant(image("uint8", (1, 61, 47, channels)))
    size = Axis(61, 40, fits=True), Axis(47, 31, fits=True)
    monkeypatch.setattr(stock, "_CAST", 0)
    bytes_read = stock.linear(x, *size, turn=False)
    monkeypatch.setattr(stock, "_CAST", 9)
    np.testing.assert_array_equal(stock.linear(x, *size, turn=False), bytes_read)
    assert np.ptp(bytes_read) > 200


# What may differ by one level, of photographs and of noise: measured at most 0.067 and 0.0008.
NEAR = {mirror.INTER_LINEAR: 0.07, mirror.INTER_AREA: 0.001, mirror.INTER_NEAREST: 0.0, CUBIC: 1e-4}
PHOTOGRAPH = skimage.data.astronaut()
NOISE = image("uint8", (520, 500, 3))


@pytest.mark.parametrize("kind", NEAR)
def test_bytes_of_unknown_sizes_are_within_a_level(kind: int) -> None:
    traced = tf.function(
        lambda x: mirror.resize(x, (224, 160), interpolation=kind),
        input_signature=[tf.TensorSpec([None, None, 3], tf.uint8)],
    )
    # Any sizes, whole factors, one side equal, growing, a single row.
    sizes = ((367, 491), (320, 448), (480, 448), (160, 301), (333, 224), (64, 90), (1, 200))
    for whole in (PHOTOGRAPH, NOISE):
        for height, width in sizes:
            x = whole[:height, :width]
            error = np.abs(cv2.resize(x, (224, 160), interpolation=kind).astype(int) - traced(x).numpy())
            assert error.shape == (160, 224, 3)
            assert error.max() <= 1
            assert (error > 0).mean() <= NEAR[kind]


def test_means_of_two_by_two_are_equal_to_the_bit() -> None:
    x = tf.constant(NOISE[:480, :448])
    for kind in (mirror.INTER_LINEAR, mirror.INTER_AREA):
        found = mirror.resize(x, (224, 240), interpolation=kind)
        np.testing.assert_array_equal(cv2.resize(x.numpy(), (224, 240), interpolation=kind), found)


def test_the_setting_counts_when_a_graph_is_traced() -> None:
    """INTER_LINEAR of noise differs on one pixel in sixteen, unless every bit is asked for."""
    x = NOISE[:301, :222]
    right = cv2.resize(x, (100, 90))
    signature = [tf.TensorSpec([None, None, 3], tf.uint8)]
    near, exact = (
        tf.function(lambda x: mirror.resize(x, (100, 90)), input_signature=signature) for _ in "ab"
    )
    near(x)
    with config.use_bit_equal(True):
        np.testing.assert_array_equal(exact(x), right)
        assert (near(x).numpy() != right).any()
    np.testing.assert_array_equal(exact(x), right)


def test_nearest_pixels_of_every_size_are_equal() -> None:
    """The quotient of sizes is rounded as OpenCV does, also where XLA knows both: else ties go astray."""
    row = image("uint8", (1, 700))
    signature = [tf.TensorSpec([None, None], tf.uint8)]
    sides = (50, 224, 299)
    plain, compiled = (
        tf.function(
            lambda x: [mirror.resize(x, (side, 1), interpolation=mirror.INTER_NEAREST) for side in sides],
            input_signature=signature,
            jit_compile=jit,
        )
        for jit in (None, True)
    )
    for width in range(1, 700):
        x = row[:, :width]
        # Compiled anew for every size: the ties alone.
        found = [plain(x)] + ([compiled(x)] if width in (56, 112, 150, 448, 598, 650) else [])
        for side, *results in zip(sides, *found, strict=True):
            right = cv2.resize(x, (side, 1), interpolation=cv2.INTER_NEAREST)
            for result in results:
                np.testing.assert_array_equal(result, right)


@pytest.mark.parametrize("kind", [mirror.INTER_LINEAR, mirror.INTER_NEAREST, mirror.INTER_AREA])
def test_blue_first_is_turned_round_after_the_resize(kind: int, tmp_path) -> None:
    path = str(tmp_path / "photograph.png")
    cv2.imwrite(path, PHOTOGRAPH)

    def blue_first(path):
        return mirror.resize(mirror.imread(path), (100, 90), interpolation=kind)

    def red_first(path):
        return mirror.resize(mirror.imread(path, mirror.IMREAD_COLOR_RGB), (100, 90), interpolation=kind)

    signature = [tf.TensorSpec([], tf.string)]
    found, turned = (tf.function(f, input_signature=signature)(path) for f in (blue_first, red_first))
    np.testing.assert_array_equal(found, turned[..., ::-1])
    np.testing.assert_array_equal(found, blue_first(tf.constant(path)))


def test_a_size_that_is_data() -> None:
    x = image("float32", (20, 30, 3))

    @tf.function(input_signature=[tf.TensorSpec([20, 30, 3]), tf.TensorSpec([2], tf.int32)])
    def body(a, size):
        result = mirror.resize(a, size)
        assert result.shape.as_list() == [None, None, 3]
        return result

    for size in ((15, 10), (7, 40)):
        apart("float32", cv2.resize(x, size), body(x, size).numpy())
    with pytest.raises(tf.errors.InvalidArgumentError, match="dsize"):
        body(x, (0, 5))


@pytest.mark.usefixtures("every_bit")
def test_compiled_and_plain_give_equal_bytes() -> None:
    x = image("uint8", (40, 50, 3))
    for kind in KINDS:

        def body(a, kind=kind):
            return mirror.resize(a, (33, 27), interpolation=kind)

        results = []
        for policy in ("never", "always"):
            with config.use_jit(policy):
                results.append(tf.function(body)(tf.constant(x)).numpy())
        np.testing.assert_array_equal(*results)


@pytest.mark.usefixtures("every_bit")
@pytest.mark.parametrize("shape", [(1, 9, 3), (3, 2, 2), (90, 64, 3)])
@pytest.mark.parametrize(
    "kind", [mirror.INTER_LINEAR, mirror.INTER_CUBIC, mirror.INTER_AREA, mirror.INTER_LANCZOS4]
)
def test_compiled_taps_at_borders_and_over_wide_cells(shape: tuple[int, ...], kind: int) -> None:
    """Fewer pixels than taps, taps beyond both borders, cells of 4 and 19 pixels."""
    for dtype in ("uint8", "float32"):
        x = image(dtype, shape)
        body = tf.function(lambda a: mirror.resize(a, (15, 5), interpolation=kind))
        right, got = cv2.resize(x, (15, 5), interpolation=kind), body(tf.constant(x)).numpy()
        assert np.abs(right.astype(float) - got).max() <= (2e-6 if dtype == "float32" else kind == CUBIC)


def test_a_nan_stays_in_the_cells_that_hold_it() -> None:
    x = image("float32", (16, 16, 1))[..., 0]
    x[7, 8] = np.nan
    body = tf.function(lambda a: mirror.resize(a, (14, 14), interpolation=mirror.INTER_AREA))
    right = cv2.resize(x, (14, 14), interpolation=cv2.INTER_AREA)
    np.testing.assert_array_equal(np.isnan(right), np.isnan(body(tf.constant(x)).numpy()))


@pytest.mark.usefixtures("every_bit")
def test_a_batch_is_its_elements() -> None:
    x = image("uint8", (3, 12, 14, 3))
    each = np.stack([cv2.resize(one, (9, 20)) for one in x])
    np.testing.assert_array_equal(batched(mirror.resize)(tf.constant(x), (9, 20)).numpy(), each)


@pytest.mark.parametrize(("factor", "width"), [(0.5, 2), (0.25, 1), (1.5, 8), (2.5, 12)])
def test_sizes_round_to_even(factor: float, width: int) -> None:
    assert mirror.resize(tf.zeros([4, 5]), None, fx=factor, fy=1).shape.as_list() == [4, width]


def test_one_channel_loses_its_axis() -> None:
    assert mirror.resize(tf.zeros([4, 5, 1]), (3, 2)).shape.as_list() == [2, 3]


def test_opencv_4_and_5_part_at_ties() -> None:
    row, found = tf.range(2, dtype=tf.float32)[tf.newaxis], []
    for version in (4, 5):
        config.set_opencv(version)
        found.append(mirror.resize(row, (5, 1), interpolation=mirror.INTER_NEAREST_EXACT).numpy()[0, 2])
    assert found == [0.0, 1.0]


REFUSED = [
    ((4, 5), "uint8", {"dsize": None}),
    ((4, 5), "uint8", {"dsize": (0, 3)}),
    ((4, 5), "uint8", {"dsize": (3, 2, 1)}),
    ((4, 5), "uint8", {"dsize": (3.0, 2.0)}),
    ((4, 5), "uint8", {"dsize": 3}),
    ((4, 5), "uint8", {"dsize": (True, 2)}),
    ((4, 5), "uint8", {"dsize": None, "fx": 0.5}),
    ((4, 5), "uint8", {"dsize": None, "fx": -1.0, "fy": 1.0}),
    ((4, 5), "uint8", {"dsize": None, "fx": 0.01, "fy": 1.0}),
    ((4, 5), "uint8", {"dsize": None, "fx": float("nan"), "fy": 1.0}),
    ((4, 5), "uint8", {"dsize": None, "fx": "1", "fy": 1.0}),
    ((4, 5), "uint8", {"dsize": None, "fx": 1e10, "fy": 1.0}),
    ((4, 5), "uint8", {"dsize": (3, 2), "interpolation": 7}),
    ((4, 5), "uint8", {"dsize": (3, 2), "interpolation": 1.0}),
    ((4, 5), "uint8", {"dsize": (3, 2), "interpolation": True}),
    ((4, 5), "int32", {"dsize": (3, 2)}),
    ((4, 5), "float16", {"dsize": (3, 2), "interpolation": 2}),
    ((4, 6), "int8", {"dsize": (3, 2), "interpolation": 5}),
    ((4, 5, 5), "uint8", {"dsize": (3, 2), "interpolation": 3}),
    ((0, 5), "uint8", {"dsize": (3, 2)}),
    ((2, 4, 5, 3), "uint8", {"dsize": (3, 2)}),
    ((4, 5, 600), "uint8", {"dsize": (3, 2)}),
]


@pytest.mark.parametrize(("shape", "dtype", "options"), REFUSED)
def test_what_opencv_refuses_is_refused(shape, dtype, options) -> None:
    x = np.zeros(shape, dtype)
    with pytest.raises(cv2.error):
        cv2.resize(x, **options)
    with pytest.raises((OutsideDomain, UnsupportedArgument), match=r"got .*allowed"):
        mirror.resize(tf.constant(x), **options)


@pytest.mark.parametrize("dtype", ["int32", "float16", "int64"])
def test_equal_sizes_are_a_copy_for_every_dtype(dtype: str) -> None:
    x = np.arange(20).reshape(4, 5).astype(dtype)
    right = cv2.resize(x, (5, 4))
    got = mirror.resize(tf.constant(x), (5, 4)).numpy()
    assert got.dtype == right.dtype
    np.testing.assert_array_equal(got, right)


@pytest.mark.parametrize("number", [cv2.INTER_NEAREST, 0.5, True])
def test_a_number_is_no_destination(number: float) -> None:
    """OpenCV takes one and ignores it: people mean the interpolation."""
    x = np.random.default_rng(0).integers(0, 255, [9, 8], np.uint8)
    with pytest.warns(PipeportWarning, match="dst: got the number .*by name"):
        found = mirror.resize(x, (3, 5), number)
    np.testing.assert_array_equal(found, mirror.resize(x, (3, 5)))
    np.testing.assert_array_equal(cv2.resize(x, (3, 5), number), cv2.resize(x, (3, 5)))


def test_a_destination_is_refused() -> None:
    with pytest.raises(UnsupportedArgument, match="dst"):
        mirror.resize(tf.zeros([4, 5]), (3, 2), np.int64(1))
    with pytest.raises(UnsupportedArgument, match="dst"):
        mirror.resize(tf.zeros([4, 5]), (3, 2), tf.zeros([2, 3]))


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(
    ("size", "out"),
    [
        ((100, 100), (300, 300)),
        ((24, 10), (35, 22)),
        ((18, 34), (34, 20)),
        ((480, 640), (224, 224)),
        ((1, 6), (14, 14)),
    ],
)
def test_linear_resizing_in_a_graph_that_the_user_compiles(size, out, known):
    # TensorFlow's own kernel under XLA takes pixels beside those it weighs: up to 254 levels off.
    image = np.random.default_rng(17).integers(0, 256, (*size, 3), np.uint8)
    row = tf.TensorSpec(image.shape if known else (None, None, 3), tf.uint8)
    expected = np.asarray(mirror.resize(image, out[::-1]), int)
    for compiled in (True, None):
        run = tf.function(lambda x: mirror.resize(x, out[::-1]), jit_compile=compiled)
        found = np.asarray(run.get_concrete_function(row)(tf.constant(image)), int)
        assert np.abs(found - expected).max() <= 1
    [other] = tf.data.Dataset.from_tensors(image).map(lambda x: mirror.resize(x, out[::-1]))
    np.testing.assert_array_equal(other, expected)


@pytest.mark.parametrize("batch", [0, 1, 3])
def test_a_graph_finds_out_that_xla_compiles_it(batch):
    def says(images):
        return _by_xla.where_compiled(images, lambda: tf.constant(True), lambda: tf.constant(False))

    images = tf.constant(np.random.default_rng(3).integers(0, 256, (batch, 4, 5, 3), np.uint8))
    row = tf.TensorSpec([None, None, None, 3], tf.uint8)
    assert bool(tf.function(says, jit_compile=True, input_signature=[row])(images))
    # No image has no pixels: either form serves it.
    assert batch == 0 or not bool(tf.function(says, input_signature=[row])(images))
    outer = tf.function(tf.function(says), jit_compile=True)
    assert bool(outer(images))


def test_a_crop_of_drawn_size_is_resized_in_a_graph_that_the_user_compiles():
    image = np.random.default_rng(5).integers(0, 256, (90, 120, 3), np.uint8)

    def cut_and_resized(pixels, shares):
        sides = tf.cast(tf.round(tf.sqrt(shares) * [90.0, 120.0]), tf.int32)
        part = tf.slice(pixels, tf.stack([90 - sides[0], 0, 0]), tf.concat([sides, [3]], 0))
        return mirror.resize(part, (50, 30))

    def drawn(pixels, seed):
        return cut_and_resized(pixels, seeds.uniform(seed, [2]))

    compiled = tf.function(drawn, jit_compile=True, autograph=False)
    if tf.__version__.startswith("2.15."):
        with pytest.raises(tf.errors.UnimplementedError, match="dynamic dimension"):
            compiled(tf.constant(image), tf.constant([8, 0], tf.int64))
        return
    for index in range(3):
        seed = tf.constant([8, index], tf.int64)
        right = np.asarray(drawn(tf.constant(image), seed), int)
        assert np.abs(compiled(tf.constant(image), seed).numpy() - right).max() <= 1


def _table() -> list[list[str]]:
    """Return the rows of the table at the head of the kernel."""
    lines = [line.strip("| ") for line in kernel.__doc__.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.split("|")] for line in lines[1:]]


def _rows(dtype: str, interpolation: str, to: str) -> list[str]:
    """Return the kernels that the table names for images whose sizes are known, unknown, and eagerly."""
    for *wanted, known, unknown, eager in _table():
        if all(cell in ("any", own) for cell, own in zip(wanted, (dtype, interpolation, to), strict=True)):
            return [known, unknown, eager]
    raise AssertionError("the last row fits everything")


def _chosen(monkeypatch: pytest.MonkeyPatch, dtype: str, interpolation: str, to: str) -> list[str]:
    """Return the kernels that run."""
    found: list[str] = []
    own = kernel.kernel_of

    def noted(*args: object) -> object:
        chosen = own(*args)
        found.append(chosen.__name__)
        return chosen

    monkeypatch.setattr(kernel, "kernel_of", noted)
    size = {"dsize": (6, 5)} if to == "dsize" else {"dsize": None, "fx": 0.5, "fy": 0.75}

    def resized(x: tf.Tensor) -> tf.Tensor:
        return mirror.resize(x, interpolation=getattr(mirror, f"INTER_{interpolation}"), **size)

    for shape in ((8, 12, 3), (None, None, 3)):
        tf.function(resized, autograph=False).get_concrete_function(tf.TensorSpec(shape, dtype))
    resized(image(dtype, (8, 12, 3)))
    return found


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
@pytest.mark.parametrize("interpolation", ["NEAREST", "LINEAR", "CUBIC", "AREA"])
@pytest.mark.parametrize("to", ["dsize", "factors"])
def test_the_table_is_what_the_kernel_chooses(
    monkeypatch: pytest.MonkeyPatch, dtype: str, interpolation: str, to: str
) -> None:
    assert _chosen(monkeypatch, dtype, interpolation, to) == _rows(dtype, interpolation, to)


def test_settings_skip_rows_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    with config.use_bit_equal(True):
        assert _chosen(monkeypatch, "uint8", "LINEAR", "dsize") == [
            "by_program",
            "by_operations",
            "by_operations",
        ]
    with config.use_jit("always"):
        assert _chosen(monkeypatch, "uint8", "AREA", "dsize") == [
            "by_program",
            "by_stock_area",
            "by_stock_area",
        ]
    with config.use_jit("never"):
        eager = _rows("float32", "LINEAR", "dsize")[2]
        assert _chosen(monkeypatch, "float32", "LINEAR", "dsize") == [eager] * 3
