"""random_rotate."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from pipeport._lazy import tf
from pipeport.contract import (
    AsReference,
    Image,
    LabelOf,
    Maybe,
    OneOf,
    SameDistribution,
    SeedPair,
    batchable,
    replaces,
)
from pipeport.errors import OutsideDomain, explain
from pipeport.idioms._plane import fill_of, plane, planes
from pipeport.idioms._random import given
from pipeport.idioms._spans import span_of, within
from pipeport.kernels.inputs import _checks
from pipeport.kernels.sampling import _affine, _affine_maps
from pipeport.seeds._elements import for_each

_MODES = ("constant", "edge", "symmetric", "reflect", "wrap")


def _drawn(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that the native draws for a call."""
    return {"angle": float(within(arguments["seed"], span_of(arguments["degrees"], "degrees")))}


def _color(fill: Any, x: Any, name: str) -> Any:
    color = fill_of(fill, x.dtype, name)
    if color.shape.rank != 0:
        raise OutsideDomain(explain(name, repr(fill), "one number", "Channels are filled alike."))
    return color


def _turned(x: Any, angles: Any, order: int, mode: str, fill: Any) -> Any:
    """Rotate planes (B, H, W) or (B, H, W, C) as scikit-image does; whole numbers are rounded."""
    own, flat = x.dtype, x.shape.rank == 3
    compute = tf.float32 if own in (tf.uint8, tf.float32) else tf.float64
    if order and own.is_integer and not (own.is_unsigned and own.size <= 2):
        x, fill = tf.cast(x, tf.float64), tf.cast(fill, tf.float64)
    plan = _affine.Plan(
        _affine_maps.about_middle,
        order,
        mode,
        compute if order else own,
        own,
        clip=bool(order) and mode == "constant",
    )
    turned = _affine.warp(plan, x[..., tf.newaxis] if flat else x, (angles,), fill)
    return tf.squeeze(turned, [3]) if flat else turned


@replaces(
    "pipeport.references.random_rotate",
    domain={
        "image": Image(
            dtypes=("uint8", "uint16", "int32", "float32", "float64"), sides=(1, 9), non_finite=False
        ),
        "degrees": OneOf(30, (-200.0, 45.5), (90, 90), 0, (-45.0, -45.0), 720.0, typical=30),
        "mask": Maybe(spec=LabelOf(image="image", ranks=(2, 3))),
        "mode": OneOf(*_MODES),
        "fill": OneOf(0, 1),
        "mask_fill": OneOf(0, 1),
    },
    agreement=SameDistribution(
        application=AsReference(
            coordinates_of="image", discontinuities="pipeport.references._altered.turned_discontinuities"
        ),
        given="pipeport.references._altered.turned",
        statistic="pipeport.references._altered.rotate_statistic",
        draw_parameters="pipeport.idioms._random_rotate._drawn",
    ),
    extra={"seed": SeedPair(tensor=True)},
)
@batchable
def random_rotate(
    batch_axes: int,
    image: Any,
    degrees: Any,
    mask: Any = None,
    mode: str = "constant",
    fill: Any = 0,
    mask_fill: Any = 0,
    *,
    seed: Any = None,
) -> Any:
    """Rotate an image linearly, and its mask to the nearest pixel, by one angle drawn uniformly.

    Native equivalent of `pipeport.references.random_rotate`, the body people write as
    ``rotate(image, np.random.uniform(-a, a))`` around scikit-image.

    Parameters
    ----------
    image : array_like, shape (H, W) or (H, W, C), integers of 32 bits or less, float32 or float64
        Finite; its values keep their range. Sizes may be unknown.
    degrees : float, or (float, float)
        Smallest and largest angle, counter-clockwise, about ``((W - 1) / 2, (H - 1) / 2)``; one
        number a means -a to a.
    mask : array_like, shape (H, W) or (H, W, K), or None, default None
        Of the image's height and width.
    mode : {'constant', 'edge', 'symmetric', 'reflect', 'wrap'}, default 'constant'
        Border rule, named as in `numpy.pad`.
    fill, mask_fill : number, default 0
        Values outside, in mode 'constant'.
    seed : array_like of int, shape (2,), or None
        The draw is a function of it: give each element its own. None takes the ambient
        seed (`pipeport.seeds.ambient`).

    Returns
    -------
    tf.Tensor, or (tf.Tensor, tf.Tensor)
        The image, integers rounded to nearest even, and the mask if there is one, of their shapes and
        dtypes.

    Raises
    ------
    UnsupportedArgument
        There is no seed, `mode` is another, or a rank is not known while tracing.
    OutsideDomain
        Sizes differ, an axis is empty, the image has another dtype, `fill` does not fit, `degrees` are
        not finite or not in order, or `seed` has another shape.
    WrongType
        `degrees` or `fill` are not numbers, or `seed` is not of an integer dtype.
    tf.errors.InvalidArgumentError
        What is unknown at trace time turns out not to fit.

    Notes
    -----
    Agreement: given the angle, as accurate as `skimage.transform.rotate` with ``preserve_range=True``, of
    order 1 for the image and 0 for the mask; a mean next to a half may be rounded either way, and a mask
    may take either pixel at a tie. The angles have its distribution.
    Graph: no Python at run time; static shapes are kept. Compiled by XLA, with unknown sizes per size
    bucket (see `pipeport.config`). The same seed draws the same on every engine. In the batched form
    `seed` has shape (B, 2), or (2,): element i then draws with ``seeds.fold_in(seed, i)``.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.idioms import random_rotate
    >>> random_rotate(tf.constant([[1, 2], [3, 4]]), (90, 90), seed=(1, 2)).numpy().tolist()
    [[2, 4], [1, 3]]
    """
    span = span_of(degrees, "degrees")
    _checks.one_of(mode, _MODES, "mode", "They are named as in numpy.pad.")
    batch = bool(batch_axes)
    x, y = (plane(image, "image", batch_axes), None) if mask is None else planes(image, mask, batch_axes)
    if not (x.dtype.is_integer and x.dtype.size <= 4) and x.dtype not in (tf.float32, tf.float64):
        allowed = "integers of 32 bits or less, float32 or float64"
        raise OutsideDomain(explain("image", f"dtype {x.dtype.name}", allowed, "Cast it first."))
    angles = for_each(partial(within, span=span), seed, x, batch=batch)
    parts = [(x, 1, _color(fill, x, "fill"))]
    if y is not None:
        parts.append((y, 0, _color(mask_fill, y, "mask_fill")))
    turned = [
        _turned(part if batch else part[tf.newaxis], angles, order, mode, color)
        for part, order, color in parts
    ]
    return given(*(part if batch else tf.squeeze(part, [0]) for part in turned))
