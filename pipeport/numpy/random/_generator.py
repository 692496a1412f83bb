"""Generator and default_rng."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from pipeport import seeds
from pipeport.arrays._random import random_by
from pipeport.errors import UnsupportedArgument, explain, refuse_attribute
from pipeport.numpy.random import _continuous, _discrete, _picked
from pipeport.seeds._stream import Stream, seed_of


class Generator:
    """Draws in a row, as `numpy.random.Generator`; other numbers, of the same distributions.

    Made by `default_rng`.

    Parameters
    ----------
    bit_generator : Stream
        Where its seeds come from.

    Raises
    ------
    UnsupportedArgument
        `bit_generator` is another object: bits of NumPy's are not drawn in a graph.
    """

    def __init__(self, bit_generator: Any) -> None:
        if not isinstance(bit_generator, Stream):
            given, advice = type(bit_generator).__name__, "Use default_rng(seed)."
            raise UnsupportedArgument(explain("bit_generator", given, "what default_rng makes", advice))
        self._stream = bit_generator

    def __getattr__(self, name: str) -> NoReturn:
        refuse_attribute(self, name, "Compute it from one of these draws.")

    def _draw(self, function: Callable[..., Any], *args: Any) -> Any:
        return random_by("numpy.random.Generator", function, self._stream.next(), *args)

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Draw from [0, 1)."""
        return self._draw(_uniform, size, dtype, out)

    def standard_normal(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Draw from the normal distribution of mean 0 and deviation 1."""
        return self._draw(_normal, size, dtype, out)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        """Draw from an interval."""
        return self._draw(_ordered, low, high, size)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw from a normal distribution."""
        return self._draw(_continuous.normal, loc, scale, size)

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw from an exponential distribution."""
        return self._draw(_continuous.exponential, scale, size)

    def gamma(self, shape: Any, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw from a gamma distribution."""
        return self._draw(_continuous.gamma, shape, scale, size)

    def beta(self, a: Any, b: Any, size: Any = None) -> Any:
        """Draw from a beta distribution."""
        return self._draw(_continuous.beta, a, b, size)

    def integers(
        self, low: Any, high: Any = None, size: Any = None, dtype: Any = np.int64, endpoint: Any = False
    ) -> Any:
        """Draw whole numbers from a range, which `endpoint` closes."""
        return self._draw(_discrete.integers, low, high, size, dtype, endpoint)

    def poisson(self, lam: Any = 1.0, size: Any = None) -> Any:
        """Draw counts from a Poisson distribution."""
        return self._draw(_discrete.poisson, lam, size)

    def binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        """Draw counts from a binomial distribution."""
        return self._draw(_discrete.binomial, n, p, size)

    def choice(
        self,
        a: Any,
        size: Any = None,
        replace: Any = True,
        p: Any = None,
        axis: Any = 0,
        shuffle: Any = True,  # noqa: ARG002 - False allows any order, so also one that is drawn
    ) -> Any:
        """Draw along an axis of an array, or from the numbers below one, in a random order."""
        return self._draw(_picked.choice, a, size, replace, p, axis)

    def permutation(self, x: Any, axis: Any = 0) -> Any:
        """Return an array with an axis in another order, or the numbers below one."""
        return self._draw(_picked.permutation, x, axis)

    def permuted(self, x: Any, *, axis: Any = None, out: Any = None) -> Any:
        """Return an array whose lines along an axis are each in an order of their own."""
        if out is not None:
            given, advice = type(out).__name__, "Use the result."
            raise UnsupportedArgument(explain("out", given, "None, as tensors are not written", advice))
        return self._draw(_picked.permuted, x, axis)

    def shuffle(self, x: Any, axis: Any = 0) -> None:
        """Bring an array along an axis, or a list, into another order, in place."""
        _picked.shuffle(self._stream.next(), x, axis)


def _uniform(seed: Any, size: Any, dtype: Any, out: Any) -> Any:
    return _continuous.floats(seeds.uniform, seed, size, dtype, out)


def _normal(seed: Any, size: Any, dtype: Any, out: Any) -> Any:
    return _continuous.floats(seeds.normal, seed, size, dtype, out)


def _ordered(seed: Any, low: Any, high: Any, size: Any) -> Any:
    return _continuous.uniform(seed, low, high, size, ordered=True)


def default_rng(seed: Any = None) -> Generator:
    """Make a generator.

    Native equivalent of `numpy.random.default_rng`.

    Parameters
    ----------
    seed : int, sequence of int, Generator or None
        Numbers from 0; scalar integer tensors too. A generator made inside a function draws the same for
        every element, as the original does. One that is made outside depends on the ambient seed too, as
        does every draw without a seed.

    Returns
    -------
    Generator
        A new one, or the one given.

    Raises
    ------
    OutsideDomain
        A number is negative.
    WrongType
        `seed` is of another type.

    Examples
    --------
    >>> from pipeport.numpy.random import default_rng
    >>> default_rng(7).integers(0, 9, (2, 3)).shape
    TensorShape([2, 3])
    """
    if isinstance(seed, Generator):
        return seed
    return Generator(Stream(None if seed is None else seed_of(seed)))
