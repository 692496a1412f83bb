"""Run a script, a module or standard input in this process, as `python` would."""

from __future__ import annotations

import builtins
import os
import runpy
import sys
import types
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pipeport.errors import OutsideDomain, explain

_PACKAGE = str(Path(__file__).parents[1])


def check_script(path: str) -> None:
    """Refuse a script that is not there, before anything is run."""
    if path != "-" and not Path(path).exists():
        given = f"{path} (no such file)"
        raise OutsideDomain(explain("SCRIPT", given, "a Python script, or '-'", "Check its path."))


def run_script(path: str, arguments: Sequence[str] = ()) -> None:
    """Run a script as `__main__`.

    `path`: a Python file, a folder or an archive with a `__main__.py`, or '-' for standard input.
    `arguments`: what it finds in `sys.argv` behind its own name.
    """
    script = Path(path)
    if path != "-" and (script.is_dir() or zipfile.is_zipfile(script)):
        _start(path, arguments, path)
        runpy.run_path(path, run_name="__main__")
        return
    main = types.ModuleType("__main__")
    main.__dict__.update(__builtins__=builtins, __annotations__={})
    if path == "-":
        source: str | bytes = sys.stdin.read()
        _start(path, arguments, "")
    else:
        source, main.__file__ = script.read_bytes(), os.path.abspath(path)  # noqa: PTH100 - no links
        _start(path, arguments, str(script.resolve().parent))
    sys.modules["__main__"] = main
    file = getattr(main, "__file__", "<stdin>")
    exec(compile(source, file, "exec", dont_inherit=True), main.__dict__)


def run_module(name: str, arguments: Sequence[str] = ()) -> None:
    """Run a module as `python -m` does.

    `arguments`: what it finds in `sys.argv` behind its own file.
    """
    _start("-m", arguments, str(Path.cwd()))
    runpy.run_module(name, run_name="__main__", alter_sys=True)


def _start(name: str, arguments: Sequence[str], folder: str) -> None:
    """Give the program the arguments and the folder for imports that Python would."""
    sys.argv[:] = [name, *arguments]
    sys.path[0] = folder


def note_children(note: Callable[[str], None]) -> None:
    """Tell of each process of Python that this one starts, in words, until it ends."""
    own = os.getpid()

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event not in _STARTING or os.getpid() != own:
            return
        words = _STARTING[event](args)
        if words:
            note(words)

    sys.addaudithook(hook)


def _command(program: object, arguments: object) -> str:
    """Return a command of Python in words; nothing for other programs."""
    given = [arguments] if isinstance(arguments, (str, bytes, os.PathLike)) else list(arguments or ())  # type: ignore[call-overload]
    words = [os.fsdecode(one) for one in given if isinstance(one, (str, bytes, os.PathLike))]
    name = Path(os.fsdecode(program or (words or [""])[0])).name  # type: ignore[arg-type]
    return " ".join(["python", *words[1:]]) if name.startswith("python") else ""


_SPAWNING = ("multiprocessing.popen_spawn_posix", "multiprocessing.popen_spawn_win32")
_STARTING: dict[str, Callable[[tuple[Any, ...]], str]] = {
    "os.fork": lambda _args: "a fork",
    "os.posix_spawn": lambda args: _command(args[0], args[1]),
    "subprocess.Popen": lambda args: _command(args[0], args[1]),
    # Nothing tells of its processes, but the module is loaded for the first.
    "import": lambda args: "multiprocessing" if args[0] in _SPAWNING else "",
}


def exit_code(given: object) -> int:
    """Return the exit code that Python makes of what `sys.exit` got.

    `given`: a number, None, or what is printed. Returns: 1 for what is printed.
    """
    if given is None:
        return 0
    return given if isinstance(given, int) else 1


def trimmed(error: BaseException) -> BaseException:
    """Return an error whose traceback begins where the program does, as that of Python."""
    trace = error.__traceback__
    while trace is not None and _is_ours(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    return error.with_traceback(trace)


def _is_ours(file: str) -> bool:
    return file.startswith((_PACKAGE, "<frozen runpy>")) or file == runpy.__file__ or "/click/" in file
