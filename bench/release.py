"""Prove and measure everything, part by part; when all parts are there, write pipeport/releases/VERSION.json.

    nox -s release -- --minutes 60                        # in both environments, going on where it ended
    nox -s release -- --minutes 20 --proofs               # proofs alone, beside other work; writes no release
    nox -s release -- --minutes 5 --only 'numpy.fl*'      # some pairs or programs; writes no release

Every pair of the catalog is proved with 200 examples eagerly and 100 in the other engines (80 and 30 of
everyday NumPy), and measured as bench/release_parts.py says, on a machine that does nothing else. Parts are
kept in bench/results as soon as they are there, to be committed: Ctrl-C, the limit and the end of a machine
lose none. They hold while the code that they reach is the same. The file of a release is written when nothing
is left and the version in pipeport/__init__.py is that of no development.
"""

from __future__ import annotations

import argparse
import datetime
import json
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from itertools import chain
from pathlib import Path
from typing import Any

import pipeport
from bench import release_parts as parts
from pipeport import _releases, catalog
from pipeport.bench import _results
from pipeport.bench._json import rounded
from pipeport.bench._results import Report, SideResult
from pipeport.bench._suites import read_suite
from pipeport.contract import ENGINES
from pipeport.verify._fingerprint import environment
from pipeport.verify._processes import in_processes
from pipeport.verify._results import Results

PICTURE = parts.ROOT / "bench" / "results" / "geometry.svg"
INTERRUPTED = 130
FIGURE = ("case", "against", "ratio", "low", "high", "verdict", "rounds")


def make(part: parts.Part) -> tuple[str, bool]:
    """Make a part; return what is told, and whether it is there."""
    begin = time.monotonic()
    try:
        told, done = part.make(), True
    except Exception as error:
        told, done = f"{type(error).__name__}: {error}", False
    return f"{part.name}: {told}, {time.monotonic() - begin:.0f} s", done


def work(groups: list[parts.Group], end: float) -> int:
    """Make parts until the time is over; return how many could not be made."""
    total, count, failed = sum(len(group.parts) for group in groups), 0, 0
    for group in groups:
        for told, done in in_processes(make, group.parts, group.jobs, end):
            count, failed = count + 1, failed + (not done)
            print(f"{count} of {total}: {told}", flush=True)
    return failed


# --- the file --------------------------------------------------------------------------------------


def reports() -> Iterator[tuple[str, Report]]:
    """Yield suite and report of all that was measured in the main environment."""
    for suite, name, _ in parts.plans():
        file = parts.figures_file(suite, name)
        if file.exists():
            yield suite, _results.read(file)


def proofs() -> list[dict[str, Any]]:
    """Return one row per native: examples by engine that it serves."""
    kept = {
        key: case
        for name in parts.ENVIRONMENTS
        for key, case in Results(parts.proofs_file(name)).load().items()
    }
    rows = []
    for native in catalog.pairs():
        cases = {engine: kept[f"{native}|{engine}"] for engine in ENGINES}
        examples = {engine: case.examples for engine, case in cases.items() if case.status == "passed"}
        rows.append({"native": native, **examples})
    return rows


def figures(of_pairs: list[Report]) -> list[dict[str, Any]]:
    """Return one row per native, case and what it is compared with; what two suites have, of the first."""
    found: dict[str, dict[tuple[str, str], dict[str, Any]]] = {}
    for report in of_pairs:
        for result in (one for one in report.cases if one.case.pair):
            for side, ratio in result.ratios():
                key = result.case.conditions, side.name
                row = dict(zip(FIGURE[:2], key, strict=True)) | asdict(ratio)
                found.setdefault(result.case.pair, {}).setdefault(key, row)
    for native, rows in parts.figures_of_addons().items():
        found.setdefault(native, {}).update({(row["case"], row["against"]): row for row in rows})
    return [
        {"native": native, **_figure(row)}
        for native in catalog.pairs()
        for row in found.get(native, {}).values()
    ]


def _figure(row: dict[str, Any]) -> dict[str, Any]:
    return rounded({name: row[name] for name in FIGURE})


def programs(of_programs: list[tuple[str, Report]]) -> list[dict[str, Any]]:
    """Return one row per suite, program and native side."""
    rows = []
    recipes = {program.name: parts.recipe_of(program) for program in read_suite("recipes").programs}
    for suite, report in of_programs:
        peaks = {result.name: result.used_bytes for result in report.memory}
        for result in (one for one in report.cases if one.case.program):
            program = result.case.program
            [(before, ratio)], [after] = result.ratios(), result.of_kind("native")
            against = f"{before.name}.py" if suite == "recipes" else before.name
            row = {"case": result.case.conditions, "against": against, **asdict(ratio)}
            more: dict[str, Any] = {}
            if after.first_batch_s is not None:
                more["first_batch_s"] = [before.first_batch_s, after.first_batch_s]
            if f"{program}, {after.name}" in peaks:
                more["memory"] = peaks[f"{program}, {after.name}"] / peaks[f"{program}, {before.name}"]
            if after.trainings:
                more |= {"side": after.name, **of_training(before, after)}
            name = recipes[program] if suite == "recipes" else program
            rows.append({"suite": suite, "name": name, **_figure(row), **rounded(more)})
    beside_addons = parts.figures_of_addons().get(parts.OFF_ADDONS, [])
    name = parts.OFF_ADDONS.removeprefix(parts.RECIPES)
    return [*rows, *({"suite": "recipes", "name": name, **_figure(row)} for row in beside_addons)]


def of_training(before: SideResult, after: SideResult) -> dict[str, Any]:
    """Return what else a row says of a training; memory only where all of it is known."""
    both = (before, after)
    found: dict[str, Any] = {
        "seconds": [statistics.median(one.seconds for one in side.rounds) for side in both],
        "processor_s": [statistics.median(one.processor_s for one in side.trainings) for side in both],
    }
    peaks = [[one.peak_bytes for one in side.trainings] for side in both]
    if None not in chain(*peaks):
        found["memory"] = statistics.median(peaks[1]) / statistics.median(peaks[0])
    return found


def release() -> dict[str, Any]:
    """Return what the file of this release says; all parts are there."""
    measured = list(reports())
    machines = {(m["cpu"], m["usable_cores"]) for _, r in measured for m in [r.environment["machine"]]}
    addons = json.loads(parts.ADDONS_FILE.read_text(encoding="utf-8"))
    machines.add((addons["machine"]["CPU"], addons["machine"]["cores"]))
    first = min(r.environment["time"] for _, r in measured)
    versions = (measured[0][1].environment["versions"], addons["versions"])
    return {
        "format": _releases.FORMAT,
        "version": pipeport.__version__,
        "date": span(datetime.date.fromisoformat(first[:10]), datetime.datetime.now(datetime.UTC).date()),
        "machine": _machines(machines),
        "versions": dict(zip(parts.ENVIRONMENTS, map(parts.without_ours, versions), strict=True)),
        "proofs": proofs(),
        "figures": figures([report for _, report in measured]),
        "programs": programs(measured),
    }


def _machines(machines: set[tuple[str, int]]) -> str:
    """Return processors and how many cores of each in words."""
    cores = {count for _, count in machines}
    if len(machines) == 1:
        return f"{next(iter(machines))[0]}, {cores.pop()} cores"
    return "several machines" + (f" of {cores.pop()} cores" if len(cores) == 1 else "")


def span(first: datetime.date, last: datetime.date) -> str:
    """Return the days of a release in words: '21 to 25 Nov 2026'."""
    if first == last:
        return f"{last:%-d %b %Y}"
    month = "" if (first.year, first.month) == (last.year, last.month) else f" {first:%b}"
    year = "" if first.year == last.year else f" {first:%Y}"
    return f"{first.day}{month}{year} to {last:%-d %b %Y}"


def draw(of_pairs: list[Report], target: Path) -> None:
    """Draw the ratios of all pairs; the file of the release, `target`, says what they were measured on."""
    from pipeport.bench._plot import plot

    cases = [result for report in of_pairs for result in report.cases if result.case.pair]
    plot(
        replace(of_pairs[0], cases=cases),
        PICTURE,
        f"The slowest case of each native: {_releases.read(target).origin()}",
    )


# --- the command -----------------------------------------------------------------------------------


def main() -> int:
    """Make what is left in this environment; in the main one, write the file when nothing is left at all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--minutes",
        type=float,
        default=60.0,
        help="begin no part after these, in each environment (default: 60)",
    )
    parser.add_argument(
        "--only", default="*", metavar="PATTERN", help="pairs and programs of these names; writes no release"
    )
    parser.add_argument("--proofs", action="store_true", help="make proofs alone; writes no release")
    given = parser.parse_args()
    target = _releases.FOLDER / f"{pipeport.__version__}.json"
    whole = given.only == "*" and not given.proofs
    if whole and target.exists():
        parser.error(f"{pipeport.__version__} is released: raise __version__ in pipeport/__init__.py.")
    try:
        groups = parts.left(environment(), given.only, proofs=given.proofs)
        failed = work(groups, time.monotonic() + 60 * given.minutes)
    except KeyboardInterrupt:
        print("Interrupted; what was finished is kept.")
        return INTERRUPTED
    # What is left in the other environment counts only where the file is written.
    environments = parts.ENVIRONMENTS if environment() == parts.MAIN else (parts.ADDONS,)
    left = {
        name: sum(len(group.parts) for group in parts.left(name, given.only, proofs=given.proofs))
        for name in environments
    }
    print(f"Left: {', '.join(f'{count} parts in {name}' for name, count in left.items())}.")
    if not whole or any(left.values()) or environment() != parts.MAIN:
        return 1 if failed else 0
    if "dev" in pipeport.__version__:
        print(f"All is there. {pipeport.__version__} is not a release: name it in pipeport/__init__.py.")
    else:
        _results.write_json(release(), target)
        draw([report for _, report in reports()], target)
        print(f"Written: {target.relative_to(parts.ROOT)}. Now: nox -s generate")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
