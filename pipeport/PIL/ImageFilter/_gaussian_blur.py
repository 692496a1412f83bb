"""`PIL.ImageFilter.GaussianBlur`."""

from __future__ import annotations

from typing import Any

from pipeport.contract import CannotServe, Exact, OneOf, replaces
from pipeport.kernels.pillow._box_blur import deviations_of
from pipeport.PIL.Image._image import Blur


@replaces(
    "PIL.ImageFilter.GaussianBlur",
    domain={"radius": OneOf(0, 0.3, 1, 2, 2.5, 7.7, 40, (0, 2), (3, 0.7), typical=2)},
    agreement=Exact(),
    compared=("pipeport.references.pil.blurred_tensors", "pipeport.references.pil.blurred_pixels"),
    cannot_serve=(
        CannotServe(
            "batched",
            "it is one object, not an array: use it in a function of your own, and tf.map_fn over that",
            witness=lambda: {"radius": 2},
        ),
    ),
)
def GaussianBlur(radius: Any = 2) -> Blur:
    """Make a filter that blurs images nearly as by a Gaussian.

    Parameters
    ----------
    radius : float, or (float, float), default 2
        Standard deviation, or those along rows and along columns, from 0; scalar tensors are served.

    Returns
    -------
    Blur
        What the method `filter` of an image takes: one of mode 'L', 'RGB' or 'RGBA'.

    Raises
    ------
    OutsideDomain
        `radius` is negative, not finite, or there are more than two.
    WrongType
        `radius` is not a number.
    tf.errors.InvalidArgumentError
        A tensor turns out to be negative or not finite.

    Notes
    -----
    Agreement: bit for bit: three boxes along rows and three along columns, in Pillow's fixed point.

    Graph: one compiled program of a known radius below some 8 pixels, else sums along an axis; no Python at
    run time. It is one object: there is no batched form.
    Speed: somewhat slower than Pillow, and several times where the radius is large or drawn.

    Source: `libImaging/BoxBlur.c` of Pillow 13.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.PIL import Image, ImageFilter
    >>> image = Image.fromarray(tf.constant([[0, 0, 255, 0, 0]], tf.uint8))
    >>> tf.constant(image.filter(ImageFilter.GaussianBlur(1))).numpy().tolist()
    [[15, 60, 103, 60, 15]]
    """
    return Blur(deviations_of(radius))
