"""One of the two processes that take turns: started, asked, and ended."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from pipeport.errors import PipeportError, explain

_CHILD = "pipeport.bench._turn"


class Absent(Exception):
    """A pair does not exist in the code of a side."""


class Process:
    """A process that imports the package of a folder and measures when it is asked.

    PipeportError where it cannot start: most often that package is too old or too new for this bench.
    """

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self._complaints = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115 - closed below
        # Files that the process leaves, since it is killed, go with this folder.
        self._temporary = tempfile.TemporaryDirectory(prefix="pipeport-turn-")
        paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
        # Ctrl-C does not reach a process in a session of its own; it is `close` that ends it. With one seed
        # of hashes, sets have the same order on both sides.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", _CHILD],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            text=True,
            encoding="utf-8",
            env={"TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONHASHSEED": "0"}
            | os.environ
            | {"PYTHONPATH": os.pathsep.join(paths), "TMPDIR": self._temporary.name},
            start_new_session=True,
        )
        try:
            self.send("start")
            found = Path(self.received()["package"]).parent
            if not found.samefile(folder):
                advice = "Check PYTHONPATH and the packages that come before it."
                raise PipeportError(explain(name, f"the package in {found}", f"that in {folder}", advice))
        except BaseException:
            self.close()
            raise

    def send(self, what: str, **more: Any) -> None:
        """Ask for one thing; `received` waits for the answer."""
        stdin = self._process.stdin
        if stdin is not None:
            # Whoever died is found out by the answer.
            with contextlib.suppress(BrokenPipeError):
                stdin.write(json.dumps({"do": what, **more}) + "\n")
                stdin.flush()

    def received(self) -> dict[str, Any]:
        """Wait for an answer."""
        stdout = self._process.stdout
        line = "" if stdout is None else stdout.readline()
        if not line:
            advice = "Name a revision nearer to this one, or measure the others."
            raise PipeportError(explain(self.name, self._death(), "a run to the end", advice))
        answer: dict[str, Any] = json.loads(line)
        if "absent" in answer:
            raise Absent(answer["absent"])
        if "error" in answer:
            raise PipeportError(f"{self.name}: {answer['error']}")
        return answer

    def _death(self) -> str:
        code = self._process.wait()
        self._complaints.seek(0)
        said = [line.strip() for line in self._complaints if line.strip()]
        return said[-1] if said and code >= 0 else f"exit code {code}"

    def close(self) -> None:
        """End the process, and remove what it wrote."""
        self._process.kill()
        self._process.communicate()
        self._complaints.close()
        self._temporary.cleanup()
