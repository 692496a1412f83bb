"""`pipeport verify`: pairs of the catalog, or two functions of the user's own."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipeport._target import import_function, split_target, working_folder
from pipeport.cli import _output, _verify_help, _verify_options, _verify_output
from pipeport.cli._verify_output import Records

if TYPE_CHECKING:
    from pipeport.contract import Agreement
    from pipeport.verify import CaseRecord


@click.command("verify", epilog=_verify_help.EPILOG)
@click.argument("pairs", nargs=-1, metavar="[PAIR | OLD NEW]...")
@click.option("--input", "inputs", multiple=True, metavar="TEXT", help="What OLD and NEW take; see below.")
@click.option(
    "--examples",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    metavar="N",
    help="Per pair and engine; only what both sides accept counts.",
)
@click.option(
    "--engine",
    "engine_text",
    metavar="NAMES",
    help="Of eager, graph, xla, dataset, batched, separated by commas. Default: all; "
    "for OLD and NEW eager,graph,dataset.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the examples.")
@click.option(
    "--agreement",
    metavar="NAME",
    help="For OLD and NEW: reference (default), exact, ulps:4, within:1e-6, levels:1@0.01; see below.",
)
@click.option(
    "--rtol", type=click.FloatRange(0), metavar="NUMBER", help="Relative tolerance, instead of --agreement."
)
@click.option(
    "--atol", type=click.FloatRange(0), metavar="NUMBER", help="Absolute tolerance, instead of --agreement."
)
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
@click.option(
    "--port", "ported", is_flag=True, help="Compare OLD with its own `pipeport.port`, on the same draws."
)
@click.option(
    "--islands",
    is_flag=True,
    help="With --port: calls without a native equivalent stay Python and are counted.",
)
@click.option(
    "--wrapper",
    type=click.Choice(["numpy_function", "py_function"]),
    help="With --port: what OLD was wrapped in. In a py_function arguments are tensors, with .numpy().",
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
    ported: bool,
    islands: bool,
    wrapper: str | None,
    as_json: bool,
) -> int:
    """Check natives against their references, or your own function against the one it replaces.

    PAIR is a name as `pipeport catalog` prints it, a library or module (cv2, skimage.transform), or a
    pattern ('cv2.*'); without one, the whole catalog. With OLD and NEW written module:function and
    --input, those.
    Examples are drawn by Hypothesis; values, dtypes, shapes, static shapes and errors are
    compared. Each bug is printed once, with its smallest example as Python that shows it when
    pasted. OLD is called twice on each input: one that answers differently cannot say what is
    right.
    """
    from pipeport.verify import _require

    own = bool(inputs) or any(":" in pair for pair in pairs)
    judged = _verify_options.agreement(agreement, rtol, atol)
    if ported and (len(pairs) != 1 or not inputs):
        raise click.UsageError(
            'Your own function and its port: pipeport verify module:old --port --input "...".'
        )
    if islands and not ported:
        raise click.UsageError("--islands: add --port; islands are part of a port.")
    if wrapper and not ported:
        raise click.UsageError("--wrapper: add --port; it says how the original was called.")
    if own and not ported and (len(pairs) != 2 or not inputs):
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
    if own:
        inputs_text = "; ".join(inputs)
        kind = ("islands" if islands else "port") if ported else ""
        wrapped = wrapper or "numpy_function"
        return _own(
            pairs, inputs_text, judged, engine_text, examples, seed, as_json, port=kind, wrapper=wrapped
        )
    _require.require("hypothesis")
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
    as_json: bool,
    *,
    port: str,
    wrapper: str,
) -> int:
    """Verify two functions, or one and its port; what can be said before an import is said before."""
    from pipeport.verify import _api, _mini_language, _own_inputs, _require

    engines = _verify_options.engines(engine_text, _api.USER_ENGINES)
    places = [split_target(target) for target in targets]
    specs = _mini_language.parse(inputs)
    with working_folder():
        found = [
            (target, _own_inputs.parameters_in_source(*place))
            for target, place in zip(targets, places, strict=True)
        ]
    _own_inputs.check_names(specs, found)
    _require.require("hypothesis")
    from pipeport.verify import _case, _passing

    if port:
        from pipeport.porting import Islands, Ported, sides

        islands = Islands(True) if port == "islands" else None
        old, new = sides(Ported(import_function(targets[0]), islands, wrapper), (seed, 0))
    else:
        old, new = map(import_function, targets)
    pair = _api.pair_of_functions(old, new, specs, judged)
    if port:
        name = f"the port of {pair.reference_name}"
        pair = dataclasses.replace(
            pair,
            name=name,
            native_name=name,
            port_seed=seed,
            port_islands=port == "islands",
            port_wrapper=wrapper,
        )
    if port == "islands":  # what its islands return is seen eagerly
        _case.run_case(pair, "eager", _case.Plan(examples=1, seed=seed, shrink=False))
    plan = _case.Plan(examples=examples, seed=seed)

    def records(progress: Any) -> Iterator[CaseRecord]:
        for engine in engines:
            yield _case.run_case(pair, engine, plan, progress)

    def passing(failed: Sequence[str]) -> str:
        return _passing.passing(pair, plan, failed)

    return _verify_output.run(records, examples * len(engines), as_json, pair.agreement, passing)


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

    contracts = catalog.selected(names)
    engines = _verify_options.engines(engine_text, ENGINES)
    plan = _case.Plan(examples=examples, seed=seed)

    def records(progress: Any) -> Iterator[CaseRecord]:
        return _runner.run_contracts(
            contracts, engines, plan, results=results, resume=resume, shard=shard, progress=progress
        )

    cases = len(range(shard[0] - 1, len(contracts) * len(engines), shard[1]))
    return records, cases * examples
