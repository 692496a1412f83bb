"""The file of last measured ratios that travels in the wheel, derived from one report."""

from __future__ import annotations

from typing import Any

from pipeport.bench._results import Report

# History of the format. 1: the first. 2: rounds, commit and code of every figure.
FORMAT = 2


def last_ratios(report: Report) -> dict[str, Any]:
    """Return what `pipeport catalog` shows of a report.

    Parameters
    ----------
    report : Report
        The committed result.

    Returns
    -------
    dict
        `format`, `machine` (CPU, cores, TensorFlow), and per native a list of ratios with interval,
        verdict, rounds, commit and code, in the order of the report; programs are not in it.
    """
    machine, versions = report.environment["machine"], report.environment["versions"]
    ratios: dict[str, list[dict[str, Any]]] = {}
    for result in (one for one in report.cases if one.case.pair):
        for side, ratio in result.ratios():
            ratios.setdefault(result.case.pair, []).append(
                {
                    "case": result.case.conditions,
                    "against": side.name,
                    "ratio": round(ratio.ratio, 3),
                    "low": round(ratio.low, 3),
                    "high": round(ratio.high, 3),
                    "verdict": ratio.verdict,
                    "rounds": ratio.rounds,
                    "commit": report.commit_of(result),
                    "code": result.code,
                }
            )
    return {
        "format": FORMAT,
        "machine": {
            "CPU": machine["cpu"],
            "cores": machine["usable_cores"],
            "TensorFlow": versions.get("tensorflow"),
        },
        "ratios": ratios,
    }
