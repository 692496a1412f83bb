"""Verify cases: Hypothesis draws, the oracle judges, records are kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from pipeport.contract import ENGINES, Contract
from pipeport.errors import OutsideDomain
from pipeport.verify._case import Plan, Progress, run_case
from pipeport.verify._engines import check_engines
from pipeport.verify._fingerprint import is_current
from pipeport.verify._pair import Pair, pair_of
from pipeport.verify._report import CaseRecord, Report
from pipeport.verify._require import MissingPackage, require
from pipeport.verify._results import Results

RESUMED = "resumed"


def run_pair(pair: Pair, engines: Iterable[str], plan: Plan, progress: Progress | None = None) -> Report:
    """Verify a pair in several engines and return the report."""
    return Report(tuple(run_case(pair, engine, plan, progress) for engine in check_engines(tuple(engines))))


def run_contracts(
    contracts: Iterable[Contract],
    engines: tuple[str, ...] = ENGINES,
    plan: Plan | None = None,
    *,
    results: Path | None = None,
    resume: bool = False,
    shard: tuple[int, int] = (1, 1),
    progress: Progress | None = None,
) -> Iterator[CaseRecord]:
    """Verify pairs of the catalog, one record at a time.

    `results`: file in which records are kept, each as soon as it is there. `resume`: whether cases are
    skipped that passed in `results` with as many examples, from the same sources and versions. `shard`: which
    part of how many, counted from one. `progress`: called with (pair, engine, examples done, examples
    wanted). Yields: in order of pair and engine.
    """
    check_engines(engines)
    plan = plan or Plan()
    part, parts = shard
    if not 1 <= part <= parts:
        raise OutsideDomain(
            f"shard: got {part}/{parts}; allowed: 1/{parts} to {parts}/{parts}. Count from one."
        )
    require("hypothesis")
    kept = Results(results).load() if results is not None else {}
    cases = [(contract, engine) for contract in contracts for engine in engines]
    for contract, engine in cases[part - 1 :: parts]:
        record = _one(contract, engine, plan, kept if resume else {}, progress)
        if results is not None and record.fingerprint and record.note != RESUMED:
            Results(results).keep(record)
        yield record


def _one(
    contract: Contract, engine: str, plan: Plan, kept: dict[str, CaseRecord], progress: Progress | None
) -> CaseRecord:
    try:
        pair = pair_of(contract)
    except MissingPackage:
        if contract.environment == "main":
            raise
        note = f"needs the {contract.environment} environment"
        return CaseRecord(contract.native, engine, "not run", wanted=plan.examples, note=note)
    before = kept.get(f"{pair.name}|{engine}")
    if (
        before is not None
        and before.status != "failed"
        and before.wanted >= plan.examples
        and is_current(before, contract)
    ):
        return replace(before, note=RESUMED)
    return run_case(pair, engine, plan, progress)
