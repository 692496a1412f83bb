"""Each program says what it becomes; both are run, in the same process, and give the same."""

from __future__ import annotations

import importlib.util
import itertools
import json
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import tensorflow as tf

from pipeport.rewrite import _child, _verify, rewrite

pytestmark = pytest.mark.newest_only

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.txt"))
_numbers = itertools.count()


def parts(path):
    """Return flags, the program, and what is said of it."""
    before, after = path.read_text(encoding="utf-8").split("=====\n")
    flags = set(re.findall(r"^# (\w+)\n", before, re.MULTILINE)[:2]) & {"unsafe", "draws"}
    for flag in flags:
        before = before.replace(f"# {flag}\n", "", 1)
    return flags, before, after


def rewritten(path, text, *, unsafe=False):
    path.write_text(text, encoding="utf-8")
    result = rewrite([str(path)], unsafe=unsafe)
    assert not result.problems
    [file] = result.files or [None]
    return file


def loaded(folder, text):
    """Import a program from a file of its own: a port reads the source."""
    name = f"program_{next(_numbers)}"
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compare(old, new):
    tf.nest.assert_same_structure(old, new)
    assert tf.nest.flatten(old)
    for one, other in zip(tf.nest.flatten(old), tf.nest.flatten(new), strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one.numpy(), other.numpy(), strict=True)


def answered_here(monkeypatch, folder):
    """Let `rewrite --verify` ask this process, which imports modules of `folder`; a new one takes seconds."""

    def run(command, *, input, **_):
        assert command[1:] == ["-m", _child.__name__]
        return subprocess.CompletedProcess(command, 0, json.dumps(_child.answer(json.loads(input))), "")

    monkeypatch.setattr(_verify, "subprocess", SimpleNamespace(run=run))
    monkeypatch.syspath_prepend(folder)
    for file in folder.glob("*.py"):
        monkeypatch.delitem(sys.modules, file.stem, raising=False)


CHANGED = [path for path in PROGRAMS if not re.match("stays|untouched", parts(path)[2])]
STAYING = [path for path in PROGRAMS if path not in CHANGED]


@pytest.mark.parametrize("path", CHANGED, ids=lambda path: path.stem)
def test_what_is_rewritten_does_the_same(path, tmp_path):
    flags, before, after = parts(path)
    file = rewritten(tmp_path / "a.py", before, unsafe="unsafe" in flags)
    assert not file.refusals
    assert file.new.decode() == after
    again = rewritten(tmp_path / "a.py", after, unsafe="unsafe" in flags)
    assert again is None or not again.changes, "it is a fixed point"
    program = loaded(tmp_path, after)
    old, new = loaded(tmp_path, before).run(), program.run()
    if "draws" in flags:
        compare(new, program.run())  # the same numbers each time
        assert [(one.dtype, one.shape) for one in old] == [(one.dtype, one.shape) for one in new]
    else:
        compare(old, new)


@pytest.mark.parametrize(
    "path", [path for path in PROGRAMS if path not in CHANGED], ids=lambda path: path.stem
)
def test_what_is_not_touched(path, tmp_path):
    flags, before, said = parts(path)
    file = rewritten(tmp_path / "a.py", before, unsafe="unsafe" in flags)
    if said.startswith("untouched"):
        assert file is None
        return
    assert file.new == file.old
    assert not file.changes
    [refusal] = file.refusals
    assert re.search(said.partition(": ")[2].strip(), refusal.reason), refusal.reason


def test_a_third_of_the_programs_is_not_touched():
    assert len(PROGRAMS) >= 36
    assert len(STAYING) >= len(PROGRAMS) / 3
