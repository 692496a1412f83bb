"""The seeded map: draws of an element depend on the run, the epoch and its position, and on nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
import traceback

import numpy as np
import pytest
import tensorflow as tf

import pipeport.albumentations as A
from pipeport import port, seeds
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from pipeport.idioms import random_flip_pair
from pipeport.seeds import seeded_map
from tests.catalog import graphs

pytestmark = pytest.mark.both

COUNT = 23


PINNED = [211, 94, 509, 433, 916, 338]


def drawn(x):
    return x, seeds.uniform(seeds.look_up()), seeds.randint(seeds.look_up(), 0, 1000)


def numbers(count: int = COUNT) -> tf.data.Dataset:
    return tf.data.Dataset.range(count)


def values(dataset) -> list[tuple[float, ...]]:
    return [tuple(float(part) for part in element) for element in dataset.as_numpy_iterator()]


EXPECTED = values(numbers().apply(seeded_map(drawn, 42, epoch=0)))


def slow_first(x):
    """Elements end in another order than they began."""
    rounds = tf.where(x % 5 == 0, 20000, 1)
    waste = tf.while_loop(lambda i: i < rounds, lambda i: (i + 1,), (0,))[0]
    x, a, b = drawn(x)
    return x + 0 * tf.cast(waste, tf.int64), a, b


@pytest.mark.parametrize(
    ("calls", "deterministic"),
    [(None, None), (1, None), (2, True), (2, False), (tf.data.AUTOTUNE, False), (tf.data.AUTOTUNE, None)],
)
def test_values_hang_on_no_number_of_calls_and_no_order(calls, deterministic):
    data = numbers().apply(
        seeded_map(slow_first, 42, epoch=0, num_parallel_calls=calls, deterministic=deterministic)
    )
    assert sorted(values(data)) == EXPECTED


def test_the_seed_of_an_element_is_folded_from_its_index():
    data = numbers(300).apply(seeded_map(lambda _: seeds.look_up(), 42, epoch=3))
    with seeds.ambient(seeds.fold_in(seeds.fold_in((42, 0), 3), 299)):
        last = seeds.look_up()
    assert list(data.as_numpy_iterator())[-1].tolist() == last.numpy().tolist()


def test_elements_draw_apart():
    assert len({draw for _, draw, _ in EXPECTED}) == COUNT


def test_another_seed_and_another_epoch_draw_otherwise():
    for other in ({"seed": 43, "epoch": 0}, {"seed": 42, "epoch": 1}, {"seed": (42, 1), "epoch": 0}):
        found = values(numbers().apply(seeded_map(drawn, **other)))
        assert not {draw for _, draw, _ in found} & {draw for _, draw, _ in EXPECTED}


def test_epochs_inside_are_the_counted_passes_and_the_named_epochs():
    inside = values(numbers().apply(seeded_map(drawn, 42, epochs=3)))
    counted = numbers().apply(seeded_map(drawn, 42))
    passes = [value for _ in range(3) for value in values(counted)]
    named = [value for k in range(3) for value in values(numbers().apply(seeded_map(drawn, 42, epoch=k)))]
    assert inside == passes == named
    assert inside[:COUNT] == EXPECTED


def test_a_variable_names_the_epoch_when_an_iterator_begins():
    epoch = tf.Variable(1, dtype=tf.int64)
    data = numbers().apply(seeded_map(drawn, 42, epoch=epoch))
    running = iter(data)
    first = next(running)
    epoch.assign(0)
    rest = [float(first[1]), *(float(element[1]) for element in running)]
    one = [draw for _, draw, _ in values(numbers().apply(seeded_map(drawn, 42, epoch=1)))]
    assert rest == one
    assert values(data) == EXPECTED


@pytest.mark.parametrize("options", [{"epochs": 2}, {"epoch": 0}])
def test_a_checkpoint_resumes_the_same_draws(options, tmp_path):
    data = numbers().apply(seeded_map(drawn, 42, num_parallel_calls=2, **options))
    whole = values(data)
    running = iter(data)
    before = [tuple(map(float, next(running))) for _ in range(9)]
    saved = tf.train.Checkpoint(iterator=running).save(str(tmp_path / "at"))
    lost = [tuple(map(float, next(running))) for _ in range(4)]
    tf.train.Checkpoint(iterator=running).restore(saved)
    after = [tuple(map(float, element)) for element in running]
    assert before + after == whole
    assert after[:4] == lost


def test_another_process_draws_the_same():
    code = (
        "import json, sys; from tests.seeds.test_seeded_map import *;"
        "print(json.dumps(values(numbers().apply(seeded_map(drawn, 42, epoch=0, num_parallel_calls=2)))))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [tuple(value) for value in json.loads(found.stdout.splitlines()[-1])] == EXPECTED


def test_draws_are_these_numbers_on_every_version():
    """Pinned: a change of these breaks everybody's runs."""
    assert [int(level) for _, _, level in EXPECTED[:6]] == PINNED


def test_counted_passes_refuse_a_checkpoint(tmp_path):
    running = iter(numbers().apply(seeded_map(drawn, 42)))
    with pytest.raises(tf.errors.FailedPreconditionError, match="stateful"):
        tf.train.Checkpoint(iterator=running).save(str(tmp_path / "at"))


def test_structure_and_cardinality_are_kept():
    pairs = tf.data.Dataset.from_tensors((tf.zeros([4, 5, 3]), tf.zeros([4, 5], tf.int32))).repeat(7)
    data = pairs.apply(seeded_map(random_flip_pair, 1, epochs=2))
    assert data.element_spec == pairs.element_spec
    assert data.cardinality() == 14
    named = tf.data.Dataset.from_tensors({"x": 1}).repeat()
    forever = named.apply(
        seeded_map(lambda element: seeds.uniform(seeds.look_up()) + 0 * tf.cast(element["x"], tf.float32), 1)
    )
    assert len(set(forever.take(5).as_numpy_iterator())) == 5
    assert list(numbers(0).apply(seeded_map(drawn, 1))) == []


def test_python_control_flow_on_tensors_is_traced():
    def halves(x):
        if seeds.uniform(seeds.look_up()) < 0.5:
            return -x
        return x

    found = list(numbers(200).skip(1).apply(seeded_map(halves, 3)).as_numpy_iterator())
    assert [abs(x) for x in found] == list(range(1, 200))
    assert 60 < sum(x < 0 for x in found) < 140


def test_any_integer_is_a_seed():
    draws = [
        values(numbers(2).apply(seeded_map(drawn, seed, epoch=0)))[0][1] for seed in (0, -1, 2**62, 2**70, 7)
    ]
    assert len(set(draws)) == 5
    again = values(numbers(2).apply(seeded_map(drawn, np.int32(7), epoch=0)))[0][1]
    assert again == draws[-1]


@pytest.mark.parametrize(
    ("error", "said", "call"),
    [
        (WrongType, "function", lambda: seeded_map(3, 1)),
        (WrongType, "seed", lambda: seeded_map(drawn, 1.5)),
        (OutsideDomain, "seed", lambda: seeded_map(drawn, (1, 2, 3))),
        (OutsideDomain, "epochs", lambda: seeded_map(drawn, 1, epochs=0)),
        (OutsideDomain, "epochs", lambda: seeded_map(drawn, 1, epochs=True)),
        (UnsupportedArgument, "epoch", lambda: seeded_map(drawn, 1, epochs=2, epoch=1)),
        (WrongType, "epoch", lambda: seeded_map(drawn, 1, epoch=0.5)),
        (WrongType, "epoch", lambda: seeded_map(drawn, 1, epoch=[0, 1])),
        (WrongType, "dataset", lambda: seeded_map(drawn, 1)([1, 2])),
    ],
)
def test_bad_input_is_refused_at_once(error, said, call):
    with pytest.raises(error, match=said):
        call()


@pytest.mark.parametrize("plain", [False, True])
def test_a_function_that_autograph_leaves_alone_is_called_as_it_is(plain):
    """Else its caller is converted for nothing; a function with conditions of its own is still converted."""
    files = []

    def halved(value):
        files.extend(frame.filename for frame in traceback.extract_stack())
        if plain:
            return value
        if value > 4:
            return value // 2
        return value

    function = tf.autograph.experimental.do_not_convert(halved) if plain else halved
    mapped = tf.data.Dataset.range(8).apply(seeded_map(function, 1))
    assert [int(one) for one in mapped] == (list(range(8)) if plain else [0, 1, 2, 3, 4, 2, 3, 3])
    assert any("autograph_generated" in name for name in files) is not plain


def _augmented(image):
    if np.random.rand() < 0.5:
        image = image[:, ::-1]
    lines = np.random.choice([8, 16], p=[0.25, 0.75])
    image = np.roll(image, np.random.randint(0, lines), axis=0)
    return np.clip(image * np.random.gamma(2.0, 1.0), 0, 255).astype(np.float32)


def _functions(dataset):
    """The functions that TensorFlow optimises for each new iterator, and their nodes."""
    variant = tf.data.experimental.to_variant(dataset)
    graph = tf.raw_ops.DatasetToGraphV2(input_dataset=variant).numpy()
    library = tf.compat.v1.GraphDef.FromString(graph).library.function
    return len(library), sum(len(one.node_def) for one in library)


@pytest.mark.parametrize("options", [{}, {"epoch": 3}, {"epochs": 2}])
def test_seeds_add_few_functions_and_nodes_to_an_iterator(options):
    data, same = tf.data.Dataset.range(8), tf.autograph.experimental.do_not_convert(lambda value: value)
    plain, seeded = _functions(data.map(same)), _functions(data.apply(seeded_map(same, 1, **options)))
    inside = 2 + 2 * ("epochs" in options)  # of unbatch too
    assert seeded[0] - plain[0] == inside
    assert 10 < seeded[1] - plain[1] < 40 + 15 * ("epochs" in options)


@pytest.mark.parametrize("ported", [False, True], ids=["albumentations", "ported"])
def test_its_map_has_no_state(ported):
    """So TensorFlow makes it parallel by itself, and an iterator over it can be saved."""
    steps = A.Compose([A.OneOf([A.HorizontalFlip(), A.Transpose()]), A.RandomCrop(8, 8), A.RandomGamma()])
    function = port(_augmented) if ported else lambda image: steps(image=image)["image"]
    images = tf.data.Dataset.from_tensors(np.ones((16, 16, 3), np.uint8)).repeat(4)
    mapped = images.apply(seeded_map(function, 42, epochs=1))
    assert graphs.with_state(mapped._map_func.function) == set()
    counted = images.map(lambda image: tf.cast(image, tf.float32) + tf.random.uniform([]))
    assert graphs.with_state(counted._map_func.function) == {"RandomUniform"}
