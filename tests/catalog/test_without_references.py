"""Whoever migrated can uninstall the reference libraries."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.catalog import arguments
from tests.equivalence import follow

CHECK = "without references"
ROOT = Path(__file__).parents[2]


def test_natives_run_where_no_reference_can_be_imported(record_property: Any) -> None:
    names = [name for name in arguments.parametrized() if follow.is_needed(name, CHECK)]
    for name in names:
        record_property(follow.PROPERTY, f"{name}|{CHECK}")
    done = subprocess.run(
        [sys.executable, "-m", "tests.catalog.without_references", *names],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"done": names, "importable": []}
