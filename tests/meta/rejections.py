"""Run a mutant until it is rejected, and the untouched native on the example that rejected it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

from pipeport.contract import contract_of
from pipeport.verify import CaseRecord, _case
from pipeport.verify._case import Plan, run_case
from pipeport.verify._examine import examine
from pipeport.verify._pair import pair_of


def untouched(native: Callable[..., Any]) -> Callable[..., Any]:
    """Return the native in the wrapping that mutants have."""

    @functools.wraps(native)
    def same(*arguments: Any, **options: Any) -> Any:
        return native(*arguments, **options)

    return same


def rejection(native: Callable[..., Any], mutated: Callable[..., Any], engine: str, plan: Plan) -> CaseRecord:
    """Return the record of a mutant under the contract of its native.

    Parameters
    ----------
    native : callable
        What was mutated.
    mutated : callable
        It, with one thing wrong.
    engine : str
        See `pipeport.contract.ENGINES`.
    plan : Plan
        At most so many examples are drawn; the first that fails is the last.

    Returns
    -------
    CaseRecord
        Of the mutant.

    Raises
    ------
    NotEquivalent
        The example that rejected the mutant rejects the untouched native too: the rejection says nothing.
    """
    judged = []

    def noting(pair: Any, call: Any, engine: str) -> Any:
        judged.append([call, False])
        worst = examine(pair, call, engine)
        judged[-1][1] = True
        return worst

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_case, "examine", noting)
        record = run_case(pair_of(contract_of(native), native=mutated), engine, plan)
    call, accepted = judged[-1]
    if not accepted:
        examine(pair_of(contract_of(native), native=untouched(native)), call, engine)
    return record
