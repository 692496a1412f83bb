"""Run exported programs on instruction sets of this processor, and keep which results are equal where.

    python bench/elsewhere.py FOLDER [--write]

In an environment with jax; FOLDER is of `pipeport bench --export`. `--write` keeps the results in
bench/results/elsewhere.json, of which `nox -s generate` makes the table of docs/versions.md.
Exit code 1 if results differ by more than the contracts allow, or a program fails.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).resolve().parent / "results" / "elsewhere.json"
# What XLA may use at most, and how the table calls it.
SETS = {"": "as it comes", "AVX2": "AVX2", "AVX": "AVX", "SSE4_2": "SSE4.2"}
_AGREED, _FINISHED = "agreed", (0, 1)


def ran(folder: Path, most: str) -> dict[str, Any]:
    """Run the programs with an instruction set; return the script's report."""
    report = folder / f"{most or 'all'}.json"
    flags = f"{os.environ.get('XLA_FLAGS', '')} {f'--xla_cpu_max_isa={most}' if most else ''}".strip()
    # The processor's own name for its best instructions is in no flag: none is given for it.
    environment = {**os.environ, "XLA_FLAGS": flags}
    command = (sys.executable, str(folder / "run.py"), "--cpu", "--seconds", "0", "--json", str(report))
    print(f"--- {SETS[most]}", flush=True)
    code = subprocess.run(command, env=environment, check=False).returncode
    if code not in _FINISHED:
        raise SystemExit(code)
    found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return found


def kept(reports: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return what is kept of the reports: versions, and per program what became of it by instruction set."""
    first = reports[""]
    programs: dict[str, dict[str, Any]] = {}
    for most, report in reports.items():
        for row in report["programs"]:
            verdict = float(f"{row['difference']:.1e}") if row["equal"] == _AGREED else row["equal"]
            programs.setdefault(row["program"], {})[SETS[most]] = verdict
    names = ("jaxlib", "python", "numpy", "machine")
    versions = first["made_with"]["versions"]
    made = {"tensorflow": versions["tensorflow"], "machine": first["made_with"]["machine"]}
    return {"format": 1, **{name: first[name] for name in names}, "made_with": made, "programs": programs}


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true", help=f"write bench/results/{RESULTS.name}")
    given = parser.parse_args()
    found = kept({most: ran(given.folder, most) for most in SETS})
    if given.write:
        lines = ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in found.pop("programs").items())
        head = json.dumps(found, indent=1).removesuffix("\n}")
        RESULTS.write_text(f'{head},\n "programs": {{\n{lines}\n }}\n}}\n', encoding="utf-8")
        print(f"Written: {RESULTS}. Now: nox -s generate")
        found = json.loads(RESULTS.read_text(encoding="utf-8"))
    wrong = [name for name, row in found["programs"].items() if {"differs", "failed"} & set(row.values())]
    print(f"jaxlib {found['jaxlib']}: {len(found['programs'])} programs, {len(wrong)} that differ or fail")
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
