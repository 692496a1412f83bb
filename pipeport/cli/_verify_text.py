"""Text about agreement: how far apart two functions are, and how far they may be."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import TYPE_CHECKING

from pipeport import contract as c
from pipeport.verify import Close
from pipeport.verify._elements import number, percent

if TYPE_CHECKING:
    from pipeport.verify import CaseRecord, DtypeRecord

# Stands in a table's head where its cells have no room for it.
OF_ALLOWED = " of allowed"


def size(error: float, agreement: c.Agreement | None, dtype: str) -> str:
    """Return an error with its unit."""
    if isinstance(agreement, c.WithinLevels):
        if agreement.floats is not None and dtype.startswith("float"):
            return size(error, agreement.floats, dtype)
        return f"{number(error)} grey level{'' if error == 1 else 's'}"
    return f"{number(error, 2)} ulps" if isinstance(agreement, c.Ulps) else number(error, 2)


def worst(record: DtypeRecord, agreement: c.Agreement | None) -> str:
    """Return the worst error of one dtype for a table: "equal", "1.2e-7 (6 % of allowed)"."""
    if record.error == 0:
        return "equal"
    share = "<1 %" if record.ratio < 0.01 else f"{round(100 * record.ratio)} %"
    return f"{size(record.error, agreement, record.dtype).replace('grey ', '')} ({share}{OF_ALLOWED})"


def agreed(cases: Iterable[CaseRecord], agreement: c.Agreement) -> list[str]:
    """Return sentences that say how well a user's two functions agree, where they do.

    What was allowed for the data at hand lies between what was for the largest error and for the one
    nearest to its limit: the quotient of the largest error and the largest share.
    """
    passed = [case for case in cases if case.status == "passed"]
    if not passed:
        return []
    counts = sorted({case.examples for case in passed})
    many = str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    engines = ", ".join(case.engine for case in passed)
    where = f"over {many} examples in {'each of ' if len(passed) > 1 else ''}{engines}"
    dtypes = joined(passed)
    if all(record.error == 0 for record in dtypes):
        equal = "equal bit for bit" if isinstance(agreement, c.Exact) else "equal"
        return [f"They agree: {equal} {where}."]
    if len(dtypes) == 1:
        return [
            f"They agree: {_difference(dtypes[0], agreement)} {where} ({_allowed(dtypes[0], agreement)})."
        ]
    lines = [f"They agree {where}:"]
    for record in dtypes:
        told = (
            "equal"
            if record.error == 0
            else f"{_difference(record, agreement)}, {_allowed(record, agreement)}"
        )
        lines.append(f"  {record.dtype}: {told}")
    return lines


def joined(cases: Iterable[CaseRecord]) -> list[DtypeRecord]:
    """Return one record per dtype: examples of all cases, and their worst error."""
    from pipeport.verify import DtypeRecord

    found: dict[str, DtypeRecord] = {}
    for record in (record for case in cases for record in case.dtypes):
        found[record.dtype] = found.get(record.dtype, DtypeRecord(record.dtype, 0)) | record
    return [found[dtype] for dtype in sorted(found)]


def _difference(record: DtypeRecord, agreement: c.Agreement) -> str:
    return f"at most {size(record.error, agreement, record.dtype)} apart"


def _allowed(record: DtypeRecord, agreement: c.Agreement) -> str:
    about = "about " if isinstance(agreement, (c.AsReference, Close)) else ""
    return f"{about}{number(record.error / record.ratio, 2)} allowed"


@functools.singledispatch
def allowance(agreement: c.Agreement) -> str:
    """Return the allowance of an agreement for a user's own function, as a sentence."""
    raise NotImplementedError(f"no words for {type(agreement).__name__}: add them to {__name__}")


@allowance.register
def _(agreement: c.AsReference) -> str:  # noqa: ARG001 - dispatched on its type
    return (
        "Judged against `old` run in float64: twice as far from it as `old` itself is allowed, and 8 "
        "roundings (eps); integers must be equal. Others: --agreement, --rtol, --atol."
    )


@allowance.register
def _(agreement: c.Exact) -> str:  # noqa: ARG001 - dispatched on its type
    return "Allowed: no difference, bit for bit."


@allowance.register
def _(agreement: c.Ulps) -> str:
    return f"Allowed: {agreement.n} units in the last place; integers must be equal."


@allowance.register
def _(agreement: c.Within) -> str:
    return f"Allowed: {number(agreement.absolute)}."


@allowance.register
def _(agreement: c.WithinLevels) -> str:
    return f"Allowed: {agreement.n} grey levels, on at most {percent(agreement.fraction)} of pixels."


@allowance.register
def _(agreement: Close) -> str:
    return f"Allowed: {number(agreement.atol)} + {number(agreement.rtol)} |old|."
