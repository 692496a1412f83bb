"""What distortions have in common: two maps, of columns and of rows, say what each pixel shows."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import Any, NamedTuple

from pipeport._batched import batched
from pipeport.albumentations import _arguments
from pipeport.albumentations._groups import channels_known, in_groups
from pipeport.albumentations._pixels import served
from pipeport.albumentations._rasters import moved_boxes, moved_points, nearest
from pipeport.albumentations._sizes import Size
from pipeport.albumentations._spatial import Spatial
from pipeport.albumentations._state import Rows
from pipeport.albumentations._warps import BORDERS, INTERPOLATIONS, among
from pipeport.contract import OneOf, Within, WithinLevels
from pipeport.cv2._constants import INTER_CUBIC, INTER_LINEAR, INTER_NEAREST
from pipeport.cv2._remap import remap
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain

DOMAIN = {
    "interpolation": OneOf(INTER_LINEAR, INTER_NEAREST, INTER_CUBIC),
    "mask_interpolation": OneOf(INTER_NEAREST),
    "border_mode": OneOf(*BORDERS.values()),
    "fill": OneOf(0, 1, (0.5, 0.25, 1.0)),
    "fill_mask": OneOf(0, 1),
}
_FLOATS = Within(
    2e-5,
    "float32 sums in another order on values in [0, 1], at float32 coordinates that may round otherwise",
)
LEVELS = WithinLevels(1, 0.01, floats=_FLOATS)
REFUSED = {"keypoint_remapping_method": "points are found as the pixels that show them"}


class Maps(NamedTuple):
    """Where each pixel of the result is read: tensors (H, W), float32, and the size of the image."""

    columns: Any
    rows: Any
    size: Size


class Distortion(Spatial):
    """A transform by maps of columns and rows, in the size of the image."""

    def __init__(
        self,
        interpolation: Any,
        mask_interpolation: Any,
        keypoint_remapping_method: Any,
        border_mode: Any,
        fill: Any,
        fill_mask: Any,
        p: float,
    ) -> None:
        super().__init__(p)
        self.interpolation = among(interpolation, INTERPOLATIONS, "interpolation")
        self.mask_interpolation = among(mask_interpolation, INTERPOLATIONS, "mask_interpolation")
        name, advice = "keypoint_remapping_method", "Its result depends on the order of all pixels."
        _arguments.default_alone(keypoint_remapping_method, "mask", name, advice)
        self.keypoint_remapping_method = "mask"
        self.border_mode = among(border_mode, BORDERS, "border_mode")
        self.fill, self.fill_mask = border_value(fill, "fill"), border_value(fill_mask, "fill_mask")

    def interpolate_masks(self, how: int) -> None:
        """Interpolate masks in that way from now on."""
        self.mask_interpolation = among(how, INTERPOLATIONS, "mask_interpolation")

    @abc.abstractmethod
    def geometry(self, params: Mapping[str, Any], size: Size) -> Maps:
        """Return the maps that were drawn, for an image of that size."""

    def plane(self, value: Any, geometry: Maps, kind: str, batch_axes: int) -> Any:
        """Read an image, or masks, where the maps say."""
        how, fill = self.mask_interpolation, self.fill_mask
        if kind == "image":
            value, how, fill = served(value, kind), self.interpolation, self.fill
        read = batched(remap) if batch_axes else remap

        def distorted(part: Any) -> Any:
            maps = geometry.columns, geometry.rows
            return read(part, *maps, how, borderMode=self.border_mode, borderValue=fill)

        channels_known(value, kind, batch_axes)
        return in_groups(value, distorted, batch_axes)

    def boxes(self, boxes: Any, geometry: Maps) -> Any:
        """Return the boxes around the pixels that show one of their own."""
        return moved_boxes(boxes, nearest(geometry.columns, geometry.rows), geometry.size)

    def changes_count(self, kind: str) -> bool:
        """Say whether boxes or points may be dropped in any case: points that no pixel shows are."""
        return kind == "keypoints"

    def copied(self, rows: Rows, kind: str, geometry: Maps) -> Rows:
        """Return points where they are found again, without those that are not."""
        if kind != "keypoints":
            return rows
        return moved_points(rows, nearest(geometry.columns, geometry.rows), geometry.size)

    def points(self, points: Any, geometry: Maps) -> Any:  # noqa: ARG002 - `copied` has moved them
        """Return points as they are."""
        return points


def border_value(value: Any, name: str) -> float | tuple[float, ...]:
    """Return up to four numbers for what lies outside; as in OpenCV one is that of the first channel."""
    given = _arguments.numbers(value, name)
    if isinstance(given, tuple) and len(given) > 4:
        raise OutsideDomain(explain(name, f"{len(given)} numbers", "a number, or up to four", "Give fewer."))
    return given


def one_size(value: Any, wanted: bool, name: str) -> None:
    """Refuse what gives images another size."""
    if value is not wanted:
        advice = "Resize behind it: every element then has one size."
        raise UnsupportedArgument(explain(name, repr(value), repr(wanted), advice))
