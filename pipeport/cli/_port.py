"""`pipeport port`: what each call of a function becomes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pipeport._target import import_function
from pipeport.cli import _output

if TYPE_CHECKING:
    from pipeport.porting import Row

_FINDING = 1


@click.command("port")
@click.argument("target", metavar="MODULE:FUNCTION")
@click.option("--islands", is_flag=True, help="Let calls without a native equivalent stay Python.")
@click.option(
    "--input", "inputs", multiple=True, metavar="TEXT", help="What it takes, as of `pipeport verify`."
)
@_output.json_option
def command(target: str, islands: bool, inputs: tuple[str, ...], as_json: bool) -> int:
    """Show what `pipeport.port` makes of a function, line by line, and what it refuses.

    The module is imported; the function is run only with --input, which shows what loops of its graph cost.
    Exit code 1: it cannot be ported as it is.

    \b
    pipeport port my_module:augment
    pipeport port my_module:augment --input "image: uint8[224,224,3]"
    pipeport verify my_module:augment --port --input "image: uint8[H,W,3]"
    """  # noqa: D301 - click's mark for lines that stay as they are
    function = import_function(target)
    from pipeport.porting import Islands, report

    rows = report(function, Islands(True) if islands else None)
    refused = [row for row in rows if row.refused]
    if inputs and not refused:
        rows = _estimated(function, "; ".join(inputs), islands)
    if as_json:
        counts = {"refused": len(refused), "islands": sum(row.kind == "island" for row in rows)}
        _output.write_json({"format": 1, "function": target, **counts, "rows": [_plain(row) for row in rows]})
    else:
        _show(target, rows, refused)
    return _FINDING if refused else 0


def _estimated(function: Any, inputs: str, islands: bool) -> list[Row]:
    """Return the report of a port that has seen an example."""
    from pipeport.porting import Islands, Ported
    from pipeport.porting._example import estimate, learn
    from pipeport.trace._inputs import example_of

    args = example_of(inputs, function)
    ported = Ported(function, Islands(True) if islands else None)
    learn(ported, args)
    estimate(ported, args)
    return ported.report()


def _plain(row: Row) -> dict[str, Any]:
    return {
        "file": row.file,
        "line": row.line,
        "text": row.text,
        "becomes": row.kind,
        "name": row.name,
        "advice": row.advice,
    }


def _show(target: str, rows: list[Row], refused: list[Row]) -> None:
    from pipeport.porting.frontend._check import parts

    _output.write_parts(parts(rows))
    if refused:
        _output.write_wrapped(
            f"{target} cannot be ported: {len(refused)} of {len(rows)} places are refused.", 2
        )
    else:
        what = "No place is refused beforehand" if rows else "It calls nothing"
        _output.write_wrapped(f'{what}. Check it: pipeport verify {target} --port --input "..."', 2)
        _output.write_wrapped(
            "Each new iterator optimises the graph again. For many short epochs: steps = len(ds); "
            "model.fit(ds.repeat(), steps_per_epoch=steps, epochs=N).",
            2,
        )
