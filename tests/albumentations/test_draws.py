"""Draws have the distribution of the reference's; and what draws or applies otherwise is noticed."""

from __future__ import annotations

import albumentations as reference
import pytest
import tensorflow as tf

import pipeport.albumentations as native
from pipeport import seeds
from pipeport.albumentations import _symmetry
from pipeport.contract import contract_of
from pipeport.references.augmentation import compare_draws
from pipeport.verify._augmentation import many_draws
from pipeport.verify._case import Plan, run_case
from pipeport.verify._pair import pair_of
from pipeport.verify._require import resolve
from tests.albumentations.driven import proof_of
from tests.catalog import arguments

# Draws are of integers, which tests/seeds holds to be the same with every TensorFlow.
pytestmark = pytest.mark.skipif(arguments.in_addons(), reason="environment: drawn alike in the main one")

SHAPE = (8, 12, 3)
FALSE_ALARM = 1e-6


def chance(ours, theirs) -> float:
    return compare_draws(theirs, ours, many_draws(ours, 5, compiled=False), SHAPE, resolve)


def nested(package):
    return package.Compose(
        [
            package.OneOf(
                [package.HorizontalFlip(p=0.6), package.VerticalFlip(p=0.2), package.NoOp()], p=0.7
            ),
            package.Sequential([package.Transpose(p=0.3), package.OneOf([package.D4(p=0.1)], p=0.5)], p=0.6),
            package.Compose([package.RandomRotate90(p=0.5)], p=0.4),
            package.OneOrOther(package.InvertImg(), package.SomeOf([package.NoOp()], p=0.5), p=0.3),
        ],
        p=0.8,
    )


def test_compositions_draw_as_their_references() -> None:
    assert chance(nested(native), nested(reference)) >= FALSE_ALARM


@pytest.mark.parametrize(
    "other",
    [
        lambda a: a.Compose([a.HorizontalFlip(p=0.5), a.VerticalFlip(p=0.5)], p=0.81),
        lambda a: a.Compose([a.OneOf([a.HorizontalFlip(p=0.5), a.VerticalFlip(p=0.5)], p=0.8)]),
        lambda a: a.Compose([a.Sequential([a.HorizontalFlip(p=0.5), a.VerticalFlip(p=0.5)], p=0.5)], p=0.9),
    ],
)
def test_other_compositions_are_told_apart(other) -> None:
    right = reference.Compose([reference.HorizontalFlip(p=0.5), reference.VerticalFlip(p=0.5)], p=0.95)
    assert chance(other(native), right) < FALSE_ALARM


class AppliedTwice(native.HorizontalFlip):
    """Its probability counts twice."""

    def plan(self, seed, forced):
        drawn = super().plan(seed, forced)
        again = super().plan(seeds.fold_in(seed, 1), forced)
        return {**drawn, "applied": drawn["applied"] & again["applied"]}


class OpenEnd(native.RandomRotate90):
    """It never turns three times."""

    def plan(self, seed, forced):
        drawn = super().plan(seed, forced)
        factor = tf.cast(seeds.randint(seeds.fold_in(seed, 3), 0, 3), tf.int32)
        return {**drawn, "params": {"factor": factor}}


class OtherOrder(native.D4):
    """It has the elements in another order."""

    elements = ("e", "r90", "r180", "r270", "h", "hvt", "v", "t")


def left_alone(kind: str) -> type:
    """Return a flip that forgets one kind of target."""

    class Forgetful(native.VerticalFlip):
        def perform(self, drawn, state, forced):
            after = super().perform(drawn, state, forced)
            kept = {name: state.values[name] for name, one in state.kinds.items() if one == kind}
            return after.replaced(kept)

    return Forgetful


class Shifted(native.HorizontalFlip):
    """Its points are a pixel off."""

    def perform(self, drawn, state, forced):
        after = super().perform(drawn, state, forced)
        if "keypoints" not in state.kinds:
            return after
        points, keep = after.values["keypoints"]
        off = tf.constant([1, 0, 0, 0, 0], points.dtype)
        return after.replaced({"keypoints": (tf.where(drawn["applied"], points + off, points), keep)})


MUTANTS = [
    (native.HorizontalFlip, AppliedTwice),
    (native.RandomRotate90, OpenEnd),
    (native.D4, OtherOrder),
    (native.VerticalFlip, left_alone("mask")),
    (native.VerticalFlip, left_alone("bboxes")),
    (native.VerticalFlip, left_alone("keypoints")),
    (native.HorizontalFlip, Shifted),
]


@pytest.mark.parametrize(("original", "mutant"), MUTANTS, ids=lambda side: side.__name__)
def test_mutants_are_rejected(original: type, mutant: type) -> None:
    record = proof_of(original, mutant, 30)
    assert record.status == "failed"
    assert record.failure is not None
    if record.failure.snippet:
        compile(record.failure.snippet, "snippet", "exec")
    else:
        assert record.failure.reason.startswith("distribution")


def test_an_original_is_not_rejected() -> None:
    assert proof_of(native.HorizontalFlip, native.HorizontalFlip, 8).status == "passed"


def test_a_lost_size_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Lost(native.HorizontalFlip):
        def perform(self, drawn, state, forced):
            image = tf.compat.v1.placeholder_with_default(state.image, [None, None, *state.image.shape[2:]])
            return super().perform(drawn, state.replaced({"image": image}), forced)

    pair = pair_of(contract_of(native.HorizontalFlip), native=Lost)
    record = run_case(pair, "graph", Plan(examples=6, shrink=False))
    assert record.failure is not None
    assert "static shape" in record.failure.reason


def test_parts_draw_apart() -> None:
    assert _symmetry.Symmetry.parameter == ""
    pipeline = native.Compose([native.D4(), native.D4(), native.Compose([native.D4()])])
    drawn = [tf.nest.flatten(pipeline.plan((1, index), False)) for index in range(30)]
    columns = zip(*[[int(v) for v in row if v.dtype == tf.int32] for row in drawn], strict=True)
    assert len(set(columns)) == 3
