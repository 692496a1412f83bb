"""random_flip."""

from __future__ import annotations

from functools import partial
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.contract import (
    Exact,
    Image,
    LabelOf,
    Maybe,
    OneOf,
    Real,
    SameDistribution,
    SeedPair,
    Shaped,
    batch_form,
    replaces,
)
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.idioms._plane import sides_of
from pipeport.idioms._random import each, given, scene
from pipeport.kernels.inputs.integers import whole_numbers


def _axes(axis: Any) -> tuple[int, ...]:
    axes = whole_numbers(axis, "axis")
    if not axes or len(set(axes)) < len(axes) or not set(axes) <= {0, 1}:
        advice = "Rows are 0, columns 1."
        raise UnsupportedArgument(explain("axis", repr(axis), "0, 1 or (0, 1)", advice))
    return axes


def _boxes(boxes: Any, sides: tuple[Any, Any], axes: tuple[int, ...]) -> Any:
    x1, y1, x2, y2 = tf.unstack(boxes, 4, axis=1)
    height, width = (tf.cast(side, boxes.dtype) for side in sides)
    if 1 in axes:
        x1, x2 = width - x2, width - x1
    if 0 in axes:
        y1, y2 = height - y2, height - y1
    return tf.stack([x1, y1, x2, y2], 1)


@replaces(
    "pipeport.references.random_flip",
    domain={
        "image": Image(),
        "mask": Maybe(spec=LabelOf(image="image", ranks=(2, 3))),
        "boxes": Maybe(spec=Shaped(shape=((0, 3), 4), values=(0.0, 12.0), per_image=True)),
        "p": Real(0.0, 1.0, tensor=True),
        "axis": OneOf(0, 1, (0, 1)),
    },
    agreement=SameDistribution(
        application=Exact(),
        given="pipeport.references._augment.flips",
        statistic="pipeport.references._augment.flip_statistic",
    ),
    extra={"seed": SeedPair(tensor=True)},
)
def random_flip(
    image: Any, mask: Any = None, boxes: Any = None, p: Any = 0.5, axis: Any = 1, *, seed: Any = None
) -> Any:
    """Flip an image, its mask and its boxes together, with one draw.

    Native equivalent of `pipeport.references.random_flip`, the body people write as
    ``if np.random.random() < p``.

    Parameters
    ----------
    image : array_like, shape (H, W) or (H, W, C), bool or any number
        Sizes may be unknown.
    mask : array_like, shape (H, W) or (H, W, K), or None, default None
        Of the image's height and width.
    boxes : array_like, shape (N, 4), floating, or None, default None
        x1, y1, x2, y2 in pixels; N may be unknown. Lists become float32.
    p : float or scalar floating tensor, default 0.5
        Probability of a flip.
    axis : {0, 1, (0, 1)}, default 1
        0 reverses rows, 1 columns, (0, 1) both.
    seed : array_like of int, shape (2,), or None
        The draw is a function of it: give each element its own. None takes the ambient
        seed (`pipeport.seeds.ambient`).

    Returns
    -------
    tf.Tensor, or tuple of tf.Tensor
        What was given of image, mask and boxes, with their shapes and dtypes.

    Raises
    ------
    UnsupportedArgument
        There is no seed, `axis` is another, or a rank is not known while tracing.
    OutsideDomain
        An axis is empty, sizes differ, boxes have another shape, `p` lies outside [0, 1], or `seed` has
        another shape.
    WrongType
        `p` is not a real number, or `seed` not of an integer dtype.
    tf.errors.InvalidArgumentError
        What is unknown at trace time turns out not to fit.

    Notes
    -----
    Agreement: the result is bit for bit one of the reference's two; the draw has its distribution (32
    bits: p is exact within 2**-33).
    Graph: no Python at run time; static shapes are kept. The same seed draws the same on every engine.
    In the batched form `seed` has shape (B, 2), or (2,): element i then draws with
    ``seeds.fold_in(seed, i)``.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.idioms import random_flip
    >>> image, boxes = random_flip(tf.constant([[1, 2, 3]]), boxes=[[0.0, 0.0, 1.0, 1.0]], p=1.0, seed=(1, 2))
    >>> image.numpy().tolist(), boxes.numpy().tolist()
    ([[3, 2, 1]], [[2.0, 0.0, 3.0, 1.0]])
    """
    axes = _axes(axis)
    x, y, b = scene(image, mask, boxes)
    p = seeds.probability(p)
    if len(p.shape):
        advice = "For one per element use pipeport.batched."
        raise OutsideDomain(explain("p", f"shape {p.shape}", "one probability", advice))
    kept = [part for part in (x, y, b) if part is not None]

    def flipped() -> list[Any]:
        turned = [tf.reverse(part, axes) for part in (x, y) if part is not None]
        return turned if b is None else [*turned, _boxes(b, sides_of(x, 0), axes)]

    found = tf.cond(seeds.bernoulli(seeds.look_up(seed), p), flipped, lambda: [tf.identity(k) for k in kept])
    return given(*(tf.ensure_shape(f, k.shape) for f, k in zip(found, kept, strict=True)))


@batch_form(random_flip)
def _random_flip_batch(
    image: Any, mask: Any = None, boxes: Any = None, p: Any = 0.5, axis: Any = 1, *, seed: Any = None
) -> Any:
    p = seeds.probability(p)
    arrays = {"image": image, "mask": mask, "boxes": boxes}
    if not len(p.shape):
        return each(partial(random_flip, p=p, axis=axis), arrays, seed)
    return each(partial(random_flip, axis=axis), {**arrays, "p": p}, seed)
