"""The file of last measured ratios that travels in the wheel, derived from one report."""

from __future__ import annotations

from typing import Any

from pipeport.bench._results import Report

FORMAT = 1


def last_ratios(report: Report) -> dict[str, Any]:
    """Return what `pipeport catalog` shows of a report.

    Parameters
    ----------
    report : Report
        The committed result.

    Returns
    -------
    dict
        `format`, `machine` (CPU, cores, TensorFlow), `commit`, and per native a list of
        ratios with interval and verdict, in the order of the report.
    """
    machine, versions = report.environment["machine"], report.environment["versions"]
    ratios: dict[str, list[dict[str, Any]]] = {}
    for result in report.cases:
        for side, ratio in result.ratios():
            ratios.setdefault(result.case.pair, []).append(
                {
                    "case": result.case.conditions,
                    "against": side.name,
                    "ratio": round(ratio.ratio, 3),
                    "low": round(ratio.low, 3),
                    "high": round(ratio.high, 3),
                    "verdict": ratio.verdict,
                }
            )
    return {
        "format": FORMAT,
        "machine": {
            "CPU": machine["cpu"],
            "cores": machine["usable_cores"],
            "TensorFlow": versions.get("tensorflow"),
        },
        "commit": " and ".join(
            dict.fromkeys(result.commit or str(report.environment["commit"]) for result in report.cases)
        ),
        "ratios": ratios,
    }
