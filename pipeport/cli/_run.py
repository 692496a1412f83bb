"""`pipeport run`: a script as it is, with its boundaries native where its own data prove it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from pipeport.errors import OutsideDomain, explain

_STAYED = 1


def _explain(ctx: click.Context, _option: click.Parameter, code: str | None) -> None:
    if code is not None:
        from pipeport import acceleration

        for reason in acceleration.explained(code):
            click.echo(acceleration.page(reason))
        ctx.exit()


@click.command("run", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("-m", "is_module", is_flag=True, help="Run a module, as `python -m` does.")
@click.option(
    "--report",
    "report_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write what became of each boundary as JSON.",
)
@click.option("--exact", is_flag=True, help="Take only what is equal to the bit, and draws nothing.")
@click.option("--prefer-native", is_flag=True, help="Let equality alone decide, and not time.")
@click.option(
    "--no-islands", is_flag=True, help="Leave a function whole in Python where a call has no native."
)
@click.option(
    "--keep",
    multiple=True,
    metavar="NAME",
    help="Leave calls of this name Python inside of native functions: one whose native is slower.",
)
@click.option("--fresh", is_flag=True, help="Measure anew what an earlier run has measured.")
@click.option(
    "--least",
    type=click.FloatRange(0),
    default=20.0,
    help="Seconds that a dataset's functions take in a run, to be tried. [20]",
)
@click.option("--limit", type=click.FloatRange(0), default=30.0, help="Seconds for all trials. [30]")
@click.option(
    "--only", multiple=True, metavar="PLACE", help="Try these alone: a file, file:line or function."
)
@click.option("--skip", multiple=True, metavar="PLACE", help="Leave these as they are.")
@click.option(
    "--strict", is_flag=True, help="Exit with 1 where a boundary stayed and the script's code is 0."
)
@click.option(
    "--explain",
    metavar="CODE",
    is_eager=True,
    expose_value=False,
    callback=_explain,
    help="Say what a code of the report means, and exit.",
)
@click.argument("script", metavar="SCRIPT")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[ARGUMENTS]...")
def command(
    script: str,
    arguments: tuple[str, ...],
    is_module: bool,
    report_file: Path | None,
    no_islands: bool,
    strict: bool,
    **settings: object,
) -> int:
    """Run a script as it is; boundaries become native where its own data prove it right and faster.

    Each tf.numpy_function, tf.py_function and tf.compat.v1.py_func inside of a `Dataset.map` is recorded on
    three elements of its own dataset, ported, compared and measured. Where the native form gives the same and
    an epoch takes no longer, it takes the boundary's place. Whatever goes wrong, the boundary is what it was.

    A script that runs without pipeport runs with it, and gives the same. Declared exceptions: draws have the
    same distribution and other numbers, as has what else draws from the same state; bytes may be one grey
    level off where a native interpolates, floats by rounding. With --exact there are none.

    One line on standard error says that it runs, a table at the end what became of each boundary;
    PIPEPORT_QUIET=1 leaves both out. The exit code is the script's own.

    \b
    pipeport run train.py --epochs 3
    pipeport run --report report.json --strict train.py
    pipeport run -m package.train
    """  # noqa: D301 - click's mark for lines that stay as they are
    if report_file is not None and not report_file.resolve().parent.is_dir():
        allowed = "a file in a folder that exists"
        raise OutsideDomain(explain("--report", str(report_file), allowed, "Create the folder first."))
    from pipeport.acceleration import _script, install, uninstall

    if not is_module:
        _script.check_script(script)
    quiet = os.environ.get("PIPEPORT_QUIET", "0") not in ("", "0")
    found = install(islands=not no_islands, **settings)
    found.trials.command = {
        "script": script, "arguments": list(arguments), "module": is_module, "folder": str(Path.cwd()),
    }  # fmt: skip
    own = os.getpid()
    _script.note_children(found.trials.children.append)
    if report_file is not None:
        target = report_file.resolve()  # the script may change the folder
        found.trials.noted = lambda: found.report.write(target) if os.getpid() == own else None
        found.trials.noted()
    if not quiet:
        click.echo("pipeport: boundaries become native where their own data prove it.", err=True)
    code = 0
    try:
        if is_module:
            _script.run_module(script, arguments)
        else:
            _script.run_script(script, arguments)
    except SystemExit as ended:
        code = _script.exit_code(ended.code)
        if ended.code is not None and not isinstance(ended.code, int):
            click.echo(ended.code, err=True)
    except BaseException as error:
        _end(error)
        code = 130 if isinstance(error, KeyboardInterrupt) else 1
    finally:
        if os.getpid() == own:  # not in a fork of the script's
            found.trials.noted()
            if not quiet:
                click.echo(str(found.report), err=True)
        uninstall()
    stayed = any(not one.is_native for one in found.report.verdicts)
    return _STAYED if strict and stayed and not code else code


def _end(error: BaseException) -> None:
    """Show what ended the script as Python does."""
    from pipeport.acceleration._script import trimmed

    trimmed(error)
    sys.excepthook(type(error), error, error.__traceback__)
