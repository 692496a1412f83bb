"""Parse the options of `pipeport verify`: agreements, engines, shards, functions."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from pipeport.contract import Agreement


def agreement(text: str | None, rtol: float | None, atol: float | None) -> Agreement | None:
    """Return the agreement a user asked for; None leaves the default."""
    from pipeport import contract
    from pipeport.verify import Close

    if rtol is not None or atol is not None:
        if text is not None:
            raise click.UsageError("Give --agreement, or --rtol and --atol, not both.")
        return Close(rtol=rtol or 0.0, atol=atol or 0.0)
    if text is None:
        return None
    name, _, value = text.partition(":")
    try:
        if name == "exact" and not value:
            return contract.Exact()
        if name == "reference" and not value:
            return contract.AsReference()
        if name == "ulps":
            return contract.Ulps(int(value))
        if name == "within":
            return contract.Within(float(value), "asked for on the command line")
        if name == "levels":
            levels, _, fraction = value.partition("@")
            return contract.WithinLevels(int(levels), float(fraction or 1))
    except ValueError:
        pass
    allowed = "reference, exact, ulps:4, within:1e-6, levels:1@0.01"
    raise click.UsageError(f"--agreement: got {text!r}; allowed: {allowed}.")


def engines(text: str | None, default: tuple[str, ...]) -> tuple[str, ...]:
    from pipeport.contract import ENGINES

    if text is None:
        return default
    chosen = tuple(part.strip() for part in text.split(",") if part.strip())
    unknown = [name for name in chosen if name not in ENGINES]
    if unknown or not chosen:
        raise click.UsageError(f"--engine: got {text!r}; allowed: {', '.join(ENGINES)}.")
    return chosen


def shard(text: str) -> tuple[int, int]:
    part, _, parts = text.partition("/")
    if not (part.isdigit() and parts.isdigit() and 1 <= int(part) <= int(parts)):
        raise click.UsageError(f"--shard: got {text!r}; allowed: 1/2 and 2/2 for two halves, and so on.")
    return int(part), int(parts)


def place(target: str) -> tuple[str, str]:
    """Return the two sides of `module:function`."""
    module_name, _, path = target.partition(":")
    if not module_name or not path:
        raise click.UsageError(f"{target!r}: write module:function, for instance my_module:old.")
    return module_name, path


@contextlib.contextmanager
def working_folder() -> Iterator[None]:
    """Look for modules in the working folder too."""
    sys.path.insert(0, str(Path.cwd()))
    try:
        yield
    finally:
        sys.path.pop(0)


def function(target: str) -> Any:
    """Import `module:function` from the working folder or the installed packages."""
    import importlib

    module_name, path = place(target)
    with working_folder():
        try:
            found: Any = importlib.import_module(module_name)
        except Exception as error:  # whatever the user's module does when it is imported
            reason = f"{type(error).__name__}: {error}"
            raise click.UsageError(f"{target!r}: the module cannot be imported ({reason}).") from error
    for part in path.split("."):
        if not hasattr(found, part):
            raise click.UsageError(f"{target!r}: {module_name} has no {path!r}.")
        found = getattr(found, part)
    if not callable(found):
        raise click.UsageError(f"{target!r} is a {type(found).__name__}, not a function.")
    return found
