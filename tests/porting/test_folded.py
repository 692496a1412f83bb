"""What is known while tracing leaves no operation behind; what is not known stays as it is."""

from __future__ import annotations

import random

import numpy as np
import pytest
import tensorflow as tf

from pipeport import _tensorflow_private, config, seeds
from pipeport.porting import port
from pipeport.porting.optimise._facts import facts_of
from pipeport.porting.optimise._fold import FoldedGraph
from pipeport.porting.optimise._partition import emitted
from pipeport.porting.optimise._ranges import RULES
from pipeport.porting.optimise._traced import Traced, traced


def in_a_graph(function, *arguments):
    def run(seed, *given):
        with seeds.ambient(seed):
            return port(function)(*given)

    specs = [tf.TensorSpec(np.shape(one), one.dtype) for one in arguments]
    with config.use_jit("never"):
        return tf.function(run, autograph=False).get_concrete_function(tf.TensorSpec([2], tf.int64), *specs)


def kinds(concrete):
    """The operations that run of a traced function and of those it calls, without what costs nothing."""
    definition = concrete.graph.as_graph_def()
    nodes = list(definition.node)
    for one in definition.library.function:
        named = {node.name: node for node in one.node_def}
        wanted = [*one.ret.values(), *one.control_ret.values()]
        needed = {}
        while wanted:
            name = wanted.pop().lstrip("^").partition(":")[0]
            if name in named and name not in needed:
                needed[name] = named[name]
                wanted.extend(named[name].input)
        nodes.extend(needed.values())
    return [one.op for one in nodes if one.op not in ("Const", "Identity", "Placeholder", "NoOp")]


# Bounds hold.


def computed(whole, positive, real, row):
    """Tensors of every operation with a rule."""
    truth = whole > 2
    yield from (whole + row, whole - positive, whole * positive, -whole, whole // positive, whole % positive)
    yield from (tf.maximum(whole, row), tf.minimum(whole, row), tf.sign(whole), tf.raw_ops.Add(x=row, y=row))
    yield from (positive ** tf.abs(positive), tf.cast(whole, tf.float32), tf.cast(real, tf.int32))
    yield from (
        tf.cast(whole, tf.bool),
        tf.cast(tf.cast(real, tf.float32), tf.int64),
        tf.cast(whole, tf.uint8),
    )
    yield from (tf.bitwise.right_shift(whole, tf.constant(2, tf.int64)), tf.bitwise.bitwise_and(whole, 63))
    yield from (tf.bitwise.bitwise_and(row, positive), tf.bitwise.bitwise_and(positive, 255))
    yield from (
        real + 0.3,
        real - real,
        real * -1.7,
        real / tf.cast(positive, tf.float64),
        -real,
        tf.sign(real),
    )
    yield from (
        tf.floor(real),
        tf.math.ceil(real),
        tf.round(real),
        tf.math.rint(real),
        tf.sqrt(real * real + 1.0),
    )
    yield from (tf.math.is_finite(real), tf.math.is_nan(real), real < 0.5, real >= 0.5)
    yield from (whole < row, whole <= row, whole > row, whole >= row, tf.equal(whole, row))
    yield from (tf.not_equal(whole, row), tf.equal(whole, 40), tf.not_equal(whole, 40), truth)
    yield from (truth & (whole < 5), truth | (whole < 5), ~truth, tf.where(truth, whole, row))
    yield from (tf.where(whole > -99, whole, row), tf.reduce_all(row > 1, 0), tf.reduce_any(row > 1))
    yield from (tf.stack([whole, positive]), tf.concat([row, row + 1], 0), row[1:], row[0], row[::-1])
    yield from (*tf.unstack(row), *tf.split(row, 2), tf.reshape(row, [2, 2]), tf.expand_dims(row, 1))
    yield from (tf.squeeze(row[:1]), tf.ensure_shape(row, [4]), tf.identity(row), tf.raw_ops.Shape(input=row))
    yield from (tf.raw_ops.Fill(dims=[2, 2], value=whole), tf.reduce_all(tf.reshape(row > 1, [2, 2]), 1))
    yield from (tf.gather(row, [1, 3]), tf.gather(tf.reshape(row, [2, 2]), [0, 1, 1], axis=1))
    yield from (tf.range(3, 11, 2), tf.bitwise.right_shift(positive * 8 + 5, tf.constant(3, tf.int64)))
    yield _tensorflow_private.kept(row)


def test_what_is_known_holds_for_all_that_is_drawn():
    with tf.Graph().as_default() as graph, tf.compat.v1.Session() as session:
        bits = tf.compat.v1.placeholder(tf.int64, [7])
        small = tf.bitwise.bitwise_and(bits, 15) - 6
        list(computed(small[0], small[1] + 7, tf.cast(small[2], tf.float64) / 7.0, small[3:]))
        used = {node.type for node in graph.get_operations()}
        assert used >= set(RULES)
        known = facts_of(graph)
        rows = [(one, known.of(one)) for node in graph.get_operations() for one in node.outputs]
        rows = [(one, fact) for one, fact in rows if fact is not None and one is not bits]
        assert sum(fact.exact for _, fact in rows) > 20
        narrow = [
            one for one, fact in rows if fact.high.size and np.all(np.abs(fact.high.astype(float)) < 1e9)
        ]
        assert len(narrow) > 100
        generator = np.random.default_rng(5)
        for _ in range(300):
            given = generator.integers(-(2**62), 2**62, 7)
            for value, (one, fact) in zip(
                session.run([one for one, _ in rows], {bits: given}), rows, strict=True
            ):
                inside = (np.asarray(value) >= fact.low) & (np.asarray(value) <= fact.high)
                assert np.all(inside), f"{one}: {value}, not {fact}"


# What is left.


def settled(run, *shapes):
    """The kinds of operations that are left of a function of whole numbers."""
    specs = [tf.TensorSpec(shape, tf.int64) for shape in shapes]
    concrete = tf.function(run, autograph=False).get_concrete_function(*specs)
    left = Traced(concrete.graph, folded=FoldedGraph(concrete.graph, list(concrete.graph.outputs)))
    return [node.type for node in left.nodes if node.type not in ("Const", "Identity")]


HALVES = ["BitwiseAnd", "AddV2", "RightShift", "RightShift", "AddV2"]
masked, shifted = tf.bitwise.bitwise_and, tf.bitwise.right_shift


def halves(x):
    number, more = masked(x, 2**40 - 1) * 5, masked(x, 511)
    return shifted(number, 8) + shifted(more + masked(number, 255), 8)


def halves_taken_twice(x):
    number, more = masked(x, 2**40 - 1) * 5, masked(x, 511)
    carry = shifted(more + masked(number, 255), 8)
    return shifted(number, 8) + carry - carry * 3


@pytest.mark.parametrize(
    ("run", "left"),
    [
        (lambda x: shifted(masked(x, 1023) * 8 + 7, 5), ["BitwiseAnd", "RightShift"]),
        (lambda x: shifted(masked(x, 1023) * 8 + 8, 5), ["BitwiseAnd", "Mul", "AddV2", "RightShift"]),
        (lambda x: shifted(x * 8, 5), ["Mul", "RightShift"]),  # may wrap
        (lambda x: shifted(masked(x, 1023) * 6, 5), ["BitwiseAnd", "Mul", "RightShift"]),
        (halves, ["BitwiseAnd", "Mul", "BitwiseAnd", "AddV2", "RightShift"]),
        (halves_taken_twice, ["BitwiseAnd", "Mul", "BitwiseAnd", *HALVES, "Mul", "Sub"]),
        (lambda x: x[:] + tf.range(4, dtype=tf.int64)[0], []),
        (lambda x: x[::-1] + 0, ["StridedSlice"]),
        (lambda x: tf.maximum(masked(x, 7), 0) // 1 * 1, ["BitwiseAnd"]),
        (lambda x: tf.minimum(masked(x, 7), 6), ["BitwiseAnd", "Minimum"]),
        (lambda x: masked(masked(x, 7), 15), ["BitwiseAnd"]),
        (lambda x: (x + 3) * (x + 3), ["AddV2", "Mul"]),
        (lambda x: tf.stack(tf.unstack(tf.stack([x, x + 1]))[::-1]), ["AddV2", "Pack"]),
        (lambda x: tf.where(masked(x, 7) < 8, x, -x), []),
    ],
)  # fmt: skip
def test_operations_whose_result_is_there_are_left_out(run, left):
    assert settled(run, [4]) == left
    given = np.array([5, -9, 2**40 + 3, 2**62 + 77])
    found = tf.function(lambda x: emitted(traced(lambda: [run(x)]), ends=True)[0], autograph=False)
    np.testing.assert_array_equal(found(tf.constant(given)), run(tf.constant(given)))


def of_unknown_sizes(x, y):
    lines = tf.reshape(x * 2, [1, -1]) + 1
    yield tf.reshape(lines, tf.shape(x))
    yield tf.reshape(x, tf.reverse(tf.shape(x), [0]))
    yield tf.reshape(x[0], [tf.shape(x)[1]])
    yield tf.where(True, y, x)
    yield tf.where(True, x, y)
    yield tf.maximum(masked(y, 7), masked(x, 7) + 8)
    yield tf.maximum(masked(x, 7), masked(y, 7) + 8)
    yield tf.logical_and(tf.bitwise.bitwise_and(y, 1) < 2, x > 0)
    yield tf.logical_or(y > 0, tf.bitwise.bitwise_and(x, 1) > 1)
    yield y + (x - x)
    yield y + tf.zeros_like(x)


def test_sizes_that_are_not_known_stay():
    x, y = tf.constant(np.arange(12).reshape(3, 4)), tf.constant(np.full([1, 4], 5))

    def run(x, y):
        return emitted(traced(lambda: list(of_unknown_sizes(x, y))), ends=True)

    unknown = tf.TensorSpec([None, None], tf.int64)
    found = tf.function(run, input_signature=[unknown, unknown], autograph=False)(x, y)
    for number, (ours, right) in enumerate(zip(found, of_unknown_sizes(x, y), strict=True)):
        assert ours.numpy().tolist() == right.numpy().tolist(), number


def posterised(image):
    step = 2 ** (8 - random.randint(3, 6))
    return (image // step * step).astype(np.uint8)


def test_checks_that_hold_are_left_out():
    found = kinds(in_a_graph(posterised, np.zeros([8, 8, 3], np.uint8)))
    assert not {"If", "Assert", "SelectV2"} & set(found)
    assert len(found) <= 24


def unsure(image):
    step = 2 ** (8 - random.randint(0, 6))  # 256 is not a byte
    return (image // step * step).astype(np.uint8)


def test_a_check_that_may_fail_fails_as_before():
    concrete = in_a_graph(unsure, np.zeros([4, 4], np.uint8))
    failed = 0
    for number in range(30):
        try:
            concrete(tf.constant([number, 1], tf.int64), tf.zeros([4, 4], tf.uint8))
        except tf.errors.InvalidArgumentError:
            failed += 1
    assert 0 < failed < 30


def cut(image):
    height = np.random.randint(1, 12)
    if 0 < height <= 8:
        top = random.randint(0, 8 - height)
        return image[top : top + 1].sum()
    return image.sum()


def test_what_a_condition_says_holds_in_its_branch():
    found = kinds(in_a_graph(cut, np.zeros([8, 8], np.int64)))
    assert not {"If", "Assert"} & set(found)


def cut_anyway(image):
    height = np.random.randint(1, 12)
    if height > 1:
        top = random.randint(0, 8 - height)
        return image[top : top + 1].sum()
    return image.sum()


def test_what_a_condition_does_not_say_is_checked():
    assert "Assert" in kinds(in_a_graph(cut_anyway, np.zeros([8, 8], np.int64)))


def skipped(image):
    image = image.copy()
    for _ in range(random.randint(1, 4)):
        if random.random() < 0.2:
            continue
        place = random.randrange(16)
        image[place : place + 1] = 7
    return image


def test_rounds_of_loops_and_their_branches_are_folded():
    concrete = in_a_graph(skipped, np.zeros([16, 4], np.uint8))
    found = kinds(concrete)
    assert found.count("StatelessIf") == 1  # not one more for what `continue` notes
    assert len(found) < 90
    assert "TensorStridedSliceUpdate" in found  # in place
    definition = concrete.graph.as_graph_def()
    nodes = [*definition.node, *(node for one in definition.library.function for node in one.node_def)]
    splits = [node for node in nodes if node.op == "SplitV"]
    assert splits
    assert all(node.attr["T"].type == tf.uint64.as_datatype_enum for node in splits)  # of seeds


def copied(image):
    image = image.copy()
    for _ in range(random.randint(1, 4)):
        place = random.randrange(16)
        before = image
        image = image.copy()
        image[place : place + 1] = 7
        image = image + before
    return image


def test_what_is_needed_afterwards_is_not_written_to_in_place():
    found = kinds(in_a_graph(copied, np.zeros([16, 4], np.uint8)))
    assert "SplitV" in found


@pytest.mark.parametrize("body", [posterised, cut, skipped, copied])
def test_values_stay(body):
    image = np.random.default_rng(2).integers(0, 256, [16, 8]).astype(np.int64 if body is cut else np.uint8)
    concrete = in_a_graph(body, image)
    for number in range(12):
        seed = tf.constant([number, 3], tf.int64)
        with seeds.ambient(seed):
            expected = port(body)(image)
        np.testing.assert_array_equal(concrete(seed, tf.constant(image)), expected)


# Drawn bits.


@pytest.mark.parametrize("limit", [0.0, 0.25, 0.3, -0.3, 1.0, 3 / 8 + 2.0**-53])
@pytest.mark.parametrize("dtype", [tf.float32, tf.float64])
def test_fractions_are_compared_by_their_numerators(limit, dtype):
    orders = (tf.less, tf.less_equal, tf.greater, tf.greater_equal)

    def run(bits):
        fraction = tf.cast(tf.bitwise.bitwise_and(bits, 15), dtype) * 2.0**-4
        known = tf.constant(limit, dtype)
        return [each(*pair) for each in orders for pair in ((fraction, known), (known, fraction))]

    before = traced_with(run)
    with config.use_jit("never"):
        after = tf.function(lambda bits: emitted(traced(lambda: run(bits)), ends=True), autograph=False)
        concrete = after.get_concrete_function(tf.TensorSpec([], tf.int64))
    assert "Mul" not in kinds(concrete)
    for number in range(-16, 17):
        assert [bool(one) for one in concrete(tf.constant(number, tf.int64))] == [
            bool(one) for one in before(tf.constant(number, tf.int64))
        ]


def traced_with(run):
    return tf.function(run, autograph=False).get_concrete_function(tf.TensorSpec([], tf.int64))


def test_fractions_that_are_no_numerators_are_compared_as_they_are():
    def run(bits):
        small = tf.bitwise.bitwise_and(bits, 15)
        return [tf.cast(small, tf.float64) * 0.3 < 0.5, tf.cast(bits, tf.float64) * 0.5 < 0.25]

    with config.use_jit("never"):
        after = tf.function(lambda bits: emitted(traced(lambda: run(bits)), ends=True), autograph=False)
        found = kinds(after.get_concrete_function(tf.TensorSpec([], tf.int64)))
    assert found.count("Mul") == 2


def test_bits_are_shifted_once():
    def run(bits):
        once = tf.bitwise.bitwise_and(tf.bitwise.right_shift(bits, 32), 2**32 - 1)
        other = tf.bitwise.bitwise_and(tf.bitwise.right_shift(bits, 3), 2**32 - 1)
        return [tf.bitwise.right_shift(once, 24), tf.bitwise.right_shift(other, 5), other]

    before = traced_with(run)
    with config.use_jit("never"):
        after = tf.function(lambda bits: emitted(traced(lambda: run(bits)), ends=True), autograph=False)
        concrete = after.get_concrete_function(tf.TensorSpec([], tf.int64))
    assert kinds(concrete).count("RightShift") == 3
    for bits in (0, -1, 2**62 + 12345678901, -(2**63), -(2**61) - 7):
        given = tf.constant(bits, tf.int64)
        assert [int(one) for one in concrete(given)] == [int(one) for one in before(given)]


def skips_some(x):
    s = x[0]
    for v in x:
        if v > 7:
            continue
        s = s + v
    return s


def adds_what_it_has(x):
    y, z = x[1:3], x[1:3]
    if x[0] < 7:
        y = y + z
    return y * 1


def adds_in_the_third_case(x):
    s, t = x[0], x[0]
    if x[1] > 7:
        s = t - 1
    elif x[2] > 7:
        s = t * 3
    else:
        s = s + t
    return s


@pytest.mark.parametrize("body", [skips_some, adds_what_it_has, adds_in_the_third_case])
@pytest.mark.parametrize("sizes", [[4], [None]])
def test_a_condition_is_given_no_tensor_twice(body, sizes):
    """Grappler made an empty tensor of `x + x` in a branch that is given both as arguments."""
    run = tf.function(port(body), input_signature=[tf.TensorSpec(sizes, tf.int64)], autograph=False)
    for row in ([1, 2, 3, 4], [9, 3, 1, 1], [2, 9, 1, 8], [3, 1, 8, 9]):
        np.testing.assert_array_equal(run(row), body(np.array(row)))
    graph = run.get_concrete_function().graph.as_graph_def()
    nodes = [*graph.node, *(node for one in graph.library.function for node in one.node_def)]
    conditions = [node for node in nodes if node.op in ("If", "StatelessIf", "Case", "StatelessCase")]
    given = [[one for one in node.input if not one.startswith("^")][1:] for node in conditions]
    assert conditions
    assert all(len(set(names)) == len(names) for names in given)
