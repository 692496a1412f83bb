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

from pipeport.contract import LARGE, ArrayList, Maybe, PerAxis, Shaped, Spec
from pipeport.errors import OutsideDomain, explain
from pipeport.verify._arrays import contents

Strategy = st.SearchStrategy[Any]

# Few shapes where each one costs a trace; rows and columns differ, one is square, one degenerate.
# Coordinates: as they come, in half of the examples; or parts of a pixel, 32 as in OpenCV's tables.
STEPS = (0, 0, 0, 0, 0, 1, 2, 3, 4, 32)
POOL = ((3, 2, 3, 2), (3, 3, 2, 3), (1, 6, 2, 4), (12, 7, 1, 3))


@dataclass(frozen=True)
class Scene:
    """The context of a strategy: the arguments drawn before, and how freely sizes are drawn.

    `free`: whether every size is drawn, or shapes come from a small pool. `sizes`: sizes bound to a name,
    shared by all inputs of the example. `large`: whether the array to draw is an image of a common size, one
    of `contract.LARGE`. `scale`: how many times larger the example's large image is than the largest tiny
    one: positions, shifts and sizes grow with it. One where there is none.
    """

    drawn: Mapping[str, Any] = field(default_factory=dict)
    free: bool = True
    sizes: dict[str, int] = field(default_factory=dict)
    large: bool = False
    scale: float = 1.0

    def plane(self) -> tuple[int, int] | None:
        """Return rows and columns of the first array drawn before that has them."""
        for value in self.drawn.values():
            if isinstance(value, np.ndarray) and value.ndim > 1 and value.size:
                rows, columns = value.shape[1:3] if value.ndim == 4 else value.shape[:2]
                return int(rows), int(columns)
        return None

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

    Returns: of values: NumPy arrays for arrays, Python values for everything else.
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
    if scene.large:
        # What stands behind rows and columns stays small: channels, or a few slices.
        return st.sampled_from(LARGE).map(lambda plane: (*plane[:count], *[2] * (count - 2)))
    if scene.free:
        return st.tuples(*[st.integers(low, high)] * count)
    shapes = [tuple(min(max(side, low), high) for side in shape[:count]) for shape in POOL]
    shapes = [(*s, *[low] * (count - len(s))) for s in shapes]
    if low == 0 and count:
        shapes.append((0, *shapes[0][1:]))
    return st.sampled_from(list(dict.fromkeys(shapes)))


def filled(dtypes: tuple[str, ...], shapes: Strategy, spec: Any, scale: float = 1.0) -> Strategy:
    """Return the strategy of arrays of one of the dtypes and shapes, with values as the spec has them."""
    return st.tuples(st.sampled_from(dtypes), shapes).flatmap(lambda drawn: contents_of(spec, *drawn, scale))


def contents_of(spec: Any, dtype: str, shape: tuple[int, ...], scale: float = 1.0) -> Strategy:
    low, high = getattr(spec, "values", (-100.0, 100.0))
    special = getattr(spec, "non_finite", True)
    # Images take the whole range of an integer dtype; what has a meaning (coordinates) its own.
    floating = np.dtype(dtype).kind == "f"
    ends = (low * scale, high * scale) if floating or isinstance(spec, Shaped) else (None, None)
    if not (isinstance(spec, Shaped) and floating):
        return contents(dtype, shape, *ends, nan=special, inf=special)
    # Half of what may be coordinates lies on pixels, between them, or on simple fractions.
    steps = st.sampled_from(STEPS)
    return steps.flatmap(lambda step: contents(dtype, shape, *ends, nan=special, inf=special, step=step))


@functools.singledispatch
def again(spec: Any, value: Any, scene: Scene) -> Strategy:
    """Return the strategy of other values of the same form, for which a graph need not be traced anew.

    `value`: what was drawn before: its dtype and shape, or its nesting, stay. Returns: of values; `value`
    itself where another draw has another form.
    """
    return strategy(spec, scene).map(lambda other: other if same_form(other, value) else value)


def same_form(one: Any, other: Any) -> bool:
    """Return whether two Python values become tensors of one shape, or are both None."""
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(one) == len(other) and all(map(same_form, one, other))
    if isinstance(one, (tuple, list)) or isinstance(other, (tuple, list)):
        return False
    return (one is None) == (other is None)


def centres(plane: tuple[int, int]) -> list[tuple[float, float]]:
    """Return the centres of an image as people compute them, on and between pixels, (column, row)."""
    rows, columns = plane
    return [
        ((columns - 1) / 2, (rows - 1) / 2),
        (columns / 2, rows / 2),
        (float(columns // 2), float(rows // 2)),
        (rows / 2, columns / 2),
    ]


def half(structured: Strategy, free: Strategy) -> Strategy:
    """Return the strategy of values of which every second one is structured; failures shrink to those."""
    return st.booleans().flatmap(lambda freely: free if freely else structured)


def number(low: float, high: float, favourites: tuple[float, ...], *more: Strategy) -> Strategy:
    """Return the strategy of numbers in a range: half of them favourites, whole numbers, simple fractions.

    `favourites`: values drawn often, the simplest first; those outside the range are left out. `*more`:
    further structured values, inside the range.
    """
    known = [v for v in favourites if low <= v <= high]
    choices: list[Strategy] = [st.sampled_from(known)] if known else []
    choices += [multiples(low, high, 1, d) for d in (1, 2, 3, 4)]
    free = st.floats(low, high, allow_subnormal=False)
    return half(st.one_of(*choices, *more), free)


def multiples(low: float, high: float, of: float, parts: int = 1) -> Strategy:
    """Return the strategy of multiples of a value, or of one of its equal parts, inside a range."""
    least, most = math.ceil(low * parts / of), math.floor(high * parts / of)
    if least > most:
        return st.nothing()
    whole = of == 1 and parts == 1
    return st.integers(least, most).map(lambda n: n if whole else min(max(n * of / parts, low), high))
