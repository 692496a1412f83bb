"""Settings shared by all tests: Hypothesis profiles, a quiet TensorFlow, and which tests a run takes."""

from __future__ import annotations

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
# What is measured in a test is not a choice of the user's.
os.environ["PIPEPORT_CACHE"] = ""
# Without it albumentations asks the network for a newer release whenever it is imported.
os.environ.setdefault("NO_ALBUMENTATIONS_UPDATE", "1")

import pytest
from hypothesis import HealthCheck, settings

from tests import selection, tiers

# Drawing arrays and tracing graphs is slow by Hypothesis' standards, and steady: no deadline.
_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}

settings.register_profile("dev", settings(max_examples=50, print_blob=True, **_COMMON))
settings.register_profile(
    "ci", settings(max_examples=50, derandomize=True, database=None, print_blob=True, **_COMMON)
)
settings.register_profile("nightly", settings(max_examples=1000, print_blob=True, **_COMMON))
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))


def pytest_addoption(parser):
    """Add the option that writes the list of slow tests."""
    text = "run everything, and write the tests that are slow into tests/slow.txt"
    parser.addoption("--write-slow", action="store_true", help=text)


def pytest_configure(config):
    """Select; refuse an unknown PIPEPORT_BASE before anything runs."""
    if config.option.write_slow:
        os.environ["PIPEPORT_PROVE"] = "all"
    try:
        config.pluginmanager.register(tiers.of_run(config), "tiers")
    except selection.UnknownRevision as error:
        raise pytest.UsageError(str(error)) from error


def pytest_ignore_collect(collection_path, config):
    """Leave files unread that the expression of markers leaves out: their imports may be missing."""
    wanted = config.option.markexpr
    if collection_path.suffix != ".py" or wanted not in ("both", "not newest_only"):
        return None
    marked = f"pytest.mark.{wanted.removeprefix('not ')}" in collection_path.read_text(encoding="utf-8")
    return True if marked == wanted.startswith("not ") else None
