"""RandomState: the draws of `numpy.random` with a seed of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from pipeport import seeds
from pipeport.arrays._random import random_by
from pipeport.errors import refuse_attribute
from pipeport.numpy.random import _continuous, _discrete, _picked
from pipeport.seeds._stream import Stream, seed_of

_MOST = 2**32 - 1


class RandomState:
    """Draws in a row, as `numpy.random.RandomState`; other numbers, of the same distributions.

    Parameters
    ----------
    seed : int, sequence of int, or None
        From 0 to 2**32 - 1; scalar integer tensors too. One that is made inside a function draws the same for
        every element, as the original does. One that is made outside depends on the ambient seed too, as
        does every draw without a seed.
    """

    def __init__(self, seed: Any = None) -> None:
        self.seed(seed)

    def __getattr__(self, name: str) -> NoReturn:
        refuse_attribute(self, name, "Compute it from one of these draws.")

    def seed(self, seed: Any = None) -> None:
        """Begin anew, with another seed."""
        self._stream = Stream(None if seed is None else seed_of(seed, "seed", _MOST))

    def _draw(self, function: Callable[..., Any], *args: Any) -> Any:
        return random_by("numpy.random.RandomState", function, self._stream.next(), *args)

    def rand(self, *args: Any) -> Any:
        """Draw from [0, 1), in sizes given one by one."""
        return self._draw(lambda seed, sizes: _continuous.by_sizes(seeds.uniform, seed, sizes), args)

    def randn(self, *args: Any) -> Any:
        """Draw standard normal numbers, in sizes given one by one."""
        return self._draw(lambda seed, sizes: _continuous.by_sizes(seeds.normal, seed, sizes), args)

    def random(self, size: Any = None) -> Any:
        """Draw from [0, 1)."""
        return self._draw(lambda seed, size: _continuous.floats(seeds.uniform, seed, size), size)

    def random_sample(self, size: Any = None) -> Any:
        """Draw from [0, 1)."""
        return self.random(size)

    def standard_normal(self, size: Any = None) -> Any:
        """Draw from the normal distribution of mean 0 and deviation 1."""
        return self._draw(lambda seed, size: _continuous.floats(seeds.normal, seed, size), size)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        """Draw from an interval."""
        return self._draw(_continuous.uniform, low, high, size)

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

    def randint(self, low: Any, high: Any = None, size: Any = None, dtype: Any = int) -> Any:
        """Draw whole numbers from a range."""
        return self._draw(_discrete.integers, low, high, size, dtype)

    def poisson(self, lam: Any = 1.0, size: Any = None) -> Any:
        """Draw counts from a Poisson distribution."""
        return self._draw(_discrete.poisson, lam, size)

    def binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        """Draw counts from a binomial distribution."""
        return self._draw(_discrete.binomial, n, p, size)

    def choice(self, a: Any, size: Any = None, replace: Any = True, p: Any = None) -> Any:
        """Draw from the elements of an array, or from the numbers below one."""
        return self._draw(_picked.choice, a, size, replace, p)

    def permutation(self, x: Any) -> Any:
        """Return the elements of an array in another order, or the numbers below one."""
        return self._draw(_picked.permutation, x)

    def shuffle(self, x: Any) -> None:
        """Bring the elements of an array or of a list into another order, in place."""
        _picked.shuffle(self._stream.next(), x)
