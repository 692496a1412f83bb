"""Settings shared by all tests: Hypothesis profiles, and a quiet TensorFlow."""

from __future__ import annotations

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import pytest
from hypothesis import HealthCheck, settings

from tests.owed import known

# Drawing arrays and tracing graphs is slow by Hypothesis' standards, and steady: no deadline.
_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}

settings.register_profile("dev", settings(max_examples=50, print_blob=True, **_COMMON))
settings.register_profile(
    "ci", settings(max_examples=50, derandomize=True, database=None, print_blob=True, **_COMMON)
)
settings.register_profile("nightly", settings(max_examples=1000, print_blob=True, **_COMMON))
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is known to fail here, see `owed`."""
    owed = known()
    for item in items:
        if item.nodeid in owed:
            item.add_marker(pytest.mark.xfail(reason="on the list tests/known_failures", strict=False))
