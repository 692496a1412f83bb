"""`cv2.getPerspectiveTransform`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport import config
from pipeport._lazy import tf
from pipeport.contract import Difference, OneOf, Shaped, Within, batchable, replaces
from pipeport.cv2._constants import DECOMP_LU
from pipeport.cv2._matrices import VERSIONS, at_once
from pipeport.cv2._point_systems import ROUNDING, pairwise, points_of, steady, system_of
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels.opencv._warp_solve import solve


def _projective_system(source: Any, target: Any) -> Any:
    source, target = pairwise(source, target)
    one, zero = tf.ones_like(source[..., :1]), tf.zeros_like(source)
    # OpenCV multiplies the points in float32.
    products = [
        tf.cast(-tf.cast(source, tf.float32) * tf.cast(target[..., k : k + 1], tf.float32), tf.float64)
        for k in (0, 1)
    ]
    upper = tf.concat([source, one, zero, tf.zeros_like(one), products[0]], axis=-1)
    lower = tf.concat([zero, tf.zeros_like(one), source, one, products[1]], axis=-1)
    right = tf.concat([target[..., 0], target[..., 1]], axis=-1)
    found = solve(tf.concat([upper, lower], axis=-2), right)
    return tf.reshape(tf.concat([found, tf.ones_like(found[:, :1])], axis=-1), [-1, 3, 3])


def _in_line(arguments: Mapping[str, Any]) -> bool:
    values = np.linalg.svd(system_of(arguments), compute_uv=False)
    return config.opencv() >= 5 and bool(values[-1] < 1e-9 * values[0])


def _line_of_points() -> dict[str, Any]:
    line = np.array([[0, 0], [1, 1], [2, 2], [3, 3]], np.float32)
    return {"src": line, "dst": np.array([[1, 2], [9, 1], [12, 11], [-1, 9]], np.float32)}


@replaces(
    "cv2.getPerspectiveTransform",
    domain={
        "src": Shaped(shape=(4, 2), dtypes=("float32",), values=(-20.0, 20.0), tensor=True, element_rank=2),
        "dst": Shaped(shape=(4, 2), dtypes=("float32",), values=(-20.0, 20.0), tensor=True, element_rank=2),
        "solveMethod": OneOf(DECOMP_LU),
    },
    agreement=Within(1e-7, ROUNDING),
    proven_against=VERSIONS,
    valid=steady,
    differences=(
        Difference(
            "Points that fix no map give zeros and a 1, as in OpenCV 4; OpenCV 5 returns an arbitrary "
            "vector of length one that solves the equations.",
            witness=_line_of_points,
            applies=_in_line,
            where="cv2>=5",
        ),
    ),
)
@batchable
def getPerspectiveTransform(batch_axes: int, src: Any, dst: Any, solveMethod: int = DECOMP_LU) -> Any:
    """Return the projective map that takes four points to four others.

    Parameters
    ----------
    src : array_like, shape (4, 2), float32
        Points (x, y) in the input; (4, 1, 2) and (1, 4, 2) too.
    dst : array_like, shape (4, 2), float32
        Where they go.
    solveMethod : {DECOMP_LU}, default DECOMP_LU
        How the equations are solved; OpenCV's other methods are refused.

    Returns
    -------
    tf.Tensor, shape (3, 3), float64
        The matrix for `warpPerspective`, its last entry 1. A constant when nothing here is a
        tensor of the graph.

    Raises
    ------
    OutsideDomain
        The points are not float32, or not four.
    UnsupportedArgument
        `solveMethod` is another one.

    Notes
    -----
    Agreement: within 1e-7 for coordinates up to 20; elimination adds in another order of rounding
    where a compiler fuses products and sums. Equations with a condition above 1e6 are not vouched for.
    Graph: elimination with pivots, unrolled; no Python at run time.
    Speed: slower than OpenCV in `tf.numpy_function`.

    Source: the eight equations stand in OpenCV's documentation.

    Examples
    --------
    >>> import numpy as np
    >>> from pipeport.cv2 import getPerspectiveTransform
    >>> square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    >>> getPerspectiveTransform(square, square * 2).numpy().round(6).tolist()
    [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0]]
    """
    found = at_once(_projective_system, *_projective_points(src, dst, solveMethod, batch_axes > 0))
    return found if batch_axes else found[0]


def _projective_points(src: Any, dst: Any, method: Any, batch: bool) -> tuple[Any, Any]:
    if tf.is_tensor(method) or method != DECOMP_LU:
        advice = "For points that fix a map, every method gives the same: leave it out."
        raise UnsupportedArgument(explain("solveMethod", repr(method), "DECOMP_LU (0)", advice))
    return points_of(src, "src", 4, batch), points_of(dst, "dst", 4, batch)
