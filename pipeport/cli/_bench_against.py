"""`pipeport bench --against REVISION`: measure two revisions of this package in turn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from pipeport.cli import _bench_functions, _bench_output, _output
from pipeport.errors import NotPorted, UnsupportedArgument, explain

_FINDING, _MISTAKE, _INTERRUPTED = 1, 2, 130


def run(revision: str, choices: dict[str, Any], json_file: Path | None) -> int:
    """Measure the chosen cases in this code and in another revision.

    `revision`: whatever git takes for a commit. `choices`: the options that choose what is measured, as
    `Options` takes them. `json_file`: where the report is written to. Returns: 1 when a native became slower,
    2 when nothing could be measured, else 0; 130 after Ctrl-C.
    """
    if not choices["pairs"] and choices["suite"] is None:
        _refuse("--against alone", "Name natives, or a suite: `pipeport bench --suites` lists them.")
    if _bench_functions.is_one(choices["suite"]):
        _refuse("--against with a suite of functions", "Name natives, or a suite of cases or programs.")
    from pipeport.bench import _against, _results, _revision
    from pipeport.bench._choice import Options, choose

    with _revision.checked_out(revision) as other:
        missing: list[str] = []
        if choices["suite"] is None:
            here, missing = _against.split(choices["pairs"], other)
            if not here:
                advice = "Name natives that both have."
                raise NotPorted(explain("cases", " ".join(missing), "a native of both revisions", advice))
            choices = choices | {"pairs": tuple(here)}
        plan = choose(Options(**choices))
        if choices["rounds"] is None:
            plan = replace(plan, rounds=max(plan.rounds, _against.ROUNDS))
        with _bench_output.progress() as tell:
            report = _against.run(plan, other, watch=tell)
    report.left_out[:0] = missing
    _bench_output.show(report)
    worse = _against.slower(report)
    if worse:
        _output.write(f"{len(worse)} of {len(report.cases)} became slower than {other.label}.")
    if json_file:
        _results.write(report, json_file)
        _output.progress_console().print(f"Written: {json_file}", markup=False)
    if report.interrupted:
        return _INTERRUPTED
    if not report.cases:
        return _MISTAKE
    return _FINDING if worse else 0


def _refuse(given: str, advice: str) -> None:
    raise UnsupportedArgument(explain("options", given, "--against with names or --suite", advice))
