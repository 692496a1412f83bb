"""The arguments of `resize` and `rescale`: image, sizes, and whether and how much to smooth."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor, known_rank, static_value


def image_of(image: Any, least: int = 0) -> Any:
    """Return the image as a tensor of known rank, at least `least`."""
    tensor = as_tensor(image, "image")
    rank = known_rank(tensor, "image")
    if rank < least:
        raise OutsideDomain(
            explain("image", f"rank {rank}", f"rank {least} or more", "Add axes with tf.newaxis.")
        )
    return tensor


def sizes_of(output_shape: Any) -> list[int]:
    """Return the sizes asked for as integers."""
    output_shape = static_value(output_shape, "output_shape")
    if tf.is_tensor(output_shape):
        advice = "Give Python integers, or resize with pipeport.cv2.resize, which takes a tensor."
        raise UnsupportedArgument(explain("output_shape", "a tensor", "a tuple of integers", advice))
    try:
        sizes = [float(side) for side in output_shape]
    except (TypeError, ValueError) as error:
        raise WrongType(
            explain("output_shape", repr(output_shape), "a tuple of integers", "One size per axis.")
        ) from error
    if not all(math.isfinite(side) and side >= 1 and round(side) == side for side in sizes):
        raise OutsideDomain(
            explain(
                "output_shape", repr(output_shape), "whole sizes, 1 or more", "Give pixels along each axis."
            )
        )
    if math.prod(sizes) > 2**31 - 1:
        advice = "Work on smaller pieces."
        raise OutsideDomain(
            explain("output_shape", repr(output_shape), f"at most {2**31 - 1} elements", advice)
        )
    return [int(side) for side in sizes]


def sigmas_of(sigma: Any, rank: int) -> list[float] | None:
    """Return one standard deviation per axis, or None for those that follow from the sizes."""
    if sigma is None:
        return None
    sigma = static_value(sigma, "anti_aliasing_sigma")
    if tf.is_tensor(sigma):
        raise UnsupportedArgument(
            explain("anti_aliasing_sigma", "a tensor", "Python numbers", "It shapes the graph.")
        )
    try:
        given = np.atleast_1d(np.asarray(sigma, np.float64))
        values = given * np.ones(rank)
    except (TypeError, ValueError) as error:
        allowed = f"a number or {rank} of them"
        raise OutsideDomain(
            explain("anti_aliasing_sigma", repr(sigma), allowed, "One per axis of image.")
        ) from error
    if not (np.isfinite(values).all() and (values >= 0).all()):
        raise OutsideDomain(
            explain("anti_aliasing_sigma", repr(sigma), "finite numbers, none negative", "0 does not smooth.")
        )
    return [float(value) for value in values]


def same_rank(images: Any, sizes: list[Any]) -> tuple[Any, list[Any]]:
    """Return images and sizes with as many axes as each other: channels may be left out of the sizes."""
    rank = images.shape.rank - 1
    if not rank and not sizes:
        advice = "Give one size per axis of the result."
        raise OutsideDomain(explain("output_shape", "no sizes", "one size or more", advice))
    if len(sizes) > rank:
        for _ in range(len(sizes) - rank):
            images = images[..., tf.newaxis]
    elif len(sizes) == rank - 1:
        sizes = [*sizes, tf.shape(images)[-1] if images.shape[-1] is None else images.shape[-1]]
    elif len(sizes) < rank:
        given = f"{len(sizes)} sizes for rank {rank}"
        raise OutsideDomain(
            explain(
                "output_shape",
                given,
                f"{rank} or {rank - 1} sizes",
                "One per axis; channels may be left out.",
            )
        )
    return images, sizes


def smooth_wanted(dtype: Any, order: int, asked: Any, own: list[Any], sizes: list[Any]) -> Any:
    """Say whether to smooth: a Python value, or a tensor where that depends on unknown sizes."""
    if asked is None:
        if dtype == tf.bool or (dtype.is_integer and order == 0):
            return False
        pairs = list(zip(own, sizes, strict=True))
        if any(isinstance(a, int) and isinstance(b, int) and b < a for a, b in pairs):
            return True
        unknown = [tf.less(b, a) for a, b in pairs if tf.is_tensor(a) or tf.is_tensor(b)]
        return tf.reduce_any(tf.stack(unknown)) if unknown else False
    asked = _checks.flag(asked, "anti_aliasing")
    if asked and dtype == tf.bool:
        raise UnsupportedArgument(
            explain(
                "anti_aliasing", "True for a bool image", "None or False", "Cast the image to a float first."
            )
        )
    return asked
