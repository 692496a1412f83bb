"""`pipeport verify`: pairs of the catalog, or two functions of the user's own."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipeport.cli import _output

if TYPE_CHECKING:
    from rich.progress import Progress

    from pipeport.contract import Agreement
    from pipeport.verify import CaseRecord, Report

_FINDING, _INTERRUPTED = 1, 130

_LANGUAGE = """
\b
The language of --input
  image: float32[H,W,3] in [0,1]; label: int32[H,W] in [0,4]; k: int in [0,3]
  scan: uint8|float32[...,H=1..64,W]; flag: bool; mode: {'edge', 'wrap'}
\b
Tensors have a dtype and sizes in brackets, [] for none; several dtypes are
separated by |. A number is a fixed size. A name is a size that changes from
example to example (1 to 12, or H=1..64), is unknown while tracing in half
of them, and is the same wherever the name stands. "..." in front stands for
up to two leading axes.
\b
"in [0,1]" is the range of values; (0,1] leaves an end out; pi may be used.
"with nan", "with inf", "with nan, inf" add such elements.
\b
Python values have no brackets: int, float (with "in", else -100 to 100),
bool, and choices {'edge', 'wrap'}. They are constants while tracing.
"""

_EPILOG = """
\b
Examples
  pipeport verify
  pipeport verify numpy.rot90 --engine graph,xla --examples 200
  pipeport verify --examples 200 --results verified.json --resume --shard 1/2
  pipeport verify --merge one.json --merge two.json --results verified.json
  pipeport verify my_module:old my_module:new --input "image: float32[H,W,3] in [0,1]"
\b
Exit codes: 0 all agree, 1 a case failed, 2 a mistake in the call, 130 interrupted.
"""


def _agreement(text: str | None, rtol: float | None, atol: float | None) -> Agreement | None:
    """Return the agreement a user asked for; None leaves the default."""
    from pipeport import contract
    from pipeport.verify import Close

    if rtol is not None or atol is not None:
        if text is not None:
            raise click.UsageError("Give --agreement, or --rtol and --atol, not both.")
        return Close(rtol=rtol or 0.0, atol=atol or 0.0)
    if text is None:
        return None
    name, _, value = text.partition(":")
    try:
        if name == "exact" and not value:
            return contract.Exact()
        if name == "reference" and not value:
            return contract.AsReference()
        if name == "ulps":
            return contract.Ulps(int(value))
        if name == "within":
            return contract.Within(float(value), "asked for on the command line")
        if name == "levels":
            levels, _, fraction = value.partition("@")
            return contract.WithinLevels(int(levels), float(fraction or 1))
    except ValueError:
        pass
    allowed = "reference, exact, ulps:4, within:1e-6, levels:1@0.01"
    raise click.UsageError(f"--agreement: got {text!r}; allowed: {allowed}.")


def _engines(text: str | None, default: tuple[str, ...]) -> tuple[str, ...]:
    from pipeport.contract import ENGINES

    if text is None:
        return default
    chosen = tuple(part.strip() for part in text.split(",") if part.strip())
    unknown = [name for name in chosen if name not in ENGINES]
    if unknown or not chosen:
        raise click.UsageError(f"--engine: got {text!r}; allowed: {', '.join(ENGINES)}.")
    return chosen


def _shard(text: str) -> tuple[int, int]:
    part, _, parts = text.partition("/")
    if not (part.isdigit() and parts.isdigit() and 1 <= int(part) <= int(parts)):
        raise click.UsageError(f"--shard: got {text!r}; allowed: 1/2 and 2/2 for two halves, and so on.")
    return int(part), int(parts)


def _function(target: str) -> Any:
    """Import `module:function` from the working folder or the installed packages."""
    import importlib
    import sys

    module_name, _, path = target.partition(":")
    if not module_name or not path:
        raise click.UsageError(f"{target!r}: write module:function, for instance my_module:old.")
    sys.path.insert(0, str(Path.cwd()))
    try:
        found: Any = importlib.import_module(module_name)
    except Exception as error:  # whatever the user's module does when it is imported
        reason = f"{type(error).__name__}: {error}"
        raise click.UsageError(f"{target!r}: the module cannot be imported ({reason}).") from error
    finally:
        sys.path.pop(0)
    for part in path.split("."):
        if not hasattr(found, part):
            raise click.UsageError(f"{target!r}: {module_name} has no {path!r}.")
        found = getattr(found, part)
    if not callable(found):
        raise click.UsageError(f"{target!r} is a {type(found).__name__}, not a function.")
    return found


@click.command("verify", epilog=_LANGUAGE + _EPILOG)
@click.argument("pairs", nargs=-1, metavar="[PAIR | OLD NEW]...")
@click.option("--input", "inputs", multiple=True, help="What your own two functions take; see below.")
@click.option(
    "--examples",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    metavar="N",
    help="Per case (pair and engine).",
)
@click.option(
    "--engine",
    "engine_text",
    metavar="NAMES",
    help="Of eager, graph, xla, dataset, batched, separated by commas. Default: all for pairs; "
    "eager,graph,dataset for your own functions.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the examples.")
@click.option(
    "--agreement",
    metavar="NAME",
    help="For your own functions: reference (default), exact, ulps:4, within:1e-6, levels:1@0.01.",
)
@click.option("--rtol", type=click.FloatRange(0), help="Relative tolerance, instead of --agreement.")
@click.option("--atol", type=click.FloatRange(0), help="Absolute tolerance, instead of --agreement.")
@click.option(
    "--results",
    type=click.Path(dir_okay=False, path_type=Path),
    help="JSON file that keeps every case as soon as it is done.",
)
@click.option(
    "--resume", is_flag=True, help="Skip cases that passed in --results, from the same sources and versions."
)
@click.option(
    "--shard",
    default="1/1",
    show_default=True,
    metavar="I/N",
    help="Run only every N-th case, from the I-th.",
)
@click.option(
    "--merge",
    "merge",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Run nothing: put the cases of this results file, and of others, into --results.",
)
@_output.json_option
def command(
    pairs: tuple[str, ...],
    inputs: tuple[str, ...],
    examples: int,
    engine_text: str | None,
    seed: int,
    agreement: str | None,
    rtol: float | None,
    atol: float | None,
    results: Path | None,
    resume: bool,
    shard: str,
    merge: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Check natives against their references, or your own function against the one it replaces.

    Without PAIR, the whole catalog. With two functions written module:name and --input, those.
    Examples are drawn by Hypothesis; values, dtypes, shapes, static shapes and errors are
    compared. A failure is shrunk and printed as Python that shows it when pasted.
    """
    from pipeport.verify import _require

    own = bool(inputs) or any(":" in pair for pair in pairs)
    judged = _agreement(agreement, rtol, atol)
    if own and (len(pairs) != 2 or not inputs):
        raise click.UsageError('Your own functions: pipeport verify module:old module:new --input "...".')
    if own and (results or resume or shard != "1/1"):
        raise click.UsageError("--results, --resume and --shard are for pairs of the catalog.")
    if not own and judged is not None:
        raise click.UsageError("The catalog says the agreement of its pairs; leave out the tolerance.")
    if resume and results is None:
        raise click.UsageError("--resume: name the file with --results.")
    if merge:
        if own or pairs or results is None:
            raise click.UsageError(
                "--merge: give --results and no PAIR: pipeport verify --merge A --results B."
            )
        return _show(_merged(merge, results), as_json)
    _require.require("hypothesis")
    if own:
        records, total = _own(pairs, "; ".join(inputs), judged, engine_text, examples, seed)
    else:
        records, total = _catalog(pairs, engine_text, examples, seed, results, resume, _shard(shard))
    return _run(records, total, as_json)


Records = Any  # a function of a progress callback that gives an iterator of CaseRecord


def _own(
    targets: tuple[str, ...],
    inputs: str,
    judged: Agreement | None,
    engine_text: str | None,
    examples: int,
    seed: int,
) -> tuple[Records, int]:
    from pipeport.verify import _api, _runner

    pair = _api.pair_of_functions(_function(targets[0]), _function(targets[1]), inputs, judged)
    engines = _engines(engine_text, _api.USER_ENGINES)
    plan = _runner.Plan(examples=examples, seed=seed)

    def records(progress: Any) -> Iterator[CaseRecord]:
        for engine in engines:
            yield _runner.run_case(pair, engine, plan, progress)

    return records, examples * len(engines)


def _catalog(
    names: tuple[str, ...],
    engine_text: str | None,
    examples: int,
    seed: int,
    results: Path | None,
    resume: bool,
    shard: tuple[int, int],
) -> tuple[Records, int]:
    from pipeport import catalog
    from pipeport.contract import ENGINES
    from pipeport.verify import _runner

    contracts = list(dict.fromkeys(map(catalog.find, names))) if names else list(catalog.pairs().values())
    engines = _engines(engine_text, ENGINES)
    plan = _runner.Plan(examples=examples, seed=seed)

    def records(progress: Any) -> Iterator[CaseRecord]:
        return _runner.run_contracts(
            contracts, engines, plan, results=results, resume=resume, shard=shard, progress=progress
        )

    cases = len(range(shard[0] - 1, len(contracts) * len(engines), shard[1]))
    return records, cases * examples


def _run(records: Records, total: int, as_json: bool) -> int:
    """Run all cases with a progress bar, print what is finished, and return the exit code."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from pipeport.verify import Report

    finished: list[CaseRecord] = []
    interrupted = False
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=_output.progress_console(), transient=True) as bar:
        task = bar.add_task("loading TensorFlow", total=total)
        try:
            for record in records(_advance(bar, task, finished)):
                finished.append(record)
        except KeyboardInterrupt:
            interrupted = True
    return _show(Report(tuple(finished)), as_json, interrupted=interrupted)


def _show(report: Report, as_json: bool, *, interrupted: bool = False) -> int:
    """Print a report and return the exit code."""
    if as_json:
        _output.write_json({**report.to_json(), "interrupted": interrupted})
    else:
        _print(report)
        if interrupted:
            _output.complain("Interrupted: the table holds the cases that were finished.")
    if report.failed:
        return _FINDING
    return _INTERRUPTED if interrupted else 0


def _merged(paths: tuple[Path, ...], results: Path) -> Report:
    """Write the cases of several files into one; of two for one case, that of the present sources."""
    from pipeport import catalog
    from pipeport.verify import Report
    from pipeport.verify._fingerprint import fingerprint
    from pipeport.verify._pair import pair_of
    from pipeport.verify._require import MissingPackage
    from pipeport.verify._results import Results, merged

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


def _advance(bar: Progress, task: Any, finished: list[CaseRecord]) -> Any:
    def progress(pair: str, engine: str, done: int, wanted: int) -> None:
        bar.update(task, description=f"{_short(pair)} {engine}", completed=len(finished) * wanted + done)

    return progress


def _short(pair: str) -> str:
    return pair.removeprefix("pipeport.")


def _rows(cases: Iterable[CaseRecord]) -> Iterator[tuple[str, ...]]:
    """Yield the table's rows: pair, engine, dtype, examples, refused, worst error, verdict."""
    for case in cases:
        pair = _short(case.pair)
        verdict = f"{case.status} ({case.note})" if case.note else case.status
        for record in case.dtypes:
            bad = case.failure is not None and case.failure.dtype == record.dtype
            shown = "failed" if bad else "passed" if case.failure else verdict
            worst = "equal" if record.error == 0 else f"{record.error:.2g} ({record.ratio:.0%} of allowed)"
            refused = str(record.refused or "")
            yield (pair, case.engine, record.dtype, str(record.examples), refused, worst, shown)
        seen = {record.dtype for record in case.dtypes}
        if case.failure is not None and case.failure.dtype not in seen:
            yield (pair, case.engine, case.failure.dtype or "-", "0", "", "-", "failed")
        elif not case.dtypes:
            yield (pair, case.engine, "-", "0", "", "-", verdict)


def _print(report: Report) -> None:
    table = _output.new_table(
        *("pair", "engine", "dtype", "examples", "refused", "worst error", "verdict"),
        right=("examples", "refused"),
    )
    before = ""
    for row in _rows(report.cases):
        name = f"{row[0]} {row[1]}"
        table.add_row(*(("", "") if name == before else row[:2]), *row[2:])
        before = name
    _output.console().print(table)
    for case in report.failed:
        if case.failure is not None:
            _output.write(f"{_short(case.pair)} in {case.engine} (seed {case.seed}) failed:")
            _output.write(textwrap.indent(case.failure.reason, "  ") + "\n")
            if case.failure.snippet:
                _output.write(case.failure.snippet)
    counts = {s: sum(c.status == s for c in report.cases) for s in ("passed", "failed", "not run")}
    examples = sum(case.examples for case in report.cases)
    parts = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
    _output.write(f"{len(report.cases)} cases: {parts or 'none finished'}; {examples} examples.")
