"""docs/add-a-pair.md, followed to the letter in a copy of the package."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pipeport import catalog
from tests.house import overlay

pytestmark = pytest.mark.newest_only

PAIR = "pipeport.numpy.diagflat"


def _section() -> str:
    return (overlay.ROOT / "docs" / "add-a-pair.md").read_text(encoding="utf-8")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", _section(), re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository's code after its reader has done what the page says, and nothing else."""
    root = overlay.copy_package(tmp_path_factory.mktemp("newcomer"))
    shutil.copytree(overlay.ROOT / "tests", root / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("bench", "docs", "tools"):
        shutil.copytree(overlay.ROOT / name, root / name)
    for name in ("pyproject.toml", "README.md", "CONTRIBUTING.md"):
        shutil.copy(overlay.ROOT / name, root)
    _commit(root)
    module, export = _blocks("python")
    file, package = re.findall(r"`(pipeport/numpy/\w+\.py)`", _section())[:2]
    (root / file).write_text(module, encoding="utf-8")
    with (root / package).open("a", encoding="utf-8") as init:
        init.write(export)
    return root


def _commit(root: Path) -> None:
    """Make a checkout of the copy, two days old and worked on now: the pair is what changed since."""
    who = ("-c", "user.name=x", "-c", "user.email=x@y.z", "-c", "commit.gpgsign=false")
    for command in (("init", "-q"), ("add", "-A", "pipeport")):
        subprocess.run(["git", *command], cwd=root, check=True)
    for date in ("2026-01-01T00:00:00Z", "2026-01-03T00:00:00Z"):
        command = ["git", *who, "commit", "-q", "--allow-empty", "-m", "x"]
        subprocess.run(command, cwd=root, check=True, env={**os.environ, "GIT_COMMITTER_DATE": date})


def _commands() -> list[str]:
    return _blocks("console")[0].splitlines()


def test_the_pair_is_new() -> None:
    assert PAIR not in catalog.pairs(), "choose another example for docs/add-a-pair.md"


@pytest.mark.parametrize("command", _commands(), ids=lambda command: command.split()[1])
def test_every_command_of_the_page_succeeds(command: str, copy: Path) -> None:
    program, *arguments = command.split()
    if program == "python":
        done = overlay.run(*arguments, path=copy)
    else:
        done = overlay.run("-m", program, *_shorter(arguments), path=copy)
    assert done.returncode == 0, done.stdout + done.stderr
    if program == "pytest":
        passed = int(re.search(r"(\d+) passed", done.stdout)[1])
        assert passed >= 10, done.stdout


def _shorter(arguments: list[str]) -> list[str]:
    """Return the arguments with fewer examples: how many are drawn is not what this test is about."""
    if "--examples" in arguments:
        arguments[arguments.index("--examples") + 1] = "4"
    return arguments


def test_the_catalog_shows_the_pair(copy: Path) -> None:
    done = overlay.run("-m", "pipeport", "catalog", PAIR, path=copy)
    assert "numpy.diagflat" in done.stdout
    assert "Make a matrix with the elements of an array on a diagonal." in done.stdout


def test_a_wrong_native_would_be_noticed(copy: Path) -> None:
    call = "verify_pair('numpy.diagflat', engines=['eager'], examples=30)"
    verify = f"from pipeport.verify import verify_pair; {call}"
    assert overlay.run("-c", verify, path=copy).returncode == 0
    file = copy / "pipeport/numpy/_diagflat.py"
    right = file.read_text(encoding="utf-8")
    file.write_text(right.replace("== diagonal", "== diagonal + 1"), encoding="utf-8")
    try:
        done = overlay.run("-c", verify, path=copy)
    finally:
        file.write_text(right, encoding="utf-8")
    assert "NotEquivalent" in done.stderr
