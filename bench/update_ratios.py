"""Write pipeport/last_ratios.json, which travels in the wheel, from the committed results.

python bench/update_ratios.py

Figures of bench/results/headline.json come first, then of geometry.json and changed.json; a case that
two of them have is taken from the latter. Figures from another processor than the first report's name
it in their case. Figures of addons.json are added, each with the TensorFlow it was measured on.
"""

import json
from pathlib import Path
from typing import Any

from pipeport import _figures
from pipeport.bench import _ratios, _results

TARGET = Path(__file__).parent.parent / "pipeport" / "last_ratios.json"
RESULTS = Path(__file__).with_name("results")
REPORTS = ("headline.json", "geometry.json", "changed.json")


def beside_addons(file: Path) -> dict[str, Any]:
    """Return the ratios of pairs against TensorFlow Addons, with its TensorFlow in the case."""
    if not file.exists():
        return {}
    found = json.loads(file.read_text(encoding="utf-8"))
    there = f"TensorFlow {found['machine']['TensorFlow']}"
    return {
        name: [{**one, "case": f"{one['case']}, {there}"} for one in cases]
        for name, cases in found["ratios"].items()
        if not name.startswith("recipes/")
    }


def merged(files: list[Path]) -> dict[str, Any]:
    """Return the ratios of several reports as those of one; their processors may differ, nothing else."""
    parts = [_ratios.last_ratios(_results.read(file)) for file in files]
    own, *others = [dict(part["machine"]) for part in parts]
    ratios: dict[str, dict[tuple[str, str], Any]] = {}
    for part in parts:
        machine = part["machine"]
        if machine != own | {"CPU": machine["CPU"]}:
            raise SystemExit(f"The reports are of different machines: {json.dumps([own, *others])}.")
        there = "" if machine == own else _figures.on_processor(machine["CPU"])
        for name, cases in part["ratios"].items():
            found = ratios.setdefault(name, {})
            for case in cases:
                found[case["case"], case["against"]] = {**case, "case": case["case"] + there}
    return {**parts[0], "ratios": {name: list(cases.values()) for name, cases in ratios.items()}}


def shipped(folder: Path = RESULTS) -> dict[str, Any]:
    """Return what the wheel carries."""
    found = merged([folder / name for name in REPORTS if (folder / name).exists()])
    found["ratios"] |= beside_addons(folder / "addons.json")
    return found


if __name__ == "__main__":
    _results.write_json(shipped(), TARGET)
