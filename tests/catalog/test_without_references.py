"""Whoever migrated can uninstall the reference libraries."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.catalog import arguments

pytestmark = pytest.mark.newest_only

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def said(request: pytest.FixtureRequest) -> Any:
    """What a process says that cannot import the references and runs the natives that this run tests."""
    own = [item for item in request.session.items if item.path == Path(__file__)]
    names = [item.callspec.params["native"] for item in own if isinstance(item, pytest.Function)]
    command = [sys.executable, "-m", "tests.catalog.without_references", *names]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("native", arguments.parametrized())
def test_a_native_runs_where_no_reference_can_be_imported(native: str, said: Any) -> None:
    assert native in said["done"]
    assert said["importable"] == []
