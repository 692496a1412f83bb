"""Reports made of figures that a test chooses."""

from __future__ import annotations

from typing import Any

from pipeport.trace._report import ModeResult, Report

ENVIRONMENT = {
    "machine": {"cpu": "a test's CPU", "usable_cores": 2, "gpus": []},
    "versions": {"tensorflow": "2.0", "pipeport": "0"},
    "threads": {},
    "commit": None,
    "time": "2026-01-01T00:00:00+00:00",
}


def mode(
    name: str, first: float, steady: float, *, tracing: float | None = None, noise: float = 0.0, **more: Any
) -> ModeResult:
    """Return a mode of which later calls take `steady` seconds, give or take `noise` of them."""
    rounds = [steady * (1 + noise * (index % 3 - 1)) for index in range(9)]
    traced = [] if tracing is None else [tracing]
    return ModeResult(
        mode=name, tracing_s=traced, first_run_s=[first - sum(traced)], rounds_s=rounds, calls=1, **more
    )


def report(*modes: ModeResult, name: str = "step") -> Report:
    """Return a report of these modes."""
    protocol = {"rounds": 9, "seconds": 0.05, "limit": 30.0}
    return Report(
        name=name, inputs=["x: int32[] = 1"], environment=ENVIRONMENT, protocol=protocol, modes=list(modes)
    )
