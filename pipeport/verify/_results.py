"""The results file: kept after every case, so that a long verification can be stopped and resumed."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator
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

    def keep(self, case: CaseRecord) -> None:
        """Add or replace one case: read, merge and replace the file in one step, under a lock."""
        with self._lock():
            cases = {**self.load(), case.key: case}
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
