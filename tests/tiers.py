"""A plugin of pytest: takes the tests that selection.py chooses, and says what it left out."""

from __future__ import annotations

import collections
import functools
import json
import os
import resource
import shutil
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

import pytest

from pipeport import catalog
from pipeport.verify._fingerprint import environment
from tests.selection import OF_PAIRS, SLOW, Selection, of_environment, stable_number

# Seconds of processor time of all workers together. Fast tests have no limit.
FAST, FOLDERS, SAMPLE, PAIRS = "fast", "slow, of folders that the change touches", "slow, sample", "of pairs"
LIMITS = {
    "main": {FOLDERS: 480, PAIRS: 240, SAMPLE: 210},
    "addons": {FOLDERS: 90, PAIRS: 90, SAMPLE: 30},
}
# Above these seconds of processor time in one case, with the fixtures it shares, a test is slow.
SLOW_FROM = 0.2
LONGEST = 25
_ORDER = (FAST, SAMPLE, FOLDERS, PAIRS)
# The other files of pairs share a process or a model between them: of each the nearest pairs, and no more.
PROOFS, MOST = OF_PAIRS[0], 20


def _file(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


def _pair_of(item: pytest.Item) -> str:
    """Return the pair that a test is about, or ''."""
    params = item.callspec.params.values() if hasattr(item, "callspec") and _file(item) in OF_PAIRS else ()
    return next((one for one in params if one in catalog.pairs()), "")


def processor_time() -> float:
    """Return the seconds of processor time that this process and its ended children have used."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


class Tiers:
    """What one process of a run takes, and what it used.

    Parameters
    ----------
    selection : Selection
        What changed.
    whole : bool
        Whether the selection holds; a run that names its tests takes them all.
    folder : str
        Where the processes of a run tell each other what they used.
    process : str
        The name of this one.
    """

    def __init__(self, selection: Selection, whole: bool, folder: str, process: str = "main") -> None:
        self.selection, self.whole, self.folder = selection, whole, folder
        self._own = Path(folder) / process
        self._limits = LIMITS[environment()] if whole and not selection.prove else {}
        self._near = functools.cache(selection.of_folder)  # of a file, which has many tests
        self._groups: dict[str, str] = {}
        self._used: collections.Counter[str] = collections.Counter()
        self._shared: dict[tuple[str, str], float] = {}
        # By test: seconds used, and seconds with all the fixtures that it shares.
        self.seconds: dict[str, tuple[float, float]] = {}
        # By group.
        self.taken: collections.Counter[str] = collections.Counter()
        self.skipped: collections.Counter[str] = collections.Counter()
        self.out: collections.Counter[str] = collections.Counter()

    def _place(self, item: pytest.Item, slow: frozenset[str]) -> tuple[str, int | None]:
        """Return the group of a test, and how near it is to the change; None where it is left out."""
        test = item.nodeid.partition("[")[0]
        if pair := _pair_of(item):
            return PAIRS, self.selection.of_pair(pair, item.nodeid)
        if test not in slow:
            return FAST, 0
        near = self._near(_file(item))
        if near is not None:
            return FOLDERS, near
        return SAMPLE, 0 if self.selection.in_sample(item.nodeid) else None

    def _key(self, item: pytest.Item, near: int) -> tuple[object, ...]:
        """Return what orders tests: nearest first in a folder and among proofs, the rest as collected."""
        group, file = self._groups[item.nodeid], _file(item)
        if group == PAIRS:
            apart = ("~", near, _pair_of(item)) if file == PROOFS else (file, near, _pair_of(item))
        else:
            apart = (near, stable_number(self.selection.commit, file)) if group == FOLDERS else ()
        return (_ORDER.index(group), *apart)

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Leave out what is not selected, and bring the rest into order."""
        if not self.whole or self.selection.prove == "all":
            return
        slow = frozenset(SLOW.read_text("utf-8").split())
        keys = {}
        for item in items:
            self._groups[item.nodeid], near = self._place(item, slow)
            if near is not None:
                keys[item] = self._key(item, near)
        pairs: dict[str, set[str]] = collections.defaultdict(set)  # by file
        kept = []
        for item in sorted(keys, key=keys.__getitem__):
            found = pairs[_file(item)]
            found.add(_pair_of(item))
            if len(found) <= MOST or _file(item) == PROOFS:
                kept.append(item)
        out = list(set(items).difference(kept))
        self.out.update(self._groups[item.nodeid] for item in out)
        config.hook.pytest_deselected(items=out)
        items[:] = kept

    def _is_used(self, group: str) -> bool:
        files = [file for file in Path(self.folder).iterdir() if not file.suffix and file != self._own]
        others = [json.loads(file.read_text("utf-8")) for file in files]
        return self._used[group] + sum(one.get(group, 0) for one in others) > self._limits[group]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Skip a test whose group has used its time."""
        group = self._groups.get(item.nodeid, FAST)
        if group in self._limits and self._is_used(group):
            self.skipped[group] += 1
            pytest.skip(
                f"not selected: {self._limits[group] / 60:.1f} core-minutes of tests {group} are used"
            )
        self.taken[group] += 1

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> object:
        """Note what a shared fixture costs: every test that uses it would pay that if it ran alone."""
        begin = processor_time()
        result = yield
        if fixturedef.scope != "function":
            self._shared[fixturedef.baseid, fixturedef.argname] = processor_time() - begin
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> object:
        """Note what a test costs."""
        before, known = processor_time(), set(self._shared)
        result = yield
        seconds = processor_time() - before
        fixtures = item._fixtureinfo.name2fixturedefs.values()
        uses = {(one.baseid, one.argname) for found in fixtures for one in found} & self._shared.keys()
        alone = seconds - sum(self._shared[one] for one in self._shared.keys() - known)
        self.seconds[item.nodeid] = seconds, alone + sum(self._shared[one] for one in uses)
        group = self._groups.get(item.nodeid, FAST)
        self._used[group] += seconds
        if group in self._limits:
            written = self._own.with_suffix(".new")
            written.write_text(json.dumps(self._used), "utf-8")
            written.replace(self._own)
        return result

    # Between processes.

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: object) -> None:
        """Tell a worker of pytest-xdist what is selected."""
        node.workerinput["tiers"] = (asdict(self.selection), self.whole, self.folder)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand what a worker did to the process that reports."""
        if hasattr(session.config, "workeroutput"):
            counts = dict(self.taken), dict(self.skipped), dict(self.out)
            session.config.workeroutput["tiers"] = self.seconds, *counts

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """Take what a worker did; each has left out the same, and skipped its own."""
        seconds, taken, skipped, out = getattr(node, "workeroutput", {}).get("tiers", ({}, {}, {}, {}))
        self.seconds |= seconds
        self.taken.update(taken)
        self.skipped.update(skipped)
        self.out = collections.Counter(out) or self.out

    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter, config: pytest.Config
    ) -> None:
        """Say what ran, what was left out and how to run that, and what took longest."""
        write = terminalreporter.write_line
        if config.option.write_slow:
            write(f"{SLOW}: {write_slow(self.seconds)} slow tests")
        if not self.seconds or not (self.whole or self.selection.prove):
            return
        terminalreporter.write_sep("=", "what ran")
        if self.whole:
            write(self.selection.text())
            left = self.skipped + self.out
            for group in _ORDER:
                more = f", {left[group]:,} left out" if left[group] else ""
                write(f"{self.taken[group]:>7,} tests {group}{more}")
            if left:
                write(
                    "The rest: nox -s all; of a folder: nox -s tests -- tests/cv2; of pairs: nox -s changed"
                )
        write(f"Processor time {sum(one for one, _ in self.seconds.values()) / 60:.1f} min, by folder in s:")
        folders: collections.Counter[str] = collections.Counter()
        for test, (seconds, _) in self.seconds.items():
            folders["/".join(test.partition("::")[0].split("/")[:2])] += seconds
        write("  " + ", ".join(f"{name} {seconds:.0f}" for name, seconds in folders.most_common()))
        write(f"The {LONGEST} longest, in s:")
        for test, (seconds, _) in sorted(self.seconds.items(), key=lambda one: -one[1][0])[:LONGEST]:
            write(f"{seconds:>7.1f} {test}")


def write_slow(seconds: dict[str, tuple[float, float]]) -> int:
    """Write the slow tests among those that ran into the list, and return how many it has."""
    ran = {test.partition("[")[0] for test in seconds}
    slow = {test.partition("[")[0] for test, (_, alone) in seconds.items() if alone > SLOW_FROM}
    whole = {test.partition("::")[0] for test in ran}
    kept = {test for test in SLOW.read_text("utf-8").split() if test.partition("::")[0] not in whole}
    found = sorted(test for test in kept | slow if test.partition("::")[0] not in OF_PAIRS)
    SLOW.write_text("".join(f"{test}\n" for test in found), "utf-8")
    return len(found)


def of_run(config: pytest.Config) -> Tiers:
    """Return the plugin of this process: the one that reports selects, its workers are told."""
    if told := getattr(config, "workerinput", None):
        selection, whole, folder = told["tiers"]
        return Tiers(Selection(**selection), whole, folder, told["workerid"])
    prove = os.environ.get("PIPEPORT_PROVE", "")
    whole = config.args_source is not pytest.Config.ArgsSource.ARGS or prove == "changed"
    selection = of_environment() if whole else Selection("", "some tests are named", "", prove=prove)
    folder = tempfile.mkdtemp(prefix="pipeport-tests-")
    config.add_cleanup(functools.partial(shutil.rmtree, folder))
    return Tiers(selection, whole, folder)
