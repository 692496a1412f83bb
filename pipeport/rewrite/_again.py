"""A script that is run again after its files were rewritten."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeport.rewrite._evidence import Evidence


@dataclass(frozen=True)
class Again:
    """What a second run of a script has shown.

    Attributes
    ----------
    code : int
        Its exit code.
    before, after : int
        Boundaries that were native, in the first run and in the second.
    left : int
        Boundaries that Python runs in the second.
    lost : tuple of str
        Places of functions that were native in the first run, and are Python in the second.
    """

    code: int
    before: int
    after: int
    left: int
    lost: tuple[str, ...]

    def __str__(self) -> str:
        if self.code:
            return f"The script was run again and ended with exit code {self.code}; its files are rewritten."
        told = f"The script ran again: {self.before} boundaries were native before; {self.after} are now"
        told += f", {self.left} stay Python, and those that became ports are boundaries no more."
        return f"{told} Python again: {', '.join(self.lost)}." if self.lost else told

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        about = {"code": self.code, "before": self.before, "after": self.after}
        return {**about, "left": self.left, "lost": list(self.lost)}


def run_again(evidence: Evidence) -> Again:
    """Run the script of a report again, with the same arguments in the same folder.

    Parameters
    ----------
    evidence : Evidence
        Of the first run.

    Returns
    -------
    Again
        What the second has shown; the script's own output goes where this one's goes.
    """
    asked = evidence.command
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        options = ["--report", str(report), *evidence.options, *(["-m"] if asked["module"] else [])]
        command = [sys.executable, "-m", "pipeport", "run", *options, asked["script"], *asked["arguments"]]
        done = subprocess.run(command, cwd=asked["folder"], check=False)
        second = json.loads(report.read_text(encoding="utf-8"))["boundaries"] if report.exists() else []
    natives = {_function(one) for one in evidence.boundaries if one["native"]}
    stay = [one for one in second if not one["native"]]
    lost = sorted(one["place"] for one in stay if _function(one) in natives)
    before, after = (sum(one["native"] for one in each) for each in (evidence.boundaries, second))
    return Again(done.returncode, before, after, len(stay), tuple(lost))


def _function(boundary: Mapping[str, Any]) -> tuple[str, str]:
    """Return file and name of a function; its line may be another by now."""
    return boundary["place"].rpartition(":")[0], boundary["name"]
