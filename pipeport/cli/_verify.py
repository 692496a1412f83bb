"""`pipeport verify`: pairs of the catalog, or two functions of the user's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipeport.cli import _output, _verify_options, _verify_output
from pipeport.cli._verify_output import Records

if TYPE_CHECKING:
    from pipeport.contract import Agreement
    from pipeport.verify import CaseRecord

_LANGUAGE = """
\b
The language of --input
  image: float32[H,W,3] in [0,1]; label: int32[H,W] in [0,4]; k: int in [0,3]
  scan: uint8|float32[...,H=1..64,W]; flag: bool; mode: {'edge', 'wrap'}
\b
Tensors have a dtype and sizes in brackets, [] for none; several dtypes are
separated by |. A number is a fixed size. A name is a size that changes from
example to example (1 to 12, or H=1..64), is unknown while tracing in half
of them, and is the same wherever the name stands; each None is a size of its
own. "..." in front stands for up to two leading axes.
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


@click.command("verify", epilog=_LANGUAGE + _EPILOG)
@click.argument("pairs", nargs=-1, metavar="[PAIR | OLD NEW]...")
@click.option("--input", "inputs", multiple=True, help="What your own two functions take; see below.")
@click.option(
    "--examples",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    metavar="N",
    help="Per case (pair and engine); only what both sides accept counts.",
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
    compared. A failure is shrunk and printed as Python that shows it when pasted. Your own old
    function is called twice on each input: one that answers differently cannot say what is right.
    """
    from pipeport.verify import _require

    own = bool(inputs) or any(":" in pair for pair in pairs)
    judged = _verify_options.agreement(agreement, rtol, atol)
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
        from pipeport.verify import _merge

        return _verify_output.show(_merge.merge(merge, results), as_json)
    _require.require("hypothesis")
    if own:
        records, total = _own(pairs, "; ".join(inputs), judged, engine_text, examples, seed)
    else:
        records, total = _catalog(
            pairs, engine_text, examples, seed, results, resume, _verify_options.shard(shard)
        )
    return _verify_output.run(records, total, as_json)


def _own(
    targets: tuple[str, ...],
    inputs: str,
    judged: Agreement | None,
    engine_text: str | None,
    examples: int,
    seed: int,
) -> tuple[Records, int]:
    from pipeport.verify import _api, _case

    pair = _api.pair_of_functions(
        _verify_options.function(targets[0]), _verify_options.function(targets[1]), inputs, judged
    )
    engines = _verify_options.engines(engine_text, _api.USER_ENGINES)
    plan = _case.Plan(examples=examples, seed=seed)

    def records(progress: Any) -> Iterator[CaseRecord]:
        for engine in engines:
            yield _case.run_case(pair, engine, plan, progress)

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
    from pipeport.verify import _case, _runner

    contracts = list(dict.fromkeys(map(catalog.find, names))) if names else list(catalog.pairs().values())
    engines = _verify_options.engines(engine_text, ENGINES)
    plan = _case.Plan(examples=examples, seed=seed)

    def records(progress: Any) -> Iterator[CaseRecord]:
        return _runner.run_contracts(
            contracts, engines, plan, results=results, resume=resume, shard=shard, progress=progress
        )

    cases = len(range(shard[0] - 1, len(contracts) * len(engines), shard[1]))
    return records, cases * examples
