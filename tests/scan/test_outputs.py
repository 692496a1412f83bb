"""What machines read: SARIF and the annotations of GitHub."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from pipeport.cli import _scan_output, main
from pipeport.scan import RULES, scan

GOOD = "import numpy as np\nimport tensorflow as tf\n\ny = tf.numpy_function(np.fliplr, [x], tf.uint8)\n"
NEVER = "import pickle, tensorflow as tf\ny = tf.py_function(pickle.load, [x], tf.uint8)\n"


def run(*arguments):
    return CliRunner().invoke(main, ["scan", *map(str, arguments)], env={"COLUMNS": "80"})


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a b,c.py").write_text(GOOD)
    (tmp_path / "src" / "never.py").write_text(NEVER + NEVER)
    return tmp_path


def sarif(*arguments):
    result = run("--sarif", *arguments)
    data = json.loads(result.output if not result.stderr else result.stdout)
    assert (data["version"], data["$schema"]) == ("2.1.0", "https://json.schemastore.org/sarif-2.1.0.json")
    [found] = data["runs"]
    return found


def test_sarif_has_what_github_requires(folder):
    found = sarif("src")
    driver = found["tool"]["driver"]
    assert driver["name"] == "pipeport"
    assert [rule["id"] for rule in driver["rules"]] == list(RULES)
    for rule in driver["rules"]:
        assert rule["shortDescription"]["text"]
        assert rule["fullDescription"]["text"]
        assert rule["help"]["text"]
        assert rule["defaultConfiguration"]["level"] in ("warning", "note")
    assert len(found["results"]) == 3
    for result in found["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["message"]["text"]
        assert result["level"] in ("warning", "note")
        [location] = result["locations"]
        place = location["physicalLocation"]
        assert place["region"]["startLine"] >= 1
        assert place["artifactLocation"]["uriBaseId"] == "%SRCROOT%"
    places = [one["locations"][0]["physicalLocation"] for one in found["results"]]
    uris = [(one["artifactLocation"]["uri"], one["region"]["startLine"]) for one in places]
    assert uris == [("src/a%20b%2Cc.py", 4), ("src/never.py", 2), ("src/never.py", 4)]
    assert found["invocations"][0]["executionSuccessful"]


def test_a_fingerprint_outlives_lines_that_are_added(folder):
    def marks():
        return [one["partialFingerprints"]["primaryLocationLineHash"] for one in sarif("src")["results"]]

    before = marks()
    assert len(set(before)) == 3
    file = folder / "src" / "never.py"
    file.write_text("\n\n" + file.read_text())
    assert marks() == before
    file.write_text(file.read_text().replace("pickle.load", "pickle.loads"))
    assert marks() != before


def test_a_file_that_is_not_scanned(folder):
    (folder / "src" / "broken.py").write_text("def numpy_function(:\n")
    [invocation] = sarif("src")["invocations"]
    assert not invocation["executionSuccessful"]
    [note] = invocation["toolExecutionNotifications"]
    assert note["message"]["text"].startswith("is no Python 3")
    assert note["locations"][0]["physicalLocation"]["region"]["startLine"] == 1
    last = run("--github", "src").stdout.splitlines()[-1]
    assert last.startswith("::error file=src/broken.py,line=1,title=not scanned::is no Python 3")


def test_a_file_outside_of_the_working_directory(folder, monkeypatch):
    monkeypatch.chdir(folder / "src")
    (folder / "good.py").write_text(GOOD)
    [result] = sarif("../good.py")["results"]
    location = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location == {"uri": (folder / "good.py").as_uri()}


def test_a_notebook_has_no_lines(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cells = [{"cell_type": "code", "source": GOOD}]
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": cells}))
    [result] = sarif("a.ipynb")["results"]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 1
    assert result["message"]["text"].startswith("Cell 1, line 4: numpy_function of numpy.fliplr")


def test_annotations(folder):
    lines = run("--github", "src").output.splitlines()
    assert lines[0] == (
        "::warning file=src/a b%2Cc.py,line=4,title=PP001::numpy_function of numpy.fliplr: no obstacle "
        "found. All that it calls has a native: numpy.fliplr."
    )
    assert lines[1].startswith("::notice file=src/never.py,line=2,title=PP004::py_function of pickle.load: ")
    assert len(lines) == 3


def test_an_annotation_is_one_line():
    line = _scan_output._command("error", "a:b.py", 3, "x,y", "100 %\r\nnext: a, b")
    assert line == "::error file=a%3Ab.py,line=3,title=x%2Cy::100 %25%0D%0Anext: a, b"


def test_nothing_found(tmp_path):
    assert run("--github", tmp_path).output == ""
    assert sarif(tmp_path)["results"] == []
    assert scan([str(tmp_path)]).files == 0
