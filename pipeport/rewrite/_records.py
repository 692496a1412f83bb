"""What a run tells of a file: changes, refusals, its text before and after."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Change:
    """A boundary that is rewritten.

    Attributes
    ----------
    path : str
        The file.
    line : int
        Its line before.
    wrapper : str
        'numpy_function', 'py_function', 'py_func', or 'tensorflow_addons' for what is imported from there.
    function : str
        What Python ran.
    becomes : str
        'drop-in', 'port' or 'import'.
    why : str
        Why it is the drop-in although a run made it native; of an import, the declared differences.
    cell : int or None
        Of a notebook: the number of the cell; `line` counts in it.
    """

    path: str
    line: int
    wrapper: str
    function: str
    becomes: str
    why: str = ""
    cell: int | None = None


@dataclass(frozen=True)
class Refusal:
    """A boundary that stays as it is.

    Attributes
    ----------
    path : str
        The file.
    line : int
        Its line.
    wrapper : str
        What it is.
    function : str or None
        What Python runs; None where the text does not tell.
    code : str
        What a scan says: see `scan.RULES`.
    reason : str
        Why it stays, and what to do.
    cell : int or None
        Of a notebook: the number of the cell; `line` counts in it.
    """

    path: str
    line: int
    wrapper: str
    function: str | None
    code: str
    reason: str
    cell: int | None = None


@dataclass(frozen=True)
class Rewritten:
    """A file, before and after.

    Attributes
    ----------
    path : Path
        The file.
    shown : str
        Its path as the user gave it.
    old, new : bytes
        What it holds, and what it would; equal where nothing changes.
    texts : tuple of (str, str, str)
        Path, and text before and after: of the file, or of each changed cell of a notebook.
    changes : tuple of Change
        What is rewritten.
    refusals : tuple of Refusal
        What is not.
    """

    path: Path
    shown: str
    old: bytes
    new: bytes
    texts: tuple[tuple[str, str, str], ...]
    changes: tuple[Change, ...]
    refusals: tuple[Refusal, ...]
