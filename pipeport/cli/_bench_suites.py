"""Output of `pipeport bench --suites`: the named suites."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pipeport.cli import _output

if TYPE_CHECKING:
    from pipeport.bench._suites import Suite


def show(json_file: Path | None) -> None:
    """Print each suite's name, how many cases it has here, what they take, and what it is for."""
    from pipeport.bench import _results
    from pipeport.bench._plans import expand
    from pipeport.bench._suites import read_suite, suites, suites_of_functions
    from pipeport.trace import _suite

    listing = []

    def list_one(suite: Suite, number: int, what: str, seconds: float, left_out: int = 0) -> None:
        minutes = max(1, round(seconds / 60))
        listing.append(
            {
                "name": suite.name,
                "about": suite.about,
                "cases": number,
                "left_out": left_out,
                "minutes": minutes,
            }
        )
        others = f", {left_out} left out here" if left_out else ""
        _output.write(f"{suite.name}: {number} {what}{others}, about {minutes} min")
        _output.write_wrapped(f"    {suite.about}", indent=4)

    for suite in suites():
        expanded = expand(read_suite(suite.path))
        list_one(suite, len(expanded.cases), "cases", expanded.seconds, len(expanded.left_out))
    for suite in suites_of_functions():
        entries = _suite.read(suite.path).entries
        list_one(suite, len(entries), "functions", sum(entry.seconds for entry in entries))
    _output.write("\n`pipeport bench --suite NAME` measures one; --list with it shows its cases.")
    if json_file:
        _results.write_json({"format": 1, "suites": listing}, json_file)
