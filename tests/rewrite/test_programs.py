"""Programs as people write them: as they are, with the drop-in, and with ports after a run gave evidence."""

from __future__ import annotations

import importlib.util
import itertools
import re
import sys
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport.rewrite import Evidence, rewrite

pytestmark = [
    pytest.mark.newest_only,
    pytest.mark.filterwarnings("ignore:pipeport.numpy_function"),
    pytest.mark.filterwarnings("ignore:These calls have no native"),
]

PROGRAMS = {path.stem: path for path in sorted((Path(__file__).parent / "programs").glob("*.txt"))}
_numbers = itertools.count()
# What stays without evidence, and why.
STAYS = {
    "metric": "a metric or a loss",
    "named_pipeport": "The name pipeport means something else",
    "pickle": "A graph cannot run pickles",
    "session": "in sessions",
}
UNTOUCHED = ("already_ported", "ignored", "no_boundary")
DROPPED = [name for name in PROGRAMS if name not in (*STAYS, *UNTOUCHED)]
# What does not become a port after a run.
DRAWS = ("draws", "draws_without_a_map", "eager_draws")
NO_PORT = dict.fromkeys((*DRAWS, "decorator", "eager_decorator"), "drop-in")
RUN = [name for name in DROPPED if "def run()" in PROGRAMS[name].read_text(encoding="utf-8")]


def rewritten(path, text, evidence=None):
    path.write_text(text, encoding="utf-8")
    result = rewrite([str(path)], evidence=evidence)
    assert not result.problems
    [file] = result.files or [None]
    return file


def loaded(folder, text):
    """Import a program from a file of its own: a port reads the source.

    AutoGraph keeps one conversion of functions with equal code, so each stands at another line.
    """
    number = next(_numbers)
    name = f"program_{number}"
    path = folder / f"{name}.py"
    path.write_text("#\n" * number + text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def compare(old, new):
    tf.nest.assert_same_structure(old, new)
    assert tf.nest.flatten(old)
    for one, other in zip(tf.nest.flatten(old), tf.nest.flatten(new), strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one.numpy(), other.numpy(), strict=True)


def seen(folder, text):
    """Run a program with every equal boundary native; return its file, what it gave, and the evidence."""
    with pipeport.install(prefer_native=True) as report:
        module = loaded(folder, text)
        found = module.run()
    return Path(module.__file__), found, Evidence(report.as_json())


@pytest.mark.parametrize("name", DROPPED)
def test_the_drop_in_changes_a_name_and_nothing_else(name, tmp_path):
    before = PROGRAMS[name].read_text(encoding="utf-8")
    file = rewritten(tmp_path / "a.py", before)
    assert not file.refusals
    assert {one.becomes for one in file.changes} == {"drop-in"}
    after = file.new.decode()
    lines = [line for line in after.splitlines() if line != "import pipeport"]
    for line, old in zip(lines, before.splitlines(), strict=True):
        parts = re.split(r"pipeport\.(?:numpy|py)_function", line)
        assert re.fullmatch(r"[\w.]+".join(map(re.escape, parts)), old), (line, old)
    assert rewritten(tmp_path / "a.py", after) is None, "it is a fixed point"


@pytest.mark.parametrize("name", RUN)
def test_what_a_run_has_proved_does_the_same(name, tmp_path):
    before = PROGRAMS[name].read_text(encoding="utf-8")
    old = loaded(tmp_path, before).run()
    path, native, evidence = seen(tmp_path, before)
    file = rewritten(path, path.read_text(encoding="utf-8"), evidence)
    kinds = sorted({one.becomes for one in file.changes} | {"stays" for _ in file.refusals})
    assert kinds == [NO_PORT.get(name, "port")], [*file.changes, *file.refusals]
    new = loaded(tmp_path, file.new.decode()).run()
    if name in DRAWS:
        assert [(one.dtype, one.shape) for one in tf.nest.flatten(old)] == [
            (one.dtype, one.shape) for one in tf.nest.flatten(new)
        ]
        return
    compare(old, native)
    compare(old, new)


def test_a_file_that_changed_since_it_ran_stays(tmp_path):
    before = PROGRAMS["call"].read_text(encoding="utf-8")
    path, _, evidence = seen(tmp_path, before)
    file = rewritten(path, path.read_text(encoding="utf-8") + "# later\n", evidence)
    assert not file.changes
    assert all("is not what it was when it ran" in one.reason for one in file.refusals)


def test_the_drop_in_is_the_same_call(tmp_path):
    """Until something is installed, it is TensorFlow's own."""
    before = PROGRAMS["two_results"].read_text(encoding="utf-8")
    after = rewritten(tmp_path / "a.py", before).new.decode()
    compare(loaded(tmp_path, before).run(), loaded(tmp_path, after).run())


@pytest.mark.parametrize("name", STAYS)
def test_what_stays(name, tmp_path):
    file = rewritten(tmp_path / "a.py", PROGRAMS[name].read_text(encoding="utf-8"))
    assert file.new == file.old
    assert not file.changes
    [refusal] = file.refusals
    assert re.search(STAYS[name], refusal.reason), refusal.reason


@pytest.mark.parametrize("name", UNTOUCHED)
def test_what_is_not_touched(name, tmp_path):
    assert rewritten(tmp_path / "a.py", PROGRAMS[name].read_text(encoding="utf-8")) is None
