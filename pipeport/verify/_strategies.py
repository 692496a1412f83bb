"""From a domain to Hypothesis: one strategy per kind of spec, as open as `functools.singledispatch`.

A new kind of spec is taught to verify by `@strategy.register` on a function `(spec, scene)`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st

from pipeport.contract import ArrayList, Maybe, PerAxis, Shaped, Spec
from pipeport.errors import OutsideDomain, explain
from pipeport.verify._arrays import contents

Strategy = st.SearchStrategy[Any]

# Few shapes where each one costs a trace; rows and columns differ, one is square, one degenerate.
POOL = ((3, 2, 3, 2), (3, 3, 2, 3), (1, 6, 2, 4), (12, 7, 1, 3))


@dataclass(frozen=True)
class Scene:
    """What a strategy may look at: the arguments drawn before, and how freely sizes are drawn.

    Attributes
    ----------
    drawn : mapping of str to object
        Arguments drawn so far.
    free : bool
        Whether every size is drawn, or shapes come from a small pool.
    sizes : dict of str to int
        Sizes bound to a name, shared by all inputs of the example.
    """

    drawn: Mapping[str, Any] = field(default_factory=dict)
    free: bool = True
    sizes: dict[str, int] = field(default_factory=dict)

    def rank(self, name: str) -> int:
        """Return the rank of an array drawn before; of a list of arrays, that of each."""
        return len(self.shape(name))

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of an array drawn before; of a list of arrays, that of the first."""
        value = self.drawn[name]
        return np.shape(value[0] if isinstance(value, list) else value)


@functools.singledispatch
def strategy(spec: Any, scene: Scene) -> Strategy:  # noqa: ARG001 - the registered functions use it
    """Return the strategy of one parameter.

    Parameters
    ----------
    spec : Spec
        What the parameter may be.
    scene : Scene
        What was drawn before.

    Returns
    -------
    SearchStrategy
        Of values: NumPy arrays for arrays, Python values for everything else.

    Raises
    ------
    OutsideDomain
        The kind of spec is not known here.
    """
    raise OutsideDomain(
        explain(
            "spec",
            type(spec).__name__,
            "a spec of pipeport.contract",
            "Register a strategy for it with pipeport.verify._strategies.strategy.register.",
        )
    )


def refers_to(spec: Spec) -> set[str]:
    """Return the parameters that must be drawn before one of this spec."""
    named: set[str] = {
        getattr(spec, key) for key in ("of", "axes", "axis", "image") if getattr(spec, key, None)
    }
    if isinstance(spec, Shaped):
        named |= {size.partition(".")[0] for size in spec.shape if isinstance(size, str)}
    return named | (refers_to(spec.spec) if isinstance(spec, (Maybe, PerAxis)) else set())


def in_order(specs: Mapping[str, Spec]) -> list[tuple[str, Spec]]:
    """Return the specs so that each comes after those it refers to."""
    waiting, done = dict(specs), list[tuple[str, Spec]]()
    while waiting:
        ready = [name for name, spec in waiting.items() if not refers_to(spec) & waiting.keys()]
        # A list of arrays and the axis along which they differ name each other: the list goes first.
        ready = ready or [name for name, spec in waiting.items() if isinstance(spec, ArrayList)][:1]
        if not ready:
            raise OutsideDomain(
                explain("domain", ", ".join(waiting), "specs without a circle of references", "Mend it.")
            )
        done += [(name, waiting.pop(name)) for name in ready]
    return done


def sides(count: int, low: int, high: int, scene: Scene) -> Strategy:
    if scene.free:
        return st.tuples(*[st.integers(low, high)] * count)
    shapes = [tuple(min(max(side, low), high) for side in shape[:count]) for shape in POOL]
    shapes = [(*s, *[low] * (count - len(s))) for s in shapes]
    if low == 0 and count:
        shapes.append((0, *shapes[0][1:]))
    return st.sampled_from(list(dict.fromkeys(shapes)))


def filled(dtypes: tuple[str, ...], shapes: Strategy, spec: Any) -> Strategy:
    """Return the strategy of arrays of one of the dtypes and shapes, with values as the spec has them."""
    return st.tuples(st.sampled_from(dtypes), shapes).flatmap(lambda drawn: contents_of(spec, *drawn))


def contents_of(spec: Any, dtype: str, shape: tuple[int, ...]) -> Strategy:
    low, high = getattr(spec, "values", (-100.0, 100.0))
    special = getattr(spec, "non_finite", True)
    # Images take the whole range of an integer dtype; what has a meaning (coordinates) its own.
    stated = np.dtype(dtype).kind == "f" or isinstance(spec, Shaped)
    return contents(dtype, shape, *((low, high) if stated else (None, None)), nan=special, inf=special)


@functools.singledispatch
def again(spec: Any, value: Any, scene: Scene) -> Strategy:
    """Return the strategy of other values of the same form, for which a graph need not be traced anew.

    Parameters
    ----------
    spec : Spec
        What the parameter may be.
    value : object
        What was drawn before: its dtype and shape, or its nesting, stay.
    scene : Scene
        The example's other arguments.

    Returns
    -------
    SearchStrategy
        Of values; `value` itself where another draw has another form.
    """
    return strategy(spec, scene).map(lambda other: other if same_form(other, value) else value)


def same_form(one: Any, other: Any) -> bool:
    """Return whether two Python values become tensors of one shape, or are both None."""
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(one) == len(other) and all(map(same_form, one, other))
    if isinstance(one, (tuple, list)) or isinstance(other, (tuple, list)):
        return False
    return (one is None) == (other is None)


def number(low: float, high: float, favourites: tuple[float, ...]) -> Strategy:
    known = [v for v in favourites if low <= v <= high]
    choices: list[Strategy] = [st.sampled_from(known)] if known else []
    if math.ceil(low) <= math.floor(high):
        choices.append(st.integers(math.ceil(low), math.floor(high)))
    return st.one_of(*choices, st.floats(low, high, allow_subnormal=False))
