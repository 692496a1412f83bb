"""`pipeport scan`, as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from pipeport import _releases
from pipeport.cli import main

ROOT = Path(__file__).resolve().parents[2]
GOOD = (
    "import numpy as np\nimport tensorflow as tf\n\n\ndef augment(x):\n    return np.fliplr(x)\n\n\n"
    "def op(x):\n    return tf.numpy_function(augment, [x], tf.uint8)\n"
)
KEYS = {"path", "line", "cell", "code", "kind", "wrapper", "function", "body", "calls", "verdict", "reason",
        "reason_at", "diff", "gain", "run"}  # fmt: skip


def run(*arguments, text=None):
    return CliRunner().invoke(main, ["scan", *map(str, arguments)], input=text, env={"COLUMNS": "80"})


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "train.py"
    path.write_text(GOOD)
    return path


@pytest.fixture
def figures(monkeypatch):
    """A release that measured one function."""

    def row(case, ratio, against="numpy_function + numpy.fliplr"):
        about = {"low": ratio - 1, "high": ratio + 1, "rounds": 3, "verdict": "faster"}
        return {"case": case, "against": against, "ratio": ratio, **about}

    rows = [
        row("float32, 256x256", 7.0),
        row("uint8, 256x256", 9.0, "tf.image.flip"),
        row("uint8, 256x256", 5.0),
    ]
    versions = {"main": {"tensorflow": "2.30.0"}}
    found = _releases.Release("0.9.0", "May", "abacus", versions, {}, {"pipeport.numpy.fliplr": rows}, {})
    monkeypatch.setattr(_releases, "newest", lambda: found)


def test_the_report(file, monkeypatch, figures):
    monkeypatch.chdir(file.parent)
    result = run("train.py")
    assert result.exit_code == 1
    assert result.output == (
        "train.py\n"
        "  10: PP001 numpy_function of augment: no obstacle found\n"
        "    line 6: All that it calls has a native: numpy.fliplr.\n"
        "    Release 0.9.0 measured numpy.fliplr alone, uint8, 256x256: 5.00x (75 %: 4.00\n"
        "    to 6.00), faster.\n"
        "    +import pipeport\n"
        "    -    return tf.numpy_function(augment, [x], tf.uint8)\n"
        "    +    return pipeport.numpy_function(augment, [x], tf.uint8)\n"
        "\n"
        "1 file, 1 finding: 1 no obstacle found.\n"
    )


def test_the_report_fits_a_terminal():
    """What the user wrote keeps its width; what pipeport says does not exceed that of the terminal."""
    result = run(ROOT / "tests" / "scan" / "fixtures")
    said = [line for line in result.output.splitlines() if not line.lstrip().startswith(("+", "-", "/"))]
    assert len(said) > 100
    assert not [line for line in said if len(line) > 80 and " " in line.strip()]


@pytest.mark.parametrize(
    ("old", "new"),
    [("tf.uint8", "tf.int32"), ("tf.uint8", "dtype"), ("np.fliplr(x)", "np.fliplr(np.clip(x, 0, 9))"),
     ("np.fliplr(x)", "np.flipud(x)")],
    ids=["dtype", "unknown-dtype", "two-calls", "not-measured"],
)  # fmt: skip
def test_no_gain_is_told_of_what_was_not_measured(file, figures, old, new):
    [found] = json.loads(run("--json", file).output)["findings"]
    assert found["gain"].startswith("Release 0.9.0 measured numpy.fliplr alone")
    file.write_text(GOOD.replace(old, new))
    [found] = json.loads(run("--json", file).output)["findings"]
    assert (found["code"], found["gain"]) == ("PP001", None)


def test_what_is_said_once_is_not_said_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    body = "    x = tf.numpy_function(augment, [x], tf.uint8)\n    return"
    text = GOOD.replace("    return tf", f"{body} tf") + (
        "\n\ndef make(images):\n    dataset = tf.data.Dataset.from_tensor_slices(images)\n"
        "    dataset.shuffle(9)\n    dataset.shuffle(9)\n    return dataset.map(op)\n"
    )
    (tmp_path / "a.py").write_text(text)
    (tmp_path / "b.py").write_text(text)
    lines = run(".").output.splitlines()
    first = lines[: lines.index("b.py")]
    assert first.count("    +import pipeport") == 1
    assert "  16, 17: PP107 a result that is thrown away, 2 times" in first
    assert sum("A dataset is not changed by shuffle" in line for line in lines) == 1
    assert lines.count("    As in a.py, line 16.") == 1
    assert lines.count("    +    x = pipeport.numpy_function(augment, [x], tf.uint8)") == 2


def test_json(file):
    result = run("--json", file)
    data = json.loads(result.output)
    [found] = data["findings"]
    assert set(found) == KEYS
    assert found["body"] == {"path": str(file), "line": 5, "cell": None}
    assert found["calls"] == ["numpy.fliplr"]
    assert (found["kind"], found["wrapper"], found["function"]) == ("boundary", "numpy_function", "augment")
    assert found["reason_at"] == {"path": str(file), "line": 6, "cell": None}
    assert (data["files"], data["problems"]) == (1, [])


def test_standard_input():
    result = run("--json", "-", text=GOOD)
    [found] = json.loads(result.output)["findings"]
    assert (found["path"], found["line"], found["body"]["path"]) == ("-", 10, "-")


def test_exit_codes(file, tmp_path):
    assert run("--exit-zero", file).exit_code == 0
    clean = tmp_path / "clean.py"
    clean.write_text("x = 1\n")
    result = run(clean)
    assert (result.exit_code, result.output) == (0, "1 file: no Python found inside graphs.\n")
    broken = tmp_path / "broken.py"
    broken.write_text("def numpy_function(:\n")
    result = run(broken, file)
    assert result.exit_code == 2
    assert result.stderr == f"{broken}:1: is not Python 3: invalid syntax\n"
    assert "1 no obstacle found" in result.stdout
    assert run("--exit-zero", broken).exit_code == 0
    assert run(tmp_path / "nowhere").exit_code != 0


def recipes():
    folders = sorted(path.parent for path in (ROOT / "recipes").glob("*/before.py"))
    wrapped = ("numpy_function(", "py_function(", "from_generator(")
    return [
        pytest.param(folder / "before.py", id=folder.name)
        for folder in folders
        if any(word in (folder / "before.py").read_text() for word in wrapped)
    ]


def test_there_are_recipes():
    assert len(recipes()) >= 12


@pytest.mark.parametrize("before", recipes())
def test_what_a_recipe_starts_from_is_found(before):
    findings = json.loads(run("--json", "--select", "PP0", before).output)["findings"]
    assert findings
    for found in findings:
        assert found["verdict"] in ("no obstacle found", "not replaceable")
        assert found["body"] is not None or "." in found["function"]
        assert bool(found["diff"]) == (found["verdict"] == "no obstacle found")


def test_neither_tensorflow_nor_what_is_scanned_is_imported(tmp_path):
    from tests.house.test_imports import HEAVY, loaded

    path = tmp_path / "explodes.py"
    path.write_text(f"{GOOD}\nraise SystemExit('it was run')\n")
    assert loaded("scan", "--exit-zero", str(path)).isdisjoint(HEAVY)
