"""The environment of a run."""

from __future__ import annotations

import getpass
import json
import os
import socket
import subprocess
from types import SimpleNamespace

import psutil
import pytest

from pipeport.bench import _environment, _usage

pytestmark = pytest.mark.newest_only


def test_it_says_what_matters_and_not_who():
    found = _environment.environment()
    text = json.dumps(found)
    assert socket.gethostname() not in text
    assert "/home" not in text
    if getpass.getuser() != "root":
        assert getpass.getuser() not in text
    assert found["machine"]["cpu"]
    assert 1 <= found["machine"]["usable_cores"] <= found["machine"]["cores"]
    assert {"python", "pipeport", "tensorflow", "numpy", "scikit-image"} <= found["versions"].keys()


def test_opencv_works_on_one_thread():
    import cv2

    cv2.setNumThreads(2)
    assert _environment.threads()["opencv"] == 1
    assert cv2.getNumThreads() == 1


def test_affinity_counts():
    allowed = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(allowed)})
        assert _environment.usable_cores() == 1
    finally:
        os.sched_setaffinity(0, allowed)


def test_commit(tmp_path):
    assert _environment.commit(tmp_path) is None

    def git(*arguments):
        who = ("-c", "user.name=n", "-c", "user.email=e")
        subprocess.run(["git", "-C", tmp_path, *who, *arguments], check=True, capture_output=True)

    git("init")
    (tmp_path / "__init__.py").write_text("1")
    git("add", "__init__.py")
    git("commit", "-m", "m")
    clean = _environment.commit(tmp_path)
    assert len(clean) == 40
    (tmp_path / "__init__.py").write_text("2")
    assert _environment.commit(tmp_path) == clean + "+"


def test_thread_variables_are_recorded(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert _environment.threads()["environment"]["OMP_NUM_THREADS"] == "3"


def test_the_repository_around_an_installed_package_is_not_its_own(tmp_path):
    subprocess.run(["git", "-C", tmp_path, "init"], check=True, capture_output=True)
    (tmp_path / "__init__.py").write_text("")
    assert _environment.commit(tmp_path) is None


def test_own_and_other_work_are_told_apart(monkeypatch):
    """Within 10 s all worked for 16 s, besides 4 s of idling; 6 s of them are this process's."""
    machine = dict.fromkeys(("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal"), 100.0)
    own, now = SimpleNamespace(user=1.0, system=2.0), [50.0]
    times = psutil.cpu_times()._make
    # Of a guest the system counts the time among `user` as well.
    guests = len(psutil.cpu_times()) - len(machine)
    monkeypatch.setattr(psutil, "cpu_times", lambda: times([*machine.values(), *[77.0] * guests]))
    monkeypatch.setattr(psutil, "Process", lambda: SimpleNamespace(cpu_times=lambda: own))
    monkeypatch.setattr(_usage, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    stop = _usage.watch()
    machine |= {"user": 112.0, "system": 104.0, "idle": 103.0, "iowait": 101.0}
    own.user, own.system, now[0] = 6.0, 3.0, 60.0
    usage = stop()
    assert usage.cores == pytest.approx(0.6)
    assert usage.others == pytest.approx(1.0)


def test_what_watches_reads_the_system_itself():
    usage = _usage.watch()()
    assert usage.cores >= 0
    assert usage.others >= 0
