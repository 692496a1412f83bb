"""Padding beyond what Hypothesis draws: wide borders, every form of widths, options, errors."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import pipeport.numpy as pnp
from pipeport import batched
from pipeport.errors import BadAxis, OutsideDomain, UnsupportedArgument, WrongType

NUMPY_2 = np.lib.NumpyVersion(np.__version__) >= "2.0.0"
needs_numpy_2 = pytest.mark.skipif(not NUMPY_2, reason="NumPy 1 pads otherwise, or not at all")
MODES = ("constant", "edge", "reflect", "symmetric", "wrap")
REPEATING = [m for m in MODES if m != "constant"]


def same(actual: object, expected: np.ndarray) -> None:
    value = np.asarray(actual)
    assert value.dtype == expected.dtype
    assert value.shape == expected.shape
    np.testing.assert_array_equal(value, expected)


@needs_numpy_2
@pytest.mark.parametrize("reflect_type", ["even", "odd"])
@pytest.mark.parametrize("mode", ["reflect", "symmetric"])
@pytest.mark.parametrize("dtype", ["uint8", "float32", "bool"])
def test_reflections_wider_than_the_axis(dtype: str, mode: str, reflect_type: str) -> None:
    for size in (1, 2, 3, 5):
        x = (np.linspace(-1, 1, size) ** 3 * 100).astype(dtype)
        for widths in ((0, 1), (3, 0), (7, 40), (40, 7), (65, 64)):
            expected = np.pad(x, widths, mode, reflect_type=reflect_type)
            same(pnp.pad(x, widths, mode, reflect_type=reflect_type), expected)


@needs_numpy_2
@pytest.mark.parametrize("mode", ["reflect", "symmetric"])
def test_odd_reflections_of_a_size_unknown_while_tracing(mode: str) -> None:
    spec = [tf.TensorSpec([None], tf.float32)]
    graph = tf.function(lambda t: pnp.pad(t, (19, 4), mode, reflect_type="odd"), input_signature=spec)
    for size in (1, 2, 3, 30):
        x = np.linspace(-1, 1, size, dtype=np.float32) ** 3
        same(graph(x), np.pad(x, (19, 4), mode, reflect_type="odd"))


@needs_numpy_2
def test_odd_reflections_of_infinities_and_nan() -> None:
    x = np.array([np.inf, 1, np.nan, -np.inf, 2])
    with np.errstate(invalid="ignore"):
        expected = np.pad(x, 23, "reflect", reflect_type="odd")
    same(pnp.pad(x, 23, "reflect", reflect_type="odd"), expected)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "widths",
    [2, (2,), [2], (1, 2), [[1, 2]], ((1, 0), (0, 2)), [[1], [2]], np.array([[2, 1], [1, 1]]), np.int8(1)],
    ids=str,
)
def test_every_form_of_widths(mode: str, widths: object) -> None:
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    same(pnp.pad(x, widths, mode), np.pad(x, widths, mode))


@needs_numpy_2
@pytest.mark.parametrize("widths", [{}, {0: 1}, {-1: (2, 0)}, {0: (1, 2), 1: 3}, {0: 1, -2: 2}], ids=str)
def test_widths_by_axis(widths: dict[int, object]) -> None:
    x = np.arange(12).reshape(3, 4)
    for mode in MODES:
        same(pnp.pad(x, widths, mode), np.pad(x, widths, mode))


@pytest.mark.parametrize(
    "fill",
    [7, -1.5, True, np.float64(2.9), (1, 2), [(1, 2), (3, 4)], [[1], [2]], np.nan, np.array([[5, 6]])],
    ids=str,
)
@pytest.mark.parametrize("dtype", ["bool", "int32", "float16", "float64"])
def test_constants_are_cast_as_numpy_assigns_them(fill: object, dtype: str) -> None:
    x = np.ones((2, 3), dtype)
    try:
        expected = np.pad(x, ((1, 2), (2, 0)), constant_values=fill)
    except ValueError:
        with pytest.raises(OutsideDomain):
            pnp.pad(x, ((1, 2), (2, 0)), constant_values=fill)
    else:
        same(pnp.pad(x, ((1, 2), (2, 0)), constant_values=fill), expected)


@pytest.mark.parametrize("fill", [np.float32(2.75), np.float64(-300.5), np.int64(400), np.uint8(7), np.True_])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int16, np.uint8])
def test_one_number_may_be_known_only_at_run_time(fill, dtype):
    x = np.arange(6).reshape(2, 3).astype(dtype)
    expected = np.pad(x, ((1, 2), (2, 0)), constant_values=fill)
    graph = tf.function(lambda x, fill: pnp.pad(x, ((1, 2), (2, 0)), constant_values=fill))
    same(graph(tf.constant(x), tf.constant(fill)), expected)


def test_several_numbers_are_known_while_tracing():
    graph = tf.function(lambda fills: pnp.pad(np.ones(3), 1, constant_values=fills))
    with pytest.raises(
        UnsupportedArgument, match=r"a tensor of shape \(2,\); allowed: a tensor of shape \(\)"
    ):
        graph(tf.constant([1.0, 2.0]))


def test_negative_zero_is_its_own_constant() -> None:
    x = np.ones(2, np.float32)
    padded = pnp.pad(x, 1, constant_values=(0.0, -0.0)).numpy()
    assert np.signbit(padded).tolist() == [False, False, False, True]


@needs_numpy_2
def test_constants_beyond_the_dtype_are_refused_as_in_numpy() -> None:
    x = np.zeros((2, 2), np.uint8)
    fills = [(300, 0), (0, 0)]
    with pytest.raises(OverflowError):
        np.pad(x, 1, constant_values=fills)
    with pytest.raises(OutsideDomain, match="constant_values: got 300; allowed: values uint8 can hold"):
        pnp.pad(x, 1, constant_values=fills)


@pytest.mark.parametrize("mode", MODES)
def test_widths_as_tensors(mode: str) -> None:
    """The body people write to bring images of any size to one."""

    def to_square(image: tf.Tensor) -> tf.Tensor:
        missing = 6 - tf.shape(image)[0]
        padded = pnp.pad(image, ((0, missing), (missing, 2 * missing), (0, 0)), mode)
        assert padded.shape.as_list() == [None, None, 3]
        return padded

    x = np.arange(4 * 3 * 3, dtype=np.float32).reshape(4, 3, 3)
    graph = tf.function(to_square, input_signature=[tf.TensorSpec([None, 3, 3])])
    if NUMPY_2 or mode in ("constant", "edge", "wrap"):
        same(graph(x), np.pad(x, ((0, 2), (2, 4), (0, 0)), mode))
    with pytest.raises(tf.errors.InvalidArgumentError, match="a negative number at run time"):
        graph(np.zeros((9, 3, 3), np.float32))


def test_a_whole_tensor_of_widths() -> None:
    x = np.arange(4)
    graph = tf.function(lambda w: pnp.pad(x, w, "wrap"))
    same(graph(tf.constant([3, 1])), np.pad(x, (3, 1), "wrap"))
    same(graph(tf.constant(2)), np.pad(x, 2, "wrap"))


def test_odd_needs_known_widths() -> None:
    with pytest.raises(UnsupportedArgument, match="integers for 'odd'"):
        tf.function(lambda w: pnp.pad(np.arange(4), w, "reflect", reflect_type="odd"))(tf.constant(1))


def test_an_unknown_rank_is_taken_from_one_pair_per_axis() -> None:
    x = np.arange(6).reshape(2, 3)
    spec = [tf.TensorSpec(None, tf.int64)]
    graph = tf.function(lambda t: pnp.pad(t, ((1, 1), (0, 2))), input_signature=spec)
    same(graph(x), np.pad(x, ((1, 1), (0, 2))))
    with pytest.raises(tf.errors.InvalidArgumentError, match="rank 2, as in `pad_width`"):
        graph(np.arange(3))
    with pytest.raises(OutsideDomain, match="a rank known while tracing"):
        tf.function(lambda t: pnp.pad(t, 1), input_signature=spec)(x)


@pytest.mark.parametrize("mode", REPEATING)
def test_only_constants_extend_empty_axes(mode: str) -> None:
    x = np.zeros((0, 3))
    same(pnp.pad(x, ((1, 1), (0, 2))), np.pad(x, ((1, 1), (0, 2))))
    same(pnp.pad(x, ((0, 0), (1, 2)), mode), np.pad(x, ((0, 0), (1, 2)), mode))
    with pytest.raises(ValueError, match="can't extend empty axis 0"):
        np.pad(x, 1, mode)
    with pytest.raises(OutsideDomain, match="array: got an empty axis 0; allowed: at least one element"):
        pnp.pad(x, 1, mode)
    graph = tf.function(lambda t: pnp.pad(t, 1, mode), input_signature=[tf.TensorSpec([None, 3])])
    with pytest.raises(tf.errors.InvalidArgumentError, match="an empty axis 0 at run time"):
        graph(x.astype(np.float32))


@pytest.mark.parametrize("mode", MODES)
def test_a_batch_pads_each_element(mode: str) -> None:
    x = np.arange(2 * 3 * 4, dtype=np.uint8).reshape(2, 3, 4)
    form = pnp.pad.__pipeport_batch_form__
    expected = np.stack([np.pad(one, ((1, 2), (0, 3)), mode) for one in x])
    same(form(x, ((1, 2), (0, 3)), mode), expected)
    same(batched(pnp.pad)(x, ((1, 2), (0, 3)), mode), expected)


@pytest.mark.parametrize(
    ("arguments", "options", "kind", "ours", "message"),
    [
        ((1.0,), {}, TypeError, WrongType, r"pad_width: got 1\.0 of dtype float64; allowed: whole numbers"),
        ((np.uint8(1),), {}, TypeError, WrongType, "signed integers"),
        ((True,), {}, TypeError, WrongType, "of dtype bool"),
        ((None,), {}, TypeError, WrongType, "pad_width"),
        (([],), {}, TypeError, WrongType, "pad_width"),
        ((-1,), {}, ValueError, UnsupportedArgument, "To remove elements, slice the array"),
        (((0, -1),), {}, ValueError, UnsupportedArgument, "whole numbers from 0"),
        ((((1, 1),) * 3,), {}, ValueError, UnsupportedArgument, r"shape \(3, 2\); allowed: .*\(2, 2\)"),
        ((((1, 1), (1,)),), {}, ValueError, UnsupportedArgument, "one entry for every axis"),
        (
            (1, "wrapped"),
            {},
            ValueError,
            UnsupportedArgument,
            r"mode: got 'wrapped'; allowed: 'constant', 'edge'",
        ),
        ((1, 3), {}, ValueError, UnsupportedArgument, "mode: got 3"),
        ((1, ["edge"]), {}, TypeError, WrongType, "Name one mode"),
        ((1, "edge"), {"constant_values": 1}, ValueError, UnsupportedArgument, "no options for this mode"),
        ((1, "reflect"), {"constant_values": 1}, ValueError, UnsupportedArgument, "only `reflect_type`"),
        ((1,), {"fill": 1}, ValueError, UnsupportedArgument, r"fill: got it with mode='constant'"),
        ((1,), {"constant_values": (1, 2, 3)}, ValueError, UnsupportedArgument, r"shape \(3,\)"),
        ((1,), {"constant_values": "x"}, ValueError, OutsideDomain, "values int64 can hold"),
    ],
)
def test_what_numpy_refuses_is_refused_alike(
    arguments: tuple[object, ...], options: dict[str, object], kind: type, ours: type, message: str
) -> None:
    x = np.zeros((2, 2), np.int64)
    with pytest.raises(kind):
        np.pad(x, *arguments, **options)
    with pytest.raises(ours, match=message):
        pnp.pad(x, *arguments, **options)


@needs_numpy_2
def test_a_dictionary_with_an_axis_too_many() -> None:
    with pytest.raises(IndexError):
        np.pad(np.zeros((2, 2)), {2: 1})
    with pytest.raises(BadAxis, match="pad_width: got axis 2; allowed: axes -2 to 1"):
        pnp.pad(np.zeros((2, 2)), {2: 1})
    with pytest.raises(WrongType, match=r"pad_width\[0\]: got 1\.5"):
        pnp.pad(np.zeros((2, 2)), {0: 1.5})


def test_callable_modes_are_refused() -> None:
    with pytest.raises(UnsupportedArgument, match="mode: got a callable"):
        pnp.pad(np.zeros(2), 1, lambda *_: None)


def test_an_unknown_reflect_type_is_refused() -> None:
    with pytest.raises(UnsupportedArgument, match="reflect_type: got 'Odd'; allowed: 'even', 'odd'"):
        pnp.pad(np.zeros(3), 1, "reflect", reflect_type="Odd")


def test_ranks_beyond_the_kernel_are_refused() -> None:
    with pytest.raises(UnsupportedArgument, match="rank 7; allowed: rank 6 or less"):
        pnp.pad(np.zeros((1,) * 7), 1)
