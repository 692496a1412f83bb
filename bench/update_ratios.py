"""Write pipeport/last_ratios.json, which travels in the wheel, from one committed result.

python bench/update_ratios.py bench/results/headline.json
"""

import sys
from pathlib import Path

from pipeport.bench import _ratios, _results

TARGET = Path(__file__).parent.parent / "pipeport" / "last_ratios.json"


def main(source: Path, target: Path = TARGET) -> None:
    _results.write_json(_ratios.last_ratios(_results.read(source)), target)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
