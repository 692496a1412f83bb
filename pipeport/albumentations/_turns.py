"""RandomRotate90 and D4: one of four or eight symmetries, drawn."""

from __future__ import annotations

from pipeport.albumentations._flips import HorizontalFlip
from pipeport.albumentations._promise import augments
from pipeport.albumentations._symmetries import ELEMENTS
from pipeport.albumentations._symmetry import Symmetry
from pipeport.contract import told_as


@augments("RandomRotate90")
class RandomRotate90(Symmetry):
    __doc__ = told_as(
        HorizontalFlip,
        "RandomRotate90",
        {
            "Mirror left to right": "Turn counter-clockwise by 0, 1, 2 or 3 quarter turns",
            "default 0.5": "default 1",
            "Height and width stay": "Height and width are exchanged or not as it is drawn: while "
            "tracing they are known for square images alone",
            "A.HorizontalFlip(p=1.0)": "A.RandomRotate90()",
            "[[3, 2, 1], [6, 5, 4]]": "[[4, 1], [5, 2], [6, 3]]",
        },
    )

    elements = ELEMENTS[:4]
    parameter = "factor"

    def __init__(self, p: float = 1) -> None:
        super().__init__(p)


@augments("D4", reference_parameters="group_element")
class D4(Symmetry):
    __doc__ = told_as(
        RandomRotate90,
        "D4",
        {
            "Turn counter-clockwise by 0, 1, 2 or 3 quarter turns.": "Apply one of the eight symmetries of "
            "the square.",
            "integers come back in float32.": "integers come back in float32. Where rows and columns are "
            "exchanged without a turn, an angle beyond half a turn comes out half a turn off, as in the "
            "reference.",
            "[[4, 1], [5, 2], [6, 3]]": "[[3, 2, 1], [6, 5, 4]]",
        },
    )

    elements = ELEMENTS
    parameter = "group_element"

    def __init__(self, p: float = 1) -> None:
        super().__init__(p)
