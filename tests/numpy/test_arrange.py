"""Arranging arrays beyond what Hypothesis draws: every form of arguments, promotion, data, errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import pipeport.numpy as pnp
from pipeport import batched
from pipeport.errors import BadAxis, BadIndex, OutsideDomain, UnsupportedArgument, WrongType

NUMPY_2 = np.lib.NumpyVersion(np.__version__) >= "2.0.0"
X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
DTYPES = ["bool", "uint8", "uint16", "int32", "float16", "float64", "complex64"]


def same(actual: Any, expected: Any) -> None:
    value = np.asarray(actual)
    expected = np.asarray(expected)
    assert value.dtype == expected.dtype
    assert value.shape == expected.shape
    np.testing.assert_array_equal(value, expected)


def unknown_sizes(function: Callable[[Any], Any], x: Any) -> Any:
    """Run a function in a graph that knows no size, and check that it keeps the rank."""
    spec = [tf.TensorSpec([None] * np.ndim(x), np.asarray(x).dtype)]
    graph = tf.function(function, input_signature=spec).get_concrete_function()
    result = graph(tf.constant(x))
    assert graph.structured_outputs.shape.rank == result.shape.rank
    return result


def compiled(function: Callable[[Any], Any], x: Any) -> Any:
    return tf.function(function, jit_compile=True)(tf.constant(x))


CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "swapaxes": lambda np_, x: np_.swapaxes(x, 0, -1),
    "swapaxes with a NumPy integer": lambda np_, x: np_.swapaxes(x, np.int8(0), np.array(1)),
    "moveaxis": lambda np_, x: np_.moveaxis(x, -1, 0),
    "moveaxis of several": lambda np_, x: np_.moveaxis(x, [0, 1], (2, 0)),
    "moveaxis of none": lambda np_, x: np_.moveaxis(x, (), ()),
    "rollaxis": lambda np_, x: np_.rollaxis(x, 2),
    "rollaxis to the end": lambda np_, x: np_.rollaxis(x, 0, 3),
    "rollaxis from the end": lambda np_, x: np_.rollaxis(x, -3, -1),
    "expand_dims": lambda np_, x: np_.expand_dims(x, 1),
    "expand_dims at both ends": lambda np_, x: np_.expand_dims(x, [0, -1]),
    "expand_dims nowhere": lambda np_, x: np_.expand_dims(x, ()),
    "stack": lambda np_, x: np_.stack([x, x, x], axis=1),
    "stack of an array": lambda np_, x: np_.stack([x], axis=-1),
    "concatenate": lambda np_, x: np_.concatenate((x, x), axis=-2),
    "concatenate flat": lambda np_, x: np_.concatenate((x, x), axis=None),
    "tile": lambda np_, x: np_.tile(x, 2),
    "tile more axes": lambda np_, x: np_.tile(x, (2, 1, 3, 2)),
    "tile fewer axes": lambda np_, x: np_.tile(x, np.array([3, 2])),
    "tile nothing": lambda np_, x: np_.tile(x, ()),
    "tile away": lambda np_, x: np_.tile(x, (0, 2, 1)),
    "repeat": lambda np_, x: np_.repeat(x, 2),
    "repeat rows": lambda np_, x: np_.repeat(x, 3, axis=1),
    "repeat each otherwise": lambda np_, x: np_.repeat(x, [2, 0, 3], axis=-2),
    "repeat by a list of one": lambda np_, x: np_.repeat(x, [2], axis=0),
    "repeat by bool": lambda np_, x: np_.repeat(x, [True, False], axis=0),
    "take": lambda np_, x: np_.take(x, [0, 2, -1]),
    "take one": lambda np_, x: np_.take(x, -2, axis=1),
    "take a range": lambda np_, x: np_.take(x, [3, 2, 1, 0], axis=-1),
    "take every other": lambda np_, x: np_.take(x, [0, 2], axis=2),
    "take a table": lambda np_, x: np_.take(x, [[0, 1], [1, -2]], axis=0),
    "take a table from the middle": lambda np_, x: np_.take(x, np.int8([[[0], [2]]]), axis=1),
    "take nothing": lambda np_, x: np_.take(x, [], axis=1),
    "take around": lambda np_, x: np_.take(x, [-9, 7, 2, 3], axis=2, mode="wrap"),
    "take clipped": lambda np_, x: np_.take(x, [[-1, 9], [2, 0]], axis=1, mode="clip"),
    "take by bool": lambda np_, x: np_.take(x, [True, False], axis=0),
    "asarray": lambda np_, x: np_.asarray(x),
    "asarray of a dtype": lambda np_, x: np_.asarray(x, "float64"),
}


@pytest.mark.parametrize("name", CALLS)
def test_every_form_gives_what_numpy_gives(name: str) -> None:
    call = CALLS[name]
    expected = call(np, X)
    same(call(pnp, tf.constant(X)), expected)
    same(call(pnp, X), expected)
    same(unknown_sizes(lambda x: call(pnp, x), X), expected)


@pytest.mark.parametrize("name", CALLS)
def test_every_form_compiles_and_knows_its_shape(name: str) -> None:
    call = CALLS[name]
    expected = call(np, X)
    traced = tf.function(lambda x: call(pnp, x), jit_compile=True).get_concrete_function(tf.constant(X))
    assert traced.structured_outputs.shape == expected.shape
    same(traced(tf.constant(X)), expected)


def test_where_the_shape_is_known_the_body_is_compiled() -> None:
    for name in ("take a table", "repeat rows", "tile more axes"):
        call = CALLS[name]
        traced = tf.function(lambda x, call=call: call(pnp, x))
        library = traced.get_concrete_function(tf.constant(X)).graph.as_graph_def().library.function
        assert any(f.attr["_XlaMustCompile"].b for f in library)
        same(traced(tf.constant(X)), call(np, X))


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_has_a_kernel(dtype: str) -> None:
    x = (X % 5).astype(dtype)
    for call in CALLS.values():
        if call is not CALLS["asarray of a dtype"]:
            same(call(pnp, tf.constant(x)), call(np, x))


@pytest.mark.parametrize("name", ["stack", "tile more axes", "repeat rows", "take a table", "moveaxis"])
def test_a_batch_is_a_loop(name: str) -> None:
    call = CALLS[name]
    several = np.stack([X, X + 100, -X])

    class Batched:
        def __getattr__(self, name: str) -> Any:
            return batched(getattr(pnp, name))

    if name != "take a table":  # a table of indices is one per element there
        same(call(Batched(), several), np.stack([call(np, x) for x in several]))
    each = np.array([[0, 1], [1, -2], [0, 0]])
    expected = np.stack([np.take(x, i, axis=1) for x, i in zip(several, each, strict=True)])
    same(batched(pnp.take)(several, each, axis=1), expected)
    same(batched(pnp.take)(several, [2, 0], axis=1), np.stack([np.take(x, [2, 0], axis=1) for x in several]))


@pytest.mark.parametrize("dtype", [None, "float64", "float16"])
def test_dtypes_are_promoted_as_numpy_does(dtype: str | None) -> None:
    for one in DTYPES:
        for other in DTYPES:
            pair = [np.ones((2, 3), one), np.ones((2, 3), other)]
            for name in ("stack", "concatenate"):
                try:
                    expected = getattr(np, name)(pair, dtype=dtype)
                except TypeError:
                    with pytest.raises(WrongType, match="casts of the rule 'same_kind'"):
                        getattr(pnp, name)(pair, dtype=dtype)
                else:
                    same(getattr(pnp, name)(pair, dtype=dtype), expected)


@pytest.mark.parametrize("casting", ["no", "equiv", "safe", "same_kind", "unsafe"])
def test_casting_rules(casting: str) -> None:
    pair = [np.array([1.75, 2, 300]), np.array([7, 8], np.int16)]
    for dtype in ("float64", "float32", "int32", "uint8", "int16"):
        try:
            expected = np.concatenate(pair, dtype=dtype, casting=casting)
        except TypeError:
            with pytest.raises(WrongType, match="casts of the rule"):
                pnp.concatenate(pair, dtype=dtype, casting=casting)
        else:
            same(pnp.concatenate(pair, dtype=dtype, casting=casting), expected)

            def join(x: Any, dtype: str = dtype) -> Any:
                return pnp.concatenate([x, pair[1]], dtype=dtype, casting=casting)

            same(compiled(join, pair[0]), expected)


@pytest.mark.skipif(not NUMPY_2, reason="NumPy 1 looks at the values of numbers")
def test_python_numbers_leave_the_dtype_to_arrays() -> None:
    for number in (True, 2, 2.5):
        for dtype in ("uint8", "int32", "float16", "float32"):
            pair = (np.ones(2, dtype), number)
            same(pnp.concatenate(pair, axis=None), np.concatenate(pair, axis=None))
    same(pnp.concatenate((1, 2.5), axis=None), np.concatenate((1, 2.5), axis=None))
    same(pnp.stack([np.uint8(1), 2]), np.stack([np.uint8(1), 2]))


@pytest.mark.parametrize("axis", [None, 0, 1])
def test_indices_that_are_data(axis: int | None) -> None:
    x = X[0]
    graph = tf.function(lambda x, i, mode: pnp.take(x, i, axis, mode=mode))
    for mode in ("raise", "wrap", "clip"):
        for indices in ([0, -1, 2], [[1, 0], [-3, 2]], -2, np.zeros((0, 2), np.int64)):
            inside = np.asarray(indices)
            if mode != "raise":
                inside = inside * 5
            same(graph(tf.constant(x), tf.constant(inside), mode), np.take(x, inside, axis, mode=mode))
    with pytest.raises(tf.errors.InvalidArgumentError, match="one beyond the axis at run time"):
        graph(tf.constant(x), tf.constant([99]), "raise")
    with pytest.raises(tf.errors.InvalidArgumentError, match="one beyond the axis at run time"):
        graph(tf.constant(x), tf.constant([-99]), "raise")


def test_repetitions_that_are_data() -> None:
    graph = tf.function(lambda x, r: pnp.repeat(x, r, axis=1))
    for repeats in (2, [3], [1, 0, 2], 0):
        same(graph(tf.constant(X), tf.constant(repeats)), np.repeat(X, repeats, axis=1))
    with pytest.raises(tf.errors.InvalidArgumentError, match="a negative number at run time"):
        graph(tf.constant(X), tf.constant([1, -1, 1]))
    with pytest.raises(OutsideDomain, match="2 numbers for an axis of 3"):
        graph(tf.constant(X), tf.constant([1, 1]))
    length = [tf.TensorSpec([None, None, None]), tf.TensorSpec([None], tf.int64)]
    any_length = tf.function(lambda x, r: pnp.repeat(x, r, axis=1), input_signature=length)
    same(any_length(X, [2]), np.repeat(X, 2, axis=1))
    same(any_length(X, [0, 2, 1]), np.repeat(X, [0, 2, 1], axis=1))
    with pytest.raises(tf.errors.InvalidArgumentError):
        any_length(X, [1, 1])
    tiled = tf.function(pnp.tile)
    same(tiled(tf.constant(X), tf.constant([2, 1, 3])), np.tile(X, (2, 1, 3)))
    same(tiled(tf.constant(X), tf.constant(2)), np.tile(X, 2))
    one = tf.function(lambda x, r: pnp.tile(x, (1, r, 1)))(tf.constant(X), tf.constant(2))
    same(one, np.tile(X, (1, 2, 1)))
    with pytest.raises(tf.errors.InvalidArgumentError, match="a negative number at run time"):
        tiled(tf.constant(X), tf.constant([1, -2, 1]))


def test_a_size_known_at_run_time_alone_must_fit() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="2 numbers for another size at run time"):
        unknown_sizes(lambda x: pnp.repeat(x, [1, 2], axis=1), X)
    with pytest.raises(tf.errors.InvalidArgumentError, match="an axis of another size at run time"):
        unknown_sizes(lambda x: pnp.squeeze(x, 1), X)
    spec = [tf.TensorSpec([None, 3]), tf.TensorSpec([None, 3])]
    joined = tf.function(lambda a, b: pnp.concatenate([a, b], 1), input_signature=spec)
    assert joined.get_concrete_function().structured_outputs.shape.as_list() == [None, 6]
    with pytest.raises(tf.errors.InvalidArgumentError):
        joined(np.zeros((2, 3)), np.zeros((1, 3)))


@pytest.mark.parametrize("shape", [(1, 3, 1), (1, 1), (2, 3), (1,), (), (0, 1)])
def test_squeeze(shape: tuple[int, ...]) -> None:
    x = np.ones(shape, np.float32)
    same(pnp.squeeze(x), np.squeeze(x))
    same(pnp.squeeze(x, ()), np.squeeze(x, ()))
    ones = tuple(axis for axis, size in enumerate(shape) if size == 1)
    same(unknown_sizes(lambda t: pnp.squeeze(t, ones), x), np.squeeze(x, ones))
    lost = tf.function(pnp.squeeze, input_signature=[tf.TensorSpec([None] * len(shape))])
    same(lost(x), np.squeeze(x))
    for count in (0, 1, 3):
        several = np.ones((count, *shape), np.float32)
        expected = np.ones((count, *np.squeeze(x).shape), np.float32)
        same(batched(pnp.squeeze)(several), expected)
        same(tf.function(batched(pnp.squeeze), input_signature=[tf.TensorSpec([None] * (1 + len(shape)))])(
            several), expected)  # fmt: skip


def test_rank_zero() -> None:
    x = np.float32(3)
    same(pnp.repeat(x, 3, axis=0), np.repeat(x, 3, axis=0))
    same(pnp.take(x, [0, -1], axis=-1), np.take(x, [0, -1], axis=-1))
    same(pnp.squeeze(x, 0), np.squeeze(x, 0))
    same(pnp.tile(x, (2, 3)), np.tile(x, (2, 3)))


def test_taking_from_empty_arrays() -> None:
    for shape, indices, axis, mode in [
        ((2, 0), [1], 0, "raise"),
        ((0, 3), [], 0, "raise"),
        ((0, 0), [0], 0, "clip"),
        ((0, 0), [[4]], 1, "wrap"),
    ]:
        x = np.ones(shape)
        same(pnp.take(x, indices, axis, mode=mode), np.take(x, indices, axis, mode=mode))
    for mode in ("raise", "wrap", "clip"):
        with pytest.raises(IndexError):
            np.take(np.ones((0, 3)), [0], 0, mode=mode)
        with pytest.raises(BadIndex, match="the axis is empty"):
            pnp.take(np.ones((0, 3)), [0], 0, mode=mode)


class _Image:
    """Like an image of pipeport.PIL: the pixels are in the graph alone."""

    def __pipeport_array__(self) -> Any:
        return tf.constant(X)


def test_asarray_unwraps_images() -> None:
    same(pnp.asarray(_Image()), X)
    same(pnp.asarray(_Image(), dtype=np.uint8), X.astype(np.uint8))
    assert pnp.asarray(_Image(), tf.float16).dtype == tf.float16


def test_asarray_casts_as_numpy_does() -> None:
    x = np.array([-3.75, -0.5, 0, 0.5, 2.5, 254.9, 300.2])
    for dtype in ("bool", "uint8", "int8", "uint16", "int32", "int64", "float16", "float32", "complex64"):
        same(pnp.asarray(x, dtype), x.astype(dtype))
        same(compiled(lambda t, d=dtype: pnp.asarray(t, d), x), x.astype(dtype))
    same(pnp.asarray([300, 5], dtype=float), np.asarray([300, 5], dtype=float))
    same(pnp.asarray([[1, 2], [3, 4.5]]), np.asarray([[1, 2], [3, 4.5]]))
    same(pnp.asarray([tf.constant(1.7), tf.constant(2.2)], "int32"), np.array([1, 2], np.int32))


REFUSALS: list[tuple[str, tuple[Any, ...], dict[str, Any], type, str]] = [
    ("swapaxes", (X, 0, 3), {}, BadAxis, "axis2: got 3; allowed: -3 to 2"),
    ("swapaxes", (X, 0, 1.0), {}, WrongType, r"axis2: got 1\.0"),
    ("swapaxes", (X, (0,), 1), {}, WrongType, "axis1: got"),
    ("moveaxis", (X, 0, 3), {}, BadAxis, "destination: got 3"),
    ("moveaxis", (X, (0, 0), (0, 1)), {}, UnsupportedArgument, "distinct axes"),
    ("moveaxis", (X, (0, 1), 1), {}, UnsupportedArgument, "destination: got 1 axes; allowed: 2"),
    ("rollaxis", (X, 3), {}, BadAxis, "axis: got 3"),
    ("rollaxis", (X, 1, 4), {}, BadAxis, "start: got 4; allowed: -3 to 3"),
    ("rollaxis", (X, 1, 1.5), {}, WrongType, r"start: got 1\.5"),
    ("expand_dims", (X, 4), {}, BadAxis, "axis: got 4; allowed: -4 to 3"),
    ("expand_dims", (X, (0, 0)), {}, UnsupportedArgument, "distinct axes"),
    ("expand_dims", (X, None), {}, WrongType, "axis: got None"),
    ("expand_dims", (X, np.array([0, 1])), {}, WrongType, "one whole number"),
    ("squeeze", (X, 1), {}, OutsideDomain, "axis 1 of size 3; allowed: axes of size 1"),
    ("squeeze", (X, 5), {}, BadAxis, "axis: got 5"),
    ("squeeze", (np.ones((1, 1)), [0, 1]), {}, WrongType, "one whole number"),
    ("stack", ([],), {}, OutsideDomain, "at least one array"),
    ("stack", ([X, X[0]],), {}, OutsideDomain, "arrays of one shape"),
    ("stack", ([X, X[:, :2]],), {}, OutsideDomain, "arrays of one shape"),
    ("stack", ([X], 5), {}, BadAxis, "axis: got 5"),
    ("stack", (iter([X]),), {}, WrongType, "a list or tuple of arrays"),
    ("stack", ([X],), {"dtype": "int32"}, WrongType, "float32 to int32"),
    ("stack", ([X],), {"dtype": "bogus"}, WrongType, "dtypes TensorFlow has"),
    ("concatenate", ([],), {}, OutsideDomain, "at least one array"),
    ("concatenate", ([X, X[0]],), {}, OutsideDomain, "ranks 2 and 3; allowed: one rank"),
    ("concatenate", ([X, X[:, :2]],), {"axis": 2}, OutsideDomain, "one size on every axis but 2"),
    ("concatenate", ([1, 2],), {}, OutsideDomain, "rank 1 or more"),
    ("concatenate", ([X, X], 3), {}, BadAxis, "axis: got 3"),
    ("concatenate", ([X, X], 1.0), {}, WrongType, r"axis: got 1\.0"),
    ("concatenate", ([X, X],), {"casting": "bogus"}, UnsupportedArgument, "casting: got 'bogus'"),
    ("tile", (X, -1), {}, OutsideDomain, "reps: got -1"),
    ("tile", (X, 1.5), {}, WrongType, r"reps: got 1\.5"),
    ("tile", (X, None), {}, WrongType, "reps: got None"),
    ("repeat", (X, -1), {}, OutsideDomain, "repeats: got -1"),
    ("repeat", (X, [1, 2, 3]), {}, OutsideDomain, "3 numbers for an axis of 24"),
    ("repeat", (X, [1, 2, 3], 0), {}, OutsideDomain, "3 numbers for an axis of 2"),
    ("repeat", (X, [[1, 2]], 0), {}, OutsideDomain, r"shape \(1, 2\)"),
    ("repeat", (X, None), {}, WrongType, "repeats: got None"),
    ("repeat", (X, 2, 3), {}, BadAxis, "axis: got 3"),
    ("repeat", (X, 2, (0,)), {}, WrongType, "axis: got"),
    ("take", (X, 24), {}, BadIndex, "indices: got 24; allowed: -24 to 23"),
    ("take", (X, -4, 1), {}, BadIndex, "indices: got -4; allowed: -3 to 2"),
    ("take", (X, np.array([0.5])), {}, WrongType, "of dtype float64"),
    ("repeat", (X, np.array([1] * 24, np.uint64)), {}, WrongType, "of dtype uint64"),
    ("take", (X, None), {}, WrongType, "of dtype object"),
    ("take", (X, [[0], [1, 2]]), {}, OutsideDomain, "ragged"),
    ("take", (X, 0, 3), {}, BadAxis, "axis: got 3"),
    ("take", (X, 0, 1.0), {}, WrongType, r"axis: got 1\.0"),
    ("take", (X, 0), {"mode": "bogus"}, UnsupportedArgument, "mode: got 'bogus'; allowed: 'raise', 'wrap'"),
    ("asarray", ([300.5, "x"], "float32"), {}, OutsideDomain, "values float32 can hold"),
    ("asarray", ([[1], [2, 3]], "float32"), {}, OutsideDomain, "pad rows to one length"),
    ("asarray", ([1j], "float32"), {}, WrongType, "numbers for float32"),
    ("asarray", (X, "bogus"), {}, WrongType, "dtype: got 'bogus'"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "options", "ours", "message"), REFUSALS)
def test_what_numpy_refuses_is_refused_alike(
    name: str, arguments: tuple[Any, ...], options: dict[str, Any], ours: type, message: str
) -> None:
    theirs = next(kind for kind in (IndexError, TypeError, ValueError) if issubclass(ours, kind))
    with pytest.raises(theirs):
        getattr(np, name)(*arguments, **options)
    with pytest.raises(ours, match=message):
        getattr(pnp, name)(*arguments, **options)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("stack", {"out": X}),
        ("concatenate", {"out": X}),
        ("asarray", {"order": "C"}),
        ("asarray", {"copy": True}),
        ("asarray", {"device": "cpu"}),
        ("asarray", {"like": X}),
    ],
)
def test_what_has_no_meaning_for_tensors_is_refused(name: str, options: dict[str, Any]) -> None:
    (parameter,) = options
    with pytest.raises(UnsupportedArgument, match=f"{parameter}: got"):
        getattr(pnp, name)([X], **options)


def test_unknown_ranks_are_refused_by_name() -> None:
    for call in (pnp.squeeze, lambda t: pnp.take(t, 0), lambda t: pnp.stack([t])):
        with pytest.raises(UnsupportedArgument, match=r"an unknown rank; allowed: a known rank"):
            tf.function(call, input_signature=[tf.TensorSpec(None)]).get_concrete_function()


def test_a_generator_of_unknown_length_is_refused() -> None:
    with pytest.raises(UnsupportedArgument, match="a known number of arrays"):
        tf.function(pnp.stack, input_signature=[tf.TensorSpec([None, 3])]).get_concrete_function()
    same(pnp.stack(tf.constant(X), axis=1), np.stack(X, axis=1))
    same(pnp.concatenate(X, axis=1), np.concatenate(X, axis=1))
