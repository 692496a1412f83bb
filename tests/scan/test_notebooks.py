"""Findings in notebooks say the cell, the line in it, and, to machines, the line of the file."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from pipeport.cli import main
from pipeport.scan._cells import lines_in_file

IMPORTS = "import numpy as np\nimport tensorflow as tf"
FUNCTION = "# mirrored\ndef mirrored(image):\n    return np.fliplr(image)"
# The call stands on the line of its cell on which the reason stands in the other cell.
CALL = "x = tf.zeros([2, 2, 3])\n\ny = tf.numpy_function(mirrored, [x], tf.float32)"
CELLS = [("markdown", '"source": ["{\\"]'), ("code", IMPORTS), ("code", FUNCTION), ("code", CALL)]


def stored(cells, *, indent=1, as_list=True, old=False):
    made = []
    for kind, text in cells:
        key = "input" if old and kind == "code" else "source"
        source = text.splitlines(keepends=True) if as_list else text
        made.append({"cell_type": kind, "metadata": {"source": ["no code"], "a": [[], {}]}, key: source})
        if kind == "code":
            made[-1]["outputs"] = [{"source": "no code", "text": ['"cells": [{\n']}]
    book = {"metadata": {"cells": [{"source": ["no code"]}]}, "cells": made, "nbformat": 4}
    if old:
        book = {"worksheets": [{"cells": made[:2]}, {"cells": made[2:]}], "nbformat": 3}
    return json.dumps(book, indent=indent)


def run(*arguments):
    return CliRunner().invoke(main, ["scan", *arguments], env={"COLUMNS": "200"})


@pytest.fixture
def notebook(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.ipynb").write_text(stored(CELLS))
    return tmp_path / "a.ipynb"


def line_of(file, text):
    [line] = [n for n, one in enumerate(file.read_text().splitlines(), 1) if text in one]
    return line


def test_the_report_names_cells(notebook):
    lines = run("--select", "PP001", "a.ipynb").output.splitlines()
    assert lines[1:3] == [
        "  cell 4, line 3: PP001 numpy_function of mirrored: no obstacle found",
        "    cell 3, line 3: All that it calls has a native: numpy.fliplr.",
    ]


def test_json_names_cells(notebook):
    [found] = json.loads(run("--select", "PP001", "--json", "a.ipynb").output)["findings"]
    assert (found["path"], found["cell"], found["line"]) == ("a.ipynb", 4, 3)
    assert found["body"] == {"path": "a.ipynb", "cell": 3, "line": 2}
    assert found["reason_at"] == {"path": "a.ipynb", "cell": 3, "line": 3}


def test_machines_are_told_the_line_of_the_file(notebook):
    line = line_of(notebook, "tf.numpy_function")
    [result] = json.loads(run("--select", "PP001", "--sarif", "a.ipynb").output)["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == line
    assert result["message"]["text"].startswith("Cell 4, line 3: numpy_function of mirrored")
    [told] = run("--select", "PP001", "--github", "a.ipynb").output.splitlines()
    assert told.startswith(f"::warning file=a.ipynb,line={line},title=PP001::Cell 4, line 3: numpy_function")


def test_a_function_of_a_module_beside_it(notebook):
    (notebook.parent / "shared.py").write_text(f"{IMPORTS}\n\n\n{FUNCTION}\n")
    notebook.write_text(stored([("code", f"{IMPORTS}\nfrom shared import mirrored"), ("code", CALL)]))
    lines = run("--select", "PP001", "a.ipynb").output.splitlines()
    assert lines[1].startswith("  cell 2, line 3: PP001 ")
    assert lines[2].endswith("shared.py, line 7: All that it calls has a native: numpy.fliplr.")


@pytest.mark.parametrize("verb", ["scan", "rewrite"])
def test_a_mistake_in_a_cell(notebook, verb):
    if verb == "rewrite":
        pytest.importorskip("libcst")
    notebook.write_text(stored([*CELLS[:3], ("code", "\ntf.numpy_function(:")]))
    result = CliRunner().invoke(main, [verb, "a.ipynb"])
    assert result.exit_code == 2
    assert result.stderr == "a.ipynb, cell 4, line 2: is not Python 3: invalid syntax\n"
    told = json.loads(CliRunner().invoke(main, [verb, "--json", "a.ipynb"]).stdout)["problems"]
    assert told == [{"path": "a.ipynb", "line": 2, "cell": 4, "reason": "is not Python 3: invalid syntax"}]
    if verb == "scan":
        last = run("--github", "a.ipynb").stdout.splitlines()[-1]
        line = line_of(notebook, "tf.numpy_function")
        assert last.startswith(f"::error file=a.ipynb,line={line},title=not scanned::Cell 4, line 2: is no")


def test_an_end_that_is_missed(notebook):
    notebook.write_text(stored([*CELLS[:3], ("code", "tf.numpy_function(")]))
    assert run("a.ipynb").stderr.startswith("a.ipynb, cell 4, line 1: is not Python 3")


@pytest.mark.parametrize("old", [False, True], ids=["cells", "worksheets"])
@pytest.mark.parametrize("indent", [1, None], ids=["lines", "one-line"])
@pytest.mark.parametrize("as_list", [True, False], ids=["list", "string"])
def test_lines_in_the_file(as_list, indent, old):
    """Each line of code is where its text is, whatever stands around it in the JSON."""
    text = stored([*CELLS, ("code", ""), ("code", "last = 1")], indent=indent, as_list=as_list, old=old)
    found = lines_in_file(b"\xef\xbb\xbf" + text.encode())
    lines = text.splitlines()
    for cell, (_, source) in enumerate(CELLS, 1):
        for number, line in enumerate(source.split("\n"), 1):
            if cell > 1 and line:
                assert json.dumps(line)[1:-1] in lines[found[cell, number] - 1]
    assert "last = 1" in lines[found[6, 1] - 1]
