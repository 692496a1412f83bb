"""Settings shared by all tests: Hypothesis profiles, and a quiet TensorFlow."""

from __future__ import annotations

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
# Without it albumentations asks the network for a newer release whenever it is imported.
os.environ.setdefault("NO_ALBUMENTATIONS_UPDATE", "1")

from hypothesis import HealthCheck, settings

# Drawing arrays and tracing graphs is slow by Hypothesis' standards, and steady: no deadline.
_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}

settings.register_profile("dev", settings(max_examples=50, print_blob=True, **_COMMON))
settings.register_profile(
    "ci", settings(max_examples=50, derandomize=True, database=None, print_blob=True, **_COMMON)
)
settings.register_profile("nightly", settings(max_examples=1000, print_blob=True, **_COMMON))
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))
