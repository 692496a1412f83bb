"""One core, for every thread."""

from __future__ import annotations

import os
import threading

import pytest

from pipeport.bench import _one_core, _run
from pipeport.bench._plans import Plan, Selection
from tests.bench.test_run import instantly

pytestmark = [
    pytest.mark.newest_only,
    pytest.mark.skipif(not _one_core.can_pin(), reason="this system cannot pin threads"),
]


class Worker:
    """A thread that tells where it may run, when asked."""

    def __init__(self) -> None:
        self.ask, self.told, self.cores = threading.Event(), threading.Event(), set()
        self.thread = threading.Thread(target=self._work)
        self.thread.start()

    def _work(self) -> None:
        assert self.ask.wait(10)
        self.cores = os.sched_getaffinity(0)
        self.told.set()

    def answer(self) -> set[int]:
        self.ask.set()
        assert self.told.wait(10)
        self.thread.join()
        return self.cores


def test_threads_old_and_new_are_kept_on_one_core_and_released():
    allowed = os.sched_getaffinity(0)
    old, released = Worker(), Worker()
    with _one_core.pinned() as held:
        assert held
        new = Worker()
        inside = [os.sched_getaffinity(0), old.answer(), new.answer()]
    assert all(len(cores) == 1 for cores in inside)
    assert inside[0] == inside[1] == inside[2]
    assert released.answer() == os.sched_getaffinity(0) == allowed


def test_released_after_an_error():
    allowed = os.sched_getaffinity(0)
    with pytest.raises(KeyboardInterrupt), _one_core.pinned():
        raise KeyboardInterrupt
    assert os.sched_getaffinity(0) == allowed


@pytest.mark.parametrize(("cores", "pinned"), [("one", True), ("all", False)])
def test_a_case_of_one_core_is_measured_on_one(cores, pinned):
    allowed = os.sched_getaffinity(0)
    if len(allowed) == 1:
        pytest.skip("needs a second core")
    seen = []

    def look(sides, protocol, **more):
        seen.append(len(os.sched_getaffinity(0)) == 1)
        return instantly(sides, protocol, **more)

    pair = "pipeport.numpy.fliplr"
    selection = Selection(pairs=(pair,), dtypes=("uint8",), sizes=((24, 32),), cores=(cores,))
    report = _run.run(Plan(name="t", selections=(selection,)), measure=look)
    assert seen == [pinned]
    assert report.cases[0].notes == []


def test_where_threads_cannot_be_pinned_the_report_says_so(monkeypatch):
    monkeypatch.setattr(_one_core, "can_pin", lambda: False)
    pair = "pipeport.numpy.fliplr"
    selection = Selection(pairs=(pair,), dtypes=("uint8",), sizes=((24, 32),), cores=("one",))
    report = _run.run(Plan(name="t", selections=(selection,)), measure=instantly)
    assert report.cases[0].notes == [_one_core.NOT_PINNED]
