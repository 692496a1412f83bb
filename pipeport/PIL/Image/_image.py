"""The image that holds a tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, Self

from pipeport._lazy import tf
from pipeport.errors import UnsupportedArgument, WrongType, explain, refuse_attribute
from pipeport.kernels.pillow import _image as core
from pipeport.kernels.pillow._bands import band_number, bands_of, looked_up, names_of
from pipeport.kernels.pillow._box_blur import blurred
from pipeport.kernels.pillow._filters import NEAREST
from pipeport.kernels.pillow._modes import MODES, as_pixels, converted, known_mode
from pipeport.kernels.pillow._paste import pasted, weights_of


class Blur:
    """A filter of images: what `pipeport.PIL.ImageFilter.GaussianBlur` makes.

    Parameters
    ----------
    deviations : (float, float), or tensors of float32
        Standard deviations along rows and along columns.
    """

    def __init__(self, deviations: tuple[Any, Any]) -> None:
        self._deviations = deviations

    def applied(self, pixels: Any, mode: str) -> Any:
        """Return filtered pixels.

        Parameters
        ----------
        pixels : tf.Tensor, shape (B, H, W, C)
            The pixels.
        mode : str
            Their mode.

        Returns
        -------
        tf.Tensor
            The filtered pixels.

        Raises
        ------
        UnsupportedArgument
            Another mode than 'L', 'RGB' and 'RGBA'.
        """
        if mode not in ("L", "RGB", "RGBA"):
            advice = "Convert it first: `image.convert('RGB')`."
            raise UnsupportedArgument(explain("image", f"mode {mode}", "modes L, RGB and RGBA", advice))
        return blurred(pixels, *self._deviations)


class Image:
    """An image in a graph: what `PIL.Image.Image` is, with a tensor for its pixels.

    Made by `open`, `new` and `fromarray`; its methods make new ones, but `paste` changes it.
    `pipeport.numpy.asarray` gives the pixels, and so does any TensorFlow function.

    Parameters
    ----------
    tensor : tf.Tensor, shape (H, W), (H, W, 3) or (H, W, 4)
        The pixels, in the mode's dtype; H and W may be unknown while tracing.
    mode : {'1', 'L', 'RGB', 'RGBA', 'I;16', 'I', 'F'}
        Pillow's name for dtype and bands.

    Raises
    ------
    UnsupportedArgument
        Another mode.
    WrongType
        Pixels that the mode does not hold.

    Notes
    -----
    ``numpy.asarray(image)`` works in eager mode alone; inside a graph it raises, because NumPy
    cannot hold a tensor without a value.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.PIL import Image
    >>> image = Image.fromarray(tf.zeros([40, 60, 3], tf.uint8))
    >>> image.resize((30, 20)).size, image.mode
    ((30, 20), 'RGB')
    """

    def __init__(self, tensor: Any, mode: str) -> None:
        pixels, found = as_pixels(tensor, "tensor")
        if found != known_mode(mode):
            allowed = f"{MODES[mode][0]} pixels of mode {mode}"
            raise WrongType(explain("tensor", f"pixels of mode {found}", allowed, "Convert them first."))
        self._array = tf.squeeze(as_array(pixels, mode), 0)
        self._mode = mode

    def __getattr__(self, name: str) -> NoReturn:
        refuse_attribute(self, name, "Compute with the pixels, `numpy.asarray(image)`.")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *told: object) -> None:
        return None

    def __copy__(self) -> Image:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Image:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, Image):
            return self is other
        advice = "Compare the pixels: `np.array_equal(np.asarray(a), np.asarray(b))`."
        raise UnsupportedArgument(explain("==", "two images", "an image and something else", advice))

    __hash__ = None  # type: ignore[assignment]

    @property
    def mode(self) -> str:
        """Pillow's name for dtype and bands."""
        return self._mode

    @property
    def size(self) -> tuple[Any, Any]:
        """Width and height: integers where tracing knows them, else scalar int32 tensors."""
        height, width = core.sides_of(self._pixels())
        return width, height

    @property
    def width(self) -> Any:
        """First entry of `size`."""
        return self.size[0]

    @property
    def height(self) -> Any:
        """Second entry of `size`."""
        return self.size[1]

    def getbands(self) -> tuple[str, ...]:
        """Return the names of the bands, for instance ('R', 'G', 'B')."""
        return names_of(self.mode)

    def split(self) -> tuple[Image, ...]:
        """Return the bands; see `pipeport.PIL.Image.split`."""
        return tuple(self._made(band, mode) for band, mode in bands_of(self._pixels(), self.mode))

    def getchannel(self, channel: int | str) -> Image:
        """Return one band; see `pipeport.PIL.Image.getchannel`."""
        return self._made(*bands_of(self._pixels(), self.mode)[band_number(self.mode, channel)])

    def point(self, lut: Any, mode: str | None = None) -> Image:
        """Return the levels through a table or a function; see `pipeport.PIL.Image.point`."""
        return self._made(*looked_up(self._pixels(), self.mode, lut, mode))

    def filter(self, filter: Any) -> Image:
        """Return the filtered image.

        Parameters
        ----------
        filter : Blur
            What `pipeport.PIL.ImageFilter.GaussianBlur` makes; that itself stands for its default.

        Returns
        -------
        Image
            The filtered image.

        Raises
        ------
        UnsupportedArgument
            Another filter, or the image has another mode than 'L', 'RGB' and 'RGBA'.
        """
        made = filter() if callable(filter) else filter
        if not isinstance(made, Blur):
            advice = "Compute with the pixels, `numpy.asarray(image)`."
            raise UnsupportedArgument(explain("filter", repr(filter), "ImageFilter.GaussianBlur", advice))
        return self.mapped(made.applied)

    def copy(self) -> Image:
        """Return a copy."""
        return Image(self._array, self.mode)

    def convert(
        self,
        mode: str | None = None,
        matrix: Any = None,
        dither: Any = None,
        palette: int = 0,
        colors: int = 256,
    ) -> Image:
        """Return the image in another mode; see `pipeport.PIL.Image.convert`."""
        refuse_conversion_options(matrix, dither, palette, colors)
        if mode is None:
            return self.copy()
        return self.mapped(lambda pixels, own: converted(pixels, own, mode), known_mode(mode))

    def resize(
        self, size: Any, resample: int | None = None, box: Any = None, reducing_gap: float | None = None
    ) -> Image:
        """Return the image resized to (width, height); see `pipeport.PIL.Image.resize`."""
        return self.mapped(lambda pixels, mode: core.resize(pixels, mode, size, resample, box, reducing_gap))

    def rotate(
        self,
        angle: Any,
        resample: int = NEAREST,
        expand: int | bool = False,
        center: Any = None,
        translate: Any = None,
        fillcolor: Any = None,
    ) -> Image:
        """Return the image turned counter-clockwise; see `pipeport.PIL.Image.rotate`."""
        return self.mapped(
            lambda pixels, mode: core.rotate(
                pixels, mode, angle, resample, expand, center, translate, fillcolor
            )
        )

    def transform(
        self,
        size: Any,
        method: int,
        data: Any = None,
        resample: int = NEAREST,
        fill: int = 1,
        fillcolor: Any = None,
    ) -> Image:
        """Return the image through a map of the plane; see `pipeport.PIL.Image.transform`."""
        del fill  # which is unused with these methods
        return self.mapped(
            lambda pixels, mode: core.transform(pixels, mode, size, method, data, resample, fillcolor)
        )

    def transpose(self, method: int) -> Image:
        """Return the image flipped or turned by 90 degrees; see `pipeport.PIL.Image.transpose`."""
        return self.mapped(lambda pixels, _: core.transpose(pixels, method))

    def crop(self, box: Any = None) -> Image:
        """Return the part inside (left, upper, right, lower); see `pipeport.PIL.Image.crop`."""
        return self.mapped(lambda pixels, mode: core.crop(pixels, mode, box))

    def paste(self, im: Any, box: Any = None, mask: Any = None) -> None:
        """Write another image, or a colour, into this one.

        Parameters
        ----------
        im : Image, int or tuple of int
            What is written; an image of another mode is converted.
        box : (left, upper) or (left, upper, right, lower), or Image, optional
            Where, in integers or scalar integer tensors; what lies outside of this image is cut off. Four
            corners must have the size of `im`, and a colour needs them unless there is a mask. An image in
            this place is the mask.
        mask : Image, optional
            How much of `im` is written: of mode '1', 'L', or 'RGBA', of which alpha counts.

        Raises
        ------
        OutsideDomain
            Sizes do not match.
        UnsupportedArgument
            The image cannot be converted, the mask has another mode, or both an image as `box` and a mask are
            given.
        WrongType
            A colour that does not suit the mode, or no box.
        tf.errors.InvalidArgumentError
            Sizes known only at run time do not match.
        """
        if isinstance(box, Image):
            if mask is not None:
                advice = "Write `paste(im, mask=mask)`."
                raise UnsupportedArgument(explain("box", "an image, beside a mask", "a box", advice))
            box, mask = None, box
        source = im.convert(self.mode)._pixels() if isinstance(im, Image) else im
        weights = None if mask is None else weights_of(mask._pixels(), mask.mode)
        self._array = as_array(pasted(self._pixels(), self.mode, source, box, weights), self.mode)[0]

    def __pipeport_array__(self) -> Any:
        """Return the pixels, for `pipeport.numpy.asarray`."""
        return tf.identity(self._array)

    def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> Any:
        """Return the pixels, for TensorFlow's functions."""
        return tf.convert_to_tensor(self._array, dtype, name=name)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Return the pixels as a NumPy array, in eager mode alone."""
        if not hasattr(self._array, "numpy"):
            advice = "Use pipeport.numpy.asarray(image), which gives a tensor."
            raise WrongType(explain("image", "an image inside a graph", "an image with a value", advice))
        array = self._array.numpy()
        array = array if dtype is None else array.astype(dtype, copy=False)
        return array.copy() if copy else array

    def __repr__(self) -> str:
        return f"<pipeport.PIL.Image.Image mode={self.mode} shape={self._array.shape}>"

    def _pixels(self) -> Any:
        """Return the pixels as (1, H, W, C)."""
        return as_pixels(self._array, "image")[0]

    def mapped(self, operation: Callable[[Any, str], Any], mode: str | None = None) -> Image:
        """Return an image of what an operation makes of the pixels.

        Parameters
        ----------
        operation : callable
            Takes pixels (1, H, W, C) and the mode, and gives pixels.
        mode : str, optional
            Of what it gives; that of the image if it is left out.

        Returns
        -------
        Image
            The image.
        """
        return self._made(operation(self._pixels(), self.mode), mode or self.mode)

    def _made(self, pixels: Any, mode: str) -> Image:
        return Image(tf.squeeze(as_array(pixels, mode), 0), mode)


def refuse_conversion_options(matrix: Any, dither: Any, palette: Any, colors: Any) -> None:
    """Refuse what `convert` takes for modes that are not served."""
    wrong = {
        "matrix": (matrix, None),
        "dither": (dither, None),
        "palette": (palette, 0),
        "colors": (colors, 256),
    }
    for name, (value, default) in wrong.items():
        if value is not default and (tf.is_tensor(value) or value != default):
            advice = "Convert with Pillow, once and for all, or with tf.tensordot."
            raise UnsupportedArgument(explain(name, repr(value), repr(default), advice))


def as_array(pixels: Any, mode: str) -> Any:
    """Return pixels (B, H, W, C) as arrays of the mode: without an axis for one band."""
    return pixels if mode in ("RGB", "RGBA") else tf.squeeze(pixels, -1)


def applied(
    image: Any, operation: Callable[[Any, str], Any], batched: bool = False, made: str | None = None
) -> Any:
    """Apply an operation `(pixels, mode) -> pixels`, of the mode `made` or the same, in kind."""
    if isinstance(image, Image):
        return image.mapped(operation, made)
    pixels, mode = as_pixels(image, "image", batched)
    result = as_array(operation(pixels, mode), made or mode)
    return result if batched else tf.squeeze(result, 0)
