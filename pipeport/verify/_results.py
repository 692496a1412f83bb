"""The results file: kept after every case, so that a long verification can be stopped and resumed."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from pipeport.errors import OutsideDomain, explain
from pipeport.verify._report import CaseRecord

FORMAT = 1


class Results:
    """Cases kept in a JSON file.

    Parameters
    ----------
    path : Path
        The file; it need not exist.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self) -> dict[str, CaseRecord]:
        """Return the cases in the file, by key.

        Raises
        ------
        OutsideDomain
            The file is not one of ours.
        """
        if not self.path.exists():
            return {}
        advice = "Choose another file with --results, or delete this one."
        try:
            data: Any = json.loads(self.path.read_text(encoding="utf-8"))
            if data["format"] != FORMAT:
                given = f"{self.path} of format {data['format']!r}"
                raise OutsideDomain(explain("results", given, f"format {FORMAT}", advice))
            return {key: CaseRecord.from_json(case) for key, case in data["cases"].items()}
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            if isinstance(error, OutsideDomain):
                raise
            given = f"{self.path}, which is no results file ({type(error).__name__}: {error})"
            raise OutsideDomain(
                explain("results", given, "a file that pipeport verify wrote", advice)
            ) from error

    def keep(self, *new: CaseRecord) -> None:
        """Add or replace cases: read, merge and replace the file in one step, under a lock."""
        with self._lock():
            cases = {**self.load(), **{case.key: case for case in new}}
            data = {"format": FORMAT, "cases": {k: cases[k].to_json() for k in sorted(cases)}}
            write_atomically(self.path, json.dumps(data, indent=1, ensure_ascii=False) + "\n")

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


def merged(paths: Iterable[Path], current: Callable[[CaseRecord], bool]) -> list[CaseRecord]:
    """Return the cases of several files, one per pair and engine.

    Parameters
    ----------
    paths : iterable of Path
        Files that `pipeport verify --results` wrote.
    current : callable
        Whether a case was verified from the sources and versions of now; such a case goes before
        one that is not, then one that failed before one that passed (a failure is never hidden),
        then the one with more examples.

    Returns
    -------
    list of CaseRecord
        Sorted by pair and engine.

    Raises
    ------
    OutsideDomain
        A file is missing, or not one of ours.
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
