"""PadIfNeeded, the scales, Crop and SomeOf: pipelines, sizes people use, refusals, and draws."""

from __future__ import annotations

from collections import Counter
from typing import Any

import albumentations as reference
import cv2
import numpy as np
import pytest
import tensorflow as tf
from scipy.stats import chi2_contingency

import pipeport.albumentations as native
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from pipeport.references.augmentation import compare_draws
from pipeport.verify._augmentation import many_draws
from pipeport.verify._require import resolve
from tests.albumentations.driven import IMAGE, POINTS, assert_same, both, boxes_as, proof_of
from tests.albumentations.test_from_albumentations import state
from tests.catalog import arguments

RANDOM = np.random.default_rng(19)
LARGE = RANDOM.integers(0, 256, (300, 260, 3), np.uint8)
in_main = pytest.mark.skipif(arguments.in_addons(), reason="environment: driven alike in the main one")


def element(image: np.ndarray = LARGE) -> dict[str, Any]:
    mask = (image[..., 0] // 64).astype(np.uint8)
    found = {"image": image, "mask": mask, "masks": np.stack([mask, 3 - mask])}
    found["keypoints"] = np.array([[3.5, 40, 2], [250, 299, 1.5]], np.float32)
    found["bboxes"] = np.array([[3, 4, 100, 120], [200, 20, 30, 40]], np.float32)
    return found


def composed(*parts: Any) -> Any:
    def build(package: Any) -> Any:
        return package.Compose(
            [getattr(package, name)(**settings) for name, settings in parts],
            bbox_params=package.BboxParams("coco"),
            keypoint_params=package.KeypointParams("xys", remove_invisible=False),
        )

    return build


def in_graph(build: Any, given: dict[str, Any]) -> Any:
    """Return a native as a graph that knows no size; it is given the seed."""
    rows = {name: tf.TensorSpec([None] * value.ndim, value.dtype) for name, value in given.items()}
    rows["image"] = tf.TensorSpec([None, None, 3], given["image"].dtype)
    rows["keypoints"], rows["bboxes"] = tf.TensorSpec([None, 3]), tf.TensorSpec([None, 4])
    run = tf.function(lambda seed, **each: build(native)(**each, seed=seed), autograph=False)
    traced = run.get_concrete_function(tf.TensorSpec([2], tf.int64), **rows)
    tensors = {name: tf.constant(value) for name, value in given.items()}
    return lambda seed: traced(tf.constant(seed, tf.int64), **tensors)


LETTERBOX = [
    ("LongestMaxSize", {"max_size": 224, "interpolation": cv2.INTER_NEAREST}),
    ("PadIfNeeded", {"min_height": 224, "min_width": 224, "fill": (9, 10, 11), "fill_mask": 2}),
]
PIPELINES = [
    LETTERBOX,
    [
        ("SmallestMaxSize", {"max_size": [64, 70, 133], "interpolation": 0}),
        ("Crop", {"x_min": 3, "x_max": 64, "y_max": 60}),
    ],
    [("LongestMaxSize", {"max_size_hw": (100, 400), "interpolation": 0}), ("HorizontalFlip", {"p": 0.5})],
    [("RandomScale", {"scale_limit": (-0.5, 0.7), "interpolation": 0, "p": 0.8})],
    [
        (
            "PadIfNeeded",
            {
                "min_height": None,
                "min_width": 300,
                "pad_height_divisor": 32,
                "position": "random",
                "border_mode": cv2.BORDER_WRAP,
                "p": 0.9,
            },
        )
    ],
]


@pytest.mark.parametrize("parts", PIPELINES, ids=lambda parts: parts[0][0])
def test_all_targets_at_sizes_people_use(parts: Any) -> None:
    build, given = composed(*parts), element()
    graph = in_graph(build, given)
    for index in range(3):
        ours, theirs = both(build, given, (41, index))
        for results in (ours, graph((41, index))):
            for name in ("image", "mask", "masks"):
                np.testing.assert_array_equal(results[name], theirs[name])
            for name in ("keypoints", "bboxes"):
                np.testing.assert_allclose(results[name], theirs[name], atol=1e-3)


@pytest.mark.parametrize("area", [None, "image", "image_mask"])
@pytest.mark.parametrize("name", ["LongestMaxSize", "SmallestMaxSize"])
@pytest.mark.parametrize("size", [100, 400])
def test_interpolated_scales(name: str, size: int, area: Any) -> None:
    build = composed((name, {"max_size": size, "area_for_downscale": area}))
    ours, theirs = both(build, element(), (42, size))
    for target in ("image", "mask", "masks"):
        apart = np.abs(np.asarray(ours[target], int) - np.asarray(theirs[target], int))
        by_area = target == "image" or (area == "image_mask" and size < 260)
        assert apart.max() <= (1 if by_area else 0)
        assert (apart > 0).mean() < 0.15


def test_sides_are_rounded_as_the_reference_rounds_them() -> None:
    for height in range(1, 40, 3):
        for width in range(1, 40):
            for size in (1, 7, 10):
                for ours, theirs in (
                    (native.LongestMaxSize(size), reference.LongestMaxSize(size)),
                    (native.SmallestMaxSize(size), reference.SmallestMaxSize(size)),
                ):
                    said = theirs.get_params_dependent_on_data({"shape": (height, width)}, {})["scale"]
                    wanted = [max(1, round(side * said)) for side in (height, width)]
                    scale = ours.geometry({}, (height, width))
                    assert [ours.scaled(side, scale) for side in (height, width)] == wanted


def test_sides_in_a_graph_are_those_known_while_tracing() -> None:
    scale = native.LongestMaxSize(10)

    @tf.function(autograph=False, input_signature=[tf.TensorSpec([], tf.int32)] * 2)
    def sides(height: Any, width: Any) -> Any:
        return tf.stack([scale.scaled(side, scale.geometry({}, (height, width))) for side in (height, width)])

    for height, width in RANDOM.integers(1, 600, (300, 2)).tolist():
        known = [scale.scaled(side, scale.geometry({}, (height, width))) for side in (height, width)]
        assert sides(height, width).numpy().tolist() == known


def test_static_sizes() -> None:
    pipeline = composed(*LETTERBOX)(native)
    run = tf.function(lambda image: pipeline(image=image, seed=(1, 2))["image"], autograph=False)
    shapes = [((300, 260, 3), [224, 224, 3]), ((None, None, 3), [None, None, 3])]
    for given, known in shapes:
        traced = run.get_concrete_function(tf.TensorSpec(given, tf.uint8))
        assert traced.structured_outputs.shape.as_list() == known
        assert traced(tf.constant(LARGE)).shape == (224, 224, 3)


def test_a_border_of_many_channels_and_of_one() -> None:
    for channels in (1, 2, 5, 6):
        image = RANDOM.integers(0, 256, (5, 6, channels), np.uint8)
        for fill in (9, (1, 2, 3, 4)):
            for position in ("random", "top_left"):
                ours, theirs = both(
                    lambda package, f=fill, at=position: package.PadIfNeeded(8, 9, fill=f, position=at),
                    {"image": image, "mask": image[..., 0]},
                    (43, channels),
                )
                np.testing.assert_array_equal(ours["image"], theirs["image"])
                np.testing.assert_array_equal(ours["mask"], theirs["mask"])


def chosen(package: Any, n: int, replace: bool = False, p: float = 1) -> Any:
    parts = [package.HorizontalFlip(p=0.5), package.Transpose(p=1), package.RandomRotate90(p=0.7)]
    inner = package.OneOf([package.VerticalFlip(p=1), package.NoOp(p=1)], p=0.9)
    return package.SomeOf([*parts, inner], n=n, replace=replace, p=p)


@pytest.mark.parametrize(
    ("n", "replace", "p"), [(1, False, 1), (2, False, 0.7), (4, False, 1), (3, True, 0.8)]
)
def test_some_of_several(n: int, replace: bool, p: float) -> None:
    def build(package: Any) -> Any:
        boxes, points = package.BboxParams("pascal_voc"), package.KeypointParams("xy")
        return package.Compose([chosen(package, n, replace, p)], boxes, points)

    given = {"image": IMAGE, "mask": IMAGE[..., 0], "bboxes": boxes_as("pascal_voc"), "keypoints": POINTS}
    for index in range(8):
        assert_same(*both(build, given, (44, index)))


@in_main
@pytest.mark.parametrize(("n", "p"), [(1, 1), (2, 0.7), (3, 1)])
def test_choices_are_those_of_the_reference(n: int, p: float) -> None:
    ours, theirs = chosen(native, n, p=p), chosen(reference, n, p=p)
    drawn = many_draws(ours, 6, compiled=False)
    assert compare_draws(theirs, ours, drawn, (8, 8, 3), resolve) >= 1e-6
    assert compare_draws(chosen(reference, 4 - n + (n == 2), p=p), ours, drawn, (8, 8, 3), resolve) < 1e-6


@in_main
def test_choices_with_replacement() -> None:
    ours, theirs = chosen(native, 3, replace=True), chosen(reference, 3, replace=True)
    drawn = many_draws(
        native.SomeOf([native.NoOp(p=1) for _ in range(4)], 3, replace=True), 6, compiled=False
    )
    flags = np.stack([part["applied"] for part in drawn["transforms"]], 1)
    natives = Counter(map(str, flags.reshape(len(flags), 4, 3).sum(2).tolist()))
    references = Counter(str(np.bincount(theirs._get_idx(), minlength=4).tolist()) for _ in range(len(flags)))
    names = sorted({*natives, *references})
    assert len(names) == 20
    assert chi2_contingency([[one[name] for name in names] for one in (natives, references)]).pvalue > 1e-6
    assert len(ours) == 12


def test_nothing_forces_some_of_several() -> None:
    """Chosen among others it is applied with its own probability alone."""

    def build(package: Any) -> Any:
        parts = [package.SomeOf([package.HorizontalFlip(p=1)], p=0.5), package.VerticalFlip(p=1)]
        return package.Compose([package.OneOf(parts, p=1)])

    seen = set()
    for index in range(12):
        ours, theirs = both(build, {"image": IMAGE}, (45, index))
        np.testing.assert_array_equal(ours["image"], theirs["image"])
        seen.add(np.asarray(ours["image"]).tobytes())
    assert len(seen) == 3


def test_more_than_there_are_is_all_of_them() -> None:
    with pytest.warns(UserWarning, match="2 is taken"):
        some = native.SomeOf([native.HorizontalFlip(p=1), native.VerticalFlip(p=1)], n=3)
    np.testing.assert_array_equal(some(image=IMAGE, seed=(1, 2))["image"], IMAGE[::-1, ::-1])
    assert native.SomeOf([], n=0)(image=IMAGE, seed=(1, 2))["image"].shape == IMAGE.shape


BUILDS: list[tuple[Any, type[Exception], str]] = [
    (native.LongestMaxSize, OutsideDomain, "max_size"),
    (lambda: native.LongestMaxSize(3, (4, 5)), OutsideDomain, "max_size"),
    (lambda: native.LongestMaxSize(0), OutsideDomain, "max_size"),
    (lambda: native.SmallestMaxSize([]), OutsideDomain, "max_size"),
    (lambda: native.SmallestMaxSize([3, 0]), OutsideDomain, "max_size"),
    (lambda: native.SmallestMaxSize(max_size_hw=(None, None)), OutsideDomain, "max_size_hw"),
    (lambda: native.SmallestMaxSize(max_size_hw=5), WrongType, "max_size_hw"),
    (lambda: native.LongestMaxSize(tf.constant(3)), UnsupportedArgument, "max_size"),
    (lambda: native.RandomScale("big"), WrongType, "scale_limit"),
    (lambda: native.RandomScale(area_for_downscale="mask"), UnsupportedArgument, "area_for_downscale"),
    (lambda: native.PadIfNeeded(3, 4, pad_height_divisor=4), OutsideDomain, "min_height"),
    (lambda: native.PadIfNeeded(3, None), OutsideDomain, "pad_width_divisor"),
    (lambda: native.PadIfNeeded(0, 3), OutsideDomain, "min_height"),
    (lambda: native.PadIfNeeded(3, 3, position="left"), UnsupportedArgument, "position"),
    (lambda: native.PadIfNeeded(3, 3, border_mode=5), UnsupportedArgument, "border_mode"),
    (lambda: native.PadIfNeeded(3, 3, fill=(1, 2, 3, 4, 5)), OutsideDomain, "fill"),
    (lambda: native.Crop(3, 0, 3, 4), OutsideDomain, "x_min"),
    (lambda: native.Crop(0, -1, 3, 4), OutsideDomain, "y_min"),
    (lambda: native.Crop(0, 0, 3, 0), OutsideDomain, "y_max"),
    (lambda: native.Crop(pad_if_needed=True), UnsupportedArgument, "pad_if_needed"),
    (lambda: native.SomeOf([native.NoOp()], n=-1), OutsideDomain, "n: got"),
    (lambda: native.SomeOf([native.NoOp()], n=0.5), WrongType, "n: got"),
    (lambda: native.SomeOf([], n=1, replace=True), OutsideDomain, "transforms"),
    (lambda: native.SomeOf([native.NoOp()], replace=1), WrongType, "replace"),
]


@pytest.mark.parametrize(("build", "error", "words"), BUILDS)
def test_what_is_built_wrong_is_refused_at_once(build: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        build()


def test_a_side_without_a_pixel_is_refused() -> None:
    thin = RANDOM.integers(0, 256, (1, 9, 3), np.uint8)
    scale = native.RandomScale((-0.5, -0.5), p=1.0)
    with pytest.raises((OutsideDomain, tf.errors.InvalidArgumentError)):
        scale(image=thin, seed=(1, 2))
    run = tf.function(lambda image: scale(image=image, seed=(1, 2))["image"], autograph=False)
    with pytest.raises(tf.errors.InvalidArgumentError):
        run(tf.constant(thin))
    with pytest.raises(OutsideDomain, match="at least 4 x 9"):
        native.Crop(1, 1, 9, 4)(image=thin, seed=(1, 2))


class LargerHalfFirst(native.PadIfNeeded):
    """Of an odd number the larger half stands before."""

    def geometry(self, params: Any, size: Any) -> Any:
        where = super().geometry(params, size)
        (top, rows), (left, columns) = where.rows, where.columns
        if self.position != "center":
            return where
        return where._replace(rows=(rows - top, rows), columns=(columns - left, columns))


class CutOff(native.LongestMaxSize):
    """Sides are cut off."""

    def scaled(self, side: Any, scale: Any) -> Any:
        exact = tf.cast(side, tf.float64) * tf.cast(scale, tf.float64)
        return tf.maximum(tf.cast(exact, tf.int32), 1)


class FirstAlone(native.SmallestMaxSize):
    """Of several sizes it never takes the last."""

    def draw_parameters(self, seed: Any) -> Any:
        found = super().draw_parameters(seed)
        return {name: tf.minimum(value, 9) for name, value in found.items()}


class Halved(native.RandomScale):
    """It draws from the half of the range."""

    def draw_parameters(self, seed: Any) -> Any:
        low, _ = self.scale_limit
        return {"scale": 1.0 + low + (super().draw_parameters(seed)["scale"] - 1.0 - low) * 0.5}


MUTANTS = [
    (native.PadIfNeeded, LargerHalfFirst),
    (native.LongestMaxSize, CutOff),
    (native.SmallestMaxSize, FirstAlone),
    (native.RandomScale, Halved),
]


@in_main
@pytest.mark.parametrize(("original", "mutant"), MUTANTS, ids=lambda side: side.__name__)
def test_mutants_are_rejected(original: type, mutant: type) -> None:
    assert proof_of(original, mutant, 40).status == "failed"


def test_such_pipelines_come_from_the_library() -> None:
    def parts(package: Any) -> Any:
        others = [*LETTERBOX, ("SmallestMaxSize", {"max_size_hw": (5, None)})]
        built = [getattr(package, name)(**settings) for name, settings in others]
        return [chosen(package, 2, True, 0.5), *built]

    ours = native.from_albumentations(reference.Compose(parts(reference)))
    assert state(ours) == state(native.Compose(parts(native)))
    assert (ours.transforms[0].n, len(ours.transforms[0])) == (2, 8)
