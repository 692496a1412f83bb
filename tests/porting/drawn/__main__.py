"""`nox -s bodies -- --minutes 30`: drawn bodies, as many as fit."""

from __future__ import annotations

import collections
import json
import sys

import click

from tests.porting.drawn.kinds import KINDS
from tests.porting.drawn.programs import RIGHT
from tests.porting.drawn.session import run


@click.command()
@click.option("--minutes", type=float, help="How long.")
@click.option("--programs", "count", type=int, help="How many; without this and --minutes 100.")
@click.option("--seed", "number", type=int, default=0, help="Another one gives other programs.")
@click.option("--workers", type=int, default=2, show_default=True, help="How many processes.")
@click.option("--all", "everything", is_flag=True, help="Also kinds that are known to be wrong.")
@click.option("--json", "as_json", is_flag=True, help="Counts and failures as JSON.")
def main(minutes, count, number, workers, everything, as_json):
    """Draw bodies, run each by NumPy and by its port in every mode, and count what becomes of them."""
    if minutes is None and count is None:
        count = 100
    found = run(
        minutes=minutes,
        count=count,
        number=number,
        workers=workers,
        kinds=KINDS if everything else (),
        tell=lambda text: click.echo(text, err=True),
    )
    counts = {kind: found.kinds[kind] for kind in (RIGHT, "refused", "wrong", "internal error", "invalid")}
    failures = collections.Counter((one.kind, one.why, ", ".join(one.modes)) for one, _ in found.failures)
    if as_json:
        rows = [
            {"kind": one.kind, "why": one.why, "modes": one.modes, "code": program.as_code()}
            for one, program in found.failures
        ]
        told = {"seconds": found.seconds, **counts, "reasons": dict(found.refused), "failures": rows}
        click.echo(json.dumps(told, indent=1))
    else:
        click.echo(
            f"{sum(counts.values())} programs in {found.seconds:.0f} s: "
            + ", ".join(f"{kind} {times}" for kind, times in counts.items())
        )
        for why, times in found.refused.most_common():
            click.echo(f"{times:5}  refused: {why}")
        for (kind, why, modes), times in failures.most_common():
            click.echo(f"{times:5}  {kind}: {why} [{modes}]")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
