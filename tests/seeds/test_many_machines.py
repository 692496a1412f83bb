"""`seeded_map` under tf.data service: an index travels with its element to any machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.python.data.experimental.ops import testing

from pipeport import seeds
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from pipeport.seeds import seeded_map
from tests.seeds.fleet import distributed, fleet

pytestmark = pytest.mark.both

COUNT = 40
MODES = ("OFF", "DYNAMIC", "FILE", "DATA")
# Of "a/1.png".
NUMBER = 7106656694047933383


@pytest.fixture(scope="module", params=[1, 2])
def workers(request) -> Iterator[tuple[int, str]]:
    with fleet(request.param) as one:
        yield request.param, one.target


@pytest.fixture(scope="module")
def two() -> Iterator[str]:
    with fleet(2) as one:
        yield one.target


def through(target: str, dataset, mode: str = "DYNAMIC") -> list:
    return list(distributed(dataset, target, mode).as_numpy_iterator())


def slowly(dataset):
    """Give the elements slowly, so that both workers get their share."""
    return dataset.apply(testing.sleep(15_000))


def process_of(value):
    """Return the number of the process that runs this."""
    stat = tf.io.read_file(tf.where(value < 0, "", "/proc/self/stat"))
    return tf.strings.to_number(tf.strings.split(stat, " ")[0], tf.int64)


def drawn(number):
    return number, seeds.uniform(seeds.look_up()), process_of(number)


def itself(number):
    return number


@pytest.fixture(scope="module")
def records(tmp_path_factory) -> list[str]:
    """Return four files with ten numbers each."""
    files = [str(tmp_path_factory.mktemp("records") / f"{k}.tfrecord") for k in range(4)]
    for k, file in enumerate(files):
        with tf.io.TFRecordWriter(file) as writer:
            for number in range(10 * k, 10 * k + 10):
                writer.write(str(number).encode())
    return files


def from_files(files: list[str]) -> tf.data.Dataset:
    names = tf.data.Dataset.from_tensor_slices(files)
    lines = names.interleave(lambda name: slowly(tf.data.TFRecordDataset(name)), cycle_length=1)
    return lines.map(lambda line: tf.strings.to_number(line, tf.int64))


def draws(elements) -> list[tuple[int, float]]:
    return sorted((int(number), float(draw)) for number, draw, _ in elements)


def test_the_same_draws_in_every_mode_and_with_any_number_of_workers(workers, records):
    count, target = workers
    mapped = from_files(records).apply(seeded_map(drawn, 42, epoch=3, index=itself))
    here = draws(mapped.as_numpy_iterator())
    assert here == draws(tf.data.Dataset.range(COUNT).apply(seeded_map(drawn, 42, epoch=3)))
    for mode in MODES:
        there = through(target, mapped, mode)
        assert draws(there) == sorted(here * count if mode == "OFF" else here), mode
        assert len({process for _, _, process in there}) == count, mode


def test_whole_epochs_are_dealt_out_of_epochs(two):
    numbers = slowly(tf.data.Dataset.range(COUNT))
    mapped = numbers.apply(seeded_map(drawn, 42, epochs=2, index=itself))
    inside = draws(numbers.apply(seeded_map(drawn, 42, epochs=2)))
    assert draws(mapped) == inside
    there = through(two, mapped)
    assert draws(there) == inside
    by_process: dict[int, Counter] = {}
    for number, _, process in there:
        by_process.setdefault(int(process), Counter())[int(number)] += 1
    assert list(by_process.values()) == [Counter(range(COUNT))] * 2


def test_an_epoch_that_travels_with_the_element_is_dealt_out_by_elements(two):
    def epoch_and_number(place):
        return place // COUNT, place % COUNT

    def with_epoch(epoch, number):
        return (epoch, *drawn(number))

    mapped = (
        slowly(tf.data.Dataset.range(2 * COUNT))
        .map(epoch_and_number)
        .apply(seeded_map(with_epoch, 42, epoch=lambda epoch, _: epoch, index=lambda _, number: number))
    )
    there = through(two, mapped)
    inside = tf.data.Dataset.range(COUNT).apply(seeded_map(drawn, 42, epochs=2))
    assert draws(one[1:] for one in there) == draws(inside)
    busy = {epoch: {int(one[3]) for one in there if one[0] == epoch} for epoch in range(2)}
    assert [len(processes) for processes in busy.values()] == [2, 2]


@pytest.mark.parametrize("options", [{"epoch": 0}, {"epochs": 1}, {"epochs": 2}])
def test_without_an_index_elements_that_are_dealt_out_are_refused_with_the_line_to_write(two, options):
    mapped = slowly(tf.data.Dataset.range(COUNT)).apply(seeded_map(drawn, 42, **options))
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"index: got none, and .*Write, for instance, "
    ) as told:
        through(two, mapped)
    assert "index=lambda number, image: number" in str(told.value)


def test_what_static_shards_take(two, records):
    """By position, and whole epochs: shards of elements do, those of files find no files."""
    for options in ({"epoch": 1}, {"epochs": 2}, {"epochs": 2, "index": itself}):
        mapped = from_files(records).apply(seeded_map(drawn, 42, **options))
        assert draws(through(two, mapped, "DATA")) == draws(mapped)
        with pytest.raises(tf.errors.NotFoundError):
            through(two, mapped, "FILE")


def test_names_are_indices():
    names = ["a/1.png", "a/2.png", "b/1.png"]
    files = tf.data.Dataset.from_tensor_slices(names)
    mapped = seeded_map(lambda name: (name, seeds.uniform(seeds.look_up())), 42, epoch=0, index=itself)
    found = dict(files.apply(mapped).as_numpy_iterator())
    assert dict(files.shard(2, 1).apply(mapped).as_numpy_iterator()).items() <= found.items()
    assert len(set(found.values())) == 3
    # The number of a name is part of the promise: everybody's draws hang on it.
    with seeds.ambient(seeds.fold_in(seeds.fold_in((42, 0), 0), NUMBER)):
        assert seeds.uniform(seeds.look_up()) == found[b"a/1.png"]


def test_the_order_of_the_elements_moves_no_draw():
    numbers = tf.data.Dataset.range(COUNT)
    mapped = seeded_map(drawn, 42, epoch=1, index=itself)
    assert draws(numbers.shuffle(COUNT, seed=1).apply(mapped)) == draws(numbers.apply(mapped))


def test_an_index_in_a_structure_and_epochs_of_every_form():
    """The same draws as by position."""
    data = tf.data.Dataset.range(5).map(lambda number: {"id": number, "x": number})

    def function(element):
        return element["id"], seeds.uniform(seeds.look_up()), element["x"]

    def by_id(element):
        if element["id"] < 0:  # converted by AutoGraph, as the function is
            return tf.constant(0, tf.int64)
        return element["id"]

    position = draws(data.apply(seeded_map(function, 42, epoch=1)))
    for epoch in (1, tf.constant(1), lambda element: 1):
        mapped = data.apply(seeded_map(function, 42, epoch=epoch, index=by_id))
        assert draws(mapped) == position
        assert mapped.cardinality() == 5


@pytest.mark.parametrize("options", [{"epochs": 2}, {"epoch": 1}])
def test_an_iterator_resumes_in_mid_epoch(options, tmp_path):
    data = tf.data.Dataset.range(9).shuffle(9, seed=3, reshuffle_each_iteration=False)

    def function(number):
        return number, seeds.uniform(seeds.look_up()), number

    mapped = data.apply(seeded_map(function, 42, index=itself, num_parallel_calls=2, **options))
    whole = [tuple(map(float, one)) for one in mapped]
    running = iter(mapped)
    before = [tuple(map(float, next(running))) for _ in range(5)]
    saved = tf.train.Checkpoint(iterator=running).save(str(tmp_path / "at"))
    for _ in range(3):
        next(running)
    again = iter(mapped)
    tf.train.Checkpoint(iterator=again).restore(saved)
    assert before + [tuple(map(float, one)) for one in again] == whole


def test_many_indices_are_numbers_that_stay_apart():
    """Of the whole range of 64 bits, and of every integer dtype."""
    found = [
        float(next(iter(tf.data.Dataset.from_tensors(np.int64(n)).apply(of_number)))[1])
        for n in (0, 1, -1, 2**32, 2**62, -(2**62))
    ]
    assert len(set(found)) == len(found)
    small = tf.data.Dataset.from_tensors(np.uint8(1)).apply(of_number)
    assert float(next(iter(small))[1]) == found[1]


of_number = seeded_map(lambda n: (n, seeds.uniform(seeds.look_up())), 42, epoch=0, index=itself)


@pytest.mark.parametrize(
    ("error", "said", "options"),
    [
        (WrongType, "index", {"index": 3}),
        (UnsupportedArgument, "epoch", {"epoch": lambda number: number}),
        (WrongType, "index", {"epoch": 0, "index": lambda number: tf.cast(number, tf.float32)}),
        (OutsideDomain, "index", {"epoch": 0, "index": lambda number: number[None]}),
        (WrongType, "epoch", {"index": itself, "epoch": tf.as_string}),
        (WrongType, "epoch", {"index": itself, "epoch": 0.5}),
        (UnsupportedArgument, "epoch", {"index": itself, "epoch": 0, "epochs": 2}),
        (UnsupportedArgument, "epoch", {"index": itself}),
        (UnsupportedArgument, "epoch", {"index": itself, "epoch": tf.Variable(0)}),
    ],
)
def test_bad_input_is_refused_while_tracing(error, said, options):
    with pytest.raises(error, match=f"{said}: got"):
        tf.data.Dataset.range(3).apply(seeded_map(drawn, 42, **options))
