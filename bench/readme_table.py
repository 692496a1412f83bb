"""Write the generated blocks of README.md and of the recipes again: code, figures, catalog entries.

    python bench/readme_table.py            # write
    python bench/readme_table.py --check    # exit code 1 when a block is stale

A block stands between `<!-- generated: KIND ARGUMENTS -->` and `<!-- end -->`. Figures come from
pipeport/last_ratios.json (pairs), bench/results/recipes.json (the recipes' own programs),
bench/results/addons.json (what is measured beside TensorFlow Addons), bench/results/first_element.json and
bench/results/pitfalls.json (what the tf.function recipes count and time); no figure is typed by hand.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import statistics
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pipeport import _describe, _figures, catalog, recipes_index
from pipeport.bench import _ratios
from pipeport.bench import _results as _benched
from pipeport.bench._codes import of_programs, of_recipe
from pipeport.bench._factories import Factories, importable
from pipeport.bench._programs import Program
from pipeport.bench._results import CaseResult, SideResult
from pipeport.bench._statistics import Ratio, ratio_of
from pipeport.bench._suites import read_suite

ROOT = Path(__file__).resolve().parent.parent
RECIPE_RESULTS = ROOT / "bench" / "results" / "recipes.json"
FIRST_ELEMENTS = ROOT / "bench" / "results" / "first_element.json"
# Seconds from which a first element has a row of its own.
WORTH_A_ROW = 0.5
ADDONS_RESULTS = ROOT / "bench" / "results" / "addons.json"
PITFALLS = ROOT / "bench" / "results" / "pitfalls.json"
# Where the reference itself must be there, on a TensorFlow of its own.
BESIDE_ADDONS = ("pipeport.tensorflow_addons.image.", "recipes/off-tensorflow-addons")
BLOCK = re.compile(
    r"(?P<begin><!-- generated: (?P<kind>\w+)(?P<arguments>[^\n]*) -->\n).*?(?P<end><!-- end -->)", re.DOTALL
)
MARK = f"{_figures.EARLIER}: "
RATIO = "throughput ratio (interval), verdict"
# Where every ratio that is not above 1 stands.
ALL_LOST = "bench/README.md"
DTYPES = ("float32", "uint8")
# What became of functions as people write them.
BODIES = "docs/bodies.md"
# As it comes, and with one thread an operation, by the setting in front of the command.
BODY_RESULTS = tuple(ROOT / "bench" / "results" / f"{name}.json" for name in ("bodies", "bodies_one_thread"))
SETTINGS = ("", "TF_NUM_INTRAOP_THREADS=1 ")


def documents() -> list[Path]:
    """Return every document that holds generated blocks."""
    return [
        ROOT / "README.md",
        ROOT / ALL_LOST,
        ROOT / BODIES,
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


def _results(path: Path) -> dict[str, Any] | None:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def _source(name: str) -> tuple[dict[str, Any] | None, str]:
    """Return the file that holds a measurement of `name`, and the command that makes it."""
    if name.startswith(BESIDE_ADDONS):
        return _results(
            ADDONS_RESULTS
        ), f"python bench/addons.py {name.rpartition('/')[2].rpartition('.')[2]}"
    if name.startswith("recipes/"):
        return _results(RECIPE_RESULTS), f"python bench/recipes.py {name.removeprefix('recipes/')}"
    return _describe.last_ratios(), f"pipeport bench {name}"


def _is_current(name: str, figure: dict[str, Any]) -> bool:
    if name.startswith("recipes/"):
        return bool(figure["code"] == of_recipe(ROOT / name))
    return _figures.is_current(figure, name)


def _figure(name: str, figure: dict[str, Any]) -> tuple[str, str, str]:
    """Return a ratio, marked where the code has changed since, its rounds and its commit."""
    earlier = "" if _is_current(name, figure) else f" {_figures.EARLIER}"
    return _figures.ratio_text(figure) + earlier, str(figure["rounds"]), f"`{figure['commit']}`"


def _machine(results: dict[str, Any], figures: Iterable[tuple[str, dict[str, Any]]], mark: str = "") -> str:
    """Return what a table was measured on, in how many rounds, and how much of it on earlier code."""
    figures = list(figures)
    rounds = sorted({figure["rounds"] for _, figure in figures})
    several = f"{rounds[0]} to {rounds[-1]}" if len(rounds) > 1 else f"{rounds[0]}"
    text = f"Measured on {_figures.machine_text(results['machine'])}, in {several} rounds."
    if any(one["case"] != _figures.without_processor(one["case"]) for _, one in figures):
        text += " Rows that name a processor were measured on that."
    stale = sum(not _is_current(name, figure) for name, figure in figures)
    return f"{text} {mark}{stale} of {len(figures)} {_figures.EARLIER_SAYS}." if stale else text


def _table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [columns, ("---",) * len(columns), *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines)


def measured(_document: Path, *names: str) -> str:
    """Return the measured ratios of pairs or recipes as one table per source."""
    text = ""
    for name in names:
        results, command = _source(name)
        rows = (results or {}).get("ratios", {}).get(name, [])
        if not rows:
            text += f"Not measured yet: run `{command}`.\n\n"
            continue
        columns = ("case", "native against", RATIO, "rounds", "commit")
        text += _table(columns, [(r["case"], r["against"], *_figure(name, r)) for r in rows])
        text += f"\n{_machine(results or {}, [(name, r) for r in rows], MARK)} Here: `{command}`.\n\n"
    return text.rstrip() + "\n"


def ratios(_document: Path, most: str = "") -> str:
    """Return the cases that are not faster, worst first: all of them, or so many with a link to the rest."""
    results = _describe.last_ratios()
    if results is None:
        return "Not measured yet: run `pipeport bench`.\n"
    everything = [(native, found) for native, cases in results["ratios"].items() for found in cases]
    lost = [(native, found) for native, found in everything if found["verdict"] != "faster"]
    lost.sort(key=lambda row: float(row[1]["ratio"]))
    shown = lost[: int(most)] if most else lost
    lines = [(_short(native), one["case"], one["against"], *_figure(native, one)) for native, one in shown]
    text = _table(("native", "case", "against", RATIO, "rounds", "commit"), lines)
    slower = sum(found["verdict"] == "slower" for _native, found in everything)
    faster = len(everything) - len(lost)
    same = len(lost) - slower
    counts = f"{len(everything)} measured: {faster} faster, {slower} slower, {same} no different."
    rest = len(lost) - len(shown)
    link = f" The other {rest} of these rows are in [{ALL_LOST}]({ALL_LOST})." if rest else ""
    return f"{text}\n{counts}{link} {_machine(results, everything, MARK)}\n"


def libraries(_document: Path) -> str:
    """Return what replacing each library buys: natives against their own reference, plain cases of 256 px."""
    results = _describe.last_ratios()
    if results is None:
        return "Not measured yet: run `pipeport bench`.\n"
    known = catalog.pairs()
    found: dict[str, dict[str, list[tuple[float, str]]]] = {}
    shown = []
    for native, cases in results["ratios"].items():
        if native not in known or known[native].environment != "main":
            continue
        library = native.split(".")[1]
        for case in cases:
            conditions = _figures.without_processor(case["case"])
            plain = conditions in (f"{dtype}, 256x256" for dtype in DTYPES)
            if plain and case["against"] == f"numpy_function + {known[native].reference}":
                rows = found.setdefault(library, {}).setdefault(case["case"].partition(",")[0], [])
                rows.append((float(case["ratio"]), _short(native)))
                shown.append((native, case))
    lines = []
    for library, dtypes in sorted(found.items()):
        for dtype, rows in sorted(dtypes.items()):
            mean = statistics.geometric_mean(ratio for ratio, _ in rows)
            ends = [f"{ratio:.2f}x {name}" for ratio, name in (min(rows), max(rows))]
            lines.append((library, dtype, str(len(rows)), f"{mean:.2f}x", *ends))
    text = _table(("in place of", "images", "natives", "geometric mean", "slowest", "fastest"), lines)
    return f"{text}\n{_machine(results, shown)}\n"


def first_elements(_document: Path) -> str:
    """Return what the first element costs: the median of all natives, and each that takes half a second."""
    if not FIRST_ELEMENTS.exists():
        return "Not measured yet: run `pipeport bench --suite first_element`.\n"
    report = _benched.read(FIRST_ELEMENTS)
    found = sorted(
        ((side.first_element_s[0], result) for result in report.cases for side in result.of_kind("native")),
        key=lambda one: -one[0],
    )
    middle = statistics.median(seconds for seconds, _ in found)
    commits = ", ".join(sorted({f"`{report.commit_of(result)}`" for _, result in found}))
    codes = [(result.case.pair, {"code": result.code}) for _, result in found]
    stale = sum(not _figures.is_current(figure, native) for native, figure in codes)
    since = f", {stale} of them {_figures.EARLIER_SAYS}" if stale else ""
    text = f"{len(found)} pipelines at {commits}{since}: {middle:.2f} s in the median. "
    slow = [(seconds, result) for seconds, result in found if seconds >= WORTH_A_ROW]
    if not slow:
        return f"{text}None takes {WORTH_A_ROW} s.\n"
    text += f"These take {WORTH_A_ROW} s and more:\n\n"
    rows = []
    for seconds, result in slow:
        [side] = result.of_kind("native")
        later = statistics.median(side.first_element_s[1:])
        times = (f"{seconds:.2f} s", f"{later:.2f} s")
        rows.append((_short(result.case.pair), result.case.conditions, *times))
    return text + _table(("native", "case", "first element", "traced again"), rows)


def _of_program(result: CaseResult, program: Program) -> tuple[SideResult, Ratio, str, bool]:
    """Return the reference's side, the ratio, it in words, and whether it is of an earlier version."""
    [(before, ratio)] = result.ratios()
    earlier = result.code != of_programs(Factories().files(program, result.case))
    return before, ratio, _figures.ratio_text(asdict(ratio)) + f" {_figures.EARLIER}" * earlier, earlier


def programs(_document: Path, suite: str) -> str:
    """Return what a suite of programs measured: throughput, first batch and peak memory, side by side."""
    file = ROOT / "bench" / "results" / f"{suite}.json"
    if not file.exists():
        return f"Not measured yet: run `pipeport bench --suite {suite}`.\n"
    report = _benched.read(file)
    now = {program.name: program for program in read_suite(suite).programs}
    peaks = {result.name: result.used_bytes for result in report.memory}
    rows, rounds, stale = [], set(), 0
    for result in report.cases:
        name = result.case.program
        before, ratio, text, earlier = _of_program(result, now[name])
        [after] = result.of_kind("native")
        stale += earlier
        rounds.add(ratio.rounds)
        memory = peaks[f"{name}, {after.name}"] / peaks[f"{name}, {before.name}"]
        seconds = [f"{side.first_batch_s:.2f} s" for side in (before, after)]
        rows.append((f"`{name}`", result.case.about, text, *seconds, f"{memory:.2f}x"))
    columns = ("program", "what it reads and gives", RATIO, "first batch before", "after", "peak memory")
    machine = _ratios.last_ratios(report)["machine"]
    commits = ", ".join(sorted({f"`{report.commit_of(result)}`" for result in report.cases}))
    text = f"{_table(columns, rows)}\nMeasured on {_figures.machine_text(machine)}, in {max(rounds)} rounds, "
    text += f"at {commits}; first batch and memory in processes of their own."
    text += f" {MARK}{stale} of {len(rows)} {_figures.EARLIER_SAYS}." if stale else ""
    return f"{text} Here: `pipeport bench --suite {suite}`.\n"


# --- ported functions ------------------------------------------------------------------------------


def bodies(_document: Path) -> str:
    """Return every function that the tests port, its verdict, and the ratio of those that are measured."""
    suite = read_suite("bodies")
    now = {program.name: program for program in suite.programs}
    with importable(next(iter(now.values()))):
        from bodies import PORTED, REFUSED
    reports = [_benched.read(file) if file.exists() else None for file in BODY_RESULTS]
    found = [{one.case.program: one for one in report.cases} if report else {} for report in reports]
    rows = []
    for name in PORTED:
        program = name.replace("_", "-")
        about = now[program].about if program in now else ""
        texts = [_of_program(one[program], now[program])[2] if program in one else "" for one in found]
        rows.append((f"`{name}`", about, "ported", *texts))
    for name, body in REFUSED.items():
        when = "refused" if body.when == "port" else "refused at the first trace"
        rows.append((f"`{name}`", body.why, when, *("" for _ in reports)))
    columns = ("function", "what it does, or why it is refused", "verdict", RATIO, "one thread an operation")
    text = f"{_table(columns, rows)}\n{len(PORTED)} ported, {len(REFUSED)} refused.\n\n"
    for report, title, setting in zip(
        reports, ("As it comes", "One thread an operation"), SETTINGS, strict=True
    ):
        command = f"`{setting}pipeport bench --suite bodies`"
        text += f"- {title}: "
        text += f"not measured yet: run {command}.\n" if report is None else _of_bodies(report, now, command)
    return text


def _of_bodies(report: Any, now: dict[str, Program], command: str) -> str:
    """Return what the ratios of one run are together, and on what they were measured."""
    results = [_of_program(one, now[one.case.program]) for one in report.cases]
    values = [float(ratio.ratio) for _, ratio, *_ in results]
    stale = sum(earlier for *_, earlier in results)
    text = f"{len(values)} measured, geometric mean {statistics.geometric_mean(values):.2f}x, "
    text += f"{sum(value >= 1 for value in values)} at 1.0x or above. Measured on "
    text += f"{_figures.machine_text(_ratios.last_ratios(report)['machine'])}, in "
    text += f"{max(ratio.rounds for _, ratio, *_ in results)} rounds."
    text += f" {MARK}{stale} of {len(values)} {_figures.EARLIER_SAYS}." if stale else ""
    return f"{text} Here: {command}.\n"


# --- recipes of tf.function -------------------------------------------------------------------------


def _pitfalls() -> dict[str, Any]:
    return _results(PITFALLS) or {"recipes": {}, "times": {}, "machine": {}}


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
    rows = [(*row, "") for row in rows] + [_timed(*each) for each in times["seconds"].items()]
    rounds = min(len(side) for label in times["seconds"].values() for side in label.values())
    ends += f" Times: medians, on {_figures.machine_text(results['machine'])}, in {rounds} rounds"
    ends += f", at `{times['commit']}`."
    folder = ROOT / "recipes" / name
    if times["code"] != of_programs([folder / f"{file}.py" for file in ("before", "after", "count")]):
        ends += f" {_figures.EARLIER_SAYS.capitalize()}."
    return f"{_table((*columns, 'before / after'), rows)}\n{ends} Here: `python bench/pitfalls.py {name}`.\n"


def _timed(label: str, seconds: dict[str, list[float]]) -> tuple[str, ...]:
    rates = {side: [1 / value for value in values] for side, values in seconds.items()}
    figure = asdict(ratio_of(rates["after.py"], rates["before.py"]))
    medians = (_duration(statistics.median(values)) for values in seconds.values())
    return (label, *medians, _figures.ratio_text(figure))


def _duration(seconds: float) -> str:
    """Return a time in three digits."""
    unit, size = next((one for one in (("s", 1.0), ("ms", 1e-3)) if seconds >= one[1]), ("µs", 1e-6))
    return f"{seconds / size:.3g} {unit}"


def recipes(_document: Path) -> str:
    """Return links to all recipes, by the trouble they are about."""
    groups = recipes_index.by_group(recipes_index.recipes())
    return "".join(
        f"- {group}: {', '.join(f'[{one.title}](recipes/{one.name}/README.md)' for one in members)}\n"
        for group, members in groups.items()
    )


# --- catalog entries -------------------------------------------------------------------------------


def entry(_document: Path, name: str) -> str:
    """Return what `pipeport catalog NAME` prints, as a fenced block."""
    return f"```text\n{catalog_output(name)}\n```\n"


def catalog_output(name: str) -> str:
    """Return what `pipeport catalog NAME` prints into a pipe, without trailing blanks."""
    from click.testing import CliRunner

    from pipeport.cli import main

    result = CliRunner().invoke(main, ["catalog", name], env={"COLUMNS": "80"}, catch_exceptions=False)
    return "\n".join(line.rstrip() for line in result.output.rstrip().splitlines())


def pairs(_document: Path) -> str:
    """Return the natives by façade."""
    groups: dict[str, list[str]] = {}
    for name in catalog.pairs():
        facade, _, function = name.rpartition(".")
        groups.setdefault(facade, []).append(f"`{function}`")
    return "".join(f"- `{facade}`: {', '.join(functions)}\n" for facade, functions in groups.items())


KINDS: dict[str, Callable[..., str]] = {
    "bodies": bodies,
    "claims": claims,
    "code": code,
    "counted": counted,
    "entry": entry,
    "first_elements": first_elements,
    "libraries": libraries,
    "measured": measured,
    "pairs": pairs,
    "programs": programs,
    "ratios": ratios,
    "recipes": recipes,
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
    """Give each document whose blocks are out of date, with its new text."""
    for document in documents():
        text = refreshed(document)
        if text != document.read_text(encoding="utf-8"):
            yield document, text


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
