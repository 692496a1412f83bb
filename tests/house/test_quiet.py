"""What TensorFlow says while it starts is the answer to no verb; who wants to see it does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pipeport.cli import _quiet
from tests.house import overlay

pytestmark = pytest.mark.newest_only

# What TensorFlow 2.21 and 2.15 write while they are imported.
NOTES = """\
WARNING: All log messages before absl::InitializeLog() is called are written to STDERR
I0000 00:00:1795383573.925122    2943 port.cc:153] oneDNN custom operations are on.
2026-11-22 21:41:10.000000: I tensorflow/core/util/port.cc:113] oneDNN custom operations are on.
E0000 00:00:1795383570.912281    2675 cuda_platform.cc:52] failed call to cuInit: INTERNAL
"""
FATAL = "F0000 00:00:1795383570.912281    2675 cpu.cc:1] compiled to use AVX instructions\n"
STAND_IN = """
import os, sys
os.write(2, {native!r}.encode())
print("from Python", file=sys.stderr)
{then}
"""
PROBE = """
import sys
from pipeport.cli import _quiet
before = list(sys.meta_path)
with _quiet.tensorflow():
    import tensorflow
assert tensorflow.__spec__.loader.exec_module.__self__ is tensorflow.__spec__.loader
assert sys.meta_path == before
print("once more", file=sys.stderr)
"""


def said(folder: Path, native: str, then: str = "", level: str | None = None) -> str:
    """Return what a process leaves on standard error that imports a stand-in for TensorFlow."""
    package = folder / "tensorflow"
    package.mkdir()
    (package / "__init__.py").write_text(STAND_IN.format(native=native, then=then), encoding="utf-8")
    environment = _without_level() | ({_quiet.LEVEL: level} if level else {})
    environment["PYTHONPATH"] = os.pathsep.join((str(folder), str(overlay.ROOT)))
    done = subprocess.run(
        [sys.executable, "-c", PROBE], capture_output=True, text=True, check=False, env=environment
    )
    return done.stderr


def _without_level() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != _quiet.LEVEL}


def test_notes_are_held_back_and_nothing_else(tmp_path: Path) -> None:
    other = "a library that says something else\nI am not TensorFlow\n"
    assert said(tmp_path, NOTES + other) == f"from Python\n{other}once more\n"


@pytest.mark.parametrize(("level", "kept"), [("1", "E0000"), ("2", "E0000"), ("3", None)])
def test_a_users_own_level_counts(tmp_path: Path, level: str, kept: str | None) -> None:
    shown = said(tmp_path, NOTES, level=level)
    assert ("E0000" in shown) == (kept is not None)
    assert ("WARNING: All" in shown) == (kept is not None), "the banner stands only above notes"
    assert "oneDNN" not in shown


def test_level_0_shows_everything(tmp_path: Path) -> None:
    assert said(tmp_path, NOTES, level="0") == f"{NOTES}from Python\nonce more\n"


def test_all_is_shown_when_the_import_fails(tmp_path: Path) -> None:
    shown = said(tmp_path, NOTES, then="raise ImportError('a broken installation')")
    assert NOTES in shown
    assert "ImportError: a broken installation" in shown


@pytest.mark.parametrize("level", [None, "3", "9"])
def test_fatal_words_are_kept(tmp_path: Path, level: str | None) -> None:
    assert FATAL in said(tmp_path, FATAL, level=level)


def test_a_process_that_is_ended_says_where(tmp_path: Path) -> None:
    shown = said(tmp_path, FATAL, then="os.abort()")
    assert "Fatal Python error: Aborted" in shown
    assert "tensorflow/__init__.py" in shown.replace(os.sep, "/")


def test_a_verb_leaves_nothing_of_tensorflow_on_standard_error() -> None:
    verify = ["-m", "pipeport", "verify", "numpy.flip", "--engine", "eager", "--examples", "2"]
    done = subprocess.run(
        [sys.executable, *verify],
        capture_output=True,
        text=True,
        check=False,
        cwd=overlay.ROOT,
        env=_without_level(),
    )
    assert done.returncode == 0, done.stderr
    assert "numpy.flip" in done.stdout
    assert done.stderr.strip() == ""


def test_without_a_standard_error_nothing_is_held_back_and_nothing_breaks(tmp_path: Path) -> None:
    package = tmp_path / "tensorflow"
    package.mkdir()
    (package / "__init__.py").touch()
    code = (
        "import os, sys\n"
        "os.close(2)\n"
        "sys.stderr = None\n"
        "from pipeport.cli import _output, _quiet\n"
        "with _quiet.tensorflow():\n"
        "    import tensorflow\n"
        "_output.progress_console().print('to nobody')\n"
        "print('done')\n"
    )
    environment = _without_level() | {"PYTHONPATH": os.pathsep.join((str(tmp_path), str(overlay.ROOT)))}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment
    )
    assert (done.returncode, done.stdout) == (0, "done\n")
