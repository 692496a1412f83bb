"""Write the generated blocks of README.md and of the recipes again: code, measured ratios, catalog entries.

    python bench/readme_table.py            # write
    python bench/readme_table.py --check    # exit code 1 when a block is stale

A block stands between `<!-- generated: KIND ARGUMENTS -->` and `<!-- end -->`. Figures come from
pipeport/last_ratios.json (pairs), bench/results/recipes.json (the recipes' own programs),
bench/results/addons.json (what is measured beside TensorFlow Addons) and bench/results/first_element.json;
no figure is typed by hand.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import statistics
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from pipeport import _describe, catalog
from pipeport.bench import _results as _benched

ROOT = Path(__file__).resolve().parent.parent
RECIPE_RESULTS = ROOT / "bench" / "results" / "recipes.json"
FIRST_ELEMENTS = ROOT / "bench" / "results" / "first_element.json"
# Seconds from which a first element has a row of its own.
WORTH_A_ROW = 0.5
ADDONS_RESULTS = ROOT / "bench" / "results" / "addons.json"
# Where the reference itself must be there, on a TensorFlow of its own.
BESIDE_ADDONS = ("pipeport.tensorflow_addons.image.", "recipes/off-tensorflow-addons")
BLOCK = re.compile(
    r"(?P<begin><!-- generated: (?P<kind>\w+)(?P<arguments>[^\n]*) -->\n).*?(?P<end><!-- end -->)", re.DOTALL
)
RATIO = "throughput ratio, 95 % interval, verdict"
DTYPES = ("float32", "uint8")


def documents() -> list[Path]:
    """Return every document that holds generated blocks."""
    return [ROOT / "README.md", *sorted((ROOT / "recipes").glob("*/README.md"))]


# --- code ------------------------------------------------------------------------------------------


def code(document: Path, file: str, function: str | None = None) -> str:
    """Return a program beside the document, or one function of it, as a fenced block."""
    source = (document.parent / file).read_text(encoding="utf-8")
    if function is not None:
        named = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
        if function not in named:
            raise SystemExit(f"{document}: {file} has no function {function}.")
        source = ast.get_source_segment(source, named[function]) or ""
    return f"```python\n{source.rstrip()}\n```\n"


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


def _machine(results: dict[str, Any]) -> str:
    parts = ", ".join(f"{key} {value}" for key, value in results["machine"].items())
    return f"Measured on: {parts}; commit {results['commit']}."


def _row(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |\n"


def measured(_document: Path, *names: str) -> str:
    """Return the measured ratios of pairs or recipes as one table per source."""
    text = ""
    for name in names:
        results, command = _source(name)
        rows = (results or {}).get("ratios", {}).get(name, [])
        if not rows:
            text += f"Not measured yet: run `{command}`.\n\n"
            continue
        text += _row("case", "native against", "throughput ratio, 95 % interval, verdict") + _row(
            *["---"] * 3
        )
        text += "".join(_row(r["case"], r["against"], _describe.ratio_text(r)) for r in rows)
        text += f"\n{_machine(results or {})} Here: `{command}`.\n\n"
    return text.rstrip() + "\n"


def ratios(_document: Path) -> str:
    """Return every case that is not faster, worst first."""
    results = _describe.last_ratios()
    if results is None:
        return "Not measured yet: run `pipeport bench`.\n"
    everything = [(native, found) for native, cases in results["ratios"].items() for found in cases]
    shown = [(native, found) for native, found in everything if found["verdict"] != "faster"]
    shown.sort(key=lambda row: float(row[1]["ratio"]))
    text = _row("native", "case", "against", RATIO) + _row(*["---"] * 4)
    for native, found in shown:
        name = f"`{native.removeprefix('pipeport.')}`"
        text += _row(name, found["case"], found["against"], _describe.ratio_text(found))
    slower = sum(found["verdict"] == "slower" for _native, found in everything)
    faster = len(everything) - len(shown)
    counts = (
        f"{len(everything)} measured: {faster} faster, {slower} slower, {len(shown) - slower} no different."
    )
    return f"{text}\n{counts} All are in docs/catalog.md and `pipeport catalog NAME`. {_machine(results)}\n"


def libraries(_document: Path) -> str:
    """Return what replacing each library buys: natives against their own reference, plain cases of 256 px."""
    results = _describe.last_ratios()
    if results is None:
        return "Not measured yet: run `pipeport bench`.\n"
    known = catalog.pairs()
    found: dict[str, dict[str, list[tuple[float, str]]]] = {}
    for native, cases in results["ratios"].items():
        if native not in known or known[native].environment != "main":
            continue
        library = native.split(".")[1]
        for case in cases:
            plain = case["case"] in (f"{dtype}, 256x256" for dtype in DTYPES)
            if plain and case["against"] == f"numpy_function + {known[native].reference}":
                rows = found.setdefault(library, {}).setdefault(case["case"].partition(",")[0], [])
                rows.append((float(case["ratio"]), native.removeprefix("pipeport.")))
    text = _row("in place of", "images", "natives", "geometric mean", "slowest", "fastest")
    text += _row(*["---"] * 6)
    for library, dtypes in sorted(found.items()):
        for dtype, rows in sorted(dtypes.items()):
            mean = statistics.geometric_mean(ratio for ratio, _ in rows)
            ends = [f"{ratio:.2f}x `{name}`" for ratio, name in (min(rows), max(rows))]
            text += _row(library, dtype, str(len(rows)), f"{mean:.2f}x", *ends)
    return f"{text}\n{_machine(results)}\n"


def first_elements(_document: Path) -> str:
    """Return what the first element costs: the median of all natives, and each that takes half a second."""
    if not FIRST_ELEMENTS.exists():
        return "Not measured yet: run `pipeport bench --suite bench/suites/first_element.toml`.\n"
    report = _benched.read(FIRST_ELEMENTS)
    found = sorted(
        ((side.first_element_s[0], result) for result in report.cases for side in result.of_kind("native")),
        key=lambda one: -one[0],
    )
    middle = statistics.median(seconds for seconds, _ in found)
    text = f"{len(found)} pipelines: {middle:.2f} s in the median. "
    slow = [(seconds, result) for seconds, result in found if seconds >= WORTH_A_ROW]
    if not slow:
        return f"{text}None takes {WORTH_A_ROW} s.\n"
    text += f"These take {WORTH_A_ROW} s and more:\n\n"
    text += _row("native", "case", "first element", "traced again") + _row(*["---"] * 4)
    for seconds, result in slow:
        [side] = result.of_kind("native")
        name = f"`{result.case.pair.removeprefix('pipeport.')}`"
        later = statistics.median(side.first_element_s[1:])
        text += _row(name, result.case.conditions, f"{seconds:.2f} s", f"{later:.2f} s")
    return text


# --- catalog entries -------------------------------------------------------------------------------


def entry(_document: Path, name: str) -> str:
    """Return what `pipeport catalog NAME` prints, as a fenced block."""
    return f"```text\n{catalog_output(name)}\n```\n"


def catalog_output(name: str) -> str:
    """Return what `pipeport catalog NAME` prints into a pipe, without trailing blanks."""
    from click.testing import CliRunner

    from pipeport.cli import main

    result = CliRunner().invoke(main, ["catalog", name], env={"COLUMNS": "100"}, catch_exceptions=False)
    return "\n".join(line.rstrip() for line in result.output.rstrip().splitlines())


def pairs(_document: Path) -> str:
    """Return the natives by façade."""
    groups: dict[str, list[str]] = {}
    for name in catalog.pairs():
        facade, _, function = name.rpartition(".")
        groups.setdefault(facade, []).append(f"`{function}`")
    return "".join(f"- `{facade}`: {', '.join(functions)}\n" for facade, functions in groups.items())


KINDS: dict[str, Callable[..., str]] = {
    "code": code,
    "entry": entry,
    "first_elements": first_elements,
    "libraries": libraries,
    "measured": measured,
    "pairs": pairs,
    "ratios": ratios,
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
