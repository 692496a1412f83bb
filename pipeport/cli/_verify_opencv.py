"""OpenCV 4 and 5 in `pipeport verify`: whose results natives give, and with which they are compared."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pipeport.contract import Agreement
    from pipeport.verify import Report


@dataclass(frozen=True)
class Compared:
    """The major version whose results natives gave, why, and the version of the reference."""

    results_of: int
    because: str
    compared_with: str

    @property
    def _major(self) -> int:
        return int(self.compared_with.partition(".")[0])

    @property
    def agree(self) -> bool:
        """Whether both are of one major version."""
        return self.results_of == self._major

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {**asdict(self), "agree": self.agree}

    def notice(self) -> str:
        """Return what to know where they are not, and how to make them agree."""
        from pipeport._opencv_installed import OPENCV_VERSIONS

        there_is = self._major in OPENCV_VERSIONS
        setting = f"set PIPEPORT_OPENCV={self._major}, or " if there_is else ""
        return (
            f"Versions differ: pipeport.cv2 gives the results of OpenCV {self.results_of} ({self.because}), "
            f"and was compared with OpenCV {self.compared_with}, so that failures may be no bugs. To make "
            f"them agree, {setting}install an OpenCV {self.results_of}."
        )


def compared(report: Report, own: Agreement | None) -> Compared | None:
    """Return the versions that took part in this process; None where OpenCV was no reference.

    A user's own functions count where both OpenCV and `pipeport.cv2` were loaded, and they disagree.
    """
    from pipeport import config

    version = getattr(sys.modules.get("cv2"), "__version__", None)
    counts = _has_opencv(report) if own is None else bool(report.failed and "pipeport.cv2" in sys.modules)
    if version is None or not counts:
        return None
    # Not `config.opencv()`: a warning would say the same again.
    found, because = config.opencv_and_reason()
    return Compared(found, because, version)


def _has_opencv(report: Report) -> bool:
    from pipeport import catalog

    known = catalog.pairs()
    references = [known[case.pair].reference for case in report.cases if case.pair in known]
    return any(reference.startswith("cv2.") for reference in references)
