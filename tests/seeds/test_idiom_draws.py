"""Draws of augmentation by hand: their distributions, and that a wrong one is seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from pipeport import seeds
from pipeport.contract import contract_of
from pipeport.idioms import cutmix, mixup, random_brightness_contrast, random_rotate
from pipeport.references import _altered, _mixed

pytestmark = pytest.mark.newest_only

Native = Callable[..., Any]
ALARM = 1e-6

STATISTICS: dict[str, tuple[Native, Callable[[Native], float]]] = {
    "rotate": (random_rotate, _altered.rotate_statistic),
    "brightness": (random_brightness_contrast, _altered.brightness_contrast_statistic),
    "mixup": (mixup, _mixed.mixup_statistic),
    "cutmix": (cutmix, _mixed.cutmix_statistic),
}


@pytest.mark.parametrize("name", STATISTICS)
def test_draws_have_the_distribution_of_the_reference(name: str) -> None:
    native, statistic = STATISTICS[name]
    contract = contract_of(native)
    assert contract is not None
    assert contract.agreement.false_alarm == ALARM
    assert contract.agreement.statistic.endswith(f".{statistic.__name__}")
    np.random.seed(7)
    before = np.random.get_state()[1].tobytes()
    assert statistic(tf.function(native)) > ALARM
    assert np.random.get_state()[1].tobytes() == before


def _rotate(**other: Any) -> Native:
    return lambda image, degrees, mask, seed: random_rotate(
        image, other.get("degrees", degrees), mask, seed=other.get("seed", lambda s: s)(seed)
    )


def _mask_apart(image: Any, degrees: Any, mask: Any, seed: Any) -> Any:
    own, _ = random_rotate(image, degrees, mask, seed=seed)
    return own, random_rotate(image, degrees, mask, seed=seeds.fold_in(seed, 1))[1]


def _few(seed: Any) -> Any:
    return seed % 3


def _lit(image: Any, brightness: Any, contrast: Any, seed: Any) -> Any:
    """Take one number for both."""
    part = seeds.uniform(seed, [], "float64")
    gain, shift = (1 + low + (high - low) * part for low, high in (contrast, brightness))
    return image * gain + shift - 1


def _mix(native: Native, **other: Any) -> Native:
    def mixed(images: Any, labels: Any, alpha: Any, per_element: Any, seed: Any) -> Any:
        given = {"alpha": alpha, "per_element": per_element, **other}
        return native(images, labels, **given, seed=seed)

    return mixed


def _labels_apart(images: Any, labels: Any, alpha: Any, per_element: Any, seed: Any) -> Any:
    own, _ = cutmix(images, labels, alpha, per_element, seed=seed)
    return own, cutmix(images, labels, alpha, per_element, seed=seeds.fold_in(seed, 1))[1]


def _inside(images: Any, labels: Any, alpha: Any, per_element: Any, seed: Any) -> Any:
    """Draw boxes that fit, as is also written; uniformly, which alpha nearly is."""
    first, second, third = tf.unstack(seeds.split(seed, 3))
    root = tf.sqrt(1 - seeds.uniform(first, [], "float64"))
    hit, area = tf.ones([], tf.bool), tf.ones([], tf.float64)
    for axis, own, shape in ((1, second, [-1, 1]), (2, third, [1, -1])):
        side = images.shape[axis]
        length = tf.cast(side * root, tf.int64)
        start, place = seeds.randint(own, 0, side - length + 1), tf.range(side, dtype=tf.int64)
        inside = (place >= start) & (place < start + length)
        hit, area = hit & tf.reshape(inside, shape), area * tf.cast(length / side, tf.float64)
    mixed = (1 - area) * labels + area * tf.reverse(labels, [0])
    return tf.where(hit, tf.reverse(images, [0]), images), mixed


def _in_order(images: Any, labels: Any, alpha: Any, per_element: Any, seed: Any) -> Any:
    """Mix each with the one before it, always."""
    share = seeds.uniform(seed, [], "float64")
    return tuple(share * part + (1 - share) * tf.roll(part, 1, 0) for part in (images, labels))


MUTANTS: dict[str, tuple[str, Native]] = {
    "other angles": ("rotate", _rotate(degrees=(-20, 70))),
    "three angles": ("rotate", _rotate(seed=_few)),
    "a mask that turns by itself": ("rotate", _mask_apart),
    "one number for both": ("brightness", _lit),
    "another share": ("mixup", _mix(mixup, alpha=0.25)),
    "one share for all": ("mixup", _mix(mixup, per_element=False)),
    "one order": ("mixup", _in_order),
    "boxes of a size": ("cutmix", _mix(cutmix, alpha=20.0)),
    "boxes that are never cut": ("cutmix", _inside),
    "labels of another box": ("cutmix", _labels_apart),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_wrong_draw_is_seen(name: str) -> None:
    kind, mutant = MUTANTS[name]
    assert STATISTICS[kind][1](tf.function(mutant)) < ALARM
