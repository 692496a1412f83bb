"""Images written into images, as Pillow's `paste` does."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.pillow import _arguments as arguments
from pipeport.kernels.pillow._modes import fill_value
from pipeport.kernels.pillow._place import window

_BYTES = ("L", "RGB", "RGBA")


def weights_of(pixels: Any, mode: str) -> Any:
    """Return a mask as weights of bytes (1, H, W, 1).

    `pixels`: shape (1, H, W, C). Returns: shape (1, H, W, 1), uint8; 255 where the other image is taken.
    """
    if mode == "1":
        return tf.where(pixels, tf.constant(255, tf.uint8), tf.constant(0, tf.uint8))
    if mode not in ("L", "RGBA"):
        advice = "Convert it to 'L'."
        raise UnsupportedArgument(explain("mask", f"an image of mode {mode}", "modes 1, L and RGBA", advice))
    return pixels[..., -1:]


def pasted(pixels: Any, mode: str, source: Any, box: Any, weights: Any) -> Any:
    """Return pixels with others, or a colour, written into them.

    `pixels`: shape (1, H, W, C). `source`: shape (1, h, w, C), or a colour; what is written, in the same
    mode. `box`: the corner (left, upper), or all corners. `weights`: shape (1, h, w, 1), or None; how much of
    it is written, of 255. Returns: shape (1, H, W, C).
    """
    if weights is not None and mode not in _BYTES:
        advice = "Convert the image to 'L' or 'RGB' first."
        given = f"a mask for an image of mode {mode}"
        raise UnsupportedArgument(explain("mask", given, "masks for modes L, RGB and RGBA", advice))
    color = None if tf.is_tensor(source) else fill_value(source, mode, "im")
    if color is not None and weights is not None and mode == "RGBA":
        given = "a mask for a colour in an image with alpha"
        advice = "Paste an image of the colour: Image.new('RGBA', size, color)."
        raise UnsupportedArgument(explain("mask", given, "images", advice))
    across, down, width, height = _region(box, weights if color is not None else source)
    for name, one in (("im", source if color is None else None), ("mask", weights)):
        if one is not None:
            _check_sizes(one, width, height, name)
    rows, columns = tf.shape(pixels)[1], tf.shape(pixels)[2]
    known = pixels.shape[1:3].as_list()
    around = (-across, -down, (known[1] or columns) - across, (known[0] or rows) - down)
    new = window(source, around, fill_value(None, mode, "im")) if color is None else tf.constant(color)
    if weights is None:
        inside = tf.ones([1, height, width, 1], tf.bool)
        return tf.where(window(inside, around, fill_value(None, "1", "im")), new, pixels)
    return _blended(pixels, new, window(weights, around, fill_value(None, "L", "mask")))


def _blended(pixels: Any, new: Any, share: Any) -> Any:
    """Return a mean of bytes with a share of 255, rounded as Pillow rounds."""
    first, second, part = (tf.cast(one, tf.int32) for one in (pixels, new, share))
    mixed = first * (255 - part) + second * part + 128
    return tf.cast(tf.bitwise.right_shift(tf.bitwise.right_shift(mixed, 8) + mixed, 8), tf.uint8)


def _region(box: Any, given: Any) -> tuple[Any, Any, Any, Any]:
    """Return the left and upper corner, width and height."""
    count = 4 if isinstance(box, (tuple, list)) and len(box) == 4 else 2
    whole = [
        arguments.whole(one, "box") for one in arguments.entries((0, 0) if box is None else box, count, "box")
    ]
    if count == 4:
        width, height = whole[2] - whole[0], whole[3] - whole[1]
        if any(isinstance(side, int) and side < 0 for side in (width, height)):
            advice = "Order the corners."
            raise OutsideDomain(
                explain("box", str(box), "right not left of left, lower not above upper", advice)
            )
        return whole[0], whole[1], width, height
    if not tf.is_tensor(given):
        advice = "Give all corners of the region: (left, upper, right, lower)."
        raise WrongType(explain("box", repr(box), "four corners, for a colour", advice))
    known = given.shape[1:3].as_list()
    sizes = tf.shape(given)
    return whole[0], whole[1], known[1] or sizes[2], known[0] or sizes[1]


def _check_sizes(image: Any, width: Any, height: Any, name: str) -> None:
    """Refuse an image of another size than the region, now or when the graph runs."""
    allowed, advice = "an image as large as the region", "Resize it, or give the upper left corner alone."
    sizes = tf.shape(image)
    for known, size, wanted in ((image.shape[1], sizes[1], height), (image.shape[2], sizes[2], width)):
        side = size if known is None else known
        if isinstance(side, int) and isinstance(wanted, int):
            if side != wanted:
                raise OutsideDomain(explain(name, f"a side of {side}", f"{allowed}: {wanted}", advice))
        elif side is not wanted:
            tf.debugging.assert_equal(side, wanted, explain(name, "another size", allowed, advice))
