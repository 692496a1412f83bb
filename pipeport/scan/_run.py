"""All files: read by one process or by several, findings in the order of the files."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pipeport.scan import _files
from pipeport.scan._cells import Places
from pipeport.scan._files import Problem
from pipeport.scan._findings import Finding, scan_file, scan_uses
from pipeport.scan._helpers import Helper
from pipeport.scan._plan import Plan, diffs
from pipeport.scan._reader import Reader
from pipeport.scan._rules import CODES, UNKNOWN
from pipeport.scan._settings import Settings

_FEW = 200  # files for which starting processes takes longer than scanning
_CHUNK = 64
_ROUNDS = 4  # a helper of a helper of a helper

Part = tuple[list[tuple[Path, list[Finding]]], list[Helper], list[Problem]]


@dataclass(frozen=True)
class Result:
    """The result of a scan.

    Attributes
    ----------
    findings : tuple of Finding
        By file and line.
    problems : tuple of Problem
        Files that could not be scanned.
    names : dict of Path to str
        The files that were looked at, and their paths as the user gave them.
    """

    findings: tuple[Finding, ...]
    problems: tuple[Problem, ...]
    names: dict[Path, str]

    @property
    def files(self) -> int:
        """How many files were looked at."""
        return len(self.names)


def scan(
    paths: list[str],
    *,
    stdin: bytes = b"",
    settings: Settings | None = None,
    processes: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Result:
    """Find where Python is called inside graphs, without importing anything of what is scanned.

    Parameters
    ----------
    paths : list of str
        Files and folders; '-' stands for `stdin`.
    stdin : bytes, default b""
        A program.
    settings : Settings, optional
        What is left out; by default nothing is.
    processes : int, optional
        How many; by default one for few files, one per core for many.
    progress : callable, optional
        Is told how many files are done, and how many there are.

    Returns
    -------
    Result
        Findings and problems.

    Raises
    ------
    UnsupportedArgument
        A path does not exist.
    """
    problems: list[Problem] = []
    given = [Path(path) for path in paths if path != _files.STDIN]
    shown = _files.files(given, problems)
    if settings is not None:
        shown = [path for path in shown if not settings.excluded(path)]
    names = {Path(os.path.abspath(path)): str(path) for path in shown}  # noqa: PTH100 - links stay
    sources = {}
    if _files.STDIN in paths:
        path = Path.cwd() / _files.STDIN
        names[path] = _files.STDIN
        sources[path] = stdin
    todo = list(names)
    workers = processes or (len(os.sched_getaffinity(0)) if len(todo) > _FEW else 1)
    findings: dict[Path, list[Finding]] = {}
    helpers: list[Helper] = []
    with _Pool(workers, names, sources) as each:
        done = 0
        for part in each(_scan_chunk, [(chunk, []) for chunk in _chunks(todo)]):
            done += min(_CHUNK, len(todo) - done)
            if progress is not None:
                progress(done, len(todo))
            helpers += _add(part, findings, problems)
        known: set[Helper] = set()
        for _ in range(_ROUNDS):
            helpers = [helper for helper in dict.fromkeys(helpers) if helper not in known]
            if not helpers:
                break
            known |= set(helpers)
            parts = each(_uses_chunk, [(chunk, helpers) for chunk in _chunks(todo)])
            helpers = [helper for part in parts for helper in _add(part, findings, problems)]
    # A bug may stand in a file of which another calls a function.
    order = {name: number for number, name in enumerate(names.values())}
    ordered = [one for path in todo for one in findings.get(path, [])]
    ordered.sort(key=lambda one: (order.get(one.path, len(order)), one.path, one.line, one.code))
    ordered = _with_diffs(_passed_over(list(dict.fromkeys(ordered))))
    if settings is not None:
        ordered = [one for one in ordered if one.code in settings.codes]
    places = Places()
    told = dict.fromkeys(map(places.of_problem, problems))
    return Result(tuple(map(places.of_finding, ordered)), tuple(told), names)


def _add(part: Part, findings: dict[Path, list[Finding]], problems: list[Problem]) -> list[Helper]:
    found, helpers, more = part
    for path, ones in found:
        findings.setdefault(path, []).extend(ones)
    problems.extend(more)
    return helpers


def _passed_over(findings: list[Finding]) -> list[Finding]:
    """Judge no default of a parameter where a caller hands over another function."""
    handed: dict[tuple[str, int] | None, set[str | None]] = {}
    for one in findings:
        handed.setdefault(one.boundary, set()).add(one.function)

    def judged(one: Finding) -> Finding:
        if not one.parameter or handed.get((one.path, one.line), {one.function}) == {one.function}:
            return one
        reason = f"Callers hand over other functions than {one.function}, its default: see their lines."
        here = (one.path, one.line)
        return replace(
            one, function=one.parameter, verdict=UNKNOWN, code=CODES[UNKNOWN], reason=reason, reason_at=here,
            body=None, calls=(), gain="",
        )  # fmt: skip

    return list(map(judged, findings))


def _with_diffs(findings: list[Finding]) -> list[Finding]:
    """Add the lines that are written, which findings of one line share."""
    plans: dict[str, list[Plan]] = {}
    for one in findings:
        if one.plan is not None and one.is_written:
            plans.setdefault(one.path, []).append(one.plan)
    text = {path: diffs(those) for path, those in plans.items()}
    return [
        replace(one, diff=text[one.path][one.plan.span]) if one.plan is not None and one.is_written else one
        for one in findings
    ]


def _chunks(todo: list[Path]) -> list[list[Path]]:
    return [todo[at : at + _CHUNK] for at in range(0, len(todo), _CHUNK)]


class _Pool:
    """Gives a function that runs chunks: here, or in processes."""

    def __init__(self, workers: int, *about: Any) -> None:
        self._executor: ProcessPoolExecutor | None = None
        if workers > 1:
            context = multiprocessing.get_context("forkserver" if os.name == "posix" else "spawn")
            self._executor = ProcessPoolExecutor(
                workers, mp_context=context, initializer=_start, initargs=about
            )
        else:
            _start(*about)

    def __enter__(self) -> Callable[..., Iterator[Part]]:
        if self._executor is None:
            return map
        return self._executor.map

    def __exit__(self, *error: object) -> None:
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)


_reader: Reader


def _start(names: dict[Path, str], sources: dict[Path, bytes]) -> None:
    global _reader  # noqa: PLW0603 - one per process
    _reader = Reader(names, sources)


def _scan_chunk(chunk: tuple[list[Path], list[Helper]]) -> Part:
    found: list[tuple[Path, list[Finding]]] = []
    helpers: list[Helper] = []
    _reader.problems = []
    for path in chunk[0]:
        ones, more = scan_file(path, _reader)
        if ones:
            found.append((path, ones))
        helpers += more
    return found, helpers, _reader.problems


def _uses_chunk(chunk: tuple[list[Path], list[Helper]]) -> Part:
    found: list[tuple[Path, list[Finding]]] = []
    helpers: list[Helper] = []
    _reader.problems = []
    for path in chunk[0]:
        ones, more = scan_uses(path, chunk[1], _reader)
        if ones:
            found.append((path, ones))
        helpers += more
    return found, helpers, _reader.problems
