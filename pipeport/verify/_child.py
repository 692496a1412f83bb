"""A process of our own that tells in lines of JSON, and can be ended with all that it starts."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any


class Child:
    """A module that runs in another Python, in a session of its own: Ctrl-C does not reach it.

    `module`: what `python -m` runs. `complaints`: where its standard error goes; by default nowhere.
    """

    def __init__(self, module: str, *arguments: str, complaints: IO[str] | int = subprocess.DEVNULL) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=complaints,
            text=True,
            encoding="utf-8",
            env={"TF_CPP_MIN_LOG_LEVEL": "3", "MPLBACKEND": "Agg"} | os.environ,
            start_new_session=True,
        )
        self._in: Any = self._process.stdin
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        self._reader.start()

    def _read(self, lines: IO[str]) -> None:
        with lines:
            for line in lines:
                self._lines.put(line)
        self._lines.put(None)

    def tell(self, message: dict[str, Any], *, last: bool = False) -> None:
        """Send a message; after the last one its standard input is at its end."""
        with suppress(OSError):  # it has ended: what is heard next says so
            self._in.write(json.dumps(message) + "\n")
            self._in.flush()
            if last:
                self._in.close()

    def heard(self, seconds: float) -> dict[str, Any] | None:
        """Wait for the next message.

        Returns: None where the process has ended.
        """
        try:
            line = self._lines.get(timeout=max(0.0, seconds))
        except queue.Empty:
            raise TimeoutError from None
        if line is None:
            self._process.wait()
            return None
        found: dict[str, Any] = json.loads(line)
        return found

    @property
    def ended(self) -> str:
        """How an ended process ended: 'exit code 1' or 'signal SIGSEGV'."""
        code = self._process.returncode
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"

    def interrupt(self) -> None:
        """Ask it for its last words."""
        self._process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """End the process, and all that it has started."""
        with suppress(OSError):
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        self._reader.join()
        with suppress(OSError):
            self._in.close()


def speaker() -> Callable[[dict[str, Any]], None]:
    """Return what a child tells its parent with; whatever else is printed goes to standard error."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def tell(message: dict[str, Any]) -> None:
        out.write(json.dumps(message) + "\n")
        out.flush()

    return tell
