"""Objects of the real albumentations become the mirror's, with every argument, or are refused by name."""

from __future__ import annotations

import warnings
from types import SimpleNamespace
from typing import Any

import albumentations as reference
import cv2
import numpy as np
import pytest

import pipeport.albumentations as native
from pipeport import catalog
from pipeport.errors import UnsupportedArgument, WrongType
from pipeport.verify._require import resolve
from tests.albumentations.driven import IMAGE, assert_same, plan_of

TRANSFORMS = [
    (name, settings)
    for name, contract in catalog.of_facade("albumentations").items()
    if contract.targets
    for settings in ({}, *contract.agreement.settings)
]
NEEDED = {
    "Resize": {"height": 5, "width": 4},
    "RandomCrop": {"height": 5, "width": 4},
    "CenterCrop": {"height": 5, "width": 4},
    "LongestMaxSize": {"max_size": 5},
    "SmallestMaxSize": {"max_size": 5},
    "RandomResizedCrop": {"size": (5, 4)},
    "RandomSizedCrop": {"min_max_height": (3, 6), "size": (5, 4)},
}


def state(value: Any) -> Any:
    """Return an object's attributes, down to numbers, as plain data that can be compared."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [state(one) for one in value]
    if isinstance(value, dict):
        return {name: state(one) for name, one in value.items()}
    if type(value).__module__.startswith("pipeport."):
        return [type(value).__name__, state(vars(value))]
    return value


@pytest.mark.parametrize(("name", "settings"), TRANSFORMS)
def test_a_transform_keeps_its_arguments(name: str, settings: dict[str, Any]) -> None:
    contract = catalog.pairs()[name]
    given = {**NEEDED.get(name.rpartition(".")[2], {}), **settings}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        theirs = resolve(contract.reference)(**given)
    assert state(native.from_albumentations(theirs)) == state(contract.function(**given))


def pipeline(package: Any) -> Any:
    parts = [
        package.OneOf([package.VerticalFlip(p=0.9), package.Rotate(limit=(10, 30), border_mode=4)], p=0.8),
        package.OneOrOther(package.InvertImg(), package.NoOp(), p=0.3),
        package.Sequential([package.Transpose(p=0.5), package.Compose([package.D4()], p=0.7)], p=0.6),
        package.RandomCrop(4, 5),
        package.ToFloat(p=1.0),
    ]
    boxes = package.BboxParams(
        "yolo", ["labels"], min_area=1.5, min_visibility=0.1, clip=True, filter_invalid_bboxes=True
    )
    points = package.KeypointParams("xya", remove_invisible=False, angle_in_degrees=False)
    return package.Compose(parts, boxes, points, {"more": "mask"}, 0.9, is_check_shapes=False, strict=True)


def test_a_pipeline_keeps_its_parts_and_settings() -> None:
    assert state(native.from_albumentations(pipeline(reference))) == state(pipeline(native))


def test_masks_keep_their_interpolation() -> None:
    def build(package: Any) -> Any:
        return package.Compose([package.Resize(3, 4)], mask_interpolation=cv2.INTER_LINEAR)

    made = native.from_albumentations(build(reference))
    assert made.transforms[0].mask_interpolation == build(native).transforms[0].mask_interpolation == 1


def test_a_replayed_pipeline_keeps_the_name_of_its_draw() -> None:
    theirs = reference.ReplayCompose([reference.HorizontalFlip(p=1)], save_key="drawn")
    assert set(native.from_albumentations(theirs)(image=IMAGE, seed=(1, 2))) == {"image", "drawn"}


def test_it_gives_what_the_reference_gives_for_its_draw() -> None:
    from pipeport.references.augmentation import drive

    for seed in [(3, index) for index in range(4)]:
        theirs = reference.Compose(
            [reference.RandomRotate90(p=0.7), reference.RandomBrightnessContrast(p=0.8)]
        )
        ours = native.from_albumentations(theirs)
        drive(theirs, plan_of(ours, seed), ours, resolve)
        assert_same(ours(image=IMAGE, seed=seed), theirs(image=IMAGE))


def test_the_object_is_not_changed() -> None:
    theirs = pipeline(reference)
    before = theirs.to_dict()
    native.from_albumentations(theirs)
    assert theirs.to_dict() == before


class Own(reference.HorizontalFlip):
    """A user's class."""


@pytest.mark.parametrize("value", [5, None, IMAGE, reference.Compose, lambda image: image])
def test_other_objects_are_refused(value: Any) -> None:
    with pytest.raises(WrongType, match=r"albumentations\.Compose"):
        native.from_albumentations(value)


def test_all_that_is_missing_is_named_at_once() -> None:
    parts = [
        reference.FancyPCA(),
        reference.HorizontalFlip(),
        reference.OneOf([reference.ThinPlateSpline(), reference.Lambda(image=abs)]),
        reference.Rotate(crop_border=True),
        Own(),
    ]
    with pytest.raises(UnsupportedArgument) as caught:
        native.from_albumentations(reference.Compose(parts, seed=3))
    text = str(caught.value)
    for part in (
        "FancyPCA has no native equivalent",
        "ThinPlateSpline has no native equivalent",
        "Lambda, functions of yours",
        "Own, a class of yours",
        "Rotate: crop_border: got True",
        "Compose(seed=...), a seed of its own",
    ):
        assert text.count(part) == 1
    assert "HorizontalFlip" not in text


def test_compositions_that_are_missing_are_named() -> None:
    with pytest.raises(UnsupportedArgument, match="SelectiveChannelTransform has no native equivalent"):
        native.from_albumentations(reference.SelectiveChannelTransform([reference.HorizontalFlip()]))


def test_another_series_of_releases_is_refused() -> None:
    theirs = reference.HorizontalFlip()
    said = {**theirs.to_dict(), "__version__": "1.4.3"}
    theirs.to_dict = lambda: said
    with pytest.raises(UnsupportedArgument, match=r"albumentations 1\.4\.3; allowed: 2\.0\.\*"):
        native.from_albumentations(theirs)


def test_what_only_has_the_method_is_no_transform() -> None:
    with pytest.raises(WrongType):
        native.from_albumentations(SimpleNamespace(to_dict=dict))
