"""Which code a figure was measured on: now, and at a commit."""

from __future__ import annotations

import importlib.util
import json
import subprocess
from pathlib import Path

import pytest

from pipeport._reach import code_of
from pipeport.bench import _codes, _results
from tests.bench.builders import case_result, report

ROOT = Path(__file__).parents[2]
PROGRAM = "from pipeport.numpy import flip\n\n\ndef f(x):\n    return flip(x, 0)\n"


def test_a_native():
    assert _codes.of_native("pipeport.numpy.flip") == code_of("pipeport.numpy.flip")
    assert _codes.of_native("pipeport.numpy.gone") == ""


def test_a_program_is_its_own_text_and_what_it_takes_from_the_package(tmp_path):
    def code(text, root=_codes.ROOT):
        (tmp_path / "p.py").write_text(text)
        return _codes.of_programs([tmp_path / "p.py"], root)

    first = code(PROGRAM)
    assert code("# words\n" + PROGRAM) == first
    assert code(PROGRAM.replace("0", "1")) != first
    assert code(PROGRAM.replace("flip", "flipud")) != first
    other = tmp_path / "pipeport"
    (other / "numpy").mkdir(parents=True)
    (other / "__init__.py").write_text("")
    (other / "numpy" / "__init__.py").write_text("def flip(x, axis):\n    return x\n")
    assert code(PROGRAM, other) != first
    attribute = "import pipeport.numpy as np\n\n\ndef f(x):\n    return np.flip(x, 0)\n"
    assert code(attribute, other) != code(attribute)


@pytest.fixture
def script():
    spec = importlib.util.spec_from_file_location("note_code", ROOT / "bench" / "note_code.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def repository(tmp_path):
    """Two commits of a package with one function, and their names."""
    folder = tmp_path / "repository"
    (folder / "pipeport").mkdir(parents=True)
    (folder / "recipes").mkdir()
    (folder / "recipes" / "README.md").write_text("")

    def git(*arguments):
        who = ("-c", "user.name=n", "-c", "user.email=e")
        done = subprocess.run(
            ["git", "-C", folder, *who, *arguments], check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    git("init")
    commits = []
    for number in (1, 2):
        (folder / "pipeport" / "__init__.py").write_text(f"def f():\n    return {number}\n")
        git("add", ".")
        git("commit", "-m", str(number))
        commits.append(git("rev-parse", "--short=9", "HEAD"))
    return folder, commits


def test_code_of_a_commit(script, repository):
    folder, (first, second) = repository
    with script.codes(folder) as code:
        assert len(code(first, "pipeport.f")) == 16
        assert code(first, "pipeport.f") != code(second, "pipeport.f")
        assert code(second, "pipeport.f") == code_of("pipeport.f", root=folder / "pipeport")
        assert code(second + "+", "pipeport.f") == code(None, "pipeport.f") == ""


def test_results_are_noted(script, tmp_path):
    path = tmp_path / "a.json"
    _results.write(report(case_result(reference=(1, 1), native=(2, 2))), path)
    script.note_report(path, lambda commit, name: f"{commit} {name}")
    assert _results.read(path).cases[0].code == "abc pipeport.numpy.fliplr"

    rounds = {"recipes/a": {"x": [1, 2], "y": [1, 2]}, "n": {"c": {"x": [1] * 3}, "d": {"x": [1] * 4}}}
    ratios = {"recipes/a": [{"case": "c"}], "n": [{"case": "c"}, {"case": "d", "commit": "e"}]}
    path.write_text(json.dumps({"commit": "0123456789abc", "ratios": ratios, "rounds": rounds}))
    script.note_ratios(path, lambda commit, name: f"{commit} {name}")
    found = json.loads(path.read_text())["ratios"]
    assert found["recipes/a"] == [
        {"case": "c", "commit": "012345678", "rounds": 2, "code": "012345678 recipes/a"}
    ]
    assert [(one["commit"], one["rounds"]) for one in found["n"]] == [("012345678", 3), ("e", 4)]
