"""A copy of the package that a test may change."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def copy_package(target: Path) -> Path:
    """Copy the package and the recipes to `target`, without caches."""
    for name in ("pipeport", "recipes"):
        shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))
    return target


def run(*arguments: str, path: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run Python in `path`, in another process that finds the package there and nowhere else."""
    environment = os.environ | {"PYTHONPATH": str(path), "TF_CPP_MIN_LOG_LEVEL": "3"}
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, cwd=path, env=environment
    )
