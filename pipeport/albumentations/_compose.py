"""Compose: a pipeline with all that belongs to an image."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._agree import sizes_agree
from pipeport.albumentations._bboxes import BboxParams
from pipeport.albumentations._compositions import BaseCompose, interpolate_masks
from pipeport.albumentations._keypoints import KeypointParams
from pipeport.albumentations._labels import checked
from pipeport.albumentations._sizes import size_of
from pipeport.albumentations._state import (
    KINDS,
    ROWS,
    Rows,
    State,
    as_worked_on,
    kind_of,
    needs_image,
    rows,
    rows_dtype,
)
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain

Params = BboxParams | KeypointParams


class Compose(BaseCompose):
    """Apply all transforms in order to an image and all that belongs to it.

    Native equivalent of `albumentations.Compose`.

    Parameters
    ----------
    transforms : sequence of transforms and compositions
        The parts, in order.
    bbox_params : BboxParams or dict, optional
        How `bboxes` are given; without it they are refused.
    keypoint_params : KeypointParams or dict, optional
        How `keypoints` are given; without it they are refused.
    additional_targets : dict of str to str, optional
        Names of further targets and the kind each is treated as: {'image2': 'image'}.
    p : float, default 1.0
        Probability that the whole is applied; where it is not, nothing is checked or dropped either.
    is_check_shapes : bool, default True
        Whether images and masks must have one height and width.
    strict : bool, default False
        Whether a name that is not a target is refused; else it is handed through.
    mask_interpolation : int, optional
        For masks, in every transform that interpolates, whatever these say.
    seed : int, optional
        Folded into the seed of every element, which is needed all the same.
    save_applied_params : bool, default False
        Refused: `ReplayCompose` returns what was drawn.

    Raises
    ------
    WrongType
        A part is not a transform of this package, or a parameter has another type.
    OutsideDomain
        `p` is not a number in [0, 1]. In a call: there is no image; a target does not have its shape; sizes
        or the number of labels differ; a box or a point lies outside the image, or a box has no area;
        `bboxes` or `keypoints` come without their parameters; labels are missing; `strict` and an unknown
        name.
    UnsupportedArgument
        An additional target is of no known kind, `save_applied_params` is True, a part is a `Compose` with
        settings of its own or a `ReplayCompose`. In a call: there is no seed, a rank or a number of columns
        is not known while tracing, or a target is a stack of images or a volume.
    tf.errors.InvalidArgumentError
        In a graph, a box or a point, a size or a number of labels turns out to be one of those above.

    Notes
    -----
    Differences from the reference:

    - Results are tensors, also where lists were given. Boxes and points keep a floating dtype, integers come
      back in float32; labels keep their dtype. Where all boxes are dropped, further columns stay.
    - Boxes and points without their parameters are refused, also without `strict`.
    - `label_fields` belong to `bboxes` and `keypoints`, not to additional targets of these kinds.
    - Parts always draw apart; a `seed` makes the reference's parts of equal probability draw in step.

    Where rows and columns are exchanged without a turn, an angle beyond half a turn comes out half a turn
    off, as in the reference. At exactly half a turn the reference takes one side or the other, by the dtype
    that labels give its rows; here it is the side of float32.

    The number of boxes, points and labels is unknown while tracing, because some may be dropped. Under a
    border that reflects, each comes out, with its labels, as often as it is seen.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> from pipeport import seeds
    >>> pipeline = A.Compose([A.HorizontalFlip(p=0.5), A.D4()], bbox_params=A.BboxParams("yolo"))
    >>> image, boxes = tf.zeros([8, 8, 3]), tf.constant([[0.5, 0.5, 0.2, 0.4]])
    >>> data = tf.data.Dataset.from_tensors({"image": image, "bboxes": boxes}).repeat(4)
    >>> data = data.apply(seeds.seeded_map(lambda element: pipeline(**element), 42, epochs=2))
    >>> data.element_spec["image"].shape
    TensorShape([8, 8, 3])
    """

    def __init__(
        self,
        transforms: Any,
        bbox_params: Any = None,
        keypoint_params: Any = None,
        additional_targets: Mapping[str, str] | None = None,
        p: float = 1.0,
        is_check_shapes: bool = True,
        strict: bool = False,
        mask_interpolation: int | None = None,
        seed: int | None = None,
        save_applied_params: bool = False,
    ) -> None:
        super().__init__(transforms, p)
        self.processors: dict[str, Params] = {}
        if bbox_params:
            self.processors["bboxes"] = _params(bbox_params, BboxParams, "bbox_params")
        if keypoint_params:
            self.processors["keypoints"] = _params(keypoint_params, KeypointParams, "keypoint_params")
        self.additional_targets = _arguments.mapping(additional_targets, "additional_targets")
        for name, kind in self.additional_targets.items():
            advice = f"Say what `{name}` is treated as."
            _arguments.one_of(kind, KINDS, "additional_targets", advice)
        self.is_check_shapes = _arguments.flag(is_check_shapes, "is_check_shapes")
        self.strict = _arguments.flag(strict, "strict")
        self.mask_interpolation = (
            None if mask_interpolation is None else _arguments.whole(mask_interpolation, "mask_interpolation")
        )
        if self.mask_interpolation is not None:
            interpolate_masks(self, self.mask_interpolation)
        self.seed = None if seed is None else _arguments.whole(seed, "seed")
        if _arguments.flag(save_applied_params, "save_applied_params"):
            advice = "ReplayCompose returns what was drawn, as a nest of tensors."
            raise UnsupportedArgument(explain("save_applied_params", "True", "False", advice))

    def check_part(self) -> None:
        """Refuse to be part of a composition with settings that hold for a whole pipeline."""
        own = (self.processors, self.additional_targets, self.strict, self.mask_interpolation is not None)
        if any(own) or self.seed is not None or not self.is_check_shapes:
            given = "a Compose with settings of its own"
            advice = "Give them to the outermost Compose, whose settings hold for all parts."
            raise UnsupportedArgument(explain("transforms", given, "a Compose of transforms and p", advice))

    def run(self, data: Mapping[str, Any], seed: Any, forced: bool) -> dict[str, Any]:
        """Draw and perform."""
        seed = seed if self.seed is None else seeds.fold_in(seed, self.seed)
        return self.perform_on(data, self.plan(seed, forced), forced)

    def perform_on(self, data: Mapping[str, Any], drawn: Mapping[str, Any], forced: bool) -> dict[str, Any]:
        """Return the data, with its targets as they come out."""
        kinds = self._kinds(data)
        if self.p <= 0.0 and not forced:
            return {**data, **self._untouched(data, kinds)}
        if self.always(forced):
            return {**data, **self._end(self.each(drawn, self._begin(data, kinds)), data)}

        def performed() -> Any:
            return tf.nest.map_structure(
                tf.identity, self._end(self.each(drawn, self._begin(data, kinds)), data)
            )

        def untouched() -> Any:
            return tf.nest.map_structure(tf.identity, self._untouched(data, kinds))

        return {**data, **tf.cond(drawn["applied"], performed, untouched)}

    def _params_of(self, name: str) -> Params | None:
        return self.processors.get(self.additional_targets.get(name, name))

    def _kinds(self, data: Mapping[str, Any]) -> dict[str, str]:
        """Return what each name that is a target is treated as."""
        fields = {field for params in self.processors.values() for field in params.label_fields}
        kinds: dict[str, str] = {}
        for name, value in data.items():
            kind = kind_of(name, self.additional_targets)
            if kind is None and self.strict and name not in fields:
                allowed = ", ".join((*KINDS, *self.additional_targets, *sorted(fields)))
                advice = "Name it in additional_targets, or give strict=False."
                raise OutsideDomain(explain(name, "an unknown target", allowed, advice))
            if kind is None or value is None:
                continue
            if kind in ROWS and kind not in self.processors:
                given = "bbox_params" if kind == "bboxes" else "keypoint_params"
                advice = f"Give Compose(..., {given}=...), which says in which format they are."
                raise OutsideDomain(explain(name, f"{kind} without {given}", given, advice))
            if kind in ROWS and name != kind and self.processors[kind].label_fields:
                advice = f"Carry the labels as further columns of `{name}`."
                allowed = f"labels for `{kind}` alone"
                raise UnsupportedArgument(explain(name, "further rows beside label_fields", allowed, advice))
            kinds[name] = kind
        needs_image(kinds)
        for kind, params in self.processors.items():
            for field in params.label_fields:
                if data.get(field) is None:
                    advice = f"Give transform(..., {field}=...)."
                    raise OutsideDomain(explain("label_fields", f"no {field}", f"labels of {kind}", advice))
        return kinds

    def _begin(self, data: Mapping[str, Any], kinds: Mapping[str, str]) -> State:
        """Return the targets in the form transforms work on."""
        values = {n: as_worked_on(n, kind, data[n]) for n, kind in kinds.items() if kind not in ROWS}
        if self.is_check_shapes:
            values["image"] = sizes_agree(values, kinds)
        size = size_of(values["image"])
        for name in kinds:
            if (params := self._params_of(name)) is not None:
                given = rows(name, data[name], params.columns)
                values[name] = Rows.given(*params.to_internal(given, name, size))
        each = any(params.check_each_transform for params in self.processors.values())
        boxes = self.processors.get("bboxes")
        unfiltered = (
            isinstance(boxes, BboxParams)
            and boxes.format != "albumentations"
            and not boxes.filter_invalid_bboxes
        )
        return State(values, kinds, self._behind if each else None, self.processors, unfiltered)

    def _behind(self, state: State) -> State:
        size = size_of(state.image)
        changed: dict[str, Any] = {}
        for name in state.kinds:
            params = self._params_of(name)
            if params is not None and params.check_each_transform:
                given = state.values[name]
                values, keep = params.filtered(given.values, given.keep, size)
                changed[name] = given._replace(values=values, keep=keep)
        boxes = self.processors.get("bboxes")
        unfiltered = state.unfiltered and boxes is not None and not boxes.check_each_transform
        return replace(state.replaced(changed), unfiltered=unfiltered)

    def _end(self, state: State, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the targets in the form in which they were given, without what was dropped."""
        out = dict(state.values)
        size = size_of(state.image)
        for name, kind in state.kinds.items():
            params = self._params_of(name)
            if params is None:
                continue
            inside, keep, source = state.values[name]
            inside, keep = params.filtered(inside, keep, size)
            given = rows(name, data[name], params.columns)
            dtype, more = rows_dtype(given), given[:, params.columns :]
            if self.changes_count(kind):
                more = tf.gather(more, source)
            parts = [params.to_external(inside, keep, size, name), more]
            whole = tf.concat([tf.cast(part, dtype) for part in parts], 1)
            drops = params.drops or self.changes_count(kind)
            out[name] = tf.boolean_mask(whole, keep) if drops else whole
            for field in params.label_fields if name == kind else ():
                labels = checked(data[field], field, given, name)
                labels = tf.gather(labels, source) if self.changes_count(kind) else labels
                out[field] = tf.boolean_mask(labels, keep) if drops else labels
        return out

    def _untouched(self, data: Mapping[str, Any], kinds: Mapping[str, str]) -> dict[str, Any]:
        """Return the targets as tensors of the dtypes in which they come out."""
        out: dict[str, Any] = {}
        for name, kind in kinds.items():
            params = self._params_of(name)
            if params is None:
                out[name] = as_worked_on(name, kind, data[name])
                continue
            given = rows(name, data[name], params.columns)
            out[name] = tf.cast(given, rows_dtype(given))
            for field in params.label_fields if name == kind else ():
                out[field] = checked(data[field], field, given, name)
        return out


def _params(given: Any, kind: type[Any], name: str) -> Any:
    """Return parameters that may be given as a dict."""
    if isinstance(given, Mapping):
        return kind(**given)
    if not isinstance(given, kind):
        advice = "Take it from pipeport.albumentations."
        raise UnsupportedArgument(explain(name, repr(given), f"{kind.__name__} or a dict", advice))
    return given
