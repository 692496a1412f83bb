"""The list `pipeport catalog` prints: one line per pair, by library, for a terminal of 80 columns."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from pipeport import _figures
from pipeport._releases import NOT_YET
from pipeport.cli import _output

if TYPE_CHECKING:
    from pipeport._releases import Release

# Longer names, of which there are few, push the other columns of their line aside.
_WIDEST = 35
# Stands for the ratios of a pair that no release has.
_NEW = "new"
_HEADINGS = ("native", "agreement", "ratio", "in part")


def show(entries: list[dict[str, Any]], release: Release | None) -> None:
    """Print the pairs; the columns are explained below."""
    rows = [_row(entry) for entry in entries]
    widths = [max(map(len, column)) for column in zip(_HEADINGS, *rows, strict=True)]
    widths[0] = max((len(row[0]) for row in (_HEADINGS, *rows) if len(row[0]) <= _WIDEST), default=0)

    _output.write_bold(_line(_HEADINGS, widths))
    by_library = itertools.groupby(entries, lambda entry: str(entry["native"]).split(".")[1])
    for library, found in by_library:
        group = list(found)
        _output.write_bold(f"\n{library}: {_count(group)}")
        for entry in group:
            _output.write(_line(_row(entry), widths))
    _output.write()
    _output.write_wrapped(
        f"{_count(entries)}. exact: bit for bit; as reference: as near to exact arithmetic as it is; "
        "in part: engines that serve some arguments only. One in full: pipeport catalog NAME"
    )
    if release:
        _output.write_wrapped(f"Ratio: throughput over the reference's, worst-best case; {release.origin()}.")
        if not all(entry["released"] for entry in entries):
            _output.write_wrapped(f"{_NEW}: {NOT_YET}: run pipeport verify NAME, pipeport bench NAME")
    else:
        _output.write("No ratios are recorded. Measure here: pipeport bench")


def _count(entries: list[dict[str, Any]]) -> str:
    return f"{len(entries)} pair{'s' * (len(entries) != 1)}"


def _row(entry: dict[str, Any]) -> tuple[str, ...]:
    partly = [engine.rstrip("*") for engine in entry["engines"] if engine.endswith("*")]
    return entry["short"], entry["agreement_short"], _span(entry), ", ".join(partly)


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()


def _span(entry: dict[str, Any]) -> str:
    """Return the worst and the best measured ratio against the reference, or why there is none."""
    reference = entry["reference"]
    ratios = [float(case["ratio"]) for case in entry["ratios"] if _figures.is_own(case, reference)]
    if not ratios:
        return "-" if entry["released"] else _NEW
    return "-".join(dict.fromkeys(_digits(ratio) for ratio in (min(ratios), max(ratios))))


def _digits(ratio: float) -> str:
    """Return a ratio in as many digits as tell a loss from a gain."""
    places = 0 if ratio >= 9.95 else 1 if ratio >= 1.95 else 2
    return f"{ratio:.{places}f}x"
