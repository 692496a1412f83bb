"""What documents and chores say about each other is true."""

from __future__ import annotations

import os
import re
import tomllib

import pytest

from pipeport import __version__
from tests.house import overlay

pytestmark = pytest.mark.newest_only


def _text(name: str) -> str:
    return (overlay.ROOT / name).read_text(encoding="utf-8")


def _sessions() -> set[str]:
    start = r"^@nox\.session.*\n(?:@nox\.parametrize.*\n)?def (\w+)"
    return set(re.findall(start, _text("noxfile.py"), re.MULTILINE))


def test_continuous_integration_runs_the_command_of_the_readme() -> None:
    script = overlay.ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    lines = [line for line in script.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    (command,) = [line for line in lines if "nox" in line]
    assert command in _text("README.md").splitlines()
    assert command in _text("CONTRIBUTING.md").splitlines()
    # set -e: the first failure is the script's.
    assert lines[0] == "set -euo pipefail"


def test_every_chore_is_described() -> None:
    described = set(re.findall(r"^\| `nox -s (\w+)", _text("CONTRIBUTING.md"), re.MULTILINE))
    assert described == _sessions()


def test_the_contributing_page_knows_every_room() -> None:
    page = _text("CONTRIBUTING.md").split("## The house", 1)[1].split("## Scope", 1)[0]
    rooms = [path.name for path in (overlay.ROOT / "pipeport").iterdir() if (path / "__init__.py").exists()]
    assert rooms
    for room in rooms:
        assert f"{room}/" in page, room


def test_the_changelog_begins_with_the_next_version_or_this_one() -> None:
    first = re.search(r"^## \[(.+?)\]", _text("CHANGELOG.md"), re.MULTILINE)[1]
    assert first in ("Unreleased", __version__)


def test_the_readme_states_the_versions_of_the_project() -> None:
    project = tomllib.loads(_text("pyproject.toml"))["project"]
    *first, last = re.findall(r"Python :: (3\.\d+)", " ".join(project["classifiers"]))
    assert f"on Python {', '.join(first)} and {last}," in _text("README.md")
    (lowest,) = re.findall(r"^tensorflow>=(.+)$", "\n".join(project["dependencies"]), re.MULTILINE)
    assert f"TensorFlow {lowest} or newer" in _text("README.md")
    assert "Development Status :: 3 - Alpha" in project["classifiers"]
    assert "## Status\n\nAlpha," in _text("README.md")


def test_every_runtime_dependency_has_a_lowest_version() -> None:
    project = tomllib.loads(_text("pyproject.toml"))["project"]
    for requirement in project["dependencies"]:
        assert ">=" in requirement, requirement


def _missing_files(text: str) -> list[str]:
    """Return the Python files that a page names and the project does not have."""
    files = [
        f"/{path}"
        for room in ("pipeport", "bench", "tests", "tools")
        for path in (overlay.ROOT / room).rglob("*.py")
    ]
    named = re.findall(r"`([\w/]+\.py)\b", text)
    return [name for name in named if not any(file.endswith(f"/{name}") for file in files)]


def test_decisions_name_files_that_exist() -> None:
    pages = sorted((overlay.ROOT / "docs/decisions").glob("*.md"))
    assert pages
    assert {page.name: names for page in pages if (names := _missing_files(page.read_text("utf-8")))} == {}
    assert _missing_files("`kernels/xla/_order.py` and `kernels/_order.py`") == ["kernels/_order.py"]
