"""`@augments`: `@replaces` for a transform, with what all transforms have in common filled in."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from pipeport.contract import (
    Agreement,
    Boxes,
    CannotServe,
    Exact,
    Image,
    LabelOf,
    Points,
    Real,
    SameAugmentation,
    Spec,
    replaces,
)
from pipeport.contract._docstring import rewrapped, with_parameter

T = TypeVar("T")

# What docstrings of transforms share: `{called}` in one of them stands for the text.
_SHARED = {
    "called": "Called with targets by name and `seed`, it gives a dict of the same names.",
    "compiled": "Graph: no Python at run time, compiled with XLA where sizes are known (`pipeport.config`).",
    "drawn": "The draw is a function of `seed`, the same on every engine; without one the ambient seed is "
    "taken (`pipeport.seeds.seeded_map`).",
    "masks": "`mask` (H, W) or (H, W, C), `masks` (N, H, W) or (N, H, W, C) or a list, which stays a list",
    "planes": "`image` and `mask` are (H, W) or (H, W, C), `masks` (N, H, W) or (N, H, W, C) or a list, "
    "which stays a list",
    "rows": "Called outside a `Compose`, `bboxes` are (N, 4) fractions x_min, y_min, x_max, y_max, and "
    "`keypoints` (N, 5): x, y, z, angle in radians, scale",
    "unknown": "there is no seed, or a rank or a number of channels is not known while tracing",
    "unserved": "there is no seed, a rank or a number of columns is not known while tracing, or a target is "
    "a stack of images or a volume",
}


def _no_batch(needed: Mapping[str, Any]) -> CannotServe:
    return CannotServe(
        "batched",
        "every element has a draw of its own: map the transform before the batch",
        witness=lambda: {"image": np.zeros((2, 3, 4, 3), np.uint8), "seed": (1, 2), **needed},
    )


def _path(name: str | None) -> str | None:
    return None if name is None else f"pipeport.references.augmentation.{name}"


def _told(transform: type) -> str:
    """Return the docstring of a transform with what it shares with others, and with its probability."""
    text = inspect.cleandoc(transform.__doc__ or "")
    text = rewrapped(re.sub(r"\{(\w+)\}", lambda found: _SHARED.get(found[1], found[0]), text))
    parameters = inspect.signature(transform).parameters
    if "p" in parameters:
        entry = f"p : float, default {parameters['p'].default}\n    Probability that it is applied.\n"
        before = [None, *parameters][list(parameters).index("p")]
        text = with_parameter(text, "p", before, entry)
    return text


def augments(
    name: str,
    *,
    domain: Mapping[str, Spec] | None = None,
    dtypes: tuple[str, ...] = ("uint8", "float32"),
    image: Agreement | None = None,
    reference_parameters: str | None = None,
    discontinuities: str | None = None,
    boxes: bool = True,
    points: bool = True,
    settings: tuple[Mapping[str, Any], ...] = ({"p": 0.3},),
    shape: tuple[int, ...] = (32, 48, 3),
    valid: Callable[[Mapping[str, Any]], bool] | None = None,
    needed: Mapping[str, Any] | None = None,
    refused: Mapping[str, str] | None = None,
    cannot_serve: tuple[CannotServe, ...] = (),
) -> Callable[[type[T]], type[T]]:
    """Declare a class the native of `albumentations.NAME`.

    `domain`: of the constructor, beside `p`. `dtypes`: of images. `image`: how images agree, given the draw;
    bit for bit if not stated. `reference_parameters`: see `SameAugmentation`; a function of
    `pipeport.references.augmentation`.
    `boxes`: whether a call of the transform alone takes boxes, which it never drops then. `points`: whether
    it gives back as many points as it is given. `valid`: says of drawn arguments whether they belong
    together. `needed`: arguments without which the constructor cannot be called. `refused`: parameters that
    take nothing but their default, with the reason. `cannot_serve`: beside that no batch is served.
    """
    targets: Mapping[str, Spec] = {
        "image": Image(
            dtypes=dtypes,
            channels=(None, 1, 3),
            sides=(1, 12),
            values=(0.0, 1.0),
            non_finite=False,
        ),
        "mask": LabelOf(image="image", dtypes=("uint8", "float32"), ranks=(2,)),
        **({"bboxes": Boxes()} if boxes else {}),
        **({"keypoints": Points()} if points else {}),
    }
    promise = replaces(
        f"albumentations.{name}",
        kind="class",
        domain={"p": Real(0.0, 1.0, typical=1.0), **(domain or {})},
        targets=targets,
        agreement=SameAugmentation(
            image=image or Exact(),
            mask=Exact(),
            reference_parameters=_path(reference_parameters),
            discontinuities=_path(discontinuities),
            settings=settings,
            shape=shape,
        ),
        cannot_serve=(_no_batch(needed or {}), *cannot_serve),
        returns=tuple(targets),
        valid=valid,
        refused=refused or {},
    )

    def declare(transform: type[T]) -> type[T]:
        transform.__doc__ = _told(transform)
        return promise(transform)  # type: ignore[return-value]

    return declare
