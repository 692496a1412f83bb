"""The proofs that were committed.

In a checkout they are in tests/equivalence, in an installed package beside this folder.
"""

from __future__ import annotations

import functools

from pipeport import _shipped
from pipeport.contract import ENGINES, Contract
from pipeport.verify._report import CaseRecord
from pipeport.verify._results import Results


@functools.cache
def proofs() -> dict[str, CaseRecord]:
    """Return the committed cases, by 'pair|engine'; none where the files are not there."""
    folder = _shipped.find("_proofs", "tests/equivalence")
    if folder is None:
        return {}
    return {
        key: case
        for name in ("main", "addons")
        for key, case in Results(folder / f"{name}.json").load().items()
    }


def text(contract: Contract) -> str:
    """Return in words how a pair was proved.

    Returns
    -------
    str
        '200 examples in eager; 100 examples in graph, xla, dataset, batched'.
    """
    cases = [case for engine in ENGINES if (case := proofs().get(f"{contract.native}|{engine}"))]
    counts: dict[int, list[str]] = {}
    for case in cases:
        if case.status == "passed":
            counts.setdefault(case.examples, []).append(case.engine)
    if not counts:
        return "none is kept"
    return "; ".join(f"{count} examples in {', '.join(engines)}" for count, engines in counts.items())
