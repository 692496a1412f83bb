"""Proof follows change: what was proved of the same code is not proved again by every run of the tests.

A test says which pair and engine it proves. It is skipped where the committed record is of the code, the
versions and the kind of processor that are here, but for one in twenty, chosen by the commit. With
PIPEPORT_PROVE=all (`nox -s full`) or HYPOTHESIS_PROFILE=nightly nothing is skipped. With PIPEPORT_RECORD=1
what passed is noted in checks_main.json or checks_addons.json.
"""

from __future__ import annotations

import functools
import hashlib
import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

from pipeport import catalog
from pipeport.contract import Contract
from pipeport.verify import _committed
from pipeport.verify._fingerprint import code, versions, why_stale
from pipeport.verify._report import CaseRecord
from pipeport.verify._results import Results

FOLDER = Path(__file__).parent
PROPERTY = "follows"
SAMPLED = 20
# What is proved besides the engines, kept in a file of its own; the last is what one environment does for
# the pairs of the other.
SAMPLE = "few examples"
CHECKS = ("graph tests", "SavedModel", "service", "without references", SAMPLE)


def everything() -> bool:
    """Say whether nothing is to be skipped."""
    return os.environ.get("PIPEPORT_PROVE") == "all" or os.environ.get("HYPOTHESIS_PROFILE") == "nightly"


@functools.cache
def commit() -> str:
    """Return the commit that is tested; in an archive without git, what stands for its code."""
    done = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=FOLDER, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or hashlib.sha256((FOLDER / "main.json").read_bytes()).hexdigest()


def in_sample(pair: str, engine: str, at: str) -> bool:
    """Say whether a case is one of the twentieth that is proved at a commit whatever was proved before."""
    return int.from_bytes(hashlib.sha256(f"{at}|{pair}|{engine}".encode()).digest()[:8]) % SAMPLED == 0


@functools.cache
def checks(environment: str) -> Results:
    """Return the file of the checks that passed in an environment."""
    return Results(FOLDER / f"checks_{environment}.json")


@functools.cache
def _checked(environment: str) -> dict[str, CaseRecord]:
    return checks(environment).load()


def stale_reason(contract: Contract, engine: str) -> str:
    """Return why a case is to be proved; empty if the committed record holds here."""
    if engine not in CHECKS:
        return _committed.stale_reason(contract, engine)
    case = _checked(_committed.environment()).get(f"{contract.native}|{engine}")
    return "never checked" if case is None else why_stale(case, contract)


def is_needed(pair: str, engine: str) -> bool:
    """Say whether a case is to be proved now."""
    contract = catalog.pairs()[pair]
    return everything() or bool(stale_reason(contract, engine)) or in_sample(pair, engine, commit())


def record(passed: Iterable[str], failed: Iterable[str]) -> None:
    """Note the checks that passed here, by 'pair|check', in the environment's file."""
    pairs = catalog.pairs()
    keys = [key.rpartition("|") for key in sorted({*passed} - {*failed})]
    cases = [
        CaseRecord(
            pair,
            check,
            "passed",
            fingerprint=code(pairs[pair], check),
            versions=versions(pairs[pair].reference),
        )
        for pair, _, check in keys
        if check in CHECKS
    ]
    file = checks(_committed.environment())
    kept = [case for case in file.load().values() if case.pair in pairs]
    file.replace([*kept, *cases])
