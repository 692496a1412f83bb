"""Write the generated blocks of README.md, docs/, bench/ and the recipes, and the stubs of packages.

    python tools/readme_table.py            # write
    python tools/readme_table.py --check    # exit code 1 when a block is stale

A block stands between `<!-- generated: KIND ARGUMENTS -->` and `<!-- end -->`. Figures come from the newest
release (pipeport/releases), from bench/results/pitfalls.json (what the tf.function recipes count and time)
and from bench/results/elsewhere.json (programs under other versions of XLA); no figure is typed by hand.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import statistics
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pipeport import _figures, _releases, acceleration, catalog, recipes_index, scan
from pipeport.bench._factories import importable
from pipeport.bench._programs import AFTER, RUN, RUN_AGAIN
from pipeport.bench._statistics import NO_DIFFERENCE, ratio_of
from pipeport.bench._suites import read_suite
from tools import stubs

ROOT = Path(__file__).resolve().parent.parent
PITFALLS = ROOT / "bench" / "results" / "pitfalls.json"
ELSEWHERE = ROOT / "bench" / "results" / "elsewhere.json"
BLOCK = re.compile(
    r"(?P<begin><!-- generated: (?P<kind>\w+)(?P<arguments>[^\n]*) -->\n).*?(?P<end><!-- end -->)", re.DOTALL
)
RATIO = "throughput ratio (interval), verdict"
DTYPES = ("float32", "uint8")
BENCH = "bench/README.md"
# What became of functions as people write them.
BODIES = "docs/bodies.md"
# Written by bench/claims.py.
CLAIMS = "docs/claims.md"


def documents() -> list[Path]:
    """Return every document that may hold generated blocks."""
    return [
        ROOT / "README.md",
        ROOT / BENCH,
        *sorted(set((ROOT / "docs").glob("*.md")) - {ROOT / CLAIMS}),
        *sorted((ROOT / "recipes").glob("*/README.md")),
    ]


# --- code ------------------------------------------------------------------------------------------


def code(document: Path, file: str, function: str | None = None) -> str:
    """Return a program beside the document, or one function of it, as a fenced block."""
    source = (document.parent / file).read_text(encoding="utf-8")
    if function is not None:
        named = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
        if function not in named:
            raise SystemExit(f"{document}: {file} has no function {function}.")
        source = ast.get_source_segment(source, named[function]) or ""
    language = {".py": "python", ".cc": "cpp"}[Path(file).suffix]
    return f"```{language}\n{source.rstrip()}\n```\n"


def _short(native: str) -> str:
    return f"`{native.removeprefix('pipeport.')}`"


# --- measured ratios -------------------------------------------------------------------------------


def _table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [columns, ("---",) * len(columns), *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines)


def _release() -> _releases.Release:
    release = _releases.newest()
    if release is None:
        raise SystemExit(f"{_releases.FOLDER} has no release: run `nox -s release`.")
    return release


def _origin(environment: str = _releases.MAIN) -> str:
    """Return what the tables were measured on: 'Release 0.1.0, TensorFlow 2.21.0, MACHINE, DATE.'."""
    origin = _release().origin(environment)
    return f"{origin[0].upper()}{origin[1:]}."


def _source(name: str) -> tuple[list[dict[str, Any]], str, str]:
    """Return the rows of a native or of 'recipes/NAME', their environment, and what measures them here."""
    recipe = name.removeprefix("recipes/")
    if recipe == name:
        environment = catalog.find(name).environment
        rows, command = (
            _release().figures.get(name, []),
            f"pipeport bench {catalog.short(catalog.find(name))}",
        )
    else:
        of_recipe = [p for p in read_suite("recipes").programs if p.sides[0].factory.startswith(f"{name}/")]
        addons = any("tensorflow_addons" in program.needs for program in of_recipe)
        environment = "addons" if addons else _releases.MAIN
        rows = [row for row in _release().programs.get("recipes", []) if row["name"] == recipe]
        command = f"pipeport bench --suite recipes {' '.join(program.name for program in of_recipe)}"
    if environment != _releases.MAIN:
        command = f"python bench/addons.py {recipe.rpartition('.')[2]}"
    return rows, environment, command


def measured(_document: Path, *names: str) -> str:
    """Return the measured ratios of natives and recipes, one table each."""
    sources = [_source(name) for name in names]
    text = ""
    for rows, _, _ in sources:
        cells = [(row["case"], row["against"], _figures.ratio_text(row)) for row in rows]
        text += f"{_table(('case', 'native against', RATIO), cells)}\n" if cells else ""
    [environment] = {environment for _, environment, _ in sources}
    commands = ", ".join(f"`{command}`" for _, _, command in sources)
    origin = _origin(environment) if text else "No release has measured it yet."
    return f"{text}{origin} Here: {commands}.\n"


def _figures_of_main() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Give every case measured in the main environment: native, reference, figure."""
    for native, contract in catalog.pairs().items():
        if contract.environment == _releases.MAIN:
            for case in _release().figures.get(native, []):
                yield native, contract.reference, case


def ratios(_document: Path) -> str:
    """Return the cases that are not faster, worst first."""
    everything = [(native, case) for native, _, case in _figures_of_main()]
    lost = [(native, case) for native, case in everything if case["verdict"] != "faster"]
    lost.sort(key=lambda row: float(row[1]["ratio"]))
    lines = [(_short(native), one["case"], one["against"], _figures.ratio_text(one)) for native, one in lost]
    slower = sum(case["verdict"] == "slower" for _, case in lost)
    counts = f"{len(everything)} measured: {len(everything) - len(lost)} faster, {slower} slower, "
    counts += f"{len(lost) - slower} no different."
    return f"{_table(('native', 'case', 'against', RATIO), lines)}\n{counts} {_origin()}\n"


def libraries(_document: Path) -> str:
    """Return what replacing each library buys: natives against their own reference, plain cases of 256 px."""
    found: dict[str, dict[str, list[tuple[float, str]]]] = {}
    for native, reference, case in _figures_of_main():
        dtype, _, size = case["case"].partition(", ")
        if _figures.is_own(case, reference) and dtype in DTYPES and size == "256x256":
            rows = found.setdefault(native.split(".")[1], {}).setdefault(dtype, [])
            rows.append((float(case["ratio"]), _short(native)))
    lines = []
    for library, dtypes in sorted(found.items()):
        rows = [row for of in dtypes.values() for row in of]
        means = [
            f"{statistics.geometric_mean(ratio for ratio, _ in dtypes[dtype]):.2f}x"
            if dtype in dtypes
            else ""
            for dtype in DTYPES
        ]
        ends = [f"{ratio:.2f}x {name}" for ratio, name in (min(rows), max(rows))]
        lines.append((library, str(len({name for _, name in rows})), *means, *ends))
    columns = ("in place of", "natives", *(f"{dtype}, mean" for dtype in DTYPES), "slowest", "fastest")
    return f"{_table(columns, lines)}\n{_origin()} Means are geometric. Here: `pipeport bench`.\n"


def _first_batch(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(f"{value:.2f} s" for value in row["first_batch_s"])


# What a table of programs may show: the headings, and the cells of a row.
PROGRAM_COLUMNS: dict[str, tuple[tuple[str, ...], Callable[[dict[str, Any]], tuple[str, ...]]]] = {
    "program": (("program",), lambda row: (f"`{row['name']}`",)),
    "about": (("reads and returns",), lambda row: (row["case"],)),
    "throughput": ((RATIO,), lambda row: (_figures.ratio_text(row),)),
    "first_batch": (("first batch before", "after"), _first_batch),
    "memory": (("peak memory",), lambda row: (f"{row['memory']:.2f}x",)),
}


def programs(_document: Path, suite: str, *columns: str) -> str:
    """Return what a suite of programs measured, in all columns or in those named."""
    shown = [PROGRAM_COLUMNS[column] for column in columns or PROGRAM_COLUMNS]
    headings = tuple(text for texts, _ in shown for text in texts)
    rows = [tuple(text for _, cells in shown for text in cells(row)) for row in _release().programs[suite]]
    return f"{_table(headings, rows)}\n{_origin()} Here: `pipeport bench --suite {suite}`.\n"


# Sides of a training that are compared with the script before, and their headings.
TRAINING_SIDES = {AFTER: "ported", RUN: "by `pipeport run`", RUN_AGAIN: "by a later `pipeport run`"}


def trainings(_document: Path, suite: str) -> str:
    """Return what whole trainings took, and gained on each side."""
    if suite not in _release().programs:
        return f"No release has measured them yet. Here: `pipeport bench --suite {suite}`.\n"
    rows = []
    for name, of in _by_side(suite).items():
        each = [of[side] for side in TRAINING_SIDES]
        rows.append(
            (
                f"`{name}`",
                *_took(each, "seconds", " s"),
                *_took(each, "first_batch_s", " s"),
                *_took(each, "processor_s", " s"),
                *(f"{row['memory']:.2f}x" if "memory" in row else "" for row in each),
            )
        )
    sides = ("before", *TRAINING_SIDES)
    columns = [f"{what}, {side}" for what in ("whole", "first batch", "processor") for side in sides]
    columns += [f"peak memory, {side}" for side in TRAINING_SIDES]
    tables = (_gained(suite, _figures.ratio_text), _table(("training", *columns), rows))
    return "\n".join((*tables, f"{_origin()} {_here(suite)}\n"))


def pipelines(document: Path) -> str:
    """Return what whole trainings gained; what reading files gained, before a release has measured them."""
    if "pipelines" in _release().programs:
        words = "Whole trainings of three epochs, from the start of the process to its end, against the "
        words += "unchanged script ([intervals](bench/README.md)):"
        return f"{words}\n\n{_gained('pipelines', _without_interval)}\n{_here('pipelines')}\n"
    words = "Pipelines that read and decode files, before and after the migration. The first batch includes "
    words += "tracing and compilation:"
    return f"{words}\n\n{programs(document, 'reading', 'about', 'throughput', 'first_batch')}"


def _by_side(suite: str) -> dict[str, dict[str, dict[str, Any]]]:
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for row in _release().programs[suite]:
        found.setdefault(row["name"], {})[row["side"]] = row
    return found


def _without_interval(row: dict[str, Any]) -> str:
    """Return a ratio, and its verdict where there is a difference."""
    words = "" if row["verdict"] == NO_DIFFERENCE else f", {row['verdict']}"
    return f"{row['ratio']:.2f}x{words}"


def _gained(suite: str, text: Callable[[dict[str, Any]], str]) -> str:
    rows = [
        (of[AFTER]["case"], *(text(of[side]) for side in TRAINING_SIDES)) for of in _by_side(suite).values()
    ]
    means = (
        statistics.geometric_mean(of[side]["ratio"] for of in _by_side(suite).values())
        for side in TRAINING_SIDES
    )
    rows.append(("geometric mean", *(f"{mean:.2f}x" for mean in means)))
    return _table(("reads and returns", *TRAINING_SIDES.values()), rows)


def _took(rows: list[dict[str, Any]], what: str, unit: str) -> list[str]:
    """Return what the script took before, and each side; the first of a row is the script before."""
    return [f"{value:.1f}{unit}" for value in (rows[0][what][0], *(row[what][1] for row in rows))]


def _here(suite: str) -> str:
    return f"Here: `pipeport bench --suite {suite}`."


# --- ported functions ------------------------------------------------------------------------------


def bodies(_document: Path) -> str:
    """Return every function that the tests port, its verdict, and the ratio of those that are measured."""
    now = {program.name: program for program in read_suite("bodies").programs}
    with importable(next(iter(now.values()))):
        from bodies import PORTED, REFUSED
    measured = {row["name"]: row for row in _release().programs["bodies"]}
    rows = []
    for name in PORTED:
        program = name.replace("_", "-")
        about = now[program].about if program in now else ""
        text = _figures.ratio_text(measured[program]) if program in measured else ""
        rows.append((f"`{name}`", about, "ported", text))
    for name, body in REFUSED.items():
        when = "refused" if body.when == "port" else "refused at the first trace"
        rows.append((f"`{name}`", body.why, when, ""))
    columns = ("function", "what it does, or why it is refused", "verdict", RATIO)
    return f"{_table(columns, rows)}\n{len(PORTED)} ported, {len(REFUSED)} refused.\n\n{ported(_document)}"


def ported(_document: Path) -> str:
    """Return what the ratios of all ported functions are together."""
    values = [(float(row["ratio"]), f"`{row['name']}`") for row in _release().programs["bodies"]]
    mean = statistics.geometric_mean(value for value, _ in values)
    above = sum(value >= 1 for value, _ in values)
    ends = [f"{value:.2f}x {name}" for value, name in (min(values), max(values))]
    columns = ("functions", "geometric mean", "at 1.0x or above", "slowest", "fastest")
    row = (str(len(values)), f"{mean:.2f}x", str(above), *ends)
    return f"{_table(columns, [row])}\n{_origin()} {_here('bodies')}\n"


# --- recipes of tf.function -------------------------------------------------------------------------


def _pitfalls() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(PITFALLS.read_text(encoding="utf-8"))
    return found


def _uncounted(name: str) -> str:
    return f"Not counted yet: run `python bench/pitfalls.py --counts {name}`.\n"


def claims(_document: Path, name: str) -> str:
    """Return what a recipe shows of published claims."""
    found = _pitfalls()["recipes"].get(name)
    if found is None:
        return _uncounted(name)
    return _table(("of what", "found"), [(label, str(value)) for label, value in found["claims"].items()])


def counted(_document: Path, name: str) -> str:
    """Return what a recipe counts of both programs, and how long they take where it times them."""
    results = _pitfalls()
    found = results["recipes"].get(name)
    if found is None:
        return _uncounted(name)
    rows = [(label, *map(str, values)) for label, values in found["counts"].items()]
    columns = ("", "before.py", "after.py")
    ends = f"Counted by `python bench/pitfalls.py --counts {name}`, the same with TensorFlow 2.15 and 2.21."
    if "def timed(" not in (ROOT / "recipes" / name / "count.py").read_text(encoding="utf-8"):
        return f"{_table(columns, rows)}\n{ends}\n"
    times = results["times"].get(name)
    if times is None:
        ends += f" Not timed yet: run `python bench/pitfalls.py {name}`."
        return f"{_table(columns, rows)}\n{ends}\n"
    rows = [(*row, "") for row in rows] + [_timed(*each) for each in times.items()]
    rounds = min(len(side) for label in times.values() for side in label.values())
    ends += f" Times: medians, on {_figures.machine_text(results['machine'])}, in {rounds} rounds"
    ends += f". Here: `python bench/pitfalls.py {name}`."
    return f"{_table((*columns, 'before / after'), rows)}\n{ends}\n"


def _timed(label: str, seconds: dict[str, list[float]]) -> tuple[str, ...]:
    rates = {side: [1 / value for value in values] for side, values in seconds.items()}
    figure = asdict(ratio_of(rates["after.py"], rates["before.py"]))
    medians = (_duration(statistics.median(values)) for values in seconds.values())
    return (label, *medians, _figures.ratio_text(figure))


def _duration(seconds: float) -> str:
    """Return a time in three digits."""
    unit, size = next((one for one in (("s", 1.0), ("ms", 1e-3)) if seconds >= one[1]), ("µs", 1e-6))
    return f"{seconds / size:.3g} {unit}"


def recipes(document: Path) -> str:
    """Return links to all recipes, by symptom."""
    groups = recipes_index.by_group(recipes_index.recipes())
    folder = os.path.relpath(ROOT / "recipes", document.parent)
    return "".join(
        f"- {group}: {', '.join(f'[{one.title}]({folder}/{one.name}/README.md)' for one in members)}\n"
        for group, members in groups.items()
    )


def rules(_document: Path) -> str:
    """Return what `pipeport scan --explain` says of each code."""
    return "\n".join(scan.page(rule) for rule in scan.RULES.values())


def reasons(_document: Path) -> str:
    """Return what `pipeport run --explain` says of each code."""
    return "\n".join(acceleration.page(reason) for reason in acceleration.REASONS.values())


# --- other versions of XLA --------------------------------------------------------------------------


def elsewhere(_document: Path) -> str:
    """Return which programs give equal bits under another XLA, by instruction set."""
    found = json.loads(ELSEWHERE.read_text(encoding="utf-8"))
    programs: dict[str, dict[str, float | str]] = found["programs"]
    sets = list(next(iter(programs.values())))
    equal = [name for name, row in programs.items() if set(row.values()) == {"bits"}]
    rows = [
        (f"`{name}`", *(one if isinstance(one, str) else f"{one:g}" for one in row.values()))
        for name, row in programs.items()
        if name not in equal
    ]
    rows.append((f"{len(equal)} others", *("bits" for _ in sets)))
    ends = f"jaxlib {found['jaxlib']} against TensorFlow {found['made_with']['tensorflow']}, "
    ends += f"{found['made_with']['machine']['cpu']}, {len(programs)} programs. "
    ends += f"Equal everywhere: {', '.join(f'`{name}`' for name in equal)}."
    return f"{_table(('program', *sets), rows)}\n{ends}\n"


KINDS: dict[str, Callable[..., str]] = {
    "bodies": bodies,
    "claims": claims,
    "code": code,
    "counted": counted,
    "elsewhere": elsewhere,
    "libraries": libraries,
    "measured": measured,
    "pipelines": pipelines,
    "ported": ported,
    "programs": programs,
    "ratios": ratios,
    "reasons": reasons,
    "recipes": recipes,
    "rules": rules,
    "trainings": trainings,
}


def refreshed(document: Path) -> str:
    """Return the document's text with every generated block made anew."""

    def block(found: re.Match[str]) -> str:
        kind = found["kind"]
        if kind not in KINDS:
            raise SystemExit(f"{document}: no generated block of kind {kind!r}, only {', '.join(KINDS)}.")
        return found["begin"] + KINDS[kind](document, *found["arguments"].split()) + found["end"]

    return BLOCK.sub(block, document.read_text(encoding="utf-8"))


def stale() -> Iterable[tuple[Path, str]]:
    """Give each document whose blocks are out of date, and each such stub, with its new text."""
    for document in documents():
        text = refreshed(document)
        if text != document.read_text(encoding="utf-8"):
            yield document, text
    for package in stubs.PACKAGES:
        stub, text = stubs.stub_of(package), stubs.text_of(package)
        if not stub.exists() or text != stub.read_text(encoding="utf-8"):
            yield stub, text


def main() -> None:
    """Write or check."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a block is stale")
    check = parser.parse_args().check
    out_of_date = list(stale())
    for document, text in out_of_date:
        if not check:
            document.write_text(text, encoding="utf-8")
        print(f"{'stale' if check else 'written'}: {document.relative_to(ROOT)}")
    sys.exit(1 if check and out_of_date else 0)


if __name__ == "__main__":
    main()
