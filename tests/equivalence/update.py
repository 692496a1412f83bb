"""Keep the committed proofs: take over results, prove what became stale, list what is pending.

Usage: python tests/equivalence/update.py [RESULTS.json ...]
       python tests/equivalence/update.py --prove [--minutes 30]

The first form takes over proved cases of files that `pipeport verify --results` wrote. The second proves
what `pipeport verify --stale` lists for this environment, each case whole (200 examples eagerly, 100 in the
other engines; 80 and 30 of everyday NumPy), and keeps every case as soon as it is there; Ctrl-C and the
limit lose nothing.
`PIPEPORT_RECORD=1 nox -s full` notes the checks of graphs, SavedModel and service.

What was proved of other code than is here now stays, and is stale. What draws and judges, pipeport/contract
and pipeport/verify, has a number instead of a hash: raise `PROTOCOL` in pipeport/verify/_fingerprint.py if
what was verified before could come out otherwise now (a bound, a domain, how values are drawn), leave it if
only something new was added. This program then notes the sources it stands for.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from pipeport import catalog
from pipeport.contract import ENGINES
from pipeport.verify import _committed
from pipeport.verify._case import Plan, run_case
from pipeport.verify._fingerprint import protocol
from pipeport.verify._pair import pair_of
from pipeport.verify._report import CaseRecord
from pipeport.verify._results import Results

FOLDER = Path(__file__).parent


def take_over(paths: list[Path]) -> None:
    """Add every proved case of some files, for pairs the catalog has; note what is pending."""
    pairs = catalog.pairs()
    kept: dict[str, dict[str, CaseRecord]] = {
        name: Results(FOLDER / f"{name}.json").load() for name in _committed.ENVIRONMENTS
    }
    for path in paths:
        for key, case in Results(path).load().items():
            if case.pair in pairs and _committed.is_proved(case) and "needs the" not in case.note:
                kept[pairs[case.pair].environment][key] = case
    for name, cases in kept.items():
        Results(FOLDER / f"{name}.json").replace(case for case in cases.values() if case.pair in pairs)
    pending = [
        f"{name}|{engine}"
        for name, contract in pairs.items()
        for engine in ENGINES
        if not _committed.is_proved(kept[contract.environment].get(f"{name}|{engine}"))
    ]
    (FOLDER / "pending.json").write_text(json.dumps(pending, indent=1) + "\n", "utf-8")
    (FOLDER / "protocol.json").write_text(json.dumps(protocol(), indent=1) + "\n", "utf-8")
    print(f"{len(pairs)} pairs, {len(pending)} cases pending")


def prove(minutes: float) -> None:
    """Prove the stale cases of this environment, one after the other, until the time is over."""
    end = time.monotonic() + 60 * minutes
    todo = _committed.stale(_committed.pairs_here())
    # TensorFlow keeps what was compiled: a process that lives for all cases grows to many gigabytes.
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=fresh, max_tasks_per_child=20) as worker:
        for done, case in enumerate(todo):
            if time.monotonic() > end:
                print(f"{len(todo) - done} cases are left.")
                return
            found = worker.submit(one, case.pair, case.engine).result()
            print(f"{done + 1} of {len(todo)}: {found.key} {found.status}", flush=True)
            if found.failure is not None:
                print(found.failure.reason)
            if _committed.is_proved(found):
                Results(FOLDER / f"{_committed.environment()}.json").keep(found)


def one(pair: str, engine: str) -> CaseRecord:
    """Prove one case whole."""
    plan = Plan(examples=_committed.least(pair, engine))
    return run_case(pair_of(catalog.pairs()[pair]), engine, plan)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("results", nargs="*", type=Path)
    parser.add_argument("--prove", action="store_true", help="prove what is stale in this environment")
    parser.add_argument("--minutes", type=float, default=30.0, help="stop to begin new cases after these")
    given = parser.parse_args()
    if given.prove:
        prove(given.minutes)
    take_over(given.results)


if __name__ == "__main__":
    main()
