"""`scipy.ndimage.affine_transform`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import (
    Array,
    Integer,
    Matrix,
    Maybe,
    PerAxis,
    Real,
    batchable,
    replaces,
)
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor, known_rank
from pipeport.kernels.sampling._interpolate import Plan, sample
from pipeport.kernels.sampling._maps import affine, scaled
from pipeport.scipy.ndimage import _arguments as arguments


def _valid(given: Mapping[str, Any]) -> bool:
    if not arguments.is_valid(given):
        return False
    rank, matrix = np.ndim(given["input"]), np.asarray(given["matrix"])
    shape = given.get("output_shape")
    columns = rank if shape is None else len(shape)
    return matrix.shape in ((rank, columns), (rank, rank + 1)) and (
        matrix.shape != (rank, rank + 1) or columns == rank
    )


@replaces(
    "scipy.ndimage.affine_transform",
    domain={
        "input": Array(dtypes=arguments.DRAWN, ranks=(2,), sides=(1, 9), values=(-1.0, 1.0)),
        "matrix": Matrix(
            rows=2, columns=2, kind="linear", singular=True, tensor=True, per_element=True, element_rank=2
        ),
        "offset": PerAxis(spec=Real(-4.0, 8.0), of="input", tensor=True),
        "output_shape": Maybe(spec=PerAxis(spec=Integer(1, 9), of="input", single=False)),
        **arguments.SAMPLED,
    },
    agreement=arguments.agreement("affine_transform"),
    valid=_valid,
    differences=arguments.differences({"matrix": np.eye(2)}),
)
@batchable
def affine_transform(
    batch_axes: int,
    input: Any,
    matrix: Any,
    offset: Any = 0.0,
    output_shape: Sequence[int] | None = None,
    output: Any = None,
    order: int = 3,
    mode: str = "constant",
    cval: float = 0.0,
    prefilter: bool = True,
) -> Any:
    """Resample an array through an affine map of coordinates.

    Native equivalent of `scipy.ndimage.affine_transform`. The output pixel at index vector o is
    the input at ``matrix @ o + offset``.

    Parameters
    ----------
    input : tf.Tensor, 1 to 6 axes, bool, integers, float32 or float64
        Image, image with channels or volume. Sizes may be unknown while tracing.
    matrix : array_like or tensor, shape (D,), (D, K), (D, D + 1) or (D + 1, D + 1)
        D is the rank of `input`, K that of the output. One dimension: a diagonal, applied as
        ``matrix * (o + offset / matrix)``. D + 1 columns: a homogeneous map, whose last column
        replaces `offset` and whose last row, if there is one, must be (0, ..., 0, 1).
    offset : float or sequence of D floats, or tensor, default 0.0
        Where output index zero looks in the input.
    output_shape : tuple of int, optional
        Shape of the result; the input's when None.
    output : dtype, optional
        Dtype of the result, read as NumPy reads it; the input's when None. Integers are rounded,
        halves away from zero, and saturated; bool, for order 0 alone, is True where the number
        without its fraction is not 0. An array to write into is refused.
    order : {0, 1, 2, 3, 4, 5}, default 3
        Order of the spline.
    mode : str, default 'constant'
        'reflect' (or 'grid-mirror'), 'constant', 'grid-constant', 'nearest', 'mirror',
        'grid-wrap' or 'wrap', as SciPy names them.
    cval : float, default 0.0
        Value outside the input in modes 'constant' and 'grid-constant'.
    prefilter : bool, default True
        Whether `input` is turned into spline coefficients first; False if it holds them already.

    Returns
    -------
    tf.Tensor, dtype of `input` or `output`, shape `output_shape`
        The resampled array.

    Raises
    ------
    UnsupportedArgument
        `order` above 5, a `mode` not listed, order above 0 for a bool result, an array as `output`,
        an unknown rank or more than 6 axes, or a tensor where a Python value is needed.
    OutsideDomain
        `input` is empty or of a dtype SciPy does not take; shapes of `matrix`, `offset` and
        `output_shape` do not fit; the last row of a homogeneous matrix is another.
    WrongType
        An argument is not a number where one is needed, for instance text.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    A matrix that cannot be inverted is as good as any: all pixels look at one line or point.

    Integers of 64 bits beyond 2**53 keep their value under order 0; the reference rounds them to float64.

    Infinite pixels under the spline filter (orders 2 to 5), and NaN with an integer output, are outside
    the domain: what they become depends on the order of operations.

    Agreement: as accurate as the reference, judged against it in float64.
    `pipeport.config.scipy` decides whether short axes of 'reflect' are filtered as in SciPy 1.17 or 1.18.

    Graph: as `pipeport.scipy.ndimage.rotate`; of unknown sizes only planes are compiled. Static shape
    is kept.

    Source: `scipy/ndimage/_interpolation.py` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.ndimage import affine_transform
    >>> affine_transform(tf.constant([[1.0, 2.0], [3.0, 4.0]]), [[0, 1], [1, 0]], order=1).numpy().tolist()
    [[1.0, 3.0], [2.0, 4.0]]
    """
    images = arguments.array_of(input, batch_axes=batch_axes)
    images = images if batch_axes else images[tf.newaxis]
    # Of a batch, a matrix of rank 3 is one per array; one of rank 2 is one for all, never diagonals.
    each = batch_axes > 0
    found = _affine(images, matrix, offset, output_shape, output, order, mode, cval, prefilter, each)
    return found if batch_axes else tf.squeeze(found, [0])


def _affine(
    images: Any,
    matrix: Any,
    offset: Any,
    output_shape: Any,
    output: Any,
    order: Any,
    mode: Any,
    cval: Any,
    prefilter: Any,
    batched: bool = False,
) -> Any:
    rank = images.shape.rank - 1
    settings = arguments.common(images, output, order, mode, cval, prefilter)
    if output_shape is None:
        out = tuple(
            tf.shape(images)[axis + 1] if side is None else side for axis, side in enumerate(images.shape[1:])
        )
    else:
        out = arguments.shape_of_output(output_shape)
    images = _checks.not_empty(images, "input", element=slice(1, None))
    found = _numbers(matrix)
    diagonal = found.shape.rank == 1
    if not diagonal:
        found, offset = _linear_part(found, offset, rank, len(out), batched)
    elif found.shape[0] not in (rank, None) or len(out) != rank:
        raise _wrong_shape(found.shape, rank, len(out))
    shift = arguments.numbers_per_axis(offset, rank, "offset", batched=batched)
    shift = tf.convert_to_tensor(shift, tf.float64)
    shift = shift if shift.shape.rank == 2 else shift[tf.newaxis]
    found = found[tf.newaxis] if found.shape.rank < 3 else found
    plan = Plan(
        scaled if diagonal else affine,
        settings.order,
        settings.mode,
        settings.compute,
        settings.dtype,
        settings.prefilter,
    )
    result = sample(plan, images[..., tf.newaxis], (found, shift), settings.cval, out)
    return tf.squeeze(result, [-1])


def _numbers(matrix: Any) -> Any:
    tensor = as_tensor(matrix, "matrix")
    if tensor.dtype.is_complex:
        raise WrongType(
            explain("matrix", f"dtype {tensor.dtype.name}", "real numbers", "Take the real part.")
        )
    known_rank(tensor, "matrix")
    return tf.cast(tensor, tf.float64)


def _wrong_shape(shape: Any, rank: int, columns: int) -> OutsideDomain:
    allowed = f"shape ({rank},), ({rank}, {columns}), ({rank}, {rank + 1}) or ({rank + 1}, {rank + 1})"
    advice = "Rows belong to the axes of input, columns to those of the output."
    return OutsideDomain(explain("matrix", f"shape {tuple(shape)}", allowed, advice))


def _linear_part(matrix: Any, offset: Any, rank: int, columns: int, batched: bool) -> tuple[Any, Any]:
    """Take a homogeneous matrix apart; return the (rank, columns) part and the offset."""
    if matrix.shape.rank not in ((2, 3) if batched else (2,)):
        raise _wrong_shape(matrix.shape, rank, columns)
    rows, given = matrix.shape[-2], matrix.shape[-1]
    if rows is None or given is None:
        raise UnsupportedArgument(
            explain("matrix", f"shape {matrix.shape}", "a known shape", "State it with tf.ensure_shape.")
        )
    if given == rank + 1 and rows in (rank, rank + 1):
        if rows == rank + 1:
            matrix = _checked_last_row(matrix, rank)
        offset = matrix[..., :rank, rank]
        matrix, rows, given = matrix[..., :rank, :rank], rank, rank
    if rows != rank or given != columns:
        raise _wrong_shape(matrix.shape[-2:], rank, columns)
    return matrix, offset


def _checked_last_row(matrix: Any, rank: int) -> Any:
    expected = np.array([0.0] * rank + [1.0])
    message = explain("matrix", "another last row", str(expected.tolist()), "Divide by its last entry.")
    constant = tf.get_static_value(matrix)
    if constant is not None:
        if not np.all(constant[..., rank, :] == expected):
            raise OutsideDomain(message)
        return matrix
    with tf.control_dependencies([tf.debugging.assert_equal(matrix[..., rank, :], expected, message)]):
        return tf.identity(matrix)
