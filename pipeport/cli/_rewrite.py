"""`pipeport rewrite`: boundaries become native code, in the source text."""

from __future__ import annotations

from typing import Any

import click

from pipeport._target import split_target
from pipeport.cli import _output

_CLEAN, _FOUND, _FAILED = 0, 1, 2


@click.command("rewrite")
@click.argument("paths", nargs=-1, required=True, metavar="PATH [PATH]...")
@click.option("--diff", "mode", flag_value="diff", default="diff", help="Show what would change (default).")
@click.option("--check", "mode", flag_value="check", help="The same, with exit code 1 if anything would.")
@click.option("--write", "mode", flag_value="write", help="Write the files; needs --verify or --unverified.")
@click.option(
    "--verify",
    is_flag=True,
    help="Compare each function with what it becomes, on drawn inputs: this imports and runs your code, in a "
    "child process.",
)
@click.option("--unverified", is_flag=True, help="With --write: nothing is compared first.")
@click.option(
    "--input",
    "inputs",
    multiple=True,
    metavar="TEXT",
    help="With --verify, or for islands: what a parameter is, as in 'image: uint8[H,W,3]'; see `pipeport "
    "verify --help`.",
)
@click.option(
    "--dataset",
    metavar="MODULE:FACTORY",
    help="With --verify: a function that makes the dataset, whose graph says what each function is handed.",
)
@click.option(
    "--examples",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="With --verify: for each change.",
)
@click.option(
    "--unsafe",
    is_flag=True,
    help="Rewrite also what draws, what differs where that is declared, and what keeps islands of Python.",
)
@_output.json_option
def command(
    paths: tuple[str, ...],
    mode: str,
    verify: bool,
    unverified: bool,
    inputs: tuple[str, ...],
    dataset: str | None,
    examples: int,
    unsafe: bool,
    as_json: bool,
) -> int:
    """Rewrite calls of Python inside graphs as native code.

    PATH is a file, a folder or a notebook. tf.numpy_function(f, [x], dtype) and its kin become
    pipeport.port(f)(x), a function of a library its native, a tf.py_function of TensorFlow's operations
    alone a plain call. Comments and form stay. Only what `pipeport scan` finds no obstacle in, and what
    draws nothing, is rewritten; the rest is listed with the reason. Nothing is imported or run, unless
    --verify asks for it: then what cannot be compared, or differs, stays.

    A comment `# pipeport: ignore` on its lines leaves a call as it is.

    Exit codes: 0 done, 1 --check found something to rewrite, 2 a file could not be read or written, or a
    mistake in the call.

    \b
    pipeport rewrite src
    pipeport rewrite src --write --verify --dataset train:make_dataset
    pipeport rewrite src --write --unverified
    """  # noqa: D301 - click's mark for lines that stay as they are
    from pipeport import rewrite as tool
    from pipeport import scan
    from pipeport.cli import _rewrite_output, _scan_output
    from pipeport.errors import RewriteRefused

    if mode == "write" and verify + unverified != 1:
        raise click.UsageError("--write: add --verify, which compares first, or --unverified.")
    if unverified and mode != "write":
        raise click.UsageError("--unverified belongs to --write.")
    if (dataset and not verify) or (inputs and not (verify or unsafe)):
        raise click.UsageError("--input and --dataset belong to --verify, --input to --unsafe too.")
    if dataset:
        split_target(dataset, "--dataset", "module:function")
    import libcst  # noqa: F401 - told at once where it is missing

    settings = scan.settings(list(paths))
    about: dict[str, Any] = {
        "unsafe": unsafe, "verified": verify, "inputs": inputs, "settings": settings,
    }  # fmt: skip
    with _output.counted("files") as progress:
        result = tool.rewrite(list(paths), progress=progress, **about)
    if verify:
        # What is imported from the mirror is proven by the catalog, where the reference can be installed.
        both = [change for file in result.files for change in file.changes]
        changes = [change for change in both if change.becomes != "import"]
        refused = tool.differences(changes, inputs, dataset=dataset or "", examples=examples)
        if refused:
            reasons = {at: f"Not vouched for: {why.removesuffix('.')}." for at, why in refused.items()}
            result = tool.rewrite(list(paths), refused=reasons, **about)
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
    if as_json:
        _output.write_json(_rewrite_output.plain(result, written))
    else:
        _rewrite_output.show(result, written if mode == "write" else None)
    for line in failed:
        click.echo(line, err=True)
    found = any(file.changes for file in result.files)
    return _FAILED if failed else _FOUND if mode == "check" and found else _CLEAN
