"""imread."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pipeport.contract import (
    AsReference,
    Boolean,
    CannotServe,
    Difference,
    EncodedImage,
    OneOf,
    replaces,
)
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels.decode import _facts as facts
from pipeport.kernels.decode._skimage import CHANNELS, DEPTHS, decode
from pipeport.kernels.decode._source import contents, python_path
from pipeport.kernels.inputs._checks import flag, one_of

_FORMATS = (
    "jpeg",
    "jpeg-grey",
    "jpeg-420",
    "jpeg-exif",
    "png",
    "png-grey",
    "png-alpha",
    "png-palette",
    "png16",
    "bmp",
)
_URL = re.compile(r"(?:https?|ftp)://|file:(?://|\\)")
_OTHERS = (
    "Only JPEG (grey or RGB), PNG (without grey alpha) and BMP (8, 24 or 32 bits, without compression) are "
    "served; other files raise InvalidArgumentError."
)
_DEEP = "A grey file of 16 bits or of one bit needs `depth='uint16'` or `depth='bool'`."
_GREY = "`as_gray=True` needs `channels=1` for grey files, which stay as they are."


def _file(arguments: Mapping[str, Any]) -> facts.Facts:
    return facts.facts_of(arguments["fname"])


def _is_other(arguments: Mapping[str, Any]) -> bool:
    file = _file(arguments)
    grey_alpha = file.format == "png" and file.channels == 2
    return file.format == "other" or grey_alpha or (file.format == "jpeg" and file.channels == 4)


def _is_deep(arguments: Mapping[str, Any]) -> bool:
    file = _file(arguments)
    odd = file.format == "png" and file.channels == 1 and file.bits in (1, 16)
    return odd and arguments.get("depth", "uint8") == "uint8"


def _is_grey(arguments: Mapping[str, Any]) -> bool:
    unstated = arguments.get("channels") is None
    return bool(arguments.get("as_gray", False)) and unstated and _file(arguments).channels == 1


def _is_stated(arguments: Mapping[str, Any]) -> bool:
    file = _file(arguments)
    plain = file.format == "png" and file.channels == 4 and file.palette
    channels = 3 if plain else file.channels
    depth = {16: "uint16", 1: "bool"}.get(file.bits, "uint8") if channels == 1 else "uint8"
    return arguments.get("channels") in (None, channels) and arguments.get("depth", "uint8") in (
        "uint8",
        depth,
    )


def _witness(content: bytes, **more: Any) -> Any:
    return lambda: {"fname": facts.witness_file(content, ".png"), **more}


@replaces(
    "skimage.io.imread",
    domain={"fname": EncodedImage(formats=_FORMATS), "as_gray": Boolean()},
    agreement=AsReference(),
    kind="reader",
    parameters="(fname, as_gray=False, plugin=None, **plugin_args)",
    extra={"channels": OneOf(None, 1, 3, typical=3), "depth": OneOf("uint8", "uint16")},
    refused={"plugin": "there is one reader; scikit-image itself gives plugins up"},
    valid=_is_stated,
    differences=(
        Difference(_OTHERS, _witness(facts.ppm_bytes()), _is_other),
        Difference(_DEEP, _witness(facts.png_bytes(2, 3, 16)), _is_deep),
        Difference(_GREY, _witness(facts.png_bytes(2, 3), as_gray=True), _is_grey),
    ),
    cannot_serve=(
        CannotServe(
            "xla",
            "reading and decoding have no XLA kernels",
            witness=_witness(facts.png_bytes(2, 3)),
        ),
    ),
)
def imread(
    fname: Any,
    as_gray: Any = False,
    plugin: Any = None,
    *,
    channels: int | None = None,
    depth: str = "uint8",
    **plugin_args: Any,
) -> Any:
    """Read an image from a file: red, green, blue.

    Parameters
    ----------
    fname : str, bytes, os.PathLike or scalar string tensor
        A JPEG, PNG or BMP file, on any file system TensorFlow reads; no URL.
    as_gray : bool, default False
        Whether colour becomes luminance: 2-D, float64 in [0, 1]. Alpha is mixed with white
        first. Grey files stay as they are.
    plugin : None
        Refused.
    channels : {None, 1, 3, 4}, default None
        Keyword-only and ours: how many channels the files have, so that the rank is known while
        tracing. 1 is an image of rank 2. With `as_gray`, None is any colour.
    depth : {'uint8', 'uint16', 'bool'}, default 'uint8'
        Keyword-only and ours: the dtype that grey files have by their bits; colour is bytes.
    **plugin_args : dict
        Refused.

    Returns
    -------
    tf.Tensor, shape (H, W), (H, W, 3) or (H, W, 4), dtype `depth`; (H, W) and float64 with `as_gray`
        The image. H and W are unknown while tracing, and the rank without `channels` or `as_gray`.

    Raises
    ------
    UnsupportedArgument
        `fname` is a URL, a plugin or an argument for one is given, `as_gray` is a tensor, or
        `channels` or `depth` have another value.
    WrongType
        `fname` is not a path.
    OutsideDomain
        `fname` is a tensor that is not a scalar.
    tf.errors.NotFoundError
        There is no such file.
    tf.errors.InvalidArgumentError
        The file is of another format, damaged, or not what `channels` and `depth` state.

    Notes
    -----
    Agreement: bit for bit as stored, luminance within the rounding of float64. The EXIF
    orientation is not applied, as in the reference.
    Graph: no Python at run time. The file is read when the graph runs. XLA has no kernels for it.

    Examples
    --------
    >>> import tempfile, tensorflow as tf
    >>> from pathlib import Path
    >>> from pipeport.skimage.io import imread
    >>> path = Path(tempfile.mkdtemp(), "red.png")
    >>> _ = path.write_bytes(tf.io.encode_png(tf.constant([[[255, 0, 0]]], tf.uint8)).numpy())
    >>> imread(path).numpy().tolist()
    [[[255, 0, 0]]]
    """
    if plugin is not None or plugin_args:
        name = "plugin" if plugin is not None else next(iter(plugin_args))
        advice = "Leave it out; other formats are read by tf.io.decode_image."
        raise UnsupportedArgument(explain(name, repr(plugin_args.get(name, plugin)), "None", advice))
    known = python_path(fname)
    if isinstance(known, str) and _URL.match(known):
        advice = "Download it once, or name it by a file system TensorFlow reads."
        raise UnsupportedArgument(explain("fname", repr(known), "the path of a file", advice))
    one_of(channels, (None, *CHANNELS), "channels", "State how many the files have.")
    one_of(depth, DEPTHS, "depth", "State the dtype of grey files.")
    return decode(contents(fname, "fname"), flag(as_gray, "as_gray"), channels, depth, "fname")
