"""From `[[programs]]` of a suite to programs. Nothing that a program names is imported here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pipeport.bench._programs import AFTER, BEFORE, KINDS, RUN, RUN_AGAIN, Program, ProgramSide
from pipeport.bench._suite_checks import (
    FLAG,
    FUNCTION,
    NOT_NEGATIVE,
    SCRIPT,
    TABLE,
    TABLES,
    TEXT,
    TEXTS,
    WHOLE,
    check,
    one_of,
)
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain

_PROGRAM = {
    "name": TEXT,
    "about": TEXT,
    BEFORE: FUNCTION,
    AFTER: FUNCTION,
    "inputs": FUNCTION,
    "elements": WHOLE,
    "batch": WHOLE,
    "batched": FLAG,
    "difference": NOT_NEGATIVE,
    "random": FLAG,
    "needs": TEXTS,
    "sides": TABLES,
}
_SIDE = {"name": TEXT, "kind": one_of(*KINDS), "factory": FUNCTION, "arguments": TABLE, "differs": TEXT}
_TRAINING = {
    "name": TEXT,
    "about": TEXT,
    BEFORE: SCRIPT,
    AFTER: SCRIPT,
    "inputs": FUNCTION,
    "elements": WHOLE,
    "batch": WHOLE,
    "needs": TEXTS,
}
_KIND_OF = {BEFORE: "reference", AFTER: "native"}


def programs(path: Path, entries: Sequence[dict[str, Any]]) -> tuple[Program, ...]:
    """Read the programs of a suite.

    `entries`: its `[[programs]]`.
    """
    found = tuple(_program(path, number, entry) for number, entry in enumerate(entries, 1))
    _check_unique(f"{path}, programs", [program.name for program in found])
    return found


def _program(path: Path, number: int, entry: dict[str, Any]) -> Program:
    where = f"{path}, program {entry.get('name', number)!r}"
    check(where, entry, _PROGRAM)
    _require(where, entry, "name")
    if "batch" in entry and entry.get("batched"):
        advice = "Drop `batch`: the datasets give batches themselves."
        raise UnsupportedArgument(explain(where, "batch and batched = true", "one of them", advice))
    sides = [
        ProgramSide(name=key, kind=kind, factory=entry[key]) for key, kind in _KIND_OF.items() if key in entry
    ]
    sides += [_side(where, place, side) for place, side in enumerate(entry.get("sides", []), 1)]
    _check_sides(where, sides)
    values = {key: value for key, value in entry.items() if key not in ("sides", *_KIND_OF)}
    values["needs"] = tuple(entry.get("needs", ()))
    return Program(suite=path, sides=tuple(sides), **values)


def trainings(path: Path, entries: Sequence[dict[str, Any]]) -> tuple[Program, ...]:
    """Read the trainings of a suite.

    `entries`: its `[[trainings]]`.
    """
    found = tuple(_training(path, number, entry) for number, entry in enumerate(entries, 1))
    _check_unique(f"{path}, trainings", [program.name for program in found])
    return found


def _training(path: Path, number: int, entry: dict[str, Any]) -> Program:
    where = f"{path}, training {entry.get('name', number)!r}"
    check(where, entry, _TRAINING)
    for key in ("name", BEFORE, AFTER, "inputs", "elements"):
        _require(where, entry, key)
    scripts = {BEFORE: entry[BEFORE], AFTER: entry[AFTER], RUN: entry[BEFORE], RUN_AGAIN: entry[BEFORE]}
    sides = tuple(
        ProgramSide(name=name, kind=_KIND_OF.get(name, "native"), factory=script)
        for name, script in scripts.items()
    )
    values = {key: value for key, value in entry.items() if key not in _KIND_OF}
    values["needs"] = tuple(entry.get("needs", ()))
    return Program(suite=path, sides=sides, training=True, **values)


def _side(where: str, number: int, entry: dict[str, Any]) -> ProgramSide:
    of_side = f"{where}, side {entry.get('name', number)!r}"
    check(of_side, entry, _SIDE)
    for key in ("name", "kind", "factory"):
        _require(of_side, entry, key)
    return ProgramSide(**entry)


def _require(where: str, entry: dict[str, Any], key: str) -> None:
    if key not in entry:
        raise OutsideDomain(explain(where, f"no key {key!r}", f"a {key}", f"Add `{key} = ...`."))


def _check_sides(where: str, sides: list[ProgramSide]) -> None:
    kinds = [side.kind for side in sides]
    if kinds.count("reference") != 1 or "native" not in kinds:
        given = ", ".join(kinds) or "no side"
        advice = "Give `before` and `after`, or sides of these kinds."
        raise OutsideDomain(explain(where, given, "one reference, and one native or more", advice))
    _check_unique(f"{where}, sides", [side.name for side in sides])


def _check_unique(where: str, names: list[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        advice = "Give each a name of its own."
        raise OutsideDomain(explain(where, f"the name {twice[0]!r} twice", "every name once", advice))
