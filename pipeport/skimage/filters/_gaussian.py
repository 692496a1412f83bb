"""`skimage.filters.gaussian`."""

from __future__ import annotations

from typing import Any

from pipeport.contract import AsReference, Boolean, Image, OneOf, Real, batchable, replaces
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.sampling._gaussian import blurred, reach_of
from pipeport.skimage.filters import _arguments as arguments


@replaces(
    "skimage.filters.gaussian",
    domain={
        "image": Image(dtypes=arguments.DTYPES, sides=(1, 9)),
        "sigma": Real(0.0, 2.5, typical=1.0, tensor=True),
        "mode": arguments.MODES,
        "cval": OneOf(0, 1, 0.25, -0.5),
        "preserve_range": Boolean(),
        "truncate": OneOf(4.0, 2.5, 1, typical=4.0),
        "channel_axis": OneOf(None, -1, 0, typical=-1),
    },
    agreement=AsReference(coordinates_of="image"),
    refused={"out": "tensors are not written in place"},
)
@batchable
def gaussian(
    batch_axes: int,
    image: Any,
    sigma: Any = 1.0,
    *,
    mode: str = "nearest",
    cval: Any = 0,
    preserve_range: bool = False,
    truncate: float = 4.0,
    channel_axis: int | None = None,
    out: None = None,
) -> Any:
    """Smooth an image with a Gaussian along each axis.

    Parameters
    ----------
    image : array_like, 1 to 5 axes, bool, integers or floats
        The image. Sizes may be unknown while tracing.
    sigma : float, tf.Tensor or sequence of float, default 1.0
        Standard deviation in pixels, 0 or more; one for all axes, or one per axis.
    mode : str, default 'nearest'
        What lies beyond the ends: 'reflect', 'constant', 'nearest', 'mirror' or 'wrap'.
    cval : float, default 0
        Value beyond the ends in mode 'constant', on the scale of the result.
    preserve_range : bool, default False
        Whether integers keep their values instead of becoming parts of the largest.
    truncate : float, default 4.0
        How many standard deviations the weights reach.
    channel_axis : int, optional
        An axis that is not smoothed.

    Returns
    -------
    tf.Tensor, shape of `image`
        float64 for integer, bool and float64 images, float32 for float16 and float32.

    Raises
    ------
    BadAxis
        The image has no such axis.
    OutsideDomain
        `sigma` is negative, not finite or not one per axis, or `truncate` negative.
    UnsupportedArgument
        A `mode` not listed, `out` is given, an unknown rank, or a tensor where a Python value is needed.
    WrongType
        An argument is not a number where one is needed, for instance text.
    tf.errors.InvalidArgumentError
        A drawn `sigma` turns out to be negative, NaN or infinite.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64.
    Graph: one compiled program where sizes and `sigma` are known, else a loop over the weights. Static shape
    is kept.

    Source: `skimage/_shared/filters.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.filters import gaussian
    >>> gaussian(tf.constant([[0.0, 0.0, 100.0, 0.0, 0.0]]), 0.5).numpy().round().tolist()
    [[0.0, 11.0, 79.0, 11.0, 0.0]]
    """
    if out is not None:
        raise UnsupportedArgument(explain("out", type(out).__name__, "None", "A graph returns its result."))
    x = arguments.image_of(image, _checks.flag(preserve_range, "preserve_range"), batch_axes)
    rank = x.shape.rank - batch_axes
    channel = arguments.channel_of(channel_axis, rank)
    axes = arguments.gaussians_of(sigma, rank, channel, mode, reach_of(truncate), batch_axes)
    return blurred(x, axes, arguments.fill_of(cval), x.dtype)
