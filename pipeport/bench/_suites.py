"""Suites: plans in TOML files, so that a published figure can be measured again by name."""

from __future__ import annotations

import difflib
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeport import _shipped
from pipeport.bench._case import Size
from pipeport.bench._plans import Plan, Selection
from pipeport.bench._program_entries import programs, trainings
from pipeport.bench._suite_checks import FLAG, LIST, POSITIVE, TABLES, TEXTS, WHOLE, check
from pipeport.errors import NotPorted, OutsideDomain, UnsupportedArgument, explain

_PLAN = {
    "rounds": WHOLE,
    "seconds": POSITIVE,
    "latency": FLAG,
    "first_batch": FLAG,
    "memory": FLAG,
    "cases": TABLES,
    "programs": TABLES,
}
# A training is measured whole, so that no other key of a plan says anything of it.
_PLAN_OF_TRAININGS = {"rounds": WHOLE, "trainings": TABLES}
_CASES = {
    "pairs": TEXTS,
    "dtypes": TEXTS,
    "sizes": LIST,
    "scopes": TEXTS,
    "batched": LIST,
    "cores": TEXTS,
    "devices": TEXTS,
    "compared_only": FLAG,
}
# Keys of a suite that a plan has under the same name; those of programs say nothing of pairs.
_OF_PROGRAMS = ("first_batch", "memory")
_SETTINGS = ("rounds", "seconds", "latency", *_OF_PROGRAMS)
UNKNOWN = "unknown"
_SUFFIX = ".toml"


@dataclass(frozen=True)
class Suite:
    """A suite that travels with pipeport: its name, its file, and its first line of comment."""

    name: str
    path: Path
    about: str


def parse_size(text: str) -> Size | None:
    """Read '256', '240x320' (height x width) or 'unknown'."""
    if text == UNKNOWN:
        return None
    found = re.fullmatch(r"([1-9]\d*)(?:x([1-9]\d*))?", text)
    if found is None:
        raise OutsideDomain(
            explain("size", repr(text), "SIDE, HEIGHTxWIDTH or 'unknown'", "For instance 256 or 240x320.")
        )
    height = int(found[1])
    return height, int(found[2] or height)


def root() -> Path:
    """Return the folder that holds the suites.

    Returns: `_suites` inside an installed package, `bench/suites` beside the package in the repository.
    """
    return _shipped.require("suites", "_suites", "bench/suites")


def suites() -> tuple[Suite, ...]:
    """Return the suites that travel with pipeport, sorted by name."""
    return _suites_in(root())


def suites_of_functions() -> tuple[Suite, ...]:
    """Return the suites of functions that travel with pipeport; `pipeport.trace` reads and measures them."""
    return _suites_in(root() / "functions")


def _suites_in(folder: Path) -> tuple[Suite, ...]:
    found = []
    for path in sorted(folder.glob(f"*{_SUFFIX}")):
        first = path.read_text(encoding="utf-8").partition("\n")[0]
        found.append(Suite(path.stem, path, first.removeprefix("#").strip()))
    return tuple(found)


def find_suite(given: str | Path) -> Path:
    """Return the file of a suite.

    `given`: a name, as `pipeport bench --suites` lists it; or a file: what has a slash, ends in .toml or
    exists is never taken for a name.
    """
    text, path = str(given), Path(given)
    if path.is_file():
        return path
    if "/" in text or path.name != text or path.suffix == _SUFFIX:
        advice = "Run `pipeport bench --suites` for suites that go by name."
        raise OutsideDomain(explain("--suite", f"{text} (no such file)", "a TOML file or a name", advice))
    known = {suite.name: suite.path for suite in (*suites(), *suites_of_functions())}
    if text not in known:
        near = difflib.get_close_matches(text, known, n=1, cutoff=0.4)
        advice = f"Nearest: {near[0]}." if near else "Run `pipeport bench --suites` for what they measure."
        raise NotPorted(explain("--suite", repr(text), f"{', '.join(known)}, or a TOML file", advice))
    return known[text]


def read_suite(given: str | Path) -> Plan:
    """Read a suite.

    `given`: as `find_suite` takes it. Returns: the suite's name, its cases and its programs; nothing that a
    program names is imported.
    """
    path = find_suite(given)
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        advice = "`pipeport bench --suites` lists examples."
        raise OutsideDomain(explain(str(path), str(error), "a TOML suite", advice)) from error
    if "trainings" in data:
        check(str(path), data, _PLAN_OF_TRAININGS)
        rounds = {name: data[name] for name in ("rounds",) if name in data}
        return Plan(name=path.stem, programs=trainings(path, data["trainings"]), seconds=0.0, **rounds)
    check(str(path), data, _PLAN)
    if idle := [key for key in _OF_PROGRAMS if data.get(key) and not data.get("programs")]:
        advice = "Drop it, or name programs."
        raise UnsupportedArgument(
            explain(str(path), f"{idle[0]} = true without programs", "it with [[programs]]", advice)
        )
    selections = tuple(
        _selection(path, number, entry) for number, entry in enumerate(data.get("cases", []), 1)
    )
    settings = {name: data[name] for name in _SETTINGS if name in data}
    return Plan(
        name=path.stem,
        selections=selections,
        programs=programs(path, data.get("programs", [])),
        **settings,
    )


def _selection(path: Path, number: int, entry: dict[str, Any]) -> Selection:
    check(f"{path}, cases {number}", entry, _CASES)
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in entry.items()
    }
    if "sizes" in values:
        values["sizes"] = tuple(parse_size(str(size)) for size in values["sizes"])
    return Selection(**values)
