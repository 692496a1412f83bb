"""Merge results of `pipeport verify` into the committed ones, and list what is still pending.

Usage: python tests/equivalence/update.py [RESULTS.json ...]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pipeport import catalog
from pipeport.contract import ENGINES

FOLDER = Path(__file__).parent


# Eagerly every example differs in all; where each signature costs a trace, examples share 40 of them.
LEAST = {"eager": 200}
LEAST_TRACED = 100


def is_proved(case: dict[str, object] | None) -> bool:
    """Whether a committed case is the whole proof, or declared not to be served."""
    if case is None:
        return False
    if case["status"] == "not run":
        return bool(case["note"])
    least = LEAST.get(str(case["engine"]), LEAST_TRACED)
    return case["status"] == "passed" and int(str(case["examples"])) >= least


def main(paths: list[str]) -> None:
    """Take over every proved case of the given files, for pairs the catalog has."""
    pairs = catalog.pairs()
    files = {name: FOLDER / f"{name}.json" for name in ("main", "addons")}
    data = {name: json.loads(path.read_text("utf-8")) for name, path in files.items()}
    for path in paths:
        for key, case in json.loads(Path(path).read_text("utf-8"))["cases"].items():
            name = key.partition("|")[0]
            if name in pairs and is_proved(case) and "needs the" not in case["note"]:
                data[pairs[name].environment]["cases"][key] = case
    for name, path in files.items():
        cases = {k: v for k, v in sorted(data[name]["cases"].items()) if k.partition("|")[0] in pairs}
        path.write_text(json.dumps({**data[name], "cases": cases}, indent=1) + "\n", "utf-8")
        data[name]["cases"] = cases
    pending = [
        f"{name}|{engine}"
        for name, contract in pairs.items()
        for engine in ENGINES
        if not is_proved(data[contract.environment]["cases"].get(f"{name}|{engine}"))
    ]
    (FOLDER / "pending.json").write_text(json.dumps(pending, indent=1) + "\n", "utf-8")
    print(f"{len(pairs)} pairs, {len(pending)} cases pending")


if __name__ == "__main__":
    main(sys.argv[1:])
