"""Turns and brightness by a drawn number: one draw on every engine and in a batch, limits, refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import batched, references, seeds
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from pipeport.idioms import random_brightness_contrast, random_rotate
from pipeport.references import _altered

IMAGE = np.random.default_rng(0).integers(0, 256, (9, 12, 3), np.uint8)
MASK = np.arange(108, dtype=np.int32).reshape(9, 12)
SEED = (1, 2)
Call = Callable[..., Any]

CALLS: dict[str, Call] = {
    "rotate": lambda x, **o: random_rotate(x, (-50, 20), MASK, fill=7, mask_fill=-1, **o),
    "brightness": lambda x, **o: (random_brightness_contrast(x, about="mean", **o),),
}


def same(found: Any, expected: Any) -> None:
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("name", CALLS)
def test_one_seed_draws_the_same_on_every_engine(name: str) -> None:
    call = CALLS[name]
    unknown = tf.function(
        lambda x, s: call(x, seed=s),
        input_signature=[tf.TensorSpec([None, None, 3], tf.uint8), tf.TensorSpec([2], tf.int64)],
    )
    known = tf.function(lambda s: call(tf.constant(IMAGE), seed=s), jit_compile=True)
    expected = [call(IMAGE, seed=(5, index)) for index in range(8)]
    assert len({one[0].numpy().tobytes() for one in expected}) == 8
    for index, right in enumerate(expected):
        seed = tf.constant((5, index), tf.int64)
        for found in (unknown(IMAGE, seed), known(seed)):
            same(found, right)
    shapes = known.get_concrete_function(tf.TensorSpec([2], tf.int64)).output_shapes
    assert [s.as_list() for s in tf.nest.flatten(shapes)] == [list(one.shape) for one in expected[0]]


@pytest.mark.parametrize("name", CALLS)
def test_seeded_elements_do_not_hang_on_parallelism(name: str) -> None:
    data = tf.data.Dataset.from_tensors(IMAGE).repeat(8)
    one, other = (
        list(data.apply(seeds.seeded_map(CALLS[name], 3, epochs=1, num_parallel_calls=n))) for n in (1, 4)
    )
    for left, right in zip(one, other, strict=True):
        same(left, right)
    assert len({left[0].numpy().tobytes() for left in one}) == 8


@pytest.mark.parametrize("native", [random_rotate, random_brightness_contrast])
def test_a_batch_draws_for_each_element(native: Call) -> None:
    options: dict[str, Any] = {"degrees": 60} if native is random_rotate else {}
    stacked = np.stack([IMAGE, IMAGE[::-1], IMAGE[:, ::-1]])
    own = [(1, 2), (3, 4), (5, 6)]
    folded = [seeds.fold_in(SEED, index) for index in range(3)]
    for seed, alone in ((SEED, folded), (own, own)):
        right = [native(x, **options, seed=s) for x, s in zip(stacked, alone, strict=True)]
        assert len({one.numpy().tobytes() for one in right}) == 3
        same(batched(native)(stacked, **options, seed=seed), right)
        graph = tf.function(lambda x, s: batched(native)(x, **options, seed=s))
        same(graph(tf.constant(stacked), tf.constant(seed)), right)


@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.float32])
def test_one_angle_turns_image_and_mask_as_scikit_image_does(dtype: Any) -> None:
    from skimage.transform import rotate

    image = IMAGE.astype(dtype)
    for degrees in ((33, 33), (-12.5, -12.5)):
        found, mask = random_rotate(image, degrees, MASK, "edge", seed=SEED)
        right = rotate(image, degrees[0], mode="edge", preserve_range=True)
        np.testing.assert_allclose(found, right, atol=1e-3 if dtype == np.float32 else 0.5001)
        right = rotate(MASK, degrees[0], order=0, mode="edge", preserve_range=True)
        np.testing.assert_array_equal(mask, right)


def test_elements_of_a_batch_of_bytes_are_clipped_apart() -> None:
    # One that shows the fill is not clipped, one that does not is: the limits of one are infinite.
    images, angles = np.stack([IMAGE, IMAGE]), [40.0, 1.0]
    turn = pipeport.skimage.transform.rotate
    found = batched(turn)(images, tf.constant(angles), preserve_range=True, dtype="uint8")
    same(found, [turn(IMAGE, angle, preserve_range=True, dtype="uint8") for angle in angles])
    assert found[0].numpy().max() > 100


def test_brightness_and_contrast_by_hand() -> None:
    image = np.array([[0, 100, 250]], np.uint8)

    def of(*limits: Any, **options: Any) -> list[int]:
        return random_brightness_contrast(image, *limits, **options, seed=SEED).numpy()[0].tolist()

    assert of((0.2, 0.2), 0) == [51, 151, 255]
    assert of(0, (-0.5, -0.5)) == [0, 50, 125]
    assert of(0, (-0.5, -0.5), about=100) == [50, 100, 175]
    assert of(0, (0.1, 0.1), largest=120) == [0, 110, 120]
    middle = 350 / 3
    assert of(0, (-1, -1), about="mean") == [round(middle)] * 3
    whole = random_brightness_contrast(image / 250, 0, (1, 1), seed=SEED).numpy()[0].tolist()
    assert whole == [0.0, 0.8, 1.0]


def test_the_references_draw_within_their_limits() -> None:
    np.random.seed(0)
    ramp = np.tile(np.arange(9.0) - 4, (9, 1))
    turns = [references.random_rotate(ramp, (-40, 70)) for _ in range(100)]
    angles = [np.degrees(np.arctan2(-one[6, 4], one[4, 6])) for one in turns]
    assert -40 <= min(angles) < -35
    assert 65 < max(angles) <= 70
    lit = [references.random_brightness_contrast(np.array([[0.5]]), 0.1, 0.2)[0, 0] for _ in range(100)]
    assert 0.3 <= min(lit) < 0.35
    assert 0.65 < max(lit) <= 0.7


@pytest.mark.parametrize("drawn", [{"angle": 31.0}, {"angle": float("nan")}])
def test_the_reference_takes_no_draw_that_it_cannot_make(drawn: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="in its range"):
        _altered.turned(IMAGE, 30, **drawn)


@pytest.mark.parametrize(
    ("kind", "message", "call"),
    [
        (UnsupportedArgument, "seed: got none", lambda: random_rotate(IMAGE, 30)),
        (UnsupportedArgument, "mode: got", lambda: random_rotate(IMAGE, 30, mode="nearest", seed=SEED)),
        (OutsideDomain, "degrees: got -30", lambda: random_rotate(IMAGE, -30, seed=SEED)),
        (OutsideDomain, "degrees: got", lambda: random_rotate(IMAGE, (30, float("inf")), seed=SEED)),
        (WrongType, "degrees: got 'x'", lambda: random_rotate(IMAGE, "x", seed=SEED)),
        (WrongType, "degrees: got", lambda: random_rotate(IMAGE, tf.constant(30.0), seed=SEED)),
        (WrongType, "degrees: got", lambda: random_rotate(IMAGE, (1, 2, 3), seed=SEED)),
        (WrongType, "degrees: got", lambda: random_rotate(IMAGE, (1,), seed=SEED)),
        (OutsideDomain, "image: got dtype bool", lambda: random_rotate(IMAGE > 9, 30, seed=SEED)),
        (OutsideDomain, "fill: got 300", lambda: random_rotate(IMAGE, 30, fill=300, seed=SEED)),
        (OutsideDomain, "mask_fill", lambda: random_rotate(IMAGE, 30, MASK, mask_fill=[1, 2], seed=SEED)),
        (OutsideDomain, "mask: got shape", lambda: random_rotate(IMAGE, 30, MASK[1:], seed=SEED)),
        (UnsupportedArgument, "seed: got none", lambda: random_brightness_contrast(IMAGE)),
        (OutsideDomain, "contrast", lambda: random_brightness_contrast(IMAGE, 0.1, (2, 1), seed=SEED)),
        (WrongType, "brightness", lambda: random_brightness_contrast(IMAGE, "0.1", seed=SEED)),
        (OutsideDomain, "about: got", lambda: random_brightness_contrast(IMAGE, about="all", seed=SEED)),
        (WrongType, "about", lambda: random_brightness_contrast(IMAGE, about=(1, 2), seed=SEED)),
        (OutsideDomain, "largest: got 0", lambda: random_brightness_contrast(IMAGE, largest=0, seed=SEED)),
        (OutsideDomain, "largest", lambda: random_brightness_contrast(IMAGE, largest=256, seed=SEED)),
        (OutsideDomain, "dtype int32", lambda: random_brightness_contrast(MASK, seed=SEED)),
    ],
)  # fmt: skip
def test_bad_input(kind: type, message: str, call: Call) -> None:
    with pytest.raises(kind, match=message):
        call()
