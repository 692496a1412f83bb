"""What `pipeport bench --suites` prints: the suites that go by name."""

from __future__ import annotations

from pathlib import Path

from pipeport.cli import _output


def show(json_file: Path | None) -> None:
    """Print each suite's name, how many cases it has here, what they take, and what it is for."""
    from pipeport.bench import _results
    from pipeport.bench._plans import expand
    from pipeport.bench._suites import read_suite, suites, suites_of_functions
    from pipeport.trace import _suite

    listing = []
    for suite in suites():
        expanded = expand(read_suite(suite.path))
        minutes = max(1, round(expanded.seconds / 60))
        listing.append(
            {
                "name": suite.name,
                "about": suite.about,
                "cases": len(expanded.cases),
                "left_out": len(expanded.left_out),
                "minutes": minutes,
            }
        )
        left_out = f", {len(expanded.left_out)} left out here" if expanded.left_out else ""
        _output.write(f"{suite.name}: {len(expanded.cases)} cases{left_out}, about {minutes} min")
        _output.write_wrapped(f"    {suite.about}", indent=4)
    for suite in suites_of_functions():
        entries = _suite.read(suite.path).entries
        minutes = max(1, round(sum(entry.seconds for entry in entries) / 60))
        listing.append(
            {
                "name": suite.name,
                "about": suite.about,
                "cases": len(entries),
                "left_out": 0,
                "minutes": minutes,
            }
        )
        _output.write(f"{suite.name}: {len(entries)} functions, about {minutes} min")
        _output.write_wrapped(f"    {suite.about}", indent=4)
    _output.write("\n`pipeport bench --suite NAME` measures one; --list with it shows its cases.")
    if json_file:
        _results.write_json({"format": 1, "suites": listing}, json_file)
