"""Draws from intervals and from the normal, exponential, gamma and beta distributions, by seed."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.arrays._random import python_number, real
from pipeport.errors import UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.dtypes import dtype_of
from pipeport.numpy.random._arguments import Sizes, checked, not_negative, positive
from pipeport.seeds._gamma import beta as beta_draw
from pipeport.seeds._gamma import gamma as gamma_draw


def floats(draw: Any, seed: Any, size: Any, dtype: Any = None, out: Any = None) -> Any:
    """Draw floats of a dtype: `draw` is `seeds.uniform` or one of its kind."""
    if out is not None:
        advice = "Use the result."
        raise UnsupportedArgument(
            explain("out", type(out).__name__, "None, as tensors are not written", advice)
        )
    wanted = dtype_of(dtype, "dtype")
    if wanted not in (tf.float32, tf.float64):
        raise WrongType(explain("dtype", wanted.name, "'float32', 'float64'", "Cast the result."))
    sizes = Sizes(size)
    return sizes.give(draw(seed, sizes.asked, wanted.name))


def uniform(seed: Any, low: Any, high: Any, size: Any, ordered: bool = False) -> Any:
    """Draw from [low, high); `ordered` refuses a range that runs downwards."""
    low, high = real(low, "low"), real(high, "high")
    sizes = Sizes(size, low, high)
    width = checked(_difference(high, low), "high", "a finite range", tf.math.is_finite)
    if ordered:
        width = checked(width, "high", "high from low on", lambda x: x >= 0)
    return sizes.give(low + width * seeds.uniform(seed, sizes.asked, "float64"))


def _difference(one: Any, other: Any) -> Any:
    """Return a difference, as a constant where it is one: what is known is not checked in the graph."""
    known = [tf.get_static_value(value) for value in (one, other)]
    if any(value is None for value in known):
        return one - other
    with np.errstate(over="ignore", invalid="ignore"):
        return tf.constant(np.subtract(*known), one.dtype)


def normal(seed: Any, loc: Any, scale: Any, size: Any) -> Any:
    """Draw from the normal distribution."""
    loc, scale = real(loc, "loc"), not_negative(real(scale, "scale"), "scale")
    sizes = Sizes(size, loc, scale)
    return sizes.give(loc + scale * seeds.normal(seed, sizes.asked, "float64"))


def exponential(seed: Any, scale: Any, size: Any) -> Any:
    """Draw from the exponential distribution."""
    scale = not_negative(real(scale, "scale"), "scale")
    sizes = Sizes(size, scale)
    return sizes.give(scale * seeds.exponential(seed, sizes.asked, "float64"))


def gamma(seed: Any, shape: Any, scale: Any, size: Any) -> Any:
    """Draw from the gamma distribution."""
    shape = not_negative(real(shape, "shape"), "shape")
    scale = not_negative(real(scale, "scale"), "scale")
    sizes = Sizes(size, shape, scale)
    return sizes.give(scale * gamma_draw(seed, shape, sizes.asked))


def beta(seed: Any, a: Any, b: Any, size: Any) -> Any:
    """Draw from the beta distribution."""
    a, b = positive(real(a, "a"), "a"), positive(real(b, "b"), "b")
    sizes = Sizes(size, a, b)
    return sizes.give(beta_draw(seed, a, b, sizes.asked))


def by_sizes(draw: Any, seed: Any, args: Any) -> Any:
    """Draw in sizes given one by one, as `rand` takes them."""
    for one in args:
        if isinstance(one, (list, tuple)) or (tf.is_tensor(one) and one.shape.rank != 0):
            raise WrongType(explain("args", repr(one), "sizes, one by one", "Write `rand(*sizes)`."))
    if not args:
        return python_number(draw(seed, [], "float64"))
    sizes = Sizes(list(args))
    return sizes.give(draw(seed, sizes.asked, "float64"))
