"""`@augments`: `@replaces` for a transform, with what all transforms have in common filled in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

import numpy as np

from pipeport.contract import (
    Boxes,
    CannotServe,
    Exact,
    Image,
    LabelOf,
    Points,
    Real,
    SameAugmentation,
    Spec,
    always,
    replaces,
)

T = TypeVar("T")

_NO_BATCH = CannotServe(
    "batched",
    "every element has a draw of its own: map the transform before the batch",
    witness=lambda: {"image": np.zeros((2, 3, 4, 3), np.uint8), "seed": (1, 2)},
    when=always,
)


def augments(name: str, *, drawn: str | None = None) -> Callable[[type[T]], type[T]]:
    """Declare a class the native of `albumentations.NAME`.

    Parameters
    ----------
    name : str
        Of the class.
    drawn : str, optional
        See `SameAugmentation`; a function of `pipeport.references.augmentation.drawn`.

    Returns
    -------
    callable
        Decorator of the class.
    """
    targets: Mapping[str, Spec] = {
        "image": Image(
            dtypes=("uint8", "float32"),
            channels=(None, 1, 3),
            sides=(1, 12),
            values=(0.0, 1.0),
            non_finite=False,
        ),
        "mask": LabelOf(image="image", dtypes=("uint8", "float32"), ranks=(2,)),
        "bboxes": Boxes(),
        "keypoints": Points(),
    }
    return replaces(  # type: ignore[return-value]
        f"albumentations.{name}",
        kind="class",
        domain={"p": Real(0.0, 1.0, typical=1.0)},
        targets=targets,
        agreement=SameAugmentation(
            image=Exact(),
            mask=Exact(),
            drawn=None if drawn is None else f"pipeport.references.augmentation.{drawn}",
            settings=({"p": 0.3},),
        ),
        proven_against=">=2.0.8,<2.1",
        cannot_serve=(_NO_BATCH,),
        returns=tuple(targets),
        bench=False,
    )
