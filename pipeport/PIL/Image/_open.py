"""open and fromarray."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.contract import CannotServe, EncodedImage, Exact, OneOf, always, graph_code, replaces
from pipeport.contract import Image as ImageSpec
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels.decode import _facts as facts
from pipeport.kernels.decode._pillow import read_image
from pipeport.kernels.pillow._modes import as_pixels, known_mode
from pipeport.PIL.Image._image import Image, as_array, refuse_conversion_options
from pipeport.PIL.Image._resize import is_image


@graph_code
class UnreadImage(Image):
    """A file that `open` was given: its mode is not known while tracing, so `convert` comes first.

    Parameters
    ----------
    path : str, bytes, os.PathLike or scalar string tensor
        The file.
    """

    def __init__(self, path: Any) -> None:
        self._path = path

    @property
    def mode(self) -> str:
        """Refused: the file states the mode."""
        raise _unread("mode")

    def convert(
        self,
        mode: str | None = None,
        matrix: Any = None,
        dither: Any = None,
        palette: int = 0,
        colors: int = 256,
    ) -> Image:
        """Read the file as an image of a mode: 'L', 'RGB' or 'RGBA'."""
        refuse_conversion_options(matrix, dither, palette, colors)
        if mode is None:
            raise _unread("convert()")
        return Image(read_image(self._path, known_mode(mode)), mode)

    def getbands(self) -> tuple[str, ...]:
        """Refused: the bands stand in the file."""
        raise _unread("getbands")

    def copy(self) -> Image:
        """Return an image of the same file."""
        return UnreadImage(self._path)

    def _pixels(self) -> Any:
        raise _unread("pixels")

    def __pipeport_array__(self) -> Any:
        raise _unread("pixels")

    def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> Any:
        del dtype, name
        raise _unread("pixels")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        del dtype, copy
        raise _unread("pixels")

    def __repr__(self) -> str:
        return "<pipeport.PIL.Image.UnreadImage>"


def _unread(what: str) -> UnsupportedArgument:
    return UnsupportedArgument(
        explain(
            "image",
            f"{what} of a file whose mode is not known while tracing",
            "an image of a known mode",
            "Write Image.open(path).convert('RGB'), or Image.open(path, as_mode='RGB').",
        )
    )


@replaces(
    "PIL.Image.open",
    domain={
        "fp": EncodedImage(
            formats=(
                "png",
                "png-grey",
                "png-alpha",
                "png-palette",
                "jpeg",
                "jpeg-grey",
                "jpeg-exif",
                "jpeg-progressive",
                "jpeg-420",
                "bmp",
                "broken",
                "missing",
            )
        ),
        "mode": OneOf("r"),
    },
    refused={"formats": "the format is found in the file"},
    extra={"as_mode": OneOf(None)},
    agreement=Exact(),
    proven_against=">=13,<14",
    kind="reader",
    cannot_serve=(
        CannotServe(
            "xla",
            "files are read and decoded by the CPU: there is no XLA kernel for that",
            witness=lambda: {"fp": facts.witness_file(facts.png_bytes(2, 3), ".png")},
            when=always,
        ),
    ),
    compared=("pipeport.references.pil.colour", "pipeport.references.pil.colour_pixels"),
)
def open(fp: Any, mode: str = "r", formats: Any = None, *, as_mode: str | None = None) -> Image:  # noqa: A001 - Pillow's name
    """Open an image file, to be read when it is converted.

    Native equivalent of `PIL.Image.open`.

    Parameters
    ----------
    fp : str, bytes, os.PathLike or scalar string tensor
        Path of a JPEG, PNG or BMP file.
    mode : 'r'
        As in Pillow, there is no other.
    formats : None
        Refused otherwise: the format is found in the file.
    as_mode : {'L', 'RGB', 'RGBA'}, optional
        Ours, keyword-only: read the file as ``Image.open(fp).convert(as_mode)`` would.

    Returns
    -------
    Image
        Unread while `as_mode` is None: the file's mode is not known while tracing, so that the
        image can do nothing but ``convert('L')``, ``convert('RGB')`` or ``convert('RGBA')``.
        Height and width are unknown while tracing.

    Raises
    ------
    UnsupportedArgument
        `mode` is not 'r', `formats` is given, or `as_mode` is none of the three.
    WrongType
        `fp` is no path.
    tf.errors.NotFoundError
        There is no such file; raised when the file is read.
    tf.errors.InvalidArgumentError
        The file is damaged, or of a format that is not served; raised when the file is read.

    Notes
    -----
    Agreement: bit for bit after a conversion. The EXIF orientation is not applied, as in Pillow.

    Graph: no Python at run time; there is no XLA form of reading.

    Examples
    --------
    >>> from pipeport.PIL import Image
    >>> Image.open("photo.jpg")
    <pipeport.PIL.Image.UnreadImage>
    """
    if tf.is_tensor(mode) or mode != "r":
        raise UnsupportedArgument(explain("mode", repr(mode), "'r'", "Leave it out."))
    if formats is not None:
        advice = "Leave it out: the format is found in the file."
        raise UnsupportedArgument(explain("formats", repr(formats), "None", advice))
    image = UnreadImage(fp)
    return image if as_mode is None else image.convert(as_mode)


@replaces(
    "PIL.Image.fromarray",
    domain={
        "obj": ImageSpec(
            dtypes=(
                "bool",
                "uint8",
                "uint16",
                "int8",
                "int16",
                "uint32",
                "int32",
                "float16",
                "float32",
                "float64",
            ),
            channels=(None, 1, 3, 4),
        ),
        "mode": OneOf(None),
    },
    agreement=Exact(),
    proven_against=">=13,<14",
    reference_call="pipeport.references.pil.on_array",
    compared=("pipeport.references.pil.tensor_of", "pipeport.references.pil.pixels"),
    valid=lambda arguments: is_image({"image": arguments["obj"]}) or arguments["obj"].ndim == 3,
)
def fromarray(obj: Any, mode: str | None = None) -> Image:
    """Make an image from an array.

    Native equivalent of `PIL.Image.fromarray`.

    Parameters
    ----------
    obj : array_like, shape (H, W), (H, W, 3) or (H, W, 4)
        uint8 (L, RGB, RGBA), or (H, W) of bool (1), uint16 (I;16), int32 (I) or float32 (F). int8
        (read without its sign), int16 and uint32 (bit for bit) become int32, and float64 becomes
        float32. H and W may be unknown while tracing.
    mode : str, optional
        The mode, which must be the one that dtype and shape give.

    Returns
    -------
    Image
        The image; its pixels are those of the array.

    Raises
    ------
    UnsupportedArgument
        Another `mode`, or grey with alpha.
    WrongType
        Pillow has no mode for the array.
    OutsideDomain
        The rank or the number of channels is unknown.

    Notes
    -----
    Agreement: bit for bit.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.PIL import Image
    >>> Image.fromarray(tf.zeros([40, 60], tf.uint8)).mode
    'L'
    """
    pixels, found = as_pixels(obj, "obj")
    if mode is not None and (tf.is_tensor(mode) or mode != found):
        advice = "Leave it out, or convert the image afterwards."
        raise UnsupportedArgument(explain("mode", repr(mode), repr(found), advice))
    return Image(as_array(pixels, found)[0], found)
