"""`cv2.getAffineTransform`."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.contract import Shaped, Within, batchable, replaces
from pipeport.cv2._matrices import VERSIONS, at_once
from pipeport.cv2._point_systems import ROUNDING, pairwise, points_of, steady
from pipeport.kernels.opencv._warp_solve import solve


def _affine_system(source: Any, target: Any) -> Any:
    source, target = pairwise(source, target)
    one, zero = tf.ones_like(source[..., :1]), tf.zeros_like(source)
    upper = tf.concat([source, one, zero, tf.zeros_like(one)], axis=-1)
    lower = tf.concat([zero, tf.zeros_like(one), source, one], axis=-1)
    system = tf.reshape(tf.stack([upper, lower], axis=-2), [-1, 6, 6])
    return tf.reshape(solve(system, tf.reshape(target, [-1, 6])), [-1, 2, 3])


@replaces(
    "cv2.getAffineTransform",
    domain={
        "src": Shaped(shape=(3, 2), dtypes=("float32",), values=(-20.0, 20.0), tensor=True, element_rank=2),
        "dst": Shaped(shape=(3, 2), dtypes=("float32",), values=(-20.0, 20.0), tensor=True, element_rank=2),
    },
    agreement=Within(1e-7, ROUNDING),
    proven_against=VERSIONS,
    valid=steady,
)
@batchable
def getAffineTransform(batch_axes: int, src: Any, dst: Any) -> Any:
    """Return the affine map that takes three points to three others.

    Parameters
    ----------
    src : array_like, shape (3, 2), float32
        Points (x, y) in the input; (3, 1, 2) and (1, 3, 2) too.
    dst : array_like, shape (3, 2), float32
        Where they go.

    Returns
    -------
    tf.Tensor, shape (2, 3), float64
        The matrix for `warpAffine`; zeros when the points of `src` lie in one line. A constant
        when nothing here is a tensor of the graph.

    Raises
    ------
    OutsideDomain
        The points are not float32, or not three.

    Notes
    -----
    Agreement: within 1e-7 for coordinates up to 20; elimination adds in another order of rounding
    where a compiler fuses products and sums. Points within 1e-6 of one line are not vouched for.
    Graph: elimination with pivots, unrolled; no Python at run time.

    Source: the six equations stand in OpenCV's documentation; the pivots that count as zero are
    those below 100 eps, which decides what lies in one line.

    Examples
    --------
    >>> import numpy as np
    >>> from pipeport.cv2 import getAffineTransform
    >>> corners = np.array([[0, 0], [1, 0], [0, 1]], np.float32)
    >>> getAffineTransform(corners, corners * 2 + 3).numpy().tolist()
    [[2.0, 0.0, 3.0], [0.0, 2.0, 3.0]]
    """
    each = batch_axes > 0
    found = at_once(_affine_system, points_of(src, "src", 3, each), points_of(dst, "dst", 3, each))
    return found if each else found[0]
