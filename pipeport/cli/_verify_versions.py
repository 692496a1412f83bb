"""OpenCV and SciPy in `pipeport verify`: whose results natives give, and with which they are compared."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pipeport._followed import LIBRARIES, Library, Version

if TYPE_CHECKING:
    from pipeport.contract import Agreement
    from pipeport.verify import Report


@dataclass(frozen=True)
class Compared:
    """The version of a library whose results natives gave, why, and the release of the reference."""

    library: Library
    results_of: Version
    because: str
    compared_with: str

    @property
    def agree(self) -> bool:
        """Whether the release gives the results of that version."""
        return (self.results_of, True) == self.library.of_release(self.compared_with)

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        told = {"results_of": self.results_of, "because": self.because, "compared_with": self.compared_with}
        return {**told, "agree": self.agree}

    def notice(self) -> str:
        """Explain a difference of versions, and how to remove it."""
        name = self.library.name
        version, proved = self.library.of_release(self.compared_with)
        setting = f"set {self.library.variable}={version}, or " if proved else ""
        return (
            f"Versions differ: pipeport gives the results of {name} {self.results_of} ({self.because}), "
            f"and was compared with {name} {self.compared_with}, so that failures may be no bugs. To make "
            f"them agree, {setting}install {name} {self.results_of}."
        )


def compared(report: Report, own: Agreement | None) -> tuple[Compared, ...]:
    """Return the versions that took part in this process, of each library that was a reference.

    A user's own functions count where both a library and its natives were loaded, and they disagree.
    """
    from pipeport import config

    found = []
    for library in LIBRARIES:
        release = getattr(sys.modules.get(library.module), "__version__", None)
        counts = _concerns(library, report) if own is None else bool(report.failed and _has_natives(library))
        if release is not None and counts:
            # Without the warning of `config.opencv()`, which would say the same again.
            found.append(Compared(library, *config.version_and_reason(library), release))
    return tuple(found)


def _has_natives(library: Library) -> bool:
    packages = {reference.partition(".")[0] for reference in library.references}
    return any(f"pipeport.{package}" in sys.modules for package in packages)


def _concerns(library: Library, report: Report) -> bool:
    from pipeport import catalog

    known = catalog.pairs()
    return any(library.concerns(known[case.pair].reference) for case in report.cases if case.pair in known)
