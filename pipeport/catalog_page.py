"""The catalog as a page: `python -m pipeport.catalog_page` builds it below the working folder."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pipeport import _describe, _figures, _releases, catalog

PAGE = Path("build") / "docs" / "catalog.md"

_HEAD = """\
# Catalog

Every pair of a reference function and its native TensorFlow equivalent. What a pair promises is
stated above the native in its source; this page and `pipeport catalog` are derived from it. *Data*
varies per element; *static* parameters are Python values; the others take either. An engine with a
star is served in part, with the reason in the entry.

*Supported* is what a parameter takes, within the reference's own limits; what is left out of that stands
under the differences. *Drawn in the proof* is the part of it that the examples come from, and no limit; where
it is empty, all that is supported is drawn. Of numbers, half are drawn where coordinates meet pixels: whole
degrees, multiples of 15, centres on and between pixels, simple fractions. Images are tiny in most examples;
*large images* says which other sizes were drawn, rows by columns.
"""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return lines + ["| " + " | ".join(map(_cell, row)) + " |" for row in rows]


def _what_to_run(name: str) -> str:
    return f"{_releases.NOT_YET}: run `pipeport verify {name}`, `pipeport bench {name}`"


def _section(entry: dict[str, Any]) -> list[str]:
    module, _, function = entry["native"].rpartition(".")
    lines = [f"## {entry['native']}", "", entry["summary"], ""]
    code = [f"from {module} import {function}", "", function + entry["signature"]]
    lines += ["```python", *code, "```", ""]
    aliases = "".join(f", `{alias}`" for alias in entry["aliases"])
    lines += [
        f"- Replaces: `{entry['reference']}`{aliases}",
        f"- Proven against: `{entry['proven_against']}` (environment `{entry['environment']}`)",
        f"- Proof: {entry['proof'] or _what_to_run(entry['short'])}",
        f"- Agreement: {entry['agreement']}",
        f"- Engines: {', '.join(entry['engines'])}",
        *(f"- In part, {limit['engine']}: {limit['reason']}" for limit in entry["cannot_serve"]),
        *(f"- Difference: {summary}" for summary in entry["differences"]),
    ]
    if entry["large_images"]:
        lines.append(f"- Large images: {entry['large_images']}")
    others = [("Stock op", entry["stock"]), *(("Peer", peer) for peer in entry["peers"])]
    lines += [f"- {label}: `{x['name']}`; {x['differs'] or 'same answer'}" for label, x in others if x]
    rows = [
        (
            f"`{p['name']}`" + " (ours)" * p["extra"],
            "required" if p["default"] is None else f"`{p['default']}`",
            p["supported"],
            p["drawn"],
            p["given_as"],
        )
        for p in entry["parameters"]
    ]
    lines += ["", *_table(("parameter", "default", "supported", "drawn in the proof", "given as"), rows), ""]
    if entry["ratios"]:
        measured = [(r["case"], r["against"], _figures.ratio_text(r)) for r in entry["ratios"]]
        lines += [*_table(("case", "against", "native / other"), measured), ""]
    return lines


def page() -> str:
    """Return the whole page.

    Returns
    -------
    str
        Markdown; the same for the same catalog and the same release.
    """
    release = _releases.newest()
    entries = [_describe.entry(contract, release) for contract in catalog.pairs().values()]
    lines = [_HEAD]
    if release:
        lines += [f"Proofs and ratios: {release.origin()}.", ""]
    rows = []
    for entry in entries:
        missing = "not measured" if entry["released"] else _releases.NOT_YET
        anchor = entry["native"].replace(".", "").lower()
        rows.append(
            (
                f"[{entry['native']}](#{anchor})",
                f"`{entry['reference']}`",
                entry["agreement"].partition(":")[0],
                " ".join(entry["engines"]),
                _figures.ratio_text(entry["ratios"][0]) if entry["ratios"] else missing,
            )
        )
    lines += _table(("native", "reference", "agreement", "engines", "first ratio"), rows)
    for entry in entries:
        lines += ["", *_section(entry)]
    return "\n".join(lines).rstrip("\n") + "\n"


def main() -> None:
    """Write the page."""
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
    sys.stderr.write(f"Written: {PAGE}\n")


if __name__ == "__main__":
    main()
