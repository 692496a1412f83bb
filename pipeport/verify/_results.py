"""The results file: kept after every case, so that a long verification can be stopped and resumed.

One line per case; the versions that took part stand once, under a name that the cases refer to.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import astuple
from pathlib import Path
from typing import Any

from pipeport.errors import OutsideDomain, explain
from pipeport.verify._report import CaseRecord, DtypeRecord, Failure

FORMAT = 2
# In the first, every field of a case had a line of its own.
FORMATS = (1, FORMAT)


class Results:
    """Cases kept in a JSON file.

    `path`: the file; it need not exist.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self) -> dict[str, CaseRecord]:
        """Return the cases in the file, by key."""
        if not self.path.exists():
            return {}
        advice = "Choose another file with --results, or delete this one."
        try:
            data: Any = json.loads(self.path.read_text(encoding="utf-8"))
            if data["format"] not in FORMATS:
                given = f"{self.path} of format {data['format']!r}"
                raise OutsideDomain(explain("results", given, f"format {FORMAT}", advice))
            if data["format"] == 1:
                return {key: CaseRecord.from_json(case) for key, case in data["cases"].items()}
            known = data["environments"]
            return {key: _from_line(key, line, known) for key, line in data["cases"].items()}
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            if isinstance(error, OutsideDomain):
                raise
            given = f"{self.path}, which is not a results file ({type(error).__name__}: {error})"
            raise OutsideDomain(
                explain("results", given, "a file that pipeport verify wrote", advice)
            ) from error

    def keep(self, *new: CaseRecord) -> None:
        """Add or replace cases: read, merge and replace the file in one step, under a lock."""
        with self._lock():
            self.replace({**self.load(), **{case.key: case for case in new}}.values())

    def replace(self, cases: Iterable[CaseRecord]) -> None:
        """Write the file anew, with these cases alone."""
        write_atomically(self.path, _as_text({case.key: case for case in cases}))

    @contextlib.contextmanager
    def _lock(self) -> Iterator[None]:
        """Keep other shards out while one of them merges; without `fcntl` there is one shard."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            import fcntl
        except ImportError:
            yield
            return
        # The folder is locked, not the file: the file is replaced, and a lock would go with it.
        handle = os.open(self.path.parent, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)


def _as_text(cases: Mapping[str, CaseRecord]) -> str:
    """Return JSON with one line per environment and per case."""
    environments = {_name_of(case.versions): case.versions for case in cases.values() if case.versions}
    lines = {key: _line(cases[key]) for key in sorted(cases)}
    parts = [f'{{\n"format": {FORMAT}']
    for title, entries in (("environments", dict(sorted(environments.items()))), ("cases", lines)):
        body = ",\n".join(
            f" {json.dumps(key, ensure_ascii=False)}: {json.dumps(entry, ensure_ascii=False)}"
            for key, entry in entries.items()
        )
        parts.append(f'"{title}": {{\n{body}\n}}')
    return ",\n".join(parts) + "\n}\n"


def _name_of(versions: Mapping[str, str] | None) -> str:
    text = json.dumps(versions, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:6] if versions else ""


def _line(case: CaseRecord) -> dict[str, Any]:
    """Return the record of a case, without empty values, errors to three digits."""
    dtypes = {
        one.dtype: [one.examples, one.refused, *(float(f"{x:.3g}") for x in (one.ratio, one.error))]
        for one in case.dtypes
    }
    failure = case.failure and list(astuple(case.failure))
    line = {
        "status": case.status,
        "examples": case.examples,
        "wanted": case.wanted,
        "large": case.large,
        "dtypes": dtypes,
        "failure": failure,
        "note": case.note,
        "seed": case.seed,
        "fingerprint": case.fingerprint,
        "environment": _name_of(case.versions),
    }
    return {name: value for name, value in line.items() if value or name == "status"}


def _from_line(key: str, line: Mapping[str, Any], environments: Mapping[str, Any]) -> CaseRecord:
    own = dict(line)
    pair, _, engine = key.rpartition("|")
    named = own.pop("environment", None)
    own["dtypes"] = tuple(DtypeRecord(dtype, *numbers) for dtype, numbers in own.get("dtypes", {}).items())
    own["failure"] = Failure(*own["failure"]) if "failure" in own else None
    return CaseRecord(pair, engine, versions=environments[named] if named else None, **own)


def merged(paths: Iterable[Path], current: Callable[[CaseRecord], bool]) -> list[CaseRecord]:
    """Return the cases of several files, one per pair and engine.

    `paths`: files that `pipeport verify --results` wrote. `current`: whether a case was verified from the
    sources and versions of now; such a case goes before one that is not, then one that failed before one that
    passed (a failure is never hidden), then the one with more examples.
    """
    best: dict[str, tuple[Any, CaseRecord]] = {}
    for path in paths:
        if not path.exists():
            advice = "Name files that `pipeport verify --results` wrote."
            raise OutsideDomain(explain("merge", f"{path}, which does not exist", "a results file", advice))
        for key, case in Results(path).load().items():
            rank = (current(case), case.status == "failed", case.examples)
            if key not in best or rank > best[key][0]:
                best[key] = (rank, case)
    return [best[key][1] for key in sorted(best)]


def write_atomically(path: Path, text: str) -> None:
    """Replace a file by a whole new one: a reader sees the old or the new, never a half."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(0o644)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
