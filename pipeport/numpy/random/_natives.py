"""The functions of `numpy.random` that draw numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport import seeds
from pipeport.arrays._random import random_native
from pipeport.contract import Integer, OneOf, PerAxis, Real
from pipeport.numpy._sized import by_position
from pipeport.numpy.random import _continuous, _discrete
from pipeport.numpy.random._arguments import SIZE, SIZES


def _no_negative_zero(arguments: Mapping[str, Any]) -> bool:
    """Whether no scale is -0.0, which NumPy refuses: as a constant it may become 0.0."""
    scales = (arguments.get(name, 1.0) for name in ("scale", "shape"))
    return not any(scale == 0 and math.copysign(1.0, scale) < 0 for scale in scales)


def _filled(arguments: Mapping[str, Any]) -> bool:
    """Whether draws are asked for: of none NumPy does not look at the bounds."""
    size = arguments.get("size")
    return size is None or 0 not in np.atleast_1d(size)


_ARRAY = "array_like of real numbers"
_FLOATS = "tf.Tensor, float64\n"
_COUNTS = "tf.Tensor, int64\n"
_PAIR = ", (2, 3), seed=(1, 2)).shape"
_SHAPE = "TensorShape([2, 3])"
_EACH = PerAxis(spec=Integer(0, 4), count=2, single=False)


def _number(reference: str, summary: str, law: str, kernel: Any) -> Any:
    """Return a native that takes nothing but sizes."""
    short = reference.rpartition(".")[2]

    def function(size: Any = None, *, seed: Any = None) -> Any:
        return _continuous.floats(kernel(), seeds.look_up(seed), size)

    function.__name__ = function.__qualname__ = short
    return random_native(
        reference, summary, law=law, domain={"size": SIZES}, parameters={"size": SIZE},
        returns=_FLOATS + "The numbers.", example=(f"{short}((2, 3), seed=(1, 2)).shape", _SHAPE),
        stated="(size=None)", witness={"size": (2, 3)},
    )(function)  # fmt: skip


def _by_sizes(reference: str, summary: str, law: str, kernel: Any) -> Any:
    """Return a native that takes sizes one by one."""
    short = reference.rpartition(".")[2]

    def function(args: Any, *, seed: Any = None) -> Any:
        return _continuous.by_sizes(kernel(), seeds.look_up(seed), args)

    function.__name__ = function.__qualname__ = short
    return random_native(
        reference, summary, law=law, domain={"args": _EACH},
        parameters={"*args": "int\nThe sizes, one by one; tensors and drawn numbers too."},
        returns=_FLOATS + "The numbers.", example=(f"{short}(2, 3, seed=(1, 2)).shape", _SHAPE),
        stated="(*args)", reference_call="pipeport.references._draws.spread", witness={"args": [2, 3]},
    )(by_position("args")(function))  # fmt: skip


def _uniform() -> Any:
    return seeds.uniform


def _normal() -> Any:
    return seeds.normal


random = _number("numpy.random.random", "Draw numbers from [0, 1).", "random", _uniform)
random_sample = _number("numpy.random.random_sample", "Draw numbers from [0, 1).", "random", _uniform)
standard_normal = _number(
    "numpy.random.standard_normal", "Draw from the normal distribution of mean 0 and deviation 1.",
    "standard_normal", _normal,
)  # fmt: skip
rand = _by_sizes(
    "numpy.random.rand", "Draw numbers from [0, 1), in sizes given one by one.", "rand", _uniform
)
randn = _by_sizes(
    "numpy.random.randn", "Draw standard normal numbers, in sizes given one by one.", "randn", _normal
)


@random_native(
    "numpy.random.uniform", "Draw numbers from an interval.", law="uniform",
    domain={"low": Real(-4, 4, tensor=True), "high": Real(-4, 4, tensor=True), "size": SIZES},
    parameters={"low": f"{_ARRAY}, default 0.0\nThe lower end.",
                "high": f"{_ARRAY}, default 1.0\nThe upper end, which rounding may reach.", "size": SIZE},
    returns=_FLOATS + "The numbers.", example=("uniform(-1, 1" + _PAIR, _SHAPE),
    stated="(low=0.0, high=1.0, size=None)", witness={"low": 0.0},
)  # fmt: skip
def uniform(low: Any = 0.0, high: Any = 1.0, size: Any = None, *, seed: Any = None) -> Any:
    return _continuous.uniform(seeds.look_up(seed), low, high, size)


@random_native(
    "numpy.random.normal", "Draw from a normal distribution.", law="normal",
    domain={"loc": Real(-4, 4, tensor=True), "scale": Real(-0.25, 4, tensor=True), "size": SIZES},
    parameters={"loc": f"{_ARRAY}, default 0.0\nThe mean.",
                "scale": f"{_ARRAY}, default 1.0\nThe standard deviation, not negative.", "size": SIZE},
    returns=_FLOATS + "The numbers.", example=("normal(0, 2" + _PAIR, _SHAPE),
    stated="(loc=0.0, scale=1.0, size=None)", witness={"loc": 0.0}, valid=_no_negative_zero,
)  # fmt: skip
def normal(loc: Any = 0.0, scale: Any = 1.0, size: Any = None, *, seed: Any = None) -> Any:
    return _continuous.normal(seeds.look_up(seed), loc, scale, size)


@random_native(
    "numpy.random.exponential", "Draw from an exponential distribution.", law="exponential",
    domain={"scale": Real(-0.25, 4, tensor=True), "size": SIZES},
    parameters={"scale": f"{_ARRAY}, default 1.0\nThe mean, not negative.", "size": SIZE},
    returns=_FLOATS + "The numbers.", example=("exponential(2" + _PAIR, _SHAPE),
    stated="(scale=1.0, size=None)", witness={"scale": 1.0}, valid=_no_negative_zero,
)  # fmt: skip
def exponential(scale: Any = 1.0, size: Any = None, *, seed: Any = None) -> Any:
    return _continuous.exponential(seeds.look_up(seed), scale, size)


@random_native(
    "numpy.random.gamma", "Draw from a gamma distribution.", law="gamma",
    domain={"shape": Real(-0.25, 9, tensor=True), "scale": Real(-0.25, 4, tensor=True), "size": SIZES},
    parameters={"shape": f"{_ARRAY}\nThe shape parameter, not negative.",
                "scale": f"{_ARRAY}, default 1.0\nThe scale, not negative.", "size": SIZE},
    returns=_FLOATS + "The numbers.", example=("gamma(2, 1" + _PAIR, _SHAPE),
    stated="(shape, scale=1.0, size=None)", witness={"shape": 2.0}, valid=_no_negative_zero,
)  # fmt: skip
def gamma(shape: Any, scale: Any = 1.0, size: Any = None, *, seed: Any = None) -> Any:
    return _continuous.gamma(seeds.look_up(seed), shape, scale, size)


@random_native(
    "numpy.random.beta", "Draw from a beta distribution.", law="beta",
    domain={"a": Real(0, 5, tensor=True), "b": Real(0, 5, tensor=True), "size": SIZES},
    parameters={"a": f"{_ARRAY}\nFirst parameter, positive.", "b": f"{_ARRAY}\nSecond parameter, positive.",
                "size": SIZE},
    returns=_FLOATS + "The numbers, from 0 to 1.", example=("beta(2, 3" + _PAIR, _SHAPE),
    stated="(a, b, size=None)", witness={"a": 1.0, "b": 1.0},
)  # fmt: skip
def beta(a: Any, b: Any, size: Any = None, *, seed: Any = None) -> Any:
    return _continuous.beta(seeds.look_up(seed), a, b, size)


@random_native(
    "numpy.random.randint", "Draw whole numbers from a range.", law="randint",
    domain={"low": Integer(-9, 40, tensor=True), "high": Integer(-9, 90, tensor=True), "size": SIZES,
            "dtype": OneOf(int, "bool", "int8", "uint8", "int32", "uint32", "int64", "uint64")},
    parameters={"low": "array_like of int\nThe smallest number; one above the largest without `high`.",
                "high": "array_like of int or None, default None\nOne above the largest number.",
                "size": SIZE,
                "dtype": "dtype, default int\nOf the result: bool or whole numbers."},
    returns="tf.Tensor, dtype `dtype`\nThe numbers.", example=("randint(0, 9" + _PAIR, _SHAPE),
    stated="(low, high=None, size=None, dtype=int)", witness={"low": 5}, valid=_filled,
)  # fmt: skip
def randint(low: Any, high: Any = None, size: Any = None, dtype: Any = int, *, seed: Any = None) -> Any:
    return _discrete.integers(seeds.look_up(seed), low, high, size, dtype)


@random_native(
    "numpy.random.poisson", "Draw counts from a Poisson distribution.", law="poisson",
    domain={"lam": Real(-0.5, 40, tensor=True), "size": SIZES},
    parameters={"lam": f"{_ARRAY}, default 1.0\nThe mean, not negative.", "size": SIZE},
    returns=_COUNTS + "The counts.", example=("poisson(3" + _PAIR, _SHAPE),
    stated="(lam=1.0, size=None)", witness={"lam": 1.0},
)  # fmt: skip
def poisson(lam: Any = 1.0, size: Any = None, *, seed: Any = None) -> Any:
    return _discrete.poisson(seeds.look_up(seed), lam, size)


@random_native(
    "numpy.random.binomial", "Draw counts from a binomial distribution.", law="binomial",
    domain={"n": Integer(-1, 60, tensor=True), "p": Real(-0.05, 1.05, tensor=True), "size": SIZES},
    parameters={"n": "array_like of int\nNumber of trials, from 0 to 2**53.",
                "p": f"{_ARRAY}\nProbability of a success.", "size": SIZE},
    returns=_COUNTS + "The numbers of successes.", example=("binomial(9, 0.5" + _PAIR, _SHAPE),
    stated="(n, p, size=None)", witness={"n": 3, "p": 0.5},
)  # fmt: skip
def binomial(n: Any, p: Any, size: Any = None, *, seed: Any = None) -> Any:
    return _discrete.binomial(seeds.look_up(seed), n, p, size)
