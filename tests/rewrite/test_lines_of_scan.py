"""`pipeport scan` prints exactly the lines that `pipeport rewrite` writes."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from pipeport.rewrite import rewrite
from pipeport.scan import scan

pytestmark = pytest.mark.newest_only

HERE = Path(__file__).parent
FIXTURES = HERE.parent / "scan" / "fixtures"
MANY = """\
import tensorflow as tf

pairs = [(tf.numpy_function(f, [x], tf.int32), tf.py_function(
    g, [tf.numpy_function(h, [x], tf.int32)], tf.int32)), 'é', tf. \\
    numpy_function(f, [x], tf.int32), tf.numpy_function(f, [x], tf.int32)]
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Return what scan and rewrite say of each fixture and program, by path."""
    folder = tmp_path_factory.mktemp("programs")
    for path in sorted((HERE / "programs").glob("*.txt")):
        (folder / f"{path.stem}.py").write_bytes(path.read_bytes())
    (folder / "many.py").write_text(MANY)
    paths = [str(FIXTURES), str(folder)]
    found = scan(paths)
    written = {file.shown: file for file in rewrite(paths).files}
    return {
        path: ([one for one in found.findings if one.path == path], written.get(path))
        for path in found.names.values()
    }


def changed(lines):
    """Return the lines that go and those that come, without the import."""
    lines = [line for line in lines if line != "+import pipeport"]
    return sorted(line for line in lines if line[:1] in "+-")


def test_the_lines_of_scan_are_those_that_are_written(files):
    count = 0
    for path, (findings, file) in files.items():
        told = "\n".join(dict.fromkeys(one.diff for one in findings if one.diff)).splitlines()
        new = [] if file is None or not any(one.becomes == "drop-in" for one in file.changes) else file.texts
        texts = [(before.splitlines(), after.splitlines()) for _, before, after in new]
        diffs = [
            line
            for both in texts
            for line in difflib.unified_diff(*both, n=0)
            if line[:3] not in ("---", "+++")
        ]
        assert changed(told) == changed(diffs), path
        assert ("+import pipeport" in told) == ("+import pipeport" in diffs), path
        count += bool(told)
    assert count >= 60


def test_what_stays_has_no_line_and_the_same_reason(files):
    count = 0
    for path, (findings, file) in files.items():
        told = {
            (one.line, one.stays) for one in findings if one.kind in ("boundary", "generator") and one.stays
        }
        stays = {(one.line, one.reason) for one in (file.refusals if file else ())}
        assert told == stays, path
        count += len(stays)
    assert count >= 15


def test_a_default_does_not_decide_where_a_caller_passes_another_function(tmp_path):
    path = tmp_path / "a.py"
    path.write_text(
        "import pickle\nimport tensorflow as tf\nimport numpy as np\n\n\ndef apply(x, f=pickle.loads):\n"
        "    return tf.numpy_function(f, [x], tf.int32)\n\n\n"
    )
    assert [one.code for file in rewrite([str(path)]).files for one in file.refusals] == ["PP004"]
    (tmp_path / "b.py").write_text("import numpy as np\nfrom a import apply\n\ny = apply(x, np.flip)\n")
    [file] = rewrite([str(tmp_path)]).files
    assert [one.becomes for one in file.changes] == ["drop-in"]
