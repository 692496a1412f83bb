"""`pipeport rewrite`: boundaries become the drop-in or ports, in the source text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pipeport.cli import _output

_CLEAN, _FOUND, _FAILED = 0, 1, 2


@click.command("rewrite")
@click.argument("paths", nargs=-1, required=True, metavar="PATH [PATH]...")
@click.option("--diff", "mode", flag_value="diff", default="diff", help="Show what would change (default).")
@click.option("--check", "mode", flag_value="check", help="The same, with exit code 1 if anything would.")
@click.option("--write", "mode", flag_value="write", help="Write the files.")
@click.option(
    "--evidence",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="REPORT",
    help="What `pipeport run --report` wrote: boundaries that were native become ports, the others stay.",
)
@click.option(
    "--then-run",
    is_flag=True,
    help="With --evidence and --write: run the script again, and compare the reports.",
)
@_output.json_option
def command(paths: tuple[str, ...], mode: str, evidence: Path | None, then_run: bool, as_json: bool) -> int:
    """Rewrite calls of Python inside graphs.

    PATH is a file, a folder or a notebook. Without --evidence, tf.numpy_function and its kin become
    pipeport.numpy_function and pipeport.py_function: TensorFlow's own calls until `pipeport run` or
    pipeport.install() decides otherwise. With the report of a run, boundaries that were native in it become
    pipeport.port(f, Tout=..)(x), as long as the files are those that ran; those that stayed are listed with
    the report's reason. Comments and form stay. Nothing is imported or run, unless --then-run asks for it.

    A comment `# pipeport: ignore` on its lines leaves a call as it is.

    Exit codes: 0 done, 1 --check found something to rewrite, 2 a file could not be read or written, the
    script ended otherwise than before, or a mistake in the call.

    \b
    pipeport rewrite src
    pipeport run --report report.json train.py
    pipeport rewrite --evidence report.json --write --then-run src train.py
    """  # noqa: D301 - click's mark for lines that stay as they are
    from pipeport import rewrite as tool
    from pipeport import scan
    from pipeport.cli import _rewrite_output, _scan_output
    from pipeport.errors import RewriteRefused

    if then_run and (evidence is None or mode != "write"):
        raise click.UsageError("--then-run belongs to --evidence and --write.")
    import libcst  # noqa: F401 - told at once where it is missing

    told = None if evidence is None else tool.read_evidence(evidence)
    if then_run and told is not None and not told.command:
        raise click.UsageError("--then-run: the report is of no `pipeport run`: run the script yourself.")
    with _output.counted("files") as progress:
        settings: Any = scan.settings(list(paths))
        result = tool.rewrite(list(paths), evidence=told, settings=settings, progress=progress)
    failed = [_scan_output.told(one) for one in result.problems]
    written = []
    for file in result.files if mode == "write" else ():
        if not file.changes:
            continue
        try:
            tool.write(file)
            written.append(file.shown)
        except RewriteRefused as error:
            failed.append(str(error))
    again = tool.run_again(told) if then_run and told is not None and written else None
    if as_json:
        _output.write_json(_rewrite_output.plain(result, written, again))
    else:
        _rewrite_output.show(result, written if mode == "write" else None)
        if again is not None:
            _output.write_wrapped(str(again), 2)
    for line in failed:
        click.echo(line, err=True)
    if failed or (again is not None and again.code):
        return _FAILED
    found = any(file.changes for file in result.files)
    return _FOUND if mode == "check" and found else _CLEAN
