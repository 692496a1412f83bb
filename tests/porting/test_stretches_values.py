"""Values of compiled stretches: channels in an order, one number per channel, tables, narrow casts."""

from __future__ import annotations

import math

import numpy as np
import pytest
import tensorflow as tf

from pipeport.porting import port
from pipeport.porting.optimise import _bounds
from pipeport.porting.optimise._scalar_rows import row
from pipeport.porting.optimise._traced import Traced, traced
from tests.porting.programs import definitions, program_definitions, programs
from tests.porting.test_stretches import in_a_graph, pixels

MEAN = np.array([12.5, 100.0, 55.25], np.float32)


def kinds(concrete):
    return {node.type for node in concrete.graph.get_operations()}


def test_an_order_of_channels_alone_is_a_program_without_checks():
    def shuffled(image):
        order = np.arange(3)
        np.random.shuffle(order)
        return image[..., order], order

    concrete = in_a_graph(port(shuffled), pixels())
    assert len(programs(concrete)) == 1
    assert "Assert" not in kinds(concrete)
    found, order = concrete(tf.constant(pixels()))
    np.testing.assert_array_equal(found, pixels()[..., order.numpy()])


def test_whole_rows_are_taken_in_the_graph():
    def reordered(image):
        return image.reshape(8, -1)[np.random.permutation(8)]

    assert programs(in_a_graph(port(reordered), pixels())) == []


@pytest.mark.parametrize(
    ("mean", "count"), [(MEAN, 1), (np.float32(3), 0), (np.arange(480, dtype=np.float32).reshape(160, 3), 0)]
)
def test_one_number_per_channel_is_worth_a_program(mean, count):
    def centred(image):
        return (image.astype(np.float32) - mean) * mean

    concrete = in_a_graph(port(centred), pixels())
    assert len(programs(concrete)) == count
    np.testing.assert_array_equal(concrete(tf.constant(pixels())), centred(pixels()))


def test_rounding_is_compiled_as_numpy_rounds():
    def halved(image):
        return np.rint(np.rint(image * np.float32(0.5)) * MEAN - MEAN)

    concrete = in_a_graph(port(halved), pixels())
    assert len(programs(concrete)) == 1
    assert "Round" not in kinds(concrete)
    np.testing.assert_array_equal(concrete(tf.constant(pixels())), halved(pixels()))


def taken(concrete):
    """The dtypes of what the only program of a traced function takes."""
    [inner] = program_definitions(concrete)
    return [one.type for one in inner.signature.input_arg]


def test_a_factor_of_whole_numbers_is_known_to_the_program():
    def scaled(image):
        whole = image.astype(np.float32)
        return (
            (image * 1.1 + 0.3) * 0.7 * 1.3,
            (whole + np.float32(0.1) + np.float32(0.2)) / np.float32(0.3),
            (np.float32(254.9) - whole) * np.float32(0.1) - np.float32(7.3),
            whole * np.float32(0) + whole * np.float32(1) - whole * np.float32(-1),
        )

    concrete = in_a_graph(port(scaled), pixels())
    floats = [one for one in taken(concrete) if tf.dtypes.as_dtype(one).is_floating]
    assert len(floats) == 7  # not what meets the image: 1.1, 0.1, 254.9, 0, 1 and -1
    for one, other in zip(concrete(tf.constant(pixels())), scaled(pixels()), strict=True):
        np.testing.assert_array_equal(one, other)


def test_an_integer_divisor_is_known_to_the_program():
    def divided(image):
        return (image.astype(np.int64) - 128) // 3 % 7 + image // 5

    concrete = in_a_graph(port(divided), pixels())
    [inner] = program_definitions(concrete)
    assert len(inner.signature.input_arg) == 2  # the image, and a zero that hides products
    np.testing.assert_array_equal(concrete(tf.constant(pixels())), divided(pixels()))


# Casts.


def narrow(image, factor):
    whole = image.astype(np.float32)
    known = np.clip(whole * factor, -3.0, 300.0).astype(np.uint8)
    scaled = (whole * 1.7 - 20).astype(np.uint8)
    large = (np.where(whole > 9, whole, -whole) * 1000).astype(np.int16)
    return known, scaled, large


def far(image, factor):
    return (image * factor).astype(np.uint8), (image * 1e8).astype(np.uint8), image.astype(np.float32) / 3


def casts(concrete):
    """How many casts of floats go to int64, and to int32."""
    called = (node for one in definitions(concrete) for node in one.node_def)
    nodes = [*concrete.graph.as_graph_def().node, *called]
    pairs = [(node.attr["SrcT"].type, node.attr["DstT"].type) for node in nodes if node.op == "Cast"]
    floats = (tf.float32.as_datatype_enum, tf.float64.as_datatype_enum)
    return [
        sum(source in floats and target == wanted.as_datatype_enum for source, target in pairs)
        for wanted in (tf.int64, tf.int32)
    ]


@pytest.mark.parametrize("policy", ["auto", "never"])
def test_narrow_casts_keep_the_values(policy):
    concrete = in_a_graph(port(narrow), pixels(), np.float32(2), policy=policy)
    assert casts(concrete) == [0, 3]
    for factor in (2.5, -1.0, np.inf, np.nan):
        with np.errstate(all="ignore"):
            want = narrow(pixels(), np.float32(factor))
            numbers = ~np.isnan(pixels() * np.float32(factor))
        got = [one.numpy() for one in concrete(tf.constant(pixels()), tf.constant(factor, tf.float32))]
        np.testing.assert_array_equal(got[0], np.where(numbers, want[0], 0))
        np.testing.assert_array_equal(got[1], want[1])
        np.testing.assert_array_equal(got[2], want[2])


def test_casts_that_may_leave_int32_stay():
    assert casts(in_a_graph(port(far), pixels(), np.float32(2), policy="never")) == [2, 0]


def bounds_of(make):
    plan = Traced(traced(lambda: [make(tf.cast(tf.constant(pixels()), tf.float32))]).graph)
    return _bounds.bounds(plan, plan.outputs[0])


def byte(x):
    return tf.cast(tf.cast(x, tf.uint8), tf.int32)


def counted_from_the_end(places):
    return tf.where(places < 0, places + 256, places)


def test_bounds_hold_the_values():
    unknown = tf.Variable(0.0)
    for make, low, high in [
        (lambda x: tf.minimum(tf.maximum(unknown, -2.0), 3.0), -2, 3),
        (lambda x: tf.clip_by_value(unknown, -2.0, 3.0), -2, 3),
        (lambda x: -(x + 1.0) * 2.0, -512, -2),
        (lambda x: x / -0.5, -510, 0),
        (lambda x: tf.where(x > 3, x, unknown), -math.inf, math.inf),
        (lambda x: x / (x - 100.0), -math.inf, math.inf),
        (lambda x: tf.minimum(x, np.float32(np.nan)), 0, 255),
        (lambda x: tf.minimum(x * unknown, [1.0, np.nan, 2.0]), -math.inf, math.inf),
        (lambda x: tf.raw_ops.ClipByValue(t=unknown, clip_value_min=3.0, clip_value_max=-2.0), -2, 3),
        (lambda x: tf.cast(tf.cast(x + 0.5, tf.int32), tf.float32), -math.inf, math.inf),
        (lambda x: x * 1e37, -math.inf, math.inf),
        (lambda x: tf.strings.to_number("3.5") * x, -math.inf, math.inf),
        (tf.exp, -math.inf, math.inf),
        (lambda x: counted_from_the_end(byte(x)), 0, 255),
        (lambda x: counted_from_the_end(byte(x) - 1), -math.inf, math.inf),
        (lambda x: tf.stack([byte(x), tf.constant(np.full(x.shape, -7), tf.int32)]), -7, 255),
        (lambda x: tf.cast(x, tf.int32), -math.inf, math.inf),  # it may hold what is not a number
        (lambda x: tf.math.top_k(x).indices, 0, 2),
        (lambda x: tf.cast(tf.constant(np.full(x.shape, 2**40)), tf.int32), -math.inf, math.inf),
    ]:
        found = bounds_of(make)
        np.testing.assert_allclose(found, (low, high), rtol=1e-5, atol=2e-3)


# Rows of numbers.


def curve(image, gamma):
    table = np.array([((i / 255.0) ** gamma) * 255 for i in range(256)]).astype(np.uint8)
    return table[image]


def test_a_table_by_a_comprehension_is_one_expression():
    concrete = in_a_graph(port(curve), pixels(), np.float64(1))
    nodes = concrete.graph.get_operations()
    assert len(nodes) < 60
    assert sum(node.type == "Pow" for node in nodes) == 1
    for gamma in (0.8, 1.0, 1.19, 2.0):
        got = concrete(tf.constant(pixels()), tf.constant(gamma, tf.float64))
        np.testing.assert_array_equal(got, curve(pixels(), gamma))


def in_rows(make, *arguments):
    """Return what a list of scalars becomes, and whether it became one tensor."""
    became = []

    @tf.function(autograph=False)
    def run(*given):
        values = make(*given)
        found = row(values)
        became.append(tf.is_tensor(found))
        return tf.stack(values), tf.stack(found)

    want, got = run(*arguments)
    np.testing.assert_array_equal(got, want)
    return became[0]


def test_rows_keep_the_values():
    x, y = tf.constant(3.25), tf.constant([float(i) for i in range(9)])
    assert in_rows(lambda x: [x * float(i) - 2.0 / (x + i) for i in range(9)], x)
    assert in_rows(lambda x: [tf.where(x > i, x, i * 2.0) for i in range(9)], x)
    assert in_rows(lambda x: [tf.cast(x * i, tf.int32) // (i + 1) for i in range(9)], x)
    assert in_rows(lambda x: [tf.minimum(tf.constant(float(i)), x) for i in range(20)], x)
    # Another order of operands, other operations, elements of an array, too few, and one number only.
    assert not in_rows(lambda x: [x - i if i % 2 else i - x for i in range(9)], x)
    assert not in_rows(lambda x: [x * i if i % 2 else x + i for i in range(9)], x)
    assert not in_rows(lambda x, y: [y[i] * x for i in range(9)], x, y)
    assert not in_rows(lambda x: [x * i for i in range(1, 4)], x)
    assert not in_rows(lambda x: [x] * 9, x)
    assert not in_rows(lambda x: [tf.cast(x, tf.int32 if i < 9 else tf.int64) for i in range(9)], x)


def test_rows_leave_other_values():
    assert row([1.0] * 9) == [1.0] * 9
    assert row("nine words") == "nine words"
    values = [tf.constant(1.0)] * 9
    assert row(values) is values


def sprinkled(image, chance):
    image = image.copy()
    image[chance < 0.1] = 0
    image[chance > 0.9] = 100
    return image


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32"])
def test_masks_of_pixels_are_broadcast_and_choose_whole_numbers(dtype):
    image = np.random.default_rng(5).integers(0, 128, (128, 160, 3)).astype(dtype)
    chance = np.random.default_rng(6).random((128, 160))
    concrete = in_a_graph(port(sprinkled), image, chance)
    found = concrete(tf.constant(image), tf.constant(chance))
    np.testing.assert_array_equal(found, sprinkled(image, chance))
    inside = [node for one in program_definitions(concrete) for node in one.node_def]
    assert inside
    assert not any(node.op == "MatMul" for node in inside)
    if dtype != "float32":
        chosen = [node.attr["T"].type for node in inside if node.op.startswith("Select")]
        assert set(chosen) == {tf.as_dtype(dtype).as_datatype_enum}
