"""`pipeport catalog`: the pairs, or one whole entry."""

from __future__ import annotations

from typing import Any

import click

from pipeport.cli import _output


@click.command("catalog")
@click.argument("name", required=False)
@_output.json_option
def command(name: str | None, as_json: bool) -> None:
    """List the pairs, or show all that is promised and measured for one.

    NAME is the native, the reference, or the end of either: transform.rotate.
    """
    from pipeport import _describe, catalog

    measured = _describe.last_ratios()
    chosen = catalog.pairs().values() if name is None else [catalog.find(name)]
    entries = [_describe.entry(contract) for contract in chosen]
    for entry in entries:
        entry["ratios"] = (measured or {}).get("ratios", {}).get(entry["native"], [])
    machine = {key: (measured or {}).get(key) for key in ("machine", "commit")}
    if as_json:
        _output.write_json({"format": 1, **machine, "pairs": entries})
    elif name is None:
        _list(entries, measured)
    else:
        _show(entries[0], measured)


def _list(entries: list[dict[str, Any]], measured: dict[str, Any] | None) -> None:
    from pipeport import _describe

    table = _output.new_table("native", "reference", "agreement", "engines", "last ratio")
    table.columns[0].no_wrap = True
    for entry in entries:
        ratios = entry["ratios"]
        table.add_row(
            entry["native"],
            entry["reference"],
            entry["agreement"].partition(":")[0],
            ", ".join(engine for engine in entry["engines"] if engine.endswith("*")) or "all",
            _describe.ratio_text(ratios[0]) if ratios else "-",
        )
    _output.console().print(table)
    _output.write(f"{len(entries)} pairs. Engines: all but in part those with *. More: pipeport catalog NAME")
    if measured:
        _output.write(f"Ratio: the first measured case, native / reference, on {_machine(measured)}.")
    else:
        _output.write("No ratios are recorded. Measure here: pipeport bench")


def _machine(measured: dict[str, Any]) -> str:
    machine = ", ".join(f"{key} {value}" for key, value in measured["machine"].items())
    return f"{machine} (commit {measured['commit']})"


def _show(entry: dict[str, Any], measured: dict[str, Any] | None) -> None:
    from pipeport import _describe

    write = _output.write
    module, _, function = entry["native"].rpartition(".")
    write(f"{function}{entry['signature']}")
    write(entry["summary"])
    write()
    write(f"  from {module} import {function}")
    also = f" (also {', '.join(entry['aliases'])})" if entry["aliases"] else ""
    facts = [
        ("replaces", entry["reference"] + also),
        ("proven against", f"{entry['proven_against']}, environment {entry['environment']!r}"),
        ("agreement", entry["agreement"]),
        ("engines", " ".join(entry["engines"])),
        *((f"  {limit['engine']}*", limit["reason"]) for limit in entry["cannot_serve"]),
        ("returns", ", ".join(entry["returns"])),
        *([("large images", entry["large_images"])] if entry["large_images"] else []),
    ]
    for label, text in facts:
        _output.write_wrapped(f"  {label:<15} {text}", indent=18)
    write()

    table = _output.new_table("parameter", "default", "supported", "drawn in the proof", "given as")
    for parameter in entry["parameters"]:
        name = parameter["name"] + " (ours)" * parameter["extra"]
        default = "required" if parameter["default"] is None else parameter["default"]
        table.add_row(name, default, parameter["supported"], parameter["drawn"], parameter["given_as"])
    _output.console().print(table)
    write("Drawn in the proof: what examples come from, and no limit; the reference's own limits apply.")

    write("Differences from the reference:" if entry["differences"] else "No declared difference.")
    for summary in entry["differences"]:
        _output.write_wrapped(f"  - {summary}", indent=4)
    for label, other in [("Stock op", entry["stock"]), *(("Peer", peer) for peer in entry["peers"])]:
        if other is not None:
            _output.write_wrapped(f"{label}: {other['name']}; {other['differs'] or 'same answer'}", indent=2)

    if not entry["ratios"]:
        write(f"Not measured yet: pipeport bench {entry['native']}")
        return
    ratios = _output.new_table("case", "against", "ratio (95 % interval), verdict")
    for case in entry["ratios"]:
        ratios.add_row(case["case"], case["against"], _describe.ratio_text(case))
    _output.console().print(ratios)
    if measured:
        write(f"Measured on {_machine(measured)}. Here: pipeport bench {entry['native']}")
