"""`pipeport catalog`: the pairs, or one whole entry."""

from __future__ import annotations

import click

from pipeport.cli import _output


@click.command("catalog")
@click.argument("name", required=False)
@_output.json_option
def command(name: str | None, as_json: bool) -> None:
    """List the pairs, or show all that is promised and measured for one.

    \b
    NAME may be
      a name of the list     pipeport catalog cv2.resize
      what you import        pipeport catalog np.rot90
      the end of names       pipeport catalog rotate
      a library or module    pipeport catalog skimage.transform
      a pattern              pipeport catalog 'cv2.*'
    """  # noqa: D301 - click's mark for lines that stay as they are
    from pipeport import _describe, catalog
    from pipeport.cli import _catalog_entry, _catalog_list
    from pipeport.verify import _committed

    measured = _describe.last_ratios() or {}
    chosen = catalog.pairs().values() if name is None else catalog.matching(name)
    entries = [_describe.entry(contract) for contract in chosen]
    if as_json or len(entries) == 1:
        for entry, contract in zip(entries, chosen, strict=True):
            entry["proof"] = _committed.text(contract)
    for entry in entries:
        entry["ratios"] = measured.get("ratios", {}).get(entry["native"], [])
    if as_json:
        about = {"machine": measured.get("machine"), "commit": _catalog_entry.commits(entries)}
        _output.write_json({"format": 1, **about, "pairs": entries})
    elif len(entries) == 1:
        _catalog_entry.show(entries[0], measured)
    else:
        _catalog_list.show(entries, measured)
