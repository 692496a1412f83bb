"""Proofs and figures of the newest release, from pipeport/releases/<version>.json.

Imports no TensorFlow. The entry of a pair, the README and the recipes show what stands there; a pair that is
newer is proved and measured by whoever asks.
"""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeport.errors import PipeportError, explain

FOLDER = Path(__file__).with_name("releases")
FORMAT = 1
MAIN = "main"
NOT_YET = "not in a release yet"
Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Release:
    """The contents of a release's file.

    `version`, `date`, `machine`: which release; when, and on what, it was proved and measured, in words.
    `versions`: versions of packages by environment, 'main' and 'addons'. `proofs`: per native the number of
    examples by engine; an engine that it does not serve is absent. `figures`: per native its cases: `case`,
    `against`, `ratio`, `low`, `high`, `verdict`, `rounds`. `programs`: per suite its programs: the same, with
    `name`, and with `first_batch_s` (before, after) and `memory` (after / before) where the suite takes them.
    """

    version: str
    date: str
    machine: str
    versions: dict[str, dict[str, str]]
    proofs: dict[str, dict[str, int]]
    figures: dict[str, Rows]
    programs: dict[str, Rows]

    def origin(self, environment: str = MAIN) -> str:
        """Return version, machine and date in words: 'release 0.1.0, TensorFlow 2.21.0, ...'."""
        tensorflow = self.versions[environment]["tensorflow"]
        return f"release {self.version}, TensorFlow {tensorflow}, {self.machine}, {self.date}"

    def proof_text(self, native: str) -> str:
        """Return how a native was proved: '200 examples in eager; 100 examples in graph, xla'."""
        engines: dict[int, list[str]] = {}
        for engine, examples in self.proofs.get(native, {}).items():
            engines.setdefault(examples, []).append(engine)
        return "; ".join(f"{examples} examples in {', '.join(of)}" for examples, of in engines.items())


def newest() -> Release | None:
    """Return the newest release, or None where there is none."""
    files = sorted(FOLDER.glob("*.json"), key=lambda file: [int(part) for part in file.stem.split(".")])
    return read(files[-1]) if files else None


@functools.cache
def read(file: Path) -> Release:
    """Read the file of a release.

    `file`: one line per native that was proved, and per case and program that was measured. Returns: the same
    by native and by suite.
    """
    data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    if data.get("format") != FORMAT:
        advice = "Install pipeport again."
        raise PipeportError(explain(file.name, f"format {data.get('format')}", str(FORMAT), advice))
    return Release(
        **{name: data[name] for name in ("version", "date", "machine", "versions")},
        proofs={row.pop("native"): row for row in data["proofs"]},
        figures=_grouped(data["figures"], "native"),
        programs=_grouped(data["programs"], "suite"),
    )


def _grouped(rows: Rows, key: str) -> dict[str, Rows]:
    groups: dict[str, Rows] = {}
    for row in rows:
        groups.setdefault(row.pop(key), []).append(row)
    return groups
