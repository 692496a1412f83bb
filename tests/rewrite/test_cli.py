"""`pipeport rewrite`, as a user meets it."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import libcst
import pytest
from click.testing import CliRunner

from pipeport.cli import main
from pipeport.errors import RewriteRefused
from pipeport.rewrite import _run, rewrite, write

pytestmark = pytest.mark.newest_only

OLD = """\
import pickle

import numpy as np
import tensorflow as tf


def mirrored(image):
    return np.fliplr(image)


def load(path):
    with open(path, "rb") as file:
        return pickle.load(file)


def op(image, path):
    return tf.numpy_function(mirrored, [image], tf.uint8), tf.numpy_function(load, [path], tf.uint8)
"""
NEW = OLD.replace("np\nimport", "np\nimport pipeport\nimport").replace(
    "tf.numpy_function(mirrored", "pipeport.numpy_function(mirrored"
)


def run(*arguments):
    return CliRunner().invoke(main, ["rewrite", *map(str, arguments)], env={"COLUMNS": "80"})


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "train.py"
    path.write_text(OLD)
    return path


def test_the_diff(file):
    result = run("train.py")
    assert result.exit_code == 0
    assert result.output == (
        "--- train.py\n"
        "+++ train.py\n"
        "@@ -1,6 +1,7 @@\n"
        " import pickle\n"
        " \n"
        " import numpy as np\n"
        "+import pipeport\n"
        " import tensorflow as tf\n"
        " \n"
        " \n"
        "@@ -14,4 +15,4 @@\n"
        " \n"
        " \n"
        " def op(image, path):\n"
        "-    return tf.numpy_function(mirrored, [image], tf.uint8), "
        "tf.numpy_function(load, [path], tf.uint8)\n"
        "+    return pipeport.numpy_function(mirrored, [image], tf.uint8), "
        "tf.numpy_function(load, [path], tf.uint8)\n"
        "\n"
        "train.py:17: PP004 numpy_function of load stays. pickle.load: A graph cannot run\n"
        "    pickles. Convert the files once, for instance to TFRecord: pipeport recipe\n"
        "    npz-to-tfrecord.\n"
        "1 file: 1 place would be rewritten in 1 file, 1 stays.\n"
    )
    assert file.read_text() == OLD


def test_check_and_write(file):
    assert run("train.py", "--check").exit_code == 1
    assert file.read_text() == OLD
    file.chmod(0o640)
    result = run("train.py", "--write")
    assert result.exit_code == 0
    assert result.output.startswith("written: train.py\n")
    assert file.read_text() == NEW
    assert file.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in file.parent.iterdir()] == ["train.py"]
    assert run("train.py", "--check").exit_code == 0, "it is a fixed point"


def test_json(file):
    result = run("train.py", "--write", "--json")
    data = json.loads(result.output)
    assert data["format"] == 1
    assert data["files"] == 1
    [change], [refusal], [diff] = data["changes"], data["refusals"], data["diffs"]
    assert change == {"path": "train.py", "line": 17, "cell": None, "wrapper": "numpy_function",
                      "function": "mirrored", "becomes": "drop-in", "why": "", "written": True}  # fmt: skip
    assert (refusal["function"], refusal["code"]) == ("load", "PP004")
    assert data["again"] is None
    assert "+import pipeport" in diff["diff"].splitlines()
    assert data["problems"] == []


@pytest.mark.parametrize(
    ("options", "said"),
    [(["--then-run"], "belongs to --evidence"), (["--evidence", "no.json"], "No such file"), ([], "Missing")],
)
def test_a_mistake_in_the_call(file, options, said):
    result = run(*options, *(["train.py"] if options else []))
    assert result.exit_code == 2
    assert said in result.output
    assert file.read_text() == OLD


def test_without_libcst(file, monkeypatch):
    monkeypatch.setitem(sys.modules, "libcst", None)
    result = run("train.py")
    assert result.exit_code == 2
    assert 'pip install "pipeport[migrate]"' in result.output


# What is not a program of today costs one line, and the run goes on.


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"def f(:\n    tf.numpy_function(f)\n", "is not Python 3"),
        (b"print 'numpy_function'\n", "is not Python 3"),
        (b"# -*- coding: klingon -*-\n# py_func\n", "is not text"),
        (b"x = '\xff numpy_function'\n", "is not text"),
        (b"x = 'numpy_function'\x00\n", "is not Python 3|cannot be parsed"),
        (b"#" * (2**22 + 1), "has 4 MiB"),
    ],
    ids=["syntax", "python-2", "no-such-encoding", "not-utf-8", "null-byte", "huge"],
)
def test_a_file_that_cannot_be_read(file, content, reason):
    bad = file.parent / "bad.py"
    bad.write_bytes(content)
    result = run(".", "--write")
    assert result.exit_code == 2
    [line] = result.stderr.splitlines()
    assert line.startswith("bad.py:")
    assert any(part in line for part in reason.split("|"))
    assert bad.read_bytes() == content
    assert file.read_text() == NEW


def test_links_and_files_that_cannot_be_read(file, monkeypatch):
    (file.parent / "again").symlink_to(file.parent, target_is_directory=True)
    (file.parent / "gone.py").symlink_to(file.parent / "nowhere.py")
    (file.parent / "closed.py").write_text(OLD)
    read = Path.read_bytes

    def refuse(path):
        if path.name == "closed.py":
            raise PermissionError(13, "Permission denied")
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    result = run(".")
    assert result.exit_code == 2
    assert sorted(result.stderr.splitlines()) == [
        "closed.py: cannot be read: Permission denied",
        "gone.py: is not a file",
    ]


def test_a_linked_file_stays_a_link(file):
    link = file.parent / "sub"
    link.mkdir()
    (link / "link.py").symlink_to(file)
    assert run("sub", "--write").exit_code == 0
    assert (link / "link.py").is_symlink()
    assert file.read_text() == NEW


@pytest.mark.parametrize(
    ("encoding", "end"),
    [("latin-1", "\n"), ("latin-1", "\r\n"), ("utf-8-sig", "\r\n"), ("utf-8", "\r")],
    ids=["latin", "latin-windows", "mark-windows", "old-mac"],
)
def test_encoding_and_ends_of_lines_stay(file, encoding, end):
    def stored(text):
        head = "# -*- coding: latin-1 -*-\n# é\n" if encoding == "latin-1" else "# é\n"
        return (head + text).replace("\n", end).encode(encoding)

    file.write_bytes(stored(OLD))
    assert run("train.py", "--write").exit_code == 0
    assert file.read_bytes() == stored(NEW)


def test_columns_count_characters(file):
    line = "NAMES = ['é', tf.numpy_function(mirrored, [tf.constant([[1]])], tf.int32)]\n"
    file.write_text(OLD + line)
    assert run("train.py", "--write").exit_code == 0
    assert file.read_text() == NEW + line.replace(
        "tf.numpy_function(mirrored", "pipeport.numpy_function(mirrored"
    )


def test_what_libcst_would_write_otherwise_is_left(file):
    text = "\x0cimport os\n" + OLD
    file.write_text(text)
    result = run("train.py", "--write")
    assert result.exit_code == 2
    assert result.stderr == "train.py: cannot be written back as it is\n"
    assert file.read_text() == text


def test_an_interrupted_write_leaves_the_old_file(file, monkeypatch):
    [one] = rewrite([str(file)]).files

    def interrupted(handle):
        raise KeyboardInterrupt

    monkeypatch.setattr(_run.os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write(one)
    assert file.read_text() == OLD
    assert [path.name for path in file.parent.iterdir()] == ["train.py"]


def test_a_file_that_changed_meanwhile_is_left(file):
    [one] = rewrite([str(file)]).files
    file.write_text(OLD + "# more\n")
    with pytest.raises(RewriteRefused, match="another text than was read"):
        write(one)
    assert file.read_text() == OLD + "# more\n"


def test_what_another_program_writes_meanwhile_is_kept(file, monkeypatch):
    [one] = rewrite([str(file)]).files

    def appended(handle):
        file.write_text(OLD + "# more\n")

    monkeypatch.setattr(_run.os, "fsync", appended)
    with pytest.raises(RewriteRefused, match="another text than was read"):
        write(one)
    assert file.read_text() == OLD + "# more\n"
    assert [path.name for path in file.parent.iterdir()] == ["train.py"]


def test_a_folder_that_cannot_be_written(file, monkeypatch):
    def refuse(**about):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(_run.tempfile, "mkstemp", refuse)
    result = run("train.py", "--write")
    assert result.exit_code == 2
    assert "Permission denied" in result.stderr
    assert file.read_text() == OLD


def test_what_cannot_be_placed_is_not_written(file, monkeypatch):
    """An edit that finds no call, or text that does not parse, is a problem, and no change."""
    monkeypatch.setattr("pipeport.rewrite._edit.applied", lambda text, edits: ("f(", edits.places))
    result = run("train.py", "--write")
    assert result.exit_code == 2
    assert "nothing is rewritten" in result.stderr
    assert file.read_text() == OLD


def test_the_fixtures_of_scan_are_fixed_points_once_rewritten(tmp_path):
    """Whatever people write: what comes out is Python, and nothing more of it would be rewritten."""
    folder = Path(__file__).parents[1] / "scan" / "fixtures"
    result = rewrite([str(folder)])
    assert not result.problems
    changed = [file for file in result.files if file.changes]
    assert len(changed) >= 20
    for file in changed:
        ast.parse(file.new)
        assert libcst.parse_module(file.new).bytes == file.new
        (tmp_path / os.path.relpath(file.path, folder).replace(os.sep, "_")).write_bytes(file.new)
    again = rewrite([str(tmp_path)])
    assert not [one for file in again.files for one in file.changes]


def test_the_tool_loads_no_tensorflow():
    code = (
        "import sys; from pipeport.rewrite import rewrite; rewrite([sys.argv[1]]); "
        "print('tensorflow' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(Path(__file__).parents[1] / "scan" / "fixtures")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "False\n"
