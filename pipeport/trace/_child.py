"""The process in which `pipeport trace` runs a user's function: `python -m` this, the task on standard input.

One line of JSON per event on standard output: a step with its limit, or the report as far as it is.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable
from typing import Any

from pipeport._target import import_function
from pipeport.errors import PipeportError
from pipeport.trace._report import Report
from pipeport.verify._child import speaker


def run(task: dict[str, Any], tell: Callable[[dict[str, Any]], None]) -> None:
    """Run the measurement of a task, and send its steps and reports.

    `tell`: given one event at a time.
    """
    from pipeport.trace._measure import measure

    def step(text: str, limit: float) -> None:
        tell({"step": text, "limit": limit})

    def keep(report: Report) -> None:
        tell({"report": report.as_dict() | {"name": task["name"]}})

    step(f"importing {task['function'].partition(':')[0]}", task["limit"])
    for folder in reversed(task["folders"]):
        sys.path.insert(0, folder)
    function = import_function(task["function"])
    plain = import_function(task["plain"]) if task["plain"] else None
    measure(
        function,
        inputs=task["inputs"] or None,
        plain=plain,
        modes=task["modes"],
        rounds=task["rounds"],
        seconds=task["seconds"],
        limit=task["limit"],
        seed=task["seed"],
        watch=step,
        keep=keep,
    )


def main() -> None:
    """Read the task, keep standard output for events, and measure."""
    task = json.loads(sys.stdin.readline())
    say = speaker()
    asked: list[int] = []

    def stop(number: int, _: Any) -> None:
        asked.append(number)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, stop)

    def tell(event: dict[str, Any]) -> None:
        # What was raised may be lost: in a callback of the garbage collector, or in the user's `except`.
        if asked and "step" in event:
            raise KeyboardInterrupt
        say(event)

    try:
        run(task, tell)
    except PipeportError as error:
        tell({"mistake": str(error)})
    except KeyboardInterrupt:
        tell({"interrupted": True})
    tell({"end": True})


if __name__ == "__main__":
    main()
