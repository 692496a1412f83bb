"""Work in fresh processes: all of it, none after the end, and what fails is raised."""

from __future__ import annotations

import math
import os

import pytest

from pipeport.verify._processes import in_processes


def test_every_task_is_done_elsewhere():
    assert sorted(in_processes(abs, [-1, -2, -3], 2, math.inf)) == [1, 2, 3]
    [there] = in_processes(os.path.basename, ["a/b"], 1, math.inf)
    assert there == "b"


def test_no_task_begins_after_the_end():
    assert list(in_processes(abs, [-1], 1, -math.inf)) == []


def test_what_a_task_raises_is_raised():
    with pytest.raises(ValueError, match=r"math domain|nonnegative"):
        list(in_processes(math.sqrt, [-1.0], 1, math.inf))
