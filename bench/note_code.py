"""Note in the committed results which code each figure was measured on.

    python bench/note_code.py

The fingerprint is that of the sources at the figure's own commit (`pipeport._reach.code_of`), so that it
can be computed at any time, and again when the way it is computed changes. Afterwards
`python bench/update_ratios.py` and `python bench/readme_table.py` carry it into the documents.
"""

from __future__ import annotations

import io
import json
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pipeport._figures import short
from pipeport._reach import code_of
from pipeport.bench import _results
from pipeport.bench._codes import of_recipe

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
# Here figures have no cases of a report, but a name, and a list of ratios.
BY_NAME = ("addons.json", "recipes.json")
# What is measured of functions, not of pairs or programs: the programs that measure it note the code.
OF_FUNCTIONS = ("pitfalls.json", "tf-function.json")

Code = Callable[[str | None, str], str]


@contextmanager
def codes(repository: Path = ROOT) -> Iterator[Code]:
    """Give a function of a commit and a name: the fingerprint of the code at that commit.

    A name is a native's, or 'recipes/NAME' for the two programs of a recipe.
    """
    with tempfile.TemporaryDirectory(prefix="pipeport-code-") as folder:

        def tree(commit: str) -> Path:
            """Return the sources of a commit, taken out of git the first time they are asked for."""
            target = Path(folder) / commit
            if not target.exists():
                command = ["git", "-C", str(repository), "archive", commit, "pipeport", "recipes"]
                content = subprocess.run(command, capture_output=True, check=True).stdout
                with tarfile.open(fileobj=io.BytesIO(content)) as archive:
                    archive.extractall(target, filter="data")
            return target

        def code(commit: str | None, name: str) -> str:
            if commit is None or commit.endswith("+"):
                return ""  # what was not committed cannot be looked at
            sources = tree(commit)
            package = sources / "pipeport"
            if name.startswith("recipes/"):
                return of_recipe(sources / name, package)
            return code_of(name, root=package)

        yield code


def note_report(path: Path, code: Code) -> None:
    """Note the code of every pair in a report; what code a program runs is known only where it runs."""
    report = _results.read(path)
    for result in (one for one in report.cases if one.case.pair):
        result.code = code(report.commit_of(result), result.case.pair)
    _results.write(report, path)


def note_ratios(path: Path, code: Code) -> None:
    """Note rounds, commit and code of every ratio of a file that has ratios by name."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    for name, figures in found["ratios"].items():
        for figure in figures:
            # One commit for the whole file, and no number of rounds, is the older form.
            commit = short(figure.pop("commit", found.get("commit")))
            sides = rounds_of(found["rounds"][name], figure["case"])
            rounds = figure.pop("rounds", 0) or min(map(len, sides.values()))
            figure.pop("code", None)  # so that it comes last
            figure |= {"rounds": rounds, "commit": commit, "code": code(commit, name)}
    _results.write_json(found, path)


def rounds_of(rounds: dict[str, Any], case: str) -> dict[str, list[Any]]:
    """Return the rounds of one case by side; of a recipe with one case they stand without its name."""
    return rounds.get(case, rounds)


def main() -> None:
    """Go over all committed results."""
    with codes() as code:
        for path in sorted(RESULTS.glob("*.json")):
            if path.name in OF_FUNCTIONS:
                continue
            (note_ratios if path.name in BY_NAME else note_report)(path, code)
            print(f"noted: {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
