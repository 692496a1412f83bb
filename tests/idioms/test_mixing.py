"""mixup and cutmix: one draw on every engine, labels that go with images, refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from pipeport import batched, references, seeds
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from pipeport.idioms import cutmix, mixup
from pipeport.references import _mixed

COUNT = 4
# Every image holds its own number, so that what is mixed shows where it comes from.
IMAGES = np.broadcast_to(np.arange(COUNT, dtype=np.float32)[:, None, None, None], (COUNT, 8, 10, 2)).copy()
LABELS = np.eye(COUNT, dtype=np.float32)
SEED = (1, 2)
Call = Callable[..., Any]


def close(found: Any, expected: Any) -> None:
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-6)


@pytest.mark.parametrize("per_element", [False, True])
@pytest.mark.parametrize("native", [mixup, cutmix])
def test_one_seed_draws_the_same_on_every_engine(native: Call, per_element: bool) -> None:
    def call(images: Any, labels: Any, seed: Any) -> Any:
        return native(images, labels, per_element=per_element, seed=seed)

    unknown = tf.function(call, input_signature=[
        tf.TensorSpec([None, None, None, 2]), tf.TensorSpec([None, None]), tf.TensorSpec([2], tf.int64)
    ])  # fmt: skip
    compiled = tf.function(call, jit_compile=True)
    different = set()
    for index in range(6):
        given = tf.constant(IMAGES), tf.constant(LABELS), tf.constant((5, index), tf.int64)
        right = call(*given)
        different.add(right[1].numpy().tobytes())
        for function in (unknown, compiled):
            close(function(*given), right)
    assert len(different) > 3
    shapes = compiled.get_concrete_function(*given).output_shapes
    assert [one.as_list() for one in shapes] == [list(IMAGES.shape), list(LABELS.shape)]


@pytest.mark.parametrize("native", [mixup, cutmix])
def test_batches_draw_each_by_its_seed(native: Call) -> None:
    stacked = np.stack([IMAGES, IMAGES[::-1]]), np.stack([LABELS, LABELS])
    for seed, own in ((SEED, [seeds.fold_in(SEED, 0), seeds.fold_in(SEED, 1)]), ([(1, 2), (3, 4)],) * 2):
        alone = [native(stacked[0][n], stacked[1][n], seed=own[n]) for n in (0, 1)]
        close(batched(native)(*stacked, seed=seed), [np.stack(part) for part in zip(*alone, strict=True)])


def test_batches_of_a_pipeline_do_not_hang_on_parallelism() -> None:
    data = tf.data.Dataset.from_tensors((IMAGES, LABELS)).repeat(6)
    one, other = (
        list(data.apply(seeds.seeded_map(mixup, 3, epochs=1, num_parallel_calls=n))) for n in (1, 3)
    )
    for left, right in zip(one, other, strict=True):
        close(left, right)
    assert len({left[1].numpy().tobytes() for left in one}) > 3


@pytest.mark.parametrize("per_element", [False, True])
def test_labels_say_what_images_hold(per_element: bool) -> None:
    for index in range(10):
        options: dict[str, Any] = {"alpha": 1.0, "per_element": per_element, "seed": (7, index)}
        images, labels = (part.numpy() for part in mixup(IMAGES, LABELS, **options))
        np.testing.assert_allclose(images[:, 0, 0, 0], labels @ np.arange(COUNT), atol=1e-6)
        images, labels = (part.numpy() for part in cutmix(IMAGES, LABELS, **options))
        for number in range(COUNT):
            np.testing.assert_allclose((images == number).mean((1, 2, 3)), labels[:, number], atol=1e-6)
        if not per_element:  # one box, where pixels are not their own
            moved = (images != IMAGES).any((0, 3))
            rows, columns = moved.any(1), moved.any(0)
            assert moved.sum() == rows.sum() * columns.sum()


def test_dtypes_and_ranks() -> None:
    whole = IMAGES.astype(np.uint8)
    assert mixup(whole, LABELS, seed=SEED)[0].dtype == tf.float32
    assert mixup(IMAGES.astype(np.float16), LABELS, seed=SEED)[0].dtype == tf.float16
    assert cutmix(whole, LABELS, seed=SEED)[0].dtype == tf.uint8
    assert cutmix(whole[..., 0], LABELS[:, 0].astype(np.float64), seed=SEED)[1].dtype == tf.float64
    assert mixup(IMAGES[:, 0, 0, 0], LABELS[:, 0], seed=SEED)[0].shape == [COUNT]
    assert [len(part) for part in cutmix(IMAGES[:0], LABELS[:0], seed=SEED)] == [0, 0]
    assert [len(part) for part in mixup(IMAGES[:0], LABELS[:0], per_element=True, seed=SEED)] == [0, 0]


def test_the_references_draw_alike() -> None:
    np.random.seed(0)
    for reference in (references.mixup, references.cutmix):
        labels = np.array([reference(IMAGES, LABELS, 1.0, True)[1] for _ in range(50)])
        np.testing.assert_allclose(labels.sum(2), 1, rtol=1e-6)
        assert np.ptp(labels.diagonal(0, 1, 2)) > 0.5


@pytest.mark.parametrize(
    "drawn", [{"share": 1.5, "order": [0, 1, 2, 3]}, {"share": 0.5, "order": [0, 0, 2, 3]}]
)
def test_the_reference_takes_no_draw_that_it_cannot_make(drawn: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"share|once"):
        _mixed.mixed(IMAGES, LABELS, **drawn)
    with pytest.raises(ValueError, match=r"share|once|pixel"):
        _mixed.pasted(IMAGES, LABELS, **drawn, centre=[8, 0])


@pytest.mark.parametrize("native", [mixup, cutmix])
@pytest.mark.parametrize(
    ("kind", "message", "arguments"),
    [
        (UnsupportedArgument, "seed: got none", {"seed": None}),
        (OutsideDomain, "alpha: got 0", {"alpha": 0}),
        (WrongType, "alpha: got", {"alpha": (1, 2)}),
        (UnsupportedArgument, "per_element: got", {"per_element": tf.constant([True])}),
        (OutsideDomain, "labels: got dtype int64", {"labels": np.arange(COUNT)}),
        (OutsideDomain, "labels: got 3 beside 4 images", {"labels": LABELS[:3]}),
        (OutsideDomain, "images: got dtype bool", {"images": IMAGES > 1}),
        (OutsideDomain, "labels: got a scalar", {"labels": 1.0}),
    ],
)
def test_bad_input(native: Call, kind: type, message: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(kind, match=message):
        native(**{"images": IMAGES, "labels": LABELS, "seed": SEED, **arguments})


def test_what_is_unknown_while_tracing_is_checked_in_the_graph() -> None:
    with pytest.raises(OutsideDomain, match="images: got shape"):
        cutmix(LABELS, LABELS, seed=SEED)
    spec = [tf.TensorSpec([None, 8, 10, 2]), tf.TensorSpec([None, COUNT])]
    mix = tf.function(lambda x, y: mixup(x, y, seed=SEED), input_signature=spec)
    with pytest.raises(tf.errors.InvalidArgumentError, match="another number at run time"):
        mix(IMAGES, LABELS[:2])
