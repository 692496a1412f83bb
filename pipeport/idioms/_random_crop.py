"""random_crop."""

from __future__ import annotations

from functools import partial
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.contract import (
    Exact,
    Image,
    Integer,
    LabelOf,
    Maybe,
    PerAxis,
    SameDistribution,
    SeedPair,
    Shaped,
    batch_form,
    replaces,
)
from pipeport.errors import OutsideDomain, explain
from pipeport.idioms._plane import sides_of, size_of
from pipeport.idioms._random import corners, each, given, scene
from pipeport.kernels.layout._windows import cut

_ALLOWED = "no more than the image"
_ADVICE = "Pad it first, for instance with idioms.crop_or_pad."


def _room(x: Any, size: tuple[int, int]) -> Any:
    """Return how far the window can move, (2,) int64, checked not to be negative."""
    for side, wanted in zip(x.shape[:2], size, strict=True):
        if side is not None and side < wanted:
            raise OutsideDomain(explain("size", f"{wanted} of {side} pixels", _ALLOWED, _ADVICE))
    room = tf.stack([tf.cast(side, tf.int64) for side in sides_of(x, 0)]) - tf.constant(size, tf.int64)
    if x.shape[:2].is_fully_defined():
        return room
    message = explain("size", "more than the image at run time", _ALLOWED, _ADVICE)
    with tf.control_dependencies([tf.debugging.assert_non_negative(room, message)]):
        return tf.identity(room)


def _draw(seed: Any, room: Any) -> Any:
    return seeds.randint(seed, 0, room + 1, [2])


def _boxes(boxes: Any, corner: Any, size: tuple[int, int]) -> Any:
    moved = boxes - corners(corner[0], corner[1], boxes.dtype)
    limits = tf.constant([size[1], size[0], size[1], size[0]], boxes.dtype)
    return tf.where(moved <= 0, tf.zeros([], boxes.dtype), tf.minimum(moved, limits))


@replaces(
    "pipeport.references.random_crop",
    domain={
        "image": Image(sides=(3, 12)),
        "size": PerAxis(spec=Integer(1, 5), count=2, single=False, typical=(16, 24)),
        "mask": Maybe(spec=LabelOf(image="image", ranks=(2, 3))),
        "boxes": Maybe(spec=Shaped(shape=((0, 3), 4), values=(0.0, 12.0), per_image=True)),
    },
    agreement=SameDistribution(
        application=Exact(),
        given="pipeport.references._windows.crops",
        statistic="pipeport.references._windows.crop_statistic",
    ),
    extra={"seed": SeedPair(tensor=True)},
)
def random_crop(image: Any, size: Any, mask: Any = None, boxes: Any = None, *, seed: Any = None) -> Any:
    """Cut a window of one size out of an image, its mask and its boxes, anywhere.

    Native equivalent of `pipeport.references.random_crop`, the body people write with two
    ``np.random.randint``.

    Parameters
    ----------
    image : array_like, shape (H, W) or (H, W, C), bool or any number
        Sizes may be unknown.
    size : (int, int)
        Height and width wanted.
    mask : array_like, shape (H, W) or (H, W, K), or None, default None
        Of the image's height and width.
    boxes : array_like, shape (N, 4), floating, or None, default None
        x1, y1, x2, y2 in pixels; N may be unknown. Lists become float32.
    seed : array_like of int, shape (2,), or None
        The draw is a function of it: give each element its own. None takes the ambient
        seed (`pipeport.seeds.ambient`).

    Returns
    -------
    tf.Tensor, or tuple of tf.Tensor
        What was given of image, mask and boxes, of their dtypes. Boxes count from the window's corner
        and are cut to it; none is dropped, one outside has no area.

    Raises
    ------
    UnsupportedArgument
        There is no seed, or a rank or `size` is not known while tracing.
    OutsideDomain
        The window is larger than the image, sizes differ, an axis is empty, boxes or `seed` have another
        shape, or `size` is not positive.
    WrongType
        `size` are not whole numbers, or `seed` is not of an integer dtype.
    tf.errors.InvalidArgumentError
        What is unknown at trace time turns out not to fit.

    Notes
    -----
    Agreement: the result is bit for bit one of the reference's; every corner is as likely as any other,
    within 2**-32.
    Graph: no Python at run time. The output's static shape is known, and nothing is compiled anew for
    another corner. The same seed draws the same on every engine. In the batched form `seed` has shape
    (B, 2), or (2,): element i then draws with ``seeds.fold_in(seed, i)``.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.idioms import random_crop
    >>> window, mask = random_crop(tf.zeros([8, 9, 3]), (4, 5), mask=tf.zeros([8, 9]), seed=(1, 2))
    >>> window.shape, mask.shape
    (TensorShape([4, 5, 3]), TensorShape([4, 5]))
    """
    wanted = size_of(size)
    x, y, b = scene(image, mask, boxes)
    corner = _draw(seeds.look_up(seed), _room(x, wanted))
    return given(
        cut(x, corner[0], corner[1], wanted),
        None if y is None else cut(y, corner[0], corner[1], wanted),
        None if b is None else _boxes(b, corner, wanted),
    )


@batch_form(random_crop)
def _random_crop_batch(
    image: Any, size: Any, mask: Any = None, boxes: Any = None, *, seed: Any = None
) -> Any:
    return each(partial(random_crop, size=size), {"image": image, "mask": mask, "boxes": boxes}, seed)
