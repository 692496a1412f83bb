"""`cv2.invertAffineTransform`."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Matrix, Within, batchable, replaces
from pipeport.cv2._matrices import VERSIONS, at_once
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.opencv._warp_maps import inverted
from pipeport.kernels.xla._rounding import minus


@replaces(
    "cv2.invertAffineTransform",
    domain={"M": Matrix(rows=2, columns=3, singular=True, tensor=True)},
    agreement=Within(1e-6, "an entry may round to the neighbouring number of its dtype"),
    refused={"iM": "a tensor cannot be written into; use the returned one"},
    proven_against=VERSIONS,
    valid=lambda arguments: _well_conditioned(np.asarray(arguments["M"], np.float64)),
)
@batchable
def invertAffineTransform(batch_axes: int, M: Any, iM: Any = None) -> Any:
    """Return the inverse of an affine map.

    Parameters
    ----------
    M : array_like, shape (2, 3), float32 or float64
        The matrix.
    iM : None
        Accepted by name and refused.

    Returns
    -------
    tf.Tensor, shape (2, 3), dtype of `M`
        The inverse; zeros when there is none. A constant when `M` is not a tensor of the graph.

    Raises
    ------
    OutsideDomain
        `M` has another shape or dtype.
    UnsupportedArgument
        `iM` is given.

    Notes
    -----
    Agreement: within 1e-6; an entry may round to the neighbouring number of its dtype. For float32 the
    products are rounded to float32 one by one, as OpenCV does. Matrices that are singular but for
    rounding are not vouched for.
    Graph: a dozen scalar operations, or a constant.

    Source: Cramer's rule.

    Examples
    --------
    >>> import numpy as np
    >>> from pipeport.cv2 import invertAffineTransform
    >>> invertAffineTransform(np.array([[0.0, -1.0, 4.0], [2.0, 0.0, 6.0]])).numpy().tolist()
    [[0.0, 0.5, -3.0], [-1.0, 0.0, 4.0]]
    """
    return at_once(_inverse, _affine_matrix(M, iM, 2 + batch_axes))


def _well_conditioned(matrix: np.ndarray[Any, Any]) -> bool:
    a, b, d, e = matrix[0, 0], matrix[0, 1], matrix[1, 0], matrix[1, 1]
    determinant = abs(a * e - b * d)
    return bool(determinant == 0 or determinant > 1e-2)


def _affine_matrix(value: Any, output: Any, rank: int) -> Any:
    if output is not None:
        advice = "A tensor cannot be written into: use the returned one."
        raise UnsupportedArgument(explain("iM", type(output).__name__, "None", advice))
    tensor = _checks.as_tensor(value, "M")
    _checks.dtype_among(tensor, ("float32", "float64"), "M")
    if tensor.shape.rank != rank or list(tensor.shape[-2:]) != [2, 3]:
        advice = "Use pipeport.batched for several matrices."
        raise OutsideDomain(explain("M", f"shape {tensor.shape}", "shape (2, 3)", advice))
    return tensor


def _inverse(matrix: Any) -> Any:
    flat = tf.reshape(matrix, [-1, 6])
    if matrix.dtype == tf.float64:
        return tf.reshape(inverted(flat), tf.shape(matrix))
    a, b, c, d, e, f = tf.unstack(flat, axis=-1)
    determinant = tf.cast(minus(a * e, b * d), tf.float64)
    regular = tf.not_equal(determinant, 0)
    inverse = 1 / tf.where(regular, determinant, tf.ones_like(determinant))
    narrow = tf.cast(tf.where(regular, inverse, tf.zeros_like(inverse)), tf.float32)
    ai, bi, di, ei = (tf.cast(entry * narrow, tf.float64) for entry in (e, -b, -d, a))
    c, f = tf.cast(c, tf.float64), tf.cast(f, tf.float64)
    ci, fi = minus(-(ai * c), bi * f), minus(-(di * c), ei * f)
    entries = tf.stack([ai, bi, ci, di, ei, fi], axis=-1)
    return tf.reshape(tf.cast(entries, tf.float32), tf.shape(matrix))
