"""`nibabel.load`, of NIfTI files known only at run time.

`get_fdata` states its dtype. `dataobj` gives the file's dtype, or float64 where the numbers are scaled: it is
cast, or its dtype is told as that of `numpy.load`. The number of axes is that of an example.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._cast import cast
from pipeport.arrays._making import fresh
from pipeport.errors import PortRefused, UnsupportedArgument, explain
from pipeport.kernels.decode._nifti import DTYPES, Header, affine_of, numbers, opened, unpacked
from pipeport.kernels.decode._source import python_path
from pipeport.kernels.inputs.dtypes import NUMPY_2
from pipeport.porting._values import weak
from pipeport.porting.strings._lazy_file import LazyFile, UnstatedDtype
from pipeport.porting.strings._seen import TOLD, note, path_of
from pipeport.porting.strings._text import checked

_WAYS = (
    f"{TOLD}, or cast: `np.asarray(image.dataobj, dtype=np.float32)`, `image.get_fdata(dtype=np.float32)`."
)
_OPTIONS: dict[str, tuple[Any, ...]] = {"mmap": (True, False, "c"), "keep_file_open": (None, True, False)}
_FLOATS = ("float32", "float64")


class Volume:
    """What `nibabel.load` gives: an image with its header.

    `path`: tf.Tensor, shape (), string; the path. `notes`: what was seen at the place of the call.
    """

    def __init__(self, path: Any, notes: dict[Any, Any]) -> None:
        self._header, self._raw = opened(unpacked(path))
        self._notes = notes
        self._kept: tuple[Any, Any] | None = None

    def note(self) -> None:
        """Note what the file holds, where the body runs eagerly or its path is known."""
        scaled, kind = bool(self._header.is_scaled), DTYPES[int(self._header.number)]
        note(self._notes, "dtype", np.dtype(np.float64 if scaled else kind))
        note(self._notes, "rank", int(tf.size(self._header.sizes)))

    def get_fdata(self, caching: Any = "fill", dtype: Any = np.float64) -> Any:
        """Return the numbers as floats, the same array each time."""
        if caching not in ("fill", "unchanged"):
            raise UnsupportedArgument(
                explain("caching", repr(caching), "fill, unchanged", "Name one of them.")
            )
        kind = np.dtype(dtype)
        if kind.name not in _FLOATS:
            advice = "Cast the array of `get_fdata()`."
            raise UnsupportedArgument(explain("dtype", kind.name, ", ".join(_FLOATS), advice))
        graph = tf.compat.v1.get_default_graph()
        if self._kept is not None and self._kept[0] is graph and self._kept[1].dtype == kind:
            return self._kept[1]
        found = self.numbers(kind)
        if caching == "fill":
            self._kept = graph, found
        return found

    def numbers(self, dtype: np.dtype[Any]) -> Any:
        """Return the numbers, scaled, as an array of a dtype."""
        tensor = _numbers_as(self._raw, self._header, dtype)
        rank = self._notes.get("rank")
        if rank is None:
            return fresh(tf.transpose(tensor))
        # As it lies in the file, so that sums are taken in the same order.
        return fresh(tf.ensure_shape(tensor, [None] * rank)).T

    def unscaled(self, dtype: np.dtype[Any]) -> Any:
        """Return what `dataobj` holds, of a dtype that the file must give."""
        given = tf.where(
            self._header.is_scaled, "float64", tf.gather(tf.constant(DTYPES), self._header.number)
        )
        message = explain("filename", "a volume of another dtype", f"{dtype}, as stated", _WAYS)
        raw = checked(tf.equal(given, dtype.name), self._raw, message, given)
        self._raw = raw
        return self.numbers(dtype)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        rank = self._notes.get("rank")
        if rank is None:
            given = "a volume whose number of axes only the file knows"
            allowed = "a number of axes known while tracing"
            raise PortRefused(explain("nibabel.load", given, allowed, f"{TOLD}."))
        return int(rank)

    @property
    def shape(self) -> tuple[Any, ...]:
        """The sizes, as Python's integers."""
        sizes = tf.ensure_shape(tf.cast(self._header.sizes, tf.int64), [self.ndim])
        return tuple(map(weak, tf.unstack(sizes)))

    @property
    def affine(self) -> Any:
        """Where voxels lie, (4, 4)."""
        return fresh(affine_of(self._header))

    @property
    def dataobj(self) -> Any:
        """The numbers in the file's dtype, read when they are used."""
        return Proxy(self, self._notes).array_if_known()

    @property
    def header(self) -> Any:
        """The header."""
        return Fields(self, self._header)


class Proxy(LazyFile):
    """What `dataobj` gives.

    `volume`: the image. `notes`: those of the place of `nibabel.load`.
    """

    def __init__(self, volume: Volume, notes: dict[Any, Any]) -> None:
        self._volume, self._notes = volume, notes

    def array_if_known(self) -> Any:
        """Return the array where its dtype is known and needed, else the object itself."""
        known = self._notes.get("dtype") if tf.executing_eagerly() else self._notes.get("used")
        return self if known is None else self._volume.unscaled(known)

    def array(self, dtype: Any, shape: Any = None) -> Any:
        """Return the array, of a dtype that the file must give."""
        del shape  # that of the file
        return self._volume.unscaled(np.dtype(dtype))

    def _cast(self, dtype: Any) -> Any:
        if dtype.kind == "c" or dtype == np.float16:
            raise UnsupportedArgument(
                explain("dtype", dtype.name, "integers, float32, float64", "Cast later.")
            )
        return self._volume.numbers(dtype)

    def refusal(self) -> UnstatedDtype:
        """Return the error for a use that needs the dtype."""
        return UnstatedDtype(self._notes, "nibabel.load", _WAYS)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._volume.ndim

    @property
    def shape(self) -> tuple[Any, ...]:
        """The sizes."""
        return self._volume.shape

    def __getitem__(self, key: Any) -> Any:
        self.refuse("element")


class Fields:
    """What `header` gives.

    `volume`: the image. `header`: its header.
    """

    def __init__(self, volume: Volume, header: Header) -> None:
        self._volume, self._header = volume, header

    def get_zooms(self) -> tuple[Any, ...]:
        """Return the steps between voxels."""
        return tuple(fresh(self._header.pixdim[1 + axis]) for axis in range(self._volume.ndim))

    def get_data_shape(self) -> tuple[Any, ...]:
        """Return the sizes."""
        return self._volume.shape

    def get_best_affine(self) -> Any:
        """Return where voxels lie."""
        return self._volume.affine

    def __getitem__(self, key: Any) -> Any:
        if key not in ("dim", "pixdim"):
            advice = "Use `get_zooms()` and `affine`."
            raise UnsupportedArgument(explain("header", repr(key), "dim, pixdim", advice))
        return fresh(getattr(self._header, key))


def load(filename: Any, *, notes: dict[str, Any], **options: Any) -> Volume:
    """Do what `nibabel.load` does, of NIfTI-1 files."""
    for name, given in options.items():
        if name not in _OPTIONS or not any(given is one for one in _OPTIONS[name]):
            raise UnsupportedArgument(
                explain(name, repr(given), "mmap=True, keep_file_open", "Leave it out.")
            )
    if not tf.executing_eagerly() and python_path(filename) is not None:
        with tf.init_scope():
            Volume(path_of(filename), notes).note()
    volume = Volume(path_of(filename), notes)
    if tf.executing_eagerly():
        volume.note()
    return volume


def _numbers_as(raw: Any, header: Header, dtype: np.dtype[Any]) -> Any:
    """Return the numbers, scaled, in a dtype, with their axes in reverse order."""

    def scaled_in(wide: str) -> Callable[[], Any]:
        return lambda: cast(_scaled(numbers(raw, header, wide), header), dtype)

    scaled = scaled_in("float64")
    if dtype == np.float32 and not NUMPY_2:  # it scales in float32 what fits it
        narrow = [np.promote_types(name, dtype) == dtype for name in DTYPES]
        wide, fits = scaled, tf.gather(tf.constant(narrow), header.number)
        scaled = lambda: tf.cond(fits, scaled_in("float32"), wide)  # noqa: E731
    found = tf.cond(header.is_scaled, scaled, lambda: numbers(raw, header, dtype.name))
    return tf.reshape(found, header.sizes[::-1])


def _scaled(x: Any, header: Header) -> Any:
    slope, intercept = tf.cast(header.slope, x.dtype), tf.cast(header.intercept, x.dtype)
    product = x * slope
    # Adding 0 would change the sign of a zero.
    return tf.cond(tf.equal(intercept, 0), lambda: product, lambda: product + intercept)
