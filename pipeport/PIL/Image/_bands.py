"""split, getchannel, merge and point."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.contract import ArrayList, Exact, OneOf, batchable, replaces
from pipeport.contract import Image as ImageSpec
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.pillow._bands import band_number, bands_of, looked_up
from pipeport.kernels.pillow._modes import as_pixels, known_mode
from pipeport.PIL.Image._image import Image, as_array
from pipeport.PIL.Image._resize import is_image

_SPEC = ImageSpec(dtypes=("bool", "uint8", "int32", "float32"), channels=(None, 3, 4))


@replaces(
    "PIL.Image.Image.split",
    domain={"image": _SPEC},
    agreement=Exact(),
    kind="method",
    reference_call="pipeport.references.pil.on_image",
    compared=("pipeport.references.pil.unchanged", "pipeport.references.pil.pixels_of_each"),
    valid=is_image,
)
@batchable
def split(batch_axes: int, image: Any) -> Any:
    """Split an image into its bands.

    Parameters
    ----------
    image : array_like or Image, shape (H, W), (H, W, 3) or (H, W, 4)
        uint8 (L, RGB, RGBA), or (H, W) of bool (1), uint16 (I;16), int32 (I) or float32 (F). H and W may be
        unknown while tracing.

    Returns
    -------
    tuple of tf.Tensor or Image, as `image`, shape (H, W)
        The bands, in order.

    Raises
    ------
    WrongType
        Pillow has no mode for the array.

    Notes
    -----
    Agreement: bit for bit.

    Graph: a slice a band, no Python at run time.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.PIL import Image
    >>> [band.numpy().tolist() for band in Image.split(tf.constant([[[1, 2, 3]]], tf.uint8))]
    [[[1]], [[2]], [[3]]]
    """
    if isinstance(image, Image):
        return image.split()
    pixels, mode = as_pixels(image, "image", batch_axes > 0)
    bands = [as_array(one, band) for one, band in bands_of(pixels, mode)]
    return tuple(one if batch_axes else tf.squeeze(one, 0) for one in bands)


@replaces(
    "PIL.Image.Image.getchannel",
    domain={"image": ImageSpec(dtypes=("uint8",), channels=(3, 4)), "channel": OneOf(0, 2, "R", "G", "B")},
    agreement=Exact(),
    kind="method",
    reference_call="pipeport.references.pil.on_image",
    compared=("pipeport.references.pil.unchanged", "pipeport.references.pil.pixels"),
    valid=is_image,
)
@batchable
def getchannel(batch_axes: int, image: Any, channel: Any) -> Any:
    """Take one band of an image.

    Parameters
    ----------
    image : array_like or Image, shape (H, W), (H, W, 3) or (H, W, 4)
        uint8 (L, RGB, RGBA), or (H, W) of bool (1), uint16 (I;16), int32 (I) or float32 (F). H and W may be
        unknown while tracing.
    channel : int or str
        Which, by its number from 0 or its name, for instance 'R'.

    Returns
    -------
    tf.Tensor or Image, as `image`, shape (H, W)
        The band.

    Raises
    ------
    OutsideDomain
        The image has no such band.
    WrongType
        Pillow has no mode for the array, or `channel` is neither number nor name.

    Notes
    -----
    Agreement: bit for bit.

    Graph: a slice, no Python at run time.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.PIL import Image
    >>> Image.getchannel(tf.constant([[[1, 2, 3]]], tf.uint8), "G").numpy().tolist()
    [[2]]
    """
    if isinstance(image, Image):
        return image.getchannel(channel)
    pixels, mode = as_pixels(image, "image", batch_axes > 0)
    one, band = bands_of(pixels, mode)[band_number(mode, channel)]
    return as_array(one, band) if batch_axes else tf.squeeze(as_array(one, band), 0)


@replaces(
    "PIL.Image.Image.point",
    domain={
        "image": ImageSpec(dtypes=("bool", "uint8"), channels=(None,)),
        "lut": OneOf(
            tuple(range(255, -1, -1)),
            tuple(0.5 * level + 0.5 for level in range(256)),
            tuple(2 * level - 90 for level in range(256)),
            tuple(255 * (level > 99) for level in range(256)),
        ),
        "mode": OneOf(None, "L"),
    },
    agreement=Exact(),
    kind="method",
    reference_call="pipeport.references.pil.on_image",
    compared=("pipeport.references.pil.unchanged", "pipeport.references.pil.pixels"),
    valid=is_image,
)
@batchable
def point(batch_axes: int, image: Any, lut: Any, mode: str | None = None) -> Any:
    """Send the levels of an image through a table or a function.

    Parameters
    ----------
    image : array_like or Image, shape (H, W), (H, W, 3) or (H, W, 4)
        uint8 (L, RGB, RGBA), or bool (1). H and W may be unknown while tracing.
    lut : sequence of numbers, or callable
        256 values for each band, or a function of a level, which is called for 0 to 255 while tracing. Values
        are rounded half to even, and limited to 0 to 255.
    mode : {'1', 'L'}, optional
        Mode of the result; for images of one band alone another than their own.

    Returns
    -------
    tf.Tensor or Image, as `image`
        The values.

    Raises
    ------
    OutsideDomain
        The table has another length.
    UnsupportedArgument
        The image has another mode, or `mode` is not served.
    WrongType
        Pillow has no mode for the array, or `lut` holds no numbers.

    Notes
    -----
    Agreement: bit for bit.

    Graph: one gather, no Python at run time.
    Speed: somewhat slower than Pillow.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.PIL import Image
    >>> Image.point(tf.constant([[10, 200]], tf.uint8), lambda level: level * 1.5).numpy().tolist()
    [[15, 255]]
    """
    if isinstance(image, Image):
        return image.point(lut, mode)
    pixels, own = as_pixels(image, "image", batch_axes > 0)
    found, made = looked_up(pixels, own, lut, mode)
    return as_array(found, made) if batch_axes else tf.squeeze(as_array(found, made), 0)


@replaces(
    "PIL.Image.merge",
    domain={
        "mode": OneOf("RGB", typical="RGB"),
        "bands": ArrayList(counts=(3, 3), dtypes=("uint8",), ranks=(2,), sides=(1, 9)),
    },
    agreement=Exact(),
    reference_call="pipeport.references.pil.on_bands",
    compared=("pipeport.references.pil.unchanged", "pipeport.references.pil.pixels"),
)
def merge(mode: str, bands: Any) -> Any:
    """Put bands together to an image.

    Parameters
    ----------
    mode : {'RGB', 'RGBA', 'L', '1', 'I', 'F', 'I;16'}
        Mode of the image.
    bands : sequence of array_like or Image, shape (H, W)
        The bands, of one size, as many as the mode has: uint8 for 'RGB' and 'RGBA'.

    Returns
    -------
    tf.Tensor or Image, as the first of `bands`
        The image.

    Raises
    ------
    OutsideDomain
        There are more or fewer bands, or they have several modes or sizes.
    UnsupportedArgument
        Another mode.
    WrongType
        Pillow has no mode for an array.
    tf.errors.InvalidArgumentError
        Sizes unknown at trace time differ.

    Notes
    -----
    Agreement: bit for bit.

    Graph: one op, no Python at run time.
    Speed: slower than Pillow.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.PIL import Image
    >>> Image.merge("RGB", [tf.constant([[level]], tf.uint8) for level in (1, 2, 3)]).numpy().tolist()
    [[[1, 2, 3]]]
    """
    wanted = len(mode) if known_mode(mode) in ("RGB", "RGBA") else 1
    if len(bands) != wanted:
        advice = f"Mode {mode} has {wanted}."
        raise OutsideDomain(explain("bands", f"{len(bands)} bands", f"{wanted} bands", advice))
    found = [as_pixels(one, "bands") for one in bands]
    kind = "L" if wanted > 1 else mode
    if any(band != kind for _, band in found):
        given = ", ".join(band for _, band in found)
        raise OutsideDomain(explain("bands", f"modes {given}", f"mode {kind}", "Convert them first."))
    try:
        pixels = tf.concat([one for one, _ in found], -1)
    except (ValueError, tf.errors.InvalidArgumentError) as error:
        raise OutsideDomain(explain("bands", "several sizes", "one size", "Resize them first.")) from error
    array = tf.squeeze(as_array(pixels, mode), 0)
    return Image(array, mode) if isinstance(bands[0], Image) else array
