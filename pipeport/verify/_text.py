"""A verification in words: how far apart two functions are and may be, rows of tables, notes, counts."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from pipeport import catalog
from pipeport import contract as c
from pipeport._shown import Part, Table
from pipeport.verify._bugs import Bug, bugs_of
from pipeport.verify._elements import number, percent
from pipeport.verify._judge_bounds import Close

if TYPE_CHECKING:
    from pipeport.verify._report import CaseRecord, DtypeRecord, Report

# Stands in a table's head where its cells have no room for it.
OF_ALLOWED = " of allowed"
# So many cases are named beside a note that they share.
_NAMED = 3


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
    found: dict[str, DtypeRecord] = {}
    for record in (record for case in cases for record in case.dtypes):
        found[record.dtype] = found[record.dtype] | record if record.dtype in found else record
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


def rows_of_pairs(cases: Sequence[CaseRecord]) -> Iterator[tuple[str, ...]]:
    """Yield the rows: pair, how many engines passed, examples, worst error; then how many failed."""
    known = catalog.pairs()
    for pair in dict.fromkeys(case.pair for case in cases):
        own = [case for case in cases if case.pair == pair]
        agreement = known[pair].agreement if pair in known else None
        kinds = {status: [case for case in own if case.status == status] for status in ("passed", "failed")}
        name = short(pair)
        for status, some in kinds.items():
            if not some:
                continue
            examples = str(sum(case.examples for case in some))
            records = joined(some)
            error = ""
            if status == "passed" and records:
                most = max(records, key=lambda record: (record.ratio, record.error))
                error = worst(most, agreement)
            yield name, f"{len(some)} {status}", examples, error
            name = ""
        if not any(kinds.values()):
            yield name, f"{len(own)} not run", "", ""


def rows_of_dtypes(cases: Sequence[CaseRecord]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of one pair: dtype, how many engines passed, examples, worst error; then what failed."""
    known = catalog.pairs().get(cases[0].pair)
    passed = [case for case in cases if case.status == "passed"]
    for record in joined(passed):
        engines = sum(any(one.dtype == record.dtype for one in case.dtypes) for case in passed)
        error = worst(record, known.agreement if known else None)
        yield record.dtype or "-", f"{engines} passed", str(record.examples), error
    failed = [case for case in cases if case.status == "failed"]
    if failed:
        dtypes = ", ".join(dict.fromkeys(case.failure.dtype or "-" for case in failed if case.failure))
        yield dtypes, f"{len(failed)} failed", str(sum(case.examples for case in failed)), ""


def notes(cases: Iterable[CaseRecord]) -> Iterator[str]:
    """Yield notes about cases, each one once."""
    noted: dict[tuple[str, str], dict[str, list[str]]] = {}
    for case in cases:
        if case.note:
            noted.setdefault((case.status, case.note), {}).setdefault(case.pair, []).append(case.engine)
    for (status, note), pairs in noted.items():
        names = [f"{short(pair)} in {', '.join(engines)}" for pair, engines in pairs.items()]
        more = f"; and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        yield f"{status.capitalize()}: {'; '.join(names[:_NAMED])}{more} ({note})."


def counts(report: Report) -> str:
    """Return how many cases and examples there were, as a sentence."""
    by_status = {s: sum(c.status == s for c in report.cases) for s in ("passed", "failed", "not run")}
    examples = sum(case.examples for case in report.cases)
    parts = ", ".join(f"{count} {status}" for status, count in by_status.items() if count)
    large, refused = (sum(getattr(case, key) for case in report.cases) for key in ("large", "refused"))
    more = f", {large} of them of large images" if large else ""
    more += f"; besides, both sides refused {refused}" if refused else ""
    cases = f"{len(report.cases)} case{'' if len(report.cases) == 1 else 's'}"
    return f"{cases}: {parts or 'none finished'}; {examples} examples{more}."


def short(pair: str) -> str:
    """Return the name of a native without the package; that of a user's pair as it is."""
    return pair.removeprefix("pipeport.")


def heading(cases: Sequence[CaseRecord]) -> str:
    """Return what was verified, and where: 'cv2.resize in eager, graph'."""
    pairs = dict.fromkeys(case.pair for case in cases)
    engines = ", ".join(dict.fromkeys(case.engine for case in cases))
    return f"{short(cases[0].pair) if len(pairs) == 1 else f'{len(pairs)} pairs'} in {engines}"


def table(cases: Sequence[CaseRecord]) -> Table:
    """Return a row for each pair and verdict; of a single pair one for each dtype."""
    alone = len({case.pair for case in cases}) == 1
    rows = list(rows_of_dtypes(cases) if alone else rows_of_pairs(cases))
    first = "dtype" if alone else "pair"
    return Table((first, "engines", "examples", "worst error"), rows, (first, "engines", "worst error"))


def parts(report: Report) -> Iterator[Part]:
    """Yield a report as it is shown: a table, notes, bugs with what shows them, and counts."""
    if report.cases:
        yield heading(report.cases)
        yield table(report.cases)
    yield from notes(report.cases)
    for bug in bugs_of(report.cases):
        yield failed(bug)
        yield from (f"  {line}" for line in bug.failure.reason.splitlines())
        if bug.script:
            yield bug.script
    yield counts(report)


def failed(bug: Bug) -> str:
    """Return which pair fails, and in which engines."""
    return f"{short(bug.case.pair)} fails {bug.places} (seed {bug.case.seed})"
