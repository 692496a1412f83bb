"""Which values that a function reads may change, as all loaded sources of the user tell."""

from __future__ import annotations

import importlib
import itertools
import sys

import pytest

from pipeport.acceleration import _changes
from pipeport.acceleration._effects import Read, known

numbers = itertools.count()


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Import a source as a module of the user; no other source counts."""
    made = []

    def load(source, name=""):
        name = name or f"user_{next(numbers)}"
        (tmp_path / f"{name}.py").write_text(source)
        monkeypatch.syspath_prepend(tmp_path)
        made.append(name)
        importlib.invalidate_caches()
        return importlib.import_module(name)

    find = _changes._sources
    monkeypatch.setattr(
        _changes, "_sources", lambda: {name: one for name, one in find().items() if name in made}
    )
    yield load
    for name in made:
        sys.modules.pop(name, None)


GLOBAL = """
GAIN = 2.0
TABLE = [1, 2]
def f(x):
    return x * GAIN + TABLE[0]
"""
OBJECT = """
class Augment:
    def __init__(self):
        self.gain = 1.0
        self.gain = 2.0
        self.sizes = [1]
        self.sizes.append(2)
    def __call__(self, x):
        return x * self.gain + self.sizes[0]
f = Augment()
"""
SET_UP = """
class Augment:
    def __init__(self):
        self._create()
    def _create(self):
        sizes = []
        sizes.append(1)
        self.sizes = sizes
        for name in ("gain", "mean"):
            setattr(self, name, 1.0)
        self._scale()
    def _scale(self):
        self.gain = 2.0
        self.gain *= 3
    def __call__(self, x):
        return x * self.gain + self.sizes[0]
f = Augment()
"""
CLOSURE = """
def make():
    gain = 2.0
    def inner(x):
        return x * gain
    return inner
f = make()
"""


def change_in(module):
    found = known(module.f)
    assert found.effect == ""
    assert found.reads
    return _changes.change_of(found.reads)


@pytest.mark.parametrize(
    "source", [GLOBAL, OBJECT, SET_UP, CLOSURE], ids=["global", "object", "set up", "closure"]
)
def test_assigned_once(module, source):
    assert change_in(module(source)) == ""


CHANGES = {
    "again": (GLOBAL, "GAIN = 3.0\n"),
    "under a condition": (GLOBAL, "if GAIN:\n    GAIN = 3.0\n"),
    "in a loop": (GLOBAL, "for GAIN in (1.0, 2.0):\n    pass\n"),
    "in place": (GLOBAL, "GAIN += 1\n"),
    "by a function": (GLOBAL, "def change():\n    global GAIN\n    GAIN = 3.0\n"),
    "an element": (GLOBAL, "def change():\n    TABLE[0] = 3\n"),
    "a method": (GLOBAL, "def change():\n    TABLE.append(3)\n"),
    "deleted": (GLOBAL, "def change():\n    del TABLE[0]\n"),
    "exec": (GLOBAL, "def change():\n    exec('GAIN = 3')\n"),
    "globals": (GLOBAL, "def change():\n    globals()['GAIN'] = 3\n"),
    "attribute": (OBJECT, "def change():\n    f.gain = 3.0\n"),
    "of any object": (OBJECT, "class Curriculum:\n    def on_epoch_end(self):\n        self.a.gain = 3.0\n"),
    "setattr": (OBJECT, "setattr(f, 'gain', 3.0)\n"),
    "setattr of a name": (OBJECT, "name = 'gain'\nsetattr(f, name, 3.0)\n"),
    "vars": (OBJECT, "vars(f)['gain'] = 3.0\n"),
    "dict": (OBJECT, "f.__dict__.update(gain=3.0)\n"),
    "element of an attribute": (OBJECT, "f.sizes[0] = 3\n"),
    "method of an attribute": (OBJECT, "f.sizes.append(3)\n"),
    "set up again": (SET_UP, "def change():\n    f._scale()\n"),
    "set up by a method": (SET_UP, "class Other:\n    def reset(self):\n        self.a._create()\n"),
    "set up by name": (SET_UP.replace("_scale", "scale"), ""),
    "a global while an object is made": (
        GLOBAL,
        "class A:\n    def __init__(self):\n        TABLE.append(3)\n",
    ),
    "cell": (CLOSURE.replace("gain = 2.0", "gain = 2.0\n    gain = gain * 2"), ""),
    "loop": (CLOSURE.replace("gain = 2.0", "for gain in (1.0, 2.0): pass"), ""),
}


@pytest.mark.parametrize(("source", "more"), CHANGES.values(), ids=CHANGES)
def test_what_may_change(module, source, more):
    assert change_in(module(source + more))


def test_a_change_from_another_module(module):
    user = module(GLOBAL)
    module(f"import {user.__name__}\ndef change():\n    {user.__name__}.GAIN = 3.0\n")
    assert "GAIN" in change_in(user)


def test_a_change_of_another_name_is_none(module):
    user = module(
        GLOBAL + "OTHER = 1\nOTHER = 2\nprint(vars(f))\nclass A:\n    def g(self):\n        self.a = 1\n"
    )
    assert change_in(user) == ""


def test_a_file_that_was_changed_is_read_again(module, tmp_path):
    user = module(GLOBAL)
    assert change_in(user) == ""
    (tmp_path / f"{user.__name__}.py").write_text(GLOBAL + "\n\nGAIN = 3.0\n")
    assert change_in(user)


def test_a_source_that_is_not_found():
    read = Read("global", "GAIN", "module_of_nobody", 2.0)
    assert "source is not to be found" in _changes.change_of((read,))
