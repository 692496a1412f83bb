"""A drawn program: its source, what it is called with, and how close its results must come."""

from __future__ import annotations

import contextlib
import itertools
import linecache
import sys
import types
from dataclasses import dataclass, field

import numpy as np

# What the user's own functions are; a program holds those that it calls.
HELPERS = {
    "mix": "def mix(a, b, share=0.25):\n    return a * share + b * (1 - share)\n",
    "bounded": "def bounded(a, low, high):\n    return np.minimum(np.maximum(a, low), high)\n",
    "fill": "def fill(part, value):\n    part[:] = value\n    part += 1\n",
}
HEAD = "import random\nfrom functools import partial\n\nimport numpy as np\n"
_numbers = itertools.count(1)


MODES = (
    "eager",
    "function",
    "map, unknown sizes",
    "compiled",
    "function, unknown sizes",
    "map",
)
PARTS = ARRAYS, OBJECTS = "arrays", "objects"
RIGHT, REFUSED, WRONG, ERROR, INVALID = "right", "refused", "wrong", "internal error", "invalid"


@contextlib.contextmanager
def promoting():
    """Let NumPy 1 promote as NumPy 2 does, which is what ports follow."""
    if not hasattr(np, "_set_promotion_state"):
        yield
        return
    before = np._get_promotion_state()
    np._set_promotion_state("weak")
    try:
        yield
    finally:
        np._set_promotion_state(before)


@dataclass(frozen=True)
class Outcome:
    """What became of a program.

    Parameters
    ----------
    kind : str
        One of the five words above; "invalid" is what NumPy itself does not run.
    why : str
        The difference, or the message without names and numbers.
    modes : tuple of str
        Where it came about.
    """

    kind: str
    why: str = ""
    modes: tuple[str, ...] = ()

    @property
    def failed(self):
        """Whether it is a fault of the port."""
        return self.kind in (WRONG, ERROR)


@dataclass(frozen=True)
class Argument:
    """What a program is called with: noise of a dtype and shape, or a number.

    Parameters
    ----------
    dtype : str
        NumPy's name, or "bytes".
    shape : tuple of int
        Empty for a number or bytes.
    values : tuple
        Of these, one for each of the two calls.
    special : bool
        Floats hold NaN, infinities and negative zeros as well.
    """

    dtype: str
    shape: tuple[int, ...] = ()
    values: tuple = ()
    special: bool = False

    def of(self, call):
        """Return the value for a call, 0 or 1."""
        if self.values:
            value = self.values[call]
            return value if self.dtype == "bytes" else np.dtype(self.dtype).type(value)
        draws = np.random.default_rng([call, *self.shape])
        kind = np.dtype(self.dtype)
        if kind.kind == "b":
            return draws.random(self.shape) < 0.5
        if kind.kind in "iu":
            low, high = (0, 256) if kind.kind == "u" else (-100, 101)
            return draws.integers(low, high, self.shape).astype(kind)
        noise = np.round(draws.normal(60, 90, self.shape), 1).astype(kind)
        if self.special:
            flat = noise.reshape(-1)
            for place, value in zip((0, 2, 3, 5), (np.nan, np.inf, -np.inf, -0.0), strict=True):
                flat[place % flat.size :: 7] = value
        return noise


@dataclass(frozen=True)
class Program:
    """A function as source text.

    Parameters
    ----------
    source : str
        A module with a function `body`.
    arguments : dict of Argument
        By parameter.
    slack : dict of float
        By name of a result, which share of `scale` it may be off; of a name not in it nothing.
    scale : float
        The largest magnitude that floats of the program have.
    kinds : frozenset of str
        Of which kinds it is.
    compiles : bool
        Whether it is run as the user's own `jit_compile` runs it: no size depends on a condition, and floats
        are not both multiplied and added, which XLA would round at once.
    part : str
        Of `PARTS`, which part of the grammar it is of.
    """

    source: str
    arguments: dict[str, Argument]
    slack: dict[str, float] = field(default_factory=dict)
    scale: float = 1.0
    kinds: frozenset[str] = frozenset()
    compiles: bool = True
    part: str = ARRAYS

    def called_with(self, call):
        """Return the arguments of a call, 0 or 1."""
        return tuple(argument.of(call) for argument in self.arguments.values())

    def function(self):
        """Return `body`, with its source where `inspect` finds it."""
        name = f"<drawn body {next(_numbers)}>"
        text = f"{HEAD}\n\n{self.source}"
        module = types.ModuleType("drawn_body")
        sys.modules["drawn_body"] = module  # where `inspect` looks first, and so not through all modules
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        exec(compile(text, name, "exec"), vars(module))
        return module.body

    def as_code(self):
        """Return the program as code that runs."""
        calls = ", ".join(f"{name}={argument}" for name, argument in self.arguments.items())
        return f"{HEAD}\n\n{self.source}\n# {calls}"


def body_of(*lines, **arguments):
    """Return a program by the lines of its body."""
    return Program("\n    ".join([f"def body({', '.join(arguments)}):", *lines]) + "\n", arguments)
