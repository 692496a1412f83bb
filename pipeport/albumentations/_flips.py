"""NoOp, HorizontalFlip, VerticalFlip, Transpose: one symmetry each."""

from __future__ import annotations

from pipeport.albumentations._promise import augments
from pipeport.albumentations._symmetry import Symmetry
from pipeport.contract import told_as


@augments("HorizontalFlip")
class HorizontalFlip(Symmetry):
    """Mirror left to right.

    Parameters
    ----------
    p : float, default 0.5
        Probability that it is applied.

    Returns
    -------
    HorizontalFlip
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
    Height and width stay.
    Graph: no Python at run time. {drawn} Boxes and points keep a floating dtype; integers come back in
    float32.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> transform = A.HorizontalFlip(p=1.0)
    >>> transform(image=tf.constant([[1, 2, 3], [4, 5, 6]]), seed=(1, 2))["image"].numpy().tolist()
    [[3, 2, 1], [6, 5, 4]]
    """

    elements = ("h",)


@augments("VerticalFlip")
class VerticalFlip(Symmetry):
    __doc__ = told_as(
        HorizontalFlip,
        "VerticalFlip",
        {"Mirror left to right.": "Turn upside down.", "[[3, 2, 1], [6, 5, 4]]": "[[4, 5, 6], [1, 2, 3]]"},
    )

    elements = ("v",)


@augments("Transpose")
class Transpose(Symmetry):
    __doc__ = told_as(
        HorizontalFlip,
        "Transpose",
        {
            "Mirror left to right.": "Exchange rows and columns.",
            "Height and width stay.": "Height and width are exchanged where it is applied: with p < 1 they "
            "are known while tracing for square images alone.",
            "integers come back in float32.": "integers come back in float32. Beyond half a turn an angle "
            "comes out half a turn off, as in the reference.",
            "[[3, 2, 1], [6, 5, 4]]": "[[1, 4], [2, 5], [3, 6]]",
        },
    )

    elements = ("t",)


@augments("NoOp")
class NoOp(Symmetry):
    __doc__ = told_as(
        HorizontalFlip,
        "NoOp",
        {"Mirror left to right.": "Change nothing.", "[[3, 2, 1], [6, 5, 4]]": "[[1, 2, 3], [4, 5, 6]]"},
    )

    elements = ("e",)
