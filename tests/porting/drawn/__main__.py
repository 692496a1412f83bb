"""`nox -s bodies -- --minutes 30`: drawn bodies, as many as fit."""

from __future__ import annotations

import collections
import json
import sys

import click

from tests.porting.drawn.kinds import KINDS
from tests.porting.drawn.programs import ERROR, INVALID, PARTS, REFUSED, RIGHT, WRONG
from tests.porting.drawn.session import run


@click.command()
@click.option("--minutes", type=float, help="How long.")
@click.option("--programs", "count", type=int, help="How many; without this and --minutes 100.")
@click.option("--seed", "number", type=int, default=0, help="Another one gives other programs.")
@click.option("--workers", type=int, default=2, show_default=True, help="How many processes.")
@click.option("--part", type=click.Choice(PARTS), help="One part of the grammar instead of both by turns.")
@click.option("--all", "everything", is_flag=True, help="Also kinds that are known to be wrong.")
@click.option("--json", "as_json", is_flag=True, help="Counts and failures as JSON.")
def main(minutes, count, number, workers, part, everything, as_json):
    """Draw bodies, run each by NumPy and by its port in every mode, and count what becomes of them."""
    if minutes is None and count is None:
        count = 100
    found = run(
        minutes=minutes,
        count=count,
        number=number,
        workers=workers,
        kinds=KINDS if everything else (),
        parts=PARTS if part is None else (part,),
        tell=lambda text: click.echo(text, err=True),
    )
    counts = _ordered(found.kinds)
    parts = {part: _ordered(kinds) for part, kinds in found.parts.items() if kinds}
    failures = collections.Counter((one.kind, one.why, ", ".join(one.modes)) for one, _ in found.failures)
    if as_json:
        rows = [
            {"kind": one.kind, "why": one.why, "modes": one.modes, "code": program.as_code()}
            for one, program in found.failures
        ]
        told = {
            "seconds": found.seconds,
            **counts,
            "parts": parts,
            "reasons": dict(found.refused),
            "failures": rows,
        }
        click.echo(json.dumps(told, indent=1))
    else:
        for why, times in found.refused.most_common():
            click.echo(f"{times:5}  refused: {why}")
        for (kind, why, modes), times in failures.most_common():
            click.echo(f"{times:5}  {kind}: {why} [{modes}]")
        for name, kinds in (*parts.items(), (f"all, {found.seconds:.0f} s", counts)):
            told = ", ".join(f"{kind} {times}" for kind, times in kinds.items())
            click.echo(f"{sum(kinds.values())} programs ({name}): {told}")
    sys.exit(1 if failures else 0)


def _ordered(counts):
    return {kind: counts[kind] for kind in (RIGHT, REFUSED, WRONG, ERROR, INVALID)}


if __name__ == "__main__":
    main()
