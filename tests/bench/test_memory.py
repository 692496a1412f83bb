"""Peak memory: what the child process counts."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from pipeport.bench import _memory
from pipeport.errors import PipeportError

pytestmark = pytest.mark.newest_only

MIB = 2**20


def test_a_call_is_charged_with_its_own_peak_alone():
    code = """
import json
import numpy as np
from pipeport.bench._memory_child import measured
np.ones(400 * 2**20, np.uint8)  # before: must not count
kept = np.ones(50 * 2**20, np.uint8)
def call():
    np.ones(150 * 2**20, np.uint8)
print(json.dumps(measured(call)))
"""
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    found = json.loads(finished.stdout)
    used = (found["peak_bytes"] - found["baseline_bytes"]) / MIB
    if found["method"].startswith("ru_maxrss"):
        pytest.skip("this kernel does not renew its record: an upper bound, and said to be one")
    assert 145 < used < 165


def test_the_reference_runs_in_a_process_of_its_own():
    [reference] = [side for side in _memory.SIDES if side.kind == "reference"]
    found = _memory.peak_memory(reference, height=512, width=512)
    # At least its result: 512 x 512 x 3 values of four bytes.
    assert found.used_bytes >= 512 * 512 * 3 * 4
    assert found.name.endswith("512x512x3 float32")


def test_a_failing_side_is_an_error_with_its_last_line():
    side = _memory.SIDES[0]
    with pytest.raises(PipeportError, match="memory: got"):
        _memory.peak_memory(side, height=0, width=5)
