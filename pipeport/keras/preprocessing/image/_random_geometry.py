"""random_rotation, random_shift, random_shear and random_zoom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pipeport._lazy import tf
from pipeport.contract import AsReference, OneOf, SameDistribution, SeedPair, batchable, replaces, told_like
from pipeport.keras.preprocessing.image import _draws as draws
from pipeport.keras.preprocessing.image import _geometry as geometry
from pipeport.kernels.inputs.arrays import as_tensor

_DOMAIN = {
    **geometry.AXES,
    "fill_mode": geometry.MODES,
    "cval": geometry.FILLS,
    "interpolation_order": geometry.ORDERS,
}
# What each function draws from its own parameters: names of the affine map, and ranges.
_Ranges = Callable[[Mapping[str, Any]], dict[str, draws.Range]]


def _rotation(given: Mapping[str, Any]) -> dict[str, draws.Range]:
    return {"theta": draws.about_zero(given["rg"], "rg")}


def _shift(given: Mapping[str, Any]) -> dict[str, draws.Range]:
    return {name: draws.about_zero(given[part], part) for name, part in (("tx", "hrg"), ("ty", "wrg"))}


def _shear(given: Mapping[str, Any]) -> dict[str, draws.Range]:
    return {"shear": draws.about_zero(given["intensity"], "intensity")}


def _zoom(given: Mapping[str, Any]) -> dict[str, draws.Range]:
    span = draws.pair(given["zoom_range"], "zoom_range")
    return {} if span == (1.0, 1.0) else {"zx": span, "zy": span}


def _in_pixels(numbers: dict[str, Any], height: Any, width: Any) -> dict[str, Any]:
    """Return numbers with shifts, which are drawn as parts of the sides, in pixels."""
    sides = {"tx": height, "ty": width}
    return {name: value * sides[name] if name in sides else value for name, value in numbers.items()}


def _drawn(ranges_of: _Ranges, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that the native draws for a call."""
    ranges = ranges_of(given)
    found = draws.drawn(given["seed"], list(ranges.values())) if ranges else []
    numbers = {name: float(value[0]) for name, value in zip(ranges, found, strict=True)}
    height, width = (given["x"].shape[given.get(name, 0)] for name in ("row_axis", "col_axis"))
    return _in_pixels(numbers, height, width)


def rotation_drawn(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `random_rotation` draws."""
    return _drawn(_rotation, given)


def shift_drawn(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `random_shift` draws."""
    return _drawn(_shift, given)


def shear_drawn(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `random_shear` draws."""
    return _drawn(_shear, given)


def zoom_drawn(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `random_zoom` draws."""
    return _drawn(_zoom, given)


def _moved(
    ranges: dict[str, draws.Range],
    x: Any,
    row_axis: Any,
    col_axis: Any,
    channel_axis: Any,
    fill_mode: Any,
    cval: Any,
    interpolation_order: Any,
    seed: Any,
    batch_axes: int,
) -> Any:
    rule = geometry.settings(fill_mode, cval, interpolation_order, "interpolation_order")
    images, axes = geometry.planes(x, row_axis, col_axis, channel_axis, batch_axes)
    if all(low == high == geometry.NEUTRAL[name] for name, (low, high) in ranges.items()):
        return as_tensor(x, "x")
    found = draws.drawn(seed, list(ranges.values()), images if batch_axes else None)
    numbers = _in_pixels(dict(zip(ranges, found, strict=True)), *geometry.sides(images, axes))
    moved = geometry.transformed(images, axes, numbers, rule)
    return moved if batch_axes else tf.squeeze(moved, [0])


def _agreement(name: str) -> SameDistribution:
    return SameDistribution(
        application=AsReference(
            coordinates_of="x", discontinuities="pipeport.references._keras.moved_discontinuities"
        ),
        given="pipeport.references._keras.moved",
        statistic=f"pipeport.references._keras.{name}_statistic",
        draw_parameters=f"pipeport.keras.preprocessing.image._random_geometry.{name}_drawn",
    )


@replaces(
    "tensorflow.keras.preprocessing.image.random_rotation",
    domain={
        "x": geometry.IMAGE,
        "rg": OneOf(20, 0, 180.0, 3.5, typical=20),
        **_DOMAIN,
    },
    agreement=_agreement("rotation"),
    extra={"seed": SeedPair(tensor=True)},
    valid=geometry.valid,
    aliases=("keras.preprocessing.image.random_rotation",),
    view_of="itself",
)
@batchable
def random_rotation(
    batch_axes: int,
    x: Any,
    rg: Any,
    row_axis: int = 1,
    col_axis: int = 2,
    channel_axis: int = 0,
    fill_mode: str = "nearest",
    cval: float = 0.0,
    interpolation_order: int = 1,
    *,
    seed: Any = None,
) -> Any:
    """Turn an image about its middle by an angle drawn uniformly.

    Parameters
    ----------
    x : array_like, three axes, integers of 32 bits or less, float32 or float64
        The image, finite; with `row_axis` 0, `col_axis` 1 and `channel_axis` 2 it is (H, W, C). Sizes may be
        unknown while tracing.
    rg : float
        The angle is from -`rg` to `rg` degrees.
    row_axis, col_axis, channel_axis : int, default 1, 2, 0
        Axes of rows, columns and channels, the last one 0 or 2.
    fill_mode : str, default 'nearest'
        A border rule, as `apply_affine_transform` takes it.
    cval : float, default 0.0
        Value outside, in the constant modes.
    interpolation_order : {0, 1, 2, 3, 4, 5}, default 1
        Order of the spline.
    seed : array_like of int, shape (2,), or None
        The draw is a function of it: give each element its own. None takes the ambient
        seed (`pipeport.seeds.ambient`).

    Returns
    -------
    tf.Tensor, shape and dtype of `x`
        The image.

    Raises
    ------
    OutsideDomain
        Axes are not 0, 1 and 2, `x` is empty or of another rank or dtype, a number is not finite, or
        `seed` has another shape.
    UnsupportedArgument
        There is no seed, `rg` is a tensor, `fill_mode` or
        `interpolation_order` is another, an axis is not a Python integer, or the rank is unknown while
        tracing.
    WrongType
        An argument is not a number, or `seed` is not of an integer dtype.
    tf.errors.InvalidArgumentError
        Sizes unknown at trace time turn out empty.

    Notes
    -----
    Agreement: given the draw, as `apply_affine_transform`. The angles have its distribution.
    Graph: as `apply_affine_transform`. The same seed draws the same on every engine. In the batched form
    `seed` has shape (B, 2), or (2,): element i then draws with ``seeds.fold_in(seed, i)``.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.keras.preprocessing.image import random_rotation
    >>> random_rotation(tf.ones([1, 4, 5]), 20, seed=(1, 2)).shape
    TensorShape([1, 4, 5])
    """
    ranges = _rotation({"rg": rg})
    return _moved(
        ranges, x, row_axis, col_axis, channel_axis, fill_mode, cval, interpolation_order, seed, batch_axes
    )


@replaces(
    "tensorflow.keras.preprocessing.image.random_shift",
    domain={
        "x": geometry.IMAGE,
        "wrg": OneOf(0.2, 0, 0.9, typical=0.2),
        "hrg": OneOf(0.2, 0, 0.6, typical=0.2),
        **_DOMAIN,
    },
    agreement=_agreement("shift"),
    extra={"seed": SeedPair(tensor=True)},
    valid=geometry.valid,
    aliases=("keras.preprocessing.image.random_shift",),
    view_of="itself",
)
@batchable
@told_like(
    random_rotation,
    {
        "Turn an image about its middle by an angle": "Shift an image by parts of its sides",
        "rg : float": "wrg, hrg : float",
        "The angle is from -`rg` to `rg` degrees": "The shifts are from -`wrg` to `wrg` of the "
        "width, and from -`hrg` to `hrg` of the height",
        "`rg` is": "`wrg` or `hrg` is",
        "angles": "shifts",
        "20": "0.2, 0.2",
    },
)
def random_shift(
    batch_axes: int,
    x: Any,
    wrg: Any,
    hrg: Any,
    row_axis: int = 1,
    col_axis: int = 2,
    channel_axis: int = 0,
    fill_mode: str = "nearest",
    cval: float = 0.0,
    interpolation_order: int = 1,
    *,
    seed: Any = None,
) -> Any:
    ranges = _shift({"wrg": wrg, "hrg": hrg})
    return _moved(
        ranges, x, row_axis, col_axis, channel_axis, fill_mode, cval, interpolation_order, seed, batch_axes
    )


@replaces(
    "tensorflow.keras.preprocessing.image.random_shear",
    domain={
        "x": geometry.IMAGE,
        "intensity": OneOf(20, 0, 50.0, 3.5, typical=20),
        **_DOMAIN,
    },
    agreement=_agreement("shear"),
    extra={"seed": SeedPair(tensor=True)},
    valid=geometry.valid,
    aliases=("keras.preprocessing.image.random_shear",),
    view_of="itself",
)
@batchable
@told_like(
    random_rotation,
    {
        "Turn": "Shear",
        "rg": "intensity",
    },
)
def random_shear(
    batch_axes: int,
    x: Any,
    intensity: Any,
    row_axis: int = 1,
    col_axis: int = 2,
    channel_axis: int = 0,
    fill_mode: str = "nearest",
    cval: float = 0.0,
    interpolation_order: int = 1,
    *,
    seed: Any = None,
) -> Any:
    ranges = _shear({"intensity": intensity})
    return _moved(
        ranges, x, row_axis, col_axis, channel_axis, fill_mode, cval, interpolation_order, seed, batch_axes
    )


@replaces(
    "tensorflow.keras.preprocessing.image.random_zoom",
    domain={
        "x": geometry.IMAGE,
        "zoom_range": OneOf((0.8, 1.2), (1, 1), (0.3, 0.5), (2.0, 0.5), typical=(0.8, 1.2)),
        **_DOMAIN,
    },
    agreement=_agreement("zoom"),
    extra={"seed": SeedPair(tensor=True)},
    valid=geometry.valid,
    aliases=("keras.preprocessing.image.random_zoom",),
    view_of="itself",
)
@batchable
@told_like(
    random_rotation,
    {
        "Turn an image about its middle by an angle": "Zoom the rows and the columns of an image "
        "by two factors",
        "rg : float": "zoom_range : (float, float)",
        "The angle is from -`rg` to `rg` degrees.": "Smallest and largest factor; what is more "
        "than 1 makes things smaller. (1, 1) draws nothing.",
        "a number is not finite,": "a number is not finite, `zoom_range` is not a pair,",
        "`rg` is": "a number of `zoom_range` is",
        "angles": "factors",
        "20": "(0.8, 1.2)",
    },
)
def random_zoom(
    batch_axes: int,
    x: Any,
    zoom_range: Any,
    row_axis: int = 1,
    col_axis: int = 2,
    channel_axis: int = 0,
    fill_mode: str = "nearest",
    cval: float = 0.0,
    interpolation_order: int = 1,
    *,
    seed: Any = None,
) -> Any:
    ranges = _zoom({"zoom_range": zoom_range})
    return _moved(
        ranges, x, row_axis, col_axis, channel_axis, fill_mode, cval, interpolation_order, seed, batch_axes
    )
