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
    from pipeport import _describe, _releases, catalog
    from pipeport.cli import _catalog_entry, _catalog_list
    from pipeport.errors import NotPorted

    release = _releases.newest()
    try:
        chosen = catalog.pairs().values() if name is None else catalog.matching(name)
    except NotPorted:
        if as_json or name is None or (found := catalog.exported(name)) is None:
            raise
        _catalog_entry.show_exported(*found)
        return
    entries = [_describe.entry(contract, release) for contract in chosen]
    if as_json:
        names = ("version", "date", "machine", "versions")
        about = release and {name: getattr(release, name) for name in names}
        _output.write_json({"format": 2, "release": about, "pairs": entries})
    elif len(entries) == 1:
        _catalog_entry.show(entries[0], release)
    else:
        _catalog_list.show(entries, release)
