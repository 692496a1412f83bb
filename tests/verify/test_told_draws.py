"""Random natives whose draw is told to the reference: wrong applications and draws of others are seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from pipeport import catalog, seeds
from pipeport.contract import AsReference, Image, SameDistribution, SeedPair
from pipeport.errors import NotEquivalent
from pipeport.idioms import random_brightness_contrast
from pipeport.verify._examine import examine
from pipeport.verify._example import Example
from pipeport.verify._judge import Evidence
from pipeport.verify._pair import pair_of
from tests.verify.stand_ins import pair

_HERE = "tests.verify.test_told_draws"
IMAGE = np.array([[1.0, 2.0], [3.0, 4.0]])


def drawn(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {"share": float(seeds.uniform(arguments["seed"], [], "float64"))}


def told(image: Any, *, share: float) -> Any:
    return image * share


def reference(image: Any) -> Any:
    return told(image, share=np.random.random())


def native(image: Any, *, seed: Any) -> Any:
    return image * tf.cast(seeds.uniform(seed, [], "float64"), image.dtype)


def off(image: Any, *, seed: Any) -> Any:
    return native(image, seed=seed) * 1.001


def other_draw(image: Any, *, seed: Any) -> Any:
    return native(image, seed=seeds.fold_in(seed, 5))


def judged(function: Any) -> Any:
    agreement = SameDistribution(AsReference(), f"{_HERE}.told", "", draw_parameters=f"{_HERE}.drawn")
    domain = {"image": Image(dtypes=("float64",), non_finite=False)}
    random = pair(reference, function, domain, agreement, extra={"seed": SeedPair()})
    return examine(random, Example(elements=({"image": IMAGE, "seed": (3, 4)},)), "eager")


def test_the_native_is_compared_with_what_it_drew() -> None:
    worst = judged(native)
    assert worst.pixels == IMAGE.size
    assert worst.ratio <= 1


@pytest.mark.parametrize("wrong", [off, other_draw])
def test_another_application_or_draw_is_refused(wrong: Any) -> None:
    with pytest.raises(NotEquivalent, match="differs by"):
        judged(wrong)


def test_elements_of_a_batch_are_told_their_own_draws() -> None:
    own = pair_of(catalog.find("idioms.random_brightness_contrast"))
    element = {
        "image": np.full([2, 3], 0.5),
        "about": 0,
        "largest": None,
        "brightness": 0.3,
        "contrast": 0,
        "seed": (3, 4),
    }
    call = Example(elements=(element, element), per_element=frozenset({"image"}), trace="static")
    assert examine(own, call, "batched").pixels == 12

    def all_alike(image: Any, brightness: Any, contrast: Any, about: Any, largest: Any, seed: Any) -> Any:
        return random_brightness_contrast(image, brightness, contrast, about, largest, seed=seed)

    with pytest.raises(NotEquivalent, match="differs by"):
        examine(replace(own, native=all_alike), call, "batched")


def test_discontinuities_are_told_by_output() -> None:
    several = Evidence(discontinuities=lambda: (np.zeros([2, 3]), np.ones([2, 4])))
    assert [several.other_sides(index).shape for index in (0, 1)] == [(2, 3), (2, 4)]
    alone = Evidence(discontinuities=np.zeros([2, 3]))
    assert alone.other_sides(1) is alone.discontinuities
