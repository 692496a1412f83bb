"""The operands of OpenCV's arithmetic: two images, or an image and numbers; masks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import LabelOf, Maybe
from pipeport.cv2 import _images
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor

DTYPES = ("uint8", "int8", "uint16", "int16", "int32", "float32", "float64")
CHANNELS = (None, 1, 2, 3, 4)
_MOST = 4  # numbers beside an image, and channels of such an image
_FORMS = "a number, or a tuple of up to four"


class Operands(NamedTuple):
    """Two operands of one dtype.

    `first`, `second`: an image (B, H, W, C), or numbers in float64, of shape () or (C,). `like`: the image,
    or the first of two.
    """

    first: Any
    second: Any
    like: Any

    @property
    def images(self) -> list[Any]:
        """Those that are images, in their order."""
        return [one for one in (self.first, self.second) if one.shape.rank == 4]

    @property
    def numbers(self) -> list[Any]:
        """The numbers, if one operand is not an image."""
        return [one for one in (self.first, self.second) if one.shape.rank < 2]

    @property
    def turned(self) -> bool:
        """Whether the numbers come first."""
        return bool(self.first.shape.rank < 2)


def image_of(src: Any, batch_axes: int, parameter: str) -> Any:
    """Return images (B, H, W, C) of a dtype that arithmetic serves.

    `src`: one image, or a batch. `batch_axes`: {0, 1}; whether it is a batch. Returns: rank 4.
    """
    x = _images.as_images(src, batch_axes, parameter)
    _checks.dtype_among(x, DTYPES, parameter)
    return x


def operands(
    src1: Any, src2: Any, batch_axes: int, read: Callable[[Any, int, str], Any] | None = None
) -> Operands:
    """Return two operands, of which one at least is an image.

    `src1`, `src2`: images of one shape and dtype, one of which may be numbers. `batch_axes`: {0, 1}; whether
    images are batches. `read`: what numbers mean: `numbers_of`, or `entries_of`.
    """
    given = {"src1": src1, "src2": src2}
    images = {name: image_of(one, batch_axes, name) for name, one in given.items() if not _are_numbers(one)}
    if not images:
        advice = "Add numbers with tf.add, or give an image."
        raise OutsideDomain(explain("src1", "numbers in both operands", "an image in one", advice))
    like = next(iter(images.values()))
    if len(images) == 2:
        other = images["src2"]
        if other.dtype != like.dtype or not like.shape.is_compatible_with(other.shape):
            found = f"{other.dtype.name} {other.shape[1:]} beside {like.dtype.name} {like.shape[1:]}"
            advice = "Cast with tf.cast, cut or resize one of them."
            raise OutsideDomain(explain("src2", found, "the shape and dtype of `src1`", advice))
        return Operands(*_of_one_size(like, other), like)
    read = read or numbers_of
    numbers = {name: read(one, like.shape[3], name) for name, one in given.items() if name not in images}
    first, second = ((images | numbers)[name] for name in given)
    return Operands(first, second, like)


def _of_one_size(first: Any, second: Any) -> tuple[Any, Any]:
    """Return two images, checked in the graph where tracing does not know their sizes."""
    if first.shape.is_fully_defined() and second.shape.is_fully_defined():
        return first, second
    text = explain("src2", "another size", "the size of `src1`", "Cut or resize one of them.")
    check = tf.debugging.assert_equal(tf.shape(first)[:3], tf.shape(second)[:3], text)
    with tf.control_dependencies([check]):
        return tf.identity(first), tf.identity(second)


def _are_numbers(value: Any) -> bool:
    shape = getattr(value, "shape", None)  # of an unknown rank, an image; as_images will say so
    if isinstance(shape, tf.TensorShape):
        return shape.rank is not None and shape.rank < 2
    return isinstance(value, tuple) or np.ndim(value) < 2


def numbers_of(value: Any, channels: int, parameter: str) -> Any:
    """Return a number, or one for each channel, as a tensor of float64, as sums and products take them.

    A number counts for every channel; of a tuple each entry counts for one, and 0 for those that are left.

    Returns: of shape (), or (C,).
    """
    if channels > _MOST:
        advice = "Split the image, or give an image of the same shape."
        raise OutsideDomain(explain(parameter, f"numbers beside {channels} channels", "1 to 4", advice))
    tensor = as_tensor(value, parameter)
    count = 1 if tensor.shape.rank == 0 else tensor.shape[0] if tensor.shape.rank == 1 else None
    if tensor.dtype.is_complex or count is None or not 1 <= count <= _MOST:
        advice = "Give them one by one, known in number while tracing."
        shown = f"a tensor of {tensor.dtype.name} {tensor.shape}"
        raise UnsupportedArgument(explain(parameter, shown, _FORMS, advice))
    tensor = tf.cast(tensor, tf.float64)
    if tensor.shape.rank == 0:
        return tensor
    return tf.pad(tensor[:channels], [[0, max(channels - count, 0)]])


def entries_of(value: Any, channels: int, parameter: str, *, several: bool = False, one: bool = True) -> Any:
    """Return one number for each channel as a tensor (..., C) of float64, as what compares bits takes them.

    A number counts for the first channel, and 0 for the others.

    `value`: what is given: as many numbers as channels, or four, of which the last ones do not count.
    `several`: whether there may be an axis in front, for the images of a batch. `one`: whether a tuple of one
    entry counts for every channel. Returns: of shape (C,), or (B, C).
    """
    tensor = as_tensor(value, parameter)
    rank = tensor.shape.rank
    if rank == 0:
        tensor, rank = tf.pad(tensor[tf.newaxis], [[0, _MOST - 1]]), 1
    count = tensor.shape[-1] if rank == 1 or (several and rank == 2) else None
    allowed = {channels} | ({_MOST} if channels <= _MOST else set()) | ({1} if one else set())
    if tensor.dtype.is_complex or count is None or count not in allowed:
        given = f"a tensor of {tensor.dtype.name} {tensor.shape}"
        counts = f"{' or '.join(map(str, sorted(allowed)))} numbers"
        advice = "Give one number for each channel."
        raise UnsupportedArgument(explain(parameter, given, counts, advice))
    numbers = tf.cast(tensor, tf.float64)[..., :channels]
    return tf.tile(numbers, [channels]) if count < channels else numbers


def mask_of(mask: Any, like: Any, batch_axes: int) -> Any:
    """Return a mask (B, H, W, 1) of the size of images, or None.

    `mask`: (H, W), uint8 or int8, or a batch of them. `like`: the images (B, H, W, C). `batch_axes`: {0, 1};
    whether it is a batch.
    """
    if mask is None:
        return None
    found = _images.as_images(mask, batch_axes, "mask")
    fits = found.dtype.name in ("uint8", "int8") and found.shape[3] == 1
    if not fits or not found.shape[:3].is_compatible_with(like.shape[:3]):
        given = f"{found.dtype.name} {found.shape[1:]} beside an image of {like.shape[1:3]}"
        raise OutsideDomain(explain("mask", given, "uint8 or int8, (H, W) of the image", "Cast or cut it."))
    return _of_one_size(like, found)[1]


def whole(numbers: Any, dtype: Any) -> Any:
    """Return numbers rounded to even and saturated, in an integer dtype."""
    # The largest int32 is not a float32, so the bounds are float64 like the numbers.
    low, high = (tf.constant(float(end), tf.float64) for end in (dtype.min, dtype.max))
    return tf.cast(tf.clip_by_value(tf.round(numbers), low, high), dtype)


def _image_and_other(arguments: Mapping[str, Any]) -> list[tuple[int, ...]]:
    """Return the shapes of an image and the other operand."""
    shapes = [np.shape(arguments[name]) for name in ("src1", "src2")]
    return shapes if len(shapes[0]) > 1 else shapes[::-1]


def in_a_column(arguments: Mapping[str, Any]) -> bool:
    """Whether numbers stand beside an image of up to four pixels in a column, or an image is empty."""
    image, other = _image_and_other(arguments)
    return 0 in image or (len(other) < 2 and image[:2] == (_MOST, 1) and image[2:] in ((), (1,)))


def column_witness() -> dict[str, Any]:
    """Return four pixels in a column beside a number: to OpenCV two arrays of one size."""
    return {"src1": np.full((_MOST, 1), 7, np.uint8), "src2": (1.0, 2.0, 3.0, 4.0)}


def mask_beside(image: str) -> Maybe:
    """Return the spec of a mask beside the image of a name."""
    return Maybe(spec=LabelOf(image=image, dtypes=("uint8", "int8"), ranks=(2,)))


def refuse_dtype(dtype: Any) -> None:
    """Refuse any other dtype of the result than that of the images."""
    if _images.whole_number(dtype, "dtype", default=-1) >= 0:
        advice = "Cast the images before, or the result after, with tf.cast."
        raise UnsupportedArgument(explain("dtype", dtype, "-1", advice))


def number_of(value: Any, parameter: str, batch_axes: int) -> Any:
    """Return a number as float64 of shape (), or (B, 1, 1, 1) where each image of a batch has its own.

    `value`: what is given; of a batch also a tensor (B,). `batch_axes`: {0, 1}; whether images are batches.
    """
    tensor = as_tensor(value, parameter)
    several = bool(batch_axes) and tensor.shape.rank == 1
    if tensor.dtype.is_complex or not (tensor.shape.rank == 0 or several):
        advice = "Give one number for the image."
        given = f"a tensor of {tensor.dtype.name} {tensor.shape}"
        raise UnsupportedArgument(explain(parameter, given, "a real number", advice))
    tensor = tf.cast(tensor, tf.float64)
    return tf.reshape(tensor, [-1, 1, 1, 1]) if several else tensor


NO_DTYPE = "the result has the dtype of the images"
COLUMN = (
    "Numbers beside an image of four rows, one column and one channel count as elsewhere; OpenCV takes them "
    "for a second image."
)
COLUMN_OF_FLOATS = (
    "Numbers beside a float64 image of four rows, one column and one channel count as elsewhere; OpenCV "
    "takes them for a second image."
)
ONE_PIXEL = (
    "Numbers beside an image of one pixel count as elsewhere; OpenCV takes the pixel for numbers, and gives "
    "four float64."
)


def floats_in_a_column(arguments: Mapping[str, Any]) -> bool:
    """Whether numbers stand beside four float64 in a column, or an image is empty."""
    wide = any(np.asarray(arguments[name]).dtype == np.float64 and np.ndim(arguments[name]) > 1
               for name in ("src1", "src2"))  # fmt: skip
    return in_a_column(arguments) and (wide or any(0 in np.shape(arguments[n]) for n in ("src1", "src2")))


def one_pixel(arguments: Mapping[str, Any]) -> bool:
    """Whether numbers stand beside an image of one pixel."""
    image, other = _image_and_other(arguments)
    return len(other) < 2 and image[:2] == (1, 1)


def one_pixel_witness() -> dict[str, Any]:
    """Return one pixel beside a number."""
    return {"src1": np.full((1, 1), 7, np.uint8), "src2": 3.0}
