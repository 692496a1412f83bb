"""Prove a slice of the catalog with new seeds, another each day, so that weeks cover all of it.

    python -m tests.nightly --minutes 20

Each case has its whole proof: 200 examples eagerly, 100 in the other engines; 80 and 30 of everyday NumPy.
A failure is printed with its seed, a script that shows it, and the entry to add to the `examples` of the
pair's contract: kept there, every later proof judges it. Then the day's share of the slow tests runs, and a
thousand random programs, whose seed is the day's number, are rewritten and run.
Exit code 1 if a case or a test failed, 130 after Ctrl-C.
"""

from __future__ import annotations

import argparse
import datetime
import os
import subprocess
import sys
import time
from collections.abc import Iterator

from pipeport import catalog
from pipeport.contract import ENGINES
from pipeport.verify._case import Plan, run_case, whole_proof
from pipeport.verify._fingerprint import environment
from pipeport.verify._pair import pair_of
from pipeport.verify._processes import in_processes
from pipeport.verify._report import CaseRecord
from tests.selection import stable_number

# About what an hour proves; where a slice begins does not depend on how far the last one came.
PAIRS_A_DAY = 20
PROGRAMS = ("tests/rewrite/test_random_programs.py", 1000)


def cases(day: datetime.date) -> Iterator[tuple[str, str]]:
    """Yield the cases of this environment, those of a day first."""
    here = [name for name, one in catalog.pairs().items() if one.environment == environment()]
    mixed = sorted(here, key=stable_number)
    start = day.toordinal() * PAIRS_A_DAY % len(mixed)
    for name in mixed[start:] + mixed[:start]:
        yield from ((name, engine) for engine in ENGINES)


def prove(case: tuple[str, str]) -> CaseRecord:
    """Prove one case with a new seed."""
    name, engine = case
    contract = catalog.pairs()[name]
    return run_case(pair_of(contract), engine, Plan(examples=whole_proof(contract, engine), seed=None))


def failure_text(case: CaseRecord) -> str:
    """Return what to do about a failed case."""
    failure = case.failure
    if failure is None:
        return ""
    text = f"{case.key} (seed {case.seed}): {failure.reason}\n\n{failure.snippet}"
    kept = f"\nAdd to the contract of {case.pair}:\n    examples=({failure.example}),\n"
    return text + (kept if failure.example else "")


def run(minutes: float, day: datetime.date, jobs: int) -> int:
    """Prove cases until the time is over; those begun are finished."""
    count = failed = 0
    try:
        for record in in_processes(prove, cases(day), jobs, time.monotonic() + 60 * minutes):
            count, failed = count + 1, failed + (record.failure is not None)
            print(f"{count}: {record.key} {record.status}, {record.examples} examples", flush=True)
            print(failure_text(record), end="", flush=True)
    except KeyboardInterrupt:
        print(f"Interrupted after {count} cases, {failed} of them failed.")
        return 130
    print(f"{count} cases, {failed} of them failed.")
    return 1 if failed else 0


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=20.0, help="begin no case after these (default: 20)")
    today = datetime.datetime.now(datetime.UTC).date()
    parser.add_argument(
        "--date",
        type=datetime.date.fromisoformat,
        default=today,
        help="whose slice: YYYY-MM-DD (default: today)",
    )
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one a core)"
    )
    given = parser.parse_args()
    if (code := run(given.minutes, given.date, given.jobs)) == 130:
        return code
    pytest = [sys.executable, "-m", "pytest"]
    share = {**os.environ, "PIPEPORT_PROVE": str(given.date)}
    tests = [*pytest, "-n", str(given.jobs), "--dist", "worksteal"]
    code |= subprocess.run(tests, check=False, env=share).returncode != 0
    file, count = PROGRAMS
    drawn = {**os.environ, "HYPOTHESIS_PROFILE": "nightly", "PIPEPORT_PROGRAMS": str(count)}
    programs = [*pytest, file, f"--hypothesis-seed={given.date.toordinal()}"]
    return code | (subprocess.run(programs, check=False, env=drawn).returncode != 0)


if __name__ == "__main__":
    sys.exit(main())
