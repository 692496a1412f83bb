"""Importing pipeport.verify loads neither TensorFlow nor Hypothesis, and the proof can fail."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.newest_only

PROBE = """
import sys
import pipeport.verify as v
{use}
print([name for name in ("tensorflow", "hypothesis") if name in sys.modules])
"""


@pytest.mark.parametrize(
    ("use", "loaded"),
    [("v.check, v.verify_pair, v.Report", "[]"), ("v._api.require('hypothesis')", "['hypothesis']")],
)
def test_what_is_loaded(use, loaded):
    done = subprocess.run(
        [sys.executable, "-c", PROBE.format(use=use)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == loaded
