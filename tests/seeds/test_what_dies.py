"""What a training gets when a process of its tf.data service dies: the table of docs/scale-out.md.

How each case ends, and whether it keeps what its mode promises, is the same in each run. The counts of the
table are those of one run, which `pytest -s` prints as rows.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from pathlib import Path

import pytest
import tensorflow as tf

from tests.seeds import slowly
from tests.seeds.fleet import Fleet, fleet, received

pytestmark = pytest.mark.both

PAGE = Path(__file__).parents[2] / "docs" / "scale-out.md"
# Seconds, after which something does not end.
CLOCK = 60
# Elements that a client has when something dies.
EARLY = 40
# How often an epoch through two workers has an element.
TIMES = {"OFF": 2, "DYNAMIC": 1, "DATA": 1}
# What two workers and their client hold at once, at most.
IN_FLIGHT = 16
VERSION = ".".join(tf.__version__.split(".")[:2])


def worker_again(one: Fleet) -> None:
    one.workers[0].kill()
    one.start_worker(one.worker_ports[0])


def worker_elsewhere(one: Fleet) -> None:
    one.workers[0].kill()
    one.start_worker(one.spare_port)


def worker_pauses(one: Fleet) -> None:
    one.workers[0].stop()
    time.sleep(5)
    one.workers[0].go_on()


def dispatcher_again(one: Fleet) -> None:
    one.dispatcher.kill()
    one.start_dispatcher()


EVENTS = {
    "a worker dies, another on its port": worker_again,
    "a worker dies, another on another port": worker_elsewhere,
    "a worker stands still for 5 s": worker_pauses,
    "the dispatcher dies, another with its `work_dir`": dispatcher_again,
    "the dispatcher dies, another without `work_dir`": dispatcher_again,
    "the client dies, another begins": None,
}


def table() -> dict[tuple[str, str], dict[str, str]]:
    """Return what the page says: by event and mode, by version of TensorFlow."""
    head, _, *rows = re.findall(
        r"^\|(.+)\|$", PAGE.read_text(encoding="utf-8").split("## What dies")[1], re.M
    )
    names = [one.strip() for one in head.split("|")]
    split = [[one.strip() for one in row.split("|")] for row in rows]
    versions = {name.removeprefix("TensorFlow "): at for at, name in enumerate(names) if "TensorFlow" in name}
    return {
        (row[0], row[1].strip("`")): {name: row[at] for name, at in versions.items()}
        for row in split
        if len(row) == len(names)
    }


def told(mode: str, seen: Counter[int], ended: str) -> str:
    """Return what came out as a cell of the table says it."""
    lost = slowly.COUNT - len(seen)
    again = sum(times > TIMES[mode] for times in seen.values())
    fewer = sum(times < TIMES[mode] for times in seen.values())
    words = [f"{lost} lost"] * bool(lost) + [f"{fewer} once only"] * bool(fewer)
    words += [f"{again} again"] * bool(again)
    return ", ".join([*(words or [f"each {'twice' if TIMES[mode] == 2 else 'once'}"]), *ending(ended)])


def ending(ended: str) -> list[str]:
    return [] if ended == "the end" else [ended.partition(":")[0] or f"no end in {CLOCK} s"]


@pytest.mark.parametrize("mode", TIMES)
@pytest.mark.parametrize("event", EVENTS)
def test_what_dies(event, mode, tmp_path):
    expected = dict(slowly.epoch().as_numpy_iterator())
    begin = time.monotonic()
    journal = None if "without" in event else tmp_path
    with fleet(journal=journal, listed=mode == "DATA") as one:
        client = one.start_client(slowly.epoch, mode)
        found, ended = received(client, begin + CLOCK, EARLY)
        assert len(found) == EARLY, ended
        happens = EVENTS[event]
        if happens is None:
            client.kill()
            found, client = [], one.start_client(slowly.epoch, mode)
        else:
            happens(one)
        rest, ended = received(client, begin + CLOCK)
    seen = Counter(number for number, _ in found + rest)
    cell = told(mode, seen, ended)
    print(f"| {event} | `{mode}` | {VERSION}: {cell} | {time.monotonic() - begin:.0f} s")
    assert all(expected[number] == draw for number, draw in found + rest)
    keeps_its_promise(event, mode, seen, ended)
    shown = table()[event, mode].get(VERSION)
    if shown is not None:
        assert re.findall(r"no end in 60 s|\w+Error", shown) == ending(ended)


def keeps_its_promise(event: str, mode: str, seen: Counter[int], ended: str) -> None:
    if "without" in event:
        assert ended.startswith("NotFoundError")
    elif mode == "DATA" and "another port" in event:
        # Its place in the list of workers is that of its port.
        assert slowly.COUNT / 2 <= len(seen) < slowly.COUNT
    elif mode != "DYNAMIC":
        assert len(seen) == slowly.COUNT
    else:
        assert len(seen) >= slowly.COUNT - IN_FLIGHT
    if mode == "DYNAMIC" and "work_dir" not in event:
        assert set(seen.values()) == {1}


def test_the_table_has_every_row():
    assert set(table()) == {(event, mode) for event in EVENTS for mode in TIMES}
    assert all(cell for row in table().values() for cell in row.values())


@pytest.mark.parametrize(
    ("mode", "seen", "ended", "cell"),
    [
        ("OFF", {0: 2}, "the end", "299 lost"),
        ("OFF", dict.fromkeys(range(300), 2), "the end", "each twice"),
        ("DATA", {**dict.fromkeys(range(300), 1), 7: 2}, "", "1 again, no end in 60 s"),
        ("OFF", {**dict.fromkeys(range(300), 2), 7: 1}, "NotFoundError: x", "1 once only, NotFoundError"),
    ],
)
def test_cells(mode, seen, ended, cell):
    assert told(mode, Counter(seen), ended) == cell


def test_a_broken_promise_is_noticed():
    whole = dict.fromkeys(range(slowly.COUNT), 1)
    for event, mode, seen in [
        ("a worker dies, another on its port", "DYNAMIC", {**whole, 3: 2}),
        ("a worker dies, another on its port", "DYNAMIC", dict.fromkeys(range(200), 1)),
        ("a worker dies, another on its port", "DATA", dict.fromkeys(range(299), 1)),
        ("the dispatcher dies, another without `work_dir`", "OFF", whole),
    ]:
        with pytest.raises(AssertionError):
            keeps_its_promise(event, mode, Counter(seen), "the end")
