"""Reports made of numbers, without measuring anything."""

from __future__ import annotations

from typing import Any

from pipeport.bench._case import Case
from pipeport.bench._measure import Round
from pipeport.bench._results import CaseResult, Report, SideResult

MACHINE = {
    "cpu": "Some Processor 3000",
    "architecture": "x86_64",
    "system": "Linux",
    "cores": 2,
    "usable_cores": 2,
    "memory_gib": 8.0,
    "gpus": [],
}
FLIP = Case(pair="pipeport.numpy.fliplr", dtype="float32")


def rounds(*rates: float, steady: bool = True, others: float | None = 0.0) -> list[Round]:
    return [
        Round(
            elements=round(rate),
            seconds=1.0,
            discarded=64,
            warm_s=0.4,
            steady=steady,
            cores=1.5,
            others=others,
        )
        for rate in rates
    ]


def case_result(case: Case = FLIP, **rates: tuple[float, ...]) -> CaseResult:
    """Sides by kind: case_result(reference=(100, 101), native=(400, 410))."""
    names = {"reference": "numpy_function + numpy.fliplr", "native": case.pair}
    sides = [
        SideResult(name=names.get(kind, kind), kind=kind, rounds=rounds(*values), answer="float32 [32]")
        for kind, values in rates.items()
    ]
    return CaseResult(case=case, sides=sides)


def report(*results: CaseResult, machine: dict[str, Any] | None = None, **more: Any) -> Report:
    environment = {
        "machine": MACHINE | (machine or {}),
        "versions": {"python": "3.11.7", "pipeport": "0.1.0", "tensorflow": "2.21.0"},
        "threads": {"tensorflow_inter_op": 0, "tensorflow_intra_op": 0, "opencv": 1, "environment": {}},
        "jit": "auto",
        "photographs": "0123456789abcdef",
        "commit": "abc",
        "time": "2026-01-01T00:00:00+00:00",
        "load": 0.1,
    }
    protocol = {
        "plan": "default",
        "rounds": 3,
        "seconds": 1.0,
        "steady": {"window_s": 0.1, "windows": 4, "tolerance": 0.1, "cap_s": 3.0},
        "batch": 32,
    }
    return Report(environment=environment, protocol=protocol, cases=list(results), **more)
