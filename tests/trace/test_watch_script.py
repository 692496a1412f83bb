"""A script under `watch`: it runs as if it were started, and is reported on however it ends."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from pipeport.errors import OutsideDomain
from pipeport.trace._script import watch_script

HEAD = """
import sys
import tensorflow as tf

@tf.function
def power(x, n):
    return x * n

for n in (1, 2):
    power(tf.constant(2), n)
"""


def run(folder: Path, text: str, *arguments: str):
    script = folder / "script.py"
    script.write_text(HEAD + text, encoding="utf-8")
    return watch_script(script, arguments)


def test_it_runs_as_if_started(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "neighbour.py").write_text("VALUE = 7\n", encoding="utf-8")
    argv, folders = list(sys.argv), list(sys.path)
    text = "import neighbour\nprint(__name__, sys.argv[1:], neighbour.VALUE, __file__.endswith('script.py'))"
    done = run(tmp_path, text, "--epochs", "3")
    assert capsys.readouterr().out == "__main__ ['--epochs', '3'] 7 True\n"
    assert (done.exit_code, done.error, done.interrupted) == (0, "", False)
    assert [one.message for one in done.report.findings] == ["argument `n` is a Python int, 1 then 2"]
    assert done.report.functions[0].file == str(tmp_path / "script.py")
    assert (sys.argv, sys.path) == (argv, folders)
    assert json.loads(json.dumps(done.as_json()))["script"]["exit_code"] == 0


@pytest.mark.parametrize(
    ("text", "code", "error"),
    [
        ("sys.exit(5)", 5, ""),
        ("sys.exit()", 0, ""),
        ("sys.exit('no data')", 1, "no data\n"),
        ("raise KeyboardInterrupt", 130, "KeyboardInterrupt"),
        ("{}['absent']", 1, "KeyError: 'absent'"),
        ("power('a', tf.constant(1))", 1, "in power"),
        ("def broken(:", 1, "SyntaxError"),
    ],
)
def test_its_end_is_kept(tmp_path: Path, text: str, code: int, error: str) -> None:
    done = run(tmp_path, text)
    assert done.exit_code == code
    assert error in done.error
    assert bool(error) == bool(done.error)
    assert done.interrupted == (code == 130)
    # Frames of runpy, of ours and of TensorFlow are nobody's business.
    assert "runpy" not in done.error
    assert "pipeport" not in done.error
    assert bool(done.report.findings) == ("broken(" not in text)


def test_a_missing_script_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OutsideDomain, match=r"script: got .*absent\.py; allowed: a file of Python source"):
        watch_script(tmp_path / "absent.py")
