"""The functions that a program names: found, imported and called; an error says which one failed."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from pipeport import recipes_index
from pipeport.bench import _codes
from pipeport.bench._case import Case
from pipeport.bench._programs import Program
from pipeport.errors import OutsideDomain, PipeportError, explain

_RECIPES = "recipes/"
# What the sides of a training reach that are its script as it is.
RUN_BY = "pipeport.install"


class Factories:
    """The functions of programs, each file imported once per run."""

    def __init__(self) -> None:
        self._modules: dict[Path, ModuleType] = {}

    def function(self, program: Program, named: str) -> Callable[..., Any]:
        """Import a function.

        `named`: MODULE:FUNCTION, FILE.py:FUNCTION or recipes/NAME/FILE.py:FUNCTION.
        """
        where, _, name = named.rpartition(":")
        part = f"program {program.name!r}"
        try:
            with importable(program):
                module = self._module(program, where)
        except FileNotFoundError as error:
            allowed = "a file beside the suite, or recipes/NAME/FILE.py"
            advice = f"Correct {where!r} in {program.suite}."
            raise OutsideDomain(explain(part, f"{named} (no file {error})", allowed, advice)) from error
        except Exception as error:
            advice = "Correct it; list the packages that it needs in `needs`."
            given = f"{named}, whose import fails: {in_one_line(error)}"
            raise OutsideDomain(explain(part, given, "a module that can be imported", advice)) from error
        function = getattr(module, name, None)
        if not callable(function):
            known = [key for key, value in vars(module).items() if callable(value) and key[0] != "_"]
            given = f"{named} (no function {name!r} there)"
            advice = f"Correct it in {program.suite}."
            raise OutsideDomain(explain(part, given, ", ".join(known) or "a function", advice))
        return function  # type: ignore[no-any-return]

    def script(self, program: Program, named: str) -> Path:
        """Return a script of a training.

        `named`: its path, from the folder of the suite.
        """
        path = (program.suite.parent / named).resolve()
        if not path.is_file():
            allowed, advice = "a file beside the suite", f"Correct {named!r} in {program.suite}."
            raise OutsideDomain(explain(f"training {program.name!r}", f"{named} (no file)", allowed, advice))
        return path

    def code(self, program: Program, case: Case) -> str:
        """Return the fingerprint of what a case of a program measures."""
        through = (RUN_BY,) if program.training and case.variant else ()
        return _codes.of_programs(self.files(program, case), through=through)

    def files(self, program: Program, case: Case) -> list[Path]:
        """Return the sources of the reference and of the native of a case, as far as there are any."""
        named = [side.factory for side in program.sides_of(case) if side.kind in ("reference", "native")]
        if program.training:
            return [self.script(program, name) for name in dict.fromkeys(named)]
        sources = [_source(self.function(program, name)) for name in named]
        return list(dict.fromkeys(path for path in sources if path is not None))

    def _module(self, program: Program, where: str) -> ModuleType:
        if not where.endswith(".py"):
            return importlib.import_module(where)
        path = _file(program, where)
        if path not in self._modules:
            self._modules[path] = _imported(path)
        return self._modules[path]


def call(program: Program, named: str, function: Callable[..., Any], *given: Any, **more: Any) -> Any:
    """Call a program's function; an exception of its own becomes one that says where it comes from."""
    try:
        return function(*given, **more)
    except Exception as error:
        given_text = f"{named}, which raises {in_one_line(error)}"
        advice = "Correct the function or its arguments."
        raise PipeportError(
            explain(f"program {program.name!r}", given_text, "a run to the end", advice)
        ) from error


@contextmanager
def importable(program: Program) -> Iterator[None]:
    """Let modules beside the suite be imported inside the `with` block, after all others."""
    with beside(program.suite.resolve().parent):
        yield


@contextmanager
def beside(path: Path) -> Iterator[None]:
    """Let modules of a folder be imported inside the `with` block, after all others."""
    folder = str(path)
    sys.path.append(folder)
    try:
        yield
    finally:
        sys.path.reverse()
        sys.path.remove(folder)
        sys.path.reverse()


def in_one_line(error: BaseException) -> str:
    """Return kind and first line of an error, of our own no kind; AutoGraph puts where before what."""
    lines = str(error).strip().splitlines() or [""]
    text = lines[-1].strip() if lines[0].startswith("in user code") else lines[0]
    return text if isinstance(error, PipeportError) else f"{type(error).__name__}: {text}"


def _source(function: Callable[..., Any]) -> Path | None:
    try:
        found = inspect.getsourcefile(inspect.unwrap(function))
    except TypeError:
        return None
    return None if found is None else Path(found)


def _file(program: Program, where: str) -> Path:
    """Return the file beside the suite, or that of a recipe."""
    beside = (program.suite.parent / where).resolve()
    if not beside.is_file() and where.startswith(_RECIPES):
        beside = recipes_index.root() / where.removeprefix(_RECIPES)
    if not beside.is_file():
        raise FileNotFoundError(where)
    return beside


def _imported(path: Path) -> ModuleType:
    """Import a file under a name of its own: AutoGraph looks functions up by their module."""
    name = f"pipeport_program_{path.stem}_{zlib.crc32(str(path).encode()):08x}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(str(path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
