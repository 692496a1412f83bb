"""Which draws the random functions of NumPy and of Python can give, and how likely they are."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

Arguments = Mapping[str, Any]
Test = Callable[[Any], float]

# Draws of one call, and calls with a seed each.
_LONG, _MANY = 4000, 200


def spread(arguments: Arguments) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Call a reference that takes sizes one by one."""
    return tuple(arguments["args"]), {}


def by_position(arguments: Arguments) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Call a reference whose parameters have no names to be given by."""
    return tuple(arguments.values()), {}


@dataclass(frozen=True)
class Trial:
    """One test of draws: the arguments, where sizes go, and the p-value of what was drawn.

    `test`: gives the p-value of a row of draws. `sized`: adds the number of draws of one call; None where
    there is only one draw per call.
    """

    arguments: Arguments
    test: Test
    sized: Arguments | None = None


@dataclass(frozen=True)
class Law:
    """The possible values of a random function, and their probabilities.

    `reference`: calls the reference with arguments by name. `support`: whether draws for arguments are
    possible, their shape and dtype apart.
    """

    reference: Callable[..., Any]
    support: Callable[[Arguments, Any], bool]
    trials: Callable[[], list[Trial]]

    def given(self, arguments: Arguments, outputs: Any) -> list[Any]:
        """Return the outputs if the reference might have given them, else what it gives."""
        right = np.asarray(self.reference(**arguments))
        found = np.asarray(outputs)
        fits = found.shape == right.shape and found.dtype == right.dtype
        return [found if fits and self.support(arguments, found) else right]

    def statistic(self, native: Callable[..., Any]) -> float:
        """Return the probability of draws as unlikely, the worst of all tests times their number."""
        worst: list[float] = []
        for index, trial in enumerate(self.trials()):
            named = dict(trial.arguments)
            by_position = named.pop("args", ())  # a traced function takes them so alone
            if trial.sized is not None:
                long = native(*by_position, **named, **trial.sized, seed=np.array([index, 77], np.int32))
                worst.append(trial.test(np.asarray(long).ravel()))
            if trial.sized is None or not index:
                seeds = [np.array([index, k], np.int32) for k in range(_MANY)]
                several = np.array([native(*by_position, **named, seed=one) for one in seeds])
                worst.append(trial.test(several))
        return min(1.0, min(worst) * len(worst))


def _sized(**arguments: Any) -> Arguments:
    return arguments


_SIZE = _sized(size=_LONG)


def _fits(name: str, *parameters: Any) -> Test:
    """Return the test of Kolmogorov and Smirnov against a continuous law of SciPy."""

    def test(values: Any) -> float:
        from scipy import stats

        return float(stats.kstest(values.ravel().astype(float), getattr(stats, name)(*parameters).cdf).pvalue)

    return test


def _counts(chances: Mapping[Any, float]) -> Test:
    """Return the chi-square test against stated chances; a value without one is impossible."""

    def test(values: Any) -> float:
        from scipy import stats

        rows = [tuple(row) if np.ndim(row) else row.item() for row in values]
        seen = [rows.count(value) for value in chances]
        if sum(seen) != len(rows):
            return 0.0
        return float(stats.chisquare(seen, np.array(list(chances.values())) * len(rows)).pvalue)

    return test


def _binned(name: str, *parameters: Any) -> Test:
    """Return the chi-square test against a discrete law of SciPy, in cells of five and more."""

    def test(values: Any) -> float:
        from scipy import stats

        law = getattr(stats, name)(*parameters)
        edges, low = [-1], 0.0
        for k in range(int(law.ppf(1 - 1e-9)) + 1):
            if (law.cdf(k) - low) * len(values) >= 5 and law.sf(k) * len(values) >= 5:
                edges.append(k)
                low = law.cdf(k)
        chances = np.diff([*(0.0 if k < 0 else law.cdf(k) for k in edges), 1.0])
        seen = np.bincount(np.searchsorted(edges, values, side="left") - 1, minlength=len(chances))
        return 1.0 if len(chances) < 2 else float(stats.chisquare(seen, chances * len(values)).pvalue)

    return test


def _numpy_call(name: str, *args: Any, **arguments: Any) -> Any:
    return getattr(np.random, name)(*args, **arguments)


def _numpy(name: str) -> Callable[..., Any]:
    def call(**arguments: Any) -> Any:
        return _numpy_call(name, **arguments)

    return call


def _python(name: str) -> Callable[..., Any]:
    def call(**arguments: Any) -> Any:
        import random

        args, named = by_position(arguments) if name == "getrandbits" else ((), arguments)
        return getattr(random, name)(*args, **named)

    return call


def _inside(low: float, high: float) -> Callable[[Arguments, Any], bool]:
    def support(arguments: Arguments, values: Any) -> bool:  # noqa: ARG001
        return bool(np.all((values >= low) & (values <= high)))

    return support


def _between(low: str, high: str, less: int = 0) -> Callable[[Arguments, Any], bool]:
    """Return the support between two parameters; narrow ones may have been rounded on their way."""

    def support(arguments: Arguments, values: Any) -> bool:
        one, other = arguments.get(low, 0.0), arguments.get(high, 1.0)
        one, other = (0, one) if other is None else (one, other)
        first, last = min(one, other), max(one, other) - less
        slack = (
            0 if isinstance(first, int) and isinstance(last, int) else 1e-6 * max(1, abs(first), abs(last))
        )
        return bool(np.all((values >= first - slack) & (values <= last + slack)))

    return support


def _finite(arguments: Arguments, values: Any) -> bool:  # noqa: ARG001
    return bool(np.isfinite(values).all())


_UNIT = _inside(0.0, np.nextafter(1.0, 0.0))
_POSITIVE = _inside(0.0, np.inf)

random = Law(_numpy("random"), _UNIT, lambda: [Trial({}, _fits("uniform"), _SIZE)])
standard_normal = Law(_numpy("standard_normal"), _finite, lambda: [Trial({}, _fits("norm"), _SIZE)])
rand = Law(
    lambda args: _numpy_call("rand", *args),
    _UNIT,
    lambda: [Trial({"args": []}, _fits("uniform")), *_long_args("uniform")],
)
randn = Law(
    lambda args: _numpy_call("randn", *args),
    _finite,
    lambda: [Trial({"args": []}, _fits("norm")), *_long_args("norm")],
)


def _long_args(name: str) -> list[Trial]:
    return [Trial({"args": [4, 5]}, _fits(name))]


uniform = Law(
    _numpy("uniform"), _between("low", "high"),
    lambda: [Trial({"low": -2.0, "high": 3.0}, _fits("uniform", -2, 5), _SIZE),
             Trial({"low": 1.0, "high": 0.5}, _fits("uniform", 0.5, 0.5), _SIZE)],
)  # fmt: skip
normal = Law(
    _numpy("normal"), _finite, lambda: [Trial({"loc": -2.0, "scale": 3.0}, _fits("norm", -2, 3), _SIZE)]
)
exponential = Law(
    _numpy("exponential"), _POSITIVE, lambda: [Trial({"scale": 3.0}, _fits("expon", 0, 3), _SIZE)]
)
gamma = Law(
    _numpy("gamma"), _POSITIVE,
    lambda: [Trial({"shape": k, "scale": 2.0}, _fits("gamma", k, 0, 2.0), _SIZE) for k in (0.3, 1.0, 7.5)],
)  # fmt: skip
beta = Law(
    _numpy("beta"), _inside(0.0, 1.0),
    lambda: [Trial({"a": a, "b": b}, _fits("beta", a, b), _SIZE)
             for a, b in ((0.4, 0.7), (1.0, 3.0), (5.0, 2.0))],
)  # fmt: skip
poisson = Law(
    _numpy("poisson"), _POSITIVE,
    lambda: [Trial({"lam": m}, _binned("poisson", m), _SIZE) for m in (0.7, 9.5, 10.5, 200.0)],
)  # fmt: skip


def _successes(arguments: Arguments, values: Any) -> bool:
    return bool(np.all((values >= 0) & (values <= arguments["n"])))


binomial = Law(
    _numpy("binomial"), _successes,
    lambda: [Trial({"n": n, "p": p}, _binned("binom", n, p), _SIZE)
             for n, p in ((1, 0.3), (20, 0.4), (40, 0.5), (90, 0.8), (400, 0.05))],
)  # fmt: skip


def _evenly(values: Any) -> Test:
    return _counts(dict.fromkeys(values, 1 / len(values)))


randint = Law(
    _numpy("randint"), _between("low", "high", 1),
    lambda: [Trial({"low": -2, "high": 5}, _evenly(range(-2, 5)), _SIZE),
             Trial({"low": 3}, _evenly(range(3)), _SIZE),
             Trial({"low": 0, "high": 7, "dtype": "uint8"}, _evenly(range(7)), _SIZE)],
)  # fmt: skip


def _chosen(arguments: Arguments, values: Any) -> bool:
    """Whether each is an element with a chance, and none comes oftener than it is there, if that counts."""
    a, p = list(arguments["a"]), arguments.get("p")
    left = [one for at, one in enumerate(a) if p is None or p[at] > 0]
    for value in values.ravel():
        at = next(
            (at for at, one in enumerate(left) if one == value or (one != one and value != value)), None
        )
        if at is None:
            return False
        if not arguments.get("replace", True):
            del left[at]
    return True


_P = np.array([0.1, 0.0, 0.6, 0.3])


def _choices() -> list[Trial]:
    a = np.array([4.0, 5.0, 6.0, 7.0])
    even = _evenly(a.tolist())
    by_chance = _counts({4.0: 0.1, 6.0: 0.6, 7.0: 0.3})
    pairs = list(itertools.permutations(a.tolist(), 2))
    ahead = {(a[i], a[j]): _P[i] * _P[j] / (1 - _P[i]) for i, j in itertools.permutations((0, 2, 3), 2)}
    return [
        Trial({"a": a}, even, _SIZE),
        Trial({"a": a, "p": tuple(_P)}, by_chance, _SIZE),
        Trial({"a": a, "replace": False, "size": 2}, _evenly(pairs)),
        Trial({"a": a, "replace": False, "size": 2, "p": tuple(_P)}, _counts(ahead)),
        Trial({"a": np.array(3)}, _evenly(range(3)), _SIZE),
    ]


choice = Law(_numpy("choice"), _chosen, _choices)


def _rearranged(arguments: Arguments, values: Any) -> bool:
    rows = [row.tobytes() for row in np.asarray(arguments["x"])]
    return sorted(rows) == sorted(row.tobytes() for row in values)


permutation = Law(
    _numpy("permutation"), _rearranged,
    lambda: [Trial({"x": np.array([1, 2, 3])}, _evenly(list(itertools.permutations((1, 2, 3))))),
             Trial({"x": np.array(3)}, _evenly(list(itertools.permutations((0, 1, 2)))))],
)  # fmt: skip

python_random = Law(_python("random"), _UNIT, lambda: [Trial({}, _fits("uniform"))])
python_uniform = Law(
    _python("uniform"), _between("a", "b"),
    lambda: [Trial({"a": 3.0, "b": -1.0}, _fits("uniform", -1, 4))],
)  # fmt: skip
python_gauss = Law(
    _python("gauss"), _finite,
    lambda: [Trial({"mu": 1.0, "sigma": 2.0}, _fits("norm", 1, 2)), Trial({}, _fits("norm"))],
)  # fmt: skip
python_triangular = Law(
    _python("triangular"), _between("low", "high"),
    lambda: [Trial({"low": -1.0, "high": 3.0}, _fits("triang", 0.5, -1, 4)),
             Trial({"low": 0.0, "high": 4.0, "mode": 1.0}, _fits("triang", 0.25, 0, 4))],
)  # fmt: skip
python_betavariate = Law(
    _python("betavariate"), _inside(0.0, 1.0),
    lambda: [Trial({"alpha": 0.5, "beta": 2.0}, _fits("beta", 0.5, 2.0))],
)  # fmt: skip
python_expovariate = Law(
    _python("expovariate"), _finite, lambda: [Trial({"lambd": 0.5}, _fits("expon", 0, 2))]
)
python_randint = Law(
    _python("randint"), _between("a", "b"), lambda: [Trial({"a": -1, "b": 3}, _evenly(range(-1, 4)))]
)


def _of_range(arguments: Arguments, values: Any) -> bool:
    start, stop, step = arguments["start"], arguments.get("stop"), arguments.get("step", 1)
    return int(values) in (range(start) if stop is None else range(start, stop, step))


python_randrange = Law(
    _python("randrange"), _of_range,
    lambda: [Trial({"start": 4}, _evenly(range(4))),
             Trial({"start": 9, "stop": 1, "step": -3}, _evenly(range(9, 1, -3)))],
)  # fmt: skip
python_getrandbits = Law(
    _python("getrandbits"), lambda arguments, values: 0 <= int(values) < 2 ** arguments["k"],
    lambda: [Trial({"k": 2}, _evenly(range(4))),
             Trial({"k": 40}, _fits("uniform", 0, 2.0**40))],
)  # fmt: skip
python_choice = Law(
    _python("choice"), lambda arguments, values: values.item() in arguments["seq"],
    lambda: [Trial({"seq": (4, 5, 6)}, _evenly((4, 5, 6)))],
)  # fmt: skip


def _same(arguments: Arguments, values: Any) -> bool:  # noqa: ARG001
    return False  # what is drawn from holds one value: the reference's result is the only one there is


_PAIRS = _evenly(list(itertools.permutations((1, 2, 3), 2)))
_WEIGHED = _counts({(1, 1): 0.0625, (1, 2): 0.1875, (2, 1): 0.1875, (2, 2): 0.5625})


@dataclass(frozen=True)
class Listed(Law):
    """Of a function that gives a list: what it draws from holds one value, so that there is one result."""

    def given(self, arguments: Arguments, outputs: Any) -> list[Any]:  # noqa: ARG002
        """Return the result of the reference."""
        return [self.reference(**arguments)]


python_choices = Listed(
    _python("choices"), _same,
    lambda: [Trial({"population": (1, 2), "weights": (1, 3), "k": 2}, _WEIGHED),
             Trial({"population": (1, 2), "cum_weights": (1, 4), "k": 2}, _WEIGHED)],
)  # fmt: skip
python_sample = Listed(_python("sample"), _same, lambda: [Trial({"population": (1, 2, 3), "k": 2}, _PAIRS)])
