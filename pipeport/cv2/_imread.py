"""imread."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeport.contract import CannotServe, Difference, EncodedImage, Exact, OneOf, replaces
from pipeport.cv2 import _constants as cv2
from pipeport.kernels.decode import _facts as facts
from pipeport.kernels.decode._opencv import decode, wanted
from pipeport.kernels.decode._source import contents

FORMATS = (
    "jpeg",
    "jpeg-grey",
    "jpeg-420",
    "jpeg-progressive",
    "jpeg-exif",
    "png",
    "png-grey",
    "png-alpha",
    "png-palette",
    "png16",
    "bmp",
)
FLAGS = (
    cv2.IMREAD_COLOR_BGR,
    cv2.IMREAD_GRAYSCALE,
    cv2.IMREAD_COLOR_RGB,
    cv2.IMREAD_UNCHANGED,
    cv2.IMREAD_ANYCOLOR | cv2.IMREAD_ANYDEPTH,
    cv2.IMREAD_ANYDEPTH,
    cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION,
    cv2.IMREAD_REDUCED_COLOR_2,
    cv2.IMREAD_REDUCED_GRAYSCALE_4,
)
EXTRA = {"channels": OneOf(None, 3), "depth": OneOf("uint8", "uint16")}
NO_XLA = "reading and decoding have no XLA kernels"
_REDUCED = 16 | 32 | 64
_SIZES = tuple(flags for flags in range(512) if flags & _REDUCED)
_OTHERS = (
    "Only JPEG (grey or colour), PNG and BMP (8, 24 or 32 bits, without compression) are served, and only "
    "whole files; anything else raises InvalidArgumentError, where OpenCV reads it or returns None."
)
_DEEP = "A 16-bit file read with its own depth needs `depth='uint16'`."
_SCALED = "IMREAD_REDUCED_ flags are served for JPEG alone; OpenCV resizes what other formats give."
_FLAG = "Bits of `flags` that no IMREAD_ flag has, IMREAD_LOAD_GDAL and negative sums are refused."


def _flags(arguments: Mapping[str, Any]) -> int:
    return int(arguments.get("flags", cv2.IMREAD_COLOR_BGR))


def is_other(file: facts.Facts) -> bool:
    """Say whether a file is one that this native refuses and OpenCV may read."""
    return file.format == "other" or not file.whole or (file.format == "jpeg" and file.channels == 4)


def is_deep(file: facts.Facts, arguments: Mapping[str, Any]) -> bool:
    """Say whether a file gives 16 bits that are not stated."""
    flags = _flags(arguments)
    deep = flags == cv2.IMREAD_UNCHANGED or bool(flags & cv2.IMREAD_ANYDEPTH)
    return deep and file.bits == 16 and arguments.get("depth", "uint8") == "uint8"


def is_scaled(file: facts.Facts, arguments: Mapping[str, Any]) -> bool:
    """Say whether flags ask for a smaller image of a format that is not decoded smaller."""
    flags = _flags(arguments)
    return file.format != "jpeg" and flags != cv2.IMREAD_UNCHANGED and bool(flags & _REDUCED)


def has_other_flags(arguments: Mapping[str, Any]) -> bool:
    """Say whether flags are refused."""
    return _flags(arguments) < -1 or bool(_flags(arguments) > 0 and _flags(arguments) & (8 | ~511))


def is_stated(file: facts.Facts, arguments: Mapping[str, Any]) -> bool:
    """Say whether `channels` and `depth` are right for the file."""
    flags, stated = _flags(arguments), arguments.get("channels")
    unchanged = flags == cv2.IMREAD_UNCHANGED
    if stated is not None:
        if not unchanged and flags & (cv2.IMREAD_COLOR | cv2.IMREAD_COLOR_RGB):
            found = 3
        elif unchanged or flags & cv2.IMREAD_ANYCOLOR:
            colour = 4 if file.channels in (2, 4) and unchanged else 3
            found = 1 if file.channels == 1 else colour
        else:
            found = 1
        if stated != found:
            return False
    deep = unchanged or flags & cv2.IMREAD_ANYDEPTH
    return bool(arguments.get("depth", "uint8") == "uint8" or (deep and file.bits == 16))


def differences(name: str, source: Any) -> tuple[Difference, ...]:
    """Return the differences of all readers of this family; `source` makes an argument from bytes."""

    def of(test: Any) -> Any:
        return lambda arguments: test(facts.facts_of(arguments[name]), arguments)

    def file(content: bytes, **more: Any) -> Any:
        return lambda: {name: source(content), "flags": 1, **more}

    return (
        Difference(_OTHERS, file(facts.ppm_bytes()), of(lambda f, _a: is_other(f))),
        Difference(_DEEP, file(facts.png_bytes(2, 3, 16), flags=cv2.IMREAD_UNCHANGED), of(is_deep)),
        Difference(
            _SCALED,
            file(facts.png_bytes(4, 4), flags=cv2.IMREAD_REDUCED_COLOR_2),
            of(is_scaled),
            only={"flags": _SIZES},
        ),
        Difference(_FLAG, file(facts.png_bytes(2, 3), flags=cv2.IMREAD_LOAD_GDAL), has_other_flags),
    )


@replaces(
    "cv2.imread",
    domain={"filename": EncodedImage(formats=FORMATS), "flags": OneOf(*FLAGS, typical=cv2.IMREAD_COLOR_BGR)},
    agreement=Exact(),
    proven_against=">=4.11",
    kind="reader",
    extra=EXTRA,
    valid=lambda arguments: is_stated(facts.facts_of(arguments["filename"]), arguments),
    differences=(
        Difference(
            "A missing file raises NotFoundError; OpenCV returns None.",
            witness=lambda: {"filename": facts.MISSING},
            applies=lambda arguments: facts.facts_of(arguments["filename"]).format == "missing",
        ),
        *differences("filename", lambda content: facts.witness_file(content, ".img")),
    ),
    cannot_serve=(
        CannotServe(
            "xla",
            NO_XLA,
            witness=lambda: {"filename": facts.witness_file(facts.png_bytes(2, 3), ".png")},
        ),
    ),
)
def imread(
    filename: Any, flags: Any = cv2.IMREAD_COLOR_BGR, *, channels: int | None = None, depth: str = "uint8"
) -> Any:
    """Read an image from a file: blue, green, red.

    Parameters
    ----------
    filename : str, bytes, os.PathLike or scalar string tensor
        A JPEG, PNG or BMP file, on any file system TensorFlow reads.
    flags : int, default IMREAD_COLOR_BGR
        A sum of OpenCV's IMREAD_ flags. Colour or grey as asked (grey from a JPEG is its own
        luminance), 8 bits unless IMREAD_ANYDEPTH, the EXIF orientation applied unless
        IMREAD_IGNORE_ORIENTATION, IMREAD_REDUCED_ sizes for JPEG. IMREAD_ANYCOLOR takes grey or colour
        from the file, IMREAD_UNCHANGED channels, alpha and depth.
    channels : {None, 1, 3, 4}, default None
        Keyword-only and ours: how many channels the files have, where `flags` leave it to the
        file, so that the rank is known while tracing. 1 is an image of rank 2.
    depth : {'uint8', 'uint16'}, default 'uint8'
        Keyword-only and ours: the depth of the files, where `flags` leave it to the file.

    Returns
    -------
    tf.Tensor, shape (H, W), (H, W, 3) or (H, W, 4), uint8 or uint16
        The image, levels 0 to 255 or 65535. H and W are unknown while tracing; so is the rank
        if `flags` leave it to the file and `channels` does not state it.

    Raises
    ------
    UnsupportedArgument
        `flags` is a tensor or holds a bit that is not served, or does not go with `channels` or `depth`.
    WrongType
        `filename` is not a path, or `flags` no integer.
    OutsideDomain
        `filename` is a tensor that is not a scalar.
    tf.errors.NotFoundError
        There is no such file.
    tf.errors.InvalidArgumentError
        The file is of another format, damaged, or not what `channels` and `depth` state.

    Notes
    -----
    Agreement: bit for bit, for OpenCV 5 and OpenCV 4 (see `pipeport.config.opencv`: where programs
    write other data before the EXIF segment, OpenCV 4 finds no orientation).
    Graph: no Python at run time. The file is read when the graph runs. XLA has no kernels for it.
    Source: the pixels are libjpeg-turbo's and libpng's, which TensorFlow and OpenCV both link; the
    accurate inverse transform is asked for, TensorFlow's default differs by up to 11 levels.

    Examples
    --------
    >>> import tempfile, tensorflow as tf
    >>> from pathlib import Path
    >>> from pipeport.cv2 import imread
    >>> path = Path(tempfile.mkdtemp(), "red.png")
    >>> _ = path.write_bytes(tf.io.encode_png(tf.constant([[[255, 0, 0]]], tf.uint8)).numpy())
    >>> imread(path).numpy().tolist()
    [[[0, 0, 255]]]
    """
    want = wanted(flags, channels, depth)
    return decode(contents(filename, "filename"), want, "filename")
