"""Settings shared by all tests: Hypothesis profiles, a quiet TensorFlow, and proofs that follow change."""

from __future__ import annotations

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
# Without it albumentations asks the network for a newer release whenever it is imported.
os.environ.setdefault("NO_ALBUMENTATIONS_UPDATE", "1")

import pytest
from hypothesis import HealthCheck, settings

from tests.equivalence import follow

# Drawing arrays and tracing graphs is slow by Hypothesis' standards, and steady: no deadline.
_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}

settings.register_profile("dev", settings(max_examples=50, print_blob=True, **_COMMON))
settings.register_profile(
    "ci", settings(max_examples=50, derandomize=True, database=None, print_blob=True, **_COMMON)
)
settings.register_profile("nightly", settings(max_examples=1000, print_blob=True, **_COMMON))
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))

_outcomes: dict[str, set[str]] = {"passed": set(), "failed": set()}


@pytest.fixture
def follows(record_property):
    """A function of a pair and an engine: it skips the test where their proof holds."""

    def skip_unless_needed(pair: str, engine: str) -> None:
        record_property(follow.PROPERTY, f"{pair}|{engine}")
        if not follow.is_needed(pair, engine):
            pytest.skip("proved: the code and the versions are those of the committed proof")

    return skip_unless_needed


def pytest_runtest_logreport(report):
    """Remember what passed and what did not, of the tests that follow change."""
    for name, key in report.user_properties:
        if name == follow.PROPERTY and (report.failed or (report.passed and report.when == "call")):
            _outcomes["failed" if report.failed else "passed"].add(key)


def pytest_sessionfinish(session, exitstatus):
    """Note what passed, where that was asked for; workers of pytest-xdist leave it to the first process.

    Of a selection nothing is noted: a check is several tests, and all of them must have run.
    """
    config = session.config
    selected = config.option.keyword or config.option.markexpr or any("::" in part for part in config.args)
    whole = not selected and exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
    if os.environ.get("PIPEPORT_RECORD") and whole and not hasattr(config, "workerinput"):
        follow.record(**_outcomes)
