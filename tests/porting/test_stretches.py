"""What is compiled of a ported body, and that nothing but its speed changes by it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

from pipeport import config, seeds
from pipeport.kernels.xla import _single_threaded
from pipeport.porting import port
from pipeport.porting.optimise import _compilable
from pipeport.porting.optimise._partition import planned
from pipeport.porting.optimise._traced import Traced, traced
from tests.porting.programs import programs

SHAPE = (128, 160, 3)
SEED = np.array([3, 5], np.int64)


def pixels(dtype="uint8"):
    found = np.random.default_rng(1).integers(0, 256, SHAPE).astype(np.uint8)
    return found if dtype == "uint8" else (found / 255).astype(dtype)


def in_a_graph(ported, *arguments, sized=True, policy="auto"):
    specs = [tf.TensorSpec(np.shape(one) if sized else None, one.dtype) for one in arguments]

    def run(*given):
        with seeds.ambient(SEED):
            return ported(*given)

    with config.use_jit(policy):
        return tf.function(run, autograph=False).get_concrete_function(*specs)


def scaled(image):
    return np.clip((image.astype(np.float32) - 116.5) / 57.4 * 1.5, -2, 2)


def crop_brightened(image):
    top = np.random.randint(0, 32)
    left = np.random.randint(0, 64)
    crop = image[top : top + 96, left : left + 96].astype(np.float32)
    crop = (crop - 127.5) * np.random.uniform(0.8, 1.2) + 127.5
    return np.clip(crop, 0, 255).astype(np.uint8)


def test_a_stretch_is_one_program():
    assert len(programs(in_a_graph(port(scaled), pixels()))) == 1


@pytest.mark.parametrize("function", [np.sinh, np.cosh, np.arcsinh, lambda image: image**0.7])
def test_a_kernel_that_takes_one_element_at_a_time_is_a_program_of_its_own(function):
    def body(image):
        return function(image)

    image = pixels("float32")
    concrete = in_a_graph(port(body), image)
    assert len(programs(concrete)) == 1
    np.testing.assert_allclose(concrete(tf.constant(image)), function(image), rtol=1e-6)
    assert programs(in_a_graph(port(lambda image: image + 1), image)) == []


def test_draws_are_compiled_and_drawn_slices_stay_outside():
    concrete = in_a_graph(port(crop_brightened), pixels())
    # What is drawn, and what becomes of the crop.
    assert len(programs(concrete)) == 2
    kinds = {node.type for node in concrete.graph.get_operations()}
    assert not any(kind.startswith("StatelessRandom") for kind in kinds)
    assert kinds & {"Slice", "StridedSlice"}


def noisy_corner(image):
    return image[:2, :40].reshape(-1)[:240] + np.random.normal(size=240), np.random.randint(9)


def test_few_numbers_and_many_are_drawn_by_the_kernel():
    for body in (lambda image: image[0, 0, 0] + np.random.randint(9), noisy_corner):
        concrete = in_a_graph(port(body), pixels())
        assert programs(concrete) == []
        assert any(node.type.startswith("StatelessRandom") for node in concrete.graph.get_operations())


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint32", "uint64"])
@pytest.mark.parametrize("shape", [(), (3,), (4, 16)])
def test_a_compiled_draw_has_the_bits_of_the_kernel(dtype, shape):
    def draw(key, counter):
        return tf.raw_ops.StatelessRandomUniformFullIntV2(
            shape=shape, key=key, counter=counter, alg=_compilable._PHILOX, dtype=tf.as_dtype(dtype)
        )

    def twice_inverted(key, counter):
        return tf.bitwise.invert(tf.bitwise.invert(draw(key, counter)))

    compiled = tf.function(_single_threaded.single_threaded(twice_inverted), autograph=False)
    generator = np.random.default_rng(4)
    edge = np.uint64(2**64 - 1)
    for words in (*generator.integers(0, 2**64, (20, 3), np.uint64), np.array([edge, edge, edge])):
        given = tf.constant(words[:1]), tf.constant(words[1:])
        np.testing.assert_array_equal(compiled(*given), draw(*given))


@pytest.mark.parametrize(("sized", "policy"), [(False, "auto"), (True, "never")])
def test_unknown_sizes_and_the_policy_keep_the_graph(sized, policy):
    image = tf.TensorSpec([None, None, 3], tf.uint8) if not sized else tf.TensorSpec(SHAPE, tf.uint8)
    with config.use_jit(policy):
        concrete = tf.function(port(scaled), autograph=False).get_concrete_function(image)
    assert programs(concrete) == []


def test_small_images_are_not_worth_a_program():
    spec = tf.TensorSpec([16, 16, 3], tf.uint8)
    assert programs(tf.function(port(scaled), autograph=False).get_concrete_function(spec)) == []


def linear(image, factor, shift):
    return (image.astype(np.float32) * factor + shift).astype(np.uint8)


def rounded_wrongly():
    """Return how many pixels differ from NumPy's, over many factors; each is close to a whole number."""
    ported = port(linear)
    image = np.arange(128 * 128 * 3, dtype=np.int64).reshape(128, 128, 3).astype(np.uint8)
    factors = (1 + np.arange(1, 60) / 51).astype(np.float32)
    spec = (tf.TensorSpec(image.shape, tf.uint8), *[tf.TensorSpec([], tf.float32)] * 2)
    native = tf.function(ported, autograph=False).get_concrete_function(*spec)
    assert programs(native)
    wrong = 0
    for factor in factors:
        shift = np.float32(3) - np.float32(51) * factor + np.float32(51)
        want = linear(image, factor, shift)
        found = native(tf.constant(image), tf.constant(factor), tf.constant(shift)).numpy()
        wrong += int((want != found).sum())
    return wrong


def test_a_product_and_a_sum_are_rounded_each(monkeypatch):
    assert rounded_wrongly() == 0
    # The test sees the difference, where the processor has one instruction for both.
    monkeypatch.setattr(_compilable, "hidden", lambda tensor, zero: tensor)
    facts = Path("/proc/cpuinfo")
    if facts.exists() and " fma " in facts.read_text():
        assert rounded_wrongly() > 0


def nan_kept(image):
    return np.clip(image * 2 - 0.5, 0.1, 0.9) + image[::-1]


def test_conditions_that_save_time_become_choices():
    image = pixels("float32")
    image[3, 4] = np.nan
    concrete = in_a_graph(port(nan_kept), image)
    assert programs(concrete)
    assert not [node for node in concrete.graph.get_operations() if node.type == "StatelessIf"]
    np.testing.assert_allclose(concrete(tf.constant(image)).numpy(), nan_kept(image), rtol=1e-6)
    left = in_a_graph(port(nan_kept), image, policy="never")
    assert [node for node in left.graph.get_operations() if node.type == "StatelessIf"]


def looked_up(image, table):
    return table[image] // np.uint8(3) * np.uint8(2) + np.uint8(1)


@pytest.mark.parametrize("length", [256, 200])
def test_a_table_too_short_is_still_an_error(length):
    image, table = pixels(), np.arange(length, dtype=np.uint8)[::-1].copy()
    concrete = in_a_graph(port(looked_up), image, table)
    gathers = [node for node in concrete.graph.get_operations() if node.type == "GatherV2"]
    assert bool(gathers) is (length < 256)  # a byte may lie outside of a shorter table
    if length < 256:
        with pytest.raises(tf.errors.InvalidArgumentError):
            concrete(tf.constant(image), tf.constant(table))
    else:
        np.testing.assert_array_equal(
            concrete(tf.constant(image), tf.constant(table)), looked_up(image, table)
        )


def reordered(image, order):
    return (image[..., order] // np.uint8(2))[::-1]


def test_indices_are_checked_outside_of_a_program():
    image = pixels()
    concrete = in_a_graph(port(reordered), image, np.array([2, 0, 1]))
    kinds = [node.type for node in concrete.graph.get_operations()]
    assert programs(concrete)
    assert "GatherV2" not in kinds
    order = np.array([0, -1, 1])
    np.testing.assert_array_equal(concrete(tf.constant(image), tf.constant(order)), reordered(image, order))
    with pytest.raises(tf.errors.InvalidArgumentError, match="index"):
        concrete(tf.constant(image), tf.constant([0, 1, 3], tf.int64))


def branched(image):
    image = image.astype(np.float32)
    if np.random.rand() < 0.5:
        image = np.clip((image - 100) * 1.5 + 100, 0, 255)
        image = np.where(image > 128, image - 3, image)
    assert image.max() < 250, "too bright"
    return image.astype(np.uint8)


def test_branches_have_programs_of_their_own_and_checks_stay():
    ported = port(branched)
    image = pixels() // 4
    outcomes = set()
    concrete = tf.function(lambda seed, x: _seeded(ported, seed, x), autograph=False)
    concrete = concrete.get_concrete_function(tf.TensorSpec([2], tf.int64), tf.TensorSpec(SHAPE, tf.uint8))
    assert programs(concrete)
    for number in range(6):
        seed = np.array([number, 0], np.int64)
        with seeds.ambient(seed):
            want = ported(image).numpy()
        np.testing.assert_array_equal(concrete(tf.constant(seed), tf.constant(image)), want)
        outcomes.add(want.tobytes())
    assert len(outcomes) == 2
    with pytest.raises(tf.errors.InvalidArgumentError, match="too bright"):
        concrete(tf.constant([0, 0], tf.int64), tf.constant(np.full(SHAPE, 255, np.uint8)))


def _seeded(ported, seed, image):
    with seeds.ambient(seed):
        return ported(image)


def counted_and_looked_up(values):
    counts = np.bincount(values, minlength=6)  # checks that no value is negative
    several = len(np.unique(values))
    return counts / counts.sum(), np.interp(values, [0, 5], [0.0, 1.0]), several, np.digitize(values, [2, 4])


def test_what_a_check_is_waited_for_with_is_no_part_of_a_program():
    values = np.arange(12) % 6
    found = in_a_graph(port(counted_and_looked_up), values)(tf.constant(values))
    for one, right in zip(found, counted_and_looked_up(values), strict=True):
        np.testing.assert_allclose(one, right)
    with pytest.raises(tf.errors.InvalidArgumentError):
        in_a_graph(port(counted_and_looked_up), values)(tf.constant(values - 1))


def test_a_body_with_programs_survives_saving(tmp_path):
    module = tf.Module()
    module.run = tf.function(port(scaled), autograph=False, input_signature=[tf.TensorSpec(SHAPE, tf.uint8)])
    tf.saved_model.save(module, str(tmp_path))
    found = tf.saved_model.load(str(tmp_path)).run(tf.constant(pixels()))
    np.testing.assert_allclose(found, scaled(pixels()), rtol=1e-6)


OUTSIDE = tf.constant([1, 2])


def test_what_comes_from_outside_leaves_as_it_is():
    graph = tf.function(port(lambda x, y: (x, OUTSIDE, y + 1)), autograph=False)
    found = graph(tf.constant([3]), tf.constant([4]))
    assert [one.numpy().tolist() for one in found] == [[3], [1, 2], [5]]


def test_stages_need_only_those_before_them():
    def body():
        image = tf.constant(pixels())
        mean = tf.reduce_mean(tf.cast(image, tf.float32))
        first = tf.where(tf.cast(image, tf.float32) * 2 > mean, 3.0, 5.0)
        return [tf.where(first - tf.reduce_max(first) < -1, first, mean)]

    plan = Traced(traced(body).graph)
    seen = set()
    stages = planned(plan, ends=True)
    assert [stage.compiled for stage in stages].count(True) == 2
    for stage in stages:
        inside = seen | set(stage.nodes)
        assert all(one.op in inside for node in stage.nodes for one in plan.operands(node))
        seen = inside
    assert len(seen) == len(plan.nodes)


COUNT = """
import numpy as np, tensorflow as tf
from pipeport import port, seeds
from tests.porting.test_stretches import crop_brightened, pixels
ds = tf.data.Dataset.from_tensors(pixels()).repeat(1000)
ds = ds.apply(seeds.seeded_map(port(crop_brightened), seed=1, num_parallel_calls=2))
print(len({one.tobytes() for one in ds.as_numpy_iterator()}))
"""


def test_a_thousand_drawn_offsets_are_one_compilation(tmp_path):
    flags = f"--xla_dump_to={tmp_path} --xla_dump_hlo_as_text"
    environment = {**os.environ, "XLA_FLAGS": flags, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", COUNT], env=environment, capture_output=True, text=True, check=True
    )
    assert int(done.stdout) > 900
    compiled = list(tmp_path.glob("module_*program*before_optimizations.txt"))
    # What is drawn, and what becomes of the crop.
    assert len(compiled) == 2, sorted(path.name for path in compiled)


def brighter_floats(image):
    return np.clip((image.astype(np.float32) - 127.5) * 1.25 + 130.5, 0, 255)


def brighter_bytes(image):
    return brighter_floats(image).astype(np.uint8)


@pytest.mark.parametrize("shape", [(128, 160, 3), (256, 256), (2, 128, 128), (900, 700, 3)])
def test_bytes_are_those_of_numpy(shape):
    image = np.random.default_rng(2).integers(0, 256, shape).astype(np.uint8)
    concrete = in_a_graph(port(brighter_bytes), image)
    assert len(programs(concrete)) == 1
    np.testing.assert_array_equal(concrete(tf.constant(image)), brighter_bytes(image))
    assert concrete.outputs[0].shape == shape


def barred(image, first, step):
    mask = np.ones(image.shape[:2], np.float32)
    for y in range(first, image.shape[0], step):
        mask[y : y + 2, :] = 0
    for x in range(first, image.shape[1], step):
        mask[:, x : x + 3] = x
        mask[:, x - 1 : x] = 0.5
    return image * mask[..., None]


def crossed(image, number, step):
    image = image.copy()
    seen = np.zeros(3, np.float32)
    for at in range(number):
        image[at : at + 3, 2 * at : 2 * at + step] = at
        if at % 3 == 1:
            image[5 * at : 5 * at + 2] = 255 - at
        seen = seen * np.float32(1.1) + image[9, 12].astype(np.float32)
    return image, seen


def mended(image, limit, step):
    rounds = 0
    while rounds < limit and rounds * rounds < 900:
        image = image * np.float32(0.9) + np.float32(0.3)
        rounds = rounds + step
    return image + np.float32(0.7), rounds


def layered(image, number, step):
    one, other, total, last = image.copy(), image.copy(), image * 0, image
    for at in range(number):
        total = total + one
        one[at : at + step] = at
        other[at : at + step] = at
        last = other * 2
    return one, other, total, last


@pytest.mark.parametrize("body", [barred, crossed, mended, layered])
def test_a_loop_without_draws_is_part_of_a_program(body):
    image = pixels("uint8" if body is crossed else "float32")
    ported = port(body)
    numbers = [(np.int64(first), np.int64(step)) for first, step in [(2, 5), (7, 4), (0, 9), (200, 3)]]
    fast, plain = (in_a_graph(ported, image, *numbers[0], policy=policy) for policy in ("auto", "never"))
    assert [len(programs(one)) for one in (fast, plain)] == [1, 0]
    kinds = [{node.type for node in one.graph.get_operations()} for one in (fast, plain)]
    assert ["StatelessWhile" in one for one in kinds] == [False, True]
    for pair in numbers:
        right = body(image.copy(), *pair)
        for graph in (fast, plain):
            found = graph(*map(tf.constant, (image, *pair)))
            for ours, theirs in zip(tf.nest.flatten(found), tf.nest.flatten(right), strict=True):
                np.testing.assert_array_equal(ours.numpy(), theirs)


def with_a_draw(image):
    image = image.copy()
    for at in range(np.random.randint(2, 5)):
        image[at : at + np.random.randint(1, 9)] = 0
    return image


def with_an_index_to_check(image, places, number):
    total = image[0]
    for at in range(number):
        total = total + image[places + at][0]
    return total


def test_loops_that_draw_stay_in_the_graph():
    assert programs(in_a_graph(port(with_a_draw), pixels())) == []


def test_a_loop_that_is_a_program_checks_its_places():
    places, number = np.array([3, 1, 2]), np.int64(3)
    image = np.repeat(pixels(), 50, axis=1)
    concrete = in_a_graph(port(with_an_index_to_check), image, places, number)
    assert len(programs(concrete)) == 1
    found = concrete(*map(tf.constant, (image, places, number)))
    np.testing.assert_array_equal(found, with_an_index_to_check(image, places, number))
    with pytest.raises(tf.errors.InvalidArgumentError):
        concrete(*map(tf.constant, (image, np.array([3, 999, 2]), number)))


@pytest.mark.parametrize(("dtype", "most"), [("uint8", 256), ("uint16", 65536)])
def test_compiled_division_of_bytes_is_exact(dtype, most):
    divide = tf.function(port(lambda x, y: (x // y, x % y)), autograph=False)
    numbers = np.arange(most).astype(dtype)
    numbers = np.resize(numbers, max(most, 20_000))
    divisors = np.r_[1:256] if most == 256 else np.r_[1:260, 10_921, 21_845, 32_767:32_770, 65_533:65_536]
    concrete = divide.get_concrete_function(*[tf.TensorSpec(one, dtype) for one in ([len(numbers)], [])])
    assert programs(concrete)
    for divisor in divisors.astype(dtype):
        found = concrete(tf.constant(numbers), tf.constant(divisor))
        np.testing.assert_array_equal(found[0].numpy(), numbers // divisor)
        np.testing.assert_array_equal(found[1].numpy(), numbers % divisor)


def column_by_column(image):
    result = np.empty(image.shape, np.float32)
    for c in range(image.shape[-1]):
        plane = image[..., c].astype(np.float32)
        result[..., c] = (plane - plane.min()) / 7
    return result


def test_sizes_that_follow_from_constants_are_known():
    concrete = in_a_graph(port(column_by_column), pixels())
    kinds = {node.type for node in concrete.graph.get_operations()}
    assert len(programs(concrete)) == 2  # before the minima, and after them
    assert not kinds & {"Tile", "Select"}
    # Which pixels belong to a channel is told where it is needed: no program hands it to the next.
    calls = [node for node in concrete.graph.get_operations() if node.type == "PartitionedCall"]
    assert not [one for node in calls for one in node.outputs if one.dtype == tf.bool]
    library = concrete.graph.as_graph_def().library.function
    assert not {"Select", "BroadcastTo"} & {node.op for one in library for node in one.node_def}
    np.testing.assert_array_equal(concrete(tf.constant(pixels())).numpy(), column_by_column(pixels()))
