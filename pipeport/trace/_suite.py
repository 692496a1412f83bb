"""Suites of functions for `pipeport trace`, from one TOML file."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pipeport.bench._suite_checks import FUNCTION, LIST, POSITIVE, TABLES, TEXT, WHOLE, check
from pipeport.bench._suites import find_suite
from pipeport.errors import NotPorted, OutsideDomain, PipeportError, explain
from pipeport.trace import _process
from pipeport.trace._modes import MODES
from pipeport.trace._process import Task
from pipeport.trace._report import FORMAT, Report

_TARGET = (
    "MODULE:FUNCTION, or FILE.py:FUNCTION beside the suite",
    lambda value: FUNCTION[1](value) and "/" not in value,
)
_SUITE = {"rounds": WHOLE, "seconds": POSITIVE, "limit": POSITIVE, "functions": TABLES}
_FUNCTION = {
    "name": TEXT,
    "about": TEXT,
    "function": _TARGET,
    "plain": _TARGET,
    "input": TEXT,
    "modes": LIST,
    "rounds": WHOLE,
}
# A process starts, imports TensorFlow and makes three functions anew; rounds come on top.
_START_S = 9.0


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One function of a suite: the task, and what it is in words."""

    task: Task
    about: str

    @property
    def seconds(self) -> float:
        """Estimated time."""
        return _START_S + len(self.task.modes) * (self.task.rounds + 3) * self.task.seconds


@dataclass(frozen=True, kw_only=True)
class Suite:
    """Functions that are measured together.

    `name`, `about`: name of the file, and its first line of comment. `entries`: in the order of the file.
    """

    name: str
    about: str
    entries: tuple[Entry, ...]

    def chosen(self, names: Sequence[str]) -> Suite:
        """Return the suite with the functions of these names alone, or all without any."""
        known = {entry.task.name: entry for entry in self.entries}
        for name in names:
            if name not in known:
                advice = "`--list` shows what they are."
                raise NotPorted(explain("function", repr(name), ", ".join(known), advice))
        return replace(self, entries=tuple(known[name] for name in dict.fromkeys(names) or known))


@dataclass(kw_only=True)
class SuiteResult:
    """The measurements of a suite; functions that could not run are in `left_out`."""

    suite: str
    abouts: dict[str, str]
    reports: list[Report] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    interrupted: bool = False

    def report(self, name: str) -> Report:
        """Return the report of a function."""
        for one in self.reports:
            if one.name == name:
                return one
        known = ", ".join(one.name for one in self.reports)
        raise NotPorted(explain("function", repr(name), known, "Measure the whole suite."))

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON holds it; with the environment once."""
        functions = [
            {
                "about": self.abouts[one.name],
                **{
                    key: value for key, value in one.as_dict().items() if key not in ("environment", "format")
                },
            }
            for one in self.reports
        ]
        return {
            "format": FORMAT,
            "suite": self.suite,
            "environment": self.reports[0].environment if self.reports else {},
            "interrupted": self.interrupted,
            "functions": functions,
            "left_out": self.left_out,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> SuiteResult:
        """Read what `as_dict` wrote; what is derived is computed anew."""
        environment = data["environment"]
        return cls(
            suite=data["suite"],
            abouts={one["name"]: one["about"] for one in data["functions"]},
            reports=[Report.from_dict({**one, "environment": environment}) for one in data["functions"]],
            left_out=data["left_out"],
            interrupted=data["interrupted"],
        )


def holds_functions(path: Path) -> bool:
    """Say whether a suite's file names functions, not pairs or programs; an unreadable file does not."""
    try:
        return "functions" in tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False


def read(given: str | Path) -> Suite:
    """Read a suite of functions.

    `given`: a name or a file, as `pipeport bench --suite` takes it. Returns: nothing that it names is
    imported.
    """
    path = find_suite(given)
    text = path.read_text(encoding="utf-8")
    data = tomllib.loads(text)
    check(str(path), data, _SUITE)
    settings = {key: value for key, value in data.items() if key != "functions"}
    return Suite(
        name=path.stem,
        about=text.partition("\n")[0].removeprefix("#").strip(),
        entries=tuple(
            _entry(path, number, entry, settings) for number, entry in enumerate(data["functions"], 1)
        ),
    )


def _entry(path: Path, number: int, data: dict[str, Any], settings: dict[str, Any]) -> Entry:
    where = f"{path}, functions {number}"
    check(where, data, _FUNCTION)
    for key in ("name", "function"):
        if key not in data:
            raise OutsideDomain(explain(where, f"no {key}", f"{key} = a text", "Add it."))
    modes = tuple(data.get("modes", MODES))
    if unknown := [mode for mode in modes if mode not in MODES]:
        raise OutsideDomain(explain(where, f"modes with {unknown[0]!r}", ", ".join(MODES), "Correct it."))
    task = Task(
        name=data["name"],
        function=_target(data["function"]),
        plain=_target(data.get("plain", "")),
        inputs=data.get("input", ""),
        modes=modes,
        folders=(str(path.resolve().parent),),
        **{**settings, **({"rounds": data["rounds"]} if "rounds" in data else {})},
    )
    return Entry(task=task, about=data.get("about", ""))


def _target(text: str) -> str:
    """Return 'module:function' of 'FILE.py:function', a file beside the suite."""
    module, _, function = text.partition(":")
    return f"{module.removesuffix('.py')}:{function}" if text else ""


def run(suite: Suite, watch: Callable[[str, int, str], None]) -> SuiteResult:
    """Measure the functions of a suite, each in a process of its own.

    `watch`: told the name of the function, its place in the suite, and the step. Returns: after Ctrl-C, what
    was measured until then.
    """
    result = SuiteResult(suite=suite.name, abouts={entry.task.name: entry.about for entry in suite.entries})
    for place, entry in enumerate(suite.entries):
        name = entry.task.name

        def tell(step: str, name: str = name, place: int = place) -> None:
            watch(name, place, step)

        try:
            report = _process.measured(entry.task, tell)
        except KeyboardInterrupt:
            result.interrupted = True
            break
        except PipeportError as error:
            result.left_out.append(f"{name}: {error}")
            continue
        result.reports.append(report)
        if report.interrupted:
            result.interrupted = True
            break
    return result


def read_result(path: Path) -> SuiteResult:
    """Read a result file."""
    allowed, advice = (
        "a result of a suite of functions",
        "Give a file of `pipeport bench --suite NAME --json`.",
    )
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise OutsideDomain(explain(str(path), f"format {data['format']}", allowed, advice))
        return SuiteResult.from_dict(data)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise OutsideDomain(explain(str(path), repr(error), allowed, advice)) from error
