"""The NIfTI-1 format, one file of header and numbers, as nibabel reads it.

The header has 348 bytes, in either byte order. Its 16-bit integers and its floats are each gathered at once,
by a table of places. The numbers lie behind it with the first axis fastest.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import explain
from pipeport.kernels.decode._formats import refuse_unless
from pipeport.kernels.decode._npy import in_dtype, typed
from pipeport.kernels.xla._one_call import stored
from pipeport.kernels.xla._stored import stored_as

_SIZE = 348
# dtypes by the format's codes.
_CODES = {
    2: "uint8", 4: "int16", 8: "int32", 16: "float32", 64: "float64", 256: "int8", 512: "uint16",
    768: "uint32", 1024: "int64", 1280: "uint64",
}  # fmt: skip
DTYPES = tuple(_CODES.values())
# Where the fields begin: eight sizes, the dtype, the codes of the two transforms; then eight steps, offset,
# slope and intercept, the six numbers of the quaternion and the twelve of the matrix.
_SHORTS = (*range(40, 56, 2), 70, 252, 254)
_FLOATS = (*range(76, 120, 4), *range(256, 328, 4))
_ALLOWED = "a NIfTI-1 file, .nii or .nii.gz, of real numbers"
_ADVICE = "Convert such files once."
_QUATERNION = float(np.finfo(np.float32).eps) * 3  # what counts as a turn by 180 degrees


@dataclass(frozen=True)
class Header:
    """The fields of a header, as tensors.

    `dim`: shape (8,), int16; the number of axes and the sizes, as they stand there. `pixdim`: shape (8,),
    float32; the direction of the third axis and the steps between voxels. `sizes`: shape (rank,), int32.
    `number`: shape (), int32; the place of the dtype in `DTYPES`. `swapped`: shape (), bool; whether it is of
    the other byte order. `start`: shape (), int64. `slope`, `intercept`: shape (), float64; the scaling; 1
    and 0 without. `codes`: shape (2,), int32; those of quaternion and matrix; 0 where there is none.
    `places`: shape (18,), float64; the numbers of quaternion and matrix.
    """

    dim: Any
    pixdim: Any
    sizes: Any
    number: Any
    swapped: Any
    start: Any
    slope: Any
    intercept: Any
    codes: Any
    places: Any

    @property
    def is_scaled(self) -> Any:
        """Whether the numbers are scaled: a scalar tensor."""
        return tf.not_equal(self.slope, 1.0) | tf.not_equal(self.intercept, 0.0)


def unpacked(path: Any) -> Any:
    """Return the bytes of a file, inflated where its name ends with `.gz`.

    `path`: shape (), string. Returns: shape (), string.
    """
    small = tf.strings.regex_replace(path, r"(?i)^\C*(\.nii(?:\.gz)?)$", r"\1")
    zipped = tf.equal(tf.strings.length(small), len(".nii.gz"))
    plain = tf.equal(tf.strings.length(small), len(".nii"))
    message = explain("filename", "another ending", _ALLOWED, _ADVICE)
    known = tf.not_equal(small, path) & (zipped | plain)
    with tf.control_dependencies(refuse_unless(known, message)):
        data = tf.io.read_file(path)
    return tf.cond(zipped, lambda: tf.io.decode_compressed(data, "GZIP"), lambda: data)


def opened(data: Any) -> tuple[Header, Any]:
    """Read a file, with the repairs that nibabel makes of its header.

    `data`: shape (), string. Returns: the header, and the bytes of the numbers in this machine's order.
    """
    *fields, raw = stored(_reader)(data)
    return Header(*fields), raw


@stored_as("decode_nifti-reader")
def _reader() -> Callable[[Any], tuple[Any, ...]]:
    def run(data: Any) -> tuple[Any, ...]:
        header = _header_of(data)
        fields = (getattr(header, one.name) for one in dataclasses.fields(header))
        return (*fields, _bytes_in(data, header))

    return run


def numbers(raw: Any, header: Header, dtype: str) -> Any:
    """Return the numbers of a file without its scaling, in a row.

    `raw`: the bytes of the numbers. `dtype`: of the result; integers wrap around, fractions are dropped.
    """
    return stored(_caster, dtype)(raw, header.number)


@stored_as("decode_nifti-caster")
def _caster(dtype: str) -> Callable[[Any, Any], Any]:
    def way(raw: Any, name: str) -> Callable[[], Any]:
        plain = np.promote_types(name, dtype)
        return lambda: in_dtype(in_dtype(typed(raw, name), plain), dtype)

    def run(raw: Any, number: Any) -> Any:
        return tf.switch_case(number, [way(raw, name) for name in DTYPES])

    return run


def _header_of(data: Any) -> Header:
    whole = tf.strings.join([tf.strings.substr(data, 0, _SIZE), b"\0" * _SIZE])
    magic = tf.equal(tf.strings.substr(whole, 344, 4), b"n+1\0")
    message = explain("filename", "another kind of file", _ALLOWED, _ADVICE)
    with tf.control_dependencies(refuse_unless(magic, message)):
        b = tf.io.decode_raw(tf.strings.substr(whole, 0, _SIZE), tf.uint8)
    # A file of the other byte order has no number of axes from 1 to 7.
    swapped = tf.not_equal(b[41], 0) | (b[40] < 1) | (b[40] > 7)
    shorts = tf.bitcast(tf.gather(b, _places(_SHORTS, 2, swapped)), tf.int16)
    floats = tf.bitcast(tf.gather(b, _places(_FLOATS, 4, swapped)), tf.float32)
    rank = tf.cast(shorts[0], tf.int32)
    known = tf.equal(tf.constant(list(_CODES), tf.int16), shorts[8])
    offset, slope, intercept = tf.unstack(tf.cast(floats[8:11], tf.float64))
    unscaled = tf.equal(slope, 0.0) | ~tf.math.is_finite(slope)
    sizes = tf.cast(shorts[1:8][: tf.clip_by_value(rank, 0, 7)], tf.int32)
    surface = tf.reduce_all(tf.equal(shorts[1:4], tf.constant([27307, 1, 6], tf.int16)))
    told = (
        ((rank >= 1) & (rank <= 7) & tf.reduce_all(sizes >= 0) & ~surface, "sizes that are none of a volume"),
        (tf.reduce_any(known), "a dtype of complex numbers, colours or long floats"),
        (tf.equal(offset, 0.0) | ((offset >= 352) & (offset < 2.0**31)), "numbers that begin in the header"),
        (unscaled | tf.math.is_finite(intercept), "an intercept that is not a number"),
    )
    checks = [one for truth, given in told
              for one in refuse_unless(truth, explain("filename", given, _ALLOWED, _ADVICE))]  # fmt: skip
    steps = tf.abs(floats[1:4])
    pixdim = tf.concat([floats[:1], tf.where(tf.equal(steps, 0), 1.0, steps), floats[4:8]], 0)
    codes = tf.cast(shorts[9:], tf.int32)
    with tf.control_dependencies(checks):
        sizes = tf.identity(sizes)
    return Header(
        dim=shorts[:8],
        pixdim=pixdim,
        sizes=sizes,
        number=tf.argmax(tf.cast(known, tf.uint8), output_type=tf.int32),
        swapped=swapped,
        start=tf.cast(offset, tf.int64),
        slope=tf.where(unscaled, tf.ones_like(slope), slope),
        intercept=tf.where(unscaled, tf.zeros_like(slope), intercept),
        codes=tf.where((codes >= 0) & (codes <= 5), codes, 0),
        places=tf.cast(floats[11:], tf.float64),
    )


def _places(begins: tuple[int, ...], item: int, swapped: Any) -> Any:
    """Return where the bytes of fields lie, lowest first."""
    rows = np.add.outer(np.array(begins), np.arange(item))
    return tf.where(swapped, tf.constant(rows[:, ::-1]), tf.constant(rows))


def _bytes_in(data: Any, header: Header) -> Any:
    item = tf.gather(tf.constant([np.dtype(name).itemsize for name in DTYPES], tf.int32), header.number)
    end = header.start + tf.reduce_prod(tf.cast(header.sizes, tf.int64)) * tf.cast(item, tf.int64)
    message = explain("filename", "a file that ends before its numbers", "a whole file", "Write it again.")
    whole = end <= tf.cast(tf.strings.length(data), tf.int64)
    with tf.control_dependencies(refuse_unless(whole, message)):
        raw = tf.io.decode_raw(data, tf.uint8)[header.start : end]

    def turned() -> Any:
        return tf.reshape(tf.reverse(tf.reshape(raw, tf.stack([-1, item])), [1]), [-1])

    return tf.cond(header.swapped & (item > 1), turned, lambda: raw)


def affine_of(header: Header) -> Any:
    """Return where voxels lie.

    Returns: shape (4, 4), float64; the matrix where there is one, else that of the quaternion, else steps
    about the middle.
    """
    steps = tf.cast(header.pixdim[:4], tf.float64)

    def of_quaternion() -> Any:
        x, y, z = tf.unstack(header.places[:3])
        rest = 1.0 - (x * x + y * y + z * z)
        message = explain("filename", "a quaternion longer than 1", "one of length 1", _ADVICE)
        with tf.control_dependencies(refuse_unless(rest > -_QUATERNION, message)):
            w = tf.where(tf.abs(rest) < _QUATERNION, tf.zeros_like(rest), tf.sqrt(tf.abs(rest)))
        s = 2.0 / (w * w + x * x + y * y + z * z)
        turn = tf.stack([
            [1.0 - (y * y + z * z) * s, (x * y - w * z) * s, (x * z + w * y) * s],
            [(x * y + w * z) * s, 1.0 - (x * x + z * z) * s, (y * z - w * x) * s],
            [(x * z - w * y) * s, (y * z + w * x) * s, 1.0 - (x * x + y * y) * s],
        ])  # fmt: skip
        ends = tf.where(tf.equal(steps[0], -1.0), -steps[3], steps[3])  # any other direction counts as 1
        lengths = tf.stack([steps[1], steps[2], ends])
        return tf.concat([turn * lengths, header.places[3:6, tf.newaxis]], 1)

    def of_steps() -> Any:
        axes = tf.range(1, 4) <= tf.cast(header.dim[0], tf.int32)
        sizes = tf.where(axes, tf.cast(header.dim[1:4], tf.float64), 1.0)
        lengths = tf.where(axes, steps[1:], 1.0) * tf.constant([-1.0, 1.0, 1.0], tf.float64)
        return tf.concat([tf.linalg.diag(lengths), (-(sizes - 1.0) / 2.0 * lengths)[:, tf.newaxis]], 1)

    upper = tf.cond(
        tf.not_equal(header.codes[1], 0),
        lambda: tf.reshape(header.places[6:], [3, 4]),
        lambda: tf.cond(tf.not_equal(header.codes[0], 0), of_quaternion, of_steps),
    )
    return tf.concat([upper, tf.constant([[0.0, 0.0, 0.0, 1.0]], tf.float64)], 0)
