"""The page that draws what a release measured: ratios with their intervals on one scale, as SVG in tables."""

from __future__ import annotations

import html
import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from pipeport import _figures, catalog
from pipeport._releases import Release
from pipeport.bench._statistics import FASTER, SLOWER

WIDTH, HEIGHT = 200, 18
# The numbers of the scale: these times powers of ten.
TICKS = (1, 3)
_MARKS = {
    FASTER: '<circle cx="{x:.1f}" cy="9" r="4" fill="currentColor"/>',
    SLOWER: '<path d="M{left:.1f} 5 L{right:.1f} 13 M{left:.1f} 13 L{right:.1f} 5"'
    ' stroke="currentColor" stroke-width="2.5"/>',
}
_OTHER = '<circle cx="{x:.1f}" cy="9" r="3.5" fill="none" stroke="currentColor" stroke-width="1.5"/>'
Row = Mapping[str, Any]


class Scale:
    """Where ratios stand, from the number of the scale below the least to that above the largest.

    `rows`: what is drawn; at least one.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        ends = [end for row in rows for end in (row["low"], row["high"])]
        least, most = math.floor(math.log10(min(ends))), math.ceil(math.log10(max(ends)))
        numbers = [round(times * 10.0**power, 9) for power in range(least, most + 1) for times in TICKS]
        self.low = max(one for one in numbers if one <= min(*ends, 1))
        self.high = min(one for one in [*numbers, 10.0 ** (most + 1)] if one >= max(ends) and one > self.low)
        self.numbers = [one for one in numbers if self.low <= one <= self.high]

    def x(self, ratio: float) -> float:
        """Return the place of a ratio, in pixels from the left."""
        return 14 + (WIDTH - 28) * math.log(ratio / self.low) / math.log(self.high / self.low)

    def axis(self) -> str:
        """Return the head of the column: the numbers of the scale."""
        texts = "".join(
            f'<text x="{self.x(one):.1f}" y="13" text-anchor="middle" font-size="11" fill="currentColor">'
            f"{one:g}x</text>"
            for one in self.numbers
        )
        return _svg(texts, "")

    def drawn(self, rows: Iterable[Row], words: str) -> str:
        """Return ratios as marks with their intervals, beside the line of equal speed; `words` say it too."""
        one = self.x(1)
        parts = [f'<line x1="{one:.1f}" x2="{one:.1f}" y1="0" y2="18" stroke="currentColor" opacity="0.4"/>']
        for row in rows:
            x = self.x(row["ratio"])
            low, high = self.x(row["low"]), self.x(row["high"])
            parts.append(f'<line x1="{low:.1f}" x2="{high:.1f}" y1="9" y2="9" stroke="currentColor"/>')
            parts.append(_MARKS.get(row["verdict"], _OTHER).format(x=x, left=x - 4, right=x + 4))
        return _svg("".join(parts), words)


def _svg(inside: str, words: str) -> str:
    told = f'role="img" aria-label="{html.escape(words)}"' if words else 'aria-hidden="true"'
    return f'<svg width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" {told}>{inside}</svg>'


def _table(scale: Scale, named: Mapping[str, list[Row]], links: Mapping[str, str]) -> list[str]:
    """Return a table with a line per name, the slowest first: the geometric mean of its ratios, and each."""
    means = {name: statistics.geometric_mean(row["ratio"] for row in rows) for name, rows in named.items()}
    lines = [
        "```{raw} html",
        '<div class="pst-scrollable-table-container"><table class="table speed">',
        f"<thead><tr><th>name, mean</th><th>{scale.axis()}</th></tr></thead><tbody>",
    ]
    for name in sorted(named, key=means.__getitem__):
        words = "; ".join(f"{row['case']}: {_figures.ratio_text(dict(row))}" for row in named[name])
        label = f"<code>{html.escape(name.removeprefix('pipeport.')).replace('.', '.<wbr>')}</code>"
        if name in links:
            label = f'<a href="{html.escape(links[name])}">{label}</a>'
        drawing = scale.drawn(named[name], words)
        lines.append(f"<tr><td>{label} {means[name]:.2f}x</td><td>{drawing}</td></tr>")
    return [*lines, "</tbody></table></div>", "```", ""]


def _counted(rows: list[Row]) -> str:
    mean = statistics.geometric_mean(row["ratio"] for row in rows)
    slower = sum(row["verdict"] == SLOWER for row in rows)
    return f"{len(rows)} ratios, {mean:.2f}x in geometric mean; {slower} of them slower."


def page(release: Release | None, links: Mapping[str, str]) -> str:
    """Return the page of a release's ratios, by package and by suite.

    Parameters
    ----------
    release : Release or None
        Whose figures are drawn.
    links : mapping of str to str
        Where the entries of natives are.

    Returns
    -------
    str
        Markdown with tables in HTML.
    """
    lines = ["# Speed", ""]
    if release is None:
        return "\n".join([*lines, "No release has measured anything yet.", ""])
    packages: dict[str, dict[str, list[Row]]] = defaultdict(dict)
    pairs = catalog.pairs()
    for native, rows in release.figures.items():
        stock = pairs[native].stock if native in pairs else None
        own = [row for row in rows if stock is None or row["against"] != stock.name]
        if native in pairs and own:
            packages[native.split(".")[1]][native] = own
    natives = sum(map(len, packages.values()))
    suites = {
        suite: {f"{row['name']}, {row['case']}": [row] for row in rows}
        for suite, rows in release.programs.items()
    }
    groups = [*packages.values(), *suites.values()]
    scale = Scale(row for group in groups for rows in group.values() for row in rows)
    lines += [
        f"What the release measured of {natives} natives, of the {len(pairs)} that there are now, and of "
        "programs: the throughput of the native over that of the function it replaces, and of the program "
        "afterwards over that before. Each case is a mark, a disc where it is faster, a cross where it is "
        "slower, a ring where it is neither, on the line of its interval. Left of the vertical line is a "
        "loss. The entry has the numbers.",
        "",
        f"Measured: {release.origin()}.",
        "",
    ]
    for package, named in sorted(packages.items()):
        rows = [row for each in named.values() for row in each]
        lines += [f"## pipeport.{package}", "", _counted(rows), "", *_table(scale, named, links)]
    for suite, named in suites.items():
        rows = [row for each in named.values() for row in each]
        lines += [f"## Programs: {suite}", "", _counted(rows), "", *_table(scale, named, {})]
    return "\n".join(lines)
