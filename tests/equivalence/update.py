"""Merge results of `pipeport verify` into the committed ones, and list what is still pending.

Usage: python tests/equivalence/update.py [RESULTS.json ...]
       python tests/equivalence/update.py --stale

What was proved of other code than is here now stays, and is stale: `--stale` lists these cases, of the
pairs whose reference is installed. What draws and judges, pipeport/contract and pipeport/verify, has a
number instead of a hash: raise `PROTOCOL` in pipeport/verify/_fingerprint.py if what was verified before
could come out otherwise now (a bound, a domain, how values are drawn), leave it if only something new was
added. This program then notes the sources it stands for.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pipeport import catalog
from pipeport.contract import ENGINES, Contract
from pipeport.verify._fingerprint import fingerprint, protocol
from pipeport.verify._pair import pair_of
from pipeport.verify._require import MissingPackage

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


def is_current(contract: Contract, case: dict[str, object]) -> bool:
    """Whether the case was proved of the code that is here; True where nothing can be said."""
    try:
        pair = pair_of(contract)
    except MissingPackage:
        return True
    return case["fingerprint"] == fingerprint(pair, str(case["engine"]))


def stale() -> list[str]:
    """Return the committed cases that were proved of an earlier version of the code."""
    pairs = catalog.pairs()
    cases = {
        key: case
        for name in ("main", "addons")
        for key, case in json.loads((FOLDER / f"{name}.json").read_text("utf-8"))["cases"].items()
    }
    return [
        key
        for key, case in sorted(cases.items())
        if (pair := key.partition("|")[0]) in pairs and not is_current(pairs[pair], case)
    ]


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
        cases = {
            key: case for key, case in sorted(data[name]["cases"].items()) if key.partition("|")[0] in pairs
        }
        path.write_text(json.dumps({**data[name], "cases": cases}, indent=1) + "\n", "utf-8")
        data[name]["cases"] = cases
    pending = [
        f"{name}|{engine}"
        for name, contract in pairs.items()
        for engine in ENGINES
        if not is_proved(data[contract.environment]["cases"].get(f"{name}|{engine}"))
    ]
    (FOLDER / "pending.json").write_text(json.dumps(pending, indent=1) + "\n", "utf-8")
    (FOLDER / "protocol.json").write_text(json.dumps(protocol(), indent=1) + "\n", "utf-8")
    print(f"{len(pairs)} pairs, {len(pending)} cases pending")


if __name__ == "__main__":
    if sys.argv[1:] == ["--stale"]:
        print("\n".join(stale()))
    else:
        main(sys.argv[1:])
