"""Results files put together."""

from __future__ import annotations

from pathlib import Path

from pipeport import catalog
from pipeport.verify._fingerprint import fingerprint
from pipeport.verify._pair import pair_of
from pipeport.verify._report import CaseRecord, Report
from pipeport.verify._require import MissingPackage
from pipeport.verify._results import Results, merged


def merge(paths: tuple[Path, ...], results: Path) -> Report:
    """Write the cases of several files into one; of two for one case, that of the present sources."""

    def current(case: CaseRecord) -> bool:
        contract = catalog.pairs().get(case.pair)
        try:
            return contract is not None and fingerprint(pair_of(contract), case.engine) == case.fingerprint
        except MissingPackage:  # the reference lives in another environment: nothing can be said
            return False

    every = [*paths, *([results] if results.exists() else [])]
    cases = merged(every, current)
    Results(results).keep(*cases)
    return Report(tuple(cases))
