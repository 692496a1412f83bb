"""One entry as `pipeport catalog NAME` prints it, for a terminal of 80 columns."""

from __future__ import annotations

import inspect
import itertools
from typing import TYPE_CHECKING, Any

from pipeport import _figures, config
from pipeport._followed import LIBRARIES, Library
from pipeport._releases import NOT_YET
from pipeport.cli import _output

if TYPE_CHECKING:
    from pipeport._releases import Release

_LABELS = 18  # where the text beside the labels begins
# Where a default is not a value: see `_describe`.
_NO_VALUES = (None, "not given", "in the call")


def show(entry: dict[str, Any], release: Release | None) -> None:
    """Print all that is promised and measured for one pair."""
    module, _, function = entry["native"].rpartition(".")
    if entry["speed"]:
        _output.write_wrapped(f"Speed: {entry['speed']}")
        _output.write()
    _output.write_wrapped(f"{function}{entry['signature']}", indent=min(len(function) + 1, _LABELS))
    _output.write_wrapped(entry["summary"])
    _output.write()
    _write_import(module, function)
    _output.write()
    _write_facts(entry)
    _output.write()
    _write_parameters(entry["parameters"])
    _output.write()
    _output.write("Differences from the reference:" if entry["differences"] else "No declared difference.")
    for summary in entry["differences"]:
        _output.write_wrapped(f"  - {summary}", indent=4)
    for label, other in [("Stock op", entry["stock"]), *(("Peer", peer) for peer in entry["peers"])]:
        if other is not None:
            text = f"{label}: {other['name']}; {other['differs'] or 'same answer'}"
            _output.write_wrapped(text, indent=2)
    _output.write()
    _write_ratios(entry["ratios"])
    _write_release(entry, release)


def show_exported(name: str, value: Any) -> None:
    """Print an exported object without a pair."""
    module, _, function = name.rpartition(".")
    signature = inspect.signature(value)
    plain = [one.replace(annotation=one.empty) for one in signature.parameters.values()]
    whole = signature.replace(parameters=plain, return_annotation=signature.empty)
    _output.write_wrapped(f"{function}{whole}", indent=min(len(function) + 1, _LABELS))
    _output.write_wrapped((inspect.getdoc(value) or "").partition("\n")[0])
    _output.write()
    _write_import(module, function)
    _output.write()
    _output.write_wrapped(
        f"No pair of its own: the tests compare it with the reference. All it takes: help({name})."
    )


def _write_import(module: str, function: str) -> None:
    """Print the line to paste; in brackets where it would not fit."""
    line = f"  from {module} import {function}"
    if len(line) <= _output.width():
        _output.write(line)
    else:
        _output.write(f"  from {module} import (\n      {function},\n  )")


def _write_facts(entry: dict[str, Any]) -> None:
    facts = [
        ("replaces", entry["reference"]),
        *(("also", alias) for alias in entry["aliases"]),
        ("proven against", f"{entry['proven_against']}, environment {entry['environment']!r}"),
        *(("results here", _version(one)) for one in LIBRARIES if one.concerns(entry["reference"])),
        ("agreement", entry["agreement"]),
        *([("proof", entry["proof"])] if entry["proof"] else []),
        ("engines", " ".join(entry["engines"])),
        *((f"  {limit['engine']}*", limit["reason"]) for limit in entry["cannot_serve"]),
        ("returns", ", ".join(entry["returns"])),
        *([("large images", entry["large_images"])] if entry["large_images"] else []),
    ]
    for label, text in facts:
        # A dotted name that is too long to stand beside its label is not cut: it stands below.
        fits = max(map(len, text.split())) + _LABELS <= _output.width()
        _output.write_wrapped(f"  {label:<15} {text}", indent=_LABELS if fits else 4)


def _version(library: Library) -> str:
    """Return whose results natives give in this process, and why."""
    version, reason = config.version_and_reason(library)
    return f"{library.name} {version}: {reason}"


def _write_parameters(parameters: list[dict[str, Any]]) -> None:
    _output.write("Parameters:")
    for parameter in parameters:
        name, default = parameter["name"], parameter["default"]
        told = [f"{default or 'required'}"] * (default in _NO_VALUES)
        told += [parameter["given_as"]] + ["ours"] * parameter["extra"]
        value = "" if default in _NO_VALUES else f" = {default}"
        _output.write_wrapped(f"  {name}{value} ({', '.join(told)})", indent=6)
        _output.write_wrapped(f"      {parameter['supported']}", indent=6)
        if parameter["drawn"]:
            _output.write_wrapped(f"      drawn: {parameter['drawn']}", indent=13)
    _output.write_wrapped(
        "Drawn: what the examples of the proof come from, and no limit; the reference's own limits apply."
    )


def _write_ratios(ratios: list[dict[str, Any]]) -> None:
    if not ratios:
        return
    figures = [(case["against"], case["case"], _figures.ratio_text(case)) for case in ratios]
    room = _output.width() - 6
    widest = max((len(case) for _, case, text in figures if len(case) + len(text) <= room), default=0)
    _output.write("Throughput of the native over that of:")
    sides = list(dict.fromkeys(against for against, _, _ in figures))
    figures.sort(key=lambda figure: sides.index(figure[0]))
    for against, cases in itertools.groupby(figures, key=lambda figure: figure[0]):
        _output.write(f"  {against}")
        for _, case, text in cases:
            fits = len(case) <= widest and widest + len(text) <= room
            _output.write(f"    {case:<{widest}}  {text}" if fits else f"    {case}\n      {text}")


def _write_release(entry: dict[str, Any], release: Release | None) -> None:
    """Print the release of proof and ratios, and the commands for this machine."""
    if release is None or not entry["released"]:
        _output.write(f"{NOT_YET.capitalize()}: run")
        _output.write(f"  pipeport verify {entry['short']}\n  pipeport bench {entry['short']}")
        return
    what = "Proof and ratios" if entry["ratios"] else "Not measured yet. Proof"
    _output.write_wrapped(f"{what}: {release.origin(entry['environment'])}.")
    _write_command("Measure here:", f"pipeport bench {entry['short']}")


def _write_command(label: str, command: str) -> None:
    """Print a command to paste, whole: below its label where it would not fit beside it."""
    between = " " if len(label) + len(command) < _output.width() else "\n  "
    _output.write(label + between + command)
