"""Random: the draws of `random` with a seed of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from pipeport.arrays._random import random_by
from pipeport.errors import UnsupportedArgument, explain, refuse_attribute
from pipeport.random import _draws
from pipeport.random._natives import shuffled_in_place
from pipeport.seeds._stream import Stream, seed_of


class Random:
    """Draws in a row, as `random.Random`; other numbers, of the same distributions.

    Parameters
    ----------
    x : int or None
        The seed. An object made inside a function draws the same for every element, as the original does. One
        that is made outside depends on the ambient seed too, as does every draw without a seed.
    """

    def __init__(self, x: Any = None) -> None:
        self.seed(x)

    def __getattr__(self, name: str) -> NoReturn:
        refuse_attribute(self, name, "Compute it from one of these draws.")

    def seed(self, a: Any = None, version: Any = 2) -> None:
        """Begin anew, with another seed."""
        if version != 2 or isinstance(a, (str, bytes, bytearray, float)):
            given = f"{a!r}, version={version!r}"
            raise UnsupportedArgument(explain("a", given, "whole numbers and None", "Give an integer."))
        self._stream = Stream(None if a is None else seed_of(abs(a) if isinstance(a, int) else a, "a"))

    def _draw(self, function: Callable[..., Any], *args: Any) -> Any:
        return random_by("random.Random", function, self._stream.next(), *args)

    def random(self) -> Any:
        """Draw from [0, 1)."""
        return self._draw(_draws.random)

    def uniform(self, a: Any, b: Any) -> Any:
        """Draw from an interval."""
        return self._draw(_draws.uniform, a, b)

    def triangular(self, low: Any = 0.0, high: Any = 1.0, mode: Any = None) -> Any:
        """Draw from a triangular distribution."""
        return self._draw(_draws.triangular, low, high, mode)

    def gauss(self, mu: Any = 0.0, sigma: Any = 1.0) -> Any:
        """Draw from a normal distribution."""
        return self._draw(_draws.gauss, mu, sigma)

    def normalvariate(self, mu: Any = 0.0, sigma: Any = 1.0) -> Any:
        """Draw from a normal distribution."""
        return self._draw(_draws.gauss, mu, sigma)

    def betavariate(self, alpha: Any, beta: Any) -> Any:
        """Draw from a beta distribution."""
        return self._draw(_draws.betavariate, alpha, beta)

    def expovariate(self, lambd: Any) -> Any:
        """Draw from an exponential distribution."""
        return self._draw(_draws.expovariate, lambd)

    def randint(self, a: Any, b: Any) -> Any:
        """Draw a whole number, both ends included."""
        return self._draw(_draws.randint, a, b)

    def randrange(self, start: Any, stop: Any = None, step: Any = 1) -> Any:
        """Draw from a range."""
        return self._draw(_draws.randrange, start, stop, step)

    def getrandbits(self, k: Any) -> Any:
        """Draw a whole number of some bits."""
        return self._draw(_draws.getrandbits, k)

    def choice(self, seq: Any) -> Any:
        """Draw one element of a sequence."""
        return self._draw(_draws.choice, seq)

    def choices(self, population: Any, weights: Any = None, *, cum_weights: Any = None, k: Any = 1) -> Any:
        """Draw elements of a sequence, with replacement."""
        return self._draw(_draws.choices, population, weights, cum_weights, k)

    def sample(self, population: Any, k: Any, *, counts: Any = None) -> Any:
        """Draw elements of a sequence, without replacement."""
        return self._draw(_draws.sample, population, k, counts)

    def shuffle(self, x: Any) -> None:
        """Bring the elements of a list into another order, in place."""
        shuffled_in_place(self._stream.next(), x)
