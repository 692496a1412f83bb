"""Boxes and points under borders that reflect, and in CoarseDropout: pipelines, refusals, mutants."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
import tensorflow as tf

import pipeport.albumentations as native
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from tests.albumentations.driven import both, proof_of
from tests.catalog import arguments

in_main = pytest.mark.skipif(arguments.in_addons(), reason="environment: driven alike in the main one")
pytestmark = pytest.mark.filterwarnings("ignore:ShiftScaleRotate is a special case")
RANDOM = np.random.default_rng(23)
IMAGE = RANDOM.integers(0, 256, (60, 80, 3), np.uint8)
MASK = (IMAGE[..., 0] // 64).astype(np.uint8)
ELEMENT = {
    "image": IMAGE,
    "mask": MASK,
    "bboxes": np.array([[3.5, 4, 30, 32, 7], [50, 40, 79, 55.25, 8], [20.5, 1, 33, 9, 9]], np.float32),
    "labels": ["a", "b", "c"],
    "keypoints": np.array([[10.5, 20, 30, 2], [70, 5, 170, 1], [40, 41.5, 200, 3]], np.float32),
    "names": [1, 2, 3],
}
WARPS: list[tuple[str, dict[str, Any]]] = [
    ("Rotate", {"limit": (-80, 80)}),
    ("ShiftScaleRotate", {"shift_limit": 0.4, "scale_limit": (-0.8, 0.5), "rotate_limit": 40}),
    ("Affine", {"scale": (0.3, 1.5), "shear": (-15, 15), "translate_percent": (-0.6, 0.6)}),
    ("Affine", {"scale": (1.0, 1.0)}),
    ("PadIfNeeded", {"min_height": 150, "min_width": 95, "position": "random"}),
    ("PadIfNeeded", {"min_height": None, "pad_height_divisor": 64, "min_width": 300}),
    ("PadIfNeeded", {"min_height": 30, "min_width": 30}),
]


def composed(name: str, settings: dict[str, Any], remove: bool, **boxes: Any) -> Any:
    def build(package: Any) -> Any:
        return package.Compose(
            [package.HorizontalFlip(p=0.5), getattr(package, name)(**{"p": 0.9, **settings})],
            bbox_params=package.BboxParams("pascal_voc", label_fields=["labels"], **boxes),
            keypoint_params=package.KeypointParams("xyas", label_fields=["names"], remove_invisible=remove),
        )

    return build


def assert_rows(ours: Any, theirs: Any) -> None:
    """Assert that boxes, points and labels are the same, and in one order."""
    for name in ("bboxes", "keypoints"):  # of none the reference forgets the further columns
        shape = np.shape(theirs[name])
        assert np.shape(ours[name]) == (shape if shape[0] else (0, len(ELEMENT[name][0]))), name
    np.testing.assert_allclose(np.asarray(ours["bboxes"])[:, :4], theirs["bboxes"][:, :4], atol=1e-2)
    np.testing.assert_array_equal(np.asarray(ours["bboxes"])[:, 4:], theirs["bboxes"][:, 4:5].reshape(-1, 1))
    apart = np.asarray(ours["keypoints"]) - theirs["keypoints"]
    np.testing.assert_allclose(apart[:, [0, 1, 3]], 0, atol=5e-3)
    np.testing.assert_allclose((apart[:, 2] + 180) % 360 - 180, 0, atol=1e-2)
    assert [label.decode() for label in np.asarray(ours["labels"])] == list(theirs["labels"])
    assert np.asarray(ours["names"]).tolist() == list(theirs["names"])


@pytest.mark.parametrize("border", [cv2.BORDER_REFLECT, cv2.BORDER_REFLECT_101])
@pytest.mark.parametrize("remove", [False, True])
@pytest.mark.parametrize(("name", "settings"), WARPS)
def test_rows_come_out_as_often_as_they_are_seen(
    name: str, settings: dict[str, Any], remove: bool, border: int
) -> None:
    counts = set()
    for index in range(4):
        build = composed(name, {**settings, "border_mode": border}, remove, min_area=0.5)
        ours, theirs = both(build, ELEMENT, (51, index))
        assert_rows(ours, theirs)
        counts.add(len(theirs["bboxes"]))
    moves = settings not in ({"scale": (1.0, 1.0)}, {"min_height": 30, "min_width": 30})
    assert max(counts) > 3 if moves else counts == {3}


def traced(build: Any) -> Any:
    """Return a native as a graph that knows no size and no number of rows; it is given the seed."""
    given = {name: tf.constant(value) for name, value in ELEMENT.items()}
    shapes = {"image": [None, None, 3], "bboxes": [None, 5], "keypoints": [None, 4]}
    specs = {
        name: tf.TensorSpec(shapes.get(name, [None] * value.shape.rank), value.dtype)
        for name, value in given.items()
    }
    run = tf.function(lambda seed, **each: build(native)(**each, seed=seed), autograph=False)
    graph = run.get_concrete_function(tf.TensorSpec([2], tf.int64), **specs)
    return lambda seed: graph(tf.constant(seed, tf.int64), **given)


@pytest.mark.parametrize(("name", "settings"), [WARPS[2], WARPS[4]])
def test_rows_of_a_graph(name: str, settings: dict[str, Any]) -> None:
    build = composed(name, {**settings, "border_mode": cv2.BORDER_REFLECT_101}, True)
    graph = traced(build)
    for index in range(2):
        _ours, theirs = both(build, ELEMENT, (52, index))
        assert_rows(graph((52, index)), theirs)


def test_points_alone_come_out_as_often_as_they_are_seen() -> None:
    points = np.array([[10, 20, 0, 1, 1, 5], [70, 50, 0, 2, 1, 6]], np.float32)
    for name, settings in (WARPS[1], WARPS[4]):
        ours, theirs = both(
            lambda package, n=name, s=settings: getattr(package, n)(**s, border_mode=2, p=1.0),
            {"image": IMAGE, "keypoints": points},
            (53, 1),
        )
        assert len(theirs["keypoints"]) > 2
        np.testing.assert_allclose(ours["keypoints"], theirs["keypoints"], atol=5e-3)


DROPOUTS: list[dict[str, Any]] = [
    {"num_holes_range": (1, 4), "hole_height_range": (0.2, 0.6), "hole_width_range": (0.2, 0.7)},
    {"num_holes_range": (6, 6), "hole_height_range": (5, 40), "hole_width_range": (5, 90), "fill": (7, 8, 9)},
    {
        "num_holes_range": (2, 2),
        "hole_height_range": (0.0, 0.9),
        "hole_width_range": (0.5, 0.9),
        "fill_mask": 3,
    },
]


@pytest.mark.parametrize("limits", [{}, {"min_visibility": 0.7}, {"min_area": 200.0}], ids=str)
@pytest.mark.parametrize("remove", [False, True])
@pytest.mark.parametrize("settings", DROPOUTS)
def test_what_lies_in_holes_is_not_seen(
    settings: dict[str, Any], remove: bool, limits: dict[str, Any]
) -> None:
    kept, points = set(), set()
    build = composed("CoarseDropout", settings, remove, **limits)
    for index in range(6):
        ours, theirs = both(build, ELEMENT, (54, index))
        assert_rows(ours, theirs)
        for name in ("image", "mask"):
            np.testing.assert_array_equal(ours[name], theirs[name])
        kept.add(repr(np.asarray(theirs["bboxes"])))
        points.add(len(theirs["keypoints"]))
    assert len(kept) > 2
    assert len(points) > 1 if remove and settings is not DROPOUTS[0] else max(points) == 3


def test_holes_of_a_graph() -> None:
    build = composed("CoarseDropout", DROPOUTS[1], True, min_visibility=0.3)
    graph = traced(build)
    for index in range(3):
        _ours, theirs = both(build, ELEMENT, (55, index))
        found = graph((55, index))
        assert_rows(found, theirs)
        np.testing.assert_array_equal(found["image"], theirs["image"])


GRIDS: list[dict[str, Any]] = [
    {},
    {"unit_size_range": (7, 30), "fill": (7, 8, 9), "ratio": 0.8},
    {"holes_number_xy": (3, 2), "ratio": 0.9, "random_offset": False, "shift_xy": (4, 2), "fill_mask": 3},
]


@pytest.mark.parametrize("settings", GRIDS, ids=str)
def test_what_lies_in_holes_of_a_grid_is_not_seen(settings: dict[str, Any]) -> None:
    build = composed("GridDropout", settings, True, min_visibility=0.3)
    graph, points = traced(build), set()
    for index in range(6):
        ours, theirs = both(build, ELEMENT, (57, index))
        for found in (ours, graph((57, index))):
            assert_rows(found, theirs)
            for name in ("image", "mask"):
                np.testing.assert_array_equal(found[name], theirs[name])
        points.add(len(theirs["keypoints"]))
    assert min(points) < 3


def test_images_smaller_than_a_grid_are_refused() -> None:
    for settings, side in (({"holes_number_xy": (9, 2)}, 8), ({"unit_size_range": (2, 9)}, 8), ({}, 1)):
        with pytest.raises(OutsideDomain, match="a smaller image"):
            native.GridDropout(**settings, p=1.0)(image=np.ones((side, 20), np.uint8), seed=(1, 2))


def test_the_number_of_holes_is_drawn_evenly() -> None:
    dropout = native.CoarseDropout((2, 5), p=1.0)
    drawn = [int(dropout.plan((56, index), False)["params"]["holes"]) for index in range(400)]
    counts = np.bincount(drawn, minlength=6)
    assert counts[:2].sum() == 0
    assert (np.abs(counts[2:] - 100) < 50).all()


BUILDS: list[tuple[Any, type[Exception], str]] = [
    (lambda: native.CoarseDropout((0, 2)), OutsideDomain, "num_holes_range"),
    (lambda: native.CoarseDropout((3, 2)), OutsideDomain, "num_holes_range"),
    (lambda: native.CoarseDropout(3), WrongType, "num_holes_range"),
    (lambda: native.GridDropout(0), OutsideDomain, "ratio"),
    (lambda: native.GridDropout(unit_size_range=(4, 4)), OutsideDomain, "unit_size_range"),
    (lambda: native.GridDropout(unit_size_range=(1, 4)), OutsideDomain, "unit_size_range"),
    (lambda: native.GridDropout(holes_number_xy=3), WrongType, "holes_number_xy"),
    (lambda: native.GridDropout(shift_xy=(-1, 0)), OutsideDomain, "shift_xy"),
    (lambda: native.GridDropout(fill="inpaint_ns"), UnsupportedArgument, "fill"),
    (lambda: native.CoarseDropout(hole_height_range=(-1, 2)), OutsideDomain, "hole_height_range"),
    (lambda: native.CoarseDropout(hole_width_range=tf.constant([1, 2])), WrongType, "hole_width_range"),
    (lambda: native.CoarseDropout(fill="random"), UnsupportedArgument, "fill: got 'random'"),
    (lambda: native.CoarseDropout(fill="red"), WrongType, "fill"),
    (lambda: native.CoarseDropout(fill_mask="random"), WrongType, "fill_mask"),
]


@pytest.mark.parametrize(("build", "error", "words"), BUILDS)
def test_what_is_built_wrong_is_refused_at_once(build: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        build()


def test_holes_larger_than_the_image_are_refused() -> None:
    dropout = native.CoarseDropout((1, 1), (61, 70), (2, 3), p=1.0)
    with pytest.raises(OutsideDomain, match="at least 61 x 2"):
        dropout(image=IMAGE, seed=(1, 2))
    run = tf.function(lambda image: dropout(image=image, seed=(1, 2))["image"], autograph=False)
    with pytest.raises(tf.errors.InvalidArgumentError, match="at least 61 x 2"):
        run.get_concrete_function(tf.TensorSpec([None, None, 3], tf.uint8))(tf.constant(IMAGE))
    with pytest.raises(OutsideDomain, match="fill: got 2 numbers"):
        native.CoarseDropout(fill=(1, 2), p=1.0)(image=IMAGE, seed=(1, 2))


class NeverAtTheEnd(native.CoarseDropout):
    """A hole never touches the far border."""

    def draw_parameters(self, seed: Any) -> Any:
        found = super().draw_parameters(seed)
        return {**found, "left": found["left"] * 0.8}


class Wider(native.CoarseDropout):
    """A hole is a pixel too wide."""

    def holes(self, params: Any, size: Any) -> Any:
        return super().holes(params, size) + tf.constant([0, 0, 1, 0])


class Still(native.GridDropout):
    """The larger cells come first, of thousands of draws, which a graph makes faster."""

    @tf.function(autograph=False)
    def numbers(self, params: Any, size: Any) -> Any:
        rows, columns, places = super().numbers(params, size)
        return tf.sort(rows), tf.sort(columns), places


class FromTheLeft(native.GridDropout):
    """The holes of a row are as far from the left side of their cells."""

    def numbers(self, params: Any, size: Any) -> Any:
        rows, columns, places = super().numbers(params, size)
        return rows, columns, places[..., :1] + tf.zeros_like(places)


MUTANTS = [
    (native.CoarseDropout, NeverAtTheEnd),
    (native.CoarseDropout, Wider),
    (native.GridDropout, Still),
    (native.GridDropout, FromTheLeft),
]


@in_main
@pytest.mark.parametrize(("original", "mutant"), MUTANTS, ids=lambda side: side.__name__)
def test_mutants_are_rejected(original: type, mutant: type) -> None:
    assert proof_of(original, mutant, 40).status == "failed"


def test_what_is_turned_is_copied_in_other_places_if_cells_are_not_flipped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So the comparison sees whether copies are mirrored."""
    from pipeport.albumentations import _reflections

    monkeypatch.setattr(_reflections, "_odd", lambda cells: tf.zeros_like(cells, tf.bool)[:, tf.newaxis])
    build = composed("Rotate", {"limit": (20, 30), "border_mode": 4, "p": 1.0}, True)
    ours, theirs = both(build, ELEMENT, (57, 0))
    with pytest.raises(AssertionError):
        assert_rows(ours, theirs)
