"""The draws of a ported function, given to its original in place of what it would draw itself."""

from __future__ import annotations

import contextlib
import random
import types

import numpy as np

from pipeport.porting._tape import Place

_KINDS = (np.random.Generator, np.random.RandomState, random.Random)


class Draws:
    """What is drawn next.

    Parameters
    ----------
    tape : list of (str, object)
        The name of each draw, and its value.
    """

    def __init__(self, tape):
        self._left = list(tape)

    def next(self, name):
        """Return the value of a draw, which must be the one whose turn it is."""
        assert self._left, f"the original draws more: {name}"
        noted, value = self._left.pop(0)
        assert noted.rpartition(".")[2] == name, f"the original draws {name}, the native drew {noted}"
        return value

    def giver(self, name):
        """Return what stands for a function that draws."""

        def function(*args, **kwargs):
            value = self.next(name)
            if name == "shuffle":
                args[0][:] = value
                return None
            if isinstance(value, Place):
                return args[0][value.number]
            if isinstance(value, list) and value and isinstance(value[0], Place):
                return [args[0][one.number] for one in value]
            return value

        return function

    def at_the_end(self):
        """Check that all of them were taken."""
        assert not self._left, f"the original draws less, the native drew {self._left}"


class Generator:
    """Stands for a generator object: its methods give the noted draws."""

    def __init__(self, draws):
        self._draws = draws

    def __getattr__(self, name):
        return self._draws.giver(name)


@contextlib.contextmanager
def patched(monkeypatch, function, tape):
    """Let an original draw what was noted: by modules, by names of its own module, by generator objects."""
    draws = Draws(tape)
    with monkeypatch.context() as patch:
        for module in (random, np.random):
            for name, value in list(vars(module).items()):
                if _draws_numbers(value):
                    patch.setattr(module, name, draws.giver(name))
        space = _globals(function)
        for name, value in list(space.items()):
            if _draws_numbers(value):
                patch.setitem(space, name, draws.giver(value.__name__))
            elif isinstance(value, _KINDS):
                patch.setitem(space, name, Generator(draws))
        for kind in ("default_rng", "RandomState"):
            patch.setattr(np.random, kind, lambda: Generator(draws))
        yield
    draws.at_the_end()


def _draws_numbers(value):
    owner = getattr(value, "__self__", None)
    return isinstance(value, (types.MethodType, types.BuiltinMethodType)) and isinstance(owner, _KINDS)


def _globals(function):
    """Return the names of the module in which a callable was written."""
    while not isinstance(function, types.FunctionType):
        inner = getattr(function, "func", None) or getattr(function, "__func__", None)
        if inner is None and not isinstance(type(function).__call__, types.FunctionType):
            return {}  # written in no module of Python's
        function = inner or type(function).__call__
    return getattr(function, "__wrapped__", function).__globals__
