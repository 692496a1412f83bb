"""`skimage.transform.resize`."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.contract import (
    AsReference,
    Boolean,
    Image,
    Integer,
    Maybe,
    OneOf,
    PerAxis,
    Real,
    Stock,
    batchable,
    replaces,
)
from pipeport.skimage.transform._resize_arguments import image_of, sizes_of
from pipeport.skimage.transform._resize_promise import CVALS, DTYPES, MODES, fits
from pipeport.skimage.transform._resizing import resized
from pipeport.skimage.transform._sampling import Sampling


@replaces(
    "skimage.transform.resize",
    domain={
        "image": Image(dtypes=DTYPES, sides=(1, 9)),
        "output_shape": PerAxis(spec=Integer(1, 9), count=2, single=False, typical=(224, 224)),
        "order": OneOf(None, 0, 1, 2, 3, 4, 5),
        "mode": MODES,
        "cval": CVALS,
        "clip": Boolean(),
        "preserve_range": Boolean(),
        "anti_aliasing": OneOf(None, True, False),
        "anti_aliasing_sigma": Maybe(spec=Real(0.0, 2.0)),
    },
    agreement=AsReference(
        coordinates_of="image", discontinuities="pipeport.references.discontinuities.resize"
    ),
    valid=fits,
    stock=Stock(
        "tf.image.resize",
        "float32 always, other borders, another cubic, another anti-aliasing filter",
        "pipeport.references.stock.resize",
    ),
)
@batchable
def resize(
    batch_axes: int,
    image: Any,
    output_shape: Any,
    order: int | None = None,
    mode: str = "reflect",
    cval: float = 0,
    clip: bool = True,
    preserve_range: bool = False,
    anti_aliasing: bool | None = None,
    anti_aliasing_sigma: Any = None,
) -> Any:
    """Resize an image to a shape.

    Parameters
    ----------
    image : tf.Tensor, 6 axes at most, bool, integers or floats
        Image, image with channels or volume; integers are read on their full range (see
        `preserve_range`). Sizes may be unknown while tracing, the rank must be known.
    output_shape : sequence of int
        One size per axis; the last may be left out, and then keeps its size (channels). More sizes
        than axes add axes of size one first.
    order : {0, 1, 2, 3, 4, 5}, optional
        Order of the spline; None is 0 for bool images, else 1.
    mode : {'constant', 'edge', 'symmetric', 'reflect', 'wrap'}, default 'reflect'
        Border rule, named as in `numpy.pad`.
    cval : float, default 0
        Value outside the image in mode 'constant', on the scale of the output; NaN where that is
        floating.
    clip : bool, default True
        Whether the output is clipped to the range of the input.
    preserve_range : bool, default False
        Whether integer images keep their range instead of being scaled to [0, 1]
        (signed: [-1, 1]).
    anti_aliasing : bool, optional
        Whether to smooth with a Gaussian first. None smooths where a side shrinks, but not bool
        images, and integers only if they are interpolated. Integers under order 0 lose their
        fractions axis by axis.
    anti_aliasing_sigma : float or one per axis, optional
        Standard deviation of that Gaussian in pixels; ``max(0, (factor - 1) / 2)`` when None, with
        the factor by which a side shrinks.

    Returns
    -------
    tf.Tensor, shape `output_shape`
        float64 for integer and float64 images, float32 for float16 and float32; order 0: dtype of
        the image (float32 for float16).

    Raises
    ------
    UnsupportedArgument
        `order` not from 0 to 5, a `mode` not listed, anti-aliasing of bool images, or of integers with
        order 0 and a sigma that follows from unknown sizes; an order other than 0 for a bool image,
        more than 6 axes, or a tensor where a Python value is needed.
    OutsideDomain
        The image is empty or of a dtype scikit-image does not take; `output_shape` has too few or
        not positive sizes; a sigma is negative; `cval` is infinite, or NaN for integers.
    WrongType
        An argument is not a number where one is needed, for instance text.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    The reference warns of a sigma above zero where nothing shrinks; nothing is said here.

    Agreement: as accurate as the reference, judged against it in float64.
    `pipeport.config.scipy` decides whether short axes of 'symmetric', channels too, are filtered as in
    SciPy 1.17 or 1.18 at order 2 and above.

    Graph: one axis after the other, compiled with XLA when traced with static sizes
    (`pipeport.config`). The output's shape is static.

    Source: `skimage/transform/_warps.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.transform import resize
    >>> resize(tf.constant([[0.0, 1.0, 2.0, 3.0]]), (1, 2), anti_aliasing=False).numpy().tolist()
    [[0.5, 2.5]]
    """
    images = image_of(image, batch_axes)
    how = Sampling.of(images, order, mode, cval, clip, preserve_range)
    images = images if batch_axes else images[tf.newaxis]
    found = resized(images, sizes_of(output_shape), how, anti_aliasing, anti_aliasing_sigma)
    return found if batch_axes else tf.squeeze(found, [0])
