"""A program as it grows: each statement is tried by NumPy before it is taken."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from tests.porting.drawn.kinds import KINDS
from tests.porting.drawn.programs import HELPERS

# Between what floats lie, but for zeros: far from subnormal ones, which graphs take for zero.
_LEAST, _MOST = 1e-20, 1e6
_FUNCTIONS = {}
for _text in HELPERS.values():
    exec(_text, {"np": np}, _FUNCTIONS)
for _one in _FUNCTIONS.values():
    _one.__globals__["np"] = np


@dataclass(frozen=True)
class Piece:
    """An expression.

    Parameters
    ----------
    text : str
        Its source.
    slack : float
        Which share of the scale it may be off.
    """

    text: str
    slack: float = 0.0

    def inside(self, text, slack=0.0):
        """Return an expression of this one, which may be off as far, or that far."""
        return Piece(text.format(self.text), max(self.slack, slack))


class Draft:
    """A program that grows by statements which NumPy can run.

    Parameters
    ----------
    choice : random.Random
        What draws it.
    kinds : iterable of str
        Of `KINDS`, those that may be drawn.
    """

    def __init__(self, choice, kinds):
        self.choice = choice
        self.allowed = kinds
        self.used = set()
        self.helpers = set()
        self.facts = {}  # of each name a Piece
        self.lines = []  # what is run at this point, one text for each call
        self.depth = 0
        self.loops = 0
        self.scale = 1.0
        self.fixed = True
        self.operators = set()  # between floats
        self.arguments = {}
        self.names = iter("abcdefghijlmnopqrstvw")
        self.spaces = ({}, {})

    # -- what NumPy says

    def run(self, lines):
        """Return the names after the lines in both calls, or None where NumPy refuses or calls differ."""
        spaces = []
        for call in (0, 1):
            space = {"np": np}
            for name in HELPERS:
                exec(HELPERS[name], space)
            space.update({name: one.of(call) for name, one in self.arguments.items()})
            try:
                exec("\n".join(line[call] for line in lines), space)
            except Exception:
                return None
            spaces.append({name: space[name] for name in (*self.arguments, *self.facts) if name in space})
        if any(differs(*(space.get(name) for space in spaces)) for name in self.facts):
            return None
        return tuple(spaces)

    def value(self, text):
        """Return what an expression gives in both calls, or None."""
        found = []
        for space in self.spaces:
            names = {**space, "np": np, "partial": partial, **_FUNCTIONS}
            try:
                found.append(eval(text, names))
            except Exception:
                return None
        return None if differs(*found) or not is_fit(found, self.special) else found

    @property
    def special(self):
        return any(one.special and one.dtype.startswith("float") for one in self.arguments.values())

    def is_allowed(self, kind):
        """Say whether a kind of program may be drawn, and note that it is."""
        if kind in KINDS and kind not in self.allowed:
            return False
        self.used.add(kind)
        return True

    # -- names

    def arrays(self):
        return [name for name, one in self.spaces[0].items() if np.ndim(one) and name in self.facts]

    def numbers(self, kinds):
        return [
            name
            for name, one in self.spaces[0].items()
            if not np.ndim(one) and np.asarray(one).dtype.kind in kinds and name in self.facts
        ]

    def pick(self, rows):
        return self.choice.choice(rows)

    def chance(self, one_in):
        return self.choice.randrange(one_in) == 0

    # -- statements

    def try_lines(self, lines, facts):
        """Append lines if NumPy runs them; give facts of the names they set."""
        before = dict(self.facts)
        for name, fact in facts.items():
            old = before.get(name, Piece(name))
            # What a name once was off it stays: a smaller program may leave out the statement between.
            slack = max(old.slack, fact.slack)
            if self.loops and slack > old.slack:
                self.facts = before  # the next round would put it to the test
                return False
            self.facts[name] = Piece(name, slack)
        spaces = self.run([*self.lines, *lines])
        fit = spaces is not None and all(
            is_fit([space.get(name) for space in spaces], self.special)
            for name in self.facts
            if name in spaces[0]
        )
        if not fit or not any(np.ndim(one) for one in spaces[0].values()):
            self.facts = before
            return False
        self.lines += lines
        self.spaces = spaces
        for space in spaces:
            for one in space.values():
                if np.asarray(one).dtype.kind == "f":
                    self.scale = max(self.scale, _largest(one))
        return True

    def sharing(self, name):
        """Return the arrays that see, in one of the calls, what is written to one of them."""
        return [
            other
            for other in self.arrays()
            if other == name or any(np.may_share_memory(space[name], space[other]) for space in self.spaces)
        ]


def _largest(value):
    return float(np.max(np.abs(value), where=np.isfinite(value), initial=0))


def differs(first, second):
    if first is None or second is None:
        return first is not second
    first, second = np.asarray(first), np.asarray(second)
    return first.dtype != second.dtype or first.shape != second.shape


def is_fit(values, special):
    for one in values:
        one = np.asarray(one)
        if one.dtype.kind not in "biuf" or one.dtype == np.float16 or one.size > 2_000_000 or not one.size:
            return False
        if one.dtype.kind == "f":
            finite = np.isfinite(one)
            if not (special or finite.all()) or _largest(one) > _MOST:
                return False
            if np.min(np.abs(one), where=finite & (one != 0), initial=1) < _LEAST:
                return False
    return True
