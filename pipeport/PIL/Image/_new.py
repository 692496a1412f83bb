"""new."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.contract import CannotServe, Exact, OneOf, replaces
from pipeport.kernels.pillow import _arguments as arguments
from pipeport.kernels.pillow._modes import MODES, fill_value, known_mode
from pipeport.kernels.pillow._place import blank
from pipeport.PIL.Image._image import Image, as_array


@replaces(
    "PIL.Image.new",
    domain={
        "mode": OneOf(*MODES, typical="RGB"),
        "size": OneOf((5, 4), (1, 1), (64, 80), (520, 3), (0, 7), [6, 2], typical=(64, 80)),
        "color": OneOf(0, 7, 255, -3, 70000, (9,), (1, 20, 255), (300, -2, 7, 128), None, typical=0),
    },
    agreement=Exact(),
    compared=("pipeport.references.pil.tensor_of", "pipeport.references.pil.pixels"),
    valid=lambda arguments: _suits(arguments["color"], arguments["mode"]),
    cannot_serve=(
        CannotServe(
            "batched",
            "it takes no array: make one image and broadcast it",
            witness=lambda: {"mode": "L", "size": (3, 2)},
        ),
    ),
)
def new(mode: str, size: Any, color: Any = 0) -> Image:
    """Make an image of one colour.

    Parameters
    ----------
    mode : {'1', 'L', 'RGB', 'RGBA', 'I;16', 'I', 'F'}
        The mode.
    size : (width, height)
        Integers, or scalar integer tensors, from 0.
    color : int, float, tuple of int or None, default 0
        By Pillow's rules: one integer is the bytes of several bands, a tuple has one integer for each band, a
        float is for mode 'F'. Names of colours are refused.

    Returns
    -------
    Image
        The image; its method `paste` writes into it.

    Raises
    ------
    UnsupportedArgument
        Another mode, the name of a colour, or a colour that is a tensor.
    WrongType
        A colour that does not suit the mode, or sides that are not whole numbers.
    OutsideDomain
        A side is negative.
    tf.errors.InvalidArgumentError
        A side known only at run time is negative.

    Notes
    -----
    Agreement: bit for bit.
    Graph: one op, no Python at run time.

    Examples
    --------
    >>> from pipeport.PIL import Image
    >>> canvas = Image.new("RGB", (4, 3), (1, 2, 3))
    >>> canvas.paste(Image.new("RGB", (2, 2), 9), (1, 1))
    >>> canvas.size
    (4, 3)
    """
    known_mode(mode)
    sides = arguments.not_negative(arguments.size_pair(size))
    pixels = blank(tf.zeros([1]), sides, fill_value(color, mode, "color"))
    return Image(as_array(pixels, mode)[0], mode)


def _suits(color: Any, mode: str) -> bool:
    """Say whether Pillow takes a colour for a mode."""
    if not isinstance(color, tuple) or len(color) == 1:
        return True
    return len(color) in (3, 4) and mode in ("RGB", "RGBA")
