"""Measure before.py against after.py of the recipes, and keep the result in bench/results/recipes.json.

    python bench/recipes.py                  # all recipes
    python bench/recipes.py rotation         # one; figures of the others stay, if the machine does

What is measured is suite `recipes`, and `pipeport bench --suite recipes` shows the same without keeping it.
Afterwards `python bench/readme_table.py` writes the figures into the recipes.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from pipeport._figures import short
from pipeport.bench import _results, _run
from pipeport.bench._plans import Plan, expand
from pipeport.bench._programs import Program
from pipeport.bench._results import CaseResult, Report
from pipeport.bench._suites import read_suite

RESULTS = Path(__file__).with_name("results") / "recipes.json"
FORMAT = 1
SUITE = "recipes"
# Recipes whose before.py runs in the addons environment alone: another script measures them there.
ELSEWHERE = {"off-tensorflow-addons": "bench/addons.py"}


def plan_of(names: list[str], **settings: Any) -> Plan:
    """Return the suite with the programs of those recipes, or with all that can be measured here."""
    suite = read_suite(SUITE)
    chosen = [program for program in suite.programs if recipe_of(program) in (names or known())]
    return replace(suite, programs=tuple(chosen), **settings)


def known() -> list[str]:
    """Return the recipes that this script measures."""
    names = dict.fromkeys(recipe_of(program) for program in read_suite(SUITE).programs)
    return [name for name in names if name not in ELSEWHERE]


def recipe_of(program: Program) -> str:
    """Return the recipe that a program measures; a recipe may have several, on other inputs each."""
    return program.sides[0].factory.removeprefix("recipes/").partition("/")[0]


def figure(report: Report, result: CaseResult) -> dict[str, Any]:
    """Return a case's ratio in the form of last_ratios.json."""
    [(_before, ratio)] = result.ratios()
    values = {key: round(getattr(ratio, key), 3) for key in ("ratio", "low", "high")}
    return {
        "case": result.case.conditions,
        "against": "before.py",
        **values,
        "verdict": ratio.verdict,
        "commit": report.commit_of(result),
        "rounds": ratio.rounds,
        "code": result.code,
    }


def kept(path: Path, machine: dict[str, Any]) -> dict[str, Any]:
    """Return the figures of a file that go on holding: those of this machine."""
    if path.exists():
        found = json.loads(path.read_text(encoding="utf-8"))
        if found["format"] == FORMAT and found["machine"] == machine:
            return {key: found[key] for key in ("ratios", "rounds")}
    return {"ratios": {}, "rounds": {}}


def add(content: dict[str, Any], report: Report) -> None:
    """Put the cases of a run into what is written, in place of the recipe's earlier ones."""
    recipes = {program.name: recipe_of(program) for program in read_suite(SUITE).programs}
    for name in dict.fromkeys(recipes[result.case.program] for result in report.cases):
        of_recipe = [result for result in report.cases if recipes[result.case.program] == name]
        content["ratios"][f"recipes/{name}"] = [figure(report, result) for result in of_recipe]
        content["rounds"][f"recipes/{name}"] = {
            result.case.conditions: {
                "before.py" if side.kind == "reference" else "after.py": [asdict(one) for one in side.rounds]
                for side in result.sides
            }
            for result in of_recipe
        }


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    here = ", ".join(known())
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"recipes: {here}; default: all")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--seconds", type=float, help="timed seconds per round")
    parser.add_argument("--output", type=Path, default=RESULTS)
    chosen = parser.parse_args()
    if unknown := sorted(set(chosen.names) - set(known())):
        others = "".join(f" python {script} measures {name}." for name, script in ELSEWHERE.items())
        parser.error(f"no recipe {', '.join(unknown)} here; there are {here}.{others}")
    given = {key: value for key in ("rounds", "seconds") if (value := getattr(chosen, key)) is not None}
    plan = plan_of(chosen.names, **given)
    if missing := expand(plan).left_out:
        parser.error(" ".join(missing))

    report = _run.run(plan, watch=lambda step: print(f"{step.text}", flush=True))
    environment = report.environment
    machine = {
        "CPU": environment["machine"]["cpu"],
        "cores": environment["machine"]["usable_cores"],
        "TensorFlow": environment["versions"]["tensorflow"],
    }
    content = {
        "format": FORMAT,
        "machine": machine,
        **kept(chosen.output, machine),
        "commit": short(environment["commit"]),
        "environment": environment,
    }
    add(content, report)
    chosen.output.parent.mkdir(parents=True, exist_ok=True)
    _results.write_json(content, chosen.output)
    for result in report.cases:
        print(f"{result.case.program}: {figure(report, result)}")
    if report.left_out or report.interrupted:
        sys.exit("\n".join(report.left_out) or "Interrupted.")


if __name__ == "__main__":
    main()
