"""Run a script under `watch`, as `python script.py` would run it."""

from __future__ import annotations

import runpy
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeport.acceleration._script import exit_code
from pipeport.errors import OutsideDomain, explain
from pipeport.trace._user_code import is_users
from pipeport.trace._watch import WatchReport, watch

_INTERRUPTED = 130


@dataclass(frozen=True)
class ScriptRun:
    """How a script ended, and what watching found until then.

    `exit_code`: the script's own: 0, what it gave to `sys.exit`, 1 for an error, 130 for Ctrl-C. `error`: the
    traceback of the error that ended it, trimmed to the user's frames; empty for none. `interrupted`: whether
    it was Ctrl-C that ended it.
    """

    report: WatchReport
    exit_code: int
    error: str = ""
    interrupted: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return plain data that `json` writes."""
        ended = {"exit_code": self.exit_code, "error": self.error, "interrupted": self.interrupted}
        return {**self.report.as_json(), "script": ended}


def watch_script(path: str | Path, arguments: Sequence[str] = ()) -> ScriptRun:
    """Run a script as `__main__`, and watch every tf.function that it calls.

    `arguments`: what it finds in `sys.argv` after its own name. Returns: its exit code, and the report, also
    where an error or Ctrl-C ended the script.

    What the script prints appears as ever. Processes that it starts are not watched, and after `os._exit`
    there is no report.
    """
    script = Path(path)
    if not script.is_file():
        raise OutsideDomain(
            explain("script", str(path), "a file of Python source", "Give the path of a script.")
        )
    with watch() as report, _as_started(script, arguments):
        try:
            runpy.run_path(str(script), run_name="__main__")
        except SystemExit as ended:
            return ScriptRun(report, exit_code(ended.code), _text_of(ended.code))
        except KeyboardInterrupt as error:
            return ScriptRun(report, _INTERRUPTED, _trimmed(error), interrupted=True)
        except Exception as error:
            return ScriptRun(report, 1, _trimmed(error))
    return ScriptRun(report, 0)


@contextmanager
def _as_started(script: Path, arguments: Sequence[str]) -> Iterator[None]:
    """Give the script the arguments and the folder for imports that it would find if it were started."""
    argv, folders = sys.argv[:], sys.path[:]
    sys.argv[:] = [str(script), *arguments]
    sys.path.insert(0, str(script.resolve().parent))
    try:
        yield
    finally:
        sys.argv[:], sys.path[:] = argv, folders


def _text_of(given: Any) -> str:
    return "" if given is None or isinstance(given, int) else f"{given}\n"


def _trimmed(error: BaseException) -> str:
    """Return a traceback of the frames that are the user's."""
    shown = traceback.TracebackException.from_exception(error)
    one: traceback.TracebackException | None = shown
    while one is not None:
        one.stack[:] = [frame for frame in one.stack if is_users(frame.filename)]
        one = one.__cause__ or one.__context__
    return "".join(shown.format())
