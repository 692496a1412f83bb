"""What machines read: SARIF and the annotations of GitHub."""

from __future__ import annotations

import json
import re

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


# What the schema of SARIF 2.1.0 (OASIS, errata 01) requires and allows of the objects that are written here:
# required keys, all keys with their types, words and lowest values. It allows more keys; these are ours. Of
# a region it asks for a line or an offset, and ours have lines.
_TEXT = {"type": str}
_SEMANTIC = {"type": str, "pattern": r"\d+\.\d+\.\d+(-[0-9a-z.-]+)?"}
_MESSAGE = {"required": ["text"], "keys": {"text": _TEXT}}
_WITH_PAGE = {"required": ["text"], "keys": {"text": _TEXT, "markdown": _TEXT}}
_LEVEL = {"type": str, "words": ["none", "note", "warning", "error"]}
_INDEX = {"type": int, "lowest": -1}
_LOCATION = {
    "required": [],
    "keys": {
        "physicalLocation": {
            "required": ["artifactLocation"],
            "keys": {
                "artifactLocation": {"required": [], "keys": {"uri": _TEXT, "uriBaseId": _TEXT}},
                "region": {"required": ["startLine"], "keys": {"startLine": {"type": int, "lowest": 1}}},
            },
        }
    },
}
_RULE = {
    "required": ["id"],
    "keys": {
        "id": _TEXT,
        "shortDescription": _MESSAGE,
        "fullDescription": _MESSAGE,
        "help": _WITH_PAGE,
        "defaultConfiguration": {"required": [], "keys": {"level": _LEVEL}},
        "properties": {"required": [], "keys": {"tags": {"each": _TEXT}}},
    },
}
_RESULT = {
    "required": ["message"],
    "keys": {
        "ruleId": _TEXT,
        "ruleIndex": _INDEX,
        "level": _LEVEL,
        "message": _MESSAGE,
        "locations": {"each": _LOCATION},
        "partialFingerprints": {"required": [], "keys": {"primaryLocationLineHash": _TEXT}},
    },
}
_NOTE = {
    "required": ["message"],
    "keys": {"level": _LEVEL, "message": _MESSAGE, "locations": {"each": _LOCATION}},
}
_DRIVER = {
    "required": ["name"],
    "keys": {"name": _TEXT, "version": _TEXT, "semanticVersion": _SEMANTIC, "rules": {"each": _RULE}},
}
_INVOCATION = {
    "required": ["executionSuccessful"],
    "keys": {"executionSuccessful": {"type": bool}, "toolExecutionNotifications": {"each": _NOTE}},
}
_RUN = {
    "required": ["tool"],
    "keys": {
        "tool": {"required": ["driver"], "keys": {"driver": _DRIVER}},
        "results": {"each": _RESULT},
        "invocations": {"each": _INVOCATION},
    },
}
SARIF = {
    "required": ["version", "runs"],
    "keys": {
        "$schema": {"type": str},
        "version": {"type": str, "words": ["2.1.0"]},
        "runs": {"each": _RUN},
    },
}


def mistakes(value, schema, where="sarif"):
    """Return what of a value the schema does not allow."""
    if "each" in schema:
        if type(value) is not list:
            return [f"{where} is not a list"]
        return [
            one for n, part in enumerate(value) for one in mistakes(part, schema["each"], f"{where}[{n}]")
        ]
    if "keys" in schema:
        if type(value) is not dict:
            return [f"{where} is not an object"]
        found = [f"{where} has no {key}" for key in schema["required"] if key not in value]
        for key, part in value.items():
            known = schema["keys"].get(key)
            found += mistakes(part, known, f"{where}.{key}") if known else [f"{where} has a {key}"]
        return found
    if type(value) is not schema["type"]:
        return [f"{where} is of type {type(value).__name__}"]
    if "pattern" in schema and not re.fullmatch(schema["pattern"], value):
        return [f"{where} is {value!r}"]
    if value not in schema.get("words", [value]) or value < schema.get("lowest", value):
        return [f"{where} is {value!r}"]
    return []


def test_sarif_follows_its_schema(folder):
    (folder / "src" / "broken.py").write_text("def numpy_function(:\n")
    data = json.loads(run("--sarif", "src").stdout)
    assert mistakes(data, SARIF) == []
    assert len(data["runs"][0]["results"]) == 3
    assert data["runs"][0]["invocations"][0]["toolExecutionNotifications"]


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (["version"], "2.0", "sarif.version is '2.0'"),
        (["runs", 0, "tool"], {}, "sarif.runs[0].tool has no driver"),
        (["runs", 0, "results", 1, "message", "txt"], "x", "sarif.runs[0].results[1].message has a txt"),
        (["runs", 0, "results", 0, "level"], "notice", "sarif.runs[0].results[0].level is 'notice'"),
        (["runs", 0, "invocations", 0, "executionSuccessful"], 1,
         "sarif.runs[0].invocations[0].executionSuccessful is of type int"),
        (["runs", 0, "results", 0, "locations", 0, "physicalLocation", "region", "startLine"], 0,
         "sarif.runs[0].results[0].locations[0].physicalLocation.region.startLine is 0"),
    ],
)  # fmt: skip
def test_what_the_schema_forbids_is_noticed(folder, path, value, said):
    data = json.loads(run("--sarif", "src").stdout)
    inside = data
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    assert mistakes(data, SARIF) == [said]


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
    assert note["message"]["text"].startswith("is not Python 3")
    assert note["locations"][0]["physicalLocation"]["region"]["startLine"] == 1
    last = run("--github", "src").stdout.splitlines()[-1]
    assert last.startswith("::error file=src/broken.py,line=1,title=not scanned::is not Python 3")


def test_a_file_outside_of_the_working_directory(folder, monkeypatch):
    monkeypatch.chdir(folder / "src")
    (folder / "good.py").write_text(GOOD)
    [result] = sarif("../good.py")["results"]
    location = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location == {"uri": (folder / "good.py").as_uri()}


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
