"""open and fromarray."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.contract import CannotServe, EncodedImage, Exact, OneOf, replaces
from pipeport.contract import Image as ImageSpec
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels.decode import _facts as facts
from pipeport.kernels.decode._formats import refuse_unless
from pipeport.kernels.decode._pillow import MODES, mode_in, read_image, size_in
from pipeport.kernels.decode._source import contents, python_path
from pipeport.kernels.pillow._modes import as_pixels, converted, known_mode
from pipeport.PIL.Image._image import Image, as_array, refuse_conversion_options
from pipeport.PIL.Image._resize import is_image


class UnreadImage(Image):
    """A file that `open` was given, and what was done to its image since.

    It is read when its pixels are needed. `convert` states what they must be then, whatever the file has;
    without it the mode must be known while tracing: in eager mode, of a path that is known, or where a
    ported function has seen one on its example.

    Parameters
    ----------
    path : str, bytes, os.PathLike or scalar string tensor
        The file.
    steps : tuple of callable
        Each takes pixels and their mode, and gives pixels of that mode.
    notes : dict
        The mode that was seen, shared by all images of one call of `open`.
    """

    def __init__(
        self, path: Any, steps: tuple[Callable[[Any, str], Any], ...] = (), notes: Any = None
    ) -> None:
        self._path = path
        self._steps = steps
        self.notes = {} if notes is None else notes

    @property
    def mode(self) -> str:
        """The mode of the file, where it is known while tracing."""
        return self._mode_known("mode")

    @property
    def size(self) -> tuple[Any, Any]:
        """Width and height, as scalar int32 tensors; they do not depend on the mode."""
        if self._steps:
            return self.convert("RGB").size
        return size_in(contents(self._path, "fp"), "fp")

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
            return self._read("convert()")
        if not self._steps:
            return Image(read_image(self._path, known_mode(mode)), mode)
        if known_mode(mode) not in ("L", "RGB"):
            advice = "Convert first: `Image.open(path).convert('RGBA')`."
            given = f"{mode!r} after other methods"
            raise UnsupportedArgument(explain("mode", given, "'L' and 'RGB'", advice))
        return self._converted_after(mode)

    def copy(self) -> Image:
        """Return an image of the same file."""
        return UnreadImage(self._path, self._steps, self.notes)

    def mapped(self, operation: Callable[[Any, str], Any], mode: str | None = None) -> Image:
        """Return the image with another step before it is read."""
        if mode is not None:
            return self._read("pixels").mapped(operation, mode)
        return UnreadImage(self._path, (*self._steps, operation), self.notes)

    def paste(self, im: Any, box: Any = None, mask: Any = None) -> None:
        """Refused: it would write to a file that is not read yet."""
        del im, box, mask
        raise _unread("paste")

    def _converted_after(self, mode: str) -> Image:
        """Return the image in a mode after its steps, which see the pixels in the mode of the file."""
        data = contents(self._path, "fp")
        found = mode_in(data, "fp")
        given = "a file with a palette, with grey and alpha, or of 1 or 16 bits"
        message = explain("fp", given, "modes L, RGB and RGBA", "Convert first: `open(path).convert('RGB')`.")

        def after(own: str) -> Callable[[], Any]:
            # Grey is as colours that are all alike.
            return lambda: as_array(
                converted(self._stepped(read_image(self._path, own, "fp"), own), own, mode), mode
            )[0]

        with tf.control_dependencies(refuse_unless(found < len(MODES), message)):
            has_alpha = tf.equal(found, MODES.index("RGBA"))
        return Image(tf.cond(has_alpha, after("RGBA"), after("RGB")), mode)

    def _stepped(self, image: Any, mode: str) -> Any:
        pixels = as_pixels(image, "image")[0]
        for step in self._steps:
            pixels = step(pixels, mode)
        return pixels

    def _mode_known(self, what: str) -> str:
        """Return the mode of the file; refuse a file of which nothing is known while tracing."""
        known = python_path(self._path)
        if tf.executing_eagerly() or known is not None:
            with tf.init_scope():
                place = int(mode_in(contents(self._path if known is None else known, "fp"), "fp"))
            seen = MODES[place] if place < len(MODES) else None
            if self.notes.setdefault("mode", seen) != seen:
                self.notes["mode"] = None
        else:
            seen = self.notes.get("mode")
        if seen is None:
            raise _unread(what)
        return seen

    def _read(self, what: str) -> Image:
        """Return the image in the mode of the file; the graph stops at a file of another mode."""
        mode = self._mode_known(what)
        found = mode_in(contents(self._path, "fp"), "fp")
        message = explain(
            "fp", "a file of another mode", f"mode {mode}, as seen", "Convert it: convert('RGB')."
        )
        with tf.control_dependencies(refuse_unless(tf.equal(found, MODES.index(mode)), message)):
            image = tf.identity(read_image(self._path, mode, "fp"))
        return Image(as_array(self._stepped(image, mode), mode)[0], mode)

    def _pixels(self) -> Any:
        return self._read("pixels")._pixels()

    def __pipeport_array__(self) -> Any:
        return self._read("pixels").__pipeport_array__()

    def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> Any:
        return self._read("pixels").__tf_tensor__(dtype, name)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self._read("pixels").__array__(dtype, copy)

    def __repr__(self) -> str:
        return "<pipeport.PIL.Image.UnreadImage>"


def _unread(what: str) -> UnsupportedArgument:
    return UnsupportedArgument(
        explain(
            "image",
            f"{what} of a file whose mode is not known while tracing",
            "an image of a known mode: L, RGB or RGBA",
            "Write Image.open(path).convert('RGB'), or give `port` an example, whose mode all files have.",
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
    kind="reader",
    cannot_serve=(
        CannotServe(
            "xla",
            "files are read and decoded by the CPU: there is no XLA kernel for that",
            witness=lambda: {"fp": facts.witness_file(facts.png_bytes(2, 3), ".png")},
        ),
    ),
    compared=("pipeport.references.pil.colour", "pipeport.references.pil.colour_pixels"),
)
def open(fp: Any, mode: str = "r", formats: Any = None, *, as_mode: str | None = None) -> Image:  # noqa: A001 - Pillow's name
    """Open an image file, to be read when it is converted.

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
        Unread while `as_mode` is None: of a path that is a tensor the graph knows the mode alone, so
        that ``convert('L')``, ``convert('RGB')`` or ``convert('RGBA')`` must come before the pixels are
        used. Other methods may stand before `convert`, which then takes 'L' and 'RGB', and stops at
        files of a palette, of grey with alpha, and of 1 or 16 bits. Height and width are unknown while
        tracing.

    Raises
    ------
    UnsupportedArgument
        `mode` is not 'r', `formats` is given, or `as_mode` is none of the three.
    WrongType
        `fp` is not a path.
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
    reference_call="pipeport.references.pil.on_array",
    compared=("pipeport.references.pil.tensor_of", "pipeport.references.pil.pixels"),
    valid=lambda arguments: is_image({"image": arguments["obj"]}) or arguments["obj"].ndim == 3,
)
def fromarray(obj: Any, mode: str | None = None) -> Image:
    """Make an image from an array.

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
