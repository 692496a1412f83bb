"""The enhancers of Pillow: mixtures of an image with a plainer one."""

from __future__ import annotations

from typing import Any

from pipeport import _boundary
from pipeport._lazy import tf
from pipeport.contract import CannotServe, Exact, Image, _arrays, replaces, told_like
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.pillow import _arguments as arguments
from pipeport.kernels.pillow._blend import enhanced
from pipeport.kernels.xla import run
from pipeport.PIL.Image._image import applied
from pipeport.PIL.Image._resize import is_image


class Enhancer:
    """What an enhancer of Pillow's is: an image, and a plainer one to mix it with.

    Parameters
    ----------
    image : array_like or Image
        The image.
    plain : str
        The plainer one, as `pipeport.kernels.pillow._blend.enhanced` names it.
    """

    def __init__(self, image: Any, plain: str) -> None:
        self._image, self._plain = image, plain

    def enhance(self, factor: Any) -> Any:
        """Return the mixture: 0 is the plainer image, 1 the image, and more than 1 enhances.

        Parameters
        ----------
        factor : float or scalar tensor
            Any number.

        Returns
        -------
        tf.Tensor or Image, as the image
            The mixture; alpha stays.

        Raises
        ------
        OutsideDomain
            `factor` is not finite, or the image is empty.
        UnsupportedArgument
            The image has another mode than 'L', 'RGB' and 'RGBA'.
        WrongType
            `factor` is not a number.
        """
        _boundary.warn_if_inside("pipeport.PIL.ImageEnhance.enhance")
        return _arrays.call("PIL.ImageEnhance.enhance", self._enhanced, (factor,), {})

    def _enhanced(self, factor: Any) -> Any:
        share = arguments.real(factor, "factor")
        return applied(self._image, lambda pixels, mode: self._mixed(pixels, mode, share))

    def _mixed(self, pixels: Any, mode: str, share: Any) -> Any:
        if mode not in ("L", "RGB", "RGBA"):
            advice = "Convert it first: `image.convert('RGB')`."
            raise UnsupportedArgument(explain("image", f"mode {mode}", "modes L, RGB and RGBA", advice))
        pixels = _checks.not_empty(pixels, "image", element=slice(1, 3))
        return run(enhanced, self._plain, mode)(pixels, tf.cast(share, tf.float32))


def _enhancer(name: str) -> replaces:
    """Return the promise of an enhancer; what it gives is compared by its images."""
    return replaces(
        f"PIL.ImageEnhance.{name}",
        domain={"image": Image(dtypes=("uint8",), channels=(None, 3, 4))},
        agreement=Exact(),
        reference_call="pipeport.references.pil.on_image",
        compared=("pipeport.references.pil.enhanced_tensors", "pipeport.references.pil.enhanced_pixels"),
        valid=is_image,
        cannot_serve=(
            CannotServe(
                "batched",
                "it is one object, not an array: use it in a function of your own, and tf.map_fn over that",
                witness=lambda: {"image": tf.zeros([2, 3], tf.uint8)},
            ),
        ),
    )


@_enhancer("Brightness")
def Brightness(image: Any) -> Enhancer:
    """Make what changes the brightness of an image.

    Native equivalent of `PIL.ImageEnhance.Brightness`.

    Parameters
    ----------
    image : array_like or Image, shape (H, W), (H, W, 3) or (H, W, 4), uint8
        Grey, colours, or colours with alpha, which stays. H and W may be unknown while tracing.

    Returns
    -------
    Enhancer
        Its method ``enhance(factor)`` gives an image as `image`. Factor 0 is black.

    Raises
    ------
    OutsideDomain
        The image is empty, or its rank or channels are unknown; `factor` is not finite.
    UnsupportedArgument
        The image has another mode.
    WrongType
        Pillow has no mode for the array, or `factor` is not a number.

    Notes
    -----
    Agreement: bit for bit. `factor` may be a scalar tensor.
    Graph: one program where the size is known, else plain operations; no Python at run time. It is one
    object: there is no batched form.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.PIL import ImageEnhance
    >>> ImageEnhance.Brightness(tf.constant([[100, 200]], tf.uint8)).enhance(1.5).numpy().tolist()
    [[150, 255]]
    """
    return Enhancer(image, "black")


@_enhancer("Contrast")
@told_like(
    Brightness,
    {
        "brightness": "contrast",
        "black": "the mean of the grey levels",
        "[[150, 255]]": "[[75, 225]]",
    },
)
def Contrast(image: Any) -> Enhancer:
    return Enhancer(image, "mean_grey")


@_enhancer("Color")
@told_like(
    Brightness,
    {
        "the brightness of an image": "how colourful an image is",
        "black": "grey",
        "[[100, 200]], tf.uint8)).enhance(1.5)": "[[[255, 0, 0]]], tf.uint8)).enhance(0.0)",
        "[[150, 255]]": "[[[76, 76, 76]]]",
    },
)
def Color(image: Any) -> Enhancer:
    return Enhancer(image, "grey")


@_enhancer("Sharpness")
@told_like(
    Brightness,
    {
        "the brightness of an image": "how sharp an image is",
        "black": "smooth: means of 3 by 3 pixels, of which the middle counts five times",
        "ImageEnhance.Brightness(tf.constant([[100, 200]], tf.uint8)).enhance(1.5)": "dot = "
        "tf.constant([[0, 0, 0], [0, 130, 0], [0, 0, 0]], tf.uint8)\n"
        ">>> ImageEnhance.Sharpness(dot).enhance(0.0)",
        "[[150, 255]]": "[[0, 0, 0], [0, 50, 0], [0, 0, 0]]",
    },
)
def Sharpness(image: Any) -> Enhancer:
    return Enhancer(image, "smooth")
