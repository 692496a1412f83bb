"""From a user's options to a plan."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from pipeport.bench._plans import DEFAULT, FULL, QUICK, Plan, Selection, expand
from pipeport.bench._suites import parse_size, read_suite
from pipeport.errors import NotPorted, OutsideDomain, UnsupportedArgument, explain

# What the default run measures of files on disk: this program of this suite.
READING, FILES = "reading", "read-resize"
_FLAGS = {
    "pairs": "names of pairs",
    "dtypes": "--dtype",
    "sizes": "--size",
    "scopes": "--scope",
    "cores": "--cores",
    "batched": "--batched",
    "devices": "--device",
}


@dataclass(frozen=True, kw_only=True)
class Options:
    """The requested options; None, False and empty keep the plan's."""

    pairs: tuple[str, ...] = ()
    quick: bool = False
    full: bool = False
    suite: str | Path | None = None
    dtypes: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()
    unknown_sizes: bool | None = None
    cores: str | None = None
    scope: str | None = None
    batched: bool = False
    device: str = "cpu"
    rounds: int | None = None
    seconds: float | None = None
    latency: bool = False


def choose(options: Options) -> Plan:
    """Return the plan of some options.

    `options`: a whole plan (`quick`, `full`, `suite`, pairs by name, or the default one), and axes that
    replace those of the plan. With a suite, names are those of its programs.
    """
    axes = _axes(options)
    plan = _whole(options, axes)
    _check_programs(plan, options, axes)
    selections = [replace(selection, **axes) for selection in plan.selections]
    if options.unknown_sizes is False:
        selections = [static for selection in selections if (static := _static(selection)).sizes]
    settings: dict[str, Any] = {"latency": True} if options.latency else {}
    if options.rounds is not None:
        settings["rounds"] = options.rounds
    if options.seconds is not None:
        settings["seconds"] = options.seconds
    plan = replace(plan, selections=tuple(selections), **settings)
    expanded = expand(plan)
    if not expanded.cases:
        reasons = " ".join(expanded.left_out) or (
            "Images of unknown sizes make no batch." if plan.selections else "The suite names nothing."
        )
        raise OutsideDomain(explain("cases", "none to measure", "at least one", reasons))
    return plan


def _whole(options: Options, axes: dict[str, Any]) -> Plan:
    """Return the plan before axes are replaced; `axes` of pairs leave no program in the default one."""
    named = [f"--{name}" for name in ("quick", "full", "suite") if getattr(options, name)]
    if len(named) > 1:
        raise UnsupportedArgument(explain("options", " and ".join(named), "one of them", "Drop all but one."))
    if options.suite is not None:
        plan = read_suite(options.suite)
        return _programs_named(plan, options.pairs) if options.pairs else plan
    if options.quick:
        return QUICK
    if options.full:
        return FULL
    if options.pairs:
        return replace(DEFAULT, name="chosen", selections=(Selection(),), budget_s=None)
    if axes or options.unknown_sizes is False:
        return DEFAULT
    return replace(DEFAULT, programs=_programs_named(read_suite(READING), (FILES,)).programs)


def _programs_named(plan: Plan, names: tuple[str, ...]) -> Plan:
    """Return a suite with the programs of those names, or shell patterns of names, alone."""
    known = [program.name for program in plan.programs]
    if not known:
        advice = "This suite has no programs, and names its own pairs."
        raise UnsupportedArgument(explain("pairs", "names and --suite", "one of them", advice))
    for name in names:
        if not any(fnmatchcase(one, name) for one in known):
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
            advice = f"Nearest: {near[0]}." if near else f"These are the programs of suite {plan.name}."
            raise NotPorted(explain("program", repr(name), ", ".join(known), advice))
    chosen = [one for one in plan.programs if any(fnmatchcase(one.name, name) for name in names)]
    return replace(plan, selections=(), programs=tuple(chosen))


def _check_programs(plan: Plan, options: Options, axes: dict[str, Any]) -> None:
    """Refuse axes that a program does not have: it says itself what its elements are."""
    given = [_FLAGS[name] for name in axes]
    if options.unknown_sizes is False:
        given.append("--static")
    allowed = "--rounds, --seconds, --latency, --memory"
    if plan.trainings:
        given += [f"--{name}" for name in ("seconds", "latency") if getattr(options, name)]
        allowed = "--rounds"
    if plan.programs and given:
        advice = "Change the programs' inputs instead, or measure pairs."
        raise UnsupportedArgument(explain("options", f"{', '.join(given)} for programs", allowed, advice))


def _axes(options: Options) -> dict[str, Any]:
    axes: dict[str, tuple[Any, ...]] = {
        "pairs": () if options.suite is not None else options.pairs,
        "dtypes": options.dtypes,
        "sizes": (*map(parse_size, options.sizes), *((None,) if options.unknown_sizes else ())),
        "scopes": (options.scope,) if options.scope else (),
        "cores": (options.cores,) if options.cores else (),
        "batched": (True,) if options.batched else (),
        "devices": (options.device,) if options.device != "cpu" else (),
    }
    return {name: values for name, values in axes.items() if values}


def _static(selection: Selection) -> Selection:
    """Return the selection without unknown sizes."""
    return replace(selection, sizes=tuple(size for size in selection.sizes if size is not None))
