"""`pipeport rewrite --evidence`: what a run has proved becomes a port, by the report and by nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from pipeport.cli import main
from pipeport.errors import OutsideDomain
from pipeport.rewrite import Evidence, read_evidence, rewrite

pytestmark = pytest.mark.newest_only

SCRIPT = """\
import cv2
import numpy as np
import tensorflow as tf

IMAGES = np.arange(2 * 8 * 8 * 3, dtype=np.uint8).reshape(2, 8, 8, 3)


def mirrored(image):
    return np.fliplr(image)


def denoised(image):
    return cv2.fastNlMeansDenoising(image) + 0


def shows(image):
    print("seen")
    return image


def scaled(image, by):
    return tf.cast(image, tf.float32) * by, tf.reduce_sum(image)


def apply(function, image):
    return tf.numpy_function(function, [image], tf.uint8)


def prepare(image):
    image = tf.numpy_function(
        mirrored,
        [image],  # an image
        tf.uint8,
    )
    image = tf.numpy_function(denoised, [image], tf.uint8)
    image = tf.numpy_function(shows, [image], tf.uint8)
    return image


def more(image):
    image, _ = tf.py_function(scaled, [image, 2.0], [tf.float32, tf.uint8])
    [image] = tf.numpy_function(lambda x: x + 1, [image], [tf.float32])
    return image


def both(image):
    return apply(mirrored, image), apply(np.flipud, image)


dataset = tf.data.Dataset.from_tensor_slices(IMAGES)
print(sum(int(tf.reduce_sum(tf.cast(one, tf.int32))) for one in dataset.map(prepare)))
print(sum(float(tf.reduce_sum(one)) for one in dataset.map(more)))
print([int(tf.cast(one, tf.int32)[0, 0, 0]) for pair in dataset.map(both) for one in pair])
"""
CHANGED = [
    "    image = pipeport.port(mirrored, Tout=tf.uint8)(image)",
    "    image = pipeport.port(\n        denoised,\n        Tout=tf.uint8,\n        "
    'islands={"cv2.fastNlMeansDenoising": tf.TensorSpec([None, None, None], tf.uint8)},\n    )(image)',
    "    image = tf.numpy_function(shows, [image], tf.uint8)",
    "    image, _ = pipeport.port(\n        scaled,\n        Tout=[tf.float32, tf.uint8],\n"
    '        wrapper="py_function",\n    )(image, tf.convert_to_tensor(2.0))',
    "    [image] = tf.nest.flatten(pipeport.port(lambda x: x + 1, Tout=[tf.float32])(image))",
    "    return pipeport.port(function, Tout=tf.uint8)(image)",
]


def run(*arguments):
    return CliRunner().invoke(main, ["rewrite", *map(str, arguments)], env={"COLUMNS": "80"})


def child(folder, *arguments):
    told = {**os.environ, "PIPEPORT_QUIET": "1"}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=told, capture_output=True, text=True, check=True
    )


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """Return a folder with the script and its report, and what the script printed."""
    folder = tmp_path_factory.mktemp("ran")
    (folder / "train.py").write_text(SCRIPT)
    options = ("--prefer-native", "--report", "report.json")
    done = child(folder, "-m", "pipeport", "run", *options, "train.py")
    return folder, done.stdout


@pytest.fixture
def folder(ran, monkeypatch):
    monkeypatch.chdir(ran[0])
    yield ran[0]
    (ran[0] / "train.py").write_text(SCRIPT)


def test_what_was_native_becomes_a_port(folder, ran):
    done = run("train.py", "--evidence", "report.json", "--write")
    assert done.exit_code == 0, done.output
    told = " ".join(done.output.split())
    assert "train.py:36: PP207 numpy_function of shows stays. It may change more than its result" in told
    assert "1 file: 5 places rewritten in 1 file, 1 stays." in told
    text = (folder / "train.py").read_text()
    assert [lines for lines in CHANGED if f"\n{lines}\n" not in text] == []
    assert "\n    # an image\n" in text
    assert max(map(len, text.splitlines())) <= 110
    assert child(folder, "train.py").stdout == ran[1]


def test_then_the_script_is_run_again(folder, ran):
    done = child(
        folder, "-m", "pipeport", "rewrite", "train.py", "--evidence", "report.json", "--write",
        "--then-run", "--json",
    )  # fmt: skip
    printed, data = done.stdout[: len(ran[1])], json.loads(done.stdout[len(ran[1]) :])
    assert printed == ran[1]
    assert data["again"] == {"code": 0, "before": 5, "after": 0, "left": 1, "lost": []}


def test_a_changed_file_stays(folder):
    (folder / "train.py").write_text(SCRIPT + "# more\n")
    done = run("train.py", "--evidence", "report.json", "--json")
    data = json.loads(done.output)
    assert data["changes"] == []
    assert all("train.py is not what it was when it ran" in one["reason"] for one in data["refusals"])


def test_what_was_not_traced_stays(folder):
    evidence = read_evidence(folder / "report.json")
    evidence.boundaries = [one for one in evidence.boundaries if one["name"] != "denoised"]
    [file] = rewrite(["train.py"], evidence=evidence).files
    assert [one.reason.partition(":")[0] for one in file.refusals if one.function == "denoised"] == [
        "The run did not trace it"
    ]


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("draws", True, "It draws"),
        ("exact_bits", True, "every bit"),
        ("stated", None, "no text can state"),
    ],
)
def test_what_becomes_the_drop_in(folder, name, value, why):
    evidence = read_evidence(folder / "report.json")
    for one in evidence.boundaries:
        if one["name"] == "denoised":
            one[name] = value
    [file] = rewrite(["train.py"], evidence=evidence).files
    [change] = [one for one in file.changes if one.function == "denoised"]
    assert change.becomes == "drop-in"
    assert why in change.why
    assert b"pipeport.numpy_function(denoised, [image], tf.uint8)" in file.new


def test_functions_that_need_different_options(folder):
    evidence = read_evidence(folder / "report.json")
    for one in evidence.boundaries:
        if one["name"] == "flipud":
            one["islands"], one["stated"] = 1, {"numpy.f": ["uint8", 3]}
    [file] = rewrite(["train.py"], evidence=evidence).files
    assert b"pipeport.numpy_function(function, [image], tf.uint8)" in file.new


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"command": {}, "settings": {}, "boundaries": [1]}'])
def test_no_report(tmp_path, text):
    (tmp_path / "report.json").write_text(text)
    with pytest.raises(OutsideDomain, match=r"evidence: got .*report.json .*pipeport run --report"):
        read_evidence(tmp_path / "report.json")


def test_a_report_of_no_run_has_no_script(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text("")
    (tmp_path / "r.json").write_text('{"command": {}, "settings": {}, "boundaries": []}')
    done = run("a.py", "--evidence", "r.json", "--write", "--then-run")
    assert done.exit_code == 2
    assert "run the script yourself" in done.output


def test_options_of_the_run_are_those_of_the_next():
    report = {"command": {}, "boundaries": [], "settings": {"prefer_native": True, "islands": False}}
    assert Evidence(report).options == ["--prefer-native", "--no-islands"]


def test_long_options_stand_in_lines():
    """Each argument has a line of its own, and each island, where they would not fit in one."""
    from pipeport.rewrite._edit import Edits, PortCall, applied

    islands = ", ".join(
        f'"{name}": tf.TensorSpec([None, None], tf.float32)' for name in ("cv2.one", "cv2.two")
    )
    call = PortCall({"islands": f"{{{islands}}}"}, ("",), "", 0, "tf", listed=False)
    text = "def op(x):\n  return tf.numpy_function(f, [x], tf.uint8)\n"
    new, _ = applied(text, Edits(calls={(2, 9, 2, 44): call}))
    assert new == (
        "def op(x):\n  return pipeport.port(\n      f,\n      Tout=tf.uint8,\n      islands={\n"
        '          "cv2.one": tf.TensorSpec([None, None], tf.float32),\n'
        '          "cv2.two": tf.TensorSpec([None, None], tf.float32),\n      },\n  )(x)\n'
    )
