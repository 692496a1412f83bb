"""The functions of the standard library's `random`."""

from __future__ import annotations

from typing import Any, NoReturn

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.arrays import accepts_ndarray
from pipeport.arrays._elements import shuffled
from pipeport.arrays._random import random_by, random_native
from pipeport.contract import Difference, Integer, Maybe, OneOf, Real
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.random import _draws

_FLOAT = "tf.Tensor, scalar, float64\n"
_INT = "tf.Tensor, scalar, int64\n"
_NUMBER = "float, or scalar tensor of real numbers"
_WHOLE = "int, or scalar tensor of whole numbers"
_SEQUENCE = "list, tuple or range, of numbers of one type or arrays of one shape and dtype"


def _shown(call: str) -> tuple[str, str]:
    return f"{call}.shape", "TensorShape([])"


@random_native(
    "random.random", "Draw a number from [0, 1).", law="python_random", domain={}, parameters={},
    returns=_FLOAT + "The number.", example=_shown("random(seed=(1, 2))"), witness={},
)  # fmt: skip
def random(*, seed: Any = None) -> Any:
    return _draws.random(seeds.look_up(seed))


@random_native(
    "random.uniform", "Draw a number from an interval.", law="python_uniform",
    domain={"a": Real(-4, 4, tensor=True), "b": Real(-4, 4, tensor=True)},
    parameters={"a": f"{_NUMBER}\nOne end.", "b": f"{_NUMBER}\nThe other end, which rounding may reach."},
    returns=_FLOAT + "The number.", example=_shown("uniform(-1, 1, seed=(1, 2))"),
    witness={"a": 0.0, "b": 1.0},
)  # fmt: skip
def uniform(a: Any, b: Any, *, seed: Any = None) -> Any:
    return _draws.uniform(seeds.look_up(seed), a, b)


@random_native(
    "random.triangular", "Draw from a triangular distribution.", law="python_triangular",
    domain={"low": Real(-4, 0, tensor=True), "high": Real(1, 4, tensor=True),
            "mode": Maybe(spec=Real(0, 1, tensor=True))},
    parameters={"low": f"{_NUMBER}, default 0.0\nThe lower end.",
                "high": f"{_NUMBER}, default 1.0\nThe upper end.",
                "mode": "float or None, default None\nThe most likely value; None for the middle."},
    returns=_FLOAT + "The number.", example=_shown("triangular(0, 2, 1, seed=(1, 2))"),
    witness={"low": 0.0},
    differences=(Difference(
        "Where both ends are one whole number, the result is a float.",
        lambda: {"low": 2, "high": 2, "mode": 2, "seed": (1, 2)},
        lambda arguments: arguments["low"] == arguments["high"] and isinstance(arguments["low"], int)),),
)  # fmt: skip
def triangular(low: Any = 0.0, high: Any = 1.0, mode: Any = None, *, seed: Any = None) -> Any:
    return _draws.triangular(seeds.look_up(seed), low, high, mode)


_NORMAL = {
    "mu": f"{_NUMBER}, default 0.0\nThe mean.",
    "sigma": f"{_NUMBER}, default 1.0\nThe standard deviation.",
}
_NORMALS = {"mu": Real(-4, 4, tensor=True), "sigma": Real(-1, 4, tensor=True)}


@random_native(
    "random.gauss", "Draw from a normal distribution.", law="python_gauss", domain=_NORMALS,
    parameters=_NORMAL, returns=_FLOAT + "The number.", example=_shown("gauss(0, 2, seed=(1, 2))"),
    witness={"mu": 0.0},
)  # fmt: skip
def gauss(mu: Any = 0.0, sigma: Any = 1.0, *, seed: Any = None) -> Any:
    return _draws.gauss(seeds.look_up(seed), mu, sigma)


@random_native(
    "random.normalvariate", "Draw from a normal distribution.", law="python_gauss", domain=_NORMALS,
    parameters=_NORMAL, returns=_FLOAT + "The number.", example=_shown("normalvariate(0, 2, seed=(1, 2))"),
    witness={"mu": 0.0},
)  # fmt: skip
def normalvariate(mu: Any = 0.0, sigma: Any = 1.0, *, seed: Any = None) -> Any:
    return _draws.gauss(seeds.look_up(seed), mu, sigma)


@random_native(
    "random.betavariate", "Draw from a beta distribution.", law="python_betavariate",
    domain={"alpha": Real(0.125, 5, tensor=True), "beta": Real(0.125, 5, tensor=True)},
    parameters={"alpha": f"{_NUMBER}\nFirst parameter, positive.",
                "beta": f"{_NUMBER}\nSecond parameter, positive."},
    returns=_FLOAT + "The number, from 0 to 1.", example=_shown("betavariate(2, 3, seed=(1, 2))"),
    witness={"alpha": 1.0, "beta": 1.0},
)  # fmt: skip
def betavariate(alpha: Any, beta: Any, *, seed: Any = None) -> Any:
    return _draws.betavariate(seeds.look_up(seed), alpha, beta)


@random_native(
    "random.expovariate", "Draw from an exponential distribution.", law="python_expovariate",
    domain={"lambd": Real(0.125, 4, tensor=True)},
    parameters={"lambd": f"{_NUMBER}\nOne divided by the mean, not 0."},
    returns=_FLOAT + "The number.", example=_shown("expovariate(2, seed=(1, 2))"),
    stated="(lambd)", witness={"lambd": 1.0},
)  # fmt: skip
def expovariate(lambd: Any, *, seed: Any = None) -> Any:
    return _draws.expovariate(seeds.look_up(seed), lambd)


@random_native(
    "random.randint", "Draw a whole number, both ends included.", law="python_randint",
    domain={"a": Integer(-9, 9, tensor=True), "b": Integer(-9, 40, tensor=True)},
    parameters={"a": f"{_WHOLE}\nThe smallest number.", "b": f"{_WHOLE}\nThe largest number."},
    returns=_INT + "The number.", example=_shown("randint(1, 6, seed=(1, 2))"),
    witness={"a": 0, "b": 1},
)  # fmt: skip
def randint(a: Any, b: Any, *, seed: Any = None) -> Any:
    return _draws.randint(seeds.look_up(seed), a, b)


@random_native(
    "random.randrange", "Draw from a range.", law="python_randrange",
    domain={"start": Integer(-9, 9, tensor=True), "stop": Maybe(spec=Integer(-9, 40, tensor=True)),
            "step": OneOf(1, 2, -3, 0)},
    parameters={"start": f"{_WHOLE}\nBegin of the range; its end where there is no `stop`.",
                "stop": "int or None, default None\nEnd of the range.",
                "step": f"{_WHOLE}, default 1\nDistance of its numbers, not 0."},
    returns=_INT + "The number.", example=_shown("randrange(0, 10, 2, seed=(1, 2))"),
    witness={"start": 3},
)  # fmt: skip
def randrange(start: Any, stop: Any = None, step: Any = 1, *, seed: Any = None) -> Any:
    return _draws.randrange(seeds.look_up(seed), start, stop, step)


@random_native(
    "random.getrandbits", "Draw a whole number of some bits.", law="python_getrandbits",
    domain={"k": Integer(-2, 63, tensor=True)}, parameters={"k": f"{_WHOLE}\nNumber of bits, from 0 to 63."},
    returns=_INT + "The number, from 0 to below 2**k.", example=_shown("getrandbits(8, seed=(1, 2))"),
    stated="(k)", reference_call="pipeport.references._draws.by_position",
    witness={"k": 3},
)  # fmt: skip
def getrandbits(k: Any, *, seed: Any = None) -> Any:
    return _draws.getrandbits(seeds.look_up(seed), k)


@random_native(
    "random.choice", "Draw one element of a sequence.", law="python_choice",
    domain={"seq": OneOf((1, 2, 3), (0.5, 1.5), (True, False), (7,))},
    parameters={"seq": f"{_SEQUENCE}, or array\nWhat is drawn from."},
    returns="tf.Tensor\nThe element; of tuples, a tuple.", raises={"BadIndex": "The sequence is empty."},
    example=("int(choice([4, 4], seed=(1, 2)))", "4"), witness={"seq": (1, 2)},
)  # fmt: skip
@accepts_ndarray
def choice(seq: Any, *, seed: Any = None) -> Any:
    return _draws.choice(seeds.look_up(seed), seq)


@random_native(
    "random.choices", "Draw elements of a sequence, with replacement.", law="python_choices",
    domain={"population": OneOf((7, 7, 7), (1.5, 1.5, 1.5), (True, True, True)),
            "weights": OneOf(None, (1, 2, 3), (0.5, 0.0, 0.25)), "cum_weights": OneOf(None, (1, 2, 5)),
            "k": Integer(1, 4)},
    parameters={"population": f"{_SEQUENCE}, or array\nWhat is drawn from.",
                "weights": "array_like of float or None, default None\nOne per element, from 0; tensors too.",
                "cum_weights": "array_like of float or None, default None\nSums of the weights so far.",
                "k": "int, default 1\nHow many."},
    returns="list of tf.Tensor\nThe elements.",
    raises={"BadIndex": "The sequence is empty, and elements are asked for."},
    example=("[int(one) for one in choices([4, 4], k=2, seed=(1, 2))]", "[4, 4]"),
    witness={"population": (1, 2)},
)  # fmt: skip
@accepts_ndarray
def choices(
    population: Any, weights: Any = None, *, cum_weights: Any = None, k: Any = 1, seed: Any = None
) -> Any:
    return _draws.choices(seeds.look_up(seed), population, weights, cum_weights, k)


@random_native(
    "random.sample", "Draw elements of a sequence, without replacement.", law="python_sample",
    domain={"population": OneOf((True, True), (1.5, 1.5, 1.5, 1.5), (7, 7, 7)),
            "k": Integer(1, 4, typical=1)},
    parameters={"population": f"{_SEQUENCE}\nWhat is drawn from.", "k": "int\nHow many.",
                "counts": "optional\nRefused: repeat the elements in the list."},
    returns="list of tf.Tensor\nThe elements.", refused={"counts": "repeat the elements in the list"},
    example=("[int(one) for one in sample([4, 4], 2, seed=(1, 2))]", "[4, 4]"),
    witness={"population": (1, 2), "k": 1},
)  # fmt: skip
@accepts_ndarray
def sample(population: Any, k: Any, *, counts: Any = None, seed: Any = None) -> Any:
    return _draws.sample(seeds.look_up(seed), population, k, counts)


def shuffled_in_place(seed: Any, x: Any) -> None:
    """Bring the elements of a list or of an array with one axis into another order."""
    advice = "Write `x = numpy.random.permutation(x)`."
    if isinstance(x, list):
        x[:] = random_by("random.shuffle", shuffled, seed, x)
        return
    if not hasattr(type(x), "__pipeport_operand__"):
        given = f"a value of type {type(x).__name__}, which cannot be written to"
        raise WrongType(explain("x", given, "lists, and arrays of pipeport", advice))
    if x.ndim != 1:
        given = f"an array of {x.ndim} axes, of which the original doubles rows"
        raise OutsideDomain(explain("x", given, "arrays with one axis", advice))
    values = x._values
    count = values.shape[0] if values.shape[0] is not None else tf.size(values)
    x[...] = tf.gather(values, seeds.permutation(seed, count))


def shuffle(x: Any, *, seed: Any = None) -> None:
    """Bring the elements of a list into another order, in place.

    Native equivalent of `random.shuffle`.

    Parameters
    ----------
    x : list, or ndarray of pipeport with one axis
        Written to. A list holds numbers of one type, or arrays of one shape and dtype.
    seed : array_like of int, shape (2,), or None
        The draw is a function of it; None takes the ambient seed.

    Raises
    ------
    OutsideDomain
        `x` is an array of several axes.
    UnsupportedArgument
        There is no seed, the elements of a list have several types, or the array cannot be written to.
    WrongType
        `x` is a tensor or another value that cannot be written to.

    Examples
    --------
    >>> from pipeport.random import shuffle
    >>> x = [1, 2, 3]
    >>> shuffle(x, seed=(1, 2))
    >>> sorted(int(one) for one in x)
    [1, 2, 3]
    """
    shuffled_in_place(seeds.look_up(seed), x)


def seed(a: Any = None, version: Any = 2) -> NoReturn:
    """Refuse to seed all draws alike.

    Parameters
    ----------
    a, version : object
        Of no account.

    Raises
    ------
    UnsupportedArgument
        Always: a graph has no state from element to element.
    """
    given = f"random.seed({a!r}, version={version!r}), after which every element would draw the same"
    advice = "Give each element its seed with pipeport.seeds.seeded_map(function, seed)."
    raise UnsupportedArgument(explain("seed", given, "a seed per element", advice))
