"""Whoever migrated can uninstall the reference libraries."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.catalog import arguments
from tests.selection import selection

pytestmark = pytest.mark.newest_only

CHECK = "without references"
ROOT = Path(__file__).parents[2]


def test_natives_run_where_no_reference_can_be_imported() -> None:
    chosen = selection()
    names = [name for name in arguments.parametrized() if chosen.needs(name, CHECK)]
    done = subprocess.run(
        [sys.executable, "-m", "tests.catalog.without_references", *names],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"done": names, "importable": []}
