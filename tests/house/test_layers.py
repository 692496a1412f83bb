"""The layers of the design hold, and the check that says so can fail."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.house import overlay

pytestmark = pytest.mark.newest_only

LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"


def broken(path: Path) -> list[str]:
    """Return the names of the contracts that the package at `path` breaks."""
    done = overlay.run("-c", LINT, "--no-cache", path=path)
    assert done.returncode in (0, 1), done.stderr
    found = [line.removesuffix(" BROKEN") for line in done.stdout.splitlines() if line.endswith(" BROKEN")]
    assert bool(found) == bool(done.returncode), done.stdout + done.stderr
    return found


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package that may be changed."""
    shutil.copy(overlay.ROOT / "pyproject.toml", tmp_path)
    return overlay.copy_package(tmp_path) / "pipeport"


def test_layers_hold() -> None:
    assert broken(overlay.ROOT) == []


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("contract/_domain.py", "from pipeport import catalog", "Imports point down only"),
        ("numpy/_flip.py", "import pipeport.skimage.transform", "Imports point down only"),
        ("numpy/_flip.py", "import scipy.ndimage", "Whoever migrated"),
        ("kernels/inputs/axes.py", "import tensorflow as tf", "TensorFlow is loaded on first use"),
        ("new_room.py", "VALUE = 1", "Imports point down only"),
    ],
    ids=["upwards", "sideways", "reference", "tensorflow", "unplaced"],
)
def test_a_breach_would_be_seen(package: Path, module: str, line: str, contract: str) -> None:
    with (package / module).open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    assert any(name.startswith(contract) for name in broken(package.parent))
