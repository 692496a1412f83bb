"""Write pipeport/last_ratios.json, which travels in the wheel, from the committed results.

python bench/update_ratios.py bench/results/headline.json

Figures of bench/results/addons.json are added, each with the TensorFlow it was measured on.
"""

import json
import sys
from pathlib import Path
from typing import Any

from pipeport.bench import _ratios, _results

TARGET = Path(__file__).parent.parent / "pipeport" / "last_ratios.json"
ADDONS = Path(__file__).with_name("results") / "addons.json"


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


def main(source: Path, target: Path = TARGET, addons: Path = ADDONS) -> None:
    """Write."""
    last = _ratios.last_ratios(_results.read(source))
    last["ratios"] |= beside_addons(addons)
    _results.write_json(last, target)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
