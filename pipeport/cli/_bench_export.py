"""`pipeport bench --export FOLDER`: programs that run where there is no TensorFlow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipeport.cli import _bench_output, _output
from pipeport.errors import UnsupportedArgument, explain

_MISTAKE, _INTERRUPTED = 2, 130
# Lines that are told of what was left out.
_MOST = 10


def run(folder: Path, choices: dict[str, Any], elements: int | None) -> int:
    """Write programs into a folder.

    `folder`: new, empty, or one of an earlier export. `choices`: the options of `pipeport bench`; of them
    `pairs`, `dtypes` and `sizes` count. `elements`: images in a batch. Returns: 2 when there is no program,
    130 after Ctrl-C, else 0.
    """
    from pipeport.bench import _export
    from pipeport.bench._suites import parse_size

    sizes = [parse_size(text) for text in choices["sizes"]] or [_export.SIZE]
    if len(sizes) > 1 or sizes[0] is None:
        given = " ".join(choices["sizes"])
        raise UnsupportedArgument(explain("--size", given, "one static size", "Export into a folder each."))
    with _bench_output.progress() as tell:
        found = _export.export(
            folder,
            choices["pairs"],
            dtypes=choices["dtypes"] or ("float32", "uint8"),
            elements=elements or _export.ELEMENTS,
            size=sizes[0],
            watch=tell,
        )
    for line in found.left_out[:_MOST]:
        _output.write_wrapped(f"left out: {line}", indent=4)
    others = len(found.left_out) - _MOST
    if others > 0:
        _output.write(f"left out: {others} others, see `left_out` in programs.json")
    _output.write(f"{found.programs} programs in {folder}, {len(found.left_out)} left out.")
    _output.write(f"There: python {folder.name}/{_export.SCRIPT} --help")
    if found.interrupted:
        return _INTERRUPTED
    return 0 if found.programs else _MISTAKE
