"""The `pipeport` command: one file per verb, loaded when it is used.

A verb is a module `_<verb>.py` in this folder with a `click.Command` called `command`; what else belongs to
it is called `_<verb>_<topic>.py`. It imports what is heavy inside the function body, so that
`pipeport --help` stays fast. Exit codes: 0 done, 1 the tool's own negative finding, 2 a user's mistake,
3 a defect of pipeport, 130 interrupted.
"""

from __future__ import annotations

import contextlib
import difflib
import functools
import importlib
import importlib.metadata
import pkgutil
import platform
import sys
from collections.abc import Sequence
from typing import Any

import click

from pipeport import __version__
from pipeport.cli import _output, _quiet
from pipeport.errors import NotEquivalent, PipeportError, explain

FINDING, MISTAKE, DEFECT, INTERRUPTED = 1, 2, 3, 130

# The extra of pyproject.toml that brings each optional package, by the name it is imported under.
EXTRAS = {
    "PIL": "bench",
    "cv2": "bench",
    "hypothesis": "verify",
    "libcst": "migrate",
    "matplotlib": "bench",
    "psutil": "bench",
    "scipy": "verify",
    "skimage": "verify",
    "tensorflow_addons": "addons",
}


class Verbs(click.Group):
    """A group that finds its verbs in this folder and answers for their errors."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all verbs, sorted."""
        names = {m.name.removeprefix("_") for m in pkgutil.iter_modules(__path__)}
        # `_bench_output` belongs to `_bench`: it is not a verb, and what it imports is not needed here.
        own = {name for name in names if name.partition("_")[0] not in names - {name}}
        return sorted(name for name in own if self.get_command(ctx, name) is not None)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return the verb of that name, or None."""
        module = f"{__name__}._{cmd_name}"
        if not cmd_name.isidentifier() or cmd_name.startswith("_"):
            return None
        try:
            command = getattr(importlib.import_module(module), "command", None)
        except ModuleNotFoundError as error:
            if error.name != module:
                raise
            return None
        return command if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write every verb with its whole first sentence, wrapped instead of cut off."""
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, verb.get_short_help_str(limit=1000)) for name, verb in commands.items() if verb]
            )

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the verb that `args` begins with; a mistyped one is answered by the nearest."""
        given = args[0]
        if not given.startswith("-") and self.get_command(ctx, given) is None:
            verbs = self.list_commands(ctx)
            near = difflib.get_close_matches(given, verbs, n=1)
            advice = f"Did you mean `pipeport {near[0]}`?" if near else "See `pipeport --help`."
            raise click.UsageError(explain("verb", repr(given), ", ".join(verbs), advice), ctx)
        return super().resolve_command(ctx, args)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command line; without `standalone_mode`, errors reach the caller."""
        run = functools.partial(super().main, args, prog_name, complete_var, standalone_mode=False, **extra)
        if not standalone_mode:
            return run()
        given = sys.argv[1:] if args is None else list(args)
        # A script that is run finds its process as it would.
        starts = contextlib.nullcontext() if given[:1] == ["run"] else _quiet.tensorflow()
        try:
            with starts:
                code: Any = run()
        except click.ClickException as error:
            error.show()
            sys.exit(MISTAKE)
        except (click.Abort, KeyboardInterrupt):
            _output.complain("Interrupted.")
            sys.exit(INTERRUPTED)
        except NotEquivalent as error:
            _output.complain(str(error))
            sys.exit(FINDING)
        except PipeportError as error:
            _output.complain(str(error))
            sys.exit(MISTAKE)
        except ModuleNotFoundError as error:
            package = (error.name or "").partition(".")[0]
            if package not in EXTRAS:
                _report()
                sys.exit(DEFECT)
            needed = f"pipeport[{EXTRAS[package]}]"
            advice = f'Run: pip install "{needed}"'
            _output.complain(explain("environment", f"no package {package}", needed, advice))
            sys.exit(MISTAKE)
        except Exception:
            _report()
            sys.exit(DEFECT)
        sys.exit(code if type(code) is int else 0)


def _report() -> None:
    """Show an unexpected exception, and ask for a report."""
    _output.traceback()
    _output.complain(f"This is a defect of pipeport. Please report the lines above, with: {versions()}")


def versions() -> str:
    """Return the versions a report needs, without importing the packages."""
    parts = [f"pipeport {__version__}", f"Python {platform.python_version()}"]
    for package in ("tensorflow", "numpy"):
        try:
            parts.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            parts.append(f"no {package}")
    return ", ".join(parts)


def _show_version(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:  # noqa: ARG001
    if wanted and not ctx.resilient_parsing:
        _output.write(versions())
        ctx.exit()


@click.command(
    cls=Verbs,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done, 1 a negative finding, 2 a mistake in the call, 3 a defect of pipeport.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the versions of pipeport, Python, TensorFlow and NumPy.",
)
def main() -> None:
    """Take NumPy and scikit-image out of tf.numpy_function: proved, measured natives."""
