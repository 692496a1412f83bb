"""Channels apart and together: `cv2.split` and `cv2.merge`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import ArrayList, Exact, Image, batchable, replaces
from pipeport.cv2 import _images
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.layout._joined import joined

_NOT_WRITTEN = "tensors are not written in place"


def _served(arguments: Mapping[str, Any]) -> bool:
    return np.asarray(arguments["m"]).dtype.name in _images.served_dtypes()


@replaces(
    "cv2.split",
    domain={"m": Image(dtypes=_images.DTYPES, channels=(None, 1, 2, 3, 4))},
    agreement=Exact(),
    refused={"mv": _NOT_WRITTEN},
    valid=_served,
    returns=("first", "second", "third"),
)
@batchable
def split(batch_axes: int, m: Any, mv: Any = None) -> tuple[Any, ...]:
    """Take the channels of an image apart.

    Parameters
    ----------
    m : tf.Tensor, shape (H, W) or (H, W, C), bool or any number
        The image; H and W may be unknown while tracing. int64 is cast to int32, as in OpenCV.

    Returns
    -------
    tuple of tf.Tensor, shape (H, W), dtype of `m`
        The channels.

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank, dtype, or more channels than OpenCV takes.
    UnsupportedArgument
        `mv` is given, or rank or channels are unknown while tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement: bit for bit, NaN included.
    Graph: one op; static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> [one.numpy().tolist() for one in cv2.split(tf.constant([[[1, 2, 3]]]))]
    [[[1]], [[2]], [[3]]]
    """
    if mv is not None:
        advice = "Tensors are not written in place: use the value that is returned."
        raise UnsupportedArgument(explain("mv", type(mv).__name__, "None", advice))
    x = _images.as_images(m, batch_axes, "m")
    return tuple(one if batch_axes else one[0] for one in tf.unstack(x, axis=3))


def _alike(arguments: Mapping[str, Any]) -> bool:
    """Whether images have a dtype that there is, one size, and few channels."""
    parts = [np.asarray(one) for one in arguments["mv"]]
    return all(one.dtype.name in _images.served_dtypes() for one in parts)


@replaces(
    "cv2.merge",
    domain={"mv": ArrayList(dtypes=_images.DTYPES, ranks=(2,), sides=(1, 5))},
    agreement=Exact(),
    refused={"dst": _NOT_WRITTEN},
    valid=_alike,
)
@batchable
def merge(batch_axes: int, mv: Any, dst: Any = None) -> Any:
    """Put channels together to an image.

    Parameters
    ----------
    mv : list or tuple of tf.Tensor, shape (H, W) or (H, W, C)
        Images of one size and dtype, bool or any number; H and W may be unknown while tracing. int64 is
        cast to int32, as in OpenCV.

    Returns
    -------
    tf.Tensor, shape (H, W, C), dtype of the images
        All channels, in their order; (H, W) of a single one.

    Raises
    ------
    OutsideDomain
        There is no image, one is empty, or their sizes or dtypes differ.
    UnsupportedArgument
        `mv` is not a list, `dst` is given, or rank or channels are unknown while tracing.
    tf.errors.InvalidArgumentError
        Sizes that are unknown while tracing turn out to differ.

    Notes
    -----
    Agreement: bit for bit, NaN included.
    Graph: one op; static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.merge([tf.constant([[1]]), tf.constant([[2]])]).numpy().tolist()
    [[[1, 2]]]
    """
    _images.refuse_dst(dst)
    if not isinstance(mv, (list, tuple)):
        advice = "Give a list: an array has its channels in place already."
        raise UnsupportedArgument(explain("mv", type(mv).__name__, "a list or a tuple of images", advice))
    if not mv:
        raise OutsideDomain(explain("mv", "no image", "one at least", "OpenCV refuses this as well."))
    parts = [_images.as_images(one, batch_axes, "mv") for one in mv]
    if len({one.dtype for one in parts}) > 1:
        given = ", ".join(one.dtype.name for one in parts)
        raise OutsideDomain(explain("mv", given, "images of one dtype", "Cast them first."))
    sizes = parts[0].shape[1:3]
    if any(not sizes.is_compatible_with(one.shape[1:3]) for one in parts):
        given = ", ".join(str(one.shape[1:3]) for one in parts)
        raise OutsideDomain(explain("mv", given, "images of one size", "Resize them first."))
    return _images.as_result(joined(parts, 3), batch_axes)
