"""Count and time before.py and after.py of the tf.function recipes, in bench/results/pitfalls.json.

    python bench/pitfalls.py                     # all of them, in about two minutes
    python bench/pitfalls.py --counts            # traces, nodes and answers alone, which no machine changes
    python bench/pitfalls.py tracing-cost        # one; those of the others stay, times if the machine does

Each recipe's count.py says what is counted (`counts`), what is shown of published claims (`claims`), and
what is timed (`timed`). Each round loads both programs anew, so that nothing is traced yet, and takes them in
turn.
Afterwards `nox -s generate` writes the figures into the recipes.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pipeport import recipes_index
from pipeport.bench import _environment
from pipeport.bench._json import write_json

RESULTS = Path(__file__).with_name("results") / "pitfalls.json"
FORMAT = 2
# One more than an interval of 95 % needs.
ROUNDS = 7
SIDES = ("before", "after")


def known() -> list[str]:
    """Return the recipes of this form."""
    return [recipe.name for recipe in recipes_index.recipes() if recipe.form == recipes_index.TF_FUNCTION]


def counted(name: str) -> dict[str, Any]:
    """Return what a recipe counts: of both programs by label, and of claims."""
    recipe = recipes_index.find(name)
    counter = recipe.load("count")
    before, after = (counter.counts(recipe.load(side)) for side in SIDES)
    if list(before) != list(after):
        raise SystemExit(
            f"{name}: count.py counts {list(before)} of before.py and {list(after)} of after.py."
        )
    claims = counter.claims() if hasattr(counter, "claims") else {}
    return {"counts": {label: [before[label], after[label]] for label in before}, "claims": claims}


def timed(name: str, rounds: int, clock: Callable[[], float] = time.perf_counter) -> dict[str, Any]:
    """Return the seconds of each round by label and program; empty where count.py times nothing."""
    recipe = recipes_index.find(name)
    counter = recipe.load("count")
    seconds: dict[str, dict[str, list[float]]] = {}
    if not hasattr(counter, "timed"):
        return {}
    # The first round of a process pays for what TensorFlow sets up once.
    for number in range(rounds + 1):
        for side in SIDES:
            for label, call in counter.timed(recipe.load(side)).items():
                start = clock()
                call()
                taken = clock() - start
                if number:
                    seconds.setdefault(label, {}).setdefault(f"{side}.py", []).append(taken)
    return seconds


def machine() -> dict[str, Any]:
    """Return what times depend on."""
    return {
        "CPU": _environment.cpu_model(),
        "cores": _environment.usable_cores(),
        "TensorFlow": _environment.versions()["tensorflow"],
    }


def begun(output: Path, *, times: bool) -> dict[str, Any]:
    """Return the report to add to: that of the file; before `times` are taken, without another machine's."""
    report: dict[str, Any] = {"format": FORMAT, "machine": machine(), "recipes": {}, "times": {}}
    if output.exists():
        found = json.loads(output.read_text(encoding="utf-8"))
        if found["format"] == FORMAT and not times:
            report["machine"] = found["machine"]
        if found["format"] == FORMAT:
            kept = ("recipes", "times") if found["machine"] == report["machine"] else ("recipes",)
            report |= {
                key: {name: found[key][name] for name in known() if name in found[key]} for key in kept
            }
    return report


def main() -> None:
    """Count, time, and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known())}; default: all")
    parser.add_argument("--counts", action="store_true", help="time nothing")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--output", type=Path, default=RESULTS)
    chosen = parser.parse_args()
    if unknown := sorted(set(chosen.names) - set(known())):
        parser.error(f"no recipe {', '.join(unknown)} here; there are {', '.join(known())}")
    if chosen.rounds < 1:
        parser.error(f"--rounds: got {chosen.rounds}; 1 or more")

    report = begun(chosen.output, times=not chosen.counts)
    for name in chosen.names or known():
        report["recipes"][name] = counted(name)
        if not chosen.counts and (seconds := timed(name, chosen.rounds)):
            report["times"][name] = seconds
        print(name, flush=True)
    report["recipes"] = dict(sorted(report["recipes"].items()))
    report["times"] = dict(sorted(report["times"].items()))
    chosen.output.parent.mkdir(parents=True, exist_ok=True)
    write_json(report, chosen.output)


if __name__ == "__main__":
    main()
