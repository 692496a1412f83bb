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
    Height and width are exchanged or not as it is drawn: while tracing they are known for square images
    alone.
    Graph: no Python at run time. The draw is a function of `seed`, the same on every engine; without one the
    ambient seed is taken (`pipeport.seeds.seeded_map`). Boxes and points keep a floating dtype; integers
    come back in float32.

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
