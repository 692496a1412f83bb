"""What a run takes, skips and says, in an invented folder of tests."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.selection import ROOT, Selection

pytestmark = pytest.mark.newest_only

FOLDERS = ("cv2", "other")
CHOSEN = Selection("f" * 40, "invented", "0", ("pipeport/cv2/_x.py",))
CONFTEST = """
from pathlib import Path
from tests import tiers
from tests.selection import Selection
tiers.SLOW = Path(__file__).with_name("slow.txt")
tiers.LIMITS = dict.fromkeys(("main", "addons"), {tiers.FOLDERS: 0.5, tiers.SAMPLE: 9, tiers.PAIRS: 9})
def pytest_addoption(parser):
    parser.addoption("--write-slow", action="store_true")
def pytest_configure(config):
    if told := getattr(config, "workerinput", None):
        return config.pluginmanager.register(tiers.of_run(config))
    chosen = Selection("f" * 40, "invented", "0", ("pipeport/cv2/_x.py",))
    Path("spent").mkdir(exist_ok=True)
    config.pluginmanager.register(tiers.Tiers(chosen, not config.option.write_slow, "spent"))
"""
TESTS = """
import time
import pytest
def used(seconds):
    begin = time.process_time()
    while time.process_time() < begin + seconds:
        pass
@pytest.fixture(scope="module")
def shared():
    used(0.3)
def test_fast():
    pass
@pytest.mark.parametrize("number", range(12))
def test_slow(number):
    used(0.3)
def test_shares(shared):
    pass
def test_shares_too(shared):
    pass
"""


@pytest.fixture
def folder(tmp_path):
    """Two folders of tests; the change touches the first."""
    (tmp_path / "conftest.py").write_text(CONFTEST)
    for name in FOLDERS:
        (tmp_path / "tests" / name).mkdir(parents=True)
        (tmp_path / "tests" / name / f"test_{name}.py").write_text(TESTS)
    (tmp_path / "slow.txt").write_text("")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --import-mode=importlib -p no:cacheprovider\n")
    return tmp_path


def run(folder, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pytest", "-v", "-ra", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_slow_tests_are_those_that_would_be_slow_alone(folder):
    said = run(folder, "--write-slow", "tests/cv2")
    names = [f"tests/cv2/test_cv2.py::test_{name}" for name in ("shares", "shares_too", "slow")]
    assert (folder / "slow.txt").read_text().split() == names
    assert "3 slow tests" in said


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "workers"])
def test_fast_ones_run_and_slow_ones_within_their_time(folder, workers):
    slow = [f"tests/{name}/test_{name}.py::test_slow\n" for name in FOLDERS]
    (folder / "slow.txt").write_text("".join(slow))
    said = run(folder, *workers)
    passed = r"::test_slow\S* +PASSED|PASSED +tests/{0}/\S*::test_slow"
    ran = {one: len(re.findall(rf"tests/{one}/test_{one}.py{passed}".format(one), said)) for one in FOLDERS}
    assert 2 <= ran["cv2"] <= 4  # 0.3 s each, of 0.5, and those that the other process had begun
    chosen = [CHOSEN.in_sample(f"tests/other/test_other.py::test_slow[{number}]") for number in range(12)]
    assert ran["other"] == sum(chosen)
    lines = (
        "6 tests fast",
        f"{ran['cv2']} tests slow, of folders that the change touches, {12 - ran['cv2']} left out",
        f"{sum(chosen)} tests slow, sample, {12 - sum(chosen)} left out",
    )
    for line in lines:
        assert re.search(rf"^ +{line}$", said, re.MULTILINE), line
    assert "not selected: " in said
    assert re.search(r"by folder in s:\n +tests/cv2 \d", said)
    assert "The rest: nox -s all" in said
