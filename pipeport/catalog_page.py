"""The catalog as a page: `python -m pipeport.catalog_page` writes it, `--check` fails when it is stale."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pipeport import _describe, _figures, catalog
from pipeport.verify import _committed

PAGE = Path("docs") / "catalog.md"

_HEAD = """\
# Catalog

<!-- Written by `python -m pipeport.catalog_page`; a test fails when it is stale. Do not edit. -->

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


def _section(entry: dict[str, Any], ratios: list[dict[str, Any]]) -> list[str]:
    module, _, function = entry["native"].rpartition(".")
    lines = [f"## {entry['native']}", "", entry["summary"], ""]
    code = [f"from {module} import {function}", "", function + entry["signature"]]
    lines += ["```python", *code, "```", ""]
    aliases = "".join(f", `{alias}`" for alias in entry["aliases"])
    lines += [
        f"- Replaces: `{entry['reference']}`{aliases}",
        f"- Proven against: `{entry['proven_against']}` (environment `{entry['environment']}`)",
        f"- Proof: {_committed.text(catalog.find(entry['native']))}",
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
    if ratios:
        measured = [
            (
                r["case"],
                r["against"],
                _figures.figure_text(r, entry["native"]),
                str(r["rounds"]),
                f"`{r['commit']}`",
            )
            for r in ratios
        ]
        lines += [*_table(("case", "against", "native / other", "rounds", "commit"), measured), ""]
    return lines


def page() -> str:
    """Return the whole page.

    Returns
    -------
    str
        Markdown; the same for the same catalog and the same recorded ratios.
    """
    measured = _describe.last_ratios()
    ratios: dict[str, list[dict[str, Any]]] = measured["ratios"] if measured else {}
    entries = [_describe.entry(contract) for contract in catalog.pairs().values()]
    lines = [_HEAD]
    if measured:
        machine = _figures.machine_text(measured["machine"])
        lines += [f"Ratios were measured on {machine}. {_figures.EARLIER}: {_figures.EARLIER_SAYS}.", ""]
    rows = []
    for entry in entries:
        anchor = entry["native"].replace(".", "").lower()
        own = ratios.get(entry["native"])
        rows.append(
            (
                f"[{entry['native']}](#{anchor})",
                f"`{entry['reference']}`",
                entry["agreement"].partition(":")[0],
                " ".join(entry["engines"]),
                _figures.figure_text(own[0], entry["native"]) if own else "not measured",
            )
        )
    lines += _table(("native", "reference", "agreement", "engines", "last measured ratio"), rows)
    for entry in entries:
        lines += ["", *_section(entry, ratios.get(entry["native"], []))]
    return "\n".join(lines).rstrip("\n") + "\n"


def main(arguments: list[str]) -> int:
    """Write the page below the working folder, or only check it.

    Parameters
    ----------
    arguments : list of str
        Empty, or ``['--check']``.

    Returns
    -------
    int
        0, or 1 when the check finds the page stale, or 2 for other arguments.
    """
    if arguments not in ([], ["--check"]):
        sys.stderr.write("usage: python -m pipeport.catalog_page [--check]\n")
        return 2
    text = page()
    if not arguments:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    sys.stderr.write(f"{PAGE} is stale: run `python -m pipeport.catalog_page` and commit it.\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
