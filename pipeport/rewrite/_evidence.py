"""What `pipeport run --report` has seen of the boundaries in a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipeport.acceleration._report import digest
from pipeport.errors import OutsideDomain, explain

_NEEDED = (
    "sites",
    "place",
    "native",
    "code",
    "why",
    "advice",
    "name",
    "wrapper",
    "files",
    "tensors",
    "draws",
    "islands",
    "exact_bits",
)


class Evidence:
    """The boundaries of a report, by the place of their calls.

    Parameters
    ----------
    report : mapping
        What `pipeport run --report` wrote.

    Attributes
    ----------
    command : dict
        What was run; empty where a program called `pipeport.install`.
    options : list of str
        Options of the run that decide what becomes native.
    boundaries : list of dict
        As the report has them.
    """

    def __init__(self, report: Mapping[str, Any]) -> None:
        settings = report["settings"]
        switches = {"exact": "--exact", "prefer_native": "--prefer-native", "fresh": "--fresh"}
        self.options = [option for name, option in switches.items() if settings.get(name)]
        self.options += [] if settings.get("islands", True) else ["--no-islands"]
        self.command: dict[str, Any] = report["command"]
        self.boundaries: list[dict[str, Any]] = list(report["boundaries"])
        self._current: dict[str, bool] = {}

    def of(self, file: Path, first: int, last: int, *, decorated: bool) -> list[dict[str, Any]]:
        """Return what became of the boundaries that a call or a decorator made.

        Parameters
        ----------
        file : Path
            Where it stands.
        first, last : int
            Its lines.
        decorated : bool
            Whether a function is decorated there, which is called elsewhere.

        Returns
        -------
        list of dict
            As the report has them; one for each function that was passed, and each kind of elements.
        """

        def here(place: str) -> bool:
            path, _, line = place.rpartition(":")
            return line.isdecimal() and first <= int(line) <= last and Path(path).resolve() == file.resolve()

        return [
            one for one in self.boundaries if any(map(here, [one["place"]] if decorated else one["sites"]))
        ]

    def changed(self, boundary: Mapping[str, Any]) -> str:
        """Return the first file that is not what it was when the boundary was tried.

        Parameters
        ----------
        boundary : mapping
            Of the report.

        Returns
        -------
        str
            Its path; empty where all are as they were.
        """
        for path, text in boundary["files"].items():
            if path not in self._current:
                self._current[path] = digest(path) == text
            if not self._current[path]:
                return str(path)
        return ""


def read_evidence(path: Path) -> Evidence:
    """Read a report.

    Parameters
    ----------
    path : Path
        A file that `pipeport run --report` wrote.

    Returns
    -------
    Evidence
        What it says.

    Raises
    ------
    OutsideDomain
        It is no such file.
    """
    allowed, advice = "what `pipeport run --report FILE` writes", "Run the script with --report first."
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        given = f"{path} ({error.strerror})"
        raise OutsideDomain(explain("--evidence", given, allowed, advice)) from error
    except ValueError as error:
        raise OutsideDomain(explain("--evidence", f"{path} (no JSON)", allowed, advice)) from error
    if not _is_report(report):
        raise OutsideDomain(explain("--evidence", f"{path} (another JSON)", allowed, advice))
    return Evidence(report)


def _is_report(found: Any) -> bool:
    kinds = (("command", dict), ("settings", dict), ("boundaries", list))
    if not isinstance(found, dict) or not all(isinstance(found.get(name), kind) for name, kind in kinds):
        return False
    return all(isinstance(one, dict) and set(_NEEDED) <= set(one) for one in found["boundaries"])
