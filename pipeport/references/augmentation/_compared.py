"""Are the native's draws and the reference's of one distribution? Two samples of categories, compared."""

from __future__ import annotations

import inspect
import itertools
import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport.references.augmentation._driven import Resolve, converter

# A test's approximation wants so many in each category; rarer ones are put together.
_FEWEST = 10
_UNAPPLIED = "not applied"
# Of a float; two of them make sixty-four categories of 2,000 draws.
_INTERVALS, _TOGETHER = 8, 2
# Where there are more floats, each is looked at alone, and with each other one in fewer intervals.
_FEWER = 4
# What is not a draw of the transform itself: the size, a seed for what is drawn later, a matrix given twice.
_NO_DRAWS = ("shape", "seed", "random_seed", "matrix_bbox")
# Of whole numbers: more of them are intervals too.
_CATEGORIES = 16
# What stands for the end of an array that is shorter than others.
_NOTHING = -1.0
# OpenCV's generator begins with one of 2**16 seeds, and its first normal number is not normal.
_FIRST_NOISE = "noise_map(0, 0"


def compare_draws(
    reference: Any, native: Any, drawn: Any, shape: tuple[int, ...], resolve: Resolve, run: int = 0
) -> float:
    """Test the draws of a native against those of its reference.

    A draw is one category: of a transform, its parameters or that it is not applied; of a composition, which
    of its transforms are applied. Of a parameter that is a float, the category is an interval: all are as
    frequent among the draws of both sides together. Of more than two floats every one is tested alone, and
    every two of them together.

    Parameters
    ----------
    reference, native : object
        Transforms or compositions made with the same arguments.
    drawn : nest of numpy.ndarray
        Draws of the native, with a leading axis.
    shape : tuple of int
        Of the image they are drawn for.
    resolve : callable
        Dotted name to object.
    run : int, default 0
        Seed of the reference's draws.

    Returns
    -------
    float
        The p-value of a chi-square test that both are of one distribution; of several tests the smallest,
        times their number.
    """
    count = len(drawn["applied"])
    for index, node in enumerate(_nodes(reference)):
        # Not one seed for all, as the reference's own does it: equal probabilities then draw in step.
        node.random_generator = np.random.default_rng((run, index))
        node.py_random = random.Random(repr((run, index)))
    if "transforms" in drawn:
        ours = ["".join("01"[int(flag)] for flag in row) for row in zip(*_flags(drawn), strict=True)]
        return _same_categories(ours, _patterns(reference, count, shape))
    convert, image = converter(native, resolve), np.zeros(shape, np.uint8)
    each = ({name: values[i] for name, values in drawn["params"].items()} for i in range(count))
    native_draws = [
        convert(params, native, image) if applied else None
        for params, applied in zip(each, drawn["applied"], strict=True)
    ]
    reference_draws = [_reference_draw(reference, image) for _ in range(count)]
    natives, references = (
        [None if one is None else _flat(one) for one in draws] for draws in (native_draws, reference_draws)
    )
    draws = [*natives, *references]
    _fill_up(draws)
    floats = _floats(draws)
    rest = [None if draw is None else _without(draw, floats) for draw in draws]
    found = []
    for together, intervals in _tests(floats):
        categories = _categories(draws, rest, together, intervals)
        found.append(_same_categories(categories[:count], categories[count:]))
    return min(1.0, min(found) * len(found))


def _flat(draw: Mapping[str, Any]) -> dict[str, Any]:
    """Return the numbers of a draw, those of arrays and mappings under names of their own."""
    found: dict[str, Any] = {}
    for name, value in draw.items():
        if name in _NO_DRAWS:
            continue
        if isinstance(value, Mapping):
            found |= _flat({f"{name}.{key}": one for key, one in value.items()})
        elif isinstance(value, (np.ndarray, tuple, list)):
            found |= {f"{name}{at}": number.item() for at, number in np.ndenumerate(np.asarray(value))}
        else:
            found[name] = value
    return found


def _fill_up(draws: list[dict[str, Any] | None]) -> None:
    """Give all draws the same names, where they hold arrays of unlike sizes, and those that are looked at."""
    names = {name for draw in draws if draw is not None for name in draw}
    for draw in filter(None, draws):
        draw |= dict.fromkeys(names - set(draw), _NOTHING)
        for name in names:
            if name.startswith(_FIRST_NOISE):
                del draw[name]


def _tests(floats: list[str]) -> list[tuple[tuple[str, ...], int]]:
    """Return which floats are looked at together in each test, and in how many intervals each."""
    if len(floats) <= _TOGETHER:
        return [(tuple(floats), _INTERVALS)]
    alone = [((name,), _INTERVALS) for name in floats]
    return alone + [(pair, _FEWER) for pair in itertools.combinations(floats, 2)]


def _floats(draws: list[dict[str, Any] | None]) -> list[str]:
    """Return the parameters that are floats, or as many whole numbers as floats, and not always the same."""
    known = [draw for draw in draws if draw is not None]
    values = {name: {draw[name] for draw in known} for name in (known[0] if known else {})}
    return [
        name
        for name, seen in values.items()
        if len(seen) > (1 if isinstance(known[0][name], float) else _CATEGORIES)
    ]


def _without(draw: Mapping[str, Any], floats: list[str]) -> str:
    """Return everything of a draw that is not a float."""
    names = sorted(set(draw) - set(floats))
    return repr({name: draw[name] for name in names if not isinstance(draw[name], float)})


def _categories(
    draws: list[dict[str, Any] | None], rest: list[str | None], floats: tuple[str, ...], intervals: int
) -> list[str]:
    """Return of each draw the intervals of some floats, and everything that is not a float."""
    known = [draw for draw in draws if draw is not None]
    inner = np.linspace(0, 1, intervals + 1)[1:-1]
    columns = [[draw[name] for draw in known] for name in floats]
    places = [np.searchsorted(np.quantile(column, inner), column).tolist() for column in columns]
    at = iter(zip(*places, strict=True) if places else [()] * len(known))
    return [_UNAPPLIED if one is None else f"{next(at)} {one}" for one in rest]


def _reference_draw(reference: Any, image: Any) -> dict[str, Any] | None:
    """Return the parameters that the reference draws, or None where it is not applied."""
    if not reference.should_apply():
        return None
    params = {"shape": image.shape}
    found = {**reference.get_params(), **reference.get_params_dependent_on_data(params, {"image": image})}
    return {n: v.item() if isinstance(v, np.generic) else v for n, v in found.items()}


def _flags(drawn: Mapping[str, Any]) -> list[Any]:
    """Return the flags of the transforms, in order."""
    if "transforms" not in drawn:
        return [drawn["applied"]]
    return [flag for part in drawn["transforms"] for flag in _flags(part)]


def _nodes(reference: Any) -> list[Any]:
    """Return a transform, or a composition and all its parts, in order."""
    return [reference, *(node for part in _parts(reference) for node in _nodes(part))]


def _parts(reference: Any) -> list[Any]:
    """Return the parts of a composition; ColorJitter has functions where these have parts."""
    return [part for part in getattr(reference, "transforms", ()) if not inspect.isfunction(part)]


def _patterns(reference: Any, count: int, shape: tuple[int, ...]) -> list[str]:
    """Return which transforms the reference applied in each of many calls."""
    leaves = [node for node in _nodes(reference) if not _parts(node)]
    seen: set[int] = set()
    for index, leaf in enumerate(leaves):
        leaf.apply_with_params = _noting(seen, index)
    image, found = np.zeros(shape, np.uint8), []
    for _ in range(count):
        seen.clear()
        reference(image=image)
        found.append("".join("01"[index in seen] for index in range(len(leaves))))
    return found


def _noting(seen: set[int], index: int) -> Callable[..., Any]:
    """Return a stand-in for `apply_with_params` that notes who was applied, and changes nothing."""

    def applied(params: Any, **data: Any) -> Any:  # noqa: ARG001 - the reference's signature
        seen.add(index)
        return data

    return applied


def _same_categories(one: list[str], other: list[str]) -> float:
    """Return the p-value of two samples of categories."""
    from scipy.stats import chi2_contingency

    counts = [Counter(one), Counter(other)]
    table = np.array([[count[value] for value in sorted({*one, *other})] for count in counts])
    rare = table.sum(0) < _FEWEST
    if rare.any() and not rare.all():
        table = np.concatenate([table[:, ~rare], table[:, rare].sum(1, keepdims=True)], 1)
    return float(chi2_contingency(table).pvalue) if table.shape[1] > 1 else 1.0
