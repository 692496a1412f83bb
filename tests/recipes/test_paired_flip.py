"""The paired-flip recipe: one of the two admissible answers, reproducible, and every bug it names."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from tests.recipes.recipe_tools import boundaries, collected, masks, photographs, program

before, after = program("paired-flip", "before"), program("paired-flip", "after")
pitfalls = program("paired-flip", "pitfalls")


def flips(elements) -> list[bool]:
    """Tell which elements are flipped; each must be one of the two answers NumPy gives."""
    found = []
    for image, label, (new_image, new_label) in zip(photographs(), masks(), elements, strict=True):
        assert (new_image.dtype, new_label.dtype) == (image.dtype, label.dtype)
        flipped = np.array_equal(new_image, np.fliplr(image))
        assert flipped or np.array_equal(new_image, image)
        np.testing.assert_array_equal(new_label, np.fliplr(label) if flipped else label)
        found.append(flipped)
    return found


def test_photographs_are_not_symmetric():
    """Else `flips` could not tell."""
    assert not any(np.array_equal(image, np.fliplr(image)) for image in photographs())
    assert not any(np.array_equal(mask, np.fliplr(mask)) for mask in masks())


def test_before_and_after_agree():
    """Both give admissible pairs, and over a few epochs both outcomes of every element."""
    dataset = before.build_dataset(photographs(), masks())
    old = [flips(collected(dataset)) for _pass in range(40)]
    new = [flips(collected(after.build_dataset(photographs(), masks(), epoch=epoch))) for epoch in range(10)]
    for outcomes in (np.array(old), np.array(new)):
        assert outcomes.any(axis=0).all()
        assert not outcomes.all(axis=0).any()


@pytest.mark.parametrize("parallel_calls", [1, 2, 8, tf.data.AUTOTUNE])
def test_reproducible(parallel_calls):
    once = flips(collected(after.build_dataset(photographs(), masks())))
    again = flips(collected(after.build_dataset(photographs(), masks(), parallel_calls=parallel_calls)))
    assert once == again


def test_seed_and_epoch_matter():
    def drawn(**choice):
        return [
            tuple(flips(collected(after.build_dataset(photographs(), masks(), **choice, epoch=epoch))))
            for epoch in range(4)
        ]

    assert len(set(drawn(seed=42))) > 1
    assert drawn(seed=42) != drawn(seed=43)


def test_boundaries():
    assert boundaries(after.build_dataset(photographs(), masks())) == set()
    assert boundaries(before.build_dataset(photographs(), masks())) == {"PyFunc"}


def test_static_shapes():
    image, label = after.build_dataset(photographs(), masks()).element_spec
    assert (image.shape, label.shape) == ((48, 64, 3), (48, 64))
    specs = before.build_dataset(photographs(), masks()).element_spec
    assert all(spec.shape.rank is None for spec in specs)


def test_label_flipped_along_all_axes():
    image, label = pitfalls.label_flipped_along_all_axes()
    assert image == [[2, 1, 0], [5, 4, 3]]
    assert label == [[5, 4, 3], [2, 1, 0]]


def test_two_draws_for_one_pair():
    assert 4 < pitfalls.two_draws_for_one_pair() < 28


def test_frozen_at_trace_time():
    outcomes = pitfalls.frozen_at_trace_time()
    assert len(outcomes) == 3
    assert all(outcome == outcomes[0] and len(outcome) == 1 for outcome in outcomes)


def test_same_seed_other_timing():
    one, other = pitfalls.same_seed_other_timing()
    assert one != other
    assert sorted(one) == sorted(other)


def test_one_seed_for_all_elements():
    assert pitfalls.one_seed_for_all_elements() == [1, 2]


def test_same_flips_in_every_epoch():
    assert pitfalls.same_flips_in_every_epoch() == (True, False)


def test_no_seed_at_all():
    message = pitfalls.no_seed_at_all()
    assert message is not None
    assert message.startswith("seed: ")


def test_cache_behind_the_map_freezes_the_flips():
    """What the README says about cache(), on the dataset of an unseeded body."""
    cached = before.build_dataset(photographs(), masks()).cache()
    epochs = [flips(collected(cached)) for _epoch in range(5)]
    assert all(epoch == epochs[0] for epoch in epochs)
