"""The proofs that were committed: which there are, and which of them are of an earlier version of the code.

In a checkout they stand in tests/equivalence, in an installed package beside this folder.
"""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Iterable
from dataclasses import dataclass

from pipeport import _shipped, catalog
from pipeport.contract import ENGINES, Contract
from pipeport.verify._fingerprint import code, why_stale
from pipeport.verify._report import CaseRecord
from pipeport.verify._results import Results

ENVIRONMENTS = ("main", "addons")
# Eagerly every example differs in all; where each signature costs a trace, examples share 40 of them.
LEAST = {"eager": 200}
LEAST_TRACED = 100
# Of thin natives: dozens share their code, and each draws few shapes.
LEAST_EVERYDAY = {"eager": 80}
LEAST_EVERYDAY_TRACED = 30


@functools.cache
def proofs() -> dict[str, CaseRecord]:
    """Return the committed cases, by 'pair|engine'; none where the files are not there."""
    folder = _shipped.find("_proofs", "tests/equivalence")
    if folder is None:
        return {}
    return {
        key: case for name in ENVIRONMENTS for key, case in Results(folder / f"{name}.json").load().items()
    }


def is_proved(case: CaseRecord | None) -> bool:
    """Say whether a case is the whole proof, or declared not to be served."""
    if case is None:
        return False
    if case.status == "not run":
        return bool(case.note)
    return case.status == "passed" and case.examples >= least(case.pair, case.engine)


def least(pair: str, engine: str) -> int:
    """Return how many examples the whole proof of a case has."""
    contract = catalog.pairs().get(pair)
    if contract is not None and contract.everyday:
        return LEAST_EVERYDAY.get(engine, LEAST_EVERYDAY_TRACED)
    return LEAST.get(engine, LEAST_TRACED)


def environment() -> str:
    """Return which of the environments this is."""
    return "addons" if importlib.util.find_spec("tensorflow_addons") else "main"


@dataclass(frozen=True)
class Stale:
    """A case that was proved of something else than is here now.

    Attributes
    ----------
    pair, engine : str
        Which case.
    reason : str
        'code', the versions that differ, or 'never proved'.
    """

    pair: str
    engine: str
    reason: str


def stale_reason(contract: Contract, engine: str) -> str:
    """Return why the committed proof of a case does not hold here; empty if it does.

    Versions count where the pair's reference can be installed; elsewhere the code alone.
    """
    case = proofs().get(f"{contract.native}|{engine}")
    if case is None or not is_proved(case):
        return "never proved"
    if contract.environment != environment():
        return "code" if case.fingerprint != code(contract, engine) else ""
    return why_stale(case, contract)


def stale(contracts: Iterable[Contract], engines: Iterable[str] = ENGINES) -> list[Stale]:
    """Return the cases of some pairs whose committed proof does not hold here."""
    return [
        Stale(contract.native, engine, reason)
        for contract in contracts
        for engine in engines
        if (reason := stale_reason(contract, engine))
    ]


def text(contract: Contract) -> str:
    """Return in words how a pair was proved, and whether of the code that is here now.

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
    told = "; ".join(f"{count} examples in {', '.join(engines)}" for count, engines in counts.items())
    earlier = [case.engine for case in cases if case.fingerprint != code(contract, case.engine)]
    if not earlier:
        return told
    which = "" if len(earlier) == len(cases) else f" ({', '.join(earlier)})"
    return f"{told}; proved for an earlier version of this code{which}"


def pairs_here() -> list[Contract]:
    """Return the pairs whose reference belongs to this environment."""
    return [contract for contract in catalog.pairs().values() if contract.environment == environment()]
