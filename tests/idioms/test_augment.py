"""Augmentation by hand: mask and boxes go with the image, draws are those of the reference, refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from pipeport import batched, references, seeds
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from pipeport.idioms import cutout, random_crop, random_flip, random_resized_crop
from pipeport.references import _augment, _windows

IMAGE = np.arange(9 * 7 * 3, dtype=np.uint8).reshape(9, 7, 3)
MASK = np.arange(63, dtype=np.int32).reshape(9, 7)
BOXES = np.array([[1.0, 2.0, 4.0, 5.0], [0.0, 0.0, 7.0, 9.0]], np.float32)
Call = Callable[..., Any]

CALLS: dict[str, Call] = {
    "flip": lambda x, **o: random_flip(x, MASK, BOXES, axis=(0, 1), **o),
    "crop": lambda x, **o: random_crop(x, (4, 3), MASK, BOXES, **o),
    "cutout": lambda x, **o: cutout(x, (4, 3), holes=2, fill=(1, 2, 3), **o),
    "resized crop": lambda x, **o: random_resized_crop(x, (6, 5), mask=MASK, **o),
}


def as_list(outputs: Any) -> list[np.ndarray]:
    return [np.asarray(one) for one in tf.nest.flatten(outputs)]


def same(one: Any, other: Any) -> None:
    for left, right in zip(as_list(one), as_list(other), strict=True):
        assert left.dtype == right.dtype
        np.testing.assert_array_equal(left, right)


@pytest.mark.parametrize("name", CALLS)
def test_one_seed_draws_the_same_on_every_engine(name: str) -> None:
    call, several = CALLS[name], [(5, index) for index in range(12)]
    expected = [call(IMAGE, seed=seed) for seed in several]
    assert len({as_list(one)[0].tobytes() for one in expected}) > 1
    image = tf.constant(IMAGE)
    unknown = tf.function(
        lambda x, s: call(x, seed=s),
        input_signature=[tf.TensorSpec([None, None, 3], tf.uint8), tf.TensorSpec([2], tf.int64)],
    )
    known = tf.function(lambda s: call(image, seed=s))
    compiled = tf.function(lambda x, s: call(x, seed=s), jit_compile=True)
    for seed, right in zip(several, expected, strict=True):
        tensor = tf.constant(seed, tf.int64)
        for found in (unknown(image, tensor), known(tensor), compiled(image, tensor)):
            same(found, right)
    shapes = known.get_concrete_function(tf.TensorSpec([2], tf.int64)).output_shapes
    assert [s.as_list() for s in tf.nest.flatten(shapes)] == [list(a.shape) for a in as_list(expected[0])]


@pytest.mark.parametrize("name", CALLS)
def test_seeded_elements_do_not_hang_on_parallelism(name: str) -> None:
    data = tf.data.Dataset.from_tensors(IMAGE).repeat(24)
    found = [
        list(data.apply(seeds.seeded_map(CALLS[name], 3, epochs=1, num_parallel_calls=n))) for n in (1, 4)
    ]
    for one, other in zip(*found, strict=True):
        same(one, other)
    assert len({as_list(one)[0].tobytes() for one in found[0]}) > 1


BATCHED: dict[str, tuple[Call, dict[str, Any], dict[str, Any]]] = {
    "flip": (random_flip, {"image": IMAGE, "mask": MASK, "boxes": BOXES}, {}),
    "crop": (random_crop, {"image": IMAGE, "mask": MASK, "boxes": BOXES}, {"size": (4, 3)}),
    "cutout": (cutout, {"image": IMAGE}, {"size": 3}),
    "resized crop": (random_resized_crop, {"image": IMAGE, "mask": MASK}, {"size": (6, 5)}),
}


@pytest.mark.parametrize("name", BATCHED)
def test_a_batch_draws_for_each_element(name: str) -> None:
    native, arrays, options = BATCHED[name]
    stacked = {key: np.stack([value] * 6) for key, value in arrays.items()}
    folded = [native(**arrays, **options, seed=seeds.fold_in((5, 6), i)) for i in range(6)]
    own = tf.constant([(1, index) for index in range(6)])
    each = [native(**arrays, **options, seed=seed) for seed in own]
    for seed, alone in (((5, 6), folded), (own, each)):
        right = tf.nest.map_structure(lambda *parts: tf.stack(parts), *alone)
        same(batched(native)(**stacked, **options, seed=seed), right)
        compiled = tf.function(lambda s, **a: batched(native)(**a, **options, seed=s), jit_compile=True)
        same(compiled(tf.constant(seed), **{key: tf.constant(v) for key, v in stacked.items()}), right)
    with pytest.raises(OutsideDomain, match="seed: got 5 entries beside 6 of image"):
        batched(native)(**stacked, **options, seed=own[:5])


def test_a_chance_for_each_element_of_a_batch() -> None:
    images = np.stack([IMAGE] * 2)
    found = batched(random_flip)(images, p=tf.constant([0.0, 1.0]), seed=(5, 6))
    same(found, np.stack([IMAGE, IMAGE[:, ::-1]]))


@pytest.mark.parametrize("axis", [0, 1, (0, 1)])
def test_mask_and_boxes_are_flipped_as_the_image(axis: Any) -> None:
    same(
        random_flip(IMAGE, MASK, BOXES, 1.0, axis, seed=(1, 2)),
        references.random_flip(IMAGE, MASK, BOXES, 1.0, axis),
    )
    # The pixels inside a box are the same ones after the flip.
    image, _, boxes = as_list(random_flip(IMAGE, MASK, BOXES, 1.0, axis, seed=(1, 2)))
    cut = [x[int(b[1]) : int(b[3]), int(b[0]) : int(b[2])] for x, b in ((IMAGE, BOXES[0]), (image, boxes[0]))]
    same(np.flip(cut[1], axis), cut[0])
    assert len(tf.nest.flatten(random_flip(IMAGE, seed=(1, 2)))) == 1
    assert len(random_flip(IMAGE, boxes=BOXES, seed=(1, 2))) == 2


def test_mask_and_boxes_are_cropped_as_the_image() -> None:
    for index in range(20):
        image, mask, boxes = as_list(random_crop(IMAGE, (4, 3), MASK, BOXES, seed=(1, index)))
        row, column = divmod(int(mask[0, 0]), 7)
        same(image, IMAGE[row : row + 4, column : column + 3])
        same(mask, MASK[row : row + 4, column : column + 3])
        x1, y1, x2, y2 = (int(side) for side in boxes[0])
        inside = IMAGE[max(row, 2) : min(row + 4, 5), max(column, 1) : min(column + 3, 4)]
        if x2 > x1 and y2 > y1:
            same(image[y1:y2, x1:x2], inside)
        else:
            assert inside.size == 0
        assert boxes[1].tolist() == [0, 0, 3, 4]


def test_holes_have_their_size_and_colour() -> None:
    large = np.zeros((40, 30, 3), np.float32)
    sizes: list[tuple[Any, int]] = [(4, 16), ((2, 5), 10), (0.1, 12), (1.0, 1200)]
    for size, area in sizes:
        found = cutout(large, size, fill=(1.0, 2.0, 3.0), seed=(3, 8)).numpy()
        hit = found[..., 0] == 1
        assert hit.sum() == area or size == 1.0
        np.testing.assert_array_equal(found[hit], [[1, 2, 3]] * hit.sum())
        assert not found[~hit].any()
    most = max(cutout(large[..., 0], 3, holes=4, fill=1, seed=(1, i)).numpy().sum() for i in range(20))
    assert most == 36
    flat = tf.function(lambda x: cutout(x, 0.5, seed=(1, 2)), input_signature=[tf.TensorSpec([None, None])])
    same(flat(large[..., 0] + 1), cutout(large[..., 0] + 1, 0.5, seed=(1, 2)))


@pytest.mark.parametrize("shape", [(4, 40), (40, 4)])
def test_a_window_that_never_fits_is_cut_about_the_middle(shape: tuple[int, int]) -> None:
    image = np.random.default_rng(0).integers(0, 255, shape, np.uint8)
    found = random_resized_crop(image, (4, 4), (1.0, 1.0), (1.0, 1.0), seed=(1, 2))
    same(found, image[:, 18:22] if shape[0] == 4 else image[18:22])


def test_nothing_is_compiled_anew_for_another_window() -> None:
    specs = [tf.TensorSpec([9, 7, 3], tf.uint8), tf.TensorSpec([2], tf.int64)]
    for call in CALLS.values():
        graph = tf.function(lambda x, s, call=call: call(x, seed=s)).get_concrete_function(*specs)
        used = {node.op for node in graph.graph.as_graph_def().node}
        used |= {n.op for f in graph.graph.as_graph_def().library.function for n in f.node_def}
        assert used
        assert not used & {"Slice", "DynamicSlice", "TensorScatterUpdate"}


STATISTICS = {
    "flip": (random_flip, _augment.flip_statistic),
    "crop": (random_crop, _windows.crop_statistic),
    "cutout": (cutout, _augment.cutout_statistic),
    "resized crop": (random_resized_crop, _windows.resized_crop_statistic),
}


@pytest.mark.parametrize("name", STATISTICS)
def test_draws_have_the_distribution_of_the_reference_and_a_wrong_one_is_seen(name: str) -> None:
    native, statistic = STATISTICS[name]
    assert statistic(tf.function(native)) > 1e-6

    def coarse(*args: Any, seed: Any, **options: Any) -> Any:
        return native(*args, **options, seed=seed // 32)

    assert statistic(tf.function(coarse)) < 1e-6


def test_windows_of_another_area_or_shape_are_seen() -> None:
    for wrong in ({"scale": (0.2, 1.0)}, {"ratio": (1.0, 4 / 3)}):
        found = _windows.resized_crop_statistic(
            tf.function(lambda image, size, seed, w=wrong: random_resized_crop(image, size, **w, seed=seed))
        )
        assert found < 1e-6


def test_a_mask_with_a_draw_of_its_own_is_seen() -> None:
    def apart(image: Any, seed: Any, mask: Any, boxes: Any, **options: Any) -> Any:
        native = random_flip if "p" in options else random_crop
        one = native(image, mask=mask, boxes=boxes, **options, seed=seed)
        other = native(image, mask=mask, boxes=boxes, **options, seed=seeds.fold_in(seed, 1))
        return one[0], other[1], one[2]

    assert _augment.flip_statistic(tf.function(apart)) == 0
    assert _windows.crop_statistic(tf.function(apart)) == 0


def test_the_references_draw_alike() -> None:
    np.random.seed(0)
    corners = {int(references.random_crop(MASK, (8, 5))[0, 0]) for _ in range(200)}
    assert corners == {0, 1, 2, 7, 8, 9}
    assert {int((references.cutout(MASK + 1, 3) == 0).sum()) for _ in range(300)} == {4, 6, 9}
    flipped = sum(int(references.random_flip(MASK, p=0.25)[0, 0]) == 6 for _ in range(2000))
    assert 400 < flipped < 600


@pytest.mark.parametrize(
    ("kind", "message", "call"),
    [
        (UnsupportedArgument, "seed: got none", lambda: random_crop(IMAGE, (2, 2))),
        (UnsupportedArgument, "axis: got 2", lambda: random_flip(IMAGE, axis=2, seed=(1, 2))),
        (OutsideDomain, "p: got 2", lambda: random_flip(IMAGE, p=2, seed=(1, 2))),
        (OutsideDomain, "p: got shape", lambda: random_flip(IMAGE, p=[0.1, 0.2], seed=(1, 2))),
        (OutsideDomain, "mask: got shape", lambda: random_flip(IMAGE, MASK[1:], seed=(1, 2))),
        (OutsideDomain, "boxes: got int64", lambda: random_flip(IMAGE, boxes=[[1, 2, 3, 4]], seed=(1, 2))),
        (OutsideDomain, "boxes: got float32 of", lambda: random_flip(IMAGE, boxes=BOXES[0], seed=(1, 2))),
        (OutsideDomain, "size: got 10 of 9 pixels", lambda: random_crop(IMAGE, (10, 2), seed=(1, 2))),
        (OutsideDomain, "size: got ", lambda: random_crop(IMAGE, (0, 2), seed=(1, 2))),
        (OutsideDomain, "size: got 2.0", lambda: cutout(IMAGE, 2.0, seed=(1, 2))),
        (OutsideDomain, "size: got nan", lambda: cutout(IMAGE, float("nan"), seed=(1, 2))),
        (OutsideDomain, "holes: got 0", lambda: cutout(IMAGE, 2, 0, seed=(1, 2))),
        (OutsideDomain, "fill: got 300", lambda: cutout(IMAGE, 2, fill=300, seed=(1, 2))),
        (OutsideDomain, "fill: got 2 numbers", lambda: cutout(IMAGE, 2, fill=(1, 2), seed=(1, 2))),
        (WrongType, "holes: got", lambda: cutout(IMAGE, 2, 1.5, seed=(1, 2))),
        (WrongType, "scale: got 0.5", lambda: random_resized_crop(IMAGE, (2, 2), 0.5, seed=(1, 2))),
        (OutsideDomain, "scale: got", lambda: random_resized_crop(IMAGE, (2, 2), (0.5, 2), seed=(1, 2))),
        (
            OutsideDomain,
            "ratio: got",
            lambda: random_resized_crop(IMAGE, (2, 2), ratio=(2, 1), seed=(1, 2)),
        ),
        (OutsideDomain, "dtype bool", lambda: random_resized_crop(IMAGE > 3, (2, 2), seed=(1, 2))),
        (OutsideDomain, "image: got shape", lambda: cutout(IMAGE[:0], 2, seed=(1, 2))),
    ],
)
def test_bad_input(kind: type, message: str, call: Call) -> None:
    with pytest.raises(kind, match=message):
        call()


def test_sizes_unknown_while_tracing_are_checked_in_the_graph() -> None:
    spec = [tf.TensorSpec([None, None], tf.int32)]
    crop = tf.function(lambda x: random_crop(x, (9, 8), seed=(1, 2)), input_signature=spec)
    with pytest.raises(tf.errors.InvalidArgumentError, match="more than the image at run time"):
        crop(MASK)
    pair = tf.function(lambda x, y: random_flip(x, y, seed=(1, 2)), input_signature=spec * 2)
    with pytest.raises(tf.errors.InvalidArgumentError, match="height and width of `image`"):
        pair(MASK, MASK[1:])
