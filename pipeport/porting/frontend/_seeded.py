"""Functions of TensorFlow that draw, with draws from the seed of their place.

Each does what TensorFlow's own does with its draw, and records the draw for the original.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport._tensorflow_private import uniform_by
from pipeport._unseeded import OP_SEED
from pipeport.arrays._give import opened
from pipeport.errors import OutsideDomain, PortRefused, UnsupportedArgument, explain
from pipeport.kernels.inputs._checks import check, not_empty
from pipeport.kernels.xla._rounding import plus_product
from pipeport.porting import _tape
from pipeport.porting._values import is_array
from pipeport.porting.control._aliases import doubtful
from pipeport.porting.frontend import _tensorflow
from pipeport.seeds._derive import whole_range
from pipeport.seeds._wide import between

# In which dtype a product of two numbers is exact, so that no engine rounds it otherwise.
_WIDER = {"float16": "float32", "float32": "float64", "float64": "float64"}
_WHOLE = ("int32", "int64")
_QUALITY = 100
_MOST_HUE = 0.5


class Draws:
    """What one call draws."""

    def __init__(self) -> None:
        self.found: list[Any] = []

    def uniform(self, shape: Any, low: Any, high: Any, dtype: Any = "float32") -> Any:
        """Draw from [low, high)."""
        return self.note(_uniform(seeds.look_up(), shape, low, high, tf.as_dtype(dtype)))

    def note(self, drawn: Any) -> Any:
        """Return a draw, which is noted."""
        self.found.append(drawn)
        return drawn


class Seeded:
    """Calls a function of TensorFlow that draws, with a seed of its place, and records what it draws.

    `name`: how it is called in words. `original`: the function. `compute`: takes `Draws` and the original's
    arguments. `again`: takes the original's arguments and what was drawn, and gives the original's result;
    None calls the original, with the draws in the place of its own.
    """

    def __init__(
        self,
        name: str,
        original: Callable[..., Any],
        compute: Callable[..., Any],
        again: Callable[..., Any] | None,
    ) -> None:
        self.name = name
        self.original = original
        self._compute = compute
        self._again = again

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the result."""
        draws = Draws()
        result = self._compute(draws, **self._named(args, kwargs))
        _tape.note(self.name, draws.found, ())
        return doubtful(_tensorflow.closed(result), [*args, *kwargs.values()])

    def again(self, original: Any, recorded: list[Any], args: Any, kwargs: Any) -> Any:
        """Call what stood in the original, with the draws that were recorded.

        `original`: the function, or the method of the original's own generator. `recorded`: what `__call__`
        noted. `args`, `kwargs`: its arguments. Returns: its result.
        """
        left = [tf.constant(one) for one in recorded]
        if self._again is not None:
            return self._again(*left, **self._named(args, kwargs))

        def draw(shape: Any, minval: Any = 0, maxval: Any = 1, dtype: Any = tf.float32, **_: Any) -> Any:
            drawn = left.pop(0)
            low, high = tf.cast(minval, drawn.dtype), tf.cast(maxval, drawn.dtype)
            asked = tf.as_dtype(dtype), tf.TensorShape(tf.get_static_value(tf.convert_to_tensor(shape)))
            if asked != (drawn.dtype, drawn.shape) or not tf.reduce_all((low <= drawn) & (drawn <= high)):
                allowed = f"{asked[0].name} of shape {asked[1]} from {minval} to {maxval}"
                raise PortRefused(explain(self.name, f"a draw of {drawn}", allowed, "Report it."))
            return drawn

        with uniform_by(draw):
            return original(*args, **kwargs)

    def _named(self, args: Any, kwargs: Any) -> dict[str, Any]:
        """Return the arguments by name; `name` is of the operation, which has none here."""
        bound = inspect.signature(self.original).bind(*args, **kwargs)
        bound.apply_defaults()
        named = bound.arguments
        named.pop("name", None)
        if (seed := named.pop("seed", None)) is not None:
            raise UnsupportedArgument(explain("seed", repr(seed), "None", OP_SEED))
        return named


# Arguments.


def _numbers(value: Any, dtype: Any) -> Any:
    """Return an argument of a draw as a tensor of its dtype: an array is cast as TensorFlow casts NumPy's."""
    return (_tensorflow.converted if is_array(value) else tf.convert_to_tensor)(value, dtype)


def _sizes(shape: Any, name: str = "shape") -> Any:
    """Return a shape as integers, or as a tensor where it is not known while tracing."""
    shape = opened(shape)
    if isinstance(shape, tf.TensorShape):
        shape = shape.as_list()
    if isinstance(shape, (list, tuple)):
        shape = tf.stack([tf.cast(one, tf.int32) for one in shape]) if len(shape) else tf.zeros([0], tf.int32)
    sizes = tf.cast(shape, tf.int32)
    if sizes.shape.rank != 1:
        raise OutsideDomain(explain(name, repr(shape), "a list of sizes", "Write `[n]` for one size."))
    known = tf.get_static_value(sizes)
    return sizes if known is None else known.tolist()


def _image(image: Any) -> Any:
    tensor = tf.convert_to_tensor(opened(image))
    if tensor.shape.rank not in (3, 4):
        advice = "State the rank by tf.ensure_shape." if tensor.shape.rank is None else "Add the axes."
        allowed = "an image of 3 axes, or 4 with a batch"
        raise OutsideDomain(explain("image", f"shape {tensor.shape}", allowed, advice))
    return not_empty(tensor, "image", range(tensor.shape.rank - 3, tensor.shape.rank))


def _range(condition: Callable[..., Any], allowed: str, **bounds: Any) -> list[Any]:
    """Return the bounds of a draw in float64, checked."""
    values = [_numbers(one, tf.float64) for one in bounds.values()]
    given = " and ".join("a tensor" if tf.is_tensor(opened(one)) else repr(one) for one in bounds.values())
    return check(condition, ", ".join(bounds), given, allowed, "Check the bounds.", *values)


# Draws.


def _floating(dtype: Any) -> Any:
    if dtype.name not in _WIDER:
        allowed = ", ".join((*_WIDER, *_WHOLE))
        raise UnsupportedArgument(explain("dtype", dtype.name, allowed, "Draw float32 and cast."))
    return dtype


def _uniform(seed: Any, shape: Any, low: Any, high: Any, dtype: Any) -> Any:
    if dtype.name in _WHOLE:
        low, high = _numbers(low, dtype), _numbers(high, dtype)
        low, high = check(
            lambda a, b: tf.reduce_all(a < b), "maxval", "an empty range", "minval < maxval",
            "`maxval` is exclusive.", low, high,
        )  # fmt: skip
        found = between(seed, tf.cast(low, tf.int64), tf.cast(high, tf.int64) - 1, shape)
        return tf.cast(found, dtype)
    _floating(dtype)
    low, high = _numbers(low, dtype), _numbers(high, dtype)
    part = seeds.uniform(seed, shape, "float64" if dtype == tf.float64 else "float32")
    if dtype == tf.float16:  # of 11 bits, which no cast rounds up to 1
        part = tf.cast(tf.floor(part * 2.0**11) * 2.0**-11, dtype)
    return _scaled(part, high - low, low, dtype)


def _normal(seed: Any, shape: Any, mean: Any, stddev: Any, dtype: Any) -> Any:
    _floating(dtype)
    drawn = seeds.normal(seed, shape, "float64" if dtype == tf.float64 else "float32")
    return _scaled(tf.cast(drawn, dtype), _numbers(stddev, dtype), _numbers(mean, dtype), dtype)


def _scaled(part: Any, width: Any, start: Any, dtype: Any) -> Any:
    """Return part * width + start, rounded alike by every engine."""
    if _is(start, 0):
        return part if _is(width, 1) else part * width
    if dtype == tf.float64:
        return plus_product(start, part * width, part)
    part, width, start = (tf.cast(one, _WIDER[dtype.name]) for one in (part, width, start))
    return tf.cast(part * width + start, dtype)


def _is(tensor: Any, number: int) -> bool:
    known = tf.get_static_value(tensor)
    return known is not None and bool((known == number).all())


# tf.random.


def _random_uniform(draws: Draws, shape: Any, minval: Any, maxval: Any, dtype: Any) -> Any:
    dtype = tf.as_dtype(dtype)
    if maxval is None and dtype.is_integer:
        raise OutsideDomain(explain("maxval", "None", "a number, for integers", "State the upper bound."))
    return draws.uniform(_sizes(shape), minval, 1 if maxval is None else maxval, dtype)


def _random_normal(draws: Draws, shape: Any, mean: Any, stddev: Any, dtype: Any) -> Any:
    return draws.note(_normal(seeds.look_up(), _sizes(shape), mean, stddev, tf.as_dtype(dtype)))


def _shuffle(draws: Draws, value: Any) -> Any:
    value = tf.convert_to_tensor(opened(value))
    if value.shape.rank == 0:
        return value
    length = value.shape[:1].num_elements()
    order = draws.note(seeds.permutation(seeds.look_up(), tf.shape(value)[0] if length is None else length))
    return tf.gather(value, order)


def _shuffled(*order: Any, value: Any) -> Any:
    return tf.gather(value, order[0]) if order else tf.convert_to_tensor(value)


def _whole_range(draws: Draws, shape: Any, dtype: Any) -> Any:
    dtype = tf.as_dtype(dtype)
    if dtype.name not in (*_WHOLE, "uint32", "uint64"):
        allowed = "int32, int64, uint32, uint64"
        raise UnsupportedArgument(explain("dtype", dtype.name, allowed, "Draw int64 and cast."))
    drawn = whole_range(seeds.look_up(), _sizes(shape), tf.int32 if dtype.size == 4 else tf.int64)
    return draws.note(tf.bitcast(drawn, dtype))


def _make_seeds(draws: Draws, count: Any) -> Any:
    keys = whole_range(seeds.look_up(), _sizes([count], "count"), tf.int64)
    return draws.note(tf.stack([keys, tf.zeros_like(keys)]))


def _as_drawn(drawn: Any, **_: Any) -> Any:
    return drawn


# tf.image.


def _flip(axis: int, draws: Draws, image: Any) -> Any:
    image = _image(image)
    if image.shape.rank == 3:
        turns = draws.uniform([], 0, 1) < 0.5
        return tf.cond(turns, lambda: tf.reverse(image, [axis]), lambda: image)
    # Each image of a batch by itself.
    count = tf.shape(image)[:1] if image.shape[0] is None else [image.shape[0]]
    flips = tf.cast(tf.round(tf.reshape(draws.uniform(count, 0, 1), [-1, 1, 1, 1])), image.dtype)
    return flips * tf.reverse(image, [axis + 1]) + (1 - flips) * image


def _around_zero(adjust: str, most: float | None, draws: Draws, image: Any, max_delta: Any) -> Any:
    allowed = "a number from 0" + ("" if most is None else f" to {most}")

    def fits(delta: Any) -> Any:
        return delta >= 0 if most is None else (delta >= 0) & (delta <= most)

    (delta,) = _range(fits, allowed, max_delta=max_delta)
    delta = tf.cast(delta, tf.float32)
    return getattr(tf.image, adjust)(opened(image), draws.uniform([], -delta, delta))


def _between(adjust: str, draws: Draws, image: Any, lower: Any, upper: Any) -> Any:
    low, high = _range(lambda a, b: (a >= 0) & (a < b), "0 <= lower < upper", lower=lower, upper=upper)
    drawn = draws.uniform([], tf.cast(low, tf.float32), tf.cast(high, tf.float32))
    return getattr(tf.image, adjust)(opened(image), drawn)


def _jpeg_quality(draws: Draws, image: Any, min_jpeg_quality: Any, max_jpeg_quality: Any) -> Any:
    low, high = _range(
        lambda a, b: (a >= 0) & (a < b) & (b <= _QUALITY),
        f"0 <= min_jpeg_quality < max_jpeg_quality <= {_QUALITY}",
        min_jpeg_quality=min_jpeg_quality,
        max_jpeg_quality=max_jpeg_quality,
    )
    quality = draws.uniform([], tf.cast(low, tf.int32), tf.cast(high, tf.int32), "int32")
    return tf.image.adjust_jpeg_quality(opened(image), quality)


def _crop(draws: Draws, value: Any, size: Any) -> Any:
    value = tf.convert_to_tensor(opened(value))
    shape, size = tf.shape(value), tf.convert_to_tensor(_sizes(size, "size"))
    shape, _ = check(  # not the size, of which the static shape is
        lambda whole, part: tf.reduce_all((part >= 0) & (part <= whole)),
        "size", "a side that is negative or longer than that of `value`", "sides of `value` at most",
        "Pad it first, or give the whole side for an axis that is not cropped.", shape, size,
    )  # fmt: skip
    rank = [value.shape.rank] if value.shape.rank is not None else tf.shape(shape)
    start = draws.uniform(rank, tf.zeros_like(shape), shape - size + 1, "int32")
    return tf.slice(value, start, size)


# By the name in tf.random or tf.image: what computes it, and what gives the original's result of its draws.
_FUNCTIONS: dict[str, tuple[Callable[..., Any], Callable[..., Any] | None]] = {
    "random.uniform": (_random_uniform, _as_drawn),
    "random.normal": (_random_normal, _as_drawn),
    "random.shuffle": (_shuffle, _shuffled),
    "image.random_flip_left_right": (functools.partial(_flip, 1), None),
    "image.random_flip_up_down": (functools.partial(_flip, 0), None),
    "image.random_brightness": (functools.partial(_around_zero, "adjust_brightness", None), None),
    "image.random_hue": (functools.partial(_around_zero, "adjust_hue", _MOST_HUE), None),
    "image.random_contrast": (functools.partial(_between, "adjust_contrast"), None),
    "image.random_saturation": (functools.partial(_between, "adjust_saturation"), None),
    "image.random_jpeg_quality": (_jpeg_quality, None),
    "image.random_crop": (_crop, None),
}
_METHODS: dict[str, Callable[..., Any]] = {
    "uniform": _random_uniform,
    "normal": _random_normal,
    "uniform_full_int": _whole_range,
    "make_seeds": _make_seeds,
}


@functools.cache
def _table() -> list[Seeded]:
    found = []
    for name, (compute, again) in _FUNCTIONS.items():
        module, _, last = name.partition(".")
        found.append(Seeded(f"tensorflow.{name}", getattr(getattr(tf, module), last), compute, again))
    return found


def seeded(function: Any) -> Seeded | None:
    """Return what stands for a function of TensorFlow that draws.

    `function`: of TensorFlow. Returns: None of what draws nothing, or is not served.
    """
    owner, name = getattr(function, "__self__", None), getattr(function, "__name__", None)
    if isinstance(owner, tf.random.Generator):
        compute = _METHODS.get(str(name))
        if compute is None:
            return None
        return Seeded(f"tensorflow.random.Generator.{name}", function, compute, _as_drawn)
    return next((one for one in _table() if one.original is function), None)
