"""`skimage.util.random_noise`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.contract import (
    AsReference,
    Boolean,
    Difference,
    Image,
    OneOf,
    Real,
    SameDistribution,
    SeedPair,
    batchable,
    replaces,
)
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs._checks import check
from pipeport.kernels.inputs.arrays import as_tensor, known_rank
from pipeport.kernels.xla._rounding import plus_product
from pipeport.seeds._elements import for_each
from pipeport.skimage.util._img_as import img_as_float

_DTYPES = ("bool", "uint8", "uint16", "int8", "int16", "int32", "float32", "float64")
# The options of each mode.
_OPTIONS = {
    "gaussian": ("mean", "var"),
    "speckle": ("mean", "var"),
    "localvar": ("local_vars",),
    "salt": ("amount",),
    "pepper": ("amount",),
    "s&p": ("amount", "salt_vs_pepper"),
}
_SALT = {"salt": 1.0, "pepper": 0.0}


def _mode_of(mode: Any, kwargs: Mapping[str, Any]) -> str:
    if not isinstance(mode, str):
        raise WrongType(explain("mode", repr(mode), ", ".join(map(repr, _OPTIONS)), "Name a kind of noise."))
    name = mode.lower()
    if name not in _OPTIONS:
        advice = "Counts are drawn by pipeport.numpy.random.poisson."
        raise UnsupportedArgument(explain("mode", repr(mode), ", ".join(map(repr, _OPTIONS)), advice))
    others = [one for one in kwargs if one not in _OPTIONS[name]]
    if others:
        allowed = f"{', '.join(_OPTIONS[name])} for mode {name!r}"
        raise UnsupportedArgument(explain(others[0], "a value", allowed, "Leave it out."))
    return name


def _is_signed(x: Any, batch_axes: int) -> Any:
    """Return whether each image has a negative pixel; the reference sees none beside NaN."""
    if x.dtype.is_bool or x.dtype.is_unsigned:
        return tf.constant(False)
    axes = list(range(batch_axes, x.shape.rank))
    signed = tf.reduce_any(x < tf.zeros([], x.dtype), axes, keepdims=True)
    if not x.dtype.is_floating:
        return signed
    return signed & ~tf.reduce_any(tf.math.is_nan(x), axes, keepdims=True)


def _clipped(values: Any, signed: Any) -> Any:
    low = tf.where(signed, tf.constant(-1.0, values.dtype), tf.zeros([], values.dtype))
    cut = tf.minimum(tf.maximum(values, low), tf.ones([], values.dtype))
    return tf.where(tf.math.is_nan(values), values, cut)


def _added(times: bool, clip: bool, batch_axes: int) -> Callable[..., Any]:
    """Return what adds noise to an image, or its product with the image."""

    def run(image: Any, numbers: Any, mean: Any, deviation: Any) -> Any:
        signed = _is_signed(image, batch_axes)
        image = tf.cast(image, tf.float64)
        noise = plus_product(mean, numbers * deviation, image)
        # The image may be a product, too: bytes times 1/255.
        found = plus_product(image, image * noise, numbers) if times else plus_product(noise, image, numbers)
        return _clipped(found, signed) if clip else found

    return run


def _replaced(clip: bool, batch_axes: int) -> Callable[..., Any]:
    """Return what makes some pixels of an image white or black."""

    def run(image: Any, changed: Any, white: Any) -> Any:
        signed = _is_signed(image, batch_axes)
        one = tf.ones([], image.dtype)
        found = tf.where(changed, tf.where(white, one, tf.where(signed, -one, 0 * one)), image)
        return _clipped(found, signed) if clip else found

    return run


def _shape_of_one(x: Any, batch_axes: int) -> Any:
    known = x.shape[batch_axes:]
    return known if known.is_fully_defined() else tf.shape(x)[batch_axes:]


def _normals(seed: Any, x: Any, batch_axes: int) -> Any:
    shape = _shape_of_one(x, batch_axes)
    found = for_each(lambda own: seeds.normal(own, shape, "float64"), seed, x, batch=bool(batch_axes))
    return found if batch_axes else found[0]


def _marked(seed: Any, x: Any, amount: Any, salt: Any, batch_axes: int) -> tuple[Any, Any]:
    """Return which pixels are changed, and which of these become white; of others that is left open."""
    shape = _shape_of_one(x, batch_axes)
    words = for_each(lambda own: seeds.bits(own, shape), seed, x, batch=bool(batch_axes), dtype=tf.int32)
    words = words if batch_axes else words[0]
    return seeds.chance(words, amount), seeds.chance(words, amount * salt)


def _number(kwargs: Mapping[str, Any], name: str, default: float, x: Any, batch_axes: int) -> Any:
    """Return an option in float64: a number, or one for each image, to go with images."""
    value = _checks.finite_scalar(kwargs.get(name, default), name, batch=bool(batch_axes))
    number = tf.convert_to_tensor(value, tf.float64)
    return tf.reshape(number, [-1] + [1] * (x.shape.rank - 1)) if number.shape.rank else number


def _probability(kwargs: Mapping[str, Any], name: str, default: float, x: Any, batch_axes: int) -> Any:
    value = _number(kwargs, name, default, x, batch_axes)
    return _checked(value, lambda p: (p >= 0) & (p <= 1), name, "a part from 0 to 1")


def _checked(value: Any, holds: Callable[[Any], Any], name: str, allowed: str) -> Any:
    """Return numbers that are checked, now or when the graph runs."""
    given, advice = "another number", "Look at how it is computed."
    return check(lambda one: tf.reduce_all(holds(one)), name, given, allowed, advice, value)[0]


def _deviation(kwargs: Mapping[str, Any], x: Any, batch_axes: int) -> Any:
    variance = _number(kwargs, "var", 0.01, x, batch_axes)
    variance = _checked(variance, lambda one: one >= 0, "var", "a number from 0")
    return tf.sqrt(variance)


def _local_deviations(kwargs: Mapping[str, Any], image: Any, batch_axes: int) -> Any:
    if "local_vars" not in kwargs:
        return tf.cast(tf.sqrt(tf.constant(0.01, image.dtype)), tf.float64)
    local = as_tensor(kwargs["local_vars"], "local_vars")
    if local.dtype not in (tf.float32, tf.float64):
        raise WrongType(explain("local_vars", f"dtype {local.dtype.name}", "floats", "Cast it first."))
    allowed, advice = f"the shape of image, {image.shape[batch_axes:]}", "Give one variance for every pixel."
    if not local.shape.is_compatible_with(image.shape):
        raise OutsideDomain(explain("local_vars", f"shape {local.shape}", allowed, advice))
    if not (local.shape.is_fully_defined() and image.shape.is_fully_defined()):
        given = "another shape at run time"
        local = check(_same_shape, "local_vars", given, allowed, advice, local, image)[0]
    local = _checked(local, lambda one: ~(one <= 0), "local_vars", "positive numbers")
    return tf.cast(tf.sqrt(local), tf.float64)


def _same_shape(one: Any, other: Any) -> Any:
    return tf.reduce_all(tf.equal(tf.shape(one), tf.shape(other)))


def drawn(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `random_noise` draws for an image, as its reference takes it: a list of arrays."""
    x, name = tf.convert_to_tensor(given["image"]), given["mode"].lower()
    if name in ("gaussian", "speckle", "localvar"):
        return {"numbers": [_normals(given["seed"], x, 0).numpy()]}
    parts = given.get("amount", 0.05), _SALT.get(name, given.get("salt_vs_pepper", 0.5))
    marked = _marked(given["seed"], x, *parts, 0)
    # Of probabilities 0 and 1 the reference draws nothing.
    return {"numbers": [~one.numpy() * 1.0 for one, p in zip(marked, parts, strict=True) if 0 < p < 1]}


def _valid(given: Mapping[str, Any]) -> bool:
    others = set().union(*_OPTIONS.values()) - set(_OPTIONS[given.get("mode", "gaussian")])
    return others.isdisjoint(given)


@replaces(
    "skimage.util.random_noise",
    domain={
        "image": Image(dtypes=("bool", "uint8", "uint16", "int16", "float32", "float64"), sides=(1, 9)),
        "mode": OneOf(*_OPTIONS, typical="gaussian"),
        "clip": Boolean(),
        "mean": Real(-1, 1, tensor=True),
        "var": Real(0, 1, tensor=True),
        "amount": Real(0, 1),
        "salt_vs_pepper": Real(0, 1),
    },
    agreement=SameDistribution(
        application=AsReference(),
        given="pipeport.references._noise.noisy",
        statistic="pipeport.references._noise.noise_statistic",
        draw_parameters="pipeport.skimage.util._random_noise.drawn",
    ),
    extra={"seed": SeedPair(tensor=True)},
    refused={"rng": "the draw is a function of `seed`"},
    valid=_valid,
    differences=(
        Difference(
            "The mode 'poisson' is refused.",
            witness=lambda: {"image": np.array([[0.5, 0.25]]), "mode": "poisson", "seed": (1, 2)},
            applies=lambda call: call["mode"] == "poisson",
            only={"mode": ("poisson",)},
        ),
    ),
)
@batchable
def random_noise(
    batch_axes: int,
    /,
    image: Any,
    mode: str = "gaussian",
    rng: Any = None,
    clip: bool = True,
    *,
    seed: Any = None,
    **kwargs: Any,
) -> Any:
    """Add noise to an image, or replace some of its pixels by white and black ones.

    Parameters
    ----------
    image : array_like, any shape, bool, uint8, uint16, int8, int16, int32, float32 or float64
        The image. Integers become parts of their largest value first. Sizes may be unknown while tracing,
        the rank must be known.
    mode : str, default 'gaussian'
        'gaussian' adds normal noise, 'localvar' likewise with a variance for each pixel, 'speckle' adds the
        image times such noise; 'salt' makes pixels 1, 'pepper' 0 (-1 where an image has negative pixels), and
        's&p' one or the other.
    clip : bool, default True
        Whether the result is cut to [0, 1], or to [-1, 1] where an image has negative pixels.
    seed : array_like of int, shape (2,), or None
        The draw is a function of it: give each element its own. None takes the ambient
        seed (`pipeport.seeds.ambient`).
    **kwargs : dict
        Options of the mode. `mean` (0) and `var` (0.01) of 'gaussian' and 'speckle', `amount` (0.05) of
        'salt', 'pepper' and 's&p', the part of pixels that are replaced, and `salt_vs_pepper` (0.5) of 's&p',
        which part of these is white: numbers or scalar tensors. `local_vars` (0.01) of 'localvar': floats, of
        the shape of `image`.

    Returns
    -------
    tf.Tensor, shape of `image`, float64
        The noisy image; float32 where pixels of float32 are replaced.

    Raises
    ------
    OutsideDomain
        The image is empty or has another dtype, a variance is negative, or one of `local_vars` not positive,
        these have another shape, a part lies outside of [0, 1], or `seed` has another shape.
    UnsupportedArgument
        Another `mode`, an option of another mode, `rng`, no seed, or the rank is not known while tracing.
    WrongType
        `mode` is not text, an option is not one, `local_vars` are not floats, or `seed` is not of integers.
    tf.errors.InvalidArgumentError
        A drawn option or a size turns out to be outside.

    Notes
    -----
    Agreement: given the draw, as accurate as the reference; the draw has the reference's distribution, where
    parts of pixels count in steps of 2**-32.
    Graph: no Python at run time, a program for the draw and one for the image where sizes are known. Static
    shape is kept. The same seed draws the same on every engine. In the batched form `seed` has shape (B, 2),
    or (2,): element i then draws with ``seeds.fold_in(seed, i)``.

    Source: `skimage/util/noise.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.util import random_noise
    >>> image = tf.constant([[0, 51, 102]], tf.uint8)
    >>> random_noise(image, "pepper", amount=0.0, seed=(1, 2)).numpy().tolist()
    [[0.0, 0.2, 0.4]]
    """
    if rng is not None:
        advice = "Give each element its own `seed`, or use pipeport.seeds.seeded_map."
        raise UnsupportedArgument(explain("rng", type(rng).__name__, "None", advice))
    name, cut = _mode_of(mode, kwargs), _checks.flag(clip, "clip")
    x = as_tensor(image, "image")
    known_rank(x, "image")
    _checks.dtype_among(x, _DTYPES, "image")
    x = img_as_float(_checks.not_empty(x, "image", element=slice(batch_axes, None)))
    if name in ("gaussian", "speckle", "localvar"):
        if name == "localvar":
            mean = tf.zeros([], tf.float64)
            deviation = _local_deviations(kwargs, x, batch_axes)
        else:
            mean = _number(kwargs, "mean", 0.0, x, batch_axes)
            deviation = _deviation(kwargs, x, batch_axes)
        program = xla.run(_added, name == "speckle", cut, batch_axes)
        found = program(x, _normals(seed, x, batch_axes), mean, deviation)
    else:
        amount = _probability(kwargs, "amount", 0.05, x, batch_axes)
        if name == "s&p":
            salt = _probability(kwargs, "salt_vs_pepper", 0.5, x, batch_axes)
        else:
            salt = tf.constant(_SALT[name], tf.float64)
        found = xla.run(_replaced, cut, batch_axes)(x, *_marked(seed, x, amount, salt, batch_axes))
    return tf.ensure_shape(found, x.shape)
