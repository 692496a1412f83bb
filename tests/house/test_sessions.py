"""Every session of nox does something after it has installed."""

from __future__ import annotations

import contextlib
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from unittest import mock

import nox
import pytest

from tests.house import overlay

pytestmark = pytest.mark.newest_only

# Of every session that runs natives, before what it is for.
RANGES = ("python", "-m", "tests.ranges")
OURS = ("bench", "docs", "pipeport", "tests", "tools")


@pytest.fixture(scope="module")
def sessions():
    """The sessions of the noxfile by name."""
    with contextlib.chdir(overlay.ROOT):
        runpy.run_path("noxfile.py")
    return nox.registry.get()


def commands(function, sessions, posargs=()):
    """Yield what a session runs, and what those run that it leads to."""
    for given in getattr(function, "parametrize", None) or [None]:
        session = mock.create_autospec(nox.Session, instance=True, posargs=list(posargs))
        with mock.patch.dict(os.environ):
            function(session, **(given.call_spec if given else {}))
        done = [one.args for one in session.run.call_args_list]
        for led in session.notify.call_args_list:
            done += commands(sessions[led.args[0]], sessions, *led.args[1:])
        yield from (one for one in done if one != RANGES)


def missing(command):
    """Return what a command names of the project that is not there, or is nothing to run."""
    program, *arguments = map(str, command)
    if program == "python":
        module = arguments[0] == "-m"
        name = arguments[1] if module else arguments[0]
        if module and name.partition(".")[0] not in OURS:
            return []
        path = overlay.ROOT / (name.replace(".", "/") if module else name)
        file = path / "__main__.py" if path.is_dir() else path.with_suffix(".py")
        return [] if file.exists() and "__main__" in file.read_text(encoding="utf-8") else [name]
    paths = (one.removeprefix("--ignore=") for one in arguments)
    return [one for one in paths if one.startswith("tests/") and not (overlay.ROOT / one).exists()]


def test_every_session_runs_what_is_there(sessions):
    assert "bodies" in sessions
    for name, function in sessions.items():
        done = list(commands(function, sessions))
        assert done, f"nox -s {name} runs nothing"
        for one in done:
            assert not missing(one), one


def test_nox_alone_runs_both_environments_and_all_checks(sessions):
    assert nox.options.sessions == ["check"]
    words = {word for command in commands(sessions["check"], sessions) for word in command}
    assert {"lint", "types", "tests", "addons"} <= words


def test_what_runs_nothing_is_noticed(sessions):
    def installs(session):
        session.install("numpy")
        session.run(*RANGES)

    assert list(commands(installs, sessions)) == []
    assert missing(("python", "-m", "tests.porting")) == ["tests.porting"]
    assert missing(("python", "tools/stubs.py", "one")) == ["tools/stubs.py"]
    assert missing(("pytest", "-n", "2", "tests/none.py", "tests/house")) == ["tests/none.py"]


def test_bodies_draws_programs_and_counts_them():
    options = ("--no-venv", "--no-install", "--no-error-on-external-run")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [sys.executable, "-m", "nox", "-s", "bodies", *options, "--", "--programs", "2", "--workers", "1"],
        cwd=overlay.ROOT,
        env={**os.environ, "PATH": path},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for programs, part in ((1, "arrays"), (1, "objects"), (2, r"all, \d+ s")):
        counts = re.search(rf"^{programs} programs \({part}\): (.*)", done.stdout, re.MULTILINE)[1]
        assert sum(map(int, re.findall(r"\d+", counts))) == programs
