"""Parse the options of `pipeport verify`: agreements, engines, shards."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
