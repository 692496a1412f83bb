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
        Called with targets by name and `seed`, it gives a dict of the same names. `image` and `mask` are
        (H, W) or (H, W, C), `masks` (N, H, W) or (N, H, W, C) or a list, which stays a list; of any dtype.
        Called outside a `Compose`, `bboxes` are (N, 4) fractions x_min, y_min, x_max, y_max, and `keypoints`
        (N, 5): x, y, z, angle in radians, scale; further columns are carried along.

    Raises
    ------
    OutsideDomain
        `p` is no number in [0, 1]; in a call, there is no image, or a target does not have its shape.
    UnsupportedArgument
        `p` is a tensor; in a call, there is no seed, a rank or a number of columns is not known while
        tracing, or a target is a stack of images or a volume.
    WrongType
        In a call, a target is given by position, or is no array.

    Notes
    -----
    Agreement: given the draw, images and masks bit for bit, coordinates and angles within 1e-4; the draw has
    the reference's distribution.
    Height and width stay.
    Graph: no Python at run time. The draw is a function of `seed`, the same on every engine; without one the
    ambient seed is taken (`pipeport.seeds.seeded_map`). Boxes and points keep a floating dtype; integers
    come back in float32.

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
