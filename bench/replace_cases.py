"""Put cases that were measured again into a committed report, and draw it anew.

    pipeport bench scipy.ndimage.shift --rounds 3 --seconds 0.4 --json again.json
    python bench/replace_cases.py bench/results/geometry.json again.json --plot bench/results/geometry.svg

Refuses reports of unlike machines, packages, threads or protocols. Every case keeps the commit it was
measured on. Afterwards `python bench/update_ratios.py` and `python bench/readme_table.py` carry the
figures into the documents.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from pipeport.bench import _compare, _results
from pipeport.bench._plot import plot


def main() -> None:
    """Merge two reports into the first."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("report", type=Path, help="the committed report")
    parser.add_argument("again", type=Path, help="a later one of some of its cases")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the whole")
    arguments = parser.parse_args()
    old, new = _results.read(arguments.report), _results.read(arguments.again)
    unlike = list(_compare.differences(old, new))
    if old.environment["versions"] != new.environment["versions"]:
        unlike.append("versions of packages differ")
    if unlike or new.interrupted:
        parser.error("; ".join(unlike) or f"{arguments.again} was interrupted")
    merged = _results.replaced(old, new)
    _results.write(merged, arguments.report)
    print(f"{len(new.cases)} of {len(merged.cases)} cases measured again.")
    if arguments.plot:
        plot(merged, arguments.plot)


if __name__ == "__main__":
    main()
