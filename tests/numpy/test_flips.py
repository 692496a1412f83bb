"""Flips, quarter turns, rolls and transpositions beyond what Hypothesis draws."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import pipeport.numpy as pnp
from pipeport import batched, config
from pipeport.errors import BadAxis, OutsideDomain, UnsupportedArgument, WrongType

EVERY_DTYPE = (
    "bool",
    "uint8",
    "int8",
    "uint16",
    "int16",
    "uint32",
    "int32",
    "uint64",
    "int64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
)
OPS = {
    "fliplr": lambda lib, x: lib.fliplr(x),
    "flipud": lambda lib, x: lib.flipud(x),
    "flip": lambda lib, x: lib.flip(x),
    "rot90": lambda lib, x: lib.rot90(x, 3, (2, 0)),
    "roll": lambda lib, x: lib.roll(x, (2, -7), (1, 1)),
    "transpose": lambda lib, x: lib.transpose(x, (2, 0, -2)),
    "pad constant": lambda lib, x: lib.pad(
        x, ((1, 0), (0, 2), (3, 3)), constant_values=((1, 0), (1, 1), (0, 1))
    ),
    "pad wrap": lambda lib, x: lib.pad(x, 5, "wrap"),
    "pad odd": lambda lib, x: lib.pad(x, (4, 9), "symmetric", reflect_type="odd"),
}


def same(actual: object, expected: np.ndarray) -> None:
    value = np.asarray(actual)
    assert value.dtype == expected.dtype
    assert value.shape == expected.shape
    np.testing.assert_array_equal(value, expected)


@pytest.mark.parametrize("dtype", EVERY_DTYPE)
@pytest.mark.parametrize("name", OPS)
def test_every_dtype_tensorflow_has_works_eagerly_and_under_xla(name: str, dtype: str) -> None:
    if name == "pad odd" and np.lib.NumpyVersion(np.__version__) < "2.0.0":
        pytest.skip("NumPy 1 repeats reflections wider than the axis unevenly")
    x = (np.arange(24).reshape(2, 3, 4) % 11).astype(dtype)
    expected = OPS[name](np, x)
    same(OPS[name](pnp, x), expected)
    same(tf.function(lambda t: OPS[name](pnp, t), jit_compile=True)(tf.constant(x)), expected)


def test_lists_have_numpy_dtypes() -> None:
    assert pnp.fliplr([[1, 2]]).dtype == tf.int64
    assert pnp.fliplr([[1.0, 2.0]]).dtype == tf.float64
    assert pnp.flip([tf.constant(1.0), tf.constant(2.0)]).numpy().tolist() == [2.0, 1.0]


def test_a_variable_is_read() -> None:
    assert pnp.flip(tf.Variable([1, 2])).numpy().tolist() == [2, 1]


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
def test_empty_axes(shape: tuple[int, int]) -> None:
    x = np.zeros(shape, np.float32)
    same(pnp.fliplr(x), np.fliplr(x))
    same(pnp.rot90(x, 1), np.rot90(x, 1))
    same(pnp.roll(x, 3), np.roll(x, 3))
    same(pnp.roll(x, 3, 1), np.roll(x, 3, 1))


def test_rank_0() -> None:
    five = np.float32(5)
    same(pnp.flip(five), np.flip(np.asarray(five)))
    same(pnp.roll(five, 2), np.roll(five, 2))
    same(pnp.transpose(five), np.transpose(five))
    same(pnp.pad(five, 3), np.pad(five, 3))


def test_static_sizes_are_kept() -> None:
    spec = tf.TensorSpec([None, 5, 3], tf.uint8)

    def shape(function: object) -> list[int | None]:
        return tf.function(function).get_concrete_function(spec).output_shapes.as_list()

    assert shape(pnp.fliplr) == [None, 5, 3]
    assert shape(pnp.flip) == [None, 5, 3]
    assert shape(pnp.rot90) == [5, None, 3]
    assert shape(lambda x: pnp.rot90(x, 2)) == [None, 5, 3]
    assert shape(lambda x: pnp.roll(x, 4)) == [None, 5, 3]
    assert shape(pnp.transpose) == [3, 5, None]
    assert shape(lambda x: pnp.pad(x, ((1, 1), (2, 2), (0, 0)), "reflect")) == [None, 9, 3]


@pytest.mark.parametrize("op", [pnp.fliplr, pnp.flipud, pnp.flip, pnp.rot90, pnp.transpose])
def test_an_unknown_rank_works_and_is_checked_when_the_graph_runs(op: object) -> None:
    x = np.arange(6).reshape(2, 3)
    graph = tf.function(op, input_signature=[tf.TensorSpec(None, tf.int64)])
    same(graph(x), getattr(np, op.__name__)(x))
    if op in (pnp.fliplr, pnp.rot90):
        with pytest.raises(tf.errors.InvalidArgumentError, match="rank 2 or more"):
            graph(np.arange(3))


def test_an_unknown_rank_with_named_axes() -> None:
    x = np.arange(24).reshape(2, 3, 4)
    unknown = [tf.TensorSpec(None, tf.int64)]

    def run(function: object) -> tf.Tensor:
        return tf.function(function, input_signature=unknown)(x)

    same(run(lambda t: pnp.flip(t, (0, -1))), np.flip(x, (0, -1)))
    same(run(lambda t: pnp.rot90(t, 1, (-1, 0))), np.rot90(x, 1, (-1, 0)))
    same(run(lambda t: pnp.roll(t, (1, 2), (-1, 0))), np.roll(x, (1, 2), (-1, 0)))
    same(run(lambda t: pnp.transpose(t, (2, 0, 1))), np.transpose(x, (2, 0, 1)))
    with pytest.raises(tf.errors.InvalidArgumentError, match="another rank"):
        run(lambda t: pnp.transpose(t, (1, 0)))
    with pytest.raises(tf.errors.InvalidArgumentError, match="rank 5 or more"):
        run(lambda t: pnp.flip(t, 4))


class TestQuarterTurnsAsData:
    """rot90 with `k` as a tensor."""

    @pytest.mark.parametrize("k", [-3, 0, 1, 2, 7])
    @pytest.mark.parametrize("dtype", [tf.int32, tf.int64, tf.uint8])
    def test_agrees_with_numpy(self, k: int, dtype: tf.DType) -> None:
        if dtype == tf.uint8 and k < 0:
            pytest.skip("no negative numbers in uint8")
        x = np.arange(6).reshape(2, 3)
        spec = [tf.TensorSpec([2, 3], tf.int64), tf.TensorSpec([], dtype)]
        same(tf.function(pnp.rot90, input_signature=spec)(x, tf.constant(k, dtype)), np.rot90(x, k))

    def test_square_planes_keep_their_shape_and_compile(self) -> None:
        x = np.arange(18).reshape(3, 3, 2)
        graph = tf.function(pnp.rot90, jit_compile=True)
        same(graph(x, tf.constant(3)), np.rot90(x, 3))
        spec = tf.TensorSpec([3, 3, 2]), tf.TensorSpec([], tf.int32)
        assert tf.function(pnp.rot90).get_concrete_function(*spec).output_shapes == [3, 3, 2]

    def test_sizes_that_may_be_swapped_are_unknown(self) -> None:
        spec = tf.TensorSpec([3, 4, 2]), tf.TensorSpec([], tf.int32)
        found = tf.function(pnp.rot90).get_concrete_function(*spec).output_shapes
        assert found.as_list() == [None, None, 2]

    def test_a_batch_turns_each_element_by_its_own(self) -> None:
        x, k = np.arange(5 * 9).reshape(5, 3, 3), np.array([0, 1, 2, 3, -1])
        expected = np.stack([np.rot90(one, turns) for one, turns in zip(x, k, strict=True)])
        for jit in (False, True):
            same(tf.function(batched(pnp.rot90), jit_compile=jit)(x, k), expected)

    def test_a_batch_of_planes_that_are_not_square_takes_one_k(self) -> None:
        x = np.arange(12).reshape(2, 2, 3)
        same(batched(pnp.rot90)(x, tf.constant(1)), np.stack([np.rot90(one) for one in x]))
        with pytest.raises(UnsupportedArgument, match="2 x 3"):
            batched(pnp.rot90)(x, tf.constant([1, 0]))
        spec = [tf.TensorSpec([None, None, None], tf.int64), tf.TensorSpec([None], tf.int32)]
        graph = tf.function(batched(pnp.rot90), input_signature=spec)
        with pytest.raises(tf.errors.InvalidArgumentError, match="not square"):
            graph(x, tf.constant([1, 0]))
        # A size of 1 would broadcast against its transposition.
        with pytest.raises(tf.errors.InvalidArgumentError, match="not square"):
            graph(x[:, :1], tf.constant([1, 0]))

    def test_a_batch_with_another_number_of_turns_is_refused(self) -> None:
        with pytest.raises(OutsideDomain, match="as many entries as the batch"):
            batched(pnp.rot90)(np.zeros((2, 3, 3)), tf.constant([1, 0, 1]))


class TestShiftsAsData:
    """roll with `shift` as a tensor."""

    @pytest.mark.parametrize("axis", [None, 1, -1, (0, 1), (1, 1)])
    @pytest.mark.parametrize("shift", [3, -50])
    def test_scalars_agree_with_numpy(self, axis: object, shift: int) -> None:
        x = np.arange(12).reshape(3, 4)
        for jit in (False, True):
            graph = tf.function(lambda s: pnp.roll(x, s, axis), jit_compile=jit)
            same(graph(tf.constant(shift)), np.roll(x, shift, axis))

    def test_vectors_agree_with_numpy(self) -> None:
        x = np.arange(12).reshape(3, 4)
        graph = tf.function(pnp.roll)
        same(graph(x, tf.constant([1, -6]), (0, 1)), np.roll(x, (1, -6), (0, 1)))
        same(graph(x, tf.constant([1, 5]), 1), np.roll(x, (1, 5), 1))
        same(graph(x, [tf.constant(1), 2], (0, 1)), np.roll(x, (1, 2), (0, 1)))

    def test_beyond_64_bits_a_static_size_is_needed(self) -> None:
        x = np.arange(7)
        same(pnp.roll(x, 10**30), np.roll(x, 10**30))
        with pytest.raises(UnsupportedArgument, match="Beyond 64 bits"):
            tf.function(lambda t: pnp.roll(t, 10**30), input_signature=[tf.TensorSpec([None])])(x)

    @pytest.mark.parametrize("axis", [None, 0, (1,), (0, 1)])
    def test_a_batch_rolls_each_element_by_its_own(self, axis: object) -> None:
        x, shift = np.arange(2 * 12).reshape(2, 3, 4), np.array([[1, -2], [7, 0]])
        shift = shift[:, 0] if np.ndim(axis) == 0 else shift[:, : len(axis)]
        expected = np.stack([np.roll(one, s, axis) for one, s in zip(x, shift, strict=True)])
        for jit in (False, True):
            graph = tf.function(lambda s: batched(pnp.roll)(x, s, axis), jit_compile=jit)
            same(graph(tf.constant(shift)), expected)

    def test_a_batch_shares_python_shifts(self) -> None:
        x = np.arange(2 * 12).reshape(2, 3, 4)
        expected = np.stack([np.roll(one, (1, 2), (0, 1)) for one in x])
        same(batched(pnp.roll)(x, (1, 2), (0, 1)), expected)


REFUSED = [
    (
        "fliplr rank",
        lambda lib: lib.fliplr(np.zeros(3)),
        OutsideDomain,
        r"m: got rank 1; allowed: rank 2 or more",
    ),
    (
        "flipud rank",
        lambda lib: lib.flipud(np.zeros(())),
        OutsideDomain,
        r"m: got rank 0; allowed: rank 1 or more",
    ),
    (
        "flip axis",
        lambda lib: lib.flip(np.zeros(3), 1),
        BadAxis,
        r"axis: got 1; allowed: -1 to 0\. The array has rank 1",
    ),
    (
        "flip twice",
        lambda lib: lib.flip(np.zeros((2, 2)), (0, -2)),
        UnsupportedArgument,
        r"axis: got \(0, -2\); allowed: distinct axes\. Name",
    ),
    (
        "flip half",
        lambda lib: lib.flip(np.zeros(3), 0.5),
        WrongType,
        r"axis: got 0\.5; allowed: one whole number\. Round it",
    ),
    (
        "rot90 axes",
        lambda lib: lib.rot90(np.zeros((2, 2)), 1, (0, 0)),
        UnsupportedArgument,
        r"two different axes",
    ),
    (
        "rot90 one axis",
        lambda lib: lib.rot90(np.zeros((2, 2)), 1, (0,)),
        UnsupportedArgument,
        r"allowed: two axes",
    ),
    ("rot90 rank", lambda lib: lib.rot90(np.zeros(2)), OutsideDomain, r"allowed: -1 to 0\. `m` has rank 1"),
    (
        "rot90 text",
        lambda lib: lib.rot90(np.zeros((2, 2)), "1"),
        WrongType,
        r"k: got '1'; allowed: a whole number",
    ),
    (
        "roll count",
        lambda lib: lib.roll(np.zeros((2, 2)), (1, 2, 3), (0, 1)),
        UnsupportedArgument,
        r"give one shift or 2",
    ),
    ("roll axis", lambda lib: lib.roll(np.zeros(2), 1, 2), BadAxis, r"axis: got 2"),
    (
        "roll nested",
        lambda lib: lib.roll(np.zeros(2), [[1]], 0),
        UnsupportedArgument,
        r"shift: got \[\[1\]\]",
    ),
    ("roll rank 0", lambda lib: lib.roll(np.zeros(()), 1, ()), OutsideDomain, r"rank 1 or more"),
    (
        "transpose count",
        lambda lib: lib.transpose(np.zeros((2, 3)), (0,)),
        UnsupportedArgument,
        r"allowed: 2 axes",
    ),
    (
        "transpose twice",
        lambda lib: lib.transpose(np.zeros((2, 3)), (1, -1)),
        UnsupportedArgument,
        r"distinct axes",
    ),
    (
        "transpose axis",
        lambda lib: lib.transpose(np.zeros((2, 3)), (0, 2)),
        BadAxis,
        r"axes: got 2; allowed: -2 to 1",
    ),
]
KINDS = {BadAxis: (IndexError, ValueError), WrongType: TypeError}


@pytest.mark.parametrize(("call", "kind", "message"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED])
def test_what_numpy_refuses_is_refused_alike(call: object, kind: type[Exception], message: str) -> None:
    with pytest.raises(KINDS.get(kind, ValueError)):
        call(np)
    with pytest.raises(kind, match=message):
        call(pnp)


def test_errors_pass_autograph_unchanged() -> None:
    with pytest.raises(BadAxis, match=r"^axis: got 5"):
        tf.data.Dataset.from_tensors(np.zeros(3)).map(lambda x: pnp.flip(x, 5))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pnp.rot90(np.zeros((2, 2)), 1.5), "k: got 1.5"),
        (lambda: pnp.roll(np.zeros(2), 1.5), "shift: got 1.5"),
        (lambda: pnp.flip(np.zeros((1,) * 9)), "rank 9; allowed: rank 8"),
    ],
)
def test_what_only_we_refuse(call: object, message: str) -> None:
    with pytest.raises(UnsupportedArgument, match=message):
        call()


def test_whole_floats_count_as_integers() -> None:
    x = np.arange(6).reshape(2, 3)
    same(pnp.rot90(x, 3.0), np.rot90(x, 3.0))
    same(pnp.roll(x, 2.0), np.roll(x, 2))


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (tf.ragged.constant([[1], [2, 3]]), WrongType),
        (tf.sparse.from_dense([[1]]), WrongType),
        ([[1], [2, 3]], OutsideDomain),
        (["a"], OutsideDomain),
        (np.array([object()]), WrongType),
    ],
    ids=["ragged", "sparse", "uneven", "text", "objects"],
)
def test_inputs_that_are_no_arrays(value: object, kind: type[Exception]) -> None:
    with pytest.raises(kind, match=r"^m: got .*; allowed: .*\. \w+"):
        pnp.flip(value)


def test_axes_and_tensors_not_known_while_tracing_do_not_mix() -> None:
    with pytest.raises(UnsupportedArgument, match="axis: got a tensor not known while tracing"):
        tf.function(lambda a: pnp.flip(tf.zeros([2]), a))(tf.constant(0))
    assert pnp.flip(tf.constant([1, 2]), tf.constant(0)).numpy().tolist() == [2, 1]


def test_k_and_shift_must_be_integers_as_tensors() -> None:
    with pytest.raises(WrongType, match="k: got dtype float32"):
        tf.function(lambda k: pnp.rot90(tf.zeros([2, 2]), k))(tf.constant(1.0))
    with pytest.raises(WrongType, match="shift: got dtype float32"):
        tf.function(lambda s: pnp.roll(tf.zeros([2]), s))(tf.constant(1.0))


@pytest.mark.parametrize(
    ("policy", "dtype", "compiled"),
    [
        ("auto", "uint8", True),
        ("auto", "float32", False),
        ("always", "float32", True),
        ("never", "uint8", False),
    ],
)
def test_narrow_elements_are_transposed_by_xla_where_shapes_are_known(
    policy: str, dtype: str, compiled: bool
) -> None:
    def nested(function: object, shape: list[int | None]) -> bool:
        with config.use_jit(policy):
            graph = tf.function(function).get_concrete_function(tf.TensorSpec(shape, dtype)).graph
        return any("Call" in op.type for op in graph.get_operations())

    for function in (pnp.rot90, pnp.transpose):
        assert nested(function, [4, 5, 3]) == compiled
        assert not nested(function, [None, 5, 3])
    assert not nested(lambda x: pnp.rot90(x, 2), [4, 5, 3])
