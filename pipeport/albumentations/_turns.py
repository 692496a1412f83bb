"""RandomRotate90 and D4: one of four or eight symmetries, drawn."""

from __future__ import annotations

from pipeport.albumentations._promise import augments
from pipeport.albumentations._symmetries import ELEMENTS
from pipeport.albumentations._symmetry import Symmetry
from pipeport.contract import told_as


@augments("RandomRotate90")
class RandomRotate90(Symmetry):
    """Turn counter-clockwise by 0, 1, 2 or 3 quarter turns.

    Parameters
    ----------
    p : float, default 1
        Probability that it is applied.

    Returns
    -------
    RandomRotate90
        {called} {planes}; of any dtype. {rows}; further columns are carried along.

    Raises
    ------
    OutsideDomain
        `p` is not a number in [0, 1]; in a call, there is no image, or a target does not have its shape.
    UnsupportedArgument
        `p` is a tensor; in a call, {unserved}.
    WrongType
        In a call, a target is given by position, or is not an array.

    Notes
    -----
    Agreement: given the draw, images and masks bit for bit, coordinates and angles within 1e-4; the draw has
    the reference's distribution.
    Height and width are exchanged or not as it is drawn: while tracing they are known for square images
    alone.
    Graph: no Python at run time. {drawn} Boxes and points keep a floating dtype; integers come back in
    float32.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.RandomRotate90()
    >>> transform(image=tf.constant([[1, 2, 3], [4, 5, 6]]), seed=(1, 2))["image"].numpy().tolist()
    [[4, 1], [5, 2], [6, 3]]
    """

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
