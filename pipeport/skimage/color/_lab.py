"""`skimage.color.rgb2xyz`, `xyz2rgb`, `xyz2lab`, `lab2xyz`, `rgb2lab` and `lab2rgb`.

All of it in float64: the differences of LAB magnify the roundings of float32 five hundred times.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import AsReference, Image, OneOf, batchable, replaces, sibling, told_like, variant
from pipeport.errors import UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs._ranges import float_of
from pipeport.kernels.xla._materialize import keeping
from pipeport.skimage.color._channels import floats, per_pixel, planes, weighted, with_channels

_DTYPES = ("uint8", "uint16", "float32", "float64")
_FLOATS = ("float32", "float64")
_XYZ_OF_RGB = np.array(
    [[0.412453, 0.357580, 0.180423], [0.212671, 0.715160, 0.072169], [0.019334, 0.119193, 0.950227]]
)
# Tristimulus values of white, whose second is 1: of illuminants for the observers of 1931 ('2'), of 1964
# ('10'), and of grDevices::convertColor of R ('R').
_WHITES = {
    "A": (
        (1.098466069456375, 0.3558228003436005),
        (1.111420406956693, 0.3519978321919493),
        (1.098466069456375, 0.3558228003436005),
    ),
    "B": (
        (0.9909274480248003, 0.8531327322886154),
        (0.9917777147717607, 0.8434930535866175),
        (0.9909274480248003, 0.8531327322886154),
    ),
    "C": (
        (0.980705971659919, 1.1822494939271255),
        (0.9728569189782166, 1.1614480488951577),
        (0.980705971659919, 1.1822494939271255),
    ),
    "D50": (
        (0.9642119944211994, 0.8251882845188288),
        (0.9672062750333777, 0.8142801513128616),
        (0.9639501491621826, 0.8241280285499208),
    ),
    "D55": (
        (0.956797052643698, 0.9214805860173273),
        (0.9579665682254781, 0.9092525159847462),
        (0.9565317453467969, 0.9202554587037198),
    ),
    "D65": (
        (0.95047, 1.08883),
        (0.94809667673716, 1.0730513595166162),
        (0.9532057125493769, 1.0853843816469158),
    ),
    "D75": (
        (0.9497220898840717, 1.226393520724154),
        (0.9441713925645873, 1.2064272211720228),
        (0.9497220898840717, 1.226393520724154),
    ),
    "E": ((1.0, 1.0), (1.0, 1.0), (1.0, 1.0)),
}  # fmt: skip
_OBSERVERS = ("2", "10", "R")
# Where the curves of light and of lightness become straight.
_DARK, _DARK_LIGHT, _DARK_VALUE, _DARK_ROOT = 0.04045, 0.0031308, 0.008856, 0.2068966


def _white_of(illuminant: Any, observer: Any) -> tuple[float, float, float]:
    """Return the tristimulus values of white."""
    for value, name in ((illuminant, "illuminant"), (observer, "observer")):
        if not isinstance(value, str):
            advice = "Name it in text, for instance 'D65' and '2'."
            raise WrongType(explain(name, type(value).__name__, "text", advice))
    if illuminant.upper() not in _WHITES:
        allowed = ", ".join(map(repr, _WHITES))
        raise UnsupportedArgument(explain("illuminant", repr(illuminant), allowed, "'D65' is that of sRGB."))
    if observer.upper() not in _OBSERVERS:
        allowed = ", ".join(map(repr, _OBSERVERS))
        raise UnsupportedArgument(explain("observer", repr(observer), allowed, "'2' is the usual one."))
    x, z = _WHITES[illuminant.upper()][_OBSERVERS.index(observer.upper())]
    return x, 1.0, z


def _root(x: Any, degree: int) -> Any:
    """Return a root of positive numbers in float64, from one of float32 by a step of Halley's method.

    Its error is the cube of that before. The power of XLA takes one number at a time.
    """
    near = tf.exp(tf.math.log(tf.cast(x, tf.float32)) / degree)
    root = tf.cast(near, tf.float64)
    power = _power(root, degree)
    more, less = float(degree + 1), float(degree - 1)
    return root + root * (2 * (x - power) / (more * power + less * x))


def _power(x: Any, exponent: int) -> Any:
    """Return a positive whole power, from squares."""
    found, square = None, x
    while True:
        if exponent & 1:
            found = square if found is None else found * square
        exponent >>= 1
        if not exponent:
            return found
        square = square * square


def _lights(x: Any, axis: int) -> list[Any]:
    """Return the light of each channel, in memory: XLA would compute it again for every sum."""
    return planes(keeping(x)(lambda: _light(x)), axis)


def _light(x: Any) -> Any:
    """Return the light that levels of sRGB stand for."""
    if x.dtype == tf.uint8:
        levels = np.arange(256) * (1.0 / 255)
        with np.errstate(invalid="ignore"):
            light = np.where(levels > _DARK, ((levels + 0.055) / 1.055) ** 2.4, levels / 12.92)
        return tf.gather(tf.constant(light), tf.cast(x, tf.int32))
    level = tf.cast(floats(x), tf.float64)
    base = (tf.maximum(level, _DARK) + 0.055) / 1.055
    curved = tf.square(base * _root(base, 5))  # 2.4 is twice 1 and a fifth
    return tf.where(level > _DARK, curved, level / 12.92)


def _level(light: Any) -> Any:
    """Return the levels of sRGB that stand for light."""
    curved = 1.055 * _power(_root(tf.maximum(light, _DARK_LIGHT), 12), 5) - 0.055
    found = tf.where(light > _DARK_LIGHT, curved, light * 12.92)
    return tf.clip_by_value(found, tf.zeros([], tf.float64), tf.ones([], tf.float64))


def _lab_of_xyz(parts: list[Any], white: tuple[float, float, float]) -> list[Any]:
    roots = []
    for part, most in zip(parts, white, strict=True):
        value = part / most
        straight = 7.787 * value + 16.0 / 116.0
        roots.append(tf.where(value > _DARK_VALUE, _root(tf.maximum(value, _DARK_VALUE), 3), straight))
    x, y, z = roots
    return [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]


def _xyz_of_lab(parts: list[Any], white: tuple[float, float, float]) -> list[Any]:
    lightness, first, second = parts
    y = (lightness + 16.0) / 116.0
    roots = [first / 500.0 + y, y, tf.maximum(y - second / 200.0, tf.zeros([], tf.float64))]
    return [
        tf.where(root > _DARK_ROOT, root * root * root, (root - 16.0 / 116.0) / 7.787) * most
        for root, most in zip(roots, white, strict=True)
    ]


def _converted(
    image: Any, name: str, dtypes: tuple[str, ...], channel_axis: Any, batch_axes: int, build: Any, *more: Any
) -> Any:
    x, axis = with_channels(image, name, channel_axis, batch_axes, dtypes)
    return per_pixel(x, axis, build, *more)


def _wide(x: Any, axis: int) -> list[Any]:
    return planes(tf.cast(floats(x), tf.float64), axis)


def _joined(parts: list[Any], x: Any, axis: int) -> Any:
    dtype = float_of(x.dtype)
    return tf.stack([tf.cast(part, dtype) for part in parts], axis)


def _xyz_from_rgb(axis: int) -> Callable[[Any], Any]:
    return lambda x: _joined(weighted(_lights(x, axis), _XYZ_OF_RGB.tolist()), x, axis)


def _rgb_of_xyz(parts: list[Any]) -> list[Any]:
    return [_level(light) for light in weighted(parts, np.linalg.inv(_XYZ_OF_RGB).tolist())]


def _rgb_from_xyz(axis: int) -> Callable[[Any], Any]:
    return lambda x: _joined(_rgb_of_xyz(_wide(x, axis)), x, axis)


def _lab_from_xyz(axis: int, white: tuple[float, float, float]) -> Callable[[Any], Any]:
    return lambda x: _joined(_lab_of_xyz(_wide(x, axis), white), x, axis)


def _xyz_from_lab(axis: int, white: tuple[float, float, float]) -> Callable[[Any], Any]:
    return lambda x: _joined(_xyz_of_lab(_wide(x, axis), white), x, axis)


def _lab_from_rgb(axis: int, white: tuple[float, float, float]) -> Callable[[Any], Any]:
    def run(x: Any) -> Any:
        xyz = weighted(_lights(x, axis), _XYZ_OF_RGB.tolist())
        return _joined(_lab_of_xyz(xyz, white), x, axis)

    return run


def _rgb_from_lab(axis: int, white: tuple[float, float, float]) -> Callable[[Any], Any]:
    return lambda x: _joined(_rgb_of_xyz(_xyz_of_lab(_wide(x, axis), white)), x, axis)


_AXES = OneOf(-1, 2, typical=-1)
_ILLUMINANTS = OneOf("D65", "D65", "d50", "A", "E", typical="D65")
_OF = OneOf("2", "2", "10", "R", typical="2")


@replaces(
    "skimage.color.rgb2xyz",
    domain={
        "rgb": Image(dtypes=_DTYPES, channels=(3,), values=(-1.0, 1.0), non_finite=False),
        "channel_axis": _AXES,
    },
    agreement=AsReference(),
)
@batchable
def rgb2xyz(batch_axes: int, rgb: Any, *, channel_axis: Any = -1) -> Any:
    """Return the tristimulus values of an image.

    Parameters
    ----------
    rgb : array_like, shape (..., 3, ...), uint8, uint16, float32 or float64
        The image, red first, of integers parts of the largest. Other sizes may be unknown while tracing.
    channel_axis : int, default -1
        The axis of the channels.

    Returns
    -------
    tf.Tensor, shape of `rgb`, float64; of float32 float32
        X, Y and Z; of white Y is 1.

    Raises
    ------
    OutsideDomain
        There are not three channels, or another dtype.
    BadAxis
        The image has no such axis.
    WrongType
        `channel_axis` is not a whole number.
    UnsupportedArgument
        `channel_axis` is a tensor; rank or channels are unknown while tracing.

    Notes
    -----
    Agreement: as accurate as the reference. NaN and infinities are outside the domain.
    Graph: no Python at run time, one program where sizes are known, else one for each size bucket; static
    shape is kept.

    Source: `skimage/color/colorconv.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.color import rgb2xyz
    >>> rgb2xyz(tf.constant([[0.25, 0.5, 0.75]], tf.float64)).numpy().round(4).tolist()
    [[0.1918, 0.2016, 0.523]]
    """
    return _converted(rgb, "rgb", _DTYPES, channel_axis, batch_axes, _xyz_from_rgb)


@replaces(
    "skimage.color.xyz2rgb",
    domain={
        "xyz": Image(dtypes=_FLOATS, channels=(3,), values=(-1.0, 1.0), non_finite=False),
        "channel_axis": _AXES,
    },
    agreement=AsReference(coordinates_of="xyz"),
)
@batchable
def xyz2rgb(batch_axes: int, xyz: Any, *, channel_axis: Any = -1) -> Any:
    """Return the colours of tristimulus values.

    Parameters
    ----------
    xyz : array_like, shape (..., 3, ...), float32 or float64
        X, Y and Z. Other sizes may be unknown while tracing.
    channel_axis : int, default -1
        The axis of the channels.

    Returns
    -------
    tf.Tensor, shape of `xyz`, float64; of float32 float32
        Red, green and blue, in [0, 1].

    Raises
    ------
    OutsideDomain
        There are not three channels, or another dtype.
    BadAxis
        The image has no such axis.
    WrongType
        `channel_axis` is not a whole number.
    UnsupportedArgument
        `channel_axis` is a tensor; rank or channels are unknown while tracing.

    Notes
    -----
    Agreement: as accurate as the reference. NaN and infinities are outside the domain.
    Graph: no Python at run time, one program where sizes are known, else one for each size bucket; static
    shape is kept.

    Source: `skimage/color/colorconv.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.color import xyz2rgb
    >>> xyz2rgb(tf.constant([[0.2, 0.25, 0.5]], tf.float64)).numpy().round(4).tolist()
    [[0.126, 0.5802, 0.7279]]
    """
    return _converted(xyz, "xyz", _FLOATS, channel_axis, batch_axes, _rgb_from_xyz)


@replaces(
    "skimage.color.xyz2lab",
    domain={
        "xyz": Image(dtypes=_FLOATS, channels=(3,), values=(-1.0, 1.0), non_finite=False),
        "illuminant": _ILLUMINANTS,
        "observer": _OF,
        "channel_axis": _AXES,
    },
    agreement=AsReference(),
)
@batchable
def xyz2lab(
    batch_axes: int, xyz: Any, illuminant: str = "D65", observer: str = "2", *, channel_axis: Any = -1
) -> Any:
    """Return lightness and two differences of colours of tristimulus values.

    Parameters
    ----------
    xyz : array_like, shape (..., 3, ...), float32 or float64
        X, Y and Z. Other sizes may be unknown while tracing.
    illuminant : {'A', 'B', 'C', 'D50', 'D55', 'D65', 'D75', 'E'}, default 'D65'
        The light, in capitals or not.
    observer : {'2', '10', 'R'}, default '2'
        The observer's angle of view in degrees, or 'R' for the numbers of R's `convertColor`.
    channel_axis : int, default -1
        The axis of the channels.

    Returns
    -------
    tf.Tensor, shape of `xyz`, float64; of float32 float32
        L, of white 100; a from green to red; b from blue to yellow.

    Raises
    ------
    OutsideDomain
        There are not three channels, or another dtype.
    BadAxis
        The image has no such axis.
    WrongType
        `channel_axis` is not a whole number, or `illuminant` or `observer` no text.
    UnsupportedArgument
        An `illuminant` or `observer` not listed; `channel_axis` is a tensor; rank or channels are unknown
        while tracing.

    Notes
    -----
    Agreement: as accurate as the reference. NaN and infinities are outside the domain.
    Graph: no Python at run time, one program where sizes are known, else one for each size bucket; static
    shape is kept.

    Source: `skimage/color/colorconv.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.color import xyz2lab
    >>> xyz2lab(tf.constant([[0.2, 0.25, 0.5]], tf.float64)).numpy().round(4).tolist()
    [[57.0754, -17.5851, -28.3081]]
    """
    white = _white_of(illuminant, observer)
    return _converted(xyz, "xyz", _FLOATS, channel_axis, batch_axes, _lab_from_xyz, white)


@replaces(
    "skimage.color.lab2xyz",
    domain={
        "lab": Image(dtypes=_FLOATS, channels=(3,), values=(-100.0, 100.0), non_finite=False),
        "illuminant": _ILLUMINANTS,
        "observer": _OF,
        "channel_axis": _AXES,
    },
    agreement=AsReference(),
)
@variant(_xyz_from_lab)
@told_like(
    xyz2lab,
    {
        "Return lightness and two differences of colours of tristimulus values": "Return the "
        "tristimulus values of lightness and two differences of colours",
        "xyz : array_like": "lab : array_like",
        "X, Y and Z": "L from 0 to 100, a and b",
        "`xyz`": "`lab`",
        "L, of white 100; a from green to red; b from blue to yellow": "X, Y and Z",
        "outside the domain.": "outside the domain. The reference's warning of negative values, "
        "which become 0, is not given.",
        "[[0.2, 0.25, 0.5]]": "[[50.0, 20.0, -30.0]]",
        "[[57.0754, -17.5851, -28.3081]]": "[[0.2146, 0.1842, 0.4047]]",
    },
)
def lab2xyz(
    program: Callable[..., Any],
    batch_axes: int,
    lab: Any,
    illuminant: str = "D65",
    observer: str = "2",
    *,
    channel_axis: Any = -1,
) -> Any:
    white = _white_of(illuminant, observer)
    return _converted(lab, "lab", _FLOATS, channel_axis, batch_axes, program, white)


def _is_bright(call: Mapping[str, Any]) -> bool:
    # The bound grows with the values of integers. Of nearly black ones it is less than a rounding of a root,
    # which the differences magnify 500 times.
    rgb = np.asarray(call["rgb"])
    return rgb.dtype.kind == "f" or bool(rgb.max(initial=0) >= 32)


@replaces(
    "skimage.color.rgb2lab",
    domain={
        "rgb": Image(dtypes=_DTYPES, channels=(3,), values=(-1.0, 1.0), non_finite=False),
        "illuminant": _ILLUMINANTS,
        "observer": _OF,
        "channel_axis": _AXES,
    },
    agreement=AsReference(coordinates_of="rgb"),
    valid=_is_bright,
)
@batchable
@told_like(
    xyz2lab,
    {
        "tristimulus values": "an image",
        "xyz : array_like, shape (..., 3, ...)": "rgb : array_like, shape (..., 3, ...), uint8, uint16",
        "X, Y and Z": "The image, red first, of integers parts of the largest",
        "`xyz`": "`rgb`",
        "[[0.2, 0.25, 0.5]]": "[[0.25, 0.5, 0.75]]",
        "[[57.0754, -17.5851, -28.3081]]": "[[52.018, 0.0906, -39.3594]]",
    },
)
def rgb2lab(
    batch_axes: int, rgb: Any, illuminant: str = "D65", observer: str = "2", *, channel_axis: Any = -1
) -> Any:
    white = _white_of(illuminant, observer)
    return _converted(rgb, "rgb", _DTYPES, channel_axis, batch_axes, _lab_from_rgb, white)


lab2rgb = sibling(
    lab2xyz,
    "lab2rgb",
    _rgb_from_lab,
    {
        "tristimulus values": "colours",
        "X, Y and Z.": "Red, green and blue, in [0, 1].",
        "[[0.2146, 0.1842, 0.4047]]": "[[0.4964, 0.4293, 0.6668]]",
    },
    agreement=AsReference(coordinates_of="lab"),
)
