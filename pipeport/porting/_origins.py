"""Where the lines of transformed functions stand in the user's files."""

from __future__ import annotations

import traceback

# Lines of the user's files, by the name under which a transformed source is known: line -> (file, line).
origins: dict[str, tuple[str, dict[int, int]]] = {}


def line_of(file: str, line: int) -> tuple[str, int] | None:
    """Return the user's file and line that a line of a converted function comes from."""
    known = origins.get(file)
    found = None if known is None else known[1].get(line)
    return None if known is None or found is None else (known[0], found)


def places_of(error: BaseException) -> list[tuple[str, int]]:
    """Return the user's files and lines in which an error came about, the innermost last."""
    frames = traceback.walk_tb(error.__traceback__)
    places = [line_of(frame.f_code.co_filename, line) for frame, line in frames]
    return [one for one in places if one is not None]
