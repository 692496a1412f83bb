"""`scipy.fft.dct`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Array, AsReference, Integer, OneOf, batchable, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor, known_rank, sizes_of
from pipeport.kernels.inputs.axes import one_axis
from pipeport.kernels.inputs.integers import whole_number
from pipeport.kernels.sampling._spectra import half_of

_NORMS = (None, "backward", "ortho", "forward")


def _sized(x: Any, place: int, n: Any) -> Any:
    """Return lines with so many elements along an axis: the rest is cut off, or zeros are added."""
    if n is not None:
        wanted = whole_number(n, "n", least=1)
        x = x[(*(slice(None),) * place, slice(wanted))]
        missing = wanted - sizes_of(x)[place]
        x = tf.pad(x, [[0, missing if other == place else 0] for other in range(x.shape.rank)])
        return tf.ensure_shape(x, [wanted if at == place else size for at, size in enumerate(x.shape)])
    return _checks.not_empty(x, "x", [place])


def _of_lines(x: Any, norm: Any, orthogonal: bool) -> Any:
    size = sizes_of(x)[-1]
    number = tf.cast(size, tf.float64)
    wide = tf.pad(x, [[0, 0]] * (x.shape.rank - 1) + [[0, size]])
    spectrum = half_of(wide)[..., :size]
    turns = tf.cast(tf.range(size), tf.float64) * (math.pi / 2) / number
    cosines, sines = (tf.cast(f(turns), x.dtype) for f in (tf.cos, tf.sin))
    found = 2 * (tf.math.real(spectrum) * cosines + tf.math.imag(spectrum) * sines)
    factor = {"ortho": tf.sqrt(0.5 / number), "forward": 0.5 / number}.get(norm, tf.ones([], tf.float64))
    first = tf.where(tf.range(size) == 0, tf.constant(math.sqrt(0.5) if orthogonal else 1.0, tf.float64), 1.0)
    return tf.ensure_shape(found * tf.cast(factor * first, x.dtype), x.shape)


@replaces(
    "scipy.fft.dct",
    domain={
        "x": Array(
            dtypes=("uint8", "int32", "float32", "float64"),
            ranks=(1, 2, 3),
            sides=(1, 9),
            values=(-1.0, 1.0),
            non_finite=False,
        ),
        "type": OneOf(2),
        "n": OneOf(None, None, 1, 4, 8),
        "axis": Integer(-1, 0),
        "norm": OneOf(*_NORMS, typical="ortho"),
        "overwrite_x": OneOf(False),
        "orthogonalize": OneOf(None, True, False, typical=None),
    },
    agreement=AsReference(),
    aliases=("scipy.fftpack.dct",),
    refused={"workers": "TensorFlow has its own threads"},
)
@batchable
def dct(
    batch_axes: int,
    x: Any,
    type: int = 2,
    n: Any = None,
    axis: int = -1,
    norm: str | None = None,
    overwrite_x: bool = False,
    workers: Any = None,
    orthogonalize: bool | None = None,
) -> Any:
    """Return the discrete cosine transform of the second type.

    Parameters
    ----------
    x : tf.Tensor, one axis or more, bool or real numbers
        The signals. Sizes may be unknown while tracing.
    type : {2}
        Others are refused.
    n : int, optional
        How many elements are taken: the rest is cut off, or zeros are added.
    axis : int, default -1
        Along which axis they run.
    norm : {None, 'backward', 'ortho', 'forward'}
        By what it is divided: nothing, the root of twice their number, or twice their number.
    overwrite_x : bool, default False
        Of no effect: tensors are not written in place.
    workers : None
        Refused otherwise: TensorFlow has its own threads.
    orthogonalize : bool, optional
        Whether the first element is divided by the root of two; with 'ortho' it is.

    Returns
    -------
    tf.Tensor, float32 or float64
        The transform; float32 of float16 and float32, else float64.

    Raises
    ------
    BadAxis
        The array has no such axis.
    OutsideDomain
        There are no elements along the axis, or no axis, complex numbers, `n` is below 1, or `norm` is
        another.
    UnsupportedArgument
        Another type, `workers`, or the rank is unknown while tracing.
    WrongType
        `n` is not a whole number.
    tf.errors.InvalidArgumentError
        There turn out to be no elements along the axis.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64. Compiled by XLA of TensorFlow
    2.15 it is less so: in float64 it was off by 15 eps of the largest element at length 5, by 47 at length
    1024 and by 900 at length 1000.
    Graph: one transform of twice the length. Static shape is kept.
    Speed: about half as fast as the reference.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.fft import dct
    >>> dct(tf.ones([1, 3]), norm="ortho", axis=0).numpy().tolist()
    [[1.0, 1.0, 1.0]]
    """
    if whole_number(type, "type") != 2:
        raise UnsupportedArgument(explain("type", repr(type), "2", "Others: tf.signal.dct, of float32."))
    if norm is not None:
        _checks.word(norm, _NORMS, "norm")
    _checks.flag(overwrite_x, "overwrite_x")
    if workers is not None:
        raise UnsupportedArgument(
            explain("workers", repr(workers), "None", "TensorFlow has its own threads.")
        )
    orthogonal = norm == "ortho" if orthogonalize is None else _checks.flag(orthogonalize, "orthogonalize")
    signal = as_tensor(x, "x")
    rank = known_rank(signal, "x") - batch_axes
    if rank < 1 or signal.dtype.is_complex:
        given = f"rank {rank} of {signal.dtype.name}"
        raise OutsideDomain(explain("x", given, "real numbers along an axis", "Transform parts apart."))
    place = one_axis(axis, rank) + batch_axes
    narrow = signal.dtype in (tf.float16, tf.float32)
    lines = _sized(tf.cast(signal, tf.float32 if narrow else tf.float64), place, n)
    order = [*(other for other in range(rank + batch_axes) if other != place), place]
    is_last = order == list(range(rank + batch_axes))
    lines = lines if is_last else tf.transpose(lines, order)
    found = _of_lines(lines, norm, orthogonal)
    return found if is_last else tf.transpose(found, np.argsort(order))
