"""Results files put together."""

from __future__ import annotations

from pathlib import Path

from pipeport import catalog
from pipeport.verify._fingerprint import is_current
from pipeport.verify._report import CaseRecord, Report
from pipeport.verify._results import Results, merged


def merge(paths: tuple[Path, ...], results: Path) -> Report:
    """Write the cases of several files into one; of two for one case, that of the present sources."""

    def current(case: CaseRecord) -> bool:
        contract = catalog.pairs().get(case.pair)
        return contract is not None and is_current(case, contract)

    every = [*paths, *([results] if results.exists() else [])]
    cases = merged(every, current)
    Results(results).keep(*cases)
    return Report(tuple(cases))
