"""`python -m tests.porting.protocol --write`: judge every cell, and write which are served."""

from __future__ import annotations

import collections
import json
import tempfile
import time
from pathlib import Path

import click
import numpy as np

from tests.porting.protocol.judge import CRASH, SERVED, WRONG, judge
from tests.porting.protocol.kinds import KINDS, cells

TABLE = Path(__file__).with_name("served.json")


@click.command()
@click.argument("kinds", nargs=-1)
@click.option("--write", is_flag=True, help="Write the served cells of these kinds into the table.")
def main(kinds, write):
    """Judge the cells of some kinds, or of all; tell what is wrong or crashes, and counts."""
    table = json.loads(TABLE.read_text("utf-8")) if TABLE.exists() else {}
    failed = False
    for kind in kinds or KINDS:
        start, found = time.perf_counter(), collections.defaultdict(list)
        with tempfile.TemporaryDirectory() as folder:
            np.save(f"{folder}/some.npy", np.arange(4, dtype=np.int16))
            for name, lines in cells(kind, folder).items():
                what, why = judge(kind, lines, folder)
                found[what].append(name)
                if what in (WRONG, CRASH):
                    failed = True
                    click.echo(f"{kind}: {name}: {what}: {why:.200}".replace("\n", " "))
        counts = ", ".join(f"{what} {len(names)}" for what, names in sorted(found.items()))
        click.echo(f"{kind}: {counts}; {time.perf_counter() - start:.0f} s")
        table[kind] = sorted(found[SERVED])
        if write:
            TABLE.write_text(json.dumps(table, indent=0, ensure_ascii=False, sort_keys=True) + "\n", "utf-8")
    raise SystemExit(failed)


if __name__ == "__main__":
    main()
