"""apply_affine_transform."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.contract import AsReference, Degrees, Real, batchable, replaces
from pipeport.keras.preprocessing.image import _geometry as geometry
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor


@replaces(
    "tensorflow.keras.preprocessing.image.apply_affine_transform",
    domain={
        "x": geometry.IMAGE,
        "theta": Degrees(-400.0, 400.0, typical=20.0, tensor=True, per_element=True),
        "tx": Real(-6.0, 6.0, tensor=True, per_element=True),
        "ty": Real(-6.0, 6.0, tensor=True, per_element=True),
        "shear": Degrees(-60.0, 60.0, tensor=True, per_element=True),
        "zx": Real(0.3, 3.0, tensor=True, per_element=True),
        "zy": Real(0.3, 3.0, tensor=True, per_element=True),
        **geometry.AXES,
        "fill_mode": geometry.MODES,
        "cval": geometry.FILLS,
        "order": geometry.ORDERS,
    },
    agreement=AsReference(
        coordinates_of="x", discontinuities="pipeport.references.discontinuities_keras.apply_affine_transform"
    ),
    valid=geometry.valid,
    aliases=("keras.preprocessing.image.apply_affine_transform",),
    view_of="itself",
)
@batchable
def apply_affine_transform(
    batch_axes: int,
    x: Any,
    theta: Any = 0,
    tx: Any = 0,
    ty: Any = 0,
    shear: Any = 0,
    zx: Any = 1,
    zy: Any = 1,
    row_axis: int = 1,
    col_axis: int = 2,
    channel_axis: int = 0,
    fill_mode: str = "nearest",
    cval: float = 0.0,
    order: int = 1,
) -> Any:
    """Turn, shift, shear and zoom an image about its middle.

    Parameters
    ----------
    x : array_like, three axes, integers of 32 bits or less, float32 or float64
        The image, finite; with `row_axis` 0, `col_axis` 1 and `channel_axis` 2 it is (H, W, C). Sizes may be
        unknown while tracing.
    theta : float or scalar tensor, default 0
        Angle in degrees.
    tx, ty : float or scalar tensor, default 0
        Shift in pixels: where rows come before columns, `tx` along rows of pixels and `ty` across them.
    shear : float or scalar tensor, default 0
        Angle of the shear in degrees.
    zx, zy : float or scalar tensor, default 1
        Zoom in the same directions; what is more than 1 makes things smaller.
    row_axis, col_axis, channel_axis : int, default 1, 2, 0
        Axes of rows, columns and channels, the last one 0 or 2.
    fill_mode : str, default 'nearest'
        A border rule as `scipy.ndimage` names them: 'nearest', 'constant', 'reflect', 'wrap', 'mirror',
        'grid-constant', 'grid-mirror', 'grid-wrap'.
    cval : float, default 0.0
        Value outside, in the constant modes.
    order : {0, 1, 2, 3, 4, 5}, default 1
        Order of the spline.

    Returns
    -------
    tf.Tensor, shape and dtype of `x`
        The image; where nothing is asked for, `x` itself.

    Raises
    ------
    OutsideDomain
        Axes are not 0, 1 and 2, `x` is empty or of another rank or dtype, or a number is not finite.
    UnsupportedArgument
        `fill_mode` or `order` is another, an axis is not a Python integer, or the rank is unknown while
        tracing.
    WrongType
        An argument is not a number.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64. The middle of an image that is not
    square is where Keras has it, with height and width exchanged.
    `pipeport.config.scipy` decides whether short axes of 'reflect' are filtered as in SciPy 1.17 or 1.18.
    In a ported function a write to the result changes `x` where it is known while tracing that nothing is
    asked for; of a tensor that turns out to ask for nothing, as of a drawn number that is 0, the result is an
    array of its own, where Keras returns `x`.
    Graph: as `pipeport.scipy.ndimage.affine_transform`. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.keras.preprocessing.image import apply_affine_transform
    >>> image = tf.constant([[[1.0], [2.0]], [[3.0], [4.0]]])
    >>> moved = apply_affine_transform(image, ty=1, row_axis=0, col_axis=1, channel_axis=2)
    >>> moved[..., 0].numpy().tolist()
    [[3.0, 4.0], [3.0, 4.0]]
    """
    rule = geometry.settings(fill_mode, cval, order, "order")
    given = {"theta": theta, "tx": tx, "ty": ty, "shear": shear, "zx": zx, "zy": zy}
    numbers = {
        name: _checks.finite_scalar(value, name, batch=bool(batch_axes)) for name, value in given.items()
    }
    images, axes = geometry.planes(x, row_axis, col_axis, channel_axis, batch_axes)
    if geometry.nothing(numbers):
        return as_tensor(x, "x")
    found = geometry.transformed(images, axes, numbers, rule)
    return found if batch_axes else tf.squeeze(found, [0])
