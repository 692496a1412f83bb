"""imdecode."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport.contract import CannotServe, EncodedImage, Exact, OneOf, replaces
from pipeport.cv2 import _constants as cv2
from pipeport.cv2._imread import EXTRA, FLAGS, FORMATS, NO_XLA, differences, is_stated
from pipeport.kernels.decode import _facts as facts
from pipeport.kernels.decode._opencv import decode, wanted
from pipeport.kernels.decode._source import buffer_of


def _array(content: bytes) -> Any:
    return np.frombuffer(content, np.uint8)


@replaces(
    "cv2.imdecode",
    domain={
        "buf": EncodedImage(formats=FORMATS, form="bytes"),
        "flags": OneOf(*FLAGS, typical=cv2.IMREAD_COLOR_BGR),
    },
    agreement=Exact(),
    proven_against=">=4.11",
    kind="reader",
    extra=EXTRA,
    valid=lambda arguments: is_stated(facts.facts_of(arguments["buf"]), arguments),
    differences=differences("buf", _array),
    cannot_serve=(
        CannotServe(
            "xla",
            NO_XLA,
            witness=lambda: {"buf": _array(facts.png_bytes(2, 3)), "flags": cv2.IMREAD_COLOR_BGR},
        ),
    ),
)
def imdecode(buf: Any, flags: Any, *, channels: int | None = None, depth: str = "uint8") -> Any:
    """Decode an image from the bytes of a file: blue, green, red.

    Parameters
    ----------
    buf : array_like, shape (N,), uint8, or scalar string tensor
        The bytes of a JPEG, PNG or BMP file. A string tensor, as `tf.io.read_file` gives it, saves a copy.
    flags : int
        As for `imread`.
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
        `buf` is not an array of bytes, or `flags` no integer.
    OutsideDomain
        `buf` has several rows.
    tf.errors.InvalidArgumentError
        The bytes are of another format, damaged, or not what `channels` and `depth` state.

    Notes
    -----
    Agreement: bit for bit; see `imread`.
    Graph: no Python at run time. XLA has no kernels for it.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.cv2 import IMREAD_COLOR, imdecode
    >>> red = tf.io.encode_png(tf.constant([[[255, 0, 0]]], tf.uint8))
    >>> imdecode(red, IMREAD_COLOR).numpy().tolist()
    [[[0, 0, 255]]]
    """
    want = wanted(flags, channels, depth)
    return decode(buffer_of(buf, "buf"), want, "buf")
