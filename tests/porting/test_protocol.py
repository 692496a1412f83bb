"""Each kind of value against Python's protocol: cells that are served, and refusals in all others."""

from __future__ import annotations

import json
import os

import numpy as np
import pytest

import pipeport.PIL.Image  # noqa: F401 - loaded, as where a body names it
from pipeport.porting import _protocol
from pipeport.porting.control._choice import Choice
from pipeport.porting.control._symbolic_list import SymbolicList
from pipeport.porting.control._symbolic_range import SymbolicRange
from pipeport.porting.strings._lazy_file import LazyFile
from pipeport.porting.strings._text import Text, Words
from tests.porting.protocol.__main__ import TABLE
from tests.porting.protocol.judge import judge
from tests.porting.protocol.kinds import KINDS, cells
from tests.selection import stable_number

pytestmark = pytest.mark.newest_only  # NumPy 1 promotes numbers by their values
SERVED = json.loads(TABLE.read_text("utf-8"))


@pytest.fixture
def folder(tmp_path):
    np.save(tmp_path / "some.npy", np.arange(4, dtype=np.int16))
    return str(tmp_path)


def taken(kind, names, one_in):
    """Return all names where everything runs, else one in so many."""
    if os.environ.get("PIPEPORT_PROVE") == "all":
        return names
    return [name for name in names if stable_number(kind, name) % one_in == 0]


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_table_names_is_served(kind, folder):
    table = cells(kind, folder)
    # Other versions of Python and its libraries have other methods.
    assert len(table.keys() & SERVED[kind]) > 0.9 * len(SERVED[kind])
    for name in taken(kind, [one for one in SERVED[kind] if one in table], 15):
        what, why = judge(kind, table[name], folder)
        assert what == "served", f"{kind}: {name}: {what}: {why}"


@pytest.mark.parametrize("kind", KINDS)
def test_all_else_is_refused(kind, folder):
    table = cells(kind, folder)
    for name in taken(kind, [one for one in table if one not in SERVED[kind]], 30):
        what, why = judge(kind, table[name], folder)
        assert what not in ("wrong", "crash"), f"{kind}: {name}: {what}: {why}"


@pytest.mark.parametrize("cls", [Choice, SymbolicList, SymbolicRange, LazyFile, Text, Words])
def test_no_special_method_falls_through_to_object(cls):
    for name in _protocol.special_methods(*cls.stands_for):
        assert any(name in vars(one) for one in cls.__mro__[:-1]), name


def test_a_cell_that_is_taken_out_is_noticed(monkeypatch, folder):
    lines = cells("text", folder)["v.upper()"]
    assert judge("text", lines, folder) == ("served", "")
    monkeypatch.delattr(Text, "upper")
    _protocol._shared.cache_clear()
    assert judge("text", lines, folder)[0] == "refused"
    _protocol._shared.cache_clear()


def test_a_wrong_cell_is_noticed(monkeypatch, folder):
    monkeypatch.setattr(Text, "upper", Text.lower)
    assert judge("text", cells("text", folder)["v.upper()"], folder)[0] == "wrong"
