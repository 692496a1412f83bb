"""The recipe for an augmentation of one's own: reproducible, of one distribution, and every bug it names."""

from __future__ import annotations

import random
import re
import sys

import numpy as np
import pytest
import tensorflow as tf
from click.testing import CliRunner
from scipy import stats

import pipeport
from pipeport.cli import main
from pipeport.seeds import seeded_map
from tests.recipes.recipe_tools import RECIPES, boundaries, collected, photographs, program
from tests.recipes.test_port_a_body import functions

before, after = program("own-augmentation", "before"), program("own-augmentation", "after")
pitfalls = program("own-augmentation", "pitfalls")

# One false alarm in a million, for each quantity; the draws are the same on every run.
FALSE_ALARM = 1e-6
COUNT = 200


def ramps() -> np.ndarray:
    """Return an image (240, 256, 3) that shows what was done to it: row, column, and one value."""
    rows, columns = np.mgrid[:240, :256]
    return np.stack([40 + rows // 2, 40 + columns // 2, np.full_like(rows, 100)], axis=-1).astype(np.uint8)


def images() -> np.ndarray:
    return photographs(4, 240, 256)


def quantities(image: np.ndarray) -> dict[str, float]:
    """Return what a crop of `ramps` shows of its draws."""
    assert image.shape == (224, 224, 3)
    assert image.dtype == np.uint8
    row, column, plain = np.moveaxis(image.astype(np.float64), -1, 0)
    gain = plain.mean() / 100
    return {
        "top": row.mean() / gain,
        "left": column.mean() / gain,
        "flip": float(column[:, 0].mean() > column[:, -1].mean()),
        "gain": gain,
        "noise": plain.std(),
    }


def drawn(dataset: tf.data.Dataset) -> dict[str, list[float]]:
    found = [quantities(image) for image in collected(dataset)]
    return {name: [one[name] for one in found] for name in found[0]}


@pytest.fixture(scope="module")
def old() -> dict[str, list[float]]:
    np.random.seed(0)
    random.seed(0)
    return drawn(before.build_dataset(np.stack([ramps()] * COUNT), parallel_calls=1))


def alike(some: dict[str, list[float]], others: dict[str, list[float]]) -> dict[str, bool]:
    return {name: stats.ks_2samp(some[name], others[name]).pvalue > FALSE_ALARM for name in some}


def test_before_and_after_agree(old):
    new = drawn(after.build_dataset(np.stack([ramps()] * COUNT)))
    assert alike(old, new) == dict.fromkeys(old, True)


def test_other_distributions_are_noticed(old):
    """Each quantity, drawn otherwise: a test that could not fail would say they are alike."""

    def otherwise(image):
        top = np.random.randint(0, 9)
        left = np.random.randint(16, 33)
        image = image[top : top + 224, left : left + 224]
        if random.random() < 0.95:
            image = image[:, ::-1]
        image = image * np.random.uniform(1.0, 1.4)
        image = image + np.random.normal(0, 5, image.shape)
        return np.clip(image, 0, 255).astype(np.uint8)

    copies = tf.data.Dataset.from_tensors(ramps()).repeat(COUNT)
    new = drawn(copies.map(lambda image: tf.numpy_function(otherwise, [image], tf.uint8)))
    assert alike(old, new) == dict.fromkeys(old, False)


def test_the_same_draws_give_the_same_image():
    """Original and port, one element: `example` hands the draws of one to the other."""
    assert pipeport.port(before.augment, example=images()[0]).original is before.augment


@pytest.fixture(scope="module")
def augmented() -> tf.data.Dataset:
    """Return the dataset of after.py, traced once for those who look at it."""
    return after.build_dataset(images(), parallel_calls=1)


@pytest.fixture(scope="module")
def passes(augmented) -> list[list[np.ndarray]]:
    return [collected(augmented) for _epoch in range(2)]


@pytest.mark.parametrize("parallel_calls", [8, tf.data.AUTOTUNE])
def test_reproducible(passes, parallel_calls):
    again = collected(after.build_dataset(images(), parallel_calls=parallel_calls))
    np.testing.assert_array_equal(passes[0], again)


def test_before_is_not_reproducible():
    """Two passes go on with the generator; what is seeded first is used up."""
    dataset = before.build_dataset(images())
    assert not np.array_equal(collected(dataset), collected(dataset))


def test_seed_and_epoch_matter(passes):
    assert not np.array_equal(*passes)
    whole = collected(after.build_dataset(images(), epochs=2))
    np.testing.assert_array_equal(whole, np.concatenate(passes))
    other = collected(after.build_dataset(images(), seed=43))
    assert not np.array_equal(other, passes[0])


def test_cache_behind_the_map_freezes_the_draws(augmented):
    cached = augmented.cache()
    np.testing.assert_array_equal(collected(cached), collected(cached))


def test_the_body_is_the_same():
    old, new = (functions("own-augmentation", file) for file in ("before.py", "after.py"))
    assert [name for name in old if old[name] != new.get(name)] == ["tf_augment", "build_dataset"]
    assert set(new) < set(old)


def test_boundaries(augmented):
    assert boundaries(augmented) == set()
    assert boundaries(before.build_dataset(images())) == {"PyFunc"}


def test_static_shapes(augmented):
    assert augmented.element_spec.shape == (224, 224, 3)
    assert before.build_dataset(images()).element_spec.shape.rank is None


def test_the_command_under_proof(monkeypatch):
    folder = RECIPES / "own-augmentation"
    text = (folder / "README.md").read_text()
    words = re.search(r'pipeport (verify before:augment --port) --input "(.+)"', text)
    monkeypatch.chdir(folder)
    monkeypatch.delitem(sys.modules, "before", raising=False)
    few = ("--examples", "2", "--engine", "eager,graph")
    done = CliRunner().invoke(main, [*words[1].split(), "--input", words[2], *few])
    sys.modules.pop("before", None)
    assert done.exit_code == 0, done.output
    assert "2 cases: 2 passed" in done.output


def gain(image):
    return np.random.uniform()


def behind_another_call(image):
    np.clip(image, 0, 1)
    return np.random.uniform()


def behind_the_same_call(image):
    np.random.uniform()
    return np.random.uniform()


@pytest.fixture(scope="module")
def gains() -> list[float]:
    return pitfalls.drawn(gain)


def test_the_name_of_the_function_counts(gains):
    assert gains != pitfalls.drawn(behind_another_call)


@pytest.mark.parametrize(("function", "same"), [(behind_another_call, True), (behind_the_same_call, False)])
def test_what_moves_a_draw(function, same, gains, monkeypatch):
    """What the README says of the place of a draw."""
    monkeypatch.setattr(function, "__qualname__", "gain")
    assert (gains == pitfalls.drawn(function)) is same


RNG = np.random.default_rng(7)


def of_a_generator(image):
    return RNG.uniform()


def test_a_generator_made_outside_draws_from_the_element():
    ported = pitfalls.drawn(of_a_generator)
    assert len(set(ported)) == 16
    assert ported != pitfalls.drawn(of_a_generator, seed=43)
    assert ported == pitfalls.drawn(of_a_generator)
    assert ported[0] != np.random.default_rng(7).uniform()


def test_who_comes_first_draws_first():
    one, other = pitfalls.who_comes_first_draws_first()
    assert one != other
    assert sorted(one) == sorted(other)


def test_one_more_draw_moves_all_others():
    assert pitfalls.one_more_draw_moves_all_others() == (1 / 16, 1)


def test_no_seed_at_all():
    message = pitfalls.no_seed_at_all()
    assert message is not None
    assert message.startswith("seed: got none")
    assert "seeded_map" in message


def test_seed_inside_the_body():
    same, told = pitfalls.seed_inside_the_body()
    assert same
    assert "give the seed to `ds.apply(pipeport.seeds.seeded_map(function, 42))`" in told


def test_generator_seeded_inside_the_body():
    assert pitfalls.generator_seeded_inside_the_body() == (1, 1, 16)


def test_bytes_or_floats():
    told, plain = pitfalls.bytes_or_floats()
    assert "`image` of dtype float64 or uint8 in two branches" in told
    assert 2 < plain < 14


def test_crop_at_a_computed_place():
    cropped, stated = pitfalls.crop_at_a_computed_place()
    assert cropped == [None, 3]
    assert stated == [2, 3]


def test_a_wrong_size_is_noticed():
    """`ensure_shape` checks each element."""

    def crop(image):
        return image[: np.random.randint(1, 3)]

    cropped = pitfalls.IMAGES.apply(seeded_map(pipeport.port(crop), 42))
    with pytest.raises(tf.errors.InvalidArgumentError):
        collected(cropped.map(lambda image: tf.ensure_shape(image, [2, 3])))


def test_a_dataset_built_anew():
    assert pitfalls.a_dataset_built_anew() == (False, True, True)
