"""choice, permutation, shuffle, and seed, which is refused."""

from __future__ import annotations

from typing import Any, NoReturn

from pipeport import seeds
from pipeport.arrays._random import random_native
from pipeport.contract import Array, Boolean, Maybe, OneOf
from pipeport.errors import UnsupportedArgument, explain
from pipeport.numpy.random import _picked
from pipeport.numpy.random._arguments import SIZES

_P = OneOf((0.1, 0.2, 0.3, 0.4), (0.5, 0.0, 0.5, 0.0), (0.25, 0.25, 0.5), (0.5, 0.6, 0.0, 0.0))


@random_native(
    "numpy.random.choice", "Draw from the elements of an array, or from the numbers below one.", law="choice",
    domain={"a": Array(ranks=(1,), sides=(3, 4)), "size": SIZES, "replace": Boolean(), "p": Maybe(spec=_P)},
    parameters={"a": "int, or array_like with one axis\nWhat is drawn from: the numbers from 0 to below "
                     "`a`, or the elements of `a`.",
                "size": "int, sequence of int, or None, default None\nThe shape; None for one element.",
                "replace": "bool, default True\nWhether an element may come more than once.",
                "p": "array_like of float or None, default None\nProbabilities, which sum to 1; tensors too. "
                     "None for equal ones."},
    returns="tf.Tensor, dtype of `a`, or int64\nThe elements.",
    example=("choice([5, 6, 7], (2, 3), seed=(1, 2)).shape", "TensorShape([2, 3])"),
    stated="(a, size=None, replace=True, p=None)", slower="thousands of draws are",
)  # fmt: skip
def choice(a: Any, size: Any = None, replace: Any = True, p: Any = None, *, seed: Any = None) -> Any:
    return _picked.choice(seeds.look_up(seed), a, size, replace, p)


@random_native(
    "numpy.random.permutation", "Return the elements of an array in another order, or the numbers below one.",
    law="permutation", domain={"x": Array(ranks=(1, 2, 3), sides=(0, 5))},
    parameters={"x": "int or array_like\nThe numbers from 0 to below `x`, or the array, whose first axis is "
                     "reordered."},
    returns="tf.Tensor, shape and dtype of `x`, or int64\nThe elements.",
    raises={"BadIndex": "`x` is a scalar, but no whole number."},
    example=("permutation(5, seed=(1, 2)).shape", "TensorShape([5])"), stated="(x)",
)  # fmt: skip
def permutation(x: Any, *, seed: Any = None) -> Any:
    return _picked.permutation(seeds.look_up(seed), x)


def shuffle(x: Any, *, seed: Any = None) -> None:
    """Bring the elements of an array or of a list into another order, in place.

    Native equivalent of `numpy.random.shuffle`.

    Parameters
    ----------
    x : ndarray of pipeport, or list
        Written to; of an array the first axis is reordered. A list holds numbers of one type, or arrays of
        one shape and dtype.
    seed : array_like of int, shape (2,), or None
        The draw is a function of it; None takes the ambient seed.

    Raises
    ------
    UnsupportedArgument
        There is no seed, the elements of a list have several types, or the array cannot be written to.
    WrongType
        `x` is a tensor or another value that cannot be written to.

    Examples
    --------
    >>> from pipeport.numpy.random import shuffle
    >>> x = [1, 2, 3]
    >>> shuffle(x, seed=(1, 2))
    >>> sorted(int(one) for one in x)
    [1, 2, 3]
    """
    _picked.shuffle(seeds.look_up(seed), x)


def seed(seed: Any = None) -> NoReturn:
    """Refuse to seed all draws alike.

    Parameters
    ----------
    seed : object
        Of no account.

    Raises
    ------
    UnsupportedArgument
        Always: a graph has no state from element to element.
    """
    given = f"numpy.random.seed({seed!r}), after which every element would draw the same"
    advice = "Give each element its seed with pipeport.seeds.seeded_map(function, seed)."
    raise UnsupportedArgument(explain("seed", given, "a seed per element", advice))
