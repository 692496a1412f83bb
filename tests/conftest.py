"""Settings shared by all tests: Hypothesis profiles, a quiet TensorFlow, and which pairs a run proves."""

from __future__ import annotations

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
# Without it albumentations asks the network for a newer release whenever it is imported.
os.environ.setdefault("NO_ALBUMENTATIONS_UPDATE", "1")

import pytest
from hypothesis import HealthCheck, settings

from tests import selection

_SAID = pytest.StashKey[str]()

# Drawing arrays and tracing graphs is slow by Hypothesis' standards, and steady: no deadline.
_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}

settings.register_profile("dev", settings(max_examples=50, print_blob=True, **_COMMON))
settings.register_profile(
    "ci", settings(max_examples=50, derandomize=True, database=None, print_blob=True, **_COMMON)
)
settings.register_profile("nightly", settings(max_examples=1000, print_blob=True, **_COMMON))
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))


@pytest.fixture
def follows():
    """A function of a pair and an engine or check: it skips the test where this run does not prove that."""

    def skip_unless_needed(pair: str, engine: str) -> None:
        if not selection.selection().needs(pair, engine):
            pytest.skip("not selected: its code is that of the base")

    return skip_unless_needed


def pytest_configure(config):
    """Refuse an unknown PIPEPORT_BASE before anything runs."""
    try:
        selection.base_of(named=os.environ.get("PIPEPORT_BASE"))
    except selection.UnknownRevision as error:
        raise pytest.UsageError(str(error)) from error


def pytest_ignore_collect(collection_path, config):
    """Skip files marked `newest_only` unread where the marker is excluded: their imports may be missing."""
    if "not newest_only" in config.option.markexpr and collection_path.suffix == ".py":
        return "pytest.mark.newest_only" in collection_path.read_text(encoding="utf-8") or None
    return None


def _selected():
    """Return what this process proves in words; nothing where no test has asked."""
    return selection.selection().text() if selection.selection.cache_info().currsize else ""


def pytest_sessionfinish(session):
    """Hand what was selected from a worker of pytest-xdist to the process that reports."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["selected"] = _selected()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """Keep what a worker selected; all select the same."""
    if said := getattr(node, "workeroutput", {}).get("selected"):
        node.config.stash[_SAID] = said


def pytest_terminal_summary(terminalreporter, config):
    """Say which pairs were proved, and which changed and were not."""
    if said := _selected() or config.stash.get(_SAID, ""):
        terminalreporter.write_sep("=", "pairs")
        terminalreporter.write_line(said)
