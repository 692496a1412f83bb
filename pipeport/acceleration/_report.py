"""What became of the boundaries of a process, as data and as text."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.metadata
import json
import os
import platform
import textwrap
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pipeport
from pipeport._shown import Part, Table, as_html
from pipeport.acceleration._verdict import Trials, Verdict
from pipeport.verify._fingerprint import processor

_WIDTH = 80
_PACKAGES = (
    "tensorflow", "numpy", "scikit-image", "scipy", "opencv-python", "opencv-python-headless", "pillow",
    "albumentations",
)  # fmt: skip
_INDENT = " " * 10
_COLUMNS = ("runs as", "boundary", "because")


class RunReport:
    """What became of each boundary so far; it grows while the process runs.

    Parameters
    ----------
    trials : Trials
        What became of them.
    """

    def __init__(self, trials: Trials) -> None:
        self._trials = trials

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """One for each boundary that was traced, in that order."""
        return tuple(self._trials.verdicts)

    @property
    def native(self) -> int:
        """How many became native."""
        return sum(one.is_native for one in self.verdicts)

    @property
    def share(self) -> float | None:
        """Share of Python's measured seconds an epoch that is saved; None if none were measured."""
        measured = [one for one in self.verdicts if one.python is not None and one.native is not None]
        before = sum(_seconds(one) for one in measured)
        if not before:
            return None
        return sum(max(one.gain or 0.0, 0.0) for one in measured if one.is_native) / before

    def as_json(self) -> dict[str, Any]:
        """Return plain data that `json` writes.

        Returns
        -------
        dict
            `format`, `versions`, `machine`, `settings`, `seconds` of all trials, `share`, `boundaries`,
            `children`, and `command`, which is what `pipeport run` was asked to run.
        """
        settings = self._trials.settings
        return {
            "format": 1,
            "versions": versions(),
            "machine": {"architecture": platform.machine(), "processors": os.cpu_count()},
            "settings": {name: getattr(settings, name) for name in settings.__dataclass_fields__},
            "seconds": self._trials.spent,
            "share": self.share,
            "boundaries": [one.as_dict() for one in self.verdicts],
            "command": self._trials.command,
            "children": list(self._trials.children),
        }

    def write(self, file: Path) -> None:
        """Write the data to a file; whoever reads it meanwhile finds the one before.

        Parameters
        ----------
        file : Path
            In a folder that exists.
        """
        beside = file.with_name(f".{file.name}.{os.getpid()}")
        beside.write_text(json.dumps(self.as_json(), indent=2) + "\n", encoding="utf-8")
        beside.replace(file)

    def __str__(self) -> str:
        return "\n".join(_lines(self, self._trials.children))

    def _repr_html_(self) -> str:
        return as_html(_parts(self, self._trials.children))


def digest(file: str) -> str:
    """Return the SHA-256 of a file that boundaries come from.

    Returns: empty where it cannot be read.
    """
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    except OSError:
        return ""


@functools.cache
def versions() -> dict[str, str]:
    """Return the versions of what takes part, as installed, and the kind of processor.

    Returns: by package; 'cpu' is the architecture and its vector instructions.
    """
    found = {"pipeport": pipeport.__version__, "python": platform.python_version(), "cpu": processor()}
    for package in _PACKAGES:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found[package] = importlib.metadata.version(package)
    return found


def _seconds(one: Verdict) -> float:
    """Return what an epoch of a boundary takes in Python."""
    return 0.0 if one.python is None else one.python.element * one.count + one.python.start


def _lines(report: RunReport, children: list[str]) -> Iterator[str]:
    yield from textwrap.wrap(_head(report), _WIDTH)
    for one in report.verdicts:
        title = f"{_kind(one)}  {_boundary(one)}"
        yield from textwrap.wrap(title, _WIDTH, initial_indent="  ", subsequent_indent=_INDENT)
        for line in _details(one):
            yield from textwrap.wrap(line, _WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT)
    if children:
        yield from textwrap.wrap(_told(children), _WIDTH, initial_indent="  ", subsequent_indent=_INDENT)


def _parts(report: RunReport, children: list[str]) -> Iterator[Part]:
    yield _head(report)
    rows = [(_kind(one), _boundary(one), "\n".join(_details(one))) for one in report.verdicts]
    yield Table(_COLUMNS, rows, _COLUMNS)
    if children:
        yield _told(children)


def _head(report: RunReport) -> str:
    verdicts, share = report.verdicts, report.share
    if not verdicts:
        return "pipeport: no boundary was traced in a graph."
    head = f"pipeport: {report.native} of {len(verdicts)} boundaries native"
    if share is not None:
        head += f"; they take {100 * share:.0f} % less of the seconds that were measured an epoch"
    return f"{head}."


def _kind(one: Verdict) -> str:
    return "native" if one.is_native else "Python"


def _boundary(one: Verdict) -> str:
    times = f" (traced {one.uses} times)" if one.uses > 1 else ""
    where = f"{_place(one.place)} {one.name}" if ":" in one.place else one.place
    return f"{where}{times}"


def _told(children: list[str]) -> str:
    told = "; ".join(
        f"{name} ({count} times)" if count > 1 else name for name, count in Counter(children).items()
    )
    return f"Processes that the script started run as they are: {told}."


def _details(one: Verdict) -> Iterator[str]:
    if one.python is not None and one.native is not None and one.gain is not None:
        said = f"{1e3 * one.python.element:.3g} -> {1e3 * one.native.element:.3g} ms an element"
        said += f", start {one.python.start:.2f} -> {one.native.start:.2f} s"
        count = f"{one.count} elements" if one.elements is None else f"{one.elements}"
        verb = "gains" if one.gain >= 0 else "loses"
        yield f"{said}; an epoch of {count} {verb} {abs(one.gain):.2g} s"
    if one.is_native:
        said = f"{one.agreed} elements of {', '.join(one.specs)} agreed; other shapes were not tried"
        if one.exact_bits:
            said += "; natives that interpolate give every bit"
        if one.fast_start:
            said += "; its map starts fast"
        if one.remembered:
            said += "; its times are those of an earlier run"
        if one.islands:
            said += f"; {one.islands} calls inside stay Python"
        yield said
    else:
        yield f"{one.code}: {one.why}."
        yield one.advice


def _place(place: str) -> str:
    """Return a place relative to the working folder, where it is below that."""
    relative = os.path.relpath(place)
    return place if relative.startswith("..") else relative
