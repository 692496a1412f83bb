"""From a user's options to a plan."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pipeport.bench._plans import DEFAULT, FULL, QUICK, Plan, Selection, expand
from pipeport.bench._suites import parse_size, read_suite
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain


@dataclass(frozen=True, kw_only=True)
class Options:
    """What was asked for; None, False and empty mean "as the plan has it"."""

    pairs: tuple[str, ...] = ()
    quick: bool = False
    full: bool = False
    suite: Path | None = None
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

    Parameters
    ----------
    options : Options
        A whole plan (`quick`, `full`, `suite`, pairs by name, or the default one), and axes
        that replace those of the plan.

    Returns
    -------
    Plan
        With at least one case.

    Raises
    ------
    UnsupportedArgument
        Options contradict each other.
    OutsideDomain
        No case is left; the message says why.
    NotPorted
        A pair is not in the catalog.
    """
    plan = _whole(options)
    selections = [replace(selection, **_axes(options)) for selection in plan.selections]
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
        reasons = " ".join(expanded.left_out) or "Images of unknown sizes make no batch."
        raise OutsideDomain(explain("cases", "none to measure", "at least one", reasons))
    return plan


def _whole(options: Options) -> Plan:
    """Return the plan before axes are replaced."""
    named = [f"--{name}" for name in ("quick", "full", "suite") if getattr(options, name)]
    if len(named) > 1:
        raise UnsupportedArgument(explain("options", " and ".join(named), "one of them", "Drop all but one."))
    if options.suite is not None:
        if options.pairs:
            advice = "A suite names its own pairs."
            raise UnsupportedArgument(explain("pairs", "names and --suite", "one of them", advice))
        return read_suite(options.suite)
    if options.quick:
        return QUICK
    if options.full:
        return FULL
    if options.pairs:
        return replace(DEFAULT, name="chosen", selections=(Selection(),), budget_s=None)
    return DEFAULT


def _axes(options: Options) -> dict[str, Any]:
    axes: dict[str, tuple[Any, ...]] = {
        "pairs": options.pairs,
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
