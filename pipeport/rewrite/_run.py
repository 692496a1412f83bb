"""All files: what would change in them, and the writing."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from pipeport.errors import RewriteRefused, explain
from pipeport.rewrite._evidence import Evidence
from pipeport.rewrite._file import rewrite_file
from pipeport.rewrite._records import Rewritten
from pipeport.scan._files import Problem
from pipeport.scan._reader import Reader
from pipeport.scan._rules import RULES
from pipeport.scan._run import scan
from pipeport.scan._settings import Settings

_BOUNDARIES = ("boundary", "generator")


@dataclass(frozen=True)
class Result:
    """What a run has found.

    Attributes
    ----------
    files : tuple of Rewritten
        Those with a boundary.
    problems : tuple of Problem
        Files that could not be read or parsed.
    count : int
        How many were looked at.
    """

    files: tuple[Rewritten, ...]
    problems: tuple[Problem, ...]
    count: int


def rewrite(
    paths: list[str],
    *,
    evidence: Evidence | None = None,
    settings: Settings | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Result:
    """Say what files would hold without their boundaries; nothing is imported, run or written.

    Parameters
    ----------
    paths : list of str
        Files and folders.
    evidence : Evidence, optional
        What a run has seen: boundaries that were native become ports. Without it they become the drop-in.
    settings : Settings, optional
        What is left out, as for a scan.
    progress : callable, optional
        Is told how many files are done, and how many there are.

    Returns
    -------
    Result
        Files and problems.

    Raises
    ------
    UnsupportedArgument
        A path does not exist.
    """
    excluded = None if settings is None else replace(settings, codes=frozenset(RULES))
    scanned = scan(paths, settings=excluded, progress=progress)
    reader = Reader(scanned.names)
    broken = {one.path for one in scanned.problems}
    found = []
    for path, shown in scanned.names.items():
        if shown not in broken:
            findings = [one for one in scanned.findings if one.path == shown and one.kind in _BOUNDARIES]
            one = rewrite_file(path, findings, reader, evidence)
            if one is not None and (one.changes or one.refusals):
                found.append(one)
    return Result(tuple(found), (*scanned.problems, *reader.problems), scanned.files)


def write(file: Rewritten) -> None:
    """Write a file: all of it, or nothing.

    Parameters
    ----------
    file : Rewritten
        The file.

    Raises
    ------
    RewriteRefused
        It has changed since it was read, or cannot be written.
    """
    path = Path(os.path.realpath(file.path))  # a link stays one
    try:
        _check(path, file)
        mode = stat.S_IMODE(path.stat().st_mode)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as new:
                new.write(file.new)
                new.flush()
                os.fsync(new.fileno())
            Path(name).chmod(mode)
            _check(path, file)  # another program may have written meanwhile
            Path(name).replace(path)
        except BaseException:  # Ctrl-C among them: the old file stays
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        advice = "Make the file and its folder writable."
        given = error.strerror or type(error).__name__
        raise RewriteRefused(explain(file.shown, given, "a file that can be written", advice)) from error


def _check(path: Path, file: Rewritten) -> None:
    if path.read_bytes() != file.old:
        given = "another text than was read"
        raise RewriteRefused(explain(file.shown, given, "the file as it was", "Run it again."))
